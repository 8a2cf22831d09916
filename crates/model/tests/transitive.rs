//! What follows from the call graph, over `tests/projects/hooks`: calls through pointers cross units.

use model::transitive::{CallGraph, TransitiveGlobals, function_pointer_candidates};
use model::{FunctionId, Options, Program, Source};
use std::path::Path;

fn program() -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects/hooks");
    Program::load(&Source::Directory { path, flags: Vec::new() }, &Options::default()).unwrap()
}

fn find(program: &Program, name: &str) -> FunctionId {
    program.functions.iter().find(|f| f.name == name).unwrap().id
}

fn names(program: &Program, ids: &[FunctionId]) -> Vec<String> {
    ids.iter().map(|id| program.function(*id).name.clone()).collect()
}

#[test]
fn calls_go_both_ways() {
    let program = program();
    let graph = CallGraph::of(&program);
    assert_eq!(names(&program, graph.callees(find(&program, "run"))), ["file_open"]);
    assert_eq!(names(&program, graph.callers(find(&program, "file_open"))), ["run", "use_fallback"]);
    let reachable: Vec<FunctionId> = graph.reachable(find(&program, "use")).into_iter().collect();
    assert_eq!(names(&program, &reachable), ["file_open", "run", "use"]);
}

#[test]
fn candidates_are_address_taken_functions_of_the_type() {
    let program = program();
    let run = program.function(find(&program, "run"));
    let found = function_pointer_candidates(&program, run.file, run.indirect_calls[0]);
    assert_eq!(names(&program, &found), ["file_open"]);
}

#[test]
fn globals_are_named_in_the_functions_own_unit_where_it_can() {
    let program = program();
    let graph = CallGraph::of(&program);
    let id = find(&program, "use");
    let unit = program.file(program.function(id).file);
    let globals = TransitiveGlobals::of(&program, &graph, id);
    let own: Vec<(&str, bool, bool)> =
        globals.own.iter().map(|u| (unit.global(u.global).name.as_str(), u.reads, u.writes)).collect();
    assert_eq!(own, [("current", true, false), ("total", true, true)]);
    let foreign: Vec<(&str, bool, bool)> = globals
        .foreign
        .iter()
        .map(|(file, u)| (program.file(*file).global(u.global).name.as_str(), u.reads, u.writes))
        .collect();
    assert_eq!(foreign, [("opened", false, true), ("depth", true, true)]);
}
