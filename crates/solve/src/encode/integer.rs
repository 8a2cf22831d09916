//! Integer operations, choices and tables.

use super::Encoder;
use crate::formula::{Formulas, Operation};
use term::{Binary, Compare, FloatBinary, FloatCompare, Kind, Pool, TableId, TermId, Unary};

impl<T: Copy> Encoder<T> {
    pub(super) fn build_plain<F: Formulas<Term = T>>(
        &mut self,
        formulas: &mut F,
        pool: &Pool,
        id: TermId,
    ) -> T {
        let bits = pool.bits(id);
        match pool.kind(id) {
            Kind::Const(value) if bits == 1 => formulas.truth(pool.const_value(value) == 1),
            Kind::Const(value) => formulas.bits(bits, pool.const_value(value)),
            Kind::Var(var) => {
                let variable = formulas.variable(&var.to_string(), bits);
                self.variables.insert(var, variable);
                if bits == 1 { is_one(formulas, variable) } else { variable }
            }
            Kind::Unary(Unary::Not, a) => {
                let operation = if bits == 1 { Operation::Not } else { Operation::BvNot };
                formulas.apply(operation, &[self.plain(a)])
            }
            Kind::Unary(op, a) => count(formulas, op, bits, self.plain(a)),
            Kind::Binary(op, a, b) => {
                formulas.apply(binary_operation(op, bits), &[self.plain(a), self.plain(b)])
            }
            Kind::Compare(op, a, b) => {
                let operation = match op {
                    Compare::Eq => Operation::Equal,
                    Compare::Ult => Operation::BvUlt,
                    Compare::Slt => Operation::BvSlt,
                    Compare::UMulO => Operation::BvUMulO,
                    Compare::SMulO => Operation::BvSMulO,
                };
                let operands = [self.vector(formulas, pool, a), self.vector(formulas, pool, b)];
                formulas.apply(operation, &operands)
            }
            Kind::Extract { of, low } => {
                let low = u16::from(low);
                let operation = Operation::Extract { high: low + bits - 1, low };
                let part = formulas.apply(operation, &[self.plain(of)]);
                if bits == 1 { is_one(formulas, part) } else { part }
            }
            Kind::Concat { high, low } => {
                let operands = [self.vector(formulas, pool, high), self.vector(formulas, pool, low)];
                formulas.apply(Operation::Concat, &operands)
            }
            Kind::ZExt(of) => {
                let vector = self.vector(formulas, pool, of);
                formulas.apply(Operation::ZeroExtend(bits - pool.bits(of)), &[vector])
            }
            Kind::SExt(of) => {
                let vector = self.vector(formulas, pool, of);
                formulas.apply(Operation::SignExtend(bits - pool.bits(of)), &[vector])
            }
            Kind::Ite { condition, then, otherwise } => {
                let operands = [self.plain(condition), self.plain(then), self.plain(otherwise)];
                formulas.apply(Operation::Ite, &operands)
            }
            Kind::Select { table, index } => self.select(formulas, pool, table, index),
            Kind::FloatCompare(op, a, b) => {
                let operation = match op {
                    FloatCompare::Eq => Operation::FpEqual,
                    FloatCompare::Lt => Operation::FpLess,
                    FloatCompare::Le => Operation::FpLessEqual,
                };
                formulas.apply(operation, &[self.float(a), self.float(b)])
            }
            Kind::FloatToSigned(a) => self.float_to_integer(formulas, pool, a, bits, true),
            Kind::FloatToUnsigned(a) => self.float_to_integer(formulas, pool, a, bits, false),
            Kind::FloatBinary(FloatBinary::Rem, ..) => {
                self.unexpressed.insert(id);
                formulas.variable(&format!("unexpressed_{id}"), bits)
            }
            Kind::FloatUnary(..)
            | Kind::FloatBinary(..)
            | Kind::FloatFma(..)
            | Kind::SignedToFloat(_)
            | Kind::UnsignedToFloat(_)
            | Kind::FloatConvert(_) => unreachable!("results of float operations are built as floats"),
        }
    }

    /// A tree of choices by the bits of the index, the lowest bit at the leaves.
    fn select<F: Formulas<Term = T>>(
        &self,
        formulas: &mut F,
        pool: &Pool,
        table: TableId,
        index: TermId,
    ) -> T {
        let elements = pool.table(table);
        let index_bits = pool.bits(index);
        let vector = self.vector(formulas, pool, index);
        let wide = pool.table_bits(table) > 1;
        let zero = if wide { formulas.bits(pool.table_bits(table), 0) } else { formulas.truth(false) };

        let levels = elements.len().next_power_of_two().trailing_zeros() as u16;
        let levels = levels.min(index_bits);
        // The term beside each formula tells equal subtrees apart from different ones.
        let mut row: Vec<(Option<TermId>, T)> =
            elements.iter().take(1 << levels).map(|element| (Some(*element), self.plain(*element))).collect();
        for level in 0..levels {
            let bit = formulas.apply(Operation::Extract { high: level, low: level }, &[vector]);
            let bit = is_one(formulas, bit);
            row = row
                .chunks(2)
                .map(|pair| match *pair {
                    [even, odd] if even.0.is_some() && even.0 == odd.0 => even,
                    [even, odd] => (None, formulas.apply(Operation::Ite, &[bit, odd.1, even.1])),
                    [even] => (None, formulas.apply(Operation::Ite, &[bit, zero, even.1])),
                    _ => unreachable!("chunks of two"),
                })
                .collect();
        }
        let value = row.first().map_or(zero, |(_, value)| *value);
        if index_bits == levels {
            return value;
        }
        let above = Operation::Extract { high: index_bits - 1, low: levels };
        let above = formulas.apply(above, &[vector]);
        let none = formulas.bits(index_bits - levels, 0);
        let inside = formulas.apply(Operation::Equal, &[above, none]);
        formulas.apply(Operation::Ite, &[inside, value, zero])
    }
}

/// A bit-vector of one bit as a truth value.
fn is_one<F: Formulas>(formulas: &mut F, bit: F::Term) -> F::Term {
    let one = formulas.bits(1, 1);
    formulas.apply(Operation::Equal, &[bit, one])
}

fn binary_operation(op: Binary, bits: u16) -> Operation {
    match (op, bits) {
        // The pool writes every other operation on truth values with these three.
        (Binary::And, 1) => Operation::And,
        (Binary::Or, 1) => Operation::Or,
        (Binary::Xor, 1) => Operation::Xor,
        (Binary::Add, _) => Operation::BvAdd,
        (Binary::Sub, _) => Operation::BvSub,
        (Binary::Mul, _) => Operation::BvMul,
        (Binary::UDiv, _) => Operation::BvUDiv,
        (Binary::SDiv, _) => Operation::BvSDiv,
        (Binary::URem, _) => Operation::BvURem,
        (Binary::SRem, _) => Operation::BvSRem,
        (Binary::And, _) => Operation::BvAnd,
        (Binary::Or, _) => Operation::BvOr,
        (Binary::Xor, _) => Operation::BvXor,
        (Binary::Shl, _) => Operation::BvShl,
        (Binary::LShr, _) => Operation::BvLShr,
        (Binary::AShr, _) => Operation::BvAShr,
    }
}

fn count<F: Formulas>(formulas: &mut F, op: Unary, bits: u16, vector: F::Term) -> F::Term {
    let bit = |formulas: &mut F, at: u16| formulas.apply(Operation::Extract { high: at, low: at }, &[vector]);
    if op == Unary::CtPop {
        let mut sum = formulas.bits(bits, 0);
        for at in 0..bits {
            let one = bit(formulas, at);
            let one = formulas.apply(Operation::ZeroExtend(bits - 1), &[one]);
            sum = formulas.apply(Operation::BvAdd, &[sum, one]);
        }
        return sum;
    }
    // The bit looked at last decides: the highest for leading zeros, the lowest for trailing ones.
    let mut result = formulas.bits(bits, u128::from(bits));
    for step in 0..bits {
        let at = if op == Unary::Ctlz { step } else { bits - 1 - step };
        let zeros = if op == Unary::Ctlz { bits - 1 - at } else { at };
        let one = bit(formulas, at);
        let set = is_one(formulas, one);
        let zeros = formulas.bits(bits, u128::from(zeros));
        result = formulas.apply(Operation::Ite, &[set, zeros, result]);
    }
    result
}
