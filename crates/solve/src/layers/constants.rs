//! Constraints that the pool already folded to true or false, and pairs that negate each other.

use super::Layer;
use crate::problem::Problem;
use crate::query::Answer;
use term::{Kind, Unary};

pub(crate) struct Constants;

impl Layer for Constants {
    fn name(&self) -> &'static str {
        "constants"
    }

    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer> {
        let pool = &*problem.pool;
        problem.constraints.retain(|constraint| pool.as_const(*constraint) != Some(1));
        if pool.as_const(problem.target) == Some(0) {
            return Some(Answer::Unsat);
        }
        // Sorted, so the negation of each can be looked up.
        let contradiction = problem.constraints.iter().any(|constraint| match pool.kind(*constraint) {
            Kind::Const(_) => true,
            Kind::Unary(Unary::Not, inner) => problem.constraints.binary_search(&inner).is_ok(),
            _ => false,
        });
        if contradiction {
            return Some(Answer::Unsat);
        }
        problem.constraints.is_empty().then(|| Answer::Sat(Default::default()))
    }
}
