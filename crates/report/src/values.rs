//! The values of an input as a C programmer would write them; of a large input zeros are left out, because a
//! slot that is not named is zero.

use campaign::{Input, Slot};

/// Elements of one slot that are written out.
const ELEMENTS: usize = 16;
/// Characters of one string that are written out.
const CHARACTERS: usize = 60;

/// One line `path = value` per slot, at most `most` of them. When there are more slots than that, only those
/// that are not all zeros count; the second value says how many of them were left out.
pub fn values(input: &Input, most: usize) -> (Vec<String>, usize) {
    let all = input.slots.len() <= most;
    let is_set = |slot: &Slot| slot.bytes.iter().any(|byte| *byte != 0);
    // The driver's usual choice needs no words.
    let interesting: Vec<&Slot> =
        input.slots.iter().filter(|slot| is_set(slot) || all && !slot.path.contains('?')).collect();
    let lines = interesting.iter().take(most).map(|slot| line(slot)).collect();
    (lines, interesting.len().saturating_sub(most))
}

fn line(slot: &Slot) -> String {
    let again = match slot.occurrence {
        0 => String::new(),
        n => format!(" (time {})", u64::from(n) + 1),
    };
    // What the driver chose, beside the values: see the drivers' paths.
    match slot.path.rsplit_once('?') {
        Some((pointer, "null")) => format!("{pointer}{again} = null"),
        Some((pointer, "alias")) => {
            format!("{pointer}{again} = another pointer of its type ({})", value(slot))
        }
        Some((pointer, "other")) => format!("{pointer}{again} = not the object above"),
        Some((pointer, "made")) => format!("{pointer}{again} = an object as the file of its type makes it"),
        Some(("", "long")) => "buffers are long".to_owned(),
        _ => format!("{}{again} = {}", slot.path, value(slot)),
    }
}

fn value(slot: &Slot) -> String {
    let elements = slot.elements();
    match elements.as_slice() {
        [] => "(nothing)".to_owned(),
        [single] => number(*single, slot.bits),
        _ if slot.bits == 8 && is_text(&slot.bytes) => string(&slot.bytes),
        many => {
            // Zeros at the end say no more than a missing initialiser does.
            let used = many.iter().rposition(|value| *value != 0).map_or(0, |last| last + 1);
            let shown: Vec<String> =
                many[..used.min(ELEMENTS)].iter().map(|value| number(*value, slot.bits)).collect();
            let rest = if used > ELEMENTS { ", ..." } else { "" };
            format!("{{{}{rest}}} ({} elements)", shown.join(", "), many.len())
        }
    }
}

/// Unsigned, and signed as well where the sign bit is set: the slot does not know which one the code means.
fn number(value: u64, bits: u16) -> String {
    if bits >= 64 {
        let signed = value as i64;
        return if signed < 0 { format!("{value} ({signed})") } else { value.to_string() };
    }
    let bits = bits.max(1);
    if value >> (bits - 1) & 1 == 1 && bits > 1 {
        format!("{value} ({})", value as i64 - (1_i64 << bits))
    } else {
        value.to_string()
    }
}

/// Printable up to the zeros at its end.
fn is_text(bytes: &[u8]) -> bool {
    let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let printable = bytes[..used].iter().filter(|byte| byte.is_ascii_graphic() || **byte == b' ').count();
    printable * 2 >= used
}

fn string(bytes: &[u8]) -> String {
    let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let mut text = String::from("\"");
    for (position, byte) in bytes[..used].iter().enumerate() {
        if position == CHARACTERS {
            return text + "\"...";
        }
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            // Three octal digits: unlike \x, they cannot swallow the next character.
            byte if byte.is_ascii_graphic() || *byte == b' ' => text.push(char::from(*byte)),
            byte => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    let ending = if used == bytes.len() { "\" (no zero at the end)" } else { "\"" };
    text + ending
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::FunctionName;

    fn check(bits: u16, bytes: &[u8], expected: &str) {
        let slot = Slot { path: "p".into(), hash: 0, occurrence: 0, bits, bytes: bytes.to_vec() };
        assert_eq!(value(&slot), expected);
    }

    #[test]
    fn values_read_like_c() {
        check(32, &[255, 255, 255, 255], "4294967295 (-1)");
        check(32, &[7, 0, 0, 0], "7");
        check(8, &[200], "200 (-56)");
        check(1, &[1], "1");
        check(64, &[0, 0, 0, 0, 0, 0, 0, 0x80], "9223372036854775808 (-9223372036854775808)");
        check(8, b"a\"b\n\x01\0\0", "\"a\\\"b\\n\\001\"");
        check(8, b"abc", "\"abc\" (no zero at the end)");
        check(8, &[1, 2, 0], "{1, 2} (3 elements)");
        check(16, &[1, 0, 2, 0, 0, 0], "{1, 2} (3 elements)");
        check(32, &[1], "(nothing)");
    }

    #[test]
    fn zeros_are_left_out_and_the_rest_is_counted() {
        let slot =
            |path: &str, byte| Slot { path: path.into(), hash: 0, occurrence: 1, bits: 8, bytes: vec![byte] };
        let function = FunctionName { file: "a.c".into(), name: "f".into(), line: 1 };
        let input = Input::new(function, vec![slot("a", 0), slot("b", 1), slot("c", 2)]);
        assert_eq!(values(&input, 1), (vec!["b (time 2) = 1".to_owned()], 1));
    }

    #[test]
    fn choices_of_the_driver_read_like_c_too() {
        let slot =
            |path: &str, byte| Slot { path: path.into(), hash: 0, occurrence: 0, bits: 8, bytes: vec![byte] };
        let function = FunctionName { file: "a.c".into(), name: "f".into(), line: 1 };
        let slots = vec![slot("?long", 1), slot("p?null", 0), slot("p->next?null", 1), slot("q?alias", 1)];
        let expected = ["buffers are long", "p->next = null", "q = another pointer of its type (1)"];
        assert_eq!(values(&Input::new(function, slots), 9), (expected.map(str::to_owned).to_vec(), 0));
    }
}
