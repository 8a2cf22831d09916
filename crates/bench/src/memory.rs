//! How much memory a search of a million paths takes.

use crate::project::Units;
use crate::result::{Section, Target, count, number, text};
use crate::search;
use anyhow::Context;
use execute::Way;
use std::time::Duration;

const UNITS: [&str; 3] = ["tokenizer", "regex", "state_machine"];
const PATHS: u64 = 1_000_000;

pub(crate) fn measure(units: &Units) -> anyhow::Result<Section> {
    let mut section = Section::new("Memory", &["unit", "tests", "MiB at most", "finished"]);
    for name in UNITS {
        let unit = units.get(name)?;
        let mut session = unit.session(Way::Persistent)?;
        let options = explore::Options {
            executions: Some(PATHS),
            solver_time: Duration::from_millis(unit.job.solver_time_ms),
            ..explore::Options::default()
        };
        forget_peak()?;
        let searched = search::explore(&unit, &mut session, &options)?;
        let most = peak()?;
        let tests = searched.exploration.statistics.executions;
        section.row([
            text(name),
            count(tests),
            number(mebibytes(most), 0),
            text(searched.exploration.finished.to_string()),
        ]);
        section.figure(
            format!("{name}: memory for a million tests, MiB"),
            mebibytes(most),
            Target::AtMost(2048.0),
        );
    }
    section.note(
        "Resident memory of the process that searches, at its highest; a unit inherits what the allocator kept of the one \
         before. Each test is another path.",
    );
    Ok(section)
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// The highest resident memory counts from now on.
fn forget_peak() -> anyhow::Result<()> {
    std::fs::write("/proc/self/clear_refs", "5").context("/proc/self/clear_refs")
}

fn peak() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").context("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")).context("no VmHWM")?;
    Ok(kilobytes.parse::<u64>()? * 1024)
}
