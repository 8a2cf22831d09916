//! lcov's .info: lines, functions and branches as lcov 1 reads them, and the MC/DC records of lcov 2.

use crate::coverage::Sources;
use ::coverage::{Criterion, Measured, MeasuredFunction};
use std::fmt::Write;
use std::path::Path;

/// Files are named from the root, so that the report can be read anywhere.
pub fn lcov(measured: &Measured, root: &Path) -> String {
    let mut sources = Sources::new(root);
    let mut text = String::from("TN:\n");
    for (file, functions) in measured.files() {
        let _ = writeln!(text, "SF:{}", root.join(file).display());
        for function in &functions {
            let _ = writeln!(text, "FN:{},{}", function.line, function.name);
        }
        for function in &functions {
            let _ = writeln!(text, "FNDA:{},{}", function.calls, function.name);
        }
        let called = functions.iter().filter(|function| function.calls > 0).count();
        let _ = writeln!(text, "FNF:{}\nFNH:{called}", functions.len());
        branches(&functions, &mut text);
        mcdc(file, &functions, &mut sources, &mut text);
        if let Some(lines) = measured.lines.get(file) {
            for (line, count) in lines {
                let _ = writeln!(text, "DA:{line},{count}");
            }
            let hit = lines.values().filter(|count| **count > 0).count();
            let _ = writeln!(text, "LF:{}\nLH:{hit}", lines.len());
        }
        text.push_str("end_of_record\n");
    }
    text
}

fn branches(functions: &[&MeasuredFunction], text: &mut String) {
    let (mut found, mut hit) = (0, 0);
    for (block, branch) in functions.iter().flat_map(|function| &function.branches).enumerate() {
        // Branches of macros of other files are counted where they are used, which lcov cannot say.
        if branch.file.is_some() {
            continue;
        }
        for (side, count) in [branch.when_true, branch.when_false].into_iter().enumerate() {
            let _ = writeln!(text, "BRDA:{},{block},{side},{count}", branch.place.line);
            found += 1;
            hit += u32::from(count > 0);
        }
    }
    let _ = writeln!(text, "BRF:{found}\nBRH:{hit}");
}

/// `MCDC:line,conditions,sense,taken,index,expression`: both senses of a condition are shown by its pair.
fn mcdc(file: &str, functions: &[&MeasuredFunction], sources: &mut Sources<'_>, text: &mut String) {
    let (mut found, mut hit) = (0, 0);
    for decision in functions.iter().flat_map(|function| &function.decisions) {
        let size = decision.conditions.len();
        for (index, condition) in decision.conditions.iter().enumerate().filter(|(_, c)| !c.constant) {
            let taken = u32::from(condition.pair(Criterion::UniqueCause).is_some());
            let expression = sources.part(file, &condition.place).replace(',', " ");
            for sense in ['t', 'f'] {
                let line = decision.place.line;
                let _ = writeln!(text, "MCDC:{line},{size},{sense},{taken},{index},{expression}");
                found += 1;
                hit += taken;
            }
        }
    }
    if found > 0 {
        let _ = writeln!(text, "MCF:{found}\nMCH:{hit}");
    }
}
