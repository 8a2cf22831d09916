//! What a C file says must come out (tests/README.md has the syntax). A misspelt expectation is an error,
//! so that none is passed over in silence.

use campaign::Level;
use wire::{Class, End};

#[derive(Default)]
pub(crate) struct Expectations {
    pub(crate) alarms: Vec<ExpectedAlarm>,
    pub(crate) covered: Vec<(u32, Sides)>,
    pub(crate) ends: Vec<(u32, Vec<End>)>,
    pub(crate) skipped: Vec<(u32, String)>,
    /// Every branch side of the file that no line of its own speaks about.
    pub(crate) all_covered: bool,
    pub(crate) any_alarms: bool,
    /// It is about what drivers assume: runs without assumptions say nothing.
    pub(crate) only_contexts: bool,
    /// Every execution does what was predicted.
    pub(crate) predicted: bool,
    /// Classes that are judged although ordinary code is full of them.
    pub(crate) checks: Vec<Class>,
    pub(crate) rejected: Option<String>,
    /// What the report says of the file.
    pub(crate) problems: Vec<String>,
    pub(crate) flags: Vec<String>,
    /// Drivers may assume the ranges of values that the program has.
    pub(crate) ranges: bool,
    pub(crate) canary: bool,
}

pub(crate) struct ExpectedAlarm {
    pub(crate) line: u32,
    pub(crate) class: Class,
    /// How the calling contexts judge it, where the line says so.
    pub(crate) level: Option<Level>,
    /// How it is shown then, where the line says so.
    pub(crate) shown: Option<Shown>,
    pub(crate) with: Option<Callees>,
    pub(crate) condition: Option<Condition>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// By itself.
    Reported,
    /// In short, with what speaks against it.
    Doubtful,
    /// As one more place of another alarm.
    Joined,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Callees {
    Stubs,
    Real,
    /// The default: close ones are real, and alarms are judged by the callers.
    Contexts,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sides {
    All,
    True,
    False,
    None,
}

/// One of these must hold as a whole.
pub(crate) struct Condition {
    pub(crate) any: Vec<Vec<Comparison>>,
    pub(crate) text: String,
}

pub(crate) struct Comparison {
    pub(crate) slot: String,
    pub(crate) operator: String,
    pub(crate) value: i128,
}

impl Comparison {
    pub(crate) fn holds(&self, found: i128) -> bool {
        match self.operator.as_str() {
            "=" => found == self.value,
            "!=" => found != self.value,
            "<" => found < self.value,
            "<=" => found <= self.value,
            ">" => found > self.value,
            _ => found >= self.value,
        }
    }
}

impl Expectations {
    pub(crate) fn parse(text: &str) -> Result<Expectations, String> {
        let mut expectations = Expectations::default();
        for (line, content) in (1..).zip(text.lines()) {
            for comment in content.split("/*").skip(1) {
                let comment = comment.split("*/").next().unwrap_or_default().trim();
                let result = if let Some(rest) = comment.strip_prefix("EXPECT-FILE ") {
                    expectations.of_file(rest)
                } else if let Some(rest) = comment.strip_prefix("EXPECT ") {
                    expectations.of_line(line, rest)
                } else {
                    Ok(())
                };
                result.map_err(|message| format!("line {line}: {message}"))?;
            }
        }
        Ok(expectations)
    }

    fn of_file(&mut self, text: &str) -> Result<(), String> {
        let (what, rest) = text.split_once(' ').unwrap_or((text, ""));
        match (what, rest) {
            ("covered", "all") => self.all_covered = true,
            ("alarms", "any") => self.any_alarms = true,
            ("only", "contexts") => self.only_contexts = true,
            ("canary", "") => self.canary = true,
            ("assuming", "ranges") => self.ranges = true,
            ("predicted", "") => self.predicted = true,
            ("rejected", text) if !text.is_empty() => self.rejected = Some(text.to_owned()),
            ("problem", text) if !text.is_empty() => self.problems.push(text.to_owned()),
            ("flags", flags) => self.flags.extend(flags.split_whitespace().map(str::to_owned)),
            ("checks", classes) => {
                for name in classes.split_whitespace() {
                    self.checks.push(class(name)?);
                }
            }
            _ => return Err(format!("`{text}` is no expectation of a file")),
        }
        Ok(())
    }

    fn of_line(&mut self, line: u32, text: &str) -> Result<(), String> {
        let (what, rest) = text.split_once(' ').unwrap_or((text, ""));
        match what {
            "alarm" => self.alarms.push(alarm(line, rest)?),
            "covered" => {
                let sides = match rest {
                    "all" => Sides::All,
                    "true" => Sides::True,
                    "false" => Sides::False,
                    "none" => Sides::None,
                    _ => return Err(format!("`{rest}` names no sides")),
                };
                self.covered.push((line, sides));
            }
            "end" => {
                let end = |name: &str| {
                    let found = End::ALL.iter().find(|end| end.name() == name);
                    found.copied().ok_or_else(|| format!("`{name}` is no ending"))
                };
                self.ends.push((line, rest.split(" or ").map(end).collect::<Result<_, _>>()?));
            }
            "skipped" => self.skipped.push((line, rest.to_owned())),
            _ => return Err(format!("`{text}` is no expectation")),
        }
        Ok(())
    }
}

fn class(name: &str) -> Result<Class, String> {
    serde_json::from_value(serde_json::Value::String(name.to_owned()))
        .map_err(|_| format!("`{name}` is no class of alarms"))
}

fn alarm(line: u32, text: &str) -> Result<ExpectedAlarm, String> {
    let (head, condition) = match text.split_once(" where ") {
        Some((head, condition)) => (head, Some(Condition::parse(condition)?)),
        None => (text, None),
    };
    let mut words = head.split_whitespace();
    let class = class(words.next().unwrap_or_default())?;
    let mut with = None;
    let mut level = None;
    let mut shown = None;
    while let Some(word) = words.next() {
        match word {
            "unit" => level = Some(Level::Unit),
            "dropped" => level = Some(Level::Dropped),
            "feasible" => level = Some(Level::Feasible),
            "confirmed" => level = Some(Level::Confirmed),
            "reported" => shown = Some(Shown::Reported),
            "doubtful" => shown = Some(Shown::Doubtful),
            "joined" => shown = Some(Shown::Joined),
            "with" => {
                with = Some(match words.next() {
                    Some("stubs") => Callees::Stubs,
                    Some("callees") => Callees::Real,
                    other => return Err(format!("`with {}`: stubs or callees", other.unwrap_or_default())),
                });
            }
            _ => return Err(format!("`{word}` is no level")),
        }
    }
    if shown.is_some() && level.is_none() {
        return Err("how an alarm is shown stands behind its level".to_owned());
    }
    Ok(ExpectedAlarm { line, class, level, shown, with, condition })
}

impl Condition {
    fn parse(text: &str) -> Result<Condition, String> {
        let comparison = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let [slot, operator, value] = words[..] else {
                return Err(format!("`{text}` is not SLOT OPERATOR INTEGER"));
            };
            if !["=", "!=", "<", "<=", ">", ">="].contains(&operator) {
                return Err(format!("`{operator}` is no operator"));
            }
            let value = value.parse().map_err(|_| format!("`{value}` is no integer"))?;
            Ok(Comparison { slot: slot.to_owned(), operator: operator.to_owned(), value })
        };
        let all = |text: &str| text.split(" and ").map(comparison).collect();
        let any = text.split(" or ").map(all).collect::<Result<_, _>>()?;
        Ok(Condition { any, text: text.to_owned() })
    }
}
