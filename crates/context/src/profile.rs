//! What system tests did: per test, the calls that occurred. Equal calls of one test count once.

use model::FunctionId;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    pub tests: Vec<TestProfile>,
}

/// One execution of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestProfile {
    /// Who called whom.
    pub edges: BTreeSet<(FunctionId, FunctionId)>,
    /// Functions that ran, also those that nobody of the program called.
    pub ran: BTreeSet<FunctionId>,
}

impl TestProfile {
    /// A test of which only the calls are known: whoever takes part in one ran.
    pub fn of_edges(edges: impl IntoIterator<Item = (FunctionId, FunctionId)>) -> TestProfile {
        let edges: BTreeSet<_> = edges.into_iter().collect();
        let ran = edges.iter().flat_map(|(caller, callee)| [*caller, *callee]).collect();
        TestProfile { edges, ran }
    }

    /// Functions that `function` called in this test, directly or through others; itself only by recursion.
    pub fn called_by(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        reach(function, self.edges.iter().copied())
    }

    /// Functions that called `function`, directly or through others.
    pub fn callers_of(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        reach(function, self.edges.iter().map(|(caller, callee)| (*callee, *caller)))
    }
}

fn reach(from: FunctionId, edges: impl Iterator<Item = (FunctionId, FunctionId)>) -> BTreeSet<FunctionId> {
    let mut next: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
    for (one, other) in edges {
        next.entry(one).or_default().push(other);
    }
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        for other in next.get(&function).into_iter().flatten() {
            if reached.insert(*other) {
                open.push(*other);
            }
        }
    }
    reached
}

impl Profile {
    /// In how many tests the function ran.
    pub fn runs(&self, function: FunctionId) -> usize {
        self.tests.iter().filter(|test| test.ran.contains(&function)).count()
    }

    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }
}
