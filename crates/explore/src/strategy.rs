//! What a search strategy is: two verbs. `select` picks a side that nobody tried; `update` hears what came of
//! it. The tree and the coverage are shared; a strategy keeps only its own order.
//!
//! A strategy may forget nothing that it was told is open: when every `select` returns `None`, the explorer
//! takes the search for finished.

pub mod coordinator;
pub mod dfs;
pub mod random_negation;
mod wanted;
mod weighted;

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
}

pub enum News<'a> {
    /// An execution was added to the tree.
    Executed {
        trail: &'a Trail,
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
    /// The nodes that may have open sides the strategy has not heard of, in path order.
    pub fn opened(&self) -> impl Iterator<Item = NodeId> + '_ {
        let (first, second): (&[NodeId], &[NodeId]) = match self {
            News::Executed { trail, .. } => (&trail.reopened, &trail.nodes[trail.first_new..]),
            News::Admitted { nodes } => (nodes, &[]),
            News::Dropped { .. } => (&[], &[]),
        };
        first.iter().chain(second).copied()
    }
}

pub trait Strategy {
    fn name(&self) -> &'static str;
    /// A goal for which `tree.open_goals` holds, or nothing when the strategy knows of none.
    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate>;
    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>);
}

/// The strategies by name, for command lines and configuration.
pub fn by_name(name: &str, seed: u64) -> Option<Box<dyn Strategy + Send>> {
    Some(match name {
        "coordinator" => Box::new(coordinator::Coordinator::new(seed)),
        "dfs" => Box::new(dfs::Dfs::default()),
        "random-negation" => Box::new(random_negation::RandomNegation::new(seed)),
        _ => return None,
    })
}

pub const NAMES: &[&str] = &["coordinator", "dfs", "random-negation"];
