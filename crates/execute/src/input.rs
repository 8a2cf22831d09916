//! The input of an execution: bytes for slots. Slots that it does not name read as zero.
//!
//! A search holds hundreds of thousands of inputs that differ in a few bytes: where the slots are is kept once for all
//! inputs that were made from each other, and the bytes lie together.

use crate::ExecuteError;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;
use wire::{InputEntry, SlotKey};

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Input {
    /// Ascending, one after the other in the bytes.
    places: Arc<Vec<Place>>,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    slot: SlotKey,
    /// Where its bytes end; they begin where those of the slot before end.
    end: u32,
}

impl Input {
    pub fn new() -> Input {
        Input::default()
    }

    pub fn set(&mut self, slot: SlotKey, bytes: &[u8]) {
        let at = self.place_of(slot);
        self.resize(at, bytes.len());
        let range = self.range(at);
        self.bytes[range].copy_from_slice(bytes);
    }

    /// Sets one element of `bytes` width, growing the slot with zeros as needed.
    pub fn set_element(&mut self, slot: SlotKey, element: usize, bytes: &[u8]) {
        let at = self.place_of(slot);
        let from = element * bytes.len();
        if self.range(at).len() < from + bytes.len() {
            self.resize(at, from + bytes.len());
        }
        let from = self.range(at).start + from;
        self.bytes[from..from + bytes.len()].copy_from_slice(bytes);
    }

    pub fn get(&self, slot: SlotKey) -> Option<&[u8]> {
        let at = self.find(slot).ok()?;
        Some(&self.bytes[self.range(at)])
    }

    pub fn iter(&self) -> impl Iterator<Item = (SlotKey, &[u8])> {
        let slots = self.places.iter().enumerate();
        slots.map(|(at, place)| (place.slot, &self.bytes[self.range(at)]))
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    fn find(&self, slot: SlotKey) -> Result<usize, usize> {
        self.places.binary_search_by_key(&slot, |place| place.slot)
    }

    /// The place of a slot, which is made when there is none.
    fn place_of(&mut self, slot: SlotKey) -> usize {
        self.find(slot).unwrap_or_else(|at| {
            let end = self.start(at) as u32;
            Arc::make_mut(&mut self.places).insert(at, Place { slot, end });
            at
        })
    }

    fn start(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.places[before].end as usize)
    }

    fn range(&self, at: usize) -> Range<usize> {
        self.start(at)..self.places[at].end as usize
    }

    /// Gives a slot another length; new bytes are zero.
    fn resize(&mut self, at: usize, length: usize) {
        let range = self.range(at);
        if length == range.len() {
            return;
        }
        let kept = range.start + length.min(range.len());
        let new = length.saturating_sub(range.len());
        self.bytes.splice(kept..range.end, std::iter::repeat_n(0, new));
        for place in &mut Arc::make_mut(&mut self.places)[at..] {
            place.end = (place.end as usize + length - range.len()) as u32;
        }
    }

    /// The file that a replay image reads: `hash occurrence bytes`, hexadecimal, a slot per line.
    pub fn to_replay_text(&self) -> String {
        let mut text = String::from("concertino-input 1\n");
        for (slot, bytes) in self.iter() {
            let _ = write!(text, "{:016x} {:x} ", slot.hash, slot.occurrence);
            for byte in bytes {
                let _ = write!(text, "{byte:02x}");
            }
            text.push('\n');
        }
        text
    }

    /// Lays the input out in its region.
    pub(crate) fn write(&self, region: &mut [u8]) -> Result<(), ExecuteError> {
        const HEAD: usize = 8;
        const ENTRY: usize = size_of::<InputEntry>();
        let table = HEAD + self.places.len() * ENTRY;
        let size = table + self.bytes.len();
        if size > region.len() {
            return Err(ExecuteError::InputTooLarge { size, room: region.len() });
        }
        region[..4].copy_from_slice(&(self.places.len() as u32).to_ne_bytes());
        region[4..HEAD].fill(0);
        let (entries, contents) = region.split_at_mut(table);
        contents[..self.bytes.len()].copy_from_slice(&self.bytes);
        let mut from = 0;
        for (place, entry) in self.places.iter().zip(entries[HEAD..].chunks_exact_mut(ENTRY)) {
            entry[..8].copy_from_slice(&place.slot.hash.to_ne_bytes());
            entry[8..12].copy_from_slice(&place.slot.occurrence.to_ne_bytes());
            entry[12..16].copy_from_slice(&(place.end - from).to_ne_bytes());
            entry[16..24].copy_from_slice(&((table + from as usize) as u64).to_ne_bytes());
            from = place.end;
        }
        Ok(())
    }
}

impl FromIterator<(SlotKey, Vec<u8>)> for Input {
    /// The last of several values of a slot counts.
    fn from_iter<T: IntoIterator<Item = (SlotKey, Vec<u8>)>>(slots: T) -> Input {
        let mut input = Input::new();
        for (slot, bytes) in slots.into_iter().collect::<BTreeMap<_, _>>() {
            input.set(slot, &bytes);
        }
        input
    }
}

/// The hash of a slot's printed path (FNV-1a, 64 bit).
pub fn slot_hash(path: &str) -> u64 {
    path.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(hash: u64, occurrence: u32) -> SlotKey {
        SlotKey { hash, occurrence }
    }

    #[test]
    fn elements_grow_the_slot() {
        let mut input = Input::new();
        input.set_element(slot(1, 0), 2, &[7, 8]);
        input.set_element(slot(1, 0), 0, &[1, 2]);
        assert_eq!(input.get(slot(1, 0)), Some(&[1, 2, 0, 0, 7, 8][..]));
    }

    #[test]
    fn slots_between_others_keep_them_whole() {
        let mut input: Input = [(slot(1, 0), vec![1, 2]), (slot(3, 0), vec![5])].into_iter().collect();
        let before = input.clone();
        input.set(slot(2, 0), &[3, 4]);
        input.set(slot(1, 0), &[9]);
        input.set_element(slot(3, 0), 2, &[7]);
        let found: Vec<(u64, Vec<u8>)> =
            input.iter().map(|(slot, bytes)| (slot.hash, bytes.to_vec())).collect();
        assert_eq!(found, [(1, vec![9]), (2, vec![3, 4]), (3, vec![5, 0, 7])]);
        assert_eq!(before.get(slot(1, 0)), Some(&[1, 2][..]), "the input that it was made from is as it was");
        let mut region = [0xff; 8 + 3 * 24 + 6];
        input.write(&mut region).expect("room");
        assert_eq!(region[80..], [9, 3, 4, 5, 0, 7]);
        assert_eq!(region[8 + 48 + 12..][..12], [3, 0, 0, 0, 83, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_region_that_is_too_small_is_an_error() {
        let input: Input = [(slot(1, 0), vec![0; 8])].into_iter().collect();
        assert!(input.write(&mut [0; 39]).is_err());
        assert!(input.write(&mut [0; 40]).is_ok());
    }

    #[test]
    fn replay_text_is_sorted_hexadecimal() {
        let input: Input = [(slot(0xb, 1), vec![255, 1]), (slot(0xb, 0), vec![])].into_iter().collect();
        assert_eq!(
            input.to_replay_text(),
            "concertino-input 1\n000000000000000b 0 \n000000000000000b 1 ff01\n"
        );
    }

    #[test]
    fn hashes_as_the_runtime_does() {
        assert_eq!(slot_hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(slot_hash("a"), 0xaf63_dc4c_8601_ec8c);
    }
}
