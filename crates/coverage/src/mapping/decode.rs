//! The bytes of the mapping: numbers of variable length, tagged counters, regions relative to the one before.
//! Whatever is cut short or unknown is None; nothing here is trusted to be well formed.

use super::{Counter, Link, Region, RegionKind, Span};

/// The version that clang 19 writes, as it stands in the header.
const VERSION: u32 = 6;
/// Marks a gap between statements in the number of a region's last column.
const GAP: u64 = 1 << 31;

/// An unsigned number of seven bits per byte, the low ones first.
pub(super) fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn index(bytes: &mut &[u8]) -> Option<usize> {
    usize::try_from(number(bytes)?).ok()
}

fn fixed<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*first)
}

fn word(bytes: &mut &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(fixed(bytes)?))
}

fn long(bytes: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(fixed(bytes)?))
}

/// The files of the translation unit; relative ones are below the first, the directory of the compilation.
pub(super) fn file_names(mut section: &[u8]) -> Option<Vec<String>> {
    let header = [word(&mut section)?, word(&mut section)?, word(&mut section)?, word(&mut section)?];
    if header[3] != VERSION {
        return None;
    }
    let count = index(&mut section)?;
    let _plain = number(&mut section)?;
    if number(&mut section)? != 0 {
        return None; // packed: the build asks for plain names
    }
    let mut names: Vec<String> = Vec::new();
    for _ in 0..count {
        let length = index(&mut section)?;
        let text = String::from_utf8_lossy(section.get(..length)?).into_owned();
        section = &section[length..];
        let absolute = match names.first() {
            Some(directory) if !text.starts_with('/') => format!("{directory}/{text}"),
            _ => text,
        };
        names.push(absolute);
    }
    Some(names)
}

pub(super) struct Record<'a> {
    pub(super) name: u64,
    pub(super) hash: u64,
    pub(super) body: &'a [u8],
}

/// The functions of one section; each record begins at a multiple of eight.
pub(super) fn records(section: &[u8]) -> Option<Vec<Record<'_>>> {
    let mut records = Vec::new();
    let mut at = 0;
    while at + 28 <= section.len() {
        let mut rest = &section[at..];
        let name = long(&mut rest)?;
        let length = word(&mut rest)? as usize;
        let hash = long(&mut rest)?;
        let _files = long(&mut rest)?;
        records.push(Record { name, hash, body: rest.get(..length)? });
        at = (at + 28 + length).next_multiple_of(8);
    }
    Some(records)
}

fn counter(encoded: u64) -> Counter {
    let index = (encoded >> 2) as usize;
    match encoded & 3 {
        0 => Counter::Zero,
        1 => Counter::Number(index),
        2 => Counter::Minus(index),
        _ => Counter::Plus(index),
    }
}

type Body = (Vec<usize>, Vec<(Counter, Counter)>, Vec<Region>);

/// The function's files, its expressions of counters, its regions.
pub(super) fn body(mut bytes: &[u8]) -> Option<Body> {
    let bytes = &mut bytes;
    let mut files = Vec::new();
    for _ in 0..number(bytes)? {
        files.push(index(bytes)?);
    }
    let mut expressions = Vec::new();
    for _ in 0..number(bytes)? {
        expressions.push((counter(number(bytes)?), counter(number(bytes)?)));
    }
    let mut regions = Vec::new();
    for file in 0..files.len() {
        let mut line = 0_u32;
        for _ in 0..number(bytes)? {
            let kind = kind(bytes)?;
            line = line.checked_add(u32::try_from(number(bytes)?).ok()?)?;
            let column = u32::try_from(number(bytes)?).ok()?;
            let lines = u32::try_from(number(bytes)?).ok()?;
            let end = number(bytes)?;
            let end_column = u32::try_from(end & !GAP).ok()?;
            let (column, end_column) =
                if (column, end_column) == (0, 0) { (1, u32::MAX) } else { (column, end_column) };
            let span = Span { line, column, end_line: line.checked_add(lines)?, end_column };
            let kind = if end & GAP != 0 { RegionKind::Other } else { kind };
            regions.push(Region { file, span, kind });
        }
    }
    Some((files, expressions, regions))
}

fn kind(bytes: &mut &[u8]) -> Option<RegionKind> {
    let encoded = number(bytes)?;
    if encoded & 3 != 0 {
        return Some(RegionKind::Code(counter(encoded)));
    }
    if encoded & 4 != 0 {
        return Some(RegionKind::Expansion((encoded >> 3) as usize));
    }
    Some(match encoded >> 3 {
        0 => RegionKind::Code(Counter::Zero),
        4 => RegionKind::Branch {
            when_true: counter(number(bytes)?),
            when_false: counter(number(bytes)?),
            link: None,
        },
        5 => RegionKind::Decision { bits_end: index(bytes)?, conditions: index(bytes)? },
        6 => {
            let (when_true, when_false) = (counter(number(bytes)?), counter(number(bytes)?));
            let id = u16::try_from(number(bytes)?.checked_sub(1)?).ok()?;
            let mut next = || -> Option<Option<u16>> {
                let number = u16::try_from(number(bytes)?).ok()?;
                Some(number.checked_sub(1))
            };
            let (on_true, on_false) = (next()?, next()?);
            RegionKind::Branch { when_true, when_false, link: Some(Link { id, next: [on_false, on_true] }) }
        }
        2 => RegionKind::Other,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_seven_bits_per_byte() {
        let mut bytes: &[u8] = &[0x7f, 0x80, 0x01, 0xff];
        assert_eq!(number(&mut bytes), Some(0x7f));
        assert_eq!(number(&mut bytes), Some(0x80));
        assert_eq!(number(&mut bytes), None);
        assert_eq!(number(&mut &[0xff; 11][..]), None);
    }

    /// `if (a && b)` as clang writes it: a decision, two conditions, each with where evaluation goes next.
    #[test]
    fn a_decision_and_its_conditions() {
        let bytes = [
            1, 0, // one file, the first
            1, 1, 5, // one expression: counters 0 and 1
            3, // regions
            0x28, 3, 2, 5, 7, 0, 13, // a decision of two conditions, bits up to 3
            0x30, 5, 2, 1, 2, 0, 0, 7, 0, 8, // the first: true leads to the second
            0x30, 9, 6, 2, 0, 0, 0, 12, 0, 13,
        ];
        let (files, expressions, regions) = body(&bytes).unwrap();
        assert_eq!(files, [0]);
        assert_eq!(expressions, [(Counter::Number(0), Counter::Number(1))]);
        assert_eq!(regions[0].kind, RegionKind::Decision { bits_end: 3, conditions: 2 });
        let RegionKind::Branch { when_true, when_false, link } = &regions[1].kind else { panic!() };
        assert_eq!((*when_true, *when_false), (Counter::Number(1), Counter::Minus(0)));
        assert_eq!(*link, Some(Link { id: 0, next: [None, Some(1)] }));
        assert_eq!(regions[2].span, Span { line: 5, column: 12, end_line: 5, end_column: 13 });
    }

    #[test]
    fn what_is_cut_short_is_refused() {
        let bytes = [1, 0, 0, 1, 0x28, 3];
        assert!(body(&bytes).is_none());
        assert!(file_names(&[0; 15]).is_none());
        assert!(records(&[9; 40]).is_none());
    }
}
