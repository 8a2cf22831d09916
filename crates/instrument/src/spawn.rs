//! Starts `concertino-instrument` on one unit and turns its ending into a result. An abort inside LLVM is one
//! unit's reported problem, not the end of the program.

use crate::{Mode, Request};
use std::path::Path;
use std::process::Command;

#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    #[error("cannot start {program}: {source}")]
    Start { program: String, source: std::io::Error },
    /// The instrumenter said what was wrong.
    #[error("{0}")]
    Failed(String),
    /// It died: LLVM met something that it does not handle.
    #[error("the instrumenter was ended by {how}: {said}")]
    Died { how: String, said: String },
}

/// Runs the instrumenter at `program` and waits for it.
pub fn run(program: &Path, request: &Request) -> Result<(), SpawnError> {
    let output = Command::new(program)
        .args(arguments(request))
        .output()
        .map_err(|source| SpawnError::Start { program: program.display().to_string(), source })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
    match output.status.code() {
        Some(1 | 2) => Err(SpawnError::Failed(said)),
        _ => Err(SpawnError::Died { how: output.status.to_string(), said }),
    }
}

fn arguments(request: &Request) -> Vec<std::ffi::OsString> {
    let mode = match request.mode {
        Mode::Explore => "explore",
        Mode::Switch => "switch",
    };
    let mut all: Vec<std::ffi::OsString> = vec!["--mode".into(), mode.into()];
    all.extend(["--tu".into(), format!("{:08x}", request.tu).into()]);
    all.extend(["-O".into(), request.optimise.to_string().into()]);
    let paths = [
        ("--in", Some(&request.input)),
        ("--inline", request.inline.as_ref()),
        ("--redirect", request.redirects.as_ref()),
        ("--out", Some(&request.output)),
        ("--sites", Some(&request.sites)),
        ("--emit-bc", request.emit_bitcode.as_ref()),
    ];
    for (flag, path) in paths {
        if let Some(path) = path {
            all.extend([flag.into(), path.into()]);
        }
    }
    all
}
