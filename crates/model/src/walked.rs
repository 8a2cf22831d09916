//! Parameters that a function walks through: what such a pointer leads to may be several elements. The others lead to one
//! value, as `int *error` does that is only ever set: `*error = 5`.
//!
//! Everything but following a pointer itself, asking for null and handing it on counts as walking.

use crate::clang::Cursor;
use crate::expression::is_null;
use crate::handed::Handed;
use crate::tree::{NodeId, Tree};
use clang_sys::*;
use std::collections::HashMap;

/// What is done with the parameters that are pointers, but to records.
#[derive(Default)]
pub(crate) struct Walked {
    pub(crate) names: Vec<String>,
    /// Of the others, what the callee does with them decides.
    pub(crate) handed: Vec<Handed>,
}

impl Walked {
    pub(crate) fn of_function(definition: Cursor<'_>, tree: &Tree<'_>) -> Walked {
        let mut uses = Uses { left: HashMap::new(), handed: Vec::new() };
        for node in tree.region(Tree::ROOT) {
            uses.note(tree, node);
        }
        let mut found = Walked::default();
        for param in definition.arguments() {
            let identity = param.identity();
            let ty = param.ty().canonical();
            let target = match ty.is_array() {
                true => ty.array_element().canonical(),
                false if ty.is_pointer() => ty.pointee().canonical(),
                false => continue,
            };
            if target.is_record() {
                continue;
            }
            if target.is_array() || uses.left.get(&identity).is_some_and(|left| *left > 0) {
                found.names.push(param.name());
                continue;
            }
            found.handed.extend(Handed::of_param(param, &uses.handed));
        }
        found
    }
}

struct Uses {
    /// By the identity of a variable's declaration: how often it is named, less the uses that do not walk.
    left: HashMap<usize, i32>,
    /// The variable, the callee, and which argument.
    handed: Vec<(usize, String, usize)>,
}

impl Uses {
    fn note(&mut self, tree: &Tree<'_>, node: NodeId) {
        let cursor = tree.cursor(node);
        let children: Vec<NodeId> = tree.children(node).collect();
        let mut harmless: Vec<NodeId> = Vec::new();
        match (cursor.kind(), &children[..]) {
            (CXCursor_DeclRefExpr, _) => {
                *self.left.entry(tree.named(node).unwrap_or_default()).or_default() += 1;
            }
            (CXCursor_UnaryOperator, [operand])
                if matches!(cursor.unary_operator(), CXUnaryOperator_Deref | CXUnaryOperator_LNot) =>
            {
                harmless.push(*operand);
            }
            (CXCursor_ArraySubscriptExpr, [base, index]) if tree.cursor(*index).integer() == Some(0) => {
                harmless.push(*base);
            }
            (CXCursor_BinaryOperator, [left, right]) => match cursor.binary_operator() {
                CXBinaryOperator_LAnd | CXBinaryOperator_LOr => harmless.extend(&children),
                CXBinaryOperator_EQ | CXBinaryOperator_NE if is_null(tree.cursor(*right)) => {
                    harmless.push(*left);
                }
                CXBinaryOperator_EQ | CXBinaryOperator_NE if is_null(tree.cursor(*left)) => {
                    harmless.push(*right);
                }
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
                        self.handed
                            .extend(tree.named(*argument).map(|variable| (variable, name.clone(), at)));
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
