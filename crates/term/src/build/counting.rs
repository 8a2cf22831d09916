//! Counting and shuffling bits. Shuffles are concats of extracts, so that undoing one gives back the original.

use crate::pool::Pool;
use crate::semantics;
use crate::term::{Kind, TermId, Unary};

impl Pool {
    /// The number of ones.
    pub fn ctpop(&mut self, a: TermId) -> TermId {
        self.count(Unary::CtPop, a)
    }

    /// The number of leading zeros; the width for zero.
    pub fn ctlz(&mut self, a: TermId) -> TermId {
        self.count(Unary::Ctlz, a)
    }

    /// The number of trailing zeros; the width for zero.
    pub fn cttz(&mut self, a: TermId) -> TermId {
        self.count(Unary::Cttz, a)
    }

    fn count(&mut self, op: Unary, a: TermId) -> TermId {
        let bits = self.bits(a);
        if let Some(value) = self.as_const(a) {
            return self.constant(bits, semantics::unary(op, bits, value));
        }
        if bits == 1 {
            return if op == Unary::CtPop { a } else { self.not(a) };
        }
        self.intern(Kind::Unary(op, a), bits)
    }

    /// The bytes in reverse order. The width is a multiple of 8.
    pub fn bswap(&mut self, a: TermId) -> TermId {
        self.reverse(a, 8)
    }

    /// The bits in reverse order.
    pub fn bitreverse(&mut self, a: TermId) -> TermId {
        self.reverse(a, 1)
    }

    fn reverse(&mut self, a: TermId, unit: u16) -> TermId {
        let bits = self.bits(a);
        debug_assert!(bits.is_multiple_of(unit));
        let mut result = self.extract(a, bits - unit, unit);
        for low in (0..bits - unit).step_by(usize::from(unit)).rev() {
            let part = self.extract(a, low, unit);
            result = self.concat(part, result);
        }
        result
    }
}
