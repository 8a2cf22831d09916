//! Depth-first search: of the sides met last, the deepest first. Complete when it terminates.

use super::{Candidate, News, Strategy, View};
use crate::side::NodeId;
use crate::tree::Tree;

#[derive(Default)]
pub struct Dfs {
    /// Nodes that had an open side when they were pushed; the deepest of the newest path on top.
    stack: Vec<NodeId>,
}

impl Strategy for Dfs {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        while let Some(&node) = self.stack.last() {
            if let Some(goal) = tree.open_goal(node) {
                return Some(Candidate { node, goal });
            }
            self.stack.pop();
        }
        None
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        self.stack.extend(news.opened().filter(|&node| tree.open_goal(node).is_some()));
    }
}
