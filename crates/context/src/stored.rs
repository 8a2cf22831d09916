//! Profiles on disk: one JSON file per recording, so that recordings add up and one can be taken away again.
//!
//! Functions are named by file and name, never by numbers of one build; names that the program does not have
//! (any more) are counted and left out.

use crate::profile::{Profile, TestProfile};
use model::{FunctionId, Program};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ProfileError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{path} is not a profile ({source}); remove it and record again with `concertino profile`")]
    Parse { path: PathBuf, source: serde_json::Error },
}

/// A function as recordings name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionRef {
    pub file: String,
    pub name: String,
}

/// One recording.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileRun {
    /// The command as it was given.
    pub command: String,
    /// Functions by number, as the tests refer to them.
    pub functions: Vec<FunctionRef>,
    pub tests: Vec<RecordedTest>,
}

/// One process of the program under test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedTest {
    pub edges: BTreeSet<(u32, u32)>,
    pub ran: BTreeSet<u32>,
}

impl ProfileRun {
    pub fn write(&self, path: &Path) -> Result<(), ProfileError> {
        let failed = |source| ProfileError::Write { path: path.to_owned(), source };
        let text = serde_json::to_vec(self).map_err(|error| failed(error.into()))?;
        let part = path.with_extension("part");
        std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path)).map_err(failed)
    }

    /// All recordings of a directory, in the order of their names; none when there is no directory.
    pub fn read_all(directory: &Path) -> Result<Vec<ProfileRun>, ProfileError> {
        let mut paths: Vec<PathBuf> = match std::fs::read_dir(directory) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(ProfileError::Read { path: directory.to_owned(), source }),
        };
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let read = |path: PathBuf| {
            let text =
                std::fs::read(&path).map_err(|source| ProfileError::Read { path: path.clone(), source })?;
            serde_json::from_slice(&text).map_err(|source| ProfileError::Parse { path, source })
        };
        paths.into_iter().map(read).collect()
    }
}

impl Profile {
    /// Recordings in the numbers of a program, and how many of their functions the program does not have.
    pub fn of_runs(runs: &[ProfileRun], program: &Program) -> (Profile, usize) {
        let known: BTreeMap<(&str, &str), FunctionId> = program
            .functions
            .iter()
            .map(|function| ((function.location.file.as_str(), function.name.as_str()), function.id))
            .collect();
        let mut profile = Profile::default();
        let mut unknown = BTreeSet::new();
        for run in runs {
            let ids: Vec<Option<FunctionId>> = run
                .functions
                .iter()
                .map(|function| known.get(&(function.file.as_str(), function.name.as_str())).copied())
                .collect();
            unknown.extend(run.functions.iter().zip(&ids).filter(|(_, id)| id.is_none()).map(|(f, _)| f));
            let id = |number: &u32| ids.get(*number as usize).copied().flatten();
            for test in &run.tests {
                let edges = test.edges.iter().filter_map(|(from, to)| Some((id(from)?, id(to)?)));
                profile.tests.push(TestProfile::new(edges, test.ran.iter().filter_map(id)));
            }
        }
        (profile, unknown.len())
    }
}
