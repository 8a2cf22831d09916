//! Where the compiler, the linker and our instrumenter are, and how a tool is run.

use crate::BuildError;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs a build needs, found once.
#[derive(Clone, Debug)]
pub struct Tools {
    pub clang: PathBuf,
    pub instrumenter: PathBuf,
}

impl Tools {
    /// `CONCERTINO_CLANG` and `CONCERTINO_INSTRUMENT` override; else clang-19 from the usual places and the
    /// instrumenter beside the running program.
    pub fn find() -> Result<Tools, BuildError> {
        let clang = match from_environment("CONCERTINO_CLANG")? {
            Some(clang) => clang,
            None => on_path("clang-19")
                .or_else(|| existing(PathBuf::from("/usr/lib/llvm-19/bin/clang")))
                .ok_or(BuildError::MissingTool {
                    tool: "clang-19",
                    remedy: "install LLVM 19 (Debian: clang-19, lld-19)",
                    variable: "CONCERTINO_CLANG",
                })?,
        };
        let instrumenter = match from_environment("CONCERTINO_INSTRUMENT")? {
            Some(instrumenter) => instrumenter,
            None => beside_this_program().or_else(|| on_path("concertino-instrument")).ok_or(
                BuildError::MissingTool {
                    tool: "concertino-instrument",
                    remedy: "put it beside concertino (`make build` builds both)",
                    variable: "CONCERTINO_INSTRUMENT",
                },
            )?,
        };
        Ok(Tools { clang, instrumenter })
    }
}

fn from_environment(variable: &'static str) -> Result<Option<PathBuf>, BuildError> {
    let named = std::env::var_os(variable).filter(|named| !named.is_empty()).map(PathBuf::from);
    match named {
        Some(path) if !path.is_file() => Err(BuildError::WrongTool { variable, path }),
        named => Ok(named),
    }
}

fn existing(path: PathBuf) -> Option<PathBuf> {
    path.is_file().then_some(path)
}

fn on_path(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).find_map(|directory| existing(directory.join(name)))
}

/// In the same directory, or one above (test binaries live in `deps/`).
fn beside_this_program() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    program
        .ancestors()
        .skip(1)
        .take(2)
        .find_map(|directory| existing(directory.join("concertino-instrument")))
}

/// Runs a tool to its end; its standard error is the message when it fails.
pub(crate) fn run(command: &mut Command, file: &Path, step: &'static str) -> Result<(), BuildError> {
    run_and_hear(command, file, step).map(drop)
}

/// The same; gives back what the tool wrote to its standard error.
pub(crate) fn run_and_hear(
    command: &mut Command,
    file: &Path,
    step: &'static str,
) -> Result<String, BuildError> {
    let output = command
        .output()
        .map_err(|source| BuildError::Spawn { program: PathBuf::from(command.get_program()), source })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let mut message = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    if message.is_empty() {
        message = format!("ended with {}", output.status);
    }
    Err(BuildError::Step { file: file.to_owned(), step, message })
}
