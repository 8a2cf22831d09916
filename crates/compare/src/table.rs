//! The comparison as text for a terminal and for Markdown.

use crate::comparison::{Comparison, Row, Subject};
use std::fmt::Write;

/// One Markdown table per subject, readable as it is.
pub fn text(comparison: &Comparison) -> String {
    let mut text = String::new();
    for subject in &comparison.subjects {
        one(subject, comparison.budget, &mut text);
    }
    text
}

fn one(subject: &Subject, budget: u64, text: &mut String) {
    let _ = writeln!(text, "### {} ({} branch sides)\n", subject.name, subject.total);
    if subject.rows.is_empty() {
        let why = subject.runs.first().map_or("there was no run", |run| run.finished.as_str());
        let _ = writeln!(text, "Nothing to compare: {why}.\n");
        return;
    }
    let quarters = subject.rows.iter().map(|row| row.covered.len() as u64).max().unwrap_or(0);
    let mut heads: Vec<String> = vec!["strategy".into()];
    heads.extend((1..=quarters).map(|quarter| (budget * quarter / quarters.max(1)).to_string()));
    heads.extend(["95%", "to 90%", "p", "A", "s", "select", "us", "B/node", "longest"].map(str::to_owned));
    let mut lines = vec![heads];
    lines.extend(subject.rows.iter().map(cells));
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    for (number, line) in lines.iter().enumerate() {
        let mut shown = String::new();
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 => write!(shown, "| {cell:<width$} "),
                _ => write!(shown, "| {cell:>width$} "),
            };
        }
        let _ = writeln!(text, "{shown}|");
        if number == 0 {
            let rule: Vec<String> = widths
                .iter()
                .enumerate()
                .map(|(column, width)| match column {
                    0 => "-".repeat(width + 2),
                    _ => format!("{}:", "-".repeat(width + 1)),
                })
                .collect();
            let _ = writeln!(text, "|{}|", rule.join("|"));
        }
    }
    let _ = writeln!(
        text,
        "\nMean sides covered at each quarter of {budget} executions, {} repeats. to 90%: executions until {:.1} \
         sides, * where some run did not get there. p: Mann-Whitney against the first row; A: the chance to cover \
         more than it. select: choosing, in percent of the time; us: the same per execution.\n",
        subject.rows.iter().map(|row| row.repeats).max().unwrap_or(0),
        subject.target,
    );
}

fn cells(row: &Row) -> Vec<String> {
    let or_dash = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
    };
    let mut cells = vec![row.strategy.clone()];
    cells.extend(row.covered.iter().map(|value| format!("{value:.1}")));
    cells.push(or_dash(row.interval, 1));
    cells.push(format!("{:.0}{}", row.to_target, if row.missed > 0 { "*" } else { "" }));
    cells.push(or_dash(row.p, 3));
    cells.push(or_dash(row.larger, 2));
    cells.push(format!("{:.1}", row.milliseconds / 1000.0));
    cells.push(format!("{:.2}%", row.selecting_percent));
    cells.push(format!("{:.1}", row.selecting_us_per_execution));
    cells.push(format!("{:.0}", row.bytes_per_node));
    cells.push(row.longest_path.to_string());
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use crate::run::tests::run;

    #[test]
    fn a_table() {
        let runs = vec![
            run("dfs", 1, &[(1, 10), (60, 20)]),
            run("dfs", 2, &[(1, 10), (60, 20)]),
            run("cgs", 1, &[(1, 40)]),
            run("cgs", 2, &[(2, 42)]),
        ];
        let shown = text(&Comparison::new(runs, 100));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "### s (100 branch sides)");
        assert_eq!(
            lines[4],
            "| cgs      | 41.0 | 41.0 | 41.0 | 41.0 | 12.7 |      2 |     - |    - | 0.1 |  2.00% | 20.0 |     30 |       0 |"
        );
        assert!(
            lines[5].starts_with("| dfs      | 10.0 | 10.0 | 20.0 | 20.0 |  0.0 |   100* |"),
            "{}",
            lines[5]
        );
        assert!(lines.iter().all(|line| !line.starts_with('|') || line.chars().count() == lines[2].len()));
    }

    #[test]
    fn a_subject_without_a_result_says_why() {
        let failed = Run { executions: 0, finished: "no driver".into(), ..run("dfs", 1, &[]) };
        assert!(text(&Comparison::new(vec![failed], 5)).contains("Nothing to compare: no driver."));
    }
}
