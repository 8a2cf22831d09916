//! What crosses into the tested process: layouts, ids, log records, ways to end.
//!
//! The explorer (Rust) and the runtime inside the tested program (C) share one memory file. This crate
//! is the Rust side of that contract; `crates/runtime/c/wire.h` and `digest.h` are the C side. A test compiles the
//! headers and compares every constant, size, offset and digest, so the two cannot drift apart.

pub mod class;
pub mod digest;
pub mod end;
pub mod layout;
pub mod log;
pub mod node;
pub mod site;

pub use class::Class;
pub use end::{End, NULL_PAGE};
pub use layout::{Header, InputEntry, ModeEntry, State};
pub use log::{Record, RecordKind};
pub use node::{MemLabel, Node, Op};
pub use site::{FunctionKey, Mode, SiteKey, SlotKey};
