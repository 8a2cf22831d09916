//! Members that lead back to the object through which one came: `stream->state->stream`, `node->next->prev`. Where the
//! program says so (see [`model::Facts::links`] and [`model::Facts::compared_members`]), a driver sets them so at first;
//! anything else is a choice. Only the object right above is known, and only within one file's harness.

use crate::prelude::Piece;
use crate::text::Block;
use crate::types::Rule;
use crate::values::Slot;
use crate::writer::Writer;
use model::{Field, Program, RecordId, TypeId};
use std::collections::BTreeSet;

/// What the program says about members that lead back, by their names.
#[derive(Debug, Default)]
pub(crate) struct Backs<'a> {
    /// A member, and the one that leads back from what it points to.
    links: BTreeSet<(&'a str, &'a str)>,
    /// Members that are compared with other pointers.
    compared: BTreeSet<&'a str>,
}

impl<'a> Backs<'a> {
    pub(crate) fn new(program: &'a Program) -> Backs<'a> {
        let facts = || program.functions.iter().map(|function| &function.facts);
        Backs {
            links: facts()
                .flat_map(|facts| &facts.links)
                .map(|(forth, back)| (forth.as_str(), back.as_str()))
                .collect(),
            compared: facts().flat_map(|facts| &facts.compared_members).map(String::as_str).collect(),
        }
    }
}

/// The choice that a member does not lead back.
pub(crate) const OTHER: &str = "?other";

impl<'a> Writer<'a> {
    /// The members of an object through which a driver comes to a record of which `back` leads to that object.
    pub(crate) fn ways_to(&self, record: RecordId, back: &Field) -> Vec<(RecordId, &'a str)> {
        let (Some(name), Rule::Pointer(to)) = (&back.name, self.types.rule(self.types.member(back))) else {
            return Vec::new();
        };
        let Rule::Record(owner) = self.types.rule(to) else { return Vec::new() };
        let fields = self.unit.record(owner).fields.iter();
        let named = fields.filter_map(|field| Some((field.name.as_deref()?, field)));
        // In a list or a tree, a comparison does not tell which way a member leads.
        let is_told = |forth: &str| {
            self.backs.links.contains(&(forth, name.as_str()))
                || owner != record && self.backs.compared.contains(name.as_str())
        };
        let ways = named.filter(|(forth, field)| {
            is_told(forth) && self.record_at(self.types.member(field)) == Some(record)
        });
        ways.map(|(forth, _)| (owner, forth)).collect()
    }

    /// The record that a value is, or that its pointers lead to.
    fn record_at(&self, ty: TypeId) -> Option<RecordId> {
        match self.types.rule(ty) {
            Rule::Record(record) => Some(record),
            Rule::Pointer(to) => self.record_at(to),
            Rule::Array { element, .. } => self.record_at(element),
            _ => None,
        }
    }

    /// A member of the record leads back to where one came from.
    pub(crate) fn leads_back(&self, record: RecordId) -> bool {
        self.unit.record(record).fields.iter().any(|field| !self.ways_to(record, field).is_empty())
    }

    /// What lies at a member of the record, or behind it, leads back to the record through a member of its own.
    pub(crate) fn is_led_back(&self, record: RecordId, forth: &Field) -> bool {
        let Some(inner) = self.record_at(self.types.member(forth)) else { return false };
        let mut backs = self.unit.record(inner).fields.iter().flat_map(|back| self.ways_to(inner, back));
        backs.any(|(owner, name)| owner == record && forth.name.as_deref() == Some(name))
    }

    /// Around the statements that set the members of a record which leads back: what is made for them has other owners.
    pub(crate) fn with_owner(
        &mut self,
        block: &mut Block,
        record: RecordId,
        set: impl FnOnce(&mut Self, &mut Block),
    ) {
        if !self.leads_back(record) {
            return set(self, block);
        }
        self.piece(Piece::Owner);
        let owner = self.local("owner");
        block.declare(format!("ctn_link {owner} = ctn_owner;"));
        block.line("ctn_owner.object = 0;");
        set(self, block);
        block.line(format!("ctn_owner = {owner};"));
    }

    /// Around the statements that set a member: it may lead back, or what is made for it may lead back here.
    pub(crate) fn set_linked(
        &mut self,
        block: &mut Block,
        record: RecordId,
        field: &Field,
        slot: &Slot,
        set: impl FnOnce(&mut Self, &mut Block),
    ) {
        let Some(name) = &field.name else { return set(self, block) };
        let owns = self.is_led_back(record, field);
        if owns {
            self.piece(Piece::Owner);
            let (p, constant) = (self.local("p"), self.member_constant(record, name));
            block.line(format!("ctn_owner = (ctn_link){{(void *){p}, {constant}}};"));
        }
        match self.back_condition(record, field, name, slot) {
            None => set(self, block),
            Some(condition) => {
                let above = format!("{}.object", self.local("owner"));
                block.nested(format!("if ({condition})"), |block| self.assign(block, slot, "void *", above));
                block.nested("else", |block| set(self, block));
            }
        }
        if owns {
            block.line("ctn_owner.object = 0;");
        }
    }

    /// When a member is the object above: there is one, one came through the right member, and nothing else is chosen.
    /// Where nobody reads the member, there is nothing to choose.
    fn back_condition(&mut self, record: RecordId, back: &Field, name: &str, slot: &Slot) -> Option<String> {
        let ways = self.ways_to(record, back);
        let owner = self.local("owner");
        let members: Vec<String> = ways
            .iter()
            .map(|(above, forth)| format!("{owner}.member == {}", self.member_constant(*above, forth)))
            .collect();
        let came = match members.as_slice() {
            [] => return None,
            [only] => only.clone(),
            several => format!("({})", several.join(" || ")),
        };
        let (constant, other) = (self.member_constant(record, name), slot.at.name(OTHER).text());
        let above = format!("{owner}.object");
        let chosen = match self.told_candidates(&slot.place, [(0, above.as_str())].into_iter()) {
            told if told.is_empty() => format!("!ctn_choice(2, {other})"),
            told => format!("!({told}ctn_choice(2, {other}))"),
        };
        let chosen = format!("(!ctn_reads[{constant}] || {chosen})");
        Some(format!("{owner}.object && {came} && {chosen}"))
    }
}
