//! The static call graph, both ways, and what follows from it: globals used by a function and everything
//! it may call.
//!
//! A call through a pointer may reach every function of that type whose address is taken in the program:
//! an over-approximation, blind only to pointers that were cast to another function type.

use crate::program::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Who may call whom, calls through pointers included.
#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: Vec<Vec<FunctionId>>,
    callers: Vec<Vec<FunctionId>>,
}

impl CallGraph {
    pub fn of(program: &Program) -> CallGraph {
        let candidates = Candidates::of(program);
        let mut callees = Vec::new();
        let mut callers = vec![Vec::new(); program.functions.len()];
        for function in &program.functions {
            let mut called: BTreeSet<FunctionId> = function
                .calls
                .iter()
                .filter_map(|callee| match callee {
                    Callee::Defined(id) => Some(*id),
                    Callee::External(_) => None,
                })
                .collect();
            for ty in &function.indirect_calls {
                called.extend(candidates.of_type(program.file(function.file), *ty));
            }
            for callee in &called {
                callers[callee.index()].push(function.id);
            }
            callees.push(called.into_iter().collect());
        }
        CallGraph { callees, callers }
    }

    /// A graph of `functions` functions with these calls.
    pub fn from_edges(
        functions: usize,
        edges: impl IntoIterator<Item = (FunctionId, FunctionId)>,
    ) -> CallGraph {
        let mut graph =
            CallGraph { callees: vec![Vec::new(); functions], callers: vec![Vec::new(); functions] };
        let edges: BTreeSet<(FunctionId, FunctionId)> = edges.into_iter().collect();
        for (caller, callee) in edges {
            if caller.index() < functions && callee.index() < functions {
                graph.callees[caller.index()].push(callee);
                graph.callers[callee.index()].push(caller);
            }
        }
        graph
    }

    /// Number of functions.
    pub fn len(&self) -> usize {
        self.callees.len()
    }

    pub fn is_empty(&self) -> bool {
        self.callees.is_empty()
    }

    pub fn callees(&self, function: FunctionId) -> &[FunctionId] {
        self.callees.get(function.index()).map_or(&[], Vec::as_slice)
    }

    pub fn callers(&self, function: FunctionId) -> &[FunctionId] {
        self.callers.get(function.index()).map_or(&[], Vec::as_slice)
    }

    /// The function and everything it may call, directly or not.
    pub fn reachable(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        closure(function, |function| self.callees(function))
    }

    /// The function and everything that may call it, directly or not.
    pub fn reaching(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        closure(function, |function| self.callers(function))
    }
}

fn closure<'g>(from: FunctionId, next: impl Fn(FunctionId) -> &'g [FunctionId]) -> BTreeSet<FunctionId> {
    let mut reached = BTreeSet::new();
    let mut work = vec![from];
    while let Some(function) = work.pop() {
        if reached.insert(function) {
            work.extend(next(function));
        }
    }
    reached
}

/// The functions that a pointer of a given type may hold.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// By parameters and result, and, for pointers without prototype, by result alone.
    by_signature: HashMap<String, Vec<FunctionId>>,
    by_result: HashMap<String, Vec<FunctionId>>,
}

impl Candidates {
    pub fn of(program: &Program) -> Candidates {
        let mut candidates = Candidates { by_signature: HashMap::new(), by_result: HashMap::new() };
        for function in program.functions.iter().filter(|f| f.address_taken) {
            let unit = program.file(function.file);
            let params: Vec<TypeId> = function.params.iter().map(|p| p.ty).collect();
            let result = signature(unit, function.result);
            let whole = function_signature(unit, &result, &params, function.variadic);
            candidates.by_signature.entry(whole).or_default().push(function.id);
            candidates.by_result.entry(result).or_default().push(function.id);
        }
        candidates
    }

    /// `ty` is a function type, or a pointer to one; for anything else there are none.
    pub fn of_type(&self, unit: &TranslationUnit, ty: TypeId) -> &[FunctionId] {
        let found = match &unit.ty(ty).kind {
            TypeKind::Pointer { to } if matches!(unit.ty(*to).kind, TypeKind::Function { .. }) => {
                return self.of_type(unit, *to);
            }
            TypeKind::Function { result, unprototyped: true, .. } => {
                self.by_result.get(&signature(unit, *result))
            }
            TypeKind::Function { .. } => self.by_signature.get(&signature(unit, ty)),
            _ => None,
        };
        found.map_or(&[], Vec::as_slice)
    }
}

/// See [`Candidates`]; for one question only.
pub fn function_pointer_candidates(program: &Program, unit: UnitFileId, ty: TypeId) -> Vec<FunctionId> {
    Candidates::of(program).of_type(program.file(unit), ty).to_vec()
}

/// A type as text that is equal in all units for compatible types; qualifiers do not count.
fn signature(unit: &TranslationUnit, ty: TypeId) -> String {
    match &unit.ty(ty).kind {
        TypeKind::Void => "v".into(),
        TypeKind::Bool => "b".into(),
        TypeKind::Int { bits, signed, .. } | TypeKind::Enum { bits, signed, .. } => {
            format!("{}{bits}", if *signed { "i" } else { "u" })
        }
        TypeKind::Float { bits } => format!("f{bits}"),
        TypeKind::Complex | TypeKind::Vector | TypeKind::Builtin => format!("s{:?}", unit.ty(ty).size),
        TypeKind::Pointer { to } => format!("*{}", signature(unit, *to)),
        TypeKind::Array { element, length } => format!("[{length:?}]{}", signature(unit, *element)),
        TypeKind::Record(record) => {
            let record = unit.record(*record);
            let keyword = if record.is_union { "union" } else { "struct" };
            format!("{keyword} {}", record.name.as_deref().unwrap_or("?"))
        }
        TypeKind::Function { result, params, variadic, .. } => {
            function_signature(unit, &signature(unit, *result), params, *variadic)
        }
    }
}

fn function_signature(unit: &TranslationUnit, result: &str, params: &[TypeId], variadic: bool) -> String {
    let params: Vec<String> = params.iter().map(|p| signature(unit, *p)).collect();
    format!("({}{}){result}", params.join(","), if variadic { ",..." } else { "" })
}

/// Globals that a function and everything it may call read or write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransitiveGlobals {
    /// In the numbers of the function's own unit: usable by name there.
    pub own: Vec<GlobalUse>,
    /// Globals that the unit does not declare: statics of other files, and what only they mention.
    pub foreign: Vec<(UnitFileId, GlobalUse)>,
}

impl TransitiveGlobals {
    pub fn of(program: &Program, graph: &CallGraph, function: FunctionId) -> TransitiveGlobals {
        let Some(root) = program.functions.get(function.index()) else { return TransitiveGlobals::default() };
        let unit = program.file(root.file);
        let mut visible: HashMap<&str, GlobalId> = HashMap::new();
        for (index, global) in unit.globals.iter().enumerate().filter(|(_, g)| !g.is_static) {
            visible.insert(&global.name, GlobalId(index as u32));
        }
        let mut own: BTreeMap<GlobalId, GlobalUse> = BTreeMap::new();
        let mut foreign: BTreeMap<(UnitFileId, GlobalId), GlobalUse> = BTreeMap::new();
        for reached in graph.reachable(function) {
            let reached = program.function(reached);
            let other = program.file(reached.file);
            for used in &reached.globals {
                let global = other.global(used.global);
                let here = if other.id == unit.id {
                    Some(used.global)
                } else if global.is_static {
                    None
                } else {
                    visible.get(global.name.as_str()).copied()
                };
                let entry = match here {
                    Some(id) => {
                        own.entry(id).or_insert(GlobalUse { global: id, reads: false, writes: false })
                    }
                    None => {
                        let (file, id) = definition(program, other, used.global);
                        foreign.entry((file, id)).or_insert(GlobalUse {
                            global: id,
                            reads: false,
                            writes: false,
                        })
                    }
                };
                entry.reads |= used.reads;
                entry.writes |= used.writes;
            }
        }
        TransitiveGlobals {
            own: own.into_values().collect(),
            foreign: foreign.into_iter().map(|((file, _), used)| (file, used)).collect(),
        }
    }
}

/// The unit that defines an external global, so that two declarations of it are one.
fn definition(program: &Program, unit: &TranslationUnit, id: GlobalId) -> (UnitFileId, GlobalId) {
    let global = unit.global(id);
    if global.defined || global.is_static {
        return (unit.id, id);
    }
    program
        .files
        .iter()
        .find_map(|file| {
            let index =
                file.globals.iter().position(|g| g.defined && !g.is_static && g.name == global.name)?;
            Some((file.id, GlobalId(index as u32)))
        })
        .unwrap_or((unit.id, id))
}
