//! Paths as the user knows them: without `.` and `..`, relative to the project's root.

use crate::clang::Place;
use crate::program::Location;
use std::path::{Component, Path, PathBuf};

/// The directory that reported paths are relative to.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) path: PathBuf,
}

impl Root {
    /// Absolute, without `.` and `..`.
    pub(crate) fn tidy(&self, path: &str) -> String {
        tidy(&self.path.join(path)).to_string_lossy().into_owned()
    }

    pub(crate) fn relative(&self, path: &Path) -> String {
        let path = tidy(path);
        path.strip_prefix(&self.path).unwrap_or(&path).to_string_lossy().into_owned()
    }

    pub(crate) fn location(&self, place: &Place) -> Location {
        Location { file: self.relative(&self.path.join(&place.file)), line: place.line, column: place.column }
    }
}

/// Removes `.` and `..` without asking the file system, except where a symbolic link makes `..` mean
/// something else.
pub(crate) fn tidy(path: &Path) -> PathBuf {
    if !path.components().any(|c| matches!(c, Component::ParentDir | Component::CurDir)) {
        return path.components().collect();
    }
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                let behind_link = out.symlink_metadata().is_ok_and(|m| m.file_type().is_symlink());
                if behind_link && let Ok(real) = out.canonicalize() {
                    out = real;
                }
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The deepest directory that holds all the files.
pub(crate) fn common_directory<'a>(mut files: impl Iterator<Item = &'a Path>) -> Option<PathBuf> {
    let mut common: PathBuf = files.next()?.parent()?.to_path_buf();
    for file in files {
        while !file.starts_with(&common) {
            if !common.pop() {
                return None;
            }
        }
    }
    Some(common)
}

/// How many leading components two paths share.
pub(crate) fn shared_prefix(a: &Path, b: &Path) -> usize {
    a.components().zip(b.components()).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tidy_removes_dots() {
        assert_eq!(tidy(Path::new("/a/./b/../c.c")), Path::new("/a/c.c"));
        assert_eq!(tidy(Path::new("/../a")), Path::new("/a"));
    }

    #[test]
    fn tidy_follows_links_before_going_up() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("real/inner")).unwrap();
        std::os::unix::fs::symlink(base.join("real/inner"), base.join("link")).unwrap();
        assert_eq!(tidy(&base.join("link/../x.c")), base.join("real/x.c"));
    }

    #[test]
    fn common_directory_of_files() {
        let files = [Path::new("/p/src/a.c"), Path::new("/p/lib/b.c")];
        assert_eq!(common_directory(files.into_iter()), Some(PathBuf::from("/p")));
    }

    #[test]
    fn relative_paths_stay_below_the_root() {
        let root = Root { path: "/p".into() };
        assert_eq!(root.relative(Path::new("/p/src/../a.c")), "a.c");
        assert_eq!(root.relative(Path::new("/q/a.c")), "/q/a.c");
    }
}
