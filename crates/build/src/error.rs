//! Why something could not be built. The tool's own words are kept: they are what the user can act on.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("cannot find {tool}: {remedy}, or say where it is in {variable}")]
    MissingTool { tool: &'static str, remedy: &'static str, variable: &'static str },
    #[error("{variable} says {}, and there is no such file", path.display())]
    WrongTool { variable: &'static str, path: PathBuf },
    #[error("cannot run {program}: {source}")]
    Spawn { program: PathBuf, source: std::io::Error },
    #[error("{}: {step} failed:\n{message}", file.display())]
    Step { file: PathBuf, step: &'static str, message: String },
    #[error("cannot read or write {}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{}: not a site table: {message}", path.display())]
    SiteTable { path: PathBuf, message: String },
}

impl BuildError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> BuildError {
        let path = path.into();
        move |source| BuildError::Io { path, source }
    }
}
