//! And, or, exclusive or, not, shifts. On 1 bit these are the connectives of truth values.

use crate::number::mask;
use crate::pool::Pool;
use crate::term::{Binary, Kind, TermId, Unary};

/// How far [`Pool::zeros`] looks into a term.
const ZEROS_DEPTH: u32 = 6;

impl Pool {
    pub fn not(&mut self, a: TermId) -> TermId {
        let bits = self.bits(a);
        match self.kind(a) {
            Kind::Const(value) => {
                let value = !self.const_value(value);
                self.constant(bits, value)
            }
            Kind::Unary(Unary::Not, inner) => inner,
            Kind::Ite { condition, then, otherwise } if self.ite_of_consts(a).is_some() => {
                let (then, otherwise) = (self.not(then), self.not(otherwise));
                self.ite(condition, then, otherwise)
            }
            Kind::Binary(Binary::Xor, x, c) if self.as_const(c).is_some() => {
                let c = self.not(c);
                self.xor(x, c)
            }
            _ => self.negation(a),
        }
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b));
        let (a, b) = self.ordered(a, b);
        match self.as_const(b) {
            Some(0) => return b,
            Some(ones) if ones == mask(bits) => return a,
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.are_opposite(a, b) {
            return self.constant(bits, 0);
        }
        if let Some(done) = self.bitwise(Binary::And, a, b) {
            return done;
        }
        match self.as_const(b) {
            Some(c) if is_run(c) => {
                let low = c.trailing_zeros() as u16;
                let kept = self.extract(a, low, c.count_ones() as u16);
                self.shifted_into(kept, low, bits)
            }
            _ => self.intern(Kind::Binary(Binary::And, a, b), bits),
        }
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b));
        let (a, b) = self.ordered(a, b);
        match self.as_const(b) {
            Some(0) => return a,
            Some(ones) if ones == mask(bits) => return b,
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.are_opposite(a, b) {
            return self.constant(bits, mask(bits));
        }
        if let Some(done) = self.bitwise(Binary::Or, a, b) {
            return done;
        }
        self.intern(Kind::Binary(Binary::Or, a, b), bits)
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b));
        let (a, b) = self.ordered(a, b);
        match self.as_const(b) {
            Some(0) => return a,
            Some(ones) if ones == mask(bits) => return self.not(a),
            _ => {}
        }
        if a == b {
            return self.constant(bits, 0);
        }
        // Negations move out, so that a term and its complement meet.
        if let Kind::Unary(Unary::Not, inner) = self.kind(a) {
            let rest = self.xor(inner, b);
            return self.not(rest);
        }
        if let Kind::Unary(Unary::Not, inner) = self.kind(b) {
            let rest = self.xor(a, inner);
            return self.not(rest);
        }
        if let Some(done) = self.bitwise(Binary::Xor, a, b) {
            return done;
        }
        self.intern(Kind::Binary(Binary::Xor, a, b), bits)
    }

    /// What the three bitwise operations have in common. Operands are ordered.
    fn bitwise(&mut self, op: Binary, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(folded) = self.fold(op, a, b) {
            return Some(folded);
        }
        if let (Some((x, inner)), Some(outer)) = (self.with_const(a, op), self.as_const(b)) {
            let both = crate::semantics::binary(op, self.bits(a), inner, outer);
            let both = self.constant(self.bits(a), both);
            return Some(self.binary(op, x, both));
        }
        if let (Kind::SExt(x), Kind::SExt(y)) = (self.kind(a), self.kind(b))
            && self.bits(x) == self.bits(y)
        {
            let narrow = self.binary(op, x, y);
            return Some(self.sext(narrow, self.bits(a)));
        }
        if let (Kind::ZExt(x), Kind::ZExt(y)) = (self.kind(a), self.kind(b)) {
            let width = self.bits(x).max(self.bits(y));
            let (x, y) = (self.zext(x, width), self.zext(y, width));
            let narrow = self.binary(op, x, y);
            return Some(self.zext(narrow, self.bits(a)));
        }
        for whole in [a, b] {
            if let Some(split) = self.split(whole)
                && let Some(joined) = self.by_parts(op, a, b, split)
            {
                return Some(joined);
            }
        }
        None
    }

    /// Where a concat or zero extension divides.
    fn split(&self, id: TermId) -> Option<u16> {
        match self.kind(id) {
            Kind::Concat { low, .. } => Some(self.bits(low)),
            Kind::ZExt(inner) => Some(self.bits(inner)),
            _ => None,
        }
    }

    /// The operation on the parts above and below `split`, if a constant takes part on both sides.
    fn by_parts(&mut self, op: Binary, a: TermId, b: TermId, split: u16) -> Option<TermId> {
        let above = self.bits(a) - split;
        let high = self.part_is_const(a, split, above) || self.part_is_const(b, split, above);
        let low = self.part_is_const(a, 0, split) || self.part_is_const(b, 0, split);
        if !(high && low) {
            return None;
        }
        let (x, y) = (self.extract(a, split, above), self.extract(b, split, above));
        let high = self.binary(op, x, y);
        let (x, y) = (self.extract(a, 0, split), self.extract(b, 0, split));
        let low = self.binary(op, x, y);
        Some(self.concat(high, low))
    }

    fn part_is_const(&self, id: TermId, low: u16, bits: u16) -> bool {
        match self.kind(id) {
            Kind::Const(_) => true,
            Kind::ZExt(inner) => {
                let width = self.bits(inner);
                low >= width || (low + bits <= width && self.part_is_const(inner, low, bits))
            }
            Kind::Concat { high, low: below } => {
                let split = self.bits(below);
                if low >= split {
                    self.part_is_const(high, low - split, bits)
                } else {
                    low + bits <= split && self.part_is_const(below, low, bits)
                }
            }
            _ => false,
        }
    }

    fn are_opposite(&self, a: TermId, b: TermId) -> bool {
        self.kind(a) == Kind::Unary(Unary::Not, b) || self.kind(b) == Kind::Unary(Unary::Not, a)
    }

    /// `part` at bit `low` of a value of `bits` that is zero elsewhere.
    fn shifted_into(&mut self, part: TermId, low: u16, bits: u16) -> TermId {
        let lower = if low == 0 {
            part
        } else {
            let zeros = self.constant(low, 0);
            self.concat(part, zeros)
        };
        self.zext(lower, bits)
    }

    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        if bits == 1 {
            return self.on_truth_values(Binary::Shl, a, b);
        }
        if let Some(folded) = self.fold(Binary::Shl, a, b) {
            return folded;
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(0), _) | (_, Some(0)) => a,
            (_, Some(by)) if by >= u128::from(bits) => self.constant(bits, 0),
            (_, Some(by)) => {
                let by = by as u16;
                let kept = self.extract(a, 0, bits - by);
                let zeros = self.constant(by, 0);
                self.concat(kept, zeros)
            }
            _ => self.intern(Kind::Binary(Binary::Shl, a, b), bits),
        }
    }

    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        if bits == 1 {
            return self.on_truth_values(Binary::LShr, a, b);
        }
        if let Some(folded) = self.fold(Binary::LShr, a, b) {
            return folded;
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(0), _) | (_, Some(0)) => a,
            (_, Some(by)) if by >= u128::from(bits) => self.constant(bits, 0),
            (_, Some(by)) => {
                let by = by as u16;
                let kept = self.extract(a, by, bits - by);
                self.zext(kept, bits)
            }
            _ => self.intern(Kind::Binary(Binary::LShr, a, b), bits),
        }
    }

    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        if bits == 1 {
            return self.on_truth_values(Binary::AShr, a, b);
        }
        if let Some(folded) = self.fold(Binary::AShr, a, b) {
            return folded;
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(0), _) | (_, Some(0)) => a,
            (_, Some(by)) => {
                let by = by.min(u128::from(bits) - 1) as u16;
                let kept = self.extract(a, by, bits - by);
                self.sext(kept, bits)
            }
            _ => self.intern(Kind::Binary(Binary::AShr, a, b), bits),
        }
    }

    /// The bits of `id` that are zero whatever the input, as far as a short look shows.
    pub fn zeros(&self, id: TermId) -> u128 {
        self.zeros_within(id, ZEROS_DEPTH) & mask(self.bits(id))
    }

    /// How many low bits of `id` are zero whatever the input, as far as a short look shows.
    pub fn trailing_zeros(&self, id: TermId) -> u16 {
        ((!self.zeros(id)).trailing_zeros() as u16).min(self.bits(id))
    }

    fn zeros_within(&self, id: TermId, depth: u32) -> u128 {
        if depth == 0 {
            return 0;
        }
        let of = |id: TermId| self.zeros_within(id, depth - 1) & mask(self.bits(id));
        let trailing = |id: TermId| (!of(id)).trailing_zeros();
        let low = |count: u32| mask(count.min(128) as u16);
        match self.kind(id) {
            Kind::Const(value) => !self.const_value(value),
            Kind::ZExt(inner) => of(inner) | !mask(self.bits(inner)),
            Kind::Concat { high, low } => of(high) << self.bits(low) | of(low),
            Kind::Extract { of: whole, low } => of(whole) >> low,
            Kind::Ite { then, otherwise, .. } => of(then) & of(otherwise),
            Kind::Binary(Binary::And, a, b) => of(a) | of(b),
            Kind::Binary(Binary::Or | Binary::Xor, a, b) => of(a) & of(b),
            Kind::Binary(Binary::Add | Binary::Sub, a, b) => low(trailing(a).min(trailing(b))),
            Kind::Binary(Binary::Mul, a, b) => low(trailing(a) + trailing(b)),
            _ => 0,
        }
    }
}

/// Whether the ones of `c` stand together.
fn is_run(c: u128) -> bool {
    let run = c >> c.trailing_zeros();
    run & run.wrapping_add(1) == 0
}
