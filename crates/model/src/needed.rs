//! Parameters that a function dereferences whatever else it is given: it cannot have been meant to be called with null
//! there. `if (n < 0) return 0; return p->x;` needs no `p`, `return n < 0 ? p->x : p->y;` does.
//!
//! Follows statements backwards, each with what is needed after it. What follows a `goto`, and a `switch` that is left
//! in its middle, needs nothing; what ends in an abort, as assertions do, is no way to do without. A local that is only
//! ever a copy of a parameter stands for it; a parameter that is assigned is no longer what was given.

use crate::clang::Cursor;
use crate::declaration::{attribute_text, is_noreturn};
use crate::expression::{bare, declared, without_casts};
use crate::flows::step;
use clang_sys::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What a path through a function does for certain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// The parameter of this name is dereferenced.
    Dereferenced(String),
    /// It is handed on: the callee, and which argument it is.
    HandedOn(String, usize, String),
}

type Needs = BTreeSet<Need>;

pub(crate) fn needs(definition: Cursor<'_>) -> Needs {
    let body = definition.children().into_iter().find(|child| child.kind() == CXCursor_CompoundStmt);
    let Some(body) = body else { return Needs::new() };
    let mut walk = Walk::default();
    walk.note_assigned(body);
    walk.note_copies(body);
    walk.statement(body, &Needs::new())
}

#[derive(Default)]
struct Walk {
    /// Variables that are assigned, by the identity of their declaration.
    assigned: HashSet<usize>,
    /// Locals that hold a parameter: its name.
    copies: HashMap<usize, String>,
    /// What is needed after each loop around the walk; none of a `switch`, whose end is not followed.
    ends: Vec<Needs>,
}

impl Walk {
    fn note_assigned(&mut self, node: Cursor<'_>) {
        let children = node.children();
        let is_write = match node.kind() {
            CXCursor_BinaryOperator => node.binary_operator() == CXBinaryOperator_Assign,
            CXCursor_UnaryOperator => node.unary_operator() == CXUnaryOperator_AddrOf,
            _ => false,
        };
        if let Some(variable) = children.first().filter(|_| is_write).and_then(|left| declared(*left)) {
            self.assigned.insert(variable.identity());
        }
        children.into_iter().for_each(|child| self.note_assigned(child));
    }

    fn note_copies(&mut self, node: Cursor<'_>) {
        if node.kind() == CXCursor_VarDecl
            && !self.assigned.contains(&node.identity())
            && let Some(given) = node.initializer().and_then(|value| self.given(value))
        {
            self.copies.insert(node.identity(), given);
        }
        node.children().into_iter().for_each(|child| self.note_copies(child));
    }

    /// The parameter whose pointer an expression still is.
    fn given(&self, node: Cursor<'_>) -> Option<String> {
        let mut node = without_casts(node);
        // `*p++`, `p + 4`
        while matches!(node.kind(), CXCursor_UnaryOperator | CXCursor_BinaryOperator) && is_moved(node) {
            node = without_casts(node.children().into_iter().next()?);
        }
        let variable = declared(node).filter(|named| named.ty().is_pointer())?;
        if let Some(given) = self.copies.get(&variable.identity()) {
            return Some(given.clone());
        }
        let is_given = variable.kind() == CXCursor_ParmDecl && !self.assigned.contains(&variable.identity());
        is_given.then(|| variable.name())
    }

    /// What is needed from here on, given what is needed after the statement.
    fn statement(&mut self, node: Cursor<'_>, after: &Needs) -> Needs {
        let children = node.children();
        match (node.kind(), &children[..]) {
            (CXCursor_CompoundStmt, all) => {
                all.iter().rev().fold(after.clone(), |after, each| self.statement(*each, &after))
            }
            (CXCursor_IfStmt, [condition, then, otherwise @ ..]) => {
                let then = self.statement(*then, after);
                let otherwise =
                    otherwise.first().map_or_else(|| after.clone(), |each| self.statement(*each, after));
                joined(self.expression(*condition), both(&then, &otherwise))
            }
            (CXCursor_WhileStmt, [condition, body]) => {
                let body = self.body(*body, after);
                joined(self.expression(*condition), both(&body, after))
            }
            (CXCursor_ForStmt, [start, condition, _, body]) => {
                let body = self.body(*body, after);
                let begun = joined(self.statement(*start, &Needs::new()), self.expression(*condition));
                joined(begun, both(&body, after))
            }
            (CXCursor_ForStmt, [.., body]) => both(&self.body(*body, after), after),
            (CXCursor_DoStmt, [body, condition]) => {
                let after = joined(self.expression(*condition), after.clone());
                self.body(*body, &after)
            }
            (CXCursor_SwitchStmt, [value, body]) => {
                let value = self.expression(*value);
                if leaves(*body) { value } else { joined(value, after.clone()) }
            }
            (CXCursor_ReturnStmt, value) => {
                value.first().map_or_else(Needs::new, |value| self.expression(*value))
            }
            (CXCursor_BreakStmt | CXCursor_ContinueStmt, _) => self.ends.last().cloned().unwrap_or_default(),
            (CXCursor_GotoStmt | CXCursor_IndirectGotoStmt | CXCursor_AsmStmt, _) => Needs::new(),
            (CXCursor_LabelStmt, [labelled]) => self.statement(*labelled, after),
            (CXCursor_DeclStmt, declared) => {
                let values = declared.iter().filter_map(|variable| variable.initializer());
                values.fold(after.clone(), |needs, value| joined(needs, self.expression(value)))
            }
            _ if node.is_expression() => {
                let here = self.expression(node);
                if ends(node) { here } else { joined(here, after.clone()) }
            }
            (CXCursor_NullStmt, _) => after.clone(),
            _ => Needs::new(),
        }
    }

    /// Of a loop; however often it is executed, it is left once.
    fn body(&mut self, node: Cursor<'_>, after: &Needs) -> Needs {
        self.ends.push(after.clone());
        let needs = self.statement(node, after);
        self.ends.pop();
        needs
    }

    fn expression(&self, node: Cursor<'_>) -> Needs {
        let children = node.children();
        let mut needs = Needs::new();
        match (node.kind(), &children[..]) {
            // `sizeof`, and statements within an expression.
            (CXCursor_UnaryExpr | CXCursor_StmtExpr, _) => return needs,
            (CXCursor_BinaryOperator, [left, _])
                if matches!(node.binary_operator(), CXBinaryOperator_LAnd | CXBinaryOperator_LOr) =>
            {
                return self.expression(*left);
            }
            (CXCursor_ConditionalOperator, [condition, left, right]) => {
                let either = both(&self.expression(*left), &self.expression(*right));
                return joined(self.expression(*condition), either);
            }
            (CXCursor_MemberRefExpr | CXCursor_ArraySubscriptExpr, [base, ..]) => {
                needs.extend(self.given(*base).map(Need::Dereferenced));
            }
            (CXCursor_UnaryOperator, [pointer]) if node.unary_operator() == CXUnaryOperator_Deref => {
                needs.extend(self.given(*pointer).map(Need::Dereferenced));
            }
            (CXCursor_CallExpr, [callee, arguments @ ..]) => {
                let callee = bare(*callee);
                let named = callee.referenced().filter(|named| named.kind() == CXCursor_FunctionDecl);
                if let Some(name) = named.map(Cursor::name) {
                    let handed = arguments.iter().enumerate().filter_map(|(at, argument)| {
                        let given = bare(without_casts(*argument));
                        let given = declared(given).and_then(|_| self.given(given))?;
                        Some(Need::HandedOn(name.clone(), at, given))
                    });
                    needs.extend(handed);
                }
            }
            _ => {}
        }
        children.into_iter().fold(needs, |needs, child| joined(needs, self.expression(child)))
    }
}

fn joined(mut left: Needs, right: Needs) -> Needs {
    left.extend(right);
    left
}

fn both(left: &Needs, right: &Needs) -> Needs {
    left.intersection(right).cloned().collect()
}

/// A pointer some elements on or back.
fn is_moved(node: Cursor<'_>) -> bool {
    match node.kind() {
        CXCursor_UnaryOperator => step(node.unary_operator()).is_some(),
        _ => matches!(node.binary_operator(), CXBinaryOperator_Add | CXBinaryOperator_Sub),
    }
}

/// A statement in it leaves more than itself.
fn leaves(node: Cursor<'_>) -> bool {
    matches!(
        node.kind(),
        CXCursor_ReturnStmt | CXCursor_GotoStmt | CXCursor_IndirectGotoStmt | CXCursor_ContinueStmt
    ) || ends(node)
        || node.children().into_iter().any(leaves)
}

/// A call that does not come back, but for the end of assertions.
fn ends(node: Cursor<'_>) -> bool {
    let node = bare(node);
    let callee = node.children().into_iter().next().filter(|_| node.kind() == CXCursor_CallExpr).map(bare);
    let function = callee.and_then(Cursor::referenced).filter(|named| named.kind() == CXCursor_FunctionDecl);
    let asserts = |name: &str| name.contains("assert") || name.ends_with("abort");
    function.is_some_and(|function| {
        !asserts(&function.name()) && is_noreturn(function.ty(), &attribute_text(function))
    })
}
