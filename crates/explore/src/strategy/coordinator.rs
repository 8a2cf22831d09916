//! The default: what promises coverage first, then breadth of choice, then depth.
//!
//! 1. assumptions that an input broke: nothing behind them runs until they hold;
//! 2. checks at sites where none was asked for yet;
//! 3. sides that no execution took, those that failed least often first, then the shortest path;
//! 4. random negation, and depth-first search in turn whenever one of them brings nothing new for a while.

use super::random_negation::RandomNegation;
use super::{Candidate, News, Strategy, View, dfs::Dfs};
use crate::decision::{Goal, Kind};
use crate::side::NodeId;
use crate::tree::Tree;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Executions without new coverage after which the other fallback has its turn.
const PATIENCE: u32 = 64;

pub struct Coordinator {
    assumptions: Vec<NodeId>,
    checks: VecDeque<NodeId>,
    /// (failures of the side, depth, node, outcome); failures may have grown since, see `uncovered`.
    promising: BinaryHeap<Reverse<(u32, u32, NodeId, u64)>>,
    random: RandomNegation,
    dfs: Dfs,
    deep: bool,
    fruitless: u32,
}

impl Coordinator {
    pub fn new(seed: u64) -> Coordinator {
        Coordinator {
            assumptions: Vec::new(),
            checks: VecDeque::new(),
            promising: BinaryHeap::new(),
            random: RandomNegation::new(seed),
            dfs: Dfs::default(),
            deep: false,
            fruitless: 0,
        }
    }

    fn assumption(&mut self, tree: &Tree) -> Option<Candidate> {
        while let Some(node) = self.assumptions.pop() {
            if let Some(goal) = tree.open_goal(node) {
                return Some(Candidate { node, goal });
            }
        }
        None
    }

    fn check(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        while let Some(node) = self.checks.pop_front() {
            if view.sites.state(tree.site(node)).asked == 0
                && let Some(goal) = tree.open_goal(node)
            {
                return Some(Candidate { node, goal });
            }
        }
        None
    }

    fn uncovered(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        while let Some(Reverse((failures, depth, node, outcome))) = self.promising.pop() {
            let site = tree.site(node);
            let goal = Goal::Take(outcome);
            if tree.side(node, outcome) != crate::side::Side::Untried
                || !view.sites.is_uncovered(site, outcome)
            {
                continue;
            }
            let now = view.sites.state(site).failures(outcome);
            if now > failures {
                self.promising.push(Reverse((now, depth, node, outcome)));
                continue;
            }
            return Some(Candidate { node, goal });
        }
        None
    }
}

impl Strategy for Coordinator {
    fn name(&self) -> &'static str {
        "coordinator"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        let first = self.assumption(tree).or_else(|| self.check(tree, view));
        let Some(candidate) = first.or_else(|| self.uncovered(tree, view)) else {
            if self.fruitless >= PATIENCE {
                self.fruitless = 0;
                self.deep = !self.deep;
            }
            return if self.deep {
                self.dfs.select(tree, view).or_else(|| self.random.select(tree, view))
            } else {
                self.random.select(tree, view).or_else(|| self.dfs.select(tree, view))
            };
        };
        Some(candidate)
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        for node in news.opened() {
            match tree.kind(node) {
                Kind::Assume if tree.open_goal(node).is_some() => self.assumptions.push(node),
                Kind::Check if view.sites.state(tree.site(node)).asked == 0 => self.checks.push_back(node),
                Kind::Branch | Kind::Switch => {
                    let site = tree.site(node);
                    for goal in tree.open_goals(node) {
                        let Goal::Take(outcome) = goal else { continue };
                        if view.sites.is_uncovered(site, outcome) {
                            let failures = view.sites.state(site).failures(outcome);
                            self.promising.push(Reverse((failures, tree.depth(node) as u32, node, outcome)));
                        }
                    }
                }
                Kind::Assume | Kind::Check | Kind::Indirect | Kind::Concretised => {}
            }
        }
        match news {
            News::Executed { new_coverage: 0, .. } => self.fruitless += 1,
            News::Executed { .. } => self.fruitless = 0,
            News::Dropped { .. } | News::Admitted { .. } => {}
        }
        self.random.update(tree, view, news);
        self.dfs.update(tree, view, news);
    }
}
