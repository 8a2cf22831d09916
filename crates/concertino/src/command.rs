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

use std::io::Write;
use std::path::Path;

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
