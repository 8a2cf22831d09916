//! The values that each byte of input may have, as far as constraints over that byte alone say: a set of 256 for
//! every such constraint that is met again, computed once and remembered, since the same ones stand on thousands
//! of paths. A byte without a value left answers unsat; a problem of one byte is answered for good; what is left
//! over is a narrower domain for the search.

use super::Layer;
use crate::problem::Problem;
use crate::query::Answer;
use rustc_hash::FxHashMap;
pub(crate) use term::Domain;
use term::{Assignment, Kind, TermId, Unary, VarId};

/// Operations that may be computed for one set; a set that costs more is not made.
const EFFORT: u64 = 100_000;
/// Sets kept; beyond, the layer starts anew.
const MOST: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct Domains {
    /// By constraint without negation.
    known: FxHashMap<TermId, Known>,
}

#[derive(Clone, Copy)]
enum Known {
    /// Met once. Most are never met again, and then a set would not be worth its price.
    Met,
    Set(Domain),
    TooCostly,
}

impl Domains {
    /// Where this constraint over one byte holds, if that is known or worth knowing.
    fn of(&mut self, problem: &mut Problem<'_>, constraint: TermId, var: VarId) -> Option<Domain> {
        let (plain, negated) = match problem.pool.kind(constraint) {
            Kind::Unary(Unary::Not, inner) => (inner, true),
            _ => (constraint, false),
        };
        let all = Domain::below(1 << problem.pool.var_of(var).bits);
        let domain = match self.known.get(&plain).copied() {
            Some(Known::Set(domain)) => domain,
            Some(Known::TooCostly) => return None,
            Some(Known::Met) => {
                let Some(domain) = enumerate(problem, plain, var) else {
                    self.known.insert(plain, Known::TooCostly);
                    return None;
                };
                self.known.insert(plain, Known::Set(domain));
                domain
            }
            None => {
                if self.known.len() >= MOST {
                    self.known.clear();
                }
                self.known.insert(plain, Known::Met);
                return None;
            }
        };
        Some(if negated { domain.absent_from(all) } else { domain })
    }
}

/// Where a constraint over one byte holds; none where finding out costs too much.
pub(super) fn enumerate(problem: &mut Problem<'_>, constraint: TermId, var: VarId) -> Option<Domain> {
    let mut domain = Domain::EMPTY;
    let limit = problem.evaluator.work() + EFFORT;
    let named = problem.pool.var_of(var);
    let mut candidate = Assignment::new();
    let mut varying = problem.evaluator.varying(var);
    for value in 0..1 << named.bits {
        candidate.set(named, value);
        if varying.under(problem.pool, &candidate).value(constraint) == 1 {
            domain.insert(value);
        }
        if varying.work() > limit {
            return None;
        }
    }
    Some(domain)
}

impl Layer for Domains {
    fn name(&self) -> &'static str {
        "domains"
    }

    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer> {
        let mut domains: Vec<(VarId, Domain)> = Vec::new();
        let mut decided = true;
        for constraint in problem.constraints.clone() {
            let support = problem.pool.support(constraint);
            let of_byte = match support[..] {
                [var] if problem.pool.var_of(var).bits <= 8 => {
                    self.of(problem, constraint, var).map(|domain| (var, domain))
                }
                _ => None,
            };
            let Some((var, domain)) = of_byte else {
                decided = false;
                continue;
            };
            let index = domains.iter().position(|known| known.0 == var).unwrap_or_else(|| {
                domains.push((var, Domain::FULL));
                domains.len() - 1
            });
            domains[index].1 = domains[index].1.and(domain);
            if domains[index].1 == Domain::EMPTY {
                problem.core = over(problem, var);
                return Some(Answer::Unsat);
            }
        }
        if !decided {
            problem.domains = domains;
            return None;
        }
        let mut model = problem.start();
        for (var, domain) in domains {
            let var = problem.pool.var_of(var);
            let value = domain.from(model.value(var)).next()?;
            model.set(var, value);
        }
        Some(Answer::Sat(model))
    }
}

/// The constraints over this variable alone.
fn over(problem: &mut Problem<'_>, var: VarId) -> Vec<TermId> {
    let pool = &mut *problem.pool;
    problem.constraints.iter().copied().filter(|constraint| pool.support(*constraint)[..] == [var]).collect()
}
