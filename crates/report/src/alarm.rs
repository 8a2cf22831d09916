//! One alarm for a reader: where, the source line, the input that shows it, what the sanitizers said, how to
//! see it again.

use crate::excerpt::excerpt;
use crate::values::values;
use crate::{Findings, Style};
use campaign::{AlarmView, Level};
use std::fmt::Write;

/// Values of the input that are shown.
const VALUES: usize = 8;

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
    text.push_str(&input(findings, alarm));
    let _ = writeln!(text, "    replayed: {}", alarm.replayed);
    let _ = writeln!(text, "    again:    {} {}", findings.replay, alarm.id);
    text
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
