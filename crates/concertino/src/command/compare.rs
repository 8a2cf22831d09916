//! `concertino compare`: several strategies on the same functions, with equal budgets and seeds, side by side.
//!
//! Prepares the project as `test` does, runs every search in a worker, and writes tables, CSV and plots. Touches
//! neither the store nor the results of a campaign.

use crate::args;
use crate::config::Config;
use crate::event::Event;
use crate::exit::{BadInput, Exit, NothingToTest};
use crate::interrupt::Interrupt;
use crate::job::{Measurement, Pipeline, Progress, UnitJob, Work};
use crate::options::Options;
use crate::select::Selection;
use crate::sink::Sink;
use crate::{command, project};
use anyhow::{Context, Result};
use campaign::{Directory, Happened, Pool, run_units};
use compare::{Comparison, Run, csv, plot, table};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

pub fn run(dir: Option<&Path>, args: &args::Compare, pipeline: &Pipeline) -> Result<Exit> {
    if args.list {
        command::print(&list())?;
        return Ok(Exit::Success);
    }
    let root = project::root(dir)?;
    let config = Config::load(&root)?;
    let project = project::find(&root, &config, args.database.as_deref())?;
    let options = Options::of_comparison(&config, args);
    let selection = Selection::new(&root, &args.functions, &args.files, &options.exclude)?;
    if selection.is_everything() {
        let what = "name the functions to compare on: --function NAME or --file PATH";
        return Err(BadInput(what.to_owned()).into());
    }
    let interrupt = Interrupt::watch()?;
    let sink = Sink::new(args.progress);
    let directory = Directory::new(&project.campaign);
    directory.create()?;

    let prepared = (pipeline.prepare)(&project, &options, &|event| sink.emit(event))?;
    let all: Vec<_> = prepared.units.iter().map(|unit| &unit.function).collect();
    selection.check(&all)?;
    let mut units = Vec::new();
    for unit in prepared.units.iter().filter(|unit| selection.contains(&unit.function)) {
        match &unit.work {
            Work::Explore(job) => units.push(job.as_ref()),
            Work::Skip(reason) | Work::Fail(reason) => {
                sink.emit(Event::Note { text: format!("{} is left out: {reason}", unit.function) });
            }
        }
    }
    if units.is_empty() {
        return Err(NothingToTest("none of the functions can be driven".to_owned()).into());
    }
    let jobs = plan(&units, args);
    let runs = measure(&jobs, &options, &directory, &sink, &interrupt);
    sink.close();
    let comparison = Comparison::new(runs?, args.executions);
    let out = args.out.clone().unwrap_or_else(|| directory.root().join("compare"));
    write(&comparison, &out)?;
    match args.json {
        true => command::print(&format!("{}\n", serde_json::to_string_pretty(&comparison)?))?,
        false => command::print(&format!("{}Written to {}\n", table::text(&comparison), out.display()))?,
    }
    Ok(interrupt.exit().unwrap_or(Exit::Success))
}

fn list() -> String {
    let widest = explore::strategy::names().map(str::len).max().unwrap_or(0);
    let line = |known: &explore::strategy::Known| format!("{:<widest$}  {}\n", known.name, known.rule);
    explore::strategy::KNOWN.iter().map(line).collect()
}

/// Every strategy with every seed on every function; the repeats of all strategies are mixed, so that what else
/// the machine does hits all alike.
fn plan(units: &[&UnitJob], args: &args::Compare) -> Vec<Measurement> {
    let mut jobs = Vec::new();
    for unit in units {
        for repeat in 0..u64::from(args.repeats) {
            for strategy in &args.strategies {
                jobs.push(Measurement {
                    unit: UnitJob { strategy: strategy.clone(), seed: args.seed + repeat, ..(*unit).clone() },
                    executions: args.executions,
                    whole_program: args.measure == args::Measure::Program,
                    random_start: args.start == args::Start::Random,
                    checks: args.checks,
                });
            }
        }
    }
    jobs
}

fn measure(
    jobs: &[Measurement],
    options: &Options,
    directory: &Directory,
    sink: &Sink,
    interrupt: &Interrupt,
) -> Result<Vec<Run>> {
    let pool = Pool {
        program: std::env::current_exe().context("cannot find the program of the workers")?,
        arguments: vec!["__measure".to_owned()],
        jobs: options.jobs,
        logs: directory.logs(),
    };
    let units: Vec<(&Measurement, Duration)> = jobs.iter().map(|job| (job, deadline(job))).collect();
    sink.emit(Event::Stage { name: "compare", total: jobs.len() as u64 });
    let mut runs: Vec<Option<Run>> = vec![None; jobs.len()];
    let mut done = 0;
    run_units(&pool, &units, interrupt.stop(), |index, happened: Happened<Progress, Run>| {
        let Some(job) = jobs.get(index) else { return ControlFlow::Continue(()) };
        let run = match happened {
            Happened::Started | Happened::Progress(_) => return ControlFlow::Continue(()),
            Happened::Finished(run) => run,
            Happened::Lost { reason, .. } => job.without_result(reason),
        };
        done += 1;
        let item = format!("{} with {}, seed {}", run.subject, run.strategy, run.seed);
        sink.emit(Event::Step { done, item });
        runs[index] = Some(run);
        ControlFlow::Continue(())
    });
    // In the order of the plan, whoever was first.
    Ok(runs.into_iter().flatten().collect())
}

fn deadline(job: &Measurement) -> Duration {
    Duration::from_millis(job.unit.time_ms) * 2 + Duration::from_secs(60)
}

fn write(comparison: &Comparison, out: &Path) -> Result<()> {
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let file = |name: &str, text: String| {
        let path = out.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    file("runs.csv", csv::runs(comparison))?;
    file("summary.csv", csv::summary(comparison))?;
    file("summary.md", table::text(comparison))?;
    for subject in comparison.subjects.iter().filter(|subject| !subject.rows.is_empty()) {
        file(&format!("{}.svg", subject.name), plot::svg(subject, comparison.budget))?;
    }
    Ok(())
}
