//! Equality and order. Only `=`, `<` unsigned and `<` signed are terms; the rest are their negations.

use crate::number::{inverse, mask, signed};
use crate::pool::Pool;
use crate::semantics;
use crate::term::{Binary, Compare, Kind, TermId, Unary};

impl Pool {
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b));
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.truth(true);
        }
        if bits == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        let done = match self.as_const(b) {
            Some(c) => self.eq_const(a, c),
            None => self.eq_terms(a, b),
        };
        done.unwrap_or_else(|| self.intern(Kind::Compare(Compare::Eq, a, b), 1))
    }

    /// `a = c`, undone from the outside as far as it goes.
    fn eq_const(&mut self, a: TermId, c: u128) -> Option<TermId> {
        let bits = self.bits(a);
        if let Some(value) = self.as_const(a) {
            return Some(self.truth(value == c));
        }
        match self.kind(a) {
            Kind::ZExt(x) => Some(self.eq_extended(x, c, c & mask(self.bits(x)) == c)),
            Kind::SExt(x) => {
                let width = self.bits(x);
                let fits = signed(width, c & mask(width)) == signed(bits, c);
                Some(self.eq_extended(x, c, fits))
            }
            Kind::Concat { high, low } => {
                let split = self.bits(low);
                let low = self.eq_value(low, c & mask(split));
                let high = self.eq_value(high, c >> split);
                Some(self.and(high, low))
            }
            Kind::Unary(Unary::Not, x) => Some(self.eq_value(x, !c)),
            Kind::Ite { .. } => self.eq_chain(a, c),
            Kind::Binary(op, x, y) => match (op, self.as_const(x), self.as_const(y)) {
                (Binary::Add, _, Some(k)) => Some(self.eq_value(x, c.wrapping_sub(k))),
                (Binary::Xor, _, Some(k)) => Some(self.eq_value(x, c ^ k)),
                (Binary::Sub, Some(k), _) => Some(self.eq_value(y, k.wrapping_sub(c))),
                (Binary::Mul, _, Some(k)) if k & 1 == 1 => Some(self.eq_value(x, c.wrapping_mul(inverse(k)))),
                (Binary::Sub | Binary::Xor, _, _) if c == 0 => Some(self.eq(x, y)),
                // A bit that the operation fixes to the other value.
                (Binary::And, _, Some(k)) if c & !k != 0 => Some(self.truth(false)),
                (Binary::Or, _, Some(k)) if !c & k != 0 => Some(self.truth(false)),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn eq_value(&mut self, a: TermId, c: u128) -> TermId {
        let c = self.constant(self.bits(a), c);
        self.eq(a, c)
    }

    fn eq_extended(&mut self, inner: TermId, c: u128, fits: bool) -> TermId {
        if fits { self.eq_value(inner, c) } else { self.truth(false) }
    }

    fn eq_terms(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.kind(a), self.kind(b)) {
            (Kind::ZExt(x), Kind::ZExt(y)) => {
                let width = self.bits(x).max(self.bits(y));
                let (x, y) = (self.zext(x, width), self.zext(y, width));
                Some(self.eq(x, y))
            }
            (Kind::SExt(x), Kind::SExt(y)) => {
                let width = self.bits(x).max(self.bits(y));
                let (x, y) = (self.sext(x, width), self.sext(y, width));
                Some(self.eq(x, y))
            }
            (Kind::Concat { high: h1, low: l1 }, Kind::Concat { high: h2, low: l2 })
                if self.bits(l1) == self.bits(l2) =>
            {
                let (high, low) = (self.eq(h1, h2), self.eq(l1, l2));
                Some(self.and(high, low))
            }
            (Kind::Unary(Unary::Not, x), Kind::Unary(Unary::Not, y)) => Some(self.eq(x, y)),
            (Kind::Binary(Binary::Add, x, c), Kind::Binary(Binary::Add, y, d)) if c == d => {
                Some(self.eq(x, y))
            }
            // x + y = x
            (Kind::Binary(Binary::Add, x, y), _) if x == b => Some(self.eq_value(y, 0)),
            (Kind::Binary(Binary::Add, x, y), _) if y == b => Some(self.eq_value(x, 0)),
            (_, Kind::Binary(Binary::Add, x, y)) if x == a => Some(self.eq_value(y, 0)),
            (_, Kind::Binary(Binary::Add, x, y)) if y == a => Some(self.eq_value(x, 0)),
            _ => None,
        }
    }

    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b));
        if a == b {
            return self.truth(false);
        }
        if bits == 1 {
            let a = self.not(a);
            return self.and(a, b);
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), Some(y)) => return self.truth(semantics::compare(Compare::Ult, bits, x, y)),
            (Some(c), None) if c == mask(bits) => return self.truth(false),
            // c < x is not (x < c + 1).
            (Some(c), None) => {
                let next = self.constant(bits, c + 1);
                let at_most = self.ult(b, next);
                return self.not(at_most);
            }
            (None, Some(0)) => return self.truth(false),
            (None, Some(1)) => return self.eq_value(a, 0),
            (None, Some(c)) if c == mask(bits) => {
                let top = self.eq_value(a, c);
                return self.not(top);
            }
            (None, Some(c)) => {
                if let Some(done) = self.compare_ite_const(Compare::Ult, a, c) {
                    return done;
                }
                if let Kind::ZExt(x) = self.kind(a) {
                    let width = self.bits(x);
                    if c > mask(width) {
                        return self.truth(true);
                    }
                    let c = self.constant(width, c);
                    return self.ult(x, c);
                }
                // Only the high part counts when the bound's low part is zero.
                if let Kind::Concat { high, low } = self.kind(a) {
                    let split = self.bits(low);
                    if c & mask(split) == 0 {
                        let c = self.constant(self.bits(high), c >> split);
                        return self.ult(high, c);
                    }
                }
            }
            (None, None) => {
                if let (Kind::ZExt(x), Kind::ZExt(y)) = (self.kind(a), self.kind(b)) {
                    let width = self.bits(x).max(self.bits(y));
                    let (x, y) = (self.zext(x, width), self.zext(y, width));
                    return self.ult(x, y);
                }
                if let (Kind::SExt(x), Kind::SExt(y)) = (self.kind(a), self.kind(b))
                    && self.bits(x) == self.bits(y)
                {
                    return self.ult(x, y);
                }
            }
        }
        self.intern(Kind::Compare(Compare::Ult, a, b), 1)
    }

    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b));
        if a == b {
            return self.truth(false);
        }
        if bits == 1 {
            let b = self.not(b);
            return self.and(a, b);
        }
        let top = mask(bits) >> 1;
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), Some(y)) => return self.truth(semantics::compare(Compare::Slt, bits, x, y)),
            (Some(c), None) if c == top => return self.truth(false),
            (Some(c), None) => {
                let next = self.constant(bits, c.wrapping_add(1));
                let at_most = self.slt(b, next);
                return self.not(at_most);
            }
            (None, Some(c)) => {
                if c == top + 1 {
                    return self.truth(false);
                }
                if c == top + 2 {
                    return self.eq_value(a, top + 1);
                }
                if c == top {
                    let equal = self.eq_value(a, c);
                    return self.not(equal);
                }
                if let Some(done) = self.compare_ite_const(Compare::Slt, a, c) {
                    return done;
                }
                match self.kind(a) {
                    // Never negative.
                    Kind::ZExt(_) if c > top => return self.truth(false),
                    Kind::ZExt(_) => return self.ult(a, b),
                    Kind::SExt(x) => return self.slt_extended(x, signed(bits, c)),
                    _ => {}
                }
            }
            (None, None) => match (self.kind(a), self.kind(b)) {
                (Kind::ZExt(_), Kind::ZExt(_)) => return self.ult(a, b),
                (Kind::SExt(x), Kind::SExt(y)) => {
                    let width = self.bits(x).max(self.bits(y));
                    let (x, y) = (self.sext(x, width), self.sext(y, width));
                    return self.slt(x, y);
                }
                _ => {}
            },
        }
        self.intern(Kind::Compare(Compare::Slt, a, b), 1)
    }

    /// `sext(x) < c`.
    fn slt_extended(&mut self, x: TermId, c: i128) -> TermId {
        let width = self.bits(x);
        let most = (mask(width) >> 1) as i128;
        if c > most {
            return self.truth(true);
        }
        if c < -most - 1 {
            return self.truth(false);
        }
        let c = self.constant(width, c as u128);
        self.slt(x, c)
    }

    /// A choice between constants, compared with a constant: the choice's condition, its negation, or fixed.
    fn compare_ite_const(&mut self, op: Compare, a: TermId, c: u128) -> Option<TermId> {
        let bits = self.bits(a);
        let (condition, x, y) = self.ite_of_consts(a)?;
        let then = self.truth(semantics::compare(op, bits, x, c));
        let otherwise = self.truth(semantics::compare(op, bits, y, c));
        Some(self.ite(condition, then, otherwise))
    }
}
