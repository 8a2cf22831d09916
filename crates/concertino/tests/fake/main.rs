//! Whole campaigns through the command line, on a pipeline without a compiler: resume, interruption, lost
//! workers, exit codes.
//!
//! This program is its own `concertino`: called with a command it is the command line over the fake pipeline
//! (so that workers can be started from it), otherwise it runs the tests.

mod pipeline;

use clap::Parser;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let commands = ["test", "compare", "report", "replay", "explain", "__worker", "__measure"];
    if std::env::args().nth(1).is_some_and(|first| commands.contains(&first.as_str())) {
        return concertino::run(&concertino::args::Cli::parse(), &pipeline::FAKE).into();
    }
    let tests: &[(&str, fn())] = &[
        ("a_whole_campaign", a_whole_campaign),
        ("a_second_run_does_only_what_changed", a_second_run_does_only_what_changed),
        ("killed_and_resumed", killed_and_resumed),
        ("interrupted", interrupted),
        ("two_interrupts_stop_at_once", two_interrupts_stop_at_once),
        ("two_runs_do_not_collide", two_runs_do_not_collide),
        ("selections", selections),
        ("exit_codes", exit_codes),
        ("replays", replays),
        ("progress_as_json", progress_as_json),
        ("strategies_compared", strategies_compared),
    ];
    let trials = tests
        .iter()
        .map(|(name, test)| {
            Trial::test(*name, move || {
                std::panic::catch_unwind(test).map_err(|_| Failed::from("it panicked, see above"))
            })
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn strategies_compared() {
    let project = Project::new("f good 1\ng good 1\nh skip 1\n");
    let arguments =
        ["compare", "-f", "f", "-f", "h", "--strategies", "dfs,cgs", "--repeats", "3", "--executions", "40"];
    let (code, stdout, _) = project.run(&arguments);
    assert_eq!(code, 0, "{stdout}");
    let rows: Vec<&str> = stdout.lines().filter(|line| line.starts_with("| ")).collect();
    assert!(rows[1].starts_with("| cgs ") && rows[2].starts_with("| dfs "), "{stdout}");
    // The mean of 2 * 20 + seed, over the seeds 1, 2 and 3.
    assert!(rows[1].contains(" 42.0 "), "{stdout}");
    let written = project.path().join(".concertino/compare");
    let runs = std::fs::read_to_string(written.join("runs.csv")).unwrap();
    assert_eq!(runs.lines().count(), 1 + 2 * 3 * 3, "{runs}");
    assert!(std::fs::read_to_string(written.join("f.svg")).unwrap().starts_with("<svg "));
    assert!(!written.join("h.svg").exists());

    let (code, stdout, _) = project.run(&[&arguments[..], &["--json", "--out", "elsewhere"]].concat());
    let document: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &document["subjects"][0]["rows"][0]["strategy"]), (0, &"cgs".into()));
    assert!(project.path().join("elsewhere/summary.csv").exists());
    assert_eq!(project.run(&["compare"]).0, 2, "it wants functions");
    assert_eq!(project.run(&["compare", "-f", "h"]).0, 3, "nothing can be driven");
    assert!(project.run(&["compare", "--list"]).1.lines().any(|line| line.starts_with("cgs ")));
}

struct Project(tempfile::TempDir);

impl Project {
    fn new(units: &str) -> Project {
        let project = Project(tempfile::tempdir().unwrap());
        std::fs::write(project.path().join("a.c"), "int f(int n)\n{\n    return n;\n}\n").unwrap();
        project.set_units(units);
        project
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn set_units(&self, units: &str) {
        std::fs::write(self.path().join("units.txt"), units).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(arguments).current_dir(self.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    fn report(&self) -> serde_json::Value {
        let (code, stdout, stderr) = self.run(&["report", "--json"]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        serde_json::from_str(&stdout).unwrap()
    }

    /// Names of the functions with this status, in the order of the report.
    fn with_status(&self, status: &str) -> Vec<String> {
        let report = self.report();
        let functions = report["functions"].as_array().unwrap().iter();
        let chosen = functions.filter(|function| function["status"] == status);
        chosen.map(|function| function["name"].as_str().unwrap().to_owned()).collect()
    }

    /// The explorations that took place, sorted.
    fn work(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path().join("work.txt")).unwrap_or_default();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    }

    fn wait_for_work(&self, count: usize) {
        let begun = Instant::now();
        while self.work().len() < count && begun.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn a_whole_campaign() {
    let project = Project::new("a good 1\nb panic 1\nc abort 1\nalarming alarm 1\ne skip 1\nf broken 1\n");
    let (code, stdout, stderr) = project.run(&["test", "--jobs", "2", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let report: serde_json::Value =
        serde_json::from_str(&stdout).expect("standard output is the document only");
    assert_eq!(report, project.report());
    let reasons: Vec<(&str, &str)> = report["functions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|function| {
            (function["status"].as_str().unwrap(), function["reason"].as_str().unwrap_or_default())
        })
        .collect();
    assert_eq!(reasons[0], ("done", ""));
    assert_eq!(reasons[1].0, "failed");
    assert!(reasons[1].1.starts_with("internal error: a bug of ours at "), "{}", reasons[1].1);
    assert_eq!(reasons[2].0, "failed");
    assert!(reasons[2].1.starts_with("the worker process was lost: it ended (signal 6)"), "{}", reasons[2].1);
    assert_eq!(reasons[3], ("done", ""));
    assert_eq!(reasons[4], ("skipped", "cannot be driven"));
    assert_eq!(reasons[5], ("failed", "the harness does not compile"));
    assert_eq!(report["alarms"].as_array().unwrap().len(), 1);
    assert_eq!(report["coverage"]["branches"], serde_json::json!({"covered": 2, "total": 12}));
    assert_eq!(report["engine"]["executions"], 4);
    assert_eq!(report["problems"][0]["file"], "bad.c");
    let scratch = std::fs::read_dir(project.path().join(".concertino/scratch")).unwrap().count();
    assert_eq!(scratch, 0, "even an aborted worker leaves nothing behind");
}

fn a_second_run_does_only_what_changed() {
    let project = Project::new("a good 1\nb good 1\nc panic 1\n");
    project.run(&["test"]);
    assert_eq!(project.work(), ["a", "b"]);
    let before = project.report();
    project.run(&["test"]);
    assert_eq!(project.work(), ["a", "b"], "nothing changed, nothing was done");
    assert_eq!(project.report(), before);
    project.set_units("a good 1\nb good 2\nc panic 1\nd good 1\n");
    project.run(&["test"]);
    assert_eq!(project.work(), ["a", "b", "b", "d"], "only b and d are new");
    project.run(&["test", "--function", "a", "--seed", "7"]);
    assert_eq!(project.work(), ["a", "a", "b", "b", "d"], "another seed is another job");
    project.run(&["test", "--function", "d", "--again"]);
    assert_eq!(project.work(), ["a", "a", "b", "b", "d", "d"]);
    project.set_units("d good 1\n");
    project.run(&["test"]);
    assert_eq!(project.with_status("done"), ["d"], "functions that are gone are forgotten");
}

fn slow_units(count: usize) -> String {
    (0..count).map(|number| format!("f{number:02} slow 1\n")).collect()
}

fn killed_and_resumed() {
    let project = Project::new(&slow_units(8));
    for kill_after in [1, 3] {
        let mut run = project
            .command(&["test", "--jobs", "1"])
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        project.wait_for_work(kill_after);
        // The next unit begins while the result of the one before is being stored.
        std::thread::sleep(Duration::from_millis(150));
        run.kill().unwrap();
        run.wait().unwrap();
        // Its worker is killed by the kernel, at once but not before us.
        std::thread::sleep(Duration::from_millis(500));
    }
    let kept = project.with_status("done").len();
    let (code, _, stderr) = project.run(&["test", "--jobs", "1"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(project.with_status("done").len(), 8);
    // Whatever was finished before a kill was not done again; at most the one under way was, per kill.
    let work = project.work().len();
    assert!(kept >= 1 && (8..=10).contains(&work), "{kept} kept, {work} explorations");
}

fn interrupted() {
    let project = Project::new(&slow_units(12));
    let run = project
        .command(&["test", "--jobs", "1"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    project.wait_for_work(2);
    signal(run.id(), libc::SIGINT);
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let done = project.with_status("done").len();
    assert!((1..12).contains(&done), "{done}");
    assert!(
        String::from_utf8_lossy(&output.stdout).contains(&format!("{done} tested")),
        "the summary is shown"
    );
    let waiting = project.with_status("skipped").len();
    assert_eq!(done + waiting, 12, "what was not reached is named");
}

fn two_interrupts_stop_at_once() {
    let project = Project::new("a good 1\nb endless 1\n");
    let mut run = project
        .command(&["test", "--jobs", "1"])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    project.wait_for_work(1);
    std::thread::sleep(Duration::from_millis(100));
    let begun = Instant::now();
    signal(run.id(), libc::SIGINT);
    signal(run.id(), libc::SIGINT);
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(10));
    let (code, ..) = project.run(&["test", "--function", "a"]);
    assert_eq!(code, 0, "the lock is free");
}

fn two_runs_do_not_collide() {
    let project = Project::new("a good 1\nb endless 1\n");
    let mut run = project
        .command(&["test", "--jobs", "1"])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    project.wait_for_work(1);
    let (code, _, stderr) = project.run(&["test"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("another run is working in"), "{stderr}");
    assert!(stderr.contains(&format!("process {}", run.id())), "{stderr}");
    let (code, stdout, _) = project.run(&["report"]);
    assert_eq!(code, 0, "a report can be had meanwhile");
    assert!(stdout.starts_with("2 functions"), "{stdout}");
    signal(run.id(), libc::SIGTERM);
    assert_eq!(run.wait().unwrap().code(), Some(143));
}

fn selections() {
    let project = Project::new("parse_a good 1\nparse_b good 1\nother good 1\n");
    project.run(&["test", "--function", "parse_*"]);
    assert_eq!(project.work(), ["parse_a", "parse_b"]);
    assert_eq!(project.with_status("skipped"), ["other"]);
    let (code, _, stderr) = project.run(&["test", "--function", "parse_c"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no function parse_c in this project\n  did you mean parse_"), "{stderr}");
    let (code, _, stderr) = project.run(&["test", "--file", "b.c"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no function in a file b.c"), "{stderr}");
    assert_eq!(project.run(&["test", "--file", "a.c"]).0, 0);
    assert_eq!(project.work(), ["other", "parse_a", "parse_b"]);
}

fn exit_codes() {
    let alarming = Project::new("alarming alarm 1\n");
    assert_eq!(alarming.run(&["test"]).0, 0);
    assert_eq!(alarming.run(&["test", "--fail-on-alarm"]).0, 1);
    std::fs::write(alarming.path().join("concertino.toml"), "[test]\nfail-on-alarm = true\n").unwrap();
    assert_eq!(alarming.run(&["test"]).0, 1);
    assert_eq!(Project::new("a skip 1\nb panic 1\n").run(&["test"]).0, 3);
    let (code, _, stderr) = Project::new("").run(&["test"]);
    assert_eq!(code, 3);
    assert!(stderr.contains("no function was found that could be tested\n  does not compile"), "{stderr}");
}

fn replays() {
    let project = Project::new("alarming alarm 1\ngood good 1\n");
    project.run(&["test"]);
    let report = project.report();
    let alarm = &report["alarms"][0];
    let by_id = project.run(&["replay", &alarm["id"].as_str().unwrap()[..5]]);
    assert_eq!(by_id, (1, "1 slots\nalarming (a.c:1): replayed\n".to_owned(), String::new()));
    let by_file = project.run(&["replay", alarm["input"].as_str().unwrap()]);
    assert_eq!(by_file, by_id);
    let (code, _, stderr) = project.run(&["replay", "zzz"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("`zzz` is neither a file nor an alarm of this project"), "{stderr}");
    let (code, _, stderr) = project.run(&["replay", "units.txt"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("units.txt is not an input of concertino"), "{stderr}");
}

fn progress_as_json() {
    let project = Project::new("a good 1\nalarming alarm 1\nc skip 1\n");
    let (_, _, stderr) = project.run(&["test", "--progress", "json"]);
    let events: Vec<serde_json::Value> =
        stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((count("stage"), count("campaign"), count("finished"), count("alarm")), (1, 1, 3, 1));
    let quiet = project.run(&["test", "--again", "--progress", "none"]);
    assert_eq!(quiet.2, "");
}

fn signal(process: u32, signal: i32) {
    // SAFETY: a child of ours that has not been waited for.
    unsafe { libc::kill(i32::try_from(process).unwrap(), signal) };
}
