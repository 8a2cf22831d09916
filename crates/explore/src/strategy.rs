//! What a search strategy is: two verbs. `select` picks a side that nobody tried; `update` hears what came of
//! it. The tree and the coverage are shared; a strategy keeps only its own order.
//!
//! A strategy may forget nothing that it was told is open: when every `select` returns `None`, the explorer
//! takes the search for finished.

pub mod bfs;
pub mod bounded_dfs;
pub mod carfast;
pub mod cfg_directed;
pub mod cgs;
pub mod coordinator;
pub mod coverage_optimised;
pub mod dfs;
pub mod generational;
pub mod klee;
pub mod maist;
pub mod random_negation;
pub mod random_path;
pub mod reverse_dfs;
pub mod target_dfs;
pub mod uniform_random;
pub mod weighted_random;

mod census;
mod fruitful;
mod mending;
mod met;
mod nearness;
mod rarest;
mod wanted;

use crate::decision::Goal;
use crate::side::{NodeId, Side};
use crate::sites::Sites;
use crate::tree::{Trail, Tree};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Candidate {
    pub node: NodeId,
    pub goal: Goal,
}

/// What a strategy may look at besides the tree.
pub struct View<'a> {
    pub sites: &'a Sites<'a>,
    pub executions: u64,
    /// The part of the budget that is spent, 0 to 1: of executions where these are bounded, else of time.
    pub spent: f64,
}

pub enum News<'a> {
    /// An execution was added to the tree.
    Executed {
        trail: &'a Trail,
        /// Nodes with open sides that the strategy has not heard of, in path order: found once for all that ask.
        open: &'a [NodeId],
        /// What it was solved for; nothing for a seed.
        asked: Option<Candidate>,
        /// Measured sides that it covered first.
        new_coverage: usize,
        /// It followed what the query predicted, or nothing was predicted.
        as_predicted: bool,
    },
    /// A candidate led to no execution: infeasible, unknown or skipped.
    Dropped { candidate: Candidate, verdict: Side },
    /// Sides that had been held back are on offer now.
    Admitted { nodes: &'a [NodeId] },
}

impl News<'_> {
    /// The nodes with open sides that the strategy has not heard of, in path order.
    pub fn opened(&self) -> impl Iterator<Item = NodeId> + Clone + '_ {
        let nodes: &[NodeId] = match self {
            News::Executed { open, .. } => open,
            News::Admitted { nodes } => nodes,
            News::Dropped { .. } => &[],
        };
        nodes.iter().copied()
    }
}

pub trait Strategy {
    fn name(&self) -> &'static str;
    /// A goal for which `tree.open_goals` holds, or nothing when the strategy knows of none.
    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate>;
    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>);
}

/// A strategy as command lines and configuration name it.
pub struct Known {
    pub name: &'static str,
    /// One line for people.
    pub rule: &'static str,
    make: fn(u64, Option<usize>) -> Box<dyn Strategy + Send>,
}

/// Every strategy, the default first. `NAME:N` sets the number of those that have one.
pub const KNOWN: &[Known] = &[
    Known {
        name: "coordinator",
        rule: "new sides and checks first, then the strategies that lately paid",
        make: |seed, _| Box::new(coordinator::Coordinator::new(seed)),
    },
    Known {
        name: "maist",
        rule: "dfs, reverse-dfs, random-negation, cfg: a quarter of the budget each",
        make: |seed, _| Box::new(maist::Maist::new(seed)),
    },
    Known {
        name: "cgs",
        rule: "breadth-first, but only sides whose context is new; contexts grow",
        make: |seed, _| Box::new(cgs::Cgs::new(seed, cgs::Variant::Increasing)),
    },
    Known {
        name: "cgs-fixed",
        rule: "cgs with contexts of one size, cgs-fixed:5",
        make: |seed, k| {
            let k = k.map_or(cgs::Cgs::DEFAULT_FIXED, |k| u32::try_from(k).unwrap_or(u32::MAX));
            Box::new(cgs::Cgs::new(seed, cgs::Variant::Fixed(k)))
        },
    },
    Known {
        name: "cgs-no-dominators",
        rule: "cgs with contexts that keep what every way takes",
        make: |seed, _| Box::new(cgs::Cgs::new(seed, cgs::Variant::WithDominators)),
    },
    Known {
        name: "cfg",
        rule: "the side nearest to code that nobody ran, over control flow and calls",
        make: |_, _| Box::new(cfg_directed::CfgDirected::default()),
    },
    Known {
        name: "carfast",
        rule: "the new side with the most code depending on it",
        make: |seed, _| Box::new(carfast::CarFast::new(seed)),
    },
    Known {
        name: "generational",
        rule: "every side of a path, then the path that covered most",
        make: |_, _| Box::new(generational::Generational::default()),
    },
    Known {
        name: "dfs",
        rule: "the deepest side of the last path",
        make: |_, _| Box::new(dfs::Dfs::default()),
    },
    Known {
        name: "bounded-dfs",
        rule: "dfs above a depth that doubles, bounded-dfs:32",
        make: |_, bound| {
            Box::new(bounded_dfs::BoundedDfs::new(bound.unwrap_or(bounded_dfs::BoundedDfs::DEFAULT_BOUND)))
        },
    },
    Known {
        name: "reverse-dfs",
        rule: "the shallowest side of the last path",
        make: |_, _| Box::new(reverse_dfs::ReverseDfs::default()),
    },
    Known {
        name: "target-dfs",
        rule: "dfs, the function under test before what it calls",
        make: |_, _| Box::new(target_dfs::TargetDfs::default()),
    },
    Known {
        name: "bfs",
        rule: "the shallowest side of the tree",
        make: |_, _| Box::new(bfs::Bfs::default()),
    },
    Known {
        name: "random-negation",
        rule: "a random side of the last path",
        make: |seed, _| Box::new(random_negation::RandomNegation::new(seed)),
    },
    Known {
        name: "weighted-random",
        rule: "random-negation, the function under test four times as likely",
        make: |seed, _| Box::new(weighted_random::WeightedRandom::new(seed)),
    },
    Known {
        name: "uniform-random",
        rule: "a walk that flips a coin at every decision and goes on behind it",
        make: |seed, _| Box::new(uniform_random::UniformRandom::new(seed)),
    },
    Known {
        name: "random-path",
        rule: "a new walk from the root each time, a draw at every decision",
        make: |seed, _| Box::new(random_path::RandomPath::new(seed)),
    },
    Known {
        name: "coverage-optimised",
        rule: "a random side, likelier near code that nobody ran",
        make: |seed, _| Box::new(coverage_optimised::CoverageOptimised::new(seed)),
    },
    Known {
        name: "klee",
        rule: "random-path and coverage-optimised in turns",
        make: |seed, _| Box::new(klee::Klee::new(seed)),
    },
];

/// A strategy by its name, or `NAME:N`. Broken assumptions are mended first, whichever it is.
pub fn by_name(spec: &str, seed: u64) -> Option<Box<dyn Strategy + Send>> {
    let (name, number) = match spec.split_once(':') {
        None => (spec, None),
        Some((name @ ("cgs-fixed" | "bounded-dfs"), number)) => (name, Some(number.parse().ok()?)),
        Some(_) => return None,
    };
    let known = KNOWN.iter().find(|known| known.name == name)?;
    Some(Box::new(mending::Mending::before((known.make)(seed, number))))
}

/// The names alone.
pub fn names() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|known| known.name)
}

#[cfg(test)]
mod tests;
