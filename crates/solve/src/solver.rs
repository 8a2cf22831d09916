//! The stack of layers that answers a query.

use crate::query::{Answer, Query, Reason};
use term::Pool;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Makes the order of trials differ; the same seed gives the same answers.
    pub seed: u64,
}

pub struct Solver {
    _options: Options,
}

impl Solver {
    pub fn new(options: Options) -> Solver {
        Solver { _options: options }
    }

    pub fn solve(&mut self, _pool: &mut Pool, _query: &Query<'_>) -> Answer {
        Answer::Unknown(Reason::BackEnd)
    }
}
