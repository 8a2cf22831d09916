//! The terminal summary: what was tested, branch coverage per file, alarms, what was left out.

use crate::json::{NOT_TESTED, Ratio};
use crate::{Findings, Style, alarm, counted};
use campaign::{AlarmView, BranchSide, FunctionView, Level, Status};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines of one list; the rest is counted.
const LISTED: usize = 20;
/// Alarms shown with source and input; the others get a line each.
const SHOWN: usize = 20;
/// Functions named for one reason.
const NAMED: usize = 8;

/// What the end of a search says about its function, the most first.
const TERMINATIONS: [(&str, &str); 5] = [
    ("all-paths", "all paths explored"),
    ("all-branches", "all reachable branches covered"),
    ("all-sides", "every side tried, some undecided"),
    ("budget", "the budget spent"),
    ("stopped", "a stop"),
];

pub fn summary(findings: &Findings<'_>, style: Style) -> String {
    let mut text = String::new();
    functions(findings, style, &mut text);
    coverage(findings, style, &mut text);
    alarms(findings, style, &mut text);
    left_out(findings, style, &mut text);
    engine(findings, style, &mut text);
    text
}

fn count(functions: &[FunctionView], status: Option<Status>) -> u64 {
    functions.iter().filter(|function| function.status == status).count() as u64
}

fn functions(findings: &Findings<'_>, style: Style, text: &mut String) {
    let functions = &findings.view.functions;
    let tests: usize = functions.iter().map(|function| function.tests.len()).sum();
    let _ = write!(
        text,
        "{}: {} tested",
        style.strong(counted(functions.len() as u64, "function")),
        count(functions, Some(Status::Done))
    );
    for (status, word) in
        [(Some(Status::Skipped), "skipped"), (Some(Status::Failed), "failed"), (None, NOT_TESTED)]
    {
        match count(functions, status) {
            0 => {}
            number => {
                let _ = write!(text, ", {number} {word}");
            }
        }
    }
    let _ = writeln!(text, "; {} kept", counted(tests as u64, "test"));
}

fn coverage(findings: &Findings<'_>, style: Style, text: &mut String) {
    let sides = findings.view.sides();
    let mut files: BTreeMap<&str, Vec<bool>> = BTreeMap::new();
    for (BranchSide { file, .. }, covered) in &sides {
        files.entry(file).or_default().push(*covered);
    }
    if files.is_empty() {
        return;
    }
    let widest = files.keys().map(|file| file.chars().count()).max().unwrap_or(0).clamp(5, 60);
    let _ = writeln!(text, "\n{}", style.strong("Branch coverage"));
    for (file, covered) in &files {
        row(file, Ratio::of(covered.iter().copied()), widest, style, text);
    }
    row("total", Ratio::of(sides.into_values()), widest, style, text);
}

fn row(name: &str, ratio: Ratio, widest: usize, style: Style, text: &mut String) {
    let percent = ratio.percent().unwrap_or(100.0);
    let shown = format!("{percent:5.1}%");
    let shown = match percent {
        high if high >= 80.0 => style.good(shown),
        middle if middle >= 50.0 => style.middling(shown),
        _ => style.bad(shown),
    };
    let counts = format!("{}/{}", ratio.covered, ratio.total);
    let _ = writeln!(text, "  {name:<widest$}  {counts:>11}  {shown}");
}

fn alarms(findings: &Findings<'_>, style: Style, text: &mut String) {
    let (dropped, kept): (Vec<_>, Vec<_>) =
        findings.view.alarms.iter().partition(|alarm| alarm.level == Level::Dropped);
    let apart = kept.into_iter().filter(|alarm| alarm.same_cause_as.is_none());
    let (doubtful, alive): (Vec<_>, Vec<_>) = apart.partition(|alarm| alarm.is_doubtful());
    let _ = writeln!(text, "\n{}", style.strong(counted(alive.len() as u64, "alarm")));
    for (number, found) in alive.iter().take(SHOWN).enumerate() {
        if number > 0 {
            text.push('\n');
        }
        text.push_str(&alarm::alarm(findings, found, style));
    }
    if alive.len() > SHOWN {
        let _ = writeln!(text, "\n  and, in short (`concertino explain ID` shows one):");
        for alarm in &alive[SHOWN..] {
            let _ = writeln!(text, "  {} {}", alarm.id, in_short(alarm));
        }
    }
    if !doubtful.is_empty() {
        let count = counted(doubtful.len() as u64, "doubtful alarm");
        let _ = writeln!(text, "\n{}", style.strong(count));
        let lines =
            doubtful.iter().map(|alarm| format!("{} {}: {}", alarm.id, in_short(alarm), doubt(alarm)));
        list(lines, text);
    }
    if !dropped.is_empty() {
        let _ = writeln!(
            text,
            "\n{}",
            style.strong(format!("{} dropped", counted(dropped.len() as u64, "alarm")))
        );
        let lines = dropped.iter().map(|alarm| format!("{} {}: {}", alarm.id, in_short(alarm), alarm.reason));
        list(lines, text);
    }
}

/// Why its score is low.
fn doubt(alarm: &AlarmView) -> String {
    let rules = alarm.evidence["rules"].as_array().map_or(&[][..], Vec::as_slice);
    let against: Vec<&str> = rules
        .iter()
        .filter(|rule| rule["points"].as_f64().is_some_and(|points| points < 0.0))
        .filter_map(|rule| rule["why"].as_str())
        .collect();
    against.join("; ")
}

fn in_short(alarm: &AlarmView) -> String {
    let more = match alarm.same_cause.len() {
        0 => String::new(),
        many => format!(" and {}", counted(many as u64, "more place")),
    };
    format!("{} at {}:{} in {}{more}", alarm.class.name(), alarm.file, alarm.line, alarm.function)
}

fn left_out(findings: &Findings<'_>, style: Style, text: &mut String) {
    for (status, title) in [(Status::Skipped, "Skipped"), (Status::Failed, "Failed")] {
        let lines =
            by_reason(findings.view.functions.iter().filter(|function| function.status == Some(status)));
        if !lines.is_empty() {
            let _ = writeln!(text, "\n{}", style.strong(title));
            list(lines.into_iter(), text);
        }
    }
    if !findings.view.problems.is_empty() {
        let _ = writeln!(text, "\n{}", style.strong("Problems"));
        list(findings.view.problems.iter().map(crate::explain::problem), text);
    }
}

/// One line per reason: what keeps one function out often keeps out many. In the order of the first function.
fn by_reason<'a>(functions: impl Iterator<Item = &'a FunctionView>) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<&FunctionView>)> = Vec::new();
    for function in functions {
        let reason = function.reason.as_deref().unwrap_or("no reason known");
        match groups.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, group)) => group.push(function),
            None => groups.push((reason, vec![function])),
        }
    }
    groups
        .into_iter()
        .map(|(reason, group)| match group.as_slice() {
            [only] => format!("{}: {reason}", only.name),
            many => {
                let named: Vec<&str> =
                    many.iter().take(NAMED).map(|function| function.name.name.as_str()).collect();
                let more = if many.len() > NAMED { ", ..." } else { "" };
                format!("{} functions: {reason}\n{}{more}", many.len(), named.join(", "))
            }
        })
        .collect()
}

fn list(lines: impl ExactSizeIterator<Item = String>, text: &mut String) {
    let more = lines.len().saturating_sub(LISTED);
    for line in lines.take(LISTED) {
        let _ = writeln!(text, "  {}", line.trim_end().replace('\n', "\n    "));
    }
    if more > 0 {
        let _ = writeln!(text, "  ... and {more} more (all are in `concertino report --json`)");
    }
}

fn engine(findings: &Findings<'_>, style: Style, text: &mut String) {
    let statistics = findings.view.statistics();
    let divergences: u64 = statistics.divergences.values().sum();
    let concretisations: u64 = statistics.concretisations.values().sum();
    let line = format!(
        "{}, {}, {}, {}, {} made concrete",
        counted(statistics.executions, "execution"),
        counted(statistics.paths, "path"),
        counted(statistics.queries, "solver question"),
        counted(divergences, "divergence"),
        counted(concretisations, "value"),
    );
    let _ = writeln!(text, "\n{}", style.faint(line));
    if statistics.samples > 0 {
        let line = format!("searches began with {}", counted(statistics.samples, "captured call"));
        let _ = writeln!(text, "{}", style.faint(line));
    }
    if !statistics.assumed.is_empty() {
        let kinds = statistics.assumed.iter().map(|(kind, count)| format!("{count} {kind}"));
        let kept = counted(statistics.ends.get("assumption-failed").copied().unwrap_or(0), "input");
        let line = format!(
            "assumed about inputs: {}; {kept} broke what drivers assume",
            kinds.collect::<Vec<_>>().join(", ")
        );
        let _ = writeln!(text, "{}", style.faint(line));
    }
    if statistics.filtering_ms > 0 {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        let line = format!(
            "{:.1} s of exploring, {:.1} s of checking alarms against callers",
            seconds(statistics.exploring_ms),
            seconds(statistics.filtering_ms)
        );
        let _ = writeln!(text, "{}", style.faint(line));
    }
    let ends: Vec<String> = TERMINATIONS
        .iter()
        .filter_map(|(name, words)| Some((statistics.terminations.get(*name)?, words)))
        .map(|(number, words)| format!("{number} {words}"))
        .collect();
    if !ends.is_empty() {
        let _ = writeln!(text, "{}", style.faint(format!("searches that ended with: {}", ends.join(", "))));
    }
}
