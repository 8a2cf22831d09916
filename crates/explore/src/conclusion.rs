//! How far a search got, as a claim about the unit: every path, every branch that any input can take, or neither.
//!
//! The second claim rests on control flow: if no side that is open leads to a branch that is not covered, no
//! input covers it. Calls that may call anything back, values that were lost and logs that were cut forbid it.

use crate::exploration::Finished;
use crate::flow::{Distances, NEVER};
use crate::side::{NodeId, Side};
use crate::sites::{Counter, Sites};
use crate::tree::Tree;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Every path was executed or shown infeasible.
    AllPaths,
    /// Every branch that can be taken was; paths may be left.
    AllBranches,
    /// Neither is known.
    Open,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conclusion {
    pub reach: Reach,
    /// The measured sides that no input takes, where that is known.
    pub infeasible: Vec<Counter>,
}

/// `precise`: what the tree says holds for all inputs.
pub(crate) fn conclude(finished: &Finished, sites: &Sites<'_>, tree: &Tree, precise: bool) -> Conclusion {
    let uncovered = sites.uncovered();
    let open = Conclusion { reach: Reach::Open, infeasible: Vec::new() };
    if matches!(finished, Finished::Failed(_)) || tree.is_empty() && !uncovered.is_empty() {
        return open;
    }
    if *finished == Finished::AllPaths {
        return Conclusion { reach: Reach::AllPaths, infeasible: uncovered };
    }
    let closed = || {
        let is_wanted = |counter| sites.is_measured(counter) && !sites.is_covered(counter);
        let distances = sites.flow().possible_distances(is_wanted);
        precise && tree.nodes().all(|node| is_closed(tree, sites, &distances, node))
    };
    match uncovered.is_empty() || closed() {
        true => Conclusion { reach: Reach::AllBranches, infeasible: uncovered },
        false => open,
    }
}

/// Whether nothing that is open at this decision leads to a branch that is not covered.
fn is_closed(tree: &Tree, sites: &Sites<'_>, distances: &Distances, node: NodeId) -> bool {
    let site = tree.site(node);
    let key = sites.key(site);
    let flow = sites.flow();
    let leads_nowhere = |outcome: u64| {
        !sites.is_uncovered(site, outcome)
            && match flow.has_side(key, outcome) {
                true => flow.distance(distances, key, outcome) == NEVER,
                false => flow.has(key) && flow.distance_from(distances, key) == NEVER,
            }
    };
    let sides = tree.sides(node).into_iter().filter(|(_, side)| is_open(*side));
    let rest = tree.rest(node).filter(|side| is_open(*side));
    sides.into_iter().all(|(outcome, _)| leads_nowhere(outcome))
        && rest.is_none_or(|_| flow.has(key) && flow.distance_from(distances, key) == NEVER)
}

fn is_open(side: Side) -> bool {
    match side {
        Side::Untried
        | Side::Deferred
        | Side::Queued
        | Side::Unknown
        | Side::Beyond
        | Side::Diverged
        | Side::Skipped
        | Side::Cut => true,
        Side::Infeasible | Side::Excluded | Side::Ended | Side::Child(_) => false,
    }
}

#[cfg(test)]
mod tests;
