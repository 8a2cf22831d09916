//! Alarms with one cause: which of them speaks for the others. Nothing is lost by it: those that are spoken for name the one
//! that speaks, and it names them.

use crate::{AlarmView, FunctionName, Level};
use alarm::is_word;
use std::collections::{BTreeMap, BTreeSet};
use wire::Class;

/// How many are shown each by itself: causes among the members of one object, places in the whole program that go beyond what
/// is behind a member of one name, or take it for granted that it leads somewhere (it may be two records').
const FEW: usize = 2;
/// What a slot is called that says how far into a buffer a pointer leads.
const OFFSET: &str = "?offset";
/// Shorter statements are alike by chance.
const LEAST_TEXT: usize = 8;
/// And of these, two may be.
const TELLING_TEXT: usize = 16;

/// What a driver set at will makes a function fail in many places, for one reason: the best of these alarms speaks for
/// the others. What a caller or the whole program makes happen speaks for itself.
pub(crate) fn join_causes(alarms: &mut [AlarmView]) {
    let mut groups: Vec<(usize, BTreeSet<String>)> = Vec::new();
    for index in 0..alarms.len() {
        let alarm = &alarms[index];
        let roots: BTreeSet<String> = match alarm.evidence["roots"].as_array() {
            Some(roots) if alarm.level != Level::Dropped => {
                roots.iter().filter_map(|root| root.as_str()).map(str::to_owned).collect()
            }
            _ => continue,
        };
        let group = groups
            .iter_mut()
            .find(|(first, known)| alarms[*first].unit == alarm.unit && !known.is_disjoint(&roots));
        match group {
            Some((first, known))
                if alarm.is_of_driver() && (alarm.is_doubtful() || !alarms[*first].is_doubtful()) =>
            {
                known.extend(roots);
                let (first, id) = (*first, alarm.id.clone());
                alarms[index].same_cause_as = Some(alarms[first].id.clone());
                alarms[first].same_cause.push(id);
            }
            _ if roots.is_empty() => {}
            _ => groups.push((index, roots)),
        }
    }
    join_objects(alarms, &groups);
}

/// A function that fails in many ways for members of one object takes that for granted, which is one remark; so is one
/// that goes beyond the memory behind a member or a parameter, in however many places.
fn join_objects(alarms: &mut [AlarmView], groups: &[(usize, BTreeSet<String>)]) {
    let mut by_object: BTreeMap<(FunctionName, String), Vec<usize>> = BTreeMap::new();
    let mut add = |index: usize, object: String| {
        by_object.entry((alarms[index].unit.clone(), object)).or_default().push(index);
    };
    for (first, roots) in groups.iter().filter(|(first, _)| alarms[*first].is_of_driver()) {
        let mut objects = roots.iter().map(|root| alarm::cause::object(root));
        if let Some(Some(object)) = objects.next()
            && objects.all(|other| other == Some(object))
        {
            add(*first, object.to_owned());
        }
    }
    for same in by_object.into_values().filter(|same| same.len() > FEW) {
        speak_for(alarms, &same);
    }
    let mut by_member: BTreeMap<(FunctionName, String), Vec<usize>> = BTreeMap::new();
    let mut by_parameter = by_member.clone();
    for (index, alarm) in alarms.iter().enumerate().filter(|(_, alarm)| is_shown(alarm)) {
        if let Some(place) = alarm.evidence["behind"].as_str() {
            by_member.entry((alarm.unit.clone(), place.to_owned())).or_default().push(index);
        } else if let Some(place) = beyond_parameter(alarm) {
            by_parameter.entry((alarm.unit.clone(), place)).or_default().push(index);
        }
    }
    by_member.into_values().chain(by_parameter.into_values()).for_each(|same| speak_for(alarms, &same));
    join_trust(alarms);
    join_arrays(alarms);
    join_functions(alarms);
    join_handed(alarms);
    join_copies(alarms);
}

/// A statement that stands in several functions, and fails in the same way in all of them, was written once.
fn join_copies(alarms: &mut [AlarmView]) {
    let mut same: BTreeMap<(Class, bool, String, String), Vec<usize>> = BTreeMap::new();
    for (index, alarm) in alarms.iter().enumerate().filter(|(_, alarm)| is_apart(alarm)) {
        let text = alarm.evidence["expression"].as_str().map(without_remark);
        if let Some(text) = text.filter(|text| text.len() >= LEAST_TEXT) {
            let key = (alarm.class, alarm.is_doubtful(), text.to_owned(), alarm.replayed.clone());
            same.entry(key).or_default().push(index);
        }
    }
    let is_copied = |(text, same): &(String, Vec<usize>)| same.len() > FEW || text.len() >= TELLING_TEXT;
    let copies = same.into_iter().map(|((.., text, _), same)| (text, same)).filter(is_copied);
    copies.for_each(|(_, same)| speak_for(alarms, &same));
}

/// A line without the comment at its end.
fn without_remark(line: &str) -> &str {
    let ends = ["/*", "//"].into_iter().filter_map(|remark| line.find(remark));
    line[..ends.min().unwrap_or(line.len())].trim_end()
}

/// A function that takes what is behind a member as it comes, or that it is given no null pointers, does so all over: one
/// remark, whatever drives it.
fn join_trust(alarms: &mut [AlarmView]) {
    for key in ["trusted", "untested"] {
        let mut same: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, alarm) in alarms.iter().enumerate().filter(|(_, alarm)| is_apart(alarm)) {
            if let Some(what) = alarm.evidence[key].as_str() {
                // Whichever parameters these are.
                let what = if key == "trusted" { what } else { "" };
                let place = format!("{what} in {}:{}", alarm.file, alarm.function);
                same.entry(place).or_default().push(index);
            }
        }
        same.into_values().for_each(|same| speak_for(alarms, &same));
    }
    join_units(alarms);
    let mut by_member: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, alarm) in alarms.iter().enumerate().filter(|(_, alarm)| is_apart(alarm)) {
        if let Some(what) = alarm.evidence["trusted"].as_str() {
            by_member.entry(what.to_owned()).or_default().push(index);
        }
    }
    by_member.into_values().filter(|same| same.len() > FEW).for_each(|same| speak_for(alarms, &same));
}

/// Members of one name that a function takes as they come are so whichever unit drives it.
fn join_units(alarms: &mut [AlarmView]) {
    let mut same: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, alarm) in alarms.iter().enumerate().filter(|(_, alarm)| is_apart(alarm)) {
        let names: BTreeSet<&str> = names(alarm, "roots")
            .into_iter()
            .map(|root| root.rsplit(['>', '.']).next().unwrap_or(root))
            .collect();
        if !names.is_empty() {
            let place = format!("{}:{}:{names:?}", alarm.file, alarm.function);
            same.entry(place).or_default().push(index);
        }
    }
    same.into_values().for_each(|same| speak_for(alarms, &same));
}

/// Nothing speaks for it yet.
fn is_shown(alarm: &AlarmView) -> bool {
    alarm.level != Level::Dropped && alarm.same_cause_as.is_none()
}

/// The driver's doing, and nothing speaks for it yet.
fn is_apart(alarm: &AlarmView) -> bool {
    alarm.is_of_driver() && alarm.same_cause_as.is_none()
}

/// An index that is too large for an array is so wherever a function uses it there, and wherever else the same array
/// is taken by an index of that name. A function that writes too much to its stack for the same data does so in one way.
fn join_arrays(alarms: &mut [AlarmView]) {
    for key in [in_function, by_index] {
        let mut same: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, alarm) in alarms.iter().enumerate().filter(|(_, alarm)| is_apart(alarm)) {
            if let Some(key) = key(alarm) {
                same.entry(key).or_default().push(index);
            }
        }
        same.into_values().for_each(|same| speak_for(alarms, &same));
    }
}

/// The array of known length, or the stack and the data that decided, and the function that fails.
fn in_function(alarm: &AlarmView) -> Option<String> {
    let place = format!("{}:{}", alarm.file, alarm.function);
    if let Some(array) = array(alarm) {
        return Some(format!("{array} in {place}"));
    }
    let is_stack = alarm.replayed.starts_with("stack-buffer-overflow") && names(alarm, "cause").is_empty();
    let guard = names(alarm, "guard").join(", ");
    (is_stack && !guard.is_empty()).then(|| format!("{guard} in {place}"))
}

/// The array of known length, and the members that say how far: what the program keeps in bounds for all of them. What a function
/// compares by itself is a remark of its own.
fn by_index(alarm: &AlarmView) -> Option<String> {
    let rules = alarm.evidence["rules"].as_array().into_iter().flatten();
    let is_compared = rules.into_iter().any(|rule| rule["rule"] == "compared");
    let causes = names(alarm, "cause");
    let is_kept = !causes.is_empty() && causes.iter().all(|path| alarm::cause::is_member(path));
    let index: Vec<&str> = causes.iter().map(|path| path.rsplit(['>', '.']).next().unwrap_or(path)).collect();
    let arrays = arrays(alarm.evidence["expression"].as_str()?).join(", ");
    let array = array(alarm).filter(|_| is_kept && !is_compared)?;
    Some(format!("{arrays} {array} at {}", index.join(", ")))
}

/// `m->used[at] + s.rows[2]` -> used, rows
fn arrays(expression: &str) -> Vec<&str> {
    let before =
        |at: usize| expression[..at].trim_end().rsplit(|letter| !is_word(letter)).next().unwrap_or_default();
    expression.match_indices('[').map(|(at, _)| before(at)).filter(|name| !name.is_empty()).collect()
}

/// `index 8 out of bounds for type 'int[8]'` -> `'int[8]'`
fn array(alarm: &AlarmView) -> Option<&str> {
    let (_, ty) = alarm.replayed.strip_prefix("index ")?.split_once(" out of bounds for type ")?;
    Some(ty)
}

fn names<'a>(alarm: &'a AlarmView, key: &str) -> Vec<&'a str> {
    alarm.evidence[key].as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect()
}

/// What is behind a member that many functions of the program take for granted is one remark, too, whichever of them
/// is driven, and so is that it is not null; so is what handlers in one table take for granted of the same parameter, and
/// memory that the program itself gets, in one place, and that is too short for much of what follows.
fn join_functions(alarms: &mut [AlarmView]) {
    let mut by_member: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut by_block = by_member.clone();
    let mut by_handlers = by_member.clone();
    let mut by_followed = by_member.clone();
    let mut in_file: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (index, alarm) in alarms.iter().enumerate().filter(|(_, alarm)| is_shown(alarm)) {
        if let Some(place) = alarm.evidence["behind"].as_str() {
            // The functions have ways and names of their own to the object.
            let member = place.rsplit(['>', '.']).next().unwrap_or(place);
            let member = alarm::cause::without_numbers(member);
            in_file.entry((alarm.file.clone(), member.clone())).or_default().push(index);
            by_member.entry(member).or_default().push(index);
        } else if let Some(place) = alarm.evidence["block"].as_str() {
            by_block.entry(place.to_owned()).or_default().push(index);
        } else if let (Some(handlers), Some(place)) =
            (alarm.evidence["handlers"].as_str(), beyond_parameter(alarm))
        {
            by_handlers.entry(format!("{place} of {handlers}")).or_default().push(index);
        } else {
            let members = alarm.evidence["follows"].as_array().into_iter().flatten();
            for member in members.filter_map(|member| member.as_str()) {
                by_followed.entry(member.to_owned()).or_default().push(index);
            }
        }
    }
    let several = by_member.into_values().chain(by_handlers.into_values());
    let many = several.filter(|same| same.len() > FEW);
    let of_file = in_file.into_values();
    of_file.chain(many).chain(by_block.into_values()).for_each(|same| speak_for(alarms, &same));
    // A line may follow several: the one that most others follow is what they share.
    speak_in_turn(alarms, by_followed.into_values().collect(), |_, same| same.len());
}

/// What a function goes beyond memory for, in several places, when it is given a number or a place in a buffer, is one remark;
/// so is a place in a buffer that several functions take to be one where something is: `(target, target_end)`.
fn join_handed(alarms: &mut [AlarmView]) {
    let apart = |alarms: &[AlarmView]| -> Vec<(usize, BTreeSet<String>)> {
        let all = alarms.iter().enumerate().filter(|(_, alarm)| is_apart(alarm));
        all.map(|(index, alarm)| (index, handed(alarm))).collect()
    };
    let mut in_unit: BTreeMap<(FunctionName, String), Vec<usize>> = BTreeMap::new();
    for (index, names) in apart(alarms) {
        for name in names {
            in_unit.entry((alarms[index].unit.clone(), name)).or_default().push(index);
        }
    }
    speak_in_turn(alarms, in_unit.into_values().collect(), |alarms, same| {
        let lines: BTreeSet<(&str, u32)> =
            same.iter().map(|index| (alarms[*index].file.as_str(), alarms[*index].line)).collect();
        lines.len()
    });
    let mut by_place: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, names) in apart(alarms) {
        for name in names.into_iter().filter(|name| name.ends_with(OFFSET)) {
            by_place.entry(name).or_default().push(index);
        }
    }
    speak_in_turn(alarms, by_place.into_values().collect(), |alarms, same| {
        same.iter().map(|index| &alarms[*index].unit).collect::<BTreeSet<_>>().len()
    });
}

/// The largest group first, of those that are not spoken for yet and come to more than a few.
fn speak_in_turn(
    alarms: &mut [AlarmView],
    mut groups: Vec<Vec<usize>>,
    count: impl Fn(&[AlarmView], &[usize]) -> usize,
) {
    groups.sort_by_key(|same| std::cmp::Reverse(same.len()));
    for mut same in groups {
        same.retain(|index| is_shown(&alarms[*index]));
        if count(alarms, &same) > FEW {
            speak_for(alarms, &same);
        }
    }
}

/// Numbers that a function is given, and how far into their buffers pointers lead that it is given, where an access beyond memory
/// depends on nothing else but whether there is something.
fn handed(alarm: &AlarmView) -> BTreeSet<String> {
    let parts = ["cause", "guard"].map(|part| names(alarm, part));
    let looked = parts.into_iter().find(|names| !names.is_empty()).unwrap_or_default();
    let is_beyond = alarm.class == Class::OutOfBounds && alarm.level == Level::Unit;
    let looked = looked.into_iter().filter(|name| is_beyond && !name.ends_with("?null"));
    let looked: BTreeSet<String> = looked.map(str::to_owned).collect();
    let is_handed = |name: &String| {
        let name = name.strip_suffix(OFFSET).unwrap_or(name);
        !name.is_empty() && name.chars().all(is_word)
    };
    if looked.iter().all(is_handed) { looked } else { BTreeSet::new() }
}

/// The parameter with a length, whose memory ended before what the function reads or writes there, or begins behind it.
fn beyond_parameter(alarm: &AlarmView) -> Option<String> {
    let made = &alarm.evidence["made"];
    let is_beyond = alarm.level == Level::Unit && made["measured"] == true;
    let side = if made["before"] == true { "before" } else { "beyond" };
    made["place"].as_str().filter(|_| is_beyond).map(|place| format!("{side} {place}"))
}

/// The first speaks for the others, but nothing doubtful for what is not, and nothing for what a caller makes happen.
fn speak_for(alarms: &mut [AlarmView], same: &[usize]) {
    let is_sure = |index: &&usize| !alarms[**index].is_doubtful();
    let Some(best) = same.iter().find(is_sure).or(same.first()).copied() else { return };
    let speaker = alarms[best].id.clone();
    for index in same.iter().filter(|index| **index != best) {
        if !alarms[*index].is_of_driver() {
            continue;
        }
        let spoken = std::mem::take(&mut alarms[*index].same_cause);
        let ids: Vec<String> = std::iter::once(alarms[*index].id.clone()).chain(spoken).collect();
        for alarm in alarms.iter_mut().filter(|alarm| ids.contains(&alarm.id)) {
            alarm.same_cause_as = Some(speaker.clone());
        }
        alarms[best].same_cause.extend(ids);
    }
}
