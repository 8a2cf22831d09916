use super::*;
use crate::decision::Goal;
use crate::exploration::Place;
use crate::simulated::{Simulated, Trace, key, table};
use crate::strategy::{by_name, names};
use wire::Class;
use wire::log::Concretised;

fn options() -> Options {
    Options { executions: Some(1000), ..Options::default() }
}

fn explored(subject: &mut Simulated, strategy: &str, options: &Options) -> Exploration<Vec<u8>> {
    let tables = [table()];
    let seed = vec![0; subject.length];
    let mut strategy = by_name(strategy, 1).expect("a known strategy");
    explore(subject, Sites::new(&tables, None), strategy.as_mut(), &[seed], options, &mut ())
}

/// Three independent bits: eight paths.
fn three_bits(input: &[u8], trace: &mut Trace) {
    for (site, byte) in input.iter().enumerate() {
        trace.branch(site as u32, *byte == 1);
    }
}

/// The second branch is decided by the first; the third is reached on one side only.
fn dependent(input: &[u8], trace: &mut Trace) {
    let low = trace.branch(0, input[0] < 2);
    trace.branch(1, input[0] < 3);
    if !low {
        trace.branch(2, input[1] == 2);
    }
}

#[test]
fn dfs_negates_the_deepest_first() {
    let mut subject = Simulated::new(three_bits, 3, 2);
    let result = explored(&mut subject, "dfs", &options());
    assert_eq!(subject.visited, ["000", "001", "010", "011", "100", "101", "110", "111"]);
    assert_eq!(result.finished, Finished::AllPaths);
    assert_eq!(result.statistics.executions, 8);
    assert_eq!((result.statistics.queries, result.statistics.sat), (7, 7));
    assert_eq!(result.statistics.diverged(), 0);
}

#[test]
fn dfs_order_with_infeasible_sides() {
    let mut subject = Simulated::new(dependent, 2, 4);
    let result = explored(&mut subject, "dfs", &options());
    assert_eq!(subject.visited, ["11", "010", "011", "000", "001"]);
    let take = Goal::Take;
    assert_eq!(subject.asked, [(1, take(0)), (0, take(0)), (2, take(1)), (1, take(0)), (2, take(1))]);
    assert_eq!((result.statistics.sat, result.statistics.unsat), (4, 1));
    assert_eq!(result.finished, Finished::AllPaths);
    assert_eq!(result.coverage.0, 6);
}

#[test]
fn every_strategy_finds_all_paths() {
    for name in names() {
        let mut subject = Simulated::new(three_bits, 3, 2);
        let result = explored(&mut subject, name, &options());
        assert_eq!(result.finished, Finished::AllPaths, "{name}");
        let mut visited = subject.visited.clone();
        visited.sort();
        visited.dedup();
        assert_eq!(visited.len(), 8, "{name}");
    }
}

/// Terms that depend on more than decisions: each input is asked about with its own, and nothing is lost.
#[test]
fn executions_with_other_terms_are_kept_apart() {
    for strategy in names() {
        let mut subject = Simulated::new(three_bits, 3, 2);
        subject.noise = |input| input.iter().map(|byte| u64::from(*byte)).sum();
        let result = explored(&mut subject, strategy, &options());
        assert_eq!((&result.finished, result.statistics.executions), (&Finished::AllPaths, 8), "{strategy}");
        assert_eq!(result.statistics.diverged(), 0, "{strategy}");
        // And so they are when everything was forgotten.
        subject.bytes_a_run = 1;
        let forgetful = Options { memory: 1, ..options() };
        let result = explored(&mut subject, strategy, &forgetful);
        assert_eq!((&result.finished, result.statistics.executions), (&Finished::AllPaths, 8), "{strategy}");
        assert!(result.statistics.resets > 0, "{strategy}");
    }
}

#[test]
fn the_same_seed_gives_the_same_search() {
    for name in names() {
        let run = |seed| {
            let mut subject = Simulated::new(three_bits, 6, 2);
            let tables = [table()];
            let mut strategy = by_name(name, seed).expect("a known strategy");
            let inputs = [vec![0; 6]];
            let sites = Sites::new(&tables, None);
            explore(&mut subject, sites, strategy.as_mut(), &inputs, &options(), &mut ());
            subject.visited
        };
        assert_eq!(run(5), run(5), "{name}");
        let by_chance = ["random", "coordinator", "cgs", "klee", "coverage"];
        if by_chance.iter().any(|word| name.contains(word)) {
            assert_ne!(run(5), run(6), "{name}");
        }
    }
}

#[test]
fn budgets_are_kept() {
    let mut subject = Simulated::new(three_bits, 6, 2);
    let result = explored(&mut subject, "dfs", &Options { executions: Some(5), ..Options::default() });
    assert_eq!((result.finished, result.statistics.executions), (Finished::Executions, 5));
    let no_time = Options { time: Some(std::time::Duration::ZERO), ..Options::default() };
    let result = explored(&mut subject, "dfs", &no_time);
    assert_eq!((result.finished, result.statistics.executions), (Finished::Time, 0));
}

#[test]
fn the_observer_hears_and_stops() {
    let mut subject = Simulated::new(three_bits, 6, 2);
    let tables = [table()];
    let mut strategy = by_name("dfs", 0).expect("a known strategy");
    let mut last = 0;
    let mut observer = |event: Event| {
        if let Event::Executed(progress) = event {
            last = progress.executions;
        }
        if last == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let sites = Sites::new(&tables, None);
    let result = explore(&mut subject, sites, strategy.as_mut(), &[vec![0; 6]], &options(), &mut observer);
    assert_eq!((result.finished, last), (Finished::Stopped, 3));
}

#[test]
fn a_switch_is_taken_every_way() {
    fn program(input: &[u8], trace: &mut Trace) {
        let successor = if (5..8).contains(&input[0]) { u64::from(input[0]) - 4 } else { 0 };
        trace.switch(10, successor);
    }
    let mut subject = Simulated::new(program, 1, 10);
    let result = explored(&mut subject, "dfs", &options());
    assert_eq!(subject.visited, ["0", "1", "2", "3"]);
    assert_eq!(result.coverage.0, 4);
    assert_eq!(result.tests.len(), 4);
    assert_eq!(result.finished, Finished::AllPaths);
}

#[test]
fn a_check_is_asked_for_until_violated() {
    // The index is in range on the first two rounds, whatever the input.
    fn program(input: &[u8], trace: &mut Trace) {
        for round in 0..6 {
            trace.check(20, Class::OutOfBounds, round > 1 && input[0] == 3);
        }
        trace.branch(0, input[0] == 1);
    }
    for name in names() {
        let mut subject = Simulated::new(program, 1, 4);
        let result = explored(&mut subject, name, &options());
        assert_eq!(result.alarms.len(), 1, "{name}");
        let alarm = &result.alarms[0];
        assert_eq!((alarm.class, alarm.place), (Class::OutOfBounds, Place::Site(key(20))), "{name}");
        assert_eq!(alarm.input, [3], "{name}");
        // Coverage counts the program's own branch only.
        assert_eq!(result.coverage.0, 2, "{name}");
        assert!(!subject.visited.is_empty());
    }
}

#[test]
fn without_violations_only_what_is_behind_a_failed_check_is_asked_for() {
    // The first check fails on zeros; the second never fails by itself.
    fn program(input: &[u8], trace: &mut Trace) {
        trace.check(20, Class::OutOfBounds, input[0] == 0);
        trace.check(21, Class::OutOfBounds, input[1] == 1);
        trace.branch(0, input[0] == 2);
    }
    for name in names() {
        let mut subject = Simulated::new(program, 2, 3);
        let limits = Options { violations: false, ..options() };
        let result = explored(&mut subject, name, &limits);
        assert_eq!(subject.visited, ["1", "000", "001"], "{name}");
        assert_eq!(subject.asked, [(20, Goal::Take(0)), (0, Goal::Take(1))], "{name}");
        assert_eq!((result.alarms.len(), result.coverage.0), (1, 2), "{name}");
    }
}

#[test]
fn an_infeasible_check_is_given_up() {
    fn program(input: &[u8], trace: &mut Trace) {
        for _ in 0..50 {
            trace.check(20, Class::OutOfBounds, input[0] > 100);
        }
    }
    let mut subject = Simulated::new(program, 1, 4);
    let limits = Options { check_patience: 2, check_limit: 10, ..options() };
    let result = explored(&mut subject, "dfs", &limits);
    assert_eq!(result.statistics.unsat, 10);
    assert_eq!(result.finished, Finished::AllSides);
}

#[test]
fn broken_assumptions_are_mended_and_count_for_nothing() {
    fn program(input: &[u8], trace: &mut Trace) {
        trace.branch(1, false);
        trace.assume(21, input[0] > 0);
        trace.branch(0, input[0] > 1);
    }
    for name in names() {
        let mut subject = Simulated::new(program, 1, 4);
        let result = explored(&mut subject, name, &options());
        assert_eq!(result.statistics.endings[&End::AssumptionFailed], 1, "{name}");
        assert_eq!(result.statistics.executions, 3, "{name}");
        assert_eq!(result.coverage.0, 3, "{name}");
        assert!(result.tests.iter().all(|test| test.input[0] > 0), "{name}");
        assert_eq!(result.finished, Finished::AllPaths, "{name}");
    }
}

#[test]
fn other_values_come_last_and_are_bounded() {
    fn program(input: &[u8], trace: &mut Trace) {
        trace.concretise(22, u64::from(input[0]));
        trace.branch(0, input[1] == 1);
    }
    let mut subject = Simulated::new(program, 2, 20);
    let limits = Options { value_limit: 3, ..options() };
    let result = explored(&mut subject, "dfs", &limits);
    assert_eq!(subject.visited, ["00", "01", "10", "11", "20", "21", "30", "31"]);
    assert_eq!(result.statistics.concretisations[&(Concretised::LoadAddress, key(22))], 8);
    assert_eq!(result.finished, Finished::AllSides);
}

#[test]
fn unknown_answers_are_counted_by_reason() {
    let mut subject = Simulated::new(three_bits, 3, 2);
    subject.unknown_at = Some(0);
    let result = explored(&mut subject, "dfs", &options());
    assert_eq!(result.statistics.unknown["hard"], 1);
    assert_eq!(result.statistics.executions, 4);
    assert_eq!(result.finished, Finished::AllSides);
    assert_eq!(result.uncovered.len(), 1);
    assert_eq!((result.uncovered[0].outcome, result.uncovered[0].unknown), (1, 1));
}

#[test]
fn slow_questions_are_asked_again_at_the_end_with_more_time() {
    let mut subject = Simulated::new(three_bits, 3, 2);
    let limits = options();
    subject.slow_at = Some((1, limits.solver_time));
    let result = explored(&mut subject, "dfs", &limits);
    assert_eq!(subject.visited, ["000", "001", "100", "101", "110", "111", "010", "011"]);
    assert_eq!(result.statistics.unknown["time-limit"], 2);
    assert_eq!(result.finished, Finished::AllPaths);
}

#[test]
fn hard_sites_wait() {
    let mut subject = Simulated::new(three_bits, 6, 2);
    subject.unknown_at = Some(5);
    let limits = Options { unknown_patience: 3, ..options() };
    let result = explored(&mut subject, "dfs", &limits);
    let asked: Vec<usize> =
        (0..subject.asked.len()).filter(|&question| subject.asked[question].0 == 5).collect();
    // On 32 paths: three at once, the others when all paths were there.
    assert_eq!((asked.len(), asked[2], asked[3]), (32, 4, 34));
    assert_eq!(result.finished, Finished::AllSides);
}

#[test]
fn a_side_that_keeps_failing_is_asked_for_ever_less() {
    // Branch 7 is infeasible on all 64 paths.
    fn program(input: &[u8], trace: &mut Trace) {
        for bit in 0..6 {
            trace.branch(bit, input[bit as usize] == 1);
        }
        trace.branch(7, input[0] > 1);
    }
    let mut subject = Simulated::new(program, 6, 2);
    let limits = Options { side_patience: 4, ..options() };
    let result = explored(&mut subject, "dfs", &limits);
    let asked: Vec<usize> =
        (0..subject.asked.len()).filter(|&question| subject.asked[question].0 == 7).collect();
    assert_eq!(asked.len(), 64);
    // 4 at once, then one in two, one in three ...
    let early = asked.iter().filter(|&&question| question < 63 + 20).count();
    assert!((16..24).contains(&early), "{early} {asked:?}");
    assert_eq!(result.finished, Finished::AllPaths);
}

#[test]
fn faults_in_models_are_told_apart_by_caller() {
    // Site 99 is in no table.
    fn program(input: &[u8], trace: &mut Trace) {
        let caller = trace.branch(0, input[0] == 1);
        trace.branch(1, input[1] == 1);
        trace.end(End::Violation, Class::OutOfBounds as i32, Some(key(99)));
        trace.ending.stack = vec![0x10, if caller { 0x20 } else { 0x30 }];
    }
    let mut subject = Simulated::new(program, 2, 2);
    let result = explored(&mut subject, "dfs", &options());
    let found: Vec<_> = result.alarms.iter().map(|alarm| (alarm.place, alarm.hits)).collect();
    assert_eq!(found, [(Place::Site(key(99)), 2), (Place::Site(key(99)), 2)]);
}

#[test]
fn some_later_inputs_of_a_fault_are_kept() {
    fn program(input: &[u8], trace: &mut Trace) {
        (0..3).for_each(|at| _ = trace.branch(at, input[usize::from(at as u8)] == 1));
        trace.end(End::Violation, Class::OutOfBounds as i32, Some(key(9)));
    }
    let mut subject = Simulated::new(program, 3, 2);
    let result = explored(&mut subject, "dfs", &options());
    let [alarm] = &result.alarms[..] else { panic!("{:?}", result.alarms) };
    // The second, fourth and eighth.
    assert_eq!((alarm.hits, alarm.later.len()), (8, 3));
    assert!(alarm.later.iter().all(|(input, _)| *input != alarm.input));
}

/// The search believes `believed`; `runs` is what really happens.
fn diverging(runs: fn(&[u8], &mut Trace), believed: fn(&[u8], &mut Trace), expected: &str) {
    let mut subject = Simulated::new(runs, 2, 4);
    subject.believed = Rc::new(believed);
    let result = explored(&mut subject, "dfs", &options());
    assert_eq!(result.finished, Finished::AllSides);
    let kinds: Vec<String> = result.statistics.divergences.keys().map(|kind| kind.to_string()).collect();
    assert!(kinds.iter().any(|kind| kind == expected), "{kinds:?}");
    assert_eq!(result.finished, Finished::AllSides);
}

#[test]
fn divergences_are_named() {
    fn real(input: &[u8], trace: &mut Trace) {
        trace.branch(0, input[0] == 3);
        trace.branch(1, input[1] == 3);
    }
    diverging(
        real,
        |input, trace| {
            trace.branch(0, input[0] == 2);
            trace.branch(1, input[1] == 3);
        },
        "unchanged",
    );
    diverging(
        |input, trace| {
            trace.branch(0, input[1] == 3);
            trace.branch(1, input[1] == 3);
        },
        real,
        "earlier-outcome",
    );
    diverging(
        |input, trace| {
            trace.lose(25, Concretised::InlineAssembly, false);
            trace.branch(if input[1] == 3 { 4 } else { 0 }, input[0] == 3);
            trace.branch(1, input[1] == 3);
        },
        real,
        "other-site, lost inline-assembly",
    );
    diverging(
        |input, trace| {
            if input[1] == 3 {
                trace.end(End::Timeout, 0, None);
            }
            real(input, trace);
        },
        real,
        "shorter, stopped by timeout",
    );
}

#[test]
fn alarms_are_one_per_class_and_place() {
    fn program(input: &[u8], trace: &mut Trace) {
        if trace.branch(0, input[0] == 1) {
            trace.end(End::Timeout, 0, None);
        }
        if trace.branch(1, input[1] == 1) {
            trace.end(End::Segfault, 11, None);
        }
        trace.branch(2, input[2] == 1);
    }
    let mut subject = Simulated::new(program, 3, 2);
    let result = explored(&mut subject, "dfs", &options());
    let found: Vec<_> = result.alarms.iter().map(|alarm| (alarm.class, alarm.place)).collect();
    assert_eq!(
        found,
        [(Class::NullDereference, Place::Address(0x1000)), (Class::NonTermination, Place::Unit)]
    );
}

#[test]
fn paths_behind_timeouts_wait() {
    // Every value of the first byte but 0 times out after two more branches.
    fn program(input: &[u8], trace: &mut Trace) {
        for value in 1..4 {
            if trace.branch(value, input[0] == value as u8) {
                trace.branch(5, input[1] == 1);
                trace.branch(6, input[2] == 1);
                trace.end(End::Timeout, 0, None);
            }
        }
        trace.branch(0, input[1] == 1);
    }
    let mut subject = Simulated::new(program, 3, 4);
    let limits = Options { timeout_patience: 1, ..options() };
    let result = explored(&mut subject, "dfs", &limits);
    // The last of the others comes before the second path behind a timeout.
    let first_other = subject.visited.iter().position(|path| path == "0001").expect("visited");
    let last_slow = subject.visited.iter().rposition(|path| path.starts_with('1')).expect("visited");
    assert!(first_other < last_slow, "{:?}", subject.visited);
    assert_eq!(subject.visited.len(), 3 * 4 + 2);
    assert_eq!(result.finished, Finished::AllSides);
}

#[test]
fn a_site_that_keeps_diverging_is_given_up() {
    // The second branch never does what the search believes; it is reached on 64 paths.
    fn program(believed: bool, input: &[u8], trace: &mut Trace) {
        for bit in 0..6 {
            trace.branch(bit, input[bit as usize] == 1);
        }
        trace.branch(7, believed && input[6] == 1);
    }
    let mut subject = Simulated::new(|input, trace| program(false, input, trace), 7, 2);
    subject.believed = Rc::new(|input, trace| program(true, input, trace));
    let limits = Options { divergence_patience: 3, ..options() };
    let result = explored(&mut subject, "dfs", &limits);
    assert_eq!(result.statistics.diverged(), 24);
    let asked: Vec<usize> =
        (0..subject.asked.len()).filter(|&question| subject.asked[question].0 == 7).collect();
    // Three at once, the others when all 64 paths were there.
    assert!(asked[2] < 10 && asked[3] > 60, "{asked:?}");
    assert_eq!(result.finished, Finished::AllSides);
}

#[test]
fn paths_are_rebuilt_when_memory_was_given_back() {
    let mut subject = Simulated::new(three_bits, 3, 2);
    subject.bytes_a_run = 10;
    let limits = Options { memory: 15, ..options() };
    let result = explored(&mut subject, "dfs", &limits);
    assert_eq!(result.finished, Finished::AllPaths);
    assert_eq!(result.statistics.executions, 8);
    assert!(result.statistics.resets > 2 && result.statistics.reruns > 2, "{:?}", result.statistics);
    assert_eq!(subject.visited.len() as u64, 8 + result.statistics.reruns);
}

#[test]
fn a_test_that_does_not_repeat_is_a_divergence() {
    let mut subject = Simulated::new(three_bits, 3, 2);
    subject.bytes_a_run = 10;
    subject.runs_again = Some(Rc::new(|input, trace| {
        trace.branch(0, input[0] == 1);
        trace.branch(8, true);
    }));
    let limits = Options { memory: 5, ..options() };
    let result = explored(&mut subject, "dfs", &limits);
    let kinds: Vec<String> = result.statistics.divergences.keys().map(|kind| kind.to_string()).collect();
    assert_eq!(kinds, ["unrepeatable"]);
    assert_eq!(result.finished, Finished::AllSides);
}

#[test]
fn a_failure_of_the_machinery_keeps_the_results() {
    struct Failing(u32);
    impl Subject for Failing {
        type Input = ();
        type Held = ();
        fn run(&mut self, _: &(), _: Run, _: Option<Base<'_, ()>>) -> Result<Box<Observed<()>>, Failure> {
            Err(Failure("the server is gone".into()))
        }
        fn solve(&mut self, _: &Question<'_, Failing>) -> Result<Solved<()>, Failure> {
            self.0 += 1;
            Ok(Solved::Infeasible)
        }
    }
    let mut strategy = by_name("dfs", 0).expect("a known strategy");
    let sites = Sites::new(&[], None);
    let mut subject = Failing(0);
    let result = explore(&mut subject, sites, strategy.as_mut(), &[()], &options(), &mut ());
    assert_eq!(result.finished, Finished::Failed("the server is gone".into()));
}
