//! CONBRIO's calling contexts: the maximal call paths to a function whose members it depends on.
//!
//! Two things go beyond the paper, so that an alarm is dropped only when every way to the function was looked
//! at: a direct caller that the function does not depend on is a context of its own, of length one; and a path
//! ends before a function that it holds already, since call graphs have cycles.

use model::FunctionId;
use model::transitive::CallGraph;
use std::collections::BTreeSet;

/// A call path, outermost caller first; the function itself is not part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Context {
    pub callers: Vec<FunctionId>,
    /// The function depends on every one of the callers; false for direct callers taken in for completeness.
    pub relevant: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contexts {
    /// The relevant ones first, shorter ones first.
    pub contexts: Vec<Context>,
    /// There are more than the bound allows.
    pub more: bool,
}

/// At most `limit` calling contexts, of at most `depth` callers each.
pub fn calling_contexts(
    graph: &CallGraph,
    function: FunctionId,
    dependency: &dyn Fn(FunctionId) -> f64,
    tau: f64,
    depth: usize,
    limit: usize,
) -> Contexts {
    let mut search =
        Search { graph, function, dependency, tau, depth: depth.max(1), limit, found: Contexts::default() };
    let mut path = Vec::new();
    search.climb(function, &mut path);
    let mut found = search.found;
    let covered: BTreeSet<FunctionId> =
        found.contexts.iter().filter_map(|context| context.callers.last().copied()).collect();
    for caller in graph.callers(function) {
        if *caller != function && !covered.contains(caller) {
            found.contexts.push(Context { callers: vec![*caller], relevant: false });
        }
    }
    found.contexts.sort_by_key(|context| (!context.relevant, context.callers.len(), context.callers.clone()));
    found
}

struct Search<'a> {
    graph: &'a CallGraph,
    function: FunctionId,
    dependency: &'a dyn Fn(FunctionId) -> f64,
    tau: f64,
    depth: usize,
    limit: usize,
    found: Contexts,
}

impl Search<'_> {
    /// `path` holds the callers so far, the innermost first; `callee` is the last of them.
    fn climb(&mut self, callee: FunctionId, path: &mut Vec<FunctionId>) {
        let mut maximal = true;
        if path.len() < self.depth {
            for caller in self.graph.callers(callee).to_vec() {
                let known = caller == self.function || path.contains(&caller);
                if known || (self.dependency)(caller) < self.tau {
                    continue;
                }
                maximal = false;
                path.push(caller);
                self.climb(caller, path);
                path.pop();
            }
        }
        if maximal && !path.is_empty() {
            if self.found.contexts.len() >= self.limit {
                self.found.more = true;
                return;
            }
            let callers = path.iter().rev().copied().collect();
            self.found.contexts.push(Context { callers, relevant: true });
        }
    }
}
