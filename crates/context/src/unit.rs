//! The functions of a unit: real code around the function under test; everything else it calls is a stub.

use model::transitive::CallGraph;
use model::{FunctionId, Program};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::str::FromStr;

/// How the functions of a unit are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Technique {
    #[default]
    /// Callees that the function depends on, along callees that it depends on.
    Conbrio,
    /// The same by correlation, below callers that correlate: the roots are driven instead of the function.
    Concert,
    /// Callees whose relevance is in the top 30% of all pairs.
    Focal,
    /// No callee at all: plain symbolic unit testing.
    Sut,
    /// Callees at most so many calls away.
    Distance(u32),
    /// Callees defined in the same file.
    Task,
    /// Every callee.
    All,
}

impl Technique {
    pub const NAMES: &'static [&'static str] =
        &["conbrio", "concert", "focal", "sut", "distance:N", "task", "all"];
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no way to choose a unit: use one of conbrio, concert, focal, sut, distance:N, task, all")]
pub struct TechniqueError(String);

impl FromStr for Technique {
    type Err = TechniqueError;

    fn from_str(text: &str) -> Result<Technique, TechniqueError> {
        Ok(match text {
            "conbrio" => Technique::Conbrio,
            "concert" => Technique::Concert,
            "focal" => Technique::Focal,
            "sut" => Technique::Sut,
            "task" => Technique::Task,
            "all" => Technique::All,
            other => {
                let distance = other.strip_prefix("distance:").and_then(|number| number.parse().ok());
                Technique::Distance(distance.ok_or_else(|| TechniqueError(other.to_owned()))?)
            }
        })
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Technique::Conbrio => f.write_str("conbrio"),
            Technique::Concert => f.write_str("concert"),
            Technique::Focal => f.write_str("focal"),
            Technique::Sut => f.write_str("sut"),
            Technique::Distance(bound) => write!(f, "distance:{bound}"),
            Technique::Task => f.write_str("task"),
            Technique::All => f.write_str("all"),
        }
    }
}

impl TryFrom<String> for Technique {
    type Error = TechniqueError;

    fn try_from(text: String) -> Result<Technique, TechniqueError> {
        text.parse()
    }
}

impl From<Technique> for String {
    fn from(technique: Technique) -> String {
        technique.to_string()
    }
}

/// A function that is real in a unit, or that was looked at and left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub function: FunctionId,
    /// The measure that decided, where there is one.
    pub value: Option<f64>,
    pub reason: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// The function under test first.
    pub real: Vec<Member>,
    /// Functions next to the real ones that become stubs.
    pub stubs: Vec<Member>,
}

impl Unit {
    pub fn functions(&self) -> BTreeSet<FunctionId> {
        self.real.iter().map(|member| member.function).collect()
    }
}

/// The unit of a function by a technique; `measure` is what the technique compares with `threshold` (dependency
/// or its estimate, correlation, relevance), unused by the purely static ones.
pub fn unit_of(
    program: &Program,
    graph: &CallGraph,
    function: FunctionId,
    technique: Technique,
    measure: &dyn Fn(FunctionId) -> f64,
    threshold: f64,
) -> Unit {
    let distances = distances(graph, function);
    let file = program.functions.get(function.index()).map(|function| function.file);
    let same_file = |other: FunctionId| program.functions.get(other.index()).map(|f| f.file) == file;
    let judge = |other: FunctionId| -> Verdict {
        let distance = distances.get(&other).copied().unwrap_or(u32::MAX);
        let calls = if distance == 1 { "call" } else { "calls" };
        match technique {
            Technique::All => Verdict::by(true, format!("{distance} {calls} away")),
            Technique::Sut => Verdict::by(false, "plain symbolic unit testing takes no callee".into()),
            Technique::Distance(bound) => {
                Verdict::by(distance <= bound, format!("{distance} {calls} away, bound {bound}"))
            }
            Technique::Task if same_file(other) => Verdict::by(true, "defined in the same file".into()),
            Technique::Task => Verdict::by(false, "defined in another file".into()),
            Technique::Conbrio | Technique::Concert | Technique::Focal => {
                Verdict::measured(technique, measure(other), threshold)
            }
        }
    };
    let reached = reachable_while(graph, function, &|other| judge(other).real);
    let mut unit = Unit {
        real: vec![Member { function, value: None, reason: "the function under test".into() }],
        stubs: Vec::new(),
    };
    unit.real
        .extend(reached.iter().filter(|other| **other != function).map(|other| judge(*other).member(*other)));
    let beside: BTreeSet<FunctionId> = reached
        .iter()
        .flat_map(|member| graph.callees(*member))
        .filter(|callee| !reached.contains(callee))
        .copied()
        .collect();
    unit.stubs.extend(beside.into_iter().map(|other| judge(other).member(other)));
    unit
}

struct Verdict {
    real: bool,
    value: Option<f64>,
    reason: String,
}

impl Verdict {
    fn by(real: bool, reason: String) -> Verdict {
        Verdict { real, value: None, reason }
    }

    fn measured(technique: Technique, value: f64, threshold: f64) -> Verdict {
        let name = match technique {
            Technique::Concert => "correlation",
            Technique::Focal => "relevance",
            _ => "dependency",
        };
        let real = value >= threshold;
        let sign = if real { ">=" } else { "<" };
        Verdict { real, value: Some(value), reason: format!("{name} {value:.2} {sign} {threshold:.2}") }
    }

    fn member(self, function: FunctionId) -> Member {
        Member { function, value: self.value, reason: self.reason }
    }
}

/// The function and whatever it reaches through callees that `keep` accepts.
pub(crate) fn reachable_while(
    graph: &CallGraph,
    function: FunctionId,
    keep: &dyn Fn(FunctionId) -> bool,
) -> BTreeSet<FunctionId> {
    let mut reached = BTreeSet::from([function]);
    let mut queue = VecDeque::from([function]);
    while let Some(caller) = queue.pop_front() {
        for callee in graph.callees(caller) {
            if !reached.contains(callee) && keep(*callee) {
                reached.insert(*callee);
                queue.push_back(*callee);
            }
        }
    }
    reached
}

/// Calls between the function and everything it reaches.
fn distances(graph: &CallGraph, function: FunctionId) -> BTreeMap<FunctionId, u32> {
    let mut distances = BTreeMap::from([(function, 0)]);
    let mut queue = VecDeque::from([function]);
    while let Some(caller) = queue.pop_front() {
        let next = distances.get(&caller).map_or(0, |distance| distance + 1);
        for callee in graph.callees(caller) {
            if !distances.contains_key(callee) {
                distances.insert(*callee, next);
                queue.push_back(*callee);
            }
        }
    }
    distances
}
