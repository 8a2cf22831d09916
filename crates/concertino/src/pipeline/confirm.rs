//! A candidate -> native run under the sanitizers -> an alarm with its level and the sanitizer's words.

use super::units::shown_below;
use crate::annotate::last_name;
use crate::job::{Candidate, Prepared, ReplayOutcome, ReplayRequest, UnitJob, Work};
use alarm::{Claim, Frame, findings, judge};
use campaign::{Alarm, Input, Level, Slot};
use execute::{ReplayRun, ReplayTarget, SandboxPolicy};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use wire::Class;

/// Choices of a driver that are tried one by one.
const MOST_CHOICES: usize = 4;
/// Calls on the way to a failure that are told.
const MOST_CALLERS: usize = 16;
/// Lines of one statement.
const MOST_LINES: usize = 4;
/// How much longer than the failure a run may take that is to show whether it fails without something.
const MOST_LONGER: u32 = 4;
const LEAST_PATIENCE: Duration = Duration::from_millis(200);
/// Sanitized code is slower, and a verdict matters more than a second.
const SLOWDOWN: u32 = 5;

/// How the native run tells of an access beyond memory that a function got by `alloca`, or a variable-length array.
const ON_STACK: &str = "dynamic-stack-buffer-overflow";
/// How the native run tells of an access where nothing is.
const WILD: &str = "SEGV";
/// Bytes of a pointer, and what is put where a driver puts nothing.
const POINTER: usize = 8;
const FILLED: u8 = 0x5a;
/// What is put into a text that was empty.
const LETTER: u8 = b'a';
/// Words that are tried one by one, and how far from an address a pointer may be that led there.
const MOST_WORDS: usize = 12;
const NEAR: u64 = 4096;

/// Where the first input fails for something that its driver made up, or does not fail natively, a later one may show
/// what does not depend on that.
pub fn confirm(job: &UnitJob, candidate: &Candidate) -> Option<Alarm> {
    let begun = Instant::now();
    let first = confirm_once(job, candidate);
    let Some(weak) = first.as_ref().filter(|alarm| is_weak(alarm)) else { return first };
    let is_null = weak.class == Class::NullDereference;
    let same = |alarm: &Alarm| {
        (alarm.class, &alarm.file, alarm.line) == (weak.class, &weak.file, weak.line)
            || weak.level == Level::Dropped && alarm.class == candidate.class
    };
    let others =
        candidate.later.iter().filter(|(input, _)| !is_null || !input.slots.iter().any(is_null_pointer));
    // What hangs once may hang again: all together take little longer than one run may.
    let others = others.take_while(|_| begun.elapsed() < time_limit(job));
    let stronger = others
        .filter_map(|(input, cause)| confirm_once(job, &candidate.on(input, cause)))
        .find(|alarm| same(alarm) && !is_weak(alarm));
    stronger.or_else(|| without_nulls(job, candidate, weak)).or(first)
}

/// The same input with objects where the driver made pointers null, if what fails there then is something else: an index
/// that leads nowhere whatever it is taken of.
fn without_nulls(job: &UnitJob, candidate: &Candidate, weak: &Alarm) -> Option<Alarm> {
    let mut input = candidate.input.clone();
    let nulls = input.slots.iter_mut().filter(|slot| is_null_pointer(slot));
    let made = nulls.map(|slot| slot.bytes = vec![0]).count();
    if weak.class != Class::NullDereference || made == 0 {
        return None;
    }
    let alarm = confirm_once(job, &candidate.on(&input, &[]))?;
    let is_here = (&alarm.file, alarm.line) == (&weak.file, weak.line);
    (is_here && alarm.class != weak.class && !is_weak(&alarm)).then_some(alarm)
}

/// Not shown natively, or by means of an object or a null pointer of the driver's.
fn is_weak(alarm: &Alarm) -> bool {
    alarm.level == Level::Dropped
        || alarm.evidence["made"].is_object()
        || alarm.class == Class::NullDereference && alarm.input.slots.iter().any(is_null_pointer)
}

/// A pointer that the driver made null.
fn is_null_pointer(slot: &Slot) -> bool {
    slot.path.ends_with("?null") && slot.bytes == [1]
}

fn confirm_once(job: &UnitJob, candidate: &Candidate) -> Option<Alarm> {
    let job = &job.of_input(&candidate.input, false);
    let begun = Instant::now();
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
    // Without what makes it fail it may run on for ever: whatever takes much longer does not fail in this way.
    let patience = (begun.elapsed() * MOST_LONGER).max(LEAST_PATIENCE);
    let fails_on = |input: &Input| {
        let run = native_run_within(job, input, patience).ok()?;
        let found = judge(&claim, &findings(&run.output), run.timed_out, &of_program);
        let same = found.class == judgement.class && found.frame == judgement.frame;
        Some(same && found.level != Level::Dropped)
    };
    // What ends in the C library has its place from the native run.
    let words = match &judgement.frame {
        Some(frame) => statement(job, &shown_below(&job.root, &frame.file), frame.line),
        None => statement(job, &candidate.file, candidate.line),
    };
    let fails_elsewhere = |input: &Input| {
        let run = native_run_filled(job, input, patience).ok();
        let found = run.map(|run| judge(&claim, &findings(&run.output), run.timed_out, &of_program));
        found.is_some_and(|found| {
            let is_another = (found.class, found.address) != (judgement.class, judgement.address);
            is_another && found.frame == judgement.frame && found.replayed.starts_with(WILD)
        })
    };
    if alarm.level == Level::Unit {
        let blamed = blamed(alarm.class, &candidate.input, &words, fails_on);
        let is_wild = alarm.class == Class::NullDereference || alarm.replayed.starts_with(WILD);
        let is_unset = is_wild
            && blamed.is_none()
            && takes_unset(&candidate.input, judgement.address.unwrap_or(0), fails_elsewhere);
        if let Some(evidence) = alarm.evidence.as_object_mut() {
            evidence.extend(blamed.map(|(kind, path)| (kind.to_owned(), path.into())));
            evidence.extend(is_unset.then(|| ("unset".to_owned(), true.into())));
        }
    }
    if let (Some(address), Some(evidence)) = (judgement.address, alarm.evidence.as_object_mut()) {
        evidence.insert("address".to_owned(), address.into());
    }
    let made = judgement.missed.as_ref().and_then(|missed| made_by_driver(job, missed));
    let text = made.as_ref().filter(|_| alarm.evidence["cause"].as_array().is_none_or(Vec::is_empty));
    let text = text.and_then(|made| before_empty(made, &candidate.input, fails_on));
    let own = judgement.missed.as_ref().filter(|_| made.is_none());
    let block = own.map(|missed| got_at(job, missed)).filter(|place| !place.is_empty());
    // What a function gets on its stack at run time has no place of its own in what the sanitizer says.
    let on_stack = || {
        let frame = judgement.frame.as_ref().filter(|_| alarm.replayed.starts_with(ON_STACK))?;
        Some(format!("the stack of {}", frame.function))
    };
    let block = block.or_else(on_stack);
    if let Some(evidence) = alarm.evidence.as_object_mut() {
        evidence.extend(made.map(|made| ("made".to_owned(), made)));
        evidence.extend(text.map(|path| ("cause".to_owned(), vec![path].into())));
        evidence.extend(block.map(|place| ("block".to_owned(), place.into())));
    }
    let callers = judgement.callers.iter().take(MOST_CALLERS).map(|frame| called_at(job, frame));
    let callers: Vec<_> = callers.collect();
    if let (false, Some(evidence)) = (callers.is_empty(), alarm.evidence.as_object_mut()) {
        evidence.insert("stack".to_owned(), callers.into());
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

/// Where the program got the block of memory: its own call, and who made it, as many programs have a function for that.
fn got_at(job: &UnitJob, missed: &alarm::Missed) -> String {
    let frames = missed.allocated.iter().filter(|frame| job.is_of_program(&frame.file)).take(2);
    let places: Vec<String> =
        frames.map(|frame| format!("{}:{}", shown_below(&job.root, &frame.file), frame.line)).collect();
    places.join(" from ")
}

fn called_at(job: &UnitJob, frame: &Frame) -> serde_json::Value {
    let file = shown_below(&job.root, &frame.file);
    serde_json::json!({ "function": frame.function, "file": file, "line": frame.line })
}

/// The lines of a statement, as far as they are few; empty where there are none.
fn statement(job: &UnitJob, file: &str, line: u32) -> String {
    let text = std::fs::read(job.root.join(file)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let from = (line as usize).saturating_sub(1);
    let mut statement = String::new();
    for line in text.lines().skip(from).take(MOST_LINES) {
        statement.push_str(line);
        statement.push('\n');
        if line.contains(';') {
            break;
        }
    }
    statement
}

/// The choice of the driver's without which it does not fail, and its kind: a pointer that it made null, an object of
/// another file's type that it left all zero, or, of an assertion, an object where the line wants none.
fn blamed(
    class: Class,
    input: &Input,
    line: &str,
    fails: impl Fn(&Input) -> Option<bool>,
) -> Option<(&'static str, String)> {
    let is_null = is_null_pointer;
    let is_zeroed = |slot: &Slot| slot.path.ends_with("?made") && slot.bytes == [0];
    let words = alarm::identifiers(line);
    let nulls = input.slots.iter().filter(|slot| is_null(slot)).count();
    match class {
        // The only one needs no trial.
        Class::NullDereference if nulls > 1 => {
            guilty(input, &words, is_null, 0, fails).map(|path| ("null", path))
        }
        Class::NullDereference if nulls == 0 => {
            guilty(input, &words, is_zeroed, 1, fails).map(|path| ("zeroed", path))
        }
        Class::Assertion => {
            let is_parameter = |place: &str| !place.contains(['-', '.', '(']);
            let is_set = |slot: &Slot| {
                let place = slot.path.strip_suffix("?null").filter(|_| !is_null(slot));
                // Without a whole object nothing fails in it.
                place.is_some_and(|place| words.contains(last_name(place)) && !is_parameter(place))
            };
            let null = guilty(input, &words, is_null, 0, &fails).map(|path| ("null", path));
            null.or_else(|| guilty(input, &words, is_set, 1, &fails).map(|path| ("set", path)))
        }
        _ => None,
    }
}

/// A choice that makes a difference when it is made another way: one that the statement names, or else, of a few, the
/// last, as those before it may only have led there. Where it takes several, all that the statement names, the first of
/// them.
fn guilty(
    input: &Input,
    words: &BTreeSet<&str>,
    is_chosen: impl Fn(&Slot) -> bool,
    other: u8,
    fails: impl Fn(&Input) -> Option<bool>,
) -> Option<String> {
    let chosen = input.slots.iter().enumerate().filter(|(_, slot)| is_chosen(slot));
    let mut chosen: Vec<(usize, &str)> =
        chosen.filter_map(|(at, slot)| Some((at, slot.path.rsplit_once('?')?.0))).collect();
    chosen.reverse();
    let is_named = |path: &str| words.contains(last_name(path));
    if chosen.len() > MOST_CHOICES {
        chosen.retain(|(_, path)| is_named(path));
    }
    chosen.sort_by_key(|(_, path)| !is_named(path));
    let fails_without = |places: &[(usize, &str)]| {
        let mut otherwise = input.clone();
        places.iter().for_each(|(at, _)| otherwise.slots[*at].bytes = vec![other]);
        fails(&otherwise)
    };
    let mut tried = chosen.iter().take(MOST_CHOICES);
    if let Some((_, path)) = tried.find(|place| fails_without(&[**place]) == Some(false)) {
        return Some((*path).to_owned());
    }
    chosen.retain(|(_, path)| is_named(path));
    let (_, first) = chosen.first().filter(|_| chosen.len() > 1)?;
    (!fails_without(&chosen)?).then(|| (*first).to_owned())
}

/// Whether the pointer that failed is one that the driver never made: with something else where it put nothing, or where it
/// put a number that is the address, the same statement goes somewhere else.
fn takes_unset(input: &Input, address: u64, fails_elsewhere: impl Fn(&Input) -> bool) -> bool {
    if input.slots.iter().any(is_null_pointer) {
        return false;
    }
    // Further elements may be there only as room for a larger object.
    let is_room = |slot: &Slot| {
        let root = slot.path.split(['-', '.', '(']).next().unwrap_or_default();
        root.ends_with(']') && !root.ends_with("[0]")
    };
    let mut otherwise = input.clone();
    otherwise.slots.iter_mut().filter(|slot| is_room(slot)).for_each(|slot| slot.bytes.fill(FILLED));
    if fails_elsewhere(&otherwise) {
        return true;
    }
    let words = input.slots.iter().enumerate().flat_map(|(at, slot)| {
        let is_number = slot.bits == 64 && slot.bytes.len() == POINTER;
        let words = slot.bytes.chunks_exact(POINTER).enumerate();
        words.filter(move |_| is_number || slot.bits == 8).filter_map(move |(word, bytes)| {
            let value = u64::from_le_bytes(bytes.try_into().ok()?);
            // Before memory stands what the allocator says of it.
            let is_near = address.wrapping_sub(value).wrapping_add(NEAR) <= 2 * NEAR;
            is_near.then_some((at, word * POINTER, value))
        })
    });
    let mut words: Vec<(usize, usize, u64)> = words.collect();
    words.sort_by_key(|(_, _, value)| *value == 0);
    words.into_iter().take(MOST_WORDS).any(|(at, from, _)| {
        let mut otherwise = input.clone();
        otherwise.slots[at].bytes[from..from + POINTER].fill(FILLED);
        fails_elsewhere(&otherwise)
    })
}

/// The text that an access went before because there was nothing in it: `s[strlen(s) - 1]`.
fn before_empty(
    made: &serde_json::Value,
    input: &Input,
    fails: impl Fn(&Input) -> Option<bool>,
) -> Option<String> {
    let place = made["place"].as_str().filter(|_| made["before"] == true && made["kind"] == "text")?;
    let mut longer = input.clone();
    let is_empty = |slot: &&mut Slot| slot.path == place && slot.bytes.first() == Some(&0);
    let slot = longer.slots.iter_mut().find(is_empty)?;
    let letters = slot.bytes.len() - 1;
    slot.bytes[..letters].fill(LETTER);
    (fails(&longer) == Some(false)).then(|| place.to_owned())
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
        harness::MadeKind::Object => "object",
        harness::MadeKind::Memory => "memory",
    };
    Some(serde_json::json!({
        "place": made.place, "kind": kind, "measured": made.is_measured, "before": missed.before,
        "write": missed.write,
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
    native_run_within(job, input, Duration::MAX)
}

fn native_run_within(job: &UnitJob, input: &Input, patience: Duration) -> anyhow::Result<ReplayRun> {
    run_within(job, input, patience, false)
}

/// The same with something where the driver puts nothing.
fn native_run_filled(job: &UnitJob, input: &Input, patience: Duration) -> anyhow::Result<ReplayRun> {
    run_within(job, input, patience, true)
}

fn run_within(job: &UnitJob, input: &Input, patience: Duration, filled: bool) -> anyhow::Result<ReplayRun> {
    let image =
        job.replay_image.as_ref().ok_or_else(|| anyhow::anyhow!("there is no image under sanitizers"))?;
    let target = replay_target(job, image);
    let target = ReplayTarget { time_limit: target.time_limit.min(patience), filled, ..target };
    Ok(execute::replay(&target, &to_run(input))?)
}

/// Of one native run.
fn time_limit(job: &UnitJob) -> Duration {
    Duration::from_millis(job.limits.execution_ms) * SLOWDOWN
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
        time_limit: time_limit(job),
        output_limit: job.limits.output_bytes as usize,
        filled: false,
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
