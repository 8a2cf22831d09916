//! The directory of a campaign, `.concertino`, and the lock that keeps two runs apart.
//!
//! ```text
//! .concertino/
//!   campaign.sqlite   results
//!   inputs/ab/...     one JSON file per input, named by its contents
//!   coverage.json     what `concertino coverage` measured last
//!   build/            harnesses, bitcode, objects, images
//!   logs/             what workers wrote to standard error
//!   scratch/          where tested code may write; emptied at will
//!   lock              held while a run works here
//! ```

use crate::error::{CampaignError, Result};
use crate::{Input, fingerprint};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// Paths of a campaign. Making one touches nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    root: PathBuf,
}

impl Directory {
    pub fn new(root: impl Into<PathBuf>) -> Directory {
        Directory { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn database(&self) -> PathBuf {
        self.root.join("campaign.sqlite")
    }

    pub fn inputs(&self) -> PathBuf {
        self.root.join("inputs")
    }

    pub fn coverage(&self) -> PathBuf {
        self.root.join("coverage.json")
    }

    pub fn build(&self) -> PathBuf {
        self.root.join("build")
    }

    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    pub fn scratch(&self) -> PathBuf {
        self.root.join("scratch")
    }

    /// Makes what is missing, and keeps the directory out of the user's version control.
    pub fn create(&self) -> Result<()> {
        for path in [self.inputs(), self.build(), self.logs(), self.scratch()] {
            fs::create_dir_all(&path).map_err(|source| CampaignError::File { path, source })?;
        }
        let ignore = self.root.join(".gitignore");
        if !ignore.exists() {
            fs::write(&ignore, "*\n").map_err(|source| CampaignError::File { path: ignore, source })?;
        }
        Ok(())
    }

    /// Where the input named `name` lies.
    pub fn input_path(&self, name: &str) -> PathBuf {
        let shard = name.get(..2).unwrap_or("00");
        self.inputs().join(shard).join(format!("{name}.json"))
    }

    /// Stores an input and gives its name. The file appears whole or not at all.
    pub fn store_input(&self, input: &Input) -> Result<String> {
        let text = input.to_text();
        let name = fingerprint([&text]);
        let path = self.input_path(&name);
        if path.exists() {
            return Ok(name);
        }
        write_whole(&path, text.as_bytes()).map_err(|source| CampaignError::File { path, source })?;
        Ok(name)
    }

    /// Reads a stored input and checks that its contents fit its name.
    pub fn load_input(&self, name: &str) -> Result<Input> {
        let path = self.input_path(name);
        let text =
            fs::read_to_string(&path).map_err(|source| CampaignError::File { path: path.clone(), source })?;
        if fingerprint([&text]) != name {
            return Err(CampaignError::DamagedInput(path));
        }
        Input::from_text(&path, &text)
    }
}

/// Writes beside the target and renames, so that a reader never sees half a file.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = parent.join(format!(".{name}.{}", std::process::id()));
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&beside, path)
}

/// Held by the process that writes. The kernel releases it when the process ends in any way, so a lock file
/// that a killed run left behind never stops the next one.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    pub fn acquire(directory: &Directory) -> Result<Lock> {
        let path = directory.root().join("lock");
        let failed = |source| CampaignError::File { path: path.clone(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        // SAFETY: flock on a descriptor that this function owns.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
            let error = std::io::Error::last_os_error();
            if error.kind() != std::io::ErrorKind::WouldBlock {
                return Err(failed(error));
            }
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            let holder = match holder.trim() {
                "" => "process unknown",
                known => known,
            };
            return Err(CampaignError::Busy {
                directory: directory.root().to_owned(),
                holder: holder.to_owned(),
            });
        }
        file.set_len(0).map_err(failed)?;
        file.rewind().map_err(failed)?;
        writeln!(file, "process {}", std::process::id()).map_err(failed)?;
        Ok(Lock { _file: file })
    }
}
