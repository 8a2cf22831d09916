//! Weighted random negation: a random open side of the last path, those of the function under test four times
//! as likely as the others; of any path when the last has none.

use super::{Candidate, News, Strategy, View};
use crate::random::Random;
use crate::side::NodeId;
use crate::sites::Code;
use crate::tree::Tree;

/// How much likelier a side of the function under test is.
const TARGET_WEIGHT: usize = 4;

pub struct WeightedRandom {
    random: Random,
    path: Bag,
    all: Bag,
}

impl WeightedRandom {
    pub fn new(seed: u64) -> WeightedRandom {
        WeightedRandom { random: Random::new(seed), path: Bag::default(), all: Bag::default() }
    }
}

/// Nodes that may still be open, by whether they are in the function under test.
#[derive(Default)]
struct Bag {
    target: Vec<NodeId>,
    others: Vec<NodeId>,
}

impl Bag {
    fn add(&mut self, tree: &Tree, view: &View<'_>, nodes: impl Iterator<Item = NodeId>) {
        for node in nodes.filter(|&node| tree.open_goal(node).is_some()) {
            match view.sites.code(tree.site(node)) {
                Code::Target => self.target.push(node),
                Code::Called | Code::Foreign => self.others.push(node),
            }
        }
    }

    /// Draws until an open node comes; closed ones leave, which does not change the odds among the others.
    fn draw(&mut self, random: &mut Random, tree: &Tree) -> Option<Candidate> {
        loop {
            let weighted = self.target.len() * TARGET_WEIGHT;
            if weighted + self.others.len() == 0 {
                return None;
            }
            let drawn = random.below(weighted + self.others.len());
            let (list, index) = match drawn.checked_sub(weighted) {
                None => (&mut self.target, drawn / TARGET_WEIGHT),
                Some(index) => (&mut self.others, index),
            };
            let node = list[index];
            let goals = tree.open_goals(node);
            if !goals.is_empty() {
                return Some(Candidate { node, goal: goals[random.below(goals.len())] });
            }
            list.swap_remove(index);
        }
    }
}

impl Strategy for WeightedRandom {
    fn name(&self) -> &'static str {
        "weighted-random"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        let random = &mut self.random;
        self.path.draw(random, tree).or_else(|| self.all.draw(random, tree))
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        self.all.add(tree, view, news.opened());
        if let News::Executed { trail, .. } = news {
            self.path.target.clear();
            self.path.others.clear();
            self.path.add(tree, view, trail.whole(tree).into_iter());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_four_times_as_likely() {
        use crate::decision::Kind;
        use crate::side::{SiteId, TestId};
        use crate::tree::{Limits, Step, Trail};
        let mut tree = Tree::new(Limits::default());
        let step = |site| Step {
            site: SiteId(site),
            kind: Kind::Branch,
            outcome: 0,
            ways: 2,
            defer: false,
            skip: false,
        };
        let mut trail = Trail::default();
        tree.insert(&[step(0), step(1), step(2)], TestId(0), true, &mut trail);
        let mut bag = Bag { target: vec![trail.nodes[0]], others: vec![trail.nodes[1], trail.nodes[2]] };
        let mut random = Random::new(3);
        let mut drawn = [0; 3];
        for _ in 0..6000 {
            let candidate = bag.draw(&mut random, &tree).expect("all are open");
            drawn[tree.depth(candidate.node)] += 1;
        }
        // Expected 4000, 1000, 1000; five standard deviations are 180 and 145.
        assert!((3820..4180).contains(&drawn[0]) && (855..1145).contains(&drawn[1]), "{drawn:?}");
    }
}
