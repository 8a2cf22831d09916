//! What a condition says about a variable, where the variable keeps its value.

use super::{Relation, Value, Variable, Walk, integer_type, step};
use crate::clang::Cursor;
use crate::interval::Interval;
use crate::tree::NodeId;
use clang_sys::*;
use std::ops::Range;

#[derive(Clone)]
pub(super) struct Guard {
    pub(super) variable: Variable,
    pub(super) relation: Relation,
    pub(super) bound: Value,
    /// It holds for this change of the variable alone.
    pub(super) at: Option<NodeId>,
}

impl Walk<'_, '_, '_> {
    /// Notes what a condition says that is true, or false, about variables that keep their values in these regions.
    pub(super) fn guard(&mut self, condition: NodeId, truth: bool, regions: &[Range<NodeId>]) {
        let node = self.tree.bare(condition);
        let cursor = self.tree.cursor(node);
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        match (cursor.kind(), &parts[..]) {
            (CXCursor_UnaryOperator, &[operand]) if cursor.unary_operator() == CXUnaryOperator_LNot => {
                self.guard(operand, !truth, regions);
            }
            (CXCursor_BinaryOperator, &[left, right]) => match (cursor.binary_operator(), truth) {
                (CXBinaryOperator_LAnd, true) | (CXBinaryOperator_LOr, false) => {
                    self.guard(left, truth, regions);
                    self.guard(right, truth, regions);
                }
                (operator, truth) => {
                    for relation in relations(operator, truth) {
                        self.compare(left, *relation, right, regions);
                        self.compare(right, turned(*relation), left, regions);
                    }
                }
            },
            _ => {}
        }
    }

    fn compare(&mut self, side: NodeId, relation: Relation, other: NodeId, regions: &[Range<NodeId>]) {
        let Some((variable, held)) = self.variable(side) else { return };
        // Whoever is called may change a global.
        let is_kept = match variable {
            Variable::Local(declaration) => regions.iter().all(|region| self.tree.keeps(declaration, region)),
            _ => false,
        };
        let at = if is_kept { None } else { self.first_change(&variable, regions) };
        if !is_kept && at.is_none() {
            return;
        }
        let Some(compared) = integer_type(self.tree.cursor(side).ty()) else { return };
        let bound = self.value(other, 0);
        if compared.contains(held) {
            self.guards.push(Guard { variable, relation, bound, at });
        } else if let (Relation::Below | Relation::AtMost, Some(constant)) = (relation, constant(&bound))
            && constant.low >= 0
            && held.contains(constant)
        {
            // `(unsigned)i < 8`: a negative one would be a large one.
            let zero = Value::Within(Interval::one(0));
            let at_least = Guard { variable: variable.clone(), relation: Relation::AtLeast, bound: zero, at };
            self.guards.push(at_least);
            self.guards.push(Guard { variable, relation, bound, at });
        }
    }

    /// The change of a variable in the last region that nothing before it, from the condition on, can have come before: no
    /// other change, no call that may make one, no jump to a place in between.
    fn first_change(&mut self, variable: &Variable, regions: &[Range<NodeId>]) -> Option<NodeId> {
        let (part, before) = regions.split_last()?;
        for node in before.iter().cloned().flatten() {
            if self.may_change(node, variable) || self.changes(node, variable) {
                return None;
            }
        }
        let mut loops_until = None;
        for node in part.clone() {
            match self.tree.cursor(node).kind() {
                CXCursor_ForStmt | CXCursor_WhileStmt | CXCursor_DoStmt => {
                    loops_until = loops_until.max(Some(self.tree.end(node)));
                }
                CXCursor_LabelStmt | CXCursor_CaseStmt | CXCursor_DefaultStmt => return None,
                _ if self.may_change(node, variable) => return None,
                _ if self.changes(node, variable) => {
                    return Some(node).filter(|_| loops_until.is_none_or(|until| until <= node));
                }
                _ => {}
            }
        }
        None
    }

    /// A call that may come back to a function that changes the variable, or assembly.
    fn may_change(&mut self, node: NodeId, variable: &Variable) -> bool {
        let cursor = self.tree.cursor(node);
        match cursor.kind() {
            CXCursor_AsmStmt => true,
            CXCursor_CallExpr if matches!(variable, Variable::Local(_)) => false,
            CXCursor_CallExpr => {
                let callee =
                    self.tree.children(node).next().map(|callee| self.tree.cursor(self.tree.bare(callee)));
                let function =
                    callee.and_then(Cursor::referenced).filter(|to| to.kind() == CXCursor_FunctionDecl);
                // What the C library is told to call is handed to it.
                let hands_code = |argument: Cursor<'_>| argument.ty().canonical().pointee().is_function();
                function
                    .is_none_or(|function| function.definition().is_some() || !function.in_system_header())
                    || cursor.arguments().into_iter().any(hands_code)
            }
            _ => false,
        }
    }

    fn changes(&mut self, node: NodeId, variable: &Variable) -> bool {
        let cursor = self.tree.cursor(node);
        let is_change = match cursor.kind() {
            CXCursor_UnaryOperator => step(cursor.unary_operator()).is_some(),
            CXCursor_BinaryOperator => cursor.binary_operator() == CXBinaryOperator_Assign,
            CXCursor_CompoundAssignOperator => true,
            _ => false,
        };
        let Some(changed) = self.tree.children(node).next().filter(|_| is_change) else { return false };
        self.variable(changed).is_some_and(|(changed, _)| changed == *variable)
    }
}

/// A value that says itself what it is.
fn constant(value: &Value) -> Option<Interval> {
    match value {
        Value::Within(interval) => Some(*interval).filter(|interval| interval.low == interval.high),
        Value::Converted(value, to) => constant(value).filter(|value| to.contains(*value)),
        _ => None,
    }
}

fn relations(operator: CXBinaryOperatorKind, truth: bool) -> &'static [Relation] {
    match (operator, truth) {
        (CXBinaryOperator_LT, true) | (CXBinaryOperator_GE, false) => &[Relation::Below],
        (CXBinaryOperator_LE, true) | (CXBinaryOperator_GT, false) => &[Relation::AtMost],
        (CXBinaryOperator_GE, true) | (CXBinaryOperator_LT, false) => &[Relation::AtLeast],
        (CXBinaryOperator_GT, true) | (CXBinaryOperator_LE, false) => &[Relation::Above],
        (CXBinaryOperator_EQ, true) | (CXBinaryOperator_NE, false) => &[Relation::AtMost, Relation::AtLeast],
        _ => &[],
    }
}

/// The same with the sides exchanged.
fn turned(relation: Relation) -> Relation {
    match relation {
        Relation::Below => Relation::Above,
        Relation::AtMost => Relation::AtLeast,
        Relation::AtLeast => Relation::AtMost,
        Relation::Above => Relation::Below,
    }
}
