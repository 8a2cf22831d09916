//! One input of a unit as a file that a person can read and `concertino replay` takes.
//!
//! The file is JSON; its name is the hash of its contents, so equal inputs are stored once and a file that
//! was cut short by a crash is never mistaken for a whole one.

use crate::FunctionName;
use crate::error::{CampaignError, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

pub const INPUT_VERSION: u32 = 1;

/// Values of all slots that an execution asked for. A missing slot reads as zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    pub version: u32,
    /// The function under test, whose driver reads the slots.
    pub function: FunctionName,
    pub slots: Vec<Slot>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// As the driver writes it: `hdr->flags.urgent`.
    pub path: String,
    /// The key of the slot in the tested process, with `occurrence`.
    #[serde(with = "hex_u64")]
    pub hash: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub occurrence: u32,
    /// Width of one element: 8, 16, 32, 64.
    pub bits: u16,
    /// Little-endian, as in memory.
    #[serde(with = "hex_bytes")]
    pub bytes: Vec<u8>,
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}

impl Input {
    pub fn new(function: FunctionName, slots: Vec<Slot>) -> Input {
        Input { version: INPUT_VERSION, function, slots }
    }

    /// The contents of an input file.
    pub fn to_text(&self) -> String {
        // Strings and numbers only: writing JSON cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    pub fn from_text(path: &Path, text: &str) -> Result<Input> {
        let wrong = |message: String| CampaignError::NotAnInput { path: path.to_owned(), message };
        let input: Input = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if input.version != INPUT_VERSION {
            return Err(wrong(format!("its version is {}, not {INPUT_VERSION}", input.version)));
        }
        Ok(input)
    }

    /// Reads a file that the user named, edited by hand or not.
    pub fn read(path: &Path) -> Result<Input> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| CampaignError::File { path: path.to_owned(), source })?;
        Input::from_text(path, &text)
    }
}

impl Slot {
    /// The elements as unsigned numbers; a rest that is no whole element is dropped.
    pub fn elements(&self) -> Vec<u64> {
        let width = usize::from(self.bits.div_ceil(8)).clamp(1, 8);
        self.bytes
            .chunks_exact(width)
            .map(|chunk| chunk.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
            .collect()
    }
}

mod hex_u64 {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{value:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map_err(|_| D::Error::custom(format!("`{text}` is not a slot hash")))
    }
}

mod hex_bytes {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::fmt::Write;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        to.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
        match digits {
            Some(digits) if digits.len() % 2 == 0 => {
                Ok(digits.chunks_exact(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
            }
            _ => Err(D::Error::custom("bytes must be an even number of hexadecimal digits")),
        }
    }
}
