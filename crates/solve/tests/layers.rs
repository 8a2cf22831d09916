//! What the layers promise: small answers, reuse, limits that hold, the same answers again.

use solve::{Answer, Options, Query, Reason, Solver};
use std::time::{Duration, Instant};
use term::{Assignment, FloatBinary, FloatCompare, Pool, TermId, Var};
use wire::SlotKey;

fn var(element: u32, bits: u16) -> Var {
    Var { slot: SlotKey { hash: 3, occurrence: 1 }, element, bits }
}

fn input(pool: &mut Pool, element: u32, bits: u16) -> TermId {
    pool.var(var(element, bits))
}

fn solve(solver: &mut Solver, pool: &mut Pool, constraints: &[TermId], hint: &Assignment) -> Answer {
    solver.solve(pool, &Query { constraints, hint, time_limit: Duration::from_secs(60) })
}

/// How many queries a layer has answered.
fn answered(solver: &Solver, layer: &str) -> u64 {
    let found = solver.statistics().layers.iter().find(|it| it.name == layer);
    found.map_or(0, |layer| layer.sat + layer.unsat)
}

/// `a * b = value` for two 16-bit inputs, in 32 bits.
fn product(pool: &mut Pool, value: u128) -> TermId {
    let (a, b) = (input(pool, 0, 16), input(pool, 1, 16));
    let (a, b) = (pool.zext(a, 32), pool.zext(b, 32));
    let product = pool.mul(a, b);
    let value = pool.constant(32, value);
    pool.eq(product, value)
}

#[test]
fn an_answer_names_only_what_the_target_depends_on() {
    let mut pool = Pool::new();
    let bytes: Vec<TermId> = (0..4).map(|element| input(&mut pool, element, 8)).collect();
    let linked = pool.eq(bytes[0], bytes[1]);
    let apart = pool.eq(bytes[2], bytes[3]);
    let five = pool.constant(8, 5);
    let target = pool.eq(bytes[0], five);
    let hint = Assignment::from_iter([(var(2, 8), 9), (var(3, 8), 9)]);
    let answer = solve(&mut Solver::new(Options::default()), &mut pool, &[apart, linked, target], &hint);
    assert_eq!(answer, Answer::Sat(Assignment::from_iter([(var(0, 8), 5), (var(1, 8), 5)])));
}

#[test]
fn constants_and_contradictions_need_no_solver() {
    let mut pool = Pool::new();
    let (byte, five) = (input(&mut pool, 0, 8), pool.constant(8, 5));
    let equal = pool.eq(byte, five);
    let differs = pool.not(equal);
    let (yes, no) = (pool.truth(true), pool.truth(false));
    let mut solver = Solver::new(Options::default());
    let hint = Assignment::new();
    let empty = Answer::Sat(Assignment::new());
    assert_eq!(solve(&mut solver, &mut pool, &[], &hint), empty);
    assert_eq!(solve(&mut solver, &mut pool, &[yes], &hint), empty);
    assert_eq!(solve(&mut solver, &mut pool, &[equal, no], &hint), Answer::Unsat);
    assert_eq!(solve(&mut solver, &mut pool, &[equal, differs], &hint), Answer::Unsat);
    assert_eq!(answered(&solver, "search") + answered(&solver, "smt"), 0);
}

#[test]
fn the_same_question_is_answered_from_memory() {
    let mut pool = Pool::new();
    let target = product(&mut pool, 62_615_533);
    let mut solver = Solver::new(Options::default());
    let hint = Assignment::new();
    let first = solve(&mut solver, &mut pool, &[target], &hint);
    assert!(matches!(first, Answer::Sat(_)), "7907 * 7919");
    assert_eq!(solve(&mut solver, &mut pool, &[target], &hint), first);
    assert_eq!((answered(&solver, "smt"), answered(&solver, "cache")), (1, 1));
}

#[test]
fn a_core_answers_larger_questions() {
    let mut pool = Pool::new();
    // A prime of 24 bits has no such factors.
    let target = product(&mut pool, 16_777_213);
    let mut solver = Solver::new(Options::default());
    let hint = Assignment::new();
    assert_eq!(solve(&mut solver, &mut pool, &[target], &hint), Answer::Unsat);
    let (a, b) = (input(&mut pool, 0, 16), input(&mut pool, 1, 16));
    let ordered = pool.ult(a, b);
    assert_eq!(solve(&mut solver, &mut pool, &[ordered, target], &hint), Answer::Unsat);
    assert_eq!((answered(&solver, "smt"), answered(&solver, "cores")), (1, 1));
}

#[test]
fn a_cleared_pool_is_not_confused_with_what_it_was() {
    let mut pool = Pool::new();
    let mut solver = Solver::new(Options::default());
    let hint = Assignment::new();
    let unsat = product(&mut pool, 16_777_213);
    assert_eq!(solve(&mut solver, &mut pool, &[unsat], &hint), Answer::Unsat);
    pool.clear();
    let sat = product(&mut pool, 62_615_533);
    assert_eq!(unsat, sat, "the id is the same, the term is not");
    assert!(matches!(solve(&mut solver, &mut pool, &[sat], &hint), Answer::Sat(_)));
}

#[test]
fn the_time_limit_holds() {
    let mut pool = Pool::new();
    let (a, b) = (input(&mut pool, 0, 64), input(&mut pool, 1, 64));
    let (wide_a, wide_b) = (pool.zext(a, 128), pool.zext(b, 128));
    let product = pool.mul(wide_a, wide_b);
    // The product of two primes near 2^63.
    let wanted = pool.constant(128, 9_223_372_036_854_775_783 * 9_223_372_036_854_775_643);
    let target = pool.eq(product, wanted);
    let one = pool.constant(64, 1);
    let (a_large, b_large) = (pool.ult(one, a), pool.ult(one, b));
    let constraints = [a_large, b_large, target];
    let hint = Assignment::new();
    let start = Instant::now();
    let query = Query { constraints: &constraints, hint: &hint, time_limit: Duration::from_millis(300) };
    let mut solver = Solver::new(Options::default());
    assert_eq!(solver.solve(&mut pool, &query), Answer::Unknown(Reason::TimeLimit));
    // Generous: the machine may be busy. Without the limit this takes hours.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    // And the solver goes on working.
    let equal = pool.eq(a, b);
    assert!(matches!(solve(&mut solver, &mut pool, &[a_large, equal], &hint), Answer::Sat(_)));
}

/// Reads from a large table at indices that were read from it: building the formulas alone takes minutes.
#[test]
fn the_time_limit_holds_while_tables_are_expressed() {
    let mut pool = Pool::new();
    let elements = (0..8192u128).map(|n| pool.constant(32, n * 2_654_435_761 % 8192)).collect();
    let table = pool.make_table(elements).unwrap();
    let mut index = input(&mut pool, 0, 32);
    let step = input(&mut pool, 1, 32);
    for _ in 0..4000 {
        let read = pool.select(table, index);
        index = pool.add(read, step);
    }
    let wanted = pool.constant(32, 77);
    let target = pool.eq(index, wanted);
    let hint = Assignment::new();
    let query = Query { constraints: &[target], hint: &hint, time_limit: Duration::from_millis(300) };
    let start = Instant::now();
    let answer = Solver::smt_only(Options::default()).solve(&mut pool, &query);
    assert_eq!(answer, Answer::Unknown(Reason::TimeLimit));
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

/// What a generated scanner asks of its input: a class for each byte, a next state for each state and class, and
/// whether the state accepts, all read from tables. The conditions of `length` bytes, in order.
fn scanner(pool: &mut Pool, length: u32) -> Vec<TermId> {
    let mut table = |elements: &mut dyn Iterator<Item = u128>| {
        let elements = elements.map(|value| pool.constant(8, value)).collect();
        pool.make_table(elements).expect("elements")
    };
    let classes = table(&mut (0..256).map(|byte| byte * 7 / 3 % 4));
    let next = table(&mut (0..32).map(|at| (at * 5 + at / 4) % 8));
    let accepts = table(&mut (0..8).map(|state| state % 3));
    let (two, zero) = (pool.constant(8, 2), pool.constant(8, 0));
    let mut state = zero;
    let mut conditions = Vec::new();
    for element in 0..length {
        let byte = input(pool, element, 8);
        let class = pool.select(classes, byte);
        let row = pool.shl(state, two);
        let at = pool.or(row, class);
        state = pool.select(next, at);
        let accepted = pool.select(accepts, state);
        conditions.push(pool.eq(accepted, zero));
        conditions.push(pool.eq(state, two));
    }
    conditions
}

#[test]
fn inputs_for_tables_over_bytes_are_found_without_smt() {
    let mut pool = Pool::new();
    let conditions = scanner(&mut pool, 6);
    let (mut layered, mut alone) = (Solver::new(Options::default()), Solver::smt_only(Options::default()));
    let mut unsat = 0;
    for text in [*b"aaaaaa", *b"qwerty", *b"\0\x01\x02\x03\xfe\xff"] {
        let hint: Assignment =
            text.iter().zip(0..).map(|(byte, at)| (var(at, 8), u64::from(*byte))).collect();
        let mut path = Vec::new();
        for condition in &conditions {
            let held = term::eval(&pool, *condition, &hint) == 1;
            let not = pool.not(*condition);
            let (held, negated) = if held { (*condition, not) } else { (not, *condition) };
            path.push(negated);
            let answer = solve(&mut layered, &mut pool, &path, &hint);
            let expected = solve(&mut alone, &mut pool, &path, &hint);
            match answer {
                Answer::Sat(model) => {
                    assert!(matches!(expected, Answer::Sat(_)), "{path:?}");
                    let mut input = hint.clone();
                    input.merge(&model);
                    assert!(path.iter().all(|constraint| term::eval(&pool, *constraint, &input) == 1));
                }
                other => {
                    unsat += 1;
                    assert_eq!(other, expected, "{path:?}");
                }
            }
            *path.last_mut().expect("just pushed") = held;
        }
    }
    assert!(unsat > 0 && answered(&layered, "domains") > 0 && answered(&layered, "search") > 0);
    let smt = layered.statistics().layers.iter().find(|layer| layer.name == "smt").expect("a layer");
    assert_eq!(smt.sat, 0, "{}", layered.statistics());
}

#[test]
fn two_bytes_are_decided_by_trying() {
    let mut pool = Pool::new();
    let (a, b) = (input(&mut pool, 0, 8), input(&mut pool, 1, 8));
    let (wide_a, wide_b) = (pool.zext(a, 16), pool.zext(b, 16));
    let product = pool.mul(wide_a, wide_b);
    let hint = Assignment::from_iter([(var(0, 8), 3), (var(1, 8), 5)]);
    let most = pool.constant(8, 32);
    let bounded = pool.ult(a, most);
    // 31 and 241 are primes; so is 7 919.
    for (wanted, sat) in [(31 * 241, true), (7_919, false)] {
        let wanted = pool.constant(16, wanted);
        let target = pool.eq(product, wanted);
        let mut solver = Solver::new(Options::default());
        // What single bytes may be is worth knowing when it is asked again.
        for other in [7, 9] {
            let other = pool.constant(8, other);
            let differs = pool.ne(a, other);
            assert!(matches!(solve(&mut solver, &mut pool, &[bounded, differs], &hint), Answer::Sat(_)));
        }
        let answer = solve(&mut solver, &mut pool, &[bounded, target], &hint);
        assert_eq!(matches!(answer, Answer::Sat(_)), sat, "{answer:?}");
        assert_eq!(answered(&solver, "smt"), 0);
    }
}

#[test]
fn deep_terms_do_not_exhaust_the_stack() {
    let mut pool = Pool::new();
    let mut value = input(&mut pool, 0, 8);
    let other = input(&mut pool, 1, 8);
    let three = pool.constant(8, 3);
    for _ in 0..20_000 {
        let mixed = pool.xor(value, other);
        let shifted = pool.lshr(mixed, three);
        value = pool.add(shifted, value);
    }
    let wanted = pool.constant(8, 77);
    let target = pool.eq(value, wanted);
    let hint = Assignment::new();
    let query = Query { constraints: &[target], hint: &hint, time_limit: Duration::from_secs(1) };
    // Any answer will do; that there is one is the test.
    let answer = Solver::smt_only(Options::default()).solve(&mut pool, &query);
    assert_ne!(answer, Answer::Unknown(Reason::WrongModel));
}

#[test]
fn what_is_not_expressed_never_gives_a_wrong_answer() {
    let mut pool = Pool::new();
    let x = input(&mut pool, 0, 64);
    let float = |pool: &mut Pool, value: f64| pool.constant(64, u128::from(value.to_bits()));
    let (three, two) = (float(&mut pool, 3.0), float(&mut pool, 2.0));
    let rest = pool.float_binary(FloatBinary::Rem, x, three);
    let is_two = pool.float_compare(FloatCompare::Eq, rest, two);
    let large = pool.float_compare(FloatCompare::Lt, three, x);
    let hint = Assignment::new();
    let alone = solve(&mut Solver::smt_only(Options::default()), &mut pool, &[large, is_two], &hint);
    match alone {
        Answer::Sat(model) => assert_eq!(f64::from_bits(model.value(var(0, 64))) % 3.0, 2.0),
        other => assert_eq!(other, Answer::Unknown(Reason::Abstracted)),
    }
    // Without the bound the search finds the number that is its own remainder.
    let searched = solve(&mut Solver::new(Options::default()), &mut pool, &[is_two], &hint);
    assert_eq!(searched, Answer::Sat(Assignment::from_iter([(var(0, 64), 2f64.to_bits())])));
}

#[test]
fn the_same_seed_gives_the_same_answers() {
    let answers = |seed| {
        let mut pool = Pool::new();
        let mut solver = Solver::new(Options { seed });
        let hint = Assignment::new();
        let values = [62_615_533, 1_000_003 * 64, 65_521 * 65_519];
        let targets: Vec<TermId> = values.iter().map(|value| product(&mut pool, *value)).collect();
        targets.iter().map(|target| solve(&mut solver, &mut pool, &[*target], &hint)).collect::<Vec<_>>()
    };
    assert_eq!(answers(7), answers(7));
}

/// A scanner of four states: the class of each byte and the state before it choose the next state.
fn word_scanner(pool: &mut Pool, bytes: u32) -> Vec<TermId> {
    let table = |pool: &mut Pool, values: Vec<u128>| {
        let elements = values.into_iter().map(|value| pool.constant(8, value)).collect();
        pool.make_table(elements).expect("elements")
    };
    let class = |byte: u32| match byte {
        0x30..=0x39 => 1,
        0x61..=0x7a => 2,
        _ => 0,
    };
    let classes = table(pool, (0..256).map(class).collect());
    // Words of letters (state 1) and numbers (state 2); everything else begins anew or fails (state 3).
    let next = table(pool, vec![0, 2, 1, 0, 3, 2, 1, 0, 3, 2, 3, 0, 3, 3, 3, 0]);
    let mut state = pool.constant(8, 0);
    let mut states = Vec::new();
    for element in 0..bytes {
        let byte = input(pool, element, 8);
        let class = pool.select(classes, byte);
        let two = pool.constant(8, 2);
        let row = pool.shl(state, two);
        let at = pool.add(row, class);
        state = pool.select(next, at);
        states.push(state);
    }
    states
}

#[test]
fn a_walk_through_tables_is_decided_byte_by_byte() {
    let mut pool = Pool::new();
    let states = word_scanner(&mut pool, 12);
    let is = |pool: &mut Pool, state: TermId, value: u128| {
        let value = pool.constant(8, value);
        pool.eq(state, value)
    };
    let letters: Vec<TermId> = states[..11].iter().map(|state| is(&mut pool, *state, 2)).collect();
    let hint: Assignment = (0..12).map(|element| (var(element, 8), u64::from(b'0'))).collect();
    let mut solver = Solver::new(Options::default());
    // Behind digits no letter: the state of words is out of reach, that of failure is not.
    for (value, reachable) in [(1, false), (3, true)] {
        let mut constraints = letters.clone();
        constraints.push(is(&mut pool, states[11], value));
        let answer = solve(&mut solver, &mut pool, &constraints, &hint);
        assert_eq!(matches!(answer, Answer::Sat(_)), reachable, "{answer:?}");
    }
    assert_eq!(answered(&solver, "smt"), 0, "{:?}", solver.statistics());
    assert!(answered(&solver, "narrow") > 0, "{:?}", solver.statistics());
}

#[test]
fn what_bytes_leave_open_goes_on_in_a_smaller_form() {
    let mut pool = Pool::new();
    let states = word_scanner(&mut pool, 4);
    let one = pool.constant(8, 1);
    let word = pool.eq(states[0], one);
    // Two more bytes whose product is a matter for SMT, and the state, which is not.
    let (a, b) = (input(&mut pool, 5, 8), input(&mut pool, 6, 8));
    let (wide_a, wide_b) = (pool.zext(a, 16), pool.zext(b, 16));
    let product = pool.mul(wide_a, wide_b);
    let state = pool.zext(states[0], 16);
    let sum = pool.add(product, state);
    let odd = pool.constant(16, 251 * 241 + 1);
    let target = pool.eq(sum, odd);
    let hint = Assignment::from_iter([(var(0, 8), u64::from(b'a'))]);
    let mut solver = Solver::new(Options::default());
    let two = pool.constant(8, 2);
    let small = pool.ult(two, a);
    let apart = pool.ult(a, b);
    let Answer::Sat(model) = solve(&mut solver, &mut pool, &[word, small, apart, target], &hint) else {
        panic!("241 * 251")
    };
    assert_eq!((model.value(var(5, 8)), model.value(var(6, 8))), (241, 251));
    assert!((0x61..=0x7a).contains(&model.value(var(0, 8))));
    // Nothing between 241 and 251 divides it; the core names the word as well, for it makes the state 1.
    let above = pool.constant(8, 241);
    let greater = pool.ult(above, a);
    for _ in 0..2 {
        assert_eq!(solve(&mut solver, &mut pool, &[word, greater, apart, target], &hint), Answer::Unsat);
    }
    let three = pool.constant(8, 3);
    let failed = pool.eq(states[0], three);
    let never = solve(&mut solver, &mut pool, &[failed, greater, apart, target], &hint);
    assert_eq!(never, Answer::Unsat);
}
