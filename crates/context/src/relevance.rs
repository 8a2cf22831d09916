//! How closely two functions belong together, by what the system tests did: CONCERT's correlation, CONBRIO's
//! dependency, FOCAL's relevance.

use crate::profile::Profile;
use model::FunctionId;
use model::transitive::CallGraph;
use std::collections::BTreeSet;

/// Tests by which of two functions they execute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub both: u64,
    pub first_only: u64,
    pub second_only: u64,
    pub neither: u64,
}

impl Table {
    pub fn of(profile: &Profile, first: FunctionId, second: FunctionId) -> Table {
        let mut table = Table::default();
        for test in &profile.tests {
            let cell = match (test.ran.contains(&first), test.ran.contains(&second)) {
                (true, true) => &mut table.both,
                (true, false) => &mut table.first_only,
                (false, true) => &mut table.second_only,
                (false, false) => &mut table.neither,
            };
            *cell += 1;
        }
        table
    }
}

/// The phi coefficient of a table, -1 to 1; 0 where it is undefined because one of the functions runs in every
/// test or in none.
pub fn phi(table: Table) -> f64 {
    let [a, b, c, d] =
        [table.both, table.first_only, table.second_only, table.neither].map(|count| count as f64);
    let product = (a + b) * (c + d) * (a + c) * (b + d);
    if product == 0.0 { 0.0 } else { (a * d - b * c) / product.sqrt() }
}

pub fn correlation(profile: &Profile, first: FunctionId, second: FunctionId) -> f64 {
    phi(Table::of(profile, first, second))
}

/// How much one function depends on each of the others: p(g|f), the share of the tests running f in which the
/// two call one another, in the directions that the static call graph allows.
#[derive(Clone, Debug)]
pub struct Dependency {
    pub function: FunctionId,
    /// Tests in which the function runs; with 0 nothing is known.
    pub runs: usize,
    counts: Vec<usize>,
}

impl Dependency {
    pub fn of(profile: &Profile, graph: &CallGraph, function: FunctionId) -> Dependency {
        let successors = graph.reachable(function);
        let predecessors = graph.reaching(function);
        let mut counts = vec![0; graph.len()];
        let mut runs = 0;
        for test in profile.tests.iter().filter(|test| test.ran.contains(&function)) {
            runs += 1;
            let mut related: BTreeSet<FunctionId> =
                test.called_by(function).into_iter().filter(|other| successors.contains(other)).collect();
            related
                .extend(test.callers_of(function).into_iter().filter(|other| predecessors.contains(other)));
            for other in related {
                if let Some(count) = counts.get_mut(other.index()) {
                    *count += 1;
                }
            }
        }
        Dependency { function, runs, counts }
    }

    /// In how many of the tests that run the function the other calls it or is called by it.
    pub fn count(&self, other: FunctionId) -> usize {
        self.counts.get(other.index()).copied().unwrap_or(0)
    }

    /// p(other | function); 0 when no test runs the function.
    pub fn on(&self, other: FunctionId) -> f64 {
        if self.runs == 0 { 0.0 } else { self.count(other) as f64 / self.runs as f64 }
    }
}

/// FOCAL's symmetric relevance r(f, g) of all pairs, and the threshold of its extended units.
#[derive(Clone, Debug)]
pub struct Relevance {
    dependencies: Vec<Vec<f64>>,
}

impl Relevance {
    pub fn of(profile: &Profile, functions: usize) -> Relevance {
        let mut together = vec![vec![0usize; functions]; functions];
        let mut runs = vec![0usize; functions];
        for test in &profile.tests {
            for function in test.ran.iter().filter(|function| function.index() < functions) {
                runs[function.index()] += 1;
                for other in test.called_by(*function) {
                    if other.index() >= functions || other == *function {
                        continue;
                    }
                    together[function.index()][other.index()] += 1;
                    // Mutual recursion is met from both ends and counts once.
                    if !test.called_by(other).contains(function) {
                        together[other.index()][function.index()] += 1;
                    }
                }
            }
        }
        let share = |count: usize, of: usize| if of == 0 { 0.0 } else { count as f64 / of as f64 };
        let dependencies = together
            .iter()
            .zip(&runs)
            .map(|(row, runs)| row.iter().map(|count| share(*count, *runs)).collect())
            .collect();
        Relevance { dependencies }
    }

    /// r(one, other): the mean of the two conditional probabilities.
    pub fn between(&self, one: FunctionId, other: FunctionId) -> f64 {
        let given = |of: FunctionId, on: FunctionId| {
            self.dependencies.get(of.index()).and_then(|row| row.get(on.index())).copied().unwrap_or(0.0)
        };
        (given(one, other) + given(other, one)) / 2.0
    }

    /// The smallest relevance in the topmost `share` of all pairs that ever call one another.
    pub fn threshold(&self, share: f64) -> f64 {
        let mut all = Vec::new();
        for one in 0..self.dependencies.len() {
            for other in one + 1..self.dependencies.len() {
                let relevance = self.between(FunctionId(one as u32), FunctionId(other as u32));
                if relevance > 0.0 {
                    all.push(relevance);
                }
            }
        }
        all.sort_by(|left, right| right.total_cmp(left));
        let kept = (all.len() as f64 * share).ceil() as usize;
        all.get(kept.saturating_sub(1)).copied().unwrap_or(f64::INFINITY)
    }
}
