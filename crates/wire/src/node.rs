//! The expression table: 40-byte nodes, appended by the runtime only when an operand is symbolic.
//!
//! A value label is a node's index; 0 means concrete. A memory label, one per byte in the shadow, is
//! `node << 3 | byte`: byte `byte` (little-endian) of a node of at most 64 bits. The topmost memory labels
//! are poison: redzones and freed memory, so that one test of the shadow serves symbolic data and faults.

/// One node. `bits` is the width of the result. Operand i is the node `a`, `b` or `c` when that is not
/// zero, else the constant `x` (for `a`) or `y` (for `b`). Wider constants are `Const` nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Node {
    pub op: u8,
    /// Floating-point predicate (LLVM's number), or an operation's own small argument.
    pub sub: u8,
    pub bits: u16,
    pub a: u32,
    pub b: u32,
    pub c: u32,
    pub x: u64,
    pub y: u64,
    /// Equal in every execution for equal operations on equal operands, whatever the numbers of the nodes; 0 where the runtime
    /// does not know it. See [`crate::digest`].
    pub digest: u64,
}

macro_rules! ops {
    ($($variant:ident = $code:literal, $name:literal;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Op { $($variant = $code,)* }

        impl Op {
            pub const ALL: &'static [Op] = &[$(Op::$variant,)*];
            pub fn name(self) -> &'static str { match self { $(Op::$variant => $name,)* } }
            pub fn from_code(code: u8) -> Option<Op> {
                match code { $($code => Some(Op::$variant),)* _ => None }
            }
        }
    };
}

ops! {
    // Leaves. Const: x = low 64 bits, y = high 64 bits. Input: x = slot hash, a = occurrence, b = element.
    Const = 1, "const";
    Input = 2, "input";
    // Integers: a op b, both operands `bits` wide.
    Add = 10, "add"; Sub = 11, "sub"; Mul = 12, "mul"; UDiv = 13, "udiv"; SDiv = 14, "sdiv";
    URem = 15, "urem"; SRem = 16, "srem"; And = 17, "and"; Or = 18, "or"; Xor = 19, "xor";
    Shl = 20, "shl"; LShr = 21, "lshr"; AShr = 22, "ashr";
    // Comparisons: bits = 1; operand width in x's place is not needed when a is a node; `c` holds it.
    Eq = 30, "eq"; Ne = 31, "ne"; Ult = 32, "ult"; Ule = 33, "ule"; Slt = 34, "slt"; Sle = 35, "sle";
    // Width changes of a. Extract: x = lowest bit. ZExt/SExt: to `bits`.
    ZExt = 40, "zext"; SExt = 41, "sext"; Extract = 42, "extract";
    // Concat: a is the high part, b the low part; `c` holds b's width.
    Concat = 43, "concat";
    // Ite: a = condition (1 bit, always a node), b / x = then, c / y = else.
    Ite = 44, "ite";
    // Overflow predicates of a op b; bits = 1, `c` holds the operand width.
    SAddO = 50, "saddo"; UAddO = 51, "uaddo"; SSubO = 52, "ssubo"; USubO = 53, "usubo";
    SMulO = 54, "smulo"; UMulO = 55, "umulo";
    // Bit counting and shuffling of a.
    CtPop = 60, "ctpop"; Ctlz = 61, "ctlz"; Cttz = 62, "cttz"; BSwap = 63, "bswap"; BitReverse = 64, "bitreverse";
    // Read: `bits/8` bytes, little-endian, at address a (64 bit, a node) inside an object. x = address of the
    // object's first byte, y = offset in the data region of its snapshot (see layout.rs).
    Read = 70, "read";
    // Floating point on IEEE bit patterns; the format is given by the operand width (32 or 64, or 16).
    FAdd = 80, "fadd"; FSub = 81, "fsub"; FMul = 82, "fmul"; FDiv = 83, "fdiv"; FRem = 84, "frem";
    FNeg = 85, "fneg"; FAbs = 86, "fabs"; FSqrt = 87, "fsqrt"; FMin = 88, "fmin"; FMax = 89, "fmax";
    FFloor = 90, "ffloor"; FCeil = 91, "fceil"; FTrunc = 92, "ftrunc"; FRint = 93, "frint"; FRound = 94, "fround";
    FCopySign = 95, "fcopysign"; FFma = 96, "ffma";
    // bits = 1, `sub` = LLVM predicate 0..15, `c` = operand width.
    FCmp = 100, "fcmp";
    // Conversions; `c` = width of a.
    FpToSi = 101, "fptosi"; FpToUi = 102, "fptoui"; SiToFp = 103, "sitofp"; UiToFp = 104, "uitofp";
    FpExt = 105, "fpext"; FpTrunc = 106, "fptrunc";
}

/// A shadow entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemLabel(pub u32);

impl MemLabel {
    pub const MAX_NODE: u32 = 0x1fff_fe00;
    pub const POISON_FIRST: u32 = 0xffff_f000;
    pub const HEAP_REDZONE: u32 = 0xffff_fff1;
    pub const HEAP_FREED: u32 = 0xffff_fff2;
    pub const STACK_REDZONE: u32 = 0xffff_fff3;
    pub const STACK_DEAD: u32 = 0xffff_fff4;
    pub const GLOBAL_REDZONE: u32 = 0xffff_fff5;

    pub fn node(self) -> Option<(u32, u32)> {
        (self.0 != 0 && self.0 < Self::POISON_FIRST).then_some((self.0 >> 3, self.0 & 7))
    }
}
