//! Open sides that promise something, in the order in which to ask for them: first those of the place and
//! outcome that failed least often, those that count before those of code that is called, then the shortest
//! path. Grouped by place and outcome, because one
//! failure moves every path to it.

use crate::decision::Kind;
use crate::side::{NodeId, SiteId};
use crate::strategy::View;
use crate::tree::Tree;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

#[derive(Default)]
pub(super) struct Wanted {
    groups: FxHashMap<(SiteId, u64), Group>,
    /// (rank, depth of the shortest path, place, outcome) of each group as it was when last looked at.
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
        let rank = rank(tree.kind(node), view, site, outcome);
        let group = self.groups.entry((site, outcome)).or_insert_with(|| {
            self.order.insert((rank, depth, site, outcome));
            Group { nodes: BinaryHeap::new(), place_in_order: (rank, depth) }
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
        while let Some(&(listed, depth, site, outcome)) = self.order.first() {
            let group = self.groups.get_mut(&(site, outcome))?;
            while let Some(Reverse((_, node))) = group.nodes.peek()
                && !tree.is_untried(*node, outcome)
            {
                group.nodes.pop();
            }
            let shortest = group.nodes.peek().map(|top| top.0);
            let Some((shortest, node)) =
                shortest.filter(|(_, node)| is_wanted(tree.kind(*node), view, site, outcome))
            else {
                self.order.remove(&(listed, depth, site, outcome));
                self.groups.remove(&(site, outcome));
                continue;
            };
            let rank = rank(tree.kind(node), view, site, outcome);
            if (rank, shortest) == (listed, depth) {
                return Some((node, outcome, view.sites.state(site).failures(outcome)));
            }
            group.place_in_order = (rank, shortest);
            self.order.remove(&(listed, depth, site, outcome));
            self.order.insert((rank, shortest, site, outcome));
        }
        None
    }
}

/// A side of the source that no execution took, or a check that was not violated yet.
fn is_wanted(kind: Kind, view: &View<'_>, site: SiteId, outcome: u64) -> bool {
    match kind {
        Kind::Check => !view.sites.state(site).violated,
        _ => view.sites.is_untaken(site, outcome),
    }
}

/// Lower is better.
fn rank(kind: Kind, view: &View<'_>, site: SiteId, outcome: u64) -> u32 {
    let counts = kind == Kind::Check || view.sites.is_uncovered(site, outcome);
    view.sites.state(site).failures(outcome).saturating_mul(2).saturating_add(u32::from(!counts))
}
