//! The bounds of an exploration, and how its progress is heard.

use crate::exploration::Place;
use crate::tree;
use std::ops::ControlFlow;
use std::time::Duration;
use wire::Class;

#[derive(Clone, Debug)]
pub struct Options {
    pub executions: Option<u64>,
    pub time: Option<Duration>,
    /// For one query.
    pub solver_time: Duration,
    /// Keep every execution as a test, not only those with new coverage or an alarm.
    pub keep_all: bool,
    /// Tell sides that no input takes from those that no input takes which the driver can make. Costs a second
    /// question for each.
    pub beyond_limits: bool,
    /// Look for inputs that violate checks. What is behind a check that failed by itself is looked for anyhow.
    pub violations: bool,
    /// Stop when every measured side is covered and no check waits for its first question.
    pub stop_when_covered: bool,
    /// Spend some of the questions on pairs of inputs that MC/DC misses.
    pub pairs: bool,
    /// Infeasible answers after which a check's site waits until nothing else is left, and after which it is
    /// not asked for again.
    pub check_patience: u32,
    pub check_limit: u32,
    /// Other values looked for at one site whose value had to be concrete.
    pub value_limit: u32,
    /// Failures at one side of a site after which only some of the paths to it are asked about, ever fewer; the
    /// others wait until nothing else is left.
    pub side_patience: u32,
    /// Questions without an answer after which a site waits until nothing else is left.
    pub unknown_patience: u32,
    /// Executions that may time out, and that may end in the same fault, before what branches off such paths
    /// has to wait. Both are slow, and more of them say little.
    pub timeout_patience: u64,
    pub fault_patience: u64,
    /// Divergences at a site after which it waits until nothing else is left; after eight times as many it is
    /// not asked for again. Sites where most inputs do what was predicted are exempt.
    pub divergence_patience: u32,
    /// Compare conditions with what happened in the first executions, and then in every n-th.
    pub verify_first: u64,
    pub verify_every: u64,
    /// Bytes of terms and caches after which the subject is reset.
    pub memory: usize,
    pub tree: tree::Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            executions: None,
            time: None,
            solver_time: Duration::from_millis(500),
            keep_all: false,
            beyond_limits: false,
            violations: true,
            stop_when_covered: false,
            pairs: false,
            check_patience: 4,
            check_limit: 64,
            value_limit: 16,
            side_patience: 24,
            unknown_patience: 3,
            timeout_patience: 3,
            fault_patience: 16,
            divergence_patience: 4,
            verify_first: 200,
            verify_every: 64,
            memory: 512 << 20,
            tree: tree::Limits::default(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub executions: u64,
    pub queries: u64,
    pub covered: usize,
    pub total: usize,
    pub alarms: usize,
    pub elapsed: Duration,
}

#[derive(Clone, Copy, Debug)]
pub enum Event {
    Executed(Progress),
    /// The first execution that ended in this way.
    Alarm {
        class: Class,
        place: Place,
    },
}

/// Hears what happens; `Break` ends the exploration.
pub trait Observer {
    fn hear(&mut self, event: Event) -> ControlFlow<()>;
}

/// Nobody listens.
impl Observer for () {
    fn hear(&mut self, _event: Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(Event) -> ControlFlow<()>> Observer for F {
    fn hear(&mut self, event: Event) -> ControlFlow<()> {
        self(event)
    }
}
