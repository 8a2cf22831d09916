//! How many slots a value needs, to keep lists, trees and graphs of records within bounds.

use crate::options::Options;
use crate::reads::Reads;
use crate::types::{Pointee, Rule, Types};
use model::{Function, RecordId, TranslationUnit, TypeId};
use std::collections::BTreeMap;

/// Elements that are there because a constant number asks for them.
const MOST_NUMBERED: u64 = 4;

pub(crate) struct Sizes<'a> {
    unit: &'a TranslationUnit,
    types: &'a Types<'a>,
    options: &'a Options,
    /// How many elements the file's functions take by constant numbers.
    numbered: BTreeMap<RecordId, u64>,
}

impl<'a> Sizes<'a> {
    /// `functions`: of the file.
    pub(crate) fn new<'f>(
        unit: &'a TranslationUnit,
        functions: impl Iterator<Item = &'f Function>,
        types: &'a Types<'a>,
        options: &'a Options,
    ) -> Sizes<'a> {
        let mut numbered = BTreeMap::new();
        for (record, least) in functions.flat_map(|function| &function.facts.numbered) {
            let known = numbered.entry(*record).or_insert(0);
            *known = u64::max(*known, *least);
        }
        Sizes { unit, types, options, numbered }
    }

    /// How deep to follow the pointers of a value so that it needs at most `limit` slots, and how many elements
    /// to put behind it where that is not the usual number: one where nothing asks for more, and before pointers are
    /// followed less deep.
    pub(crate) fn reach_within(&self, ty: TypeId, limit: u64, reads: &Reads) -> (u32, Option<u64>) {
        let most = reads.farthest;
        let pointed = match self.types.rule(ty) {
            Rule::Pointer(to) => Some(to),
            _ => None,
        };
        let one = |depth: u32| pointed.map(|to| self.slots(to, depth.saturating_sub(1), false, reads));
        let is_single = self.is_single(ty, reads);
        for depth in (2.min(most)..=most).rev() {
            if !is_single && self.slots(ty, depth, false, reads) <= limit {
                return (depth, None);
            }
            if one(depth).is_some_and(|slots| slots <= limit) {
                return (depth, Some(1));
            }
        }
        // An object that is too large by itself: what it leads to is counted without it.
        let alone = |depth: u32| one(depth).unwrap_or_else(|| self.slots(ty, depth, false, reads));
        let least = alone(1);
        let depth = (1..=most).rev().find(|depth| alone(*depth) - least <= limit);
        (depth.unwrap_or(most), pointed.map(|_| 1))
    }

    /// A pointer to a record that nothing steps through, and that ends where its type does.
    pub(crate) fn is_single(&self, pointer: TypeId, reads: &Reads) -> bool {
        let Rule::Pointer(to) = self.types.rule(pointer) else { return false };
        let Rule::Record(record) = self.types.rule(to) else { return false };
        !reads.are_several(record) && self.types.flexible(record).is_none()
    }

    /// Slots that a value needs when its pointers are followed as far as they may.
    pub(crate) fn full(&self, ty: TypeId, reads: &Reads) -> u64 {
        self.slots(ty, reads.farthest, false, reads)
    }

    /// Slots of a value whose pointers are followed `depth` times. `nested`: it is a member.
    fn slots(&self, ty: TypeId, depth: u32, nested: bool, reads: &Reads) -> u64 {
        match self.types.rule(ty) {
            Rule::Number | Rule::Bool | Rule::Enum | Rule::LongDouble | Rule::Opaque | Rule::Code(_) => 1,
            Rule::Leave(_) => 0,
            Rule::Array { element, length } => {
                let count = self.array_count(element, length);
                if self.types.rule(element) == Rule::Number {
                    1 + count / 8
                } else {
                    self.several(element, count, depth, reads)
                }
            }
            Rule::Record(record) => self.record_slots(record, depth, reads),
            Rule::Pointer(_) if depth == 0 => 0,
            Rule::Pointer(to) => match self.types.pointee(to) {
                Pointee::Null(_) => 0,
                Pointee::Zeroed | Pointee::Hidden(_) => 1,
                Pointee::Stream => 2 + u64::from(self.options.stream_length) / 8,
                Pointee::Bytes | Pointee::Text | Pointee::Numbers => 2 + u64::from(self.options.elements) / 8,
                Pointee::Elements => {
                    let plain = self.several(to, self.pointer_count(to, nested), depth - 1, reads);
                    self.heirs(to, depth - 1, reads).fold(plain, u64::max).saturating_add(1)
                }
            },
        }
    }

    /// Slots of the records that one behind a pointer may be part of.
    fn heirs(&self, ty: TypeId, depth: u32, reads: &Reads) -> impl Iterator<Item = u64> {
        let derived = match self.types.rule(ty) {
            Rule::Record(record) => self.unit.record(record).derived.as_slice(),
            _ => &[],
        };
        derived.iter().map(move |derived| self.slots(derived.ty, depth, true, reads))
    }

    fn record_slots(&self, record: RecordId, depth: u32, reads: &Reads) -> u64 {
        if let Some(known) = reads.slots.borrow().get(&(record, depth)) {
            return *known;
        }
        let data = self.unit.record(record);
        let of_field = |field| match self.types.anonymous(field) {
            Some(inner) => self.record_slots(inner, depth, reads),
            None => {
                let ty = self.types.member(field);
                let name = field.name.as_deref().filter(|_| self.types.pointer_in(ty).is_some());
                let cost = name.map_or(0, |name| reads.cost(record, name));
                self.slots(ty, depth.saturating_sub(cost), true, reads)
            }
        };
        let slots = data.fields.iter().map(of_field).fold(0u64, u64::saturating_add);
        reads.slots.borrow_mut().insert((record, depth), slots);
        slots
    }

    /// The first element is followed to the full depth, the others one step.
    fn several(&self, element: TypeId, count: u64, depth: u32, reads: &Reads) -> u64 {
        let first = self.slots(element, depth, true, reads);
        let other = self.slots(element, depth.min(1), true, reads);
        first.saturating_add(other.saturating_mul(count.saturating_sub(1)))
    }

    /// How many elements of an array are set.
    pub(crate) fn array_count(&self, element: TypeId, length: u64) -> u64 {
        let bound = u64::from(self.options.array_elements);
        let numbers = matches!(self.types.rule(element), Rule::Number);
        if length <= bound {
            length
        } else if numbers {
            bound
        } else {
            length.min(u64::from(self.options.elements))
        }
    }

    /// How many elements a pointer gets.
    pub(crate) fn pointer_count(&self, to: TypeId, nested: bool) -> u64 {
        let record = match self.types.rule(to) {
            Rule::Record(record) => Some(record),
            _ => None,
        };
        if record.is_some_and(|record| self.types.flexible(record).is_some()) {
            1
        } else if nested && record.is_some_and(|record| self.types.record_holds_pointers(record)) {
            let numbered = record.and_then(|record| self.numbered.get(&record)).copied().unwrap_or(0);
            numbered.min(MOST_NUMBERED).max(u64::from(self.options.nested_elements))
        } else {
            u64::from(self.options.elements)
        }
    }
}
