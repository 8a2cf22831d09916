//! A candidate -> native run under the sanitizers -> an alarm with its level and the sanitizer's words.

use super::units::shown_below;
use crate::job::{Candidate, Prepared, ReplayOutcome, ReplayRequest, UnitJob, Work};
use alarm::{Claim, findings, judge};
use campaign::{Alarm, Input, Level};
use execute::{ReplayRun, ReplayTarget, SandboxPolicy};
use std::path::Path;
use std::time::Duration;

/// Sanitized code is slower, and a verdict matters more than a second.
const SLOWDOWN: u32 = 5;

pub fn confirm(job: &UnitJob, candidate: &Candidate) -> Option<Alarm> {
    let mut alarm = Alarm {
        class: candidate.class,
        file: candidate.file.clone(),
        line: candidate.line,
        column: candidate.column,
        function: candidate.function.clone(),
        level: Level::Unit,
        reason: String::new(),
        score: 0.0,
        input: candidate.input.clone(),
        replayed: String::new(),
        evidence: candidate.evidence.clone(),
    };
    let job = &job.of_input(&candidate.input, false);
    let run = match native_run(job, &candidate.input) {
        Ok(run) => run,
        Err(error) => {
            alarm.reason = "seen by the instrumented run; it could not be replayed natively".into();
            alarm.replayed = format!("not run: {error:#}");
            return (!candidate.suspected).then_some(alarm);
        }
    };
    let claim = Claim {
        class: candidate.class,
        file: candidate.file.clone(),
        line: candidate.line,
        function: candidate.function.clone(),
    };
    let of_program = |file: &str| job.is_of_program(file);
    let judgement = judge(&claim, &findings(&run.output), run.timed_out, &of_program);
    alarm.class = judgement.class;
    alarm.level = judgement.level;
    alarm.reason = judgement.reason;
    if alarm.level == Level::Unit && job.is_whole_program() {
        alarm.level = Level::Confirmed;
        alarm.reason = "the whole program, run natively on this input, fails there".into();
    }
    alarm.replayed = judgement.replayed;
    if let Some(frame) = judgement.frame {
        alarm.file = shown_below(&job.root, &frame.file);
        alarm.line = frame.line;
        alarm.column = frame.column;
        if !frame.function.is_empty() {
            alarm.function = frame.function;
        }
    }
    (!candidate.suspected || alarm.level != Level::Dropped).then_some(alarm)
}

/// For a person: the same run, with everything it printed.
pub(super) fn replay(prepared: &Prepared, request: &ReplayRequest) -> anyhow::Result<ReplayOutcome> {
    let wanted = request.unit.as_ref().unwrap_or(&request.input.function);
    let unit = prepared
        .units
        .iter()
        .find(|unit| unit.function == *wanted)
        .or_else(|| {
            prepared
                .units
                .iter()
                .find(|unit| unit.function.name == wanted.name && unit.function.file == wanted.file)
        })
        .ok_or_else(|| anyhow::anyhow!("{wanted} is not a function of this program (any more)"))?;
    let job = match &unit.work {
        Work::Explore(job) => job,
        Work::Skip(reason) | Work::Fail(reason) => anyhow::bail!("{wanted} cannot be run: {reason}"),
    };
    let run = native_run(&job.of_input(&request.input, request.in_context), &request.input)?;
    let found = findings(&run.output);
    let verdict = match found.first() {
        Some(finding) => finding.message.clone(),
        None if run.timed_out => "timeout".to_owned(),
        None => "ends without a fault".to_owned(),
    };
    Ok(ReplayOutcome { verdict, failed: run.timed_out || !found.is_empty(), output: run.output })
}

fn native_run(job: &UnitJob, input: &Input) -> anyhow::Result<ReplayRun> {
    let image =
        job.replay_image.as_ref().ok_or_else(|| anyhow::anyhow!("there is no image under sanitizers"))?;
    Ok(execute::replay(&replay_target(job, image), &to_run(input))?)
}

/// The job's unit in a native image.
pub(super) fn replay_target(job: &UnitJob, image: &Path) -> ReplayTarget {
    ReplayTarget {
        image: image.to_owned(),
        scratch: job.scratch.clone(),
        sandbox: if job.sandbox { SandboxPolicy::Require } else { SandboxPolicy::Off },
        driver: (job.driver.tu, job.driver.index),
        default_mode: job.default_mode,
        modes: job.modes.clone(),
        time_limit: Duration::from_millis(job.limits.execution_ms) * SLOWDOWN,
        output_limit: job.limits.output_bytes as usize,
        counters: None,
    }
}

/// The stored input as an execution takes it.
pub(super) fn to_run(input: &Input) -> execute::Input {
    input
        .slots
        .iter()
        .map(|slot| (wire::SlotKey { hash: slot.hash, occurrence: slot.occurrence }, slot.bytes.clone()))
        .collect()
}
