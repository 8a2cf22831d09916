//! From samples to invariants: variables that occur often enough, each with the strongest claims that held.

use crate::chance::{is_end, is_few, is_one_sided, never_zero};
use crate::variable::{ALIAS, NULL, first};
use crate::{Claim, Invariant, Measure, Variable};
use campaign::{Input, Slot};
use std::collections::BTreeMap;

/// Values of a one-of, at most.
const FEW: usize = 3;
/// Variables that are compared with each other, at most: those of the outermost objects come first.
const COMPARED: usize = 40;
/// Different values that both sides of a comparison have at least.
const VARIED: usize = 3;

/// A variable and its value in each sample that has it.
struct Observed {
    variable: Variable,
    /// By sample.
    values: BTreeMap<usize, i128>,
}

/// What holds for all samples, and hardly by chance.
pub fn infer(samples: &[Input]) -> Vec<Invariant> {
    let observed = observed(samples);
    let mut found = Vec::new();
    for one in observed.iter().filter(|one| one.variable.measure != Measure::Length) {
        let claims = claims(one);
        found.extend(claims.into_iter().map(|claim| invariant(one, claim)));
    }
    let is_data = |one: &Observed| !matches!(one.variable.measure, Measure::Null | Measure::Alias);
    let varies = |one: &&Observed| is_data(one) && distinct(one) >= VARIED;
    let mut varied: Vec<&Observed> = observed.iter().filter(varies).collect();
    varied.sort_by_key(|one| steps(&one.variable.path));
    varied.truncate(COMPARED);
    for (number, one) in varied.iter().enumerate() {
        for other in &varied[number + 1..] {
            found.extend(related(one, other));
        }
    }
    found
}

fn invariant(one: &Observed, claim: Claim) -> Invariant {
    Invariant { of: one.variable.clone(), claim, samples: one.values.len() }
}

fn distinct(one: &Observed) -> usize {
    let mut values: Vec<i128> = one.values.values().copied().collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

/// Members that lead to it.
fn steps(path: &str) -> usize {
    path.matches("->").count() + path.matches('.').count() + path.matches('[').count()
}

/// Slots that are data: of choices of a driver, only whether a pointer is null or equals another one; of elements behind a pointer, the first,
/// because the others may not be there in the program.
fn observed(samples: &[Input]) -> Vec<Observed> {
    let mut slots: BTreeMap<&str, Vec<(usize, &Slot)>> = BTreeMap::new();
    for (number, sample) in samples.iter().enumerate() {
        for slot in sample.slots.iter().filter(|slot| slot.occurrence == 0 && !is_later(&slot.path)) {
            slots.entry(&slot.path).or_default().push((number, slot));
        }
    }
    let mut found = Vec::new();
    for (path, of) in &slots {
        let Some((_, any)) = of.first() else { continue };
        let observe = |measure| {
            let variable = Variable { path: (*path).to_owned(), hash: any.hash, bits: any.bits, measure };
            let value =
                |(number, _): &(usize, &Slot)| Some((*number, variable.value(samples.get(*number)?)?));
            let values = of.iter().filter_map(value).collect();
            Observed { variable, values }
        };
        if path.ends_with(NULL) {
            found.push(observe(Measure::Null));
        } else if path.ends_with(ALIAS) {
            found.push(observe(Measure::Alias));
        } else if !path.contains('?') {
            let top = 1u64 << (any.bits.clamp(1, 64) - 1);
            let is_text = any.bits == 8 && slots.contains_key(format!("{path}{NULL}").as_str());
            let measure = match is_text {
                true => Measure::Length,
                false => Measure::Value { signed: of.iter().any(|(_, slot)| first(slot) >= top) },
            };
            found.push(observe(measure));
        }
    }
    found
}

/// `p[1].size`
fn is_later(path: &str) -> bool {
    path.match_indices('[').any(|(at, _)| !path[at + 1..].starts_with("0]"))
}

fn claims(one: &Observed) -> Vec<Claim> {
    let mut values: Vec<i128> = one.values.values().copied().collect();
    values.sort_unstable();
    let (Some(least), Some(most)) = (values.first().copied(), values.last().copied()) else {
        return Vec::new();
    };
    let choice = match one.variable.measure {
        Measure::Null => Some(Claim::NotNull),
        Measure::Alias => Some(Claim::Distinct),
        Measure::Value { .. } | Measure::Length => None,
    };
    if let Some(choice) = choice {
        let never = most == 0 && is_one_sided(values.len());
        return if never { vec![choice] } else { Vec::new() };
    }
    let mut kinds = values.clone();
    kinds.dedup();
    if kinds.len() <= FEW {
        let few = is_few(values.len(), kinds.len());
        let mask = if one.variable.bits >= 64 { u64::MAX } else { (1 << one.variable.bits) - 1 };
        let bits = kinds.iter().map(|value| *value as u64 & mask).collect();
        return if few { vec![Claim::OneOf(bits)] } else { Vec::new() };
    }
    let mut claims = Vec::new();
    if is_end(&values) {
        claims.push(Claim::AtLeast(least));
    }
    let backwards: Vec<i128> = values.iter().rev().map(|value| -value).collect();
    if is_end(&backwards) {
        claims.push(Claim::AtMost(most));
    }
    if !values.contains(&0) && least <= 0 && most >= 0 && never_zero(values.len(), most - least + 1) {
        claims.push(Claim::NotZero);
    }
    claims
}

/// Order or equality of two numbers that vary; where their ranges do not meet, order says nothing about them.
fn related(one: &Observed, other: &Observed) -> Option<Invariant> {
    let same_kind = match (one.variable.measure, other.variable.measure) {
        (Measure::Value { .. }, Measure::Value { .. }) => one.variable.bits == other.variable.bits,
        (Measure::Length, Measure::Length) => false,
        _ => one.variable.bits >= 16 || other.variable.bits >= 16,
    };
    let both: Vec<(i128, i128)> =
        one.values.iter().filter_map(|(number, value)| Some((*value, *other.values.get(number)?))).collect();
    if !same_kind || !is_one_sided(both.len()) {
        return None;
    }
    let (lefts, rights): (Vec<i128>, Vec<i128>) = both.iter().copied().unzip();
    let (one_most, other_most) = (*lefts.iter().max()?, *rights.iter().max()?);
    let (one_least, other_least) = (*lefts.iter().min()?, *rights.iter().min()?);
    if one_most < other_least || other_most < one_least {
        return None;
    }
    let claim =
        |of: &Observed, claim: Claim| Some(Invariant { of: of.variable.clone(), claim, samples: both.len() });
    if both.iter().all(|(left, right)| left == right) {
        // Both vary: that they agree each time is no chance.
        claim(one, Claim::Equals(other.variable.clone()))
    } else if both.iter().all(|(left, right)| left <= right) {
        claim(one, Claim::NoMoreThan(other.variable.clone()))
    } else if both.iter().all(|(left, right)| right <= left) {
        claim(other, Claim::NoMoreThan(one.variable.clone()))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::FunctionName;

    fn sample(values: &[(&str, u16, Vec<u8>)]) -> Input {
        let function = FunctionName { file: "a.c".into(), name: "f".into(), line: 1 };
        let slot = |(path, bits, bytes): &(&str, u16, Vec<u8>)| Slot {
            path: (*path).to_owned(),
            hash: path.bytes().fold(7, |hash, byte| hash * 31 + u64::from(byte)),
            occurrence: 0,
            bits: *bits,
            bytes: bytes.clone(),
        };
        Input::new(function, values.iter().map(slot).collect())
    }

    fn number(value: i32) -> Vec<u8> {
        value.to_le_bytes().to_vec()
    }

    /// `n` from 1 on, `mode` 2 or 5, `i` no more than `n`, a text of `n` characters, a pointer, and `low` below zero.
    fn calls(count: i32) -> Vec<Input> {
        let one = |call: i32| {
            let n = 1 + call * 7 % 11;
            sample(&[
                ("n", 32, number(n)),
                ("mode", 32, number(if call % 3 == 0 { 5 } else { 2 })),
                ("i", 32, number(n - call % 2)),
                ("low", 32, number(-1 - call % 2)),
                ("text?alias", 8, Vec::new()),
                ("text?null", 8, Vec::new()),
                ("text", 8, vec![b'a'; n as usize]),
                ("p?null", 8, if call == 4 { vec![1] } else { Vec::new() }),
                ("p[3].x", 32, number(0)),
                ("?long", 8, Vec::new()),
            ])
        };
        (0..count).map(one).collect()
    }

    fn texts(samples: &[Input]) -> Vec<String> {
        infer(samples).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_holds_for_all_calls() {
        let found = texts(&calls(32));
        let expected = [
            "low is one of -2, -1",
            "mode is one of 2, 5",
            "n >= 1",
            "n <= 11",
            "text equals no other pointer",
            "text is not null",
            "i <= n",
            "i <= length of text",
            "n == length of text",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn few_calls_say_little() {
        assert!(texts(&calls(6)).is_empty());
        assert_eq!(texts(&[]), Vec::<String>::new());
    }

    #[test]
    fn inputs_that_no_call_had() {
        let found = infer(&calls(32));
        let violated = |input: &Input| -> Vec<String> {
            let is_violated = |one: &&Invariant| one.holds(input) == Some(false);
            found.iter().filter(is_violated).map(ToString::to_string).collect()
        };
        for call in calls(40) {
            assert!(violated(&call).is_empty());
        }
        let zeros = sample(&[("n", 32, number(0)), ("i", 32, number(-5)), ("text?null", 8, vec![1])]);
        assert_eq!(violated(&zeros), ["n >= 1", "text is not null", "i <= n"]);
        assert!(violated(&sample(&[])).is_empty(), "nothing is known of it");
    }
}
