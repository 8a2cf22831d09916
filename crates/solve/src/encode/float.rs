//! Floating-point operations, and the bit patterns of their results.

use super::{Encoder, Shapes};
use crate::formula::{Format, Formulas, Operation, Rounding};
use term::{FloatBinary, FloatUnary, Kind, Pool, TermId, float_conversion_range, float_fraction_bits};

fn format(bits: u16) -> Format {
    let fraction = float_fraction_bits(bits);
    Format { exponent: bits - 1 - fraction, significand: fraction + 1 }
}

/// The pattern of the NaN that the hardware makes by itself.
fn default_nan(bits: u16) -> u128 {
    let top = u128::from(bits) - 1;
    let fraction = float_fraction_bits(bits);
    // The sign, every bit of the exponent, and the top bit of the fraction.
    (1 << top | ((1 << top) - 1)) & !((1 << (fraction - 1)) - 1)
}

impl<T: Copy> Encoder<T> {
    /// The result of a float operation, in the shapes asked for.
    pub(super) fn build_float<F: Formulas<Term = T>>(
        &mut self,
        formulas: &mut F,
        pool: &Pool,
        id: TermId,
        shapes: Shapes,
    ) {
        if shapes.float {
            let float = self.float_operation(formulas, pool, id);
            self.entry(id).float = Some(float);
        }
        if shapes.nan {
            let nan = self.nan_of_operation(formulas, pool, id);
            self.entry(id).nan = Some(nan);
        }
        if shapes.plain {
            let bits = pool.bits(id);
            let (float, nan) = (self.float(id), self.nan(id));
            let pattern = formulas.variable(&format!("bits_of_{id}"), bits);
            let is_nan = formulas.apply(Operation::FpIsNaN, &[float]);
            let read = formulas.apply(Operation::FpFromBits(format(bits)), &[pattern]);
            let stands = formulas.apply(Operation::Equal, &[read, float]);
            let defined = formulas.apply(Operation::Or, &[is_nan, stands]);
            self.definitions.insert(id, defined);
            let plain = formulas.apply(Operation::Ite, &[is_nan, nan, pattern]);
            self.entry(id).plain = Some(plain);
        }
    }

    fn float_operation<F: Formulas<Term = T>>(&self, formulas: &mut F, pool: &Pool, id: TermId) -> T {
        let to = format(pool.bits(id));
        let (operation, operands): (Operation, Vec<T>) = match pool.kind(id) {
            Kind::FloatUnary(op, a) => {
                let operation = match op {
                    FloatUnary::Sqrt => Operation::FpSqrt,
                    FloatUnary::Floor => Operation::FpRound(Rounding::Down),
                    FloatUnary::Ceil => Operation::FpRound(Rounding::Up),
                    FloatUnary::Trunc => Operation::FpRound(Rounding::Zero),
                    FloatUnary::Rint => Operation::FpRound(Rounding::NearestEven),
                    FloatUnary::Round => Operation::FpRound(Rounding::NearestAway),
                };
                (operation, vec![self.float(a)])
            }
            Kind::FloatBinary(op, a, b) => {
                let operation = match op {
                    FloatBinary::Add => Operation::FpAdd,
                    FloatBinary::Sub => Operation::FpSub,
                    FloatBinary::Mul => Operation::FpMul,
                    FloatBinary::Div => Operation::FpDiv,
                    FloatBinary::Rem => unreachable!("remainders are not expressed"),
                };
                (operation, vec![self.float(a), self.float(b)])
            }
            Kind::FloatFma(a, b, c) => (Operation::FpFma, vec![self.float(a), self.float(b), self.float(c)]),
            Kind::FloatConvert(a) => (Operation::FpFromFp(to), vec![self.float(a)]),
            Kind::SignedToFloat(a) => (Operation::FpFromSigned(to), vec![self.vector(formulas, pool, a)]),
            Kind::UnsignedToFloat(a) => (Operation::FpFromUnsigned(to), vec![self.vector(formulas, pool, a)]),
            _ => unreachable!("not a float operation"),
        };
        formulas.apply(operation, &operands)
    }

    /// The first NaN operand, made quiet, else the default NaN.
    fn nan_of_operation<F: Formulas<Term = T>>(&self, formulas: &mut F, pool: &Pool, id: TermId) -> T {
        let bits = pool.bits(id);
        let mut pattern = formulas.bits(bits, default_nan(bits));
        let operands: Vec<TermId> = match pool.kind(id) {
            Kind::SignedToFloat(_) | Kind::UnsignedToFloat(_) => Vec::new(),
            kind => kind.operands().collect(),
        };
        for operand in operands.into_iter().rev() {
            let is_nan = formulas.apply(Operation::FpIsNaN, &[self.float(operand)]);
            let nan = self.nan(operand);
            let nan = convert_nan(formulas, nan, pool.bits(operand), bits);
            pattern = formulas.apply(Operation::Ite, &[is_nan, nan, pattern]);
        }
        pattern
    }

    /// A term that is no float operation, read as a float.
    pub(super) fn read_as_float<F: Formulas<Term = T>>(
        &self,
        formulas: &mut F,
        pool: &Pool,
        id: TermId,
    ) -> T {
        if let Kind::Ite { condition, then, otherwise } = pool.kind(id) {
            let operands = [self.plain(condition), self.float(then), self.float(otherwise)];
            return formulas.apply(Operation::Ite, &operands);
        }
        formulas.apply(Operation::FpFromBits(format(pool.bits(id))), &[self.plain(id)])
    }

    /// The pattern of a term that is no float operation, made quiet, if it is NaN.
    pub(super) fn nan_of_bits<F: Formulas<Term = T>>(&self, formulas: &mut F, pool: &Pool, id: TermId) -> T {
        if let Kind::Ite { condition, then, otherwise } = pool.kind(id) {
            let operands = [self.plain(condition), self.nan(then), self.nan(otherwise)];
            return formulas.apply(Operation::Ite, &operands);
        }
        let bits = pool.bits(id);
        let quiet = formulas.bits(bits, 1 << (float_fraction_bits(bits) - 1));
        formulas.apply(Operation::BvOr, &[self.plain(id), quiet])
    }

    /// Out of range the hardware gives a register with only its top bit set.
    pub(super) fn float_to_integer<F: Formulas<Term = T>>(
        &self,
        formulas: &mut F,
        pool: &Pool,
        of: TermId,
        bits: u16,
        to_is_signed: bool,
    ) -> T {
        let float = self.float(of);
        let (register, low, high) = float_conversion_range(bits, to_is_signed);
        let whole = formulas.apply(Operation::FpRound(Rounding::Zero), &[float]);
        let from = pool.bits(of);
        let least = power_of_two(formulas, from, low, true);
        let bound = power_of_two(formulas, from, high, false);
        // Where -2^low is beyond the format it is its negative infinity, which does not convert.
        let above = if low > max_exponent(from) { Operation::FpLess } else { Operation::FpLessEqual };
        let above = formulas.apply(above, &[least, whole]);
        let below = formulas.apply(Operation::FpLess, &[whole, bound]);
        let fits = formulas.apply(Operation::And, &[above, below]);

        let width = high + 1;
        let value = formulas.apply(Operation::FpToSigned(width), &[float]);
        let value = resize(formulas, value, width, bits);
        let indefinite = formulas.bits(register, 1 << (register - 1));
        let indefinite = resize(formulas, indefinite, register, bits);
        let result = formulas.apply(Operation::Ite, &[fits, value, indefinite]);
        if bits > 1 {
            return result;
        }
        let one = formulas.bits(1, 1);
        formulas.apply(Operation::Equal, &[result, one])
    }
}

fn resize<F: Formulas>(formulas: &mut F, vector: F::Term, from: u16, to: u16) -> F::Term {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => formulas.apply(Operation::SignExtend(to - from), &[vector]),
        std::cmp::Ordering::Equal => vector,
        std::cmp::Ordering::Greater => formulas.apply(Operation::Extract { high: to - 1, low: 0 }, &[vector]),
    }
}

/// The largest e such that 2^e is finite.
fn max_exponent(bits: u16) -> u16 {
    (1 << (format(bits).exponent - 1)) - 1
}

/// 2^exponent or its negative as a float, infinite where the format ends.
fn power_of_two<F: Formulas>(formulas: &mut F, bits: u16, exponent: u16, negative: bool) -> F::Term {
    let largest = max_exponent(bits);
    let field = u128::from(largest) + u128::from(exponent.min(largest + 1));
    let sign = if negative { 1 << (bits - 1) } else { 0 };
    let pattern = formulas.bits(bits, sign | field << float_fraction_bits(bits));
    formulas.apply(Operation::FpFromBits(format(bits)), &[pattern])
}

/// A quiet NaN's pattern in another format: sign and payload keep their place from the top.
fn convert_nan<F: Formulas>(formulas: &mut F, nan: F::Term, from: u16, to: u16) -> F::Term {
    if from == to {
        return nan;
    }
    let (from_fraction, to_fraction) = (float_fraction_bits(from), float_fraction_bits(to));
    let sign = formulas.apply(Operation::Extract { high: from - 1, low: from - 1 }, &[nan]);
    let exponent_bits = format(to).exponent;
    let exponent = formulas.bits(exponent_bits, (1 << exponent_bits) - 1);
    let kept = from_fraction.min(to_fraction);
    let payload = Operation::Extract { high: from_fraction - 1, low: from_fraction - kept };
    let mut payload = formulas.apply(payload, &[nan]);
    if to_fraction > kept {
        let zeros = formulas.bits(to_fraction - kept, 0);
        payload = formulas.apply(Operation::Concat, &[payload, zeros]);
    }
    let upper = formulas.apply(Operation::Concat, &[sign, exponent]);
    formulas.apply(Operation::Concat, &[upper, payload])
}
