//! An input that broke an assumption of the driver shows nothing of the unit: nothing behind the assumption ran.
//! Whatever the strategy, the next question is for one that holds it.

use super::{Candidate, News, Strategy, View};
use crate::decision::Kind;
use crate::side::NodeId;
use crate::tree::Tree;

pub(super) struct Mending {
    broken: Vec<NodeId>,
    then: Box<dyn Strategy + Send>,
}

impl Mending {
    pub(super) fn before(then: Box<dyn Strategy + Send>) -> Mending {
        Mending { broken: Vec::new(), then }
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
        let assumptions = news.opened().filter(|&node| tree.kind(node) == Kind::Assume);
        self.broken.extend(assumptions.filter(|&node| tree.open_goal(node).is_some()));
        self.then.update(tree, view, news);
    }
}
