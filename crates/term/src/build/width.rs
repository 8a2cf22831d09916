//! Extracts, concats and extensions: where bytes that were taken apart find together again.

use crate::number::{mask, signed};
use crate::pool::Pool;
use crate::term::{Binary, Kind, TermId, Unary};

impl Pool {
    /// `bits` bits of `of` from bit `low` on.
    pub fn extract(&mut self, of: TermId, low: u16, bits: u16) -> TermId {
        let whole = self.bits(of);
        debug_assert!(bits >= 1 && low + bits <= whole, "extract {low}+{bits} of {whole}");
        if bits == whole {
            return of;
        }
        match self.kind(of) {
            Kind::Const(value) => {
                let value = self.const_value(value) >> low;
                self.constant(bits, value)
            }
            Kind::Extract { of: inner, low: inner_low } => {
                self.extract(inner, u16::from(inner_low) + low, bits)
            }
            Kind::Concat { high, low: low_part } => self.extract_of_concat(high, low_part, low, bits),
            Kind::ZExt(inner) => {
                let width = self.bits(inner);
                if low >= width {
                    self.constant(bits, 0)
                } else if low + bits <= width {
                    self.extract(inner, low, bits)
                } else {
                    let part = self.extract(inner, low, width - low);
                    self.zext(part, bits)
                }
            }
            Kind::SExt(inner) => {
                let width = self.bits(inner);
                if low + bits <= width {
                    self.extract(inner, low, bits)
                } else {
                    // From the sign bit on there are only copies of it.
                    let from = low.min(width - 1);
                    let part = self.extract(inner, from, width - from);
                    self.sext(part, bits)
                }
            }
            Kind::Ite { condition, then, otherwise }
                if self.as_const(then).is_some() && self.as_const(otherwise).is_some() =>
            {
                let then = self.extract(then, low, bits);
                let otherwise = self.extract(otherwise, low, bits);
                self.ite(condition, then, otherwise)
            }
            Kind::Unary(Unary::Not, inner) if self.is_cheap_to_cut(inner) => {
                let part = self.extract(inner, low, bits);
                self.not(part)
            }
            Kind::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), a, b)
                if self.is_cheap_to_cut(a) && self.is_cheap_to_cut(b) =>
            {
                let (a, b) = (self.extract(a, low, bits), self.extract(b, low, bits));
                self.binary(op, a, b)
            }
            // The low bits of a sum or product depend on the low bits alone.
            Kind::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b)
                if low == 0 && self.is_cheap_to_cut(a) && self.is_cheap_to_cut(b) =>
            {
                let (a, b) = (self.extract(a, 0, bits), self.extract(b, 0, bits));
                self.binary(op, a, b)
            }
            _ => self.intern(Kind::Extract { of, low: low as u8 }, bits),
        }
    }

    /// Whether an extract of `id` becomes something else than an extract of an operation.
    fn is_cheap_to_cut(&self, id: TermId) -> bool {
        matches!(self.kind(id), Kind::Const(_) | Kind::ZExt(_) | Kind::SExt(_) | Kind::Concat { .. })
    }

    fn extract_of_concat(&mut self, high: TermId, low_part: TermId, low: u16, bits: u16) -> TermId {
        let split = self.bits(low_part);
        if low >= split {
            self.extract(high, low - split, bits)
        } else if low + bits <= split {
            self.extract(low_part, low, bits)
        } else {
            let upper = self.extract(high, 0, low + bits - split);
            let lower = self.extract(low_part, low, split - low);
            self.concat(upper, lower)
        }
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let bits = self.bits(high) + self.bits(low);
        debug_assert!(bits <= crate::MAX_BITS);
        if let Kind::Concat { high: first, low: second } = self.kind(high) {
            let rest = self.concat(second, low);
            return self.concat(first, rest);
        }
        if let Some(merged) = self.merge(high, low) {
            return merged;
        }
        if let Kind::Concat { high: next, low: rest } = self.kind(low)
            && let Some(merged) = self.merge(high, next)
        {
            return self.concat(merged, rest);
        }
        if self.as_const(high) == Some(0) {
            return self.zext(low, bits);
        }
        if let Kind::ZExt(inner) = self.kind(high) {
            let rest = self.concat(inner, low);
            return self.zext(rest, bits);
        }
        // The zeros that a zero-extended low part begins with join a constant above them.
        if let (Some(value), Kind::ZExt(inner)) = (self.as_const(high), self.kind(low)) {
            let zeros = self.bits(low) - self.bits(inner);
            let upper = self.constant(self.bits(high) + zeros, value << zeros);
            return self.concat(upper, inner);
        }
        self.intern(Kind::Concat { high, low }, bits)
    }

    /// Two neighbours as one part: constants, or adjacent extracts of one term.
    fn merge(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let (high_bits, low_bits) = (self.bits(high), self.bits(low));
        if let Some((x, y)) = self.both_const(high, low) {
            return Some(self.constant(high_bits + low_bits, x << low_bits | y));
        }
        let (above, above_low) = self.as_slice(high);
        let (below, below_low) = self.as_slice(low);
        if above == below && above_low == below_low + low_bits {
            return Some(self.extract(above, below_low, high_bits + low_bits));
        }
        // Copies of the sign bit above the value that has it.
        if let Kind::SExt(inner) = self.kind(high)
            && self.bits(inner) == 1
            && self.top_bit(low) == Some(inner)
        {
            return Some(self.sext(low, high_bits + low_bits));
        }
        None
    }

    fn top_bit(&mut self, id: TermId) -> Option<TermId> {
        let bits = self.bits(id);
        (self.as_const(id).is_none()).then(|| self.extract(id, bits - 1, 1))
    }

    /// The term of which `id` is an extract, and from which bit.
    fn as_slice(&self, id: TermId) -> (TermId, u16) {
        match self.kind(id) {
            Kind::Extract { of, low } => (of, u16::from(low)),
            _ => (id, 0),
        }
    }

    /// Zero-extended to `bits`.
    pub fn zext(&mut self, of: TermId, bits: u16) -> TermId {
        let width = self.bits(of);
        debug_assert!(bits >= width);
        if bits == width {
            return of;
        }
        match self.kind(of) {
            Kind::Const(value) => {
                let value = self.const_value(value);
                self.constant(bits, value)
            }
            Kind::ZExt(inner) => self.zext(inner, bits),
            _ => self.intern(Kind::ZExt(of), bits),
        }
    }

    /// Sign-extended to `bits`.
    pub fn sext(&mut self, of: TermId, bits: u16) -> TermId {
        let width = self.bits(of);
        debug_assert!(bits >= width);
        if bits == width {
            return of;
        }
        match self.kind(of) {
            Kind::Const(value) => {
                let value = signed(width, self.const_value(value)) as u128;
                self.constant(bits, value & mask(bits))
            }
            Kind::SExt(inner) => self.sext(inner, bits),
            // The top bit is zero.
            Kind::ZExt(inner) => self.zext(inner, bits),
            _ => self.intern(Kind::SExt(of), bits),
        }
    }
}
