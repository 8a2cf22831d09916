//! What the loop needs of the thing under test: run an input, and find an input for a path with one decision
//! changed. The real one is [`crate::unit::Unit`]; tests put a simulated program here.

use crate::decision::{Decision, Goal, Kind};
use crate::sites::Counter;
use execute::Ending;
use std::time::Duration;
use term::Shared;
use wire::log::Concretised;
use wire::{End, SiteKey, SlotKey};

pub trait Subject {
    type Input: Clone;
    /// The symbolic side of an execution.
    type Path;

    /// `base`: an execution that this one is expected to follow for a while. Where it counts, that one counted too.
    fn run(
        &mut self,
        input: &Self::Input,
        how: Run,
        base: Option<Base<'_, Self::Path>>,
    ) -> Result<Observed<Self::Path>, Failure>;

    fn solve(&mut self, question: &Question<'_, Self>) -> Result<Solved<Self::Input>, Failure>;

    /// Bytes held for the symbolic side of executions.
    fn memory(&self) -> usize {
        0
    }

    /// Drops everything that paths refer to. The explorer keeps none of them past this call.
    fn reset(&mut self) {}
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// Also compare every symbolic condition with what the execution really did.
    pub verify: bool,
    /// What it covers is noted: executions after it need not report that again.
    pub counts: bool,
    /// Report every counter that this execution hits, not only the first hits of the process.
    pub full_coverage: bool,
}

/// An execution, and the first decision of it that another one may change.
pub struct Base<'a, P> {
    pub observed: &'a Observed<P>,
    pub at: usize,
}

impl<P> Clone for Base<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Base<'_, P> {}

/// The machinery failed, not the tested code: the exploration ends with what it has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

pub struct Observed<P> {
    pub decisions: Shared<Decision>,
    /// So many decisions at the beginning are known to be those of the execution that this one was solved from.
    pub shared: usize,
    /// The decisions, by number, that are checks which failed.
    pub failed: Vec<usize>,
    pub ending: Ending,
    /// Counters hit, at least those that the process had not hit before.
    pub covered: Vec<Counter>,
    /// Where precision was given up, in order.
    pub losses: Vec<Loss>,
    /// Records are missing at the end.
    pub truncated: bool,
    /// Where a symbolic condition does not evaluate to what happened; only when asked to verify.
    pub disagreements: Vec<SiteKey>,
    /// Why the log could not be read, if so: tested code can overwrite it.
    pub unreadable: Option<String>,
    /// Where a check failed whose condition is symbolic: the inputs that it looks at.
    pub cause: Vec<SlotKey>,
    /// Where something failed for all inputs of the path: those that the last branch before it, in the same function, looks at.
    pub guard: Vec<SlotKey>,
    pub path: P,
}

/// A symbolic value that became concrete, or got lost without a constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    /// Number of decisions before it.
    pub at: usize,
    pub site: SiteKey,
    pub kind: Concretised,
    /// An equation on the path keeps this sound.
    pub constrained: bool,
    /// How often this happened here; `at` is the first time.
    pub count: u64,
}

/// A check that failed.
pub(crate) fn has_failed(decision: &Decision) -> bool {
    decision.kind == Kind::Check && decision.outcome == 1
}

/// Whether the execution was stopped from outside, so that its path is only a prefix.
pub(crate) fn is_cut(end: End) -> bool {
    matches!(
        end,
        End::Timeout | End::LogFull | End::OutOfMemory | End::OutputLimit | End::Killed | End::Forbidden
    )
}

pub struct Question<'a, S: Subject + ?Sized> {
    pub path: &'a S::Path,
    pub input: &'a S::Input,
    pub decisions: &'a Shared<Decision>,
    /// The decision to change; those before it are kept.
    pub at: usize,
    pub goal: Goal,
    /// For [`Goal::Other`]: the outcomes to avoid.
    pub avoid: &'a [u64],
    pub time_limit: Duration,
    /// Tell [`Solved::Beyond`] from [`Solved::Infeasible`].
    pub beyond_limits: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solved<I> {
    Input(I),
    Infeasible,
    /// No input that the driver can make, but maybe a larger one.
    Beyond,
    /// No answer within the time limit; more time might bring one.
    OutOfTime,
    /// With the reason, a short name.
    Unknown(String),
}
