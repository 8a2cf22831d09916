//! Queries per CPU second on four kinds of paths, by all layers and by SMT alone. Every decision of each path is
//! negated once, as a search would, for one random input after the other. `cargo run --release -p concertino-solve --example throughput`

use solve::{Answer, Options, Query, Solver};
use std::time::Duration;
use term::{Assignment, Evaluator, FloatBinary, FloatCompare, Pool, TermId, Var};
use wire::SlotKey;

/// CPU seconds given to each workload.
const SECONDS: f64 = 2.0;

fn var(element: u32, bits: u16) -> Var {
    Var { slot: SlotKey { hash: 1, occurrence: 0 }, element, bits }
}

/// A character, widened to an int as C does it.
fn character(pool: &mut Pool, element: u32) -> TermId {
    let byte = pool.var(var(element, 8));
    pool.zext(byte, 32)
}

/// Classifies each character by ranges and compares words with keywords.
fn tokenizer(pool: &mut Pool) -> Vec<TermId> {
    let mut conditions = Vec::new();
    for element in 0..16 {
        let c = character(pool, element);
        for (low, high) in [(b'0', b'9'), (b'a', b'z'), (b'A', b'Z')] {
            let (low, high) = (pool.constant(32, low.into()), pool.constant(32, high.into()));
            conditions.push(pool.slt(c, low));
            conditions.push(pool.slt(high, c));
        }
        for separator in [b' ', b'(', b';'] {
            let separator = pool.constant(32, separator.into());
            conditions.push(pool.eq(c, separator));
        }
    }
    for (start, word) in [(0, "while"), (6, "return"), (12, "int")] {
        for (offset, letter) in (0..).zip(word.bytes()) {
            let (c, letter) = (character(pool, start + offset), pool.constant(32, letter.into()));
            conditions.push(pool.eq(c, letter));
        }
    }
    conditions
}

/// `value = value * 10 + digit`, with bounds on the way.
fn number(pool: &mut Pool) -> Vec<TermId> {
    let mut conditions = Vec::new();
    let mut value = pool.constant(32, 0);
    let (ten, zero) = (pool.constant(32, 10), pool.constant(32, b'0'.into()));
    for element in 0..7 {
        let c = character(pool, element);
        let digit = pool.sub(c, zero);
        conditions.push(pool.ult(digit, ten));
        let scaled = pool.mul(value, ten);
        value = pool.add(scaled, digit);
        let bound = pool.constant(32, 70_000 + u128::from(element));
        conditions.push(pool.ult(bound, value));
    }
    let wanted = pool.constant(32, 8_675_309);
    conditions.push(pool.eq(value, wanted));
    conditions
}

/// A table-driven CRC-32 of four bytes, compared with a wrong and a right value.
fn checksum(pool: &mut Pool) -> Vec<TermId> {
    let elements: Vec<TermId> = (0..256u32)
        .map(|byte| (0..8).fold(byte, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }))
        .map(|entry| pool.constant(32, entry.into()))
        .collect();
    let table = pool.make_table(elements).expect("a table");
    let mut conditions = Vec::new();
    let mut crc = pool.constant(32, u32::MAX.into());
    for element in 0..4 {
        let c = character(pool, element);
        let mixed = pool.xor(crc, c);
        let index = pool.extract(mixed, 0, 8);
        let entry = pool.select(table, index);
        let eight = pool.constant(32, 8);
        let shifted = pool.lshr(crc, eight);
        crc = pool.xor(entry, shifted);
        let low = pool.extract(crc, 0, 8);
        let bound = pool.constant(8, 10);
        conditions.push(pool.ult(low, bound));
    }
    let wanted = pool.constant(32, 0xdead_beef);
    conditions.push(pool.eq(crc, wanted));
    conditions
}

/// A few floating-point comparisons of sums and products.
fn floats(pool: &mut Pool) -> Vec<TermId> {
    let mut conditions = Vec::new();
    for element in 0..3 {
        let x = pool.var(var(100 + element, 32));
        let y = pool.var(var(200 + element, 32));
        let sum = pool.float_binary(FloatBinary::Add, x, y);
        let bound = pool.constant(32, (10.5f32 + element as f32).to_bits().into());
        conditions.push(pool.float_compare(FloatCompare::Lt, bound, sum));
        let product = pool.float_binary(FloatBinary::Mul, x, y);
        conditions.push(pool.float_compare(FloatCompare::Le, product, bound));
        let zero = pool.constant(32, 0);
        conditions.push(pool.float_compare(FloatCompare::Lt, x, zero));
    }
    conditions
}

/// A fixed sequence of inputs: characters that the paths ask about, and floats.
fn input(round: u64) -> Assignment {
    let mut state = round.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let letters = b"while return int(0123456789);ABCxyz";
    let characters =
        (0..16).map(|element| (var(element, 8), letters[next() as usize % letters.len()].into()));
    let mut input: Assignment = characters.collect();
    for element in (100..103).chain(200..203) {
        let value = (next() % 4000) as f32 / 100.0 - 20.0;
        input.set(var(element, 32), value.to_bits().into());
    }
    input
}

/// CPU seconds that this process has used; a loaded machine does not distort them.
fn cpu_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in parentheses, the 12th and 13th fields are the times in user and system mode, in 1/100 s.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn run(name: &str, path: fn(&mut Pool) -> Vec<TermId>, mut solver: Solver) {
    let mut pool = Pool::new();
    let conditions = path(&mut pool);
    let start = cpu_time();
    let (mut queries, mut sat) = (0u32, 0u32);
    for round in 0.. {
        let hint = input(round);
        let mut evaluator = Evaluator::new();
        let mut evaluation = evaluator.under(&pool, &hint);
        let truth: Vec<bool> = conditions.iter().map(|it| evaluation.value(*it) == 1).collect();
        let mut held: Vec<TermId> = Vec::new();
        for (condition, holds) in conditions.iter().zip(truth) {
            let opposite = pool.not(*condition);
            let (holding, negated) = if holds { (*condition, opposite) } else { (opposite, *condition) };
            held.push(negated);
            let query = Query { constraints: &held, hint: &hint, time_limit: Duration::from_secs(5) };
            sat += u32::from(matches!(solver.solve(&mut pool, &query), Answer::Sat(_)));
            queries += 1;
            held.pop();
            held.push(holding);
        }
        if cpu_time() - start >= SECONDS {
            break;
        }
    }
    let rate = f64::from(queries) / (cpu_time() - start);
    println!("{name:22} {rate:8.0} queries per CPU second   {queries} queries, {sat} sat");
    if std::env::args().any(|argument| argument == "--layers") {
        println!("{}", solver.statistics());
    }
}

fn main() {
    type Workload = (&'static str, fn(&mut Pool) -> Vec<TermId>);
    let workloads: [Workload; 4] =
        [("tokenizer", tokenizer), ("number", number), ("checksum", checksum), ("floats", floats)];
    for (name, path) in workloads {
        run(name, path, Solver::new(Options::default()));
        run(&format!("{name}, SMT alone"), path, Solver::smt_only(Options::default()));
    }
}
