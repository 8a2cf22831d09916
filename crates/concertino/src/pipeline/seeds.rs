//! Where searches of a function begin, beside zeros: with captured calls, with long buffers, and at changed copies of
//! the inputs that were kept.
//!
//! Solving finds inputs that are just large enough for the next branch; overruns behind loops want values far beyond,
//! and conditions that no solver answers want many tries. Both are cheap here.

use super::confirm::to_run;
use campaign::Slot;
use execute::{Input, Session};
use explore::Random;
use wire::{RecordKind, SlotKey};

/// What a long text is made of.
const LETTER: u8 = b'a';
/// Characters of arrays that texts are copied to.
const USUAL_SIZES: &[usize] = &[16, 32, 64, 128, 256];
/// What else texts are made of again and again: numbers, words between what programs take apart texts at, escapes.
const PATTERNS: &[&[u8]] = &[b"1", b"a ", b"a,", b"a:", b"a/", b"a\n", b"\\", b"%"];
/// Kept inputs whose texts are made long.
const MOST_KEPT: usize = 16;
/// Changes in one copy, at most.
const CHANGES: usize = 3;
/// Values in an input that is copied: loops that ask for inputs for ever leave far larger ones.
const VALUES: usize = 4096;

/// Inputs that ask the driver for long buffers: of zeros, and of letters, as many as there is room for, and as many as fill, all
/// together or each, an array of a usual size. Texts that short searches have found are made long, too: again and again, and
/// with letters behind them.
pub(super) fn long(session: &mut Session, kept: &[campaign::Input]) -> anyhow::Result<Vec<Input>> {
    let setting = session.run(&Input::new())?.log().iter().find_map(|record| {
        let is_input = RecordKind::from_code(record.kind) == Some(RecordKind::Input);
        is_input.then_some(SlotKey { hash: record.value, occurrence: record.tu })
    });
    // The setting is the first slot that such a driver asks for.
    let Some(setting) = setting.filter(|slot| session.name(slot.hash) == Some(harness::LONG)) else {
        return Ok(Vec::new());
    };
    let mut zeros = Input::new();
    zeros.set(setting, &[1]);
    let texts: Vec<(SlotKey, usize)> = session
        .run(&zeros)?
        .log()
        .iter()
        .filter(|record| RecordKind::from_code(record.kind) == Some(RecordKind::Input))
        .filter(|record| record.aux == 8 && record.site > 1)
        // A text ends with a NUL.
        .map(|record| (SlotKey { hash: record.value, occurrence: record.tu }, record.site as usize - 1))
        .collect();
    let most = texts.iter().map(|(_, room)| *room).max().unwrap_or(0);
    let usual = USUAL_SIZES.iter().flat_map(|size| [size / 2, size - 1, *size]);
    let mut lengths: Vec<usize> = usual.filter(|length| *length < most).chain([most]).collect();
    lengths.sort_unstable_by(|one, other| other.cmp(one));
    lengths.dedup();
    let of_length = |pattern: &[u8], length: usize| {
        let mut letters = zeros.clone();
        for (slot, room) in &texts {
            let mut text: Vec<u8> = pattern.iter().copied().cycle().take(length.min(*room)).collect();
            text.resize(*room, 0);
            letters.set(*slot, &text);
        }
        letters
    };
    let mut seeds: Vec<Input> = lengths.into_iter().map(|length| of_length(&[LETTER], length)).collect();
    seeds.extend(PATTERNS.iter().filter(|_| !texts.is_empty()).map(|pattern| of_length(pattern, most)));
    for input in kept.iter().take(MOST_KEPT) {
        for again in [true, false] {
            let longer = lengthened(input, &texts, again);
            seeds.extend(longer.map(|mut longer| {
                longer.set(setting, &[1]);
                longer
            }));
        }
    }
    seeds.push(zeros);
    Ok(seeds)
}

/// The input with its texts as long as there is room; none where it has no text.
fn lengthened(input: &campaign::Input, texts: &[(SlotKey, usize)], again: bool) -> Option<Input> {
    let mut longer = to_run(input);
    let mut has_text = false;
    for slot in &input.slots {
        let key = SlotKey { hash: slot.hash, occurrence: slot.occurrence };
        let Some((_, room)) = texts.iter().find(|(text, _)| *text == key) else { continue };
        let length = slot.bytes.iter().position(|byte| *byte == 0).unwrap_or(slot.bytes.len());
        let mut text = slot.bytes[..length.min(*room)].to_vec();
        if !text.is_empty() {
            has_text = true;
            let more: Vec<u8> = if again { text.clone() } else { vec![LETTER] };
            text.extend(more.into_iter().cycle().take(*room - text.len()));
        }
        text.resize(*room, 0);
        longer.set(key, &text);
    }
    has_text.then_some(longer)
}

/// Captured calls with long buffers, or those without.
pub(super) fn captured(samples: &[campaign::Input], long: bool) -> Vec<Input> {
    samples.iter().filter(|sample| is_long(sample) == long).map(to_run).collect()
}

/// Whether an input asks for long buffers.
pub(super) fn is_long(input: &campaign::Input) -> bool {
    input.slots.iter().any(|slot| slot.path == harness::LONG && slot.bytes.iter().any(|byte| *byte != 0))
}

/// Copies of kept inputs with other values: extreme ones, neighbours, values from elsewhere in the input.
pub(super) fn changed<'i>(
    kept: impl Iterator<Item = &'i campaign::Input>,
    count: usize,
    seed: u64,
) -> Vec<Input> {
    let kept: Vec<&campaign::Input> = kept.filter(|input| input.slots.len() <= VALUES).collect();
    let mut random = Random::new(seed ^ 0x6d75_7461_7465);
    let mut copies = Vec::new();
    for _ in 0..count {
        let Some(from) = kept.get(random.below(kept.len())) else { break };
        let mut slots = from.slots.clone();
        for _ in 0..=random.below(CHANGES) {
            change(&mut slots, &mut random);
        }
        copies.push(to_run(&campaign::Input::new(from.function.clone(), slots)));
    }
    copies
}

fn change(slots: &mut [Slot], random: &mut Random) {
    let at = random.below(slots.len());
    let other = slots.get(random.below(slots.len())).and_then(|slot| element(slot, random));
    let Some(slot) = slots.get_mut(at).filter(|slot| slot.path != harness::LONG) else { return };
    let width = usize::from(slot.bits.div_ceil(8)).max(1);
    let count = slot.bytes.len() / width;
    if count == 0 {
        return;
    }
    // All elements alike now and then: buffers without an end, tables of equals.
    let places = match random.below(8) {
        0 => 0..count,
        _ => {
            let place = random.below(count);
            place..place + 1
        }
    };
    let first = number(&slot.bytes[places.start * width..][..width]);
    let value = value(first, other, slot.bits, random).to_le_bytes();
    for place in places {
        let bytes = &mut slot.bytes[place * width..][..width];
        let common = width.min(value.len());
        bytes[..common].copy_from_slice(&value[..common]);
    }
}

fn value(old: u64, other: Option<u64>, bits: u16, random: &mut Random) -> u64 {
    let top = 1u64 << u32::from(bits.clamp(1, 64) - 1);
    match random.below(9) {
        0 => u64::MAX,
        1 => top,
        2 => top - 1,
        3 => 0,
        4 => 1 << random.below(usize::from(bits.clamp(1, 64))),
        5 => old.wrapping_add(1 + random.below(4) as u64),
        6 => old.wrapping_sub(1 + random.below(4) as u64),
        7 => other.unwrap_or_else(|| random.draw()),
        _ => random.below(512) as u64,
    }
}

fn element(slot: &Slot, random: &mut Random) -> Option<u64> {
    let width = usize::from(slot.bits.div_ceil(8)).max(1);
    let place = random.below(slot.bytes.len() / width) * width;
    slot.bytes.get(place..place + width).map(number)
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::FunctionName;

    fn input() -> campaign::Input {
        let slot = |path: &str, bits, bytes: &[u8]| Slot {
            path: path.to_owned(),
            hash: path.len() as u64,
            occurrence: 0,
            bits,
            bytes: bytes.to_vec(),
        };
        let function = FunctionName { file: "a.c".into(), name: "f".into(), line: 1 };
        campaign::Input::new(
            function,
            vec![slot("?long", 8, &[1]), slot("n", 32, &[3, 0, 0, 0]), slot("buf", 8, &[7; 5])],
        )
    }

    #[test]
    fn changed_copies_keep_sizes_and_the_setting() {
        let kept = input();
        let copies = changed([&kept].into_iter(), 200, 1);
        assert_eq!(copies.len(), 200);
        for copy in &copies {
            let lengths: Vec<usize> = copy.iter().map(|(_, bytes)| bytes.len()).collect();
            assert_eq!(lengths, [4, 5, 1], "by hash");
            assert_eq!(copy.get(SlotKey { hash: 5, occurrence: 0 }), Some(&[1][..]), "a setting stays");
        }
        let extreme = |copy: &Input| copy.get(SlotKey { hash: 1, occurrence: 0 }) == Some(&[0xff; 4][..]);
        assert!(copies.iter().any(extreme));
        assert_eq!(copies, changed([&kept].into_iter(), 200, 1), "equal seeds, equal copies");
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert!(changed([].into_iter(), 10, 1).is_empty());
        assert!(is_long(&input()));
    }
}
