//! Numbers of fixed width, kept in the low bits of a `u128`.

/// The ones of a value of `bits`.
pub fn mask(bits: u16) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// Reads a value of `bits` (1 to 128) as a two's complement number.
pub fn signed(bits: u16, value: u128) -> i128 {
    let shift = 128 - u32::from(bits);
    ((value << shift) as i128) >> shift
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration: each round doubles the right bits.
pub fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_from_one_to_all_bits() {
        assert_eq!((mask(1), mask(64), mask(128)), (1, u64::MAX.into(), u128::MAX));
        assert_eq!((signed(1, 1), signed(8, 0x80), signed(128, u128::MAX)), (-1, -128, -1));
    }

    #[test]
    fn an_odd_number_times_its_inverse_is_one() {
        for odd in [1, 3, 0x9e37_79b9_7f4a_7c15, u128::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
