//! A term with other operands: the same operation, in canonical form again.

use crate::pool::Pool;
use crate::term::{Compare, Kind, TermId, Unary};

impl Pool {
    /// The operation of `term` on what `operand` gives for each of its operands, which must be of the same width. A
    /// table keeps its elements.
    pub fn rebuild(&mut self, term: TermId, operand: impl Fn(TermId) -> TermId) -> TermId {
        let bits = self.bits(term);
        match self.kind(term) {
            Kind::Const(_) | Kind::Var(_) => term,
            Kind::Unary(op, a) => match op {
                Unary::Not => self.not(operand(a)),
                Unary::CtPop => self.ctpop(operand(a)),
                Unary::Ctlz => self.ctlz(operand(a)),
                Unary::Cttz => self.cttz(operand(a)),
            },
            Kind::Binary(op, a, b) => self.binary(op, operand(a), operand(b)),
            Kind::Compare(op, a, b) => {
                let (a, b) = (operand(a), operand(b));
                match op {
                    Compare::Eq => self.eq(a, b),
                    Compare::Ult => self.ult(a, b),
                    Compare::Slt => self.slt(a, b),
                    Compare::UMulO => self.umulo(a, b),
                    Compare::SMulO => self.smulo(a, b),
                }
            }
            Kind::Extract { of, low } => self.extract(operand(of), u16::from(low), bits),
            Kind::Concat { high, low } => self.concat(operand(high), operand(low)),
            Kind::ZExt(a) => self.zext(operand(a), bits),
            Kind::SExt(a) => self.sext(operand(a), bits),
            Kind::Ite { condition, then, otherwise } => {
                self.ite(operand(condition), operand(then), operand(otherwise))
            }
            Kind::Select { table, index } => self.select(table, operand(index)),
            Kind::FloatUnary(op, a) => self.float_unary(op, operand(a)),
            Kind::FloatBinary(op, a, b) => self.float_binary(op, operand(a), operand(b)),
            Kind::FloatFma(a, b, c) => self.float_fma(operand(a), operand(b), operand(c)),
            Kind::FloatCompare(op, a, b) => self.float_compare(op, operand(a), operand(b)),
            Kind::FloatToSigned(a) => self.float_to_signed(operand(a), bits),
            Kind::FloatToUnsigned(a) => self.float_to_unsigned(operand(a), bits),
            Kind::SignedToFloat(a) => self.signed_to_float(operand(a), bits),
            Kind::UnsignedToFloat(a) => self.unsigned_to_float(operand(a), bits),
            Kind::FloatConvert(a) => self.float_convert(operand(a), bits),
        }
    }
}
