//! The loop on real code: C compiled, instrumented, run in the sandbox and solved for.

mod image;

use execute::{Input, Limits, Session, Target, UnitSetup, Way, slot_hash};
use explore::strategy::by_name;
use explore::{Exploration, Finished, Options, Sites, Unit, explore};
use solve::Solver;
use std::time::Duration;
use wire::{Class, End, SlotKey};

fn explored(name: &str, strategy: &str, options: &Options) -> Exploration<Input> {
    let built = image::built();
    let scratch = built.directory.join(format!("scratch-{name}-{strategy}"));
    let target = Target::new(&built.image, scratch);
    let setup = UnitSetup::new(built.driver(name));
    let limits = Limits { time_per_execution: Duration::from_millis(300), ..Limits::default() };
    let mut session = Session::start(&target, &setup, &limits, Way::Persistent).expect("a session");
    let mut unit = Unit::new(&mut session, &built.tables, Solver::new(solve::Options { seed: 1 }));
    let sites = Sites::new(&built.tables, Some(&[built.function(name)]));
    let mut strategy = by_name(strategy, 1).expect("a known strategy");
    explore(&mut unit, sites, strategy.as_mut(), &[Input::new()], options, &mut ())
}

fn options() -> Options {
    Options { executions: Some(2000), time: Some(Duration::from_secs(60)), ..Options::default() }
}

/// All strategies go through the same loop; what they do themselves is tested on simulated programs.
const STRATEGIES: [&str; 3] = ["coordinator", "dfs", "cgs"];

/// Explores with several strategies; nothing may diverge, and terms must agree with what happened.
fn check(name: &str, judge: impl Fn(&Exploration<Input>, &str)) {
    for strategy in STRATEGIES {
        let result = explored(name, strategy, &options());
        let place = format!("{name}, {strategy}: {:?}", result.statistics);
        assert!(result.statistics.divergences.is_empty(), "{place}");
        assert!(result.statistics.disagreements.is_empty(), "{place}");
        assert!(result.statistics.unreadable.is_empty(), "{place}");
        assert!(result.statistics.unknown.is_empty(), "{place}");
        judge(&result, &place);
    }
}

fn value(input: &Input, slot: &str) -> i64 {
    let mut bytes = [0; 8];
    let given = input.get(SlotKey { hash: slot_hash(slot), occurrence: 0 }).unwrap_or(&[]);
    bytes[..given.len().min(8)].copy_from_slice(&given[..given.len().min(8)]);
    i64::from_le_bytes(bytes)
}

/// All sides covered, all paths explored, nothing wrong.
fn clean(result: &Exploration<Input>, place: &str) {
    assert_eq!(result.coverage.0, result.coverage.1, "{place} {:?}", result.uncovered);
    assert!(result.coverage.1 > 0, "{place}");
    assert_eq!(result.finished, Finished::AllPaths, "{place}");
    assert!(result.alarms.is_empty(), "{place}: {:?}", result.alarms);
}

#[test]
fn comparisons() {
    check("triangle", clean);
}

#[test]
fn bytes_one_after_the_other() {
    check("keyword", |result, place| {
        clean(result, place);
        let magic =
            |test: &explore::Test<Input>| value(&test.input, "text").to_le_bytes().starts_with(b"magic");
        assert!(result.tests.iter().any(magic), "{place}");
    });
}

#[test]
fn every_case_of_a_switch() {
    check("opcode", |result, place| {
        assert_eq!(result.coverage.0, result.coverage.1, "{place} {:?}", result.uncovered);
        let overflow = |alarm: &explore::CandidateAlarm<Input>| alarm.class == Class::SignedOverflow;
        assert!(result.alarms.iter().all(overflow), "{place} {:?}", result.alarms);
    });
}

#[test]
fn an_index_one_too_far() {
    check("square", |result, place| {
        assert_eq!(result.coverage.0, result.coverage.1, "{place}");
        assert_eq!(result.alarms.len(), 1, "{place}");
        let alarm = &result.alarms[0];
        assert_eq!(alarm.class, Class::OutOfBounds, "{place}");
        assert_eq!(value(&alarm.input, "index"), 8, "{place}");
        assert_eq!(value(&alarm.input, "odd") % 2, 1, "{place}");
    });
}

#[test]
fn a_division_by_zero() {
    check("quotient", |result, place| {
        assert_eq!(result.coverage.0, result.coverage.1, "{place}");
        assert_eq!(result.alarms.len(), 1, "{place}");
        let alarm = &result.alarms[0];
        assert_eq!(alarm.class, Class::DivisionByZero, "{place}");
        assert_eq!((value(&alarm.input, "a"), value(&alarm.input, "b")), (77, 0), "{place}");
    });
}

#[test]
fn a_loop() {
    check("count", |result, place| {
        clean(result, place);
        assert_eq!(result.statistics.executions, 64, "{place}");
    });
}

#[test]
fn a_symbolic_index() {
    check("lookup", |result, place| {
        assert_eq!(result.coverage.0, result.coverage.1, "{place} {:?}", result.uncovered);
        assert!(result.alarms.is_empty(), "{place}");
    });
}

#[test]
fn an_assumption() {
    check("odd_only", |result, place| {
        clean(result, place);
        assert!(result.tests.iter().all(|test| value(&test.input, "x") % 2 == 1), "{place}");
        assert_eq!(result.statistics.endings[&End::AssumptionFailed], 1, "{place}");
    });
}

#[test]
fn no_end() {
    check("endless", |result, place| {
        let classes: Vec<Class> = result.alarms.iter().map(|alarm| alarm.class).collect();
        assert_eq!(classes, [Class::NonTermination], "{place}");
        assert_eq!(value(&result.alarms[0].input, "x"), 5, "{place}");
    });
}

#[test]
fn bit_fields() {
    check("bits", clean);
}

#[test]
fn floating_point() {
    check("half", |result, place| {
        clean(result, place);
        let solution = |test: &explore::Test<Input>| f64::from_bits(value(&test.input, "x") as u64) == 3.5;
        assert!(result.tests.iter().any(solution), "{place}");
    });
}

#[test]
fn the_same_seed_gives_the_same_result() {
    for strategy in STRATEGIES {
        let run = || {
            let result =
                explored("triangle", strategy, &Options { executions: Some(15), ..Options::default() });
            let tests = result.tests.into_iter().map(|test| (test.input, test.new_coverage, test.execution));
            (tests.collect::<Vec<_>>(), result.statistics.queries, result.statistics.nodes)
        };
        assert_eq!(run(), run(), "{strategy}");
    }
}
