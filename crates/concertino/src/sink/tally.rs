//! The state of a run as its events tell it: what both displays show.

use crate::event::Event;
use campaign::{FunctionName, Status};
use report::counted;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

pub(super) struct Tally {
    begun: Instant,
    pub(super) total: u64,
    pub(super) done: u64,
    unchanged: u64,
    jobs: u64,
    limit: Duration,
    paths: u64,
    /// Paths of the functions that are being explored.
    running: HashMap<FunctionName, u64>,
    covered: u64,
    branches: u64,
    /// By id: several functions may reach one failure.
    alarms: HashSet<String>,
    /// Reasons that were told already: what goes wrong with one function often goes wrong with many.
    told: HashSet<String>,
}

impl Tally {
    pub(super) fn new() -> Tally {
        Tally {
            begun: Instant::now(),
            total: 0,
            done: 0,
            unchanged: 0,
            jobs: 1,
            limit: Duration::ZERO,
            paths: 0,
            running: HashMap::new(),
            covered: 0,
            branches: 0,
            alarms: HashSet::new(),
            told: HashSet::new(),
        }
    }

    /// Counts everything but alarms, which are counted as they are told.
    pub(super) fn count(&mut self, event: &Event) {
        match event {
            Event::Campaign { total, unchanged, jobs, seconds_per_function, covered, branches } => {
                self.begun = Instant::now();
                (self.total, self.unchanged, self.jobs) = (*total, *unchanged, (*jobs).max(1));
                (self.covered, self.branches) = (*covered, *branches);
                self.limit = Duration::from_secs(*seconds_per_function);
                self.done = *unchanged;
            }
            Event::Started { function } => {
                self.running.insert(function.clone(), 0);
            }
            Event::Progress { function, paths, .. } => {
                self.running.insert(function.clone(), *paths);
            }
            Event::Finished { function, paths, program_covered, program_branches, .. } => {
                self.running.remove(function);
                self.done += 1;
                self.paths += paths;
                (self.covered, self.branches) = (*program_covered, *program_branches);
            }
            _ => {}
        }
    }

    /// "345 paths, 45.2% covered, 2 alarms, 3 min left".
    pub(super) fn line(&self) -> String {
        let paths = self.paths + self.running.values().sum::<u64>();
        let mut parts = vec![counted(paths, "path")];
        if self.branches > 0 {
            parts.push(format!("{:.1}% covered", 100.0 * self.covered as f64 / self.branches as f64));
        }
        parts.push(counted(self.alarms.len() as u64, "alarm"));
        if let Some(left) = self.left() {
            parts.push(format!("{} left", span(left)));
        }
        parts.join(", ")
    }

    /// From the functions so far; before there are any, from the time limit.
    fn left(&self) -> Option<Duration> {
        let waiting = self.total.checked_sub(self.done).filter(|waiting| *waiting > 0)?;
        let finished = self.done.saturating_sub(self.unchanged);
        let each = match u32::try_from(finished) {
            Ok(finished @ 1..) => self.begun.elapsed() / finished,
            _ => self.limit / u32::try_from(self.jobs).unwrap_or(1),
        };
        Some(each.saturating_mul(u32::try_from(waiting).unwrap_or(u32::MAX)))
    }

    /// The sentence for an event that is worth one, on any display.
    pub(super) fn sentence(&mut self, event: &Event) -> Option<String> {
        match event {
            Event::Problem(problem) => Some(match (&problem.file, problem.line) {
                (Some(file), Some(line)) => format!("problem: {file}:{line}: {}", problem.message),
                (Some(file), None) => format!("problem: {file}: {}", problem.message),
                _ => format!("problem: {}", problem.message),
            }),
            Event::Note { text } => Some(format!("note: {text}")),
            Event::Finished { function, status, reason: Some(reason), .. } if *status != Status::Done => {
                let status = status.name();
                if self.told.insert(reason.clone()) {
                    Some(format!("{status}: {function}: {reason}"))
                } else {
                    Some(format!("{status}: {function}, as before"))
                }
            }
            Event::Alarm { id, class, file, line, function } => self
                .alarms
                .insert(id.clone())
                .then(|| format!("alarm: {} at {file}:{line} in {function} ({id})", class.name())),
            Event::Stopping => {
                Some("stopping; finished functions are kept (Ctrl-C again: at once)".to_owned())
            }
            _ => None,
        }
    }
}

fn span(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{} s", seconds.max(1)),
        seconds @ 60..5400 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_adds_up() {
        let name = FunctionName { file: "a.c".into(), name: "f".into(), line: 1 };
        let mut tally = Tally::new();
        let campaign = Event::Campaign {
            total: 4,
            unchanged: 1,
            jobs: 2,
            seconds_per_function: 10,
            covered: 1,
            branches: 4,
        };
        tally.count(&campaign);
        assert_eq!(tally.line(), "0 paths, 25.0% covered, 0 alarms, 15 s left");
        tally.count(&Event::Started { function: name.clone() });
        tally.count(&Event::Progress { function: name.clone(), executions: 9, paths: 3 });
        assert!(tally.line().starts_with("3 paths,"));
        for _ in 0..3 {
            tally.count(&Event::Finished {
                function: name.clone(),
                status: Status::Done,
                reason: None,
                covered: 2,
                branches: 2,
                tests: 1,
                paths: 5,
                alarms: 0,
                time_ms: 1,
                program_covered: 3,
                program_branches: 4,
            });
        }
        assert_eq!(tally.line(), "15 paths, 75.0% covered, 0 alarms");
    }
}
