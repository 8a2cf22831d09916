//! What integer operations do to values: the one definition that folding constants and evaluating share.
//! SMT-LIB's rules hold where C has none: division by zero and shifts beyond the width have results.

use crate::number::{mask, signed};
use crate::term::{Binary, Compare, Unary};

pub(crate) fn unary(op: Unary, bits: u16, a: u128) -> u128 {
    match op {
        Unary::Not => !a & mask(bits),
        Unary::CtPop => u128::from(a.count_ones()) & mask(bits),
        Unary::Ctlz => u128::from(a.leading_zeros() - (128 - u32::from(bits))) & mask(bits),
        Unary::Cttz => u128::from(a.trailing_zeros().min(u32::from(bits))) & mask(bits),
    }
}

pub(crate) fn binary(op: Binary, bits: u16, a: u128, b: u128) -> u128 {
    let width = u128::from(bits);
    let result = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Binary::URem => a.checked_rem(b).unwrap_or(a),
        Binary::SDiv => {
            let (x, y) = (signed(bits, a), signed(bits, b));
            match y {
                0 if x < 0 => 1,
                0 => u128::MAX,
                _ => x.wrapping_div(y) as u128,
            }
        }
        Binary::SRem => {
            let (x, y) = (signed(bits, a), signed(bits, b));
            if y == 0 { a } else { x.wrapping_rem(y) as u128 }
        }
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => {
            if b < width {
                a << b
            } else {
                0
            }
        }
        Binary::LShr => {
            if b < width {
                a >> b
            } else {
                0
            }
        }
        Binary::AShr => (signed(bits, a) >> b.min(width - 1)) as u128,
    };
    result & mask(bits)
}

pub(crate) fn compare(op: Compare, bits: u16, a: u128, b: u128) -> bool {
    match op {
        Compare::Eq => a == b,
        Compare::Ult => a < b,
        Compare::Slt => signed(bits, a) < signed(bits, b),
        Compare::UMulO => a.checked_mul(b).is_none_or(|product| product > mask(bits)),
        Compare::SMulO => {
            let product = signed(bits, a).checked_mul(signed(bits, b));
            product.is_none_or(|product| signed(bits, product as u128 & mask(bits)) != product)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_follows_smt_lib_and_c() {
        assert_eq!(binary(Binary::UDiv, 8, 7, 0), 0xff);
        assert_eq!(binary(Binary::URem, 8, 7, 0), 7);
        assert_eq!(binary(Binary::SDiv, 8, 7, 0), 0xff);
        assert_eq!(binary(Binary::SDiv, 8, 0xf9, 0), 1);
        assert_eq!(binary(Binary::SRem, 8, 0xf9, 0), 0xf9);
        assert_eq!(binary(Binary::SDiv, 8, 0xf9, 2), 0xfd);
        assert_eq!(binary(Binary::SRem, 8, 0xf9, 2), 0xff);
        assert_eq!(binary(Binary::SDiv, 8, 0x80, 0xff), 0x80);
        assert_eq!(binary(Binary::SDiv, 128, 1 << 127, u128::MAX), 1 << 127);
    }

    #[test]
    fn shifts_beyond_the_width_empty_the_value() {
        assert_eq!(binary(Binary::Shl, 8, 0xff, 8), 0);
        assert_eq!(binary(Binary::LShr, 8, 0xff, 200), 0);
        assert_eq!(binary(Binary::AShr, 8, 0x80, 200), 0xff);
        assert_eq!(binary(Binary::AShr, 8, 0x40, 200), 0);
        assert_eq!(binary(Binary::AShr, 128, 1 << 127, 127), u128::MAX);
    }

    #[test]
    fn counts_and_overflow() {
        assert_eq!(unary(Unary::Ctlz, 16, 1), 15);
        assert_eq!(unary(Unary::Cttz, 16, 0), 16);
        assert_eq!(unary(Unary::CtPop, 1, 1), 1);
        assert!(compare(Compare::SMulO, 8, 0x80, 0xff));
        assert!(!compare(Compare::SMulO, 8, 0xff, 0xff));
        assert!(compare(Compare::UMulO, 128, 1 << 64, 1 << 64));
        assert!(compare(Compare::SMulO, 128, 1 << 64, 1 << 63));
    }
}
