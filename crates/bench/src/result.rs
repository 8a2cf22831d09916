//! What a measurement leaves: tables for people, the same cells as JSON, and figures held against targets.

use serde_json::{Map, Value, json};
use std::fmt::Write;

pub(crate) struct Section {
    pub(crate) title: &'static str,
    /// Sentences that say how to read the table, or why it is missing.
    pub(crate) notes: Vec<String>,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Cell>>,
    pub(crate) figures: Vec<Figure>,
}

#[derive(Clone)]
pub(crate) enum Cell {
    Text(String),
    /// With so many digits after the point.
    Number(f64, usize),
    Nothing,
}

/// One number that has a target.
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) target: Target,
}

#[derive(Clone, Copy)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
}

impl Section {
    pub(crate) fn new(title: &'static str, columns: &[&'static str]) -> Section {
        Section { title, notes: Vec::new(), columns: columns.to_vec(), rows: Vec::new(), figures: Vec::new() }
    }

    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(crate) fn figure(&mut self, name: impl Into<String>, value: f64, target: Target) {
        self.figures.push(Figure { name: name.into(), value, target });
    }

    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("## {}\n\n", self.title);
        if !self.rows.is_empty() {
            let _ = writeln!(text, "| {} |", self.columns.join(" | "));
            let _ = writeln!(text, "|---|{}", "---:|".repeat(self.columns.len() - 1));
            for row in &self.rows {
                let cells: Vec<String> = row.iter().map(Cell::to_string).collect();
                let _ = writeln!(text, "| {} |", cells.join(" | "));
            }
            text.push('\n');
        }
        for note in &self.notes {
            let _ = writeln!(text, "{note}\n");
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let row = |cells: &Vec<Cell>| -> Value {
            let named = self.columns.iter().zip(cells);
            named.map(|(column, cell)| ((*column).to_owned(), cell.json())).collect::<Map<_, _>>().into()
        };
        json!({
            "title": self.title,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "notes": self.notes,
            "figures": self.figures.iter().map(Figure::json).collect::<Vec<_>>(),
        })
    }
}

impl Cell {
    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Number(value, _) => json!(value),
            Cell::Nothing => Value::Null,
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cell::Text(text) => f.write_str(text),
            Cell::Number(value, digits) => write!(f, "{value:.digits$}"),
            Cell::Nothing => f.write_str("-"),
        }
    }
}

pub(crate) fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

pub(crate) fn number(value: f64, digits: usize) -> Cell {
    Cell::Number(value, digits)
}

pub(crate) fn count(value: u64) -> Cell {
    Cell::Number(value as f64, 0)
}

impl Figure {
    pub(crate) fn is_met(&self) -> bool {
        match self.target {
            Target::AtLeast(bound) => self.value >= bound,
            Target::AtMost(bound) => self.value <= bound,
        }
    }

    fn json(&self) -> Value {
        json!({ "name": self.name, "value": self.value, "target": self.target.to_string(), "met": self.is_met() })
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::AtLeast(bound) => write!(f, ">= {bound}"),
            Target::AtMost(bound) => write!(f, "<= {bound}"),
        }
    }
}

/// All figures with a target, as one table.
pub(crate) fn targets(sections: &[Section]) -> String {
    let mut text = String::from("## Targets\n\n| figure | measured | target | met |\n|---|---:|---:|---|\n");
    for figure in sections.iter().flat_map(|section| &section.figures) {
        let met = if figure.is_met() { "yes" } else { "no" };
        let _ = writeln!(text, "| {} | {:.2} | {} | {met} |", figure.name, figure.value, figure.target);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_in_both_forms() {
        let mut section = Section::new("Rates", &["unit", "per second"]);
        section.row([text("empty"), number(12.345, 1)]);
        section.row([text("none"), Cell::Nothing]);
        section.note("Measured once.");
        section.figure("empty", 12.345, Target::AtLeast(20.0));
        assert_eq!(
            section.markdown(),
            "## Rates\n\n| unit | per second |\n|---|---:|\n| empty | 12.3 |\n| none | - |\n\nMeasured once.\n\n"
        );
        assert_eq!(section.json()["rows"][0]["per second"], json!(12.345));
        assert_eq!(section.json()["rows"][1]["per second"], Value::Null);
        assert!(targets(&[section]).contains("| empty | 12.35 | >= 20 | no |"));
    }
}
