//! Candidates and the likely invariants of the function: an input that satisfies them takes the place of one that does
//! not, where there is one on the same path or among those that failed there; else the candidate says which of them it
//! violates, and its alarm counts less. Nothing is dropped: samples are no proof.

use super::confirm::to_run;
use super::search::{Reports, start};
use crate::job::{Candidate, UnitJob, cause_in};
use explore::unit::{Beside, Condition, Unit, Wanted};
use invariant::{Claim, Invariant, Measure, Variable};
use model::sites::SiteTable;
use std::time::{Duration, Instant};
use wire::SlotKey;

/// For one question to the solver, and the part of a function's time for all of them.
const QUESTION: Duration = Duration::from_millis(200);
const SHARE: u32 = 10;
/// Inputs of a candidate whose paths are asked about.
const PATHS: usize = 4;

/// The invariants that an alarm can only happen against, in its evidence.
const UNLIKELY: &str = "unlikely";

pub(super) fn prefer_likely(
    job: &UnitJob,
    tables: &[SiteTable],
    candidates: &mut [Candidate],
) -> anyhow::Result<()> {
    let is_own = |candidate: &&mut Candidate| candidate.input.function == job.function;
    let mut doubtful: Vec<&mut Candidate> =
        candidates.iter_mut().filter(is_own).filter(|one| !violated(job, &one.input).is_empty()).collect();
    if job.invariants.is_empty() || doubtful.is_empty() {
        return Ok(());
    }
    let mut session = start(job, Reports { checks: true, full_coverage: false })?;
    let solver = solve::Solver::new(solve::Options { seed: job.seed });
    let mut unit = Unit::new(&mut session, tables, solver);
    let (begun, share) = (Instant::now(), Duration::from_millis(job.time_ms) / SHARE);
    for candidate in &mut doubtful {
        if begun.elapsed() > share {
            break;
        }
        prefer(job, &mut unit, candidate)?;
    }
    Ok(())
}

/// The invariants that an input violates.
fn violated<'j>(job: &'j UnitJob, input: &campaign::Input) -> Vec<&'j Invariant> {
    job.invariants.iter().filter(|one| one.holds(input) == Some(false)).collect()
}

fn prefer(job: &UnitJob, unit: &mut Unit<'_>, candidate: &mut Candidate) -> anyhow::Result<()> {
    let fits = candidate.later.iter().position(|(input, _)| violated(job, input).is_empty());
    if let Some(at) = fits {
        let (input, cause) = candidate.later.remove(at);
        put_first(candidate, input, &cause);
        return Ok(());
    }
    let wanted: Vec<(&Invariant, Wanted)> = job
        .invariants
        .iter()
        .filter_map(|one| Some((one, Wanted { condition: condition(one)?, support: one.samples })))
        .collect();
    let asked: Vec<Wanted> = wanted.iter().map(|(_, wanted)| wanted.clone()).collect();
    let mut unlikely: Vec<String> = Vec::new();
    let inputs: Vec<campaign::Input> = std::iter::once(&candidate.input)
        .chain(candidate.later.iter().map(|(input, _)| input))
        .cloned()
        .collect();
    for input in inputs.iter().take(PATHS) {
        match unit.beside(&to_run(input), &asked, QUESTION)? {
            Beside::Input(found) => {
                let better = with_values(input, &found);
                // Lengths of texts are not asked for.
                if violated(job, &better).is_empty() {
                    let cause = cause_of(candidate);
                    put_first(candidate, better, &cause);
                }
                return Ok(());
            }
            Beside::Contradicted(numbers) => {
                let texts = numbers.iter().map(|number| wanted[*number].0.to_string());
                unlikely.extend(texts);
            }
            Beside::Unknown => return Ok(()),
        }
    }
    unlikely.sort();
    unlikely.dedup();
    if let Some(evidence) = candidate.evidence.as_object_mut().filter(|_| !unlikely.is_empty()) {
        evidence.insert(UNLIKELY.to_owned(), unlikely.into());
    }
    Ok(())
}

fn cause_of(candidate: &Candidate) -> Vec<String> {
    cause_in(&candidate.evidence).map(str::to_owned).collect()
}

/// The input is tried first; the one before it stays, in case that this one shows nothing natively.
fn put_first(candidate: &mut Candidate, input: campaign::Input, cause: &[String]) {
    let before = cause_of(candidate);
    let mut changed = candidate.on(&input, cause);
    changed.later = std::mem::take(&mut candidate.later);
    changed.later.insert(0, (std::mem::replace(&mut candidate.input, input), before));
    *candidate = changed;
}

/// The input with the values of another one on the same path: it reads the same slots.
fn with_values(input: &campaign::Input, values: &execute::Input) -> campaign::Input {
    let mut changed = input.clone();
    for slot in &mut changed.slots {
        let key = SlotKey { hash: slot.hash, occurrence: slot.occurrence };
        let value = values.get(key).unwrap_or_default();
        for (byte, new) in slot.bytes.iter_mut().zip(value.iter().copied().chain(std::iter::repeat(0))) {
            *byte = new;
        }
    }
    changed
}

/// The invariant as the solver is asked for it; None for what is no condition on single inputs.
fn condition(one: &Invariant) -> Option<Condition> {
    let slot = |variable: &Variable| match variable.measure {
        Measure::Length => None,
        Measure::Value { .. } | Measure::Null | Measure::Alias => {
            Some(SlotKey { hash: variable.hash, occurrence: 0 })
        }
    };
    let signed = one.of.measure == Measure::Value { signed: true };
    let top = 1u64 << (one.of.bits.clamp(1, 64) - 1);
    let (least, most) = if signed { (top, top - 1) } else { (0, top - 1 + top) };
    let of = slot(&one.of)?;
    Some(match &one.claim {
        Claim::NotNull => Condition::NoneOf { slot: of, values: vec![1] },
        Claim::Distinct => Condition::OneOf { slot: of, values: vec![0] },
        Claim::NotZero => Condition::NoneOf { slot: of, values: vec![0] },
        Claim::OneOf(values) => Condition::OneOf { slot: of, values: values.clone() },
        Claim::AtLeast(low) => Condition::Between { slot: of, low: *low as u64, high: most, signed },
        Claim::AtMost(high) => Condition::Between { slot: of, low: least, high: *high as u64, signed },
        Claim::Equals(other) => Condition::Equal { slot: of, other: slot(other)? },
        Claim::NoMoreThan(other) => {
            let other_signed = other.measure == Measure::Value { signed: true };
            Condition::NoMoreThan { slot: of, other: slot(other)?, signed: signed || other_signed }
        }
    })
}
