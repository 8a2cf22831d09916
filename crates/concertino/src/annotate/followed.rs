//! Where an access got the pointer from that led nowhere, by what the functions on the way follow and hand on. What lay in
//! an object that the driver made is the driver's making; what the program itself put there, or a call returned, is not.

use super::Annotator;
use super::blame::{chosen_nulls, null as null_of};
use crate::job::{FunctionFacts, cause_in, names_in};
use alarm::cause::is_member;
use campaign::Alarm;
use model::{Followed, Origin};
use std::collections::BTreeSet;
use wire::Class;

/// How native runs tell of an access where nothing is.
const WILD: &[&str] = &["SEGV", "unknown-crash"];

/// No memory of a process is outside: below is a null pointer and an offset, above is what never was a pointer.
const MEMORY: std::ops::Range<u64> = 1 << 40..1 << 47;

/// A function on the way from the driven one to the failure, and the line it was left at.
pub(super) struct Frame<'a> {
    pub(super) facts: &'a FunctionFacts,
    pub(super) line: u32,
}

/// An access far away from null, which is what a pointer that the driver made null and an index came to: the alarm as one of
/// the null pointer.
pub(super) fn of_null(alarm: &Alarm, expression: &str) -> Option<Alarm> {
    let address = alarm.evidence["address"].as_u64();
    let is_wild = alarm.class == Class::OutOfBounds
        && WILD.iter().any(|word| alarm.replayed.starts_with(word))
        && address.is_none_or(|address| !MEMORY.contains(&address));
    let is_chosen = |path: &str| {
        let name = path.strip_suffix("?null");
        name.is_some_and(|name| chosen_nulls(alarm).any(|chosen| chosen == name))
    };
    let null = Alarm { class: Class::NullDereference, ..alarm.clone() };
    (is_wild && cause_in(&alarm.evidence).all(is_chosen) && null_of(&null, expression).is_some())
        .then_some(null)
}

impl Annotator<'_> {
    /// The member or element that held the pointer, if it can have come from nowhere else, and neither a condition of the
    /// unit depends on it nor a function on the way sees to it.
    pub(super) fn held(&self, alarm: &Alarm) -> Option<String> {
        let is_null = alarm.class == Class::NullDereference;
        let is_wild = alarm.class == Class::OutOfBounds
            && WILD.iter().any(|word| alarm.replayed.starts_with(word))
            && cause_in(&alarm.evidence).all(|path| path.contains('?'));
        if !is_null && !is_wild || alarm.input.function.name == "main" {
            return None;
        }
        if is_wild && let Some(union) = another_member(alarm) {
            return Some(union);
        }
        // Null and a few bytes more was a number, or the pointer of another member.
        let is_made = is_null && WILD.iter().any(|word| alarm.replayed.starts_with(word));
        if is_made && alarm.evidence["address"].as_u64().is_some_and(|address| address % 2 == 1) {
            return another_member(alarm);
        }
        // An index that is too far away is another matter.
        if is_wild && alarm.evidence["address"].as_u64().is_some_and(|address| MEMORY.contains(&address)) {
            return None;
        }
        let frames = self.frames(alarm)?;
        let names = self.origins(alarm, &frames)?;
        let sees_to = |name: &String| {
            let asks = |frame: &Frame<'_>| frame.facts.asks_for(name);
            self.ends_list(name)
                || ends_arguments(&frames, name)
                || frames.iter().any(|frame| asks(frame) || self.sets_before(frame, name))
        };
        if is_null && names.iter().any(sees_to) {
            return None;
        }
        names.into_iter().next()
    }

    /// The program has lists that end in null there.
    pub(super) fn ends_list(&self, name: &str) -> bool {
        self.functions.iter().any(|facts| facts.list_ends.iter().any(|end| end == name))
    }

    /// The members that may have held the null pointer: functions that take the same one for granted do so for one reason.
    pub(super) fn follows(&self, alarm: &Alarm) -> BTreeSet<String> {
        let mut held = BTreeSet::new();
        if alarm.class != Class::NullDereference {
            return held;
        }
        let chosen = cause_in(&alarm.evidence).filter_map(|path| path.strip_suffix("?null"));
        held.extend(chosen.filter_map(|path| path.rsplit_once("->")).map(|(_, member)| format!(".{member}")));
        if let Some(frames) = self.frames(alarm) {
            for pointer in self.followed_at(alarm, &frames) {
                // What else it may have been does not matter here.
                pointer.origins.iter().for_each(|origin| {
                    let _ = self.trace(alarm, &frames, std::slice::from_ref(origin), &mut held);
                });
            }
            // Who asks, or puts something there before, fails for a reason of its own.
            let [failing, ..] = &frames[..] else { return held };
            held.retain(|name| !failing.facts.null_tests.contains(name) && !self.sets_before(failing, name));
        }
        held
    }

    /// The parameter that is all which says how far an access goes beyond memory that the driver made, where the function
    /// compares it with nothing: callers know what is there. An array has a length that everybody knows.
    pub(super) fn indexed(&self, alarm: &Alarm) -> Option<String> {
        let driven = self.driven(alarm).filter(|facts| facts.name == alarm.function)?;
        let made = &alarm.evidence["made"];
        // What the program made itself has a length that it knows.
        let is_own = made.is_null() && alarm.replayed.contains("-overflow");
        let is_array = alarm.replayed.starts_with("index ");
        // What another parameter says the length of is no more than that; members are kept in step elsewhere.
        let is_told =
            made["measured"] == true && made["place"].as_str().is_some_and(|place| !is_member(place));
        // One object ends where its type does.
        let is_object = made["kind"] == "object" && made["before"] == false;
        if alarm.class != Class::OutOfBounds || is_array || is_own || is_told || is_object {
            return None;
        }
        let has = |names: &[String], name: &str| names.iter().any(|known| known == name);
        // How long a text is that it goes before is no index into it.
        let is_index = |name: &str| {
            let is_given = has(&driven.params, name) && made["place"] != name;
            is_given && !has(&driven.bounded, name) && !has(&driven.written, name)
        };
        let first = cause_in(&alarm.evidence).next()?;
        let frames = [Frame { facts: driven, line: alarm.line }];
        let is_given = self.given_at(alarm, &frames).is_some();
        (is_given && cause_in(&alarm.evidence).all(is_index)).then(|| first.to_owned())
    }

    /// The function that fails, its caller, and so on to the driven one.
    pub(super) fn frames(&self, alarm: &Alarm) -> Option<Vec<Frame<'_>>> {
        let find = |file: &str, name: &str| {
            self.functions.iter().find(|facts| facts.name == name && facts.file == file)
        };
        let mut frames = vec![Frame { facts: find(&alarm.file, &alarm.function)?, line: alarm.line }];
        for caller in alarm.evidence["stack"].as_array().into_iter().flatten() {
            let (file, name) = (caller["file"].as_str()?, caller["function"].as_str()?);
            let Some(facts) = find(file, name) else { break };
            frames.push(Frame { facts, line: u32::try_from(caller["line"].as_u64()?).ok()? });
        }
        let driven = &alarm.input.function;
        let is_driven =
            |frame: &Frame<'_>| frame.facts.name == driven.name && frame.facts.file == driven.file;
        frames.last().is_some_and(is_driven).then_some(frames)
    }

    /// What held the pointers that the failing line follows; none where one of them has another origin.
    fn origins(&self, alarm: &Alarm, frames: &[Frame<'_>]) -> Option<BTreeSet<String>> {
        self.given_at(alarm, frames).filter(|held| !held.is_empty())
    }

    /// The same where what the driver gave may have been no member of anything; none where nothing is followed.
    fn given_at(&self, alarm: &Alarm, frames: &[Frame<'_>]) -> Option<BTreeSet<String>> {
        let here = self.followed_at(alarm, frames);
        let mut held = BTreeSet::new();
        for pointer in &here {
            self.trace(alarm, frames, &pointer.origins, &mut held)?;
        }
        (!here.is_empty()).then_some(held)
    }

    /// The pointers that the failing line follows, at its column where that is known.
    fn followed_at<'f>(&self, alarm: &Alarm, frames: &[Frame<'f>]) -> Vec<&'f Followed> {
        let Some(failing) = frames.first() else { return Vec::new() };
        // Functions of the program follow what they get by themselves.
        let is_own = |name: &str| self.functions.iter().any(|facts| facts.name == name);
        let is_here = |pointer: &&Followed| {
            let is_followed = pointer.handed.as_ref().is_none_or(|(callee, _)| !is_own(callee));
            pointer.line == failing.line && is_followed
        };
        let here: Vec<&Followed> = failing.facts.followed.iter().filter(is_here).collect();
        let exactly: Vec<&Followed> =
            here.iter().filter(|pointer| pointer.column == alarm.column).copied().collect();
        if exactly.is_empty() { here } else { exactly }
    }

    fn trace(
        &self,
        alarm: &Alarm,
        frames: &[Frame<'_>],
        origins: &[Origin],
        held: &mut BTreeSet<String>,
    ) -> Option<()> {
        for origin in origins {
            match origin {
                Origin::Own => {}
                Origin::Held(name) => drop(held.insert(name.clone())),
                Origin::Variable(name) if self.is_written(name) => drop(held.insert(name.clone())),
                Origin::Variable(_) => {}
                Origin::Null | Origin::Unknown | Origin::Result(_) => return None,
                Origin::Parameter(name) => match frames {
                    [function, callers @ ..] if !callers.is_empty() => {
                        let at = function.facts.params.iter().position(|param| param == name)?;
                        self.trace(alarm, callers, &given(function, callers.first()?, at)?, held)?;
                    }
                    // What the driver made is somewhere, unless it chose otherwise.
                    _ if chosen_nulls(alarm).any(|null| null == name) => return None,
                    _ => {}
                },
            }
        }
        Some(())
    }
}

/// A union that holds what the driver chose, where nothing else that is looked at says where the pointer leads: it was made
/// of another member's bytes.
fn another_member(alarm: &Alarm) -> Option<String> {
    let union = |path: &str| {
        path.strip_suffix("?member").map(|path| path.trim_end_matches(['.', '>', '-']).to_owned())
    };
    let is_all = |union: &String| {
        let mut looked = cause_in(&alarm.evidence).chain(names_in(&alarm.evidence, "guard"));
        looked.all(|path| path.strip_prefix(union.as_str()).is_some_and(|rest| rest.starts_with('.')))
    };
    alarm.input.slots.iter().filter_map(|slot| union(&slot.path)).find(is_all)
}

/// Behind the last argument of a program, or of a command of its own, is a null pointer.
fn ends_arguments(frames: &[Frame<'_>], name: &str) -> bool {
    let has = |frame: &Frame<'_>, name: &str| frame.facts.params.iter().any(|param| param == name);
    let ends = |(count, words): &(&str, &str)| {
        name.strip_suffix("[]") == Some(*words)
            && frames.iter().any(|frame| has(frame, count) && has(frame, words))
    };
    harness::ARGUMENT_NAMES.iter().any(ends)
}

/// Where a caller gets an argument from.
fn given(callee: &Frame<'_>, caller: &Frame<'_>, argument: usize) -> Option<Vec<Origin>> {
    let handed = caller.facts.followed.iter().filter(|pointer| pointer.line == caller.line);
    let to_it = handed.filter_map(|pointer| {
        let (name, at) = pointer.handed.as_ref()?;
        (*name == callee.facts.name || name.is_empty()).then_some((*at, pointer))
    });
    // What is not told of a call that is known is the caller's own.
    to_it.clone().next()?;
    let is_it = |(at, _): &(usize, &Followed)| *at == argument;
    Some(to_it.filter(is_it).flat_map(|(_, pointer)| pointer.origins.iter().cloned()).collect())
}
