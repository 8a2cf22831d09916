//! An input that broke an assumption of the driver shows nothing of the unit: nothing behind the assumption ran.
//! Whatever the strategy, the next question is for one that holds it. The same for the first input that failed at
//! a check: random values rarely get past the first memory access otherwise.

use super::{Candidate, News, Strategy, View};
use crate::decision::{Goal, Kind};
use crate::side::{NodeId, SiteId};
use crate::tree::Tree;
use rustc_hash::FxHashSet;

pub(super) struct Mending {
    broken: Vec<NodeId>,
    /// Checks that one input was asked to get past.
    passed: FxHashSet<SiteId>,
    then: Box<dyn Strategy + Send>,
}

impl Mending {
    pub(super) fn before(then: Box<dyn Strategy + Send>) -> Mending {
        Mending { broken: Vec::new(), passed: FxHashSet::default(), then }
    }
}

impl Strategy for Mending {
    fn name(&self) -> &'static str {
        self.then.name()
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        while let Some(node) = self.broken.pop() {
            if let Some(goal) = tree.open_goal(node) {
                return Some(Candidate { node, goal });
            }
        }
        self.then.select(tree, view)
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        for node in news.opened() {
            let is_broken = match tree.kind(node) {
                Kind::Assume => tree.open_goal(node).is_some(),
                Kind::Check => {
                    tree.open_goal(node) == Some(Goal::Take(0)) && self.passed.insert(tree.site(node))
                }
                Kind::Branch | Kind::Switch | Kind::Indirect | Kind::Concretised => false,
            };
            if is_broken {
                self.broken.push(node);
            }
        }
        self.then.update(tree, view, news);
    }
}
