//! A chain of choices beside a constant: what the first difference of two texts is, whether it is none. Where an arm
//! answers by itself, the choice is a conjunction or a disjunction with what the other arm answers.

use crate::pool::Pool;
use crate::term::{Binary, Kind, TermId, Unary};

/// Choices in a chain; longer ones stay as they are.
const LONGEST: usize = 80;
/// Terms that equality with a constant may meet in an arm that is asked: what choices share is not asked again and again.
const LARGEST_ARM: usize = 16;

impl Pool {
    /// `a = c` where `a` is a choice and an arm of it answers by itself.
    pub(super) fn eq_chain(&mut self, a: TermId, c: u128) -> Option<TermId> {
        if self.chain_length(a) > LONGEST {
            return None;
        }
        let mut answered = Vec::new();
        let mut rest = a;
        while let Kind::Ite { condition, then, otherwise } = self.kind(rest) {
            if let Some(answer) = self.answer(condition, then, c) {
                answered.push((condition, Some(answer), None));
                rest = otherwise;
            } else if let Some(answer) = self.answer(condition, otherwise, c) {
                answered.push((condition, None, Some(answer)));
                rest = then;
            } else {
                break;
            }
        }
        if answered.is_empty() {
            return None;
        }
        let mut equal = self.eq_value(rest, c);
        for (condition, then, otherwise) in answered.into_iter().rev() {
            equal = self.ite(condition, then.unwrap_or(equal), otherwise.unwrap_or(equal));
        }
        Some(equal)
    }

    /// Whether an arm is `c`, if that is known, or known from the condition of the choice.
    fn answer(&mut self, condition: TermId, arm: TermId, c: u128) -> Option<TermId> {
        if !self.is_small(arm) {
            return None;
        }
        let answer = self.eq_value(arm, c);
        let known = self.as_const(answer).is_some() || answer == condition || self.is_not(answer, condition);
        known.then_some(answer)
    }

    pub(super) fn is_not(&self, a: TermId, b: TermId) -> bool {
        self.kind(a) == Kind::Unary(Unary::Not, b)
    }

    /// Choices one behind the other, up to where more than one way leads on.
    fn chain_length(&self, a: TermId) -> usize {
        let (mut length, mut rest) = (0, a);
        while length <= LONGEST
            && let Kind::Ite { then, otherwise, .. } = self.kind(rest)
        {
            rest = match (self.is_small(then), self.is_small(otherwise)) {
                (true, false) => otherwise,
                (false, true) => then,
                _ => break,
            };
            length += 1;
        }
        length
    }

    fn is_small(&self, arm: TermId) -> bool {
        self.left_after(arm, LARGEST_ARM).is_some()
    }

    /// What is left of so many terms after those that equality of `a` with a constant meets; None if there are more.
    fn left_after(&self, a: TermId, most: usize) -> Option<usize> {
        let left = most.checked_sub(1)?;
        match self.kind(a) {
            Kind::Ite { then: x, otherwise: y, .. } | Kind::Concat { high: x, low: y } => {
                let left = self.left_after(x, left)?;
                self.left_after(y, left)
            }
            Kind::ZExt(x) | Kind::SExt(x) | Kind::Unary(Unary::Not, x) => self.left_after(x, left),
            Kind::Binary(Binary::Add | Binary::Mul | Binary::Xor, x, y) if self.as_const(y).is_some() => {
                self.left_after(x, left)
            }
            Kind::Binary(Binary::Sub, x, y) if self.as_const(x).is_some() => self.left_after(y, left),
            _ => Some(left),
        }
    }
}
