//! What the loop needs of the thing under test: run an input, and find an input for a path with one decision
//! changed. The real one is [`crate::unit::Unit`]; tests put a simulated program here.

use crate::decision::{Decision, Goal, Kind};
use crate::sites::Counter;
use crate::way::Way;
use execute::Ending;
use std::time::{Duration, Instant};
use wire::log::Concretised;
use wire::{End, SiteKey, SlotKey};

pub trait Subject {
    type Input: Clone;
    /// The symbolic side of a decision. Equal ones have equal paths behind them, term by term.
    type Held: Copy + PartialEq;

    /// `base`: the way that this one is expected to follow. Where it counts, executions on that way counted too.
    fn run(
        &mut self,
        input: &Self::Input,
        how: Run,
        base: Option<Base<'_, Self::Held>>,
    ) -> Result<Box<Observed<Self::Held>>, Failure>;

    fn solve(&mut self, question: &Question<'_, Self>) -> Result<Solved<Self::Input>, Failure>;

    /// An execution that nobody looks at any more: its memory is good for the next one.
    fn take_back(&mut self, _observed: Box<Observed<Self::Held>>) {}

    /// Bytes held for the symbolic side of executions.
    fn memory(&self) -> usize {
        0
    }

    /// Drops everything that symbolic sides refer to. The explorer keeps none of them past this call.
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
    /// No decision is settled by those before it.
    pub whole: bool,
    /// When it begins, where that is known already: to read the clock takes as long as some of what is timed by it.
    pub began: Option<Instant>,
}

/// A decision that an execution is to change, and the way there.
pub struct Base<'a, H> {
    pub at: usize,
    pub held: H,
    pub before: Way<'a, H>,
}

impl<H: Copy> Clone for Base<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: Copy> Copy for Base<'_, H> {}

/// The machinery failed, not the tested code: the exploration ends with what it has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

/// Filled where it stands, one execution after the other: it is large.
pub struct Observed<H> {
    /// What the execution itself took, without the reading of what it left.
    pub took: Duration,
    /// So many decisions at the beginning are those of the way that this execution was to follow; 0 where it did not.
    pub begin: usize,
    /// Those behind, and their symbolic sides.
    pub decisions: Vec<Decision>,
    pub held: Vec<H>,
    /// Those that came out as they had to after what was decided before, each with the number of own decisions before
    /// it. They are none that could be changed.
    pub settled: Vec<(usize, Decision)>,
    /// Checks among all these that failed.
    pub failed: Vec<SiteKey>,
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
    /// Where something failed.
    pub blame: Blame,
}

/// The inputs that decided that an execution failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blame {
    /// Those that the check or the assertion that failed looks at; none where it is the same for all inputs of the path.
    pub cause: Vec<SlotKey>,
    /// Where there are none: those that the address was made of which led nowhere, or the length of what was moved.
    pub led: Vec<SlotKey>,
    /// Where there is no cause: those that the last branch before it looks at, in the same function: `i < n` of the loop that it
    /// is in.
    pub guard: Vec<SlotKey>,
}

impl<H> Observed<H> {
    /// Of an execution that ended so and did nothing.
    pub(crate) fn nothing(ending: Ending) -> Observed<H> {
        Observed {
            took: Duration::ZERO,
            begin: 0,
            decisions: Vec::new(),
            held: Vec::new(),
            settled: Vec::new(),
            failed: Vec::new(),
            ending,
            covered: Vec::new(),
            losses: Vec::new(),
            truncated: false,
            disagreements: Vec::new(),
            unreadable: None,
            blame: Blame::default(),
        }
    }

    /// Decisions from the beginning.
    pub fn length(&self) -> usize {
        self.begin + self.decisions.len()
    }

    pub fn own(&self) -> Own<'_> {
        Own { decisions: &self.decisions, settled: &self.settled }
    }
}

/// What an execution decided behind the way that it was to follow.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    pub decisions: &'a [Decision],
    /// As in [`Observed`].
    pub settled: &'a [(usize, Decision)],
}

impl<'a> Own<'a> {
    /// In no order.
    pub fn all(self) -> impl Iterator<Item = &'a Decision> {
        self.decisions.iter().chain(self.settled.iter().map(|(_, decision)| decision))
    }

    /// As they came, those that could be changed with their numbers.
    pub fn in_order(self) -> impl Iterator<Item = (Option<usize>, &'a Decision)> {
        let mut settled = self.settled.iter().peekable();
        let mut next = 0;
        std::iter::from_fn(move || {
            if let Some((_, decision)) = settled.next_if(|(before, _)| *before <= next) {
                return Some((None, decision));
            }
            let decision = self.decisions.get(next)?;
            next += 1;
            Some((Some(next - 1), decision))
        })
    }
}

impl<'a> From<&'a [Decision]> for Own<'a> {
    fn from(decisions: &'a [Decision]) -> Own<'a> {
        Own { decisions, settled: &[] }
    }
}

/// A symbolic value that became concrete, or got lost without a constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    /// Number of decisions before it; for one on the way that the execution was to follow, at least so many.
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
    pub input: &'a S::Input,
    /// The decision to change, its number and its symbolic side; what was decided before is kept.
    pub at: usize,
    pub decision: Decision,
    pub held: S::Held,
    pub before: Way<'a, S::Held>,
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
