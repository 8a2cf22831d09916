//! What of the driver's making is to blame for a failure: pointers that it made null, members and globals that it set each
//! on its own, arguments, lengths and contents that it guessed. Told by the evidence of an alarm, and by what the
//! functions of the program test and set.

use super::Annotator;
use crate::job::{FunctionFacts, cause_in, names_in};
use alarm::cause::{self, Looked, without_numbers};
use alarm::{identifiers, is_word};
use campaign::{Alarm, Level, Slot};
use harness::ARGUMENTS;
use model::Rejected;
use std::collections::BTreeSet;
use wire::Class;

/// Bytes of a pointer.
const POINTER: usize = 8;

/// Addresses are below, or in the topmost part of all numbers.
const HIGHEST: u64 = 1 << 47;

/// Bytes from the beginning of an object to any member that is likely.
const NEAR: u64 = 4096;

/// Letters of a name that says something.
const TELLING: usize = 3;

impl Annotator<'_> {
    /// The pointer that a driver made null and that failed for it, if nothing in the program tests it for that: a
    /// parameter of a function that only the program calls, or a member.
    pub(super) fn granted(&self, alarm: &Alarm, expression: &str) -> Option<String> {
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
            self.ends_list(&member) || self.functions.iter().any(|facts| facts.asks_for(&member))
        } else {
            let facts = self.driven(alarm);
            facts.is_none_or(|facts| !facts.has_callers || facts.null_tests.iter().any(|test| test == name))
        };
        !is_tested
    }

    /// The type of the null pointer that failed, if nothing in the program tests such pointers for null. What comes from
    /// a call is not the driver's.
    pub(super) fn granted_type(&self, alarm: &Alarm) -> Option<String> {
        if alarm.class != Class::NullDereference || alarm.input.function.name == "main" {
            return None;
        }
        let name = null_record(&alarm.replayed)?;
        let is_result = chosen_nulls(alarm).any(|path| path.contains('('));
        let is_tested = self.functions.iter().any(|facts| facts.null_types.iter().any(|ty| ty == name));
        (!is_result && !is_tested).then(|| format!("a pointer to {name}"))
    }

    /// The parameter that failed for being null, of a function that nothing in the program calls, if nobody asks for it.
    pub(super) fn unasked(&self, alarm: &Alarm, expression: &str) -> Option<String> {
        let path = null(alarm, expression).filter(|path| !path.contains(['-', '.', '(', '[']))?;
        // Of a record, whether anybody asks is known by its type.
        if null_record(&alarm.replayed).is_some() {
            return None;
        }
        let facts = self.driven(alarm)?;
        // By its name, be it a parameter or a member elsewhere; `s` and `p` are names of anything.
        let tests = self.functions.iter().flat_map(|facts| &facts.null_tests);
        let is_telling = path.len() >= TELLING;
        let mut named = tests.map(|test| if is_telling { test.trim_start_matches('.') } else { test });
        let is_tested = named.any(|test| test == path);
        (!facts.has_callers && !is_tested).then(|| path.to_owned())
    }

    /// The parameter that failed for being null, if the driven function dereferences it whatever else it is given, and
    /// does not ask: null was never meant.
    pub(super) fn needed(&self, alarm: &Alarm, expression: &str) -> Option<String> {
        let path = null(alarm, expression).filter(|_| alarm.class == Class::NullDereference)?;
        let facts = self.driven(alarm)?;
        let has = |names: &[String]| names.iter().any(|name| name == path);
        (has(&facts.needed) && !has(&facts.null_tests)).then(|| path.to_owned())
    }

    /// The member or global that failed for being null, if neither the function that fails nor the driven one asks for it: what
    /// others ask shows that it can be null, not that it can be so here.
    pub(super) fn null_member(
        &self,
        alarm: &Alarm,
        facts: Option<&FunctionFacts>,
        expression: &str,
    ) -> Option<String> {
        if alarm.class != Class::NullDereference {
            return None;
        }
        let Some(path) = null(alarm, expression) else { return self.left_null(alarm, facts, expression) };
        let path = Some(path).filter(|path| self.is_member(path) || self.is_global(alarm, path))?;
        let name = if self.is_member(path) { format!(".{}", last_name(path)) } else { path.to_owned() };
        let asks = |facts: &FunctionFacts| facts.asks_for(&name);
        let is_tested = facts.is_none_or(asks) || self.driven(alarm).is_none_or(asks);
        (!is_tested && !self.ends_list(&name)).then(|| without_numbers(path))
    }

    /// A member that the driver left null because it follows pointers no further, by its name in the line: where it made
    /// none null, and neither function asks for any that the line goes through.
    fn left_null(&self, alarm: &Alarm, facts: Option<&FunctionFacts>, expression: &str) -> Option<String> {
        if chosen_nulls(alarm).next().is_some() {
            return None;
        }
        let followed = followed_members(expression);
        // Or puts something there itself.
        let asks = |facts: Option<&FunctionFacts>, path: &str| {
            let name = format!(".{}", last_name(path));
            facts.is_none_or(|facts| facts.null_tests.contains(&name) || facts.written.contains(&name))
                || self.ends_list(&name)
        };
        let is_left =
            |path: &&str| self.is_kept(path) && !asks(facts, path) && !asks(self.driven(alarm), path);
        let first = followed.first()?;
        followed.iter().all(is_left).then(|| (*first).to_owned())
    }

    /// The parameters that are all that a violated assertion of the driven function looks at: what callers have to give.
    /// What the function made of them itself is not for callers.
    pub(super) fn stated(&self, alarm: &Alarm, expression: &str) -> Option<String> {
        let facts = self.driven(alarm).filter(|facts| facts.name == alarm.function)?;
        let is_number = |path: &str| {
            // A pointer can be null; what it leads to has the same name.
            let null = format!("{path}?null");
            let is_one = |slot: &Slot| slot.bytes.len() <= usize::from(slot.bits.div_ceil(8));
            alarm.input.slots.iter().all(|slot| slot.path != null && (slot.path != path || is_one(slot)))
        };
        let is_own = |path: &str| facts.params.iter().any(|param| param == path) && is_number(path);
        let named = identifiers(expression);
        if facts.written.iter().any(|made| named.contains(made.trim_start_matches('.'))) {
            return None;
        }
        let first = cause_in(&alarm.evidence).next().filter(|_| alarm.class == Class::Assertion)?;
        cause_in(&alarm.evidence).all(is_own).then(|| first.to_owned())
    }

    /// The members of objects, the variables of the program's own and what stubs of its functions gave, if they are all that
    /// the violated condition looks at (`cause`), or the last branch before it (`guard`).
    pub(super) fn members(&self, alarm: &Alarm, looked_at: &str) -> Vec<String> {
        // Which of its pointers are null the driver chose; how far something is from another one of these is no more than that.
        let is_beyond = alarm.class == Class::OutOfBounds && looked_at == "cause";
        let names = names_in(&alarm.evidence, looked_at).map(|path| match path.strip_suffix("?null") {
            Some(pointer) if is_beyond && (cause::is_member(pointer) || pointer.contains('[')) => pointer,
            _ => path,
        });
        // An assertion says what the program keeps to, also in the tables of its objects.
        let is_stated = |path: &str| alarm.class == Class::Assertion && cause::is_member(path);
        let elements = |path: &str| {
            // What a stub puts behind its result, the function in its place may not. Tables of numbers are the program's own, too:
            // what comes from outside comes in bytes.
            let is_table = |slot: &Slot| slot.bits > 8 && cause::is_member(path) && self.is_kept(path);
            let is_own = |slot: &Slot| is_stated(path) || self.is_of_callee(path) || is_table(slot);
            let slot = alarm.input.slots.iter().find(|slot| slot.path == path && !is_own(slot));
            slot.map_or(1, |slot| self.data_in(slot))
        };
        let is_element = |path: &str| is_beyond && path.ends_with(']') && !path.contains('?');
        let is_global = |path: &str| {
            self.is_global(alarm, path)
                || self.is_of_callee(path)
                || self.is_result(path)
                || is_element(path) && !alarm.input.slots.iter().any(|slot| slot.path == path)
        };
        // A parameter that the function compares with nothing only says which of them; an assertion compares what it looks
        // at, elements and what selects them.
        let says_which = |path: &&str| {
            self.driven(alarm).is_some_and(|facts| {
                let has = |names: &[String]| names.iter().any(|name| name == path);
                let is_assertion = alarm.class == Class::Assertion;
                let compared = if is_assertion { &facts.bounded } else { &facts.compared };
                has(&facts.params) && !has(compared) && elements(path) == 1
            })
        };
        let looked: Vec<Looked<'_>> = names
            .filter(|path| !says_which(path))
            .map(|path| Looked { path, elements: elements(path), is_global: is_global(path) })
            .collect();
        cause::members(&looked)
    }

    /// Contents of memory decide about it, in the condition that fails or in the last branch before it, or how far a cursor is
    /// in a buffer that they fill: then it may take more of them than drivers make. So it may where nothing is known of what decides, and it goes beyond memory of the program's
    /// own: the whole path led there.
    pub(super) fn takes_data(&self, alarm: &Alarm) -> bool {
        let looked: Vec<&str> = cause_in(&alarm.evidence).chain(names_in(&alarm.evidence, "guard")).collect();
        let is_own = alarm.class == Class::OutOfBounds && alarm.evidence["made"].is_null();
        let is_path = looked.is_empty() && is_own;
        let is_looked_at = |slot: &Slot| is_path || looked.contains(&slot.path.as_str());
        let is_cursor = looked.iter().any(|path| path.ends_with("?offset"));
        is_cursor || alarm.input.slots.iter().any(|slot| self.data_in(slot) > 1 && is_looked_at(slot))
    }

    /// The member whose contents decide about it: a function that takes what is in there as it comes does so all over.
    pub(super) fn trusted(&self, alarm: &Alarm) -> Option<String> {
        if alarm.class != Class::OutOfBounds {
            return None;
        }
        let is_contents = |path: &&str| {
            cause::is_member(path)
                && alarm.input.slots.iter().any(|slot| slot.path == *path && self.data_in(slot) > 1)
        };
        let causes: Vec<&str> = cause_in(&alarm.evidence).collect();
        let looked = if causes.is_empty() { names_in(&alarm.evidence, "guard").collect() } else { causes };
        looked.into_iter().find(is_contents).map(|path| format!(".{}", last_name(path)))
    }

    /// The parameter of the driven function, which the program need not call, that failed for being null: one that does not
    /// ask for some of its parameters is told once.
    pub(super) fn untested(&self, alarm: &Alarm, expression: &str) -> Option<String> {
        let path = null(alarm, expression).filter(|_| alarm.class == Class::NullDereference)?;
        let facts = self.driven(alarm).filter(|facts| facts.name == alarm.function)?;
        let is_param = facts.params.iter().any(|param| param == path);
        (is_param && !facts.null_tests.iter().any(|test| test == path)).then(|| path.to_owned())
    }

    /// What a parameter leads to decides about an index into an array that everybody knows the length of: it changes as callers go
    /// on, so that those which got there with a few values say little about the others.
    pub(super) fn takes_value(&self, alarm: &Alarm) -> bool {
        let is_array = alarm.class == Class::OutOfBounds && alarm.replayed.starts_with("index ");
        let is_behind_param = |path: &str| {
            let null = format!("{path}?null");
            alarm.input.slots.iter().any(|slot| slot.path == null)
                && self.driven(alarm).is_some_and(|facts| facts.params.iter().any(|param| param == path))
        };
        is_array && cause_in(&alarm.evidence).any(is_behind_param)
    }

    /// All that decided about it is in objects that the program keeps, or behind their members: whoever calls a library hands
    /// these back as they were.
    pub(super) fn depends_on_kept(&self, alarm: &Alarm) -> bool {
        let causes: Vec<&str> = cause_in(&alarm.evidence).collect();
        let looked = if causes.is_empty() { names_in(&alarm.evidence, "led").collect() } else { causes };
        let is_kept = |path: &&str| cause::is_member(path) && self.is_kept(path);
        !looked.is_empty() && looked.iter().all(is_kept)
    }

    /// What decides about the failing line and is for a function to set in whose place a stub was called, which sets nothing:
    /// a member, or a variable that is handed to it by its address; and that function.
    pub(super) fn outdated(
        &self,
        alarm: &Alarm,
        facts: Option<&FunctionFacts>,
        failing: &str,
    ) -> Option<(String, String)> {
        let line = self.line(&alarm.file, alarm.line);
        let results = alarm.input.slots.iter().filter_map(|slot| slot.path.split_once("()"));
        let callees: BTreeSet<&str> = results.map(|(callee, _)| callee).collect();
        let sets = |callee: &str, name: &str| {
            let is_member = [".", "->"].iter().any(|mark| line.contains(&format!("{mark}{name}")));
            let written = format!(".{name}");
            is_member
                && self.functions.iter().any(|facts| facts.name == callee && facts.written.contains(&written))
        };
        let is_handed = |callee: &str, name: &str| {
            facts.is_some_and(|facts| {
                (facts.line..alarm.line).any(|number| {
                    let line = self.line(&alarm.file, number);
                    calls(&line, callee).is_some_and(|arguments| is_addressed(arguments, name))
                })
            })
        };
        let names = identifiers(failing);
        let pairs = names.iter().flat_map(|name| callees.iter().map(move |callee| (*name, *callee)));
        pairs
            .filter(|(name, callee)| sets(callee, name) || is_handed(callee, name))
            .map(|(name, callee)| (name.to_owned(), callee.to_owned()))
            .next()
    }

    /// What a stub returned in the place of a function of the program.
    pub(super) fn is_result(&self, path: &str) -> bool {
        path.strip_suffix("()").is_some_and(|callee| self.functions.iter().any(|facts| facts.name == callee))
    }

    /// The object that an access went beyond, of a length that the driver chose and nothing tells.
    pub(super) fn unmeasured(&self, alarm: &Alarm) -> Option<String> {
        let made = &alarm.evidence["made"];
        if alarm.class != Class::OutOfBounds {
            return None;
        }
        // A function gives as much as its arguments ask for, and its stub does not look at them.
        let asked_for = |place: &str| {
            let callee = place.split_once("()").map(|(callee, _)| callee);
            let with_arguments =
                |facts: &FunctionFacts| Some(facts.name.as_str()) == callee && !facts.params.is_empty();
            self.functions.iter().any(with_arguments)
        };
        let place = made["place"].as_str()?;
        // However much there is, nothing is below the first one that a number selects.
        let mut looked = cause_in(&alarm.evidence).chain(names_in(&alarm.evidence, "led"));
        if made["before"] == true && looked.any(|path| !path.contains('?')) {
            return None;
        }
        let is_member = place.contains("->") || place.contains('.');
        // How much there is behind a member is what the program keeps: where no input says that it is less, the driver's memory
        // just ended. What is written beyond it is worth a look all the same, and nothing is written before its beginning.
        let is_read =
            made["write"] == false && !is_counted(alarm) && cause_in(&alarm.evidence).next().is_none();
        // What lies in an array of pointers is the same.
        let is_held = is_member || place.ends_with(']');
        if is_held && is_read || is_member && made["before"] == true {
            return Some(place.to_owned());
        }
        // A string ends with its NUL, an object where its type does; what is before them the function cannot know.
        let is_guess = match made["kind"].as_str() {
            Some("memory") => made["measured"] == false || asked_for(place),
            Some("text") => {
                made["before"] == true || made["measured"] == false && self.is_no_string(alarm, place)
            }
            Some("object") => made["before"] == true,
            _ => false,
        };
        is_guess.then(|| place.to_owned())
    }

    /// A parameter whose end the function never looks for: nothing tells that a NUL is it.
    fn is_no_string(&self, alarm: &Alarm, place: &str) -> bool {
        self.driven(alarm).is_some_and(|facts| {
            let is_param = facts.params.iter().any(|param| param == place);
            is_param && !facts.ends_sought.iter().any(|sought| sought == place)
        })
    }

    /// What the failure depends on, if all callers of the function compare that with something before they call it, in a way
    /// that may keep out what the driver gave. No caller is known to make it happen.
    pub(super) fn checked(&self, alarm: &Alarm) -> Vec<String> {
        let is_number = matches!(
            alarm.class,
            Class::OutOfBounds | Class::DivisionByZero | Class::SignedOverflow | Class::InvalidShift
        );
        let Some(facts) = self.driven(alarm).filter(|_| is_number && alarm.level == Level::Unit) else {
            return Vec::new();
        };
        let of = |path: &str| facts.checked.iter().find(|(name, _)| *name == without_numbers(path));
        let mut looked: Vec<&str> = cause_in(&alarm.evidence).collect();
        if let Some(place) = alarm.evidence["made"]["place"].as_str() {
            // How much there is behind a member is kept in others.
            let object = place.rsplit_once("->").map(|(object, _)| format!("{object}->*"));
            if object.is_some_and(|object| of(&object).is_some()) {
                return vec![without_numbers(place)];
            }
        } else if looked.is_empty() {
            looked = names_in(&alarm.evidence, "guard").collect();
        }
        let is_checked = |path: &&str| {
            let values: Vec<i64> =
                alarm.input.slots.iter().filter(|slot| slot.path == *path).flat_map(values).collect();
            let rejects = |test: &Rejected| values.iter().any(|value| test.may_be(*value));
            of(path).is_some_and(|(_, calls)| calls.iter().all(|kept| kept.iter().any(rejects)))
        };
        if looked.iter().all(is_checked) {
            looked.into_iter().map(without_numbers).collect()
        } else {
            Vec::new()
        }
    }

    /// How many numbers there are in a slot that may be data: the elements of a table in a record are members like others,
    /// which the program sets one by one.
    fn data_in(&self, slot: &Slot) -> usize {
        let is_table = cause::is_member(&slot.path)
            && self.tables.contains(format!(".{}", last_name(&slot.path)).as_str());
        if is_table { 1 } else { elements(slot) }
    }

    /// A variable of the program's own, which it sets.
    fn is_global(&self, alarm: &Alarm, path: &str) -> bool {
        let is_param = self.driven(alarm).is_none_or(|facts| facts.params.iter().any(|param| param == path));
        !is_param && self.is_written(path)
    }

    /// `p->at` of the driven function's parameter `p`.
    pub(super) fn is_of_parameter(&self, alarm: &Alarm, path: &str) -> bool {
        let object = cause::object(path).unwrap_or(path);
        let object = object.split('[').next().unwrap_or(object);
        self.driven(alarm).is_none_or(|facts| facts.params.iter().any(|param| param == object))
    }

    pub(super) fn is_member(&self, path: &str) -> bool {
        cause::is_member(path) || self.is_of_callee(path)
    }

    /// A member of an object that a stub made up, in the place of a function of the program.
    fn is_of_callee(&self, path: &str) -> bool {
        let Some((callee, member)) = path.split_once("()") else { return false };
        cause::is_member(member) && self.functions.iter().any(|facts| facts.name == callee)
    }

    /// The program itself sets the member, or the variable.
    pub(super) fn is_kept(&self, path: &str) -> bool {
        if self.is_result(path) {
            return true;
        }
        self.is_written(&kept_name(path))
    }

    /// By its name: `.member`, `variable`, `function::variable`.
    pub(super) fn is_written(&self, name: &str) -> bool {
        let name = name.rsplit("::").next().unwrap_or(name);
        self.functions.iter().any(|facts| facts.written.iter().any(|written| written == name))
    }

    pub(super) fn driven(&self, alarm: &Alarm) -> Option<&FunctionFacts> {
        let driven = &alarm.input.function;
        self.functions.iter().find(|facts| facts.name == driven.name && facts.file == driven.file)
    }
}

/// `r = read(&node, 1);` -> `&node, 1);`: what a function is called with in a line.
fn calls<'l>(line: &'l str, callee: &str) -> Option<&'l str> {
    line.match_indices(callee).find_map(|(at, _)| {
        let arguments = line[at + callee.len()..].trim_start().strip_prefix('(')?;
        (!line[..at].ends_with(is_word)).then_some(arguments)
    })
}

/// `&name` is among them.
fn is_addressed(arguments: &str, name: &str) -> bool {
    let mut addressed = arguments.match_indices('&').map(|(at, _)| arguments[at + 1..].trim_start());
    addressed.any(|rest| rest.strip_prefix(name).is_some_and(|after| !after.starts_with(is_word)))
}

/// What was gone beyond is as long as other members say, and the last branch before it looked at one of these: the driver
/// kept to what they say.
pub(super) fn is_counted(alarm: &Alarm) -> bool {
    let mut looked = names_in(&alarm.evidence, "guard");
    alarm.evidence["made"]["measured"] == true
        && looked.any(|path| !path.contains('?') && cause::is_member(path))
}

/// How many numbers there are in a slot.
fn elements(slot: &Slot) -> usize {
    slot.bytes.len() / usize::from(slot.bits.div_ceil(8)).max(1)
}

/// The numbers in a slot, each as it is with a sign and without.
fn values(slot: &Slot) -> Vec<i64> {
    let size = usize::from(slot.bits.div_ceil(8)).clamp(1, 8);
    let numbers = slot.bytes.chunks_exact(size).flat_map(|bytes| {
        let mut wide = [0; 8];
        wide[..size].copy_from_slice(bytes);
        let unsigned = i64::from_le_bytes(wide);
        let unused = 64 - 8 * size;
        [unsigned, unsigned << unused >> unused]
    });
    numbers.collect()
}

/// The pointer that a driver made null and that failed for it: the only one, or one that the line names.
pub(super) fn null<'a>(alarm: &'a Alarm, expression: &str) -> Option<&'a str> {
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
pub(super) fn chosen_nulls(alarm: &Alarm) -> impl Iterator<Item = &str> {
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

/// `wait(seg->head->next->n)` -> `seg->head`, `head->next`: the members that a line goes through.
fn followed_members(line: &str) -> Vec<&str> {
    let word_before = |end: usize| line[..end].rfind(|letter| !is_word(letter)).map_or(0, |at| at + 1);
    let mut found = Vec::new();
    for (arrow, _) in line.match_indices("->") {
        let member = word_before(arrow);
        let object = ["->", "."].iter().find_map(|mark| line[..member].strip_suffix(mark)).map(str::len);
        if let Some(object) = object.map(word_before).filter(|object| member < arrow && *object < member) {
            found.push(&line[object..arrow]);
        }
    }
    found
}

/// The variable argument that failed for being what the driver guessed.
pub(super) fn argument(alarm: &Alarm, expression: &str) -> Option<String> {
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
    let cause = cause_in(&alarm.evidence);
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

/// The bytes of unknown meaning that failed for being no pointer: drivers make pointers, which no condition depends on.
pub(super) fn contents(alarm: &Alarm) -> Option<String> {
    // What the driver put behind members in one piece, the program may have got piece by piece; and pointers into one piece
    // of memory are anywhere in it.
    let place = alarm.evidence["made"]["place"].as_str();
    if let Some(place) = place.filter(|_| alarm.replayed.starts_with("attempting free")) {
        return Some(place.to_owned());
    }
    let is_wild = alarm.class == Class::NullDereference || alarm.replayed.starts_with("SEGV");
    if !is_wild {
        return None;
    }
    let cause: Vec<&str> = cause_in(&alarm.evidence).collect();
    let mut bytes = alarm.input.slots.iter().filter(|slot| slot.bits == 8 && slot.bytes.len() >= POINTER);
    let words = |slot: &Slot| -> Vec<u64> {
        let words = slot.bytes.chunks_exact(POINTER).filter_map(|word| word.try_into().ok());
        words.map(u64::from_le_bytes).filter(|word| *word > 0).collect()
    };
    let is_fault = alarm.class == Class::OutOfBounds && alarm.evidence["address"].is_null();
    if cause.is_empty() && is_fault {
        // No address is told of one that no pointer of a program can hold.
        let is_no_address = |word: &u64| (HIGHEST..=!HIGHEST).contains(word);
        return bytes.find(|slot| words(slot).iter().any(is_no_address)).map(|slot| slot.path.clone());
    }
    if chosen_nulls(alarm).next().is_some() {
        return None;
    }
    let slot = match (cause.as_slice(), alarm.evidence["address"].as_u64()) {
        ([only], _) => bytes.find(|slot| slot.path == *only),
        // Nobody checked the pointer; but its value went where nothing is.
        ([], Some(address)) => bytes.find(|slot| {
            let near = |pointer: &u64| (*pointer..pointer.saturating_add(NEAR)).contains(&address);
            words(slot).iter().any(near)
        }),
        _ => None,
    };
    slot.map(|slot| slot.path.clone())
}

/// As facts name it: a member with a dot before it, or a variable.
pub(super) fn kept_name(path: &str) -> String {
    let name = last_name(path);
    let is_member = path.contains("->") || path.contains('.');
    if is_member { format!(".{name}") } else { name.to_owned() }
}

/// `list->items[3].name` -> `name`.
pub(crate) fn last_name(path: &str) -> &str {
    let path = path
        .split_once('[')
        .map_or(path, |_| path.trim_end_matches(|c: char| c == ']' || c == '[' || c.is_ascii_digit()));
    path.rsplit(['.', '>']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_a_call_sets() {
        let arguments = calls("r = read_on(&node, &at->x, 1);", "read_on").unwrap();
        assert!(is_addressed(arguments, "node") && !is_addressed(arguments, "nod"));
        assert_eq!(calls("r = spread_on(&node);", "read_on"), None);
        assert_eq!(calls("r = read_on;", "read_on"), None);
    }

    #[test]
    fn members_that_a_line_goes_through() {
        assert_eq!(followed_members("if (f(seg->head->next->n) < q->n)"), ["seg->head", "head->next"]);
        assert_eq!(followed_members("list.first->n = 1;"), ["list.first"]);
        assert!(followed_members("q->n = (x)->m + ->;").is_empty());
    }
}
