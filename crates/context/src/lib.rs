//! Realistic surroundings for a function under test: which functions belong to its unit, and through which
//! calls the program reaches it.
//!
//! Pure functions over the static call graph and the profile of system tests. Runs nothing and decides
//! nothing about alarms; the techniques are those of CONCERT, CONBRIO, FOCAL and MAIST, and plain symbolic
//! unit testing with a bound on the distance in the call graph.

mod calling;
mod estimate;
mod profile;
mod relevance;
mod roots;
mod stored;
mod unit;

pub use calling::{Context, Contexts, calling_contexts};
pub use estimate::Estimate;
pub use profile::{Profile, TestProfile};
pub use relevance::{Dependency, Relevance, Table, correlation, phi};
pub use roots::{Roots, roots};
pub use stored::{FunctionRef, ProfileError, ProfileRun, RecordedTest};
pub use unit::{Member, Technique, TechniqueError, Unit, unit_of};

/// The threshold of CONCERT's correlation and of CONBRIO's dependency.
pub const TAU: f64 = 0.7;
