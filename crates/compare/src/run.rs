//! One search: a strategy, a subject, a seed, and how its coverage grew.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub subject: String,
    pub strategy: String,
    pub seed: u64,
    /// Branch sides that count.
    pub total: u64,
    /// One for each execution that covered something new, in order.
    pub points: Vec<Point>,
    pub executions: u64,
    pub milliseconds: f64,
    /// Why it ended, in words.
    pub finished: String,
    pub cost: Cost,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub executions: u64,
    pub milliseconds: f64,
    pub covered: u64,
}

/// What the search itself took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Choosing sides and hearing what came of them, against everything.
    pub selecting_ms: f64,
    pub queries: u64,
    pub solving_ms: f64,
    pub executing_ms: f64,
    /// Decisions in the tree, and its bytes.
    pub nodes: u64,
    pub tree_bytes: u64,
    pub longest_path: u64,
}

impl Run {
    pub fn covered(&self) -> u64 {
        self.points.last().map_or(0, |point| point.covered)
    }

    /// After so many executions. A search that ended earlier stays where it was.
    pub fn covered_at(&self, executions: u64) -> u64 {
        let reached = self.points.partition_point(|point| point.executions <= executions);
        reached.checked_sub(1).map_or(0, |last| self.points[last].covered)
    }

    pub fn covered_after(&self, milliseconds: f64) -> u64 {
        let reached = self.points.partition_point(|point| point.milliseconds <= milliseconds);
        reached.checked_sub(1).map_or(0, |last| self.points[last].covered)
    }

    /// The first execution that brought the coverage to `target`.
    pub fn executions_to(&self, target: f64) -> Option<u64> {
        self.points.iter().find(|point| point.covered as f64 >= target).map(|point| point.executions)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A run whose coverage grows as listed: (executions, covered), one millisecond each.
    pub(crate) fn run(strategy: &str, seed: u64, grown: &[(u64, u64)]) -> Run {
        let point = |&(executions, covered): &(u64, u64)| Point {
            executions,
            milliseconds: executions as f64,
            covered,
        };
        Run {
            subject: "s".into(),
            strategy: strategy.into(),
            seed,
            total: 100,
            points: grown.iter().map(point).collect(),
            executions: 100,
            milliseconds: 100.0,
            finished: "execution budget spent".into(),
            cost: Cost { selecting_ms: 2.0, nodes: 50, tree_bytes: 1500, ..Cost::default() },
        }
    }

    #[test]
    fn coverage_by_executions_and_time() {
        let run = run("dfs", 1, &[(1, 10), (5, 20)]);
        assert_eq!([0, 1, 4, 5, 99].map(|n| run.covered_at(n)), [0, 10, 10, 20, 20]);
        assert_eq!([0.5, 1.0, 6.0].map(|n| run.covered_after(n)), [0, 10, 20]);
        assert_eq!((run.executions_to(10.0), run.executions_to(10.5)), (Some(1), Some(5)));
        assert_eq!(run.executions_to(21.0), None);
        assert_eq!(Run { points: Vec::new(), ..run }.covered(), 0);
    }
}
