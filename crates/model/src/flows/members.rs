//! What is known of the members of records: where one is written, and where memory becomes a record, or a record memory, in
//! a way that says nothing of its members. Then they can be anything.

use super::guards::constant;
use super::{Value, Variable, Walk, converted, integer_type};
use crate::clang::{Cursor, Type};
use crate::expression::is_null;
use crate::interval::Interval;
use crate::program::{RecordId, TypeId, TypeKind};
use crate::tree::NodeId;
use crate::types::base_element;
use clang_sys::*;

/// Functions of the C library that leave members as they are, or whose memory is not read any more, beside those that give
/// memory back.
const HARMLESS: &[&str] = &["qsort", "memcmp"];
/// Functions that copy a record to another of its kind.
const COPY: &[&str] = &["memcpy", "memmove"];
/// Records in records.
const DEEPEST: usize = 8;

impl<'tu> Walk<'_, '_, 'tu> {
    /// The variable that a member is, and what it holds by its type or width.
    pub(super) fn member(&mut self, field: Cursor<'tu>) -> Option<(Variable, Interval)> {
        let held = integer_type(field.ty())?;
        let held = field.bit_width().map_or(held, |bits| Interval::of_bits(bits, held.low < 0));
        let (record, index) = self.unit.types.field(field)?;
        Some((Variable::Member(record, index), held))
    }

    /// A pointer becomes one to something else.
    pub(super) fn convert(&mut self, node: NodeId) {
        let Some(inner) = self.tree.children(node).last() else { return };
        let (to, from) = (self.tree.cursor(node).ty(), self.tree.cursor(inner).ty());
        if !to.is_pointer() {
            return;
        }
        let (to, from) = (target(to), target(from));
        match (to.is_record(), from.is_record()) {
            (true, true) if kind_of(to) != kind_of(from) => {
                let (to, from) = (self.record(to), self.record(from));
                // One that begins with the other is the same object.
                if let (Some(to), Some(from)) = (to, from)
                    && !self.begins_with(to, from)
                    && !self.begins_with(from, to)
                {
                    self.found.opened.extend([to, from]);
                }
            }
            (true, false) if !self.is_fresh(inner) => {
                let record = self.record(to);
                self.found.opened.extend(record);
            }
            // Who may not write to it changes nothing.
            (false, true) if node >= self.harmless_end && !to.is_const() => {
                let record = self.record(from);
                self.found.opened.extend(record);
            }
            _ => {}
        }
    }

    /// What a function of another program is given by address, it may fill.
    pub(super) fn lend(&mut self, call: NodeId, name: &str, arguments: &[NodeId]) {
        let cursor = |at: usize| arguments.get(at).map(|node| self.tree.cursor(self.tree.bare(*node)));
        let is_zero = |at: usize| cursor(at).is_some_and(|cursor| cursor.integer() == Some(0));
        let kinds = [0, 1].map(|at| cursor(at).map(|cursor| kind_of(target(cursor.ty()))));
        let is_copy = COPY.contains(&name) && kinds[0].flatten().is_some() && kinds[0] == kinds[1];
        let is_harmless = HARMLESS.contains(&name)
            || name.to_lowercase().contains("free")
            || gives_memory(name)
            || name == "memset" && is_zero(1)
            || is_copy;
        if is_harmless {
            self.harmless_end = self.harmless_end.max(self.tree.end(call));
            return;
        }
        let result = self.tree.cursor(call).ty();
        let given = arguments.iter().map(|node| self.tree.cursor(*node).ty()).filter(|ty| ty.is_pointer());
        let written = given.map(target).filter(|target| !target.is_const());
        let all: Vec<Type<'tu>> = written.chain([result]).filter(|ty| ty.is_record()).collect();
        for ty in all {
            let record = self.record(ty);
            self.found.lent.extend(record.map(|record| (name.to_owned(), record)));
        }
    }

    /// `{1, {2}, .x = 3}`: which value is whose is not told apart.
    pub(super) fn initialise(&mut self, node: NodeId) {
        let ty = self.tree.cursor(node).ty().canonical();
        let Some(record) = self.record(if ty.is_array() { base_element(ty) } else { ty }) else { return };
        let mut known: Option<Interval> = None;
        let mut values = Vec::new();
        let mut open = vec![node];
        while let Some(list) = open.pop() {
            for part in self.tree.children(list).collect::<Vec<_>>() {
                match self.tree.cursor(part).kind() {
                    CXCursor_InitListExpr => open.push(part),
                    CXCursor_MemberRef => {}
                    // A designator: what is initialised, and with what.
                    CXCursor_UnexposedExpr if self.tree.children(part).count() > 1 => open.push(part),
                    _ if integer_type(self.tree.cursor(part).ty()).is_none() => {}
                    _ => {
                        let value = self.value(part, 0);
                        match constant(&value) {
                            Some(one) => known = Some(known.map_or(one, |known| known.join(one))),
                            None => values.push(value),
                        }
                    }
                }
            }
        }
        values.extend(known.map(Value::Within));
        for (variable, held) in self.members_of(record) {
            let flows = values.iter().map(|value| (variable.clone(), converted(value.clone(), held)));
            self.found.flows.extend(flows);
        }
    }

    /// The numbers in a record and in the records in it.
    fn members_of(&self, record: RecordId) -> Vec<(Variable, Interval)> {
        let mut found = Vec::new();
        let mut open = vec![(record, 0)];
        while let Some((record, depth)) = open.pop() {
            for (index, field) in self.unit.types.known_record(record).fields.iter().enumerate() {
                match self.base(field.ty) {
                    TypeKind::Record(inner) if depth < DEEPEST => open.push((*inner, depth + 1)),
                    kind => {
                        let held = held_by(kind, field.bit_width);
                        found.extend(held.map(|held| (Variable::Member(record, index), held)));
                    }
                }
            }
        }
        found
    }

    /// The type of the elements, for arrays.
    fn base(&self, ty: TypeId) -> &TypeKind {
        match &self.unit.types.info(ty).kind {
            TypeKind::Array { element, .. } => self.base(*element),
            kind => kind,
        }
    }

    fn begins_with(&self, record: RecordId, other: RecordId) -> bool {
        let first = self.unit.types.known_record(record).fields.first();
        match first.map(|field| self.base(field.ty)) {
            Some(TypeKind::Record(inner)) => *inner == other || self.begins_with(*inner, other),
            _ => false,
        }
    }

    fn record(&mut self, ty: Type<'tu>) -> Option<RecordId> {
        if !ty.is_record() {
            return None;
        }
        let id = self.unit.types.intern(ty);
        match self.unit.types.info(id).kind {
            TypeKind::Record(record) => Some(record),
            _ => None,
        }
    }

    /// Memory that nothing is in yet, or none.
    fn is_fresh(&self, node: NodeId) -> bool {
        let cursor = self.tree.cursor(self.tree.bare(node));
        match cursor.kind() {
            CXCursor_CallExpr => gives_memory(&cursor.name()),
            CXCursor_CStyleCastExpr => self
                .tree
                .children(self.tree.bare(node))
                .last()
                .is_some_and(|inner| is_null(cursor) || self.is_fresh(inner)),
            _ => is_null(cursor),
        }
    }
}

fn gives_memory(name: &str) -> bool {
    name.to_lowercase().contains("alloc")
}

/// What a number of this type holds; None for what is no number.
pub(crate) fn held_by(kind: &TypeKind, bits: Option<u32>) -> Option<Interval> {
    match *kind {
        TypeKind::Bool => Some(Interval::TRUTH),
        TypeKind::Int { bits: width, signed, .. } | TypeKind::Enum { bits: width, signed, .. }
            if width <= 64 =>
        {
            Some(Interval::of_bits(bits.unwrap_or(width), signed))
        }
        _ => None,
    }
}

/// What is behind all pointers and arrays.
fn target(ty: Type<'_>) -> Type<'_> {
    let ty = ty.canonical();
    match ty.kind() {
        CXType_Pointer => target(ty.pointee()),
        _ if ty.is_array() => target(ty.array_element()),
        _ => ty,
    }
}

/// Which record it is.
fn kind_of(ty: Type<'_>) -> Option<usize> {
    ty.declaration().filter(|_| ty.is_record()).map(|declaration| declaration.canonical().identity())
}
