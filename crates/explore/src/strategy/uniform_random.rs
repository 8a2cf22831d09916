//! Uniform random search: walk from the root and flip a coin at every decision, to stay on the path or to leave
//! it. Leaving it means a new execution; the walk goes on behind the decision on the new path, down to its end,
//! and then starts again at the root.

use super::census::Census;
use super::{Candidate, News, Strategy, View};
use crate::random::Random;
use crate::side::NodeId;
use crate::tree::Tree;

pub struct UniformRandom {
    random: Random,
    census: Census,
    /// The decision that the walk has come to; the root when there is none.
    at: Option<NodeId>,
}

impl UniformRandom {
    pub fn new(seed: u64) -> UniformRandom {
        UniformRandom { random: Random::new(seed), census: Census::default(), at: None }
    }
}

impl Strategy for UniformRandom {
    fn name(&self) -> &'static str {
        "uniform-random"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        let from = self.at.filter(|&node| self.census.open_below(node) > 0);
        let candidate = self.census.walk(tree, &mut self.random, from.or_else(|| self.census.root(tree))?)?;
        self.at = Some(candidate.node);
        Some(candidate)
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        self.census.update(tree, news);
        if let News::Executed { trail, asked, as_predicted, .. } = news {
            let behind = asked.filter(|_| *as_predicted).map(|candidate| tree.depth(candidate.node) + 1);
            self.at = behind.and_then(|depth| trail.node(tree, depth));
        }
    }
}
