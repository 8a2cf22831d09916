//! Open sides that promise something, in the order in which to ask for them: first those of the place and
//! outcome that failed least often, then the shortest path. Grouped by place and outcome, because one
//! failure moves every path to it.

use crate::decision::Kind;
use crate::side::{NodeId, Side, SiteId};
use crate::strategy::View;
use crate::tree::Tree;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

#[derive(Default)]
pub(super) struct Wanted {
    groups: FxHashMap<(SiteId, u64), Group>,
    /// (failures, depth of the shortest path, place, outcome) of each group as it was when last looked at.
    order: BTreeSet<(u32, u32, SiteId, u64)>,
}

struct Group {
    /// (depth, node), the shortest first; nodes may have closed since.
    nodes: BinaryHeap<Reverse<(u32, NodeId)>>,
    place_in_order: (u32, u32),
}

impl Wanted {
    /// Adds a side if it is one worth asking for.
    pub(super) fn add(&mut self, tree: &Tree, view: &View<'_>, node: NodeId, outcome: u64) {
        let site = tree.site(node);
        if !is_wanted(tree.kind(node), view, site, outcome) {
            return;
        }
        let depth = tree.depth(node) as u32;
        let failures = view.sites.state(site).failures(outcome);
        let group = self.groups.entry((site, outcome)).or_insert_with(|| {
            self.order.insert((failures, depth, site, outcome));
            Group { nodes: BinaryHeap::new(), place_in_order: (failures, depth) }
        });
        group.nodes.push(Reverse((depth, node)));
        if depth < group.place_in_order.1 {
            self.order.remove(&(group.place_in_order.0, group.place_in_order.1, site, outcome));
            group.place_in_order.1 = depth;
            self.order.insert((group.place_in_order.0, depth, site, outcome));
        }
    }

    /// The best side and how often its like failed. It stays on the list until it is no longer open.
    pub(super) fn best(&mut self, tree: &Tree, view: &View<'_>) -> Option<(NodeId, u64, u32)> {
        while let Some(&(failures, depth, site, outcome)) = self.order.first() {
            let now = view.sites.state(site).failures(outcome);
            let group = self.groups.get_mut(&(site, outcome))?;
            while let Some(Reverse((_, node))) = group.nodes.peek()
                && tree.side(*node, outcome) != Side::Untried
            {
                group.nodes.pop();
            }
            let Some(&Reverse((shortest, node))) = group.nodes.peek() else {
                self.remove(failures, depth, site, outcome);
                continue;
            };
            if !is_wanted(tree.kind(node), view, site, outcome) {
                self.remove(failures, depth, site, outcome);
                continue;
            }
            if (now, shortest) == (failures, depth) {
                return Some((node, outcome, failures));
            }
            group.place_in_order = (now, shortest);
            self.order.remove(&(failures, depth, site, outcome));
            self.order.insert((now, shortest, site, outcome));
        }
        None
    }

    fn remove(&mut self, failures: u32, depth: u32, site: SiteId, outcome: u64) {
        self.order.remove(&(failures, depth, site, outcome));
        self.groups.remove(&(site, outcome));
    }
}

/// A side of the source that no execution took, or a check that was not violated yet.
fn is_wanted(kind: Kind, view: &View<'_>, site: SiteId, outcome: u64) -> bool {
    match kind {
        Kind::Check => !view.sites.state(site).violated,
        _ => view.sites.is_uncovered(site, outcome),
    }
}
