//! Types of one translation unit, interned: equal types have equal ids.
//!
//! A typedef is transparent: it gives a type its spelling, never its kind. Records are numbered when first
//! met and filled later, so recursive types end.

use crate::clang::{Cursor, Place, Type};
use crate::program::{EnumValue, Field, Record, RecordId, TypeId, TypeInfo, TypeKind};
use clang_sys::*;
use std::collections::HashMap;

/// What makes two types one: same kind, same name, same qualifiers.
type Key = (TypeKind, Option<String>, bool, bool);

#[derive(Default)]
pub(crate) struct TypeTable<'tu> {
    pub(crate) types: Vec<TypeInfo>,
    pub(crate) records: Vec<Record>,
    /// Where each record is declared: its name across translation units.
    pub(crate) record_places: Vec<Option<Place>>,
    by_node: HashMap<usize, TypeId>,
    by_key: HashMap<Key, TypeId>,
    record_ids: HashMap<usize, RecordId>,
    field_ids: HashMap<usize, (RecordId, usize)>,
    /// Records met but not yet filled.
    pending: Vec<(RecordId, Type<'tu>)>,
    /// For an unnamed record: an expression of that type, see `spelling.rs`.
    pub(crate) expressions: HashMap<usize, String>,
    /// Per record: what to put before a field's name to make an expression; None when there is nothing.
    prefixes: Vec<Option<String>>,
    holds_targets: HashMap<TypeId, bool>,
}

impl<'tu> TypeTable<'tu> {
    pub(crate) fn intern(&mut self, ty: Type<'tu>) -> TypeId {
        let id = self.intern_open(ty);
        self.fill_records();
        id
    }

    /// The type of a parameter: arrays and functions become pointers.
    pub(crate) fn intern_param(&mut self, ty: Type<'tu>) -> TypeId {
        let id = self.param_open(ty);
        self.fill_records();
        id
    }

    pub(crate) fn info(&self, id: TypeId) -> &TypeInfo {
        &self.types[id.index()]
    }

    pub(crate) fn known_record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    /// The record and index of a field that a member expression or designator names.
    pub(crate) fn field(&mut self, field: Cursor<'tu>) -> Option<(RecordId, usize)> {
        if let Some(found) = self.field_ids.get(&field.identity()) {
            return Some(*found);
        }
        let record = field.semantic_parent()?.ty();
        self.intern(record);
        self.field_ids.get(&field.identity()).copied()
    }

    /// Which member of a record is this anonymous union, and the record.
    pub(crate) fn anonymous(&mut self, outer: Type<'tu>, inner: RecordId) -> Option<(RecordId, usize)> {
        let outer = self.intern(outer);
        let TypeKind::Record(record) = self.info(outer).kind else { return None };
        let is_inner =
            |field: &Field| field.name.is_none() && self.info(field.ty).kind == TypeKind::Record(inner);
        Some((record, self.records[record.index()].fields.iter().position(is_inner)?))
    }

    /// A record that was met before.
    pub(crate) fn knows_record(&self, ty: Type<'tu>) -> bool {
        let declaration = ty.canonical().declaration().filter(|_| ty.is_record());
        declaration.is_some_and(|declaration| self.record_ids.contains_key(&declaration.identity()))
    }

    /// Makes unnamed records reachable: `expression` has type `ty`.
    pub(crate) fn reach(&mut self, ty: Type<'tu>, expression: &str) {
        let mut ty = ty.canonical();
        let mut expression = expression.to_string();
        loop {
            match ty.kind() {
                CXType_ConstantArray | CXType_IncompleteArray => {
                    ty = ty.array_element().canonical();
                    expression = format!("{expression}[0]");
                }
                CXType_Pointer => {
                    ty = ty.pointee().canonical();
                    expression = format!("(*{expression})");
                }
                CXType_Record => {
                    if let Some(decl) = ty.declaration()
                        && decl.is_unnamed()
                    {
                        self.expressions.entry(decl.identity()).or_insert(expression);
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    fn intern_open(&mut self, ty: Type<'tu>) -> TypeId {
        if let Some(id) = self.by_node.get(&ty.identity()) {
            return *id;
        }
        let canonical = ty.canonical();
        let kind = self.kind(ty);
        let sized = !matches!(kind, TypeKind::Void | TypeKind::Function { .. });
        let element = if canonical.is_array() { base_element(canonical) } else { canonical };
        let info = TypeInfo {
            spelling: self.spell(ty),
            size: canonical.size().filter(|_| sized),
            align: canonical.align().filter(|_| sized),
            is_const: canonical.is_const() || element.is_const(),
            is_volatile: canonical.is_volatile() || element.is_volatile(),
            kind,
        };
        let id = self.add(info);
        self.by_node.insert(ty.identity(), id);
        id
    }

    fn add(&mut self, info: TypeInfo) -> TypeId {
        let key = (info.kind.clone(), info.spelling.clone(), info.is_const, info.is_volatile);
        let next = TypeId(self.types.len() as u32);
        let id = *self.by_key.entry(key).or_insert(next);
        if id == next {
            self.types.push(info);
        }
        id
    }

    fn param_open(&mut self, ty: Type<'tu>) -> TypeId {
        let is_array = ty.is_array();
        if !is_array && !ty.is_function() {
            return self.intern_open(ty);
        }
        let target = if is_array { element_of(ty) } else { ty };
        let to = self.intern_open(target);
        let spelling = self.spell_pointer_to(target);
        let kind = TypeKind::Pointer { to };
        self.add(TypeInfo {
            kind,
            spelling,
            size: Some(8),
            align: Some(8),
            is_const: false,
            is_volatile: false,
        })
    }

    fn kind(&mut self, ty: Type<'tu>) -> TypeKind {
        let int = |signed| TypeKind::Int { bits: bits(ty), signed, is_char: false };
        let char = |signed| TypeKind::Int { bits: 8, signed, is_char: true };
        match ty.kind() {
            CXType_Void => TypeKind::Void,
            CXType_Bool => TypeKind::Bool,
            CXType_Char_U | CXType_UChar => char(false),
            CXType_Char_S | CXType_SChar => char(true),
            CXType_UShort | CXType_UInt | CXType_ULong | CXType_ULongLong | CXType_UInt128 => int(false),
            CXType_Short | CXType_Int | CXType_Long | CXType_LongLong | CXType_Int128 => int(true),
            CXType_Char16 | CXType_Char32 | CXType_WChar => int(false),
            CXType_Half | CXType_Float16 => TypeKind::Float { bits: 16 },
            CXType_Float => TypeKind::Float { bits: 32 },
            CXType_Double => TypeKind::Float { bits: 64 },
            // The x87 format, unless -mlong-double-64.
            CXType_LongDouble => TypeKind::Float { bits: if ty.size() == Some(8) { 64 } else { 80 } },
            CXType_Float128 => TypeKind::Float { bits: 128 },
            CXType_Complex => TypeKind::Complex,
            CXType_Vector | CXType_ExtVector => TypeKind::Vector,
            CXType_Pointer => TypeKind::Pointer { to: self.intern_open(ty.pointee()) },
            CXType_ConstantArray => {
                TypeKind::Array { element: self.intern_open(ty.array_element()), length: ty.array_length() }
            }
            CXType_IncompleteArray | CXType_VariableArray => {
                TypeKind::Array { element: self.intern_open(ty.array_element()), length: None }
            }
            CXType_FunctionProto | CXType_FunctionNoProto => TypeKind::Function {
                result: self.intern_open(ty.result()),
                params: ty.arguments().into_iter().map(|p| self.param_open(p)).collect(),
                variadic: ty.is_variadic(),
                unprototyped: ty.kind() == CXType_FunctionNoProto,
            },
            CXType_Enum => enumeration(ty),
            CXType_Record => self.record(ty),
            CXType_Atomic => self.kind(ty.atomic_value()),
            CXType_Elaborated => self.kind(ty.named()),
            CXType_Attributed => self.kind(ty.modified()),
            CXType_Typedef => self.typedef(ty),
            _ => {
                let canonical = ty.canonical();
                if canonical.kind() == ty.kind() { TypeKind::Builtin } else { self.kind(canonical) }
            }
        }
    }

    fn typedef(&mut self, ty: Type<'tu>) -> TypeKind {
        let Some(decl) = ty.declaration() else { return TypeKind::Builtin };
        let name = decl.name();
        if name == "__builtin_va_list" {
            return TypeKind::Builtin;
        }
        let underlying = decl.typedef_underlying();
        if is_at_file_scope(decl) {
            self.reach(underlying, &format!("(*({name} *)0)"));
        }
        self.kind(underlying)
    }

    fn record(&mut self, ty: Type<'tu>) -> TypeKind {
        let Some(decl) = ty.declaration() else { return TypeKind::Builtin };
        let name = (!decl.is_unnamed()).then(|| decl.name());
        if name.as_deref() == Some("__va_list_tag") {
            return TypeKind::Builtin;
        }
        let identity = decl.identity();
        if let Some(id) = self.record_ids.get(&identity) {
            return TypeKind::Record(*id);
        }
        let id = RecordId(self.records.len() as u32);
        self.record_ids.insert(identity, id);
        let definition = decl.definition().unwrap_or(decl);
        self.records.push(Record {
            is_union: decl.kind() == CXCursor_UnionDecl,
            name,
            complete: ty.size().is_some(),
            is_system: definition.in_system_header(),
            fields: Vec::new(),
            size_elsewhere: None,
            derived: Vec::new(),
            derived_size: None,
        });
        self.record_places.push(definition.place());
        let prefix = if !is_at_file_scope(decl) {
            None
        } else if decl.is_unnamed() {
            self.expressions.get(&identity).map(|expression| format!("{expression}."))
        } else {
            Some(format!("(({} *)0)->", ty.canonical().spelling_unqualified()))
        };
        self.prefixes.push(prefix);
        self.pending.push((id, ty.canonical()));
        TypeKind::Record(id)
    }

    fn fill_records(&mut self) {
        while let Some((id, ty)) = self.pending.pop() {
            for (index, field) in ty.fields().into_iter().enumerate() {
                let filled = self.make_field(id, field);
                self.field_ids.insert(field.identity(), (id, index));
                self.records[id.index()].fields.push(filled);
            }
        }
    }

    fn make_field(&mut self, owner: RecordId, field: Cursor<'tu>) -> Field {
        // The front end describes what has no name in words.
        let name = Some(field.name()).filter(|name| !name.is_empty() && !name.contains('('));
        let ty = field.ty();
        let prefix = self.prefixes[owner.index()].clone();
        let bit_width = field.bit_width();
        if let (Some(prefix), Some(name), None) = (&prefix, &name, bit_width) {
            self.reach(ty, &format!("{prefix}{name}"));
        }
        let id = self.intern_open(ty);
        // Fields of an anonymous member are named through the record around it.
        if name.is_none()
            && let TypeKind::Record(inner) = self.info(id).kind
        {
            self.prefixes[inner.index()] = prefix;
        }
        Field {
            name,
            ty: id,
            offset_bits: field.field_offset_bits().unwrap_or(0),
            bit_width,
            targets: Vec::new(),
            casts: Vec::new(),
            range: None,
            is_read: false,
        }
    }

    /// Whether initialisers of this type are worth a look.
    pub(crate) fn holds_targets(&mut self, id: TypeId) -> bool {
        if let Some(known) = self.holds_targets.get(&id) {
            return *known;
        }
        let holds = match self.info(id).kind.clone() {
            // Through a `void *`, too, functions are handed around.
            TypeKind::Pointer { to } => {
                matches!(self.info(to).kind, TypeKind::Function { .. } | TypeKind::Void | TypeKind::Record(_))
            }
            TypeKind::Array { element, .. } => self.holds_targets(element),
            TypeKind::Record(record) => {
                let fields: Vec<TypeId> = self.records[record.index()].fields.iter().map(|f| f.ty).collect();
                fields.into_iter().any(|field| self.holds_targets(field))
            }
            _ => false,
        };
        self.holds_targets.insert(id, holds);
        holds
    }
}

fn bits(ty: Type<'_>) -> u32 {
    ty.size().and_then(|size| u32::try_from(size * 8).ok()).unwrap_or(32)
}

fn enumeration(ty: Type<'_>) -> TypeKind {
    let Some(decl) = ty.declaration() else { return TypeKind::Builtin };
    let decl = decl.definition().unwrap_or(decl);
    let integer = decl.enum_integer_type().canonical();
    let signed = matches!(
        integer.kind(),
        CXType_Char_S | CXType_SChar | CXType_Short | CXType_Int | CXType_Long | CXType_LongLong
    );
    let values = decl
        .children()
        .into_iter()
        .filter(|child| child.kind() == CXCursor_EnumConstantDecl)
        .map(|child| EnumValue { name: child.name(), value: child.enum_value() })
        .collect();
    TypeKind::Enum { bits: bits(integer), signed, values }
}

/// The element type with its sugar, looking through typedefs.
pub(crate) fn element_of(ty: Type<'_>) -> Type<'_> {
    match ty.kind() {
        CXType_Elaborated => element_of(ty.named()),
        CXType_Attributed => element_of(ty.modified()),
        CXType_Typedef => match ty.declaration() {
            Some(decl) => element_of(decl.typedef_underlying()),
            None => ty.canonical().array_element(),
        },
        CXType_ConstantArray | CXType_IncompleteArray | CXType_VariableArray => ty.array_element(),
        _ => ty.canonical().array_element(),
    }
}

/// Of an array of arrays that of all of them.
pub(crate) fn base_element(array: Type<'_>) -> Type<'_> {
    let element = array.array_element().canonical();
    if element.is_array() { base_element(element) } else { element }
}

/// Visible after the source: not declared in a function's body or parameter list.
pub(crate) fn is_at_file_scope(decl: Cursor<'_>) -> bool {
    let mut scope = decl.semantic_parent();
    while let Some(parent) = scope {
        match parent.kind() {
            CXCursor_TranslationUnit => return true,
            CXCursor_FunctionDecl => return false,
            _ => scope = parent.semantic_parent(),
        }
    }
    // Declarations of the compiler itself have no parent.
    true
}
