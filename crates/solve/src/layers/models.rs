//! Recent models, tried again: neighbouring branches are often satisfied by each other's inputs.

use super::Layer;
use crate::problem::Problem;
use crate::query::Answer;
use std::collections::VecDeque;
use term::Assignment;

const KEPT: usize = 16;

pub(crate) struct Models {
    recent: VecDeque<Assignment>,
}

impl Models {
    pub(crate) fn new() -> Models {
        Models { recent: VecDeque::new() }
    }
}

impl Layer for Models {
    fn name(&self) -> &'static str {
        "models"
    }

    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer> {
        let start = problem.start();
        for model in &self.recent {
            let mut candidate = start.clone();
            let mut differs = false;
            for var in &problem.vars {
                let var = problem.pool.var_of(*var);
                if let Some(value) = model.get(var) {
                    differs |= value != start.value(var);
                    candidate.set(var, value);
                }
            }
            if differs && problem.holds(&candidate) {
                return Some(Answer::Sat(candidate));
            }
        }
        None
    }

    fn learn(&mut self, _problem: &Problem<'_>, answer: &Answer) {
        let Answer::Sat(model) = answer else { return };
        if model.is_empty() || self.recent.contains(model) {
            return;
        }
        self.recent.push_front(model.clone());
        self.recent.truncate(KEPT);
    }
}
