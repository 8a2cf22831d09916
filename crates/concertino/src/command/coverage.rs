//! `concertino coverage`: the kept tests, run natively with the compiler's own branch and MC/DC coverage.

use crate::args;
use crate::config::Config;
use crate::exit::{BadInput, Exit, NothingToTest};
use crate::job::{KeptTests, Pipeline};
use crate::options::Options;
use crate::select::Selection;
use crate::sink::Sink;
use crate::{command, project};
use anyhow::{Context, Result};
use campaign::{BranchSide, Directory, FunctionView, Lock, View};
use coverage::Measured;
use report::Style;
use std::collections::{HashMap, HashSet};
use std::io::IsTerminal;
use std::path::Path;

pub fn run(dir: Option<&Path>, args: &args::Coverage, pipeline: &Pipeline) -> Result<Exit> {
    let root = project::root(dir)?;
    let config = Config::load(&root)?;
    let project = project::find(&root, &config, args.database.as_deref())?;
    let directory = Directory::new(&project.campaign);
    let view = View::open(&directory)?;
    let options = options(&view, &config, args.no_sandbox, args.jobs)?;
    let selection = Selection::new(&root, &args.functions, &args.files, &options.exclude)?;
    let tests = kept_tests(&view, &directory, &selection)?;
    if tests.is_empty() {
        return Err(NothingToTest(
            "there are no tests to measure\n  `concertino test` makes them; --function and --file choose among them".into(),
        )
        .into());
    }
    let _lock = Lock::acquire(&directory)?;
    let sink = Sink::new(args.progress);
    let measured = (pipeline.cover)(&project, &options, &tests, &|event| sink.emit(event));
    sink.close();
    let measured = measured?;
    let text = serde_json::to_string(&measured).context("cannot write the measurement")?;
    let path = directory.coverage();
    std::fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    if args.json {
        command::print(&text)?;
    } else {
        let style = Style::for_terminal(std::io::stdout().is_terminal());
        let detail = !args.functions.is_empty();
        command::print(&report::coverage::summary(&measured, &root, detail, style))?;
    }
    Ok(Exit::Success)
}

/// As the last run was started: its tests belong to its units.
pub(crate) fn options(view: &View, config: &Config, no_sandbox: bool, jobs: Option<u32>) -> Result<Options> {
    let last = view.runs.last().context("no run was made yet")?;
    let mut options = Options::of_run(&last.options, config).ok_or_else(|| {
        BadInput(
            "the last run was made by another version of concertino\n  run `concertino test` again".into(),
        )
    })?;
    options.sandbox &= !no_sandbox;
    if let Some(jobs) = jobs {
        options.jobs = jobs as usize;
    }
    Ok(options)
}

pub(crate) fn kept_tests(
    view: &View,
    directory: &Directory,
    selection: &Selection,
) -> Result<Vec<KeptTests>> {
    let mut kept = Vec::new();
    for function in view.functions.iter().filter(|function| selection.contains(&function.name)) {
        let mut inputs = Vec::new();
        for test in &function.tests {
            inputs.push((test.input.clone(), directory.load_input(&test.input)?));
        }
        if !inputs.is_empty() {
            kept.push(KeptTests { function: function.name.clone(), inputs, purposes: purposes(function) });
        }
    }
    Ok(kept)
}

/// For each test, the sides that no test of the function before it takes.
fn purposes(function: &FunctionView) -> HashMap<String, Vec<String>> {
    let mut seen = HashSet::new();
    let mut purposes = HashMap::new();
    for test in &function.tests {
        let new = test.covers.iter().filter(|side| seen.insert(*side));
        let line = |side: &BranchSide| {
            let own = if side.file == function.name.file { String::new() } else { format!("{}:", side.file) };
            format!("{own}{}:{} {}", side.line, side.column, side_name(side.side))
        };
        let sides: Vec<String> = new.map(line).collect();
        let mut lines: Vec<String> = sides.chunks(6).map(|some| format!("  {}", some.join(", "))).collect();
        if !lines.is_empty() {
            lines.insert(0, "takes these branches (line:column) first:".into());
        }
        purposes.insert(test.input.clone(), lines);
    }
    purposes
}

fn side_name(side: u32) -> String {
    match side {
        0 => "false".into(),
        1 => "true".into(),
        case => format!("case {case}"),
    }
}

/// What was measured last, if anything; a file of another version is none.
pub(crate) fn measured(directory: &Directory) -> Option<Measured> {
    let text = std::fs::read_to_string(directory.coverage()).ok()?;
    let measured: Measured = serde_json::from_str(&text).ok()?;
    (measured.version == coverage::measured::VERSION).then_some(measured)
}
