//! Runs of search strategies to tables, CSV and plots: who covered how much, how fast, and how sure that is.
//!
//! Text in, text out; knows nothing of programs, strategies or files.

pub mod run;

pub mod comparison;
pub mod statistics;

pub mod csv;
pub mod plot;
pub mod table;

pub use comparison::{Comparison, Row, Subject};
pub use run::{Cost, Point, Run};
