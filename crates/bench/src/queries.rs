//! Solver queries per second, on the queries of real searches, by all layers and by SMT alone.
//!
//! The paths of a search's first executions are read again and every decision of them is negated; a question
//! is asked once, however many paths share it. The questions are also written as SMT-LIB files, for other
//! solvers.

use crate::clock;
use crate::project::{Places, Unit, Units};
use crate::result::{Section, count, number, text};
use crate::search::{self, UNITS};
use anyhow::Context;
use execute::Way;
use solve::{Answer, Query, Solver, Statistics};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;
use term::{Assignment, Pool, TermId};

/// Executions of which the paths are asked about, and queries per unit.
const EXECUTIONS: u64 = 400;
const QUERIES: usize = 3000;
/// Queries per unit that are written to files.
const FILES: usize = 200;
const TIME_LIMIT: Duration = Duration::from_secs(1);

struct Recorded {
    pool: Pool,
    queries: Vec<(Vec<TermId>, usize)>,
    /// The inputs that the queries start from.
    hints: Vec<Assignment>,
}

pub(crate) fn measure(places: &Places, units: &Units) -> anyhow::Result<Section> {
    let mut section = Section::new(
        "Solver queries per CPU second",
        &["unit", "queries", "sat", "unsat", "unknown", "all layers", "SMT alone", "gain"],
    );
    let files = places.work.join("queries");
    let _ = std::fs::remove_dir_all(&files);
    let mut layers: Option<Statistics> = None;
    for name in UNITS {
        let mut recorded = record(&units.get(name)?)?;
        write(&recorded, &files.join(name))?;
        let (statistics, rate) = ask(&mut recorded, Solver::new(solve::Options::default()));
        let (_, alone) = ask(&mut recorded, Solver::smt_only(solve::Options::default()));
        section.row([
            text(name),
            count(statistics.queries),
            count(statistics.sat),
            count(statistics.unsat),
            count(statistics.unknown.values().sum()),
            number(rate, 0),
            number(alone, 0),
            number(rate / alone, 2),
        ]);
        match &mut layers {
            Some(all) => all.merge(&statistics),
            None => layers = Some(statistics),
        }
    }
    section.note(format!(
        "Distinct queries of the paths of {EXECUTIONS} executions, at most {QUERIES} per unit, {} s for each query. \
         Some of them are in target/bench/queries as SMT-LIB.",
        TIME_LIMIT.as_secs()
    ));
    if let Some(all) = layers {
        section.note(format!("Layers, over all units:\n\n{}", layer_table(&all)));
    }
    Ok(section)
}

fn record(unit: &Unit<'_>) -> anyhow::Result<Recorded> {
    let mut session = unit.session(Way::Persistent)?;
    let options =
        explore::Options { executions: Some(EXECUTIONS), keep_all: true, ..explore::Options::default() };
    let tests = search::explore(unit, &mut session, &options)?.exploration.tests;
    let mut recorded = Recorded { pool: Pool::new(), queries: Vec::new(), hints: Vec::new() };
    let mut seen: HashSet<Vec<TermId>> = HashSet::new();
    for test in tests {
        let execution = session.run(&test.input)?;
        let pool = &mut recorded.pool;
        let path = term::Path::read(pool, execution.log(), execution.nodes(), execution.data(), None)
            .context("an execution's log cannot be read")?;
        recorded.hints.push(path.assignment(|slot| test.input.get(slot)));
        let mut held = Vec::new();
        for step in &path.steps {
            let Some(constraint) = step.constraint(pool) else { continue };
            let mut query = held.clone();
            query.push(pool.not(constraint));
            held.push(constraint);
            if seen.insert(query.clone()) {
                recorded.queries.push((query, recorded.hints.len() - 1));
            }
        }
        if recorded.queries.len() >= QUERIES {
            break;
        }
    }
    recorded.queries.truncate(QUERIES);
    Ok(recorded)
}

/// Asks all of them in order; gives queries per CPU second.
fn ask(recorded: &mut Recorded, mut solver: Solver) -> (Statistics, f64) {
    let Recorded { pool, queries, hints } = recorded;
    let ((), took) = clock::took(clock::thread, || {
        for (constraints, hint) in queries.iter() {
            let query = Query { constraints, hint: &hints[*hint], time_limit: TIME_LIMIT };
            let _: Answer = solver.solve(pool, &query);
        }
    });
    (solver.statistics().clone(), queries.len() as f64 / took.cpu)
}

fn write(recorded: &Recorded, directory: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    let every = recorded.queries.len().div_ceil(FILES).max(1);
    for (number, (constraints, _)) in recorded.queries.iter().enumerate().step_by(every) {
        let path = directory.join(format!("{number:06}.smt2"));
        std::fs::write(&path, solve::smtlib(&recorded.pool, constraints))
            .with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn layer_table(statistics: &Statistics) -> String {
    let mut text = String::from("| layer | asked | answered % | time % |\n|---|---:|---:|---:|\n");
    let total: f64 = statistics.layers.iter().map(|layer| layer.time.as_secs_f64()).sum();
    for layer in &statistics.layers {
        text.push_str(&format!(
            "| {} | {} | {:.1} | {:.1} |\n",
            layer.name,
            layer.asked,
            layer.hit_rate() * 100.0,
            layer.time.as_secs_f64() / total * 100.0
        ));
    }
    text
}
