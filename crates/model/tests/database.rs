//! Compile databases as their generators write them, and as they should not be.
//!
//! `@ROOT@` in the files under `tests/databases` stands for a copy of the project there.

use model::{ModelError, Options, Program, Source};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn databases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases")
}

/// A copy of the project, with the empty directory that an out-of-tree build would have.
fn project() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for file in ["src/main.c", "src/util.c", "include/util.h"] {
        let to = dir.path().join(file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(databases().join("project").join(file), to).unwrap();
    }
    std::fs::create_dir(dir.path().join("build")).unwrap();
    dir
}

/// Writes a database into a directory, the project's root filled in.
fn write(project: &TempDir, directory: &Path, text: &str) -> PathBuf {
    std::fs::create_dir_all(directory).unwrap();
    let path = directory.join("compile_commands.json");
    std::fs::write(&path, text.replace("@ROOT@", &project.path().to_string_lossy())).unwrap();
    path
}

fn load_in(project: &TempDir, text: &str) -> Result<Program, ModelError> {
    let database = write(project, &project.path().join("build"), text);
    Program::load(&Source::Database(database), &Options::default())
}

fn load(text: &str) -> Result<Program, ModelError> {
    load_in(&project(), text)
}

fn fixture(name: &str) -> String {
    std::fs::read_to_string(databases().join(name)).unwrap()
}

fn error(text: &str) -> String {
    load(text).unwrap_err().to_string()
}

/// All four generators describe the same two files.
fn check_generator(name: &str) {
    let project = project();
    let program = load_in(&project, &fixture(name)).unwrap();
    assert!(program.problems.is_empty(), "{name}: {:?}", program.problems);
    let root = project.path();
    let paths: Vec<PathBuf> = program.files.iter().map(|file| file.path.clone()).collect();
    assert_eq!(paths, [root.join("src/main.c"), root.join("src/util.c")], "{name}");
    let flags = &program.files[0].flags;
    assert!(flags.contains(&"-DLIMIT=4".to_string()), "{name}: {flags:?}");
    assert!(flags.contains(&"-DTITLE=\"a b\"".to_string()), "{name}: {flags:?}");
    assert!(flags.contains(&root.join("include").display().to_string()), "{name}: {flags:?}");
    assert!(
        !flags.iter().any(|f| f.starts_with("-O") || f == "-c" || f.starts_with("-M")),
        "{name}: {flags:?}"
    );
    assert_eq!(program.images.len(), 1, "{name}");
    assert_eq!(program.images[0].name, "main", "{name}");
    assert_ne!(program.files[0].tag, program.files[1].tag, "{name}");
}

#[test]
fn cmake() {
    check_generator("cmake.json");
}

#[test]
fn meson() {
    check_generator("meson.json");
}

#[test]
fn bear() {
    check_generator("bear.json");
}

#[test]
fn compiledb() {
    check_generator("compiledb.json");
}

#[test]
fn bad_entries_are_problems_and_the_rest_goes_on() {
    let program = load(&fixture("mixed.json")).unwrap();
    assert_eq!(program.files.len(), 1, "equal entries are one");
    let problems: Vec<String> = program.problems.iter().map(ToString::to_string).collect();
    let expected = [
        "entry 1 of",
        "not an object",
        "entry 2 of",
        "no `file`",
        "entry 3 of",
        "`file` is not a string",
        "entry 4 of",
        "src/main.c: neither `command` nor `arguments`",
        "entry 5 of",
        "unbalanced quotes in `command`",
        "entry 6 of",
        "the command is empty",
        "entry 7 of",
        "`arguments` holds something that is not a string",
        "entry 8 of",
        "not C: .S file",
        "entry 9 of",
        "not C: compiled with c++",
        "entry 10 of",
        "not C: compiled with g++",
        "entry 11 of",
        "unsupported target: -m32",
        "entry 12 of",
        "cannot read the response file gone.rsp",
        "generated.c",
        "the file does not exist",
    ];
    assert_eq!(problems.len(), expected.len() / 2, "{problems:#?}");
    for (problem, expected) in problems.iter().zip(expected.chunks(2)) {
        assert!(expected.iter().all(|part| problem.contains(part)), "{problem} should say {expected:?}");
    }
}

#[test]
fn malformed_databases_say_where_and_what_to_do() {
    let message = error("[\n  { \"file\": }\n]");
    assert!(message.contains("compile_commands.json:2:13: not a valid compile database"), "{message}");
    assert!(message.contains("CMAKE_EXPORT_COMPILE_COMMANDS"), "{message}");
    assert!(error("").contains(":1:0: not a valid compile database: EOF while parsing"), "{}", error(""));
    assert!(error("{}").contains("is a JSON array of compile commands, this is an object"));
    assert!(error("[]").contains("no usable compile command among 0 entries; build the project's C targets"));
    let message = error("[{\"file\": \"a.cc\", \"directory\": \"/\", \"command\": \"g++ a.cc\"}, 1]");
    assert!(message.contains("no usable compile command among 2 entries (entry 1 of"), "{message}");
    assert!(message.contains("not C: compiled with g++; and 1 more"), "{message}");
    assert!(error("[\"\\ud800\"]").contains("not a valid compile database"));
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("compile_commands.json");
    std::fs::write(&path, [0xff, 0xfe, 0, 1]).unwrap();
    let error = Program::load(&Source::Find(path), &Options::default()).unwrap_err();
    assert!(matches!(error, ModelError::Json { .. }), "{error}");
}

#[test]
fn missing_sources_are_named() {
    let none = Source::Database("/nonexistent/compile_commands.json".into());
    let message = Program::load(&none, &Options::default()).unwrap_err().to_string();
    assert!(message.contains("cannot read /nonexistent/compile_commands.json: No such file"), "{message}");
    let dir = tempfile::tempdir().unwrap();
    let message =
        Program::load(&Source::Find(dir.path().into()), &Options::default()).unwrap_err().to_string();
    assert!(message.contains("no compile_commands.json and no .c file under"), "{message}");
}

#[test]
fn databases_are_found_where_build_systems_leave_them() {
    for place in [".", "build", "builddir", "out"] {
        let project = project();
        write(&project, &project.path().join(place), &fixture("bear.json"));
        let program = Program::load(&Source::Find(project.path().into()), &Options::default()).unwrap();
        assert_eq!(program.files.len(), 2, "{place}");
        assert_eq!(program.root, project.path(), "{place}");
    }
}

#[test]
fn of_several_databases_one_is_used_and_the_others_named() {
    let project = project();
    for place in ["debug", "release"] {
        write(&project, &project.path().join(place), &fixture("bear.json"));
    }
    let program = Program::load(&Source::Find(project.path().into()), &Options::default()).unwrap();
    let message = program.problems[0].to_string();
    assert!(
        message.contains("debug/compile_commands.json is used") && message.contains("release/"),
        "{message}"
    );
}

#[test]
fn a_build_directory_that_is_gone_is_said_once() {
    let project = project();
    let database = write(&project, project.path(), &fixture("cmake.json"));
    std::fs::remove_dir(project.path().join("build")).unwrap();
    let program = Program::load(&Source::Database(database), &Options::default()).unwrap();
    assert_eq!(program.files.len(), 2);
    assert!(program.files.iter().all(|file| file.directory.is_dir()));
    assert_eq!(program.problems.len(), 1);
    assert!(program.problems[0].message.contains("build, where the compiler ran, does not exist"));
}

#[test]
fn a_plain_directory_is_enough() {
    let dir = tempfile::tempdir().unwrap();
    for hidden in [".git", ".concertino", "CMakeFiles", "src/deep"] {
        std::fs::create_dir_all(dir.path().join(hidden)).unwrap();
        std::fs::write(dir.path().join(hidden).join("x.c"), "int x(void) { return N; }\n").unwrap();
    }
    std::os::unix::fs::symlink(dir.path(), dir.path().join("src/loop")).unwrap();
    let source = Source::Directory { path: dir.path().into(), flags: vec!["-DN=1".into(), "-O2".into()] };
    let program = Program::load(&source, &Options::default()).unwrap();
    let files: Vec<&str> = program.functions.iter().map(|f| f.location.file.as_str()).collect();
    assert_eq!(files, ["src/deep/x.c"]);
}

#[test]
fn when_nothing_parses_the_first_reason_is_given() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.c"), "int f( {\n").unwrap();
    let message =
        Program::load(&Source::Find(dir.path().into()), &Options::default()).unwrap_err().to_string();
    assert!(message.contains("none of the 1 files could be parsed; first problem: a.c:1:"), "{message}");
}

#[test]
fn tags_survive_other_files() {
    let project = project();
    let text = fixture("bear.json");
    let only_second = format!("[{}", &text[text.rfind("  {").unwrap()..]);
    let both = load_in(&project, &text).unwrap();
    let alone = load_in(&project, &only_second).unwrap();
    assert_eq!(alone.files[0].tag, both.files[1].tag);
}
