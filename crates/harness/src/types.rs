//! Questions about the types of a translation unit: how to write a type in C, and how to set a value of it.

use crate::arguments::List;
use model::{Field, GlobalScope, RecordId, TranslationUnit, TypeId, TypeKind};
use std::cell::RefCell;

/// How a value of a type is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Any bytes of its size.
    Number,
    Bool,
    Enum,
    /// Set from a `double`: not every pattern of its bytes is a value.
    LongDouble,
    /// Bytes without further meaning: complex numbers, vectors.
    Opaque,
    Array {
        element: TypeId,
        length: u64,
    },
    Record(RecordId),
    Pointer(TypeId),
    /// A pointer to a function; the function's type.
    Code(TypeId),
    /// Stays as it is.
    Leave(&'static str),
}

/// What a pointer gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pointee {
    Null(&'static str),
    /// `void *`.
    Bytes,
    /// Characters and a terminating NUL.
    Text,
    /// Numbers of one size.
    Numbers,
    /// Elements set one by one.
    Elements,
    /// Zeroed memory: objects that only the C library looks into.
    Zeroed,
    /// A `FILE`.
    Stream,
    /// Zeroed memory of this size: a record that another file of the program defines.
    Hidden(u64),
}

/// Records without a name that are set as bytes are no larger.
const MOST_PLAIN_BYTES: u64 = 256;

pub(crate) struct Types<'a> {
    unit: &'a TranslationUnit,
    /// How each type is written in C, where it can be.
    written: Vec<Option<String>>,
    /// A type of each record that can be written, unqualified if there is one.
    of_record: Vec<Option<TypeId>>,
    /// By record, once asked: whether it holds pointers.
    holding: RefCell<Vec<Option<bool>>>,
}

impl<'a> Types<'a> {
    pub(crate) fn new(unit: &'a TranslationUnit) -> Types<'a> {
        let written = unit.types.iter().map(|ty| ty.spelling.as_deref().map(as_type)).collect();
        let of_record = vec![None; unit.records.len()];
        let holding = RefCell::new(vec![None; unit.records.len()]);
        let mut types = Types { unit, written, of_record, holding };
        types.write_unnamed();
        types.find_records();
        types
    }

    /// Unnamed types can be written through something of that type that has a name: a global, a member, an
    /// element, what a pointer points to.
    fn write_unnamed(&mut self) {
        for global in &self.unit.globals {
            if global.scope == GlobalScope::File && !global.in_bodies {
                self.learn(global.ty, || format!("__typeof__({})", global.name));
            }
        }
        let mut known = usize::MAX;
        while known != self.known() {
            known = self.known();
            for index in 0..self.written.len() {
                let Some(written) = self.written[index].clone() else { continue };
                match &self.unit.types[index].kind {
                    TypeKind::Pointer { to } => self.learn(*to, || format!("__typeof__(*({written})0)")),
                    TypeKind::Array { element, .. } => {
                        self.learn(*element, || format!("__typeof__((*({written} *)0)[0])"));
                    }
                    TypeKind::Record(record) => self.learn_members(&written, *record),
                    _ => {}
                }
            }
        }
    }

    fn learn_members(&mut self, written: &str, record: RecordId) {
        for field in &self.unit.record(record).fields {
            match (&field.name, &self.unit.ty(field.ty).kind) {
                (Some(_), _) if field.bit_width.is_some() => {}
                (Some(name), _) => self.learn(field.ty, || format!("__typeof__((({written} *)0)->{name})")),
                (None, TypeKind::Record(inner)) => self.learn_members(written, *inner),
                (None, _) => {}
            }
        }
    }

    fn learn(&mut self, ty: TypeId, written: impl FnOnce() -> String) {
        let place = &mut self.written[ty.index()];
        if place.is_none() {
            *place = Some(written());
        }
    }

    fn find_records(&mut self) {
        for qualified in [false, true] {
            for (index, info) in self.unit.types.iter().enumerate() {
                let TypeKind::Record(record) = info.kind else { continue };
                let place = &mut self.of_record[record.index()];
                let fits = (info.is_const || info.is_volatile) == qualified && self.written[index].is_some();
                if fits && place.is_none() {
                    *place = Some(TypeId(index as u32));
                }
            }
        }
    }

    fn known(&self) -> usize {
        self.written.iter().flatten().count()
    }

    pub(crate) fn kind(&self, ty: TypeId) -> &'a TypeKind {
        &self.unit.ty(ty).kind
    }

    /// `ty` in C, such that a name can follow it.
    pub(crate) fn written(&self, ty: TypeId) -> Option<&str> {
        self.written[ty.index()].as_deref()
    }

    /// As `written`, without the outermost `const` and `volatile` where that is possible.
    pub(crate) fn unqualified(&self, ty: TypeId) -> Option<String> {
        let info = self.unit.ty(ty);
        let written = self.written(ty)?;
        if !info.is_const && !info.is_volatile {
            return Some(written.to_owned());
        }
        let Some(spelling) = info.spelling.as_deref() else { return Some(written.to_owned()) };
        let words = ["const", "volatile", "restrict", "__restrict"];
        // `const string` is the name of a pointer that is constant: there is no star.
        if matches!(info.kind, TypeKind::Pointer { .. }) && spelling.contains('*') {
            let mut rest = spelling;
            while let Some(shorter) = words.iter().find_map(|word| rest.strip_suffix(word)) {
                rest = shorter.trim_end();
            }
            if rest.ends_with('*') {
                return Some(as_type(rest));
            }
            // `char *(*const)(int)`: the outermost star is inside.
            return Some(as_type(&spelling.replacen("(*const)", "(*)", 1).replacen("(*volatile)", "(*)", 1)));
        }
        if matches!(info.kind, TypeKind::Array { .. }) {
            return Some(written.to_owned());
        }
        let rest: Vec<&str> = spelling.split(' ').filter(|word| !words.contains(word)).collect();
        Some(as_type(&rest.join(" ")))
    }

    /// No other pointer leads to the same objects, the source says.
    pub(crate) fn is_restrict(&self, ty: TypeId) -> bool {
        self.unit.ty(ty).spelling.as_deref().is_some_and(|spelling| spelling.contains("restrict"))
    }

    /// `unqualified` differs from the type as it stands, or there is nothing to take away.
    pub(crate) fn can_be_unqualified(&self, ty: TypeId) -> bool {
        let info = self.unit.ty(ty);
        !(info.is_const || info.is_volatile) || self.unqualified(ty).as_deref() != self.written(ty)
    }

    /// The record's type without qualifiers.
    pub(crate) fn record(&self, record: RecordId) -> Option<String> {
        self.of_record[record.index()].and_then(|ty| self.unqualified(ty))
    }

    pub(crate) fn is_qualified(&self, ty: TypeId) -> bool {
        let info = self.unit.ty(ty);
        let element = match info.kind {
            TypeKind::Array { element, .. } => self.is_qualified(element),
            _ => false,
        };
        info.is_const || info.is_volatile || element
    }

    pub(crate) fn is_const(&self, ty: TypeId) -> bool {
        let info = self.unit.ty(ty);
        match info.kind {
            TypeKind::Array { element, .. } => info.is_const || self.is_const(element),
            _ => info.is_const,
        }
    }

    pub(crate) fn rule(&self, ty: TypeId) -> Rule {
        let info = self.unit.ty(ty);
        match &info.kind {
            TypeKind::Bool => Rule::Bool,
            TypeKind::Int { .. } => Rule::Number,
            TypeKind::Float { bits: 80 | 128 } => Rule::LongDouble,
            TypeKind::Float { .. } => Rule::Number,
            TypeKind::Complex | TypeKind::Vector => Rule::Opaque,
            TypeKind::Enum { .. } => Rule::Enum,
            TypeKind::Pointer { to } => match self.kind(*to) {
                TypeKind::Function { .. } => Rule::Code(*to),
                _ => Rule::Pointer(*to),
            },
            TypeKind::Array { element, length: Some(length) } if *length > 0 => match self.rule(*element) {
                Rule::Leave(reason) => Rule::Leave(reason),
                _ => Rule::Array { element: *element, length: *length },
            },
            TypeKind::Array { .. } => Rule::Leave("its length is not known"),
            TypeKind::Record(record) if !self.unit.record(*record).complete => Rule::Leave("incomplete type"),
            TypeKind::Record(record) if self.is_opaque(*record) => Rule::Leave("belongs to the C library"),
            TypeKind::Record(record) if self.record(*record).is_none() => {
                Rule::Leave("its type cannot be named")
            }
            TypeKind::Record(record) => Rule::Record(*record),
            TypeKind::Void | TypeKind::Function { .. } => Rule::Leave("not an object"),
            TypeKind::Builtin => Rule::Leave("type of the compiler"),
        }
    }

    pub(crate) fn pointee(&self, to: TypeId) -> Pointee {
        let info = self.unit.ty(to);
        match &info.kind {
            TypeKind::Record(record) if self.is_stream(*record) => return Pointee::Stream,
            TypeKind::Void => return Pointee::Bytes,
            TypeKind::Int { is_char: true, .. } if self.is_text(to) => return Pointee::Text,
            TypeKind::Array { element, length: None } => return self.pointee(*element),
            TypeKind::Record(record) => {
                let record = self.unit.record(*record);
                if !record.complete || info.size.is_none() {
                    let elsewhere = record.size_elsewhere.filter(|size| *size > 0);
                    return elsewhere.map_or(Pointee::Null("pointer to an incomplete type"), Pointee::Hidden);
                }
            }
            _ => {}
        }
        if self.written(to).is_none() {
            return Pointee::Null("its type cannot be named");
        }
        match self.rule(to) {
            Rule::Number | Rule::Opaque if matches!(info.size, Some(1 | 2 | 4 | 8)) => Pointee::Numbers,
            Rule::Leave(_) => match &info.kind {
                TypeKind::Record(record) if self.is_hidden(*record) => Pointee::Zeroed,
                TypeKind::Record(_) => Pointee::Null("belongs to the C library"),
                _ => Pointee::Null("nothing is known of what it points to"),
            },
            _ => Pointee::Elements,
        }
    }

    /// Characters, by the name of their type: `uint8_t` and the like are numbers.
    fn is_text(&self, ty: TypeId) -> bool {
        self.unit.ty(ty).spelling.as_deref().is_none_or(|spelling| spelling.to_lowercase().contains("char"))
    }

    /// An argument list, which as a parameter may be a pointer, or a pointer to one.
    pub(crate) fn argument_list(&self, ty: TypeId) -> Option<List> {
        let spelling = |ty: TypeId| self.unit.ty(ty).spelling.as_deref().unwrap_or_default();
        match self.kind(ty) {
            TypeKind::Builtin => spelling(ty).contains("va_list").then_some(List::Itself),
            TypeKind::Pointer { to } if matches!(self.kind(*to), TypeKind::Builtin) => {
                if spelling(*to).ends_with("[0])") {
                    return Some(List::Itself);
                }
                spelling(*to).contains("va_list").then_some(List::Pointer)
            }
            _ => None,
        }
    }

    /// A record of a system header whose members are nobody's business: they are hidden, or they lead to
    /// further records, as those of FILE do.
    fn is_opaque(&self, record: RecordId) -> bool {
        self.unit.record(record).is_system && (self.is_hidden(record) || self.reaches_records(record))
    }

    fn is_stream(&self, record: RecordId) -> bool {
        let record = self.unit.record(record);
        record.is_system && record.name.as_deref() == Some("_IO_FILE")
    }

    /// By convention, members that begin with two underscores are for the library only.
    fn is_hidden(&self, record: RecordId) -> bool {
        let first = self.unit.record(record).fields.first();
        first.and_then(|field| field.name.as_deref()).is_some_and(|name| name.starts_with("__"))
    }

    /// A member points to a record.
    fn reaches_records(&self, record: RecordId) -> bool {
        self.unit.record(record).fields.iter().any(|field| self.points_to_record(self.member(field)))
    }

    fn points_to_record(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Pointer { to } => {
                matches!(self.kind(*to), TypeKind::Record(_)) || self.points_to_record(*to)
            }
            TypeKind::Array { element, .. } => self.points_to_record(*element),
            TypeKind::Record(inner) => self.reaches_records(*inner),
            _ => false,
        }
    }

    /// What a pointer, or the pointers of an array, lead to.
    pub(crate) fn pointer_in(&self, ty: TypeId) -> Option<TypeId> {
        match self.rule(ty) {
            Rule::Pointer(to) => Some(to),
            Rule::Array { element, .. } => self.pointer_in(element),
            _ => None,
        }
    }

    /// A value of this type holds pointers to data, so that a depth matters for it.
    pub(crate) fn holds_pointers(&self, ty: TypeId) -> bool {
        match self.rule(ty) {
            Rule::Pointer(to) => !matches!(self.pointee(to), Pointee::Null(_)),
            Rule::Array { element, .. } => self.holds_pointers(element),
            Rule::Record(record) => self.record_holds_pointers(record),
            _ => false,
        }
    }

    /// A value of this type holds pointers to functions.
    pub(crate) fn holds_code(&self, ty: TypeId) -> bool {
        match self.rule(ty) {
            Rule::Code(_) => true,
            Rule::Array { element, .. } => self.holds_code(element),
            Rule::Record(record) => self.record_holds_code(record),
            _ => false,
        }
    }

    fn record_holds_code(&self, record: RecordId) -> bool {
        self.unit.record(record).fields.iter().any(|field| self.member_holds_code(field))
    }

    pub(crate) fn member_holds_code(&self, field: &Field) -> bool {
        self.anonymous(field).map_or_else(|| self.holds_code(field.ty), |inner| self.record_holds_code(inner))
    }

    pub(crate) fn member_holds_pointers(&self, field: &Field) -> bool {
        let inside = |inner| self.record_holds_pointers(inner);
        self.anonymous(field).map_or_else(|| self.holds_pointers(self.member(field)), inside)
    }

    /// The type of a member as drivers see it: what the file makes of a pointer to nothing known, if that is a
    /// record.
    pub(crate) fn member(&self, field: &Field) -> TypeId {
        let is_record = |ty: &&TypeId| match self.rule(**ty) {
            Rule::Pointer(to) => {
                matches!(self.rule(to), Rule::Record(_)) && matches!(self.pointee(to), Pointee::Elements)
            }
            _ => false,
        };
        field.casts.iter().find(is_record).copied().unwrap_or(field.ty)
    }

    /// The record of an anonymous member, which cannot be named and whose members belong to the outer record.
    pub(crate) fn anonymous(&self, field: &Field) -> Option<RecordId> {
        match self.kind(field.ty) {
            TypeKind::Record(inner) if field.name.is_none() => Some(*inner),
            _ => None,
        }
    }

    pub(crate) fn record_holds_pointers(&self, record: RecordId) -> bool {
        if let Some(known) = self.holding.borrow()[record.index()] {
            return known;
        }
        let flexible = self.flexible(record).map(|field| self.kind(field.ty));
        let holds = self.unit.record(record).fields.iter().any(|field| self.member_holds_pointers(field))
            || matches!(flexible, Some(TypeKind::Array { element, .. }) if self.holds_pointers(*element));
        self.holding.borrow_mut()[record.index()] = Some(holds);
        holds
    }

    /// The size of a record whose type has no name where drivers are, and which holds nothing but numbers: it can
    /// be set as bytes.
    pub(crate) fn plain_bytes(&self, ty: TypeId) -> Option<u64> {
        let info = self.unit.ty(ty);
        let TypeKind::Record(record) = info.kind else { return None };
        let data = self.unit.record(record);
        let plain = data.complete
            && !data.is_system
            && self.written(ty).is_none()
            && !self.record_holds_pointers(record)
            && !self.record_holds_code(record);
        info.size.filter(|size| plain && (1..=MOST_PLAIN_BYTES).contains(size))
    }

    /// A last member without a length, for which memory is added behind the record.
    pub(crate) fn flexible(&self, record: RecordId) -> Option<&'a Field> {
        let data = self.unit.record(record);
        let last = data.fields.last().filter(|_| !data.is_union)?;
        let unsized_array = matches!(self.kind(last.ty), TypeKind::Array { length: None | Some(0), .. });
        (unsized_array && last.name.is_some()).then_some(last)
    }
}

/// A spelling such that a name can follow it.
fn as_type(spelling: &str) -> String {
    let base = spelling.trim_end_matches(['*', ' ']);
    let plain = base.chars().all(|letter| letter == '_' || letter == ' ' || letter.is_ascii_alphanumeric());
    if plain || is_typeof(base) { spelling.to_owned() } else { format!("__typeof__({spelling})") }
}

/// One `__typeof__(...)` and nothing else.
fn is_typeof(text: &str) -> bool {
    let Some(inner) = text.strip_prefix("__typeof__(").and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    let mut open = 0i32;
    inner.chars().all(|letter| {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        open >= 0
    })
}

/// `written name`, with the star next to the name.
pub(crate) fn declaration(written: &str, name: &str) -> String {
    if written.ends_with('*') { format!("{written}{name}") } else { format!("{written} {name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_follow_a_type() {
        assert_eq!(declaration(&as_type("const char *"), "s"), "const char *s");
        assert_eq!(declaration(&as_type("int[3]"), "a"), "__typeof__(int[3]) a");
        assert_eq!(as_type("__typeof__(g.m)"), "__typeof__(g.m)");
        assert_eq!(as_type("__typeof__(int[3]) *"), "__typeof__(int[3]) *");
        assert_eq!(
            as_type("__typeof__(int) (__typeof__(int))"),
            "__typeof__(__typeof__(int) (__typeof__(int)))"
        );
    }
}
