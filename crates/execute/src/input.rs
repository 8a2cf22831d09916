//! The input of an execution: bytes for slots. Slots that it does not name read as zero.

use crate::ExecuteError;
use std::collections::BTreeMap;
use std::fmt::Write;
use wire::{InputEntry, SlotKey};

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Input {
    slots: BTreeMap<SlotKey, Vec<u8>>,
}

impl Input {
    pub fn new() -> Input {
        Input::default()
    }

    pub fn set(&mut self, slot: SlotKey, bytes: impl Into<Vec<u8>>) {
        self.slots.insert(slot, bytes.into());
    }

    /// Sets one element of `bytes` width, growing the slot with zeros as needed.
    pub fn set_element(&mut self, slot: SlotKey, element: usize, bytes: &[u8]) {
        let values = self.slots.entry(slot).or_default();
        let from = element * bytes.len();
        if values.len() < from + bytes.len() {
            values.resize(from + bytes.len(), 0);
        }
        values[from..from + bytes.len()].copy_from_slice(bytes);
    }

    pub fn get(&self, slot: SlotKey) -> Option<&[u8]> {
        self.slots.get(&slot).map(Vec::as_slice)
    }

    pub fn iter(&self) -> impl Iterator<Item = (SlotKey, &[u8])> {
        self.slots.iter().map(|(slot, bytes)| (*slot, bytes.as_slice()))
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The file that a replay image reads: `hash occurrence bytes`, hexadecimal, a slot per line.
    pub fn to_replay_text(&self) -> String {
        let mut text = String::from("concertino-input 1\n");
        for (slot, bytes) in &self.slots {
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
        let table = HEAD + self.slots.len() * ENTRY;
        let size = table + self.slots.values().map(Vec::len).sum::<usize>();
        if size > region.len() {
            return Err(ExecuteError::InputTooLarge { size, room: region.len() });
        }
        region[..4].copy_from_slice(&(self.slots.len() as u32).to_ne_bytes());
        region[4..HEAD].fill(0);
        let (entries, contents) = region.split_at_mut(table);
        let mut used = 0;
        for ((slot, bytes), entry) in self.slots.iter().zip(entries[HEAD..].chunks_exact_mut(ENTRY)) {
            entry[..8].copy_from_slice(&slot.hash.to_ne_bytes());
            entry[8..12].copy_from_slice(&slot.occurrence.to_ne_bytes());
            entry[12..16].copy_from_slice(&(bytes.len() as u32).to_ne_bytes());
            entry[16..24].copy_from_slice(&((table + used) as u64).to_ne_bytes());
            contents[used..used + bytes.len()].copy_from_slice(bytes);
            used += bytes.len();
        }
        Ok(())
    }
}

impl FromIterator<(SlotKey, Vec<u8>)> for Input {
    fn from_iter<T: IntoIterator<Item = (SlotKey, Vec<u8>)>>(slots: T) -> Input {
        Input { slots: slots.into_iter().collect() }
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
