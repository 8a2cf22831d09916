//! What can go wrong while coverage is measured.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error(
        "{tool} is not installed beside the compiler nor on the PATH\n  Debian and Ubuntu have it in the package llvm-19"
    )]
    MissingTool { tool: &'static str },
    #[error("cannot start {tool}: {source}")]
    Start { tool: &'static str, source: io::Error },
    #[error("{tool} failed: {message}")]
    Tool { tool: &'static str, message: String },
    #[error("the coverage mapping of {path} is not usable: {message}")]
    Object { path: PathBuf, message: String },
    #[error("the profile {path} is not one")]
    Profile { path: PathBuf },
    #[error("llvm-cov's document is not as expected: {message}")]
    Export { message: String },
}
