//! One job -> exploration -> what a campaign keeps of it. Runs in a worker process.

use super::likely::prefer_likely;
use super::place::Places;
use super::reasons;
use super::seeds;
use super::units::{branch_side, shown_below};
use crate::job::{Candidate, Progress, UnitJob, UnitResult};
use campaign::{BranchSide, Input, Slot, Statistics, Status, Test};
use coverage::Sides;
use execute::{SandboxPolicy, Session, Target, UnitSetup, Way};
use explore::{CandidateAlarm, Exploration, Finished, Observer, Reach, Sites, strategy};
use model::sites::SiteTable;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use wire::{FunctionKey, Mode, RecordKind, SiteKey, SlotKey};

/// How often a running exploration says how far it is.
const TELL_EVERY: Duration = Duration::from_millis(500);
/// The time of a function allows for this many executions, even if none of them ends by itself.
const EXECUTIONS_AT_LEAST: u64 = 20;
const SHORTEST_EXECUTION_MS: u64 = 100;
/// Records of one place in an execution of a task without an end.
const ROUNDS: u32 = 100;

/// The part of the time that the first exploration has, at most, and what each further one has at least.
const FIRST: (u32, u32) = (4, 5);
const FURTHER: u32 = 10;
const PATIENCE: u64 = 300;
/// Copies with changes that are tried.
const CHANGED: usize = 500;

/// Explores one function. Whatever goes wrong is a status, with its reason.
pub fn explore_unit(job: &UnitJob, tell: &dyn Fn(Progress)) -> UnitResult {
    run(job, tell).unwrap_or_else(|error| UnitResult::failed(format!("{error:#}")))
}

fn run(job: &UnitJob, tell: &dyn Fn(Progress)) -> anyhow::Result<UnitResult> {
    let mut roots = job.roots.iter();
    let Some(first) = roots.next() else { return run_one(job, tell) };
    let share =
        |root| UnitJob { time_ms: (job.time_ms / job.roots.len() as u64).max(1), ..job.entering(root) };
    let mut result = run_one(&share(first), tell)?;
    for root in roots {
        result.add(run_one(&share(root), tell)?);
    }
    Ok(result)
}

/// From zeros and captured calls; then, for a part of the time, with long buffers, and from changed copies of what was kept.
fn run_one(job: &UnitJob, tell: &dyn Fn(Progress)) -> anyhow::Result<UnitResult> {
    let job = &bounded(job)?;
    let tables = read_tables(job)?;
    let begun = Instant::now();
    let whole = Duration::from_millis(job.time_ms);
    let first = Effort { time: whole * FIRST.0 / FIRST.1, ..Effort::default() };
    let mut result = phase(job, &tables, Start::Zeros, first, 0, tell)?;
    result.statistics.samples = job.samples.len() as u64;
    result.statistics.assumed = job.assumed.clone();
    let is_done = result.status == Status::Done;
    let further = Effort { patience: Some(PATIENCE), ..Effort::default() };
    if job.driver.has_long && is_done {
        // What the first search did not need is there, but for the last one's share.
        let time = whole.saturating_sub(begun.elapsed()).saturating_sub(whole / FURTHER);
        let effort = Effort { time: time.max(whole / FURTHER), ..further };
        let kept = result.tests.iter().map(|test| test.input.clone()).collect();
        let more = phase(job, &tables, Start::Long(kept), effort, result.statistics.executions, tell)?;
        result.add_further(more);
    }
    // Where every path was executed, other inputs take the same paths.
    let all_paths = result.statistics.terminations.contains_key("all-paths");
    if is_done && (!all_paths || job.driver.has_long) {
        let failed = result.candidates.iter().map(|candidate| &candidate.input);
        let kept = result.tests.iter().map(|test| &test.input).chain(failed);
        // Short and long buffers do not belong into one tree.
        let alike = kept.filter(|input| seeds::is_long(input) == all_paths);
        let seeds = seeds::changed(alike, CHANGED, job.seed);
        let executions = Some(2 * seeds.len() as u64);
        let effort = Effort { time: whole / FURTHER, executions, ..further };
        let more = phase(job, &tables, Start::Seeds(seeds), effort, result.statistics.executions, tell)?;
        result.add_further(more);
    }
    prefer_likely(job, &tables, &mut result.candidates)?;
    Ok(result)
}

/// What one exploration may cost.
#[derive(Clone, Copy, Default)]
pub(super) struct Effort {
    pub(super) time: Duration,
    pub(super) executions: Option<u64>,
    /// It ends after so many executions without anything new.
    pub(super) patience: Option<u64>,
}

/// Where an exploration begins. With zeros and long buffers go the captured calls of that kind.
pub(super) enum Start {
    Zeros,
    /// After a search with short ones that kept these.
    Long(Vec<Input>),
    Seeds(Vec<execute::Input>),
}

fn phase(
    job: &UnitJob,
    tables: &[SiteTable],
    start_at: Start,
    effort: Effort,
    before: u64,
    tell: &dyn Fn(Progress),
) -> anyhow::Result<UnitResult> {
    let mut last = Instant::now();
    let (mut covered, mut news, mut failed) = (0, 0, false);
    let mut observer = |event| {
        match event {
            explore::Event::Executed(progress) => {
                let executions = before + progress.executions;
                if last.elapsed() > TELL_EVERY {
                    last = Instant::now();
                    tell(Progress { executions, paths: executions });
                }
                if progress.covered > covered || std::mem::take(&mut failed) {
                    (covered, news) = (progress.covered, progress.executions);
                }
                if effort.patience.is_some_and(|patience| progress.executions > news + patience) {
                    return ControlFlow::Break(());
                }
            }
            explore::Event::Alarm { .. } => failed = true,
        }
        ControlFlow::Continue(())
    };
    // A function is measured by its own branches, a whole program by all.
    let entry = [job.entry];
    let measured = (!job.is_whole_program()).then_some(&entry[..]);
    let (exploration, image_base) = examine(job, tables, measured, start_at, effort, false, &mut observer)?;
    keep(job, tables, exploration, image_base)
}

/// One exploration, measured by the branches of these functions, or by all.
pub(super) fn examine(
    job: &UnitJob,
    tables: &[SiteTable],
    measured: Option<&[FunctionKey]>,
    start_at: Start,
    effort: Effort,
    beyond_limits: bool,
    observer: &mut dyn Observer,
) -> anyhow::Result<(Exploration<execute::Input>, u64)> {
    let mut strategy = strategy::by_name(&job.strategy, job.seed)
        .ok_or_else(|| anyhow::anyhow!("there is no strategy named `{}`", job.strategy))?;
    let mut session = start(job, Reports { checks: true, full_coverage: false })?;
    let seeds = match start_at {
        Start::Zeros => {
            std::iter::once(execute::Input::new()).chain(seeds::captured(&job.samples, false)).collect()
        }
        Start::Long(kept) => {
            seeds::captured(&job.samples, true).into_iter().chain(seeds::long(&mut session, &kept)?).collect()
        }
        Start::Seeds(seeds) => seeds,
    };
    let mut solver = solve::Solver::new(solve::Options { seed: job.seed });
    if let Some(directory) = &job.record_queries {
        solver.record_to(directory.clone());
    }
    let mut unit = explore::unit::Unit::new(&mut session, tables, solver);
    let options = explore::Options {
        time: Some(effort.time),
        executions: effort.executions,
        solver_time: Duration::from_millis(job.solver_time_ms),
        beyond_limits,
        pairs: true,
        ..explore::Options::default()
    };
    let sites = Sites::new(tables, measured);
    let exploration = explore::explore(&mut unit, sites, strategy.as_mut(), &seeds, &options, observer);
    Ok((exploration, session.image_base()))
}

/// A task that never ends (`for (;;) { wait(); ... }`) asks its inputs for ever: its executions are cut after some
/// rounds, else a few of them would take all the time.
fn bounded(job: &UnitJob) -> anyhow::Result<UnitJob> {
    let mut bounded = job.clone();
    if job.limits.site_limit == 0 {
        let mut probe = start(job, Reports { checks: false, full_coverage: false })?;
        let input = execute::Input::new();
        let execution = probe.run(&input)?;
        let asks_on = match execution.ending().end {
            wire::End::LogFull => true,
            wire::End::Timeout => execution.log().len() > 10 * ROUNDS as usize,
            _ => false,
        };
        if asks_on {
            bounded.limits.site_limit = ROUNDS;
        }
    }
    Ok(bounded)
}

/// A function that runs into endless loops now and then should not spend its time there.
fn time_per_execution(job: &UnitJob) -> Duration {
    let share = (job.time_ms / EXECUTIONS_AT_LEAST).max(SHORTEST_EXECUTION_MS);
    Duration::from_millis(job.limits.execution_ms.min(share))
}

/// What executions tell besides their path.
#[derive(Clone, Copy)]
pub(super) struct Reports {
    /// Checks with a symbolic condition; violations that happen are always told.
    pub(super) checks: bool,
    /// Everything that each execution covers, not only what is new to the process.
    pub(super) full_coverage: bool,
}

pub(super) fn start(job: &UnitJob, reports: Reports) -> anyhow::Result<Session> {
    let sandbox = if job.sandbox { SandboxPolicy::Require } else { SandboxPolicy::Off };
    let target = Target { sandbox, ..Target::new(&job.image, &job.scratch) };
    let unit = UnitSetup {
        default_mode: job.default_mode,
        modes: job.modes.clone(),
        checks: job.checks.clone(),
        quiet_checks: !reports.checks,
        full_coverage: reports.full_coverage,
        ..UnitSetup::new((job.driver.tu, job.driver.index))
    };
    let limits = execute::Limits {
        time_per_execution: time_per_execution(job),
        heap: job.limits.heap_bytes,
        site: job.limits.site_limit,
        read: job.limits.read_limit,
        write: job.limits.write_limit,
        file_size: job.limits.output_bytes,
        ..execute::Limits::default()
    };
    let way = if job.persistent { Way::Persistent } else { Way::Fork };
    Ok(Session::start(&target, &unit, &limits, way)?)
}

pub(super) fn read_tables(job: &UnitJob) -> anyhow::Result<Vec<SiteTable>> {
    use anyhow::Context;
    job.sites
        .iter()
        .map(|path| {
            let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            serde_json::from_slice(&text).with_context(|| format!("{} is not a site table", path.display()))
        })
        .collect()
}

/// Turns numbers of this build into places and values that last.
fn keep(
    job: &UnitJob,
    tables: &[SiteTable],
    exploration: Exploration<execute::Input>,
    image_base: u64,
) -> anyhow::Result<UnitResult> {
    if let Finished::Failed(reason) = &exploration.finished {
        return Ok(UnitResult::failed(reason.clone()));
    }
    let sides = Sides::new(tables, |file| shown_below(&job.root, file));
    let mut review = start(job, Reports { checks: false, full_coverage: true })?;
    let mut tests = Vec::new();
    for test in &exploration.tests {
        let (input, covers) = look_again(job, &mut review, &sides, &test.input)?;
        tests.push(Test { input, end: test.ending.end, covers });
    }
    drop(review);
    let candidates = candidates(job, tables, &exploration, image_base)?;
    let uncovered = reasons::of_uncovered(job, tables, &sides, &exploration, &tests);
    Ok(UnitResult {
        status: Status::Done,
        reason: Some(in_words(&exploration)),
        tests,
        candidates,
        uncovered,
        statistics: statistics(&exploration),
    })
}

/// Whether one of the executions that were kept enters a function.
pub(super) fn enters(
    job: &UnitJob,
    function: FunctionKey,
    exploration: &Exploration<execute::Input>,
) -> anyhow::Result<bool> {
    let mut watched = job.clone();
    watched.modes.retain(|(key, _)| *key != function);
    watched.modes.push((function, Mode::Capture));
    let mut session = start(&watched, Reports { checks: false, full_coverage: false })?;
    // Code without a branch has no test that was kept for its coverage: the first input stands for it.
    let first = execute::Input::new();
    let failed = exploration.alarms.iter().map(|found| &found.input);
    let kept = exploration.tests.iter().map(|test| &test.input);
    for input in std::iter::once(&first).chain(kept).chain(failed) {
        let entered = session.run(input)?.log().iter().any(|record| {
            RecordKind::from_code(record.kind) == Some(RecordKind::Enter)
                && (record.tu, record.site) == (function.tu, function.function)
        });
        if entered {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What exploration saw fail, with the places and values that last.
pub(super) fn candidates(
    job: &UnitJob,
    tables: &[SiteTable],
    exploration: &Exploration<execute::Input>,
    image_base: u64,
) -> anyhow::Result<Vec<Candidate>> {
    let mut wanted = exploration.alarms.iter().filter(|found| job.checks.contains(&found.class)).peekable();
    if wanted.peek().is_none() {
        return Ok(Vec::new());
    }
    let sides = Sides::new(tables, |file| shown_below(&job.root, file));
    let mut review = start(job, Reports { checks: false, full_coverage: true })?;
    let places = Places::new(job, tables, image_base);
    wanted
        .map(|found| {
            let (input, _) = look_again(job, &mut review, &sides, &found.input)?;
            let mut later = Vec::new();
            for (again, looked) in &found.later {
                let (again, _) = look_again(job, &mut review, &sides, again)?;
                let names = cause(looked, &again);
                later.push((again, names));
            }
            Ok(candidate(job, &places, found, input, later))
        })
        .collect()
}

/// Runs a kept input once more and writes down all slots it read and all sides it took.
fn look_again(
    job: &UnitJob,
    review: &mut Session,
    sides: &Sides,
    input: &execute::Input,
) -> anyhow::Result<(Input, Vec<BranchSide>)> {
    let execution = review.run(input)?;
    let mut covers = Vec::new();
    let mut reads = Vec::new();
    for record in execution.log() {
        match RecordKind::from_code(record.kind) {
            Some(RecordKind::Cover) => {
                covers
                    .extend(sides.of_counter(SiteKey { tu: record.tu, site: record.site }).map(branch_side));
            }
            Some(RecordKind::Input) => {
                let slot = SlotKey { hash: record.value, occurrence: record.tu };
                reads.push((slot, record.aux, record.site as usize));
            }
            _ => {}
        }
    }
    let slots = reads
        .into_iter()
        .map(|(slot, bits, count)| {
            let mut bytes = input.get(slot).unwrap_or_default().to_vec();
            bytes.resize(count.min(1 << 20) * usize::from(bits.div_ceil(8)), 0);
            let path = review.name(slot.hash).unwrap_or("?").to_owned();
            Slot { path, hash: slot.hash, occurrence: slot.occurrence, bits, bytes }
        })
        .collect();
    covers.sort();
    covers.dedup();
    Ok((Input::new(job.function.clone(), slots), covers))
}

fn candidate(
    job: &UnitJob,
    places: &Places<'_>,
    found: &CandidateAlarm<execute::Input>,
    input: Input,
    later: Vec<(Input, Vec<String>)>,
) -> Candidate {
    let place = places.of(found).unwrap_or_else(|| alarm::Frame {
        function: job.function.name.clone(),
        file: job.function.file.clone(),
        line: job.function.line,
        column: 0,
    });
    Candidate {
        class: found.class,
        file: shown_below(&job.root, &place.file),
        line: place.line,
        column: place.column,
        function: place.function,
        suspected: found.ending.end == wire::End::LogFull,
        evidence: serde_json::json!({
            "ending": found.ending.end.name(), "hits": found.hits, "text": found.ending.text,
            "cause": cause(&found.blame.cause, &input), "led": cause(&found.blame.led, &input),
            "guard": cause(&found.blame.guard, &input),
        }),
        input,
        later,
    }
}

/// The names of the inputs that the violated condition looks at.
fn cause(looked: &[SlotKey], input: &Input) -> Vec<String> {
    let is_cause =
        |slot: &&Slot| looked.iter().any(|key| (key.hash, key.occurrence) == (slot.hash, slot.occurrence));
    input.slots.iter().filter(is_cause).map(|slot| slot.path.clone()).collect()
}

/// What the end of the search says about the function, as scripts read it.
fn termination(exploration: &Exploration<execute::Input>) -> &'static str {
    match (exploration.conclusion.reach, &exploration.finished) {
        (Reach::AllPaths, _) => "all-paths",
        (Reach::AllBranches, _) => "all-branches",
        (Reach::Open, Finished::Executions | Finished::Time) => "budget",
        (Reach::Open, Finished::Stopped | Finished::Failed(_)) => "stopped",
        (Reach::Open, Finished::AllPaths | Finished::AllSides | Finished::Covered) => "all-sides",
    }
}

/// The same for people.
fn in_words(exploration: &Exploration<execute::Input>) -> String {
    let infeasible = exploration.conclusion.infeasible.len();
    let proved = match infeasible {
        0 => String::new(),
        1 => ", 1 side proved infeasible".to_owned(),
        many => format!(", {many} sides proved infeasible"),
    };
    match exploration.conclusion.reach {
        Reach::AllPaths => format!("{}{proved}", exploration.finished),
        Reach::AllBranches if infeasible == 0 => format!("all branches covered; {}", exploration.finished),
        Reach::AllBranches => {
            format!("all reachable branches covered{proved}; {}", exploration.finished)
        }
        Reach::Open => exploration.finished.to_string(),
    }
}

fn statistics(exploration: &Exploration<execute::Input>) -> Statistics {
    let of = &exploration.statistics;
    let mut concretisations: BTreeMap<String, u64> = BTreeMap::new();
    for ((kind, _), count) in &of.concretisations {
        *concretisations.entry(kind.name().to_owned()).or_default() += count;
    }
    for (kind, count) in &of.lost {
        *concretisations.entry(format!("lost-{}", kind.name())).or_default() += count;
    }
    Statistics {
        executions: of.executions,
        paths: of.executions,
        queries: of.queries,
        sat: of.sat,
        unsat: of.unsat,
        unknown: of.unknown.clone(),
        divergences: of.divergences.iter().map(|(kind, (count, _))| (kind.to_string(), *count)).collect(),
        concretisations,
        ends: of.endings.iter().map(|(end, count)| (end.name().to_owned(), *count)).collect(),
        solver_ms: of.time.solving.as_millis() as u64,
        execution_ms: of.time.executing.as_millis() as u64,
        terminations: [(termination(exploration).to_owned(), 1)].into(),
        selection_us: of.time.selecting.as_micros() as u64,
        tree_nodes: of.nodes,
        tree_bytes: of.tree_bytes,
        ..Statistics::default()
    }
}
