//! Sets of the values of a byte, and where a condition over one byte holds, for the plain conditions that programs
//! ask of bytes: comparisons with constants, also of what was extended or moved by a constant before. Such a set is
//! found in less than a microsecond; conditions of other shapes have none here, whatever they mean.

use crate::number::{mask, signed};
use crate::pool::Pool;
use crate::term::{Binary, Compare, Kind, TermId, Unary, VarId};

/// Values of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Domain([u64; 4]);

impl Domain {
    pub const FULL: Domain = Domain([u64::MAX; 4]);
    pub const EMPTY: Domain = Domain([0; 4]);

    pub fn contains(&self, value: u64) -> bool {
        value < 256 && self.0[value as usize / 64] >> (value % 64) & 1 == 1
    }

    /// From `first` on and round again, so that an answer stays near what the program accepted so far.
    pub fn from(self, first: u64) -> impl Iterator<Item = u64> {
        (0..256).map(move |step| first.wrapping_add(step) & 255).filter(move |value| self.contains(*value))
    }

    /// All values less than `end`.
    pub fn below(end: u64) -> Domain {
        let mut domain = Domain::EMPTY;
        (0..end.min(256)).for_each(|value| domain.insert(value));
        domain
    }

    pub fn insert(&mut self, value: u64) {
        self.0[value as usize / 64] |= 1 << (value % 64);
    }

    /// The values of `all` that are not in this one.
    pub fn absent_from(self, all: Domain) -> Domain {
        Domain(std::array::from_fn(|word| all.0[word] & !self.0[word]))
    }

    pub fn and(self, other: Domain) -> Domain {
        Domain(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Leaves only what is in the other one, too, or all of that if this one does not count. In place and without a
    /// branch, as it is done for every decision of a path.
    #[inline]
    pub fn narrow(&mut self, other: &Domain, counts: bool) {
        let anything = u64::from(counts).wrapping_sub(1);
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word = (*word | anything) & other);
    }

    #[inline]
    pub fn is_within(&self, other: &Domain) -> bool {
        self.0.iter().zip(&other.0).fold(0, |out, (word, other)| out | word & !other) == 0
    }

    pub fn or(self, other: Domain) -> Domain {
        Domain(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// That `byte` is in the domain: one of its runs of values.
    pub fn term(self, pool: &mut Pool, byte: TermId) -> TermId {
        let bits = pool.bits(byte);
        let mut within = pool.truth(false);
        let mut first = 0;
        while first < 256 {
            if !self.contains(first) {
                first += 1;
                continue;
            }
            let end = (first..256).find(|value| !self.contains(*value)).unwrap_or(256);
            let bounds = [first, end - 1].map(|value| pool.constant(bits, u128::from(value)));
            let (above, below) = (pool.ule(bounds[0], byte), pool.ule(byte, bounds[1]));
            let run = pool.and(above, below);
            within = pool.or(within, run);
            first = end;
        }
        within
    }
}

/// Operations within each other that are looked through.
const DEPTH: u32 = 6;

/// What a term is for each value of a byte.
type Images = [u64; 256];

impl Pool {
    /// Where a condition over one byte holds; none for what is not of a plain shape.
    pub fn domain(&self, condition: TermId) -> Option<(VarId, Domain)> {
        self.domain_within(condition, DEPTH)
    }

    fn domain_within(&self, condition: TermId, depth: u32) -> Option<(VarId, Domain)> {
        let depth = depth.checked_sub(1)?;
        let both = |a, b| {
            let ((var, one), (other, two)) = (self.domain_within(a, depth)?, self.domain_within(b, depth)?);
            (var == other).then_some((var, one, two))
        };
        match self.kind(condition) {
            Kind::Unary(Unary::Not, a) if self.bits(a) == 1 => {
                let (var, domain) = self.domain_within(a, depth)?;
                Some((var, domain.absent_from(Domain::FULL)))
            }
            Kind::Binary(Binary::And, a, b) => both(a, b).map(|(var, one, two)| (var, one.and(two))),
            Kind::Binary(Binary::Or, a, b) => both(a, b).map(|(var, one, two)| (var, one.or(two))),
            Kind::Compare(op @ (Compare::Eq | Compare::Ult | Compare::Slt), a, b) => {
                let bits = self.bits(a);
                match (self.word(a), self.word(b)) {
                    (None, Some(bound)) => {
                        let (var, images) = self.images(a, depth)?;
                        Some((var, where_holds(&images, |image| compare(op, bits, image, bound))))
                    }
                    (Some(bound), None) => {
                        let (var, images) = self.images(b, depth)?;
                        Some((var, where_holds(&images, |image| compare(op, bits, bound, image))))
                    }
                    _ => None,
                }
            }
            Kind::Extract { .. } => {
                let (var, images) = self.images(condition, depth)?;
                Some((var, where_holds(&images, |image| image == 1)))
            }
            _ => None,
        }
    }

    fn images(&self, term: TermId, depth: u32) -> Option<(VarId, Images)> {
        let depth = depth.checked_sub(1)?;
        let bits = self.bits(term);
        if bits > 64 {
            return None;
        }
        let all = mask(bits) as u64;
        let by = |a, change: &dyn Fn(u64) -> u64| {
            self.images(a, depth).map(|(var, images)| (var, images.map(|image| change(image) & all)))
        };
        match self.kind(term) {
            Kind::Var(var) if bits == 8 => Some((var, std::array::from_fn(|value| value as u64))),
            Kind::ZExt(a) => by(a, &|image| image),
            Kind::SExt(a) => {
                let narrow = self.bits(a);
                by(a, &|image| signed(narrow, u128::from(image)) as u64)
            }
            Kind::Extract { of, low } => by(of, &|image| image.checked_shr(u32::from(low)).unwrap_or(0)),
            Kind::Binary(op, a, b) => {
                let b = self.word(b)?;
                match op {
                    Binary::Add => by(a, &|image| image.wrapping_add(b)),
                    Binary::And => by(a, &|image| image & b),
                    Binary::Or => by(a, &|image| image | b),
                    Binary::Xor => by(a, &|image| image ^ b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a constant of at most 64 bits.
    fn word(&self, term: TermId) -> Option<u64> {
        self.as_const(term).filter(|_| self.bits(term) <= 64).map(|value| value as u64)
    }
}

fn compare(op: Compare, bits: u16, a: u64, b: u64) -> bool {
    crate::semantics::compare(op, bits, u128::from(a), u128::from(b))
}

fn where_holds(images: &Images, holds: impl Fn(u64) -> bool) -> Domain {
    let mut words = [0; 4];
    for (word, images) in words.iter_mut().zip(images.chunks_exact(64)) {
        *word = images.iter().rev().fold(0, |bits, image| bits << 1 | u64::from(holds(*image)));
    }
    Domain(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::{Assignment, Var};
    use wire::SlotKey;

    #[test]
    fn values_are_given_from_the_first_on() {
        let mut domain = Domain::EMPTY;
        [3, 64, 255].into_iter().for_each(|value| domain.insert(value));
        assert_eq!(domain.from(60).collect::<Vec<_>>(), [64, 255, 3]);
        assert!(domain.contains(64) && !domain.contains(65) && !domain.contains(256 + 3));
        assert_eq!(domain.and(Domain::FULL), domain);
        let mut narrowed = Domain::FULL;
        narrowed.narrow(&domain, true);
        assert_eq!(narrowed, domain);
        let mut other = Domain::EMPTY;
        other.narrow(&domain, false);
        assert_eq!(other, domain);
        assert!(domain.is_within(&Domain::FULL) && !Domain::below(200).is_within(&domain));
        assert_eq!(domain.absent_from(Domain::below(65)).from(0).count(), 63);
    }

    #[test]
    fn domains_are_where_conditions_hold() {
        let mut pool = Pool::new();
        let byte = |element| Var { slot: SlotKey { hash: 1, occurrence: 0 }, element, bits: 8 };
        let (x, other) = (pool.var(byte(0)), pool.var(byte(1)));
        let (wide, negative) = (pool.zext(x, 32), pool.sext(x, 32));
        let number = |pool: &mut Pool, value: u128| pool.constant(32, value);
        let (seven, minus, ten) = (number(&mut pool, 7), number(&mut pool, u128::MAX), number(&mut pool, 10));
        let moved = {
            let zero = number(&mut pool, 48);
            pool.sub(negative, zero)
        };
        let masked = pool.and(wide, seven);
        let mut plain = vec![
            pool.eq(wide, seven),
            pool.slt(negative, seven),
            pool.slt(seven, negative),
            pool.ule(wide, ten),
            pool.ult(moved, ten),
            pool.eq(negative, minus),
            pool.ult(masked, ten),
            pool.eq(masked, seven),
            pool.extract(x, 3, 1),
        ];
        let (first, last) = (plain[1], plain[2]);
        plain.extend([pool.not(plain[0]), pool.and(first, last), pool.or(plain[0], last)]);
        for condition in plain {
            let holds = |value: &u64| {
                let values = Assignment::from_iter([(byte(0), *value)]);
                crate::eval(&pool, condition, &values) == 1
            };
            if pool.as_const(condition).is_some() {
                continue;
            }
            let (var, domain) = pool.domain(condition).expect("a plain condition");
            assert_eq!(pool.var_of(var), byte(0));
            let expected: Vec<u64> = (0..256).filter(holds).collect();
            assert_eq!(domain.from(0).collect::<Vec<_>>(), expected, "{}", pool.show(condition, 9));
        }
        let product = pool.mul(x, x);
        let three = pool.constant(8, 3);
        for none in [pool.ult(x, other), pool.eq(product, three)] {
            assert_eq!(pool.domain(none), None);
        }
    }
}
