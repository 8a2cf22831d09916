//! The linker's opinion on images: each links without a symbol defined twice, and what it misses is what the
//! model says is undefined.
//!
//! `LINK_OF=path` checks a project of yours as well.

use model::{Image, Options, Program, Source};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn check(program: &Program) {
    let dir = tempfile::tempdir().unwrap();
    let object = |file: u32| dir.path().join(format!("{file}.o"));
    for unit in &program.files {
        let output = Command::new("clang-19")
            .args(&unit.flags)
            .args(["-w", "-O0", "-fPIC", "-c", "-o"])
            .args([&object(unit.id.0), &unit.path])
            .current_dir(&unit.directory)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for image in &program.images {
        let missing = link(image, dir.path(), &object);
        let undefined: BTreeSet<String> = image.undefined.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(missing, undefined, "image {}", image.name);
    }
}

/// Links an image and gives the symbols that are missing.
fn link(image: &Image, directory: &Path, object: &impl Fn(u32) -> std::path::PathBuf) -> BTreeSet<String> {
    let kind: &[&str] = if image.main.is_some() { &[] } else { &["-shared", "-Wl,-z,defs"] };
    let output = Command::new("clang-19")
        .env("LC_ALL", "C")
        .args(kind)
        .arg("-o")
        .arg(directory.join("image"))
        .args(image.files.iter().map(|file| object(file.0)))
        .args(["-lm", "-lpthread", "-ldl"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!message.contains("multiple definition"), "image {}: {message}", image.name);
    message
        .lines()
        .filter_map(|line| line.split("undefined reference to `").nth(1))
        .map(|rest| rest.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_').to_string())
        .collect()
}

#[test]
fn the_linker_agrees() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for directory in ["projects/programs", "projects/hooks", "projects/included", "c"] {
        let flags = ["-std=gnu17", "-fms-extensions", "-DQUOTED=\"q\""].map(String::from).to_vec();
        let source = Source::Directory { path: tests.join(directory), flags };
        check(&Program::load(&source, &Options::default()).unwrap());
    }
}

#[test]
fn the_linker_agrees_on_a_project_of_yours() {
    if let Some(path) = std::env::var_os("LINK_OF") {
        check(&Program::load(&Source::Find(path.into()), &Options::default()).unwrap());
    }
}

#[test]
fn configured_libraries_define_symbols() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("vendor.c");
    std::fs::write(&source, "int vendor_state; int vendor_init(void) { return 0; }\n").unwrap();
    let (object, archive, shared) =
        (dir.path().join("vendor.o"), dir.path().join("libvendor.a"), dir.path().join("libvendor.so"));
    let run = |command: &mut Command| assert!(command.status().unwrap().success());
    run(Command::new("clang-19").args(["-c", "-o"]).args([&object, &source]));
    run(Command::new("ar").arg("rcs").args([&archive, &object]));
    run(Command::new("clang-19").args(["-shared", "-fPIC", "-o"]).args([&shared, &source]));
    for library in [archive, shared] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects/programs");
        let options = Options { libraries: vec![library.display().to_string()], ..Options::default() };
        let program = Program::load(&Source::Directory { path, flags: Vec::new() }, &options).unwrap();
        assert!(program.problems.is_empty(), "{:?}", program.problems);
        assert!(program.images.iter().all(|image| image.undefined.is_empty()), "{}", library.display());
    }
}
