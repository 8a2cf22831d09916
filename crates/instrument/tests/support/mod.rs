//! Builds C files with and without instrumentation, and runs them. The runtime's own parts are compiled once
//! per test binary; `host.c` stands in for the fork server.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const RUNTIME: &[&str] =
    &["labels", "algebra", "shadow", "checks", "access", "ends", "nullable", "stack", "varargs", "lend"];
pub(crate) const TU: u32 = 0x1234;

pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/c")
}

fn include(directory: PathBuf) -> String {
    format!("-I{}", directory.display())
}

pub(crate) fn must(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

pub(crate) fn clang() -> Command {
    Command::new(std::env::var("CONCERTINO_CLANG").unwrap_or_else(|_| "clang-19".to_string()))
}

pub(crate) struct Kit {
    pub(crate) directory: PathBuf,
    pub(crate) inline: PathBuf,
    objects: Vec<PathBuf>,
}

/// The runtime parts and the host, compiled once.
pub(crate) fn kit(name: &str) -> &'static Kit {
    static KIT: OnceLock<Kit> = OnceLock::new();
    KIT.get_or_init(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&directory).unwrap();
        let mut objects = Vec::new();
        let host = ["host", "evaluate"].map(|name| tests().join("support").join(name).with_extension("c"));
        for source in RUNTIME.iter().map(|name| runtime().join(name).with_extension("c")).chain(host) {
            let object = directory.join(source.file_stem().unwrap()).with_extension("o");
            let mut command = clang();
            command.args(["-g", "-O2", "-fno-omit-frame-pointer", "-Wall", "-Wextra", "-Werror", "-c"]);
            must(command.arg(include(runtime())).arg(&source).arg("-o").arg(&object));
            objects.push(object);
        }
        let inline = directory.join("inline.bc");
        let source = runtime().join("inline.c");
        must(clang().args(["-O2", "-fPIE", "-emit-llvm", "-c"]).arg(source).arg("-o").arg(&inline));
        Kit { directory, inline, objects }
    })
}

pub(crate) struct Built {
    pub(crate) program: PathBuf,
    pub(crate) sites: PathBuf,
}

/// As the product compiles: every branch of the source is there.
pub(crate) const UNOPTIMISED: &[&str] = &["-O0", "-Xclang", "-disable-O0-optnone"];

pub(crate) fn bitcode(kit: &Kit, source: &Path, flags: &[&str]) -> PathBuf {
    let output = kit.directory.join(source.file_stem().unwrap()).with_extension("bc");
    let mut command = clang();
    command.args(["-g", "-w", "-emit-llvm", "-c"]);
    must(command.arg(include(runtime())).args(flags).arg(source).arg("-o").arg(&output));
    output
}

pub(crate) fn instrumented(kit: &Kit, source: &Path, flags: &[&str]) -> Built {
    let all: Vec<&str> = UNOPTIMISED.iter().chain(flags).copied().collect();
    instrumented_from(kit, source, &all, 1)
}

/// Instrumented as the compiler makes it with these flags, which say how it optimises before.
pub(crate) fn instrumented_from(kit: &Kit, source: &Path, flags: &[&str], optimise: u8) -> Built {
    let input = bitcode(kit, source, flags);
    let (object, program) = (input.with_extension("o"), input.with_extension("instrumented"));
    let sites = input.with_extension("sites.json");
    let request = instrument::Request {
        mode: instrument::Mode::Explore,
        tu: TU,
        input,
        inline: Some(kit.inline.clone()),
        redirects: Some(tests().join("support/redirects.txt")),
        output: object.clone(),
        sites: sites.clone(),
        emit_bitcode: None,
        optimise,
    };
    instrument::run(Path::new(env!("CARGO_BIN_EXE_concertino-instrument")), &request).unwrap();
    must(clang().arg(&object).args(&kit.objects).arg("-lm").arg("-o").arg(&program));
    Built { program, sites }
}

pub(crate) fn native(kit: &Kit, source: &Path, flags: &[&str]) -> PathBuf {
    let program = kit.directory.join(source.file_stem().unwrap()).with_extension("native");
    must(clang().args(["-w", "-DNATIVE"]).args(flags).arg(source).arg("-lm").arg("-o").arg(&program));
    program
}

/// The C files of a directory below tests/c, in order.
pub(crate) fn sources(directory: &str) -> Vec<PathBuf> {
    let path = tests().join("c").join(directory);
    let entries = std::fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "c"));
    files.sort();
    assert!(!files.is_empty(), "no tests in {}", path.display());
    files
}
