//! One search for a comparison: a job, a strategy, a seed and a number of executions -> how coverage grew.
//! Keeps no tests and no alarms.

use super::search::{Reports, read_tables, start};
use crate::job::{Measurement, Progress};
use compare::{Cost, Point, Run};
use execute::{Input, Session};
use explore::{Finished, Sites, strategy};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use wire::{RecordKind, SlotKey};

const TELL_EVERY: Duration = Duration::from_millis(500);
/// Bytes of a slot that get a random value.
const RANDOM_BYTES: usize = 1 << 12;
/// Small numbers are below this.
const SMALL: usize = 16;

/// Never fails: what goes wrong is the reason of a run without executions.
pub fn measure(job: &Measurement, tell: &dyn Fn(Progress)) -> Run {
    run(job, tell).unwrap_or_else(|error| job.without_result(format!("{error:#}")))
}

fn run(job: &Measurement, tell: &dyn Fn(Progress)) -> anyhow::Result<Run> {
    let unit = &job.unit;
    let tables = read_tables(unit)?;
    let mut strategy = strategy::by_name(&unit.strategy, unit.seed)
        .ok_or_else(|| anyhow::anyhow!("there is no strategy named `{}`", unit.strategy))?;
    let mut session = start(unit, Reports { checks: true, full_coverage: false })?;
    let seed = if job.random_start { random_input(&mut session, unit.seed)? } else { Input::new() };
    let solver = solve::Solver::new(solve::Options { seed: unit.seed });
    let mut subject = explore::unit::Unit::new(&mut session, &tables, solver);
    let options = explore::Options {
        executions: Some(job.executions),
        time: Some(Duration::from_millis(unit.time_ms)),
        solver_time: Duration::from_millis(unit.solver_time_ms),
        violations: job.checks,
        ..explore::Options::default()
    };
    let mut points: Vec<Point> = Vec::new();
    let mut last = Instant::now();
    let mut observer = |event| {
        if let explore::Event::Executed(progress) = event {
            let covered = progress.covered as u64;
            if points.last().is_none_or(|point| point.covered < covered) {
                let milliseconds = progress.elapsed.as_secs_f64() * 1000.0;
                points.push(Point { executions: progress.executions, milliseconds, covered });
            }
            if last.elapsed() > TELL_EVERY {
                last = Instant::now();
                tell(Progress { executions: progress.executions, paths: progress.executions });
            }
        }
        ControlFlow::Continue(())
    };
    let sites = match job.whole_program {
        true => Sites::new(&tables, None).aimed_at(&[unit.entry]),
        false => Sites::new(&tables, Some(&[unit.entry])),
    };
    let found = explore::explore(&mut subject, sites, strategy.as_mut(), &[seed], &options, &mut observer);
    if let Finished::Failed(reason) = &found.finished {
        anyhow::bail!("{reason}");
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let of = &found.statistics;
    Ok(Run {
        subject: unit.function.name.clone(),
        strategy: unit.strategy.clone(),
        seed: unit.seed,
        total: found.coverage.1 as u64,
        points,
        executions: of.executions,
        milliseconds: milliseconds(of.time.total),
        finished: found.finished.to_string(),
        cost: Cost {
            selecting_ms: milliseconds(of.time.selecting),
            queries: of.queries,
            solving_ms: milliseconds(of.time.solving),
            executing_ms: milliseconds(of.time.executing),
            nodes: of.nodes,
            tree_bytes: of.tree_bytes,
            longest_path: of.longest_path,
        },
    })
}

/// Random values for every slot that an execution on zeros reads, the same for the same seed. Half of the slots
/// get small numbers: sizes and indices of any magnitude end most functions at once.
fn random_input(session: &mut Session, seed: u64) -> anyhow::Result<Input> {
    let execution = session.run(&Input::new())?;
    let mut input = Input::new();
    let mut random = explore::Random::new(seed);
    for record in execution.log() {
        if RecordKind::from_code(record.kind) == Some(RecordKind::Input) {
            let slot = SlotKey { hash: record.value, occurrence: record.tu };
            let width = usize::from(record.aux.div_ceil(8)).max(1);
            let bytes = (record.site as usize).saturating_mul(width).min(RANDOM_BYTES);
            let is_small = random.below(2) == 0;
            let byte = |at: usize| match is_small {
                true if at.is_multiple_of(width) => random.below(SMALL) as u8,
                true => 0,
                false => random.draw() as u8,
            };
            input.set(slot, &(0..bytes).map(byte).collect::<Vec<u8>>());
        }
    }
    Ok(input)
}
