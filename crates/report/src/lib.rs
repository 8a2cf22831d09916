//! What a campaign found, for people and for scripts: terminal summary, JSON document, explanations.
//!
//! Reads a [`campaign::View`] and the sources; gives back text. Prints nothing, decides nothing about alarms,
//! and does not know how they were found.

pub mod alarm;
pub mod excerpt;
pub mod explain;
pub mod json;
pub mod style;
pub mod summary;
pub mod values;

pub use explain::{Explained, explain};
pub use json::Document;
pub use style::Style;
pub use summary::summary;

use campaign::{Directory, View};
use std::path::Path;

/// A campaign with its surroundings: where the sources and the inputs are.
#[derive(Clone, Copy, Debug)]
pub struct Findings<'a> {
    pub view: &'a View,
    /// Paths of sources are relative to it.
    pub root: &'a Path,
    pub directory: &'a Directory,
    /// The command that replays an alarm, up to the alarm's id, as it works where the reader is.
    pub replay: &'a str,
}

/// "1 alarm", "2 alarms".
pub fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
