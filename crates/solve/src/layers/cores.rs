//! Sets of constraints known to contradict each other: whatever contains one is unsatisfiable.
//! A core is remembered under the target it was found for, since the rest of a path holds by itself.

use super::Layer;
use crate::problem::Problem;
use crate::query::Answer;
use rustc_hash::FxHashMap;
use term::TermId;

/// Cores kept per target; the oldest goes first.
const PER_TARGET: usize = 8;
/// Targets kept; beyond, the layer starts anew.
const TARGETS: usize = 1 << 14;

pub(crate) struct Cores {
    by_target: FxHashMap<TermId, Vec<Box<[TermId]>>>,
}

impl Cores {
    pub(crate) fn new() -> Cores {
        Cores { by_target: FxHashMap::default() }
    }
}

/// Whether sorted `set` contains sorted `subset`.
fn contains(set: &[TermId], subset: &[TermId]) -> bool {
    subset.len() <= set.len() && subset.iter().all(|term| set.binary_search(term).is_ok())
}

impl Layer for Cores {
    fn name(&self) -> &'static str {
        "cores"
    }

    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer> {
        let cores = self.by_target.get(&problem.target)?;
        cores.iter().any(|core| contains(&problem.constraints, core)).then_some(Answer::Unsat)
    }

    fn learn(&mut self, problem: &Problem<'_>, answer: &Answer) {
        if *answer != Answer::Unsat {
            return;
        }
        if self.by_target.len() >= TARGETS {
            self.by_target.clear();
        }
        // SMT leaves the core it found in the problem, smaller than the set it was asked about.
        let core = &problem.core;
        let cores = self.by_target.entry(problem.target).or_default();
        if core.is_empty() || cores.iter().any(|known| contains(core, known)) {
            return;
        }
        if cores.len() >= PER_TARGET {
            cores.remove(0);
        }
        cores.push(core.as_slice().into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_its_subsets_only() {
        let set = [1, 3, 5, 9].map(TermId);
        assert!(contains(&set, &[3, 9].map(TermId)));
        assert!(contains(&set, &[]));
        assert!(!contains(&set, &[3, 4].map(TermId)));
        assert!(!contains(&[3].map(TermId), &set));
    }
}
