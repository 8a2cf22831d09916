//! What happens during a run, as data. Stages emit events; sinks decide how they look.
//!
//! Nothing else writes to the terminal while a run goes on. With `--progress json` each event is one line on
//! standard error.

use campaign::{Class, FunctionName, Problem, Status};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A stage of the preparation began: `model`, `harness`, `compile`, `instrument`, `link` ...
    Stage {
        name: &'static str,
        total: u64,
    },
    /// `done` of the stage's total are through; `item` was the last one.
    Step {
        done: u64,
        item: String,
    },
    /// Something was left out.
    Problem(Problem),
    /// Worth telling the user, nothing is wrong.
    Note {
        text: String,
    },
    /// Exploration begins: of `total` functions, `unchanged` have results already; they cover
    /// `covered` of the program's branch sides.
    Campaign {
        total: u64,
        unchanged: u64,
        jobs: u64,
        seconds_per_function: u64,
        covered: u64,
        branches: u64,
    },
    Started {
        function: FunctionName,
    },
    Progress {
        function: FunctionName,
        executions: u64,
        paths: u64,
    },
    Finished {
        function: FunctionName,
        status: Status,
        reason: Option<String>,
        covered: u64,
        branches: u64,
        tests: u64,
        paths: u64,
        alarms: u64,
        time_ms: u64,
        /// Of the whole program, with this function's tests.
        program_covered: u64,
        program_branches: u64,
    },
    Alarm {
        id: String,
        class: Class,
        file: String,
        line: u32,
        function: String,
    },
    /// The user asked to stop; what is finished is kept.
    Stopping,
}
