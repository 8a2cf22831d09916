//! What can go wrong with running tested code, as opposed to inside it (which is an [`crate::Ending`]).

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    #[error("cannot create the shared memory")]
    SharedMemory(#[source] io::Error),
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    #[error("cannot use the scratch directory {path}")]
    Scratch { path: PathBuf, source: io::Error },
    #[error("cannot start {image}")]
    Start { image: PathBuf, source: io::Error },
    #[error("{image} did not become ready: {reason}")]
    NotReady { image: PathBuf, reason: String },
    #[error("the input takes {size} bytes, more than the {room} of its region")]
    InputTooLarge { size: usize, room: usize },
    #[error(
        "this system offers no {missing}, so tested code could write files or reach the network; allow running \
         without the sandbox explicitly to go on"
    )]
    NoSandbox { missing: &'static str },
    #[error("cannot set up the sandbox: {0}")]
    Sandbox(String),
}
