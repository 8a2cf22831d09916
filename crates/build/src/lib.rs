//! From a [`model::Program`] to runnable images: harness text, bitcode, instrumented objects, links.
//!
//! Every step is a subprocess (clang, `concertino-instrument`), so that a crash of LLVM is a reported
//! problem and not the end. Work is parallel over files and skipped for files whose inputs did not
//! change. Knows command lines; does not know LLVM's API, executions or campaigns.

mod compile;
mod error;
mod image;
mod parallel;
mod recorded;
mod runtime_build;
mod stamp;
mod tools;
mod unit;

pub use error::BuildError;
pub use image::{BuiltImage, ImageKind, link_image};
pub use parallel::for_each;
pub use recorded::{Recorder, Recording, WriteCaptures};
pub use runtime_build::BuiltRuntime;
pub use tools::Tools;
pub use unit::{BuiltUnit, UnitBuilder, WriteHarness};
