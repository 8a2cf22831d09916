//! Random straight-line programs over a few inputs, and the conditions that they meet on the way.

use proptest::prelude::*;
use term::{Assignment, Binary, FloatBinary, FloatUnary, Pool, TermId, Var};
use wire::SlotKey;

/// Which operations a program is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Integers,
    Floats,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    steps: Vec<(u8, u16, u16, u16, u64)>,
    inputs: Vec<u64>,
}

const VAR_BITS: [u16; 5] = [8, 8, 8, 16, 32];

pub(crate) fn program(length: std::ops::Range<usize>) -> impl Strategy<Value = Program> {
    let number = prop_oneof![4 => 0u64..300, 1 => any::<u64>(), 1 => (0u32..64).prop_map(|shift| 1 << shift)];
    let step = (any::<u8>(), any::<u16>(), any::<u16>(), any::<u16>(), number);
    let steps = prop::collection::vec(step, length);
    let inputs = prop::collection::vec(any::<u64>(), VAR_BITS.len());
    (steps, inputs).prop_map(|(steps, inputs)| Program { steps, inputs })
}

fn var(element: usize) -> Var {
    let slot = SlotKey { hash: 5, occurrence: 0 };
    Var { slot, element: element as u32, bits: VAR_BITS[element] }
}

impl Program {
    pub(crate) fn hint(&self) -> Assignment {
        self.inputs.iter().enumerate().map(|(element, value)| (var(element), *value)).collect()
    }

    /// Every 1-bit value that the program computes and that is no constant.
    pub(crate) fn conditions(&self, pool: &mut Pool, shape: Shape) -> Vec<TermId> {
        let mut stack: Vec<TermId> = (0..VAR_BITS.len()).map(|element| pool.var(var(element))).collect();
        let mut conditions = Vec::new();
        for (op, a, b, c, number) in &self.steps {
            let a = stack[usize::from(*a) % stack.len()];
            let b = stack[usize::from(*b) % stack.len()];
            let value = match shape {
                Shape::Integers => integer(pool, *op, a, b, *c, *number),
                Shape::Floats => float(pool, *op, a, b, *c, *number),
            };
            stack.push(value);
            let condition = match pool.bits(value) {
                1 => value,
                bits => {
                    let bound = pool.constant(bits, u128::from(*number));
                    if c & 8 == 0 { pool.eq(value, bound) } else { pool.ult(value, bound) }
                }
            };
            if pool.as_const(condition).is_none() {
                conditions.push(condition);
            }
        }
        conditions
    }
}

fn fit(pool: &mut Pool, term: TermId, bits: u16, sign: bool) -> TermId {
    match pool.bits(term) {
        width if width >= bits => pool.extract(term, 0, bits),
        _ if sign => pool.sext(term, bits),
        _ => pool.zext(term, bits),
    }
}

fn integer(pool: &mut Pool, op: u8, a: TermId, b: TermId, c: u16, number: u64) -> TermId {
    let bits = pool.bits(a);
    let b = if c.is_multiple_of(3) {
        pool.constant(bits, u128::from(number))
    } else {
        fit(pool, b, bits, c & 1 == 1)
    };
    use Binary::*;
    let ops = [Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr, Add, UDiv, URem, SDiv, SRem];
    match op % 32 {
        n @ 0..=13 => {
            // Wide division is slow in every solver; the layers are what is tested here.
            let narrow = if n >= 10 || n == 2 { 8 } else { bits };
            let (a, b) = (fit(pool, a, narrow, false), fit(pool, b, narrow, false));
            pool.binary(ops[usize::from(n)], a, b)
        }
        14 => pool.eq(a, b),
        15 => pool.ult(a, b),
        16 => pool.slt(a, b),
        17 => pool.sle(a, b),
        18 => pool.not(a),
        19 => {
            let low = c % bits;
            pool.extract(a, low, 1 + (c >> 4) % (bits - low))
        }
        20 | 21 => fit(pool, a, 1 + c % 64, number & 1 == 1),
        22 if bits <= 64 => pool.concat(a, b),
        23 | 24 => {
            let condition = fit(pool, b, 1, false);
            pool.ite(condition, a, b)
        }
        25 => pool.saddo(a, b),
        26 => pool.ssubo(a, b),
        27 => {
            let (a, b) = (fit(pool, a, 8, false), fit(pool, b, 8, false));
            if c & 1 == 0 { pool.smulo(a, b) } else { pool.umulo(a, b) }
        }
        28 => match c % 3 {
            0 => pool.ctpop(a),
            1 => pool.ctlz(a),
            _ => pool.cttz(a),
        },
        29 | 30 => {
            let elements = (0..1 + c % 9).map(|at| {
                let constant = pool.constant(bits, u128::from(number.rotate_left(u32::from(at) * 7)));
                if at == 2 { a } else { constant }
            });
            let elements: Vec<TermId> = elements.collect();
            match pool.make_table(elements) {
                Some(table) => pool.select(table, b),
                None => a,
            }
        }
        _ => pool.bitreverse(a),
    }
}

fn float(pool: &mut Pool, op: u8, a: TermId, b: TermId, c: u16, number: u64) -> TermId {
    let format = if c & 16 == 0 { 32 } else { 16 };
    let as_float = |pool: &mut Pool, term: TermId, how: u16| match (pool.bits(term), how % 3) {
        (bits, 0) if bits == format => term,
        (32, 1) => pool.float_convert(term, format),
        (_, 2) => pool.signed_to_float(term, format),
        _ => fit(pool, term, format, false),
    };
    let x = as_float(pool, a, c >> 5);
    let y = if number & 1 == 0 {
        as_float(pool, b, c >> 7)
    } else {
        let value = pool.constant(16, u128::from(number >> 1));
        pool.signed_to_float(value, format)
    };
    match op % 12 {
        0 | 1 => pool.float_binary(FloatBinary::Add, x, y),
        2 => pool.float_binary(FloatBinary::Sub, x, y),
        3 => pool.float_binary(FloatBinary::Mul, x, y),
        4 => pool.float_unary(FloatUnary::Round, x),
        5 => pool.float_unary(FloatUnary::Floor, x),
        6 => pool.float_to_signed(x, 32),
        7 => pool.float_to_unsigned(x, 8),
        8 => pool.float_neg(x),
        9 => pool.float_min(x, y),
        _ => pool.float_predicate((c % 16) as u8, x, y).unwrap_or(a),
    }
}
