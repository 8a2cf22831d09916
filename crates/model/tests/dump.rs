//! One C file per behaviour under `tests/c`, one directory per behaviour that takes several files under
//! `tests/projects`; the model beside it. `BLESS=1` writes the expectations anew.

use model::{Options, Program, Source};
use std::path::{Path, PathBuf};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.is_dir() || p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// A single file is loaded through a database of one entry, a directory as a plain directory.
fn load(path: &Path) -> Program {
    if path.is_dir() {
        let source = Source::Directory { path: path.to_path_buf(), flags: Vec::new() };
        return Program::load(&source, &Options::default()).unwrap();
    }
    let text = std::fs::read_to_string(path).unwrap();
    let flags =
        text.lines().next().and_then(|line| line.split_once("flags: ")).map_or("", |(_, flags)| flags);
    let flags = flags.trim_end_matches("*/").trim();
    let file = path.to_string_lossy();
    let entry = serde_json::json!([{ "directory": directory(), "file": file, "command": format!("cc {flags} -c {file}") }]);
    let temporary = tempfile::tempdir().unwrap();
    let database = temporary.path().join("compile_commands.json");
    std::fs::write(&database, entry.to_string()).unwrap();
    let options = Options { root: Some(directory()), ..Options::default() };
    Program::load(&Source::Database(database), &options).unwrap()
}

fn check(paths: Vec<PathBuf>) {
    let mut wrong = Vec::new();
    for path in paths {
        let dump = load(&path).to_string();
        let expected = path.with_extension("expected");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected, &dump).unwrap();
        } else if std::fs::read_to_string(&expected).ok().as_deref() != Some(&dump) {
            wrong.push(format!("{}: differs from its .expected; now:\n{dump}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn models_of_files() {
    check(entries(&directory()));
}

#[test]
fn models_of_projects() {
    check(entries(&directory().with_file_name("projects")));
}

#[test]
fn the_model_does_not_depend_on_the_number_of_jobs() {
    let source = Source::Directory {
        path: directory(),
        flags: vec!["-fms-extensions".into(), "-DQUOTED=\"\"".into()],
    };
    let dump = |jobs| Program::load(&source, &Options { jobs, ..Options::default() }).unwrap().to_string();
    assert_eq!(dump(1), dump(4));
}
