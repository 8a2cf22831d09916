//! One C file (or directory of files that are linked) per behaviour; the harness that is written for it
//! stands beside it and compiles. `BLESS=1 cargo test` writes what is expected anew.

use harness::{Globals, Harness, Options, Preconditions, Refused, StubEffects};
use model::{Program, Source, UnitFileId};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")
}

/// A program of one file, or of all files in a directory.
fn load(name: &str) -> Program {
    let file = folder().join(format!("{name}.c"));
    let flags = vec!["-std=gnu11".to_owned()];
    let source = if file.is_file() {
        // Tests are processes that run at the same time, and several load the same program.
        let database =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.json", std::process::id()));
        let file = file.display();
        let text = format!(
            r#"[{{"directory": "{}", "file": "{file}", "arguments": ["cc", "-std=gnu11", "-c", "{file}"]}}]"#,
            folder().display()
        );
        std::fs::write(&database, text).expect("write the database");
        Source::Database(database)
    } else {
        Source::Directory { path: folder().join(name), flags }
    };
    let program = Program::load(&source, &model::Options::default()).expect("load");
    if let Source::Database(database) = &source {
        std::fs::remove_file(database).expect("remove the database");
    }
    assert!(program.problems.is_empty(), "{:?}", program.problems);
    program
}

fn write(program: &Program, file: UnitFileId, options: &Options) -> Harness {
    let unit = program.file(file);
    let macros = harness::macros_of(Path::new("clang-19"), unit).expect("run clang-19");
    let image =
        program.images.iter().find(|image| image.files.contains(&file)).expect("an image has the file");
    harness::write(program, image, file, &Options { macros, ..options.clone() })
}

/// Every compiler that may be asked to replay a test must accept the text, without a warning made an error.
fn compiles(program: &Program, file: UnitFileId, text: &str, name: &str) {
    let unit = program.file(file);
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.harness.c"));
    std::fs::write(&source, text).expect("write the harness");
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/c");
    for compiler in ["clang-19", "gcc"] {
        let output = Command::new(compiler)
            .current_dir(&unit.directory)
            .args(unit.flags.iter().filter(|flag| compiler != "gcc" || !flag.starts_with("-W")))
            .args(["-fsyntax-only", "-w", "-I"])
            .arg(&headers)
            .arg(&source)
            .output()
            .expect("run the compiler");
        assert!(output.status.success(), "{compiler}: {}\n{text}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Text and remarks in a form that does not depend on where the sources lie.
fn shown(program: &Program, file: UnitFileId, harness: &Harness) -> String {
    let tag = format!("0x{:08x}u", program.file(file).tag);
    let mut text = harness.text.replace(&folder().display().to_string(), "<tests>").replace(&tag, "<tag>");
    for (function, reason) in &harness.skipped {
        text.push_str(&format!("skipped {}: {reason}\n", program.function(*function).name));
    }
    for stub in harness.stubs.iter().filter(|stub| stub.problem.is_some() || stub.replaces.is_none()) {
        text.push_str(&format!(
            "stub {}: {}\n",
            stub.symbol,
            stub.problem.as_deref().unwrap_or("weak definition")
        ));
    }
    for note in &harness.notes {
        text.push_str(&format!("note {note}\n"));
    }
    text
}

fn check(name: &str) {
    check_with(name, &Options::default());
}

fn check_with(name: &str, options: &Options) {
    let program = load(name);
    let mut found = String::new();
    for unit in &program.files {
        let harness = write(&program, unit.id, options);
        compiles(&program, unit.id, &harness.text, &format!("{name}-{}", unit.id));
        found.push_str(&shown(&program, unit.id, &harness));
    }
    let expected = folder().join(format!("{name}.expected"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&expected, &found).expect("write what is expected");
    }
    let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
    let differs = found.lines().zip(wanted.lines()).position(|(found, wanted)| found != wanted);
    if found != wanted {
        let line = differs.unwrap_or_else(|| found.lines().count().min(wanted.lines().count()));
        panic!(
            "{name}: line {} is `{}`, expected `{}` (BLESS=1 accepts it)",
            line + 1,
            found.lines().nth(line).unwrap_or(""),
            wanted.lines().nth(line).unwrap_or("")
        );
    }
}

macro_rules! behaviours {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            check(stringify!($name));
        }
    )*};
}

behaviours! { scalars pointers records related owners function_pointers globals names main oddities linked }

#[test]
fn effects() {
    let options = Options { set_statics: true, stubs: StubEffects::Writes, ..Options::default() };
    check_with("effects", &options);
}

/// Options change what is written, and every combination compiles.
#[test]
fn options() {
    let strict = Options {
        elements: 3,
        depth: 2,
        null_pointers: false,
        alias_pointers: false,
        enum_values: false,
        preconditions: Preconditions {
            sizes: false,
            constants: false,
            ranges: false,
            indexes: false,
            functions: false,
            objects: false,
            tags: false,
        },
        globals: Globals::Initial,
        stateful_calls: 1,
        ..Options::default()
    };
    for name in ["scalars", "pointers", "records", "function_pointers", "globals"] {
        let program = load(name);
        let file = program.files[0].id;
        let text = write(&program, file, &strict).text;
        compiles(&program, file, &text, &format!("{name}-strict"));
        for unwanted in ["?null", "?alias", "ctn_assume", "CTN_ROOT(\"buffer\")", "ctn_call < 2"] {
            assert!(!text.contains(unwanted), "{unwanted} in\n{text}");
        }
    }
}

#[test]
fn functions_can_be_left_out() {
    let program = load("scalars");
    let function =
        program.functions.iter().find(|function| function.name == "enums").expect("in the file").id;
    let drivers = [(function, "the compiler says no".to_owned())].into();
    let without = Refused { drivers, ..Refused::default() };
    let harness = write(&program, program.files[0].id, &Options { without, ..Options::default() });
    assert_eq!(harness.skipped, [(function, "the compiler says no".to_owned())]);
    assert!(!harness.text.contains("ctn_drive_enums"));
    assert!(harness.drivers.iter().enumerate().all(|(index, driver)| driver.index == index as u32));
}

/// A stub or a setter that is left out leaves a file that compiles.
#[test]
fn parts_can_be_left_out() {
    let program = load("records");
    let file = program.files[0].id;
    let all = write(&program, file, &Options::default());
    for part in ["__ctn_stub_grow", "ctn_set_struct_node", "ctn_new_tree_t"] {
        assert!(all.text.contains(part), "{part}");
        let parts = [(part.to_owned(), "the compiler says no".to_owned())].into();
        let without = Refused { parts, ..Refused::default() };
        let harness = write(&program, file, &Options { without, ..Options::default() });
        compiles(&program, file, &harness.text, &format!("without-{part}"));
        assert_eq!(harness.drivers.len(), all.drivers.len());
        let told =
            harness.notes.iter().cloned().chain(harness.stubs.iter().filter_map(|s| s.problem.clone()));
        assert!(told.into_iter().any(|text| text.contains("the compiler says no")), "{part}");
    }
}

/// Drivers touch no memory but their own: they run under the sanitizers, with a stand-in for the runtime.
#[test]
fn drivers_run() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["scalars", "pointers", "records", "function_pointers", "globals", "names"] {
        let program = load(name);
        let unit = &program.files[0];
        let harness = write(&program, unit.id, &Options::default());
        let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.run.c"));
        let binary = source.with_extension("out");
        std::fs::write(&source, &harness.text).expect("write the harness");
        let compiled = Command::new("clang-19")
            .args(&unit.flags)
            .args(["-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I"])
            .arg(manifest.join("../runtime/c"))
            .args([&source, &manifest.join("tests/fake_runtime.c")])
            .arg("-o")
            .arg(&binary)
            .output()
            .expect("run clang-19");
        assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
        let run =
            Command::new(&binary).env("ASAN_OPTIONS", "detect_leaks=0").output().expect("run the drivers");
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
        let driven = String::from_utf8_lossy(&run.stdout).lines().count();
        assert_eq!(driven, harness.drivers.len());
    }
}

/// The same drivers, written to note what real calls give.
#[test]
fn captures_compile() {
    let options = Options { capture: true, stubs: StubEffects::Writes, ..Options::default() };
    let names = ["scalars", "pointers", "records", "related", "owners", "function_pointers", "globals"];
    for name in names.into_iter().chain(["names", "main", "oddities", "linked"]) {
        let program = load(name);
        for unit in &program.files {
            let harness = write(&program, unit.id, &options);
            let drivers = write(&program, unit.id, &Options::default()).drivers;
            let with = |captured: &&str| drivers.iter().any(|driver| driver.name == *captured);
            let captured: Vec<&str> = harness.drivers.iter().map(|driver| driver.name.as_str()).collect();
            assert!(captured.iter().all(with), "{name}");
            assert_eq!(
                captured.len(),
                drivers.iter().filter(|driver| driver.name != "main").count(),
                "{name}"
            );
            let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/c");
            let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.capture.c", unit.id));
            std::fs::write(&source, &harness.text).expect("write the captures");
            let output = Command::new("clang-19")
                .current_dir(&unit.directory)
                .args(&unit.flags)
                .args(["-fsyntax-only", "-w", "-I"])
                .arg(&headers)
                .arg(&source)
                .output()
                .expect("run the compiler");
            assert!(output.status.success(), "{}\n{}", String::from_utf8_lossy(&output.stderr), harness.text);
        }
    }
}
