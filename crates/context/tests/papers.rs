//! The worked examples of the papers, number for number.

use context::*;
use model::transitive::CallGraph;
use model::{FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// A call graph by names.
struct Named {
    names: Vec<&'static str>,
    graph: CallGraph,
}

impl Named {
    fn new(edges: &[(&'static str, &'static str)]) -> Named {
        let mut names = Vec::new();
        for name in edges.iter().flat_map(|(from, to)| [*from, *to]) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut named = Named { names, graph: CallGraph::from_edges(0, []) };
        named.graph = CallGraph::from_edges(named.names.len(), named.edges(edges));
        named
    }

    fn id(&self, name: &str) -> FunctionId {
        FunctionId(self.names.iter().position(|known| *known == name).expect(name) as u32)
    }

    fn edges(&self, edges: &[(&str, &str)]) -> Vec<(FunctionId, FunctionId)> {
        edges.iter().map(|(from, to)| (self.id(from), self.id(to))).collect()
    }

    fn names(&self, ids: impl IntoIterator<Item = FunctionId>) -> BTreeSet<&'static str> {
        ids.into_iter().map(|id| self.names[id.index()]).collect()
    }

    fn profile(&self, tests: &[&[(&str, &str)]]) -> Profile {
        Profile { tests: tests.iter().map(|edges| TestProfile::new(self.edges(edges), [])).collect() }
    }

    /// A measure given by a table; what is not in it is 0.
    fn measure(&self, values: &[(&str, f64)]) -> impl Fn(FunctionId) -> f64 {
        let values: BTreeMap<FunctionId, f64> =
            values.iter().map(|(name, value)| (self.id(name), *value)).collect();
        move |id| values.get(&id).copied().unwrap_or(0.0)
    }

    fn unit(
        &self,
        f: &str,
        technique: Technique,
        measure: &dyn Fn(FunctionId) -> f64,
    ) -> BTreeSet<&'static str> {
        let unit = unit_of(&Program::default(), &self.graph, self.id(f), technique, measure, TAU);
        self.names(unit.functions())
    }

    fn contexts(&self, f: &str, measure: &dyn Fn(FunctionId) -> f64) -> Vec<Vec<&'static str>> {
        let found = calling_contexts(&self.graph, self.id(f), measure, TAU, 16, 100);
        let relevant = found.contexts.iter().filter(|context| context.relevant);
        relevant.map(|context| context.callers.iter().map(|id| self.names[id.index()]).collect()).collect()
    }
}

fn set(names: &[&'static str]) -> BTreeSet<&'static str> {
    names.iter().copied().collect()
}

fn hundredths(value: f64) -> i64 {
    (value * 100.0 + 1e-9).floor() as i64
}

/// CONBRIO figure 1 with the three system tests of section 3.1.
fn conbrio_1() -> (Named, Profile) {
    let named = Named::new(&[
        ("main", "a1"),
        ("main", "a2"),
        ("a1", "b"),
        ("a2", "b"),
        ("b", "f"),
        ("f", "g"),
        ("f", "h"),
    ]);
    let profile = named.profile(&[
        &[("main", "a2"), ("a2", "b"), ("b", "f"), ("f", "g")],
        &[("main", "a1"), ("a1", "b"), ("b", "f"), ("f", "g")],
        &[("main", "a1"), ("a1", "b"), ("b", "f"), ("f", "g"), ("f", "h")],
    ]);
    (named, profile)
}

#[test]
fn conbrio_3_2_dependencies() {
    let (named, profile) = conbrio_1();
    let of_f = Dependency::of(&profile, &named.graph, named.id("f"));
    assert_eq!(of_f.runs, 3);
    for (name, count, value) in
        [("main", 3, 100), ("a1", 2, 66), ("a2", 1, 33), ("b", 3, 100), ("g", 3, 100), ("h", 1, 33)]
    {
        assert_eq!(of_f.count(named.id(name)), count, "{name}");
        assert_eq!(hundredths(of_f.on(named.id(name))), value, "{name}");
    }
}

#[test]
fn conbrio_3_3_unit_and_context_of_figure_1() {
    let (named, profile) = conbrio_1();
    let of_f = Dependency::of(&profile, &named.graph, named.id("f"));
    let measure = |id| of_f.on(id);
    assert_eq!(named.unit("f", Technique::Conbrio, &measure), set(&["f", "g"]));
    assert_eq!(named.contexts("f", &measure), [["b"]]);
}

#[test]
fn conbrio_figure_4_unit_and_two_contexts() {
    let named = Named::new(&[
        ("n1", "n5"),
        ("n2", "n5"),
        ("n5", "n8"),
        ("n8", "f"),
        ("n3", "n6"),
        ("n6", "n9"),
        ("n9", "f"),
        ("n4", "n7"),
        ("n7", "n10"),
        ("n10", "f"),
        ("f", "n11"),
        ("f", "n12"),
        ("n12", "n13"),
        ("n12", "n14"),
        ("n14", "n15"),
    ]);
    let measure = named.measure(&[
        ("n1", 0.5),
        ("n2", 0.6),
        ("n5", 0.8),
        ("n8", 0.8),
        ("n3", 0.7),
        ("n6", 0.9),
        ("n9", 0.8),
        ("n4", 0.9),
        ("n7", 0.3),
        ("n10", 0.2),
        ("n11", 0.4),
        ("n12", 0.9),
        ("n13", 0.8),
        ("n14", 0.7),
        ("n15", 0.6),
    ]);
    assert_eq!(named.unit("f", Technique::Conbrio, &measure), set(&["f", "n12", "n13", "n14"]));
    assert_eq!(named.contexts("f", &measure), [vec!["n5", "n8"], vec!["n3", "n6", "n9"]]);
    // n10 is a direct caller of no relevance: kept apart, so that a drop has looked at every way in.
    let all = calling_contexts(&named.graph, named.id("f"), &measure, TAU, 16, 100);
    let others: Vec<&Context> = all.contexts.iter().filter(|context| !context.relevant).collect();
    assert_eq!(others.len(), 1);
    assert_eq!(others[0].callers, [named.id("n10")]);
}

/// CONCERT figure 4.1 with the three system tests of table 4.1.
fn concert_4_1() -> (Named, Profile) {
    let named = Named::new(&[("main", "b"), ("main", "c"), ("b", "f"), ("f", "g"), ("f", "h")]);
    let profile = named.profile(&[
        &[("main", "c")],
        &[("main", "b"), ("b", "f"), ("f", "g")],
        &[("main", "b"), ("b", "f"), ("f", "g"), ("f", "h")],
    ]);
    (named, profile)
}

#[test]
fn concert_tables_4_1_and_4_2() {
    let (named, profile) = concert_4_1();
    for (name, cells, coefficient) in [
        ("main", [2, 0, 1, 0], 0.0),
        ("b", [2, 0, 0, 1], 1.0),
        ("c", [0, 2, 1, 0], -1.0),
        ("g", [2, 0, 0, 1], 1.0),
        ("h", [1, 1, 0, 1], 0.5),
    ] {
        let table = Table::of(&profile, named.id("f"), named.id(name));
        assert_eq!([table.both, table.first_only, table.second_only, table.neither], cells, "{name}");
        assert_eq!(phi(table), coefficient, "{name}");
    }
}

#[test]
fn concert_4_2_3_roots_of_figure_4_1() {
    let (named, profile) = concert_4_1();
    let f = named.id("f");
    let found = roots(&named.graph, f, &|id| correlation(&profile, f, id), TAU);
    assert_eq!(named.names(found.related.keys().copied()), set(&["b"]));
    assert_eq!(named.names(found.related[&named.id("b")].iter().copied()), set(&["b", "f", "g"]));
}

#[test]
fn concert_figure_4_4_two_roots() {
    let named = Named::new(&[
        ("n1", "n2"),
        ("n2", "n4"),
        ("n2", "n5"),
        ("n4", "n8"),
        ("n5", "f"),
        ("n3", "n6"),
        ("n6", "f"),
        ("n6", "n7"),
        ("n7", "n10"),
        ("f", "n9"),
        ("f", "n11"),
        ("n9", "n12"),
    ]);
    let measure = named.measure(&[
        ("f", 1.0),
        ("n1", 0.5),
        ("n2", 0.8),
        ("n3", 0.4),
        ("n4", 0.7),
        ("n5", 0.9),
        ("n6", 0.8),
        ("n7", 0.2),
        ("n8", 0.8),
        ("n9", 0.9),
        ("n10", 0.9),
        ("n11", 0.1),
        ("n12", 0.7),
    ]);
    let found = roots(&named.graph, named.id("f"), &measure, TAU);
    assert_eq!(named.names(found.related.keys().copied()), set(&["n2", "n6"]));
    let of = |root: &str| named.names(found.related[&named.id(root)].iter().copied());
    assert_eq!(of("n2"), set(&["n2", "n4", "n5", "f", "n8", "n9", "n12"]));
    assert_eq!(of("n6"), set(&["n6", "f", "n9", "n12"]));
}

#[test]
fn focal_3_2_relevance() {
    let named = Named::new(&[
        ("main", "f1"),
        ("f1", "f3"),
        ("f1", "f5"),
        ("f3", "f6"),
        ("f6", "f10"),
        ("f5", "f7"),
        ("f5", "f8"),
        ("f8", "f9"),
        ("f8", "f10"),
    ]);
    let profile = named.profile(&[
        &[("main", "f1"), ("f1", "f5"), ("f5", "f7")],
        &[("main", "f1"), ("f1", "f5"), ("f5", "f8"), ("f8", "f9")],
        &[("main", "f1"), ("f1", "f5"), ("f5", "f7"), ("f5", "f8"), ("f8", "f9"), ("f8", "f10")],
        &[("main", "f1"), ("f1", "f3"), ("f3", "f6"), ("f6", "f10")],
    ]);
    let relevance = Relevance::of(&profile, named.graph.len());
    let between = |one: &str, other: &str| relevance.between(named.id(one), named.id(other));
    assert!((between("f5", "f7") - (2.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
    assert!((between("f5", "f10") - (1.0 / 3.0 + 1.0 / 2.0) / 2.0).abs() < 1e-12);
    assert_eq!(between("f7", "f5"), between("f5", "f7"));
    // Section 3.3: f7, f8 and f9 are relevant to f5, f10 is not.
    assert_eq!(
        named.unit("f5", Technique::Focal, &|id| between_ids(&relevance, named.id("f5"), id)),
        set(&["f5", "f7", "f8", "f9"])
    );
}

fn between_ids(relevance: &Relevance, one: FunctionId, other: FunctionId) -> f64 {
    relevance.between(one, other)
}

#[test]
fn static_distances() {
    let edges: Vec<(&str, &str)> = vec![
        ("f", "c1"),
        ("c1", "c2"),
        ("c2", "c3"),
        ("c3", "c4"),
        ("c4", "c5"),
        ("c5", "c6"),
        ("c6", "c7"),
        ("c7", "c8"),
        ("c8", "c9"),
        ("c9", "c10"),
        ("c3", "f"),
    ];
    let named = Named::new(&edges);
    for (bound, size) in [(0, 1), (3, 4), (6, 7), (9, 10)] {
        assert_eq!(named.unit("f", Technique::Distance(bound), &|_| 0.0).len(), size, "distance {bound}");
    }
    assert_eq!(named.unit("f", Technique::Sut, &|_| 1.0), set(&["f"]));
    assert_eq!(named.unit("f", Technique::All, &|_| 0.0).len(), 11);
}
