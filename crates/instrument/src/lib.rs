//! Bitcode in, instrumented object file and site table out: the only crate that knows LLVM.
//!
//! LLVM ends the process when it meets something it cannot handle, so the work is done by a program of its
//! own, `concertino-instrument`; [`run`] starts it and reports what it says. What the instrumentation does
//! and in which order is told in `passes`. It knows nothing of solving, inputs or units under test.

mod body;
mod builder;
mod ir;
mod leaf;
mod module;
mod passes;
mod spawn;
mod unit;

pub use module::instrument;
pub use spawn::{SpawnError, run};

use std::path::PathBuf;

/// What is inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Labels, checks, coverage, redzones and the entry switch of every function.
    Explore,
    /// Only the entry switch: for native replay under sanitizers. The result is bitcode for clang.
    Switch,
}

/// One translation unit's work.
#[derive(Clone, Debug)]
pub struct Request {
    pub mode: Mode,
    /// The unit's tag.
    pub tu: u32,
    pub input: PathBuf,
    /// Bitcode of the runtime's inline functions; not needed in `Switch` mode.
    pub inline: Option<PathBuf>,
    /// Lines `strlen ctn_model_strlen`: declarations to rename.
    pub redirects: Option<PathBuf>,
    /// Object file to write (bitcode in `Switch` mode).
    pub output: PathBuf,
    /// Site table to write, JSON.
    pub sites: PathBuf,
    /// Also write the final bitcode, for people.
    pub emit_bitcode: Option<PathBuf>,
    /// Optimisation after instrumenting, 0 to 3.
    pub optimise: u8,
}

/// Why a unit could not be instrumented.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {path}: {message}")]
    Read { path: PathBuf, message: String },
    #[error("cannot write {path}: {message}")]
    Write { path: PathBuf, message: String },
    #[error("line {line} of {path} is not a pair of names")]
    Redirect { path: PathBuf, line: usize },
    #[error("the inline bitcode lacks {0}")]
    MissingHooks(String),
    #[error("{stage}: {message}")]
    Llvm { stage: &'static str, message: String },
    #[error("the module is not valid {stage}: {message}")]
    Invalid { stage: &'static str, message: String },
}
