//! Parameters that lead to characters and through which a function may go to their end, which only a NUL tells. The others
//! are read where something else says so: `memcpy(to, address, 16)`, `map[*at]`.
//!
//! Asking for null, taking an element by a number that nothing changes or that was read from memory, and functions of the C
//! library that take a length look for no end; whatever is not known may.

use crate::clang::{Cursor, Type};
use crate::facts::BUFFERED;
use crate::handed::Handed;
use crate::tree::{NodeId, Tree};
use clang_sys::*;
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub(crate) struct Sought {
    pub(crate) names: Vec<String>,
    /// Of the others, what the callee does with them decides.
    pub(crate) handed: Vec<Handed>,
}

impl Sought {
    pub(crate) fn of_function(definition: Cursor<'_>, tree: &Tree<'_>) -> Sought {
        let mut found = Sought::default();
        let is_text = |param: &Cursor<'_>| {
            let ty = param.ty().canonical();
            ty.is_pointer() && is_character(ty.pointee())
        };
        let params: Vec<Cursor<'_>> = definition.arguments().into_iter().filter(is_text).collect();
        if params.is_empty() {
            return found;
        }
        let uses = Uses::of(tree);
        for param in params {
            let identity = param.identity();
            if tree.is_addressed(identity) || uses.left.get(&identity).is_some_and(|left| *left > 0) {
                found.names.push(param.name());
                continue;
            }
            found.handed.extend(Handed::of_param(param, &uses.handed));
        }
        found
    }
}

pub(crate) fn is_character(ty: Type<'_>) -> bool {
    matches!(ty.canonical().kind(), CXType_Char_U | CXType_Char_S | CXType_UChar | CXType_SChar)
}

struct Uses {
    /// By the identity of a variable's declaration: how often it is named, less the uses that look for no end.
    left: HashMap<usize, i32>,
    /// The variable, the callee, and which argument.
    handed: Vec<(usize, String, usize)>,
}

impl Uses {
    fn of(tree: &Tree<'_>) -> Uses {
        let mut uses = Uses { left: HashMap::new(), handed: Vec::new() };
        let changed: HashSet<usize> = tree.changed().collect();
        for node in tree.region(Tree::ROOT) {
            uses.note(tree, node, &changed);
        }
        uses
    }

    fn note(&mut self, tree: &Tree<'_>, node: NodeId, changed: &HashSet<usize>) {
        let cursor = tree.cursor(node);
        let children: Vec<NodeId> = tree.children(node).collect();
        let mut harmless: Vec<NodeId> = Vec::new();
        match (cursor.kind(), &children[..]) {
            (CXCursor_DeclRefExpr, _) => {
                *self.left.entry(tree.named(node).unwrap_or_default()).or_default() += 1;
            }
            (CXCursor_UnaryOperator, [operand]) if cursor.unary_operator() == CXUnaryOperator_LNot => {
                harmless.push(*operand);
            }
            // A pointer that stays where it is leads to its first element.
            (CXCursor_UnaryOperator, [operand]) if cursor.unary_operator() == CXUnaryOperator_Deref => {
                harmless.extend(Some(*operand).filter(|operand| stays(tree, *operand, changed)));
            }
            (CXCursor_ArraySubscriptExpr, [base, index]) => {
                let is_fixed = stays(tree, *base, changed) && stays(tree, *index, changed);
                harmless.extend(Some(*base).filter(|_| is_fixed));
            }
            (CXCursor_BinaryOperator, [left, right]) => match cursor.binary_operator() {
                CXBinaryOperator_LAnd | CXBinaryOperator_LOr => harmless.extend(&children),
                CXBinaryOperator_EQ | CXBinaryOperator_NE => harmless.extend([*left, *right]),
                _ => {}
            },
            (CXCursor_IfStmt | CXCursor_WhileStmt | CXCursor_ConditionalOperator, [condition, ..]) => {
                harmless.push(*condition);
            }
            (CXCursor_CallExpr, [callee, arguments @ ..]) => {
                let called = tree.cursor(tree.bare(*callee)).referenced();
                let called = called.filter(|called| called.kind() == CXCursor_FunctionDecl);
                if let Some(name) = called.map(Cursor::name) {
                    for (at, argument) in arguments.iter().enumerate() {
                        let is_measured =
                            BUFFERED.iter().any(|(known, pointer, ..)| *known == name && *pointer == at)
                                || ["memcpy", "memmove"].contains(&name.as_str()) && at == 0;
                        if !is_measured {
                            let variable = tree.named(*argument);
                            self.handed.extend(variable.map(|variable| (variable, name.clone(), at)));
                        }
                    }
                    harmless.extend(arguments);
                }
            }
            _ => {}
        }
        for variable in harmless.into_iter().filter_map(|part| tree.named(part)) {
            *self.left.entry(variable).or_default() -= 1;
        }
    }
}

/// Nothing in the expression changes but what it reads from memory.
fn stays(tree: &Tree<'_>, node: NodeId, changed: &HashSet<usize>) -> bool {
    let mut node_at = node;
    let end = tree.end(node);
    while node_at < end {
        let cursor = tree.cursor(node_at);
        let is_load = matches!(cursor.kind(), CXCursor_ArraySubscriptExpr | CXCursor_MemberRefExpr)
            || cursor.kind() == CXCursor_UnaryOperator && cursor.unary_operator() == CXUnaryOperator_Deref;
        if is_load {
            node_at = tree.end(node_at);
            continue;
        }
        if cursor.kind() == CXCursor_DeclRefExpr
            && tree.named(node_at).is_some_and(|variable| changed.contains(&variable))
        {
            return false;
        }
        node_at += 1;
    }
    true
}
