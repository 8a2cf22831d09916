//! Names for places: a translation unit's tag and a number inside it.
//!
//! The tag is a hash of the unit's path and flags, so adding a file renumbers nothing.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in an instrumented translation unit: a branch, switch, check, memory access or call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SiteKey {
    pub tu: u32,
    pub site: u32,
}

/// A function in an instrumented translation unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionKey {
    pub tu: u32,
    pub function: u32,
}

/// Which input: the hash of a slot's path, and how often that path was asked for before in this run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SlotKey {
    pub hash: u64,
    pub occurrence: u32,
}

/// What a function does when it is entered. The byte is read in the function's own prologue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Mode {
    Real = 0,
    Stub = 1,
    /// Real, with its inputs recorded on entry.
    Capture = 2,
}

impl fmt::Debug for SiteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{:08x}.{}", self.tu, self.site)
    }
}

impl fmt::Debug for FunctionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{:08x}.{}", self.tu, self.function)
    }
}

impl fmt::Debug for SlotKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{:016x}#{}", self.hash, self.occurrence)
    }
}
