//! Objects behind a pointer to a record that the program converts to records which hold it: the driver makes one of
//! these. Which one is an input, and where names say what a tag means (`SHAPE_CIRCLE`, `struct circle`), tag and object
//! agree.

use crate::text::{At, Block};
use crate::types::{Rule, declaration};
use crate::writer::Writer;
use model::{EnumValue, Field, RecordId, TypeId, TypeKind};

/// Shorter words say nothing about longer ones that begin with them.
const SHORTEST: usize = 3;

/// What a pointer to a record leads to.
#[derive(Debug, Default)]
pub(crate) struct Lineage {
    pub(crate) heirs: Vec<Heir>,
    /// Where there are heirs: the record by itself is possible too, with one of these tags if there is a tag.
    pub(crate) plain: Option<Vec<EnumValue>>,
    /// The member of the record that says which heir it is.
    tag: Option<String>,
    /// Bytes that every object has.
    pub(crate) least: u64,
}

/// A record that holds the other one.
#[derive(Debug)]
pub(crate) struct Heir {
    pub(crate) record: RecordId,
    /// Where the other one is in it, in bytes.
    pub(crate) offset: u64,
    tags: Vec<EnumValue>,
}

impl Writer<'_> {
    pub(crate) fn lineage(&self, base: RecordId) -> Lineage {
        let data = self.unit.record(base);
        let mut heirs: Vec<Heir> = Vec::new();
        for derived in &data.derived {
            if let Rule::Record(record) = self.types.rule(derived.ty) {
                heirs.push(Heir { record, offset: derived.offset, tags: Vec::new() });
            }
        }
        let least = data.derived_size.unwrap_or(0);
        if heirs.is_empty() {
            return Lineage { least, ..Lineage::default() };
        }
        let names: Vec<Vec<String>> = heirs.iter().map(|heir| self.distinctive(heir.record, base)).collect();
        let tagged = data.fields.iter().filter_map(|field| {
            let (Some(name), TypeKind::Enum { values, .. }) = (&field.name, self.types.kind(field.ty)) else {
                return None;
            };
            let tags: Vec<Vec<EnumValue>> = names.iter().map(|words| meant(words, values)).collect();
            let known = tags.iter().filter(|tags| !tags.is_empty()).count();
            (known > 0).then_some((known, name, values, tags))
        });
        let Some((_, name, values, tags)) = tagged.max_by_key(|(known, ..)| *known) else {
            return Lineage { heirs, least, ..Lineage::default() };
        };
        let free = |value: &&EnumValue| !tags.iter().flatten().any(|tag| tag.value == value.value);
        let rest: Vec<EnumValue> = values.iter().filter(free).cloned().collect();
        for (heir, tags) in heirs.iter_mut().zip(tags) {
            // One that no tag names may have any that names no other.
            heir.tags = if tags.is_empty() { rest.clone() } else { tags };
        }
        heirs.retain(|heir| !heir.tags.is_empty());
        // An heir that this file does not know has a tag that seems free.
        let known = data.derived.iter().filter_map(|derived| self.unit.ty(derived.ty).size).max();
        let least = if known < data.derived_size { least } else { 0 };
        Lineage { heirs, plain: (!rest.is_empty()).then_some(rest), tag: Some(name.clone()), least }
    }

    /// The words of a record's name that the name of the record in it does not have.
    fn distinctive(&self, heir: RecordId, base: RecordId) -> Vec<String> {
        let of = |record: RecordId| words(self.unit.record(record).name.as_deref().unwrap_or_default());
        let mut own = of(heir);
        for word in of(base) {
            if let Some(at) = own.iter().position(|other| *other == word) {
                own.remove(at);
            }
        }
        own
    }

    /// Makes one of the heirs and returns it, or goes on where the record itself is chosen.
    pub(crate) fn make_heirs(&mut self, block: &mut Block, lineage: &Lineage) {
        let at = At::variable(&self.local("at"));
        let ways = lineage.heirs.len() + usize::from(lineage.plain.is_some());
        if let ([only], 1) = (lineage.heirs.as_slice(), ways) {
            self.make_heir(block, only, 0, lineage);
            return;
        }
        block.line(format!("switch (ctn_choice({ways}, {})) {{", at.name("?as").text()));
        for (index, heir) in lineage.heirs.iter().enumerate() {
            let case = if index + 1 == ways { "default:".to_owned() } else { format!("case {index}:") };
            block.nested(case, |block| self.make_heir(block, heir, index, lineage));
        }
        block.line("}");
    }

    fn make_heir(&mut self, block: &mut Block, heir: &Heir, index: usize, lineage: &Lineage) {
        let (Some(written), Some(setter)) = (self.types.record(heir.record), self.setter(heir.record)) else {
            return;
        };
        let (p, count) = (self.local("p"), self.local("count"));
        let whole = self.local(&format!("whole{index}"));
        let (at, depth) = (self.local("at"), self.local("depth"));
        block.declare(format!("{};", declaration(&written, &format!("*{whole}"))));
        let sizes = format!("{count} * sizeof *{p}, sizeof *{whole}, {}ul", lineage.least);
        self.piece(crate::prelude::Piece::Largest);
        let memory = self.told_element(&format!("*{whole}"), format!("ctn_alloc(ctn_largest({sizes}))"));
        block.line(format!("{whole} = {memory};"));
        let depth = match self.types.record_holds_pointers(heir.record) {
            true => format!(" {depth} - 1,"),
            false => String::new(),
        };
        block.line(format!("{setter}({whole},{depth} CTN_NAME({at}, \"->\"));"));
        let made = match heir.offset {
            0 => whole,
            offset => format!("(char *){whole} + {offset}"),
        };
        block.line(format!("return {};", self.nulls().result(&made, &at)));
    }

    /// What the tag of a record that stands by itself is.
    pub(crate) fn assume_plain(&mut self, block: &mut Block, lineage: &Lineage) {
        if let (Some(tags), Some(tag)) = (&lineage.plain, &lineage.tag) {
            let place = format!("{}->{tag}", self.local("p"));
            block.line(format!("ctn_assume({});", one_of(&place, tags)));
        }
    }

    /// The tags of the records that a record holds at the place from which the program converts to it.
    pub(crate) fn assume_tags(&mut self, block: &mut Block, record: RecordId) {
        for base in (0..self.unit.records.len() as u32).map(RecordId) {
            if self.unit.record(base).derived.is_empty() || base == record {
                continue;
            }
            let lineage = self.lineage(base);
            let Some(tag) = &lineage.tag else { continue };
            for heir in lineage.heirs.iter().filter(|heir| heir.record == record) {
                if let Some(inner) = self.way_to(record, base, heir.offset) {
                    let place = format!("{}->{inner}{tag}", self.local("p"));
                    block.line(format!("ctn_assume({});", one_of(&place, &heir.tags)));
                }
            }
        }
    }

    /// The members that lead from a record to one in it: `head.`, or nothing where these have no names.
    fn way_to(&self, record: RecordId, base: RecordId, offset: u64) -> Option<String> {
        if self.unit.record(record).is_union {
            return None;
        }
        let inside = |field: &Field| -> Option<String> {
            let rest = offset.checked_sub(field.offset_bits / 8)?;
            let TypeKind::Record(inner) = *self.types.kind(field.ty) else { return None };
            let name = field.name.as_ref().map_or(String::new(), |name| format!("{name}."));
            if inner == base {
                return (rest == 0).then_some(name);
            }
            let size = self.unit.ty(field.ty).size?;
            let further = if rest < size { self.way_to(inner, base, rest)? } else { return None };
            Some(format!("{name}{further}"))
        };
        self.unit.record(record).fields.iter().find_map(inside)
    }

    /// Bytes of an element where drivers only make room for it.
    pub(crate) fn room_for(&self, ty: TypeId) -> Option<u64> {
        let Rule::Record(record) = self.types.rule(ty) else { return None };
        self.unit.record(record).derived_size
    }
}

/// Without branches, so that the search has none to decide.
fn one_of(place: &str, tags: &[EnumValue]) -> String {
    let each: Vec<String> = tags.iter().map(|tag| format!("({place} == {})", tag.value)).collect();
    each.join(" | ")
}

/// The constants whose names have one of the words, beside those that all of them have.
fn meant(wanted: &[String], values: &[EnumValue]) -> Vec<EnumValue> {
    let all: Vec<Vec<String>> = values.iter().map(|value| words(&value.name)).collect();
    let shared = |word: &String| values.len() > 1 && all.iter().all(|words| words.contains(word));
    let is_meant = |own: &Vec<String>| {
        own.iter().filter(|word| !shared(word)).any(|word| wanted.iter().any(|other| alike(word, other)))
    };
    values.iter().zip(&all).filter(|(_, own)| is_meant(own)).map(|(value, _)| value.clone()).collect()
}

fn alike(one: &str, other: &str) -> bool {
    let begins = |long: &str, short: &str| short.len() >= SHORTEST && long.starts_with(short);
    one == other || begins(one, other) || begins(other, one)
}

/// `json_object_t`, `JsonObject`, `JSON_OBJECT`: their words, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for letter in name.chars() {
        let begins = letter.is_ascii_uppercase() && before.is_ascii_lowercase();
        if letter == '_' || begins {
            words.push(String::new());
        }
        if letter != '_'
            && let Some(word) = words.last_mut()
        {
            word.push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_tags() {
        let of = |names: &[&str]| -> Vec<EnumValue> {
            let value = |(value, name): (i64, &&str)| EnumValue { name: (*name).to_owned(), value };
            (0..).zip(names).map(value).collect()
        };
        let named = |found: Vec<EnumValue>| -> Vec<String> { found.into_iter().map(|v| v.name).collect() };
        let tags = of(&["JSON_OBJECT", "JSON_INTEGER", "JSON_TRUE"]);
        assert_eq!(named(meant(&["object".to_owned()], &tags)), ["JSON_OBJECT"]);
        assert_eq!(named(meant(&["int".to_owned()], &tags)), ["JSON_INTEGER"]);
        assert!(meant(&["json".to_owned()], &tags).is_empty(), "all of them have it");
        assert_eq!(words("JsonObject_t"), ["json", "object", "t"]);
    }
}
