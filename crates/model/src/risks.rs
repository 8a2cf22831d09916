//! What may fail where: the variables and members of divisors, of pointers that are followed, of subscripts and of
//! arguments, line by line. What else stands in such a line has no part in a failure there.

use crate::clang::Cursor;
use crate::program::Risk;
use crate::tree::Tree;
use clang_sys::*;
use std::collections::{BTreeMap, BTreeSet};

/// In the order of the lines.
pub(crate) fn risks(tree: &Tree<'_>) -> Vec<Risk> {
    let mut found: BTreeMap<(u32, bool), BTreeSet<String>> = BTreeMap::new();
    for node in tree.region(Tree::ROOT).map(|node| tree.cursor(node)) {
        let children = node.children();
        let mut note = |part: Cursor<'_>, divides: bool| {
            if let Some(place) = node.place() {
                names(part, found.entry((place.line, divides)).or_default());
            }
        };
        match (node.kind(), &children[..]) {
            (CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator, [_, divisor]) if divides(node) => {
                note(*divisor, true);
            }
            (CXCursor_ArraySubscriptExpr, [base, index]) => {
                note(*base, false);
                note(*index, false);
            }
            (CXCursor_MemberRefExpr, [base, ..]) if base.ty().canonical().is_pointer() => note(*base, false),
            (CXCursor_UnaryOperator, [operand]) if node.unary_operator() == CXUnaryOperator_Deref => {
                note(*operand, false);
            }
            (CXCursor_CallExpr, [callee, ..]) => {
                note(*callee, false);
                node.arguments().into_iter().for_each(|argument| note(argument, false));
            }
            _ => {}
        }
    }
    let risk = |((line, divides), names): (_, BTreeSet<String>)| Risk {
        line,
        divides,
        names: names.into_iter().collect(),
    };
    found.into_iter().map(risk).collect()
}

fn divides(node: Cursor<'_>) -> bool {
    matches!(
        node.binary_operator(),
        CXBinaryOperator_Div | CXBinaryOperator_Rem | CXBinaryOperator_DivAssign | CXBinaryOperator_RemAssign
    )
}

/// The names in an expression, but for those that only say whose member it is: following them is a risk of its own.
fn names(node: Cursor<'_>, found: &mut BTreeSet<String>) {
    if matches!(node.kind(), CXCursor_DeclRefExpr | CXCursor_MemberRefExpr) {
        found.insert(node.name());
    }
    if node.kind() != CXCursor_MemberRefExpr {
        node.children().into_iter().for_each(|child| names(child, found));
    }
}
