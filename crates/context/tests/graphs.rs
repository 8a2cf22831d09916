//! Call graphs and profiles as they are found: recursion, functions that never run, files of old builds.

use context::*;
use model::transitive::CallGraph;
use model::{FunctionId, Location, Program};
use std::collections::BTreeSet;

fn id(number: u32) -> FunctionId {
    FunctionId(number)
}

fn edges(pairs: &[(u32, u32)]) -> Vec<(FunctionId, FunctionId)> {
    pairs.iter().map(|(from, to)| (id(*from), id(*to))).collect()
}

#[test]
fn contexts_end_in_cycles() {
    // 0 -> 1 -> 2 -> f(3), 2 -> 1, f -> 1, f -> f
    let graph = CallGraph::from_edges(4, edges(&[(0, 1), (1, 2), (2, 3), (2, 1), (3, 1), (3, 3)]));
    let found = calling_contexts(&graph, id(3), &|_| 1.0, TAU, 16, 100);
    assert_eq!(found.contexts.len(), 1);
    assert_eq!(found.contexts[0].callers, [id(0), id(1), id(2)]);
    assert!(!found.more);
}

#[test]
fn the_number_and_length_of_contexts_are_bounded() {
    // Six layers of four functions each, all calling all of the next: 4^6 paths.
    let mut pairs = Vec::new();
    for layer in 0..5 {
        for from in 0..4 {
            for to in 0..4 {
                pairs.push((layer * 4 + from, (layer + 1) * 4 + to));
            }
        }
    }
    pairs.extend((20..24).map(|from| (from, 24)));
    let graph = CallGraph::from_edges(25, edges(&pairs));
    let found = calling_contexts(&graph, id(24), &|_| 1.0, TAU, 16, 10);
    assert!(found.more && found.contexts.iter().filter(|context| context.relevant).count() == 10);
    let short = calling_contexts(&graph, id(24), &|_| 1.0, TAU, 1, 10);
    assert_eq!(short.contexts.len(), 4);
    assert!(short.contexts.iter().all(|context| context.callers.len() == 1));
}

#[test]
fn a_cycle_of_callers_has_a_root() {
    let graph = CallGraph::from_edges(3, edges(&[(0, 1), (1, 0), (1, 2)]));
    let found = roots(&graph, id(2), &|_| 1.0, TAU);
    assert_eq!(found.related.keys().copied().collect::<Vec<_>>(), [id(0)]);
    assert_eq!(found.related[&id(0)], BTreeSet::from([id(0), id(1), id(2)]));
}

#[test]
fn mutual_recursion_counts_once() {
    let graph = CallGraph::from_edges(3, edges(&[(0, 1), (1, 2), (2, 1)]));
    let profile = Profile { tests: vec![TestProfile::new(edges(&[(0, 1), (1, 2), (2, 1)]), [])] };
    let of = Dependency::of(&profile, &graph, id(1));
    assert_eq!((of.count(id(2)), of.count(id(0)), of.on(id(2))), (1, 1, 1.0));
    assert_eq!(Relevance::of(&profile, 3).between(id(1), id(2)), 1.0);
}

#[test]
fn a_function_that_never_ran_depends_on_nothing() {
    let graph = CallGraph::from_edges(3, edges(&[(0, 1), (1, 2)]));
    let profile = Profile { tests: vec![TestProfile::new([], [id(0)])] };
    let of = Dependency::of(&profile, &graph, id(1));
    assert_eq!((of.runs, of.on(id(2)), of.on(id(0))), (0, 0.0, 0.0));
    assert_eq!(correlation(&profile, id(1), id(2)), 0.0);
    assert_eq!(correlation(&profile, id(0), id(1)), 0.0);
}

#[test]
fn calls_that_the_static_graph_lacks_do_not_count() {
    // A call through a cast pointer: seen in a test, unknown to the graph.
    let graph = CallGraph::from_edges(2, []);
    let profile = Profile { tests: vec![TestProfile::new(edges(&[(0, 1)]), [])] };
    assert_eq!(Dependency::of(&profile, &graph, id(0)).on(id(1)), 0.0);
}

#[test]
fn techniques_are_read_as_they_are_written() {
    for text in ["conbrio", "concert", "focal", "sut", "distance:6", "task", "all"] {
        assert_eq!(text.parse::<Technique>().unwrap().to_string(), text);
    }
    for text in ["", "distance", "distance:", "distance:-1", "CONBRIO"] {
        let error = text.parse::<Technique>().unwrap_err().to_string();
        assert!(error.contains("conbrio, concert"), "{error}");
    }
}

#[test]
fn recordings_add_up_and_survive_other_builds() {
    let directory = tempfile::tempdir().unwrap();
    assert!(ProfileRun::read_all(&directory.path().join("none")).unwrap().is_empty());
    let function = |name: &str| FunctionRef { file: "a.c".into(), name: name.into() };
    let run = |names: &[&str], edges: &[(u32, u32)]| ProfileRun {
        command: "make check".into(),
        functions: names.iter().map(|name| function(name)).collect(),
        tests: vec![RecordedTest {
            edges: edges.iter().copied().collect(),
            ran: edges.iter().flat_map(|(from, to)| [*from, *to]).collect(),
        }],
    };
    run(&["main", "f"], &[(0, 1)]).write(&directory.path().join("1.json")).unwrap();
    run(&["f", "gone", "main"], &[(2, 0), (0, 1), (0, 7)]).write(&directory.path().join("2.json")).unwrap();
    let runs = ProfileRun::read_all(directory.path()).unwrap();
    let mut program = Program::default();
    for (number, name) in ["main", "f"].into_iter().enumerate() {
        program.functions.push(sample_function(number as u32, name));
    }
    let (profile, unknown) = Profile::of_runs(&runs, &program);
    assert_eq!(unknown, 1);
    assert_eq!(profile.tests.len(), 2);
    assert!(profile.tests.iter().all(|test| test.edges().eq([(id(0), id(1))])));

    std::fs::write(directory.path().join("3.json"), "{").unwrap();
    let error = ProfileRun::read_all(directory.path()).unwrap_err().to_string();
    assert!(error.contains("3.json") && error.contains("concertino profile"), "{error}");
}

fn sample_function(number: u32, name: &str) -> model::Function {
    model::Function {
        id: id(number),
        file: model::UnitFileId(0),
        name: name.into(),
        location: Location { file: "a.c".into(), line: number + 1, column: 1 },
        end_line: number + 1,
        is_static: false,
        is_inline: false,
        variadic: false,
        is_knr: false,
        is_noreturn: false,
        is_never_null: false,
        result: model::TypeId(0),
        params: Vec::new(),
        globals: Vec::new(),
        calls: Vec::new(),
        indirect_calls: Vec::new(),
        pointer_reads: Vec::new(),
        tag_uses: Vec::new(),
        address_taken: false,
        complexity: 1,
        undrivable: None,
        facts: model::Facts::default(),
    }
}
