//! A candidate -> native run under the sanitizers -> an alarm with its level and the sanitizer's words.

use super::units::shown_below;
use crate::job::{Candidate, Prepared, ReplayOutcome, ReplayRequest, UnitJob, Work};
use alarm::{Claim, findings, judge};
use campaign::{Alarm, Input, Level, Slot};
use execute::{ReplayRun, ReplayTarget, SandboxPolicy};
use std::path::Path;
use std::time::Duration;
use wire::Class;

/// Null pointers of an input that are tried one by one.
const MOST_NULLS: usize = 4;
/// Sanitized code is slower, and a verdict matters more than a second.
const SLOWDOWN: u32 = 5;

pub fn confirm(job: &UnitJob, candidate: &Candidate) -> Option<Alarm> {
    let job = &job.of_input(&candidate.input, false);
    let run = match native_run(job, &candidate.input) {
        Ok(run) => run,
        Err(error) => {
            let reason = "seen by the instrumented run; it could not be replayed natively";
            let alarm = candidate.unconfirmed(reason, format!("not run: {error:#}"));
            return (!candidate.suspected).then_some(alarm);
        }
    };
    let mut alarm = candidate.unconfirmed("", "");
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
    if alarm.level == Level::Unit && alarm.class == Class::NullDereference {
        let again = |input: &Input| {
            let run = native_run(job, input).ok()?;
            let found = judge(&claim, &findings(&run.output), run.timed_out, &of_program);
            Some(
                found.class == judgement.class
                    && found.frame == judgement.frame
                    && found.level != Level::Dropped,
            )
        };
        let guilty = guilty_null(&candidate.input, again);
        if let (Some(path), Some(evidence)) = (guilty, alarm.evidence.as_object_mut()) {
            evidence.insert("null".to_owned(), path.into());
        }
    }
    let made = judgement.missed.as_ref().and_then(|missed| made_by_driver(job, missed));
    if let (Some(made), Some(evidence)) = (made, alarm.evidence.as_object_mut()) {
        evidence.insert("made".to_owned(), made);
    }
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

/// Of several pointers that the driver made null, the one without which it does not fail.
fn guilty_null(input: &Input, fails: impl Fn(&Input) -> Option<bool>) -> Option<String> {
    let is_null = |slot: &Slot| slot.path.ends_with("?null") && slot.bytes == [1];
    let null: Vec<usize> = (0..input.slots.len()).filter(|at| is_null(&input.slots[*at])).collect();
    if !(2..=MOST_NULLS).contains(&null.len()) {
        return None;
    }
    null.into_iter().find_map(|at| {
        let mut without = input.clone();
        without.slots[at].bytes = vec![0];
        let path = input.slots[at].path.trim_end_matches("?null").to_owned();
        (!fails(&without)?).then_some(path)
    })
}

/// The object of the driver's that an access missed, where it is one.
fn made_by_driver(job: &UnitJob, missed: &alarm::Missed) -> Option<serde_json::Value> {
    let of_harness =
        |frame: &&alarm::Frame| frame.function == "ctn_alloc" || frame.file.ends_with("/harness.c");
    let frames: Vec<&alarm::Frame> = missed.allocated.iter().take_while(of_harness).collect();
    // Objects for other files are made in their own harness; the one that asked is the last.
    let home = frames.iter().skip(1).find(|frame| !job.is_of_program(&frame.file))?.file.clone();
    let text = std::fs::read_to_string(&home).ok()?;
    let here = frames.iter().filter(|frame| frame.function == "ctn_alloc" || frame.file == home);
    let here: Vec<(&str, u32)> = here.map(|frame| (frame.function.as_str(), frame.line)).collect();
    let made = harness::made(&here, &text)?;
    let kind = match made.kind {
        harness::MadeKind::Argument => "argument",
        harness::MadeKind::Text => "text",
        harness::MadeKind::Memory => "memory",
    };
    Some(serde_json::json!({
        "place": made.place, "kind": kind, "measured": made.is_measured, "before": missed.before,
    }))
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
