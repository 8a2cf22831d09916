//! Random sides of the paths that covered something first: what is beside such a path is near code that the search has
//! just got into, at whatever depth. The path that was asked least often has its turn, of equals the latest.
//! Knows no other path, so it may have nothing to offer while much is open.

use super::random_negation::pick;
use super::{Candidate, News, Strategy, View};
use crate::random::Random;
use crate::side::NodeId;
use crate::tree::Tree;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Questions to a path before the others have their turn.
const ROUND: u32 = 8;
/// Paths that are remembered.
const PATHS: usize = 256;

pub(super) struct Fruitful {
    random: Random,
    /// By rounds that the path had, and by its number.
    paths: BTreeMap<(u32, Reverse<u64>), Path>,
    numbers: u64,
}

struct Path {
    /// Those that may still be open.
    nodes: Vec<NodeId>,
    asked: u32,
}

impl Fruitful {
    pub(super) fn new(seed: u64) -> Fruitful {
        Fruitful { random: Random::new(seed), paths: BTreeMap::new(), numbers: 0 }
    }
}

impl Strategy for Fruitful {
    fn name(&self) -> &'static str {
        "fruitful"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        loop {
            let ((_, number), mut path) = self.paths.pop_first()?;
            if let Some(candidate) = pick(&mut self.random, tree, &mut path.nodes) {
                path.asked += 1;
                self.paths.insert((path.asked / ROUND, number), path);
                return Some(candidate);
            }
        }
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        if let News::Executed { trail, new_coverage: 1.., .. } = news {
            self.paths.insert((0, Reverse(self.numbers)), Path { nodes: trail.whole(tree), asked: 0 });
            self.numbers += 1;
            if self.paths.len() > PATHS {
                self.paths.pop_last();
            }
        }
    }
}
