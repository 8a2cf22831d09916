//! Whether an operation overflows. Only overflow of multiplication is a term of its own.

use crate::number::{mask, signed};
use crate::pool::Pool;
use crate::semantics;
use crate::term::{Compare, Kind, TermId};

impl Pool {
    pub fn uaddo(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        match self.as_const(b) {
            Some(c) => {
                let most = self.constant(self.bits(a), !c);
                self.ult(most, a)
            }
            None => {
                let sum = self.add(a, b);
                self.ult(sum, a)
            }
        }
    }

    pub fn usubo(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(a, b)
    }

    pub fn saddo(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        let bits = self.bits(a);
        let most = mask(bits) >> 1;
        match self.as_const(b) {
            Some(c) if signed(bits, c) >= 0 => {
                let bound = self.constant(bits, most - c);
                self.slt(bound, a)
            }
            Some(c) => {
                let bound = self.constant(bits, (most + 1).wrapping_sub(c));
                self.slt(a, bound)
            }
            None => {
                let sum = self.add(a, b);
                self.both_differ_in_sign(sum, a, b)
            }
        }
    }

    pub fn ssubo(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        let most = mask(bits) >> 1;
        match self.as_const(b) {
            Some(c) if signed(bits, c) >= 0 => {
                let bound = self.constant(bits, (most + 1).wrapping_add(c));
                self.slt(a, bound)
            }
            Some(c) => {
                let bound = self.constant(bits, most.wrapping_add(c));
                self.slt(bound, a)
            }
            None => {
                // a - b overflows when the signs of a and b differ and that of the result is b's.
                let difference = self.sub(a, b);
                let b = self.not(b);
                self.both_differ_in_sign(difference, a, b)
            }
        }
    }

    /// Whether the sign of `result` differs from that of `a` and from that of `b`.
    fn both_differ_in_sign(&mut self, result: TermId, a: TermId, b: TermId) -> TermId {
        let top = self.bits(a) - 1;
        let [result, a, b] = [result, a, b].map(|id| self.extract(id, top, 1));
        let (from_a, from_b) = (self.xor(result, a), self.xor(result, b));
        self.and(from_a, from_b)
    }

    pub fn umulo(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        let bits = self.bits(a);
        match self.as_const(b) {
            Some(0 | 1) => return self.truth(false),
            // a * c fits when a is at most max / c.
            Some(c) => {
                let bound = self.constant(bits, mask(bits) / c);
                return self.ult(bound, a);
            }
            None => {}
        }
        self.mulo(Compare::UMulO, a, b)
    }

    pub fn smulo(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        let bits = self.bits(a);
        let most = (mask(bits) >> 1) as i128;
        match self.as_const(b).map(|c| signed(bits, c)) {
            Some(0 | 1) => return self.truth(false),
            // Within [least / c, most / c], both rounded towards zero, nothing overflows. (-1 would need the
            // quotient least / -1, which does not fit.)
            Some(c) if c > 1 => return self.outside(a, (-most - 1) / c, most / c),
            Some(c) if c < -1 => return self.outside(a, most / c, (-most - 1) / c),
            Some(_) => return self.outside(a, -most, most),
            None => {}
        }
        self.mulo(Compare::SMulO, a, b)
    }

    fn outside(&mut self, a: TermId, least: i128, most: i128) -> TermId {
        let bits = self.bits(a);
        let (least, most) = (self.constant(bits, least as u128), self.constant(bits, most as u128));
        let (below, above) = (self.slt(a, least), self.slt(most, a));
        self.or(below, above)
    }

    fn mulo(&mut self, op: Compare, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        if let Some((x, y)) = self.both_const(a, b) {
            return self.truth(semantics::compare(op, bits, x, y));
        }
        self.intern(Kind::Compare(op, a, b), 1)
    }
}
