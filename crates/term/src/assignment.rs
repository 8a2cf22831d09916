//! Input variables and their values.
//!
//! A variable is one element of an input slot. What an assignment does not name reads as zero, as the
//! runtime reads missing slots.

use rustc_hash::FxHashMap;
use std::fmt;
use wire::SlotKey;

/// One element of an input slot; `bits` is the element's width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var {
    pub slot: SlotKey,
    pub element: u32,
    pub bits: u16,
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}[{}]:{}", self.slot, self.element, self.bits)
    }
}

/// Where values of input variables come from.
pub trait Values {
    /// The value that the tested program would read.
    fn value(&self, var: Var) -> u64;
}

/// Values of input variables.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Assignment {
    values: FxHashMap<Var, u64>,
}

impl Assignment {
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// The value given to `var`, if any.
    pub fn get(&self, var: Var) -> Option<u64> {
        self.values.get(&var).copied()
    }

    /// The value that the tested program would read.
    pub fn value(&self, var: Var) -> u64 {
        self.get(var).unwrap_or(0)
    }

    pub fn set(&mut self, var: Var, value: u64) {
        let mask = if var.bits >= 64 { u64::MAX } else { (1 << var.bits) - 1 };
        self.values.insert(var, value & mask);
    }

    /// Gives every element of a slot its value from the slot's little-endian bytes; missing bytes are zero.
    pub fn set_bytes(&mut self, slot: SlotKey, bits: u16, count: u32, bytes: &[u8]) {
        let width = usize::from(bits / 8).clamp(1, 8);
        let mut elements = bytes.chunks(width);
        for element in 0..count {
            let mut value = [0; 8];
            if let Some(chunk) = elements.next() {
                value[..chunk.len()].copy_from_slice(chunk);
            }
            self.set(Var { slot, element, bits }, u64::from_le_bytes(value));
        }
    }

    /// Takes over every value of `other`.
    pub fn merge(&mut self, other: &Assignment) {
        self.values.extend(other.iter_unordered());
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All values in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, u64)> {
        let mut all: Vec<(Var, u64)> = self.iter_unordered().collect();
        all.sort_unstable();
        all.into_iter()
    }

    fn iter_unordered(&self) -> impl Iterator<Item = (Var, u64)> {
        self.values.iter().map(|(var, value)| (*var, *value))
    }
}

impl Values for Assignment {
    fn value(&self, var: Var) -> u64 {
        Assignment::value(self, var)
    }
}

impl FromIterator<(Var, u64)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (Var, u64)>>(values: I) -> Assignment {
        let mut assignment = Assignment::new();
        for (var, value) in values {
            assignment.set(var, value);
        }
        assignment
    }
}

impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: SlotKey = SlotKey { hash: 7, occurrence: 0 };

    #[test]
    fn bytes_become_little_endian_elements_and_missing_ones_zero() {
        let mut assignment = Assignment::new();
        assignment.set_bytes(SLOT, 16, 3, &[1, 2, 3]);
        let values: Vec<u64> = assignment.iter().map(|(_, value)| value).collect();
        assert_eq!(values, [0x0201, 3, 0]);
    }

    #[test]
    fn values_are_cut_to_their_width_and_missing_ones_read_as_zero() {
        let byte = Var { slot: SLOT, element: 0, bits: 8 };
        let assignment = Assignment::from_iter([(byte, 0x1ff)]);
        assert_eq!(assignment.value(byte), 0xff);
        assert_eq!(assignment.value(Var { element: 1, ..byte }), 0);
    }

    #[test]
    fn merging_prefers_the_other() {
        let byte = Var { slot: SLOT, element: 0, bits: 8 };
        let mut assignment = Assignment::from_iter([(byte, 1)]);
        assignment.merge(&Assignment::from_iter([(byte, 2)]));
        assert_eq!(assignment.value(byte), 2);
    }
}
