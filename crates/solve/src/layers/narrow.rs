//! What the values of single bytes decide about the rest: a subterm over one byte that is the same for every value
//! the byte may have is a constant, and a constraint that becomes one over a single byte narrows that byte in turn.
//! So scanners that walk through tables fall apart into questions about one byte after the other: behind the bytes
//! read so far, the state is known. What is still open goes to SMT in the smaller form.

use super::Layer;
use super::domains::{Domain, enumerate};
use crate::problem::{Problem, Simplified};
use crate::query::Answer;
use rustc_hash::FxHashMap;
use term::{Kind, TermId, VarId};

/// Terms that may be looked at, and operations that may be computed, for one query.
const MOST_TERMS: usize = 200_000;
const EFFORT: u64 = 1_000_000;
/// Times that all constraints are looked at; each needs a byte that became narrower before.
const ROUNDS: usize = 24;
/// Answers kept; beyond, the layer starts anew.
const MOST: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct Narrow {
    /// Where a constraint over one byte holds; none where finding out costs too much.
    domains: FxHashMap<TermId, Option<Domain>>,
    /// The value of a term over one byte that may be any of these, if there is only one.
    constants: FxHashMap<(TermId, Domain), Option<u128>>,
}

/// What is known of a byte, and the constraints that say so.
struct Known {
    domain: Domain,
    reasons: Vec<TermId>,
}

/// A constraint that is not decided yet: as it was, and as it is now.
struct Pending {
    original: TermId,
    now: TermId,
}

impl Layer for Narrow {
    fn name(&self) -> &'static str {
        "narrow"
    }

    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer> {
        let is_over_many = |constraint: &TermId| problem.pool.support(*constraint).len() > 1;
        if !problem.constraints.iter().any(is_over_many) {
            return None;
        }
        if self.domains.len() + self.constants.len() > MOST {
            *self = Narrow::default();
        }
        let mut search =
            Narrowing { limit: problem.evaluator.work() + EFFORT, terms: 0, known: FxHashMap::default() };
        let pending = problem.constraints.iter().map(|&term| Pending { original: term, now: term });
        let mut pending: Vec<Pending> = pending.collect();
        for _ in 0..ROUNDS {
            match search.round(self, problem, &mut pending) {
                Round::Contradiction(core) => {
                    problem.core = core;
                    return Some(Answer::Unsat);
                }
                Round::Narrower => {}
                Round::Nothing => break,
            }
        }
        if pending.is_empty() {
            return search.model(problem).map(Answer::Sat);
        }
        problem.simplified = search.simplified(problem, &pending);
        None
    }
}

/// The work on one query.
struct Narrowing {
    limit: u64,
    terms: usize,
    known: FxHashMap<VarId, Known>,
}

enum Round {
    /// These constraints exclude each other.
    Contradiction(Vec<TermId>),
    /// A byte has fewer values than before.
    Narrower,
    Nothing,
}

impl Narrowing {
    fn round(&mut self, layer: &mut Narrow, problem: &mut Problem<'_>, pending: &mut Vec<Pending>) -> Round {
        let mut result = Round::Nothing;
        let mut memory = FxHashMap::default();
        for mut constraint in std::mem::take(pending) {
            constraint.now = self.rewritten(layer, problem, constraint.now, &mut memory);
            if let Some(value) = problem.pool.as_const(constraint.now) {
                if value == 0 {
                    return Round::Contradiction(self.reasons(problem, constraint.original));
                }
                continue;
            }
            let support = problem.pool.support(constraint.now);
            let domain = match support[..] {
                [var] if problem.pool.var_of(var).bits <= 8 => {
                    self.domain(layer, problem, constraint.now, var).map(|domain| (var, domain))
                }
                _ => None,
            };
            let Some((var, domain)) = domain else {
                pending.push(constraint);
                continue;
            };
            let reasons = self.reasons(problem, constraint.original);
            let known = self.known.entry(var).or_insert(Known { domain: Domain::FULL, reasons: Vec::new() });
            let narrower = known.domain.and(domain);
            known.reasons.extend(reasons);
            known.reasons.sort_unstable();
            known.reasons.dedup();
            if narrower == Domain::EMPTY {
                return Round::Contradiction(known.reasons.clone());
            }
            if narrower != known.domain {
                known.domain = narrower;
                result = Round::Narrower;
                // What was rewritten before this is right, but may be narrower now.
                memory.clear();
            }
        }
        result
    }

    /// Where a constraint over one byte holds.
    fn domain(
        &mut self,
        layer: &mut Narrow,
        problem: &mut Problem<'_>,
        constraint: TermId,
        var: VarId,
    ) -> Option<Domain> {
        if let Some(known) = layer.domains.get(&constraint) {
            return *known;
        }
        if problem.evaluator.work() > self.limit {
            return None;
        }
        let domain = enumerate(problem, constraint, var);
        layer.domains.insert(constraint, domain);
        domain
    }

    /// The constraint itself, and what says anything about its bytes.
    fn reasons(&self, problem: &mut Problem<'_>, constraint: TermId) -> Vec<TermId> {
        let mut reasons = vec![constraint];
        for var in problem.pool.support(constraint).iter() {
            reasons.extend(self.known.get(var).iter().flat_map(|known| &known.reasons));
        }
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// The term with every subterm over a single byte replaced that can have one value only. No recursion: terms
    /// may be a hundred thousand operations deep.
    fn rewritten(
        &mut self,
        layer: &mut Narrow,
        problem: &mut Problem<'_>,
        term: TermId,
        memory: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        if self.known.is_empty() {
            return term;
        }
        let mut todo = vec![term];
        while let Some(&at) = todo.last() {
            if memory.contains_key(&at) {
                todo.pop();
                continue;
            }
            self.terms += 1;
            if self.terms > MOST_TERMS {
                return term;
            }
            let support = problem.pool.support(at);
            let new = match support[..] {
                [] => at,
                [var] => self.constant(layer, problem, at, var).unwrap_or(at),
                _ if !support.iter().any(|var| self.known.contains_key(var)) => at,
                _ => {
                    let before = todo.len();
                    let unknown = |operand: &TermId| !memory.contains_key(operand);
                    todo.extend(problem.pool.kind(at).operands().filter(unknown));
                    if todo.len() > before {
                        continue;
                    }
                    let new = problem.pool.rebuild(at, |operand| memory[&operand]);
                    match problem.pool.support(new)[..] {
                        [var] if new != at => self.constant(layer, problem, new, var).unwrap_or(new),
                        _ => new,
                    }
                }
            };
            memory.insert(at, new);
            todo.pop();
        }
        memory.get(&term).copied().unwrap_or(term)
    }

    /// A term over one byte as a constant, if it is the same for all values that the byte may have.
    fn constant(
        &mut self,
        layer: &mut Narrow,
        problem: &mut Problem<'_>,
        term: TermId,
        var: VarId,
    ) -> Option<TermId> {
        let domain = self.known.get(&var)?.domain;
        if domain == Domain::FULL {
            return None;
        }
        let key = (term, domain);
        let value = match layer.constants.get(&key) {
            Some(known) => *known,
            None if problem.evaluator.work() > self.limit => return None,
            None => {
                let value = only_value(problem, term, var, domain);
                layer.constants.insert(key, value);
                value
            }
        }?;
        let bits = problem.pool.bits(term);
        Some(problem.pool.constant(bits, value))
    }

    /// Values out of the domains, the hint's where it may stay.
    fn model(&self, problem: &mut Problem<'_>) -> Option<term::Assignment> {
        let mut model = problem.start();
        for (var, known) in &self.known {
            let var = problem.pool.var_of(*var);
            let value = known.domain.from(model.value(var)).next()?;
            model.set(var, value);
        }
        problem.holds(&model).then_some(model)
    }

    /// What is left, with the domains as constraints of their own.
    fn simplified(&self, problem: &mut Problem<'_>, pending: &[Pending]) -> Option<Simplified> {
        if self.known.is_empty() {
            return None;
        }
        let mut simplified = Simplified::default();
        for constraint in pending {
            let reasons = match constraint.now == constraint.original {
                true => vec![constraint.original],
                false => self.reasons(problem, constraint.original),
            };
            simplified.push(constraint.now, reasons);
        }
        let mut known: Vec<_> = self.known.iter().filter(|(_, known)| known.domain != Domain::FULL).collect();
        known.sort_unstable_by_key(|(var, _)| **var);
        for (var, known) in known {
            let named = problem.pool.var_of(*var);
            let byte = problem.pool.var(named);
            simplified.push(known.domain.term(problem.pool, byte), known.reasons.clone());
        }
        Some(simplified)
    }
}

/// The value that a term has for every value of the byte in the domain, if it is one.
fn only_value(problem: &mut Problem<'_>, term: TermId, var: VarId, domain: Domain) -> Option<u128> {
    if let Kind::Var(_) = problem.pool.kind(term) {
        let mut values = domain.from(0);
        return values.next().filter(|_| values.next().is_none()).map(u128::from);
    }
    let named = problem.pool.var_of(var);
    let mut candidate = term::Assignment::new();
    let mut varying = problem.evaluator.varying(var);
    let mut only = None;
    for value in domain.from(0) {
        candidate.set(named, value);
        let value = varying.under(problem.pool, &candidate).value(term);
        if *only.get_or_insert(value) != value {
            return None;
        }
    }
    only
}
