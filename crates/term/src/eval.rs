//! The exact value of a term under an assignment.
//!
//! Terms may be a hundred thousand operations deep, so nothing here recurses. An [`Evaluator`] keeps its
//! buffers between uses; one [`Evaluation`] computes every shared subterm once.

use crate::assignment::Assignment;
use crate::float;
use crate::number::{mask, signed};
use crate::pool::Pool;
use crate::semantics;
use crate::term::{Kind, TermId, VarId};

/// The value of one term. For many terms under one assignment use an [`Evaluator`].
pub fn eval(pool: &Pool, term: TermId, assignment: &Assignment) -> u128 {
    Evaluator::new().under(pool, assignment).value(term)
}

/// Reusable buffers for evaluating.
#[derive(Default)]
pub struct Evaluator {
    values: Vec<u128>,
    /// `values[i]` is valid when `stamps[i]` equals `stamp`.
    stamps: Vec<u32>,
    stamp: u32,
    todo: Vec<TermId>,
    work: u64,
}

impl Evaluator {
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// How many operations have been computed so far: a measure of effort that is the same on every machine.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Begins to evaluate terms of `pool` under `assignment`.
    pub fn under<'a>(&'a mut self, pool: &'a Pool, assignment: &'a Assignment) -> Evaluation<'a> {
        if self.stamp == u32::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        if self.values.len() < pool.len() {
            self.values.resize(pool.len(), 0);
            self.stamps.resize(pool.len(), 0);
        }
        Evaluation { buffers: self, pool, assignment, fixed: None }
    }

    /// Begins to evaluate under assignments that differ in `var` alone: what does not depend on it is computed
    /// once.
    pub fn varying(&mut self, var: VarId) -> Varying<'_> {
        // Where stamps begin anew, so does what is fixed.
        if self.stamp >= u32::MAX - 1 {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        Varying { fixed: Fixed { var, stamp: self.stamp }, buffers: self }
    }
}

/// See [`Evaluator::varying`].
pub struct Varying<'a> {
    buffers: &'a mut Evaluator,
    fixed: Fixed,
}

impl Varying<'_> {
    /// The next assignment; the same as those before but for the one variable.
    pub fn under<'a>(&'a mut self, pool: &'a Pool, assignment: &'a Assignment) -> Evaluation<'a> {
        if self.buffers.stamp == u32::MAX {
            let Varying { buffers, fixed } = self;
            fixed.stamp = buffers.varying(fixed.var).fixed.stamp;
        }
        let mut evaluation = self.buffers.under(pool, assignment);
        evaluation.fixed = Some(self.fixed);
        evaluation
    }

    pub fn work(&self) -> u64 {
        self.buffers.work
    }
}

/// Terms that do not depend on `var` carry this stamp.
#[derive(Clone, Copy)]
struct Fixed {
    var: VarId,
    stamp: u32,
}

/// Values of terms under one assignment.
pub struct Evaluation<'a> {
    buffers: &'a mut Evaluator,
    pool: &'a Pool,
    assignment: &'a Assignment,
    fixed: Option<Fixed>,
}

impl<'a> Evaluation<'a> {
    pub(crate) fn pool(&self) -> &'a Pool {
        self.pool
    }

    pub fn value(&mut self, term: TermId) -> u128 {
        self.buffers.todo.push(term);
        while let Some(term) = self.buffers.todo.last().copied() {
            if self.known(term).is_none() {
                let before = self.buffers.todo.len();
                self.buffers.work += 1;
                let value = self.compute(term);
                if self.buffers.todo.len() > before {
                    continue;
                }
                self.buffers.values[term.index()] = value;
                self.buffers.stamps[term.index()] = match self.fixed {
                    Some(fixed) if !self.pool.may_depend_on(term, fixed.var) => fixed.stamp,
                    _ => self.buffers.stamp,
                };
            }
            self.buffers.todo.pop();
        }
        self.buffers.values[term.index()]
    }

    /// Whether every one of `constraints` is true.
    pub fn all_hold(&mut self, constraints: &[TermId]) -> bool {
        constraints.iter().all(|constraint| self.value(*constraint) == 1)
    }

    fn known(&self, term: TermId) -> Option<u128> {
        let stamp = self.buffers.stamps[term.index()];
        let is_known = stamp == self.buffers.stamp || self.fixed.is_some_and(|fixed| stamp == fixed.stamp);
        is_known.then(|| self.buffers.values[term.index()])
    }

    /// The value of an operand; when it is not known yet it is put on the list and 0 stands for it.
    fn operand(&mut self, term: TermId) -> u128 {
        self.known(term).unwrap_or_else(|| {
            self.buffers.todo.push(term);
            0
        })
    }

    fn compute(&mut self, id: TermId) -> u128 {
        let term = self.pool.term(id);
        let bits = term.bits;
        let pool = self.pool;
        match term.kind {
            Kind::Const(value) => pool.const_value(value),
            Kind::Var(var) => u128::from(self.assignment.value(pool.var_of(var))) & mask(bits),
            Kind::Unary(op, a) => semantics::unary(op, bits, self.operand(a)),
            Kind::Binary(op, a, b) => semantics::binary(op, bits, self.operand(a), self.operand(b)),
            Kind::Compare(op, a, b) => {
                u128::from(semantics::compare(op, pool.bits(a), self.operand(a), self.operand(b)))
            }
            Kind::Extract { of, low } => (self.operand(of) >> low) & mask(bits),
            Kind::Concat { high, low } => (self.operand(high) << pool.bits(low)) | self.operand(low),
            Kind::ZExt(a) => self.operand(a),
            Kind::SExt(a) => signed(pool.bits(a), self.operand(a)) as u128 & mask(bits),
            Kind::Ite { condition, then, otherwise } => match self.known(condition) {
                Some(1) => self.operand(then),
                Some(_) => self.operand(otherwise),
                None => self.operand(condition),
            },
            Kind::Select { table, index } => match self.known(index) {
                Some(at) => {
                    let element = usize::try_from(at).ok().and_then(|at| pool.table(table).get(at).copied());
                    element.map_or(0, |element| self.operand(element))
                }
                None => self.operand(index),
            },
            Kind::FloatUnary(op, a) => float::unary(op, bits, self.operand(a)),
            Kind::FloatBinary(op, a, b) => float::binary(op, bits, self.operand(a), self.operand(b)),
            Kind::FloatFma(a, b, c) => float::fma(bits, self.operand(a), self.operand(b), self.operand(c)),
            Kind::FloatCompare(op, a, b) => {
                u128::from(float::compare(op, pool.bits(a), self.operand(a), self.operand(b)))
            }
            Kind::FloatToSigned(a) => float::to_signed(pool.bits(a), self.operand(a), bits),
            Kind::FloatToUnsigned(a) => float::to_unsigned(pool.bits(a), self.operand(a), bits),
            Kind::SignedToFloat(a) => {
                let value = signed(pool.bits(a), self.operand(a));
                float::from_signed(value, bits)
            }
            Kind::UnsignedToFloat(a) => float::from_unsigned(self.operand(a), bits),
            Kind::FloatConvert(a) => float::convert(pool.bits(a), self.operand(a), bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::Var;
    use wire::SlotKey;

    #[test]
    fn varying_one_variable_gives_the_same_values_for_less_work() {
        let mut pool = Pool::new();
        let var = |element| Var { slot: SlotKey { hash: 1, occurrence: 0 }, element, bits: 8 };
        let (a, b) = (pool.var(var(0)), pool.var(var(1)));
        let mut chain = b;
        for _ in 0..50 {
            let square = pool.mul(chain, b);
            chain = pool.xor(square, b);
        }
        // What is read at `a` is a constant, or depends on `b`, or on both.
        let both = pool.mul(a, chain);
        let seven = pool.constant(8, 7);
        let table = pool.make_table(vec![seven, chain, both, b]).expect("elements");
        let read = pool.select(table, a);
        let sum = pool.add(read, chain);
        let mut assignment = Assignment::from_iter([(var(1), 201)]);
        let (mut one, mut all) = (Evaluator::new(), Evaluator::new());
        let VarId(number) = pool.var_id(var(0)).expect("a variable");
        let mut varying = one.varying(VarId(number));
        for value in 0..=255 {
            assignment.set(var(0), value);
            let expected = all.under(&pool, &assignment).value(sum);
            assert_eq!(varying.under(&pool, &assignment).value(sum), expected, "{value}");
        }
        assert!(one.work() * 10 < all.work(), "{} {}", one.work(), all.work());
    }
}
