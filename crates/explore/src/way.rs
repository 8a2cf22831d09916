//! The way to a decision: what was decided before it, and what the inputs had to satisfy for that. It is read off the
//! tree, where the symbolic side of a decision is kept once for all paths through it; or it is that of one execution,
//! where paths with the same decisions have different terms.

use crate::decision::Decision;
use crate::side::NodeId;
use crate::sites::Sites;
use crate::tree::Tree;

/// The whole path of one execution.
pub struct Whole<H> {
    pub decisions: Vec<Decision>,
    pub held: Vec<H>,
}

pub struct Way<'a, H> {
    steps: Steps<'a>,
    held: &'a [Option<H>],
    whole: &'a [H],
}

impl<H> Clone for Way<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for Way<'_, H> {}

/// The decisions of a way with their numbers, the last one first.
#[derive(Clone, Copy)]
pub struct Steps<'a> {
    tree: Option<(&'a Tree, &'a Sites<'a>, NodeId)>,
    whole: &'a [Decision],
}

/// Where a way leads.
#[derive(Clone, Copy)]
pub enum Whence<'a> {
    /// To the first decision.
    Begin,
    Node(&'a Tree, NodeId),
    /// Behind these decisions.
    Path(&'a [Decision]),
}

impl<'a> Whence<'a> {
    pub fn steps(self, sites: &'a Sites<'a>) -> Steps<'a> {
        match self {
            Whence::Begin => Steps { tree: None, whole: &[] },
            Whence::Node(tree, node) => Steps { tree: Some((tree, sites, node)), whole: &[] },
            Whence::Path(whole) => Steps { tree: None, whole },
        }
    }
}

impl<'a> From<&'a [Decision]> for Steps<'a> {
    fn from(whole: &'a [Decision]) -> Steps<'a> {
        Steps { tree: None, whole }
    }
}

impl Iterator for Steps<'_> {
    type Item = (usize, Decision);

    fn next(&mut self) -> Option<(usize, Decision)> {
        let Some((tree, sites, node)) = &mut self.tree else {
            let (last, before) = self.whole.split_last()?;
            self.whole = before;
            return Some((before.len(), *last));
        };
        let (parent, outcome) = tree.came_by(*node)?;
        *node = parent;
        Some((tree.depth(parent), sites.decision(tree.site(parent), tree.kind(parent), outcome)))
    }
}

impl<'a, H: Copy> Way<'a, H> {
    /// The way to a node. `held`: by node; all before it have theirs.
    pub fn to(tree: &'a Tree, sites: &'a Sites<'a>, held: &'a [Option<H>], node: NodeId) -> Way<'a, H> {
        Way { steps: Whence::Node(tree, node).steps(sites), held, whole: &[] }
    }

    /// The first decisions of an execution.
    pub fn of(path: &'a Whole<H>, length: usize) -> Way<'a, H> {
        let length = length.min(path.decisions.len()).min(path.held.len());
        let steps = Steps::from(&path.decisions[..length]);
        Way { steps, held: &[], whole: &path.held[..length] }
    }

    pub fn steps(&self) -> Steps<'a> {
        self.steps
    }

    /// The symbolic sides of the decisions, the last one first.
    pub fn held(&self) -> impl Iterator<Item = H> + use<'a, H> {
        let (all, tree) = (self.held, self.steps.tree);
        let mut at = tree.map(|(_, _, node)| node);
        let before = std::iter::from_fn(move || {
            at = tree?.0.parent(at?);
            all.get(at?.0 as usize).copied().flatten()
        });
        before.chain(self.whole.iter().rev().copied())
    }

    /// The same, where the way is long: what was added to the tree in one go is looked at in one go.
    pub fn each_held(&self, mut each: impl FnMut(H)) {
        let mut at = self.steps.tree.and_then(|(tree, _, node)| tree.parent(node));
        while let (Some(last), Some((tree, ..))) = (at, self.steps.tree) {
            let (first, before) = tree.way_back(last);
            let run = self.held.get(first.0 as usize..=last.0 as usize).unwrap_or_default();
            run.iter().rev().flatten().for_each(|held| each(*held));
            at = before;
        }
        self.whole.iter().rev().for_each(|held| each(*held));
    }

    /// The decisions from the first one on, each with its symbolic side.
    pub fn forwards(&self) -> Vec<(Decision, H)> {
        let mut all: Vec<_> = self.steps.map(|(_, decision)| decision).zip(self.held()).collect();
        all.reverse();
        all
    }
}
