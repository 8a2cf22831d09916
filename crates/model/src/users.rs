//! Whether a program's own calls of a function are all there are. Functions of a library are called by programs that
//! are not part of the project; that something is a library is known from what is built of it, or guessed from names.

use crate::program::{Function, Image, Program, UnitFileId};
use std::fmt;

/// Who else may call a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Users {
    /// There is no `main`.
    OfLibrary,
    /// Several programs are linked with its file.
    SharedBy(usize),
    /// The only `main` is in this file, a test or an example.
    TriedBy(String),
}

impl fmt::Display for Users {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Users::OfLibrary => f.write_str("it is part of a library"),
            Users::SharedBy(programs) => write!(f, "{programs} programs share its file"),
            Users::TriedBy(file) => write!(f, "main is in {file}, a test or an example"),
        }?;
        f.write_str(", so others may call it in any way")
    }
}

impl Program {
    /// None: whoever calls the function is part of the image.
    pub fn users(&self, function: &Function, image: &Image) -> Option<Users> {
        let Some(main) = image.main.map(|main| self.function(main)) else {
            return (!function.is_static).then_some(Users::OfLibrary);
        };
        if function.is_static || main.file == function.file {
            return None;
        }
        let programs = self.programs_with(function.file);
        if programs > 1 {
            Some(Users::SharedBy(programs))
        } else {
            is_trial(&main.location.file).then(|| Users::TriedBy(main.location.file.clone()))
        }
    }

    /// Whether all calls of the function are in the program. `complete`: every unit of it was read.
    pub(crate) fn has_known_callers(&self, function: &Function, complete: bool) -> bool {
        let images = self.images.iter().filter(|image| image.files.contains(&function.file));
        let shared = images.clone().any(|image| self.users(function, image).is_some());
        let unknown = images.count() == 0 || shared || !complete;
        function.name != "main" && !function.address_taken && (function.is_static || !unknown)
    }

    /// Whether the file `caller` belongs to one user of the file `home` among others.
    pub fn is_user(&self, caller: UnitFileId, home: UnitFileId, image: &Image) -> bool {
        let Some(main) = image.main.map(|main| self.function(main)).filter(|_| caller != home) else {
            return false;
        };
        let shared = self.programs_with(home) > 1 && self.programs_with(caller) == 1;
        shared || main.file == caller && is_trial(&main.location.file)
    }

    fn programs_with(&self, file: UnitFileId) -> usize {
        self.images.iter().filter(|image| image.files.contains(&file)).count()
    }
}

/// Whether a file, by its name or that of a directory, tries something out rather than being the program.
pub fn is_trial(path: &str) -> bool {
    const WORDS: [&str; 9] =
        ["test", "unittest", "testsuite", "example", "demo", "sample", "fuzz", "fuzzer", "bench"];
    path.split(|c: char| !c.is_ascii_alphanumeric())
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase())
        .any(|word| WORDS.contains(&word.strip_suffix('s').unwrap_or(&word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_are_known_by_words_of_their_path() {
        for path in ["test_csv.c", "tests/run.c", "src/Example1.c", "lib/foo-bench.c", "fuzz/x.c"] {
            assert!(is_trial(path), "{path}");
        }
        for path in ["main.c", "src/latest.c", "contest.c", "attest/main.c", "tester.c"] {
            assert!(!is_trial(path), "{path}");
        }
    }
}
