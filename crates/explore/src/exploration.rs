//! What an exploration leaves behind: tests, coverage, candidate alarms, and the figures that tell how far
//! to trust them.

use crate::conclusion::Conclusion;
use crate::divergence::{self, Divergence};
use crate::sites::Counter;
use crate::subject::Blame;
use execute::Ending;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use wire::log::Concretised;
use wire::{Class, SiteKey, SlotKey};

#[derive(Clone, Debug)]
pub struct Exploration<I> {
    pub tests: Vec<Test<I>>,
    /// Every counter hit, sorted.
    pub covered: Vec<Counter>,
    /// Measured sides covered, and measured sides.
    pub coverage: (usize, usize),
    pub alarms: Vec<CandidateAlarm<I>>,
    /// Why measured sides that were met symbolically stay uncovered.
    pub uncovered: Vec<Uncovered>,
    pub statistics: Statistics,
    pub finished: Finished,
    /// What that means for the unit.
    pub conclusion: Conclusion,
}

#[derive(Clone, Debug)]
pub struct Test<I> {
    pub input: I,
    pub ending: Ending,
    /// Counters that no earlier test hit.
    pub new_coverage: Vec<Counter>,
    /// Number of the execution, from 1.
    pub execution: u64,
}

/// A fault that was seen once; the replay under sanitizers decides what becomes of it.
#[derive(Clone, Debug)]
pub struct CandidateAlarm<I> {
    pub class: Class,
    pub place: Place,
    pub input: I,
    pub ending: Ending,
    pub blame: Blame,
    /// Some of the later inputs that ended here, each with what its condition looks at: the first one may fail for
    /// something that its driver made up, another one for what the function does itself.
    pub later: Vec<(I, Vec<SlotKey>)>,
    /// How many executions ended here.
    pub hits: u64,
}

/// What tells alarms of one class apart; inside models and the runtime also the innermost return addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Site(SiteKey),
    Address(u64),
    /// The place says nothing: where a time limit strikes, or which call of a recursion is one too many.
    Unit,
}

/// A side that was asked for and not covered; the counts are over the paths that reached its decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    pub site: SiteKey,
    pub outcome: u64,
    pub infeasible: u32,
    pub unknown: u32,
    pub diverged: u32,
    pub untried: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub executions: u64,
    /// Executions of known inputs, to rebuild their paths.
    pub reruns: u64,
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: BTreeMap<String, u64>,
    /// Count and first example of each kind.
    pub divergences: BTreeMap<divergence::Kind, (u64, Divergence)>,
    /// Conditions that did not evaluate to what happened: count by site.
    pub disagreements: BTreeMap<SiteKey, u64>,
    /// Executions whose log made no sense, by reason.
    pub unreadable: BTreeMap<String, u64>,
    /// Executions whose conditions were compared with what happened.
    pub verified: u64,
    pub concretisations: BTreeMap<(Concretised, SiteKey), u64>,
    pub lost: BTreeMap<Concretised, u64>,
    pub endings: BTreeMap<wire::End, u64>,
    pub truncated: u64,
    /// Nodes of the execution tree, and sides left untried.
    pub nodes: u64,
    pub untried: u64,
    /// Sides that only inputs take which are larger than the driver makes, if it was asked.
    pub beyond_limits: u64,
    /// Bytes of the tree, and decisions of the longest path.
    pub tree_bytes: u64,
    pub longest_path: u64,
    pub resets: u64,
    pub time: TimeSplit,
}

impl Statistics {
    pub fn diverged(&self) -> u64 {
        self.divergences.values().map(|(count, _)| count).sum()
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct TimeSplit {
    pub total: Duration,
    /// Running inputs, and reading what they left: that is a sample after the first executions, as in `selecting`.
    pub executing: Duration,
    pub solving: Duration,
    /// Choosing sides and telling the strategy what came of them, and the little that lies between.
    pub selecting: Duration,
}

impl TimeSplit {
    /// What the loop, the tree and the strategy took.
    pub fn own(&self) -> Duration {
        self.total.saturating_sub(self.executing + self.solving)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finished {
    /// Every path was executed or shown infeasible.
    AllPaths,
    /// Every side was tried; some are undecided, diverged, cut or left out by a bound.
    AllSides,
    /// Every measured side is covered and every check was asked for.
    Covered,
    Executions,
    Time,
    /// The observer asked for it.
    Stopped,
    Failed(String),
}

impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finished::AllPaths => f.write_str("all paths explored"),
            Finished::AllSides => f.write_str("all sides tried"),
            Finished::Covered => f.write_str("all branches covered"),
            Finished::Executions => f.write_str("execution budget spent"),
            Finished::Time => f.write_str("time budget spent"),
            Finished::Stopped => f.write_str("stopped"),
            Finished::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}
