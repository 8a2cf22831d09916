//! One module per command; each turns its arguments into an exit code and text on standard output.

pub mod compare;
pub mod coverage;
pub mod explain;
pub mod export;
pub mod init;
pub mod profile;
pub mod replay;
pub mod report;
pub mod test;
pub mod units;
pub mod worker;

use ::coverage::Measured;
use ::report::{Findings, Invariants};
use campaign::{Directory, View};
use invariant::Invariant;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A campaign as reports read it.
pub(crate) struct Campaign {
    pub(crate) root: PathBuf,
    pub(crate) directory: Directory,
    pub(crate) view: View,
    replay: String,
    measured: Option<Measured>,
    invariants: Invariants,
}

impl Campaign {
    /// The campaign of the project that `dir` names.
    pub(crate) fn open(dir: Option<&Path>) -> anyhow::Result<Campaign> {
        let root = crate::project::root(dir)?;
        let directory = Directory::new(crate::project::campaign_directory(&root));
        let view = View::open(&directory)?;
        let measured = coverage::measured(&directory);
        let invariants = crate::pipeline::invariants(&crate::project::campaign_directory(&root));
        let told = |of: Vec<Invariant>| of.iter().map(ToString::to_string).collect();
        // What cannot be read is told when it is used.
        let invariants =
            invariants.unwrap_or_default().into_iter().map(|(function, of)| (function, told(of))).collect();
        Ok(Campaign { root, directory, view, replay: again("replay", dir), measured, invariants })
    }

    pub(crate) fn findings(&self) -> Findings<'_> {
        Findings {
            view: &self.view,
            root: &self.root,
            directory: &self.directory,
            replay: &self.replay,
            measured: self.measured.as_ref(),
            invariants: &self.invariants,
        }
    }
}

/// Writes a result. A reader that closed the pipe (`| head`) has seen enough: that is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Another command on the same project, as the user can type it: this program as it was called, the same --dir.
pub(crate) fn again(command: &str, dir: Option<&Path>) -> String {
    let called = std::env::args().next().filter(|name| name.contains('/'));
    let program = called.unwrap_or_else(|| "concertino".to_owned());
    match dir {
        Some(dir) => format!("{program} {command} --dir {}", dir.display()),
        None => format!("{program} {command}"),
    }
}
