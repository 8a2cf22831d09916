//! What a condition says about a variable, where the variable keeps its value.

use super::{Relation, Value, Variable, Walk, integer_type};
use crate::interval::Interval;
use crate::tree::NodeId;
use clang_sys::*;
use std::ops::Range;

#[derive(Clone)]
pub(super) struct Guard {
    pub(super) variable: Variable,
    pub(super) relation: Relation,
    pub(super) bound: Value,
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
        let Variable::Local(declaration) = variable else { return };
        if !regions.iter().all(|region| self.tree.keeps(declaration, region)) {
            return;
        }
        let Some(compared) = integer_type(self.tree.cursor(side).ty()) else { return };
        let bound = self.value(other, 0);
        if compared.contains(held) {
            self.guards.push(Guard { variable, relation, bound });
        } else if let (Relation::Below | Relation::AtMost, Some(constant)) = (relation, constant(&bound))
            && constant.low >= 0
            && held.contains(constant)
        {
            // `(unsigned)i < 8`: a negative one would be a large one.
            let zero = Value::Within(Interval::one(0));
            self.guards.push(Guard { variable: variable.clone(), relation: Relation::AtLeast, bound: zero });
            self.guards.push(Guard { variable, relation, bound });
        }
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
