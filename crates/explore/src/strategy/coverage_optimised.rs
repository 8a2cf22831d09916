//! Coverage-optimised search: a random open side, the likelier the nearer it is to code that nobody ran, and
//! likelier if its path covered something new.

use super::met::{GroupId, Met};
use super::nearness::Nearness;
use super::random_negation::pick;
use super::{Candidate, News, Strategy, View};
use crate::decision::Goal;
use crate::random::Random;
use crate::side::NodeId;
use crate::tree::Tree;

/// The weight of a side that is new itself; it falls with the square of the distance, down to 1.
const NEAREST: u64 = 1 << 20;
/// A side of a path that covered something new counts so many times.
const FRESH: usize = 4;

pub struct CoverageOptimised {
    random: Random,
    met: Met,
    nearness: Nearness,
    /// Groups that have something, with the weight of each of their sides.
    weights: Vec<(GroupId, u64)>,
    /// Nodes whose sides are not known beforehand.
    others: Vec<NodeId>,
}

impl CoverageOptimised {
    pub fn new(seed: u64) -> CoverageOptimised {
        CoverageOptimised {
            random: Random::new(seed),
            met: Met::default(),
            nearness: Nearness::default(),
            weights: Vec::new(),
            others: Vec::new(),
        }
    }

    fn weight(&self, view: &View<'_>, group: GroupId) -> u64 {
        let steps = u64::from(self.nearness.of(view, self.met.group(group))) + 1;
        (NEAREST / steps.saturating_mul(steps)).max(1)
    }

    fn draw(&mut self) -> Option<usize> {
        let each = |(group, weight): &(GroupId, u64)| weight.saturating_mul(self.met.size(*group) as u64);
        let total = self.weights.iter().map(each).fold(0, u64::saturating_add);
        let mut drawn = self.random.below(usize::try_from(total).ok().filter(|total| *total > 0)?) as u64;
        self.weights.iter().position(|entry| {
            let here = drawn < each(entry);
            drawn = drawn.saturating_sub(each(entry));
            here
        })
    }
}

impl Strategy for CoverageOptimised {
    fn name(&self) -> &'static str {
        "coverage-optimised"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        if self.nearness.refresh(view) {
            for index in 0..self.weights.len() {
                self.weights[index].1 = self.weight(view, self.weights[index].0);
            }
        }
        while let Some(index) = self.draw() {
            let group = self.weights[index].0;
            match self.met.any(tree, &mut self.random, group) {
                Some(node) => {
                    return Some(Candidate { node, goal: Goal::Take(self.met.group(group).outcome) });
                }
                None => {
                    self.weights.swap_remove(index);
                }
            }
        }
        pick(&mut self.random, tree, &mut self.others)
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        let copies = match news {
            News::Executed { new_coverage, .. } if *new_coverage > 0 => FRESH,
            _ => 1,
        };
        let mut woken = Vec::new();
        for node in news.opened() {
            let listed = (0..copies).all(|_| self.met.add(tree, node, |group| woken.push(group)));
            if !listed {
                self.others.push(node);
            }
        }
        for group in woken {
            let weight = self.weight(view, group);
            self.weights.push((group, weight));
        }
    }
}
