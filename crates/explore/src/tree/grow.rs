//! How the tree changes: paths of executions come in, verdicts close sides, held-back sides are let in.
//! The running counts are kept here, and nowhere else.

use super::{DEPTH_BITS, FAILED, LONGEST_RUN, NO_PARENT, Node, Step, Trail, Tree, Wide, make_room};
use crate::decision::{Goal, Kind};
use crate::side::{Edge, NodeId, Side, TestId};

impl Tree {
    /// Adds the path of an execution. `complete`: the last decision is really the last one.
    pub fn insert(&mut self, steps: &[Step], test: TestId, complete: bool, trail: &mut Trail) {
        self.insert_behind(None, steps, test, complete, trail);
    }

    /// Adds the path of an execution that came to this node and left it with this outcome, as others did before; the
    /// steps are those behind it.
    pub fn insert_behind(
        &mut self,
        behind: Option<(NodeId, u64)>,
        steps: &[Step],
        test: TestId,
        complete: bool,
        trail: &mut Trail,
    ) {
        trail.nodes.clear();
        trail.behind = behind.map(|(node, _)| node);
        let known = trail.behind.map_or(0, |node| self.depth(node) + 1);
        trail.reopened.clear();
        trail.first_new = usize::MAX;
        if self.open_by_test.len() <= test.index() {
            self.open_by_test.resize(test.index() + 1, 0);
        }
        let mut parent = behind;
        let mut whole = complete;
        // Whether the last one is new: then so is all behind it.
        let mut fresh = false;
        for (depth, step) in (known..).zip(steps) {
            let found = if fresh { None } else { self.find(parent, *step) };
            let node = match found {
                Some(node) => node,
                None if self.nodes.len() >= self.limits.nodes || depth >= self.limits.depth => {
                    whole = false;
                    break;
                }
                None => {
                    trail.first_new = trail.first_new.min(trail.nodes.len());
                    let is_plain = fresh && wide(step).is_none() && step.outcome < 2;
                    if let Some(last) = parent.filter(|_| is_plain) {
                        let node = self.append(last, depth, *step, test);
                        trail.nodes.push(node);
                        parent = Some((node, step.outcome));
                        continue;
                    }
                    fresh = true;
                    self.add(parent, depth, *step, test)
                }
            };
            if self.take(node, step.outcome, test) {
                trail.reopened.push(node);
            }
            trail.nodes.push(node);
            parent = Some((node, step.outcome));
        }
        trail.first_new = trail.first_new.min(trail.nodes.len());
        trail.reopened.retain(|&node| self.depth(node) < known + trail.first_new);
        let last = self.edge(parent);
        let end = if whole { Side::Ended } else { Side::Cut };
        if !matches!(last.side(), Side::Child(_) | Side::Ended) {
            self.set_edge(parent, Edge::of(end));
        }
    }

    /// From now on `test`, which passes all these nodes, is what their open sides are asked for with.
    pub fn rely_on(&mut self, test: TestId, nodes: &[NodeId]) {
        for &node in nodes {
            let (before, sides) = (self.witness(node), self.open_sides(node));
            if before == test || sides == 0 {
                continue;
            }
            self.nodes[node.0 as usize].test = test.0;
            self.count_open(before, -sides);
            self.count_open(test, sides);
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
        let open = offered(&step);
        let (sides, open_sides) = match wide(&step) {
            None => ([open; 2], 2),
            Some(ways) => {
                self.wide.push(Wide { sides: Vec::new(), ways, rest: open });
                ([Edge(0), Edge(self.wide.len() as u32 - 1)], ways.unwrap_or(1))
            }
        };
        let id = self.push(parent, depth, &step, test, sides);
        self.tally(open, i64::from(open_sides), test);
        if open == Edge::DEFERRED {
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

    /// The same for a decision with two sides behind one that is new, and notes that its outcome was taken. Most decisions
    /// come in this way: nothing is behind the last one yet, so nothing has to be looked for.
    fn append(&mut self, last: (NodeId, u64), depth: usize, step: Step, test: TestId) -> NodeId {
        let open = offered(&step);
        let mut sides = [open; 2];
        sides[step.outcome as usize] = Edge::CUT;
        let id = self.push(Some(last), depth, &step, test, sides);
        self.tally(Edge::CUT, 1, test);
        self.tally(open, 1, test);
        if open == Edge::DEFERRED {
            self.deferred.push(id);
        }
        let (before, outcome) = last;
        match self.wide_index(before) {
            // It is new, too: what follows there was not recorded until now.
            None => {
                if let Some(side) = self.nodes[before.0 as usize].sides.get_mut(outcome as usize) {
                    *side = Edge(id.0);
                    self.tally(Edge::CUT, -1, test);
                }
            }
            Some(_) => self.set_edge(Some(last), Edge(id.0)),
        }
        id
    }

    fn push(
        &mut self,
        parent: Option<(NodeId, u64)>,
        depth: usize,
        step: &Step,
        test: TestId,
        sides: [Edge; 2],
    ) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let failed = parent.is_some_and(|(node, outcome)| {
            self.is_behind_failure(node) || self.kind(node) == Kind::Check && outcome == 1
        });
        let (run, parent) = match parent {
            Some((node, _)) if node.0 + 1 == id.0 && self.run(node) < LONGEST_RUN => {
                (self.run(node) + 1, self.at(node).parent)
            }
            Some((node, _)) => (0, node.0),
            None => (0, NO_PARENT),
        };
        make_room(&mut self.nodes, 1, self.limits.nodes);
        self.nodes.push(Node {
            place: step.site.0 << 3 | step.kind as u32,
            parent,
            depth: depth as u32 | run << DEPTH_BITS | if failed { FAILED } else { 0 },
            test: test.0,
            sides,
        });
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
                let test = self.witness(node);
                let wide = &mut self.wide[index];
                let unlisted = wide.ways.map_or(1, |ways| ways - wide.sides.len() as u32);
                // A listed outcome goes back to the rest, which is what is offered.
                let listed = wide.sides.len();
                wide.sides.retain(|(_, edge)| *edge != deferred);
                let mut sides = (listed - wide.sides.len()) as i64;
                if wide.rest == deferred {
                    wide.rest = untried;
                    sides += i64::from(unlisted);
                }
                self.tally(untried, sides, test);
                self.tally(deferred, -sides, test);
                sides > 0
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
        if is_open(edge) {
            self.count_open(test, by as i32);
        }
    }

    fn count_open(&mut self, test: TestId, by: i32) {
        if let Some(open) = self.open_by_test.get_mut(test.index()) {
            *open = open.saturating_add_signed(by);
            if *open == 0 {
                self.released.push(test);
            }
        }
    }

    /// Sides of the node that are untried or deferred.
    fn open_sides(&self, node: NodeId) -> i32 {
        let count =
            |edges: &mut dyn Iterator<Item = Edge>| edges.filter(|edge| is_open(*edge)).count() as i32;
        match self.table(node) {
            None => count(&mut self.at(node).sides.into_iter()),
            Some(wide) => {
                let unlisted = wide.ways.map_or(1, |ways| ways as i32 - wide.sides.len() as i32);
                let rest = if is_open(wide.rest) { unlisted } else { 0 };
                rest + count(&mut wide.sides.iter().map(|side| side.1))
            }
        }
    }
}

fn is_open(edge: Edge) -> bool {
    edge == Edge::UNTRIED || edge == Edge::DEFERRED
}

/// What becomes of the sides of a new node that were not taken.
fn offered(step: &Step) -> Edge {
    Edge::of(match (step.kind, step.outcome) {
        (Kind::Assume, 1) => Side::Excluded,
        _ if step.skip => Side::Skipped,
        _ if step.defer => Side::Deferred,
        _ => Side::Untried,
    })
}

/// For decisions with other than two sides: how many, if that is known beforehand.
fn wide(step: &Step) -> Option<Option<u32>> {
    match step.kind {
        Kind::Branch | Kind::Check | Kind::Assume => None,
        Kind::Switch => Some(Some(step.ways.max(step.outcome.min(u64::from(u16::MAX)) as u32 + 1))),
        Kind::Indirect | Kind::Concretised => Some(None),
    }
}
