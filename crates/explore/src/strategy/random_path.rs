//! Random path: every selection walks from the root and draws at each decision among the sides that lead to
//! something open. Short paths are chosen more often than long ones, and loops do not crowd out the rest.

use super::census::Census;
use super::{Candidate, News, Strategy, View};
use crate::random::Random;
use crate::tree::Tree;

pub struct RandomPath {
    random: Random,
    census: Census,
}

impl RandomPath {
    pub fn new(seed: u64) -> RandomPath {
        RandomPath { random: Random::new(seed), census: Census::default() }
    }
}

impl Strategy for RandomPath {
    fn name(&self) -> &'static str {
        "random-path"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        self.census.walk(tree, &mut self.random, self.census.root(tree)?)
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        self.census.update(tree, news);
    }
}
