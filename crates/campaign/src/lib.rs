//! A campaign: what was found so far, on disk, and the pool of worker processes that finds more.
//!
//! Knows SQLite, files, processes. Does not know how a function is tested: a unit of work is one line of
//! JSON to a worker process and one line back.

pub mod directory;
pub mod error;
pub mod fingerprint;
pub mod input;
mod joined;
pub mod pool;
pub mod record;
pub mod store;
pub mod view;
mod worker;

pub use directory::{Directory, Lock};
pub use error::CampaignError;
pub use fingerprint::fingerprint;
pub use input::{Input, Slot};
pub use pool::{Happened, Pool, Reply, run_units};
pub use record::*;
pub use store::{Listed, Outcome, Store};
pub use view::{AlarmView, FunctionView, RunView, SideView, TestView, View, alarm_id};
pub use wire::{Class, End};
