//! The machine-readable result, version 1. Scripts of others read it: fields may be added, never changed.
//!
//! `schema/report-v1.json` describes it; a test validates documents against the schema.

use crate::{Findings, explain};
use campaign::{AlarmView, FunctionName, FunctionView, Problem, Status};
use coverage::Criterion;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub const VERSION: u32 = 1;

#[derive(Clone, Debug, Serialize)]
pub struct Document {
    pub version: u32,
    pub functions: Vec<Function>,
    pub alarms: Vec<Alarm>,
    pub coverage: Coverage,
    pub engine: Engine,
    pub problems: Vec<Problem>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Function {
    pub name: String,
    pub file: String,
    pub line: u32,
    pub status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub branches: Ratio,
    pub tests: u64,
    pub paths: u64,
    pub time_ms: u64,
    /// Executions of its driver.
    pub executions: u64,
    /// What the end of the search says about the function: `all-paths`, `all-branches` (the rest is proved
    /// infeasible), `all-sides` (some are undecided), `budget` or `stopped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub termination: Option<String>,
    /// How executions ended, by the names in docs/manual/endings.md.
    pub ends: BTreeMap<String, u64>,
    /// Of a tested function: the sides of its branches that no test takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncovered: Vec<UncoveredSide>,
    /// What holds for all captured calls of it, and hardly by chance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UncoveredSide {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// `when true`, `when false`, `case N` (the N-th of a switch) or `default`.
    pub side: String,
    /// Begins with its kind: `infeasible`, `blocked` (by a stub), `unsupported` or `budget`.
    pub why: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ratio {
    pub covered: u64,
    pub total: u64,
    /// Of conditions: not covered, and proved never to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Alarm {
    pub id: String,
    pub class: campaign::Class,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub level: campaign::Level,
    pub reason: String,
    pub score: f64,
    /// Its score is below `[score] doubtful-below`: it may well be the driver's doing.
    pub doubtful: bool,
    /// Relative to the project's root.
    pub input: String,
    pub replayed: String,
    /// The function under test.
    pub unit: FunctionName,
    /// Other functions under test that fail at the same place.
    pub also: Vec<FunctionName>,
    /// The alarm that speaks for this one, by its id: the same members of an object, or the same null pointer, make
    /// both happen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_cause_as: Option<String>,
    /// The alarms that this one speaks for.
    pub same_cause: Vec<String>,
    pub evidence: serde_json::Value,
}

#[derive(Clone, Debug, Serialize)]
pub struct Coverage {
    pub branches: Ratio,
    /// Conditions whose independent effect the kept tests show, measured natively; by unique cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcdc: Option<Ratio>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

/// What `concertino coverage` measured, in figures.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    pub tests: u64,
    pub branches: Ratio,
    pub mcdc_unique_cause: Ratio,
    pub mcdc_masking: Ratio,
    pub functions: Vec<MeasuredFunction>,
    pub problems: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct MeasuredFunction {
    pub name: String,
    pub file: String,
    pub line: u32,
    pub branches: Ratio,
    pub mcdc_unique_cause: Ratio,
    pub mcdc_masking: Ratio,
    /// Decisions that MC/DC leaves out because clang does not measure them.
    pub decisions_not_measured: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Engine {
    pub executions: u64,
    pub queries: u64,
    pub divergences: BTreeMap<String, u64>,
    pub concretisations: BTreeMap<String, u64>,
    pub paths: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: BTreeMap<String, u64>,
    pub solver_ms: u64,
    pub execution_ms: u64,
    /// Functions by what the end of their search says about them.
    pub terminations: BTreeMap<String, u64>,
    /// Captured calls that searches began with.
    pub samples: u64,
    /// Conditions that drivers keep inputs to, by kind, and executions by the name of their ending.
    pub assumed: BTreeMap<String, u64>,
    pub ends: BTreeMap<String, u64>,
    /// Exploring functions, and checking their alarms against their callers.
    pub exploring_ms: u64,
    pub filtering_ms: u64,
    pub selection_us: u64,
    pub tree_nodes: u64,
    pub tree_bytes: u64,
}

impl Document {
    pub fn new(findings: &Findings<'_>) -> Document {
        let view = findings.view;
        let statistics = view.statistics();
        Document {
            version: VERSION,
            functions: view.functions.iter().map(|of| function(findings, of)).collect(),
            alarms: view.alarms.iter().map(|found| alarm(findings, found)).collect(),
            coverage: Coverage {
                branches: Ratio::of(view.sides().into_values()),
                mcdc: findings.measured.map(|of| conditions(of.mcdc_ratio(Criterion::UniqueCause))),
                measured: findings.measured.map(measured),
            },
            engine: Engine {
                executions: statistics.executions,
                queries: statistics.queries,
                divergences: statistics.divergences,
                concretisations: statistics.concretisations,
                paths: statistics.paths,
                sat: statistics.sat,
                unsat: statistics.unsat,
                unknown: statistics.unknown,
                solver_ms: statistics.solver_ms,
                execution_ms: statistics.execution_ms,
                terminations: statistics.terminations,
                samples: statistics.samples,
                assumed: statistics.assumed,
                ends: statistics.ends,
                exploring_ms: statistics.exploring_ms,
                filtering_ms: statistics.filtering_ms,
                selection_us: statistics.selection_us,
                tree_nodes: statistics.tree_nodes,
                tree_bytes: statistics.tree_bytes,
            },
            problems: view.problems.clone(),
        }
    }

    pub fn to_text(&self) -> String {
        // Maps have string keys and numbers are finite or null: writing JSON cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl Ratio {
    pub fn of(sides: impl Iterator<Item = bool>) -> Ratio {
        sides.fold(Ratio::default(), |ratio, covered| Ratio {
            covered: ratio.covered + u64::from(covered),
            total: ratio.total + 1,
            infeasible: None,
        })
    }

    /// None when there is nothing to cover.
    pub fn percent(self) -> Option<f64> {
        (self.total > 0).then(|| 100.0 * self.covered as f64 / self.total as f64)
    }
}

fn sides(ratio: coverage::Ratio) -> Ratio {
    Ratio { covered: ratio.covered, total: ratio.total, infeasible: None }
}

fn conditions(ratio: coverage::Ratio) -> Ratio {
    Ratio { infeasible: Some(ratio.infeasible), ..sides(ratio) }
}

fn measured(of: &coverage::Measured) -> Measured {
    let function = |function: &coverage::MeasuredFunction| MeasuredFunction {
        name: function.name.clone(),
        file: function.file.clone(),
        line: function.line,
        branches: sides(function.branch_ratio()),
        mcdc_unique_cause: conditions(function.mcdc_ratio(Criterion::UniqueCause)),
        mcdc_masking: conditions(function.mcdc_ratio(Criterion::Masking)),
        decisions_not_measured: function.refused.len() as u64,
    };
    Measured {
        tests: of.tests.len() as u64,
        branches: sides(of.branch_ratio()),
        mcdc_unique_cause: conditions(of.mcdc_ratio(Criterion::UniqueCause)),
        mcdc_masking: conditions(of.mcdc_ratio(Criterion::Masking)),
        functions: of.functions.iter().map(function).collect(),
        problems: of.problems.clone(),
    }
}

/// What is said about a function that no run has come to.
pub(crate) const NOT_TESTED: &str = "not tested yet";

fn function(findings: &Findings<'_>, function: &FunctionView) -> Function {
    let reason = function.reason.clone();
    let (status, reason) = match function.status {
        Some(status) => (status, reason),
        None => (Status::Skipped, Some(NOT_TESTED.to_owned())),
    };
    Function {
        name: function.name.name.clone(),
        file: function.name.file.clone(),
        line: function.name.line,
        status,
        reason,
        branches: Ratio::of(function.sides.iter().map(|side| side.covered)),
        tests: function.tests.len() as u64,
        paths: function.statistics.paths,
        time_ms: function.time_ms,
        executions: function.statistics.executions,
        termination: function.statistics.terminations.keys().next().cloned(),
        ends: function.statistics.ends.clone(),
        uncovered: uncovered(function),
        invariants: findings.invariants_of(&function.name).to_vec(),
    }
}

fn uncovered(function: &FunctionView) -> Vec<UncoveredSide> {
    let missing = function.sides.iter().filter(|side| !side.covered && function.status == Some(Status::Done));
    missing
        .map(|view| UncoveredSide {
            file: view.side.file.clone(),
            line: view.side.line,
            column: view.side.column,
            side: explain::side_name(function, view),
            why: explain::why(function, view),
        })
        .collect()
}

fn alarm(findings: &Findings<'_>, alarm: &AlarmView) -> Alarm {
    Alarm {
        id: alarm.id.clone(),
        class: alarm.class,
        file: alarm.file.clone(),
        line: alarm.line,
        column: alarm.column,
        function: alarm.function.clone(),
        level: alarm.level,
        reason: alarm.reason.clone(),
        score: alarm.score,
        doubtful: alarm.is_doubtful(),
        input: input_path(findings, alarm).display().to_string(),
        replayed: alarm.replayed.clone(),
        unit: alarm.unit.clone(),
        also: alarm.also.clone(),
        same_cause_as: alarm.same_cause_as.clone(),
        same_cause: alarm.same_cause.clone(),
        evidence: alarm.evidence.clone(),
    }
}

/// Relative to the root where the campaign lies below it.
pub(crate) fn input_path(findings: &Findings<'_>, alarm: &AlarmView) -> PathBuf {
    let path = findings.directory.input_path(&alarm.input);
    path.strip_prefix(findings.root).map(PathBuf::from).unwrap_or(path)
}
