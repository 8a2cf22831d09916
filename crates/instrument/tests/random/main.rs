//! Random programs behave the same natively and instrumented, with nothing symbolic and with every global
//! variable symbolic. In the second way the host also evaluates every record and every labelled byte, and exits
//! with 88 when a node does not mean what the program computed; and the term crate evaluates the path.
//!
//! The test takes the seeds below. `CONCERTINO_RANDOM=FIRST..END` takes others, `CONCERTINO_RANDOM_RESULT`
//! names a file to which the counts are appended; `bench/random-programs` uses both.

mod expression;
mod generate;
#[allow(dead_code)]
#[path = "../support/mod.rs"]
mod support;
mod terms;

use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use support::{Kit, UNOPTIMISED, instrumented_from, kit, native};

const SEEDS: Range<u32> = 0..300;
const BATCH: u32 = 25;
const THREADS: usize = 2;
/// How the compiler optimises before, and LLVM after the program is instrumented. The first is what the product
/// does; without the second a program costs a fifth.
const LEVELS: &[(&[&str], u8)] = &[(UNOPTIMISED, 1), (&["-O1"], 0), (UNOPTIMISED, 0), (&["-O2"], 0)];

#[derive(Default)]
struct Tally {
    runs: u32,
    /// Programs that do not end by themselves.
    endless: u32,
    /// Programs that differ, and whose behaviour C does not define: csmith converts floats that do not fit.
    undefined: u32,
    differences: Vec<String>,
}

#[test]
fn random_programs_agree_with_their_native_build() {
    let is_installed = Path::new("/usr/include/csmith/csmith.h").is_file()
        && Command::new("csmith").arg("--version").output().is_ok();
    assert!(is_installed, "csmith is not installed: run scripts/setup.sh");
    let seeds = seeds();
    let kit = kit("random");
    let batches: Vec<Range<u32>> =
        seeds.clone().step_by(BATCH as usize).map(|first| first..(first + BATCH).min(seeds.end)).collect();
    let (queue, tally) = (Mutex::new(batches.into_iter()), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let Some(batch) = queue.lock().unwrap().next() else { return };
                    compare(kit, batch, &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    let summary = format!(
        "seeds {}..{}: {} comparisons, {} programs without end, {} undefined, {} differences",
        seeds.start,
        seeds.end,
        tally.runs,
        tally.endless,
        tally.undefined,
        tally.differences.len()
    );
    println!("{summary}");
    if let Some(path) = std::env::var_os("CONCERTINO_RANDOM_RESULT") {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        writeln!(file, "{summary}").unwrap();
        for difference in &tally.differences {
            writeln!(file, "  {}", difference.lines().next().unwrap_or_default()).unwrap();
        }
    }
    assert!(tally.differences.is_empty(), "{summary}\n{}", tally.differences.join("\n"));
    assert!(tally.runs > seeds.end - seeds.start, "too few programs ran: {summary}");
}

fn seeds() -> Range<u32> {
    let Ok(text) = std::env::var("CONCERTINO_RANDOM") else { return SEEDS };
    let (first, end) = text.split_once("..").expect("CONCERTINO_RANDOM=FIRST..END");
    first.parse().unwrap()..end.parse().unwrap()
}

fn compare(kit: &Kit, batch: Range<u32>, tally: &Mutex<Tally>) {
    let seeds: Vec<u32> = batch.clone().collect();
    let text = generate::unit(&seeds).unwrap();
    let source = kit.directory.join(format!("random{}.c", batch.start));
    std::fs::write(&source, text).unwrap();
    // Nobody looks at places, and without them it is faster.
    let include = ["-I/usr/include/csmith", "-g0"];
    let plain = native(kit, &source, &include);
    let (level, after) = LEVELS[(batch.start / BATCH) as usize % LEVELS.len()];
    let flags: Vec<&str> = include.iter().chain(level).copied().collect();
    let program = instrumented_from(kit, &source, &flags, after).program;
    for seed in seeds {
        let expected = run(&plain, seed, None, 1);
        if expected.status.code().is_none() {
            tally.lock().unwrap().endless += 1;
            continue;
        }
        let mut differences = Vec::new();
        for symbolic in [None, Some("symbolic")] {
            let got = run(&program, seed, symbolic, 60);
            let wrong = symbolic
                .and_then(|_| terms::disagreement(&std::fs::read(dump(&program)).unwrap_or_default()));
            tally.lock().unwrap().runs += 1;
            if let Some(wrong) = wrong.filter(|_| got.status.success()) {
                differences.push(format!("seed {seed} terms {}: {wrong}", level[0]));
            }
            if got.stdout != expected.stdout || got.status.code() != expected.status.code() {
                let how = symbolic.unwrap_or("concrete");
                differences.push(format!(
                    "seed {seed} {how} {}: {} instead of {}: {}\n{}",
                    level[0],
                    got.status,
                    expected.status,
                    String::from_utf8_lossy(&got.stderr).lines().next().unwrap_or_default(),
                    first_difference(&got.stdout, &expected.stdout),
                ));
            }
        }
        if differences.is_empty() {
            continue;
        }
        let is_undefined = is_undefined(kit, &source, &include, seed);
        let mut tally = tally.lock().unwrap();
        match is_undefined {
            true => tally.undefined += 1,
            false => tally.differences.extend(differences),
        }
    }
    for file in [plain, dump(&program), program] {
        let _ = std::fs::remove_file(file);
    }
}

/// Whether the sanitizer finds undefined behaviour in the native program.
fn is_undefined(kit: &Kit, source: &Path, include: &[&str], seed: u32) -> bool {
    // Under another name, or it would take the place of the plain build.
    let copy = kit.directory.join(format!("undefined{seed}.c"));
    std::fs::copy(source, &copy).unwrap();
    let sanitize = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];
    let checked = native(kit, &copy, &include.iter().chain(&sanitize).copied().collect::<Vec<_>>());
    let output = run(&checked, seed, None, 60);
    String::from_utf8_lossy(&output.stderr).contains("runtime error")
}

/// Where the host leaves what an execution recorded.
fn dump(program: &Path) -> PathBuf {
    program.with_extension("dump")
}

/// Seconds of the processor's time, so that a busy machine changes nothing; then it dies by a signal.
fn run(program: &Path, seed: u32, symbolic: Option<&str>, seconds: u32) -> Output {
    Command::new("sh")
        .args(["-c", "ulimit -t $0; exec \"$@\" 9>\"$DUMP\""])
        .env("DUMP", dump(program))
        .env("CTN_BINARY", "1")
        .args([seconds.to_string(), program.display().to_string(), seed.to_string()])
        .args(symbolic)
        .output()
        .unwrap()
}

fn first_difference(got: &[u8], expected: &[u8]) -> String {
    let (got, expected) = (String::from_utf8_lossy(got), String::from_utf8_lossy(expected));
    let (mut g, mut e) = (got.lines(), expected.lines());
    loop {
        match (g.next(), e.next()) {
            (None, None) => return String::new(),
            (a, b) if a == b => {}
            (a, b) => return format!("    native: {b:?}\n    here:   {a:?}"),
        }
    }
}
