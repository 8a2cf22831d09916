//! Which symbols the C library and configured libraries define, read from the libraries themselves.

use crate::program::Problem;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Defined symbols of everything that is linked besides the program.
#[derive(Clone, Debug, Default)]
pub struct Library {
    symbols: HashSet<String>,
}

/// Linked into every C program by the compiler driver.
const C_LIBRARY: &[&str] = &[
    "libc.so.6",
    "libm.so.6",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
    "libgcc_s.so.1",
];

/// The part of the C library that is always linked statically (`atexit` lives there).
const C_ARCHIVES: &[&str] = &["libc_nonshared.a"];

/// Made by the linker.
const LINKER_SYMBOLS: &[&str] = &[
    "_start",
    "_init",
    "_fini",
    "_end",
    "end",
    "_etext",
    "etext",
    "_edata",
    "edata",
    "__bss_start",
    "__data_start",
    "data_start",
    "__ehdr_start",
    "__executable_start",
    "__dso_handle",
    "_DYNAMIC",
    "_GLOBAL_OFFSET_TABLE_",
    "__preinit_array_start",
    "__preinit_array_end",
    "__init_array_start",
    "__init_array_end",
    "__fini_array_start",
    "__fini_array_end",
    "__stack_chk_fail",
];

const DIRECTORIES: &[&str] = &[
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
    "/usr/local/lib",
];

impl Library {
    /// The C library and `extra`; what cannot be read becomes a problem.
    pub fn read(extra: &[String], problems: &mut Vec<Problem>) -> Library {
        let mut library = Library { symbols: LINKER_SYMBOLS.iter().map(|s| s.to_string()).collect() };
        let mut cache = None;
        for name in C_LIBRARY.iter().chain(C_ARCHIVES) {
            if let Some(path) = locate(name, &mut cache) {
                // Newer C libraries leave some of these out or empty.
                let _ = library.add(&path);
            }
        }
        if !library.symbols.contains("malloc") {
            problems.push(Problem {
                location: None,
                message: "the C library's symbols were not found (libc.so.6 is in no usual place); \
                          its functions will be taken for undefined"
                    .into(),
            });
        }
        for name in extra {
            let result = match named(name, &mut cache) {
                Some(path) => library.add(&path).map_err(|e| format!("library {}: {e}", path.display())),
                None => Err(format!("library {name} not found; give its path")),
            };
            if let Err(message) = result {
                problems.push(Problem { location: None, message });
            }
        }
        library
    }

    pub fn defines(&self, symbol: &str) -> bool {
        self.symbols.contains(symbol) || symbol.starts_with("__builtin_")
    }

    fn add(&mut self, path: &Path) -> Result<(), String> {
        let data = std::fs::read(path).map_err(|e| e.to_string())?;
        if let Ok(archive) = ArchiveFile::parse(&*data) {
            // The archive's own index lists what its members define.
            for symbol in archive.symbols().map_err(|e| e.to_string())?.into_iter().flatten() {
                let symbol = symbol.map_err(|e| e.to_string())?;
                self.symbols.insert(String::from_utf8_lossy(symbol.name()).into_owned());
            }
            return Ok(());
        }
        let file = object::File::parse(&*data).map_err(|e| e.to_string())?;
        for symbol in file.dynamic_symbols() {
            if !symbol.is_local()
                && !symbol.is_undefined()
                && let Ok(name) = symbol.name()
            {
                self.symbols.insert(name.to_string());
            }
        }
        Ok(())
    }
}

/// `cache` holds what the dynamic linker knows, asked only when the usual places fail.
fn locate(name: &str, cache: &mut Option<Vec<PathBuf>>) -> Option<PathBuf> {
    if let Some(path) = DIRECTORIES.iter().map(|d| Path::new(d).join(name)).find(|path| path.is_file()) {
        return Some(path);
    }
    let known = cache.get_or_insert_with(linker_cache);
    known.iter().find(|path| path.file_name().is_some_and(|n| n == name)).cloned()
}

fn linker_cache() -> Vec<PathBuf> {
    let output = ["ldconfig", "/sbin/ldconfig"].iter().find_map(|c| Command::new(c).arg("-p").output().ok());
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once(" => "))
        .map(|(_, path)| PathBuf::from(path.trim()))
        .collect()
}

/// A path, or a name as after `-l`.
fn named(name: &str, cache: &mut Option<Vec<PathBuf>>) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.is_file() {
        return Some(path.to_path_buf());
    }
    let name = name.strip_prefix("-l").unwrap_or(name);
    for candidate in [format!("lib{name}.so"), format!("lib{name}.a")] {
        if let Some(path) = locate(&candidate, cache) {
            return Some(path);
        }
    }
    // Without its development package only the versioned name exists.
    let versioned = format!("lib{name}.so.");
    let known = cache.get_or_insert_with(linker_cache);
    known.iter().find(|path| path.to_string_lossy().contains(&versioned)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_c_library_is_known() {
        let mut problems = Vec::new();
        let library = Library::read(&[], &mut problems);
        assert_eq!(problems, []);
        for symbol in
            ["malloc", "printf", "sin", "pthread_create", "atexit", "stdin", "__builtin_memcpy", "qsort"]
        {
            assert!(library.defines(symbol), "{symbol}");
        }
        assert!(!library.defines("no_such_function"));
    }

    #[test]
    fn a_missing_library_is_a_problem() {
        let mut problems = Vec::new();
        Library::read(&["nosuchlibrary".into()], &mut problems);
        assert!(problems[0].message.contains("library nosuchlibrary not found"));
    }
}
