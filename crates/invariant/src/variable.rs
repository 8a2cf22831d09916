//! What invariants are about: an input, or what is measured of one.

use campaign::{Input, Slot};
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Variable {
    /// The slot's.
    pub path: String,
    pub hash: u64,
    /// Of one element.
    pub bits: u16,
    pub measure: Measure,
}

/// What of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Measure {
    /// Its value; of several, the first. `signed` where values are below zero, so far as samples tell.
    Value { signed: bool },
    /// Whether a pointer is null: 1 if it is.
    Null,
    /// Which other input a pointer equals; 0 for none.
    Alias,
    /// The characters before the first NUL.
    Length,
}

pub(crate) const NULL: &str = "?null";
pub(crate) const ALIAS: &str = "?alias";

impl Variable {
    /// Its value in an input that has it.
    pub fn value(&self, input: &Input) -> Option<i128> {
        let slot = input.slots.iter().find(|slot| slot.hash == self.hash && slot.occurrence == 0)?;
        Some(match self.measure {
            Measure::Value { .. } | Measure::Alias => self.read(first(slot)),
            Measure::Null => i128::from(first(slot) == 1),
            Measure::Length => length(slot),
        })
    }

    /// Bits as a number.
    pub fn read(&self, bits: u64) -> i128 {
        let half = 1i128 << (self.bits.clamp(1, 64) - 1);
        match i128::from(bits) {
            value if self.measure == (Measure::Value { signed: true }) && value >= half => value - 2 * half,
            value => value,
        }
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.measure {
            Measure::Value { .. } => write!(to, "{}", self.path),
            Measure::Null => write!(to, "{}", self.path.trim_end_matches(NULL)),
            Measure::Alias => write!(to, "{}", self.path.trim_end_matches(ALIAS)),
            Measure::Length => write!(to, "length of {}", self.path),
        }
    }
}

/// What is not told is zero.
pub(crate) fn first(slot: &Slot) -> u64 {
    let width = usize::from(slot.bits.div_ceil(8)).clamp(1, 8);
    slot.bytes.iter().take(width).rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

fn length(slot: &Slot) -> i128 {
    slot.bytes.iter().position(|byte| *byte == 0).unwrap_or(slot.bytes.len()) as i128
}
