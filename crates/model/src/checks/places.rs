//! Variables, and members and elements of them, by how they are written: `list->items[3].at` and `(*list).items[i].at`
//! are one place.

use crate::tree::{NodeId, Tree};
use clang_sys::*;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The variable, by the identity of its declaration.
    pub(super) root: usize,
    /// What follows its name: `.items[].at`.
    pub(super) path: String,
    /// It is part of a variable of the function's own, no parameter and nothing behind a pointer of another object.
    pub(super) is_local: bool,
    /// The variable is a pointer: members of what it leads to are not the function's own.
    pub(super) leads: bool,
}

impl Place {
    /// The last member on the way there, where other functions may know it by that name.
    pub(super) fn member(&self) -> Option<&str> {
        let name = self.path.trim_end_matches(super::CONTENTS).rsplit_once('.')?.1;
        (!self.is_local && !name.contains('[')).then_some(name)
    }

    /// What follows the place of an object, where it is part of that.
    pub(super) fn within(&self, object: &Place) -> Option<&str> {
        let part = self.path.strip_prefix(&object.path).filter(|_| self.root == object.root)?;
        (part.is_empty() || part.starts_with(['.', '['])).then_some(part)
    }
}

/// What a value is computed from, constants left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Place(Place),
    Unknown,
}

/// The place that an expression is, that it is the address of, or that it counts from.
pub(super) fn place(tree: &Tree<'_>, node: NodeId) -> Option<Place> {
    let node = bare(tree, node);
    let cursor = tree.cursor(node);
    let mut parts = tree.children(node);
    match cursor.kind() {
        CXCursor_DeclRefExpr => {
            let named = cursor.referenced()?;
            let is_param = named.kind() == CXCursor_ParmDecl;
            let is_own = named.kind() == CXCursor_VarDecl
                && !matches!(named.storage_class(), CX_SC_Static | CX_SC_Extern)
                && named.semantic_parent().is_some_and(|parent| parent.kind() == CXCursor_FunctionDecl);
            (is_own || is_param || named.kind() == CXCursor_VarDecl).then(|| Place {
                root: named.identity(),
                path: String::new(),
                is_local: is_own,
                leads: named.ty().is_pointer(),
            })
        }
        CXCursor_MemberRefExpr => {
            let base = parts.next()?;
            let mut place = place(tree, base)?;
            place.is_local &= !place.leads && !tree.cursor(bare(tree, base)).ty().is_pointer();
            place.path.push('.');
            place.path.push_str(&cursor.name());
            Some(place)
        }
        CXCursor_ArraySubscriptExpr => {
            let mut place = place(tree, parts.next()?)?;
            place.path.push_str(super::CONTENTS);
            Some(place)
        }
        CXCursor_UnaryOperator => {
            let mut place = place(tree, parts.next()?)?;
            match cursor.unary_operator() {
                CXUnaryOperator_AddrOf => {}
                CXUnaryOperator_Deref => place.path.push_str(super::CONTENTS),
                _ => return None,
            }
            Some(place)
        }
        // `buffer + at`
        CXCursor_BinaryOperator if cursor.ty().is_pointer() => match cursor.binary_operator() {
            CXBinaryOperator_Add | CXBinaryOperator_Sub => place(tree, parts.next()?),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn leaves(tree: &Tree<'_>, node: NodeId) -> Vec<Leaf> {
    let node = bare(tree, node);
    let cursor = tree.cursor(node);
    if cursor.integer().is_some() {
        return Vec::new();
    }
    if let Some(place) = place(tree, node) {
        return vec![Leaf::Place(place)];
    }
    let parts: Vec<NodeId> = tree.children(node).collect();
    let all = |parts: &[NodeId]| parts.iter().flat_map(|part| leaves(tree, *part)).collect();
    match (cursor.kind(), &parts[..]) {
        (CXCursor_BinaryOperator, &[left, right]) => match cursor.binary_operator() {
            // No more than the constant.
            CXBinaryOperator_And if is_constant(tree, left) || is_constant(tree, right) => Vec::new(),
            CXBinaryOperator_Rem if is_constant(tree, right) => Vec::new(),
            CXBinaryOperator_Assign | CXBinaryOperator_Comma => leaves(tree, right),
            _ => all(&parts),
        },
        (CXCursor_ConditionalOperator, [_, arms @ ..]) => all(arms),
        (CXCursor_UnaryOperator, [operand]) => leaves(tree, *operand),
        _ => vec![Leaf::Unknown],
    }
}

fn is_constant(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.cursor(node).integer().is_some()
}

/// Without parentheses, conversions and casts.
fn bare(tree: &Tree<'_>, node: NodeId) -> NodeId {
    let node = tree.bare(node);
    let is_cast = tree.cursor(node).kind() == CXCursor_CStyleCastExpr;
    let operand = tree.children(node).last().filter(|_| is_cast);
    operand.map_or(node, |operand| bare(tree, operand))
}
