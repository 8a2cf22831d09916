//! A real program, cjson: functions tested per minute, and what the instrumented build costs beside a plain one.

use crate::clock::{self, Took};
use crate::project::{self, Places};
use crate::result::{Cell, Section, Target, count, number, text};
use anyhow::{Context, bail};
use build::Tools;
use concertino::event::Event;
use concertino::options::{Options, Project, Source};
use model::Program;
use serde_json::Value;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Fetched sources, in a tree of the benchmark's own.
pub(crate) fn fetch(places: &Places, name: &str) -> anyhow::Result<PathBuf> {
    let tree = places.work.join("subjects").join(name);
    let script = places.root.join("scripts/fetch-subject.sh");
    let output = Command::new(script).arg(name).arg(&tree).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{name} cannot be fetched: {}", said.lines().last().unwrap_or_default());
    }
    Ok(tree)
}

/// Functions per minute, the way a user runs it.
pub(crate) fn measure(places: &Places) -> anyhow::Result<Section> {
    let mut section = Section::new(
        "A real program: cjson, one second for each function",
        &["functions", "done", "seconds", "functions per minute", "tests", "executions", "queries"],
    );
    let tree = match fetch(places, "cjson") {
        Ok(tree) => tree,
        Err(error) => {
            section.note(format!("Skipped: {error:#}."));
            return Ok(section);
        }
    };
    let _ = std::fs::remove_dir_all(tree.join(".concertino"));
    let program = concertino()?;
    let start = Instant::now();
    let status = Command::new(&program)
        .args(["test", "--time-per-function", "1"])
        .current_dir(&tree)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    let seconds = start.elapsed().as_secs_f64();
    let report = Command::new(&program).args(["report", "--json"]).current_dir(&tree).output()?;
    let report: Value = serde_json::from_slice(&report.stdout)
        .with_context(|| format!("no report after `concertino test` ({status})"))?;
    let functions = report["functions"].as_array().context("a report without functions")?;
    let done = functions.iter().filter(|function| function["status"] == "done").count();
    let tests: u64 = functions.iter().filter_map(|function| function["tests"].as_u64()).sum();
    let engine = |name: &str| report["engine"][name].as_u64().map_or(Cell::Nothing, count);
    section.row([
        count(functions.len() as u64),
        count(done as u64),
        number(seconds, 1),
        number(done as f64 / seconds * 60.0, 1),
        count(tests),
        engine("executions"),
        engine("queries"),
    ]);
    section.note("`concertino test --time-per-function 1`, build and replay of alarms included.");
    Ok(section)
}

/// The program beside this one.
fn concertino() -> anyhow::Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name("concertino");
    if !path.is_file() {
        bail!("{} is not built", path.display());
    }
    Ok(path)
}

/// What instrumenting costs when a whole program is built.
pub(crate) fn measure_build(places: &Places) -> anyhow::Result<Section> {
    let mut section = Section::new(
        "Building a whole program, CPU seconds",
        &["program", "files", "clang -O1", "model", "runtime", "compile", "link", "ratio", "again"],
    );
    for (name, subject) in [("cjson", "cjson"), ("zlib", "k25")] {
        match fetch(places, subject) {
            Ok(tree) => build_row(places, name, &tree, &mut section)?,
            Err(error) => section.note(format!("Without {name}: {error:#}.")),
        }
    }
    section.note(
        "`ratio`: parsing, harness, clang, instrumenter and linker to the plain build. The runtime is built once per \
         project and stands apart. `again`: a second build with nothing changed, all stages.",
    );
    Ok(section)
}

fn build_row(places: &Places, name: &str, tree: &Path, section: &mut Section) -> anyhow::Result<()> {
    let database = tree.join("compile_commands.json");
    let campaign = places.work.join("build").join(name);
    let _ = std::fs::remove_dir_all(&campaign);
    let project = project::project(tree, Source::Database(database.clone()), campaign.clone());
    let options = Options { replay: false, ..project::options() };
    let program = Program::load(&model::Source::Database(database), &model::Options::default())?;
    let plain = plain_build(&program, &campaign)?;
    let stages = stages(&project, &options)?;
    let again: f64 = self::stages(&project, &options)?.iter().map(|(_, seconds)| seconds).sum();
    let stage =
        |name: &str| stages.iter().find(|(stage, _)| *stage == name).map_or(0.0, |(_, seconds)| *seconds);
    let ratio = (stage("model") + stage("compile") + stage("link")) / plain.cpu;
    section.row([
        text(name),
        count(program.files.len() as u64),
        number(plain.cpu, 2),
        number(stage("model"), 2),
        number(stage("runtime"), 2),
        number(stage("compile"), 2),
        number(stage("link"), 2),
        number(ratio, 1),
        number(again, 2),
    ]);
    section.figure(format!("{name}: instrumented build to plain build, CPU"), ratio, Target::AtMost(12.0));
    Ok(())
}

/// CPU seconds of each stage of the pipeline's preparation.
fn stages(project: &Project, options: &Options) -> anyhow::Result<Vec<(&'static str, f64)>> {
    let begun: RefCell<Vec<(&'static str, f64)>> = RefCell::default();
    let note = |event: Event| {
        if let Event::Stage { name, .. } = event {
            begun.borrow_mut().push((name, clock::with_children()));
        }
    };
    concertino::pipeline::prepare(project, options, &note)?;
    let begun = begun.into_inner();
    let ends = begun.iter().skip(1).map(|(_, at)| *at).chain([clock::with_children()]);
    Ok(begun.iter().zip(ends).map(|((name, from), to)| (*name, to - from)).collect())
}

fn plain_build(program: &Program, campaign: &Path) -> anyhow::Result<Took> {
    let tools = Tools::find()?;
    std::fs::create_dir_all(campaign)?;
    let object = campaign.join("plain.o");
    let (result, took) = clock::took(clock::with_children, || -> anyhow::Result<()> {
        for file in &program.files {
            let mut command = Command::new(&tools.clang);
            command.current_dir(&file.directory).args(&file.flags).args(["-w", "-O1", "-c"]);
            let status = command.arg(&file.path).arg("-o").arg(&object).stderr(Stdio::null()).status()?;
            if !status.success() {
                bail!("{} does not compile", file.path.display());
            }
        }
        Ok(())
    });
    result.map(|()| took)
}
