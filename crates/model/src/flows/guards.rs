//! What a condition says about a variable, where the variable keeps its value.

use super::{Relation, Value, Variable, Walk, integer_type};
use crate::interval::Interval;
use crate::tree::NodeId;
use clang_sys::*;

#[derive(Clone)]
pub(super) struct Guard {
    pub(super) variable: Variable,
    pub(super) relation: Relation,
    pub(super) bound: Value,
    /// How the variable is written, and the declarations that it is found by.
    spelling: String,
    declarations: Vec<usize>,
    scope: Scope,
}

/// Where a condition holds.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub(super) condition: NodeId,
    /// It holds from here on.
    pub(super) from: NodeId,
    /// A part that runs before that, wherever it stands.
    pub(super) between: Option<NodeId>,
}

impl Walk<'_, '_, '_> {
    /// Notes what a condition says that is true, or false, about variables, for where they keep their values.
    pub(super) fn guard(&mut self, condition: NodeId, truth: bool, scope: Scope) {
        let node = self.tree.bare(condition);
        let cursor = self.tree.cursor(node);
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        match (cursor.kind(), &parts[..]) {
            (CXCursor_UnaryOperator, &[operand]) if cursor.unary_operator() == CXUnaryOperator_LNot => {
                self.guard(operand, !truth, scope);
            }
            (CXCursor_BinaryOperator, &[left, right]) => match (cursor.binary_operator(), truth) {
                (CXBinaryOperator_LAnd, true) | (CXBinaryOperator_LOr, false) => {
                    self.guard(left, truth, scope);
                    self.guard(right, truth, scope);
                }
                (operator, truth) => {
                    for relation in relations(operator, truth) {
                        let bound = self.value(right, 0);
                        self.compare(left, *relation, bound, scope);
                        let bound = self.value(left, 0);
                        self.compare(right, turned(*relation), bound, scope);
                    }
                }
            },
            (CXCursor_DeclRefExpr | CXCursor_MemberRefExpr, _) => {
                let zero = || Value::Within(Interval::one(0));
                match truth {
                    true => self.compare(node, Relation::Other, zero(), scope),
                    false => {
                        self.compare(node, Relation::AtLeast, zero(), scope);
                        self.compare(node, Relation::AtMost, zero(), scope);
                    }
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, side: NodeId, relation: Relation, bound: Value, scope: Scope) {
        let Some((variable, held)) = self.variable(side) else { return };
        let Some((spelling, declarations)) = self.found_by(side) else { return };
        let Some(compared) = integer_type(self.tree.cursor(side).ty()) else { return };
        // What stands behind the comparison in the condition may change it again.
        let rest = side..self.tree.end(scope.condition);
        let is_kept = |declaration: &usize| self.tree.keeps(*declaration, &rest);
        let is_own = matches!(variable, Variable::Local(_));
        if !declarations.iter().all(is_kept) || !(is_own || self.tree.is_quiet(&rest)) {
            return;
        }
        let mut add = |relation, bound| {
            let (variable, spelling, declarations) =
                (variable.clone(), spelling.clone(), declarations.clone());
            self.guards.push(Guard { variable, relation, bound, spelling, declarations, scope });
        };
        if compared.contains(held) {
            add(relation, bound);
        } else if let (Relation::Below | Relation::AtMost, Some(constant)) = (relation, constant(&bound))
            && constant.low >= 0
            && held.contains(constant)
        {
            // `(unsigned)i < 8`: a negative one would be a large one.
            add(Relation::AtLeast, Value::Within(Interval::one(0)));
            add(relation, bound);
        }
    }

    /// How a variable, or a member of one or of what one points to, is written, and all declarations that decide which it is.
    fn found_by(&self, node: NodeId) -> Option<(String, Vec<usize>)> {
        let node = self.tree.bare(node);
        let cursor = self.tree.cursor(node);
        let declaration = cursor.referenced()?.identity();
        match cursor.kind() {
            CXCursor_DeclRefExpr => Some((cursor.name(), vec![declaration])),
            CXCursor_MemberRefExpr => {
                let (object, mut declarations) = self.found_by(self.tree.children(node).next()?)?;
                declarations.push(declaration);
                Some((format!("{object}.{}", cursor.name()), declarations))
            }
            _ => None,
        }
    }

    /// Whether what a condition said still holds where a variable is read.
    pub(super) fn holds(&self, guard: &Guard, variable: &Variable, at: NodeId) -> bool {
        let is_same = || self.found_by(at).is_some_and(|(spelling, _)| spelling == guard.spelling);
        let Scope { from, between, .. } = guard.scope;
        let meanwhile = between.map(|part| self.tree.region(part));
        let keeps = |declaration: &usize| {
            self.tree.stays(*declaration, from, at)
                && meanwhile.as_ref().is_none_or(|part| self.tree.keeps(*declaration, part))
        };
        let is_quiet = || {
            self.tree.calls_nothing(from, at, self.statement_end.max(at))
                && meanwhile.as_ref().is_none_or(|part| self.tree.is_quiet(part))
        };
        guard.variable == *variable
            && is_same()
            && guard.declarations.iter().all(keeps)
            // Whoever is called may change what is not the function's own.
            && (matches!(variable, Variable::Local(_)) || is_quiet())
    }

    /// What a step leaves in a variable: `if (++i >= 8) i = 0;`, `i++; if (i == 8) i = 0;`. What it holds in between is seen
    /// by nobody else.
    pub(super) fn left_behind(&mut self, step: NodeId, operand: NodeId, value: Value) -> Value {
        let Some((variable, held)) = self.variable(operand) else { return value };
        let Some((spelling, declarations)) = self.found_by(operand) else { return value };
        let Some((condition, side, other)) = self.check_behind(step, &spelling, &declarations) else {
            return value;
        };
        // But whoever is called in the same statement.
        if !matches!(variable, Variable::Local(_)) && !self.tree.is_quiet(&(step..self.statement_end)) {
            return value;
        }
        let operator = self.tree.cursor(self.tree.bare(condition)).binary_operator();
        let is_right = side > other;
        // A negative number is a large one where the other side has no sign.
        let is_same =
            integer_type(self.tree.cursor(side).ty()).is_some_and(|compared| compared.contains(held));
        let mut value = value;
        for relation in relations(operator, false) {
            let relation = if is_right { turned(*relation) } else { *relation };
            if is_same || matches!(relation, Relation::Below | Relation::AtMost) {
                let bound = self.value(other, 0);
                value = Value::Guarded(Box::new((value, bound)), relation);
            }
        }
        value
    }

    /// The check of a variable right behind a step, that sets it again, and its sides: the variable and the other.
    fn check_behind(
        &self,
        step: NodeId,
        spelling: &str,
        declarations: &[usize],
    ) -> Option<(NodeId, NodeId, NodeId)> {
        for (number, &statement) in self.rest.iter().enumerate() {
            let region = self.tree.region(statement);
            if let Some(found) = self.check_of(statement, step, spelling) {
                // In the condition itself only what was stepped before is compared.
                return (number > 0 || region.contains(&step)).then_some(found);
            }
            let is_left_alone = match number {
                0 => !self.tree.has_loop_around(&region, step) && !self.tree.goes_elsewhere(&region, step),
                _ => {
                    self.tree.is_quiet(&region)
                        && !self.tree.goes_elsewhere(&region, statement)
                        && !declarations.iter().any(|declaration| self.tree.is_written(*declaration, &region))
                }
            };
            if !is_left_alone {
                return None;
            }
        }
        None
    }

    fn check_of(&self, statement: NodeId, step: NodeId, spelling: &str) -> Option<(NodeId, NodeId, NodeId)> {
        let parts: Vec<NodeId> = self.tree.children(statement).collect();
        let [condition, yes] = parts[..] else { return None };
        if self.tree.cursor(statement).kind() != CXCursor_IfStmt || !self.tree.is_comparison(condition) {
            return None;
        }
        let [left, right] = self.tree.children(self.tree.bare(condition)).collect::<Vec<_>>()[..] else {
            return None;
        };
        let is_it = |side: NodeId| {
            let side = self.tree.bare(side);
            let is_step = side == step && self.tree.gives_new_value(step);
            is_step || self.found_by(side).is_some_and(|(written, _)| written == spelling)
        };
        let is_reset = |node: NodeId| {
            let target = self.tree.children(node).next().filter(|_| self.tree.is_assignment(node));
            target.and_then(|target| self.found_by(target)).is_some_and(|(written, _)| written == spelling)
        };
        let resets = match self.tree.cursor(yes).kind() {
            CXCursor_CompoundStmt => self.tree.children(yes).any(is_reset),
            _ => is_reset(yes),
        };
        // A step elsewhere in the condition is not what is compared.
        let is_within = self.tree.region(statement).contains(&step);
        let stepped = |side: NodeId| !is_within || self.tree.bare(side) == step;
        match (resets, is_it(left) && stepped(left), is_it(right) && stepped(right)) {
            (true, true, false) => Some((condition, left, right)),
            (true, false, true) => Some((condition, right, left)),
            _ => None,
        }
    }
}

/// A value that says itself what it is.
pub(super) fn constant(value: &Value) -> Option<Interval> {
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
        (CXBinaryOperator_EQ, false) | (CXBinaryOperator_NE, true) => &[Relation::Other],
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
        Relation::Other => Relation::Other,
    }
}
