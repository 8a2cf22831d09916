//! A goal is a value that a term should get. Chasing it means asking which value an operand should have for
//! that, the other operands staying as they are, until variables are reached. Wrong turns are harmless: the
//! caller evaluates what comes out.

use term::number::{inverse, mask, signed};
use term::{
    Assignment, Binary, Compare, Evaluator, FloatBinary, FloatCompare, Kind, Pool, TableId, TermId, Unary,
};

/// Goals that a chase may visit.
const MOST_STEPS: u32 = 96;

pub(super) struct Chase<'a> {
    pool: &'a mut Pool,
    evaluator: &'a mut Evaluator,
    candidate: &'a mut Assignment,
    /// Decides at choice points; used up digit by digit.
    variant: u32,
    /// The evaluator's work at which to give up.
    limit: u64,
    goals: Vec<(TermId, u128)>,
}

impl<'a> Chase<'a> {
    pub(super) fn new(
        pool: &'a mut Pool,
        evaluator: &'a mut Evaluator,
        candidate: &'a mut Assignment,
        variant: u32,
        limit: u64,
    ) -> Chase<'a> {
        Chase { pool, evaluator, candidate, variant, limit, goals: Vec::new() }
    }

    /// Changes the candidate so that `term` might have `value`; `None` when a goal has no way on.
    pub(super) fn reach(&mut self, term: TermId, value: u128) -> Option<()> {
        self.goals.push((term, value));
        for _ in 0..MOST_STEPS {
            let Some((term, value)) = self.goals.pop() else { return Some(()) };
            if self.evaluator.work() > self.limit {
                return None;
            }
            self.step(term, value)?;
        }
        None
    }

    fn current(&mut self, term: TermId) -> u128 {
        self.evaluator.under(self.pool, self.candidate).value(term)
    }

    fn want(&mut self, term: TermId, value: u128) -> Option<()> {
        self.goals.push((term, value & mask(self.pool.bits(term))));
        Some(())
    }

    /// The next choice among `count` ways.
    fn choose(&mut self, count: u32) -> u32 {
        let choice = self.variant % count.max(1);
        self.variant /= count.max(1);
        choice
    }

    fn step(&mut self, id: TermId, value: u128) -> Option<()> {
        let bits = self.pool.bits(id);
        match self.pool.kind(id) {
            Kind::Const(constant) => (self.pool.const_value(constant) == value).then_some(()),
            Kind::Var(var) => {
                self.candidate.set(self.pool.var_of(var), value as u64);
                Some(())
            }
            Kind::Unary(Unary::Not, a) => self.want(a, !value),
            Kind::Unary(..) => None,
            Kind::Binary(op, a, b) if bits == 1 => self.connective(op, a, b, value == 1),
            Kind::Binary(op, a, b) => self.binary(op, a, b, value),
            Kind::Compare(op, a, b) => self.compare(op, a, b, value == 1),
            Kind::Extract { of, low } => {
                let hole = mask(bits) << low;
                let whole = self.current(of) & !hole | value << low;
                self.want(of, whole)
            }
            Kind::Concat { high, low } => {
                self.want(high, value >> self.pool.bits(low))?;
                self.want(low, value)
            }
            Kind::ZExt(a) => {
                let fits = value <= mask(self.pool.bits(a));
                fits.then_some(())?;
                self.want(a, value)
            }
            Kind::SExt(a) => {
                let width = self.pool.bits(a);
                let narrow = value & mask(width);
                (signed(width, narrow) == signed(bits, value)).then_some(())?;
                self.want(a, narrow)
            }
            Kind::Ite { condition, then, otherwise } => self.choice(condition, then, otherwise, value),
            Kind::Select { table, index } => self.select(table, index, value),
            Kind::FloatCompare(op, a, b) => self.float_compare(op, a, b, value == 1),
            Kind::FloatBinary(op, a, b) => self.float_binary(op, a, b, value),
            Kind::FloatToSigned(a) | Kind::FloatToUnsigned(a) => {
                let format = self.pool.bits(a);
                let value = self.pool.constant(bits, value);
                let value = match self.pool.kind(id) {
                    Kind::FloatToSigned(_) => self.pool.signed_to_float(value, format),
                    _ => self.pool.unsigned_to_float(value, format),
                };
                let value = self.pool.as_const(value)?;
                self.want(a, value)
            }
            Kind::SignedToFloat(a) | Kind::UnsignedToFloat(a) => {
                let (value, width) = (self.pool.constant(bits, value), self.pool.bits(a));
                let value = match self.pool.kind(id) {
                    Kind::SignedToFloat(_) => self.pool.float_to_signed(value, width),
                    _ => self.pool.float_to_unsigned(value, width),
                };
                let value = self.pool.as_const(value)?;
                self.want(a, value)
            }
            Kind::FloatConvert(a) => {
                let value = self.pool.constant(bits, value);
                let value = self.pool.float_convert(value, self.pool.bits(a));
                let value = self.pool.as_const(value)?;
                self.want(a, value)
            }
            // Integers are their own roundings.
            Kind::FloatUnary(_, a) => self.want(a, value),
            Kind::FloatFma(..) => None,
        }
    }

    /// And, or, exclusive or of truth values.
    fn connective(&mut self, op: Binary, a: TermId, b: TermId, value: bool) -> Option<()> {
        let (both, either) = match op {
            Binary::And => (value, !value),
            Binary::Or => (!value, value),
            _ => (false, false),
        };
        if both {
            self.want(a, u128::from(value))?;
            return self.want(b, u128::from(value));
        }
        if either {
            let chosen = if self.choose(2) == 0 { a } else { b };
            return self.want(chosen, u128::from(value));
        }
        let (change, keep) = if self.choose(2) == 0 { (a, b) } else { (b, a) };
        let kept = self.current(keep);
        self.want(change, kept ^ u128::from(value))
    }

    fn binary(&mut self, op: Binary, a: TermId, b: TermId, value: u128) -> Option<()> {
        let bits = self.pool.bits(a);
        let commutes = matches!(op, Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor);
        let fixed = self.pool.as_const(b).is_some();
        let swap = self.pool.as_const(a).is_some() || (!fixed && commutes && self.choose(2) == 1);
        if swap && !commutes {
            // The first operand is the constant; of these only subtraction is undone.
            let first = self.current(a);
            return match op {
                Binary::Sub => self.want(b, first.wrapping_sub(value)),
                _ => None,
            };
        }
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let other = self.current(b);
        let shift = u32::try_from(other).ok().filter(|shift| *shift < u32::from(bits));
        let wanted = match op {
            Binary::Add => value.wrapping_sub(other),
            Binary::Sub => value.wrapping_add(other),
            Binary::Xor => value ^ other,
            Binary::And => {
                (value & !other == 0).then_some(())?;
                self.current(a) & !other | value
            }
            Binary::Or => {
                (other & !value == 0).then_some(())?;
                value & (self.current(a) | !other)
            }
            Binary::Mul if other & 1 == 1 => value.wrapping_mul(inverse(other)),
            Binary::Mul => value.checked_rem(other).filter(|rest| *rest == 0).map(|_| value / other)?,
            Binary::UDiv => value.checked_mul(other).filter(|product| *product <= mask(bits))?,
            Binary::SDiv => signed(bits, value).wrapping_mul(signed(bits, other)) as u128,
            Binary::URem | Binary::SRem => {
                let rest = match op {
                    Binary::URem => self.current(a).checked_rem(other)?,
                    _ => signed(bits, self.current(a)).checked_rem(signed(bits, other))? as u128,
                };
                self.current(a).wrapping_sub(rest).wrapping_add(value)
            }
            Binary::Shl => {
                let kept = self.current(a) & !(mask(bits) >> shift?);
                kept | value >> shift?
            }
            Binary::LShr | Binary::AShr => {
                let kept = self.current(a) & ((1 << shift?) - 1);
                kept | value << shift?
            }
        };
        self.want(a, wanted)
    }

    fn compare(&mut self, op: Compare, a: TermId, b: TermId, value: bool) -> Option<()> {
        let bits = self.pool.bits(a);
        let (x, y) = (self.current(a), self.current(b));
        let ways: Vec<(TermId, u128)> = match (op, value) {
            (Compare::Eq, true) => vec![(a, y), (b, x)],
            (Compare::Eq, false) => {
                vec![(a, x.wrapping_add(1)), (b, y.wrapping_add(1)), (a, x ^ 1), (a, !x)]
            }
            (Compare::Ult, true) => {
                vec![(a, y.wrapping_sub(1)), (b, x.wrapping_add(1)), (a, 0), (b, mask(bits))]
            }
            (Compare::Ult, false) => vec![(a, y), (b, x), (a, mask(bits)), (b, 0)],
            (Compare::Slt, true) => {
                let least = 1 << (bits - 1);
                vec![(a, y.wrapping_sub(1)), (b, x.wrapping_add(1)), (a, least), (b, mask(bits) >> 1)]
            }
            (Compare::Slt, false) => {
                let least = 1 << (bits - 1);
                vec![(a, y), (b, x), (a, mask(bits) >> 1), (b, least)]
            }
            (Compare::UMulO | Compare::SMulO, true) => vec![(a, mask(bits) >> 1), (b, mask(bits) >> 1)],
            (Compare::UMulO | Compare::SMulO, false) => vec![(a, 0), (b, 0), (a, 1), (b, 1)],
        };
        let ways: Vec<_> = ways.into_iter().filter(|(term, _)| self.pool.as_const(*term).is_none()).collect();
        let way = self.choose(ways.len() as u32) as usize;
        let (term, wanted) = *ways.get(way)?;
        self.want(term, wanted)
    }

    fn choice(&mut self, condition: TermId, then: TermId, otherwise: TermId, value: u128) -> Option<()> {
        let holds = self.current(condition) == 1;
        let (now, other) = if holds { (then, otherwise) } else { (otherwise, then) };
        let other_fits = self.current(other) == value;
        let stuck = self.pool.as_const(now).is_some();
        if other_fits || stuck || self.choose(2) == 1 {
            if !other_fits {
                self.want(other, value)?;
            }
            return self.want(condition, u128::from(!holds));
        }
        self.want(now, value)
    }

    fn select(&mut self, table: TableId, index: TermId, value: u128) -> Option<()> {
        let elements = self.pool.table(table).to_vec();
        let values: Vec<u128> = {
            let mut evaluation = self.evaluator.under(self.pool, self.candidate);
            elements.iter().map(|element| evaluation.value(*element)).collect()
        };
        let places: Vec<usize> = (0..values.len()).filter(|at| values[*at] == value).take(4).collect();
        if places.is_empty() {
            let at = usize::try_from(self.current(index)).ok()?;
            return self.want(*elements.get(at)?, value);
        }
        let place = places[self.choose(places.len() as u32) as usize];
        let reachable = place as u128 <= mask(self.pool.bits(index));
        reachable.then_some(())?;
        self.want(index, place as u128)
    }

    fn float_compare(&mut self, op: FloatCompare, a: TermId, b: TermId, value: bool) -> Option<()> {
        let bits = self.pool.bits(a);
        // x = x asks for a number, or for NaN.
        if a == b {
            let nan = mask(bits) >> 1;
            return self.want(a, if value { 0 } else { nan });
        }
        let (x, y) = (self.current(a), self.current(b));
        // Around a value: itself, the next one towards each end.
        let below = |value: u128| next_towards(bits, value, true);
        let above = |value: u128| next_towards(bits, value, false);
        let ways = match (op, value) {
            (FloatCompare::Eq, true) => [(a, y), (b, x)],
            (FloatCompare::Eq, false) => [(a, above(y)), (b, above(x))],
            (FloatCompare::Lt, true) => [(a, below(y)), (b, above(x))],
            (FloatCompare::Lt, false) => [(a, y), (b, x)],
            (FloatCompare::Le, true) => [(a, y), (b, x)],
            (FloatCompare::Le, false) => [(a, above(y)), (b, below(x))],
        };
        let ways: Vec<_> = ways.into_iter().filter(|(term, _)| self.pool.as_const(*term).is_none()).collect();
        let way = self.choose(ways.len() as u32) as usize;
        let (term, wanted) = *ways.get(way)?;
        self.want(term, wanted)
    }

    fn float_binary(&mut self, op: FloatBinary, a: TermId, b: TermId, value: u128) -> Option<()> {
        let bits = self.pool.bits(a);
        let first =
            self.pool.as_const(a).is_none() && (self.pool.as_const(b).is_some() || self.choose(2) == 0);
        let (change, keep) = if first { (a, b) } else { (b, a) };
        let kept = self.current(keep);
        // value = change op keep, or keep op change, solved for change.
        let (undo, left_is_value) = match (op, first) {
            (FloatBinary::Add, _) | (FloatBinary::Mul, _) => {
                (if op == FloatBinary::Add { FloatBinary::Sub } else { FloatBinary::Div }, true)
            }
            (FloatBinary::Sub, true) => (FloatBinary::Add, true),
            (FloatBinary::Div, true) => (FloatBinary::Mul, true),
            (FloatBinary::Sub, false) => (FloatBinary::Sub, false),
            (FloatBinary::Div, false) => (FloatBinary::Div, false),
            (FloatBinary::Rem, true) => return self.want(a, value),
            (FloatBinary::Rem, false) => return None,
        };
        let (left, right) = if left_is_value { (value, kept) } else { (kept, value) };
        let (left, right) = (self.pool.constant(bits, left), self.pool.constant(bits, right));
        let wanted = self.pool.float_binary(undo, left, right);
        let wanted = self.pool.as_const(wanted)?;
        self.want(change, wanted)
    }
}

/// The pattern of the neighbouring float.
fn next_towards(bits: u16, value: u128, down: bool) -> u128 {
    let sign = 1 << (bits - 1);
    let negative = value & sign != 0;
    if value & !sign == 0 {
        return if down { sign | 1 } else { 1 };
    }
    if negative == down { value.wrapping_add(1) } else { value.wrapping_sub(1) }
}
