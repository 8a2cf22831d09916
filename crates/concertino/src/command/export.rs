//! `concertino export`: kept tests as C that compiles in the user's own build.
//!
//! Files that the user changed since the last export are never overwritten: a list of what was written, with a
//! hash of each file, lies beside them.

use crate::args;
use crate::config::Config;
use crate::exit::{BadInput, Exit, NothingToTest};
use crate::job::{Exported, Pipeline};
use crate::select::Selection;
use crate::sink::Sink;
use crate::{command, project};
use anyhow::{Context, Result};
use campaign::{Directory, Lock, View};
use harness::cases::Framework;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::Path;

/// The list of what was written.
const LIST: &str = ".concertino-export";
/// The file that says what is not among the cases, and why.
const LEFT_OUT: &str = "left-out.txt";
/// Reasons that are listed on the terminal.
const LISTED: usize = 20;

pub fn run(dir: Option<&Path>, args: &args::Export, pipeline: &Pipeline) -> Result<Exit> {
    let root = project::root(dir)?;
    let config = Config::load(&root)?;
    let project = project::find(&root, &config, args.database.as_deref())?;
    let directory = Directory::new(&project.campaign);
    let view = View::open(&directory)?;
    let options = command::coverage::options(&view, &config, args.no_sandbox, None)?;
    let selection = Selection::new(&root, &args.functions, &args.files, &options.exclude)?;
    let mut tests = command::coverage::kept_tests(&view, &directory, &selection)?;
    // A case has to pass: what ends otherwise is an alarm, and `concertino replay` shows it.
    let returned: HashSet<&str> = view
        .functions
        .iter()
        .flat_map(|function| &function.tests)
        .filter(|test| test.ending == "returned")
        .map(|test| test.input.as_str())
        .collect();
    let sufficient = match (args.minimal, command::coverage::measured(&directory)) {
        (false, _) => None,
        (true, Some(measured)) => {
            let name = |test: &usize| measured.tests.get(*test).map(|test| test.input.clone());
            Some(measured.sufficient.iter().filter_map(name).collect::<HashSet<String>>())
        }
        (true, None) => {
            return Err(BadInput(
                "which tests suffice is not known yet\n  `concertino coverage` measures it".into(),
            )
            .into());
        }
    };
    for kept in &mut tests {
        kept.inputs.retain(|(name, _)| sufficient.as_ref().is_none_or(|names| names.contains(name)));
        kept.inputs.retain(|(name, _)| returned.contains(name.as_str()));
    }
    tests.retain(|kept| !kept.inputs.is_empty());
    if tests.is_empty() {
        return Err(NothingToTest(
            "there are no tests to export\n  `concertino test` makes them; --function and --file choose among them".into(),
        )
        .into());
    }
    let _lock = Lock::acquire(&directory)?;
    let sink = Sink::new(args.progress);
    let mut frameworks: Vec<Framework> = Vec::new();
    for framework in args.frameworks.iter().map(|framework| Framework::from(*framework)) {
        if !frameworks.contains(&framework) {
            frameworks.push(framework);
        }
    }
    let exported = (pipeline.export)(&project, &options, &tests, &frameworks, &|event| sink.emit(event));
    sink.close();
    let exported = exported?;
    let mut text = String::new();
    for (framework, files) in &exported.files {
        let place = match exported.files.len() {
            1 => args.output.clone(),
            _ => args.output.join(framework.name()),
        };
        text.push_str(&write(&place, files, &exported)?);
    }
    text.push_str(&left_out(&exported));
    command::print(&text)?;
    Ok(if exported.cases == 0 { Exit::Nothing } else { Exit::Success })
}

/// Writes what is new, keeps what the user changed, and says so.
fn write(place: &Path, files: &[(String, String)], exported: &Exported) -> Result<String> {
    std::fs::create_dir_all(place).with_context(|| format!("cannot make {}", place.display()))?;
    let list = place.join(LIST);
    let before: BTreeMap<String, String> = std::fs::read_to_string(&list)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(hash, name)| (name.to_owned(), hash.to_owned()))
        .collect();
    let mut after = before.clone();
    let mut text = String::new();
    let mut written = 0;
    let reasons = exported.left_out.iter().map(|(name, reason)| format!("{name}: {reason}\n")).collect();
    let reasons = (LEFT_OUT.to_owned(), reasons);
    for (name, contents) in files.iter().chain([&reasons]) {
        let path = place.join(name);
        let hash = campaign::fingerprint([contents]);
        match std::fs::read_to_string(&path) {
            Ok(there) if there == *contents => {}
            Ok(there) if before.get(name) != Some(&campaign::fingerprint([&there])) => {
                let aside = place.join(format!("{name}.new"));
                std::fs::write(&aside, contents)
                    .with_context(|| format!("cannot write {}", aside.display()))?;
                let _ = writeln!(text, "{name} was changed and is kept; the new text is in {name}.new");
                continue;
            }
            _ => {
                std::fs::write(&path, contents)
                    .with_context(|| format!("cannot write {}", path.display()))?;
                written += 1;
            }
        }
        after.insert(name.clone(), hash);
    }
    let lines: String = after.iter().map(|(name, hash)| format!("{hash} {name}\n")).collect();
    std::fs::write(&list, lines).with_context(|| format!("cannot write {}", list.display()))?;
    let _ = writeln!(
        text,
        "{} in {}: {written} files written; `make -C {} check` runs them",
        report::counted(exported.cases as u64, "case"),
        place.display(),
        place.display()
    );
    Ok(text)
}

/// How many tests are not among the cases, and the first reasons.
fn left_out(exported: &Exported) -> String {
    let mut text = String::new();
    if !exported.left_out.is_empty() {
        let _ = writeln!(text, "{} left out:", report::counted(exported.left_out.len() as u64, "case"));
        for (name, reason) in exported.left_out.iter().take(LISTED) {
            let _ = writeln!(text, "  {name}: {reason}");
        }
        if exported.left_out.len() > LISTED {
            let _ = writeln!(text, "  ... and {} more, in {LEFT_OUT}", exported.left_out.len() - LISTED);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn export(place: &Path, text: &str) -> String {
        let left_out = vec![("f_1".into(), "it ends in an alarm".into())];
        let exported = Exported { files: vec![], cases: 1, left_out };
        write(place, &[("a.c".into(), text.into())], &exported).unwrap()
    }

    #[test]
    fn a_file_that_the_user_changed_is_kept() {
        let place = std::env::temp_dir().join(format!("concertino-export-{}", std::process::id()));
        let read = |name: &str| std::fs::read_to_string(place.join(name)).unwrap();
        export(&place, "one");
        export(&place, "two");
        assert_eq!(read("a.c"), "two");
        std::fs::write(place.join("a.c"), "mine").unwrap();
        let said = export(&place, "three");
        assert!(said.contains("a.c was changed and is kept"), "{said}");
        assert_eq!((read("a.c").as_str(), read("a.c.new").as_str()), ("mine", "three"));
        // It stays the user's in every later export.
        export(&place, "four");
        assert_eq!(read("a.c"), "mine");
        assert_eq!(read(LEFT_OUT), "f_1: it ends in an alarm\n");
        std::fs::remove_dir_all(&place).unwrap();
    }
}
