//! Reverse depth-first search: of the sides met last, the shallowest first. Breadth-first on one path; the
//! paths themselves are taken up from the newest to the oldest.

use super::dfs::Stack;
use super::{Candidate, News, Strategy, View};
use crate::side::NodeId;
use crate::tree::Tree;

#[derive(Default)]
pub struct ReverseDfs {
    stack: Stack,
}

impl Strategy for ReverseDfs {
    fn name(&self) -> &'static str {
        "reverse-dfs"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        self.stack.top(tree)
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        let opened: Vec<NodeId> = news.opened().collect();
        self.stack.push(tree, opened.into_iter().rev());
    }
}
