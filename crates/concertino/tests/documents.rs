//! Documents that repeat what the code says are compared with the code, because such things drift.

use concertino::exit::Exit;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use wire::{Class, End};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Crates of the workspace that each crate uses.
type Arrows = BTreeMap<String, BTreeSet<String>>;

fn workspace() -> Arrows {
    let mut arrows = Arrows::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(path.join("Cargo.toml")) else { continue };
        let manifest: toml::Table = text.parse().unwrap();
        arrows.insert(path.file_name().unwrap().to_string_lossy().into_owned(), uses(&manifest));
    }
    let crates: BTreeSet<String> = arrows.keys().cloned().collect();
    arrows.values_mut().for_each(|uses| uses.retain(|name| crates.contains(name)));
    arrows
}

fn uses(manifest: &toml::Table) -> BTreeSet<String> {
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
    dependencies.into_iter().flat_map(|table| table.keys().cloned()).collect()
}

/// The map in the document, in its order: headings `### crates/NAME`, each followed by a line `Uses: ...`.
fn map() -> Vec<(String, BTreeSet<String>)> {
    let text = read("ARCHITECTURE.md");
    let mut map: Vec<(String, BTreeSet<String>)> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("### crates/") {
            map.push((name.to_owned(), BTreeSet::new()));
        } else if let Some(names) = line.strip_prefix("Uses: ") {
            let names = names.trim_end_matches('.').split(", ").filter(|name| *name != "nothing");
            map.last_mut().expect("a crate before its arrows").1 = names.map(str::to_owned).collect();
        }
    }
    map
}

#[test]
fn the_map_is_the_workspace() {
    let drawn: Arrows = map().into_iter().collect();
    assert_eq!(drawn, workspace(), "left: ARCHITECTURE.md, right: the manifests");
}

#[test]
fn crates_use_only_crates_above_them() {
    let mut above = BTreeSet::new();
    for (name, uses) in map() {
        let below: Vec<&String> = uses.difference(&above).collect();
        assert!(below.is_empty(), "{name} uses {below:?}, which stand below it");
        above.insert(name);
    }
}

/// The cells of a Markdown table's rows, without its head.
fn table(path: &str) -> Vec<Vec<String>> {
    read(path)
        .lines()
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

#[test]
fn the_manual_has_every_exit_code() {
    let expected: Vec<Vec<String>> =
        Exit::ALL.iter().map(|exit| vec![exit.code().to_string(), exit.means().to_owned()]).collect();
    assert_eq!(table("docs/manual/exit-codes.md"), expected);
}

#[test]
fn the_manual_has_every_ending() {
    let expected: Vec<Vec<String>> = End::ALL
        .iter()
        .map(|end| {
            let class = end.class().map(Class::name).unwrap_or_default();
            vec![format!("`{}`", end.name()), end.means().to_owned(), class.to_owned()]
        })
        .collect();
    assert_eq!(table("docs/manual/endings.md"), expected);
}

/// The block of keys is init.toml; `BLESS=1` copies it there.
#[test]
fn the_manual_has_every_key() {
    let template = read("crates/concertino/src/command/init.toml");
    let manual = read("docs/manual/configuration.md");
    let (before, rest) = manual.split_once("```toml\n").expect("a block begins");
    let (block, after) = rest.split_once("```\n").expect("the block ends");
    if std::env::var_os("BLESS").is_some() {
        let blessed = format!("{before}```toml\n{template}```\n{after}");
        std::fs::write(root().join("docs/manual/configuration.md"), blessed).unwrap();
    } else {
        assert_eq!(block, template, "left: the manual, right: init.toml; BLESS=1 copies it");
    }
}

#[test]
fn the_schema_has_every_class() {
    let schema: serde_json::Value = serde_json::from_str(&read("schema/report-v1.json")).unwrap();
    let published = schema["$defs"]["alarm"]["properties"]["class"]["enum"].as_array().unwrap();
    let names: Vec<&str> = published.iter().filter_map(serde_json::Value::as_str).collect();
    assert_eq!(names, Class::ALL.iter().map(|class| class.name()).collect::<Vec<_>>());
}
