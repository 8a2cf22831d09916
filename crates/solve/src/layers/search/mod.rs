//! Cheap concrete search: start from the parent's input, turn the target true by inverting its operations one
//! after the other, mend what that broke, a few times; then try the values of single bytes. Whatever is found has
//! been evaluated.

mod goal;
mod vary;

use super::Layer;
use crate::problem::Problem;
use crate::query::Answer;
use goal::Chase;
use term::{Assignment, TermId};
use vary::vary;

/// Ways through the choice points of a chase that are tried.
const VARIANTS: u32 = 4;
/// Broken constraints that are mended per variant.
const REPAIRS: usize = 6;
/// Operations that may be computed for one query: about a millisecond, what an easy query costs in SMT.
const EFFORT: u64 = 50_000;

pub(crate) struct Search;

impl Layer for Search {
    fn name(&self) -> &'static str {
        "search"
    }

    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer> {
        let start = problem.start();
        let limit = problem.evaluator.work() + EFFORT;
        for variant in 0..VARIANTS {
            if let Some(found) = chase(problem, &start, variant, limit) {
                return Some(Answer::Sat(found));
            }
        }
        vary(problem, &start)
    }
}

fn chase(problem: &mut Problem<'_>, start: &Assignment, variant: u32, limit: u64) -> Option<Assignment> {
    let mut candidate = start.clone();
    let mut broken = problem.target;
    for _ in 0..REPAIRS {
        Chase::new(problem.pool, problem.evaluator, &mut candidate, variant, limit).reach(broken, 1)?;
        match first_broken(problem, &candidate) {
            None => return Some(candidate),
            // Mending undid what it should mend: this way leads nowhere.
            Some(again) if again == broken => return None,
            Some(next) => broken = next,
        }
    }
    None
}

fn first_broken(problem: &mut Problem<'_>, candidate: &Assignment) -> Option<TermId> {
    let mut evaluation = problem.evaluator.under(problem.pool, candidate);
    let target = std::iter::once(problem.target);
    target.chain(problem.constraints.iter().copied()).find(|constraint| evaluation.value(*constraint) != 1)
}
