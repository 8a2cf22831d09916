//! What a campaign adds to an alarm before it is stored: its score with the rules that made it, and the judgement of
//! people who have seen it before.

mod asserted;
mod blame;
mod followed;

use crate::job::{FunctionFacts, NOT_RUN, names_in};
use alarm::cause::without_numbers;
use alarm::{Baseline, Circumstances, Comment, Known, Points, Rule, comment, score, sum};
pub(crate) use blame::last_name;
use blame::{argument, contents, kept_name, null};
use campaign::{Alarm, Level};
use followed::of_null;
use serde_json::json;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use wire::Class;

/// Executions of a caller that say nothing of what it cannot do.
const FEW: u64 = 200;

/// Slots that come from outside of the program.
const EXTERNAL: &[&str] = &["stdin", "argv", "getenv", "read", "file"];

pub(crate) struct Annotator<'a> {
    pub(crate) root: &'a Path,
    pub(crate) functions: &'a [FunctionFacts],
    pub(crate) points: Points,
    pub(crate) baseline: Option<(PathBuf, Baseline)>,
    /// Arrays in records that the program fills element by element, with a dot before their names.
    tables: BTreeSet<&'a str>,
    /// Members, with a dot before their names, and globals that the driver sets to nothing that the program does not.
    ranged: BTreeSet<&'a str>,
    /// Those that it fills from data that it is given.
    filled: BTreeSet<&'a str>,
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
        let buffers: BTreeSet<&str> =
            functions.iter().flat_map(|facts| &facts.buffers).map(String::as_str).collect();
        let arrays = functions.iter().flat_map(|facts| &facts.member_arrays).map(String::as_str);
        let tables = arrays.filter(|name| !buffers.contains(name)).collect();
        let ranged = functions.iter().flat_map(|facts| &facts.ranged).map(String::as_str).collect();
        let filled = functions.iter().flat_map(|facts| &facts.filled).map(String::as_str).collect();
        Annotator { root, functions, points, baseline, tables, ranged, filled, sources: RefCell::default() }
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
        let mut follows = self.follows(alarm);
        let mut by_callers = Vec::new();
        for caller in in_callers(alarm) {
            follows.extend(self.follows(&caller));
            by_callers.push(self.rules(&caller, facts, expression, true).0);
        }
        // A caller that only fails for what its own driver may have made up shows nothing.
        let is_sure = |rules: &Vec<Rule>| sum(rules) >= self.points.doubtful_below;
        let is_shown = by_callers.is_empty() || by_callers.iter().any(is_sure);
        let (mut rules, roots) = self.rules(alarm, facts, expression, is_shown);
        for better in by_callers {
            if sum(&better) > sum(&rules) {
                rules = better;
            }
        }
        alarm.score = sum(&rules);
        let is_kept = alarm.level == Level::Feasible && self.depends_on_kept(alarm);
        let (behind, handlers) = (behind(alarm), self.handlers(alarm));
        let (trusted, untested) = (self.trusted(alarm), self.untested(alarm, expression));
        add(alarm, json!({ "behind": behind, "handlers": handlers, "follows": follows }));
        add(alarm, json!({ "trusted": trusted, "untested": untested, "kept": is_kept }));
        let repeated = json!({ "from": self.points.repeated_from, "points": self.points.repeated });
        let least = self.points.doubtful_below;
        add(alarm, json!({ "rules": rules, "repeated": repeated, "doubtful-below": least, "roots": roots }));
    }

    /// The rules that apply, and what the alarm is joined with others by. `is_shown`: that a caller makes it happen counts.
    fn rules(
        &self,
        alarm: &Alarm,
        facts: Option<&FunctionFacts>,
        expression: &str,
        is_shown: bool,
    ) -> (Vec<Rule>, Vec<String>) {
        let of_null = of_null(alarm, expression).filter(|_| contents(alarm).is_none());
        let alarm = of_null.as_ref().unwrap_or(alarm);
        let params = self.driven(alarm).map(|facts| facts.params.as_slice()).unwrap_or_default();
        let is_param = |path: &str| {
            let root = path.split(['-', '.', '[', '?']).next().unwrap_or_default();
            alarm.input.function.name != "main" && params.iter().any(|param| param == root)
        };
        let external = |path: &str| EXTERNAL.iter().any(|name| path.starts_with(name)) && !is_param(path);
        let contexts = alarm.evidence["contexts"].as_array();
        let word =
            |context: &serde_json::Value, key: &str| context[key].as_str().unwrap_or_default().to_owned();
        let begins = alarm.input.function.name == "main";
        // What is in objects that the program keeps is the driver's, whoever hands them in.
        let is_kept_data = !begins && self.depends_on_kept(alarm);
        let caller = is_shown
            && !is_kept_data
            && contexts
                .is_some_and(|all| all.iter().any(|context| word(context, "why").starts_with("it fails")));
        // What may fail there and could not be run in time says nothing against it.
        let may_fail = contexts
            .is_some_and(|all| all.iter().any(|context| word(context, "why").starts_with("it may fail")));
        let in_contexts = |key: &str| {
            !may_fail && contexts.is_some_and(|all| all.iter().any(|context| context[key] == true))
        };
        let granted = self.granted(alarm, expression).or_else(|| self.granted_type(alarm));
        let unasked = self.unasked(alarm, expression);
        let needed = self.needed(alarm, expression);
        let argument = argument(alarm, expression);
        let unmeasured = self.unmeasured(alarm);
        let contents = contents(alarm);
        let zeroed = alarm.evidence["zeroed"].as_str();
        let asserted = alarm.evidence["null"].as_str().filter(|_| alarm.class == Class::Assertion);
        let stated = self.stated(alarm, expression).or_else(|| self.presumed(alarm)).filter(|_| !caller);
        let held = self.held(alarm);
        let purpose = self.purpose(alarm);
        let indexed = self.indexed(alarm);
        let mut members = self.members(alarm, "cause");
        // Where nothing is symbolic in what fails, members decided how much memory there is, or how long a loop runs; but
        // how much there is behind a parameter is for callers.
        let is_handed =
            alarm.evidence["made"]["place"].as_str().is_some_and(|place| !place.contains(['-', '.']));
        let has = |part: &str| names_in(&alarm.evidence, part).next().is_some();
        let is_known = is_handed || blame::is_counted(alarm) || has("cause");
        let mut is_guarded = alarm.class == Class::OutOfBounds && !is_known;
        if is_guarded {
            members = self.members(alarm, "guard");
        }
        // What led there counts, too, and alone where how much there is was decided by no member.
        if has("led") {
            let led = self.members(alarm, "led");
            is_guarded &= !led.is_empty() && !members.is_empty() && !alarm.evidence["block"].is_null();
            members = led;
        }
        let null_member = self.null_member(alarm, facts, expression);
        let set = alarm.evidence["set"].as_str().filter(|path| self.is_member(path)).map(without_numbers);
        let is_null_member = null_member.is_some();
        let state: Vec<String> = members.iter().cloned().chain(null_member).chain(set).collect();
        let unlikely: Vec<String> =
            serde_json::from_value(alarm.evidence["unlikely"].clone()).unwrap_or_default();
        let is_called = self.driven(alarm).is_some_and(|facts| facts.has_callers);
        // Whoever calls a library hands back the objects that it keeps.
        let is_kept = !state.is_empty() && state.iter().all(|path| self.is_kept(path));
        // What the program puts there is no guess, but that several members go together so is one.
        let is_given = matches!(&state[..], [path] if self.is_given(alarm, &kept_name(path)));
        let checked = if caller || may_fail { Vec::new() } else { self.checked(alarm) };
        // However complex a function is, the program sees to its own globals, to the pointers in its objects, and to
        // what it asserts. What comes with a parameter may be what a caller has read somewhere.
        let is_own = match alarm.class {
            Class::Assertion | Class::NullDereference => !state.is_empty(),
            _ => !state.is_empty() && !state.iter().any(|path| self.is_of_parameter(alarm, path)),
        };
        // What a function tests for null says something about null pointers, what else it compares does not.
        let looked_at: Vec<String> = match facts {
            None => Vec::new(),
            // Those of other pointers say nothing where it is known which one was null.
            Some(_) if is_null_member => Vec::new(),
            Some(facts) if alarm.class == Class::NullDereference => facts.null_tests.clone(),
            // An assertion compares what it looks at by itself.
            Some(_) if alarm.class == Class::Assertion => Vec::new(),
            // Of what the program sees to itself, a check of the pointer that leads there says nothing.
            Some(facts) if is_own => facts.bounded.clone(),
            // That something is not zero says nothing of how far it leads, nor do the elements that it leads to.
            Some(facts) => {
                let divides = alarm.class == Class::DivisionByZero;
                let tested = facts.compared.iter().filter(|_| divides);
                let bounded = facts.bounded.iter().map(|name| name.trim_start_matches('.').to_owned());
                tested.cloned().chain(bounded).collect()
            }
        };
        let failing = facts.and_then(|facts| failing(alarm, facts)).unwrap_or_else(|| expression.to_owned());
        let outdated = self.outdated(alarm, facts, &failing);
        let rules = score(
            &self.points,
            &Circumstances {
                expression: &failing,
                compared: &looked_at,
                complex: facts.is_some_and(|facts| facts.complex) && !is_own,
                external_input: alarm.input.slots.iter().any(|slot| external(&slot.path)),
                caller,
                feasible: alarm.level == Level::Feasible && (begins || !is_kept && !is_kept_data),
                contexts: in_contexts("entered"),
                reached: in_contexts("reached")
                    && all_reach(contexts)
                    && !self.takes_data(alarm)
                    && !self.takes_value(alarm),
                granted: granted.as_deref(),
                unasked: unasked.as_deref(),
                needed: needed.as_deref(),
                argument: argument.as_deref(),
                unmeasured: unmeasured.as_deref(),
                indexed: indexed.as_deref(),
                contents: contents.as_deref(),
                zeroed,
                unset: alarm.evidence["unset"] == true,
                held: held.as_deref(),
                outdated: outdated.as_ref().map(|(member, callee)| (member.as_str(), callee.as_str())),
                asserted,
                stated: stated.as_deref(),
                purpose: purpose.as_deref(),
                unconfirmed: alarm.replayed == NOT_RUN,
                members: if (is_called || is_kept) && !is_given { &state } else { &[] },
                guarded: is_guarded,
                unlikely: &unlikely,
                checked: &checked,
            },
        );
        let roots: Vec<String> = null(alarm, expression)
            .map(|path| format!("{} is null", without_numbers(path)))
            .into_iter()
            // Results are what a function made of its arguments: they join nothing.
            .chain(members.into_iter().filter(|path| !self.is_result(path)))
            .collect();
        (rules, roots)
    }

    /// A member or global of which the driver sets nothing that the program does not, or which is filled from data, and nobody
    /// but the function that fails compares it with anything.
    fn is_given(&self, alarm: &Alarm, name: &str) -> bool {
        let is_here = |facts: &FunctionFacts| facts.name == alarm.function && facts.file == alarm.file;
        let is_compared = |facts: &FunctionFacts| facts.bounded.iter().any(|bounded| bounded == name);
        // What an assertion says of data holds where the data were looked at.
        let is_filled = alarm.class != Class::Assertion && self.filled.contains(name);
        self.ranged.contains(name)
            || is_filled && !self.functions.iter().any(|facts| is_compared(facts) && !is_here(facts))
    }

    /// The functions that are called like the driven one through a pointer: they get what it gets.
    fn handlers(&self, alarm: &Alarm) -> Option<String> {
        let facts = self.driven(alarm).filter(|facts| facts.address_taken && facts.params.len() > 1)?;
        Some(format!("{}({})", facts.file, facts.params.join(", ")))
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
        let keys = [
            "cause", "led", "guard", "made", "null", "zeroed", "unset", "unlikely", "set", "address", "stack",
        ];
        keys.iter().for_each(|key| add(&mut alarm, json!({ *key: caller[*key] })));
        Some(alarm)
    });
    seen.collect()
}

/// The member whose memory an access went beyond: what is behind a parameter is what a caller hands over.
fn behind(alarm: &Alarm) -> Option<String> {
    let place = alarm.evidence["made"]["place"].as_str()?;
    let is_member = place.contains("->") || place.contains('.');
    (alarm.class == Class::OutOfBounds && is_member).then(|| place.to_owned())
}

/// The names in what fails in its line, where the program's text tells: what a divisor, an index or a pointer there is made of.
fn failing(alarm: &Alarm, facts: &FunctionFacts) -> Option<String> {
    let divides = alarm.class == Class::DivisionByZero;
    if !divides && !matches!(alarm.class, Class::OutOfBounds | Class::NullDereference) {
        return None;
    }
    let here = facts.risks.iter().find(|risk| risk.line == alarm.line && risk.divides == divides)?;
    Some(here.names.join(" "))
}

/// Executions of every caller got to the place, in one context or another, enough of them, and larger inputs than its driver
/// makes would change nothing: one of whom little is known may be the one that makes it happen.
fn all_reach(contexts: Option<&Vec<serde_json::Value>>) -> bool {
    let caller =
        |context: &serde_json::Value| context["callers"].as_array()?.last()?.as_str().map(str::to_owned);
    let tells = |context: &&serde_json::Value| {
        let few = context["executions"].as_u64().is_some_and(|executions| executions < FEW);
        context["reached"] == true && context["bounded"] != true && !few
    };
    let all = contexts.into_iter().flatten();
    let reaching: BTreeSet<Option<String>> = all.clone().filter(tells).map(caller).collect();
    all.map(caller).all(|caller| reaching.contains(&caller))
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
    use campaign::{FunctionName, Input, Slot};
    use model::{Kept, Rejected};

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

    /// An alarm of `send(struct queue *q, int n)`, and what is known of the program.
    fn of_send(class: Class, slots: &[(&str, &[u8])], evidence: serde_json::Value) -> (Alarm, FunctionFacts) {
        let name = FunctionName { file: "a.c".into(), name: "send".into(), line: 1 };
        let slot = |(path, bytes): &(&str, &[u8])| Slot {
            path: (*path).to_owned(),
            hash: 1,
            occurrence: 0,
            bits: 32,
            bytes: bytes.to_vec(),
        };
        let alarm = Alarm {
            class,
            file: "a.c".into(),
            line: 3,
            column: 0,
            function: "send".into(),
            level: Level::Unit,
            reason: String::new(),
            score: 0.0,
            input: Input::new(name, slots.iter().map(slot).collect()),
            replayed: "a fault".into(),
            evidence,
        };
        let facts = FunctionFacts {
            file: "a.c".into(),
            name: "send".into(),
            params: vec!["q".into(), "n".into()],
            written: vec![".head".into(), ".used".into(), "power".into()],
            ..FunctionFacts::default()
        };
        (alarm, facts)
    }

    fn rules_of((alarm, facts): (Alarm, FunctionFacts), line: &str) -> (String, f64) {
        let functions = [
            facts,
            FunctionFacts {
                name: "allocate".into(),
                params: vec!["size".into()],
                written: vec![".head".into()],
                ..Default::default()
            },
        ];
        let annotator = Annotator::new(Path::new(""), &functions, Points::default(), None);
        let (rules, _) = annotator.rules(&alarm, Some(&functions[0]), line, true);
        (rules.last().map(|rule| rule.rule.clone()).unwrap_or_default(), sum(&rules))
    }

    #[test]
    fn an_assertion_over_parameters_is_for_callers() {
        let cause = |names: &[&str]| json!({ "cause": names });
        let number: &[(&str, &[u8])] = &[("n", &[9, 0, 0, 0])];
        let of = |slots, evidence| rules_of(of_send(Class::Assertion, slots, evidence), "assert(n < 8);");
        assert_eq!(of(number, cause(&["n"])), ("granted".into(), 2.0));
        assert_eq!(of(number, cause(&["n", "q->text"])).1, 5.0, "more than parameters");
        let computed = rules_of(of_send(Class::Assertion, number, cause(&["n"])), "assert(power < n);");
        assert_eq!(computed.1, 5.0, "what the function made of it");
        let pointed: &[(&str, &[u8])] = &[("n", &[9, 0, 0, 0]), ("n?null", &[0])];
        assert_eq!(of(pointed, cause(&["n"])).1, 5.0, "what a pointer leads to");
        let failing = json!({ "cause": ["n"], "contexts": [{ "why": "it fails when main is driven" }] });
        assert_eq!(of(number, failing), ("caller".into(), 6.0), "a caller fails it");
        let overflow = rules_of(of_send(Class::OutOfBounds, number, cause(&["n"])), "a[n]");
        assert_eq!(overflow.1, 5.0);
    }

    #[test]
    fn a_caller_that_hands_in_what_the_program_keeps_shows_nothing() {
        let several: &[(&str, &[u8])] = &[("q->head", &[1; 12]), ("q->text", &[1; 12])];
        let of = |name: &str| {
            let evidence =
                json!({ "cause": [name], "contexts": [{ "why": "it fails when open is driven" }] });
            let (alarm, facts) = of_send(Class::OutOfBounds, several, evidence);
            rules_of((Alarm { level: Level::Feasible, ..alarm }, facts), "return table[q->head[2]];")
        };
        assert_eq!(of("q->head"), ("members".into(), 3.0), "a table that the program fills");
        assert_eq!(of("q->text"), ("caller".into(), 6.0), "the program puts nothing there");
    }

    #[test]
    fn an_assertion_over_members_and_what_stubs_gave() {
        let of = |names: &[&str]| {
            let alarm = of_send(Class::Assertion, &[], json!({ "cause": names }));
            rules_of(alarm, "assert(q->used == allocate(1));")
        };
        assert_eq!(of(&["q->used", "allocate()"]), ("members".into(), 3.0));
        assert_eq!(of(&["allocate()"]), ("members".into(), 3.0), "a stub does not look at its arguments");
        assert_eq!(of(&["q->used", "elsewhere()"]).1, 5.0, "not of the program");
    }

    #[test]
    fn what_a_driver_follows_no_further() {
        let none: &[(&str, &[u8])] = &[("q?null", &[0])];
        // Others set them.
        let only_follows = |slots| {
            let (alarm, facts) = of_send(Class::NullDereference, slots, json!({ "cause": [] }));
            (alarm, FunctionFacts { written: Vec::new(), ..facts })
        };
        let of = |slots, line| rules_of(only_follows(slots), line);
        assert_eq!(of(none, "return q->head->n;"), ("members".into(), 3.0));
        let sets = of_send(Class::NullDereference, none, json!({ "cause": [] }));
        assert_eq!(rules_of(sets, "return q->head->n;").1, 5.0, "the function sets it");
        assert_eq!(of(none, "return q->tail->n;").1, 5.0, "the program does not set it");
        assert_eq!(of(none, "return head->n;").1, 5.0, "no member");
        let chosen: &[(&str, &[u8])] = &[("find()?null", &[1])];
        assert_eq!(of(chosen, "return q->head->n;").1, 5.0, "a pointer was null by choice");
        let (alarm, facts) = of_send(Class::NullDereference, none, json!({ "cause": [] }));
        let asking = FunctionFacts { null_tests: vec![".head".into()], ..facts };
        assert_eq!(rules_of((alarm, asking), "return q->head->n;").1, 5.0, "the function asks");
    }

    #[test]
    fn a_union_that_is_read_as_what_it_does_not_hold() {
        let of = |slots, guard: &[&str]| {
            let evidence = json!({ "cause": [], "guard": guard, "address": 0x2f9e_f4bf_d817_u64 });
            let (alarm, facts) = of_send(Class::OutOfBounds, slots, evidence);
            rules_of((Alarm { replayed: "SEGV".into(), ..alarm }, facts), "return q->u.text.s[0];")
        };
        let union: &[(&str, &[u8])] = &[("q->u.?member", &[2]), ("q->u.call.id", &[1, 0, 0, 0])];
        assert_eq!(of(union, &[]), ("contents".into(), 1.0));
        assert_eq!(of(union, &["q->u.call.id"]).0, "contents", "it is looked at as what it holds");
        assert_ne!(of(union, &["n"]).0, "contents", "a number says how far it goes");
        assert_ne!(of(&[("q?null", &[0])], &[]).0, "contents", "no union");
    }

    #[test]
    fn an_index_from_null_is_the_null_pointer() {
        let of = |null: u8, address: u64| {
            let slots: &[(&str, &[u8])] = &[("q?null", &[null]), ("n", &[0, 0, 0, 0x80])];
            let (alarm, facts) =
                of_send(Class::OutOfBounds, slots, json!({ "cause": [], "address": address }));
            let facts = FunctionFacts { has_callers: true, ..facts };
            rules_of((Alarm { replayed: "SEGV".into(), ..alarm }, facts), "q[n].head = 0;").0
        };
        assert_eq!(of(1, 0x80_0000), "granted");
        assert_ne!(of(1, 0x5000_0000_0000), "granted", "it went beyond what is somewhere");
        assert_ne!(of(0, 0x80_0000), "granted", "it was not null");
    }

    #[test]
    fn a_few_values_that_callers_gave_say_little() {
        let behind: &[(&str, &[u8])] = &[("n?null", &[0]), ("n", &[9, 0, 0, 0])];
        let given = &behind[1..];
        let of = |slots, why: &str, replayed: &str| {
            let context = json!({ "why": why, "entered": false, "reached": true });
            let evidence = json!({ "cause": ["n"], "contexts": [context] });
            let (alarm, facts) = of_send(Class::OutOfBounds, slots, evidence);
            rules_of((Alarm { replayed: replayed.into(), ..alarm }, facts), "q->bits[n] = 1;").0
        };
        let tried = "344 executions from parse, none failed here";
        let array = "index 8 out of bounds for type 'int[8]'";
        assert_eq!(of(behind, tried, array), "base");
        assert_eq!(of(given, tried, array), "reached", "what each call says itself");
        assert_eq!(of(given, tried, "heap-buffer-overflow"), "reached");
        assert_eq!(of(given, "it may fail when parse is driven; no time", "heap-buffer-overflow"), "base");
    }

    #[test]
    fn a_text_may_have_to_be_longer_than_what_callers_gave() {
        let of = |text: &[u8], made: serde_json::Value| {
            let context = json!({ "why": "344 executions from parse, none failed here", "reached": true });
            let evidence = json!({ "cause": [], "guard": [], "made": made, "contexts": [context] });
            let (mut alarm, facts) = of_send(Class::OutOfBounds, &[("text", text)], evidence);
            alarm.input.slots[0].bits = 8;
            alarm.replayed = "stack-buffer-underflow".into();
            rules_of((alarm, facts), "*(end - i) = 0;").0
        };
        assert_eq!(of(b"0::00:0/2", json!(null)), "base", "its path led there");
        assert_eq!(of(b"0", json!(null)), "reached", "no text");
        let made = json!({ "place": "q", "kind": "object", "measured": false, "before": false });
        assert_eq!(of(b"0::00:0/2", made), "reached", "of the driver's");
    }

    #[test]
    fn what_a_stub_gave_without_looking_at_arguments() {
        let made = |place: &str| json!({ "cause": [], "made": { "place": place, "kind": "memory", "measured": true, "before": false } });
        let of = |place: &str| rules_of(of_send(Class::OutOfBounds, &[], made(place)), "b[1] = 0;");
        assert_eq!(of("allocate()->bytes"), ("length".into(), 1.0));
        assert_eq!(of("q->bytes").1, 5.0);
    }

    #[test]
    fn bytes_that_are_no_address() {
        let wild = |bytes: &[u8]| {
            let (mut alarm, facts) =
                of_send(Class::OutOfBounds, &[("room", bytes), ("q?null", &[0])], json!({ "cause": [] }));
            alarm.replayed = "SEGV".into();
            alarm.input.slots[0].bits = 8;
            rules_of((alarm, facts), "q->n = 1;")
        };
        assert_eq!(wild(&[1, 0, 0, 0, 0, 0, 0, 1]), ("contents".into(), 1.0));
        assert_eq!(wild(&[1, 0, 0, 0, 0, 0, 0, 0]).1, 5.0);
    }

    #[test]
    fn what_every_caller_keeps_out_is_doubtful() {
        let name = FunctionName { file: "a.c".into(), name: "at".into(), line: 1 };
        let alarm = |value: u8| Alarm {
            class: Class::OutOfBounds,
            file: "a.c".into(),
            line: 3,
            column: 0,
            function: "at".into(),
            level: Level::Unit,
            reason: String::new(),
            score: 0.0,
            input: Input::new(
                name.clone(),
                vec![Slot {
                    path: "n".into(),
                    hash: 1,
                    occurrence: 0,
                    bits: 32,
                    bytes: vec![value, 0, 0, 0],
                }],
            ),
            replayed: "heap-buffer-overflow".into(),
            evidence: json!({ "cause": ["n"] }),
        };
        let of = |calls: &[Kept], mut alarm: Alarm| {
            let facts = FunctionFacts {
                file: "a.c".into(),
                name: "at".into(),
                params: vec!["n".into()],
                has_callers: true,
                checked: vec![("n".into(), calls.to_vec())],
                ..FunctionFacts::default()
            };
            Annotator::new(Path::new(""), &[facts], Points::default(), None).annotate(&mut alarm);
            alarm.score
        };
        let above = |least: i64| vec![Rejected::Within(least, i64::MAX)];
        assert_eq!(of(&[above(8)], alarm(8)), 3.0);
        assert_eq!(of(&[above(8)], alarm(7)), 5.0, "the check lets it through");
        assert_eq!(of(&[above(8), above(16)], alarm(8)), 5.0, "one of two calls lets it through");
        assert_eq!(of(&[vec![Rejected::Some]], alarm(7)), 3.0);
        let mut feasible = alarm(8);
        feasible.evidence =
            json!({ "cause": ["n"], "contexts": [{ "why": "it fails when main is driven" }] });
        assert_eq!(of(&[above(8)], feasible), 6.0, "a caller makes it happen");
    }
}
