//! The default: what promises coverage or a fault first, then breadth of choice, then depth.
//!
//! 1. assumptions that an input broke: nothing behind them runs until they hold;
//! 2. checks at sites where none was asked for yet;
//! 3. sides that no execution took and checks not violated yet, those that failed least often first, then the
//!    shortest path; stubborn ones take turns with the rest, because most of them are infeasible;
//! 4. random negation, and depth-first search in turn whenever one of them brings nothing new for a while.

use super::dfs::Dfs;
use super::random_negation::RandomNegation;
use super::wanted::Wanted;
use super::{Candidate, News, Strategy, View};
use crate::decision::{Goal, Kind};
use crate::side::NodeId;
use crate::tree::Tree;
use std::collections::VecDeque;

/// Executions without new coverage after which the other fallback has its turn.
const PATIENCE: u32 = 64;
/// Failures after which a side is stubborn.
const STUBBORN: u32 = 4;

pub struct Coordinator {
    assumptions: Vec<NodeId>,
    checks: VecDeque<NodeId>,
    wanted: Wanted,
    random: RandomNegation,
    dfs: Dfs,
    deep: bool,
    fruitless: u32,
    rest_has_turn: bool,
}

impl Coordinator {
    pub fn new(seed: u64) -> Coordinator {
        Coordinator {
            assumptions: Vec::new(),
            checks: VecDeque::new(),
            wanted: Wanted::default(),
            random: RandomNegation::new(seed),
            dfs: Dfs::default(),
            deep: false,
            fruitless: 0,
            rest_has_turn: false,
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

    fn promising(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        let (node, outcome, failures) = self.wanted.best(tree, view)?;
        if failures >= STUBBORN {
            self.rest_has_turn = !self.rest_has_turn;
            if self.rest_has_turn {
                return None;
            }
        }
        Some(Candidate { node, goal: Goal::Take(outcome) })
    }

    fn rest(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        if self.fruitless >= PATIENCE {
            self.fruitless = 0;
            self.deep = !self.deep;
        }
        // Both know every open side, so either alone sees the end of the search.
        if self.deep { self.dfs.select(tree, view) } else { self.random.select(tree, view) }
    }
}

impl Strategy for Coordinator {
    fn name(&self) -> &'static str {
        "coordinator"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        self.assumption(tree)
            .or_else(|| self.check(tree, view))
            .or_else(|| self.promising(tree, view))
            .or_else(|| self.rest(tree, view))
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        for node in news.opened() {
            let Some(first) = tree.open_goal(node) else { continue };
            match tree.kind(node) {
                Kind::Assume => self.assumptions.push(node),
                Kind::Check => {
                    if view.sites.state(tree.site(node)).asked == 0 {
                        self.checks.push_back(node);
                    }
                    self.wanted.add(tree, view, node, 1);
                }
                Kind::Branch => {
                    if let Goal::Take(outcome) = first {
                        self.wanted.add(tree, view, node, outcome);
                    }
                }
                Kind::Switch => {
                    for goal in tree.open_goals(node) {
                        if let Goal::Take(outcome) = goal {
                            self.wanted.add(tree, view, node, outcome);
                        }
                    }
                }
                Kind::Indirect | Kind::Concretised => {}
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
