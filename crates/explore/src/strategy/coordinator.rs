//! The default: what promises coverage or a fault first, then breadth of choice, then depth.
//!
//! 1. assumptions that an input broke: nothing behind them runs until they hold;
//! 2. checks at sites where none was asked for yet;
//! 3. sides that no execution took and checks not violated yet, those that failed least often first, then the
//!    shortest path;
//! 4. any open side by weighted chance, random negation, and depth-first search, the next one whenever one
//!    brings nothing new for a while.

use super::dfs::Dfs;
use super::random_negation::RandomNegation;
use super::wanted::Wanted;
use super::weighted::Weighted;
use super::{Candidate, News, Strategy, View};
use crate::decision::{Goal, Kind};
use crate::side::NodeId;
use crate::tree::Tree;
use std::collections::VecDeque;

/// Executions without new coverage after which the next one has its turn.
const PATIENCE: u32 = 64;
/// Failures after which a side is left to chance: most that fail so often are infeasible.
const STUBBORN: u32 = 16;

/// Whose turn it is when nothing in particular is promising.
#[derive(Clone, Copy)]
enum Turn {
    Weighted,
    LastPath,
    Deepest,
}

pub struct Coordinator {
    assumptions: Vec<NodeId>,
    checks: VecDeque<NodeId>,
    wanted: Wanted,
    /// Each knows every open side, so any of them alone sees the end of the search.
    weighted: Weighted,
    random: RandomNegation,
    dfs: Dfs,
    turn: Turn,
    fruitless: u32,
}

impl Coordinator {
    pub fn new(seed: u64) -> Coordinator {
        Coordinator {
            assumptions: Vec::new(),
            checks: VecDeque::new(),
            wanted: Wanted::default(),
            weighted: Weighted::new(seed),
            random: RandomNegation::new(seed),
            dfs: Dfs::default(),
            turn: Turn::Weighted,
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

    fn promising(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        let (node, outcome, failures) = self.wanted.best(tree, view)?;
        if failures >= STUBBORN {
            return None;
        }
        Some(Candidate { node, goal: Goal::Take(outcome) })
    }

    fn rest(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        if self.fruitless >= PATIENCE {
            self.fruitless = 0;
            self.turn = match self.turn {
                Turn::Weighted => Turn::LastPath,
                Turn::LastPath => Turn::Deepest,
                Turn::Deepest => Turn::Weighted,
            };
        }
        match self.turn {
            Turn::Weighted => self.weighted.select(tree),
            Turn::LastPath => self.random.select(tree, view),
            Turn::Deepest => self.dfs.select(tree, view),
        }
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
        self.weighted.add(tree, view, news.opened());
        self.random.update(tree, view, news);
        self.dfs.update(tree, view, news);
    }
}
