//! Floating point on bit patterns. What only moves bits is written with bits; comparisons come down to three.

use crate::float;
use crate::number::signed;
use crate::pool::Pool;
use crate::term::{FloatBinary, FloatCompare, FloatUnary, Kind, TermId};

impl Pool {
    pub fn float_unary(&mut self, op: FloatUnary, a: TermId) -> TermId {
        let bits = self.bits(a);
        match self.as_const(a) {
            Some(value) => self.constant(bits, float::unary(op, bits, value)),
            None => self.intern(Kind::FloatUnary(op, a), bits),
        }
    }

    pub fn float_binary(&mut self, op: FloatBinary, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        match self.both_const(a, b) {
            Some((x, y)) => self.constant(bits, float::binary(op, bits, x, y)),
            None => self.intern(Kind::FloatBinary(op, a, b), bits),
        }
    }

    pub fn float_fma(&mut self, a: TermId, b: TermId, c: TermId) -> TermId {
        let bits = self.bits(a);
        match (self.both_const(a, b), self.as_const(c)) {
            (Some((x, y)), Some(z)) => self.constant(bits, float::fma(bits, x, y, z)),
            _ => self.intern(Kind::FloatFma(a, b, c), bits),
        }
    }

    pub fn float_compare(&mut self, op: FloatCompare, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        if let Some((x, y)) = self.both_const(a, b) {
            return self.truth(float::compare(op, bits, x, y));
        }
        let nan = |id: TermId| self.as_const(id).is_some_and(|value| float::is_nan(bits, value));
        if nan(a) || nan(b) || (op == FloatCompare::Lt && a == b) {
            return self.truth(false);
        }
        match op {
            // x <= x asks whether x is a number, as x = x does.
            FloatCompare::Le if a == b => self.float_compare(FloatCompare::Eq, a, a),
            FloatCompare::Eq => {
                let (a, b) = self.ordered(a, b);
                self.intern(Kind::FloatCompare(op, a, b), 1)
            }
            _ => self.intern(Kind::FloatCompare(op, a, b), 1),
        }
    }

    pub fn float_is_nan(&mut self, a: TermId) -> TermId {
        let number = self.float_compare(FloatCompare::Eq, a, a);
        self.not(number)
    }

    /// A comparison by LLVM's number of the predicate, 0 (false) to 15 (true). `None` for other numbers.
    pub fn float_predicate(&mut self, predicate: u8, a: TermId, b: TermId) -> Option<TermId> {
        use FloatCompare::{Eq, Le, Lt};
        // The upper eight are the unordered ones: each negates an ordered one.
        if predicate > 7 {
            let opposite = self.float_predicate(15u8.checked_sub(predicate)?, a, b)?;
            return Some(self.not(opposite));
        }
        Some(match predicate {
            0 => self.truth(false),
            1 => self.float_compare(Eq, a, b),
            2 => self.float_compare(Lt, b, a),
            3 => self.float_compare(Le, b, a),
            4 => self.float_compare(Lt, a, b),
            5 => self.float_compare(Le, a, b),
            6 => {
                let (less, greater) = (self.float_compare(Lt, a, b), self.float_compare(Lt, b, a));
                self.or(less, greater)
            }
            _ => {
                let (a, b) = (self.float_compare(Eq, a, a), self.float_compare(Eq, b, b));
                self.and(a, b)
            }
        })
    }

    pub fn float_neg(&mut self, a: TermId) -> TermId {
        let top = self.bits(a) - 1;
        let (sign, rest) = (self.extract(a, top, 1), self.extract(a, 0, top));
        let sign = self.not(sign);
        self.concat(sign, rest)
    }

    pub fn float_abs(&mut self, a: TermId) -> TermId {
        let bits = self.bits(a);
        let rest = self.extract(a, 0, bits - 1);
        self.zext(rest, bits)
    }

    /// The magnitude of `a` with the sign of `b`.
    pub fn float_copysign(&mut self, a: TermId, b: TermId) -> TermId {
        let top = self.bits(a) - 1;
        let (sign, rest) = (self.extract(b, top, 1), self.extract(a, 0, top));
        self.concat(sign, rest)
    }

    pub fn float_min(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.float_compare(FloatCompare::Lt, a, b);
        self.number_or(less, a, b)
    }

    pub fn float_max(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.float_compare(FloatCompare::Lt, b, a);
        self.number_or(greater, a, b)
    }

    /// `a` if `first`, else `b`; the number, if only one of them is one.
    fn number_or(&mut self, first: TermId, a: TermId, b: TermId) -> TermId {
        let (a_is_nan, b_is_nan) = (self.float_is_nan(a), self.float_is_nan(b));
        let chosen = self.ite(first, a, b);
        let chosen = self.ite(b_is_nan, a, chosen);
        self.ite(a_is_nan, b, chosen)
    }

    pub fn float_to_signed(&mut self, a: TermId, bits: u16) -> TermId {
        match self.as_const(a) {
            Some(value) => self.constant(bits, float::to_signed(self.bits(a), value, bits)),
            None => self.intern(Kind::FloatToSigned(a), bits),
        }
    }

    pub fn float_to_unsigned(&mut self, a: TermId, bits: u16) -> TermId {
        match self.as_const(a) {
            Some(value) => self.constant(bits, float::to_unsigned(self.bits(a), value, bits)),
            None => self.intern(Kind::FloatToUnsigned(a), bits),
        }
    }

    pub fn signed_to_float(&mut self, a: TermId, bits: u16) -> TermId {
        match (self.as_const(a), self.kind(a)) {
            (Some(value), _) => self.constant(bits, float::from_signed(signed(self.bits(a), value), bits)),
            (_, Kind::SExt(inner)) => self.signed_to_float(inner, bits),
            (_, Kind::ZExt(_)) => self.unsigned_to_float(a, bits),
            _ => self.intern(Kind::SignedToFloat(a), bits),
        }
    }

    pub fn unsigned_to_float(&mut self, a: TermId, bits: u16) -> TermId {
        match (self.as_const(a), self.kind(a)) {
            (Some(value), _) => self.constant(bits, float::from_unsigned(value, bits)),
            (_, Kind::ZExt(inner)) => self.unsigned_to_float(inner, bits),
            _ => self.intern(Kind::UnsignedToFloat(a), bits),
        }
    }

    /// To the format that is `bits` wide.
    pub fn float_convert(&mut self, a: TermId, bits: u16) -> TermId {
        let from = self.bits(a);
        match self.as_const(a) {
            _ if from == bits => a,
            Some(value) => self.constant(bits, float::convert(from, value, bits)),
            None => self.intern(Kind::FloatConvert(a), bits),
        }
    }
}
