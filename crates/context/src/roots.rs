//! CONCERT's roots of a function and the functions related to it below each root.

use model::FunctionId;
use model::transitive::CallGraph;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// For each root the functions of its unit, the root included.
    pub related: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
}

/// Up the call graph while callers correlate with the function; a function none of whose callers is followed
/// is a root. Callers that were met before do not count, as in the paper: in a cycle of callers the one met
/// last is the root, so there always is one.
pub fn roots(
    graph: &CallGraph,
    function: FunctionId,
    correlation: &dyn Fn(FunctionId) -> f64,
    tau: f64,
) -> Roots {
    let mut found = Vec::new();
    let mut visited = BTreeSet::from([function]);
    let mut queue = VecDeque::from([function]);
    while let Some(callee) = queue.pop_front() {
        let mut is_root = true;
        for caller in graph.callers(callee) {
            if !visited.contains(caller) && correlation(*caller) >= tau {
                visited.insert(*caller);
                queue.push_back(*caller);
                is_root = false;
            }
        }
        if is_root {
            found.push(callee);
        }
    }
    let related = found.into_iter().map(|root| {
        let mut below = crate::unit::reachable_while(graph, root, &|callee| correlation(callee) >= tau);
        // The function correlates with itself perfectly, whatever its coefficient is worth.
        below.insert(root);
        (root, below)
    });
    Roots { related: related.collect() }
}
