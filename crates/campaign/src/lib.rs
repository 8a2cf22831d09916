//! A campaign: what was found so far, on disk, and the pool of worker processes that finds more.
//!
//! Knows SQLite, files, processes. Does not know how a function is tested: a unit of work is one line of
//! JSON to a worker process and one line back.

pub mod fingerprint;
pub mod input;
pub mod record;

pub use fingerprint::fingerprint;
pub use input::{Input, Slot};
pub use record::*;
pub use wire::{Class, End};
