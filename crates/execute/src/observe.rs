//! A native program in the sandbox, for what it prints: exported tests while they are recorded.

use crate::launch::{self, Launch};
use crate::sandbox::Profile;
use crate::{ExecuteError, SandboxPolicy};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Largest output that is taken.
const OUTPUT_BYTES: u64 = 16 << 20;

#[derive(Clone, Debug)]
pub struct Observed {
    /// It ended by itself, with exit code 0.
    pub succeeded: bool,
    pub output: String,
    pub errors: String,
}

/// Runs `image` with the variables `NAME=value` added to its environment; ends it after `time`.
pub fn observe(
    image: &Path,
    scratch: &Path,
    sandbox: SandboxPolicy,
    variables: &[String],
    time: Duration,
) -> Result<Observed, ExecuteError> {
    let wrong = |path: &Path| {
        let path = path.to_owned();
        move |source| ExecuteError::Scratch { path, source }
    };
    std::fs::create_dir_all(scratch).map_err(wrong(scratch))?;
    let file = |what: &str| -> Result<(PathBuf, std::fs::File), ExecuteError> {
        let path = scratch.join(format!("observed-{}.{what}", std::process::id()));
        let file = std::fs::File::create(&path).map_err(wrong(&path))?;
        Ok((path, file))
    };
    let ((output_path, output), (errors_path, errors)) = (file("out")?, file("err")?);
    let environment: Result<Vec<CString>, _> =
        variables.iter().map(|entry| CString::new(entry.as_str())).collect();
    let environment =
        environment.map_err(|error| ExecuteError::Start { image: image.to_owned(), source: error.into() })?;
    let mut process = Launch {
        image,
        scratch,
        policy: sandbox,
        profile: Profile::Replay,
        environment,
        file_size: OUTPUT_BYTES,
        shared: None,
        output: Stdio::from(output),
        errors: Stdio::from(errors),
    }
    .start()?;
    let deadline = Instant::now() + time;
    let status = loop {
        match process.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
            _ => break None,
        }
    };
    launch::end(&mut process);
    let read = |path: &Path| {
        let text = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let _ = std::fs::remove_file(path);
        text.unwrap_or_default()
    };
    Ok(Observed {
        succeeded: status.is_some_and(|status| status.success()),
        output: read(&output_path),
        errors: read(&errors_path),
    })
}
