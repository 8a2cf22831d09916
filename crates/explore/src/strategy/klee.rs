//! What KLEE does by default, as a reference: random path and coverage-optimised search in turns, so that
//! neither can get stuck alone.

use super::coverage_optimised::CoverageOptimised;
use super::random_path::RandomPath;
use super::{Candidate, News, Strategy, View};
use crate::tree::Tree;

pub struct Klee {
    random_path: RandomPath,
    coverage: CoverageOptimised,
    turn: bool,
}

impl Klee {
    pub fn new(seed: u64) -> Klee {
        Klee { random_path: RandomPath::new(seed), coverage: CoverageOptimised::new(seed), turn: false }
    }
}

impl Strategy for Klee {
    fn name(&self) -> &'static str {
        "klee"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        self.turn = !self.turn;
        match self.turn {
            true => self.random_path.select(tree, view),
            false => self.coverage.select(tree, view),
        }
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        self.random_path.update(tree, view, news);
        self.coverage.update(tree, view, news);
    }
}
