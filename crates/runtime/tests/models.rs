//! The libc models behave as the C library does: a C program that compares the two on many inputs is
//! compiled natively and run. The list of redirects names only models that exist, and all of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn crate_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn c_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("directory of C files")
        .map(|entry| entry.expect("directory entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

#[test]
fn models_agree_with_the_library() {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models-differential");
    let built = Command::new("clang-19")
        // No builtins: the compiler must not replace either side by what it knows about the library.
        .args(["-std=gnu11", "-O1", "-g", "-fno-builtin", "-Wall", "-Wextra", "-Wno-format", "-Werror", "-o"])
        .arg(&program)
        .args(c_files(&crate_dir().join("c/models")))
        .args(c_files(&crate_dir().join("tests/models")))
        .arg("-lm")
        .output()
        .expect("clang-19 runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&program)
        .arg(env!("CARGO_TARGET_TMPDIR"))
        .env_clear()
        .output()
        .expect("the differential test runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn list_and_models_match() {
    let list = std::fs::read_to_string(crate_dir().join("c/models/models.list")).expect("models.list");
    let mut redirected = BTreeSet::new();
    let mut listed = BTreeSet::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let (library, model) = line.split_once(' ').expect("two words");
        assert!(redirected.insert(library), "{library} is redirected twice");
        listed.insert(model.to_string());
    }
    let mut defined = BTreeSet::new();
    for file in c_files(&crate_dir().join("c/models")) {
        for line in std::fs::read_to_string(file).expect("model source").lines() {
            // A definition starts at the left margin with its type and does not end in a semicolon.
            let is_definition = line.starts_with(|c: char| c.is_ascii_alphabetic()) && !line.ends_with(';');
            let Some((_, name)) = line.split_once("ctn_model_").filter(|_| is_definition) else { continue };
            let name: String = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            defined.insert(format!("ctn_model_{name}"));
        }
    }
    assert_eq!(listed, defined);
}
