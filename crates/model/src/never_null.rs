//! Whether the pointer that a function returns can be null, told by its body: a stub of `xmalloc` that gave null
//! would make its callers fail where nothing fails.
//!
//! One walk in the order of the source with the variables that are not null at each point: tested, used, or set to
//! something that is not. Variables whose address is taken are not followed, nor what a loop changes. What other
//! functions have to keep for it is noted, and judged when the program is put together.

use crate::body::direct_callee;
use crate::ending::Ending;
use crate::expression::is_null;
use crate::tree::{NodeId, Tree};
use clang_sys::*;
use std::collections::{BTreeSet, HashMap};

/// What has to hold for another function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    NeverNull(String),
    Ends(String),
}

type Needs = BTreeSet<Need>;
/// The ways in which something is shown not to be null, one of which has to hold. Never empty.
type Shown = Vec<Needs>;
/// By the identity of the declaration: variables that are not null, if one of the ways holds.
type Known = HashMap<usize, Shown>;

/// More ways are forgotten.
const MOST_WAYS: usize = 4;

/// What a body returns.
#[derive(Debug, Default)]
pub(crate) struct Results {
    /// Of each return: the ways in which it is shown not to be null, or not to be reached; empty where there is none.
    returns: Vec<Vec<Needs>>,
}

impl Results {
    pub(crate) fn of_body(tree: &Tree<'_>) -> Results {
        let mut walk = Walk {
            tree,
            known: Known::new(),
            before: Vec::new(),
            at_cases: Known::new(),
            results: Results::default(),
        };
        walk.statement(Tree::ROOT);
        walk.results
    }

    pub(crate) fn are_never_null(&self, holds: &dyn Fn(&Need) -> bool) -> bool {
        let is_shown = |ways: &Vec<Needs>| ways.iter().any(|needs| needs.iter().all(holds));
        !self.returns.is_empty() && self.returns.iter().all(is_shown)
    }
}

struct Walk<'t, 'tu> {
    tree: &'t Tree<'tu>,
    known: Known,
    /// Functions that were called on the way here: nothing gets here if one of them does not come back.
    before: Vec<String>,
    /// What is known at the cases of the switch around.
    at_cases: Known,
    results: Results,
}

impl Walk<'_, '_> {
    fn kind(&self, node: NodeId) -> CXCursorKind {
        self.tree.cursor(node).kind()
    }

    fn parts(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).collect()
    }

    fn statement(&mut self, node: NodeId) {
        let parts = self.parts(node);
        match self.kind(node) {
            CXCursor_CompoundStmt => {
                let calls = self.before.len();
                parts.into_iter().for_each(|part| self.statement(part));
                self.before.truncate(calls);
            }
            CXCursor_DeclStmt => parts.into_iter().for_each(|part| self.declaration(part)),
            CXCursor_IfStmt => self.decision(&parts),
            CXCursor_WhileStmt | CXCursor_ForStmt | CXCursor_DoStmt | CXCursor_SwitchStmt => {
                self.forget_changes(node);
                let base = self.known.clone();
                let around = std::mem::replace(&mut self.at_cases, base.clone());
                parts.into_iter().for_each(|part| self.inner(part));
                self.at_cases = around;
                self.known = base;
            }
            CXCursor_CaseStmt | CXCursor_DefaultStmt => {
                self.known = self.at_cases.clone();
                parts.into_iter().for_each(|part| self.statement(part));
            }
            CXCursor_LabelStmt => {
                self.known.clear();
                self.before.clear();
                parts.into_iter().for_each(|part| self.statement(part));
            }
            CXCursor_ReturnStmt => {
                if let Some(value) = parts.first() {
                    self.expression(*value, true);
                    let shown = self.not_null(*value);
                    let dead = self.before.iter().map(|name| Needs::from([Need::Ends(name.clone())]));
                    let ways = shown.into_iter().flatten().chain(dead).collect();
                    self.results.returns.push(ways);
                }
            }
            _ => {
                self.expression(node, true);
                self.before.extend(self.callee(node));
            }
        }
    }

    /// A statement that may be left out.
    fn inner(&mut self, node: NodeId) {
        let calls = self.before.len();
        self.statement(node);
        self.before.truncate(calls);
    }

    fn declaration(&mut self, node: NodeId) {
        let value = self.parts(node).into_iter().rfind(|part| self.tree.cursor(*part).is_expression());
        if let Some(value) = value {
            self.expression(value, true);
            let shown = self.not_null(value);
            self.set(self.tree.cursor(node).identity(), shown);
        }
    }

    fn decision(&mut self, parts: &[NodeId]) {
        let &[condition, yes, ref rest @ ..] = parts else { return };
        let no = rest.first().copied();
        self.expression(condition, true);
        let base = self.known.clone();
        self.refine(condition, true);
        self.inner(yes);
        let after_yes = std::mem::replace(&mut self.known, base);
        self.refine(condition, false);
        no.into_iter().for_each(|no| self.inner(no));
        let after_no = std::mem::take(&mut self.known);
        self.known = match (self.leaves(yes), no.and_then(|no| self.leaves(no))) {
            (Some(needs), None) => unless(after_no, &after_yes, &needs),
            (None, Some(needs)) => unless(after_yes, &after_no, &needs),
            _ => both(after_yes, &after_no),
        };
    }

    /// What has to hold for control not to go on behind the statement; None: it may.
    fn leaves(&self, node: NodeId) -> Option<Needs> {
        if self.tree.leaves(node) {
            return Some(Needs::new());
        }
        let name = Ending::of_statement(self.tree, node).calls_that_end_it().next()?;
        Some(Needs::from([Need::Ends(name)]))
    }

    /// A loop is entered and left with what it does not change.
    fn forget_changes(&mut self, node: NodeId) {
        let region = self.tree.region(node);
        self.known.retain(|variable, _| !self.tree.is_written(*variable, &region));
    }

    /// Notes what is set and used. `certain`: whenever the statement is executed.
    fn expression(&mut self, node: NodeId, certain: bool) {
        let parts = self.parts(node);
        let cursor = self.tree.cursor(node);
        match (cursor.kind(), &parts[..]) {
            // The operand of sizeof is not evaluated.
            (CXCursor_UnaryExpr, _) => {}
            (CXCursor_StmtExpr, _) => parts.into_iter().for_each(|part| self.inner(part)),
            (CXCursor_BinaryOperator, &[left, right]) => match cursor.binary_operator() {
                CXBinaryOperator_LAnd | CXBinaryOperator_LOr => {
                    self.expression(left, certain);
                    self.expression(right, false);
                }
                CXBinaryOperator_Assign => {
                    self.expression(right, certain);
                    self.expression(left, certain);
                    if let Some(variable) = self.tree.named(left) {
                        let shown = self.not_null(right);
                        let shown = match self.known.get(&variable) {
                            _ if certain => shown,
                            before => shown.zip(before).map(|(shown, before)| all(&shown, before)),
                        };
                        self.set(variable, shown);
                    }
                }
                _ => parts.into_iter().for_each(|part| self.expression(part, certain)),
            },
            (CXCursor_ConditionalOperator, &[condition, yes, no]) => {
                self.expression(condition, certain);
                self.expression(yes, false);
                self.expression(no, false);
            }
            (CXCursor_UnaryOperator, &[operand]) if cursor.unary_operator() == CXUnaryOperator_AddrOf => {
                self.place(operand, certain);
            }
            _ => {
                if let Some(variable) = self.used(node).filter(|_| certain) {
                    self.set(variable, Some(certainly()));
                }
                parts.into_iter().for_each(|part| self.expression(part, certain));
            }
        }
    }

    /// `&p->member[i]` does not use what p leads to.
    fn place(&mut self, node: NodeId, certain: bool) {
        let node = self.tree.bare(node);
        let parts = self.parts(node);
        let cursor = self.tree.cursor(node);
        match (cursor.kind(), &parts[..]) {
            (CXCursor_MemberRefExpr | CXCursor_ArraySubscriptExpr, &[base, ref rest @ ..]) => {
                match self.tree.cursor(self.tree.bare(base)).ty().is_pointer() {
                    true => self.expression(base, certain),
                    false => self.place(base, certain),
                }
                rest.iter().for_each(|part| self.expression(*part, certain));
            }
            (CXCursor_UnaryOperator, &[pointer]) if cursor.unary_operator() == CXUnaryOperator_Deref => {
                self.expression(pointer, certain);
            }
            _ => self.expression(node, certain),
        }
    }

    /// The variable whose pointer is followed: `*p`, `p[i]`, `p->m`.
    fn used(&self, node: NodeId) -> Option<usize> {
        let cursor = self.tree.cursor(node);
        let follows = match cursor.kind() {
            CXCursor_MemberRefExpr | CXCursor_ArraySubscriptExpr => true,
            CXCursor_UnaryOperator => cursor.unary_operator() == CXUnaryOperator_Deref,
            _ => false,
        };
        let base = self.tree.children(node).next().filter(|_| follows)?;
        let bare = self.tree.cursor(self.tree.bare(base));
        self.tree.named(base).filter(|_| bare.ty().is_pointer())
    }

    fn set(&mut self, variable: usize, shown: Option<Shown>) {
        match shown.filter(|_| !self.tree.is_addressed(variable)) {
            Some(shown) => drop(self.known.insert(variable, shown)),
            None => drop(self.known.remove(&variable)),
        }
    }

    /// The condition came out so.
    fn refine(&mut self, condition: NodeId, truth: bool) {
        let node = self.uncast(condition);
        let parts = self.parts(node);
        let cursor = self.tree.cursor(node);
        match (cursor.kind(), &parts[..]) {
            (CXCursor_UnaryOperator, &[operand]) if cursor.unary_operator() == CXUnaryOperator_LNot => {
                self.refine(operand, !truth);
            }
            (CXCursor_BinaryOperator, &[left, right]) => match cursor.binary_operator() {
                CXBinaryOperator_LAnd if truth => {
                    [left, right].into_iter().for_each(|part| self.refine(part, true))
                }
                CXBinaryOperator_LOr if !truth => {
                    [left, right].into_iter().for_each(|part| self.refine(part, false));
                }
                CXBinaryOperator_EQ | CXBinaryOperator_NE => {
                    let is_equal = cursor.binary_operator() == CXBinaryOperator_EQ;
                    if is_null(self.tree.cursor(right)) {
                        self.refine(left, truth != is_equal);
                    } else if is_null(self.tree.cursor(left)) {
                        self.refine(right, truth != is_equal);
                    }
                }
                CXBinaryOperator_Assign => self.refine(left, truth),
                _ => {}
            },
            (CXCursor_CallExpr, &[callee, value, ..]) => {
                let callee = direct_callee(self.tree.cursor(callee));
                if callee.is_some_and(|callee| callee.name() == "__builtin_expect") {
                    self.refine(value, truth);
                }
            }
            _ => {
                let variable = self.tree.named(node).filter(|_| truth && cursor.ty().is_pointer());
                variable.into_iter().for_each(|variable| self.set(variable, Some(certainly())));
            }
        }
    }

    /// What has to hold for the pointer not to be null; None: it may be.
    fn not_null(&mut self, node: NodeId) -> Option<Shown> {
        let node = self.uncast(node);
        let parts = self.parts(node);
        let cursor = self.tree.cursor(node);
        match (cursor.kind(), &parts[..]) {
            (CXCursor_StringLiteral, _) => Some(certainly()),
            (CXCursor_DeclRefExpr | CXCursor_MemberRefExpr, _) if cursor.ty().is_array() => Some(certainly()),
            (CXCursor_DeclRefExpr, _) => self.known.get(&self.tree.named(node)?).cloned(),
            (CXCursor_UnaryOperator, &[operand]) => match cursor.unary_operator() {
                CXUnaryOperator_AddrOf => Some(certainly()),
                CXUnaryOperator_PreInc
                | CXUnaryOperator_PreDec
                | CXUnaryOperator_PostInc
                | CXUnaryOperator_PostDec => self.not_null(operand),
                _ => None,
            },
            (CXCursor_BinaryOperator, &[_, right]) => match cursor.binary_operator() {
                CXBinaryOperator_Assign | CXBinaryOperator_Comma => self.not_null(right),
                // Nobody counts from nothing.
                CXBinaryOperator_Add | CXBinaryOperator_Sub => cursor.ty().is_pointer().then(certainly),
                _ => None,
            },
            (CXCursor_ConditionalOperator, &[condition, yes, no]) => {
                let base = self.known.clone();
                self.refine(condition, true);
                let yes = self.not_null(yes);
                self.known = base.clone();
                self.refine(condition, false);
                let no = self.not_null(no);
                self.known = base;
                Some(all(&yes?, &no?))
            }
            (CXCursor_CallExpr, _) => Some(vec![Needs::from([Need::NeverNull(self.callee(node)?)])]),
            _ => None,
        }
    }

    /// The function that a call names.
    fn callee(&self, node: NodeId) -> Option<String> {
        let node = self.uncast(node);
        let callee = self.tree.children(node).next().filter(|_| self.kind(node) == CXCursor_CallExpr)?;
        direct_callee(self.tree.cursor(callee)).map(|callee| callee.name())
    }

    fn uncast(&self, node: NodeId) -> NodeId {
        let node = self.tree.bare(node);
        let operand = self.tree.children(node).last().filter(|_| self.kind(node) == CXCursor_CStyleCastExpr);
        operand.map_or(node, |operand| self.uncast(operand))
    }
}

fn certainly() -> Shown {
    vec![Needs::new()]
}

/// Both are shown.
fn all(one: &[Needs], other: &[Needs]) -> Shown {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| one.union(other).cloned().collect()));
    pairs.take(MOST_WAYS).collect()
}

/// What is known where two ways come together.
fn both(mut one: Known, other: &Known) -> Known {
    one.retain(|variable, shown| match other.get(variable) {
        Some(also) => {
            *shown = all(shown, also);
            true
        }
        None => false,
    });
    one
}

/// What is known where the second way comes too, unless that holds.
fn unless(mut one: Known, other: &Known, needs: &Needs) -> Known {
    for (variable, shown) in &mut one {
        let also = other.get(variable).filter(|_| !needs.is_empty());
        let also = also.map_or(Shown::new(), |also| all(shown, also));
        *shown = all(shown, std::slice::from_ref(needs));
        shown.extend(also);
        shown.truncate(MOST_WAYS);
    }
    one
}
