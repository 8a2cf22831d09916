//! Members of records as variables of the program: which there are, and of which somebody else may make anything.

use super::{Inflow, Place, Ranges};
use crate::flows::held_by;
use crate::interval::Interval;
use crate::program::{Global, Program, RecordId, TranslationUnit, TypeId, TypeKind};
use std::collections::{HashMap, HashSet};

/// Variables on the way from what a member was to what it becomes.
const MOST_STEPS: usize = 4;

impl Ranges {
    /// The members of all records of the program: zero to begin with, as memory mostly is.
    pub(super) fn add_members(&mut self, program: &Program) {
        let mut known: HashSet<usize> = HashSet::new();
        let mut inner: HashMap<String, Vec<String>> = HashMap::new();
        for file in &program.files {
            for (index, record) in file.records.iter().enumerate() {
                let nested = record.fields.iter().filter_map(|field| self.nested(file, field.ty));
                let nested: Vec<String> = nested.collect();
                let name = self.names.get(&(file.id, index)).cloned().filter(|_| !record.is_union);
                let Some(name) = name else {
                    // Members of a union share their memory.
                    self.opened.extend(nested);
                    continue;
                };
                inner.entry(name.clone()).or_default().extend(nested);
                if record.is_system {
                    self.opened.insert(name.clone());
                }
                for field in &record.fields {
                    let ty = file.ty(field.ty);
                    let held = held_by(&ty.kind, field.bit_width).filter(|_| !ty.is_volatile);
                    let (Some(field), Some(held)) = (&field.name, held) else { continue };
                    let number = self.number(Place::Member(name.clone(), field.clone()));
                    if known.insert(number) {
                        self.held[number] = held;
                        self.flows.push((number, Inflow::Within(Interval::one(0))));
                    } else if self.held[number] != held {
                        self.open[number] = true;
                    }
                }
            }
        }
        self.open_foreign(program);
        let mut waiting: Vec<String> = self.opened.iter().cloned().collect();
        while let Some(name) = waiting.pop() {
            for inner in inner.get(&name).into_iter().flatten() {
                if self.opened.insert(inner.clone()) {
                    waiting.push(inner.clone());
                }
            }
        }
        for (place, number) in &self.numbers {
            if let Place::Member(record, _) = place
                && (self.opened.contains(record) || !known.contains(number))
            {
                self.open[*number] = true;
            }
        }
    }

    /// What another program defines, it fills.
    fn open_foreign(&mut self, program: &Program) {
        let all: Vec<(&TranslationUnit, &Global)> = program
            .files
            .iter()
            .flat_map(|file| file.globals.iter().map(move |global| (file, global)))
            .collect();
        let defined: HashSet<&str> =
            all.iter().filter(|(_, global)| global.defined).map(|(_, global)| global.name.as_str()).collect();
        let foreign = all.iter().filter(|(_, global)| !defined.contains(global.name.as_str()));
        let records: Vec<String> =
            foreign.filter_map(|(file, global)| self.nested(file, global.ty)).collect();
        self.opened.extend(records);
    }

    /// The record that a member is, or an array of them.
    fn nested(&self, file: &TranslationUnit, ty: TypeId) -> Option<String> {
        match &file.ty(ty).kind {
            TypeKind::Array { element, .. } => self.nested(file, *element),
            TypeKind::Record(RecordId(record)) => self.names.get(&(file.id, *record as usize)).cloned(),
            _ => None,
        }
    }

    /// Whether a variable is set to what comes of what it was, through few other variables.
    pub(super) fn goes_on(&self, variable: usize, sources: &HashMap<usize, Vec<usize>>) -> bool {
        let (mut seen, mut front) = (HashSet::new(), vec![variable]);
        for _ in 0..MOST_STEPS {
            front = front.iter().flat_map(|to| sources.get(to).into_iter().flatten().copied()).collect();
            if front.contains(&variable) {
                return true;
            }
            front.retain(|found| seen.insert(*found));
        }
        false
    }

    /// By variable: those whose values it gets.
    pub(super) fn sources(&self) -> HashMap<usize, Vec<usize>> {
        let mut sources: HashMap<usize, Vec<usize>> = HashMap::new();
        for (to, inflow) in &self.flows {
            inflow.each_variable(&mut |variable| sources.entry(*to).or_default().push(variable));
        }
        sources
    }
}
