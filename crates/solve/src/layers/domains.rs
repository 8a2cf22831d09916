//! The values that each byte of input may have, as far as constraints over that byte alone say: a set of 256 for
//! every such constraint that is met again, computed once and remembered, since the same ones stand on thousands
//! of paths. A byte without a value left answers unsat; a problem of one byte is answered for good; what is left
//! over is a narrower domain for the search.

use super::Layer;
use crate::problem::Problem;
use crate::query::Answer;
use rustc_hash::FxHashMap;
use term::{Assignment, Kind, Pool, TermId, Unary, VarId};

/// Operations that may be computed for one set; a set that costs more is not made.
const EFFORT: u64 = 100_000;
/// Sets kept; beyond, the layer starts anew.
const MOST: usize = 1 << 16;

/// Values of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Domain([u64; 4]);

impl Domain {
    pub(crate) const FULL: Domain = Domain([u64::MAX; 4]);
    pub(crate) const EMPTY: Domain = Domain([0; 4]);

    pub(crate) fn contains(&self, value: u64) -> bool {
        value < 256 && self.0[value as usize / 64] >> (value % 64) & 1 == 1
    }

    /// From `first` on and round again, so that an answer stays near what the program accepted so far.
    pub(crate) fn from(self, first: u64) -> impl Iterator<Item = u64> {
        (0..256).map(move |step| first.wrapping_add(step) & 255).filter(move |value| self.contains(*value))
    }

    /// All values less than `end`.
    pub(crate) fn below(end: u64) -> Domain {
        let mut domain = Domain::EMPTY;
        (0..end.min(256)).for_each(|value| domain.insert(value));
        domain
    }

    fn insert(&mut self, value: u64) {
        self.0[value as usize / 64] |= 1 << (value % 64);
    }

    /// The values of `all` that are not in this one.
    fn absent_from(self, all: Domain) -> Domain {
        Domain(std::array::from_fn(|word| all.0[word] & !self.0[word]))
    }

    pub(crate) fn and(self, other: Domain) -> Domain {
        Domain(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl Domain {
    /// That `byte` is in the domain: one of its runs of values.
    pub(crate) fn term(self, pool: &mut Pool, byte: TermId) -> TermId {
        let bits = pool.bits(byte);
        let mut within = pool.truth(false);
        let mut first = 0;
        while first < 256 {
            if !self.contains(first) {
                first += 1;
                continue;
            }
            let end = (first..256).find(|value| !self.contains(*value)).unwrap_or(256);
            let bounds = [first, end - 1].map(|value| pool.constant(bits, u128::from(value)));
            let (above, below) = (pool.ule(bounds[0], byte), pool.ule(byte, bounds[1]));
            let run = pool.and(above, below);
            within = pool.or(within, run);
            first = end;
        }
        within
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_given_from_the_first_on() {
        let mut domain = Domain::EMPTY;
        [3, 64, 255].into_iter().for_each(|value| domain.insert(value));
        assert_eq!(domain.from(60).collect::<Vec<_>>(), [64, 255, 3]);
        assert!(domain.contains(64) && !domain.contains(65) && !domain.contains(256 + 3));
        assert_eq!(domain.and(Domain::FULL), domain);
        assert_eq!(domain.absent_from(Domain::below(65)).from(0).count(), 63);
    }
}
