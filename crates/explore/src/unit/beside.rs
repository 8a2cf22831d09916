//! An input that takes the path of another one to the same end, and satisfies conditions on single inputs beside it; or
//! which of the conditions that path contradicts.
//!
//! Conditions that the driver's own assumptions contradict are given up first, as CONCERT does with invariants of
//! different drivers: of those that cannot hold together, the one with the least support, and so on.

use super::{Read, Unit, changed};
use crate::decision::Kind;
use crate::subject::{Failure, Run, Subject};
use execute::{Ending, Input};
use solve::{Answer, Query};
use std::time::Duration;
use term::{Assignment, InputUse, TermId, Var};
use wire::SlotKey;

/// What the first element of a slot is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    OneOf { slot: SlotKey, values: Vec<u64> },
    NoneOf { slot: SlotKey, values: Vec<u64> },
    Between { slot: SlotKey, low: u64, high: u64, signed: bool },
    NoMoreThan { slot: SlotKey, other: SlotKey, signed: bool },
    Equal { slot: SlotKey, other: SlotKey },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub condition: Condition,
    /// Of two that cannot hold together, the one with more is kept.
    pub support: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beside {
    Input(Input),
    /// The path contradicts these of the conditions, by their numbers.
    Contradicted(Vec<usize>),
    Unknown,
}

/// A condition by its number, and its term.
type Asked = (usize, TermId);

impl Unit<'_> {
    /// Asks for an input on the path of `input`; each question has so much time.
    pub fn beside(
        &mut self,
        input: &Input,
        wanted: &[Wanted],
        time_limit: Duration,
    ) -> Result<Beside, Failure> {
        // What says the same as an address that was made concrete is to stay when that is left out.
        let how = Run { whole: true, ..Run::default() };
        let observed = self.observe(input, how, None)?;
        let last = self.terms.last;
        let inputs = self.path.inputs.clone();
        if observed.unreadable.is_some() || observed.truncated {
            return Ok(Beside::Unknown);
        }
        let hint = Read(input);
        let held: Vec<TermId> = {
            let before = observed.held.iter().map(|held| held.before());
            before.chain([last]).flatten().map(|held| held.term).collect()
        };
        let decided = observed.decisions.iter().zip(&held);
        let assumed: Vec<TermId> =
            decided.filter(|(decision, _)| decision.kind == Kind::Assume).map(|(_, held)| *held).collect();
        let mut asked: Vec<Asked> = Vec::new();
        for (number, one) in wanted.iter().enumerate() {
            asked.extend(self.term(&one.condition, &inputs).map(|term| (number, term)));
        }
        let mut ask = |given: &[TermId], asked: &[Asked]| self.conjoined(given, asked, &hint, time_limit);
        while ask(&assumed, &asked) == Answer::Unsat {
            let core = core(&assumed, &asked, &mut ask);
            let weakest = core.iter().copied().min_by_key(|number| wanted[*number].support);
            let Some(weakest) = weakest else { return Ok(Beside::Unknown) };
            asked.retain(|(number, _)| *number != weakest);
        }
        // An address that was made concrete is one of many: what contradicts it alone contradicts nothing.
        let decided = observed.decisions.iter().zip(&held);
        let free: Vec<TermId> = decided
            .filter(|(decision, _)| decision.kind != Kind::Concretised)
            .map(|(_, held)| *held)
            .collect();
        let answer = match ask(&held, &asked) {
            Answer::Unsat => ask(&free, &asked),
            answer => answer,
        };
        let found = match answer {
            Answer::Sat(values) => changed(input, &values),
            Answer::Unsat => return Ok(Beside::Contradicted(core(&free, &asked, &mut ask))),
            Answer::Unknown(_) => return Ok(Beside::Unknown),
        };
        let again = self.run(&found, Run::default(), None)?.ending;
        let as_before = |ending: &Ending| (ending.end, ending.class, ending.site, ending.pc);
        Ok(match as_before(&again) == as_before(&observed.ending) {
            true => Beside::Input(found),
            false => Beside::Unknown,
        })
    }

    /// The condition over inputs of the path; None where it does not have them.
    fn term(&mut self, condition: &Condition, inputs: &[InputUse]) -> Option<TermId> {
        let pool = &mut self.terms.pool;
        let bits_of = |slot: SlotKey| inputs.iter().find(|used| used.slot == slot).map(|used| used.bits);
        let slot = match condition {
            Condition::OneOf { slot, .. } | Condition::NoneOf { slot, .. } => *slot,
            Condition::Between { slot, .. } | Condition::NoMoreThan { slot, .. } => *slot,
            Condition::Equal { slot, .. } => *slot,
        };
        let bits = bits_of(slot)?;
        let term = pool.var(Var { slot, element: 0, bits });
        let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        Some(match condition {
            Condition::OneOf { values, .. } | Condition::NoneOf { values, .. } => {
                let mut any = pool.truth(false);
                for value in values {
                    let value = pool.constant(bits, u128::from(value & mask));
                    let equal = pool.eq(term, value);
                    any = pool.or(any, equal);
                }
                if matches!(condition, Condition::OneOf { .. }) { any } else { pool.not(any) }
            }
            Condition::Between { low, high, signed, .. } => {
                let low = pool.constant(bits, u128::from(low & mask));
                let high = pool.constant(bits, u128::from(high & mask));
                let (above, below) = match signed {
                    true => (pool.sle(low, term), pool.sle(term, high)),
                    false => (pool.ule(low, term), pool.ule(term, high)),
                };
                pool.and(above, below)
            }
            Condition::NoMoreThan { other, .. } | Condition::Equal { other, .. } => {
                let other =
                    pool.var(Var { slot: *other, element: 0, bits: bits_of(*other).filter(|b| *b == bits)? });
                match condition {
                    Condition::Equal { .. } => pool.eq(term, other),
                    Condition::NoMoreThan { signed: true, .. } => pool.sle(term, other),
                    _ => pool.ule(term, other),
                }
            }
        })
    }

    /// What the solver says to all of this. What is asked for is one constraint: the hint satisfies the others alone.
    fn conjoined(
        &mut self,
        given: &[TermId],
        asked: &[Asked],
        hint: &Read<'_>,
        time_limit: Duration,
    ) -> Answer {
        let pool = &mut self.terms.pool;
        let mut all = pool.truth(true);
        for (_, term) in asked {
            all = pool.and(all, *term);
        }
        match pool.as_const(all) {
            Some(0) => return Answer::Unsat,
            Some(_) => return Answer::Sat(Assignment::new()),
            None => {}
        }
        let mut constraints = given.to_vec();
        constraints.push(all);
        self.solver.solve(pool, &Query { constraints: &constraints, hint, time_limit })
    }
}

/// Conditions that cannot hold: all that cannot by themselves, or a set of which none can be left out.
fn core(
    given: &[TermId],
    asked: &[Asked],
    ask: &mut impl FnMut(&[TermId], &[Asked]) -> Answer,
) -> Vec<usize> {
    let alone: Vec<usize> =
        asked.iter().filter(|one| ask(given, &[**one]) == Answer::Unsat).map(|(number, _)| *number).collect();
    if !alone.is_empty() {
        return alone;
    }
    let mut kept = asked.to_vec();
    for one in asked {
        let without: Vec<Asked> = kept.iter().copied().filter(|other| other != one).collect();
        if ask(given, &without) == Answer::Unsat {
            kept = without;
        }
    }
    kept.into_iter().map(|(number, _)| number).collect()
}
