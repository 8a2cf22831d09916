//! One alarm for a reader: where, the source line, the input that shows it, what the sanitizers said, how to
//! see it again.

use crate::excerpt::excerpt;
use crate::values::values;
use crate::{Findings, Style, counted};
use campaign::{AlarmView, Level};
use std::fmt::Write;

/// Values of the input that are shown.
const VALUES: usize = 8;
/// Calls on the way there that are shown.
const CALLERS: usize = 3;
/// Places named that have the same cause.
const PLACES: usize = 6;

pub(crate) fn alarm(findings: &Findings<'_>, alarm: &AlarmView, style: Style) -> String {
    let mut text = String::new();
    let class = match alarm.level {
        Level::Dropped => style.faint(alarm.class.name()),
        _ => style.bad(alarm.class.name()),
    };
    let place = style.strong(format!("{}:{}", alarm.file, alarm.line));
    let _ =
        writeln!(text, "  {class} at {place} in {}  [{}, {}]", alarm.function, alarm.level.name(), alarm.id);
    if let Some(lines) = excerpt(findings.root, &alarm.file, alarm.line, alarm.column, "    ", style) {
        text.push_str(&lines);
    }
    if !alarm.reason.is_empty() {
        let _ = writeln!(text, "    why:      {}", alarm.reason);
    }
    text.push_str(&callers(alarm));
    text.push_str(&input(findings, alarm));
    text.push_str(&same_cause(findings, alarm));
    let _ = writeln!(text, "    replayed: {}", alarm.replayed);
    let _ = writeln!(text, "    again:    {} {}", findings.replay, alarm.id);
    text
}

/// The calls that lead there, the innermost first.
fn callers(alarm: &AlarmView) -> String {
    let calls = alarm.evidence["stack"].as_array().into_iter().flatten().filter_map(|call| {
        let (file, function) = (call["file"].as_str()?, call["function"].as_str()?);
        Some(format!("    from:     {file}:{} in {function}\n", call["line"]))
    });
    calls.take(CALLERS).collect()
}

/// Where else the same cause makes the function fail.
fn same_cause(findings: &Findings<'_>, alarm: &AlarmView) -> String {
    if let Some(id) = &alarm.same_cause_as {
        return format!("    same as:  {id}, which has the same cause\n");
    }
    let of = |id: &String| findings.view.alarms.iter().find(|other| other.id == *id);
    let places: Vec<String> = alarm
        .same_cause
        .iter()
        .filter_map(of)
        .take(PLACES)
        .map(|other| format!("{}:{} ({})", other.file, other.line, other.class.name()))
        .collect();
    if places.is_empty() {
        return String::new();
    }
    let more = if alarm.same_cause.len() > PLACES { ", ..." } else { "" };
    let count = counted(alarm.same_cause.len() as u64, "more place");
    format!("    and at:   {count} for the same cause: {}{more}\n", places.join(", "))
}

fn input(findings: &Findings<'_>, alarm: &AlarmView) -> String {
    let mut text = String::from("    input of ");
    match findings.directory.load_input(&alarm.input) {
        Ok(input) => {
            // Of a caller, where the alarm was found in a calling context.
            let _ = write!(text, "{}:", input.function);
            let (lines, more) = values(&input, VALUES);
            text.push_str(if lines.is_empty() { " every slot is zero\n" } else { "\n" });
            for line in &lines {
                let _ = writeln!(text, "      {line}");
            }
            if more > 0 {
                let _ = writeln!(text, "      ... and {more} more that are not zero");
            } else if !lines.is_empty() && lines.len() < input.slots.len() {
                text.push_str("      everything else is zero\n");
            }
        }
        Err(error) => {
            let _ = writeln!(text, "{}: {error}", alarm.unit);
        }
    }
    text
}
