//! Cobertura's XML, as continuous integration services read it. It has no MC/DC: branches and lines only.

use crate::xml::escape;
use ::coverage::{Measured, MeasuredFunction};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Clone, Copy, Default)]
struct Counts {
    lines: u64,
    lines_hit: u64,
    sides: u64,
    sides_hit: u64,
}

impl Counts {
    fn rates(self) -> String {
        let rate = |hit: u64, all: u64| if all == 0 { 1.0 } else { hit as f64 / all as f64 };
        format!(
            "line-rate=\"{:.4}\" branch-rate=\"{:.4}\"",
            rate(self.lines_hit, self.lines),
            rate(self.sides_hit, self.sides)
        )
    }
}

pub fn cobertura(measured: &Measured, root: &Path, seconds_since_1970: u64) -> String {
    let mut classes = String::new();
    let mut all = Counts::default();
    for (file, functions) in measured.files() {
        let counts = class(measured, file, &functions, &mut classes);
        all.lines += counts.lines;
        all.lines_hit += counts.lines_hit;
        all.sides += counts.sides;
        all.sides_hit += counts.sides_hit;
    }
    format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n\
         <coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" \
         complexity=\"0\" timestamp=\"{seconds_since_1970}\" version=\"concertino\">\n\
         <sources><source>{}</source></sources>\n<packages><package name=\"\" {} complexity=\"0\">\n<classes>\n\
         {classes}</classes>\n</package></packages>\n</coverage>\n",
        all.rates(),
        all.lines_hit,
        all.lines,
        all.sides_hit,
        all.sides,
        escape(&root.display().to_string()),
        all.rates(),
    )
}

fn class(measured: &Measured, file: &str, functions: &[&MeasuredFunction], text: &mut String) -> Counts {
    let none = BTreeMap::new();
    let lines = measured.lines.get(file).unwrap_or(&none);
    let mut sides: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for branch in functions.iter().flat_map(|function| &function.branches).filter(|b| b.file.is_none()) {
        let (hit, all) = sides.entry(branch.place.line).or_default();
        *hit += u64::from(branch.when_true > 0) + u64::from(branch.when_false > 0);
        *all += 2;
    }
    let line = |number: u32| {
        let hits = lines.get(&number).copied().unwrap_or(0);
        match sides.get(&number) {
            None => format!("<line number=\"{number}\" hits=\"{hits}\" branch=\"false\"/>\n"),
            Some((hit, all)) => format!(
                "<line number=\"{number}\" hits=\"{hits}\" branch=\"true\" condition-coverage=\"{}% ({hit}/{all})\"/>\n",
                100 * hit / all
            ),
        }
    };
    let counts = Counts {
        lines: lines.len() as u64,
        lines_hit: lines.values().filter(|count| **count > 0).count() as u64,
        sides: sides.values().map(|(_, all)| all).sum(),
        sides_hit: sides.values().map(|(hit, _)| hit).sum(),
    };
    let name = escape(file);
    let _ = writeln!(text, "<class name=\"{name}\" filename=\"{name}\" {} complexity=\"0\">", counts.rates());
    text.push_str("<methods>\n");
    for function in functions {
        let own = |number: &u32| (function.line..=function.end_line).contains(number);
        let inside: Vec<u32> = lines.keys().copied().filter(own).collect();
        let branches = function.branch_ratio();
        let rates = Counts {
            lines: inside.len() as u64,
            lines_hit: inside.iter().filter(|line| lines[line] > 0).count() as u64,
            sides: branches.total,
            sides_hit: branches.covered,
        };
        let _ = writeln!(
            text,
            "<method name=\"{}\" signature=\"\" {} complexity=\"0\"><lines>",
            escape(&function.name),
            rates.rates()
        );
        text.extend(inside.iter().map(|number| line(*number)));
        text.push_str("</lines></method>\n");
    }
    text.push_str("</methods>\n<lines>\n");
    text.extend(lines.keys().map(|number| line(*number)));
    text.push_str("</lines>\n</class>\n");
    counts
}
