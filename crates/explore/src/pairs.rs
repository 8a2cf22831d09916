//! Questions for MC/DC: sides that may complete a pair for a condition. They get a share of the search, whatever the
//! strategy; it learns of their executions as of its own.

use crate::conditions::Offer;
use crate::decision::Goal;
use crate::strategy::Candidate;
use crate::tree::{Trail, Tree};
use std::collections::VecDeque;

/// One question in so many, while there are any.
const SHARE: u64 = 4;
/// Sides that are remembered, of either kind.
const MOST: usize = 4096;

#[derive(Default)]
pub(crate) struct Pairs {
    /// Sides of conditions that are not shown themselves, and of others that stand beside one.
    own: VecDeque<Candidate>,
    beside: VecDeque<Candidate>,
    /// Executions at the last question.
    last: u64,
}

impl Pairs {
    /// `trail`: that of the execution that the offers are of.
    pub(crate) fn add(&mut self, tree: &Tree, trail: &Trail, offers: Vec<Offer>) {
        for offer in offers {
            let sides = if offer.own { &mut self.own } else { &mut self.beside };
            if sides.len() < MOST
                && let Some(node) = trail.node(tree, offer.at)
            {
                sides.push_back(Candidate { node, goal: Goal::Take(offer.outcome) });
            }
        }
    }

    /// A side to ask for, when it is the turn of pairs.
    pub(crate) fn next(&mut self, tree: &Tree, executions: u64) -> Option<Candidate> {
        if executions < self.last.saturating_add(SHARE) {
            return None;
        }
        while let Some(candidate) = self.own.pop_front().or_else(|| self.beside.pop_front()) {
            if tree.open_goals(candidate.node).contains(&candidate.goal) {
                self.last = executions;
                return Some(candidate);
            }
        }
        None
    }
}
