//! The command line: arguments to options, options to a campaign, a campaign to reports.
//!
//! Holds no knowledge of C, LLVM or solving; [`pipeline`] makes one call per arrow of the map.

pub mod config;
pub mod event;
pub mod job;
pub mod options;
pub mod pipeline;
