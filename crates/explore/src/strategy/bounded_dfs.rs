//! Depth-first search above a bound on the depth. When nothing is left there the bound is doubled, so that the
//! search stays complete; what lies deeper waits.

use super::dfs::Stack;
use super::{Candidate, News, Strategy, View};
use crate::tree::Tree;

pub struct BoundedDfs {
    /// Decisions of a path that may be negated.
    bound: usize,
    within: Stack,
    beyond: Stack,
}

impl BoundedDfs {
    pub const DEFAULT_BOUND: usize = 32;

    pub fn new(bound: usize) -> BoundedDfs {
        BoundedDfs { bound: bound.max(1), within: Stack::default(), beyond: Stack::default() }
    }
}

impl Strategy for BoundedDfs {
    fn name(&self) -> &'static str {
        "bounded-dfs"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        loop {
            if let Some(candidate) = self.within.top(tree) {
                return Some(candidate);
            }
            self.beyond.top(tree)?;
            self.bound = self.bound.saturating_mul(2);
            self.within = self.beyond.take(|node| tree.depth(node) < self.bound);
        }
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        self.within.push(tree, news.opened().filter(|&node| tree.depth(node) < self.bound));
        self.beyond.push(tree, news.opened().filter(|&node| tree.depth(node) >= self.bound));
    }
}
