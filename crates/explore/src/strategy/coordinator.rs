//! The default: what promises coverage or a fault first, then breadth of choice, then depth.
//!
//! 1. assumptions that an input broke: nothing behind them runs until they hold;
//! 2. checks at sites where none was asked for yet;
//! 3. sides that no execution took and checks not violated yet, those that failed least often first, then the
//!    shortest path; stubborn ones take turns with the rest, because most of them are infeasible;
//! 4. random negation, and depth-first search in turn whenever one of them brings nothing new for a while.

use super::dfs::Dfs;
use super::random_negation::RandomNegation;
use super::{Candidate, News, Strategy, View};
use crate::decision::{Goal, Kind};
use crate::side::{NodeId, Side};
use crate::tree::Tree;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Executions without new coverage after which the other fallback has its turn.
const PATIENCE: u32 = 64;
/// Failures after which a side is stubborn.
const STUBBORN: u32 = 4;

pub struct Coordinator {
    assumptions: Vec<NodeId>,
    checks: VecDeque<NodeId>,
    /// (failures of the side, depth, node, outcome); failures may have grown since, see `promising`.
    wanted: BinaryHeap<Reverse<(u32, u32, NodeId, u64)>>,
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
            wanted: BinaryHeap::new(),
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
        while let Some(&Reverse((failures, depth, node, outcome))) = self.wanted.peek() {
            if tree.side(node, outcome) != Side::Untried || !is_wanted(tree, view, node, outcome) {
                self.wanted.pop();
                continue;
            }
            let now = view.sites.state(tree.site(node)).failures(outcome);
            if now > failures {
                self.wanted.pop();
                self.wanted.push(Reverse((now, depth, node, outcome)));
                continue;
            }
            if failures >= STUBBORN {
                self.rest_has_turn = !self.rest_has_turn;
                if self.rest_has_turn {
                    return None;
                }
            }
            self.wanted.pop();
            return Some(Candidate { node, goal: Goal::Take(outcome) });
        }
        None
    }

    fn rest(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        if self.fruitless >= PATIENCE {
            self.fruitless = 0;
            self.deep = !self.deep;
        }
        // Both know every open side, so either alone sees the end of the search.
        if self.deep { self.dfs.select(tree, view) } else { self.random.select(tree, view) }
    }

    fn want(&mut self, tree: &Tree, view: &View<'_>, node: NodeId, goal: Goal) {
        let Goal::Take(outcome) = goal else { return };
        if is_wanted(tree, view, node, outcome) {
            let failures = view.sites.state(tree.site(node)).failures(outcome);
            self.wanted.push(Reverse((failures, tree.depth(node) as u32, node, outcome)));
        }
    }
}

fn is_wanted(tree: &Tree, view: &View<'_>, node: NodeId, outcome: u64) -> bool {
    let site = tree.site(node);
    match tree.kind(node) {
        Kind::Check => !view.sites.state(site).violated,
        _ => view.sites.is_uncovered(site, outcome),
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
                    self.want(tree, view, node, first);
                }
                Kind::Branch => self.want(tree, view, node, first),
                Kind::Switch => {
                    for goal in tree.open_goals(node) {
                        self.want(tree, view, node, goal);
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
