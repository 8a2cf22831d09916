//! The default: checks that were never asked for, then the strategies that lately paid.
//!
//! All arms share the tree, so each goes on where the others left it. Which one chooses next is a bandit's
//! decision: an arm is paid for the sides that its choice covered first, and charged for every question, less for those
//! that led to no execution; old payments fade, because what pays at first rarely pays at the end. Counts, not
//! times, so that equal seeds give equal searches.

use super::carfast::CarFast;
use super::cfg_directed::CfgDirected;
use super::fruitful::Fruitful;
use super::generational::Generational;
use super::rarest::Rarest;
use super::wanted::Wanted;
use super::{Candidate, News, Strategy, View};
use crate::decision::{Goal, Kind};
use crate::side::{NodeId, Side};
use crate::tree::Tree;
use std::collections::VecDeque;

/// What is left of a payment after one more question.
const FADING: f64 = 0.995;
/// What an arm is taken to have been paid before it was asked: every arm is tried for a while.
const PRIOR: f64 = 3.3;
/// How much not having been asked for long counts against having paid.
const CURIOSITY: f64 = 0.13;
/// What a question costs that led to no execution.
const FRUITLESS: f64 = 0.5;
/// Failures after which a new side is left to the other arms: most that fail so often are infeasible.
const STUBBORN: u32 = 16;

const ARMS: usize = 6;

pub struct Coordinator {
    checks: VecDeque<NodeId>,
    arms: [Box<dyn Strategy + Send>; ARMS],
    /// Faded sums of payments and of questions, by arm.
    paid: [f64; ARMS],
    asked: [f64; ARMS],
    /// The side that an arm chose and whose fate is not known yet.
    pending: Option<(Candidate, usize)>,
}

impl Coordinator {
    pub fn new(seed: u64) -> Coordinator {
        Coordinator {
            checks: VecDeque::new(),
            // Of equals the first has its turn.
            arms: [
                Box::new(NewSides::default()),
                Box::new(CfgDirected::default()),
                Box::new(CarFast::of_new_sides()),
                // The only one that forgets nothing.
                Box::new(Generational::default()),
                Box::new(Fruitful::new(seed)),
                Box::new(Rarest::new(seed)),
            ],
            paid: [0.0; ARMS],
            asked: [0.0; ARMS],
            pending: None,
        }
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

    /// The arms, the most promising first: by what a question paid lately, and a bonus for those not asked. Mostly the first
    /// has an answer, so they are not sorted.
    fn order(&self) -> impl Iterator<Item = usize> + use<> {
        let total: f64 = self.asked.iter().sum();
        let often = (total + 1.0).ln();
        let mut promise: [f64; ARMS] = std::array::from_fn(|index| {
            let mean = (self.paid[index] + PRIOR) / (self.asked[index] + 1.0);
            mean + CURIOSITY * (often / (self.asked[index] + 1.0)).sqrt()
        });
        (0..ARMS).map(move |_| {
            let better = |best, index| if promise[index] > promise[best] { index } else { best };
            let best = (1..ARMS).fold(0, better);
            promise[best] = f64::NEG_INFINITY;
            best
        })
    }

    /// Settles a question of this cost that covered so many new sides. Ten sides at once are worth more than one, but not
    /// ten times as much: an execution that gets into new code covers much that the next ones would have covered.
    fn charge(&mut self, index: usize, covered: usize, cost: f64) {
        let left = 1.0 - (1.0 - FADING) * cost;
        self.paid.iter_mut().chain(&mut self.asked).for_each(|sum| *sum *= left);
        self.paid[index] += (1.0 + covered as f64).log2();
        self.asked[index] += cost;
    }
}

impl Strategy for Coordinator {
    fn name(&self) -> &'static str {
        "coordinator"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        self.pending = None;
        if let Some(candidate) = self.check(tree, view) {
            return Some(candidate);
        }
        for index in self.order() {
            if let Some(candidate) = self.arms[index].select(tree, view) {
                self.pending = Some((candidate, index));
                return Some(candidate);
            }
        }
        None
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        let fate = match news {
            News::Executed { asked, new_coverage, .. } => asked.map(|asked| (asked, *new_coverage, 1.0)),
            // Put off or left out before any question: that cost nothing.
            News::Dropped { verdict: Side::Deferred | Side::Skipped, .. } | News::Admitted { .. } => None,
            News::Dropped { candidate, .. } => Some((*candidate, 0, FRUITLESS)),
        };
        if let (Some((candidate, covered, cost)), Some((chosen, index))) = (fate, self.pending)
            && candidate == chosen
        {
            self.charge(index, covered, cost);
            self.pending = None;
        }
        let unasked =
            |&node: &NodeId| tree.kind(node) == Kind::Check && view.sites.state(tree.site(node)).asked == 0;
        self.checks.extend(news.opened().filter(unasked));
        for arm in &mut self.arms {
            arm.update(tree, view, news);
        }
    }
}

/// Sides that nobody took and checks not violated yet, those that failed least often first, then the shortest
/// path. Knows nothing else, so it may have nothing to offer while much is open.
#[derive(Default)]
struct NewSides {
    wanted: Wanted,
}

impl Strategy for NewSides {
    fn name(&self) -> &'static str {
        "new-sides"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        let (node, outcome, failures) = self.wanted.best(tree, view)?;
        (failures < STUBBORN).then_some(Candidate { node, goal: Goal::Take(outcome) })
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        for node in news.opened() {
            match tree.kind(node) {
                Kind::Check => self.wanted.add(tree, view, node, 1),
                Kind::Branch | Kind::Switch if !view.sites.has_untaken(tree.site(node)) => {}
                Kind::Branch | Kind::Switch => {
                    for goal in tree.open_goals(node) {
                        if let Goal::Take(outcome) = goal {
                            self.wanted.add(tree, view, node, outcome);
                        }
                    }
                }
                Kind::Assume | Kind::Indirect | Kind::Concretised => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arm_that_pays_is_asked_most_and_none_is_forgotten() {
        let mut coordinator = Coordinator::new(1);
        let mut asked = [0; ARMS];
        for _ in 0..600 {
            let index = coordinator.order().next().unwrap();
            asked[index] += 1;
            coordinator.charge(index, usize::from(index == 3), 1.0);
        }
        assert!(asked[3] > 400 && asked.iter().all(|&count| count >= 5), "{asked:?}");
        // What paid and pays no more is left alone in the end.
        let mut later = [0; ARMS];
        for _ in 0..600 {
            let index = coordinator.order().next().unwrap();
            later[index] += 1;
            coordinator.charge(index, usize::from(index == 5), 1.0);
        }
        assert!(later[5] > 2 * later[3], "{later:?}");
    }

    #[test]
    fn arms_that_pay_alike_are_asked_alike() {
        let mut coordinator = Coordinator::new(1);
        let mut asked = [0; ARMS];
        for _ in 0..600 {
            let index = coordinator.order().next().unwrap();
            asked[index] += 1;
            coordinator.charge(index, 0, 1.0);
        }
        assert!(asked.iter().all(|count| (60..=110).contains(count)), "{asked:?}");
    }
}
