//! Runs grouped by subject and strategy, with the figures that tell them apart.

use crate::run::Run;
use crate::statistics::{MannWhitney, mann_whitney, mean};
use serde::Serialize;

/// How near to the best coverage counts as there.
const NEARLY: f64 = 0.9;
/// How many times on the way coverage is looked at.
pub const CHECKPOINTS: u64 = 4;

#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Executions that each run could make.
    pub budget: u64,
    pub subjects: Vec<Subject>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Subject {
    pub name: String,
    /// Branch sides that count.
    pub total: u64,
    /// What a strategy has to cover to be nearly as good as the best, in the mean.
    pub target: f64,
    /// Best first: by coverage at the end, then by executions to the target.
    pub rows: Vec<Row>,
    #[serde(skip)]
    pub runs: Vec<Run>,
}

/// One strategy on one subject.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub strategy: String,
    pub repeats: usize,
    /// Mean coverage at each quarter of the budget.
    pub covered: Vec<f64>,
    /// Half the width of the 95% confidence interval of the last; none for a single run.
    pub interval: Option<f64>,
    /// Executions to the target in the mean, the budget where it was not reached; and how often it was not.
    pub to_target: f64,
    pub missed: usize,
    /// Against the best strategy: Mann-Whitney's p, and the chance that a run of this one covers more.
    pub p: Option<f64>,
    pub larger: Option<f64>,
    pub milliseconds: f64,
    /// Time for choosing, in percent of the whole.
    pub selecting_percent: f64,
    pub selecting_us_per_execution: f64,
    /// Bytes of the tree for each decision in it.
    pub bytes_per_node: f64,
    pub longest_path: u64,
    /// How the runs ended, with counts.
    pub finished: Vec<(String, usize)>,
}

impl Comparison {
    /// Subjects and strategies keep the order of the runs.
    pub fn new(runs: Vec<Run>, budget: u64) -> Comparison {
        let mut subjects: Vec<(String, Vec<Run>)> = Vec::new();
        for run in runs {
            match subjects.iter_mut().find(|(name, _)| *name == run.subject) {
                Some((_, known)) => known.push(run),
                None => subjects.push((run.subject.clone(), vec![run])),
            }
        }
        let subjects = subjects.into_iter().map(|(name, runs)| Subject::new(name, runs, budget)).collect();
        Comparison { budget, subjects }
    }
}

impl Subject {
    fn new(name: String, runs: Vec<Run>, budget: u64) -> Subject {
        let mut strategies: Vec<&str> = Vec::new();
        for run in runs.iter().filter(|run| run.executions > 0) {
            if !strategies.contains(&run.strategy.as_str()) {
                strategies.push(&run.strategy);
            }
        }
        let of = |strategy: &str| runs.iter().filter(|run| run.strategy == strategy).collect::<Vec<_>>();
        let ends = |strategy: &str| of(strategy).iter().map(|run| run.covered() as f64).collect::<Vec<f64>>();
        let end = |strategy: &str| mean(&ends(strategy)).map_or(0.0, |found| found.0);
        let best =
            strategies.iter().copied().reduce(|best, next| if end(next) > end(best) { next } else { best });
        let target = best.map_or(0.0, |best| NEARLY * end(best));
        let mut rows: Vec<Row> = strategies
            .iter()
            .map(|strategy| {
                let against = best.filter(|best| best != strategy);
                let test = against.and_then(|best| mann_whitney(&ends(strategy), &ends(best)));
                row(strategy, &of(strategy), budget, target, test)
            })
            .collect();
        rows.sort_by(|left, right| {
            let last = |row: &Row| row.covered.last().copied().unwrap_or(0.0);
            last(right).total_cmp(&last(left)).then(left.to_target.total_cmp(&right.to_target))
        });
        let total = runs.iter().map(|run| run.total).max().unwrap_or(0);
        Subject { name, total, target, rows, runs }
    }
}

fn row(strategy: &str, runs: &[&Run], budget: u64, target: f64, test: Option<MannWhitney>) -> Row {
    let average = |value: &dyn Fn(&Run) -> f64| {
        mean(&runs.iter().map(|run| value(run)).collect::<Vec<_>>()).map_or(0.0, |found| found.0)
    };
    let ends: Vec<f64> = runs.iter().map(|run| run.covered() as f64).collect();
    let checkpoint = |quarter: u64| {
        let at = budget * quarter / CHECKPOINTS;
        average(&|run| if quarter == CHECKPOINTS { run.covered() as f64 } else { run.covered_at(at) as f64 })
    };
    let mut finished: Vec<(String, usize)> = Vec::new();
    for run in runs {
        match finished.iter_mut().find(|(known, _)| *known == run.finished) {
            Some((_, count)) => *count += 1,
            None => finished.push((run.finished.clone(), 1)),
        }
    }
    Row {
        strategy: strategy.to_owned(),
        repeats: runs.len(),
        covered: (1..=CHECKPOINTS).map(checkpoint).collect(),
        interval: mean(&ends).map(|found| found.1).filter(|half| half.is_finite()),
        to_target: average(&|run| run.executions_to(target).unwrap_or(budget) as f64),
        missed: runs.iter().filter(|run| run.executions_to(target).is_none()).count(),
        p: test.map(|test| test.p),
        larger: test.map(|test| test.larger),
        milliseconds: average(&|run| run.milliseconds),
        selecting_percent: average(&|run| 100.0 * run.cost.selecting_ms / run.milliseconds.max(1e-9)),
        selecting_us_per_execution: average(&|run| {
            1000.0 * run.cost.selecting_ms / run.executions.max(1) as f64
        }),
        bytes_per_node: average(&|run| run.cost.tree_bytes as f64 / run.cost.nodes.max(1) as f64),
        longest_path: runs.iter().map(|run| run.cost.longest_path).max().unwrap_or(0),
        finished,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::run;

    #[test]
    fn the_best_comes_first_and_the_others_are_tested_against_it() {
        let mut runs = Vec::new();
        for seed in 0..5 {
            runs.push(run("slow", seed, &[(1, 10), (60, 40 + seed)]));
            runs.push(run("fast", seed, &[(1, 10), (20, 60 + seed)]));
        }
        let comparison = Comparison::new(runs, 100);
        let subject = &comparison.subjects[0];
        assert_eq!((subject.total, subject.rows.len()), (100, 2));
        let [fast, slow] = &subject.rows[..] else { panic!("two strategies") };
        assert_eq!((fast.strategy.as_str(), fast.p), ("fast", None));
        assert_eq!(fast.covered, [62.0, 62.0, 62.0, 62.0]);
        assert_eq!(slow.covered, [10.0, 10.0, 42.0, 42.0]);
        assert_eq!((subject.target, fast.to_target, fast.missed), (0.9 * 62.0, 20.0, 0));
        assert_eq!((slow.to_target, slow.missed), (100.0, 5));
        assert_eq!(slow.larger, Some(0.0));
        assert!(slow.p.is_some_and(|p| (p - 2.0 / 252.0).abs() < 1e-9), "{:?}", slow.p);
        assert_eq!((fast.selecting_percent, fast.bytes_per_node), (2.0, 30.0));
        assert_eq!(fast.finished, [("execution budget spent".to_owned(), 5)]);
    }

    #[test]
    fn nothing_and_failures() {
        assert!(Comparison::new(Vec::new(), 10).subjects.is_empty());
        let failed = Run { points: Vec::new(), executions: 0, ..run("dfs", 1, &[]) };
        let comparison = Comparison::new(vec![failed], 10);
        assert!(comparison.subjects[0].rows.is_empty());
    }
}
