//! What a term is, and its canonical form.
//!
//! A term is a bit-vector of 1 to 128 bits; truth values are 1 bit wide. Operations mean what SMT-LIB says
//! (division by zero included); floating-point operations work on IEEE bit patterns of 16, 32 or 64 bits and
//! give the NaNs that x86 gives.
//!
//! The canonical form, which constructors of [`crate::Pool`] keep and [`crate::verify`] checks:
//!  1. Operands are older than the term: `operand < term`.
//!  2. An operation on constants alone is a constant.
//!  3. Commutative integer operations have their constant last, else the older operand first.
//!  4. `x - c` is `x + (-c)`; nested additions keep their constant outermost and merged; so do `*`, `&`, `|`, `^`.
//!  5. Identity and absorbing elements are gone: `x + 0`, `x * 1`, `x & 0`, `x ^ x` ...
//!  6. Shifts by constants, masks of one contiguous run of ones, and multiplication or unsigned division by
//!     powers of two are extracts, concats and extensions.
//!  7. Concat leans right (its high part is no concat), has no zero high part (that is `zext`) and no two
//!     neighbours that are constants or adjacent extracts of one term.
//!  8. No extract of an extract, extension, concat, or of the whole term; no extension of the same kind twice.
//!  9. `=` has no 1-bit operands and no constant beside an extension or concat; `<` has its constant, if any,
//!     on the right and never beside 1-bit operands; `!=`, `<=`, `>`, `>=` are negations.
//! 10. `not` is never doubled; `x ^ ones` is `not x`; `ite` has no negated or constant condition, no equal
//!     arms and, on 1 bit, no constant arm.
//! 11. Byte swaps, bit reversals, overflow of additions and subtractions, float negation, absolute value,
//!     sign copy, minimum and maximum are written with other operations; on 1 bit so is all arithmetic.

use std::fmt;

/// The widest term, in bits.
pub const MAX_BITS: u16 = 128;

macro_rules! id {
    ($name:ident, $letter:literal, $what:literal) => {
        #[doc = $what]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(TermId, "t", "A term of a pool. Valid for the pool's current generation.");
id!(VarId, "v", "A variable of a pool.");
id!(TableId, "k", "A table of terms of one width, read by `select`.");
id!(ConstId, "c", "A constant's value.");

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    Not,
    CtPop,
    Ctlz,
    Cttz,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

/// Predicates over two integers of one width; the result is 1 bit wide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compare {
    Eq,
    Ult,
    Slt,
    UMulO,
    SMulO,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatUnary {
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// To the nearest integer, ties to even.
    Rint,
    /// To the nearest integer, ties away from zero.
    Round,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatBinary {
    Add,
    Sub,
    Mul,
    Div,
    /// C's `fmod`.
    Rem,
}

/// Ordered predicates: false when an operand is NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatCompare {
    Eq,
    Lt,
    Le,
}

/// The operation and its operands. Widths that are not given here follow from the term's and its operands'.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Const(ConstId),
    Var(VarId),
    Unary(Unary, TermId),
    Binary(Binary, TermId, TermId),
    Compare(Compare, TermId, TermId),
    /// As many bits as the term is wide, from bit `low` on.
    Extract {
        of: TermId,
        low: u8,
    },
    Concat {
        high: TermId,
        low: TermId,
    },
    ZExt(TermId),
    SExt(TermId),
    Ite {
        condition: TermId,
        then: TermId,
        otherwise: TermId,
    },
    /// The table's element at `index`, zero beyond its end.
    Select {
        table: TableId,
        index: TermId,
    },
    FloatUnary(FloatUnary, TermId),
    FloatBinary(FloatBinary, TermId, TermId),
    FloatFma(TermId, TermId, TermId),
    FloatCompare(FloatCompare, TermId, TermId),
    /// Out of range, x86's "integer indefinite", cut to the term's width.
    FloatToSigned(TermId),
    FloatToUnsigned(TermId),
    SignedToFloat(TermId),
    UnsignedToFloat(TermId),
    /// To the float format of the term's width.
    FloatConvert(TermId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    pub kind: Kind,
    pub bits: u16,
}

impl Kind {
    /// The operands that are terms of their own; a table's elements are not among them.
    pub fn operands(self) -> impl Iterator<Item = TermId> {
        use Kind::*;
        let operands = match self {
            Const(_) | Var(_) => [None; 3],
            Unary(_, a)
            | Extract { of: a, .. }
            | ZExt(a)
            | SExt(a)
            | Select { index: a, .. }
            | FloatUnary(_, a)
            | FloatToSigned(a)
            | FloatToUnsigned(a)
            | SignedToFloat(a)
            | UnsignedToFloat(a)
            | FloatConvert(a) => [Some(a), None, None],
            Binary(_, a, b)
            | Compare(_, a, b)
            | Concat { high: a, low: b }
            | FloatBinary(_, a, b)
            | FloatCompare(_, a, b) => [Some(a), Some(b), None],
            Ite { condition: a, then: b, otherwise: c } | FloatFma(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}
