//! Coverage as it was measured: for each function the branches with how often each side was taken, and the
//! decisions with the test vectors that were seen. Written and read as JSON; reports are made from it.

use crate::decision::{Criterion, Vector};
use crate::mapping::Span;
use crate::refused::Refused;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const VERSION: u32 = 1;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub version: u32,
    /// By file, line and name.
    pub functions: Vec<MeasuredFunction>,
    /// Executions of lines, by file: those that hold code.
    pub lines: BTreeMap<String, BTreeMap<u32, u64>>,
    /// The tests that were run, by the name of their input.
    pub tests: Vec<RanTest>,
    /// A small set of tests with the same branch and MC/DC coverage, as indices into `tests`.
    #[serde(default)]
    pub sufficient: Vec<usize>,
    /// What could not be measured, and where the two ways to count disagree.
    pub problems: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RanTest {
    pub function: String,
    pub file: String,
    pub input: String,
    /// How the native run ended.
    pub end: String,
    pub time_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredFunction {
    pub name: String,
    pub file: String,
    pub line: u32,
    pub end_line: u32,
    pub calls: u64,
    pub branches: Vec<Branch>,
    /// The sides that count as taken where one side is what is left of the executions: llvm-cov's figure. It has sides in it
    /// that no test took, because one ended before the choice.
    #[serde(default)]
    pub sides_by_subtraction: u64,
    pub decisions: Vec<Decision>,
    /// Decisions that are not measured: clang has no test vectors for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refused>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl From<Span> for Place {
    fn from(span: Span) -> Place {
        Place { line: span.line, column: span.column, end_line: span.end_line, end_column: span.end_column }
    }
}

/// A condition or a case of a switch. Constant ones are left out: they have one side only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// None: in the function's own file. Else the header that holds the macro.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub place: Place,
    pub when_true: u64,
    pub when_false: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub place: Place,
    pub conditions: Vec<Condition>,
    /// Each once, in an order that does not depend on the tests.
    pub vectors: Vec<Vector>,
    /// By vector: the tests that show it, as indices into [`Measured::tests`].
    pub shown_by: Vec<Vec<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub place: Place,
    /// Constant: it has no independent effect, and counts for nothing.
    pub constant: bool,
    /// Two vectors that show its independent effect, no other evaluated condition differing.
    pub unique_cause: Option<(usize, usize)>,
    /// The same where others may differ if they are masked.
    pub masking: Option<(usize, usize)>,
    /// The criteria by which no two vectors can show it: of each such pair one is proved never to be taken, by what the
    /// function itself says and whatever its inputs and callees do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub infeasible: Vec<Criterion>,
}

impl Condition {
    pub fn pair(&self, criterion: Criterion) -> Option<(usize, usize)> {
        match criterion {
            Criterion::UniqueCause => self.unique_cause,
            Criterion::Masking => self.masking,
        }
    }
}

/// Covered of how many, and how many of the others cannot be covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratio {
    pub covered: u64,
    pub total: u64,
    /// Not covered, and proved never to be; part of the total.
    #[serde(default)]
    pub infeasible: u64,
}

impl Ratio {
    pub fn of(covered: impl IntoIterator<Item = bool>) -> Ratio {
        covered.into_iter().fold(Ratio::default(), |ratio, covered| Ratio {
            covered: ratio.covered + u64::from(covered),
            total: ratio.total + 1,
            ..ratio
        })
    }
}

impl std::ops::Add for Ratio {
    type Output = Ratio;

    fn add(self, other: Ratio) -> Ratio {
        Ratio {
            covered: self.covered + other.covered,
            total: self.total + other.total,
            infeasible: self.infeasible + other.infeasible,
        }
    }
}

impl std::iter::Sum for Ratio {
    fn sum<I: Iterator<Item = Ratio>>(ratios: I) -> Ratio {
        ratios.fold(Ratio::default(), |sum, ratio| sum + ratio)
    }
}

impl MeasuredFunction {
    /// Sides of branches.
    pub fn branch_ratio(&self) -> Ratio {
        Ratio::of(self.branches.iter().flat_map(|branch| [branch.when_true > 0, branch.when_false > 0]))
    }

    /// Conditions of decisions whose independent effect was shown.
    pub fn mcdc_ratio(&self, criterion: Criterion) -> Ratio {
        let conditions = self.decisions.iter().flat_map(|decision| &decision.conditions);
        let counted: Vec<&Condition> = conditions.filter(|c| !c.constant).collect();
        let shown = Ratio::of(counted.iter().map(|condition| condition.pair(criterion).is_some()));
        let infeasible = counted.iter().filter(|condition| condition.infeasible.contains(&criterion)).count();
        Ratio { infeasible: infeasible as u64, ..shown }
    }
}

impl Measured {
    pub fn branch_ratio(&self) -> Ratio {
        self.functions.iter().map(MeasuredFunction::branch_ratio).sum()
    }

    pub fn mcdc_ratio(&self, criterion: Criterion) -> Ratio {
        self.functions.iter().map(|function| function.mcdc_ratio(criterion)).sum()
    }

    /// The functions of each file.
    pub fn files(&self) -> BTreeMap<&str, Vec<&MeasuredFunction>> {
        let mut files: BTreeMap<&str, Vec<&MeasuredFunction>> = BTreeMap::new();
        for function in &self.functions {
            files.entry(&function.file).or_default().push(function);
        }
        files
    }

    pub fn function(&self, file: &str, name: &str) -> Option<&MeasuredFunction> {
        self.functions.iter().find(|function| function.file == file && function.name == name)
    }
}
