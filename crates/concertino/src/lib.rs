//! The command line: arguments to options, options to a campaign, a campaign to reports.
//!
//! Holds no knowledge of C, LLVM or solving; [`pipeline`] makes one call per arrow of the map.

mod annotate;
pub mod args;
pub mod command;
pub mod config;
pub mod event;
pub mod exit;
pub mod interrupt;
pub mod job;
pub mod options;
pub mod pipeline;
pub mod project;
pub mod select;
pub mod sink;
pub mod world;

use args::{Cli, Command};
use exit::{Exit, exit_of};
use job::Pipeline;

/// A search allocates some hundred times per test, and the C library's allocator took a tenth of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs one command. Errors are told on standard error; the exit code says which kind they are.
pub fn run(cli: &Cli, pipeline: &Pipeline) -> Exit {
    let dir = cli.dir.as_deref();
    let outcome = match &cli.command {
        Command::Init(args) => command::init::run(dir, args),
        Command::Test(args) => command::test::run(dir, args, pipeline),
        Command::Profile(args) => command::profile::run(dir, args),
        Command::Units(args) => command::units::run(dir, args),
        Command::Replay(args) => command::replay::run(dir, args, pipeline),
        Command::Coverage(args) => command::coverage::run(dir, args, pipeline),
        Command::Export(args) => command::export::run(dir, args, pipeline),
        Command::Report(args) => command::report::run(dir, args),
        Command::Explain(args) => command::explain::run(dir, args),
        Command::Compare(args) => command::compare::run(dir, args, pipeline),
        Command::Measure => command::worker::measure(pipeline),
        Command::Worker => command::worker::run(pipeline),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("concertino: {error:#}");
        exit_of(&error)
    })
}
