//! Random programs over a small domain: whatever the strategy, the search must find exactly the behaviours
//! that running every input shows.

use super::*;
use crate::random::Random;
use crate::simulated::{Simulated, Trace, table, trace};
use crate::strategy::{by_name, names};
use std::collections::BTreeSet;
use wire::{Class, SiteKey};

const LENGTH: usize = 3;
const RADIX: u8 = 4;

enum Code {
    Stop,
    Branch(u32, usize, u8, Box<[Code; 2]>),
    Switch(usize, Box<[Code; 4]>),
    Check(u32, usize, u8, Box<Code>),
    Assume(usize, u8, Box<Code>),
    Value(usize, Box<Code>),
}

fn random_code(random: &mut Random, depth: usize) -> Code {
    let byte = random.below(LENGTH);
    let constant = random.below(RADIX as usize) as u8;
    if depth == 0 {
        return Code::Stop;
    }
    let mut next = || Box::new(random_code(random, depth - 1));
    match constant as usize * 7 + byte * 5 + depth {
        n if n % 11 < 6 => {
            let sides = Box::new([*next(), *next()]);
            Code::Branch((n % 10) as u32, byte, constant, sides)
        }
        n if n % 11 == 6 => Code::Switch(byte, Box::new([*next(), *next(), *next(), *next()])),
        n if n % 11 < 9 => Code::Check(20 + (n % 5) as u32, byte, constant, next()),
        n if n % 11 == 9 => Code::Assume(byte, constant, next()),
        _ => Code::Value(byte, next()),
    }
}

fn interpret(code: &Code, input: &[u8], trace: &mut Trace) {
    let mut at = code;
    while trace.ending.end == End::Returned {
        at = match at {
            Code::Stop => return,
            Code::Branch(site, byte, constant, sides) => {
                &sides[usize::from(trace.branch(*site, input[*byte] > *constant))]
            }
            Code::Switch(byte, sides) => &sides[trace.switch(10, u64::from(input[*byte])) as usize],
            Code::Check(site, byte, constant, next) => {
                trace.check(*site, Class::OutOfBounds, input[*byte] > *constant);
                next
            }
            Code::Assume(byte, constant, next) => {
                trace.assume(26, input[*byte] >= *constant);
                next
            }
            Code::Value(byte, next) => {
                trace.concretise(27, u64::from(input[*byte]));
                next
            }
        };
    }
}

fn all_inputs() -> impl Iterator<Item = Vec<u8>> {
    let radix = usize::from(RADIX);
    (0..radix.pow(LENGTH as u32))
        .map(move |n| (0..LENGTH as u32).map(|digit| (n / radix.pow(digit) % radix) as u8).collect())
}

#[test]
fn searches_find_what_running_every_input_finds() {
    let tables = [table()];
    for seed in 0..12 {
        let code = Rc::new(random_code(&mut Random::new(seed), 5));
        let mut subject = Simulated::new(move |input, trace| interpret(&code, input, trace), LENGTH, RADIX);
        let mut paths: BTreeSet<String> = BTreeSet::new();
        let mut faults: BTreeSet<SiteKey> = BTreeSet::new();
        let mut covered = BTreeSet::new();
        for input in all_inputs() {
            let trace = trace(&subject.runs, &input);
            if trace.ending.end == End::Violation {
                faults.extend(trace.ending.site);
            } else if trace.ending.end != End::AssumptionFailed {
                paths.insert(trace.decisions.iter().map(|d| d.outcome.to_string()).collect());
            }
            if trace.ending.end != End::AssumptionFailed {
                covered.extend(trace.covered);
            }
        }
        for name in names() {
            subject.visited.clear();
            let mut strategy = by_name(name, seed).expect("a known strategy");
            let options = Options { value_limit: u32::MAX, check_limit: u32::MAX, ..Options::default() };
            let sites = Sites::new(&tables, None);
            let start = [vec![0; LENGTH]];
            let result = explore(&mut subject, sites, strategy.as_mut(), &start, &options, &mut ());
            let place = format!("seed {seed}, {name}");
            assert!(matches!(result.finished, Finished::AllPaths | Finished::AllSides), "{place}");
            assert_eq!(result.statistics.diverged(), 0, "{place}");
            assert_eq!(result.statistics.untried, 0, "{place}");
            let visited: BTreeSet<String> = subject.visited.iter().cloned().collect();
            assert!(paths.is_subset(&visited), "{place}: {paths:?} {visited:?}");
            let found: BTreeSet<SiteKey> = result.alarms.iter().filter_map(|a| a.ending.site).collect();
            assert_eq!(found, faults, "{place}");
            // Violating paths are not all looked for, so only what they alone reach may be missing.
            assert!(result.covered.iter().all(|counter| covered.contains(counter)), "{place}");
            if faults.is_empty() {
                assert_eq!(result.covered.len(), covered.len(), "{place}");
                let executions = result.statistics.executions as usize;
                assert_eq!(visited.len(), executions, "{place}: no path twice");
            }
        }
    }
}
