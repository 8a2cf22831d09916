//! Members that belong together by their use: a pointer, and how many elements are behind it, as loops over them say:
//! `for (i = 0; i < list->used; i++) list->items[i]`.
//!
//! Flow-insensitive; objects are told by how they are written.

use crate::clang::Cursor;
use crate::expression::{bare, stride, variable};
use crate::origin::spelling;
use crate::parse::UnitBuilder;
use crate::program::{CountUse, Facts};
use clang_sys::*;

/// A member, and the object that it is one of.
struct Member<'tu> {
    object: String,
    field: Cursor<'tu>,
}

#[derive(Default)]
pub(crate) struct Counted<'tu> {
    /// `object->member[index]`, and how many elements each step of the index takes.
    subscripts: Vec<(Member<'tu>, String, u64)>,
    /// `index < object->member`
    bounds: Vec<(String, Member<'tu>)>,
}

impl<'tu> Counted<'tu> {
    pub(crate) fn subscript(&mut self, base: Cursor<'tu>, index: Cursor<'tu>) {
        if let (Some(pointer), Some((index, each))) = (member(base), stride(index)) {
            self.subscripts.push((pointer, index, each));
        }
    }

    /// The first is less than the second, or not equal to it.
    pub(crate) fn compare(&mut self, index: Cursor<'tu>, number: Cursor<'tu>) {
        if let (Some(index), Some(number)) = (variable(index), member(number)) {
            self.bounds.push((index, number));
        }
    }

    pub(crate) fn finish(self, unit: &mut UnitBuilder<'_, 'tu>, facts: &mut Facts) {
        for (pointer, index, each) in &self.subscripts {
            let of_object =
                |bound: &&(String, Member<'_>)| bound.0 == *index && bound.1.object == pointer.object;
            for (_, number) in self.bounds.iter().filter(of_object) {
                let fields = [pointer.field, number.field].map(|field| unit.types.field(field));
                let [Some((record, _)), Some((other, _))] = fields else { continue };
                let name = unit.types.known_record(record).name.clone().filter(|_| record == other);
                let Some(record) = name else { continue };
                let (pointer, number) = (pointer.field.name(), number.field.name());
                let used = CountUse { record, pointer, number, each: *each };
                if !facts.counts.contains(&used) {
                    facts.counts.push(used);
                }
            }
        }
    }
}

fn member(node: Cursor<'_>) -> Option<Member<'_>> {
    let node = bare(node);
    if node.kind() != CXCursor_MemberRefExpr {
        return None;
    }
    let object = spelling(node.children().into_iter().next()?)?;
    Some(Member { object, field: node.referenced()? })
}
