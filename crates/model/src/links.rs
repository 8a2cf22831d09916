//! Members that lead back to where one comes from: what a function's assignments and comparisons say about it.
//!
//! Flow-insensitive; places are told by how they are written. A copy in a variable (`next = node->next`) is not followed:
//! in a rotation of a tree it would tell that left and right lead to and fro.

use crate::clang::Cursor;
use crate::expression::{bare, is_null, without_casts};
use crate::origin::spelling;
use crate::program::Facts;
use clang_sys::*;

#[derive(Default)]
pub(crate) struct Links {
    /// `object->member = value`, with both as they are written.
    assigned: Vec<(String, String, String)>,
    /// Members that are compared with another pointer to a record.
    compared: Vec<String>,
}

impl Links {
    pub(crate) fn assign(&mut self, place: Cursor<'_>, value: Cursor<'_>) {
        let mut place = bare(place);
        // `node->children[i] = child`
        while place.kind() == CXCursor_ArraySubscriptExpr {
            let Some(array) = place.children().into_iter().next() else { return };
            place = bare(array);
        }
        if place.kind() != CXCursor_MemberRefExpr || !value.ty().is_pointer() {
            return;
        }
        let object = place.children().into_iter().next().and_then(spelling);
        if let (Some(object), Some(value)) = (object, object_of(value)) {
            self.assigned.push((object, place.name(), value));
        }
    }

    /// `left == right`, `left != right`. A part of an object is no object that one came from: `list->head == (void *)&list->end`.
    pub(crate) fn compare(&mut self, left: Cursor<'_>, right: Cursor<'_>) {
        if is_null(left) || is_null(right) || is_part(left) || is_part(right) {
            return;
        }
        for side in [left, right].map(without_casts) {
            let is_object = side.ty().is_pointer() && side.ty().canonical().pointee().canonical().is_record();
            if is_object && side.kind() == CXCursor_MemberRefExpr && !self.compared.contains(&side.name()) {
                self.compared.push(side.name());
            }
        }
    }

    pub(crate) fn finish(self, facts: &mut Facts) {
        for (object, member, value) in &self.assigned {
            let mut link = |forth: &str| {
                let link = (forth.to_owned(), member.clone());
                if forth != member && !facts.links.contains(&link) {
                    facts.links.push(link);
                }
            };
            // `node->next->prev = node`
            let inner = object.strip_prefix(value).and_then(|rest| rest.strip_prefix('.'));
            if let Some(forth) = inner.filter(|forth| !forth.contains('.')) {
                link(forth);
            }
            // `node->next = other` and `other->prev = node`
            for (_, forth, _) in self.assigned.iter().filter(|(from, _, to)| from == value && to == object) {
                link(forth);
            }
        }
        facts.compared_members = self.compared;
    }
}

/// `&list->end`
fn is_part(value: Cursor<'_>) -> bool {
    let value = without_casts(value);
    let is_address =
        value.kind() == CXCursor_UnaryOperator && value.unary_operator() == CXUnaryOperator_AddrOf;
    let member = |part: Cursor<'_>| bare(part).kind() == CXCursor_MemberRefExpr;
    is_address && value.children().into_iter().next().is_some_and(member)
}

/// The object that a pointer is set to: `p`, `&object`.
fn object_of(value: Cursor<'_>) -> Option<String> {
    let value = without_casts(value);
    match value.kind() {
        CXCursor_UnaryOperator if value.unary_operator() == CXUnaryOperator_AddrOf => {
            spelling(value.children().into_iter().next()?)
        }
        _ => spelling(value),
    }
}
