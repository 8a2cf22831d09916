//! What takes the place of a profile where no test runs a function: how close two functions stand in the
//! static call graph, counting a call through which data flows as a short step and one without as a long one.
//!
//! The estimate of a path is the product of its steps, so with the usual threshold three calls with data are
//! close (the static distance that the papers compare with), and one without is not. A small function that calls
//! nothing is as close as what calls it: a stub would cost as much and only be less exact.

use model::transitive::CallGraph;
use model::{Function, FunctionId, Program, TypeKind};
use std::collections::BTreeMap;

/// A call whose callee gives a result, takes a pointer, writes a global, or reads one that the caller writes.
const WITH_DATA: f64 = 0.9;
const WITHOUT_DATA: f64 = 0.6;
/// The most complex function that calls nothing and is still small.
const SMALL: u32 = 10;
/// Below this nothing is followed: no useful threshold is lower.
const FLOOR: f64 = 0.05;

/// Estimates for one function.
#[derive(Clone, Debug)]
pub struct Estimate {
    values: BTreeMap<FunctionId, f64>,
}

impl Estimate {
    pub fn of(program: &Program, graph: &CallGraph, function: FunctionId) -> Estimate {
        let mut values = BTreeMap::from([(function, 1.0)]);
        let down = |id: FunctionId| -> Vec<(FunctionId, f64)> {
            let step =
                |callee| if is_small(program, graph, callee) { 1.0 } else { step(program, id, callee) };
            graph.callees(id).iter().map(|callee| (*callee, step(*callee))).collect()
        };
        let up = |id: FunctionId| -> Vec<(FunctionId, f64)> {
            graph.callers(id).iter().map(|caller| (*caller, step(program, *caller, id))).collect()
        };
        spread(function, &down, &mut values);
        spread(function, &up, &mut values);
        Estimate { values }
    }

    pub fn on(&self, other: FunctionId) -> f64 {
        self.values.get(&other).copied().unwrap_or(0.0)
    }
}

/// The best product of steps to every function in one direction; products only shrink, so each is reached at
/// its best when the best open one is taken first.
fn spread(
    from: FunctionId,
    next: &dyn Fn(FunctionId) -> Vec<(FunctionId, f64)>,
    values: &mut BTreeMap<FunctionId, f64>,
) {
    let mut best = BTreeMap::from([(from, 1.0)]);
    let mut open: Vec<(f64, FunctionId)> = vec![(1.0, from)];
    while let Some(at) = (0..open.len()).max_by(|left, right| open[*left].0.total_cmp(&open[*right].0)) {
        let (value, function) = open.swap_remove(at);
        if best.get(&function).is_some_and(|known| *known > value) {
            continue;
        }
        for (other, step) in next(function) {
            let reached = value * step;
            if reached >= FLOOR && best.get(&other).is_none_or(|known| *known < reached) {
                best.insert(other, reached);
                open.push((reached, other));
            }
        }
    }
    for (function, value) in best {
        let known = values.entry(function).or_insert(0.0);
        *known = known.max(value);
    }
}

fn step(program: &Program, caller: FunctionId, callee: FunctionId) -> f64 {
    let (Some(caller), Some(callee)) =
        (program.functions.get(caller.index()), program.functions.get(callee.index()))
    else {
        return WITHOUT_DATA;
    };
    if data_flows(program, caller, callee) { WITH_DATA } else { WITHOUT_DATA }
}

fn is_small(program: &Program, graph: &CallGraph, id: FunctionId) -> bool {
    let is_simple = |function: &Function| function.complexity <= SMALL && function.indirect_calls.is_empty();
    graph.callees(id).is_empty() && program.functions.get(id.index()).is_some_and(is_simple)
}

fn data_flows(program: &Program, caller: &Function, callee: &Function) -> bool {
    let unit = program.file(callee.file);
    let gives = !matches!(unit.ty(callee.result).kind, TypeKind::Void);
    let takes_pointer =
        callee.params.iter().any(|param| matches!(unit.ty(param.ty).kind, TypeKind::Pointer { .. }));
    let writes = callee.globals.iter().any(|used| used.writes);
    gives || takes_pointer || writes || reads_what_is_written(program, caller, callee)
}

/// Statics are told apart by file.
fn reads_what_is_written(program: &Program, writer: &Function, reader: &Function) -> bool {
    let name = |function: &Function, id| {
        let global = program.file(function.file).global(id);
        (global.name.clone(), global.is_static.then_some(function.file))
    };
    let mut written = writer.globals.iter().filter(|used| used.writes);
    written.any(|mine| {
        reader
            .globals
            .iter()
            .any(|theirs| theirs.reads && name(writer, mine.global) == name(reader, theirs.global))
    })
}
