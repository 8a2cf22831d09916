//! The vocabulary that formulas are built from, whatever the back end: SMT-LIB's core, bit-vectors and
//! floating point. Truth values are of sort Bool here; arithmetic on floats rounds to nearest, ties to even.

/// A floating-point format; the significand's width includes the hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Format {
    pub exponent: u16,
    pub significand: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    NearestEven,
    NearestAway,
    Up,
    Down,
    Zero,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    // On truth values; Equal and Ite on any sort.
    Not,
    And,
    Or,
    Xor,
    Equal,
    Ite,
    // On bit-vectors.
    BvNot,
    BvAdd,
    BvSub,
    BvMul,
    BvUDiv,
    BvSDiv,
    BvURem,
    BvSRem,
    BvAnd,
    BvOr,
    BvXor,
    BvShl,
    BvLShr,
    BvAShr,
    BvUlt,
    BvSlt,
    BvUMulO,
    BvSMulO,
    Concat,
    Extract {
        high: u16,
        low: u16,
    },
    ZeroExtend(u16),
    SignExtend(u16),
    // On floats.
    FpFromBits(Format),
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    FpFma,
    FpSqrt,
    FpRound(Rounding),
    FpEqual,
    FpLess,
    FpLessEqual,
    FpIsNaN,
    FpFromSigned(Format),
    FpFromUnsigned(Format),
    FpFromFp(Format),
    /// Towards zero.
    FpToSigned(u16),
}

/// A back end that formulas can be built in.
pub(crate) trait Formulas {
    type Term: Copy;

    fn truth(&mut self, value: bool) -> Self::Term;
    fn bits(&mut self, bits: u16, value: u128) -> Self::Term;
    /// A new unknown bit-vector.
    fn variable(&mut self, name: &str, bits: u16) -> Self::Term;
    fn apply(&mut self, operation: Operation, operands: &[Self::Term]) -> Self::Term;
}
