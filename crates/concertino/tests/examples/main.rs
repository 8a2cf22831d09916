//! The C files of tests/c through the real command line, against what their lines expect.
//!
//! One test per file, named by its path, so `cargo test -p concertino --test examples -- checks/null` runs
//! one. Files in tests/known-failures.txt must still fail: one that passes has to be taken off the list.
//! `CONCERTINO_EXAMPLES_KEEP` names a directory in which the runs are kept for a closer look,
//! `CONCERTINO_EXAMPLES_FLAGS` has more flags for `concertino test` (`--fork`, `--strategy dfs`).

mod expectation;
mod outcome;

use campaign::{Directory, View};
use expectation::{Callees, Expectations};
use libtest_mimic::{Arguments, Failed, Trial};
use outcome::Run;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// Everything that a line may expect beyond the defaults, and times that fit small functions.
const CONFIGURATION: &str = r#"[test]
checks = ["out-of-bounds", "null-dereference", "division-by-zero", "assertion", "use-after-free", "double-free",
          "stack-overflow", "non-termination", "other"CHECKS]
[limits]
execution-ms = 300
heap-megabytes = 16
"#;
const SECONDS_PER_FUNCTION: &str = "4";
/// Callers are explored to the end, which some of them need.
const SECONDS_IN_CONTEXTS: &str = "12";
/// A function as it is, whatever its callers do.
const ALONE: [&str; 9] = [
    "--no-contexts",
    "--no-assume",
    "sizes",
    "--no-assume",
    "constants",
    "--no-assume",
    "ranges",
    "--no-assume",
    "indexes",
];

fn main() -> ExitCode {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let cache = runtime_cache();
    let known = known_failures(&tests.join("known-failures.txt"));
    let mut trials = Vec::new();
    for file in c_files(&tests.join("c")) {
        let name = file.strip_prefix(tests.join("c")).unwrap_or(&file).display().to_string();
        let reason = known.get(&name).cloned();
        let cache = cache.clone();
        trials.push(Trial::test(name, move || judge(&file, &cache, reason)));
    }
    trials.push(Trial::test("the runner tells every difference", move || wrong_expectations(&cache)));
    let names: Vec<&str> = trials.iter().map(Trial::name).collect();
    if let Some(gone) = known.keys().find(|name| !names.contains(&name.as_str())) {
        eprintln!("tests/known-failures.txt names {gone}, which is not there");
        return ExitCode::FAILURE;
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The built runtime, shared by all runs, also where each is a process of its own. What another version of the
/// tool left there goes after a day.
fn runtime_cache() -> PathBuf {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples-runtime");
    for entry in std::fs::read_dir(&cache).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > Duration::from_secs(24 * 60 * 60)) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    cache
}

/// A file in which every expectation is wrong, and what the runner has to say about it.
fn wrong_expectations(cache: &Path) -> Result<(), Failed> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples");
    let expected = std::fs::read_to_string(here.join("wrong.expected"))?;
    let found = differences(&here.join("wrong.c"), cache)?;
    let mut found: Vec<&str> =
        found.iter().filter_map(|difference| difference.strip_prefix("with callees: ")).collect();
    let mut expected: Vec<&str> = expected.lines().collect();
    found.sort_unstable();
    expected.sort_unstable();
    if found == expected {
        return Ok(());
    }
    Err(format!("expected:\n{}\nfound:\n{}", expected.join("\n"), found.join("\n")).into())
}

fn judge(file: &Path, cache: &Path, known: Option<String>) -> Result<(), Failed> {
    let differences = differences(file, cache).unwrap_or_else(|message| vec![message]);
    match known {
        None if differences.is_empty() => Ok(()),
        None => Err(differences.join("\n").into()),
        Some(reason) if differences.is_empty() => {
            Err(format!("it passes now: take it off tests/known-failures.txt ({reason})").into())
        }
        Some(_) => Ok(()),
    }
}

/// A temporary project of the one file, and of what stands in the directory `FILE.with` beside it; kept when
/// somebody asks for it.
struct Project {
    path: PathBuf,
    _temporary: Option<tempfile::TempDir>,
}

impl Project {
    fn new(file: &Path) -> Result<Project, String> {
        let name = file.file_name().unwrap_or_default();
        let project = match std::env::var_os("CONCERTINO_EXAMPLES_KEEP") {
            Some(directory) => {
                Project { path: Path::new(&directory).join(name).with_extension(""), _temporary: None }
            }
            None => {
                let temporary = tempfile::tempdir().map_err(|error| error.to_string())?;
                Project { path: temporary.path().join("project"), _temporary: Some(temporary) }
            }
        };
        std::fs::create_dir_all(&project.path).map_err(|error| error.to_string())?;
        let beside = std::fs::read_dir(file.with_extension("with")).into_iter().flatten().flatten();
        for part in beside.map(|entry| entry.path()).chain([file.to_owned()]) {
            let name = part.file_name().unwrap_or_default();
            std::fs::copy(&part, project.path.join(name)).map_err(|error| error.to_string())?;
        }
        Ok(project)
    }
}

fn differences(file: &Path, cache: &Path) -> Result<Vec<String>, String> {
    let source = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let expected = Expectations::parse(&source)?;
    let project = Project::new(file)?;
    let classes: String = expected.checks.iter().map(|class| format!(", \"{}\"", class.name())).collect();
    std::fs::write(project.path.join("concertino.toml"), CONFIGURATION.replace("CHECKS", &classes))
        .map_err(|error| error.to_string())?;

    let mut all = Vec::new();
    let judged = expected.only_contexts || expected.alarms.iter().any(|alarm| alarm.level.is_some());
    let in_contexts = judged.then_some(Callees::Contexts);
    let alone: &[Callees] = if expected.only_contexts { &[] } else { &[Callees::Real, Callees::Stubs] };
    for callees in alone.iter().copied().chain(in_contexts) {
        let found = run(&project, cache, &expected, &source, callees)?;
        let mode = match callees {
            Callees::Real => "with callees",
            Callees::Stubs => "with stubs",
            Callees::Contexts => "in contexts",
        };
        all.extend(found.into_iter().map(|difference| format!("{mode}: {difference}")));
        if expected.rejected.is_some() {
            break;
        }
    }
    Ok(all)
}

fn run(
    project: &Project,
    cache: &Path,
    expected: &Expectations,
    source: &str,
    callees: Callees,
) -> Result<Vec<String>, String> {
    let canary = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    std::fs::write(canary.path(), "sings").map_err(|error| error.to_string())?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_concertino"));
    command.current_dir(&project.path).env("CONCERTINO_RUNTIME_CACHE", cache).args([
        "test",
        "--jobs",
        "1",
        "--progress",
        "none",
        "--time-per-function",
        if callees == Callees::Contexts { SECONDS_IN_CONTEXTS } else { SECONDS_PER_FUNCTION },
    ]);
    match callees {
        Callees::Real => command.args(ALONE).args(["--unit", "all"]),
        Callees::Stubs => command.args(ALONE).args(["--unit", "sut"]),
        // What a range rules out is no alarm at all, so nothing would be left for the contexts to say.
        Callees::Contexts if !expected.ranges => command.args(["--no-assume", "ranges"]),
        Callees::Contexts => &mut command,
    };
    if let Ok(more) = std::env::var("CONCERTINO_EXAMPLES_FLAGS") {
        command.args(more.split_whitespace());
    }
    command.arg("--").args(&expected.flags);
    if expected.canary {
        command.arg(format!("-DCANARY=\"{}\"", canary.path().display()));
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();

    if let Some(text) = &expected.rejected {
        let rejected = output.status.code() == Some(3) && printed.contains(text);
        return Ok(if rejected {
            Vec::new()
        } else {
            vec![format!("is to be rejected for `{text}`; {}, {printed}", output.status)]
        });
    }
    if output.status.code() != Some(0) {
        return Err(format!("concertino: {}\n{printed}", output.status));
    }
    let directory = Directory::new(project.path.join(".concertino"));
    let view = View::open(&directory).map_err(|error| error.to_string())?;
    let mut differences = Run { callees, source, view: &view, directory: &directory }.differences(expected);
    if std::fs::read_to_string(canary.path()).ok().as_deref() != Some("sings") {
        differences.push("the file outside the scratch directory was harmed".to_owned());
    }
    Ok(differences)
}

fn c_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        let extension = path.extension().unwrap_or_default();
        if path.is_dir() && extension != "with" {
            files.extend(c_files(&path));
        } else if path.is_file() && extension == "c" {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// `FILE REASON` per line; lines that begin with # are remarks.
fn known_failures(path: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(char::is_whitespace))
        .map(|(file, reason)| (file.to_owned(), reason.trim().to_owned()))
        .collect()
}
