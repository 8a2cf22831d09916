//! What can go wrong with a campaign's directory; every message says what to do.

use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum CampaignError {
    #[error("no results in {0}\n  run `concertino test` first, or name the project with --dir")]
    Missing(PathBuf),
    #[error(
        "another run is working in {directory} ({holder})\n  wait for it, or stop it; results of finished \
         functions are kept"
    )]
    Busy { directory: PathBuf, holder: String },
    #[error("cannot use {path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error(
        "{path} was written by another version of concertino (layout {found}, this one has {expected})\n  move \
         it away and run `concertino test` again"
    )]
    Version { path: PathBuf, found: i64, expected: i64 },
    #[error("{path} cannot be read as a campaign: {source}\n  move it away and run `concertino test` again")]
    Database { path: PathBuf, source: rusqlite::Error },
    #[error("the stored input {0} is damaged\n  run `concertino test --again` for its function")]
    DamagedInput(PathBuf),
    #[error("{path} is not an input of concertino: {message}")]
    NotAnInput { path: PathBuf, message: String },
}

pub type Result<T> = std::result::Result<T, CampaignError>;
