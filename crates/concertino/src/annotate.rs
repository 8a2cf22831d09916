//! What a campaign adds to an alarm before it is stored: its score with the rules that made it, and the judgement of
//! people who have seen it before.

use crate::job::{FunctionFacts, NOT_RUN};
use alarm::cause::{self, Looked, without_numbers};
use alarm::{Baseline, Circumstances, Comment, Known, Points, Rule, comment, identifiers, score, sum};
use campaign::{Alarm, Level};
use harness::ARGUMENTS;
use serde_json::json;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use wire::Class;

/// Slots that come from outside of the program.
const EXTERNAL: &[&str] = &["stdin", "argv", "getenv", "read", "file"];

/// Bytes of a pointer.
const POINTER: usize = 8;

pub(crate) struct Annotator<'a> {
    pub(crate) root: &'a Path,
    pub(crate) functions: &'a [FunctionFacts],
    pub(crate) points: Points,
    pub(crate) baseline: Option<(PathBuf, Baseline)>,
    /// Lines of source files.
    sources: RefCell<HashMap<String, Vec<String>>>,
}

impl<'a> Annotator<'a> {
    pub(crate) fn new(
        root: &'a Path,
        functions: &'a [FunctionFacts],
        points: Points,
        baseline: Option<(PathBuf, Baseline)>,
    ) -> Annotator<'a> {
        Annotator { root, functions, points, baseline, sources: RefCell::default() }
    }

    pub(crate) fn annotate(&self, alarm: &mut Alarm) {
        let expression = self.line(&alarm.file, alarm.line);
        let facts =
            self.functions.iter().find(|facts| facts.name == alarm.function && facts.file == alarm.file);
        self.score(alarm, facts, &expression);
        let code = facts.map(|facts| self.code(facts)).unwrap_or_default();
        add(alarm, json!({ "expression": expression, "code": code }));
        if alarm.level == Level::Dropped {
            return;
        }
        if let Some((path, baseline)) = &self.baseline {
            let known = Known {
                class: alarm.class,
                file: alarm.file.clone(),
                function: alarm.function.clone(),
                expression,
                code,
            };
            if baseline.alarms.contains(&known) {
                alarm.level = Level::Dropped;
                alarm.reason =
                    format!("judged false in {}; the function did not change since", path.display());
                return;
            }
        }
        self.suppress(alarm);
    }

    /// By its own input, or by that of a caller that makes it happen, where that leaves less to doubt.
    fn score(&self, alarm: &mut Alarm, facts: Option<&FunctionFacts>, expression: &str) {
        let (mut rules, roots) = self.rules(alarm, facts, expression);
        for caller in in_callers(alarm) {
            let (better, _) = self.rules(&caller, facts, expression);
            if sum(&better) > sum(&rules) {
                rules = better;
            }
        }
        alarm.score = sum(&rules);
        let behind = behind(alarm);
        add(alarm, json!({ "behind": behind }));
        let repeated = json!({ "from": self.points.repeated_from, "points": self.points.repeated });
        let least = self.points.doubtful_below;
        add(alarm, json!({ "rules": rules, "repeated": repeated, "doubtful-below": least, "roots": roots }));
    }

    /// The rules that apply, and what the alarm is joined with others by.
    fn rules(
        &self,
        alarm: &Alarm,
        facts: Option<&FunctionFacts>,
        expression: &str,
    ) -> (Vec<Rule>, Vec<String>) {
        let external = |path: &str| EXTERNAL.iter().any(|name| path.starts_with(name));
        let contexts = alarm.evidence["contexts"].as_array();
        let word =
            |context: &serde_json::Value, key: &str| context[key].as_str().unwrap_or_default().to_owned();
        let caller = contexts
            .is_some_and(|all| all.iter().any(|context| word(context, "why").starts_with("it fails")));
        let granted = self.granted(alarm, expression).or_else(|| self.granted_type(alarm));
        let unasked = self.unasked(alarm, expression);
        let argument = argument(alarm, expression);
        let unmeasured = unmeasured(alarm);
        let contents = contents(alarm);
        let zeroed = alarm.evidence["zeroed"].as_str();
        let asserted = alarm.evidence["null"].as_str().filter(|_| alarm.class == Class::Assertion);
        let members = members(alarm);
        let unlikely: Vec<String> =
            serde_json::from_value(alarm.evidence["unlikely"].clone()).unwrap_or_default();
        let driven = &alarm.input.function;
        let is_called = self
            .functions
            .iter()
            .any(|facts| facts.has_callers && facts.name == driven.name && facts.file == driven.file);
        // What a function tests for null says something about null pointers, what else it compares does not.
        let looked_at: &[String] = match facts {
            None => &[],
            Some(facts) if alarm.class == Class::NullDereference => &facts.null_tests,
            // An assertion compares what it looks at by itself.
            Some(_) if alarm.class == Class::Assertion => &[],
            Some(facts) => &facts.compared,
        };
        let rules = score(
            &self.points,
            &Circumstances {
                expression,
                compared: looked_at,
                complex: facts.is_some_and(|facts| facts.complex),
                external_input: alarm.input.slots.iter().any(|slot| external(&slot.path)),
                caller,
                feasible: alarm.level == Level::Feasible,
                contexts: contexts
                    .is_some_and(|all| all.iter().any(|context| context["entered"].as_bool() == Some(true))),
                granted: granted.as_deref(),
                unasked: unasked.as_deref(),
                argument: argument.as_deref(),
                unmeasured: unmeasured.as_deref(),
                contents: contents.as_deref(),
                zeroed,
                asserted,
                unconfirmed: alarm.replayed == NOT_RUN,
                members: if is_called { &members } else { &[] },
                unlikely: &unlikely,
            },
        );
        let roots: Vec<String> = null(alarm, expression)
            .map(|path| format!("{} is null", without_numbers(path)))
            .into_iter()
            .chain(members)
            .collect();
        (rules, roots)
    }

    /// The pointer that a driver made null and that failed for it, if nothing in the program tests it for that: a
    /// parameter of a function that only the program calls, or a member.
    fn granted(&self, alarm: &Alarm, expression: &str) -> Option<String> {
        if alarm.class != Class::NullDereference {
            return None;
        }
        match null(alarm, expression) {
            Some(path) => self.is_granted(alarm, path).then(|| path.to_owned()),
            // One of several, none of which anybody asks for.
            None => {
                let mut all = chosen_nulls(alarm);
                let first = all.next()?;
                (self.is_granted(alarm, first) && all.all(|path| self.is_granted(alarm, path)))
                    .then(|| first.to_owned())
            }
        }
    }

    fn is_granted(&self, alarm: &Alarm, path: &str) -> bool {
        if path.starts_with(ARGUMENTS) {
            return false;
        }
        let name = last_name(path);
        let is_tested = if path.ends_with(')') {
            // A result of a stub: what the function in its place returns is not known.
            true
        } else if path.contains("->") || path.contains('.') {
            let member = format!(".{name}");
            self.functions.iter().any(|facts| facts.null_tests.contains(&member))
        } else {
            let driven = &alarm.input.function;
            let facts =
                self.functions.iter().find(|facts| facts.name == driven.name && facts.file == driven.file);
            facts.is_none_or(|facts| !facts.has_callers || facts.null_tests.iter().any(|test| test == name))
        };
        !is_tested
    }

    /// The type of the null pointer that failed, if nothing in the program tests such pointers for null. What comes from
    /// a call is not the driver's.
    fn granted_type(&self, alarm: &Alarm) -> Option<String> {
        if alarm.class != Class::NullDereference || alarm.input.function.name == "main" {
            return None;
        }
        let name = null_record(&alarm.replayed)?;
        let is_result = chosen_nulls(alarm).any(|path| path.contains('('));
        let is_tested = self.functions.iter().any(|facts| facts.null_types.iter().any(|ty| ty == name));
        (!is_result && !is_tested).then(|| format!("a pointer to {name}"))
    }

    /// The parameter that failed for being null, of a function that nothing in the program calls, if nobody asks for it.
    fn unasked(&self, alarm: &Alarm, expression: &str) -> Option<String> {
        let path = null(alarm, expression).filter(|path| !path.contains(['-', '.', '(', '[']))?;
        // Of a record, whether anybody asks is known by its type.
        if null_record(&alarm.replayed).is_some() {
            return None;
        }
        let driven = &alarm.input.function;
        let facts =
            self.functions.iter().find(|facts| facts.name == driven.name && facts.file == driven.file)?;
        // By its name, be it a parameter or a member elsewhere.
        let tests = self.functions.iter().flat_map(|facts| &facts.null_tests);
        let is_tested = tests.map(|test| test.trim_start_matches('.')).any(|test| test == path);
        (!facts.has_callers && !is_tested).then(|| path.to_owned())
    }

    fn suppress(&self, alarm: &mut Alarm) {
        for line in [alarm.line, alarm.line.saturating_sub(1)] {
            match comment(&self.line(&alarm.file, line), alarm.class) {
                Comment::Nothing => {}
                Comment::Suppresses => {
                    alarm.level = Level::Dropped;
                    alarm.reason = format!("suppressed by the comment at {}:{line}", alarm.file);
                    return;
                }
                Comment::Wrong(word) => {
                    let text =
                        format!("{}:{line} suppresses `{word}`, which is no class of alarms", alarm.file);
                    add(alarm, json!({ "annotation": text }));
                }
            }
        }
    }

    /// A line without the space around it; empty where there is none.
    fn line(&self, file: &str, line: u32) -> String {
        let mut sources = self.sources.borrow_mut();
        let lines = sources.entry(file.to_owned()).or_insert_with(|| self.read(file));
        let found = (line as usize).checked_sub(1).and_then(|index| lines.get(index));
        found.map(|line| line.trim().to_owned()).unwrap_or_default()
    }

    fn read(&self, file: &str) -> Vec<String> {
        let bytes = std::fs::read(self.root.join(file)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }

    /// Changes when the function does.
    fn code(&self, facts: &FunctionFacts) -> String {
        let lines: Vec<String> =
            (facts.line..=facts.end_line).map(|line| self.line(&facts.file, line)).collect();
        campaign::fingerprint(lines)
    }
}

/// The alarm as it happens when callers are driven that could not be followed to where the program begins.
fn in_callers(alarm: &Alarm) -> Vec<Alarm> {
    let callers = alarm.evidence["callers"].as_array().into_iter().flatten();
    let seen = callers.filter_map(|caller| {
        let input = serde_json::from_value(caller["input"].clone()).ok()?;
        let replayed = caller["replayed"].as_str()?.to_owned();
        let mut alarm = Alarm { input, replayed, ..alarm.clone() };
        let keys = ["cause", "made", "null", "zeroed", "unlikely"];
        keys.iter().for_each(|key| add(&mut alarm, json!({ *key: caller[*key] })));
        Some(alarm)
    });
    seen.collect()
}

/// The pointer that a driver made null and that failed for it: the only one, or one that the line names.
fn null<'a>(alarm: &'a Alarm, expression: &str) -> Option<&'a str> {
    if let Some(tried) = alarm.evidence["null"].as_str() {
        return Some(tried);
    }
    if alarm.class != Class::NullDereference {
        return None;
    }
    let words = identifiers(expression);
    let null: Vec<&str> = chosen_nulls(alarm).collect();
    match null.as_slice() {
        [only] => Some(only),
        several => several.iter().find(|path| words.contains(last_name(path))).copied(),
    }
}

/// The pointers that a driver made null.
fn chosen_nulls(alarm: &Alarm) -> impl Iterator<Item = &str> {
    // Of two ways, whatever is none of them is the first.
    let set = alarm.input.slots.iter().filter(|slot| slot.bytes == [1]);
    set.filter_map(|slot| slot.path.strip_suffix("?null"))
}

/// `member access within null pointer of type 'list_t' (aka 'struct list')` -> `list`
fn null_record(replayed: &str) -> Option<&str> {
    let (_, of) = replayed.split_once("within null pointer of type '")?;
    let name = of.split_once("(aka '").map_or(of, |(_, full)| full).split('\'').next()?;
    // What has no name ends with the place of its definition.
    name.rsplit(' ').next().filter(|name| !name.is_empty() && !name.ends_with(')'))
}

/// The variable argument that failed for being what the driver guessed.
fn argument(alarm: &Alarm, expression: &str) -> Option<String> {
    if !matches!(
        alarm.class,
        Class::NullDereference | Class::OutOfBounds | Class::UseAfterFree | Class::Other
    ) {
        return None;
    }
    let made = &alarm.evidence["made"];
    if made["kind"] == "argument" {
        return made["place"].as_str().map(|_| ARGUMENTS.to_owned());
    }
    let cause = alarm.evidence["cause"].as_array().into_iter().flatten().filter_map(|name| name.as_str());
    // A number that is a wrong index is the caller's; one that is no pointer is the driver's.
    let is_wild = alarm.class == Class::NullDereference || alarm.replayed.starts_with("SEGV");
    if let Some(path) = cause.clone().find(|path| path.starts_with(ARGUMENTS)) {
        return is_wild.then(|| path.to_owned());
    }
    if let Some(path) = null(alarm, expression) {
        return path.starts_with(ARGUMENTS).then(|| path.to_owned());
    }
    // An access through a wild or null pointer, of which nothing else is known: an argument was a number, or null.
    if cause.count() > 0 || !is_wild {
        return None;
    }
    let guessed = |path: &str| path.starts_with(ARGUMENTS) && path.ends_with(".number");
    let number = alarm.input.slots.iter().map(|slot| slot.path.as_str()).find(|path| guessed(path));
    number.or_else(|| chosen_nulls(alarm).find(|path| path.starts_with(ARGUMENTS))).map(str::to_owned)
}

/// The object that an access went beyond, of a length that the driver chose and nothing tells.
fn unmeasured(alarm: &Alarm) -> Option<String> {
    let made = &alarm.evidence["made"];
    if alarm.class != Class::OutOfBounds {
        return None;
    }
    // A string ends with its NUL; before its beginning there is nothing that the function could know of.
    let is_guess = match made["kind"].as_str() {
        Some("memory") => made["measured"] == false,
        Some("text") => made["before"] == true,
        _ => false,
    };
    made["place"].as_str().filter(|_| is_guess).map(str::to_owned)
}

/// The member whose memory an access went beyond: what is behind a parameter is what a caller hands over.
fn behind(alarm: &Alarm) -> Option<String> {
    let place = alarm.evidence["made"]["place"].as_str()?;
    let is_member = place.contains("->") || place.contains('.');
    (alarm.class == Class::OutOfBounds && is_member).then(|| place.to_owned())
}

/// The bytes of unknown meaning that failed for being no pointer: drivers make pointers, which no condition depends on.
fn contents(alarm: &Alarm) -> Option<String> {
    let is_wild = alarm.class == Class::NullDereference || alarm.replayed.starts_with("SEGV");
    if !is_wild || chosen_nulls(alarm).next().is_some() {
        return None;
    }
    let cause: Vec<&str> =
        alarm.evidence["cause"].as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
    let is_bytes = |path: &&str| {
        alarm
            .input
            .slots
            .iter()
            .any(|slot| slot.path == **path && slot.bits == 8 && slot.bytes.len() >= POINTER)
    };
    let [only] = cause.as_slice() else { return None };
    Some(*only).filter(is_bytes).map(str::to_owned)
}

/// The members of objects that are all that the violated condition looks at.
fn members(alarm: &Alarm) -> Vec<String> {
    let names: Vec<&str> =
        alarm.evidence["cause"].as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
    let elements = |path: &str| {
        let slot = alarm.input.slots.iter().find(|slot| slot.path == path);
        slot.map_or(1, |slot| slot.bytes.len() / usize::from(slot.bits.div_ceil(8)).max(1))
    };
    let looked: Vec<Looked<'_>> =
        names.iter().map(|path| Looked { path, elements: elements(path) }).collect();
    cause::members(&looked)
}

/// `list->items[3].name` -> `name`.
fn last_name(path: &str) -> &str {
    let path = path
        .split_once('[')
        .map_or(path, |_| path.trim_end_matches(|c: char| c == ']' || c == '[' || c.is_ascii_digit()));
    path.rsplit(['.', '>']).next().unwrap_or(path)
}

fn add(alarm: &mut Alarm, more: serde_json::Value) {
    if !alarm.evidence.is_object() {
        alarm.evidence = json!({});
    }
    if let (Some(evidence), serde_json::Value::Object(more)) = (alarm.evidence.as_object_mut(), more) {
        evidence.extend(more);
    }
}

/// The baseline of everything that is reported now.
pub(crate) fn baseline_of(view: &campaign::View) -> Baseline {
    let text =
        |evidence: &serde_json::Value, key: &str| evidence[key].as_str().unwrap_or_default().to_owned();
    let reported = view.alarms.iter().filter(|alarm| alarm.level != Level::Dropped);
    let alarms = reported.map(|alarm| Known {
        class: alarm.class,
        file: alarm.file.clone(),
        function: alarm.function.clone(),
        expression: text(&alarm.evidence, "expression"),
        code: text(&alarm.evidence, "code"),
    });
    Baseline { version: Baseline::VERSION, alarms: alarms.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::{FunctionName, Input};

    #[test]
    fn what_a_caller_does_with_its_own_objects_is_no_guess() {
        let name = |name: &str| FunctionName { file: "a.c".into(), name: name.into(), line: 1 };
        let made = json!({ "place": "line", "kind": "text", "measured": false, "before": true });
        let mut alarm = Alarm {
            class: Class::OutOfBounds,
            file: "a.c".into(),
            line: 3,
            column: 0,
            function: "ends_line".into(),
            level: Level::Unit,
            reason: String::new(),
            score: 0.0,
            input: Input::new(name("ends_line"), Vec::new()),
            replayed: "heap-buffer-overflow".into(),
            evidence: json!({ "cause": [], "made": made }),
        };
        let annotator = Annotator::new(Path::new(""), &[], Points::default(), None);
        annotator.annotate(&mut alarm);
        assert_eq!(alarm.score, 1.0, "what is before a text of the driver's is a guess");
        let caller = json!({
            "input": Input::new(name("read_line"), Vec::new()), "replayed": "stack-buffer-underflow", "cause": [],
            "made": null, "null": null,
        });
        add(&mut alarm, json!({ "callers": [caller] }));
        annotator.annotate(&mut alarm);
        assert_eq!(alarm.score, 5.0);
    }
}
