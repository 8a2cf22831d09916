//! What floating-point operations do to IEEE bit patterns, rounding to nearest, ties to even.
//!
//! Results that are not NaN are IEEE's. NaNs are those of x86's SSE unit: the first NaN operand, made quiet,
//! else the default NaN (negative, quiet, empty payload). Conversions to integers that do not fit give x86's
//! "integer indefinite" of the register the conversion goes through. Half precision is computed in double and
//! rounded once more, which is exact for every operation but fused multiply-add.

use crate::number::mask;
use crate::term::{FloatBinary, FloatCompare, FloatUnary};

/// Width of the fraction field of the format that is `bits` wide.
pub fn fraction_bits(bits: u16) -> u16 {
    match bits {
        16 => 10,
        32 => 23,
        _ => 52,
    }
}

pub(crate) fn is_format(bits: u16) -> bool {
    matches!(bits, 16 | 32 | 64)
}

fn sign_bit(bits: u16) -> u128 {
    1 << (bits - 1)
}

/// The pattern of infinity.
fn infinity(bits: u16) -> u128 {
    (mask(bits) >> 1) & !mask(fraction_bits(bits))
}

pub(crate) fn is_nan(bits: u16, a: u128) -> bool {
    a & !sign_bit(bits) > infinity(bits)
}

fn quiet(bits: u16, a: u128) -> u128 {
    a | 1 << (fraction_bits(bits) - 1)
}

fn default_nan(bits: u16) -> u128 {
    quiet(bits, sign_bit(bits) | infinity(bits))
}

/// The result, unless it is NaN: then the NaN that the hardware would give.
fn settle(bits: u16, operands: &[u128], result: u128) -> u128 {
    if let Some(nan) = operands.iter().find(|operand| is_nan(bits, **operand)) {
        quiet(bits, *nan)
    } else if is_nan(bits, result) {
        default_nan(bits)
    } else {
        result
    }
}

pub(crate) fn unary(op: FloatUnary, bits: u16, a: u128) -> u128 {
    let result = if bits == 32 {
        let x = f32::from_bits(a as u32);
        let result = match op {
            FloatUnary::Sqrt => x.sqrt(),
            FloatUnary::Floor => x.floor(),
            FloatUnary::Ceil => x.ceil(),
            FloatUnary::Trunc => x.trunc(),
            FloatUnary::Rint => x.round_ties_even(),
            FloatUnary::Round => x.round(),
        };
        u128::from(result.to_bits())
    } else {
        let x = read(bits, a);
        let result = match op {
            FloatUnary::Sqrt => x.sqrt(),
            FloatUnary::Floor => x.floor(),
            FloatUnary::Ceil => x.ceil(),
            FloatUnary::Trunc => x.trunc(),
            FloatUnary::Rint => x.round_ties_even(),
            FloatUnary::Round => x.round(),
        };
        write(bits, result)
    };
    settle(bits, &[a], result)
}

pub(crate) fn binary(op: FloatBinary, bits: u16, a: u128, b: u128) -> u128 {
    let result = if bits == 32 {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let result = match op {
            FloatBinary::Add => x + y,
            FloatBinary::Sub => x - y,
            FloatBinary::Mul => x * y,
            FloatBinary::Div => x / y,
            FloatBinary::Rem => x % y,
        };
        u128::from(result.to_bits())
    } else {
        let (x, y) = (read(bits, a), read(bits, b));
        let result = match op {
            FloatBinary::Add => x + y,
            FloatBinary::Sub => x - y,
            FloatBinary::Mul => x * y,
            FloatBinary::Div => x / y,
            FloatBinary::Rem => x % y,
        };
        write(bits, result)
    };
    settle(bits, &[a, b], result)
}

pub(crate) fn fma(bits: u16, a: u128, b: u128, c: u128) -> u128 {
    let result = if bits == 32 {
        let [x, y, z] = [a, b, c].map(|operand| f32::from_bits(operand as u32));
        u128::from(x.mul_add(y, z).to_bits())
    } else {
        write(bits, read(bits, a).mul_add(read(bits, b), read(bits, c)))
    };
    settle(bits, &[a, b, c], result)
}

pub(crate) fn compare(op: FloatCompare, bits: u16, a: u128, b: u128) -> bool {
    let (x, y) = (read(bits, a), read(bits, b));
    match op {
        FloatCompare::Eq => x == y,
        FloatCompare::Lt => x < y,
        FloatCompare::Le => x <= y,
    }
}

pub(crate) fn convert(from: u16, a: u128, to: u16) -> u128 {
    if is_nan(from, a) {
        let (narrow, wide) = (fraction_bits(from), fraction_bits(to));
        let payload = a & mask(narrow);
        let payload = if wide >= narrow { payload << (wide - narrow) } else { payload >> (narrow - wide) };
        let sign = if a & sign_bit(from) != 0 { sign_bit(to) } else { 0 };
        return quiet(to, sign | infinity(to) | payload);
    }
    write(to, read(from, a))
}

pub(crate) fn from_signed(value: i128, bits: u16) -> u128 {
    match bits {
        32 => u128::from((value as f32).to_bits()),
        _ => write(bits, value as f64),
    }
}

pub(crate) fn from_unsigned(value: u128, bits: u16) -> u128 {
    match bits {
        32 => u128::from((value as f32).to_bits()),
        _ => write(bits, value as f64),
    }
}

/// How many bits the register has through which a conversion to `to` bits goes, and the exponents of the
/// range that converts: `[-2^low, 2^high)`. The bound -2^low itself is exact in every format.
pub fn conversion_range(to: u16, to_is_signed: bool) -> (u16, u16, u16) {
    match (to, to_is_signed) {
        (..=16, _) | (..=32, true) => (32, 31, 31),
        (..=32, false) | (..=64, true) => (64, 63, 63),
        (..=64, false) => (64, 63, 64),
        (_, true) => (128, 127, 127),
        (_, false) => (128, 127, 128),
    }
}

pub(crate) fn to_signed(from: u16, a: u128, to: u16) -> u128 {
    to_integer(from, a, to, true)
}

pub(crate) fn to_unsigned(from: u16, a: u128, to: u16) -> u128 {
    to_integer(from, a, to, false)
}

fn to_integer(from: u16, a: u128, to: u16, to_is_signed: bool) -> u128 {
    let (register, low, high) = conversion_range(to, to_is_signed);
    let x = read(from, a).trunc();
    let fits = x >= -(power_of_two(low)) && x < power_of_two(high);
    let result = match fits {
        false => 1 << (register - 1),
        true if x < 0.0 => x as i128 as u128,
        true => x as u128,
    };
    result & mask(to)
}

fn power_of_two(exponent: u16) -> f64 {
    2f64.powi(i32::from(exponent))
}

/// A pattern of any format as a double; exact.
fn read(bits: u16, a: u128) -> f64 {
    match bits {
        16 => half_to_double(a as u16),
        32 => f64::from(f32::from_bits(a as u32)),
        _ => f64::from_bits(a as u64),
    }
}

/// A double rounded to a format.
fn write(bits: u16, x: f64) -> u128 {
    match bits {
        16 => u128::from(double_to_half(x)),
        32 => u128::from((x as f32).to_bits()),
        _ => u128::from(x.to_bits()),
    }
}

fn half_to_double(half: u16) -> f64 {
    let sign = if half & 0x8000 != 0 { -1.0 } else { 1.0 };
    let exponent = i32::from(half >> 10 & 0x1f);
    let fraction = f64::from(half & 0x3ff);
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

fn double_to_half(x: f64) -> u16 {
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = x.abs();
    if x.is_nan() {
        return sign | 0x7e00;
    }
    // Beyond the largest half by half a unit or more: infinity.
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // Scaled so that one unit in the last place is 1, the value is rounded once; a carry runs on into the
    // exponent field as it should.
    let exponent = if magnitude < 2f64.powi(-14) { -14 } else { magnitude.log2().floor() as i32 };
    let units = (magnitude * 2f64.powi(10 - exponent)).round_ties_even();
    if exponent == -14 {
        sign | units as u16
    } else {
        sign | ((((exponent + 15) as u16) << 10) + (units - 1024.0) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_survive_a_round_trip() {
        for half in 0..=u16::MAX {
            let x = half_to_double(half);
            if !x.is_nan() {
                assert_eq!(double_to_half(x), half, "{half:#x} {x}");
            }
        }
    }

    #[test]
    fn halves_round_to_even() {
        assert_eq!(double_to_half(2049.0), 0x6800);
        assert_eq!(double_to_half(2051.0), 0x6802);
        assert_eq!(double_to_half(65519.9), 0x7bff);
        assert_eq!(double_to_half(65520.0), 0x7c00);
        assert_eq!(double_to_half(2f64.powi(-25)), 0);
        assert_eq!(double_to_half(2f64.powi(-25) * 1.001), 1);
        assert_eq!(double_to_half(2047.75), 0x6800);
    }

    #[test]
    fn nans_are_those_of_the_hardware() {
        let zero = 0;
        assert_eq!(binary(FloatBinary::Div, 32, zero, zero), 0xffc0_0000);
        let signalling = 0x7f80_0001;
        assert_eq!(binary(FloatBinary::Add, 32, zero, signalling), 0x7fc0_0001);
        assert_eq!(convert(32, signalling, 64), 0x7ff8_0000_2000_0000);
        assert_eq!(convert(64, 0xfff8_0000_2000_0000, 32), 0xffc0_0001);
        assert_eq!(unary(FloatUnary::Sqrt, 64, u128::from((-1f64).to_bits())), 0xfff8 << 48);
    }

    #[test]
    fn conversions_that_do_not_fit_are_indefinite() {
        let double = |x: f64| u128::from(x.to_bits());
        assert_eq!(to_signed(64, double(-1.9), 32), 0xffff_ffff);
        assert_eq!(to_signed(64, double(3e9), 32), 0x8000_0000);
        assert_eq!(to_signed(64, double(300.0), 8), 44);
        assert_eq!(to_signed(64, double(f64::NAN), 64), 1 << 63);
        assert_eq!(to_unsigned(64, double(3e9), 32), 3_000_000_000);
        assert_eq!(to_unsigned(64, double(1.5e19), 64), 15_000_000_000_000_000_000);
        assert_eq!(to_unsigned(64, double(-1.0), 64), u128::from(u64::MAX));
        assert_eq!(to_unsigned(64, double(1e30), 64), 1 << 63);
    }
}
