//! A pipeline without a compiler: functions are lines of `units.txt`, and do what their line says.
//!
//! ```text
//! name behaviour code
//! ```
//! Each exploration leaves a line in `work.txt`, so that tests can count what was done twice.

use campaign::{
    Alarm, BranchSide, Class, End, FunctionName, Input, Level, Problem, Slot, Statistics, Status, Test,
};
use concertino::event::Event;
use concertino::exit::BadInput;
use concertino::job::*;
use concertino::options::{Options, Project};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use wire::{FunctionKey, Mode};

pub(crate) const FAKE: Pipeline =
    Pipeline { prepare, explore_unit, confirm, in_context, measure, replay, cover, export };

/// Coverage that grows by the strategy's rank and the seed.
fn measure(job: &Measurement, _tell: &dyn Fn(Progress)) -> compare::Run {
    let rank = if job.unit.strategy == "dfs" { 10 } else { 20 };
    let point = |executions, covered| compare::Point { executions, milliseconds: 1.0, covered };
    compare::Run {
        total: 50,
        points: vec![point(1, rank), point(job.executions / 2, 2 * rank + job.unit.seed)],
        executions: job.executions,
        milliseconds: 2.0,
        ..job.without_result("all paths explored".into())
    }
}

fn prepare(project: &Project, options: &Options, tell: &dyn Fn(Event)) -> anyhow::Result<Prepared> {
    let text = std::fs::read_to_string(project.root.join("units.txt"))
        .map_err(|error| BadInput(error.to_string()))?;
    tell(Event::Stage { name: "model", total: text.lines().count() as u64 });
    let units = text.lines().zip(1..).map(|(line, number)| unit(project, options, line, number)).collect();
    let problem = Problem { file: Some("bad.c".into()), line: Some(1), message: "does not compile".into() };
    Ok(Prepared { units, problems: vec![problem], facts: Vec::new() })
}

fn unit(project: &Project, options: &Options, line: &str, number: u32) -> PreparedUnit {
    let words: Vec<&str> = line.split(' ').collect();
    let function = FunctionName { file: "a.c".into(), name: words[0].into(), line: number };
    let work = match words[1] {
        "skip" => Work::Skip("cannot be driven".into()),
        "broken" => Work::Fail("the harness does not compile".into()),
        behaviour => Work::Explore(Box::new(UnitJob {
            function: function.clone(),
            entry: FunctionKey { tu: 1, function: number },
            image: behaviour.into(),
            replay_image: Some(project.root.join("work.txt")),
            sites: Vec::new(),
            driver: Driver { tu: 1, index: number, has_long: false },
            default_mode: Mode::Real,
            modes: Vec::new(),
            samples: Vec::new(),
            assumed: BTreeMap::new(),
            invariants: Vec::new(),
            roots: Vec::new(),
            contexts: Contexts::default(),
            checks: Vec::new(),
            strategy: options.strategy.clone(),
            seed: options.seed,
            time_ms: 1000 * options.seconds_per_function,
            solver_time_ms: 1,
            record_queries: None,
            limits: Limits {
                execution_ms: 1,
                heap_bytes: 1,
                output_bytes: 1,
                site_limit: 0,
                read_limit: 1,
                write_limit: 1,
            },
            persistent: true,
            sandbox: true,
            root: project.root.clone(),
            directories: vec![project.root.clone()],
            scratch: project.campaign.join("scratch"),
        })),
    };
    PreparedUnit {
        branches: vec![side(&function, 0), side(&function, 1)],
        code: words[2].into(),
        function,
        work,
    }
}

fn side(function: &FunctionName, side: u32) -> BranchSide {
    BranchSide { file: function.file.clone(), line: function.line, column: 1, index: 0, side }
}

fn input(function: &FunctionName) -> Input {
    let slot = Slot { path: "n".into(), hash: 3, occurrence: 0, bits: 32, bytes: vec![7, 0, 0, 0] };
    Input::new(function.clone(), vec![slot])
}

fn explore_unit(job: &UnitJob, progress: &dyn Fn(Progress)) -> UnitResult {
    assert!(job.scratch.is_dir(), "a worker has a scratch directory");
    println!("a library that prints to standard output must not disturb the answers");
    progress(Progress { executions: 1, paths: 1 });
    match job.image.to_str() {
        Some("panic") => panic!("a bug of ours"),
        Some("abort") => std::process::abort(),
        Some("slow") => std::thread::sleep(Duration::from_millis(300)),
        Some("endless") => std::thread::sleep(Duration::from_secs(600)),
        _ => {}
    }
    note(job.replay_image.as_ref(), &job.function.name);
    let candidate = Candidate {
        class: Class::OutOfBounds,
        file: "a.c".into(),
        line: job.function.line,
        column: 1,
        function: job.function.name.clone(),
        suspected: false,
        input: input(&job.function),
        later: Vec::new(),
        evidence: serde_json::Value::Null,
    };
    UnitResult {
        status: Status::Done,
        reason: None,
        tests: vec![Test {
            input: input(&job.function),
            end: End::Returned,
            covers: vec![side(&job.function, 0)],
        }],
        candidates: if job.image.to_str() == Some("alarm") { vec![candidate] } else { Vec::new() },
        uncovered: Vec::new(),
        statistics: Statistics { executions: 2, paths: 1, ..Statistics::default() },
    }
}

fn note(file: Option<&PathBuf>, name: &str) {
    let file = file.expect("the fake names its work file");
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
    file.write_all(format!("{name}\n").as_bytes()).unwrap();
}

fn confirm(_: &UnitJob, candidate: &Candidate) -> Option<Alarm> {
    Some(Alarm {
        class: candidate.class,
        file: candidate.file.clone(),
        line: candidate.line,
        column: candidate.column,
        function: candidate.function.clone(),
        level: Level::Unit,
        reason: "fails alone".into(),
        score: 0.5,
        input: candidate.input.clone(),
        replayed: "stack-buffer-overflow".into(),
        evidence: serde_json::Value::Null,
    })
}

fn in_context(_: &UnitJob, _: &mut [Alarm]) {}

fn replay(
    _: &Project,
    _: &Options,
    request: &ReplayRequest,
    _: &dyn Fn(Event),
) -> anyhow::Result<ReplayOutcome> {
    let failed = request.input.function.name == "alarming";
    Ok(ReplayOutcome {
        verdict: "replayed".into(),
        failed,
        output: format!("{} slots", request.input.slots.len()),
    })
}

fn cover(_: &Project, _: &Options, _: &[KeptTests], _: Tell<'_>) -> anyhow::Result<coverage::Measured> {
    Ok(coverage::Measured::default())
}

fn export(
    _: &Project,
    _: &Options,
    _: &[KeptTests],
    _: &[harness::cases::Framework],
    _: Tell<'_>,
) -> anyhow::Result<Exported> {
    Ok(Exported::default())
}
