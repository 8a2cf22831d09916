//! The site table: places, control-flow graph, counters.

#[allow(dead_code)]
mod support;

use model::sites::{SiteKind, SiteTable};
use std::fmt::Write as _;
use std::path::Path;
use support::{UNOPTIMISED, bitcode, instrumented, kit, tests};

#[test]
fn sites_name_places_blocks_and_counters() {
    let kit = kit("sites");
    let source = tests().join("c/sites/shapes.c");
    let built = instrumented(kit, &source, &[]);
    let table: SiteTable = serde_json::from_slice(&std::fs::read(&built.sites).unwrap()).unwrap();
    assert_eq!(table.tu, support::TU);
    let mut text = String::new();
    for function in &table.functions {
        let owner = if function.of_program { "program" } else { "harness" };
        let _ =
            writeln!(text, "{} line {} of the {owner}: {:?}", function.name, function.line, function.blocks);
        for (block, callee) in &function.calls {
            let _ = writeln!(text, "  block {block} calls {callee}");
        }
    }
    for site in &table.sites {
        assert!(site.file.ends_with("c/sites/shapes.c"), "{}", site.file);
        let (line, column) = site.shown_at();
        let place = format!("{line}:{column}");
        let _ = match &site.kind {
            SiteKind::Branch { counter, successors } => {
                let counter = if *counter == u32::MAX { "none".to_string() } else { counter.to_string() };
                writeln!(text, "{place} branch in block {} to {successors:?}, counter {counter}", site.block)
            }
            SiteKind::Switch { counter, cases, successors } => {
                writeln!(text, "{place} switch on {cases:?} to {successors:?}, counter {counter}")
            }
            SiteKind::Check { class } => writeln!(text, "{place} check {}", class.name()),
            _ => Ok(()),
        };
    }
    let _ = writeln!(text, "{} counters", table.counters);
    compare(&source, &text);
}

#[track_caller]
fn compare(source: &Path, text: &str) {
    let expectation = source.with_extension("expected");
    if std::env::var_os("CONCERTINO_BLESS").is_some() {
        std::fs::write(&expectation, text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&expectation).unwrap_or_default());
}

/// Each with its text up to the end of the line, and in brackets where clang places the branch.
#[test]
fn conditions_are_where_they_begin() {
    let source = tests().join("c/sites/conditions.c");
    let built = instrumented(kit("conditions"), &source, &[]);
    let table: SiteTable = serde_json::from_slice(&std::fs::read(&built.sites).unwrap()).unwrap();
    let lines: Vec<String> = std::fs::read_to_string(&source).unwrap().lines().map(str::to_owned).collect();
    let mut text = String::new();
    for site in table.sites.iter().filter(|site| matches!(site.kind, SiteKind::Branch { .. })) {
        let (line, column) = site.shown_at();
        let rest = lines[line as usize - 1].get(column as usize - 1..).unwrap_or_default();
        let _ = writeln!(text, "{line}:{column} [{}:{}] {rest}", site.line, site.column);
    }
    compare(&source, &text);
}

#[test]
fn what_nothing_leads_to_is_known() {
    let built = instrumented(kit("unreachable"), &tests().join("c/sites/unreachable.c"), &[]);
    let table: SiteTable = serde_json::from_slice(&std::fs::read(&built.sites).unwrap()).unwrap();
    let mut found = Vec::new();
    for site in &table.sites {
        let (first, count) = match &site.kind {
            SiteKind::Branch { counter, .. } => (*counter, 2),
            SiteKind::Switch { counter, cases, .. } => (*counter, cases.len() as u32 + 1),
            _ => continue,
        };
        found.extend(
            (0..count)
                .filter(|side| table.unreachable.contains(&(first + side)))
                .map(|side| (site.line, side)),
        );
    }
    found.sort_unstable();
    assert_eq!(found, [(10, 1), (12, 1), (14, 0), (16, 0), (16, 3), (32, 1), (41, 0), (43, 1)]);
}

/// By clang's numbers of the ways through a decision.
#[test]
fn test_vectors_that_nothing_shows_are_known() {
    let kit = kit("vectors");
    let measures = [
        "-fprofile-instr-generate",
        "-fcoverage-mapping",
        "-fcoverage-mcdc",
        "-Xclang",
        "-disable-llvm-passes",
    ];
    let flags: Vec<&str> = UNOPTIMISED.iter().chain(&measures).copied().collect();
    let request = instrument::Request {
        mode: instrument::Mode::Switch,
        tu: support::TU,
        input: bitcode(kit, &tests().join("c/sites/vectors.c"), &flags),
        inline: None,
        redirects: None,
        output: kit.directory.join("vectors.switched.bc"),
        sites: kit.directory.join("vectors.json"),
        emit_bitcode: None,
        optimise: 0,
    };
    instrument::run(std::path::Path::new(env!("CARGO_BIN_EXE_concertino-instrument")), &request).unwrap();
    let table: SiteTable = serde_json::from_slice(&std::fs::read(&request.sites).unwrap()).unwrap();
    let found: Vec<String> =
        table.unseen_vectors.iter().map(|(name, bits)| format!("{name} {bits:?}")).collect();
    assert_eq!(found, ["coupled {3, 5}", "implied {1}", "known {0}", "twice {3, 4}"]);
}
