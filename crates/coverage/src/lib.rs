//! Coverage of the source's own branches and decisions, seen twice.
//!
//! *While exploring*: which sides of branches there are and which were taken, by the instrumented program's
//! counters ([`Sides`]). *Afterwards*: kept tests are replayed in a native build with clang's own coverage,
//! and [`Measurement`] reads what they left behind, down to the test vectors of each decision. Runs no tested
//! code; knows LLVM's coverage tools and formats, and no other crate does.

mod decision;
mod error;
mod llvm;
pub mod mapping;
mod measure;
pub mod measured;
mod minimise;
mod profile;
mod refused;
mod sides;

pub use decision::{Criterion, Vector};
pub use error::MeasureError;
pub use llvm::{CoverageTools, Export};
pub use measure::Measurement;
pub use measured::{Measured, MeasuredFunction, RanTest, Ratio};
pub use profile::Profile;
pub use refused::{Refused, refused_decisions};
pub use sides::{Side, Sides};
