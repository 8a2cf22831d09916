//! From a query over terms to an answer. The only crate that knows SMT.
//!
//! A [`Query`] is a conjunction of 1-bit terms whose last one is the negated decision; a [`Solver`] answers it
//! through layers, the cheap ones first. It knows nothing of paths, sites or the search.

mod query;
mod solver;
mod statistics;

mod layers;
mod problem;

mod bitwuzla;
mod encode;
mod formula;
mod smtlib;
#[cfg(feature = "z3")]
mod z3;

pub use query::{Answer, Query, Reason};
pub use smtlib::smtlib;
pub use solver::{Options, Solver};
pub use statistics::{LayerStatistics, Statistics};
#[cfg(feature = "z3")]
pub use z3::second_opinion;
