//! Kept tests -> native runs with clang's own coverage -> what they cover, down to test vectors.
//!
//! Nothing of the exploration is believed here: the build is another one, and what llvm-cov itself counts is
//! compared with the result.

use super::confirm::{replay_target, to_run};
use super::images;
use super::units::{self, shown_below};
use crate::event::Event;
use crate::job::{KeptTests, UnitJob, Work};
use crate::options::{Options, Project};
use anyhow::Context;
use campaign::{FunctionName, Input};
use coverage::{
    CoverageTools, Measured, Measurement, Profile, RanTest, Refused, mapping, mapping::FunctionMapping,
};
use execute::{ReplayEnd, ReplayTarget};
use model::sites::SiteTable;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use wire::FunctionKey;

/// Runs tests of the program's functions natively and reads what they leave behind.
pub fn cover(
    project: &Project,
    options: &Options,
    tests: &[KeptTests],
    tell: &dyn Fn(Event),
) -> anyhow::Result<Measured> {
    let program = super::load(project, options, tell)?;
    let options = Options { replay: false, coverage: true, ..options.clone() };
    let built = images::build(&program, project, &options, tell)?;
    let tools = CoverageTools::beside(&build::Tools::find()?.clang)?;
    let objects: Vec<PathBuf> =
        built.files.values().filter_map(|file| file.as_ref().ok()?.coverage.as_ref().ok()).cloned().collect();
    let refused = refused(&program, &built);
    let numbers = numbers(&built);
    let images: HashMap<PathBuf, PathBuf> = built
        .images
        .values()
        .filter_map(|image| image.as_ref().ok())
        .filter_map(|image| Some((image.explore.clone(), image.coverage.clone()?)))
        .collect();
    let prepared = units::prepare(program, built, project, &options)?;
    let jobs: HashMap<&FunctionName, &UnitJob> = prepared
        .units
        .iter()
        .filter_map(|unit| match &unit.work {
            Work::Explore(job) => Some((&unit.function, &**job)),
            _ => None,
        })
        .collect();
    let scratch = Scratch::make(&project.campaign.join("scratch"))?;
    let runner = Runner { tools: &tools, images: &images, numbers: &numbers, scratch: &scratch.path };

    tell(Event::Stage { name: "measure", total: tests.len() as u64 });
    let done = AtomicU64::new(0);
    let (events, heard) = std::sync::mpsc::channel();
    let results = std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            let events = events;
            build::for_each(options.jobs, tests, |kept| {
                let number = done.fetch_add(1, Ordering::Relaxed) + 1;
                let result = match jobs.get(&kept.function) {
                    Some(job) => runner.run(job, kept, number),
                    None => Err(anyhow::anyhow!("it is not a function of this program (any more)")),
                };
                let _ = events.send(Event::Step { done: number, item: kept.function.name.clone() });
                result
            })
        });
        for event in heard {
            tell(event);
        }
        running.join().unwrap_or_default()
    });

    let mut mappings = Vec::new();
    let mut problems: Vec<String> = prepared
        .problems
        .iter()
        .map(|problem| problem.message.clone())
        .filter(|p| p.contains("coverage"))
        .collect();
    for object in &objects {
        match mapping::of_object(object) {
            Ok(found) => mappings.extend(completed(found, object)),
            Err(error) => problems.push(error.to_string()),
        }
    }
    let of_program =
        |file: &str| Path::new(file).starts_with(&project.root) && !file.contains("/.concertino/");
    let mut measurement = Measurement::new(mappings, of_program);
    let mut indexed = Vec::new();
    for (kept, result) in tests.iter().zip(results) {
        match result {
            Ok(ran) => {
                for (test, profile) in ran.tests {
                    measurement.add(test, &profile);
                }
                indexed.extend(ran.indexed);
                problems.extend(ran.problems);
            }
            Err(error) => problems.push(format!("{}: not measured: {error:#}", kept.function)),
        }
    }
    let show = |file: &str| shown_below(&project.root, file);
    let mut measured = measurement.finish(show);
    if !indexed.is_empty() && !objects.is_empty() {
        let all = scratch.path.join("all.profdata");
        tools.merge(&indexed, &all)?;
        problems.extend(tools.export(&objects, &all)?.differences(&measured, show));
        let lines = tools.lines(&objects, &all)?.into_iter().filter(|(file, _)| of_program(file));
        measured.lines = lines.map(|(file, lines)| (show(&file), lines)).collect();
    }
    for (file, refused) in refused.iter().filter(|(file, _)| of_program(file)) {
        measured.refuse(&show(file), refused);
    }
    measured.problems.extend(problems);
    name_lines(&mut measured, prepared.units.iter().map(|unit| &unit.function));
    Ok(measured)
}

/// Mappings with what the instrumenter added: counters of edges, and test vectors that it proved never to be shown.
fn completed(mut mappings: Vec<FunctionMapping>, object: &Path) -> Vec<FunctionMapping> {
    let mut table = site_table(object).unwrap_or_default();
    for mapping in &mut mappings {
        mapping.unseen = table.unseen_vectors.remove(&mapping.name).unwrap_or_default();
        mapping.other_sides = table.other_sides.remove(&mapping.name).unwrap_or_default();
    }
    mappings
}

/// The site table beside an object that measures.
fn site_table(object: &Path) -> Option<SiteTable> {
    serde_json::from_slice(&std::fs::read(object.with_extension("sites.json")).ok()?).ok()
}

/// The functions of the exploring build in the build that measures. Coverage mapping makes clang emit inline functions
/// that nothing uses, so that functions have other numbers there; a mode for a wrong one would replace the function
/// under test by its stub.
fn numbers(built: &images::Built) -> HashMap<FunctionKey, FunctionKey> {
    let mut numbers = HashMap::new();
    for file in built.files.values().flatten() {
        let Ok(object) = &file.coverage else { continue };
        let Some(table) = site_table(object) else { continue };
        let by_name: HashMap<(&str, &str, u32), u32> =
            (0..).zip(&table.functions).map(|(number, f)| ((&*f.name, &*f.file, f.line), number)).collect();
        for (number, function) in (0..).zip(&file.table.functions) {
            if let Some(there) = by_name.get(&(&*function.name, &*function.file, function.line)) {
                numbers.insert(file.table.function_key(number), table.function_key(*there));
            }
        }
    }
    numbers
}

/// The decisions that the compiler refused to measure, by absolute file names.
fn refused(program: &model::Program, built: &images::Built) -> Vec<(String, Refused)> {
    let mut found = Vec::new();
    for (id, file) in &built.files {
        let Some(object) = file.as_ref().ok().and_then(|file| file.coverage.as_ref().ok()) else { continue };
        let said = std::fs::read_to_string(object.with_extension("said")).unwrap_or_default();
        let directory = &program.file(*id).directory;
        found.extend(coverage::refused_decisions(&said).into_iter().map(|(file, refused)| {
            let path = directory.join(file);
            (path.canonicalize().unwrap_or(path).display().to_string(), refused)
        }));
    }
    found
}

/// Functions begin where they are named, as everywhere in reports; the mapping knows where their body begins.
fn name_lines<'a>(measured: &mut Measured, functions: impl Iterator<Item = &'a FunctionName> + Clone) {
    for function in &mut measured.functions {
        let named = functions
            .clone()
            .filter(|name| name.file == function.file && name.name == function.name)
            .map(|name| name.line)
            .filter(|line| *line <= function.line)
            .max();
        function.line = named.unwrap_or(function.line);
    }
}

struct Runner<'a> {
    tools: &'a CoverageTools,
    /// Images that measure, by the exploring image.
    images: &'a HashMap<PathBuf, PathBuf>,
    /// Functions of the exploring image in those.
    numbers: &'a HashMap<FunctionKey, FunctionKey>,
    scratch: &'a Path,
}

/// The tests of one function, as they ran.
struct Ran {
    tests: Vec<(RanTest, Profile)>,
    /// All their counters, in LLVM's own form.
    indexed: Option<PathBuf>,
    problems: Vec<String>,
}

impl Runner<'_> {
    fn run(&self, job: &UnitJob, kept: &KeptTests, number: u64) -> anyhow::Result<Ran> {
        let mut ran = Ran { tests: Vec::new(), indexed: None, problems: Vec::new() };
        let mut raw = Vec::new();
        for (index, (name, input)) in kept.inputs.iter().enumerate() {
            let counters = self.scratch.join(format!("{number}-{index}.profraw"));
            let begun = Instant::now();
            let end = match self.execute(&job.of_input(input, false), input, &counters) {
                Ok(end) => end,
                Err(error) => {
                    ran.problems.push(format!("{}: test {name} did not run: {error:#}", kept.function));
                    continue;
                }
            };
            let test = RanTest {
                function: kept.function.name.clone(),
                file: kept.function.file.clone(),
                input: name.clone(),
                end: end_name(end),
                time_ms: begun.elapsed().as_millis() as u64,
            };
            if !counters.is_file() {
                // It was killed from outside, or it closed or removed what is not its own.
                ran.problems.push(format!("{}: test {name} left no counters", kept.function));
            }
            let profile =
                if counters.is_file() { self.tools.read(&counters) } else { Ok(Profile::default()) };
            match profile {
                Ok(profile) => ran.tests.push((test, profile)),
                Err(error) => {
                    ran.problems.push(format!("{}: test {name} left no coverage: {error}", kept.function));
                    continue;
                }
            }
            raw.extend(counters.is_file().then_some(counters));
        }
        if !raw.is_empty() {
            let indexed = self.scratch.join(format!("{number}.profdata"));
            self.tools.merge(&raw, &indexed)?;
            ran.indexed = Some(indexed);
        }
        for file in raw {
            let _ = std::fs::remove_file(file);
        }
        Ok(ran)
    }

    fn execute(&self, job: &UnitJob, input: &Input, counters: &Path) -> anyhow::Result<ReplayEnd> {
        let image = self.images.get(&job.image).context("its image was not built for coverage")?;
        let target = replay_target(job, image);
        let modes = target.modes.iter().filter_map(|(key, mode)| Some((*self.numbers.get(key)?, *mode)));
        let target = ReplayTarget {
            scratch: self.scratch.to_owned(),
            output_limit: 4096,
            filled: false,
            counters: Some(counters.to_owned()),
            modes: modes.collect(),
            ..target
        };
        Ok(execute::replay(&target, &to_run(input))?.end)
    }
}

fn end_name(end: ReplayEnd) -> String {
    match end {
        ReplayEnd::Exit(0) => "returned".into(),
        ReplayEnd::Exit(code @ 129..=192) => signal_name(code - 128),
        ReplayEnd::Exit(code) => format!("exit {code}"),
        ReplayEnd::Signal(signal) => signal_name(signal),
        ReplayEnd::Timeout => "timeout".into(),
        ReplayEnd::AssumptionFailed => "assumption-failed".into(),
        ReplayEnd::Forbidden => "stopped".into(),
    }
}

fn signal_name(signal: i32) -> String {
    match signal {
        libc::SIGALRM => "timeout".into(),
        signal => format!("signal {signal}"),
    }
}

/// Where the runs write; removed with this value.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn make(below: &Path) -> anyhow::Result<Scratch> {
        let path = below.join(format!("measure-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Scratch { path: path.canonicalize()? })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
