//! What a campaign found, for people, scripts and other tools: terminal summary, JSON document, explanations,
//! measured coverage as lcov, Cobertura and gcov write it, JUnit.
//!
//! Reads a [`campaign::View`], a [`coverage::Measured`] and the sources; gives back text. Prints nothing, decides nothing about alarms,
//! and does not know how they were found.

pub mod alarm;
pub mod cobertura;
pub mod coverage;
mod evidence;
pub mod excerpt;
pub mod explain;
pub mod gcov;
pub mod json;
pub mod junit;
pub mod lcov;
pub mod style;
pub mod summary;
pub mod values;
mod xml;

pub use cobertura::cobertura;
pub use explain::{Explained, explain};
pub use gcov::gcov;
pub use json::Document;
pub use junit::junit;
pub use lcov::lcov;
pub use style::Style;
pub use summary::summary;

use ::coverage::Measured;
use campaign::{Directory, FunctionName, View};
use std::collections::BTreeMap;
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
    /// What the kept tests cover natively, where that was measured.
    pub measured: Option<&'a Measured>,
    pub invariants: &'a Invariants,
}

/// What holds for all captured calls, by file and name of the function.
pub type Invariants = BTreeMap<(String, String), Vec<String>>;

impl Findings<'_> {
    fn invariants_of(&self, function: &FunctionName) -> &[String] {
        let key = (function.file.clone(), function.name.clone());
        self.invariants.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// "1 alarm", "2 alarms".
pub fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
