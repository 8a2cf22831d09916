//! Keeps only the constraints that share variables with the target, directly or through others. The rest hold
//! under the hint and go on holding, because the answer does not touch their variables.

use super::Layer;
use crate::problem::Problem;
use crate::query::Answer;
use term::{Support, VarId};

pub(crate) struct Independence {
    /// Union-find over variables; an entry is valid when its stamp is current.
    parents: Vec<(u32, u32)>,
    stamp: u32,
}

impl Independence {
    pub(crate) fn new() -> Independence {
        Independence { parents: Vec::new(), stamp: 0 }
    }

    fn root(&mut self, var: VarId) -> u32 {
        let mut at = var.0;
        loop {
            let (stamp, parent) = self.parents[at as usize];
            if stamp != self.stamp {
                self.parents[at as usize] = (self.stamp, at);
                return at;
            }
            if parent == at {
                return at;
            }
            // Halve the way for the next one who walks it.
            let (_, grandparent) = self.parents[parent as usize];
            self.parents[at as usize].1 = grandparent;
            at = parent;
        }
    }

    fn join(&mut self, support: &[VarId]) {
        let Some((first, rest)) = support.split_first() else { return };
        let root = self.root(*first);
        for var in rest {
            let other = self.root(*var);
            self.parents[other as usize].1 = root;
        }
    }
}

impl Layer for Independence {
    fn name(&self) -> &'static str {
        "independence"
    }

    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer> {
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.parents.clear();
            1
        });
        self.parents.resize(problem.pool.vars().len(), (0, 0));
        let supports: Vec<Support> =
            problem.constraints.iter().map(|constraint| problem.pool.support(*constraint)).collect();
        for support in &supports {
            self.join(support);
        }
        let target = problem.pool.support(problem.target);
        let target = target.first().map(|var| self.root(*var));
        let mut vars = Vec::new();
        let mut kept = Vec::new();
        for (constraint, support) in problem.constraints.iter().zip(&supports) {
            if support.first().map(|var| self.root(*var)) == target {
                kept.push(*constraint);
                vars.extend_from_slice(support);
            }
        }
        vars.sort_unstable();
        vars.dedup();
        problem.constraints = kept;
        problem.vars = vars;
        None
    }
}
