//! Unions of which a tag in the same record tells what is in them, as the program uses them (see the model's
//! `TagUse`): drivers give such a union no other member than the tag says. Values of the tag with which the program
//! uses no member go with any.

use crate::prelude::Piece;
use crate::text::Block;
use crate::writer::Writer;
use model::{Program, Record, RecordId, TranslationUnit, TypeKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// By value of the tag, the members of the union that go with it.
type Members = BTreeMap<i64, BTreeSet<usize>>;

/// A member of the record; or, as one member of the union has it, of what all of them begin with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Tag {
    member: usize,
    within: Option<usize>,
}

/// The tags of a unit's records.
#[derive(Default)]
pub(crate) struct Tagged {
    /// By record and union member: the tag, and what it says.
    tags: HashMap<(RecordId, usize), (Tag, Members)>,
    /// The unions.
    unions: BTreeSet<RecordId>,
}

impl Tagged {
    pub(crate) fn new(program: &Program, unit: &TranslationUnit, named: &HashMap<&str, RecordId>) -> Tagged {
        let mut all: BTreeMap<(RecordId, usize), BTreeMap<Tag, Members>> = BTreeMap::new();
        for function in &program.functions {
            let home = program.file(function.file);
            for used in &function.tag_uses {
                let there = home.record(used.record);
                let here = match there.name.as_deref() {
                    _ if home.id == unit.id => Some(used.record),
                    Some(name) => named.get(name).copied().filter(|here| is_same(unit.record(*here), there)),
                    None => None,
                };
                let Some(here) = here else { continue };
                let tags = all.entry((here, used.union as usize)).or_default();
                let tag = Tag { member: used.tag as usize, within: used.within.map(|view| view as usize) };
                let members = tags.entry(tag).or_default();
                members.entry(used.value).or_default().insert(used.member as usize);
            }
        }
        let mut found = Tagged::default();
        for ((record, union), tags) in all {
            let different = |members: &Members| members.values().flatten().collect::<BTreeSet<_>>().len() > 1;
            let surest = tags.into_iter().filter(|(_, members)| different(members));
            let Some(surest) = surest.max_by_key(|(_, members)| members.len()) else { continue };
            let field = unit.record(record).fields.get(union);
            if let Some(TypeKind::Record(inner)) = field.map(|field| &unit.ty(field.ty).kind) {
                found.unions.insert(*inner);
                found.tags.insert((record, union), surest);
            }
        }
        found
    }

    /// A union of this type is told by a tag somewhere.
    pub(crate) fn tells(&self, union: RecordId) -> bool {
        self.unions.contains(&union)
    }
}

/// The record of another file is laid out as this one.
fn is_same(one: &Record, other: &Record) -> bool {
    let names = |record: &Record| record.fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
    names(one) == names(other)
}

impl Writer<'_> {
    /// Keeps which member a union was given, if a tag tells it: the variable that has it.
    pub(crate) fn keep_choice(&mut self, block: &mut Block, record: RecordId, at: usize) -> Option<String> {
        if !self.options.preconditions.tags || !self.tagged.tags.contains_key(&(record, at)) {
            return None;
        }
        let union = self.union_at(record, at)?;
        if !self.is_chosen(self.unit.record(union)) {
            return None;
        }
        let chosen = self.local(&format!("chosen{at}"));
        block.declare(format!("int {chosen};"));
        block.line(format!("{chosen} = ctn_member;"));
        Some(chosen)
    }

    fn union_at(&self, record: RecordId, at: usize) -> Option<RecordId> {
        match self.types.kind(self.unit.record(record).fields.get(at)?.ty) {
            TypeKind::Record(inner) => Some(*inner),
            _ => None,
        }
    }

    /// Says which member a union was given, where a tag tells it.
    pub(crate) fn say_choice(&mut self, block: &mut Block, union: RecordId, choice: usize) {
        if self.options.preconditions.tags && self.tagged.tells(union) {
            self.piece(Piece::Member);
            block.line(format!("ctn_member = {choice};"));
        }
    }

    /// How the tag is written, as a member of the record. One in the union is where all of its members have it.
    fn tag_name(&self, record: &Record, at: usize, union: RecordId, tag: Tag) -> Option<String> {
        let Some(view) = tag.within else { return record.fields.get(tag.member)?.name.clone() };
        let tag_of = |field: &model::Field| match self.types.kind(field.ty) {
            TypeKind::Record(inner) => {
                let field = self.unit.record(*inner).fields.get(tag.member)?;
                Some((field.name.clone()?, field.offset_bits, field.bit_width))
            }
            _ => None,
        };
        let members = &self.unit.record(union).fields;
        let own = tag_of(members.get(view)?)?;
        let is_common = members.iter().all(|field| tag_of(field).as_ref() == Some(&own));
        let view = members.get(view)?.name.as_deref().filter(|_| is_common)?;
        let begin = record.fields.get(at)?.name.as_ref().map(|name| format!("{name}.")).unwrap_or_default();
        Some(format!("{begin}{view}.{}", own.0))
    }

    /// What is in the union is what the tag says.
    pub(crate) fn assume_tag(&mut self, block: &mut Block, record: RecordId, at: usize, chosen: &str) {
        let data = self.unit.record(record);
        let Some((tag, members)) = self.tagged.tags.get(&(record, at)) else { return };
        let Some(union) = self.union_at(record, at) else { return };
        let Some(name) = self.tag_name(data, at, union, *tag) else { return };
        let ways: Vec<usize> = (0..)
            .zip(&self.unit.record(union).fields)
            .filter(|(_, field)| self.is_member(field))
            .map(|(place, _)| place)
            .collect();
        let mut values: BTreeMap<&BTreeSet<usize>, Vec<i64>> = BTreeMap::new();
        for (value, members) in members {
            values.entry(members).or_default().push(*value);
        }
        let place = format!("{}->{name}", self.local("p"));
        for (members, values) in values {
            let others =
                values.iter().map(|value| format!("({place} != {value})")).collect::<Vec<_>>().join(" & ");
            let own = members.iter().filter_map(|member| ways.iter().position(|way| way == member));
            let own = own.map(|way| format!("({chosen} == {way})")).collect::<Vec<_>>().join(" | ");
            if !own.is_empty() {
                block.line(format!("ctn_assume(({others}) | {own});"));
            }
        }
    }
}
