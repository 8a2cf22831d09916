//! The whole way from sources to a [`Program`], one call per step.

use crate::assemble;
use crate::clang::{ParseFailure, libclang};
use crate::database::{CompileCommand, Source};
use crate::error::ModelError;
use crate::images;
use crate::library::Library;
use crate::parse::{ParsedUnit, parse};
use crate::paths::{Root, tidy};
use crate::program::{Location, Problem, Program};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Files parsed at the same time; 0: as many as there are processors.
    pub jobs: usize,
    /// The directory that reported paths are relative to; None: chosen from the source.
    pub root: Option<PathBuf>,
    /// Libraries that are linked, besides the C library: paths of shared objects or archives, or names as
    /// after `-l`.
    pub libraries: Vec<String>,
}

impl Program {
    /// Parses everything that `source` names. Files that do not parse are problems of the program.
    pub fn load(source: &Source, options: &Options) -> Result<Program, ModelError> {
        let libclang = libclang()?;
        let mut sources = source.read()?;
        if let Some(root) = &options.root {
            let absolute = std::path::absolute(root)
                .map_err(|source| ModelError::Read { path: root.clone(), source })?;
            sources.root = tidy(&absolute);
        }
        let root = Root { path: sources.root };
        let mut problems = sources.problems;
        let results = in_parallel(&sources.commands, options.jobs, |command| parse(libclang, command, &root));

        let mut units = Vec::new();
        for (command, result) in sources.commands.into_iter().zip(results) {
            match result {
                Ok(unit) => units.push((command, unit)),
                Err(failure) => problems.push(problem(&root, &command, failure)),
            }
        }
        if units.is_empty() {
            let first = problems.last().map(ToString::to_string).unwrap_or_default();
            return Err(ModelError::NothingParsed { files: problems.len(), first });
        }
        let library = Library::read(&options.libraries, &mut problems);
        let symbols = images::symbols(&units);
        let mut program = assemble::program(root, units, &symbols);
        program.images = images::group(&program, &symbols, &library);
        program.problems = problems;
        Ok(program)
    }
}

fn problem(root: &Root, command: &CompileCommand, failure: ParseFailure) -> Problem {
    let location = match &failure.place {
        Some(place) => root.location(place),
        None => Location { file: root.relative(&command.path), line: 0, column: 0 },
    };
    let file = root.relative(&command.path);
    let message = if location.file == file {
        format!("does not compile: {}", failure.message)
    } else {
        format!("{file} does not compile: {}", failure.message)
    };
    Problem { location: Some(location), message }
}

/// Results in the order of the commands, whoever finishes first.
fn in_parallel(
    commands: &[CompileCommand],
    jobs: usize,
    work: impl Fn(&CompileCommand) -> Result<ParsedUnit, ParseFailure> + Sync,
) -> Vec<Result<ParsedUnit, ParseFailure>> {
    // Expressions nest deeply in generated code, and the tree is walked recursively.
    const STACK: usize = 512 << 20;
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = if jobs == 0 { available } else { jobs }.min(commands.len()).max(1);
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<Result<ParsedUnit, ParseFailure>>>> =
        commands.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
                while let Some((command, slot)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    commands.get(i).zip(slots.get(i))
                } {
                    let result = work(command);
                    if let Ok(mut slot) = slot.lock() {
                        *slot = Some(result);
                    }
                }
            });
            // With at least one worker the work gets done.
            drop(worker);
        }
    });
    slots
        .into_iter()
        .map(|slot| {
            slot.into_inner().ok().flatten().unwrap_or_else(|| {
                Err(ParseFailure { message: "no thread could be started to parse it".into(), place: None })
            })
        })
        .collect()
}
