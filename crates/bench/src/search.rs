//! Whole searches on the units: choose, solve, run, record, as the product does it.

use crate::clock;
use crate::project::{Unit, Units};
use crate::result::{Section, Target, count, number, text};
use anyhow::Context;
use execute::{Input, Session, Way};
use explore::{Exploration, Finished, Sites, strategy};
use solve::Solver;
use std::time::Duration;

pub(crate) const UNITS: [&str; 5] = ["tokenizer", "regex", "can_decoder", "state_machine", "checksum"];
const TIME: Duration = Duration::from_secs(5);

pub(crate) struct Searched {
    pub(crate) exploration: Exploration<Input>,
    /// Inside sessions, without the reading of logs.
    pub(crate) in_session: Duration,
}

pub(crate) fn explore(
    unit: &Unit<'_>,
    session: &mut Session,
    options: &explore::Options,
) -> anyhow::Result<Searched> {
    let job = unit.job;
    let mut strategy = strategy::by_name(&job.strategy, job.seed).context("an unknown strategy")?;
    let solver = Solver::new(solve::Options { seed: job.seed });
    let mut subject = explore::Unit::new(session, &unit.tables, solver);
    let sites = Sites::new(&unit.tables, Some(&[job.entry]));
    let exploration =
        explore::explore(&mut subject, sites, strategy.as_mut(), &[Input::new()], options, &mut ());
    if let Finished::Failed(reason) = &exploration.finished {
        anyhow::bail!("{}: {reason}", job.function.name);
    }
    Ok(Searched { exploration, in_session: subject.time_in_session() })
}

/// `only`: the units, if any are named. `executions`: so many of each, however long they take.
pub(crate) fn measure(units: &Units, only: &[String], executions: Option<u64>) -> anyhow::Result<Section> {
    let mut section = Section::new(
        "End to end",
        &[
            "unit",
            "tests per second",
            "tests",
            "queries",
            "solver %",
            "execution %",
            "explorer %",
            "reading %",
            "choosing %",
            "cpu us per test",
            "finished",
        ],
    );
    for name in UNITS.iter().copied().filter(|name| only.is_empty() || only.iter().any(|of| of == name)) {
        let unit = units.get(name)?;
        let mut session = unit.session(Way::Persistent)?;
        let options = explore::Options {
            time: Some(TIME).filter(|_| executions.is_none()),
            executions,
            solver_time: Duration::from_millis(unit.job.solver_time_ms),
            ..explore::Options::default()
        };
        let (searched, took) = clock::took(clock::thread, || explore(&unit, &mut session, &options));
        let searched = searched?;
        let statistics = &searched.exploration.statistics;
        let total = statistics.time.total.as_secs_f64();
        let (solver, execution) = (statistics.time.solving.as_secs_f64(), searched.in_session.as_secs_f64());
        let explorer = (total - solver - execution) / total * 100.0;
        section.row([
            text(name),
            number(statistics.executions as f64 / total, 0),
            count(statistics.executions),
            count(statistics.queries),
            number(solver / total * 100.0, 1),
            number(execution / total * 100.0, 1),
            number(explorer, 1),
            number((statistics.time.executing.as_secs_f64() - execution) / total * 100.0, 1),
            number(statistics.time.selecting.as_secs_f64() / total * 100.0, 1),
            number(took.cpu * 1e6 / statistics.executions as f64, 2),
            text(searched.exploration.finished.to_string()),
        ]);
        section.figure(format!("{name}: explorer's share of the time, %"), explorer, Target::AtMost(20.0));
    }
    section.note(format!(
        "At most {} s each unless executions are counted, persistent, the default strategy. The explorer's share is all that is neither in the \
         solver nor in the session that runs the unit: reading logs and building terms (`reading`), the \
         strategy (`choosing`), the tree and the books. `cpu`: of the thread that does all this, the solver included.",
        TIME.as_secs()
    ));
    Ok(section)
}
