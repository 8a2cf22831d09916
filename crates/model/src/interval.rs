//! Intervals of integers, wide enough for every C type, with the operations of C on them. An operation whose result
//! cannot be told says so; whoever asks knows the type that the result has.

/// From `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

impl Interval {
    pub(crate) const TRUTH: Interval = Interval { low: 0, high: 1 };
    /// More than any type holds.
    pub(crate) const ANY: Interval = Interval { low: i64::MIN as i128, high: u64::MAX as i128 };

    pub(crate) fn new(low: i128, high: i128) -> Interval {
        Interval { low, high }
    }

    pub(crate) fn one(value: i64) -> Interval {
        Interval::new(i128::from(value), i128::from(value))
    }

    /// What an integer of so many bits can hold.
    pub(crate) fn of_bits(bits: u32, signed: bool) -> Interval {
        let bits = bits.clamp(1, 64);
        match signed {
            true => Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => Interval::new(0, (1 << bits) - 1),
        }
    }

    pub(crate) fn contains(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The smallest interval with both.
    pub(crate) fn join(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub(crate) fn meet(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Interval::new(low, high))
    }

    /// What is left when it is not this value, which only matters at an end; None: nothing.
    pub(crate) fn without(self, value: i128) -> Option<Interval> {
        let (low, high) =
            (self.low + i128::from(self.low == value), self.high - i128::from(self.high == value));
        (low <= high).then_some(Interval::new(low, high))
    }

    /// None: nothing is known.
    pub(crate) fn apply(self, operation: Operation, other: Interval) -> Option<Interval> {
        let extremes = |by: fn(i128, i128) -> i128| {
            let all = [self.low, self.high].map(|left| [other.low, other.high].map(|right| by(left, right)));
            let all = all.as_flattened();
            Some(Interval::new(*all.iter().min()?, *all.iter().max()?))
        };
        let positive = self.low >= 0 && other.low >= 0;
        match operation {
            Operation::Add => extremes(i128::saturating_add),
            Operation::Subtract => extremes(i128::saturating_sub),
            Operation::Multiply => extremes(i128::saturating_mul),
            Operation::Divide if other.low > 0 => extremes(|left, right| left / right),
            Operation::Remainder if other.low > 0 => {
                let most = (other.high - 1).min(self.high.abs().max(self.low.abs()));
                Some(Interval::new(if self.low < 0 { -most } else { 0 }, most))
            }
            // A mask without sign bounds what is masked, whatever that is.
            Operation::And => [self, other]
                .into_iter()
                .filter(|mask| mask.low >= 0)
                .map(|mask| Interval::new(0, mask.high))
                .reduce(|one, other| if one.high < other.high { one } else { other }),
            Operation::Or | Operation::Xor if positive => {
                let bits = 128 - self.high.max(other.high).leading_zeros();
                let least = if operation == Operation::Or { self.low.max(other.low) } else { 0 };
                Some(Interval::new(least, (1i128 << bits.min(126)) - 1))
            }
            Operation::ShiftLeft if positive && other.high < 64 => {
                let high = self.high.checked_mul(1 << other.high)?;
                Some(Interval::new(self.low << other.low, high))
            }
            Operation::ShiftRight if positive => {
                Some(Interval::new(self.low >> other.high.min(127), self.high >> other.low.min(127)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Operation::*;
    use super::*;

    type Compute = fn(i128, i128) -> Option<i128>;

    /// Every pair of small values is within what the intervals say.
    #[test]
    fn results_are_within() {
        let c: [(Operation, Compute); 10] = [
            (Add, |a, b| Some(a + b)),
            (Subtract, |a, b| Some(a - b)),
            (Multiply, |a, b| Some(a * b)),
            (Divide, i128::checked_div),
            (Remainder, i128::checked_rem),
            (And, |a, b| Some(a & b)),
            (Or, |a, b| Some(a | b)),
            (Xor, |a, b| Some(a ^ b)),
            (ShiftLeft, |a, b| (b >= 0).then(|| a << b)),
            (ShiftRight, |a, b| (b >= 0).then(|| a >> b)),
        ];
        let ends = [-9, -4, -1, 0, 1, 3, 6, 8];
        let all = || {
            let pairs = ends.into_iter().flat_map(|low| ends.map(|high| Interval::new(low, high)));
            pairs.filter(|interval| interval.low <= interval.high)
        };
        for (operation, compute) in c {
            for (left, right) in all().flat_map(|left| all().map(move |right| (left, right))) {
                let Some(told) = left.apply(operation, right) else { continue };
                for (a, b) in
                    (left.low..=left.high).flat_map(|a| (right.low..=right.high).map(move |b| (a, b)))
                {
                    let Some(value) = compute(a, b) else { continue };
                    assert!(told.contains(Interval::new(value, value)), "{a} {operation:?} {b}: {told:?}");
                }
            }
        }
    }

    #[test]
    fn exact_where_it_matters() {
        let interval = Interval::new;
        assert_eq!(interval(-5, 9).apply(And, interval(7, 7)), Some(interval(0, 7)));
        assert_eq!(interval(0, 1000).apply(Remainder, interval(10, 10)), Some(interval(0, 9)));
        assert_eq!(interval(-20, 1000).apply(Remainder, interval(10, 10)), Some(interval(-9, 9)));
        assert_eq!(interval(0, 255).apply(ShiftRight, interval(4, 4)), Some(interval(0, 15)));
        assert_eq!(interval(1, 2).apply(Divide, interval(0, 1)), None, "it may divide by zero");
        assert_eq!(interval(0, 9).without(0), Some(interval(1, 9)));
        assert_eq!(interval(0, 9).without(4), Some(interval(0, 9)));
        assert_eq!(interval(4, 4).without(4), None);
        assert_eq!(Interval::of_bits(8, true), interval(-128, 127));
        assert_eq!(Interval::of_bits(64, false).high, i128::from(u64::MAX));
    }
}
