//! Random negation: a random open side of the last path; of any path when the last has none.

use super::{Candidate, News, Strategy, View};
use crate::random::Random;
use crate::side::NodeId;
use crate::tree::Tree;

pub struct RandomNegation {
    random: Random,
    /// Nodes of the last path that may still be open.
    path: Vec<NodeId>,
    /// Every node that may still be open.
    all: Vec<NodeId>,
}

impl RandomNegation {
    pub fn new(seed: u64) -> RandomNegation {
        RandomNegation { random: Random::new(seed), path: Vec::new(), all: Vec::new() }
    }
}

impl Strategy for RandomNegation {
    fn name(&self) -> &'static str {
        "random-negation"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        pick(&mut self.random, tree, &mut self.path).or_else(|| pick(&mut self.random, tree, &mut self.all))
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        self.all.extend(news.opened());
        if let News::Executed { trail, .. } = news {
            self.path.clear();
            self.path.extend(trail.whole(tree));
        }
    }
}

/// A random open goal of a random node; nodes found closed leave the list.
pub(super) fn pick(random: &mut Random, tree: &Tree, nodes: &mut Vec<NodeId>) -> Option<Candidate> {
    while !nodes.is_empty() {
        let index = random.below(nodes.len());
        let node = nodes[index];
        if tree.open_count(node) > 0 {
            let goals = tree.open_goals(node);
            return Some(Candidate { node, goal: goals[random.below(goals.len())] });
        }
        nodes.swap_remove(index);
    }
    None
}
