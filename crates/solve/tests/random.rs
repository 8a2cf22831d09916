//! Random queries: every model satisfies its query, and the layers agree with SMT alone.

mod program;

use program::{Shape, program};
use proptest::prelude::*;
use solve::{Answer, Options, Query, Solver};
use std::time::Duration;
use term::{Assignment, Evaluator, Pool, TermId};

const LIMIT: Duration = Duration::from_secs(20);

fn holds(pool: &Pool, constraints: &[TermId], input: &Assignment) -> bool {
    Evaluator::new().under(pool, input).all_hold(constraints)
}

/// The constraints with each, but for the last, turned the way the hint has it; the last is turned against it.
fn path(pool: &mut Pool, conditions: &[TermId], hint: &Assignment) -> Vec<TermId> {
    let mut constraints = Vec::new();
    for (index, condition) in conditions.iter().enumerate() {
        let holds = holds(pool, &[*condition], hint);
        let wanted = holds != (index + 1 == conditions.len());
        constraints.push(if wanted { *condition } else { pool.not(*condition) });
    }
    constraints
}

fn check(shape: Shape, case: program::Program) -> Result<(), TestCaseError> {
    let mut pool = Pool::new();
    let conditions = case.conditions(&mut pool, shape);
    agree(&mut pool, &conditions, &case.hint())
}

/// Asks for every condition of a path to come out the other way.
fn agree(pool: &mut Pool, conditions: &[TermId], hint: &Assignment) -> Result<(), TestCaseError> {
    let mut layered = Solver::new(Options::default());
    let mut alone = Solver::smt_only(Options::default());
    for length in 1..=conditions.len() {
        let constraints = path(pool, &conditions[..length], hint);
        let query = Query { constraints: &constraints, hint, time_limit: LIMIT };
        let answers = [layered.solve(pool, &query), alone.solve(pool, &query)];
        for answer in &answers {
            match answer {
                Answer::Sat(model) => {
                    let mut input = hint.clone();
                    input.merge(model);
                    prop_assert!(holds(pool, &constraints, &input), "{model:?}");
                }
                Answer::Unsat => {}
                Answer::Unknown(reason) => prop_assert!(false, "{reason:?}: {}", show(pool, &constraints)),
            }
        }
        let sat = answers.each_ref().map(|answer| matches!(answer, Answer::Sat(_)));
        prop_assert_eq!(sat[0], sat[1], "{}", show(pool, &constraints));
        #[cfg(feature = "z3")]
        {
            // Z3 may need longer than is worth waiting for; what it does say must agree.
            let second = solve::second_opinion(pool, &constraints, Duration::from_secs(5));
            match second {
                Ok(second) => prop_assert_eq!(second, sat[0], "{}", show(pool, &constraints)),
                Err(words) => prop_assert!(["unknown", "timeout"].contains(&words.as_str()), "{words}"),
            }
        }
    }
    Ok(())
}

/// A walk through random tables: each byte's class and the state before it choose the state after it; a path asks
/// about some of the states.
fn walk(pool: &mut Pool, tables: &[Vec<u8>; 2], asked: &[(u8, u8)]) -> Vec<TermId> {
    let [classes, next] = tables.each_ref().map(|values| {
        let elements = values.iter().map(|value| pool.constant(8, u128::from(*value))).collect();
        pool.make_table(elements).expect("elements")
    });
    let mut state = pool.constant(8, 0);
    let mut conditions = Vec::new();
    for (element, &(how, value)) in asked.iter().enumerate() {
        let slot = wire::SlotKey { hash: 1, occurrence: 0 };
        let byte = pool.var(term::Var { slot, element: element as u32, bits: 8 });
        let class = pool.select(classes, byte);
        let two = pool.constant(8, 2);
        let row = pool.shl(state, two);
        let at = pool.add(row, class);
        state = pool.select(next, at);
        let value = pool.constant(8, u128::from(value));
        match how {
            0 => conditions.push(pool.eq(state, value)),
            1 => conditions.push(pool.ult(state, value)),
            2 => conditions.push(pool.ult(byte, state)),
            _ => {}
        }
    }
    conditions
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn walks_through_tables_agree_with_smt_alone(
        classes in prop::collection::vec(0u8..4, 256),
        next in prop::collection::vec(0u8..6, 24),
        asked in prop::collection::vec((0u8..4, 0u8..6), 1..7),
        bytes in prop::collection::vec(any::<u8>(), 7),
    ) {
        let mut pool = Pool::new();
        let conditions = walk(&mut pool, &[classes, next], &asked);
        let slot = wire::SlotKey { hash: 1, occurrence: 0 };
        let var = |element| term::Var { slot, element: element as u32, bits: 8 };
        let hint: Assignment = bytes.iter().enumerate().map(|(at, byte)| (var(at), u64::from(*byte))).collect();
        agree(&mut pool, &conditions, &hint)?;
    }
}

fn show(pool: &Pool, constraints: &[TermId]) -> String {
    constraints.iter().map(|constraint| pool.show(*constraint, 12)).collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn layers_agree_with_smt_alone(case in program(1..14)) {
        check(Shape::Integers, case)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn floats_too(case in program(1..5)) {
        check(Shape::Floats, case)?;
    }
}
