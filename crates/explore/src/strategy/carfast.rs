//! CarFast: of the sides that nobody took, the one with the most code that runs only because of it, through
//! further branches and calls. When every side met was taken, a random one, or none where others take over.

use super::met::{GroupId, Met};
use super::random_negation::pick;
use super::{Candidate, News, Strategy, View};
use crate::decision::{Goal, Kind};
use crate::random::Random;
use crate::side::NodeId;
use crate::tree::Tree;
use std::cmp::Reverse;
use std::collections::BTreeSet;

pub struct CarFast {
    met: Met,
    /// Groups that may be uncovered, by the lines that depend on them.
    order: BTreeSet<(Reverse<u32>, GroupId)>,
    /// What a random one is drawn from in the end: every node that may still be open.
    all: Option<(Random, Vec<NodeId>)>,
}

impl CarFast {
    pub fn new(seed: u64) -> CarFast {
        CarFast { all: Some((Random::new(seed), Vec::new())), ..CarFast::of_new_sides() }
    }

    /// Has nothing to offer when every side met was taken.
    pub(super) fn of_new_sides() -> CarFast {
        CarFast { met: Met::default(), order: BTreeSet::new(), all: None }
    }

    fn is_uncovered(&self, view: &View<'_>, group: GroupId) -> bool {
        let group = self.met.group(group);
        match group.kind {
            Kind::Check => group.outcome == 1 && !view.sites.state(group.site).violated,
            _ => view.sites.is_untaken(group.site, group.outcome),
        }
    }
}

impl Strategy for CarFast {
    fn name(&self) -> &'static str {
        "carfast"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        while let Some(&(lines, group)) = self.order.first() {
            if self.is_uncovered(view, group)
                && let Some(node) = self.met.oldest(tree, group)
            {
                return Some(Candidate { node, goal: Goal::Take(self.met.group(group).outcome) });
            }
            self.order.remove(&(lines, group));
        }
        let (random, all) = self.all.as_mut()?;
        pick(random, tree, all)
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        let mut woken = Vec::new();
        for node in news.opened() {
            if let Some((_, all)) = &mut self.all {
                all.push(node);
            }
            // What was taken once stays so: most nodes are of no use here.
            let is_settled = match tree.kind(node) {
                Kind::Check => view.sites.state(tree.site(node)).violated,
                _ => !view.sites.has_untaken(tree.site(node)),
            };
            if is_settled {
                continue;
            }
            self.met.add(tree, node, |group| woken.push(group));
        }
        woken.retain(|&group| self.is_uncovered(view, group));
        for group in woken {
            let of = self.met.group(group);
            let lines = view.sites.flow().statements(view.sites.key(of.site), of.outcome);
            self.order.insert((Reverse(lines), group));
        }
    }
}
