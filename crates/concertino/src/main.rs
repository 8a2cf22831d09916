//! The program `concertino`.

use clap::Parser;
use concertino::args::Cli;
use concertino::exit::Exit;
use concertino::job::Pipeline;
use concertino::pipeline;
use std::process::ExitCode;

const PIPELINE: Pipeline = Pipeline {
    prepare: pipeline::prepare,
    explore_unit: pipeline::explore_unit,
    confirm: pipeline::confirm,
    in_context: pipeline::in_context,
    replay: pipeline::replay,
    measure: pipeline::measure,
    cover: pipeline::cover,
    export: pipeline::export,
};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let exit = std::panic::catch_unwind(|| concertino::run(&cli, &PIPELINE)).unwrap_or_else(|_| {
        eprintln!("concertino: this is a bug in concertino, not in your code; finished results are kept");
        Exit::Internal
    });
    exit.into()
}
