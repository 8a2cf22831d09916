//! Each way an execution can end, in both ways of running, again and again in one session.

mod image;

use execute::{Ending, Input, Limits, Way};
use image::{input, session, session_with};
use std::time::Duration;
use wire::{Class, End};

const WAYS: [Way; 2] = [Way::Persistent, Way::Fork];

/// Runs the unit three times each way: the ending must not depend on what went before.
fn check(name: &str, input: &Input, expected: impl Fn(&Ending) -> bool) {
    let limits = Limits { time_per_execution: Duration::from_secs(5), heap: 16 << 20, ..Limits::default() };
    for way in WAYS {
        let mut session = session_with(name, way, &limits);
        for round in 0..3 {
            let execution = session.run(input).unwrap();
            let ending = execution.ending();
            assert!(expected(ending), "{name} {way:?} {round}: {ending:?}");
        }
    }
}

fn exits(code: i32) -> impl Fn(&Ending) -> bool {
    move |ending| ending.end == End::Exited && ending.value == code
}

fn ends(end: End, class: Option<Class>) -> impl Fn(&Ending) -> bool {
    move |ending| ending.end == end && ending.class == class
}

#[test]
fn returning() {
    check("nothing", &Input::new(), ends(End::Returned, None));
}

#[test]
fn inputs_reach_the_code_and_missing_ones_are_zero() {
    check("sum_of_bytes", &Input::new(), exits(0));
    let given = input(&[("bytes", 0, &[1, 2, 3]), ("table[3].word", 0, &[0, 1])]);
    check("sum_of_bytes", &given, exits(6 + 256));
    check("same_slot_twice", &input(&[("x", 0, &[4, 0, 0, 0]), ("x", 1, &[2, 0, 0, 0])]), exits(42));
    check("bits_and_choice", &input(&[("flags", 0, &[0xff]), ("which", 0, &[4])]), exits(74));
}

#[test]
fn assumptions() {
    check("assumes", &input(&[("x", 0, &[9])]), exits(9));
    check("assumes", &Input::new(), ends(End::AssumptionFailed, None));
    check("bits_and_choice", &input(&[("which", 0, &[5])]), exits(0));
}

#[test]
fn faults() {
    check("reads_null", &Input::new(), |ending| {
        ending.class == Some(Class::NullDereference)
            && ending.address == 8
            && ending.pc != 0
            && ending.stack.len() > 1
    });
    check("reads_wild", &Input::new(), |ending| {
        ending.class == Some(Class::Other) && ending.address == 0x1234_5678_90ab
    });
    check("reads_no_address", &Input::new(), ends(End::Segfault, Some(Class::Other)));
    check("divides", &Input::new(), ends(End::ArithmeticTrap, Some(Class::DivisionByZero)));
    check("traps", &Input::new(), |ending| ending.end == End::OtherSignal && ending.value == libc::SIGILL);
    check("recurses", &Input::new(), ends(End::StackOverflow, Some(Class::StackOverflow)));
    check("recurses_a_little", &Input::new(), exits(1));
    check("catches_faults", &Input::new(), ends(End::Segfault, Some(Class::NullDereference)));
}

#[test]
fn deliberate_endings() {
    check("aborts", &Input::new(), ends(End::Aborted, Some(Class::Assertion)));
    check("aborts_in_library", &Input::new(), ends(End::Aborted, Some(Class::Assertion)));
    check("exits_in_library", &Input::new(), exits(7));
    check("asserts", &Input::new(), |ending| {
        ending.end == End::AssertFailed && ending.text == "widget.c:42: turn: assertion `x > 0' failed"
    });
    check("raises", &Input::new(), |ending| ending.end == End::RaisedSignal && ending.value == libc::SIGTERM);
    check("raises_in_library", &Input::new(), |ending| {
        ending.end == End::RaisedSignal && ending.value == libc::SIGUSR1
    });
    check("jumps", &Input::new(), exits(3));
    check("jumps_nowhere", &Input::new(), ends(End::LongJump, None));
}

#[test]
fn the_heap() {
    check("asks_for_too_much", &Input::new(), exits(1));
    check("eats_memory", &Input::new(), ends(End::OutOfMemory, None));
    check("frees_twice", &Input::new(), ends(End::Violation, Some(Class::DoubleFree)));
    check("frees_inside", &Input::new(), ends(End::Violation, Some(Class::Other)));
    check("heap_is_poisoned_around", &Input::new(), exits(1));
    check("heap_has_no_holes", &Input::new(), ends(End::Violation, Some(Class::OutOfBounds)));
    check("uses_large_after_free", &Input::new(), ends(End::Violation, Some(Class::UseAfterFree)));
    check("churns_large", &Input::new(), exits(0));
}

#[test]
fn freed_memory_is_used_again_when_it_gets_short() {
    let limits = Limits { heap: 8 << 20, time_per_execution: Duration::from_secs(20), ..Limits::default() };
    for way in WAYS {
        let mut session = session_with("heap_churns", way, &limits);
        let ending = session.run(&Input::new()).unwrap().ending().clone();
        assert!(exits(0)(&ending), "{way:?} {ending:?}");
    }
}

#[test]
fn time_limits() {
    let limits = Limits { time_per_execution: Duration::from_millis(100), ..Limits::default() };
    for way in WAYS {
        for (name, tells_where) in [("loops", true), ("loops_deaf", false)] {
            let mut session = session_with(name, way, &limits);
            for _ in 0..2 {
                let ending = session.run(&Input::new()).unwrap().ending().clone();
                assert_eq!(ending.end, End::Timeout, "{name} {way:?}");
                assert_eq!(ending.pc != 0, tells_where, "{name} {way:?}");
            }
            assert_eq!(session.statistics().timeouts, 2);
            assert_eq!(session.statistics().servers_lost, 0);
        }
    }
}

#[test]
fn waiting_is_not_looping() {
    let limits = Limits { time_per_execution: Duration::from_millis(200), ..Limits::default() };
    for way in WAYS {
        let mut session = session_with("naps", way, &limits);
        for _ in 0..2 {
            assert_eq!(session.run(&Input::new()).unwrap().ending().end, End::Returned, "{way:?}");
        }
        let mut session = session_with("waits_for_ever", way, &limits);
        assert_eq!(session.run(&Input::new()).unwrap().ending().end, End::Timeout, "{way:?}");
    }
}

#[test]
fn an_execution_leaves_no_traces() {
    let mut places = Vec::new();
    for way in WAYS {
        let mut session = session("leaves_traces", way);
        for round in 0..5 {
            let ending = session.run(&Input::new()).unwrap().ending().clone();
            assert!(ending.end == End::Exited && ending.value < 100, "{way:?} {round}: {ending:?}");
            places.push(ending.value);
        }
        assert_eq!(session.statistics().workers_lost, 0);
    }
    assert!(places.iter().all(|place| *place == places[0]), "addresses differ: {places:?}");
}

#[test]
fn a_unit_that_cannot_be_reset_is_forked() {
    let mut session = session("maps_memory", Way::Persistent);
    for _ in 0..3 {
        assert!(exits(1)(session.run(&Input::new()).unwrap().ending()));
    }
    assert_eq!(session.way(), Way::Fork);
    assert!(session.statistics().fell_back_to_fork);
}

#[test]
fn a_scribbled_header_harms_nobody() {
    for way in WAYS {
        let mut session = session("scribbles", way);
        for _ in 0..3 {
            session.run(&Input::new()).unwrap();
        }
    }
}

#[test]
fn the_shared_memory_keeps_its_size() {
    for way in WAYS {
        let mut session = session("truncates", way);
        for _ in 0..2 {
            let ending = session.run(&Input::new()).unwrap().ending().clone();
            assert!(!exits(1)(&ending), "{ending:?}");
        }
    }
}

/// Whatever tested code leaves in the shared memory: an ending or a typed error, and all of it can be read. A session
/// that is lost says so and a new one works.
#[test]
fn shared_memory_at_random_harms_nobody() {
    let limits = Limits { time_per_execution: Duration::from_millis(100), ..Limits::default() };
    for way in WAYS {
        let mut session = session_with("scribbles_at_random", way, &limits);
        for seed in 1..60u64 {
            let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            match session.run(&input(&[("seed", 0, &seed.to_le_bytes())])) {
                Ok(execution) => {
                    let read = execution.log().len() + execution.nodes().len() + execution.data().len();
                    assert!(read < 1 << 40);
                }
                Err(_) => session = session_with("scribbles_at_random", way, &limits),
            }
        }
    }
}
