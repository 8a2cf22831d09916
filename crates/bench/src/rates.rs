//! Executions per second, forked and persistent, beside a bare loop of fork and wait.
//!
//! All contenders take turns, so that a machine that is busy with other things slows all of them; every ratio
//! is taken within one turn, and the median over the turns is told.

use crate::clock::{self, Took, median};
use crate::project::{Places, Unit, Units};
use crate::result::{Section, Target, number, text};
use crate::search;
use anyhow::{Context, bail};
use execute::{Input, Session, Way};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const TURNS: usize = 7;
const TURN: Duration = Duration::from_millis(800);
/// Inputs that a unit runs in turn: as a search found them.
const INPUTS: u64 = 200;

struct Sample {
    runs: u64,
    took: Took,
}

impl Sample {
    fn per_second(&self) -> f64 {
        self.runs as f64 / self.took.wall
    }

    fn per_cpu_second(&self) -> f64 {
        self.runs as f64 / self.took.cpu
    }
}

/// Something that can be run again and again.
enum Contender {
    ForkLoop { program: PathBuf, kilobytes: u64 },
    Unit { session: Box<Session>, inputs: Vec<Input> },
}

struct Entry {
    name: String,
    contender: Contender,
    samples: Vec<Sample>,
}

pub(crate) fn measure(places: &Places, units: &Units) -> anyhow::Result<Section> {
    let mut section = Section::new(
        "Executions per second",
        &[
            "what runs",
            "per second",
            "per CPU second",
            "to bare fork",
            "to bare fork, CPU",
            "to equal fork, CPU",
        ],
    );
    let mut sessions = Vec::new();
    for name in ["empty", "allocating", "tokenizer"] {
        let unit = units.get(name)?;
        let inputs = inputs(&unit)?;
        for (way, called) in [(Way::Fork, "fork"), (Way::Persistent, "persistent")] {
            let session = unit.session(way)?;
            let contender = Contender::Unit { session: Box::new(session), inputs: inputs.clone() };
            sessions.push(Entry { name: format!("{name}, {called}"), contender, samples: Vec::new() });
        }
    }
    let memory = server_memory(&sessions)?;
    let program = fork_loop(places)?;
    let bare = |name: &str, kilobytes| Entry {
        name: name.to_owned(),
        contender: Contender::ForkLoop { program: program.clone(), kilobytes },
        samples: Vec::new(),
    };
    let mut entries = vec![bare("bare fork and wait", 0), bare("the same with equal memory", memory)];
    entries.extend(sessions);

    for _ in 0..TURNS {
        for entry in &mut entries {
            let sample = entry.contender.turn().with_context(|| entry.name.clone())?;
            entry.samples.push(sample);
        }
    }
    for entry in &entries {
        if let Contender::Unit { session, .. } = &entry.contender
            && session.statistics().fell_back_to_fork
        {
            bail!("{} fell back to fork", entry.name);
        }
        let samples = &entry.samples;
        let to = |other: usize, rate: fn(&Sample) -> f64| {
            median(samples.iter().zip(&entries[other].samples).map(|(own, other)| rate(own) / rate(other)))
        };
        section.row([
            text(&entry.name),
            number(median(samples.iter().map(Sample::per_second)), 0),
            number(median(samples.iter().map(Sample::per_cpu_second)), 0),
            number(to(0, Sample::per_second), 2),
            number(to(0, Sample::per_cpu_second), 2),
            number(to(1, Sample::per_cpu_second), 2),
        ]);
        let target = match entry.name.as_str() {
            "empty, fork" => Some(0.7),
            "empty, persistent" => Some(20.0),
            "allocating, persistent" => Some(15.0),
            _ => None,
        };
        if let Some(target) = target {
            let name = format!("{}: executions to bare forks, CPU", entry.name);
            section.figure(name, to(0, Sample::per_cpu_second), Target::AtLeast(target));
        }
    }
    section.note(format!(
        "Medians over {TURNS} turns of {} ms each, taken in rotation. CPU time is that of the explorer's side, \
         the server and its workers together. \"Equal memory\" is the loop in a process that has written as \
         much memory as the server of a unit ({memory} KB).",
        TURN.as_millis()
    ));
    Ok(section)
}

impl Contender {
    fn turn(&mut self) -> anyhow::Result<Sample> {
        match self {
            Contender::ForkLoop { program, kilobytes } => loop_turn(program, *kilobytes),
            Contender::Unit { session, inputs } => unit_turn(session, inputs),
        }
    }
}

fn unit_turn(session: &mut Session, inputs: &[Input]) -> anyhow::Result<Sample> {
    let server = session.server_id();
    let cpu = || clock::thread() + clock::family(server);
    let (runs, took) = clock::took(cpu, || -> anyhow::Result<u64> {
        let start = Instant::now();
        let mut runs = 0;
        while start.elapsed() < TURN {
            for input in inputs {
                session.run(input)?;
                runs += 1;
            }
        }
        Ok(runs)
    });
    Ok(Sample { runs: runs?, took })
}

fn loop_turn(program: &Path, kilobytes: u64) -> anyhow::Result<Sample> {
    let arguments = [TURN.as_millis().to_string(), kilobytes.to_string()];
    let output = Command::new(program).args(arguments).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let mut numbers = said.split_whitespace().map(str::parse::<f64>);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(runs)), Some(Ok(wall)), Some(Ok(cpu))) => {
            Ok(Sample { runs: runs as u64, took: Took { wall: wall / 1e9, cpu: cpu / 1e9 } })
        }
        _ => bail!("the fork loop failed: {}", output.status),
    }
}

fn fork_loop(places: &Places) -> anyhow::Result<PathBuf> {
    let program = places.work.join("fork_loop");
    let source = places.bench("fork_loop.c");
    let status = Command::new("clang-19").arg("-O2").arg(source).arg("-o").arg(&program).status()?;
    if !status.success() {
        bail!("the fork loop does not compile");
    }
    Ok(program)
}

/// What a search runs; the empty unit has only one input.
fn inputs(unit: &Unit<'_>) -> anyhow::Result<Vec<Input>> {
    let mut session = unit.session(Way::Persistent)?;
    let limits = explore::Options { executions: Some(INPUTS), keep_all: true, ..explore::Options::default() };
    let found = search::explore(unit, &mut session, &limits)?.exploration;
    let mut inputs: Vec<Input> = found.tests.into_iter().map(|test| test.input).collect();
    // Crashes have costs of their own, and a turn should run every input as often as any other.
    inputs.truncate(INPUTS as usize);
    Ok(if inputs.is_empty() { vec![Input::new()] } else { inputs })
}

/// Kilobytes of private memory of a server that forks.
fn server_memory(entries: &[Entry]) -> anyhow::Result<u64> {
    let forking = entries.iter().find_map(|entry| match &entry.contender {
        Contender::Unit { session, .. } if session.way() == Way::Fork => Some(session.server_id()),
        _ => None,
    });
    let status = std::fs::read_to_string(format!("/proc/{}/status", forking.unwrap_or_default()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).context("no RssAnon of the server")
}
