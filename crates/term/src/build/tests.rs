//! Random programs: what the constructors build has the value that the operations say, and is canonical.
//! The reference values are computed step by step beside the terms, never through them.

use crate::number::{mask, signed};
use crate::term::{Binary, FloatBinary, FloatCompare, FloatUnary, TermId};
use crate::{Assignment, Evaluator, Pool, Var, float, semantics, verify};
use proptest::prelude::*;
use wire::SlotKey;

const VAR_BITS: [u16; 6] = [8, 8, 8, 16, 32, 64];
const SAMPLES: usize = 4;

fn var(element: usize) -> Var {
    let slot = SlotKey { hash: 1, occurrence: 0 };
    Var { slot, element: element as u32, bits: VAR_BITS[element] }
}

/// One step of a random program; what the numbers mean depends on `op`.
#[derive(Clone, Debug)]
struct Instruction {
    op: u8,
    a: u16,
    b: u16,
    c: u16,
    number: u128,
}

fn instruction() -> impl Strategy<Value = Instruction> {
    let interesting = prop_oneof![
        4 => 0u128..300,
        2 => (0u32..128).prop_map(|shift| 1u128 << shift),
        2 => (0u32..128).prop_map(|shift| (1u128 << shift).wrapping_sub(1)),
        1 => (0u128..200).prop_map(|small| small.wrapping_neg()),
        1 => any::<u128>(),
    ];
    (any::<u8>(), any::<u16>(), any::<u16>(), any::<u16>(), interesting)
        .prop_map(|(op, a, b, c, number)| Instruction { op, a, b, c, number })
}

fn inputs() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let value = prop_oneof![0u64..10, Just(u64::MAX), any::<u64>(), (0u32..64).prop_map(|shift| 1 << shift)];
    prop::collection::vec(prop::collection::vec(value, VAR_BITS.len()), SAMPLES)
}

/// A term with its values under each sample.
type Valued = (TermId, [u128; SAMPLES]);

struct Machine {
    pool: Pool,
    stack: Vec<Valued>,
}

impl Machine {
    fn pick(&self, index: u16) -> Valued {
        // Later values are likelier, so that terms grow deep.
        let index = usize::from(index);
        let len = self.stack.len();
        let window = if index.is_multiple_of(3) { len } else { len.min(5) };
        self.stack[len - 1 - index % window]
    }

    /// `valued` cut or extended to `bits`.
    fn fitted(&mut self, (term, values): Valued, bits: u16, sign: bool) -> Valued {
        let width = self.pool.bits(term);
        if bits <= width {
            (self.pool.extract(term, 0, bits), values.map(|value| value & mask(bits)))
        } else if sign {
            (self.pool.sext(term, bits), values.map(|value| signed(width, value) as u128 & mask(bits)))
        } else {
            (self.pool.zext(term, bits), values)
        }
    }

    fn step(&mut self, instruction: &Instruction) {
        let Instruction { op, a, b, c, number } = instruction.clone();
        let first = self.pick(a);
        let bits = self.pool.bits(first.0);
        let sign = c & 1 == 1;
        let second = if c.is_multiple_of(3) {
            let value = number & mask(bits);
            (self.pool.constant(bits, value), [value; SAMPLES])
        } else {
            let other = self.pick(b);
            self.fitted(other, bits, sign)
        };
        let (first, second) = if c.is_multiple_of(5) { (second, first) } else { (first, second) };
        let (x, y) = (first.0, second.0);
        let zip = |f: &dyn Fn(u128, u128) -> u128| {
            std::array::from_fn(|sample| f(first.1[sample], second.1[sample]) & mask(128))
        };
        let map = |f: &dyn Fn(u128) -> u128| first.1.map(f);
        let truth = |f: &dyn Fn(u128, u128) -> bool| zip(&|x, y| u128::from(f(x, y)));
        let (sx, pool) = (|value| signed(bits, value), &mut self.pool);
        let fits = |value: Option<i128>| value.is_some_and(|value| sx(value as u128 & mask(bits)) == value);
        let valued: Valued = match op % 41 {
            n @ 0..=15 => {
                use Binary::*;
                let ops =
                    [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, And, Or, Add];
                let op = ops[usize::from(n)];
                (pool.binary(op, x, y), zip(&|x, y| semantics::binary(op, bits, x, y)))
            }
            16 => (pool.eq(x, y), truth(&|x, y| x == y)),
            17 => (pool.ne(x, y), truth(&|x, y| x != y)),
            18 => (pool.ult(x, y), truth(&|x, y| x < y)),
            19 => (pool.ule(x, y), truth(&|x, y| x <= y)),
            20 => (pool.slt(x, y), truth(&|x, y| sx(x) < sx(y))),
            21 => (pool.sle(x, y), truth(&|x, y| sx(x) <= sx(y))),
            22 => (pool.not(x), map(&|x| !x & mask(bits))),
            23 | 24 => {
                let low = b % bits;
                let width = 1 + c % (bits - low);
                (pool.extract(x, low, width), map(&|x| x >> low & mask(width)))
            }
            25 | 26 => {
                let bits = 1 + b % 128;
                self.fitted(first, bits, sign)
            }
            27 | 28 => {
                let other = self.pick(b);
                let width = self.pool.bits(other.0);
                if bits + width > 128 {
                    return;
                }
                let values = std::array::from_fn(|sample| first.1[sample] << width | other.1[sample]);
                (self.pool.concat(x, other.0), values)
            }
            29 | 30 => {
                let condition = self.pick(b);
                let condition = self.fitted(condition, 1, false);
                let values = std::array::from_fn(|sample| {
                    if condition.1[sample] == 1 { first.1[sample] } else { second.1[sample] }
                });
                (self.pool.ite(condition.0, x, y), values)
            }
            31 => (pool.saddo(x, y), truth(&|x, y| !fits(sx(x).checked_add(sx(y))))),
            32 => (pool.ssubo(x, y), truth(&|x, y| !fits(sx(x).checked_sub(sx(y))))),
            33 => (pool.smulo(x, y), truth(&|x, y| !fits(sx(x).checked_mul(sx(y))))),
            34 => (pool.uaddo(x, y), truth(&|x, y| x.checked_add(y).is_none_or(|sum| sum > mask(bits)))),
            35 => {
                (pool.umulo(x, y), truth(&|x, y| x.checked_mul(y).is_none_or(|product| product > mask(bits))))
            }
            36 => match b % 4 {
                0 => (pool.ctpop(x), map(&|x| u128::from(x.count_ones()) & mask(bits))),
                1 => (
                    pool.cttz(x),
                    map(&|x| (0..bits).take_while(|bit| x >> bit & 1 == 0).count() as u128 & mask(bits)),
                ),
                2 => (pool.bitreverse(x), map(&|x| x.reverse_bits() >> (128 - bits))),
                _ if bits.is_multiple_of(8) => (pool.bswap(x), map(&|x| x.swap_bytes() >> (128 - bits))),
                _ => return,
            },
            37 => {
                // A table of this value and others, read at another.
                let others: Vec<Valued> = (0..1 + b % 6).map(|at| self.pick(a.wrapping_add(at))).collect();
                let elements: Vec<Valued> =
                    others.into_iter().map(|other| self.fitted(other, bits, sign)).collect();
                let Some(table) = self.pool.make_table(elements.iter().map(|element| element.0).collect())
                else {
                    return;
                };
                let index = self.pick(c);
                let values = std::array::from_fn(|sample| {
                    usize::try_from(index.1[sample])
                        .ok()
                        .and_then(|at| elements.get(at))
                        .map_or(0, |element| element.1[sample])
                });
                (self.pool.select(table, index.0), values)
            }
            38 | 39 => {
                let format = [32, 64, 16][usize::from(b % 3)];
                let (first, second) = (self.fitted(first, format, false), self.fitted(second, format, false));
                self.float_step(c / 2, format, first, second)
            }
            40 => {
                let places: Vec<[Valued; 2]> = (0..1 + b % 5)
                    .map(|at| [self.pick(a.wrapping_add(at)), self.pick(c.wrapping_add(at))])
                    .collect();
                self.compare_texts(&places, sign.then_some(number))
            }
            _ => unreachable!(),
        };
        self.stack.push(valued);
    }

    /// Whether the first difference of two texts is none or, if it is given, this number.
    fn compare_texts(&mut self, places: &[[Valued; 2]], number: Option<u128>) -> Valued {
        let wanted = number.map_or(0, |number| (number % 512).wrapping_sub(256)) & mask(32);
        let mut difference = (self.pool.constant(32, 0), [0; SAMPLES]);
        for place in places.iter().rev() {
            let [x, y] =
                place.map(|byte| self.fitted(byte, 8, false)).map(|byte| self.fitted(byte, 32, false));
            let same = self.pool.eq(x.0, y.0);
            let here = self.pool.sub(x.0, y.0);
            difference.0 = self.pool.ite(same, difference.0, here);
            for sample in 0..SAMPLES {
                if x.1[sample] != y.1[sample] {
                    difference.1[sample] = x.1[sample].wrapping_sub(y.1[sample]) & mask(32);
                }
            }
        }
        let constant = self.pool.constant(32, wanted);
        (self.pool.eq(difference.0, constant), difference.1.map(|value| u128::from(value == wanted)))
    }

    fn float_step(&mut self, choice: u16, format: u16, first: Valued, second: Valued) -> Valued {
        let pool = &mut self.pool;
        let (x, y) = (first.0, second.0);
        let zip = |f: &dyn Fn(u128, u128) -> u128| {
            std::array::from_fn(|sample| f(first.1[sample], second.1[sample]))
        };
        let map = |f: &dyn Fn(u128) -> u128| first.1.map(f);
        let number = |value: u128| match format {
            32 => f64::from(f32::from_bits(value as u32)),
            64 => f64::from_bits(value as u64),
            _ => f64::from_bits(float::convert(16, value, 64) as u64),
        };
        let sign = 1u128 << (format - 1);
        match choice % 9 {
            0 => (
                pool.float_binary(FloatBinary::Add, x, y),
                zip(&|x, y| float::binary(FloatBinary::Add, format, x, y)),
            ),
            1 => {
                (pool.float_unary(FloatUnary::Floor, x), map(&|x| float::unary(FloatUnary::Floor, format, x)))
            }
            2 => {
                let predicate = (choice / 9 % 16) as u8;
                let term = pool.float_predicate(predicate, x, y).expect("a predicate");
                let values = zip(&|x, y| {
                    let (x, y) = (number(x), number(y));
                    let unordered = x.is_nan() || y.is_nan();
                    let (equal, greater, less) = (predicate & 1 != 0, predicate & 2 != 0, predicate & 4 != 0);
                    let unless_number = predicate & 8 != 0;
                    let holds = (equal && x == y) || (greater && x > y) || (less && x < y);
                    u128::from(holds || (unless_number && unordered))
                });
                (term, values)
            }
            3 => (pool.float_neg(x), map(&|x| x ^ sign)),
            4 => (pool.float_abs(x), map(&|x| x & !sign)),
            5 => (pool.float_copysign(x, y), zip(&|x, y| (x & !sign) | (y & sign))),
            6 => (
                pool.float_min(x, y),
                zip(&|x, y| {
                    let (p, q) = (number(x), number(y));
                    if !p.is_nan() && (q.is_nan() || p < q) { x } else { y }
                }),
            ),
            7 => {
                let to = [8, 16, 32, 64][usize::from(choice / 9 % 4)];
                (pool.float_to_signed(x, to), map(&|x| float::to_signed(format, x, to)))
            }
            _ => {
                (pool.float_compare(FloatCompare::Le, x, y), zip(&|x, y| u128::from(number(x) <= number(y))))
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn terms_have_the_value_of_their_operations(
        program in prop::collection::vec(instruction(), 1..40),
        inputs in inputs(),
    ) {
        let mut machine = Machine { pool: Pool::new(), stack: Vec::new() };
        for element in 0..VAR_BITS.len() {
            let values = std::array::from_fn(|sample| u128::from(inputs[sample][element]) & mask(VAR_BITS[element]));
            machine.stack.push((machine.pool.var(var(element)), values));
        }
        for instruction in &program {
            machine.step(instruction);
        }
        let Machine { mut pool, stack } = machine;
        // Over the same operands, a term is itself.
        for (term, _) in &stack {
            prop_assert_eq!(pool.rebuild(*term, |operand| operand), *term, "{}", pool.show(*term, 6));
        }
        let mut evaluator = Evaluator::new();
        for sample in 0..SAMPLES {
            let assignment: Assignment =
                (0..VAR_BITS.len()).map(|element| (var(element), inputs[sample][element])).collect();
            let mut evaluation = evaluator.under(&pool, &assignment);
            for (term, values) in &stack {
                prop_assert_eq!(evaluation.value(*term), values[sample], "{}", pool.show(*term, 6));
            }
            // Bits that are said to be zero are.
            for (term, values) in &stack {
                prop_assert_eq!(values[sample] & pool.zeros(*term), 0, "{}", pool.show(*term, 6));
            }
        }
        let breaches = verify(&pool);
        prop_assert!(breaches.is_empty(), "{} : {}", breaches[0], pool.show(breaches[0].term, 4));
    }
}

fn byte(pool: &mut Pool, element: u32) -> TermId {
    pool.var(Var { slot: SlotKey { hash: 1, occurrence: 0 }, element, bits: 8 })
}

/// The first difference of two texts, as models of the library compute it.
fn first_difference(pool: &mut Pool, pairs: &[(TermId, TermId)]) -> TermId {
    let mut difference = pool.constant(32, 0);
    for (x, y) in pairs.iter().rev() {
        let (x, y) = (pool.zext(*x, 32), pool.zext(*y, 32));
        let same = pool.eq(x, y);
        let here = pool.sub(x, y);
        difference = pool.ite(same, difference, here);
    }
    difference
}

fn all_equal(pool: &mut Pool, pairs: &[(TermId, TermId)]) -> TermId {
    let mut all = pool.truth(true);
    for (x, y) in pairs.iter().rev() {
        let same = pool.eq(*x, *y);
        all = pool.and(same, all);
    }
    all
}

#[test]
fn texts_are_equal_when_their_bytes_are() {
    let mut pool = Pool::new();
    let zero = pool.constant(32, 0);
    let unknown: Vec<(TermId, TermId)> =
        (0..40).map(|at| (byte(&mut pool, at), byte(&mut pool, 100 + at))).collect();
    let known: Vec<(TermId, TermId)> = b"interrupt\0"
        .iter()
        .zip(0..)
        .map(|(c, at)| (byte(&mut pool, at), pool.constant(8, u128::from(*c))))
        .collect();
    for pairs in [unknown, known] {
        let difference = first_difference(&mut pool, &pairs);
        let equal = pool.eq(difference, zero);
        let bytes = all_equal(&mut pool, &pairs);
        assert_eq!(equal, bytes, "{}", pool.show(equal, 6));
    }
}

/// `c ? x : x + 1`, each in the next: as a tree it has 2^60 arms.
#[test]
fn choices_that_share_their_arms_stay_as_they_are() {
    let mut pool = Pool::new();
    let (x, one) = (byte(&mut pool, 0), pool.constant(8, 1));
    let zero = pool.constant(8, 0);
    let mut sum = x;
    for at in 1..60 {
        let condition = byte(&mut pool, at);
        let condition = pool.eq(condition, zero);
        let more = pool.add(sum, one);
        sum = pool.ite(condition, sum, more);
    }
    let before = pool.len();
    for value in 0..100 {
        let value = pool.constant(8, value);
        pool.eq(sum, value);
    }
    assert!(pool.len() - before <= 200, "{}", pool.len() - before);
}

#[test]
fn long_chains_stay_as_they_are() {
    let mut pool = Pool::new();
    let zero = pool.constant(32, 0);
    let pairs: Vec<(TermId, TermId)> =
        (0..500).map(|at| (byte(&mut pool, at), byte(&mut pool, 1000 + at))).collect();
    let difference = first_difference(&mut pool, &pairs);
    let before = pool.len();
    pool.eq(difference, zero);
    assert_eq!(pool.len() - before, 1);
}
