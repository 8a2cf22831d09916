//! The worker process: one job per line in, progress and one result per job out.
//!
//! Standard output is moved out of reach first: whatever a library prints goes to the log, not between the
//! answers. A panic is an answer too; what cannot be caught ends this process, and the pool says so.

use crate::exit::Exit;
use crate::job::{Candidate, Measurement, NOT_RUN, Pipeline, Progress, UnitJob, UnitResult, WorkerResult};
use alarm::TIMED_OUT;
use anyhow::{Context, Result};
use campaign::{Alarm, Level, Reply};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::io::{BufRead, Write};
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use wire::Class;

/// The part of a function's time that its callers have at least.
const LEAST_SHARE: u64 = 4;
/// The part of a function's time that native runs of what it found have, and what they have at least.
const REPLAY_SHARE: u64 = 2;
const REPLAY_LEAST: Duration = Duration::from_secs(5);

/// Explores one function after the other.
pub fn run(pipeline: &Pipeline) -> Result<Exit> {
    serve(
        |job: &mut UnitJob| &mut job.scratch,
        |job, tell| {
            let begun = Instant::now();
            let mut unit = (pipeline.explore_unit)(job, tell);
            unit.statistics.exploring_ms = milliseconds(begun);
            let candidates = std::mem::take(&mut unit.candidates);
            let share = Duration::from_millis(job.time_ms / REPLAY_SHARE).max(REPLAY_LEAST);
            let hasty = job.hasty();
            let mut alarms = confirmed(candidates, share, |candidate, is_hasty| {
                (pipeline.confirm)(if is_hasty { &hasty } else { job }, candidate)
            });
            let filtering = Instant::now();
            (pipeline.in_context)(&with_time_like(job, unit.statistics.exploring_ms), &mut alarms);
            unit.statistics.filtering_ms = milliseconds(filtering);
            WorkerResult { unit, alarms, time_ms: milliseconds(begun) }
        },
        |_, what| WorkerResult { unit: UnitResult::failed(what), alarms: Vec::new(), time_ms: 0 },
    )
}

/// Runs candidates natively, the most valuable first, until their share of the time is over. One that hangs is cut early
/// and waits until all others were run.
fn confirmed(
    mut candidates: Vec<Candidate>,
    share: Duration,
    confirm: impl Fn(&Candidate, bool) -> Option<Alarm>,
) -> Vec<Alarm> {
    candidates.sort_by_key(|candidate| (candidate.suspected, passes(candidate.class)));
    let begun = Instant::now();
    let mut shown = BTreeSet::new();
    let mut alarms = Vec::new();
    let mut waiting: VecDeque<(&Candidate, bool)> = candidates.iter().map(|each| (each, true)).collect();
    while let Some((candidate, is_first)) = waiting.pop_front() {
        // One input is enough to show what fails at a place for one cause.
        let cause = candidate.evidence["cause"].to_string();
        let key = (candidate.file.clone(), candidate.line, candidate.class, cause);
        if shown.contains(&key) {
            continue;
        }
        if begun.elapsed() >= share {
            let reason = "seen by the instrumented run; the time for native runs was over";
            alarms.extend((!candidate.suspected).then(|| candidate.unconfirmed(reason, NOT_RUN)));
            continue;
        }
        let is_hasty = is_first && candidate.class != Class::NonTermination;
        let Some(alarm) = confirm(candidate, is_hasty) else { continue };
        if is_hasty && alarm.level == Level::Dropped && alarm.replayed == TIMED_OUT {
            waiting.push_back((candidate, false));
            continue;
        }
        if alarm.level != Level::Dropped && alarm.class == candidate.class {
            shown.insert(key);
        }
        alarms.push(alarm);
    }
    alarms
}

/// The program goes on after it.
fn passes(class: Class) -> bool {
    matches!(class, Class::SignedOverflow | Class::InvalidShift)
}

/// Checking alarms takes no longer than finding them did, but for functions that were done in no time.
fn with_time_like(job: &UnitJob, exploring_ms: u64) -> UnitJob {
    let mut job = job.clone();
    job.contexts.time_ms = job.contexts.time_ms.min(exploring_ms.max(job.time_ms / LEAST_SHARE));
    job
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Searches for `concertino compare`.
pub fn measure(pipeline: &Pipeline) -> Result<Exit> {
    serve(
        |job: &mut Measurement| &mut job.unit.scratch,
        |job, tell| (pipeline.measure)(job, tell),
        |job, what| job.without_result(what),
    )
}

fn serve<J: DeserializeOwned, R: Serialize>(
    scratch_of: impl Fn(&mut J) -> &mut PathBuf,
    work: impl Fn(&J, &dyn Fn(Progress)) -> R,
    failed: impl Fn(&J, String) -> R,
) -> Result<Exit> {
    let answers = Mutex::new(take_stdout().context("cannot move standard output")?);
    let last_panic = note_panics();
    for line in std::io::stdin().lock().lines() {
        let line = line.context("cannot read a job")?;
        let mut job: J = serde_json::from_str(&line).context("this is not a job")?;
        let scratch = Scratch::make(scratch_of(&mut job))?;
        scratch_of(&mut job).clone_from(&scratch.path);
        let answer = |reply: &Reply<Progress, &R>| {
            let text = serde_json::to_string(reply).unwrap_or_default();
            let mut to = answers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            writeln!(to, "{text}")
        };
        let tell = |progress: Progress| {
            let _ = answer(&Reply::Progress(progress));
        };
        let result = catch_unwind(AssertUnwindSafe(|| work(&job, &tell))).unwrap_or_else(|_| {
            let what = last_panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
            failed(&job, format!("internal error: {what}"))
        });
        // Before the answer: after it, the pool may end this process at any moment.
        drop(scratch);
        answer(&Reply::Result(&result)).context("nobody takes the result")?;
    }
    Ok(Exit::Success)
}

/// The pipe to the pool, as a descriptor that tested programs do not inherit; descriptor 1 becomes the log.
fn take_stdout() -> std::io::Result<File> {
    let stdout = std::io::stdout();
    let pipe: OwnedFd = stdout.as_fd().try_clone_to_owned()?;
    // SAFETY: both descriptors are open; 1 now names what 2 names.
    if unsafe { libc::dup2(2, 1) } < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: F_DUPFD_CLOEXEC gives a new descriptor that nobody else owns.
    let high = unsafe { libc::fcntl(std::os::fd::AsRawFd::as_raw_fd(&pipe), libc::F_DUPFD_CLOEXEC, 300) };
    if high < 0 {
        return Ok(File::from(pipe));
    }
    // SAFETY: as above.
    Ok(File::from(unsafe { OwnedFd::from_raw_fd(high) }))
}

/// Keeps the words of the last panic, for the result.
fn note_panics() -> &'static Mutex<String> {
    static LAST: Mutex<String> = Mutex::new(String::new());
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let text =
            payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("panic");
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        *LAST.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = format!("{message}{place}");
        before(info);
    }));
    &LAST
}

/// A directory of this job's own, removed with whatever the tested code left there.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn make(below: &std::path::Path) -> Result<Scratch> {
        let path = below.join(format!("worker-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Scratch { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::{FunctionName, Input};

    fn candidate(line: u32, class: Class) -> Candidate {
        let function = FunctionName { file: "a.c".into(), name: "f".into(), line: 1 };
        Candidate {
            class,
            file: "a.c".into(),
            line,
            column: 0,
            function: "f".into(),
            suspected: false,
            input: Input::new(function, Vec::new()),
            later: Vec::new(),
            evidence: serde_json::Value::Null,
        }
    }

    /// The first run of line 1 takes all the time there is unless it is cut; it fails in the end.
    #[test]
    fn one_that_hangs_waits_for_the_others() {
        let candidates = vec![candidate(1, Class::OutOfBounds), candidate(2, Class::NullDereference)];
        let hangs = |candidate: &Candidate, is_hasty: bool| {
            let mut alarm = candidate.unconfirmed("", "fails");
            if is_hasty && candidate.line == 1 {
                (alarm.level, alarm.replayed) = (Level::Dropped, TIMED_OUT.to_owned());
            }
            Some(alarm)
        };
        let alarms = confirmed(candidates, Duration::from_secs(60), hangs);
        let told: Vec<(u32, &str)> =
            alarms.iter().map(|alarm| (alarm.line, alarm.replayed.as_str())).collect();
        assert_eq!(told, [(2, "fails"), (1, "fails")]);
    }

    #[test]
    fn a_claim_that_it_hangs_has_its_time_at_once() {
        let all = |candidate: &Candidate, is_hasty: bool| {
            assert!(!is_hasty);
            Some(candidate.unconfirmed("", TIMED_OUT))
        };
        let alarms = confirmed(vec![candidate(1, Class::NonTermination)], Duration::from_secs(60), all);
        assert_eq!(alarms.len(), 1);
    }

    #[test]
    fn what_there_was_no_time_for_is_told() {
        let never = |_: &Candidate, _: bool| None;
        let alarms = confirmed(vec![candidate(1, Class::OutOfBounds)], Duration::ZERO, never);
        assert_eq!(alarms.iter().map(|alarm| alarm.replayed.as_str()).collect::<Vec<_>>(), [NOT_RUN]);
    }
}
