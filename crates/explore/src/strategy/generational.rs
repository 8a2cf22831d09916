//! Generational search: negate every decision that a path added to the tree, run all the children, then go on
//! with the path that covered most when it was run; of equals the oldest.

use super::{Candidate, News, Strategy, View};
use crate::side::NodeId;
use crate::tree::Tree;
use std::cmp::Reverse;
use std::collections::BTreeMap;

#[derive(Default)]
pub struct Generational {
    /// What is left to negate of the path whose children are being run, the shallowest last.
    current: Vec<NodeId>,
    /// Paths that wait for their turn, best first: by coverage, then by age.
    waiting: BTreeMap<(Reverse<usize>, u64), Vec<NodeId>>,
    paths: u64,
}

impl Strategy for Generational {
    fn name(&self) -> &'static str {
        "generational"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        loop {
            while let Some(&node) = self.current.last() {
                if let Some(goal) = tree.open_goal(node) {
                    return Some(Candidate { node, goal });
                }
                self.current.pop();
            }
            self.current = self.waiting.pop_first()?.1;
        }
    }

    fn update(&mut self, _tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        let gain = match news {
            News::Executed { new_coverage, .. } => *new_coverage,
            News::Dropped { .. } | News::Admitted { .. } => 0,
        };
        let mut nodes: Vec<NodeId> = news.opened().collect();
        if !nodes.is_empty() {
            nodes.reverse();
            nodes.shrink_to_fit();
            self.waiting.insert((Reverse(gain), self.paths), nodes);
            self.paths += 1;
        }
    }
}
