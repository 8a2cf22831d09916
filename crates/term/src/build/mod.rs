//! The constructors: each returns a term in canonical form (see [`crate::Kind`]'s module).
//!
//! One file per family of operations. A constructor looks a bounded distance into its operands: where it
//! recurses, widths shrink or a concat gets shorter, so depth is bounded by the width of a term. Chains of choices
//! have a bound of their own.

mod arithmetic;
mod bitwise;
mod chain;
mod choice;
mod comparison;
mod counting;
mod floating;
mod overflow;
mod rebuild;
mod width;

use crate::pool::Pool;
use crate::semantics;
use crate::term::{Binary, Kind, TermId};

impl Pool {
    /// Both operands' values, when both are constants.
    fn both_const(&self, a: TermId, b: TermId) -> Option<(u128, u128)> {
        Some((self.as_const(a)?, self.as_const(b)?))
    }

    /// The constant operand last, else the older operand first.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let key = |id: TermId| (self.as_const(id).is_some(), id);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    /// `x op c`, taken apart.
    fn with_const(&self, id: TermId, wanted: Binary) -> Option<(TermId, u128)> {
        match self.kind(id) {
            Kind::Binary(op, x, c) if op == wanted => Some((x, self.as_const(c)?)),
            _ => None,
        }
    }

    /// `op` on two constants, or on a constant and an `ite` of constants.
    fn fold(&mut self, op: Binary, a: TermId, b: TermId) -> Option<TermId> {
        let bits = self.bits(a);
        if let Some((x, y)) = self.both_const(a, b) {
            return Some(self.constant(bits, semantics::binary(op, bits, x, y)));
        }
        let (condition, then, otherwise) = match (self.ite_of_consts(a), self.as_const(b)) {
            (Some((condition, x, y)), Some(c)) => {
                (condition, semantics::binary(op, bits, x, c), semantics::binary(op, bits, y, c))
            }
            _ => {
                let (condition, x, y) = self.ite_of_consts(b)?;
                let c = self.as_const(a)?;
                (condition, semantics::binary(op, bits, c, x), semantics::binary(op, bits, c, y))
            }
        };
        let then = self.constant(bits, then);
        let otherwise = self.constant(bits, otherwise);
        Some(self.ite(condition, then, otherwise))
    }

    /// An `ite` whose arms are constants, taken apart.
    fn ite_of_consts(&self, id: TermId) -> Option<(TermId, u128, u128)> {
        match self.kind(id) {
            Kind::Ite { condition, then, otherwise } => {
                Some((condition, self.as_const(then)?, self.as_const(otherwise)?))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
