//! Program and profile -> the unit and the calling contexts of each function, with the reasons.

use crate::options::{Options, Project};
use crate::select::Selection;
use anyhow::Result;
use context::{
    Dependency, Estimate, Profile, ProfileRun, Relevance, Technique, calling_contexts, correlation, roots,
    unit_of,
};
use model::transitive::CallGraph;
use model::{Callee, Function, FunctionId, GlobalScope, Image, Program, UnitFileId};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// FOCAL's share of all pairs.
const TOP: f64 = 0.3;
/// What a technique compares with its threshold.
type Measure<'m> = &'m dyn Fn(FunctionId) -> f64;

pub(super) struct Surroundings<'p> {
    program: &'p Program,
    pub(super) graph: CallGraph,
    profile: Profile,
    /// With the threshold that its share gives.
    relevance: Option<(Relevance, f64)>,
    technique: Technique,
    threshold: f64,
    depth: usize,
    limit: usize,
    never_return: BTreeSet<FunctionId>,
    /// Globals that some function writes, statics with their file.
    written: BTreeSet<(&'p str, Option<UnitFileId>)>,
    inexact: RefCell<BTreeMap<FunctionId, Option<String>>>,
}

/// The unit of a function as a run uses it.
pub(super) struct Chosen {
    pub(super) unit: context::Unit,
    /// What the choice rests on.
    pub(super) basis: String,
    /// CONCERT: where to start, with the real functions from there; empty when the function is its own root.
    pub(super) roots: Vec<(FunctionId, BTreeSet<FunctionId>)>,
}

impl<'p> Surroundings<'p> {
    pub(super) fn new(
        program: &'p Program,
        project: &Project,
        options: &Options,
    ) -> Result<Surroundings<'p>> {
        let runs = ProfileRun::read_all(&project.campaign.join("profile"))?;
        let (profile, _) = Profile::of_runs(&runs, program);
        let relevance = (options.unit == Technique::Focal && !profile.is_empty()).then(|| {
            let relevance = Relevance::of(&profile, program.functions.len());
            let threshold = relevance.threshold(TOP);
            (relevance, threshold)
        });
        Ok(Surroundings {
            program,
            graph: CallGraph::of(program),
            profile,
            relevance,
            technique: options.unit,
            threshold: options.threshold,
            depth: options.context_depth,
            limit: options.context_limit,
            never_return: program.functions.iter().filter(|f| f.is_noreturn).map(|f| f.id).collect(),
            written: written(program),
            inexact: RefCell::default(),
        })
    }

    /// Everything that is real, whatever the technique.
    pub(super) fn is_whole(&self) -> bool {
        self.technique == Technique::All
    }

    /// Functions that end the program are real always: a stub that returns would go where nothing goes.
    pub(super) fn never_return(&self) -> impl Iterator<Item = FunctionId> {
        self.never_return.iter().copied()
    }

    /// How much the function depends on others, and what that rests on.
    fn dependency(&self, function: FunctionId) -> (Box<dyn Fn(FunctionId) -> f64>, String) {
        let of = Dependency::of(&self.profile, &self.graph, function);
        let tests = self.profile.tests.len();
        if of.runs > 0 {
            let basis = format!("profile: {} of {tests} tests run it", of.runs);
            return (Box::new(move |other| of.on(other)), basis);
        }
        let estimate = Estimate::of(self.program, &self.graph, function);
        let why = if tests == 0 { "no profile was recorded" } else { "no recorded test runs it" };
        (Box::new(move |other| estimate.on(other)), format!("static estimate: {why}"))
    }

    pub(super) fn unit(&self, function: FunctionId) -> Chosen {
        let by = |measure: Measure<'_>, threshold| {
            unit_of(self.program, &self.graph, function, self.technique, measure, threshold)
        };
        match self.technique {
            Technique::Conbrio => {
                let (measure, basis) = self.dependency(function);
                Chosen { unit: by(&measure, self.threshold), basis, roots: Vec::new() }
            }
            Technique::Focal => match &self.relevance {
                Some((relevance, threshold)) => Chosen {
                    unit: by(&|other| relevance.between(function, other), *threshold),
                    basis: format!("profile of {} tests, top 30% of all pairs", self.profile.tests.len()),
                    roots: Vec::new(),
                },
                None => {
                    let (measure, basis) = self.dependency(function);
                    Chosen { unit: by(&measure, self.threshold), basis, roots: Vec::new() }
                }
            },
            Technique::Concert => self.concert(function, &by),
            Technique::Sut | Technique::Distance(_) | Technique::Task | Technique::All => Chosen {
                unit: by(&|_| 0.0, self.threshold),
                basis: "the call graph alone".to_owned(),
                roots: Vec::new(),
            },
        }
    }

    fn concert(&self, function: FunctionId, by: &dyn Fn(Measure<'_>, f64) -> context::Unit) -> Chosen {
        let runs = self.profile.runs(function);
        let (measure, basis): (Box<dyn Fn(FunctionId) -> f64 + '_>, String) = if runs > 0 {
            let tests = self.profile.tests.len();
            let measure = move |other| correlation(&self.profile, function, other);
            (Box::new(measure), format!("profile: {runs} of {tests} tests run it"))
        } else {
            let (measure, basis) = self.dependency(function);
            (measure, basis)
        };
        let found = roots(&self.graph, function, &measure, self.threshold);
        let mut roots: Vec<(FunctionId, BTreeSet<FunctionId>)> = found.related.into_iter().collect();
        roots.retain(|(root, related)| *root != function && related.contains(&function));
        Chosen { unit: by(&measure, self.threshold), basis, roots }
    }

    pub(super) fn contexts(&self, function: FunctionId) -> context::Contexts {
        let (measure, _) = self.dependency(function);
        calling_contexts(&self.graph, function, &measure, self.threshold, self.depth, self.limit)
    }

    /// Why the caller says nothing about other callers: it is of one of several programs that share the
    /// function's file, or of a test or an example.
    pub(super) fn user(&self, caller: &Function, function: &Function, image: &Image) -> Option<String> {
        let is_user = self.program.is_user(caller.file, function.file, image);
        is_user.then(|| format!("{} is but one user of {}", caller.location.file, function.location.file))
    }

    /// Why a caller is not where the program begins: what it is given comes from the program, not from outside.
    pub(super) fn inside(&self, caller: FunctionId) -> Option<String> {
        let function = self.program.function(caller);
        let called = self.graph.callers(caller).iter().any(|other| *other != caller);
        if function.name == "main" || !function.is_static && !called {
            return None;
        }
        Some(format!("only the program itself calls {}, maybe never so", function.name))
    }

    /// Why the program may call the function in other ways than its calling contexts.
    pub(super) fn open(&self, function: FunctionId, image: &Image, more: bool) -> Option<String> {
        let function = self.program.function(function);
        if more {
            Some(format!("it has more than {} calling contexts", self.limit))
        } else if function.address_taken {
            Some("its address is taken, so who calls it is not known for sure".to_owned())
        } else {
            self.program.users(function, image).map(|users| users.to_string())
        }
    }

    /// Why an exploration that begins at `entry` may miss something although it executed every path.
    pub(super) fn inexact(&self, entry: FunctionId, image: &Image) -> Option<String> {
        let known = self.inexact.borrow().get(&entry).cloned();
        known.unwrap_or_else(|| {
            let why = self.find_inexact(entry, image);
            self.inexact.borrow_mut().insert(entry, why.clone());
            why
        })
    }

    fn find_inexact(&self, entry: FunctionId, image: &Image) -> Option<String> {
        let home = self.program.function(entry);
        let reached = self.graph.reachable(entry);
        for id in &reached {
            let function = self.program.function(*id);
            for callee in &function.calls {
                if let Callee::External(name) = callee
                    && image.undefined.iter().any(|(symbol, _)| symbol == name)
                {
                    return Some(format!("{} calls {name}, which nothing defines", function.name));
                }
            }
            if home.name == "main" || function.file == home.file {
                continue;
            }
            let kept = function
                .globals
                .iter()
                .find(|used| used.reads && self.is_written(function.file, used.global));
            if let Some(used) = kept {
                let name = &self.program.file(function.file).global(used.global).name;
                return Some(format!(
                    "{} reads {name}, which keeps its initial value when {} is driven",
                    function.name, home.name
                ));
            }
        }
        None
    }

    /// Some function writes this global.
    fn is_written(&self, file: UnitFileId, global: model::GlobalId) -> bool {
        let wanted = self.program.file(file).global(global);
        if wanted.is_const || wanted.scope != GlobalScope::File {
            return false;
        }
        self.written.contains(&(wanted.name.as_str(), wanted.is_static.then_some(file)))
    }
}

fn written(program: &Program) -> BTreeSet<(&str, Option<UnitFileId>)> {
    let mut written = BTreeSet::new();
    for function in &program.functions {
        let unit = program.file(function.file);
        for used in function.globals.iter().filter(|used| used.writes) {
            let global = unit.global(used.global);
            written.insert((global.name.as_str(), global.is_static.then_some(function.file)));
        }
    }
    written
}

/// The unit of one function, for a person or a script.
#[derive(Clone, Debug, Serialize)]
pub struct Described {
    pub function: campaign::FunctionName,
    pub technique: Technique,
    pub threshold: f64,
    pub basis: String,
    pub real: Vec<DescribedMember>,
    pub stubs: Vec<DescribedMember>,
    /// CONCERT: the functions that are driven instead of this one.
    pub roots: Vec<String>,
    pub contexts: Vec<DescribedContext>,
    /// Why the contexts are not all the ways to call it, where that is so.
    pub open: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct DescribedMember {
    pub name: String,
    pub file: String,
    pub reason: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct DescribedContext {
    /// Outermost first.
    pub callers: Vec<String>,
    pub relevant: bool,
}

/// The units of the selected functions; builds nothing.
pub fn describe(project: &Project, options: &Options, names: &[String]) -> Result<Vec<Described>> {
    let program = super::load(project, options, &|_| {})?;
    let selection = Selection::new(&project.root, names, &[], &options.exclude)?;
    let all: Vec<campaign::FunctionName> = program.functions.iter().map(super::units::name).collect();
    selection.check(&all.iter().collect::<Vec<_>>())?;
    let surroundings = Surroundings::new(&program, project, options)?;
    let wanted = program.functions.iter().zip(all).filter(|(_, name)| selection.contains(name));
    Ok(wanted.map(|(function, name)| surroundings.described(function.id, name)).collect())
}

impl Surroundings<'_> {
    fn described(&self, function: FunctionId, name: campaign::FunctionName) -> Described {
        let chosen = self.unit(function);
        let contexts = self.contexts(function);
        let called = |id: &FunctionId| self.program.function(*id).name.clone();
        let member = |member: &context::Member| {
            let function = self.program.function(member.function);
            let kept = self.never_return.contains(&member.function);
            DescribedMember {
                name: function.name.clone(),
                file: function.location.file.clone(),
                reason: if kept { "never returns".to_owned() } else { member.reason.clone() },
            }
        };
        let stubs = chosen
            .unit
            .stubs
            .iter()
            .partition::<Vec<_>, _>(|stub| self.never_return.contains(&stub.function));
        let image = self
            .program
            .images
            .iter()
            .find(|image| image.files.contains(&self.program.function(function).file));
        Described {
            function: name,
            technique: self.technique,
            threshold: self.threshold,
            basis: chosen.basis,
            real: chosen.unit.real.iter().chain(stubs.0).map(member).collect(),
            stubs: stubs.1.into_iter().map(member).collect(),
            roots: chosen.roots.iter().map(|(root, _)| called(root)).collect(),
            open: image.and_then(|image| self.open(function, image, contexts.more)),
            contexts: contexts
                .contexts
                .iter()
                .map(|context| DescribedContext {
                    callers: context.callers.iter().map(called).collect(),
                    relevant: context.relevant,
                })
                .collect(),
        }
    }
}
