//! The execution tree that all strategies share: which decisions were met, which sides were taken, and what
//! became of the others.
//!
//! A node is 24 bytes. Terms are not kept: to negate a side, the test that first passed there is run again.
//! Decisions with many outcomes keep their sides in a table beside the arena, only those that are not
//! untried. Memory is bounded: past the node limit, or the depth limit of a path, the tree stops growing
//! and the place is marked as cut.

use crate::decision::{Goal, Kind};
use crate::side::{Edge, NodeId, STATES, Side, SiteId, TestId};
use rustc_hash::FxHashMap;

const NO_PARENT: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    /// Site and, in the low three bits, kind.
    place: u32,
    parent: u32,
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
    /// One node for each decision, up to where the tree was cut.
    pub nodes: Vec<NodeId>,
    /// The first element of `nodes` that is new; its length if none is.
    pub first_new: usize,
    /// Nodes that were there before and offer a further outcome because of this execution.
    pub reopened: Vec<NodeId>,
}

impl Tree {
    pub fn new(limits: Limits) -> Tree {
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
        self.at(node).depth as usize
    }

    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        Some(self.at(node).parent).filter(|&parent| parent != NO_PARENT).map(NodeId)
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

    /// At a decision by value, what became of the wish for another value.
    pub fn rest(&self, node: NodeId) -> Option<Side> {
        self.table(node).filter(|wide| wide.ways.is_none()).map(|wide| wide.rest.side())
    }

    /// The nodes from the root to this one.
    pub fn way_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut way = vec![node];
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
        let untried = Edge::of(Side::Untried);
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

    /// How many sides are in this state. `Side::Child` is not a state.
    pub fn count(&self, state: Side) -> u64 {
        Edge::of(state).state_index().map_or(0, |index| self.counts[index])
    }

    /// Adds the path of an execution. `complete`: the last decision is really the last one.
    pub fn insert(&mut self, steps: &[Step], test: TestId, complete: bool, trail: &mut Trail) {
        trail.nodes.clear();
        trail.reopened.clear();
        trail.first_new = usize::MAX;
        if self.open_by_test.len() <= test.index() {
            self.open_by_test.resize(test.index() + 1, 0);
        }
        let mut parent = None;
        let mut whole = complete;
        for (depth, step) in steps.iter().enumerate() {
            let node = match self.find(parent, *step) {
                Some(node) => node,
                None if self.nodes.len() >= self.limits.nodes || depth >= self.limits.depth => {
                    whole = false;
                    break;
                }
                None => {
                    let node = self.add(parent, depth, *step, test);
                    trail.first_new = trail.first_new.min(trail.nodes.len());
                    node
                }
            };
            if self.take(node, step.outcome, test) {
                trail.reopened.push(node);
            }
            trail.nodes.push(node);
            parent = Some((node, step.outcome));
        }
        trail.first_new = trail.first_new.min(trail.nodes.len());
        trail.reopened.retain(|&node| self.depth(node) < trail.first_new);
        let last = self.edge(parent);
        let end = if whole { Side::Ended } else { Side::Cut };
        if !matches!(last.side(), Side::Child(_) | Side::Ended) {
            self.set_edge(parent, Edge::of(end));
        }
    }

    /// Records what became of a goal.
    pub fn mark(&mut self, node: NodeId, goal: Goal, state: Side) {
        debug_assert!(!matches!(state, Side::Child(_)));
        if state == Side::Deferred {
            self.deferred.push(node);
        }
        match goal {
            Goal::Take(outcome) => {
                // Another execution may have taken the side meanwhile; that is the better knowledge.
                if !matches!(self.side(node, outcome), Side::Child(_) | Side::Ended | Side::Cut) {
                    self.set_edge(Some((node, outcome)), Edge::of(state));
                }
            }
            Goal::Other => {
                if let Some(wide) = self.wide_index(node) {
                    let before = std::mem::replace(&mut self.wide[wide].rest, Edge::of(state));
                    self.recount(node, before, Edge::of(state));
                }
            }
        }
    }

    /// Offers up to `limit` deferred nodes after all, the oldest first.
    pub fn admit(&mut self, limit: usize) -> Vec<NodeId> {
        let mut admitted = Vec::new();
        let mut seen = 0;
        while admitted.len() < limit && seen < self.deferred.len() {
            let node = self.deferred[seen];
            seen += 1;
            if self.admit_node(node) {
                admitted.push(node);
            }
        }
        self.deferred.drain(..seen);
        admitted
    }

    /// Tests that are no longer needed to rebuild a path; each is given once.
    pub fn take_released(&mut self) -> Vec<TestId> {
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
        match self.kind(node) {
            Kind::Switch | Kind::Indirect | Kind::Concretised => Some(self.at(node).sides[1].0 as usize),
            Kind::Branch | Kind::Check | Kind::Assume => None,
        }
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

    fn find(&self, parent: Option<(NodeId, u64)>, step: Step) -> Option<NodeId> {
        let Side::Child(mut node) = self.edge(parent).side() else { return None };
        let place = step.site.0 << 3 | step.kind as u32;
        loop {
            if self.at(node).place == place {
                return Some(node);
            }
            node = NodeId(*self.twins.get(&node.0)?);
        }
    }

    fn add(&mut self, parent: Option<(NodeId, u64)>, depth: usize, step: Step, test: TestId) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let open = match (step.kind, step.outcome) {
            (Kind::Assume, 1) => Side::Excluded,
            _ if step.skip => Side::Skipped,
            _ if step.defer => Side::Deferred,
            _ => Side::Untried,
        };
        let wide = match step.kind {
            Kind::Branch | Kind::Check | Kind::Assume => None,
            Kind::Switch => Some(Some(step.ways.max(step.outcome.min(u64::from(u16::MAX)) as u32 + 1))),
            Kind::Indirect | Kind::Concretised => Some(None),
        };
        let sides = match wide {
            None => [Edge::of(open); 2],
            Some(ways) => {
                self.wide.push(Wide { sides: Vec::new(), ways, rest: Edge::of(open) });
                [Edge(0), Edge(self.wide.len() as u32 - 1)]
            }
        };
        let open_sides = match wide {
            None => 2,
            Some(ways) => ways.unwrap_or(1),
        };
        self.nodes.push(Node {
            place: step.site.0 << 3 | step.kind as u32,
            parent: parent.map_or(NO_PARENT, |(node, _)| node.0),
            depth: depth as u32,
            test: test.0,
            sides,
        });
        self.tally(Edge::of(open), i64::from(open_sides), test);
        if open == Side::Deferred {
            self.deferred.push(id);
        }
        match self.edge(parent).side() {
            Side::Child(mut first) => {
                while let Some(next) = self.twins.get(&first.0) {
                    first = NodeId(*next);
                }
                self.twins.insert(first.0, id.0);
            }
            _ => self.set_edge(parent, Edge(id.0)),
        }
        id
    }

    /// Notes that `outcome` was taken. True if that makes the node offer a further value.
    fn take(&mut self, node: NodeId, outcome: u64, test: TestId) -> bool {
        let taken = matches!(self.side(node, outcome), Side::Child(_) | Side::Ended | Side::Cut);
        let listed =
            self.table(node).is_none_or(|wide| wide.sides.iter().any(|(listed, _)| *listed == outcome));
        if taken && listed {
            return false;
        }
        // Until the rest of the path is in, what follows is unrecorded.
        self.set_edge(Some((node, outcome)), Edge::of(Side::Cut));
        let (values, Some(wide)) = (self.limits.values, self.wide_index(node)) else { return false };
        if self.wide[wide].ways.is_some() {
            return false;
        }
        let state = self.wide[wide].rest.side();
        let next = match state {
            _ if self.wide[wide].sides.len() >= values => Side::Skipped,
            Side::Queued => Side::Untried,
            other => other,
        };
        if next != state {
            self.wide[wide].rest = Edge::of(next);
            self.recount(node, Edge::of(state), Edge::of(Side::Queued));
            // The old witness may be forgotten already; this test passes here too.
            self.nodes[node.0 as usize].test = test.0;
            self.recount(node, Edge::of(Side::Queued), Edge::of(next));
        }
        next == Side::Untried && state == Side::Queued
    }

    fn set_edge(&mut self, at: Option<(NodeId, u64)>, edge: Edge) {
        let Some((node, outcome)) = at else {
            self.root = edge;
            return;
        };
        let Some(index) = self.wide_index(node) else {
            if let Some(slot) = self.nodes[node.0 as usize].sides.get_mut(outcome as usize) {
                let before = std::mem::replace(slot, edge);
                self.recount(node, before, edge);
            }
            return;
        };
        let wide = &mut self.wide[index];
        match wide.sides.binary_search_by_key(&outcome, |side| side.0) {
            Ok(found) => {
                let before = std::mem::replace(&mut wide.sides[found].1, edge);
                self.recount(node, before, edge);
            }
            Err(place) => {
                wide.sides.insert(place, (outcome, edge));
                // An unlisted outcome of a switch was counted with the rest; a value was not counted.
                match (wide.ways, wide.rest) {
                    (Some(_), rest) => self.recount(node, rest, edge),
                    (None, _) => self.tally(edge, 1, self.witness(node)),
                }
            }
        }
    }

    fn admit_node(&mut self, node: NodeId) -> bool {
        let (deferred, untried) = (Edge::of(Side::Deferred), Edge::of(Side::Untried));
        match self.wide_index(node) {
            Some(index) => {
                if self.wide[index].rest != deferred {
                    return false;
                }
                self.wide[index].rest = untried;
                let sides =
                    self.wide[index].ways.map_or(1, |ways| ways - self.wide[index].sides.len() as u32);
                let test = self.witness(node);
                self.tally(untried, i64::from(sides), test);
                self.tally(deferred, -i64::from(sides), test);
                true
            }
            None => {
                let mut any = false;
                for outcome in 0..2 {
                    if self.side(node, outcome) == Side::Deferred {
                        self.set_edge(Some((node, outcome)), untried);
                        any = true;
                    }
                }
                any
            }
        }
    }

    fn recount(&mut self, node: NodeId, before: Edge, after: Edge) {
        let test = self.witness(node);
        self.tally(after, 1, test);
        self.tally(before, -1, test);
    }

    fn tally(&mut self, edge: Edge, by: i64, test: TestId) {
        let Some(index) = edge.state_index() else { return };
        self.counts[index] = self.counts[index].saturating_add_signed(by);
        if matches!(edge.side(), Side::Untried | Side::Deferred)
            && let Some(open) = self.open_by_test.get_mut(test.index())
        {
            *open = open.saturating_add_signed(by as i32);
            if *open == 0 {
                self.released.push(test);
            }
        }
    }
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
