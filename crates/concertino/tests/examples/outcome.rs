//! The outcome of one run against the expectations: every difference, one line each.

use crate::expectation::{Callees, Condition, Expectations, ExpectedAlarm, Shown, Sides};
use campaign::{AlarmView, Directory, FunctionView, Input, Level, Slot, Status, View};
use std::collections::{BTreeMap, BTreeSet};
use wire::Class;

/// Ordinary arithmetic on unrestricted inputs has these nearly everywhere: judged only where asked for.
const EVERYWHERE: [Class; 2] = [Class::SignedOverflow, Class::InvalidShift];

pub(crate) struct Run<'a> {
    pub(crate) callees: Callees,
    pub(crate) source: &'a str,
    pub(crate) view: &'a View,
    pub(crate) directory: &'a Directory,
}

impl Run<'_> {
    pub(crate) fn differences(&self, expected: &Expectations) -> Vec<String> {
        let mut differences = Vec::new();
        if self.callees == Callees::Contexts {
            self.levels(expected, &mut differences);
            return differences;
        }
        self.functions(expected, &mut differences);
        self.coverage(expected, &mut differences);
        self.alarms(expected, &mut differences);
        differences
    }

    fn functions(&self, expected: &Expectations, differences: &mut Vec<String>) {
        if self.view.functions.is_empty() {
            differences.push("no function was found".to_owned());
        }
        for function in &self.view.functions {
            let line = function.name.line;
            let reason = function.reason.as_deref().unwrap_or("no reason");
            let status = function.status.map_or("not tested", Status::name);
            match expected.skipped.iter().find(|(at, _)| *at == line) {
                Some((_, text)) if function.status == Some(Status::Skipped) && reason.contains(text) => {}
                Some((_, text)) => {
                    differences.push(format!(
                        "line {line}: {} is to be skipped for `{text}`; it is {status}: {reason}",
                        function.name.name
                    ));
                }
                None if function.status == Some(Status::Done) => {}
                None => {
                    differences.push(format!("line {line}: {} is {status}: {reason}", function.name.name))
                }
            }
        }
        for function in self.view.functions.iter().filter(|_| expected.predicted) {
            let divergences = &function.statistics.divergences;
            if !divergences.is_empty() {
                differences.push(format!(
                    "line {}: {} does not do what is predicted: {divergences:?}",
                    function.name.line, function.name.name
                ));
            }
        }
        for text in &expected.problems {
            if !self.view.problems.iter().any(|problem| problem.message.contains(text)) {
                differences.push(format!("no problem is told with `{text}`"));
            }
        }
        for (line, ends) in &expected.ends {
            let Some(function) = self.function_at(*line) else {
                differences.push(format!("line {line}: no function is defined here"));
                continue;
            };
            let found = &function.statistics.ends;
            if !ends.iter().any(|end| found.contains_key(end.name())) {
                let names: Vec<&str> = ends.iter().map(|end| end.name()).collect();
                differences.push(format!(
                    "line {line}: {} is to end {}; found {found:?}",
                    function.name.name,
                    names.join(" or ")
                ));
            }
        }
    }

    fn coverage(&self, expected: &Expectations, differences: &mut Vec<String>) {
        let sides = self.view.functions.iter().flat_map(|function| &function.sides);
        let mut by_line: BTreeMap<u32, Vec<_>> = BTreeMap::new();
        for side in sides {
            by_line.entry(side.side.line).or_default().push(side);
        }
        let mut wanted = expected.covered.clone();
        if expected.all_covered {
            let own: BTreeSet<u32> = expected.covered.iter().map(|(line, _)| *line).collect();
            wanted.extend(by_line.keys().filter(|line| !own.contains(line)).map(|line| (*line, Sides::All)));
        }
        for (line, sides) in wanted {
            let Some(found) = by_line.get(&line) else {
                differences.push(format!("line {line}: no branch begins here"));
                continue;
            };
            for view in found {
                let side = &view.side;
                let wanted = match sides {
                    Sides::All => true,
                    Sides::None => false,
                    Sides::True => side.side != 0,
                    Sides::False => side.side == 0,
                };
                if view.covered != wanted {
                    differences.push(format!(
                        "line {line}: column {} branch {} side {} is {}covered{}",
                        side.column,
                        side.index,
                        side.side,
                        if view.covered { "" } else { "not " },
                        view.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default(),
                    ));
                }
            }
        }
    }

    fn alarms(&self, expected: &Expectations, differences: &mut Vec<String>) {
        let wanted: Vec<&ExpectedAlarm> = expected
            .alarms
            .iter()
            .filter(|alarm| alarm.with.is_none_or(|callees| callees == self.callees))
            .collect();
        for alarm in &wanted {
            let here: Vec<&AlarmView> =
                self.view.alarms.iter().filter(|found| found.line == alarm.line).collect();
            let found = here.iter().find(|found| found.class == alarm.class && found.level != Level::Dropped);
            if let Some(found) = found {
                self.never_from_main(alarm, found, differences);
            }
            match (found, &alarm.condition) {
                (None, _) => {
                    let here: Vec<String> = here.iter().map(|found| describe(found)).collect();
                    let class = alarm.class.name();
                    differences.push(format!(
                        "line {}: no {class}; found {}",
                        alarm.line,
                        if here.is_empty() { "nothing".to_owned() } else { here.join("; ") }
                    ));
                }
                (Some(found), Some(condition)) => {
                    if let Err(message) = self.check_input(found, condition) {
                        differences.push(format!("line {}: {} {message}", alarm.line, describe(found)));
                    }
                }
                (Some(_), None) => {}
            }
        }
        if expected.any_alarms {
            return;
        }
        for found in self.view.alarms.iter().filter(|found| found.level != Level::Dropped) {
            let judged = !EVERYWHERE.contains(&found.class) || expected.checks.contains(&found.class);
            if judged && !wanted.iter().any(|alarm| alarm.line == found.line && alarm.class == found.class) {
                differences.push(format!("line {}: nobody expects {}", found.line, describe(found)));
            }
        }
    }

    /// What the calling contexts made of the alarms. A whole-program input is nothing that they look for.
    fn levels(&self, expected: &Expectations, differences: &mut Vec<String>) {
        let wanted: Vec<&ExpectedAlarm> =
            expected.alarms.iter().filter(|alarm| alarm.with.is_none() && alarm.level.is_some()).collect();
        for alarm in &wanted {
            let mut here = self.view.alarms.iter().filter(|found| found.line == alarm.line);
            let found = here.find(|found| found.class == alarm.class);
            let level = found.map(|found| found.level);
            let right = match alarm.level {
                None => true,
                Some(Level::Dropped) => level.is_none_or(|level| level == Level::Dropped),
                Some(Level::Confirmed) => level.is_some_and(|level| level != Level::Dropped),
                // An input of the whole program is the best of contexts.
                Some(Level::Feasible) => level.is_some_and(|level| level <= Level::Feasible),
                wanted => level == wanted,
            };
            if !right {
                let what = found.map_or_else(
                    || "nothing".to_owned(),
                    |found| format!("{}: {}", describe(found), found.reason),
                );
                let wanted = alarm.level.map_or("", Level::name);
                differences.push(format!(
                    "line {}: {} is to be {wanted}; found {what}",
                    alarm.line,
                    alarm.class.name()
                ));
            }
            if let (Some(shown), Some(found)) = (alarm.shown, found)
                && how(found) != shown
            {
                let line = alarm.line;
                differences.push(format!(
                    "line {line}: to be {shown:?}, is {:?}: {}",
                    how(found),
                    describe(found)
                ));
            }
        }
        for found in self.view.alarms.iter().filter(|found| found.level != Level::Dropped) {
            let known =
                expected.alarms.iter().any(|alarm| alarm.line == found.line && alarm.class == found.class);
            if !known && !expected.any_alarms && !EVERYWHERE.contains(&found.class) {
                differences.push(format!("line {}: nobody expects {}", found.line, describe(found)));
            }
        }
    }

    /// With everything real, an alarm that the contexts have to drop is none that main leads to.
    fn never_from_main(&self, alarm: &ExpectedAlarm, found: &AlarmView, differences: &mut Vec<String>) {
        let from_main = std::iter::once(&found.unit).chain(&found.also).any(|unit| unit.name == "main");
        if alarm.level == Some(Level::Dropped) && self.callees == Callees::Real && from_main {
            differences.push(format!("line {}: main leads to {}", alarm.line, describe(found)));
        }
    }

    fn check_input(&self, alarm: &AlarmView, condition: &Condition) -> Result<(), String> {
        let input =
            Input::read(&self.directory.input_path(&alarm.input)).map_err(|error| error.to_string())?;
        let mut met = false;
        for conjunction in &condition.any {
            let mut all = true;
            for comparison in conjunction {
                let slot = input.slots.iter().find(|slot| slot.path == comparison.slot);
                let slot = slot.ok_or_else(|| {
                    let paths: Vec<&str> = input.slots.iter().map(|slot| slot.path.as_str()).collect();
                    format!("has no slot `{}`; it has {paths:?}", comparison.slot)
                })?;
                all &= comparison.holds(self.number(alarm, slot));
            }
            met |= all;
        }
        if met {
            return Ok(());
        }
        let values: Vec<String> =
            input.slots.iter().map(|slot| format!("{} = {}", slot.path, self.number(alarm, slot))).collect();
        Err(format!("is to have an input where {}; it has {}", condition.text, values.join(", ")))
    }

    /// The first element, with the sign that the parameter's declaration gives it.
    fn number(&self, alarm: &AlarmView, slot: &Slot) -> i128 {
        let value = i128::from(slot.elements().first().copied().unwrap_or_default());
        let bits = u32::from(slot.bits.min(64));
        let negative = bits > 0 && value >> (bits - 1) & 1 == 1;
        if negative && !self.is_unsigned(alarm.unit.line, &slot.path) { value - (1 << bits) } else { value }
    }

    fn is_unsigned(&self, line: u32, parameter: &str) -> bool {
        let header: String = self.source.lines().skip(line as usize - 1).take(3).collect();
        let parameters = header.split('{').next().unwrap_or_default();
        parameters
            .split(['(', ')', ','])
            .map(|declaration| declaration.split_whitespace().collect::<Vec<_>>())
            .any(|words| words.last() == Some(&parameter) && words.contains(&"unsigned"))
    }

    fn function_at(&self, line: u32) -> Option<&FunctionView> {
        self.view.functions.iter().find(|function| function.name.line == line)
    }
}

fn how(found: &AlarmView) -> Shown {
    if found.same_cause_as.is_some() {
        Shown::Joined
    } else if found.is_doubtful() {
        Shown::Doubtful
    } else {
        Shown::Reported
    }
}

fn describe(alarm: &AlarmView) -> String {
    let mut text = format!("{} ({}, unit {})", alarm.class.name(), alarm.level.name(), alarm.unit.name);
    if alarm.level == Level::Dropped {
        text.push_str(&format!(": {}", alarm.reason));
    }
    text
}
