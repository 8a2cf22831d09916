//! One node to one term: which operands an operation has, what widths they must have, which constructor
//! it calls. The match is exhaustive over the operations of the wire.

use super::{ConvertError, Converter};
use crate::assignment::Var;
use crate::float;
use crate::pool::Pool;
use crate::term::{FloatBinary, FloatUnary, MAX_BITS, TermId};
use wire::{Node, Op, SlotKey};

/// The nodes that `node` uses.
pub(super) fn operands(op: Op, node: &Node) -> impl Iterator<Item = u32> {
    use Op::*;
    let [a, b, c] = match op {
        Const | Input => [0; 3],
        Ite | FFma => [node.a, node.b, node.c],
        // `c` holds a width, or nothing.
        _ => [node.a, node.b, 0],
    };
    [a, b, c].into_iter().filter(|operand| *operand != 0)
}

impl Converter<'_> {
    /// An operand of `bits` width: the node if there is one, else the constant.
    pub(super) fn operand(
        &self,
        pool: &mut Pool,
        index: u32,
        node: u32,
        constant: u64,
        bits: u16,
    ) -> Result<TermId, ConvertError> {
        let width = ConvertError::Width { node: index };
        if !(1..=MAX_BITS).contains(&bits) {
            return Err(width);
        }
        if node == 0 {
            return Ok(pool.constant(bits, u128::from(constant)));
        }
        let term = self.term(pool, node).ok_or(ConvertError::Operand { node: index })?;
        if pool.bits(term) == bits { Ok(term) } else { Err(width) }
    }

    /// The operand that must be a node, of any width.
    fn node(&self, pool: &Pool, index: u32, node: u32) -> Result<TermId, ConvertError> {
        self.term(pool, node).ok_or(ConvertError::Operand { node: index })
    }

    /// The term of a node whose operands have theirs.
    pub(super) fn build(&mut self, pool: &mut Pool, index: u32) -> Result<TermId, ConvertError> {
        use Op::*;
        let node = self.nodes[index as usize];
        let op = Op::from_code(node.op).ok_or(ConvertError::Operation { node: index, op: node.op })?;
        let bits = node.bits;
        let wrong_width = ConvertError::Width { node: index };
        if !(1..=MAX_BITS).contains(&bits) {
            return Err(wrong_width);
        }
        let require = |holds: bool| if holds { Ok(()) } else { Err(wrong_width) };
        // Operands of `width`; `bits` for most operations, `c` for predicates and conversions.
        let width_in_c = || u16::try_from(node.c).map_err(|_| wrong_width);
        macro_rules! a {
            ($width:expr) => {
                self.operand(pool, index, node.a, node.x, $width)?
            };
        }
        macro_rules! b {
            ($width:expr) => {
                self.operand(pool, index, node.b, node.y, $width)?
            };
        }
        macro_rules! same {
            ($build:ident) => {{
                let (a, b) = (a!(bits), b!(bits));
                pool.$build(a, b)
            }};
        }
        macro_rules! predicate {
            ($build:ident) => {{
                let width = width_in_c()?;
                require(bits == 1)?;
                let (a, b) = (a!(width), b!(width));
                pool.$build(a, b)
            }};
        }
        macro_rules! float_unary {
            ($op:ident) => {{
                require(float::is_format(bits))?;
                let a = a!(bits);
                pool.float_unary(FloatUnary::$op, a)
            }};
        }
        macro_rules! float_binary {
            ($op:ident) => {{
                require(float::is_format(bits))?;
                let (a, b) = (a!(bits), b!(bits));
                pool.float_binary(FloatBinary::$op, a, b)
            }};
        }
        macro_rules! float_same {
            ($build:ident $(, $b:ident)?) => {{
                require(float::is_format(bits))?;
                let a = a!(bits);
                $(let $b = b!(bits);)?
                pool.$build(a $(, $b)?)
            }};
        }

        Ok(match op {
            Const => pool.constant(bits, u128::from(node.y) << 64 | u128::from(node.x)),
            Input => {
                require(bits <= 64)?;
                let slot = SlotKey { hash: node.x, occurrence: node.a };
                pool.var(Var { slot, element: node.b, bits })
            }
            Add => same!(add),
            Sub => same!(sub),
            Mul => same!(mul),
            UDiv => same!(udiv),
            SDiv => same!(sdiv),
            URem => same!(urem),
            SRem => same!(srem),
            And => same!(and),
            Or => same!(or),
            Xor => same!(xor),
            Shl => same!(shl),
            LShr => same!(lshr),
            AShr => same!(ashr),
            Eq => predicate!(eq),
            Ne => predicate!(ne),
            Ult => predicate!(ult),
            Ule => predicate!(ule),
            Slt => predicate!(slt),
            Sle => predicate!(sle),
            SAddO => predicate!(saddo),
            UAddO => predicate!(uaddo),
            SSubO => predicate!(ssubo),
            USubO => predicate!(usubo),
            SMulO => predicate!(smulo),
            UMulO => predicate!(umulo),
            ZExt | SExt => {
                let a = self.node(pool, index, node.a)?;
                require(bits >= pool.bits(a))?;
                if op == ZExt { pool.zext(a, bits) } else { pool.sext(a, bits) }
            }
            Extract => {
                let a = self.node(pool, index, node.a)?;
                let low = u16::try_from(node.x).map_err(|_| wrong_width)?;
                require(low.checked_add(bits).is_some_and(|end| end <= pool.bits(a)))?;
                pool.extract(a, low, bits)
            }
            Concat => {
                let low_bits = width_in_c()?;
                let high_bits = bits.checked_sub(low_bits).ok_or(wrong_width)?;
                let (high, low) = (a!(high_bits), b!(low_bits));
                pool.concat(high, low)
            }
            Ite => {
                let condition = self.node(pool, index, node.a)?;
                require(pool.bits(condition) == 1)?;
                let then = self.operand(pool, index, node.b, node.x, bits)?;
                let otherwise = self.operand(pool, index, node.c, node.y, bits)?;
                pool.ite(condition, then, otherwise)
            }
            CtPop | Ctlz | Cttz | BSwap | BitReverse => {
                let a = a!(bits);
                match op {
                    CtPop => pool.ctpop(a),
                    Ctlz => pool.ctlz(a),
                    Cttz => pool.cttz(a),
                    BSwap => {
                        require(bits.is_multiple_of(8))?;
                        pool.bswap(a)
                    }
                    _ => pool.bitreverse(a),
                }
            }
            Read => self.read(pool, index, &node)?,
            FAdd => float_binary!(Add),
            FSub => float_binary!(Sub),
            FMul => float_binary!(Mul),
            FDiv => float_binary!(Div),
            FRem => float_binary!(Rem),
            FNeg => float_same!(float_neg),
            FAbs => float_same!(float_abs),
            FSqrt => float_unary!(Sqrt),
            FMin => float_same!(float_min, b),
            FMax => float_same!(float_max, b),
            FFloor => float_unary!(Floor),
            FCeil => float_unary!(Ceil),
            FTrunc => float_unary!(Trunc),
            FRint => float_unary!(Rint),
            FRound => float_unary!(Round),
            FCopySign => float_same!(float_copysign, b),
            FFma => {
                require(float::is_format(bits))?;
                let (a, b) = (a!(bits), b!(bits));
                let c = self.node(pool, index, node.c)?;
                require(pool.bits(c) == bits)?;
                pool.float_fma(a, b, c)
            }
            FCmp => {
                let width = width_in_c()?;
                require(bits == 1 && float::is_format(width))?;
                let (a, b) = (a!(width), b!(width));
                pool.float_predicate(node.sub, a, b)
                    .ok_or(ConvertError::Operation { node: index, op: node.op })?
            }
            FpToSi | FpToUi => {
                let width = width_in_c()?;
                require(float::is_format(width))?;
                let a = a!(width);
                if op == FpToSi { pool.float_to_signed(a, bits) } else { pool.float_to_unsigned(a, bits) }
            }
            SiToFp | UiToFp => {
                let width = width_in_c()?;
                require(float::is_format(bits))?;
                let a = a!(width);
                if op == SiToFp { pool.signed_to_float(a, bits) } else { pool.unsigned_to_float(a, bits) }
            }
            FpExt | FpTrunc => {
                let width = width_in_c()?;
                require(float::is_format(bits) && float::is_format(width))?;
                let a = a!(width);
                pool.float_convert(a, bits)
            }
        })
    }
}
