//! The C code that is linked into tested programs, carried inside this crate: its files, how each is to be
//! compiled, and which library calls of the program it takes the place of.
//!
//! This crate compiles nothing and runs nothing; it knows names and texts.

mod redirect;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

mod files {
    include!(concat!(env!("OUT_DIR"), "/files.rs"));
}

pub use redirect::{redirects, replay_redirects};

/// Writes all files, with their directories, below `directory`. A file that is there and equal is not touched.
pub fn write_sources(directory: &Path) -> io::Result<()> {
    for (name, text) in files::FILES {
        let path = directory.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        if std::fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        std::fs::write(&path, text)?;
    }
    Ok(())
}

/// Linked into every exploring image, compiled with [`object_flags`], not instrumented.
pub fn explore_sources() -> &'static [&'static str] {
    files::EXPLORE
}

/// Models of the C library: compiled with [`model_flags`], then instrumented like the program.
pub fn model_sources() -> &'static [&'static str] {
    files::MODELS
}

/// Linked into every replay image, compiled with [`object_flags`] and [`replay_flags`].
pub fn replay_sources() -> &'static [&'static str] {
    &["replay.c", "replay_calls.c", "replay_device.c"]
}

/// Linked into every image that measures coverage: the replay without a sanitizer. Compiled with
/// [`object_flags`].
pub fn coverage_sources() -> &'static [&'static str] {
    &["replay.c", "replay_calls.c", "replay_coverage.c", "replay_device.c"]
}

/// Compiled with [`inline_flags`] to bitcode, which the instrumenter links into every module.
pub fn inline_source() -> &'static str {
    "inline.c"
}

const OBJECT_FLAGS: &[&str] = &[
    "-c",
    "-std=gnu11",
    "-O2",
    "-g",
    "-fPIE",
    // The allocator is defined here: the compiler must not believe to know it.
    "-fno-builtin",
    "-fno-stack-protector",
    // Call stacks of endings start inside the runtime.
    "-fno-omit-frame-pointer",
    "-U_FORTIFY_SOURCE",
    "-Wall",
    "-Wextra",
];

const INLINE_FLAGS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-std=gnu11",
    "-O2",
    "-fno-slp-vectorize",
    "-fPIE",
    "-fno-stack-protector",
    "-Wall",
    "-Wextra",
];

/// As the program is compiled, so that the instrumenter sees the branches of the source.
const MODEL_FLAGS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-std=gnu11",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-g",
    "-fPIE",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-omit-frame-pointer",
    "-fno-strict-aliasing",
    "-U_FORTIFY_SOURCE",
    "-Wall",
    "-Wextra",
];

pub fn object_flags() -> &'static [&'static str] {
    OBJECT_FLAGS
}

/// Models write to the program's memory: the sanitizer has to see it.
pub fn replay_flags() -> &'static [&'static str] {
    &["-fsanitize=address"]
}

pub fn inline_flags() -> &'static [&'static str] {
    INLINE_FLAGS
}

pub fn model_flags() -> &'static [&'static str] {
    MODEL_FLAGS
}

/// Changes when any file or flag changes.
pub fn fingerprint() -> u64 {
    let mut hasher = DefaultHasher::new();
    files::FILES.hash(&mut hasher);
    (OBJECT_FLAGS, INLINE_FLAGS, MODEL_FLAGS, replay_flags()).hash(&mut hasher);
    hasher.finish()
}

/// The text of an embedded file.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    files::FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_source_is_embedded() {
        let named =
            explore_sources().iter().chain(model_sources()).chain(replay_sources()).chain(coverage_sources());
        for name in named.chain([&inline_source(), &"ctn.h", &"rt.h", &"wire.h"]) {
            assert!(text(name).is_some(), "{name}");
        }
    }

    #[test]
    fn writing_twice_keeps_the_files() {
        let directory = std::env::temp_dir().join(format!("concertino-runtime-{}", std::process::id()));
        write_sources(&directory).unwrap();
        let file = directory.join("wire.h");
        let before = std::fs::metadata(&file).unwrap().modified().unwrap();
        write_sources(&directory).unwrap();
        assert_eq!(before, std::fs::metadata(&file).unwrap().modified().unwrap());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text("wire.h").unwrap());
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
