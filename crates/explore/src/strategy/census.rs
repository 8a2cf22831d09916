//! How many open sides each node has below it, so that a walk from the root never ends in a part of the tree
//! where nothing is left. Kept up to date along one path per execution; eight bytes a node.

use super::News;
use crate::decision::Goal;
use crate::random::Random;
use crate::side::{NodeId, Side};
use crate::strategy::Candidate;
use crate::tree::Tree;

#[derive(Default)]
pub(super) struct Census {
    counts: Vec<Count>,
}

#[derive(Clone, Copy, Default)]
struct Count {
    own: u32,
    /// Of the node and everything below it.
    total: u32,
}

/// Where a walk goes on.
enum Step {
    Down(NodeId),
    Take(Goal),
}

impl Census {
    pub(super) fn update(&mut self, tree: &Tree, news: &News<'_>) {
        self.counts.resize(tree.len(), Count::default());
        match news {
            News::Executed { trail, asked, .. } => {
                let mut change = 0;
                for &node in trail.whole(tree).iter().rev() {
                    change += self.recount(tree, node);
                    self.shift(node, change);
                }
                // A divergence closes a side that is not on the path.
                if let Some(candidate) = asked {
                    self.revise(tree, candidate.node);
                }
            }
            News::Dropped { candidate, .. } => self.revise(tree, candidate.node),
            News::Admitted { nodes } => nodes.iter().for_each(|&node| self.revise(tree, node)),
        }
    }

    pub(super) fn open_below(&self, node: NodeId) -> u32 {
        self.counts.get(node.0 as usize).map_or(0, |count| count.total)
    }

    /// Walks down from a node, by a fair draw among the ways that lead to an open side. Any open side counts as
    /// one way, and so does any child with something open.
    pub(super) fn walk(&self, tree: &Tree, random: &mut Random, from: NodeId) -> Option<Candidate> {
        let mut node = from;
        loop {
            match self.step(tree, random, node)? {
                Step::Take(goal) => return Some(Candidate { node, goal }),
                Step::Down(next) => node = next,
            }
        }
    }

    /// The root with something open, if any: twins of it exist when executions are not repeatable.
    pub(super) fn root(&self, tree: &Tree) -> Option<NodeId> {
        self.living(tree, tree.root()?)
    }

    fn step(&self, tree: &Tree, random: &mut Random, node: NodeId) -> Option<Step> {
        let mut ways = 0;
        let mut chosen = None;
        let mut offer = |step: Step| {
            ways += 1;
            if random.below(ways) == 0 {
                chosen = Some(step);
            }
        };
        let mut each = |outcome: u64, side: Side| match side {
            Side::Untried => offer(Step::Take(Goal::Take(outcome))),
            Side::Child(child) => {
                if let Some(child) = self.living(tree, child) {
                    offer(Step::Down(child));
                }
            }
            _ => {}
        };
        if tree.is_two_way(node) {
            (0..2).for_each(|outcome| each(outcome, tree.side(node, outcome)));
        } else {
            tree.sides(node).into_iter().for_each(|(outcome, side)| each(outcome, side));
            if tree.rest(node) == Some(Side::Untried) {
                offer(Step::Take(Goal::Other));
            }
        }
        chosen
    }

    /// The node or the first of its twins that has something open.
    fn living(&self, tree: &Tree, node: NodeId) -> Option<NodeId> {
        let mut at = node;
        while self.open_below(at) == 0 {
            at = tree.twin(at)?;
        }
        Some(at)
    }

    /// Counts a node anew after something there changed, and tells everything above.
    fn revise(&mut self, tree: &Tree, node: NodeId) {
        let change = self.recount(tree, node);
        let mut at = Some(node).filter(|_| change != 0);
        while let Some(node) = at {
            self.shift(node, change);
            at = tree.parent(node);
        }
    }

    fn recount(&mut self, tree: &Tree, node: NodeId) -> i64 {
        let own = tree.open_count(node);
        let before = std::mem::replace(&mut self.counts[node.0 as usize].own, own);
        i64::from(own) - i64::from(before)
    }

    fn shift(&mut self, node: NodeId, change: i64) {
        let count = &mut self.counts[node.0 as usize];
        count.total = (i64::from(count.total) + change).clamp(0, i64::from(u32::MAX)) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Kind;
    use crate::side::{SiteId, TestId};
    use crate::tree::{Limits, Trail};

    /// Whatever happens to the tree, the totals equal a count over it.
    #[test]
    fn totals_agree_with_a_count() {
        for seed in 0..30 {
            let mut random = Random::new(seed);
            let mut tree = Tree::new(Limits { nodes: 300, depth: 12, values: 3 });
            let mut census = Census::default();
            for test in 0..40 {
                let steps: Vec<_> =
                    (0..random.below(12)).map(|depth| random_step(&mut random, depth)).collect();
                let mut trail = Trail::default();
                tree.insert(&steps, TestId(test), true, &mut trail);
                let open: Vec<NodeId> =
                    trail.opened().filter(|&node| tree.open_goal(node).is_some()).collect();
                let news = News::Executed {
                    trail: &trail,
                    open: &open,
                    asked: None,
                    new_coverage: 0,
                    as_predicted: true,
                };
                census.update(&tree, &news);
                if let Some(candidate) =
                    census.root(&tree).and_then(|root| census.walk(&tree, &mut random, root))
                {
                    assert!(tree.open_goals(candidate.node).contains(&candidate.goal));
                    let verdict = [Side::Infeasible, Side::Deferred][random.below(2)];
                    tree.mark(candidate.node, candidate.goal, verdict);
                    census.update(&tree, &News::Dropped { candidate, verdict });
                }
                if random.below(8) == 0 {
                    let nodes = tree.admit(3);
                    census.update(&tree, &News::Admitted { nodes: &nodes });
                }
            }
            let mut totals = vec![0; tree.len()];
            for node in tree.nodes() {
                for above in tree.way_to(node) {
                    totals[above.0 as usize] += tree.open_count(node);
                }
            }
            assert!(tree.nodes().all(|node| census.open_below(node) == totals[node.0 as usize]), "{seed}");
        }
    }

    fn random_step(random: &mut Random, depth: usize) -> crate::tree::Step {
        let kind = [Kind::Branch, Kind::Switch, Kind::Concretised, Kind::Check][depth * 3 % 4];
        let outcome = random.below(if kind == Kind::Branch || kind == Kind::Check { 2 } else { 4 });
        crate::tree::Step {
            // Now and then another site at the same place: a twin.
            site: SiteId(depth as u32 * 10 + u32::from(random.below(12) == 0)),
            kind,
            outcome: outcome as u64,
            ways: 4,
            defer: depth % 5 == 4,
            skip: false,
        }
    }
}
