//! Files as `gcov -b -c` writes them, for tools that read those: one per source file.

use crate::coverage::Sources;
use ::coverage::{Measured, MeasuredFunction};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The name of each file (`src#parse.c.gcov`) and its text.
pub fn gcov(measured: &Measured, root: &Path) -> Vec<(String, String)> {
    let mut sources = Sources::new(root);
    let files = measured.files();
    files
        .into_iter()
        .map(|(file, functions)| {
            let name = format!("{}.gcov", file.trim_start_matches('/').replace('/', "#"));
            (name, text(measured, file, &functions, &mut sources))
        })
        .collect()
}

fn text(
    measured: &Measured,
    file: &str,
    functions: &[&MeasuredFunction],
    sources: &mut Sources<'_>,
) -> String {
    let mut text = format!("        -:    0:Source:{file}\n");
    let counts = measured.lines.get(file);
    let mut branches: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for branch in functions.iter().flat_map(|function| &function.branches).filter(|b| b.file.is_none()) {
        branches.entry(branch.place.line).or_default().extend([branch.when_true, branch.when_false]);
    }
    for (number, line) in (1_u32..).zip(sources.lines(file)) {
        for function in functions.iter().filter(|function| function.line == number) {
            let _ = writeln!(
                text,
                "function {} called {} returned 100% blocks executed {}%",
                function.name,
                function.calls,
                if function.calls > 0 { 100 } else { 0 }
            );
        }
        let count = match counts.and_then(|counts| counts.get(&number)) {
            None => "-".to_owned(),
            Some(0) => "#####".to_owned(),
            Some(count) => count.to_string(),
        };
        let _ = writeln!(text, "{count:>9}:{number:>5}:{line}");
        let reached = counts.and_then(|counts| counts.get(&number)).is_some_and(|count| *count > 0);
        for (index, taken) in branches.get(&number).into_iter().flatten().enumerate() {
            let taken = if reached { format!("taken {taken}") } else { "never executed".to_owned() };
            let _ = writeln!(text, "branch {index:>2} {taken}");
        }
    }
    text
}
