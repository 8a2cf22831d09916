//! Which globals are inputs of a unit: those that the entry and its callees of the same file read.

use crate::options::Globals;
use crate::types::{Pointee, Rule};
use crate::writer::Writer;
use model::{Callee, Function, FunctionId, Global, GlobalId, GlobalScope, Image, Program};
use std::collections::BTreeSet;

/// The state that a driver has to deal with.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Globals to set, in the order of the source.
    pub(crate) globals: Vec<GlobalId>,
    /// Globals that stay as they are, and why.
    pub(crate) left: Vec<String>,
    /// Static locals exist: the unit remembers something from call to call.
    pub(crate) stateful: bool,
    /// Those of them that the driver can set.
    pub(crate) statics: Vec<GlobalId>,
}

/// The names of the globals that some function of the image writes, or takes the address of, or an initialiser.
pub(crate) fn written_globals(program: &Program, image: &Image) -> BTreeSet<String> {
    let mut written = BTreeSet::new();
    for function in program.functions.iter().filter(|function| image.files.contains(&function.file)) {
        let home = program.file(function.file);
        let uses = function.globals.iter().filter(|usage| usage.writes);
        written.extend(uses.map(|usage| home.global(usage.global).name.clone()));
    }
    for file in &image.files {
        let addressed = program.file(*file).globals.iter().filter(|global| global.in_initialisers);
        written.extend(addressed.map(|global| global.name.clone()));
    }
    written
}

impl<'a> Writer<'a> {
    pub(crate) fn state(&self, entry: &Function) -> State {
        let mut state = State::default();
        let mut read = BTreeSet::new();
        for function in self.unit_of(entry) {
            let home = self.program.file(function.file);
            for usage in &function.globals {
                let global = home.global(usage.global);
                if global.scope != GlobalScope::File {
                    state.stateful |= !global.is_const;
                    if usage.reads && function.file == self.unit.id && self.can_set_static(global) {
                        state.statics.push(usage.global);
                    }
                } else if usage.reads {
                    read.extend(self.by_name(&global.name));
                }
            }
        }
        if self.options.globals == Globals::Initial {
            return state;
        }
        for id in read {
            let global = self.unit.global(id);
            if global.is_const || self.types.is_const(global.ty) {
                continue;
            }
            match self.why_left(global) {
                None => state.globals.push(id),
                Some(reason) => state.left.push(format!("{}: {reason}", global.name)),
            }
        }
        state
    }

    /// A static local that has one name in the program that clang makes, and a value that can be set.
    fn can_set_static(&self, global: &Global) -> bool {
        let namesakes =
            self.unit.globals.iter().filter(|other| other.scope == global.scope && other.name == global.name);
        self.options.set_statics
            && !(global.is_const || self.types.is_const(global.ty) || global.is_thread_local)
            && namesakes.count() == 1
            && match self.types.rule(global.ty) {
                Rule::Leave(_) => self.types.plain_bytes(global.ty).is_some(),
                Rule::Pointer(to) => !matches!(self.types.pointee(to), Pointee::Null(_)),
                _ => self.types.written(global.ty).is_some(),
            }
    }

    /// The entry, its callees of the same file, and the functions of the file that they may call through
    /// pointers.
    pub(crate) fn unit_of(&self, entry: &Function) -> Vec<&'a Function> {
        let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
        let mut open = vec![entry.id];
        while let Some(id) = open.pop() {
            let function = self.function(id);
            // A static function of another file that is called from here stands in a header of both.
            let here = function.file == self.unit.id || function.is_static;
            if !here || !seen.insert(id) {
                continue;
            }
            for callee in &function.calls {
                if let Callee::Defined(callee) = callee {
                    open.push(*callee);
                }
            }
            if function.file == self.unit.id {
                open.extend(self.indirect_callees(function));
            }
        }
        seen.into_iter().map(|id| self.function(id)).collect()
    }

    fn by_name(&self, name: &str) -> Option<GlobalId> {
        let is_it = |global: &Global| global.name == name && global.scope == GlobalScope::File;
        self.unit.globals.iter().position(is_it).map(|index| GlobalId(index as u32))
    }

    pub(crate) fn why_left(&self, global: &Global) -> Option<String> {
        if !global.defined && !self.is_defined_elsewhere(&global.name) {
            return Some("not defined in the program".into());
        }
        if global.in_bodies && self.types.written(global.ty).is_none() {
            return Some("its declaration cannot be repeated outside of the function".into());
        }
        if self.keeps_its_value(global) {
            return Some("nothing in the program writes it".into());
        }
        match self.types.rule(global.ty) {
            Rule::Leave(reason) => Some(reason.into()),
            Rule::Pointer(to) => match self.types.pointee(to) {
                Pointee::Null(reason) => Some(reason.into()),
                _ => None,
            },
            _ => None,
        }
    }

    /// An array, a record, or a pointer that points somewhere from the beginning, which keeps its initial value though it is
    /// not declared constant. Only when all code that could write it is there; but an array with an initialiser that nothing
    /// in a library writes is a table of the library's.
    fn keeps_its_value(&self, global: &Global) -> bool {
        let is_table = matches!(self.types.rule(global.ty), Rule::Array { .. })
            && self.definition(global).is_some_and(|definition| definition.is_initialised);
        let all_is_known = global.is_static || self.image.main.is_some() || is_table;
        let has_a_value = match self.types.rule(global.ty) {
            Rule::Array { .. } | Rule::Record(_) => true,
            Rule::Pointer(_) => self.definition(global).is_some_and(|definition| definition.points_somewhere),
            _ => false,
        };
        let is_volatile = self.unit.ty(global.ty).is_volatile;
        all_is_known && has_a_value && !is_volatile && !self.written_globals.contains(&global.name)
    }

    fn definition<'g>(&self, global: &'g Global) -> Option<&'g Global>
    where
        'a: 'g,
    {
        if global.defined { Some(global) } else { self.defined_elsewhere(&global.name) }
    }

    fn defined_elsewhere(&self, name: &str) -> Option<&'a Global> {
        let defines = |global: &&Global| {
            global.name == name && global.defined && !global.is_static && global.scope == GlobalScope::File
        };
        self.image.files.iter().find_map(|file| self.program.file(*file).globals.iter().find(defines))
    }

    fn is_defined_elsewhere(&self, name: &str) -> bool {
        self.image.undefined.iter().any(|(symbol, _)| symbol == name)
            || self.defined_elsewhere(name).is_some()
    }
}
