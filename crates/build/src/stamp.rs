//! Did the inputs of a build step change? A stamp is a hash of everything that goes in: command line, text,
//! tools, and the contents of every file the compiler read (from its dependency file).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize, PartialEq, Eq, Default)]
pub(crate) struct Stamp {
    /// Hash of command line, generated text and tool identities.
    recipe: u64,
    /// Files read, with the hash of their contents.
    read: BTreeMap<PathBuf, u64>,
}

impl Stamp {
    pub(crate) fn new(recipe: u64, read: impl IntoIterator<Item = PathBuf>) -> Stamp {
        let read = read.into_iter().filter_map(|path| hash_file(&path).map(|hash| (path, hash))).collect();
        Stamp { recipe, read }
    }

    /// True when nothing that this stamp was made of has changed since.
    pub(crate) fn is_current(path: &Path, recipe: u64) -> bool {
        let Ok(text) = std::fs::read_to_string(path) else { return false };
        let Ok(stamp) = serde_json::from_str::<Stamp>(&text) else { return false };
        stamp.recipe == recipe && stamp.read.iter().all(|(file, hash)| hash_file(file) == Some(*hash))
    }

    /// To be called before anything is built: what is half written must not look finished.
    pub(crate) fn withdraw(path: &Path) -> std::io::Result<()> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    pub(crate) fn write(&self, path: &Path) -> std::io::Result<()> {
        let text = serde_json::to_string(self).map_err(std::io::Error::other)?;
        std::fs::write(path, text)
    }
}

pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

pub(crate) fn hash_file(path: &Path) -> Option<u64> {
    std::fs::read(path).ok().map(|bytes| hash_of(&bytes))
}

/// The files named in a make-style dependency file as clang writes it.
pub(crate) fn dependencies(path: &Path) -> Vec<PathBuf> {
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let Some((_, list)) = text.split_once(':') else { return Vec::new() };
    let mut files = Vec::new();
    let mut name = String::new();
    let mut characters = list.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('\n') | None => {}
                Some(escaped) => name.push(escaped),
            },
            '$' if characters.peek() == Some(&'$') => {
                characters.next();
                name.push('$');
            }
            space if space.is_whitespace() => {
                if !name.is_empty() {
                    files.push(PathBuf::from(std::mem::take(&mut name)));
                }
            }
            other => name.push(other),
        }
    }
    if !name.is_empty() {
        files.push(PathBuf::from(name));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependency_files_with_spaces_and_continuations() {
        let directory = std::env::temp_dir().join(format!("concertino-stamp-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let file = directory.join("x.d");
        std::fs::write(&file, "x.bc: a.c \\\n  with\\ space.h $$dollar.h\n").unwrap();
        assert_eq!(
            dependencies(&file),
            [PathBuf::from("a.c"), PathBuf::from("with space.h"), PathBuf::from("$dollar.h")]
        );
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn a_stamp_goes_stale_when_a_file_changes() {
        let directory = std::env::temp_dir().join(format!("concertino-stale-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let source = directory.join("a.c");
        let stamp = directory.join("stamp");
        std::fs::write(&source, "int a;").unwrap();
        Stamp::new(7, [source.clone()]).write(&stamp).unwrap();
        assert!(Stamp::is_current(&stamp, 7));
        assert!(!Stamp::is_current(&stamp, 8));
        std::fs::write(&source, "int b;").unwrap();
        assert!(!Stamp::is_current(&stamp, 7));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
