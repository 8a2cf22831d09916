//! Faults in a native build under the sanitizers, as a report shows them.

use execute::{Input, ReplayEnd, ReplayRun, ReplayTarget, SANITIZER_EXIT, SandboxPolicy, replay, slot_hash};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;
use wire::{Mode, SlotKey};

const FAULTS: &str = include_str!("c/faults.c");

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}", std::process::id()))
}

fn image() -> &'static Path {
    static IMAGE: OnceLock<PathBuf> = OnceLock::new();
    IMAGE.get_or_init(|| {
        let directory = directory();
        let sources = directory.join("c");
        runtime::write_sources(&sources).unwrap();
        let clang = |arguments: &[&str], source: &Path, output: &Path| {
            let status =
                Command::new("clang-19").args(arguments).arg(source).arg("-o").arg(output).status().unwrap();
            assert!(status.success(), "{}", source.display());
        };
        let mut objects = Vec::new();
        for name in runtime::replay_sources() {
            let object = directory.join(name).with_extension("o");
            clang(runtime::object_flags(), &sources.join(name), &object);
            objects.push(object);
        }
        let faults = directory.join("faults.c");
        std::fs::write(&faults, FAULTS).unwrap();
        let object = directory.join("faults.o");
        let include = format!("-I{}", sources.display());
        clang(&["-c", "-g", "-O1", "-fPIE", "-fsanitize=address,undefined", &include], &faults, &object);
        objects.push(object);
        let image = directory.join("faults");
        let status = Command::new("clang-19")
            .args(["-fuse-ld=lld", "-pie", "-rdynamic", "-fsanitize=address,undefined"])
            .args(&objects)
            .args(["-lpthread", "-o"])
            .arg(&image)
            .status()
            .unwrap();
        assert!(status.success());
        image
    })
}

fn run(name: &str, slot: &str, value: i32) -> ReplayRun {
    let table = FAULTS.split("drivers[] = {").nth(1).unwrap();
    let index = table.split("{\"").skip(1).position(|entry| entry.starts_with(&format!("{name}\""))).unwrap();
    let target = ReplayTarget {
        image: image().to_owned(),
        scratch: directory().join("scratch"),
        sandbox: SandboxPolicy::Require,
        driver: (9, index as u32),
        default_mode: Mode::Real,
        modes: Vec::new(),
        time_limit: Duration::from_secs(20),
        output_limit: 1 << 20,
        filled: false,
        counters: None,
    };
    let slot = SlotKey { hash: slot_hash(slot), occurrence: 0 };
    let input: Input = [(slot, value.to_le_bytes().to_vec())].into_iter().collect();
    replay(&target, &input).unwrap()
}

#[track_caller]
fn reports(name: &str, value: i32, words: &[&str]) {
    let run = run(name, "n", value);
    assert_eq!(run.end, ReplayEnd::Exit(SANITIZER_EXIT), "{}", run.output);
    for words in words {
        assert!(run.output.contains(words), "{name}: no `{words}` in\n{}", run.output);
    }
}

#[test]
fn faults_are_reported_with_their_places() {
    reports("overflows", 8, &["heap-buffer-overflow", "#0 0x", " in overflows ", "faults.c:21:"]);
    reports("reads_null", 1, &["null pointer", "faults.c:27"]);
    reports("divides", 1, &["division by zero"]);
    reports("recurses", 1, &["stack-overflow"]);
    assert_eq!(run("overflows", "n", 7).end, ReplayEnd::Exit(0));
}

#[test]
fn a_failed_assertion_is_an_abort_with_a_stack() {
    let run = run("asserts", "n", 1);
    assert_eq!(run.end, ReplayEnd::Exit(SANITIZER_EXIT), "{}", run.output);
    assert!(run.output.contains("AddressSanitizer: ABRT"), "{}", run.output);
    assert!(run.output.contains("Assertion `number() == 0' failed"), "{}", run.output);
}

#[test]
fn other_endings() {
    assert_eq!(run("leaves", "n", 3).end, ReplayEnd::Exit(3));
    assert_eq!(run("assumes", "n", 1).end, ReplayEnd::AssumptionFailed);
    assert_eq!(run("forks", "fork()", 5).end, ReplayEnd::Exit(5));
    assert_eq!(run("fills", "n", 0).end, ReplayEnd::Exit(0));
    assert_ne!(run("signals_parent", "n", 0).end, ReplayEnd::Exit(1));
}

#[test]
fn limits_hold() {
    let run_out_of_memory = run("eats_memory", "n", 0);
    assert!(run_out_of_memory.output.contains("rss limit"), "{}", run_out_of_memory.output);
    assert!(run("loops", "n", 1).timed_out);
}
