//! Images -> one job per function, with everything a worker needs, or the reason why there is none.

use super::captured::Samples;
use super::images::{Built, File, Linked};
use super::surroundings::Surroundings;
use crate::job::{
    ContextPath, Contexts, Driver, Entry, FunctionFacts, Limits, Prepared, PreparedUnit, UnitJob, Work,
};
use crate::options::{Options, Project};
use campaign::{BranchSide, FunctionName, Input, Problem};
use coverage::{Side, Sides};
use model::transitive::CallGraph;
use model::{
    Callee, Field, Function, FunctionId, Global, Image, Kept, Param, Program, TypeId, TypeKind, UnitFileId,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use wire::{FunctionKey, Mode};

/// Captured calls that a function and its callers are run with first: enough to see the ways in which tests use it.
const SAMPLES: usize = 16;
const SAMPLES_OF_CALLER: usize = 4;

pub(super) fn prepare(
    program: Program,
    built: Built,
    project: &Project,
    options: &Options,
) -> anyhow::Result<Prepared> {
    let surroundings = Surroundings::new(&program, project, options)?;
    let maker = Maker {
        program: &program,
        built: &built,
        surroundings,
        samples: match options.samples || options.assume.invariants {
            true => Samples::load(&project.campaign.join("profile"))?,
            false => Samples::default(),
        },
        keys: keys(&built),
        directories: program.directories(),
        project,
        options,
    };
    let identities: BTreeMap<UnitFileId, String> =
        built.files.iter().filter_map(|(id, file)| Some((*id, identity(file.as_ref().ok()?)))).collect();
    let tables = built.files.values().filter_map(|file| file.as_ref().ok()).map(|file| &file.table);
    let sides = Sides::new(tables, |file| shown(&program, file));
    let mut units: Vec<PreparedUnit> = program
        .functions
        .iter()
        .map(|function| {
            let (work, key) = match maker.job(function) {
                Ok((job, key)) => (Work::Explore(Box::new(job)), Some(key)),
                Err(work) => (work, entry(&built, function)),
            };
            PreparedUnit {
                function: name(function),
                code: maker.code(function.id, &work, &identities),
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
    let facts = facts(&program, options.assumes_ranges());
    Ok(Prepared { units, problems, facts })
}

/// What callers check of a parameter, as its driver calls it: `list->at`, `list[].at`.
fn checked(param: &Param) -> impl Iterator<Item = (String, Vec<Kept>)> {
    param.checked.iter().flat_map(|(part, rejected)| {
        let name = &param.name;
        let names = match part.strip_prefix('.') {
            Some(member) => vec![format!("{name}->{member}"), format!("{name}[].{member}")],
            None if part == "[]" => vec![name.clone(), format!("{name}[]")],
            None => vec![format!("{name}{part}")],
        };
        names.into_iter().map(|name| (name, rejected.clone()))
    })
}

fn facts(program: &Program, assume_ranges: bool) -> Vec<FunctionFacts> {
    let graph = CallGraph::of(program);
    let mut complexities: Vec<u32> = program.functions.iter().map(|function| function.complexity).collect();
    complexities.sort_unstable();
    // The fifth from the top; functions without a decision never count as complex.
    let limit = complexities.get(complexities.len() * 4 / 5).copied().unwrap_or(0).max(2);
    let ranged = match assume_ranges {
        true => all_named(program, |field| field.range.is_some(), |global| global.range.is_some()),
        false => BTreeSet::new(),
    };
    let filled = all_named(program, |field| field.is_read, |global| global.is_read);
    let of = |function: &Function| FunctionFacts {
        file: function.location.file.clone(),
        name: function.name.clone(),
        line: function.location.line,
        end_line: function.end_line,
        compared: function.facts.compared.clone(),
        bounded: function.facts.bounded.clone(),
        null_tests: function.facts.null_tests.clone(),
        held_tests: function.facts.held_tests.clone(),
        null_types: function.facts.null_types.clone(),
        params: function.params.iter().map(|param| param.name.clone()).collect(),
        needed: function.facts.needed.clone(),
        checked: function.params.iter().flat_map(checked).collect(),
        written: function.facts.written.clone(),
        ranged: changed(function, &ranged),
        filled: changed(function, &filled),
        list_ends: function.facts.list_ends.clone(),
        ends_sought: function.facts.ends_sought.clone(),
        followed: function.facts.followed.clone(),
        risks: function.facts.risks.clone(),
        member_arrays: function.facts.member_arrays.clone(),
        buffers: function.facts.buffers.clone(),
        has_callers: graph.callers(function.id).iter().any(|caller| *caller != function.id),
        address_taken: function.address_taken,
        complex: function.complexity >= limit,
        never_returns: function.is_noreturn,
    };
    program.functions.iter().map(of).collect()
}

/// Members, with a dot before their names, and globals of which this is so: of several with one name, of all.
fn all_named(
    program: &Program,
    is_member: impl Fn(&Field) -> bool,
    is_global: impl Fn(&Global) -> bool,
) -> BTreeSet<String> {
    let records = program.files.iter().flat_map(|file| file.records.iter().map(move |record| (file, record)));
    let members = records.filter(|(_, record)| !record.is_system).flat_map(|(file, record)| {
        let numbers = record.fields.iter().filter(|field| is_number(&file.ty(field.ty).kind));
        let is_member = &is_member;
        numbers.filter_map(move |field| Some((format!(".{}", field.name.as_ref()?), is_member(field))))
    });
    let globals = program.files.iter().flat_map(|file| {
        let numbers = file.globals.iter().filter(|global| is_number(&file.ty(global.ty).kind));
        let is_global = &is_global;
        numbers.map(move |global| (global.name.clone(), is_global(global)))
    });
    let (those, others): (Vec<_>, Vec<_>) = members.chain(globals).partition(|(_, is_one)| *is_one);
    let open: BTreeSet<String> = others.into_iter().map(|(name, _)| name).collect();
    those.into_iter().map(|(name, _)| name).filter(|name| !open.contains(name)).collect()
}

fn is_number(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::Int { .. } | TypeKind::Enum { .. })
}

/// Those that the function compares or assigns.
fn changed(function: &Function, all: &BTreeSet<String>) -> Vec<String> {
    let facts = &function.facts;
    let named: BTreeSet<&String> =
        facts.compared.iter().chain(&facts.bounded).chain(&facts.written).collect();
    named.into_iter().filter(|name| all.contains(*name)).cloned().collect()
}

/// What the function's driver keeps its inputs to, by kind.
fn assumed(file: &File, function: &Function) -> BTreeMap<String, u64> {
    let drivers = file.harness.drivers.iter().filter(|driver| driver.function == function.id);
    let mut counts = BTreeMap::new();
    for assumed in drivers.flat_map(|driver| &driver.preconditions) {
        *counts.entry(assumed.kind.name().to_owned()).or_default() += 1;
    }
    counts
}

/// What jobs are made of.
struct Maker<'a> {
    program: &'a Program,
    built: &'a Built,
    surroundings: Surroundings<'a>,
    samples: Samples,
    keys: Keys,
    directories: Vec<PathBuf>,
    project: &'a Project,
    options: &'a Options,
}

/// The numbers of functions in the instrumented program, by name and line: a function of a header has one in
/// every file that includes it.
type Keys = BTreeMap<(String, u32), Vec<(FunctionKey, String)>>;

fn keys(built: &Built) -> Keys {
    let mut keys = Keys::new();
    for file in built.files.values().filter_map(|file| file.as_ref().ok()) {
        for (number, sites) in (0..).zip(&file.table.functions).filter(|(_, sites)| sites.of_program) {
            let key = file.table.function_key(number);
            keys.entry((sites.name.clone(), sites.line)).or_default().push((key, sites.file.clone()));
        }
    }
    keys
}

impl Maker<'_> {
    fn job(&self, function: &Function) -> Result<(UnitJob, FunctionKey), Work> {
        let Maker { options, project, .. } = self;
        let mut entry = self.entry(function)?;
        let (file, image, linked) = self.linked(function)?;
        let chosen = self.surroundings.unit(function.id);
        // A program is run as a whole, unless stubs are asked for.
        if function.name != "main" || options.unit == context::Technique::Sut {
            (entry.default_mode, entry.modes) = self.modes(entry.key, &chosen.unit.functions(), image);
        }
        let roots = chosen.roots.iter().filter_map(|(root, related)| {
            let root = self.program.function(*root);
            let mut entry = self.entry(root).ok().filter(|_| image.files.contains(&root.file))?;
            (entry.default_mode, entry.modes) = self.modes(entry.key, related, image);
            Some(entry)
        });
        let job = UnitJob {
            function: entry.function,
            entry: entry.key,
            image: linked.explore.clone(),
            replay_image: linked.replay.clone(),
            sites: site_files(self.program, self.built, file),
            driver: entry.driver,
            default_mode: entry.default_mode,
            modes: entry.modes,
            assumed: assumed(file, function),
            samples: match options.samples {
                true => self.samples.inputs(&name(function), SAMPLES),
                false => Vec::new(),
            },
            invariants: match options.assume.invariants {
                true => self.samples.invariants(&name(function)),
                false => Vec::new(),
            },
            roots: roots.collect(),
            contexts: self.contexts(function, image),
            checks: options.checks.clone(),
            strategy: options.strategy.clone(),
            seed: options.seed,
            time_ms: options.seconds_per_function * 1000,
            solver_time_ms: options.solver_ms,
            record_queries: options.record_queries.clone(),
            limits: Limits {
                execution_ms: options.execution_ms,
                heap_bytes: options.heap_megabytes << 20,
                output_bytes: options.output_kilobytes << 10,
                site_limit: options.site_limit,
                read_limit: options.read_limit,
                write_limit: options.write_limit,
            },
            persistent: options.persistent,
            sandbox: options.sandbox,
            root: project.root.clone(),
            directories: self.directories.clone(),
            scratch: project.campaign.join("scratch"),
        };
        Ok((job, entry.key))
    }

    /// The function's file, and the image in which it is tested.
    fn linked(&self, function: &Function) -> Result<(&File, &Image, &Linked), Work> {
        let file = match self.built.files.get(&function.file) {
            Some(Ok(file)) => file,
            Some(Err(reason)) => return Err(Work::Fail(first_line(reason))),
            None => return Err(Work::Fail("its file belongs to no image".into())),
        };
        let image = &self.program.images[file.image.index()];
        match self.built.images.get(&file.image) {
            Some(Ok(linked)) => Ok((file, image, linked)),
            Some(Err(reason)) => Err(Work::Fail(first_line(reason))),
            None => Err(Work::Fail("its image was not linked".into())),
        }
    }

    /// The function as a place to start from, everything else being real.
    fn entry(&self, function: &Function) -> Result<Entry, Work> {
        if let Some(reason) = &function.undrivable {
            return Err(Work::Skip(reason.clone()));
        }
        let file = match self.built.files.get(&function.file) {
            Some(Ok(file)) => file,
            Some(Err(reason)) => return Err(Work::Fail(first_line(reason))),
            None => return Err(Work::Fail("its file belongs to no image".into())),
        };
        if let Some(reason) = file.unit.refused.drivers.get(&function.id) {
            return Err(Work::Fail(reason.clone()));
        }
        if let Some((_, reason)) = file.harness.skipped.iter().find(|(id, _)| *id == function.id) {
            return Err(Work::Skip(reason.clone()));
        }
        let driver = file.harness.drivers.iter().find(|driver| driver.function == function.id);
        let (Some(driver), Some(key)) = (driver, entry(self.built, function)) else {
            return Err(Work::Fail("no driver was written for it".into()));
        };
        Ok(Entry {
            function: name(function),
            key,
            driver: Driver { tu: key.tu, index: driver.index, has_long: driver.has_long },
            default_mode: Mode::Real,
            modes: vec![(key, Mode::Real)],
            samples: match self.options.samples {
                true => self.samples.inputs(&name(function), SAMPLES_OF_CALLER),
                false => Vec::new(),
            },
            inexact: None,
            bounds: None,
        })
    }

    /// Which functions of the image are real.
    fn modes(
        &self,
        entry: FunctionKey,
        real: &BTreeSet<FunctionId>,
        image: &Image,
    ) -> (Mode, Vec<(FunctionKey, Mode)>) {
        let mut modes = vec![(entry, Mode::Real)];
        if self.surroundings.is_whole() {
            return (Mode::Real, modes);
        }
        for id in real.iter().copied().chain(self.surroundings.never_return()) {
            let keys = self.keys_of(self.program.function(id));
            modes.extend(keys.into_iter().filter(|key| *key != entry).map(|key| (key, Mode::Real)));
        }
        let linked = |file: &UnitFileId| Some(self.built.files.get(file)?.as_ref().ok()?.table.tu);
        let linked: BTreeSet<u32> = image.files.iter().filter_map(linked).collect();
        modes.retain(|(key, _)| linked.contains(&key.tu));
        modes.sort_unstable_by_key(|(key, _)| *key);
        modes.dedup();
        (Mode::Stub, modes)
    }

    /// All copies of a function.
    fn keys_of(&self, function: &Function) -> Vec<FunctionKey> {
        let named = self.keys.get(&(function.name.clone(), function.location.line));
        let here = |file: &str| shown(self.program, file) == function.location.file;
        let mut keys: Vec<FunctionKey> =
            named.into_iter().flatten().filter(|(_, file)| here(file)).map(|(key, _)| *key).collect();
        keys.extend(entry(self.built, function).filter(|key| !keys.contains(key)));
        keys
    }

    fn contexts(&self, function: &Function, image: &Image) -> Contexts {
        if !self.options.contexts {
            return Contexts::default();
        }
        let mut found = self.surroundings.contexts(function.id);
        if function.name == "main" {
            // Its unit may hold stubs: what it does with everything real is what the program does.
            found.contexts = vec![context::Context { callers: vec![function.id], relevant: true }];
        }
        let mut numbers: BTreeMap<FunctionId, Result<usize, String>> = BTreeMap::new();
        let mut entries = Vec::new();
        let mut paths = Vec::new();
        for context in &found.contexts {
            let mut stages = Vec::new();
            for caller in &context.callers {
                let stage = numbers.entry(*caller).or_insert_with(|| {
                    let made = self.stage(*caller, function, image)?;
                    entries.push(made);
                    Ok(entries.len() - 1)
                });
                stages.push(stage.clone());
            }
            let callers = context.callers.iter().map(|caller| self.program.function(*caller).name.clone());
            let inside = context.callers.first().and_then(|outermost| self.surroundings.inside(*outermost));
            paths.push(ContextPath {
                callers: callers.collect(),
                relevant: context.relevant,
                inside,
                stages,
            });
        }
        Contexts {
            entries,
            paths,
            open: self.surroundings.open(function.id, image, found.more),
            time_ms: self.options.seconds_per_function * 1000,
            check: true,
        }
    }

    /// A caller as a place to start from: the program from there on is real.
    fn stage(&self, caller: FunctionId, function: &Function, image: &Image) -> Result<Entry, String> {
        let caller = self.program.function(caller);
        let mut entry = self.entry(caller).map_err(|work| match work {
            Work::Skip(reason) | Work::Fail(reason) => reason,
            Work::Explore(_) => String::new(),
        })?;
        if !image.files.contains(&caller.file) {
            return Err(format!("{} is not linked together with {}", caller.name, function.name));
        }
        let user = self.surroundings.user(caller, function, image);
        entry.inexact = user.or_else(|| self.surroundings.inexact(caller.id, image));
        entry.bounds = self.bounds(caller);
        Ok(entry)
    }

    /// What the driver of a function limits: memory behind pointers has a size.
    fn bounds(&self, function: &Function) -> Option<String> {
        let unit = self.program.file(function.file);
        let pointer = |ty: TypeId| matches!(unit.ty(ty).kind, TypeKind::Pointer { .. } | TypeKind::Record(_));
        let elements = self.options.array_bound;
        if function.name == "main" {
            return None;
        }
        let globals = function.globals.iter().map(|used| unit.global(used.global).ty);
        let mut inputs = function.params.iter().map(|param| param.ty).chain(globals);
        inputs.any(pointer).then(|| format!("at most {elements} elements behind a pointer"))
    }

    /// Changes when the code changes that the result depends on: of the files that the function calls into, of
    /// those from where it is called, and what is real in its unit.
    fn code(&self, function: FunctionId, work: &Work, identities: &BTreeMap<UnitFileId, String>) -> String {
        let mut roots = vec![function];
        let mut unit = String::new();
        if let Work::Explore(job) = work {
            let callers = self.surroundings.contexts(function).contexts.into_iter();
            if job.contexts.check {
                roots.extend(callers.flat_map(|context| context.callers));
            }
            // Paths of images are the same in every run of a campaign, and say nothing about code.
            unit = serde_json::to_string(&(&job.modes, &job.contexts.paths, &job.contexts.open))
                .unwrap_or_default();
            unit.extend(job.roots.iter().map(|root| root.function.to_string()));
            let callers = job.contexts.entries.iter().chain(&job.roots).map(|entry| &entry.samples);
            unit.extend(job.invariants.iter().map(|one| format!("{one} {}", one.samples)));
            unit.extend([&job.samples].into_iter().chain(callers).flatten().map(Input::to_text));
        }
        let code = code(self.program, &roots, identities);
        campaign::fingerprint([code, unit])
    }
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

/// Changes when the code of the functions' files, or of a file that they call into, changes.
fn code(program: &Program, functions: &[FunctionId], identities: &BTreeMap<UnitFileId, String>) -> String {
    let mut files = BTreeSet::new();
    let mut seen: BTreeSet<FunctionId> = functions.iter().copied().collect();
    let mut open = functions.to_vec();
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
