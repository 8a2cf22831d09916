//! What a session is asked to run, and within which limits.

use crate::SandboxPolicy;
use std::path::PathBuf;
use std::time::Duration;
use wire::{Class, FunctionKey, Mode};

/// An instrumented image and the only directory its code may write to (also its working directory).
#[derive(Clone, Debug)]
pub struct Target {
    pub image: PathBuf,
    pub scratch: PathBuf,
    pub sandbox: SandboxPolicy,
    /// Keep what the code prints in `output.txt` of the scratch directory, up to `Limits::file_size`.
    pub keep_output: bool,
}

impl Target {
    pub fn new(image: impl Into<PathBuf>, scratch: impl Into<PathBuf>) -> Target {
        Target {
            image: image.into(),
            scratch: scratch.into(),
            sandbox: SandboxPolicy::Require,
            keep_output: false,
        }
    }
}

/// A unit is data: which driver runs, and what each function does when it is entered.
#[derive(Clone, Debug)]
pub struct UnitSetup {
    /// Translation unit and index in its driver table.
    pub driver: (u32, u32),
    /// For every function that `modes` does not name.
    pub default_mode: Mode,
    pub modes: Vec<(FunctionKey, Mode)>,
    /// Classes of inserted checks that are on.
    pub checks: Vec<Class>,
    /// Do not log symbolic checks; violations that happen still end the execution.
    pub quiet_checks: bool,
    /// Report every covered counter of each execution, not only the first hits of the process.
    pub full_coverage: bool,
}

impl UnitSetup {
    /// All functions real, all checks on.
    pub fn new(driver: (u32, u32)) -> UnitSetup {
        UnitSetup {
            driver,
            default_mode: Mode::Real,
            modes: Vec::new(),
            checks: Class::ALL.to_vec(),
            quiet_checks: false,
            full_coverage: false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Limits {
    /// Of processor time; ten times as long if the execution only waits.
    pub time_per_execution: Duration,
    pub start_time: Duration,
    /// Bytes of heap that an execution may hold.
    pub heap: u64,
    /// Entries of the expression table and of the path log.
    pub nodes: u32,
    pub log: u32,
    /// Bytes for snapshots of objects read at symbolic addresses, for slot names, for the input.
    pub data: u64,
    pub names: u64,
    pub input: u64,
    /// Largest object, in bytes, that a symbolic read or write is expressed over; a constant one may be eight times as large.
    pub read: u32,
    pub write: u32,
    /// Branch records per site and execution (0 = no limit).
    pub site: u32,
    /// Bytes of any file that the code writes.
    pub file_size: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time_per_execution: Duration::from_secs(1),
            start_time: Duration::from_secs(10),
            heap: 256 << 20,
            nodes: 1 << 20,
            log: 1 << 20,
            data: 64 << 20,
            names: 8 << 20,
            input: 4 << 20,
            read: 4096,
            write: 256,
            site: 0,
            file_size: 16 << 20,
        }
    }
}

/// How executions are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// One worker runs many executions; its memory is reset after each.
    Persistent,
    /// A fresh process for each.
    Fork,
}
