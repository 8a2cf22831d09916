//! What system tests did: per test, the calls that occurred. Equal calls of one test count once.

use model::FunctionId;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    pub tests: Vec<TestProfile>,
}

/// One execution of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestProfile {
    /// Caller and callee, and the other way round: both are asked for once per function and test.
    calls: BTreeSet<(FunctionId, FunctionId)>,
    called: BTreeSet<(FunctionId, FunctionId)>,
    /// Functions that ran, also those that nobody of the program called.
    pub ran: BTreeSet<FunctionId>,
}

impl TestProfile {
    /// Whoever takes part in a call ran, and so did the `others`.
    pub fn new(
        edges: impl IntoIterator<Item = (FunctionId, FunctionId)>,
        others: impl IntoIterator<Item = FunctionId>,
    ) -> TestProfile {
        let calls: BTreeSet<_> = edges.into_iter().collect();
        let called = calls.iter().map(|(caller, callee)| (*callee, *caller)).collect();
        let mut ran: BTreeSet<_> = calls.iter().flat_map(|(caller, callee)| [*caller, *callee]).collect();
        ran.extend(others);
        TestProfile { calls, called, ran }
    }

    /// Who called whom.
    pub fn edges(&self) -> impl Iterator<Item = (FunctionId, FunctionId)> {
        self.calls.iter().copied()
    }

    /// Functions that `function` called in this test, directly or through others; itself only by recursion.
    pub fn called_by(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        reach(function, &self.calls)
    }

    /// Functions that called `function`, directly or through others.
    pub fn callers_of(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        reach(function, &self.called)
    }
}

fn reach(from: FunctionId, edges: &BTreeSet<(FunctionId, FunctionId)>) -> BTreeSet<FunctionId> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        let next = edges.range((function, FunctionId(0))..=(function, FunctionId(u32::MAX)));
        open.extend(next.map(|(_, other)| *other).filter(|other| reached.insert(*other)));
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
