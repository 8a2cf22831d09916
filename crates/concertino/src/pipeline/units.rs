//! Images -> one job per function, with everything a worker needs, or the reason why there is none.

use super::images::{Built, File};
use crate::job::{Driver, Limits, Prepared, PreparedUnit, UnitJob, Work};
use crate::options::{Options, Project};
use campaign::{BranchSide, FunctionName, Problem};
use coverage::{Side, Sides};
use model::{Callee, Function, FunctionId, Program, UnitFileId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use wire::{FunctionKey, Mode};

pub(super) fn prepare(program: Program, built: Built, project: &Project, options: &Options) -> Prepared {
    let identities: BTreeMap<UnitFileId, String> =
        built.files.iter().filter_map(|(id, file)| Some((*id, identity(file.as_ref().ok()?)))).collect();
    let tables = built.files.values().filter_map(|file| file.as_ref().ok()).map(|file| &file.table);
    let sides = Sides::new(tables, |file| shown(&program, file));
    let directories = program.directories();
    let mut units: Vec<PreparedUnit> = program
        .functions
        .iter()
        .map(|function| {
            let (work, key) = match job(&program, &built, function, project, options, &directories) {
                Ok((job, key)) => (Work::Explore(Box::new(job)), Some(key)),
                Err(work) => (work, entry(&built, function)),
            };
            PreparedUnit {
                function: name(function),
                code: code(&program, function.id, &identities),
                branches: key
                    .map_or_else(Vec::new, |key| sides.of_function(key).iter().map(branch_side).collect()),
                work,
            }
        })
        .collect();
    units.sort_by(|left, right| {
        let key = |unit: &PreparedUnit| {
            (unit.function.file.clone(), unit.function.line, unit.function.name.clone())
        };
        key(left).cmp(&key(right))
    });
    let problems = program.problems.iter().chain(&built.problems).map(problem).collect();
    Prepared { units, problems }
}

fn job(
    program: &Program,
    built: &Built,
    function: &Function,
    project: &Project,
    options: &Options,
    directories: &[PathBuf],
) -> Result<(UnitJob, FunctionKey), Work> {
    if let Some(reason) = &function.undrivable {
        return Err(Work::Skip(reason.clone()));
    }
    let file = match built.files.get(&function.file) {
        Some(Ok(file)) => file,
        Some(Err(reason)) => return Err(Work::Fail(first_line(reason))),
        None => return Err(Work::Fail("its file belongs to no image".into())),
    };
    if let Some(reason) = file.unit.refused.get(&function.id) {
        return Err(Work::Fail(reason.clone()));
    }
    if let Some((_, reason)) = file.harness.skipped.iter().find(|(id, _)| *id == function.id) {
        return Err(Work::Skip(reason.clone()));
    }
    let linked = match built.images.get(&file.image) {
        Some(Ok(linked)) => linked,
        Some(Err(reason)) => return Err(Work::Fail(first_line(reason))),
        None => return Err(Work::Fail("its image was not linked".into())),
    };
    let driver = file.harness.drivers.iter().find(|driver| driver.function == function.id);
    let (Some(driver), Some(entry)) = (driver, entry(built, function)) else {
        return Err(Work::Fail("no driver was written for it".into()));
    };
    let default_mode = if options.unit { Mode::Stub } else { Mode::Real };
    let job = UnitJob {
        function: name(function),
        entry,
        image: linked.explore.clone(),
        replay_image: linked.replay.clone(),
        sites: site_files(program, built, file),
        driver: Driver { tu: entry.tu, index: driver.index },
        default_mode,
        modes: vec![(entry, Mode::Real)],
        checks: options.checks.clone(),
        strategy: options.strategy.clone(),
        seed: options.seed,
        time_ms: options.seconds_per_function * 1000,
        solver_time_ms: options.solver_ms,
        limits: Limits {
            execution_ms: options.execution_ms,
            heap_bytes: options.heap_megabytes << 20,
            output_bytes: options.output_kilobytes << 10,
            site_limit: options.site_limit,
        },
        persistent: options.persistent,
        sandbox: options.sandbox,
        root: project.root.clone(),
        directories: directories.to_owned(),
        scratch: project.campaign.join("scratch"),
    };
    Ok((job, entry))
}

/// The function's number in the instrumented program.
fn entry(built: &Built, function: &Function) -> Option<FunctionKey> {
    let table = &built.files.get(&function.file)?.as_ref().ok()?.table;
    let number = table.functions.iter().position(|sites| sites.of_program && sites.name == function.name)?;
    Some(table.function_key(number as u32))
}

fn site_files(program: &Program, built: &Built, file: &File) -> Vec<PathBuf> {
    let image = &program.images[file.image.index()];
    image
        .files
        .iter()
        .filter_map(|file| Some(built.files.get(file)?.as_ref().ok()?.unit.sites.clone()))
        .collect()
}

/// Changes when the code of the function's file, or of a file that it calls into, changes.
fn code(program: &Program, function: FunctionId, identities: &BTreeMap<UnitFileId, String>) -> String {
    let mut files = BTreeSet::new();
    let mut seen = BTreeSet::from([function]);
    let mut open = vec![function];
    while let Some(id) = open.pop() {
        let function = program.function(id);
        files.insert(function.file);
        for callee in &function.calls {
            if let Callee::Defined(callee) = callee
                && seen.insert(*callee)
            {
                open.push(*callee);
            }
        }
    }
    campaign::fingerprint(files.iter().filter_map(|file| identities.get(file)))
}

/// What the object was made of: the build's own stamp.
fn identity(file: &File) -> String {
    let stamp = std::fs::read(file.unit.object.with_extension("stamp")).unwrap_or_default();
    campaign::fingerprint([stamp])
}

pub(super) fn name(function: &Function) -> FunctionName {
    FunctionName {
        file: function.location.file.clone(),
        name: function.name.clone(),
        line: function.location.line,
    }
}

/// A file of the debug information as reports show it: relative to the project where it lies below it.
pub(super) fn shown_below(root: &std::path::Path, file: &str) -> String {
    std::path::Path::new(file)
        .strip_prefix(root)
        .map_or_else(|_| file.to_owned(), |path| path.display().to_string())
}

fn shown(program: &Program, file: &str) -> String {
    shown_below(&program.root, file)
}

pub(super) fn branch_side(side: &Side) -> BranchSide {
    BranchSide {
        file: side.file.clone(),
        line: side.line,
        column: side.column,
        index: side.index,
        side: side.side,
    }
}

fn problem(problem: &model::Problem) -> Problem {
    Problem {
        file: problem.location.as_ref().map(|location| location.file.clone()),
        line: problem.location.as_ref().map(|location| location.line).filter(|line| *line > 0),
        message: problem.message.clone(),
    }
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let head = lines.next().unwrap_or_default();
    match lines.find(|line| line.contains("error")) {
        Some(error) => format!("{head} {}", error.trim()),
        None => head.to_owned(),
    }
}
