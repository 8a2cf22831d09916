//! Answers to "why": of an alarm, a function, or a line of a file.

use crate::evidence::evidence;
use crate::excerpt::excerpt;
use crate::json::NOT_TESTED;
use crate::{Findings, Style, alarm, counted};

use ::coverage::measured::Decision;
use campaign::{AlarmView, FunctionView, Problem, SideView, Status};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What was found under the name that the user gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explained {
    Text(String),
    /// Nothing; names that are near to it.
    Unknown(Vec<String>),
}

/// Explains an alarm (by the beginning of its id), a function (by name, or `FILE:NAME`), or `FILE:LINE`.
pub fn explain(findings: &Findings<'_>, what: &str, style: Style) -> Explained {
    let view = findings.view;
    if let Some((file, line)) =
        what.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?)))
    {
        return explain_line(findings, file, line, style);
    }
    let functions: Vec<&FunctionView> =
        view.functions.iter().filter(|function| is_named(function, what)).collect();
    if !functions.is_empty() {
        let parts: Vec<String> =
            functions.iter().map(|function| explain_function(findings, function, style)).collect();
        return Explained::Text(parts.join("\n"));
    }
    let alarms = view.alarms_named(what);
    if !alarms.is_empty() {
        let parts: Vec<String> = alarms.iter().map(|found| explain_alarm(findings, found, style)).collect();
        return Explained::Text(parts.join("\n"));
    }
    Explained::Unknown(near(findings, what))
}

fn is_named(function: &FunctionView, what: &str) -> bool {
    function.name.name == what
        || what
            .rsplit_once(':')
            .is_some_and(|(file, name)| function.name.name == name && is_file(&function.name.file, file))
}

/// The user may write the end of a path: `parse.c` for `src/parse.c`.
fn is_file(path: &str, written: &str) -> bool {
    let written = written.trim_start_matches("./");
    path == written || path.strip_suffix(written).is_some_and(|before| before.ends_with('/'))
}

fn near(findings: &Findings<'_>, what: &str) -> Vec<String> {
    let wanted = what.to_lowercase();
    findings
        .view
        .functions
        .iter()
        .map(|function| function.name.name.clone())
        .filter(|name| {
            !wanted.is_empty()
                && (name.to_lowercase().contains(&wanted) || wanted.contains(&name.to_lowercase()))
        })
        .take(5)
        .collect()
}

fn explain_function(findings: &Findings<'_>, function: &FunctionView, style: Style) -> String {
    let mut text = format!("{}: ", style.strong(&function.name));
    let reason = function.reason.as_deref().unwrap_or("no reason known");
    let _ = match function.status {
        None => writeln!(text, "{NOT_TESTED}"),
        Some(Status::Skipped) => writeln!(text, "skipped: {reason}"),
        Some(Status::Failed) => writeln!(text, "failed: {reason}"),
        Some(Status::Done) => writeln!(
            text,
            "tested in {:.1} s: {}, {}, {} kept{}",
            function.time_ms as f64 / 1000.0,
            counted(function.statistics.executions, "execution"),
            counted(function.statistics.paths, "path"),
            counted(function.tests.len() as u64, "test"),
            function.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default(),
        ),
    };
    if function.statistics.samples > 0 {
        let samples = counted(function.statistics.samples, "captured call");
        let _ = writeln!(text, "  began with {samples}");
    }
    counts("assumed about inputs", &function.statistics.assumed, &mut text);
    counts("executions ended", &function.statistics.ends, &mut text);
    counts("divergences", &function.statistics.divergences, &mut text);
    counts("made concrete", &function.statistics.concretisations, &mut text);
    counts("solver gave up", &function.statistics.unknown, &mut text);
    invariants(findings, function, &mut text);
    let _ = writeln!(text, "  branches: {} of {} sides covered", function.covered(), function.sides.len());
    uncovered(findings, function, &|_| true, style, &mut text);
    if let Some(measured) = findings.measured
        && let Some(of) = measured.function(&function.name.file, &function.name.name)
    {
        let mut sources = crate::coverage::Sources::new(findings.root);
        let why = |decision: &Decision| Some(no_pair(function, decision));
        text.push_str(&crate::coverage::function_text(measured, of, &why, &mut sources, style));
    }
    let own: Vec<&AlarmView> = findings
        .view
        .alarms
        .iter()
        .filter(|alarm| alarm.unit == function.name || alarm.also.contains(&function.name))
        .collect();
    for found in own {
        let _ = writeln!(
            text,
            "  alarm {}: {} at {}:{} ({})",
            found.id,
            found.class.name(),
            found.file,
            found.line,
            found.level.name()
        );
    }
    text
}

/// The first of them: a function with many members has many.
fn invariants(findings: &Findings<'_>, function: &FunctionView, text: &mut String) {
    const SHOWN: usize = 12;
    let all = findings.invariants_of(&function.name);
    for one in all.iter().take(SHOWN) {
        let _ = writeln!(text, "  in all captured calls: {one}");
    }
    if all.len() > SHOWN {
        let more = all.len() - SHOWN;
        let _ = writeln!(text, "  ... and {more} more (all are in `concertino report --json`)");
    }
}

fn counts(title: &str, counts: &BTreeMap<String, u64>, text: &mut String) {
    if !counts.is_empty() {
        let parts: Vec<String> = counts.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let _ = writeln!(text, "  {title}: {}", parts.join(", "));
    }
}

/// The uncovered sides with what is known about each; `wanted` chooses the lines.
fn uncovered(
    findings: &Findings<'_>,
    function: &FunctionView,
    wanted: &dyn Fn(u32) -> bool,
    style: Style,
    text: &mut String,
) {
    for view in function.sides.iter().filter(|side| !side.covered && wanted(side.side.line)) {
        let side = &view.side;
        let _ = writeln!(
            text,
            "  uncovered {}:{}:{} {}: {}",
            side.file,
            side.line,
            side.column,
            side_name(function, view),
            why(function, view)
        );
        if let Some(lines) = excerpt(findings.root, &side.file, side.line, side.column, "    ", style) {
            text.push_str(&lines);
        }
    }
}

/// The sides of the same branch.
fn siblings<'a>(function: &'a FunctionView, view: &'a SideView) -> impl Iterator<Item = &'a SideView> {
    fn place(view: &SideView) -> (&str, u32, u32, u32) {
        (&view.side.file, view.side.line, view.side.column, view.side.index)
    }
    function.sides.iter().filter(move |other| place(other) == place(view))
}

pub(crate) fn side_name(function: &FunctionView, view: &SideView) -> String {
    let sides = siblings(function, view).count();
    match (sides, view.side.side) {
        (..=2, 0) => "when false".to_owned(),
        (..=2, _) => "when true".to_owned(),
        (_, 0) => "default".to_owned(),
        (_, case) => format!("case {case}"),
    }
}

pub(crate) fn why(function: &FunctionView, view: &SideView) -> String {
    if let Some(why) = &view.why {
        return why.clone();
    }
    match function.status {
        None => return NOT_TESTED.to_owned(),
        Some(Status::Skipped | Status::Failed) => {
            return "the function was not explored, and no other test comes here".to_owned();
        }
        Some(Status::Done) => {}
    }
    if siblings(function, view).any(|other| other.covered) {
        "the branch was reached, this side was never taken".to_owned()
    } else {
        "the branch was never reached".to_owned()
    }
}

/// Why a decision lacks pairs: what keeps a side of it from being taken; where all are taken, how the search ended.
fn no_pair(function: &FunctionView, decision: &Decision) -> String {
    let lines = decision.place.line..=decision.place.end_line;
    let here = |side: &&SideView| side.side.file == function.name.file && lines.contains(&side.side.line);
    let mut reasons =
        function.sides.iter().filter(|side| !side.covered).filter(here).map(|side| why(function, side));
    let all_paths = function.reason.as_deref().is_some_and(|reason| reason.contains("all paths explored"));
    match reasons.find(|why| !why.starts_with("infeasible")) {
        Some(why) => why,
        None if all_paths => {
            "blocked: all paths of the unit were explored, and none completes one".to_owned()
        }
        None => "budget: no input was found that completes one".to_owned(),
    }
}

fn explain_alarm(findings: &Findings<'_>, found: &AlarmView, style: Style) -> String {
    let mut text = alarm::alarm(findings, found, style);
    let _ = writeln!(text, "    score:    {:.2}", found.score);
    for rule in found.evidence["rules"].as_array().into_iter().flatten() {
        let points = rule["points"].as_f64().unwrap_or(0.0);
        let word = |key: &str| rule[key].as_str().unwrap_or_default();
        let _ = writeln!(text, "              {points:+} {}: {}", word("rule"), word("why"));
    }
    let _ = writeln!(text, "    input in: {}", crate::json::input_path(findings, found).display());
    for unit in &found.also {
        let _ = writeln!(text, "    also by:  {unit}");
    }
    text.push_str(&contexts(&found.evidence));
    for line in evidence(&found.evidence) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The story of the calling contexts: each with its verdict and the reason.
fn contexts(evidence: &serde_json::Value) -> String {
    let word = |value: &serde_json::Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let mut text = String::new();
    for context in evidence["contexts"].as_array().into_iter().flatten() {
        let callers: Vec<&str> =
            context["callers"].as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
        let _ = writeln!(
            text,
            "    context:  called by {}: {}: {}",
            callers.join(" -> "),
            word(context, "verdict"),
            word(context, "why")
        );
    }
    if let Some(open) = evidence["open"].as_str() {
        let _ = writeln!(text, "    context:  others: {open}");
    }
    text
}

fn explain_line(findings: &Findings<'_>, file: &str, line: u32, style: Style) -> Explained {
    let view = findings.view;
    let mut text = String::new();
    let mut in_file: Vec<&FunctionView> =
        view.functions.iter().filter(|function| is_file(&function.name.file, file)).collect();
    in_file.sort_by_key(|function| function.name.line);
    for found in view.alarms.iter().filter(|alarm| alarm.line == line && is_file(&alarm.file, file)) {
        text.push_str(&explain_alarm(findings, found, style));
    }
    for function in &view.functions {
        let here: Vec<&SideView> = function
            .sides
            .iter()
            .filter(|side| side.side.line == line && is_file(&side.side.file, file))
            .collect();
        for side in here.iter().filter(|side| side.covered) {
            let _ = writeln!(
                text,
                "  covered {}:{}:{} {}",
                side.side.file,
                line,
                side.side.column,
                side_name(function, side)
            );
        }
        if !here.is_empty() {
            uncovered(findings, function, &|at| at == line, style, &mut text);
        }
    }
    for problem_here in view.problems.iter().filter(|problem| {
        problem.line == Some(line) && problem.file.as_deref().is_some_and(|path| is_file(path, file))
    }) {
        let _ = writeln!(text, "  {}", problem(problem_here));
    }
    // The function that the line is in, as far as the first lines tell.
    match in_file.iter().rev().find(|function| function.name.line <= line) {
        Some(function) if text.is_empty() => {
            let _ = writeln!(text, "no branch and no alarm at {file}:{line}; the function before it:");
            text.push_str(&explain_function(findings, function, style));
        }
        Some(function) => {
            let status = function.status.map_or(NOT_TESTED, Status::name);
            let _ = writeln!(text, "in {}: {status}", function.name);
        }
        None => {}
    }
    if text.is_empty() { Explained::Unknown(Vec::new()) } else { Explained::Text(text) }
}

pub(crate) fn problem(problem: &Problem) -> String {
    match (&problem.file, problem.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", problem.message),
        (Some(file), None) => format!("{file}: {}", problem.message),
        _ => problem.message.clone(),
    }
}
