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
    let hint = case.hint();
    let mut layered = Solver::new(Options::default());
    let mut alone = Solver::smt_only(Options::default());
    for length in 1..=conditions.len() {
        let constraints = path(&mut pool, &conditions[..length], &hint);
        let query = Query { constraints: &constraints, hint: &hint, time_limit: LIMIT };
        let answers = [layered.solve(&mut pool, &query), alone.solve(&mut pool, &query)];
        for answer in &answers {
            match answer {
                Answer::Sat(model) => {
                    let mut input = hint.clone();
                    input.merge(model);
                    prop_assert!(holds(&pool, &constraints, &input), "{model:?}");
                }
                Answer::Unsat => {}
                Answer::Unknown(reason) => prop_assert!(false, "{reason:?}: {}", show(&pool, &constraints)),
            }
        }
        let sat = answers.each_ref().map(|answer| matches!(answer, Answer::Sat(_)));
        prop_assert_eq!(sat[0], sat[1], "{}", show(&pool, &constraints));
        #[cfg(feature = "z3")]
        {
            // Z3 may need longer than is worth waiting for; what it does say must agree.
            let second = solve::second_opinion(&pool, &constraints, Duration::from_secs(5));
            match second {
                Ok(second) => prop_assert_eq!(second, sat[0], "{}", show(&pool, &constraints)),
                Err(words) => prop_assert!(["unknown", "timeout"].contains(&words.as_str()), "{words}"),
            }
        }
    }
    Ok(())
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
