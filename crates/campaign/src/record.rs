//! What a campaign keeps: plain records, as they are stored, sent by a worker, and read by reports.
//!
//! Places are named by file, line and column, never by numbers of one build, so that records of an old
//! build stay readable. Paths are relative to the project's root where they lie below it.

pub use alarm::Level;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use wire::{Class, End};

/// A function of the program as a reader names it; the key of everything that is stored about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionName {
    pub file: String,
    pub name: String,
    pub line: u32,
}

impl fmt::Display for FunctionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}:{})", self.name, self.file, self.line)
    }
}

/// How the work on a function ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Driven and explored, to the end or to the time limit.
    Done,
    /// It cannot be driven; the reason is a property of the code.
    Skipped,
    /// It should have worked and did not; the reason is ours.
    Failed,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Done => "done",
            Status::Skipped => "skipped",
            Status::Failed => "failed",
        }
    }
}

/// One side of a branch of the source: what branch coverage counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BranchSide {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Which of several branches at this line and column (macros, short circuits), in block order.
    pub index: u32,
    /// 0 = false, 1 = true; of a switch 0 = default, i + 1 = case i.
    pub side: u32,
}

/// A side of the function's own branches that no test took, and why, where that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncovered {
    pub side: BranchSide,
    pub why: String,
}

/// One input that was kept because it showed something new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    pub input: crate::Input,
    pub end: End,
    /// Sides that this input takes, of any function of the program.
    pub covers: Vec<BranchSide>,
}

/// A claim with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alarm {
    pub class: Class,
    pub file: String,
    pub line: u32,
    /// 0 when unknown.
    pub column: u32,
    /// The function that holds the failing line (the function under test is the record's owner).
    pub function: String,
    pub level: Level,
    pub reason: String,
    /// How much it deserves a reader's time, in points; the evidence has the rules.
    pub score: f64,
    pub input: crate::Input,
    /// The verdict of the native run under sanitizers: its own words, or why there was none.
    pub replayed: String,
    /// Whatever supports the claim: call stack, sanitizer report, rules that moved the score.
    pub evidence: serde_json::Value,
}

/// Counts of the engine; summed over functions in reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Statistics {
    pub executions: u64,
    /// Distinct paths seen.
    pub paths: u64,
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    /// Solver answers without a result, by reason.
    pub unknown: BTreeMap<String, u64>,
    pub divergences: BTreeMap<String, u64>,
    pub concretisations: BTreeMap<String, u64>,
    /// Executions by the name of their ending.
    pub ends: BTreeMap<String, u64>,
    pub solver_ms: u64,
    pub execution_ms: u64,
    /// What the end of the search says about the function: `all-paths`, `all-branches`, `all-sides`, `budget` or
    /// `stopped`, each with the number of functions.
    pub terminations: BTreeMap<String, u64>,
    /// Captured calls that the search began with.
    pub samples: u64,
    /// Conditions that drivers keep inputs to, by kind.
    pub assumed: BTreeMap<String, u64>,
    /// Exploring the function, and checking its alarms against its callers.
    pub exploring_ms: u64,
    pub filtering_ms: u64,
    /// Choosing what to explore.
    pub selection_us: u64,
    /// Decisions in execution trees, and the bytes of the trees.
    pub tree_nodes: u64,
    pub tree_bytes: u64,
}

impl Statistics {
    pub fn add(&mut self, other: &Statistics) {
        self.executions += other.executions;
        self.paths += other.paths;
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.solver_ms += other.solver_ms;
        self.execution_ms += other.execution_ms;
        self.samples += other.samples;
        self.exploring_ms += other.exploring_ms;
        self.filtering_ms += other.filtering_ms;
        self.selection_us += other.selection_us;
        self.tree_nodes += other.tree_nodes;
        self.tree_bytes += other.tree_bytes;
        for (mine, theirs) in [
            (&mut self.unknown, &other.unknown),
            (&mut self.divergences, &other.divergences),
            (&mut self.concretisations, &other.concretisations),
            (&mut self.ends, &other.ends),
            (&mut self.assumed, &other.assumed),
            (&mut self.terminations, &other.terminations),
        ] {
            for (kind, count) in theirs {
                *mine.entry(kind.clone()).or_default() += count;
            }
        }
    }
}

/// Everything about one function, stored in one transaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionRecord {
    pub name: FunctionName,
    /// Of code, flags and options: equal means that there is nothing to do.
    pub fingerprint: String,
    pub status: Status,
    pub reason: Option<String>,
    /// All sides of the function's own branches.
    pub branches: Vec<BranchSide>,
    pub uncovered: Vec<Uncovered>,
    pub tests: Vec<Test>,
    pub alarms: Vec<Alarm>,
    pub statistics: Statistics,
    pub time_ms: u64,
}

/// Something that was left out, with its place if it has one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Problem {
    pub file: Option<String>,
    pub line: Option<u32>,
    pub message: String,
}
