//! Alarms of a unit -> the same alarms, judged by the functions that call it. Runs in a worker process.
//!
//! A calling context is followed from the innermost caller outwards. From each caller the real program is
//! explored, with everything below it real: where that fails at the alarm's place, the input of the caller is
//! the evidence; where every path was executed and none fails there, no context through this caller allows the
//! alarm; anything else decides nothing. What was explored from a caller serves all alarms of the function.

use super::confirm::confirm;
use super::executed::Executed;
use super::search::{Effort, Start, candidates, enters, examine};
use super::seeds::is_long;
use super::units::shown_below;
use crate::job::{Candidate, ContextPath, UnitJob};
use alarm::TIMED_OUT;
use campaign::{Alarm, Input, Level};
use explore::{Finished, Place};
use serde_json::json;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use wire::Class;

/// Less is not worth starting a process for.
const LEAST: Duration = Duration::from_millis(100);

pub fn in_context(job: &UnitJob, alarms: &mut [Alarm]) {
    if !job.contexts.check {
        return;
    }
    let wanted: BTreeSet<Spot> =
        alarms.iter().filter(|alarm| alarm.level == Level::Unit).map(Spot::of).collect();
    let mut judge =
        Judge { job, wanted, stages: BTreeMap::new(), left: Duration::from_millis(job.contexts.time_ms) };
    for alarm in alarms.iter_mut().filter(|alarm| alarm.level == Level::Unit) {
        judge.judge(alarm);
    }
}

/// A class of fault at a place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    class: Class,
    file: String,
    line: u32,
}

impl Spot {
    fn of(alarm: &Alarm) -> Spot {
        Spot { class: alarm.class, file: alarm.file.clone(), line: alarm.line }
    }
}

/// What exploring from one caller gave.
struct Stage {
    found: Vec<Candidate>,
    /// What the native run said about those that were asked for; alarms of one function ask for the same ones.
    confirmed: BTreeMap<usize, Option<Alarm>>,
    /// None: every path was executed.
    undecided: Option<String>,
    executions: u64,
    /// One of the executions got to the function.
    entered: bool,
    /// Where an alarm is that executions got to.
    reached: BTreeSet<Spot>,
    /// Larger inputs than the driver makes may go further.
    bounded: bool,
    time: Duration,
}

struct Judge<'j> {
    job: &'j UnitJob,
    wanted: BTreeSet<Spot>,
    /// By the entry's place in the job, and whether its buffers were long.
    stages: BTreeMap<(usize, bool), Stage>,
    left: Duration,
}

/// The alarm, as it happens on an input of a caller.
struct Failure {
    from: String,
    input: Input,
    replayed: String,
    /// What is known of the cause there.
    evidence: serde_json::Value,
}

impl Failure {
    /// For the score, where the outer callers decide nothing: what a caller does with objects of its own is not what
    /// the function's driver made up.
    fn as_evidence(&self) -> serde_json::Value {
        let mut told = self.evidence.clone();
        let more = json!({ "input": self.input, "replayed": self.replayed });
        if let (Some(told), serde_json::Value::Object(more)) = (told.as_object_mut(), more) {
            told.extend(more);
        }
        told
    }
}

/// What one caller, or a whole context, says about an alarm.
enum Verdict {
    Feasible(Box<Failure>),
    Infeasible {
        why: String,
    },
    /// An inner caller may make it happen all the same.
    Unknown {
        why: String,
        inner: Option<Box<Failure>>,
    },
}

impl Judge<'_> {
    fn judge(&mut self, alarm: &mut Alarm) {
        let contexts = &self.job.contexts;
        if contexts.paths.is_empty() {
            let why = match &contexts.open {
                Some(open) => format!("no caller in the program; {open}"),
                None => "nothing in the program calls the function".to_owned(),
            };
            note(alarm, json!({ "contexts": [], "open": why }));
            return;
        }
        let mut told = Vec::new();
        let mut infeasible = Vec::new();
        let mut inner = Vec::new();
        let mut feasible = None;
        for path in &contexts.paths {
            let verdict = self.context(path, alarm);
            let innermost = self.innermost(path, is_long(&alarm.input));
            told.push(tell(path, &verdict, innermost, &Spot::of(alarm)));
            match verdict {
                Verdict::Feasible(failure) => {
                    feasible = Some((path, failure));
                    break;
                }
                Verdict::Infeasible { why } => infeasible.push(why),
                Verdict::Unknown { inner: failure, .. } => {
                    inner.extend(failure.map(|failure| failure.as_evidence()));
                }
            }
        }
        inner.dedup();
        note(alarm, json!({ "contexts": told, "open": contexts.open, "callers": inner }));
        if let Some((path, failure)) = feasible {
            let Failure { from, input, replayed, evidence } = *failure;
            let own = &self.job.function.name;
            let reason = match path.callers.as_slice() {
                [only] if only == own => "the function is main: its input is the program's".to_owned(),
                callers => format!(
                    "it fails when {from} is driven, in the calling context {} -> {own}",
                    callers.join(" -> ")
                ),
            };
            note(alarm, json!({ "unit-input": shown(&alarm.input) }));
            note(alarm, evidence);
            alarm.input = input;
            alarm.replayed = replayed;
            settle(alarm, Level::Feasible, reason);
        } else if infeasible.len() == contexts.paths.len() && contexts.open.is_none() {
            infeasible.dedup();
            note(alarm, json!({ "proof": alarm.function == self.job.function.name }));
            settle(alarm, Level::Dropped, format!("no calling context allows it: {}", infeasible.join("; ")));
        }
    }

    /// What driving the innermost caller gave, with buffers of the same length.
    fn innermost(&self, path: &ContextPath, long: bool) -> Option<&Stage> {
        let Some(Ok(entry)) = path.stages.last() else { return None };
        self.stages.get(&(*entry, long))
    }

    /// From the innermost caller outwards.
    fn context(&mut self, path: &ContextPath, alarm: &Alarm) -> Verdict {
        let mut crashed: Option<Box<Failure>> = None;
        let mut undecided: Option<String> = None;
        for (caller, stage) in path.callers.iter().zip(&path.stages).rev() {
            let verdict = match stage {
                Ok(entry) => self.caller(*entry, alarm),
                Err(why) => unknown(format!("{caller} cannot be driven: {why}")),
            };
            match verdict {
                Verdict::Feasible(failure) => {
                    crashed = Some(failure);
                    undecided = None;
                }
                Verdict::Infeasible { why } => return Verdict::Infeasible { why },
                Verdict::Unknown { why, .. } => {
                    undecided.get_or_insert(why);
                }
            }
        }
        match (crashed, undecided.as_ref().or(path.inside.as_ref())) {
            (Some(failure), None) => Verdict::Feasible(failure),
            (Some(failure), Some(why)) => {
                let why = format!("it fails when {} is driven; {why}", failure.from);
                Verdict::Unknown { why, inner: Some(failure) }
            }
            (None, _) => unknown(undecided.unwrap_or_default()),
        }
    }

    /// Buffers of the usual length say nothing about an alarm that took long ones, and where they are all that a
    /// verdict rests on, long ones are tried too.
    fn caller(&mut self, entry: usize, alarm: &Alarm) -> Verdict {
        let from = self.job.contexts.entries.get(entry);
        let has_long = from.is_some_and(|from| from.driver.has_long);
        let bounded = from.is_some_and(|from| from.bounds.is_some());
        let verdict = self.stage(entry, has_long && is_long(&alarm.input), alarm);
        match verdict {
            Verdict::Infeasible { why } if is_long(&alarm.input) && bounded => {
                unknown(format!("{why}; it took a buffer longer than that"))
            }
            Verdict::Infeasible { .. } if has_long => match self.stage(entry, true, alarm) {
                feasible @ Verdict::Feasible(_) => feasible,
                _ => verdict,
            },
            other => other,
        }
    }

    fn stage(&mut self, entry: usize, long: bool, alarm: &Alarm) -> Verdict {
        let Some(from) = self.job.contexts.entries.get(entry) else {
            return unknown("the caller was not prepared".to_owned());
        };
        if !self.stages.contains_key(&(entry, long)) {
            let stage = self.explore(entry, long);
            self.left = self.left.saturating_sub(stage.time);
            self.stages.insert((entry, long), stage);
        }
        let name = &from.function.name;
        let Some(stage) = self.stages.get_mut(&(entry, long)) else {
            return unknown(String::new());
        };
        let job = self.job.entering(from);
        // One caller's hang is not to take the time of the others.
        let hasty = job.hasty();
        let near = |candidate: &Candidate| {
            candidate.file == alarm.file
                && (candidate.line == alarm.line || candidate.function == alarm.function)
        };
        let mut hangs = false;
        for (index, candidate) in stage.found.iter().enumerate().filter(|(_, candidate)| near(candidate)) {
            let seen = match stage.confirmed.entry(index) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(_) if self.left < LEAST => {
                    let why =
                        format!("it may fail when {name} is driven; no time was left to run that natively");
                    return unknown(why);
                }
                Entry::Vacant(new) => {
                    let begun = Instant::now();
                    let claims_hang = candidate.class == Class::NonTermination;
                    let seen = confirm(if claims_hang { &job } else { &hasty }, candidate);
                    self.left = self.left.saturating_sub(begun.elapsed());
                    new.insert(seen)
                }
            };
            let Some(seen) = seen else { continue };
            hangs |= seen.level == Level::Dropped && seen.replayed == TIMED_OUT;
            let same = (seen.class, &seen.file, seen.line) == (alarm.class, &alarm.file, alarm.line);
            if same && seen.level != Level::Dropped {
                return Verdict::Feasible(Box::new(Failure {
                    from: name.clone(),
                    input: seen.input.clone(),
                    replayed: seen.replayed.clone(),
                    evidence: json!({
                        "cause": seen.evidence["cause"],
                        "led": seen.evidence["led"],
                        "guard": seen.evidence["guard"],
                        "made": seen.evidence["made"],
                        "null": seen.evidence["null"],
                        "zeroed": seen.evidence["zeroed"],
                        "unset": seen.evidence["unset"],
                        "set": seen.evidence["set"],
                        "address": seen.evidence["address"],
                        "stack": seen.evidence["stack"].as_array().cloned().unwrap_or_default(),
                    }),
                }));
            }
        }
        if hangs {
            return unknown(format!(
                "it may fail when {name} is driven; run natively, that did not end in time"
            ));
        }
        let paths = format!("{} executions from {name}", stage.executions);
        match (&stage.undecided, &from.inexact) {
            (Some(why), _) => unknown(format!("{paths}, none failed here; {why}")),
            (None, Some(why)) => unknown(format!("{paths}, none failed here; but {why}")),
            (None, None) => {
                let within =
                    from.bounds.as_ref().map(|bounds| format!(", with {bounds}")).unwrap_or_default();
                let why = format!(
                    "every path from {name} was executed ({}{within}), none fails here",
                    stage.executions
                );
                Verdict::Infeasible { why }
            }
        }
    }

    fn explore(&self, entry: usize, long: bool) -> Stage {
        let nothing = |why: String| Stage {
            found: Vec::new(),
            confirmed: BTreeMap::new(),
            undecided: Some(why),
            executions: 0,
            entered: false,
            reached: BTreeSet::new(),
            bounded: false,
            time: Duration::ZERO,
        };
        let waiting = self.job.contexts.entries.len().saturating_sub(self.stages.len()).max(1) as u32;
        let time = self.left / waiting;
        if time < LEAST {
            return nothing("no time was left".to_owned());
        }
        let from = &self.job.contexts.entries[entry];
        let mut job = self.job.entering(from);
        job.time_ms = time.as_millis() as u64;
        let begun = Instant::now();
        match self.run(&job, from.key, long) {
            Ok(stage) => Stage { time: begun.elapsed(), ..stage },
            Err(error) => Stage { time: begun.elapsed(), ..nothing(format!("{error:#}")) },
        }
    }

    /// A fault that a driver may have made ends paths which the program goes on. Null pointers that it chose are
    /// inputs like others; and the inputs of main are the program's.
    fn cuts_short(&self, job: &UnitJob, candidate: &Candidate) -> bool {
        let spot = Spot { class: candidate.class, file: candidate.file.clone(), line: candidate.line };
        let chosen = candidate
            .input
            .slots
            .iter()
            .any(|slot| slot.path.ends_with("?null") && slot.bytes.iter().any(|byte| *byte != 0));
        let is_null = candidate.class == Class::NullDereference;
        !(job.is_whole_program() || self.wanted.contains(&spot) || is_null && chosen)
    }

    /// Explores until every wanted place has failed, or nothing is left, or the time is over.
    fn run(&self, job: &UnitJob, from: wire::FunctionKey, long: bool) -> anyhow::Result<Stage> {
        let tables = super::search::read_tables(job)?;
        let mut open = self.wanted.clone();
        let mut observer = |event| {
            if let explore::Event::Alarm { class, place: Place::Site(key) } = event {
                let table = tables.iter().find(|table| table.tu == key.tu);
                if let Some(site) = table.and_then(|table| table.sites.get(key.site as usize)) {
                    open.remove(&Spot { class, file: shown_below(&job.root, &site.file), line: site.line });
                }
            }
            if open.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (exploration, image_base) = {
            let effort = Effort { time: Duration::from_millis(job.time_ms), ..Effort::default() };
            let start = if long { Start::Long(Vec::new()) } else { Start::Zeros };
            examine(job, &tables, Some(&[job.entry, from]), start, effort, true, &mut observer)?
        };
        let found = candidates(job, &tables, &exploration, image_base)?;
        let entered = enters(job, job.entry, &exploration)?;
        let cut = found.iter().find(|candidate| self.cuts_short(job, candidate));
        let bounded = exploration.finished == Finished::AllSides && exploration.statistics.beyond_limits > 0;
        let undecided = match &exploration.finished {
            // A driver that does not get there, for want of a file or of deeper structures, shows nothing.
            Finished::AllPaths if !entered => Some(format!("no execution got to {}", self.job.function.name)),
            Finished::AllPaths => cut.map(|cut| {
                format!("it failed at {}:{} first, which may be its driver's doing", cut.file, cut.line)
            }),
            Finished::AllSides if bounded => {
                Some("larger inputs than the driver makes may go further".to_owned())
            }
            other => Some(format!("not every path was executed: {other}")),
        };
        let executions = exploration.statistics.executions;
        let executed = Executed::new(&tables, &exploration.covered, entered.then_some(job.entry));
        let shown = |file: &str| shown_below(&job.root, file);
        let is_reached = |spot: &&Spot| executed.has_line(&shown, &spot.file, spot.line);
        let reached = self.wanted.iter().filter(is_reached).cloned().collect();
        let confirmed = BTreeMap::new();
        Ok(Stage { found, confirmed, undecided, executions, entered, reached, bounded, time: Duration::ZERO })
    }
}

fn unknown(why: String) -> Verdict {
    Verdict::Unknown { why, inner: None }
}

fn settle(alarm: &mut Alarm, level: Level, reason: String) {
    alarm.level = level;
    alarm.reason = reason;
}

/// Adds to the evidence.
fn note(alarm: &mut Alarm, more: serde_json::Value) {
    if !alarm.evidence.is_object() {
        alarm.evidence = json!({});
    }
    if let (Some(evidence), serde_json::Value::Object(more)) = (alarm.evidence.as_object_mut(), more) {
        evidence.extend(more);
    }
}

fn tell(path: &ContextPath, verdict: &Verdict, stage: Option<&Stage>, spot: &Spot) -> serde_json::Value {
    let (word, why) = match verdict {
        Verdict::Feasible(failure) => ("feasible", format!("fails on an input of {}", failure.from)),
        Verdict::Infeasible { why } => ("infeasible", why.clone()),
        Verdict::Unknown { why, .. } => ("unknown", why.clone()),
    };
    let entered = stage.is_some_and(|stage| stage.entered);
    let reached = stage.is_some_and(|stage| stage.reached.contains(spot));
    json!({
        "callers": path.callers, "relevant": path.relevant, "entered": entered, "reached": reached,
        "executions": stage.map_or(0, |stage| stage.executions), "bounded": stage.is_some_and(|stage| stage.bounded), "verdict": word, "why": why,
    })
}

/// The slots of an input that are not zero.
fn shown(input: &Input) -> serde_json::Value {
    let slots = input.slots.iter().filter(|slot| slot.bytes.iter().any(|byte| *byte != 0));
    slots
        .map(|slot| {
            let bytes: String = slot.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            (slot.path.clone(), serde_json::Value::String(bytes))
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}
