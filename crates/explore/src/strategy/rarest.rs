//! The place and outcome that were asked for least often, whatever was covered there; of the ways to it one by chance.
//! A loop that decides a thousand times has no more turns than a branch that is met once.
//! Knows only sides that can be named beforehand, so it may have nothing to offer while something is open.

use super::met::{GroupId, Met};
use super::{Candidate, News, Strategy, View};
use crate::decision::Goal;
use crate::random::Random;
use crate::tree::Tree;
use std::collections::BTreeSet;

pub(super) struct Rarest {
    random: Random,
    met: Met,
    /// Groups that may have something open, by how often they were asked for.
    order: BTreeSet<(u32, GroupId)>,
    asked: Vec<u32>,
}

impl Rarest {
    pub(super) fn new(seed: u64) -> Rarest {
        Rarest { random: Random::new(seed), met: Met::default(), order: BTreeSet::new(), asked: Vec::new() }
    }
}

impl Strategy for Rarest {
    fn name(&self) -> &'static str {
        "rarest"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        while let Some((times, group)) = self.order.pop_first() {
            if let Some(node) = self.met.any(tree, &mut self.random, group) {
                self.asked[group.index()] = times.saturating_add(1);
                self.order.insert((times.saturating_add(1), group));
                return Some(Candidate { node, goal: Goal::Take(self.met.group(group).outcome) });
            }
        }
        None
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        let (met, asked, order) = (&mut self.met, &mut self.asked, &mut self.order);
        for node in news.opened() {
            met.add(tree, node, |group| {
                if asked.len() <= group.index() {
                    asked.resize(group.index() + 1, 0);
                }
                order.insert((asked[group.index()], group));
            });
        }
    }
}
