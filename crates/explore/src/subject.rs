//! What the loop needs of the thing under test: run an input, and find an input for a path with one decision
//! changed. The real one is [`crate::unit::Unit`]; tests put a simulated program here.

use crate::decision::{Decision, Goal};
use crate::sites::Counter;
use std::time::Duration;
use wire::log::Concretised;
use wire::{Class, End, SiteKey};

pub trait Subject {
    type Input: Clone;
    /// The symbolic side of an execution.
    type Path;

    fn run(&mut self, input: &Self::Input, how: Run) -> Result<Observed<Self::Path>, Failure>;

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
    /// Report every counter that this execution hits, not only the first hits of the process.
    pub full_coverage: bool,
}

/// The machinery failed, not the tested code: the exploration ends with what it has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

pub struct Observed<P> {
    pub decisions: Vec<Decision>,
    pub ending: Ending,
    /// Counters hit, at least those that the process had not hit before.
    pub covered: Vec<Counter>,
    /// Where precision was given up, in order.
    pub losses: Vec<Loss>,
    /// Records are missing at the end.
    pub truncated: bool,
    /// Decisions whose symbolic condition does not evaluate to what happened; only when asked to verify.
    pub disagreements: Vec<usize>,
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
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    pub end: End,
    /// Exit code, signal number, or class code of a violation.
    pub value: i32,
    pub site: Option<SiteKey>,
    pub pc: u64,
    pub address: u64,
}

impl Ending {
    pub fn returned() -> Ending {
        Ending { end: End::Returned, value: 0, site: None, pc: 0, address: 0 }
    }

    /// The class of fault that this ending shows, if it shows one.
    pub fn class(&self) -> Option<Class> {
        match self.end {
            End::Violation => {
                let class = u16::try_from(self.value).ok().and_then(Class::from_code);
                Some(class.unwrap_or(Class::Other))
            }
            // The first pages are never mapped: an address there is a null pointer plus an offset.
            End::Segfault if self.address < 1 << 16 => Some(Class::NullDereference),
            end => end.class(),
        }
    }

    /// The execution was stopped from outside, so its path is only a prefix.
    pub fn is_cut(&self) -> bool {
        matches!(
            self.end,
            End::Timeout | End::LogFull | End::OutOfMemory | End::OutputLimit | End::Killed | End::Forbidden
        )
    }
}

pub struct Question<'a, S: Subject + ?Sized> {
    pub path: &'a S::Path,
    pub input: &'a S::Input,
    pub decisions: &'a [Decision],
    /// The decision to change; those before it are kept.
    pub at: usize,
    pub goal: Goal,
    /// For [`Goal::Other`]: the outcomes to avoid.
    pub avoid: &'a [u64],
    pub time_limit: Duration,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solved<I> {
    Input(I),
    Infeasible,
    /// With the reason, a short name.
    Unknown(String),
}
