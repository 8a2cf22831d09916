//! Depth-first search: of the sides met last, the deepest first. Complete when it terminates.

use super::{Candidate, News, Strategy, View};
use crate::side::NodeId;
use crate::tree::Tree;

#[derive(Default)]
pub struct Dfs {
    stack: Stack,
}

/// Nodes that had an open side when they were pushed.
#[derive(Default)]
pub(super) struct Stack(Vec<NodeId>);

impl Stack {
    pub(super) fn push(&mut self, tree: &Tree, nodes: impl Iterator<Item = NodeId>) {
        self.0.extend(nodes.filter(|&node| tree.open_goal(node).is_some()));
    }

    /// The first open goal of the topmost node that has one; nodes found closed are dropped.
    pub(super) fn top(&mut self, tree: &Tree) -> Option<Candidate> {
        while let Some(&node) = self.0.last() {
            if let Some(goal) = tree.open_goal(node) {
                return Some(Candidate { node, goal });
            }
            self.0.pop();
        }
        None
    }

    /// Removes the nodes for which `belongs` holds, in order.
    pub(super) fn take(&mut self, belongs: impl Fn(NodeId) -> bool) -> Stack {
        let (taken, kept) = std::mem::take(&mut self.0).into_iter().partition(|&node| belongs(node));
        self.0 = kept;
        Stack(taken)
    }
}

impl Strategy for Dfs {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        self.stack.top(tree)
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        self.stack.push(tree, news.opened());
    }
}
