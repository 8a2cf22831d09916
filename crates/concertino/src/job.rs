//! The seam between the command line and the pipeline: what one unit of work is, and what comes back.
//!
//! Jobs and results cross a process boundary as one line of JSON each, because every function is explored
//! in a child process: whatever goes wrong there ends one function, not the campaign.

use crate::event::Event;
use crate::options::{Options, Project};
use campaign::{Alarm, BranchSide, FunctionName, Input, Level, Problem, Statistics, Status, Test, Uncovered};
use harness::cases::Framework;
use invariant::Invariant;
use model::{Followed, Kept, Risk};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use wire::{Class, FunctionKey, Mode};

/// How much sooner native runs are cut that others wait for.
const HASTE: u64 = 5;

/// Takes events as they happen.
pub type Tell<'a> = &'a dyn Fn(Event);

/// The stages as functions, so that tests can run whole campaigns on a pipeline of their own.
#[derive(Clone, Copy)]
pub struct Pipeline {
    /// Model, harness, compile, instrument, link: once per campaign, in the coordinating process.
    pub prepare: fn(&Project, &Options, Tell<'_>) -> anyhow::Result<Prepared>,
    /// Explore one function, in a worker process. Never fails: what goes wrong is a status.
    pub explore_unit: fn(&UnitJob, &dyn Fn(Progress)) -> UnitResult,
    /// Run a candidate natively under sanitizers and judge it, in the worker process. None: a suspicion that
    /// the run did not bear out.
    pub confirm: fn(&UnitJob, &Candidate) -> Option<Alarm>,
    /// Search once for a comparison of strategies, in a worker process. Never fails.
    pub measure: fn(&Measurement, &dyn Fn(Progress)) -> compare::Run,
    /// Check alarms against the callers of the function, in the worker process: sets levels and evidence.
    pub in_context: fn(&UnitJob, &mut [Alarm]),
    /// Run one stored input natively again, for a person to see.
    pub replay: fn(&Project, &Options, &ReplayRequest, Tell<'_>) -> anyhow::Result<ReplayOutcome>,
    /// Run kept tests natively with the compiler's own coverage.
    pub cover: fn(&Project, &Options, &[KeptTests], Tell<'_>) -> anyhow::Result<coverage::Measured>,
    /// Write kept tests as C for test frameworks.
    pub export: Export,
}

pub type Export = fn(&Project, &Options, &[KeptTests], &[Framework], Tell<'_>) -> anyhow::Result<Exported>;

/// A project that is ready to be explored.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// Every function of the program, testable or not, in the order of files and lines.
    pub units: Vec<PreparedUnit>,
    /// What was left out on the way: files that do not compile, undefined symbols that became stubs.
    pub problems: Vec<Problem>,
    /// What scores look at.
    pub facts: Vec<FunctionFacts>,
}

/// What is known of a function without running it, for the score of alarms in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionFacts {
    pub file: String,
    pub name: String,
    pub line: u32,
    pub end_line: u32,
    /// Variables that it compares, and those whose own value it compares with something else than zero.
    pub compared: Vec<String>,
    pub bounded: Vec<String>,
    /// Pointers that it tests for null: variables, and members with a dot before their name.
    pub null_tests: Vec<String>,
    /// Members that its locals hold which it tests.
    pub held_tests: Vec<String>,
    /// The records that pointers which it tests for null lead to.
    pub null_types: Vec<String>,
    /// Its parameters, and those of them that it dereferences whatever else it is given.
    pub params: Vec<String>,
    pub needed: Vec<String>,
    /// What all its callers compare before they call it, as the inputs of its driver are called, and what each call keeps
    /// out.
    pub checked: Vec<(String, Vec<Kept>)>,
    /// What it assigns: variables, and members with a dot before their name.
    pub written: Vec<String>,
    /// Of what it compares or assigns, members (with a dot before their names) and globals of which the program tells
    /// all that they hold, so that the driver sets them to nothing else.
    pub ranged: Vec<String>,
    /// The same of those that the program fills from data that it is given.
    pub filled: Vec<String>,
    /// Members that it tests for null and that lead to the next record of their own type, with a dot before their names.
    pub list_ends: Vec<String>,
    /// Parameters that lead to characters and whose end it may look for.
    pub ends_sought: Vec<String>,
    /// Pointers that it follows or hands on.
    pub followed: Vec<Followed>,
    /// What may fail in its lines.
    pub risks: Vec<Risk>,
    /// Arrays in records, with a dot before their names: that it takes elements of, and that it hands on as a whole.
    pub member_arrays: Vec<String>,
    pub buffers: Vec<String>,
    /// Something in the program calls it.
    pub has_callers: bool,
    /// Its address is taken: a handler in a table, called with others through one pointer.
    pub address_taken: bool,
    /// Among the fifth of the program with the highest cyclomatic complexity.
    pub complex: bool,
    /// It ends the program, whatever it is given.
    pub never_returns: bool,
}

impl FunctionFacts {
    /// Whether it tests a member, or what it took out of it, for null.
    pub fn asks_for(&self, member: &str) -> bool {
        self.null_tests.iter().chain(&self.held_tests).any(|test| test == member)
    }
}

#[derive(Clone, Debug)]
pub struct PreparedUnit {
    pub function: FunctionName,
    /// Hash of everything in the build that this function's result depends on (its code and what it calls,
    /// flags, harness). The caller adds the options.
    pub code: String,
    /// All sides of its own branches: they count in the total even if it is skipped.
    pub branches: Vec<BranchSide>,
    pub work: Work,
}

#[derive(Clone, Debug)]
pub enum Work {
    Explore(Box<UnitJob>),
    /// Cannot be driven; the reason is a property of the code.
    Skip(String),
    /// Should have worked; harness that did not compile, instrumenter that died.
    Fail(String),
}

/// One function to explore. Everything a worker needs; it reads nothing else but the files named here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitJob {
    pub function: FunctionName,
    /// The function in the instrumented program.
    pub entry: FunctionKey,
    /// The instrumented executable, and the plain one under sanitizers.
    pub image: PathBuf,
    pub replay_image: Option<PathBuf>,
    /// Site tables of the image's translation units.
    pub sites: Vec<PathBuf>,
    pub driver: Driver,
    /// Mode of every function that `modes` does not name.
    pub default_mode: Mode,
    pub modes: Vec<(FunctionKey, Mode)>,
    /// Captured calls to begin with.
    #[serde(default)]
    pub samples: Vec<Input>,
    /// Conditions that its driver keeps inputs to, by kind.
    #[serde(default)]
    pub assumed: BTreeMap<String, u64>,
    /// What holds for all captured calls, and hardly by chance.
    #[serde(default)]
    pub invariants: Vec<Invariant>,
    /// CONCERT: drivers to start from instead of the function's own, none for itself alone.
    #[serde(default)]
    pub roots: Vec<Entry>,
    #[serde(default)]
    pub contexts: Contexts,
    pub checks: Vec<Class>,
    pub strategy: String,
    pub seed: u64,
    /// Time to explore, without confirmation.
    pub time_ms: u64,
    pub solver_time_ms: u64,
    #[serde(default)]
    pub record_queries: Option<PathBuf>,
    pub limits: Limits,
    /// False: one fork per execution.
    pub persistent: bool,
    pub sandbox: bool,
    /// Reported paths are relative to it.
    pub root: PathBuf,
    /// What lies in none of these is not the program's own code.
    pub directories: Vec<PathBuf>,
    /// Where tested code may write. In a job: the directory for all; a worker makes its own one below it.
    pub scratch: PathBuf,
}

impl UnitJob {
    /// Whether a file of the debug information is the program's: neither a system header nor generated here.
    pub fn is_of_program(&self, file: &str) -> bool {
        let is_inside = self.directories.iter().any(|directory| Path::new(file).starts_with(directory));
        is_inside && !file.contains("/.concertino/")
    }

    /// The program is run from `main`, with everything it calls real.
    pub fn is_whole_program(&self) -> bool {
        let real = |mode: Mode| mode == Mode::Real;
        self.function.name == "main"
            && real(self.default_mode)
            && self.modes.iter().all(|(_, mode)| real(*mode))
    }

    /// The same work, whose native runs are cut earlier.
    pub fn hasty(&self) -> UnitJob {
        let execution_ms = self.limits.execution_ms / HASTE;
        UnitJob { limits: Limits { execution_ms, ..self.limits }, ..self.clone() }
    }

    /// The same work, begun at another function.
    pub fn entering(&self, entry: &Entry) -> UnitJob {
        UnitJob {
            function: entry.function.clone(),
            driver: entry.driver,
            default_mode: entry.default_mode,
            modes: entry.modes.clone(),
            samples: entry.samples.clone(),
            invariants: Vec::new(),
            roots: Vec::new(),
            contexts: Contexts::default(),
            ..self.clone()
        }
    }

    /// The job whose driver an input belongs to: of a caller, where the input was found in a calling context.
    pub fn of_input(&self, input: &Input, in_context: bool) -> UnitJob {
        let entries = if in_context { &self.contexts.entries } else { &self.roots };
        match entries.iter().find(|entry| entry.function == input.function) {
            Some(entry) => self.entering(entry),
            None => self.clone(),
        }
    }
}

/// Another function of the same image to start from, and what is real then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub function: FunctionName,
    pub key: FunctionKey,
    pub driver: Driver,
    pub default_mode: Mode,
    pub modes: Vec<(FunctionKey, Mode)>,
    /// Captured calls to begin with.
    #[serde(default)]
    pub samples: Vec<Input>,
    /// Why exploring all paths from here does not show that something cannot happen, where that is so.
    pub inexact: Option<String>,
    /// What its driver limits, for the reader of a verdict.
    pub bounds: Option<String>,
}

/// The ways in which the program calls a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contexts {
    /// Callers that some context holds.
    pub entries: Vec<Entry>,
    pub paths: Vec<ContextPath>,
    /// Why these are not all the ways in which the function can be called, where that is so.
    pub open: Option<String>,
    /// Time for all of them.
    pub time_ms: u64,
    /// Alarms are to be checked.
    pub check: bool,
}

/// A calling context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContextPath {
    /// Outermost first.
    pub callers: Vec<String>,
    pub relevant: bool,
    /// Why what its outermost caller is given is not what somebody outside of the program gives, where that is so.
    #[serde(default)]
    pub inside: Option<String>,
    /// For each caller, its place in [`Contexts::entries`] or why it cannot be driven.
    pub stages: Vec<Result<usize, String>>,
}

/// One search for a comparison; its strategy and seed are the unit's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    pub unit: UnitJob,
    pub executions: u64,
    /// Count the branches of all functions of the program, not only of the one under test.
    pub whole_program: bool,
    /// Begin with random values instead of zeros.
    pub random_start: bool,
    /// Ask for violations of checks too.
    pub checks: bool,
}

impl Measurement {
    /// A run that did not come about, and why.
    pub fn without_result(&self, reason: String) -> compare::Run {
        compare::Run {
            subject: self.unit.function.name.clone(),
            strategy: self.unit.strategy.clone(),
            seed: self.unit.seed,
            total: 0,
            points: Vec::new(),
            executions: 0,
            milliseconds: 0.0,
            finished: reason,
            cost: compare::Cost::default(),
        }
    }
}

/// A driver in the table that its translation unit registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Driver {
    pub tu: u32,
    pub index: u32,
    /// Its buffers can be long.
    pub has_long: bool,
}

/// Limits of one execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    pub execution_ms: u64,
    pub heap_bytes: u64,
    pub output_bytes: u64,
    /// Records per branch site after which an execution is cut (0 = none).
    pub site_limit: u32,
    /// Bytes of an object that a read or a write at a symbolic address is expressed over, at most.
    pub read_limit: u32,
    pub write_limit: u32,
}

/// What exploring one function gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitResult {
    pub status: Status,
    pub reason: Option<String>,
    pub tests: Vec<Test>,
    pub candidates: Vec<Candidate>,
    /// Own sides that stayed uncovered although something is known about why.
    pub uncovered: Vec<Uncovered>,
    pub statistics: Statistics,
}

impl UnitResult {
    pub fn failed(reason: impl Into<String>) -> UnitResult {
        UnitResult::without_tests(Status::Failed, reason.into())
    }

    pub fn skipped(reason: impl Into<String>) -> UnitResult {
        UnitResult::without_tests(Status::Skipped, reason.into())
    }

    /// What another driver of the same function gave.
    pub fn add(&mut self, other: UnitResult) {
        if self.status != Status::Done && other.status == Status::Done {
            self.status = other.status;
            self.reason = other.reason;
        }
        self.tests.extend(other.tests);
        self.candidates.extend(other.candidates);
        let both = |side: &Uncovered| other.uncovered.iter().any(|others| others.side == side.side);
        self.uncovered.retain(both);
        self.statistics.add(&other.statistics);
    }

    /// What a further exploration with the same driver gave: of its tests only those that cover something more.
    pub fn add_further(&mut self, mut other: UnitResult) {
        if other.status != Status::Done {
            return;
        }
        let mut covered: BTreeSet<BranchSide> =
            self.tests.iter().flat_map(|test| test.covers.iter().cloned()).collect();
        other.tests.retain(|test| {
            let before = covered.len();
            covered.extend(test.covers.iter().cloned());
            covered.len() > before
        });
        self.uncovered.retain(|side| !covered.contains(&side.side));
        self.tests.extend(other.tests);
        // The place of a path without an end is found later, and a wild access is the same fault as one near by.
        let is_same = |known: &Candidate, candidate: &Candidate| {
            let in_line = (&known.file, known.line) == (&candidate.file, candidate.line);
            match candidate.class {
                Class::NonTermination | Class::StackOverflow => known.class == candidate.class,
                Class::Other => in_line,
                class => in_line && known.class == class,
            }
        };
        let is_known = |candidate: &Candidate| self.candidates.iter().any(|known| is_same(known, candidate));
        other.candidates.retain(|candidate| !is_known(candidate));
        self.candidates.extend(other.candidates);
        other.statistics.terminations.clear();
        self.statistics.add(&other.statistics);
    }

    fn without_tests(status: Status, reason: String) -> UnitResult {
        UnitResult {
            status,
            reason: Some(reason),
            tests: Vec::new(),
            candidates: Vec::new(),
            uncovered: Vec::new(),
            statistics: Statistics::default(),
        }
    }
}

/// Of alarms that no native run was made for.
pub const NOT_RUN: &str = "not run";

/// A violation that the exploration saw, before anything confirmed it. One per place and class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub class: Class,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The function that holds the place.
    pub function: String,
    /// Nothing was violated yet: a path that may have no end.
    pub suspected: bool,
    pub input: Input,
    /// Other inputs that ended there, and the names of what the violated condition looks at.
    pub later: Vec<(Input, Vec<String>)>,
    pub evidence: serde_json::Value,
}

/// The inputs that a failure depends on, as its evidence names them.
pub(crate) fn cause_in(evidence: &serde_json::Value) -> impl Iterator<Item = &str> + Clone {
    names_in(evidence, "cause")
}

/// The inputs that a part of the evidence names.
pub(crate) fn names_in<'e>(
    evidence: &'e serde_json::Value,
    part: &str,
) -> impl Iterator<Item = &'e str> + Clone {
    evidence[part].as_array().into_iter().flatten().filter_map(|name| name.as_str())
}

impl Candidate {
    /// The same on one of its later inputs.
    pub fn on(&self, input: &Input, cause: &[String]) -> Candidate {
        let mut evidence = self.evidence.clone();
        if let Some(evidence) = evidence.as_object_mut() {
            evidence.insert("cause".to_owned(), cause.into());
            // That was another input's.
            evidence.remove("led");
            evidence.remove("guard");
        }
        Candidate { input: input.clone(), later: Vec::new(), evidence, ..self.clone() }
    }

    /// As an alarm that no native run has confirmed, and why.
    pub fn unconfirmed(&self, reason: impl Into<String>, replayed: impl Into<String>) -> Alarm {
        Alarm {
            class: self.class,
            file: self.file.clone(),
            line: self.line,
            column: self.column,
            function: self.function.clone(),
            level: Level::Unit,
            reason: reason.into(),
            score: 0.0,
            input: self.input.clone(),
            replayed: replayed.into(),
            evidence: self.evidence.clone(),
        }
    }
}

/// How far a running exploration is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub executions: u64,
    pub paths: u64,
}

/// The tests of one function that are to be run natively, by the names of their inputs.
#[derive(Clone, Debug)]
pub struct KeptTests {
    pub function: FunctionName,
    pub inputs: Vec<(String, Input)>,
    /// By input: the branches that it is there for, as lines of a comment.
    pub purposes: HashMap<String, Vec<String>>,
}

/// Tests as files of C.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// For each framework, the name and text of its files.
    pub files: Vec<(Framework, Vec<(String, String)>)>,
    pub cases: usize,
    /// Cases that cannot be written or do not pass, and why.
    pub left_out: Vec<(String, String)>,
}

/// One stored input to be run natively.
#[derive(Clone, Debug)]
pub struct ReplayRequest {
    pub input: Input,
    /// The file that holds it.
    pub path: PathBuf,
    /// The function under test, where it is not the one whose driver the input is for.
    pub unit: Option<FunctionName>,
    /// The input is one of a caller, with everything below it real.
    pub in_context: bool,
    /// In the debugger, on the user's terminal.
    pub gdb: bool,
}

#[derive(Clone, Debug)]
pub struct ReplayOutcome {
    /// The sanitizer's verdict, as in `replayed` of the report.
    pub verdict: String,
    /// Whether it is a failure of the tested code.
    pub failed: bool,
    /// What the program and the sanitizer printed.
    pub output: String,
}

/// What a worker process answers in the end; [`Progress`] lines may come before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerResult {
    pub unit: UnitResult,
    pub alarms: Vec<Alarm>,
    pub time_ms: u64,
}
