//! Why no program could be loaded. Everything less than that is a [`crate::Problem`] of the program.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },

    #[error(
        "{path}:{line}:{column}: not a valid compile database: {message}; \
         write it again with the build system (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson, bear -- make)"
    )]
    Json { path: PathBuf, line: usize, column: usize, message: String },

    #[error("{path}: a compile database is a JSON array of compile commands, this is {found}")]
    NotAnArray { path: PathBuf, found: &'static str },

    #[error(
        "{path}: no usable compile command among {entries} entries{}; \
         build the project's C targets first, or name another database", first_reason(.reasons)
    )]
    NoUsableEntry { path: PathBuf, entries: usize, reasons: Vec<String> },

    #[error(
        "no compile_commands.json and no .c file under {path}; \
         name a compile database or a directory with C sources"
    )]
    NoSource { path: PathBuf },

    #[error(
        "libclang 19 not found (tried {tried}); install libclang1-19 (Debian, Ubuntu) or \
         set LIBCLANG_PATH to the directory that holds libclang-19.so"
    )]
    LibclangMissing { tried: String },

    #[error(
        "{path} is not libclang 17 or newer: {message}; set LIBCLANG_PATH to LLVM 19's library directory"
    )]
    LibclangUnusable { path: PathBuf, message: String },

    #[error("the flags for every file cannot be used: {reason}")]
    Flags { reason: String },

    #[error("none of the {files} files could be parsed; first problem: {first}")]
    NothingParsed { files: usize, first: String },
}

fn first_reason(reasons: &[String]) -> String {
    match reasons {
        [] => String::new(),
        [only] => format!(" ({only})"),
        [first, rest @ ..] => format!(" ({first}; and {} more)", rest.len()),
    }
}
