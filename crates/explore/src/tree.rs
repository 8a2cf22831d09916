//! The execution tree that all strategies share: which decisions were met, which sides were taken, and what
//! became of the others.
//!
//! A node is 24 bytes. Terms are not kept: to negate a side, the test that first passed there is run again.
//! Decisions with many outcomes keep their sides in a table beside the arena, only those that are not
//! untried. Memory is bounded: past the node limit, or the depth limit of a path, the tree stops growing
//! and the place is marked as cut.

use crate::decision::{Goal, Kind};
use crate::side::{Edge, FIRST_STATE, NodeId, STATES, Side, SiteId, TestId};
use rustc_hash::FxHashMap;

mod grow;

/// The kinds whose sides are in a table, a bit each.
const WIDE: u32 = 1 << Kind::Switch as u32 | 1 << Kind::Indirect as u32 | 1 << Kind::Concretised as u32;
const NO_PARENT: u32 = u32::MAX;
const FAILED: u32 = 1 << 31;
const DEPTH_BITS: u32 = 20;
const DEEPEST: u32 = (1 << DEPTH_BITS) - 1;
const LONGEST_RUN: u32 = (FAILED >> DEPTH_BITS) - 1;

#[derive(Clone, Copy)]
struct Node {
    /// Site and, in the low three bits, kind.
    place: u32,
    /// That of the first node of the run: to walk up a path takes one look at each run.
    parent: u32,
    /// In the low bits; then [`Tree::run`], and in the topmost bit whether a check failed on the way here.
    depth: u32,
    test: u32,
    /// The two sides; for wide kinds `sides[0]` is unused and `sides[1]` indexes the wide table.
    sides: [Edge; 2],
}

/// Sides of a switch or of a decision by value. Outcomes that are not listed are `rest`.
struct Wide {
    /// Sorted by outcome.
    sides: Vec<(u64, Edge)>,
    /// Outcomes that exist: all of `0..ways` for a switch; without bound for values.
    ways: Option<u32>,
    /// For a switch, untried or deferred: the state of every outcome that is not listed. For values, the
    /// state of the wish for another value.
    rest: Edge,
}

/// One decision on its way into the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub site: SiteId,
    pub kind: Kind,
    pub outcome: u64,
    /// Number of outcomes of a switch.
    pub ways: u32,
    /// Offer the other sides only when nothing else is left.
    pub defer: bool,
    /// Never offer the other sides.
    pub skip: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub nodes: usize,
    pub depth: usize,
    /// Values looked for at one decision by value.
    pub values: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: 8 << 20, depth: 1 << 16, values: 8 }
    }
}

/// A vector with something for each node that is this long gets room for all that there may be: memory that is not touched
/// costs next to nothing, and what grows step by step is copied again and again.
const LONG: usize = 256 << 10;

/// Makes room for so many more, of at most `limit` in all.
pub(crate) fn make_room<T>(by_node: &mut Vec<T>, more: usize, limit: usize) {
    let length = by_node.len();
    if length + more > by_node.capacity() && length >= LONG {
        by_node.reserve_exact(limit.saturating_sub(length).max(more));
    }
}

pub struct Tree {
    nodes: Vec<Node>,
    wide: Vec<Wide>,
    root: Edge,
    /// Nodes at the same place whose site differs: only when executions are not determined by the decisions
    /// that are recorded.
    twins: FxHashMap<u32, u32>,
    /// Sides by state, in the order of `STATES`; the unlisted outcomes of a switch count one by one.
    counts: [u64; STATES.len()],
    /// Untried and deferred sides of the nodes that each test is the witness of.
    open_by_test: Vec<u32>,
    /// Tests that stopped being a witness of anything open.
    released: Vec<TestId>,
    deferred: Vec<NodeId>,
    limits: Limits,
}

/// Where an execution went in the tree.
#[derive(Debug, Default)]
pub struct Trail {
    /// The last node of the way that was known beforehand.
    pub behind: Option<NodeId>,
    /// One node for each decision after that, up to where the tree was cut.
    pub nodes: Vec<NodeId>,
    /// The first element of `nodes` that is new; its length if none is.
    pub first_new: usize,
    /// Nodes that were there before and offer a further outcome because of this execution.
    pub reopened: Vec<NodeId>,
}

impl Trail {
    /// One node for each decision.
    pub fn whole(&self, tree: &Tree) -> Vec<NodeId> {
        let mut way = self.behind.map_or_else(Vec::new, |node| tree.way_to(node));
        way.extend_from_slice(&self.nodes);
        way
    }

    /// The nodes of this execution that offer something which others before it did not.
    pub fn opened(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.reopened.iter().chain(&self.nodes[self.first_new..]).copied()
    }

    /// The node of a decision by its number.
    pub fn node(&self, tree: &Tree, at: usize) -> Option<NodeId> {
        let known = self.behind.map_or(0, |node| tree.depth(node) + 1);
        match at.checked_sub(known) {
            Some(own) => self.nodes.get(own).copied(),
            None => self.behind.map(|node| tree.ancestor(node, at)),
        }
    }
}

impl Tree {
    pub fn new(limits: Limits) -> Tree {
        // Larger numbers are states, not children.
        let limits = Limits {
            nodes: limits.nodes.min(FIRST_STATE as usize),
            depth: limits.depth.min(DEEPEST as usize),
            ..limits
        };
        Tree {
            nodes: Vec::new(),
            wide: Vec::new(),
            root: Edge::of(Side::Untried),
            twins: FxHashMap::default(),
            counts: [0; STATES.len()],
            open_by_test: Vec::new(),
            released: Vec::new(),
            deferred: Vec::new(),
            limits,
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn root(&self) -> Option<NodeId> {
        match self.root.side() {
            Side::Child(node) => Some(node),
            _ => None,
        }
    }

    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn site(&self, node: NodeId) -> SiteId {
        SiteId(self.at(node).place >> 3)
    }

    pub fn kind(&self, node: NodeId) -> Kind {
        Kind::from_code(self.at(node).place & 7)
    }

    /// Index of the decision on every path through it.
    pub fn depth(&self, node: NodeId) -> usize {
        (self.at(node).depth & DEEPEST) as usize
    }

    /// So many nodes before this one are on the way to it, each the parent of the next: paths are added in one go.
    fn run(&self, node: NodeId) -> u32 {
        self.at(node).depth >> DEPTH_BITS & LONGEST_RUN
    }

    /// The first node of those, and the one before it.
    pub(crate) fn way_back(&self, node: NodeId) -> (NodeId, Option<NodeId>) {
        let parent = Some(self.at(node).parent).filter(|&parent| parent != NO_PARENT).map(NodeId);
        (NodeId(node.0 - self.run(node)), parent)
    }

    /// Whether a check failed before the decision.
    pub fn is_behind_failure(&self, node: NodeId) -> bool {
        self.at(node).depth & FAILED != 0
    }

    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        match self.way_back(node) {
            (first, before) if first == node => before,
            _ => Some(NodeId(node.0 - 1)),
        }
    }

    /// A test whose path passes here.
    pub fn witness(&self, node: NodeId) -> TestId {
        TestId(self.at(node).test)
    }

    pub fn side(&self, node: NodeId, outcome: u64) -> Side {
        match self.table(node) {
            None => self.at(node).sides.get(outcome as usize).map_or(Side::Excluded, |edge| edge.side()),
            Some(wide) => match wide.sides.binary_search_by_key(&outcome, |side| side.0) {
                Ok(index) => wide.sides[index].1.side(),
                Err(_) => wide.rest.side(),
            },
        }
    }

    /// Whether nobody tried this side.
    pub fn is_untried(&self, node: NodeId, outcome: u64) -> bool {
        match self.table(node) {
            None => self.at(node).sides.get(outcome as usize) == Some(&Edge::UNTRIED),
            Some(_) => self.side(node, outcome) == Side::Untried,
        }
    }

    /// A decision with just two sides, 0 and 1.
    pub fn is_two_way(&self, node: NodeId) -> bool {
        self.wide_index(node).is_none()
    }

    /// The sides that are known of, with their outcomes; a switch lists all of its ways.
    pub fn sides(&self, node: NodeId) -> Vec<(u64, Side)> {
        match self.table(node) {
            None => (0..2).map(|outcome| (outcome, self.side(node, outcome))).collect(),
            Some(Wide { ways: Some(ways), .. }) => {
                (0..u64::from(*ways)).map(|outcome| (outcome, self.side(node, outcome))).collect()
            }
            Some(wide) => wide.sides.iter().map(|&(outcome, edge)| (outcome, edge.side())).collect(),
        }
    }

    /// The outcomes that executions took or were asked to take at a decision by value.
    pub fn outcomes(&self, node: NodeId) -> Vec<u64> {
        self.table(node).map_or_else(Vec::new, |wide| wide.sides.iter().map(|side| side.0).collect())
    }

    /// An outcome that executions had here, the least.
    pub fn usual(&self, node: NodeId) -> Option<u64> {
        let taken = |side: Side| matches!(side, Side::Child(_) | Side::Ended | Side::Cut);
        match self.table(node) {
            None => (0..2).find(|&outcome| taken(self.side(node, outcome))),
            Some(wide) => wide.sides.iter().find(|(_, edge)| taken(edge.side())).map(|(outcome, _)| *outcome),
        }
    }

    /// At a decision by value, what became of the wish for another value.
    pub fn rest(&self, node: NodeId) -> Option<Side> {
        self.table(node).filter(|wide| wide.ways.is_none()).map(|wide| wide.rest.side())
    }

    /// The decision before this one, and the outcome that led here. None at the root.
    pub fn came_by(&self, node: NodeId) -> Option<(NodeId, u64)> {
        let parent = self.parent(node)?;
        let outcome = match self.table(parent) {
            None => {
                let sides = self.at(parent).sides;
                let direct = (0..2).find(|&outcome| sides[outcome as usize] == Edge(node.0));
                direct.or_else(|| (0..2).find(|&outcome| self.leads_to(parent, outcome, node)))
            }
            Some(wide) => {
                let direct = wide.sides.iter().find(|(_, edge)| *edge == Edge(node.0));
                let found = direct
                    .or_else(|| wide.sides.iter().find(|(outcome, _)| self.leads_to(parent, *outcome, node)));
                found.map(|(outcome, _)| *outcome)
            }
        };
        Some((parent, outcome?))
    }

    /// Another node at the same place of the tree: only where executions are not determined by their decisions.
    pub fn twin(&self, node: NodeId) -> Option<NodeId> {
        self.twins.get(&node.0).map(|twin| NodeId(*twin))
    }

    /// The nodes from the root to this one.
    pub fn way_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut way = Vec::with_capacity(self.depth(node) + 1);
        way.push(node);
        let mut last = node;
        while let Some(parent) = self.parent(last) {
            way.push(parent);
            last = parent;
        }
        way.reverse();
        way
    }

    /// The node at this depth on the way to `node`; `node` itself when it is not that deep.
    pub fn ancestor(&self, node: NodeId, depth: usize) -> NodeId {
        let mut at = node;
        while self.depth(at) > depth
            && let Some(parent) = self.parent(at)
        {
            at = parent;
        }
        at
    }

    /// Whether taking `outcome` at `node` was seen to go on at `next`.
    pub fn leads_to(&self, node: NodeId, outcome: u64, next: NodeId) -> bool {
        let Side::Child(mut child) = self.side(node, outcome) else { return false };
        loop {
            if child == next {
                return true;
            }
            match self.twins.get(&child.0) {
                Some(&twin) => child = NodeId(twin),
                None => return false,
            }
        }
    }

    /// The first goal that is untried here, if any.
    pub fn open_goal(&self, node: NodeId) -> Option<Goal> {
        let untried = Edge::UNTRIED;
        match self.table(node) {
            None => {
                let sides = self.at(node).sides;
                (0..2).find(|&outcome| sides[outcome as usize] == untried).map(Goal::Take)
            }
            Some(wide) if wide.rest != untried => None,
            Some(Wide { ways: None, .. }) => Some(Goal::Other),
            Some(Wide { ways: Some(ways), sides, .. }) => {
                // The listed outcomes are sorted: the first gap is the answer.
                let gap = sides.iter().zip(0..).find(|((listed, _), outcome)| listed != outcome);
                let first = gap.map_or(sides.len() as u64, |(_, outcome)| outcome);
                (first < u64::from(*ways)).then_some(Goal::Take(first))
            }
        }
    }

    /// Every goal that is untried here, in order.
    pub fn open_goals(&self, node: NodeId) -> Vec<Goal> {
        match self.table(node) {
            Some(Wide { ways: Some(ways), rest, .. }) if rest.side() == Side::Untried => {
                (0..u64::from(*ways))
                    .filter(|&outcome| self.side(node, outcome) == Side::Untried)
                    .map(Goal::Take)
                    .collect()
            }
            Some(_) => self.open_goal(node).into_iter().collect(),
            None => {
                (0..2).filter(|&outcome| self.side(node, outcome) == Side::Untried).map(Goal::Take).collect()
            }
        }
    }

    /// The number of goals that are untried here.
    pub fn open_count(&self, node: NodeId) -> u32 {
        let untried = Edge::UNTRIED;
        match self.table(node) {
            None => self.at(node).sides.iter().filter(|edge| **edge == untried).count() as u32,
            Some(wide) if wide.rest != untried => 0,
            Some(wide) => wide.ways.map_or(1, |ways| ways.saturating_sub(wide.sides.len() as u32)),
        }
    }

    /// Bytes that the tree holds.
    pub fn bytes(&self) -> usize {
        use std::mem::size_of;
        let sides: usize = self.wide.iter().map(|wide| wide.sides.capacity()).sum();
        self.nodes.len() * size_of::<Node>()
            + self.wide.capacity() * size_of::<Wide>()
            + sides * size_of::<(u64, Edge)>()
            + self.twins.capacity() * size_of::<(u32, u32)>()
            + self.open_by_test.capacity() * size_of::<u32>()
            + self.deferred.capacity() * size_of::<NodeId>()
    }

    /// How many sides are in this state. `Side::Child` is not a state.
    pub fn count(&self, state: Side) -> u64 {
        Edge::of(state).state_index().map_or(0, |index| self.counts[index])
    }

    /// Tests that are no longer needed to rebuild a path; each is given once.
    pub fn take_released(&mut self) -> Vec<TestId> {
        if self.released.is_empty() {
            return Vec::new();
        }
        let open = &self.open_by_test;
        let mut released = std::mem::take(&mut self.released);
        released.retain(|test| open.get(test.index()).is_none_or(|&sides| sides == 0));
        released.sort_unstable();
        released.dedup();
        released
    }

    /// Whether anything that is open relies on this test.
    pub fn relies_on(&self, test: TestId) -> bool {
        self.open_by_test.get(test.index()).is_some_and(|&sides| sides > 0)
    }

    fn at(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    fn wide_index(&self, node: NodeId) -> Option<usize> {
        // Asked for at every step: no more than a bit is looked at.
        let Node { place, sides, .. } = self.at(node);
        (WIDE >> (place & 7) & 1 == 1).then_some(sides[1].0 as usize)
    }

    fn table(&self, node: NodeId) -> Option<&Wide> {
        self.wide_index(node).map(|index| &self.wide[index])
    }

    fn edge(&self, at: Option<(NodeId, u64)>) -> Edge {
        match at {
            None => self.root,
            Some((node, outcome)) => Edge::of(self.side(node, outcome)),
        }
    }
}

#[cfg(test)]
mod tests;
