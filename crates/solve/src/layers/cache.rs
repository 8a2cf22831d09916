//! Answers to the very same set of constraints. Unknowns are not kept: the next caller may have more time.

use super::Layer;
use crate::problem::Problem;
use crate::query::Answer;
use rustc_hash::FxHashMap;
use term::TermId;

/// Beyond this many entries the cache starts anew.
const CAPACITY: usize = 1 << 16;

pub(crate) struct Cache {
    answers: FxHashMap<Box<[TermId]>, Answer>,
}

impl Cache {
    pub(crate) fn new() -> Cache {
        Cache { answers: FxHashMap::default() }
    }
}

impl Layer for Cache {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer> {
        self.answers.get(problem.constraints.as_slice()).cloned()
    }

    fn learn(&mut self, problem: &Problem<'_>, answer: &Answer) {
        if matches!(answer, Answer::Unknown(_)) || self.answers.contains_key(problem.constraints.as_slice()) {
            return;
        }
        if self.answers.len() >= CAPACITY {
            self.answers.clear();
        }
        self.answers.insert(problem.constraints.as_slice().into(), answer.clone());
    }
}
