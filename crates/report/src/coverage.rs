//! What was measured natively, for people: figures per file and program; of chosen functions every decision,
//! with its test vectors and the pairs that show each condition's independent effect.

use crate::{Style, counted};
use ::coverage::measured::{Decision, Place};
use ::coverage::{Criterion, Measured, MeasuredFunction, Ratio, Vector};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// Problems that are listed; the rest is counted.
const LISTED: usize = 20;
/// Characters of a condition.
const WIDEST: usize = 60;

pub fn summary(measured: &Measured, root: &Path, detail: bool, style: Style) -> String {
    let mut text = String::new();
    if detail {
        let mut sources = Sources::new(root);
        let tested = |function: &&MeasuredFunction| {
            measured.tests.iter().any(|test| test.function == function.name && test.file == function.file)
        };
        for function in measured.functions.iter().filter(tested) {
            text.push_str(&function_text(measured, function, &|_| None, &mut sources, style));
            text.push('\n');
        }
    }
    let files = measured.files();
    let widest = files.keys().map(|file| file.chars().count()).max().unwrap_or(0).clamp(5, 60);
    let _ = writeln!(
        text,
        "{} ({})",
        style.strong("Coverage measured natively"),
        counted(measured.tests.len() as u64, "test")
    );
    let _ = writeln!(text, "  {:<widest$}  {:>21}  {:>21}", "", "branches", "MC/DC");
    for (file, functions) in &files {
        let branches = functions.iter().map(|function| function.branch_ratio()).sum();
        let mcdc = functions.iter().map(|function| function.mcdc_ratio(Criterion::UniqueCause)).sum();
        row(file, branches, mcdc, widest, style, &mut text);
    }
    let mcdc = measured.mcdc_ratio(Criterion::UniqueCause);
    row("total", measured.branch_ratio(), mcdc, widest, style, &mut text);
    let masking = measured.mcdc_ratio(Criterion::Masking);
    if masking.covered != mcdc.covered {
        let _ = writeln!(
            text,
            "  MC/DC by unique cause, as llvm-cov counts it; with masking {}/{}",
            masking.covered, masking.total
        );
    }
    let beyond = |of: &MeasuredFunction| of.sides_by_subtraction.saturating_sub(of.branch_ratio().covered);
    let untaken: u64 = measured.functions.iter().map(beyond).sum();
    if untaken > 0 {
        let _ = writeln!(
            text,
            "  llvm-cov counts {} more: tests ended before they came to the choice",
            counted(untaken, "side")
        );
    }
    if mcdc.infeasible > 0 {
        let _ = writeln!(
            text,
            "  {} infeasible, proved by the function alone: {}/{} of the others shown",
            counted(mcdc.infeasible, "condition"),
            mcdc.covered,
            mcdc.total - mcdc.infeasible
        );
    }
    let refused: usize = measured.functions.iter().map(|function| function.refused.len()).sum();
    if refused > 0 {
        let _ = writeln!(
            text,
            "  {} not in MC/DC: clang does not measure them (`concertino explain FUNCTION` says which)",
            counted(refused as u64, "decision")
        );
    }
    if measured.sufficient.len() < measured.tests.len() {
        let _ = writeln!(
            text,
            "  {} of the {} have the same coverage (`concertino export --minimal` takes those)",
            measured.sufficient.len(),
            counted(measured.tests.len() as u64, "test")
        );
    }
    problems(measured, style, &mut text);
    text
}

fn problems(measured: &Measured, style: Style, text: &mut String) {
    if measured.problems.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", style.strong("Not measured"));
    for problem in measured.problems.iter().take(LISTED) {
        let _ = writeln!(text, "  {}", problem.trim_end().replace('\n', "\n    "));
    }
    if measured.problems.len() > LISTED {
        let _ = writeln!(text, "  ... and {} more", measured.problems.len() - LISTED);
    }
}

fn row(name: &str, branches: Ratio, mcdc: Ratio, widest: usize, style: Style, text: &mut String) {
    let _ = writeln!(text, "  {name:<widest$}  {}  {}", cell(branches, style), cell(mcdc, style));
}

fn cell(ratio: Ratio, style: Style) -> String {
    if ratio.total == 0 {
        return format!("{:>21}", "-");
    }
    let percent = 100.0 * ratio.covered as f64 / ratio.total as f64;
    let counts = format!("{}/{}", ratio.covered, ratio.total);
    let shown = format!("{percent:6.1}%");
    let shown = match percent {
        high if high >= 80.0 => style.good(shown),
        middle if middle >= 50.0 => style.middling(shown),
        _ => style.bad(shown),
    };
    format!("{counts:>13} {shown}")
}

/// One function: what is missing of its branches, and all its decisions. `why` says why a decision lacks pairs, where
/// that is known.
pub(crate) fn function_text(
    measured: &Measured,
    function: &MeasuredFunction,
    why: &dyn Fn(&Decision) -> Option<String>,
    sources: &mut Sources<'_>,
    style: Style,
) -> String {
    let mut text = String::new();
    let branches = function.branch_ratio();
    let mcdc = function.mcdc_ratio(Criterion::UniqueCause);
    let _ = writeln!(
        text,
        "{} ({}:{}): measured natively: {}/{} branch sides, {}/{} conditions shown independent{}",
        style.strong(&function.name),
        function.file,
        function.line,
        branches.covered,
        branches.total,
        mcdc.covered,
        mcdc.total,
        if mcdc.infeasible > 0 { format!(", {} infeasible", mcdc.infeasible) } else { String::new() }
    );
    for branch in &function.branches {
        let file = branch.file.as_deref().unwrap_or(&function.file);
        for (count, side) in [(branch.when_true, "true"), (branch.when_false, "false")] {
            if count == 0 {
                let written = sources.part(file, &branch.place);
                let _ = writeln!(text, "  {file}:{}: `{written}` was never {side}", branch.place.line);
            }
        }
    }
    for refused in &function.refused {
        let _ = writeln!(
            text,
            "  {}:{}:{}: a decision that MC/DC leaves out: {}",
            function.file, refused.line, refused.column, refused.why
        );
    }
    for decision in &function.decisions {
        text.push_str(&decision_text(measured, &function.file, decision, why, sources, style));
    }
    text
}

fn decision_text(
    measured: &Measured,
    file: &str,
    decision: &Decision,
    why: &dyn Fn(&Decision) -> Option<String>,
    sources: &mut Sources<'_>,
    style: Style,
) -> String {
    let mut text = format!("  {file}:{}: decision of {}\n", decision.place.line, {
        counted(decision.conditions.len() as u64, "condition")
    });
    for (index, condition) in decision.conditions.iter().enumerate() {
        let written = sources.part(file, &condition.place);
        let verdict = match (condition.constant, condition.unique_cause, condition.masking) {
            (true, ..) => style.faint("constant"),
            (_, Some((one, other)), _) => style.good(format!("vectors {} and {}", one + 1, other + 1)),
            (_, None, Some((one, other))) => {
                style.middling(format!("vectors {} and {}, by masking only", one + 1, other + 1))
            }
            _ if condition.infeasible == [Criterion::UniqueCause] => {
                style.bad("no pair; infeasible by unique cause, masking may show it")
            }
            _ if condition.infeasible.contains(&Criterion::Masking) => {
                style.faint("infeasible: of every pair that shows it one vector is proved impossible")
            }
            _ => style.bad(why(decision).map_or("no pair".to_owned(), |why| format!("no pair: {why}"))),
        };
        let _ = writeln!(text, "    C{:<3} {written:<40} {verdict}", index + 1);
    }
    for (index, (vector, tests)) in decision.vectors.iter().zip(&decision.shown_by).enumerate() {
        let shown: Vec<&str> = tests
            .iter()
            .filter_map(|test| measured.tests.get(*test))
            .map(|test| test.input.get(..8).unwrap_or(&test.input))
            .take(3)
            .collect();
        let more = if tests.len() > shown.len() { ", ..." } else { "" };
        let _ = writeln!(text, "    {:>4}  {}   by {}{more}", index + 1, letters(vector), shown.join(", "));
    }
    text
}

/// `T F - = F`
fn letters(vector: &Vector) -> String {
    let letter = |value: &Option<bool>| match value {
        Some(true) => "T ",
        Some(false) => "F ",
        None => "- ",
    };
    let values: String = vector.values.iter().map(letter).collect();
    format!("{values}= {}", if vector.outcome { "T" } else { "F" })
}

/// Parts of source files, which are read once.
pub(crate) struct Sources<'a> {
    root: &'a Path,
    files: HashMap<String, Vec<String>>,
}

impl<'a> Sources<'a> {
    pub(crate) fn new(root: &'a Path) -> Sources<'a> {
        Sources { root, files: HashMap::new() }
    }

    pub(crate) fn lines(&mut self, file: &str) -> &[String] {
        let root = self.root;
        self.files.entry(file.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(root.join(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        })
    }

    /// What stands at a place, on one line; a place that is not in the file gives its line number.
    pub(crate) fn part(&mut self, file: &str, place: &Place) -> String {
        let lines = self.lines(file);
        let mut parts = Vec::new();
        for number in place.line..=place.end_line.min(place.line.saturating_add(8)) {
            let Some(line) = lines.get(number as usize - 1) else { break };
            let begin = if number == place.line { place.column as usize - 1 } else { 0 };
            let end = if number == place.end_line { place.end_column as usize - 1 } else { line.len() };
            parts.extend(line.get(begin..end.min(line.len())).map(str::trim));
        }
        let joined = parts.join(" ");
        match joined.chars().count() {
            0 => format!("line {}", place.line),
            long if long > WIDEST => joined.chars().take(WIDEST - 3).chain("...".chars()).collect(),
            _ => joined,
        }
    }
}
