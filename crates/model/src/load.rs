//! The whole way from sources to a [`Program`], one call per step.

use crate::assemble;
use crate::clang::{Libclang, ParseFailure, libclang};
use crate::database::{CompileCommand, Source};
use crate::error::ModelError;
use crate::flags;
use crate::images;
use crate::library::Library;
use crate::parallel;
use crate::parse::{ParsedUnit, parse};
use crate::paths::{Root, tidy};
use crate::program::{Location, Problem, Program};
use crate::variants;
use crate::vendor::{self, Adapted};
use std::path::PathBuf;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Files parsed at the same time; 0: as many as there are processors.
    pub jobs: usize,
    /// The directory that reported paths are relative to; None: chosen from the source.
    pub root: Option<PathBuf>,
    /// Libraries that are linked, besides the C library: paths of shared objects or archives, or names as
    /// after `-l`.
    pub libraries: Vec<String>,
    /// Added to every compile command, after its own flags.
    pub flags: Vec<String>,
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
        let more = flags::clean(&options.flags, &root.path)
            .map_err(|reason| ModelError::Flags { reason: reason.to_string() })?;
        for command in &mut sources.commands {
            command.flags.extend(more.iter().cloned());
        }
        let mut problems = sources.problems;
        let commands = variants::merge(sources.commands, options.jobs);
        let results =
            parallel::map(&commands, options.jobs, |command| parse_adapted(libclang, command, &root));

        let mut units = Vec::new();
        let mut adapted_files = Vec::new();
        for (mut command, result) in commands.into_iter().zip(results) {
            let no_thread =
                || Err(ParseFailure { message: "no thread could be started".into(), place: None });
            match result.unwrap_or_else(no_thread) {
                Ok((unit, adapted)) => {
                    adapted_files.extend(adapted.as_ref().map(|adapted| told(&root, &command, adapted)));
                    command.flags.extend(adapted.into_iter().flat_map(|adapted| adapted.flags));
                    units.push((command, unit));
                }
                Err(failure) => problems.push(problem(&root, &command, failure)),
            }
        }
        if units.is_empty() {
            let first = problems.last().map(ToString::to_string).unwrap_or_default();
            return Err(ModelError::NothingParsed { files: problems.len(), first });
        }
        let library = Library::read(&options.libraries, &mut problems);
        let symbols = images::symbols(&units);
        let complete = problems.is_empty();
        let (mut program, pending) = assemble::program(root, units, &symbols);
        program.images = images::group(&program, &symbols, &library);
        pending.settle(&mut program, &symbols, complete);
        problems.extend(adapted_files);
        program.problems = problems;
        Ok(program)
    }
}

/// A file that does not parse is tried once more, with the words of other compilers defined.
fn parse_adapted(
    libclang: &'static Libclang,
    command: &CompileCommand,
    root: &Root,
) -> Result<(ParsedUnit, Option<Adapted>), ParseFailure> {
    let failure = match parse(libclang, command, root) {
        Ok(unit) => return Ok((unit, None)),
        Err(failure) => failure,
    };
    let again = vendor::adapt(command).and_then(|adapted| {
        let mut command = command.clone();
        command.flags.extend(adapted.flags.iter().cloned());
        Some((parse(libclang, &command, root).ok()?, Some(adapted)))
    });
    again.ok_or(failure)
}

fn told(root: &Root, command: &CompileCommand, adapted: &Adapted) -> Problem {
    let words: Vec<String> = adapted.words.iter().map(|word| format!("`{word}`")).collect();
    Problem {
        location: Some(Location { file: root.relative(&command.path), line: 0, column: 0 }),
        message: format!(
            "clang does not know {}: left out, or taken for what clang has instead",
            words.join(", ")
        ),
    }
}

fn problem(root: &Root, command: &CompileCommand, failure: ParseFailure) -> Problem {
    let location = match &failure.place {
        Some(place) => root.location(place),
        None => Location { file: root.relative(&command.path), line: 0, column: 0 },
    };
    let file = root.relative(&command.path);
    let advice = vendor::advice(&failure.message).map(|advice| format!(" ({advice})")).unwrap_or_default();
    let whose = if location.file == file { String::new() } else { format!("{file} ") };
    let message = format!("{whose}does not compile: {}{advice}", failure.message);
    Problem { location: Some(location), message }
}
