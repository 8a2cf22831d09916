//! Branch coverage of the source's own branches: which sides there are, which were taken.
//!
//! A side is named by place, not by a build's numbers: file, line, column, the how-manyth branch at that
//! place, and the outcome. Inserted checks, drivers, stubs and models have no sides.

mod sides;

pub use sides::{Side, Sides};
