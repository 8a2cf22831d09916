//! Numbers as C writes them.

/// An integer of `width` bits; by the name of its constant where there is one.
pub(super) fn integer(bits: u64, width: u32, signed: bool, names: &[(i64, String)]) -> String {
    let width = width.clamp(1, 64);
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let bits = bits & mask;
    let negative = signed && bits >> (width - 1) & 1 == 1;
    let value = if negative { (bits | !mask) as i64 } else { bits as i64 };
    if let Some((_, name)) = names.iter().find(|(known, _)| *known == value) {
        return name.clone();
    }
    match (signed, value) {
        (true, i64::MIN) => "(-9223372036854775807ll - 1)".into(),
        (true, -2147483648) => "(-2147483647 - 1)".into(),
        (true, value) if i32::try_from(value).is_ok() => value.to_string(),
        (true, value) => format!("{value}ll"),
        (false, _) if bits <= 0x7fff_ffff => bits.to_string(),
        (false, _) if bits <= 0xffff_ffff => format!("{bits}u"),
        (false, _) => format!("{bits}ull"),
    }
}

/// The shortest decimal that reads back as the same number.
pub(super) fn real(value: f64) -> String {
    let text = format!("{value:?}");
    if value.is_sign_negative() { format!("({text})") } else { text }
}

/// A string literal; three octal digits never swallow the next character.
pub(super) fn string(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'?' => text.push_str("\\?"),
            byte if byte.is_ascii_graphic() || *byte == b' ' => text.push(char::from(*byte)),
            byte => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_like_c() {
        assert_eq!(integer(0xffff_ffff, 32, true, &[]), "-1");
        assert_eq!(integer(0xffff_ffff, 32, false, &[]), "4294967295u");
        assert_eq!(integer(0x8000_0000, 32, true, &[]), "(-2147483647 - 1)");
        assert_eq!(integer(1 << 63, 64, true, &[]), "(-9223372036854775807ll - 1)");
        assert_eq!(integer(0x1f, 5, true, &[]), "-1");
        assert_eq!(integer(2, 32, false, &[(2, "RED".into())]), "RED");
        assert_eq!(real(-0.1), "(-0.1)");
        assert_eq!(real(1e300), "1e300");
        assert_eq!(string(b"a\"\0?1"), "\"a\\\"\\000\\?1\"");
    }
}
