//! `concertino test`: prepare the project, explore what changed, store each function as it is finished.

use crate::annotate::Annotator;
use crate::args;
use crate::command::{self, Campaign};
use crate::config::Config;
use crate::event::Event;
use crate::exit::{BadInput, Exit, NothingToTest};
use crate::interrupt::Interrupt;
use crate::job::{Pipeline, Prepared, PreparedUnit, Progress, UnitJob, UnitResult, Work, WorkerResult};
use crate::options::Options;
use crate::project;
use crate::select::Selection;
use crate::sink::Sink;
use alarm::Baseline;
use anyhow::{Context, Result};
use campaign::{
    BranchSide, Directory, FunctionRecord, Happened, Level, Listed, Outcome, Pool, Store, View, alarm_id,
    run_units,
};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn run(dir: Option<&Path>, args: &args::Test, pipeline: &Pipeline) -> Result<Exit> {
    let root = project::root(dir)?;
    let config = Config::load(&root)?;
    let project = project::find(&root, &config, args.database.as_deref())?;
    let options = Options::new(&config, args).map_err(|error| BadInput(error.to_string()))?;
    let selection = Selection::new(&root, &args.functions, &args.files, &options.exclude)?;
    let interrupt = Interrupt::watch()?;
    let sink = Sink::new(args.progress);
    let directory = Directory::new(&project.campaign);

    let settings = serde_json::to_string(&options).unwrap_or_default();
    let mut store = Store::open(&directory, env!("CARGO_PKG_VERSION"), &settings)?;
    clean(&directory.scratch());
    let mut prepared = (pipeline.prepare)(&project, &options, &|event| sink.emit(event))?;
    prepared.units.retain(|unit| !selection.excludes(&unit.function));
    check(&prepared, &selection)?;
    let listed: Vec<Listed<'_>> =
        prepared.units.iter().map(|unit| Listed { name: &unit.function, branches: &unit.branches }).collect();
    store.list(&listed, &prepared.problems)?;

    let baseline = args.baseline.as_deref().map(read_baseline).transpose()?;
    let annotator = Annotator::new(&root, &prepared.facts, config.score, baseline);
    let run = Run {
        annotator: &annotator,
        options: &options,
        sink: &sink,
        interrupt: &interrupt,
        again: args.again,
    };
    let outcome = run.explore(&mut store, &directory, &prepared, &selection);
    sink.close();
    clean(&directory.scratch());
    outcome?;
    let stopped = interrupt.exit();
    store.finish(if stopped.is_some() { Outcome::Interrupted } else { Outcome::Finished })?;

    let campaign = Campaign::open(dir)?;
    command::report::show(&campaign, args.json)?;
    if let Some(exit) = stopped {
        return Ok(exit);
    }
    Ok(judge(&campaign.view, &selection, args.fail_on_alarm || config.test.fail_on_alarm))
}

/// Nothing found, nothing selected, or a name that fits nothing, before any time is spent.
fn check(prepared: &Prepared, selection: &Selection) -> Result<()> {
    if prepared.units.is_empty() {
        let why: Vec<String> =
            prepared.problems.iter().map(|problem| format!("\n  {}", problem.message)).collect();
        return Err(
            NothingToTest(format!("no function was found that could be tested{}", why.concat())).into()
        );
    }
    if !selection.is_everything() {
        let all: Vec<_> = prepared.units.iter().map(|unit| &unit.function).collect();
        selection.check(&all)?;
    }
    Ok(())
}

fn judge(view: &View, selection: &Selection, fail_on_alarm: bool) -> Exit {
    let mut selected = view.functions.iter().filter(|function| selection.contains(&function.name));
    if !selected.any(|function| function.status == Some(campaign::Status::Done)) {
        return Exit::Nothing;
    }
    let alarms = view.alarms.iter().any(|alarm| alarm.is_reported() && selection.contains(&alarm.unit));
    if fail_on_alarm && alarms { Exit::Alarms } else { Exit::Success }
}

/// What workers left behind when they were killed, in this run or an earlier one.
fn clean(scratch: &Path) {
    for entry in std::fs::read_dir(scratch).into_iter().flatten().flatten() {
        let _ = std::fs::remove_dir_all(entry.path());
    }
}

/// Alarms that were judged false before.
fn read_baseline(path: &Path) -> Result<(PathBuf, Baseline)> {
    let wrong = |why: String| {
        BadInput(format!(
            "--baseline {}: {why}\n  `concertino report --baseline FILE` writes one",
            path.display()
        ))
    };
    let text = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let baseline: Baseline = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    if baseline.version != Baseline::VERSION {
        return Err(wrong(format!("it is of version {}", baseline.version)).into());
    }
    Ok((path.to_owned(), baseline))
}

struct Run<'a> {
    annotator: &'a Annotator<'a>,
    options: &'a Options,
    sink: &'a Sink,
    interrupt: &'a Interrupt,
    again: bool,
}

impl Run<'_> {
    fn explore(
        &self,
        store: &mut Store,
        directory: &Directory,
        prepared: &Prepared,
        selection: &Selection,
    ) -> Result<()> {
        self.interrupt.be_careful();
        let surroundings = [self.options.fingerprint(), tool()];
        let mut waiting = Vec::new();
        let mut unchanged = 0;
        let mut total = 0;
        for unit in prepared.units.iter().filter(|unit| selection.contains(&unit.function)) {
            total += 1;
            let fingerprint = campaign::fingerprint([&unit.code, &surroundings[0], &surroundings[1]]);
            if !self.again && store.is_finished(&unit.function, &fingerprint)? {
                unchanged += 1;
            } else {
                waiting.push((unit, fingerprint));
            }
        }
        let mut coverage = Coverage::new(&prepared.units, &store.view()?);
        self.sink.emit(Event::Campaign {
            total,
            unchanged,
            jobs: self.options.jobs as u64,
            seconds_per_function: self.options.seconds_per_function,
            covered: coverage.covered(),
            branches: coverage.total(),
        });

        let mut work: Vec<(&PreparedUnit, String)> = Vec::new();
        let mut jobs: Vec<(&UnitJob, Duration)> = Vec::new();
        for (unit, fingerprint) in waiting {
            let result = match &unit.work {
                Work::Explore(job) => {
                    jobs.push((job, deadline(job)));
                    work.push((unit, fingerprint));
                    continue;
                }
                Work::Skip(reason) => UnitResult::skipped(reason.as_str()),
                Work::Fail(reason) => UnitResult::failed(reason.as_str()),
            };
            let result = WorkerResult { unit: result, alarms: Vec::new(), time_ms: 0 };
            self.finish(store, &mut coverage, unit, fingerprint, result)?;
        }
        self.pool(store, directory, &mut coverage, &work, &jobs)
    }

    fn pool(
        &self,
        store: &mut Store,
        directory: &Directory,
        coverage: &mut Coverage,
        work: &[(&PreparedUnit, String)],
        jobs: &[(&UnitJob, Duration)],
    ) -> Result<()> {
        if jobs.is_empty() {
            return Ok(());
        }
        let pool = Pool {
            program: std::env::current_exe().context("cannot find the program of the workers")?,
            arguments: vec!["__worker".to_owned()],
            jobs: self.options.jobs,
            logs: directory.logs(),
        };
        let mut outcome = Ok(());
        let mut told = false;
        run_units(&pool, jobs, self.interrupt.stop(), |index, happened: Happened<Progress, WorkerResult>| {
            if self.interrupt.exit().is_some() && !std::mem::replace(&mut told, true) {
                self.sink.emit(Event::Stopping);
            }
            let Some((unit, fingerprint)) = work.get(index) else { return ControlFlow::Continue(()) };
            let function = unit.function.clone();
            let result = match happened {
                Happened::Started => {
                    self.sink.emit(Event::Started { function });
                    return ControlFlow::Continue(());
                }
                Happened::Progress(Progress { executions, paths }) => {
                    self.sink.emit(Event::Progress { function, executions, paths });
                    return ControlFlow::Continue(());
                }
                Happened::Finished(result) => result,
                Happened::Lost { reason, time } => WorkerResult {
                    unit: UnitResult::failed(reason),
                    alarms: Vec::new(),
                    time_ms: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
                },
            };
            outcome = self.finish(store, coverage, unit, fingerprint.clone(), result);
            if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        outcome
    }

    /// Stores one function and tells about it.
    fn finish(
        &self,
        store: &mut Store,
        coverage: &mut Coverage,
        unit: &PreparedUnit,
        fingerprint: String,
        result: WorkerResult,
    ) -> Result<()> {
        let WorkerResult { unit: found, mut alarms, time_ms } = result;
        alarms.iter_mut().for_each(|alarm| self.annotator.annotate(alarm));
        let record = FunctionRecord {
            name: unit.function.clone(),
            fingerprint,
            status: found.status,
            reason: found.reason,
            branches: unit.branches.clone(),
            uncovered: found.uncovered,
            tests: found.tests,
            alarms,
            statistics: found.statistics,
            time_ms,
        };
        store.record(&record)?;
        coverage.add(&record);
        for alarm in record.alarms.iter().filter(|alarm| alarm.level != Level::Dropped) {
            self.sink.emit(Event::Alarm {
                id: alarm_id(alarm.class, &alarm.file, alarm.line),
                class: alarm.class,
                file: alarm.file.clone(),
                line: alarm.line,
                function: alarm.function.clone(),
            });
        }
        self.sink.emit(Event::Finished {
            function: record.name,
            status: record.status,
            reason: record.reason,
            covered: record.branches.iter().filter(|side| coverage.covers(side)).count() as u64,
            branches: record.branches.len() as u64,
            tests: record.tests.len() as u64,
            paths: record.statistics.paths,
            alarms: record.alarms.len() as u64,
            time_ms: record.time_ms,
            program_covered: coverage.covered(),
            program_branches: coverage.total(),
        });
        Ok(())
    }
}

/// This build of concertino: another one may find more, or work where this one failed.
fn tool() -> String {
    let file = std::env::current_exe().and_then(std::fs::metadata);
    let stamp = file.and_then(|file| Ok((file.len(), file.modified()?)));
    format!("{} {:?}", env!("CARGO_PKG_VERSION"), stamp.ok())
}

/// After this a worker is taken to hang: the exploration keeps its own time, and native runs are bounded too.
fn deadline(job: &UnitJob) -> Duration {
    let explore = Duration::from_millis(job.time_ms);
    let contexts = Duration::from_millis(job.contexts.time_ms);
    explore + explore.max(Duration::from_secs(30)) + 2 * contexts + Duration::from_secs(60)
}

/// The program's branch sides, and which of them are covered so far.
struct Coverage {
    all: HashSet<BranchSide>,
    covered: HashSet<BranchSide>,
}

impl Coverage {
    fn new(units: &[PreparedUnit], before: &View) -> Coverage {
        let all: HashSet<BranchSide> = units.iter().flat_map(|unit| &unit.branches).cloned().collect();
        let covered = before
            .sides()
            .into_iter()
            .filter(|(_, covered)| *covered)
            .map(|(side, _)| side.clone())
            .collect();
        Coverage { all, covered }
    }

    fn add(&mut self, record: &FunctionRecord) {
        let taken = record.tests.iter().flat_map(|test| &test.covers).filter(|side| self.all.contains(*side));
        self.covered.extend(taken.cloned());
    }

    fn covers(&self, side: &BranchSide) -> bool {
        self.covered.contains(side)
    }

    fn covered(&self) -> u64 {
        self.covered.len() as u64
    }

    fn total(&self) -> u64 {
        self.all.len() as u64
    }
}
