//! Where a pointer that a function tests for null comes from: from outside (a parameter, a member, a global), or from
//! the function itself (the result of a call, a null that it put there). Only the first says that the function may
//! be given null.
//!
//! Parameters, members and globals are followed along the text: an assignment in a branch or a loop ends with it. Of
//! locals any assignment counts, wherever it stands. Places are told by how they are written; aliases are not seen.

use crate::clang::{Cursor, Type};
use crate::expression::{bare, without_casts};
use clang_sys::*;
use std::collections::HashSet;

/// A declaration, by its identity.
type Declaration = usize;

/// A pointer that was tested: what to say about it when it turns out to come from outside.
pub(crate) struct Tested<'tu> {
    pub(crate) name: Option<String>,
    pub(crate) target: Type<'tu>,
}

#[derive(Default)]
pub(crate) struct Origins<'tu> {
    /// Locals that something from outside is assigned to.
    given: HashSet<Declaration>,
    /// A local that another one is assigned to.
    copies: Vec<(Declaration, Declaration)>,
    /// Members, and arrays in them, that a local gets its value from.
    held: Vec<(Declaration, String)>,
    /// Tests of locals.
    tests: Vec<(Declaration, Tested<'tu>)>,
    /// Other places that hold the result of a call here.
    results: HashSet<String>,
}

/// What an expression yields.
enum Origin {
    Outside,
    Own,
    Local(Declaration),
}

impl<'tu> Origins<'tu> {
    /// `place = value`, as a statement, within a condition or where a variable is declared.
    pub(crate) fn assign(&mut self, place: Cursor<'tu>, value: Cursor<'tu>) {
        if let Some(local) = local(place) {
            return self.give(local, value);
        }
        let Some(place) = spelling(place) else { return };
        // What lies behind a pointer is another object from now on.
        let inner = format!("{place}.");
        self.results.retain(|known| *known != place && !known.starts_with(&inner));
        if is_result(value) {
            self.results.insert(place);
        }
    }

    pub(crate) fn declare(&mut self, variable: Cursor<'tu>, value: Cursor<'tu>) {
        if is_local(variable) {
            self.give(variable.identity(), value);
        }
    }

    fn give(&mut self, local: Declaration, value: Cursor<'tu>) {
        self.held.extend(member(value).map(|name| (local, name)));
        match origin(value) {
            Origin::Outside => {
                self.given.insert(local);
            }
            Origin::Local(other) => self.copies.push((other, local)),
            Origin::Own => {}
        }
    }

    /// A test of a place for null: given back where it comes from outside, kept where only the whole body tells.
    pub(crate) fn test(&mut self, place: Cursor<'tu>, tested: Tested<'tu>) -> Option<Tested<'tu>> {
        if let Some(local) = local(place) {
            self.tests.push((local, tested));
            return None;
        }
        let is_result =
            is_result(place) || spelling(place).is_some_and(|place| self.results.contains(&place));
        (!is_result).then_some(tested)
    }

    /// What holds results before something that may not be executed, or not first.
    pub(crate) fn results(&self) -> HashSet<String> {
        self.results.clone()
    }

    /// After it: what held one before and does still.
    pub(crate) fn leave(&mut self, before: HashSet<String>) {
        self.results.retain(|place| before.contains(place));
    }

    /// The members that locals hold which are tested, with a dot before their names.
    pub(crate) fn held_tests(&self) -> Vec<String> {
        let is_tested = |local: &Declaration| self.tests.iter().any(|(tested, _)| tested == local);
        self.held.iter().filter(|(local, _)| is_tested(local)).map(|(_, name)| name.clone()).collect()
    }

    /// The tests of locals that may hold something from outside.
    pub(crate) fn finish(mut self) -> impl Iterator<Item = Tested<'tu>> {
        loop {
            let known = self.given.len();
            for (from, to) in &self.copies {
                if self.given.contains(from) {
                    self.given.insert(*to);
                }
            }
            if self.given.len() == known {
                break;
            }
        }
        self.tests
            .into_iter()
            .filter_map(move |(local, tested)| self.given.contains(&local).then_some(tested))
    }
}

fn origin(value: Cursor<'_>) -> Origin {
    let value = without_casts(value);
    match value.kind() {
        CXCursor_CallExpr => Origin::Own,
        CXCursor_UnaryOperator if value.unary_operator() == CXUnaryOperator_AddrOf => Origin::Own,
        CXCursor_BinaryOperator if value.binary_operator() == CXBinaryOperator_Assign => {
            value.children().into_iter().next_back().map_or(Origin::Outside, origin)
        }
        // The second and third part; the first one only chooses.
        CXCursor_ConditionalOperator => match value.children()[..] {
            [_, left, right] => match (origin(left), origin(right)) {
                (Origin::Own, other) | (other, Origin::Own) => other,
                _ => Origin::Outside,
            },
            _ => Origin::Outside,
        },
        CXCursor_DeclRefExpr => local(value).map_or(Origin::Outside, Origin::Local),
        _ if value.integer() == Some(0) => Origin::Own,
        _ => Origin::Outside,
    }
}

/// The member that holds a value, or the array that does.
fn member(value: Cursor<'_>) -> Option<String> {
    let value = without_casts(value);
    match value.kind() {
        CXCursor_MemberRefExpr => Some(format!(".{}", value.name())),
        CXCursor_ArraySubscriptExpr => member(value.children().into_iter().next()?),
        _ => None,
    }
}

fn is_result(value: Cursor<'_>) -> bool {
    let value = without_casts(value);
    value.kind() == CXCursor_CallExpr
}

/// The local variable that an expression is.
fn local(node: Cursor<'_>) -> Option<Declaration> {
    let node = bare(node);
    let named = node.referenced().filter(|_| node.kind() == CXCursor_DeclRefExpr)?;
    is_local(named).then(|| named.identity())
}

/// A static one keeps what an earlier call left there.
fn is_local(named: Cursor<'_>) -> bool {
    named.kind() == CXCursor_VarDecl
        && !matches!(named.storage_class(), CX_SC_Static | CX_SC_Extern)
        && named.semantic_parent().is_some_and(|parent| parent.kind() == CXCursor_FunctionDecl)
}

/// `s`, `s.m`, `s.m.n`, be it through pointers or not.
pub(crate) fn spelling(node: Cursor<'_>) -> Option<String> {
    let node = bare(node);
    match node.kind() {
        CXCursor_DeclRefExpr => Some(node.name()),
        CXCursor_MemberRefExpr => {
            let base = node.children().into_iter().next()?;
            Some(format!("{}.{}", spelling(base)?, node.name()))
        }
        _ => None,
    }
}
