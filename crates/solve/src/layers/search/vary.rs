//! Trying the values of one byte of input, the others staying as they are, and of pairs of bytes: what a parser
//! asks of its input mostly hangs on the last one or two bytes, however many tables it has read with those before.
//! Only operations that depend on the byte are computed again for each value. A problem of two bytes whose
//! values were all tried is answered for good, and so is one of one byte.

use crate::layers::domains::Domain;
use crate::problem::Problem;
use crate::query::Answer;
use term::{Assignment, VarId};

/// Operations that may be computed for one query: a millisecond or two, what a query of this kind costs in SMT.
const EFFORT: u64 = 100_000;
/// Variables of the target that are tried; the last ones read come first.
const MOST_VARS: usize = 16;

pub(super) fn vary(problem: &mut Problem<'_>, start: &Assignment) -> Option<Answer> {
    let limit = problem.evaluator.work() + EFFORT;
    let bytes: Vec<(VarId, Domain)> = bytes_of_target(problem);
    for &byte in &bytes {
        match vary_one(problem, start.clone(), byte, limit) {
            Tried::Found(found) => return Some(Answer::Sat(found)),
            Tried::All if problem.vars[..] == [byte.0] => return Some(unsat(problem)),
            Tried::All => {}
            Tried::Some => return None,
        }
    }
    // The two that were read last.
    let [second, first, ..] = bytes[..] else { return None };
    let (var, domain) = first;
    let named = problem.pool.var_of(var);
    let mut candidate = start.clone();
    for value in domain.from(start.value(named)) {
        candidate.set(named, value);
        match vary_one(problem, candidate.clone(), second, limit) {
            Tried::Found(found) => return Some(Answer::Sat(found)),
            Tried::All => {}
            Tried::Some => return None,
        }
    }
    let is_all = problem.vars.len() == 2 && problem.vars.iter().all(|var| bytes.iter().any(|b| b.0 == *var));
    is_all.then(|| unsat(problem))
}

fn unsat(problem: &mut Problem<'_>) -> Answer {
    problem.core = problem.constraints.clone();
    Answer::Unsat
}

enum Tried {
    Found(Assignment),
    /// No value will do.
    All,
    /// There was not enough time.
    Some,
}

fn vary_one(
    problem: &mut Problem<'_>,
    mut candidate: Assignment,
    (var, domain): (VarId, Domain),
    limit: u64,
) -> Tried {
    let named = problem.pool.var_of(var);
    let mut varying = problem.evaluator.varying(var);
    for value in domain.from(candidate.value(named)) {
        candidate.set(named, value);
        let mut evaluation = varying.under(problem.pool, &candidate);
        if evaluation.value(problem.target) == 1 && evaluation.all_hold(&problem.constraints) {
            return Tried::Found(candidate);
        }
        if varying.work() > limit {
            return Tried::Some;
        }
    }
    Tried::All
}

fn bytes_of_target(problem: &mut Problem<'_>) -> Vec<(VarId, Domain)> {
    let target = problem.pool.support(problem.target);
    let bytes = target.iter().rev().copied().filter(|var| problem.pool.var_of(*var).bits <= 8);
    let domain = |var: VarId| {
        let known = problem.domains.iter().find(|domain| domain.0 == var);
        known.map_or(Domain::below(1 << problem.pool.var_of(var).bits), |domain| domain.1)
    };
    bytes.take(MOST_VARS).map(|var| (var, domain(var))).collect()
}
