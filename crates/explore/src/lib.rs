//! The search: choose a branch, solve, run, and again.
//!
//! [`explorer`] holds the only loop. It works on a [`subject::Subject`], the shared execution [`tree`] and a
//! [`strategy`]. Knows nothing of processes, solvers or terms outside [`unit`], which connects them.

pub mod explorer;

mod conditions;
pub mod decision;
pub mod subject;

pub mod flow;
pub mod side;
pub mod sites;
pub mod tree;
pub mod way;

pub mod strategy;

pub mod unit;

pub mod conclusion;
pub mod divergence;
pub mod exploration;
pub mod options;

mod by_site;
mod ledger;
mod pairs;
mod policy;
mod random;
mod recent;
#[cfg(test)]
mod simulated;

pub use conclusion::{Conclusion, Reach};
pub use decision::{Decision, Goal, Kind};
pub use exploration::{CandidateAlarm, Exploration, Finished, Place, Statistics, Test};
pub use explorer::explore;
pub use options::{Event, Observer, Options, Progress};
pub use random::Random;
pub use side::{NodeId, Side, SiteId, TestId};
pub use sites::{Counter, Sites};
pub use strategy::{Candidate, News, Strategy, View};
pub use subject::{Blame, Failure, Observed, Subject};
pub use tree::Tree;
pub use unit::Unit;
