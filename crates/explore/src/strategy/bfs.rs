//! Breadth-first search over the whole tree: the shallowest open side, of equals the one met first.

use super::{Candidate, News, Strategy, View};
use crate::side::NodeId;
use crate::tree::Tree;
use std::collections::VecDeque;

#[derive(Default)]
pub struct Bfs {
    /// By depth, the nodes that had an open side when they were met.
    levels: Vec<VecDeque<NodeId>>,
    /// Nothing is open above this depth.
    shallowest: usize,
}

impl Strategy for Bfs {
    fn name(&self) -> &'static str {
        "bfs"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        while let Some(level) = self.levels.get_mut(self.shallowest) {
            match level.front() {
                None => self.shallowest += 1,
                Some(&node) => match tree.open_goal(node) {
                    Some(goal) => return Some(Candidate { node, goal }),
                    None => {
                        level.pop_front();
                    }
                },
            }
        }
        None
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        for node in news.opened() {
            let depth = tree.depth(node);
            if self.levels.len() <= depth {
                self.levels.resize_with(depth + 1, VecDeque::new);
            }
            self.levels[depth].push_back(node);
            self.shallowest = self.shallowest.min(depth);
        }
    }
}
