//! Sums, products, quotients. Constants move outwards; widths that no input can fill are cut off.

use crate::number::{mask, signed};
use crate::pool::Pool;
use crate::term::{Binary, Kind, TermId};

impl Pool {
    /// Any binary integer operation by its name.
    pub fn binary(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.bits(a), self.bits(b));
        match op {
            Binary::Add => self.add(a, b),
            Binary::Sub => self.sub(a, b),
            Binary::Mul => self.mul(a, b),
            Binary::UDiv => self.udiv(a, b),
            Binary::SDiv => self.sdiv(a, b),
            Binary::URem => self.urem(a, b),
            Binary::SRem => self.srem(a, b),
            Binary::And => self.and(a, b),
            Binary::Or => self.or(a, b),
            Binary::Xor => self.xor(a, b),
            Binary::Shl => self.shl(a, b),
            Binary::LShr => self.lshr(a, b),
            Binary::AShr => self.ashr(a, b),
        }
    }

    pub fn neg(&mut self, a: TermId) -> TermId {
        let zero = self.constant(self.bits(a), 0);
        self.sub(zero, a)
    }

    fn add_const(&mut self, a: TermId, c: u128) -> TermId {
        let c = self.constant(self.bits(a), c);
        self.add(a, c)
    }

    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b));
        if bits == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if self.as_const(b) == Some(0) {
            return a;
        }
        if let Some(folded) = self.fold(Binary::Add, a, b) {
            return folded;
        }
        if let Some(c) = self.as_const(b) {
            if let Some((x, inner)) = self.with_const(a, Binary::Add) {
                return self.add_const(x, inner.wrapping_add(c));
            }
            if let Kind::Binary(Binary::Sub, first, x) = self.kind(a)
                && let Some(inner) = self.as_const(first)
            {
                let sum = self.constant(bits, inner.wrapping_add(c));
                return self.sub(sum, x);
            }
        } else {
            for (sum, other) in [(a, b), (b, a)] {
                if let Some((x, c)) = self.with_const(sum, Binary::Add) {
                    let rest = self.add(x, other);
                    return self.add_const(rest, c);
                }
                match self.kind(sum) {
                    Kind::Binary(Binary::Sub, x, y) if y == other => return x,
                    Kind::Binary(Binary::Sub, zero, x) if self.as_const(zero) == Some(0) => {
                        return self.sub(other, x);
                    }
                    _ => {}
                }
            }
            if a == b {
                let one = self.constant(bits, 1);
                return self.shl(a, one);
            }
            // Where no bit can carry, parts are put side by side. Constants stay sums: an object's address must
            // be able to cancel out again.
            if self.zeros(a) | self.zeros(b) == mask(bits) {
                return self.or(a, b);
            }
        }
        self.intern(Kind::Binary(Binary::Add, a, b), bits)
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b));
        if bits == 1 {
            return self.xor(a, b);
        }
        if a == b {
            return self.constant(bits, 0);
        }
        if let Some(c) = self.as_const(b) {
            return self.add_const(a, c.wrapping_neg());
        }
        if let Some(folded) = self.fold(Binary::Sub, a, b) {
            return folded;
        }
        if let Some((y, c)) = self.with_const(b, Binary::Add) {
            let rest = self.sub(a, y);
            return self.add_const(rest, c.wrapping_neg());
        }
        if let Some((x, c)) = self.with_const(a, Binary::Add) {
            let rest = self.sub(x, b);
            return self.add_const(rest, c);
        }
        match self.kind(a) {
            Kind::Binary(Binary::Add, x, y) if y == b => return x,
            Kind::Binary(Binary::Add, x, y) if x == b => return y,
            _ => {}
        }
        match self.kind(b) {
            Kind::Binary(Binary::Sub, first, y) if self.as_const(first) == Some(0) => return self.add(a, y),
            Kind::Binary(Binary::Sub, x, y) if self.as_const(a) == Some(0) => return self.sub(y, x),
            _ => {}
        }
        self.intern(Kind::Binary(Binary::Sub, a, b), bits)
    }

    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b));
        if bits == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(folded) = self.fold(Binary::Mul, a, b) {
            return folded;
        }
        if let Some(c) = self.as_const(b) {
            if c == 0 {
                return b;
            }
            if c == mask(bits) {
                return self.neg(a);
            }
            if c.is_power_of_two() {
                let by = self.constant(bits, u128::from(c.trailing_zeros()));
                return self.shl(a, by);
            }
            if let Some((x, inner)) = self.with_const(a, Binary::Mul) {
                let c = self.constant(bits, inner.wrapping_mul(c));
                return self.mul(x, c);
            }
            if let Some((x, inner)) = self.with_const(a, Binary::Add) {
                let rest = self.mul(x, b);
                return self.add_const(rest, inner.wrapping_mul(c));
            }
        }
        if let Some(narrow) = self.mul_narrow(a, b) {
            return narrow;
        }
        self.intern(Kind::Binary(Binary::Mul, a, b), bits)
    }

    /// Divisions and shifts of truth values, as their tables say.
    pub(super) fn on_truth_values(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        let b = self.not(b);
        match op {
            Binary::UDiv | Binary::SDiv => self.or(a, b),
            Binary::AShr => a,
            _ => self.and(a, b),
        }
    }

    /// A product of zero-extended values in just the width that can hold it.
    fn mul_narrow(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        let Kind::ZExt(x) = self.kind(a) else { return None };
        let (y, y_bits) = match (self.as_const(b), self.kind(b)) {
            (Some(c), _) => (b, 128 - c.leading_zeros() as u16),
            (_, Kind::ZExt(y)) => (y, self.bits(y)),
            _ => return None,
        };
        let width = self.bits(x) + y_bits;
        if width >= bits {
            return None;
        }
        let x = self.zext(x, width);
        let y = if self.bits(y) > width { self.extract(y, 0, width) } else { self.zext(y, width) };
        let product = self.mul(x, y);
        Some(self.zext(product, bits))
    }

    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        if bits == 1 {
            return self.on_truth_values(Binary::UDiv, a, b);
        }
        if let Some(folded) = self.fold(Binary::UDiv, a, b) {
            return folded;
        }
        match self.as_const(b) {
            Some(0) => return self.constant(bits, mask(bits)),
            Some(c) if c.is_power_of_two() => {
                let by = self.constant(bits, u128::from(c.trailing_zeros()));
                return self.lshr(a, by);
            }
            Some(c) => {
                if let Kind::ZExt(x) = self.kind(a) {
                    let width = self.bits(x);
                    if c > mask(width) {
                        return self.constant(bits, 0);
                    }
                    let c = self.constant(width, c);
                    let quotient = self.udiv(x, c);
                    return self.zext(quotient, bits);
                }
            }
            None => {}
        }
        self.intern(Kind::Binary(Binary::UDiv, a, b), bits)
    }

    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        if bits == 1 {
            return self.on_truth_values(Binary::URem, a, b);
        }
        if let Some(folded) = self.fold(Binary::URem, a, b) {
            return folded;
        }
        match self.as_const(b) {
            Some(0) => return a,
            Some(c) if c.is_power_of_two() => {
                let low = self.constant(bits, c - 1);
                return self.and(a, low);
            }
            Some(c) => {
                if let Kind::ZExt(x) = self.kind(a) {
                    let width = self.bits(x);
                    if c > mask(width) {
                        return a;
                    }
                    let c = self.constant(width, c);
                    let rest = self.urem(x, c);
                    return self.zext(rest, bits);
                }
            }
            None => {}
        }
        self.intern(Kind::Binary(Binary::URem, a, b), bits)
    }

    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.signed_division(Binary::SDiv, a, b)
    }

    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.signed_division(Binary::SRem, a, b)
    }

    fn signed_division(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        if bits == 1 {
            return self.on_truth_values(op, a, b);
        }
        if let Some(folded) = self.fold(op, a, b) {
            return folded;
        }
        if let Some(c) = self.as_const(b) {
            let divisor = signed(bits, c);
            match divisor {
                1 if op == Binary::SDiv => return a,
                1 | -1 if op == Binary::SRem => return self.constant(bits, 0),
                -1 => return self.neg(a),
                _ => {}
            }
            match self.kind(a) {
                Kind::ZExt(_) if divisor > 0 => {
                    return if op == Binary::SDiv { self.udiv(a, b) } else { self.urem(a, b) };
                }
                Kind::SExt(x) if divisor != 0 => {
                    let width = self.bits(x);
                    if signed(width, c & mask(width)) == divisor {
                        let c = self.constant(width, c);
                        let narrow = self.signed_division(op, x, c);
                        return self.sext(narrow, bits);
                    }
                }
                _ => {}
            }
        }
        self.intern(Kind::Binary(op, a, b), bits)
    }
}
