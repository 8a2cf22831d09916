//! A random open side of the whole tree, those of the function under test likelier than those of the code it
//! calls, and these likelier than those of drivers and models: a driver may decide a hundred times before the
//! function begins.

use super::random_negation::pick;
use super::{Candidate, News, Strategy, View};
use crate::random::Random;
use crate::side::NodeId;
use crate::sites::Code;
use crate::tree::Tree;

/// Out of the sum.
const WEIGHTS: [usize; 3] = [3, 2, 2];

pub(super) struct Weighted {
    random: Random,
    /// Nodes that may still be open, by whose code they are in.
    nodes: [Vec<NodeId>; 3],
}

impl Weighted {
    pub(super) fn new(seed: u64) -> Weighted {
        Weighted { random: Random::new(seed), nodes: Default::default() }
    }
}

impl Strategy for Weighted {
    fn name(&self) -> &'static str {
        "weighted"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        loop {
            let weight = |list: usize| if self.nodes[list].is_empty() { 0 } else { WEIGHTS[list] };
            let total: usize = (0..WEIGHTS.len()).map(weight).sum();
            if total == 0 {
                return None;
            }
            let mut drawn = self.random.below(total);
            let list = (0..WEIGHTS.len()).find(|&list| {
                let here = drawn < weight(list);
                drawn = drawn.saturating_sub(weight(list));
                here
            })?;
            if let Some(candidate) = pick(&mut self.random, tree, &mut self.nodes[list]) {
                return Some(candidate);
            }
        }
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        for node in news.opened().filter(|&node| tree.open_goal(node).is_some()) {
            let list = match view.sites.code(tree.site(node)) {
                Code::Target => 0,
                Code::Called => 1,
                Code::Foreign => 2,
            };
            self.nodes[list].push(node);
        }
    }
}
