//! MAIST's fixed order: depth-first search, reverse depth-first search, random negation, CFG-directed search, a
//! quarter of the budget each. All share the tree, so each goes on where the one before stopped; one that finds
//! nothing open has finished the search for all. Without a budget it is depth-first search.

use super::cfg_directed::CfgDirected;
use super::dfs::Dfs;
use super::random_negation::RandomNegation;
use super::reverse_dfs::ReverseDfs;
use super::{Candidate, News, Strategy, View};
use crate::tree::Tree;

pub struct Maist {
    dfs: Dfs,
    reverse: ReverseDfs,
    random: RandomNegation,
    cfg: CfgDirected,
}

impl Maist {
    pub fn new(seed: u64) -> Maist {
        Maist {
            dfs: Dfs::default(),
            reverse: ReverseDfs::default(),
            random: RandomNegation::new(seed),
            cfg: CfgDirected::default(),
        }
    }

    fn each(&mut self) -> [&mut dyn Strategy; 4] {
        [&mut self.dfs, &mut self.reverse, &mut self.random, &mut self.cfg]
    }
}

impl Strategy for Maist {
    fn name(&self) -> &'static str {
        "maist"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        let turn = ((view.spent * 4.0) as usize).min(3);
        self.each()[turn].select(tree, view)
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        for strategy in self.each() {
            strategy.update(tree, view, news);
        }
    }
}
