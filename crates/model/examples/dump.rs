//! Prints the model of a project: `cargo run --example dump -- PATH [FLAG...]`.
//!
//! PATH is a compile database or a directory; flags make it a plain directory.

use model::{Options, Program, Source};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: dump PATH [FLAG...]");
        return ExitCode::from(2);
    };
    let flags: Vec<String> = arguments.collect();
    let source = if flags.is_empty() { Source::Find(path) } else { Source::Directory { path, flags } };
    match Program::load(&source, &Options::default()) {
        Ok(program) => {
            print!("{program}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
