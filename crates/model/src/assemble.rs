//! Puts parsed units together: numbers functions, resolves callees, joins what units know of each other.
//!
//! A function in a header is one function, owned by the first unit that has it; a function in a file that
//! is itself compiled belongs to that file's unit.

use crate::checked;
use crate::checks::Checks;
use crate::database::CompileCommand;
use crate::derived;
use crate::ending::{Ending, is_ending_of_library};
use crate::facts::Arguments;
use crate::handed::{self, HandedOn};
use crate::images::Symbols;
use crate::never_null::{Need, Results};
use crate::parse::{ParsedFunction, ParsedUnit};
use crate::paths::Root;
use crate::program::*;
use crate::ranges::{Names, Ranges};
use crate::tag::Tags;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What makes an included function the same in two units.
type Key = (String, u32, String);

fn key(function: &Function) -> Key {
    (function.location.file.clone(), function.location.line, function.name.clone())
}

/// What is settled when it is known what is linked with what.
pub(crate) struct Pending {
    /// Where variables get their values.
    ranges: Ranges,
    /// By function.
    checks: Vec<Checks>,
    numbering: Numbering,
}

impl Pending {
    /// `complete`: every unit of the program was read.
    pub(crate) fn settle(self, program: &mut Program, symbols: &Symbols, complete: bool) {
        self.ranges.settle(program, complete);
        let resolve = |file, name: &str| self.numbering.resolve(symbols, file, name);
        checked::settle(program, &self.checks, &resolve, complete);
    }
}

/// The program, and what is still to be told about it.
pub(crate) fn program(
    root: Root,
    units: Vec<(CompileCommand, ParsedUnit)>,
    symbols: &Symbols,
) -> (Program, Pending) {
    let mut units = units;
    share_field_targets(&mut units);
    share_global_targets(&mut units);
    share_sizes(&mut units);
    derived::share(&mut units);
    let mut numbering = Numbering::default();
    numbering.number(&units);

    let mut program = Program { root: root.path.clone(), ..Program::default() };
    let mut taken = Vec::new();
    let mut ranges = Ranges::default();
    let mut tags = Tags::default();
    let mut calls: Vec<(UnitFileId, Vec<String>)> = Vec::new();
    let mut endings: Vec<Ending> = Vec::new();
    let mut results: Vec<Results> = Vec::new();
    let mut passed_arrays: Vec<Vec<(GlobalId, String, usize)>> = Vec::new();
    let mut kept: Vec<Vec<String>> = Vec::new();
    let mut arguments: Vec<(UnitFileId, Arguments)> = Vec::new();
    let mut handed_on: Vec<HandedOn> = Vec::new();
    let mut checks: Vec<Checks> = Vec::new();
    for (index, (command, unit)) in units.into_iter().enumerate() {
        let file = UnitFileId(index as u32);
        let names = Names {
            file,
            function: &|name| numbering.resolve(symbols, file, name),
            symbol: &|id| {
                let global = &unit.globals[id.index()];
                (!global.is_static).then(|| global.name.clone())
            },
            records: &unit.records,
            record_places: &unit.record_places,
        };
        ranges.add_records(&names);
        unit.flows.into_iter().for_each(|flows| ranges.add(&names, flows));
        taken.extend(unit.address_taken.into_iter().map(|name| (file, name)));
        for parsed in unit.functions {
            let id = FunctionId(program.functions.len() as u32);
            if !numbering.owns(file, &parsed, id) {
                continue;
            }
            calls.push((file, parsed.calls));
            endings.push(parsed.ending);
            results.push(parsed.results);
            passed_arrays.push(parsed.passed);
            kept.push(parsed.kept);
            arguments.extend(parsed.arguments.into_iter().map(|call| (file, call)));
            handed_on.push(parsed.handed);
            checks.push(parsed.checks);
            program.functions.push(Function { id, file, ..parsed.function });
        }
        program.files.push(TranslationUnit {
            id: file,
            tag: tags.tag(&root.relative(&command.path), &command.flags),
            path: command.path,
            directory: command.directory,
            flags: command.flags,
            types: unit.types,
            records: unit.records,
            globals: unit.globals,
            externs: unit.externs,
        });
    }

    for (function, (file, names)) in program.functions.iter_mut().zip(calls) {
        function.calls = names
            .into_iter()
            .map(|name| match numbering.resolve(symbols, file, &name) {
                Some(id) => Callee::Defined(id),
                None => Callee::External(name),
            })
            .collect();
    }
    let resolve = |file, name: &str| numbering.resolve(symbols, file, name);
    mark_never_returning(&mut program, &endings, &resolve);
    mark_never_null(&mut program, &results, &resolve);
    mark_written(&mut program, &passed_arrays, &kept, &resolve);
    let mut passed: HashMap<FunctionId, Vec<Passed>> = HashMap::new();
    for (file, (name, values)) in arguments {
        if let Some(id) = numbering.resolve(symbols, file, &name) {
            let count = program.functions[id.index()].params.len();
            let passed = passed.entry(id).or_insert_with(|| vec![Passed::default(); count]);
            for (index, passed) in passed.iter_mut().enumerate() {
                let argument = values.get(index);
                pass(&mut passed.constants, argument.and_then(|argument| argument.constant));
                passed.room = argument.and_then(|argument| argument.room).unwrap_or(0).min(passed.room);
            }
        }
    }
    for (id, passed) in passed {
        for (param, passed) in program.functions[id.index()].params.iter_mut().zip(passed) {
            param.constants = passed.constants.map(|values| values.into_iter().collect());
            param.room = Some(passed.room).filter(|room| *room > 0);
        }
    }
    handed::share(&mut program.functions, &handed_on, |function, name| {
        numbering.resolve(symbols, function.file, name)
    });
    for (file, name) in taken {
        if let Some(id) = numbering.resolve(symbols, file, &name) {
            program.functions[id.index()].address_taken = true;
        }
    }
    (program, Pending { ranges, checks, numbering })
}

type Resolve<'r> = &'r dyn Fn(UnitFileId, &str) -> Option<FunctionId>;

/// What calls functions that do not come back, on every way, does not come back either.
fn mark_never_returning(program: &mut Program, endings: &[Ending], resolve: Resolve<'_>) {
    let is_more = |program: &Program, function: &Function| {
        !function.is_noreturn
            && endings[function.id.index()].is_never(&|name| ends(program, function.file, name, resolve))
    };
    mark(program, &is_more, &|function| function.is_noreturn = true);
}

/// What returns the results of functions that never return null, never does either.
fn mark_never_null(program: &mut Program, results: &[Results], resolve: Resolve<'_>) {
    let is_more = |program: &Program, function: &Function| {
        let holds = |need: &Need| match need {
            Need::Ends(name) => ends(program, function.file, name, resolve),
            Need::NeverNull(name) => {
                resolve(function.file, name).is_some_and(|id| program.function(id).is_never_null)
            }
        };
        !function.is_never_null && results[function.id.index()].are_never_null(&holds)
    };
    mark(program, &is_more, &|function| function.is_never_null = true);
}

/// An array that a function is given is written, unless the function only reads through that parameter.
fn mark_written(
    program: &mut Program,
    passed: &[Vec<(GlobalId, String, usize)>],
    kept: &[Vec<String>],
    resolve: Resolve<'_>,
) {
    let params: Vec<Vec<String>> = program
        .functions
        .iter()
        .map(|function| function.params.iter().map(|param| param.name.clone()).collect())
        .collect();
    let only_reads = |file, name: &str, index: usize| {
        let id = resolve(file, name)?.index();
        params[id].get(index).map(|param| !kept[id].contains(param))
    };
    for (function, passed) in program.functions.iter_mut().zip(passed) {
        for (global, name, index) in passed {
            let usage = function.globals.iter_mut().find(|usage| usage.global == *global);
            if let Some(usage) = usage.filter(|_| only_reads(function.file, name, *index) != Some(true)) {
                let is_const = program.files[function.file.index()].globals[global.index()].is_const;
                usage.writes |= !is_const;
            }
        }
    }
}

/// Whether a call of this name, from this file, does not come back.
fn ends(program: &Program, file: UnitFileId, name: &str, resolve: Resolve<'_>) -> bool {
    match resolve(file, name) {
        Some(id) => program.function(id).is_noreturn,
        None => {
            let mut externs = program.file(file).externs.iter();
            is_ending_of_library(name) || externs.any(|known| known.name == name && known.is_noreturn)
        }
    }
}

/// Until nothing is added.
fn mark(program: &mut Program, is_more: &dyn Fn(&Program, &Function) -> bool, mark: &dyn Fn(&mut Function)) {
    loop {
        let more = program.functions.iter().filter(|function| is_more(program, function));
        let more: Vec<FunctionId> = more.map(|function| function.id).collect();
        if more.is_empty() {
            return;
        }
        more.into_iter().for_each(|id| mark(&mut program.functions[id.index()]));
    }
}

/// What calls pass for a parameter.
#[derive(Clone)]
struct Passed {
    /// Constants; None when one passes something else.
    constants: Option<BTreeSet<i64>>,
    /// Bytes of the smallest array; 0 when one passes something else.
    room: u64,
}

impl Default for Passed {
    fn default() -> Passed {
        Passed { constants: Some(BTreeSet::new()), room: u64::MAX }
    }
}

fn pass(passed: &mut Option<BTreeSet<i64>>, value: Option<i64>) {
    match (passed.as_mut(), value) {
        (Some(values), Some(value)) => {
            values.insert(value);
        }
        _ => *passed = None,
    }
}

#[derive(Default)]
struct Numbering {
    /// Functions of each unit by name, included ones too.
    local: HashMap<(UnitFileId, String), FunctionId>,
    next: u32,
    /// Ids in the order in which functions will be added, by unit and key.
    owned: HashMap<(UnitFileId, Key), FunctionId>,
}

impl Numbering {
    fn number(&mut self, units: &[(CompileCommand, ParsedUnit)]) {
        let mut owner: HashMap<Key, UnitFileId> = HashMap::new();
        let all = || {
            units
                .iter()
                .enumerate()
                .flat_map(|(i, (_, unit))| unit.functions.iter().map(move |f| (UnitFileId(i as u32), f)))
        };
        for (file, parsed) in all().filter(|(_, parsed)| parsed.in_main_file) {
            owner.entry(key(&parsed.function)).or_insert(file);
        }
        for (file, parsed) in all() {
            owner.entry(key(&parsed.function)).or_insert(file);
        }
        for (file, parsed) in all() {
            let key = key(&parsed.function);
            if parsed.in_main_file || owner.get(&key) == Some(&file) {
                self.owned.entry((file, key)).or_insert_with(|| {
                    self.next += 1;
                    FunctionId(self.next - 1)
                });
            }
        }
        for (file, parsed) in all() {
            let key = key(&parsed.function);
            let own = self.owned.get(&(file, key.clone()));
            let id = own.or_else(|| self.owned.get(&(*owner.get(&key)?, key)));
            if let Some(id) = id {
                self.local.insert((file, parsed.function.name.clone()), *id);
            }
        }
    }

    /// Whether this copy of the function is the program's; `id` is the next free one.
    fn owns(&self, file: UnitFileId, parsed: &ParsedFunction, id: FunctionId) -> bool {
        self.owned.get(&(file, key(&parsed.function))) == Some(&id)
    }

    fn resolve(&self, symbols: &Symbols, from: UnitFileId, name: &str) -> Option<FunctionId> {
        if let Some(id) = self.local.get(&(from, name.to_string())) {
            return Some(*id);
        }
        let definer = symbols.nearest_definition(from, name)?;
        self.local.get(&(definer, name.to_string())).copied()
    }
}

fn join(into: &mut Vec<String>, names: &[String]) {
    for name in names {
        if !into.contains(name) {
            into.push(name.clone());
        }
    }
}

/// A record of a header is filled in one unit and called through in another.
fn share_field_targets(units: &mut [(CompileCommand, ParsedUnit)]) {
    let mut known: BTreeMap<(String, u32, u32, usize), Vec<String>> = BTreeMap::new();
    let mut share = |store: bool| {
        for (_, unit) in units.iter_mut() {
            for (record, place) in unit.records.iter_mut().zip(&unit.record_places) {
                let Some(place) = place else { continue };
                for (index, field) in record.fields.iter_mut().enumerate() {
                    let key = (place.file.clone(), place.line, place.column, index);
                    if store && !field.targets.is_empty() {
                        join(known.entry(key).or_default(), &field.targets);
                    } else if let Some(targets) = known.get(&key) {
                        field.targets.clone_from(targets);
                    }
                }
            }
        }
    };
    share(true);
    share(false);
}

/// A record that one unit only declares is defined in another. Records of one name and different sizes are not the
/// same.
fn share_sizes(units: &mut [(CompileCommand, ParsedUnit)]) {
    let mut known: BTreeMap<(String, bool), Option<u64>> = BTreeMap::new();
    for (_, unit) in units.iter() {
        for ty in &unit.types {
            let (TypeKind::Record(id), Some(size)) = (&ty.kind, ty.size) else { continue };
            let Some(record) = unit.records.get(id.index()).filter(|record| record.complete) else {
                continue;
            };
            if let Some(name) = &record.name {
                let one = known.entry((name.clone(), record.is_union)).or_insert(Some(size));
                *one = one.filter(|other| *other == size);
            }
        }
    }
    for (_, unit) in units.iter_mut() {
        for record in unit.records.iter_mut().filter(|record| !record.complete) {
            let name = record.name.clone().map(|name| (name, record.is_union));
            record.size_elsewhere = name.and_then(|name| known.get(&name).copied().flatten());
        }
    }
}

fn share_global_targets(units: &mut [(CompileCommand, ParsedUnit)]) {
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, unit) in units.iter() {
        for global in unit.globals.iter().filter(|g| !g.is_static && !g.targets.is_empty()) {
            join(known.entry(global.name.clone()).or_default(), &global.targets);
        }
    }
    for (_, unit) in units.iter_mut() {
        for global in unit.globals.iter_mut().filter(|g| !g.is_static) {
            if let Some(targets) = known.get(&global.name) {
                global.targets.clone_from(targets);
            }
        }
    }
}
