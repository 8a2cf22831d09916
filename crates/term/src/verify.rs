//! Checks the canonical form: of every new term in debug builds, of whole pools in tests. Rules as in `term.rs`:
//!  1 older operands; 2 no operation on constants alone; 3 operand order; 4 merged constants; 5 identity and
//!  absorbing elements; 6 constant shifts and masks; 7 concats; 8 extracts and extensions; 9 comparisons;
//! 10 negation and choice; 11 no arithmetic on 1 bit (the rest of it holds by construction).

use crate::number::mask;
use crate::pool::Pool;
use crate::term::{Binary, Compare, Kind, TermId, Unary};
use std::fmt;

/// A term that breaks a rule of the canonical form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breach {
    pub term: TermId,
    /// The rule's number in `term.rs`.
    pub rule: u8,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} breaks rule {}", self.term, self.rule)
    }
}

/// Every breach of the canonical form in `pool`.
pub fn verify(pool: &Pool) -> Vec<Breach> {
    let ids = (0..pool.len() as u32).map(TermId);
    ids.filter_map(|term| broken_rule(pool, term).map(|rule| Breach { term, rule })).collect()
}

/// The number of the first rule that a term breaks.
pub(crate) fn broken_rule(pool: &Pool, id: TermId) -> Option<u8> {
    let term = pool.term(id);
    let kind = term.kind;
    let is_const = |id: TermId| pool.as_const(id).is_some();
    let mut operands = kind.operands().peekable();
    if operands.peek().is_some() && operands.all(is_const) {
        return Some(2);
    }
    if kind.operands().any(|operand| operand >= id) {
        return Some(1);
    }
    match kind {
        Kind::Binary(op, a, b) => binary_rule(pool, op, a, b),
        Kind::Compare(op, a, b) => compare_rule(pool, op, a, b),
        Kind::Concat { high, low } => {
            let next = match pool.kind(low) {
                Kind::Concat { high, .. } => high,
                _ => low,
            };
            let slices = match (pool.kind(high), pool.kind(next)) {
                (Kind::Extract { of, low: from }, Kind::Extract { of: same, low: below }) => {
                    of == same && u16::from(from) == u16::from(below) + pool.bits(next)
                }
                _ => false,
            };
            let leans = matches!(pool.kind(high), Kind::Concat { .. } | Kind::ZExt(_));
            let zero = pool.as_const(high) == Some(0);
            (leans || zero || slices || (is_const(high) && is_const(next))).then_some(7)
        }
        Kind::Extract { of, .. } => {
            let inside = matches!(
                pool.kind(of),
                Kind::Extract { .. } | Kind::Concat { .. } | Kind::ZExt(_) | Kind::SExt(_)
            );
            (inside || pool.bits(of) == term.bits).then_some(8)
        }
        Kind::ZExt(of) => (matches!(pool.kind(of), Kind::ZExt(_)) || pool.bits(of) >= term.bits).then_some(8),
        Kind::SExt(of) => (matches!(pool.kind(of), Kind::SExt(_) | Kind::ZExt(_))
            || pool.bits(of) >= term.bits)
            .then_some(8),
        Kind::Unary(Unary::Not, of) => matches!(pool.kind(of), Kind::Unary(Unary::Not, _)).then_some(10),
        Kind::Ite { condition, then, otherwise } => {
            let negated = matches!(pool.kind(condition), Kind::Unary(Unary::Not, _));
            let constant_arm = term.bits == 1 && (is_const(then) || is_const(otherwise));
            (negated || is_const(condition) || then == otherwise || constant_arm).then_some(10)
        }
        Kind::Select { index, .. } => matches!(pool.kind(index), Kind::ZExt(_)).then_some(8),
        _ => None,
    }
}

fn binary_rule(pool: &Pool, op: Binary, a: TermId, b: TermId) -> Option<u8> {
    use Binary::*;
    let bits = pool.bits(a);
    let constant = pool.as_const(b);
    if bits == 1 && !matches!(op, And | Or | Xor) {
        return Some(11);
    }
    let commutes = matches!(op, Add | Mul | And | Or | Xor);
    if commutes && (pool.as_const(a).is_some() || (constant.is_none() && a > b)) {
        return Some(3);
    }
    if a == b && matches!(op, Sub | And | Or | Xor) {
        return Some(5);
    }
    let c = constant?;
    let same_inside =
        matches!(pool.kind(a), Kind::Binary(inner, _, d) if inner == op && pool.as_const(d).is_some());
    if op == Sub || (commutes && same_inside) {
        return Some(4);
    }
    let neutral = match op {
        Add | Or | Xor => c == 0,
        And => c == 0 || c == mask(bits),
        Mul => c <= 1,
        UDiv | SDiv | URem => c == 1,
        _ => false,
    };
    if neutral || (matches!(op, Or | Xor) && c == mask(bits)) {
        return Some(5);
    }
    let run = c >> c.trailing_zeros().min(127);
    let is_run = op == And && run & run.wrapping_add(1) == 0;
    let power = matches!(op, Mul | UDiv | URem) && c.is_power_of_two();
    (is_run || power || matches!(op, Shl | LShr | AShr)).then_some(6)
}

fn compare_rule(pool: &Pool, op: Compare, a: TermId, b: TermId) -> Option<u8> {
    if matches!(op, Compare::UMulO | Compare::SMulO) {
        return None;
    }
    let constant = pool.as_const(b).is_some();
    let extended = match op {
        Compare::Eq => matches!(pool.kind(a), Kind::ZExt(_) | Kind::SExt(_) | Kind::Concat { .. }),
        Compare::Ult => matches!(pool.kind(a), Kind::ZExt(_)),
        _ => matches!(pool.kind(a), Kind::ZExt(_) | Kind::SExt(_)),
    };
    (pool.as_const(a).is_some() || pool.bits(a) == 1 || (constant && extended)).then_some(9)
}
