//! Unit + input -> execution. The only crate that runs tested code.
//!
//! A [`Session`] is one instrumented image set up for one unit: a server process in a sandbox that runs an
//! input whenever it is asked to and leaves log and expression table in shared memory. This crate knows how
//! executions are started, limited and ended; it does not know what the log means.

mod ending;
mod error;
mod input;
mod launch;
mod layout;
mod observe;
mod processor;
mod region;
mod replay;
mod sandbox;
mod session;
mod setup;
mod tick;

pub use ending::Ending;
pub use error::ExecuteError;
pub use input::{Input, slot_hash};
pub use observe::{Observed, observe};
pub use replay::{ReplayEnd, ReplayRun, ReplayTarget, SANITIZER_EXIT, replay};
pub use sandbox::SandboxPolicy;
pub use session::{Execution, Session, Statistics};
pub use setup::{Limits, Target, UnitSetup, Way};
