//! Recorded queries are complete: the solver's own command line reads them and says the same.

use solve::{Answer, Options, Query, Solver, smtlib};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use term::{Assignment, FloatBinary, FloatCompare, Pool, TermId, Var};
use wire::SlotKey;

fn bitwuzla() -> PathBuf {
    let prefix = std::env::var_os("BITWUZLA_PREFIX").map(PathBuf::from);
    let prefix = prefix.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/bitwuzla"));
    prefix.join("bin/bitwuzla")
}

fn var(pool: &mut Pool, element: u32, bits: u16) -> TermId {
    pool.var(Var { slot: SlotKey { hash: 3, occurrence: 1 }, element, bits })
}

/// Queries that together use most of the vocabulary.
fn queries(pool: &mut Pool) -> Vec<Vec<TermId>> {
    let (a, b) = (var(pool, 0, 32), var(pool, 1, 32));
    let (x, y) = (var(pool, 2, 64), var(pool, 3, 64));
    let product = pool.mul(a, b);
    let quotient = pool.sdiv(a, b);
    let wanted = pool.constant(32, 391);
    let is_product = pool.eq(product, wanted);
    let smaller = pool.ult(a, b);
    let one = pool.constant(32, 1);
    let above_one = pool.ult(one, a);
    let overflows = pool.smulo(a, b);
    let fits = pool.not(overflows);
    let negative = pool.constant(32, 0xffff_fffe);
    let below = pool.slt(quotient, negative);
    let elements: Vec<TermId> = (0..5).map(|at| pool.constant(32, at * at)).collect();
    let table = pool.make_table(elements).expect("a table");
    let entry = pool.select(table, a);
    let nine = pool.constant(32, 9);
    let is_nine = pool.eq(entry, nine);
    let is_b = pool.eq(b, one);
    let ones = pool.ctpop(b);
    let few = pool.ult(ones, nine);
    let sum = pool.float_binary(FloatBinary::Add, x, y);
    let ordered = pool.float_compare(FloatCompare::Lt, sum, x);
    let whole = pool.float_to_signed(sum, 32);
    let three = pool.constant(32, 3);
    let is_three = pool.eq(whole, three);
    let bits = pool.extract(sum, 0, 32);
    let odd = pool.eq(bits, one);
    let never = pool.float_compare(FloatCompare::Lt, x, y);
    let ever = pool.float_compare(FloatCompare::Lt, y, x);
    vec![
        vec![fits, smaller, above_one, is_product],
        vec![is_nine, smaller, below],
        vec![is_nine, is_b, few],
        vec![ordered, is_three],
        vec![ordered, odd],
        vec![never, ever],
    ]
}

#[test]
fn the_command_line_agrees_on_recorded_queries() {
    let mut pool = Pool::new();
    let queries = queries(&mut pool);
    let directory = tempfile::tempdir().expect("a directory");
    let mut solver = Solver::smt_only(Options::default());
    solver.record_to(directory.path().to_path_buf());
    let hint = Assignment::new();
    let mut answers = Vec::new();
    for constraints in &queries {
        let query = Query { constraints, hint: &hint, time_limit: Duration::from_secs(30) };
        answers.push(match solver.solve(&mut pool, &query) {
            Answer::Sat(_) => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(reason) => panic!("{}: {}", reason.name(), smtlib(&pool, constraints)),
        });
    }
    assert!(answers.contains(&"sat") && answers.contains(&"unsat"), "{answers:?}");
    for (number, answer) in (1..).zip(&answers) {
        let file = directory.path().join(format!("{number:06}.smt2"));
        let output = Command::new(bitwuzla()).arg(&file).output().expect("the solver's command line");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said.trim(), *answer, "{}", std::fs::read_to_string(&file).unwrap_or_default());
    }
}

#[test]
fn a_query_reads_like_this() {
    let mut pool = Pool::new();
    let byte = var(&mut pool, 0, 8);
    let bound = pool.constant(8, 10);
    let less = pool.ult(byte, bound);
    let expected = "\
(set-logic QF_BV)
(declare-const v0 (_ BitVec 8))
(define-fun e0 () (_ BitVec 8) v0)
(define-fun e1 () (_ BitVec 8) #b00001010)
(define-fun e2 () Bool (bvult e0 e1))
(assert e2)
(check-sat)
";
    assert_eq!(smtlib(&pool, &[less]), expected);
}
