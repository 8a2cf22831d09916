//! Context-guided search: breadth-first over the tree, but a side is asked for only if its context is new. The
//! k-context of a side is the side and the k - 1 branches before it on the path, those left out that every way
//! to it takes anyhow. The search begins with k = 1; each time the whole tree was seen, k grows by one and what
//! was passed over is looked at again.
//!
//! The branches of drivers and of models of the C library are not part of the contexts of the program's own: a
//! loop in `strlen` says little about how the program got somewhere.
//!
//! Contexts are compared by 64-bit hashes. Each node that was passed over remembers how far its context was
//! read, so that a larger k costs one step and not k.

use super::{Candidate, News, Strategy, View};
use crate::decision::{Goal, Kind};
use crate::random::Random;
use crate::side::NodeId;
use crate::sites::Code;
use crate::tree::Tree;
use rustc_hash::FxHashSet;

pub struct Cgs {
    variant: Variant,
    random: Random,
    /// The size of contexts now.
    k: u32,
    /// The depth that the traversal has come to.
    depth: usize,
    /// By depth: nodes not looked at in this traversal, and nodes passed over.
    fresh: Vec<Vec<Examined>>,
    passed: Vec<Vec<Examined>>,
    /// Contexts of the sides that were selected, at the size they had then.
    seen: FxHashSet<u64>,
    /// Something was passed over that a larger context may tell apart.
    grows: bool,
    /// Something came in above the depth of this traversal.
    late: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// k = 1, 2, 3, ...
    Increasing,
    /// The same k from the beginning.
    Fixed(u32),
    /// Increasing, with the branches that every way takes.
    WithDominators,
}

/// A node with the part of its context that was read so far.
struct Examined {
    node: NodeId,
    /// The last node that was read.
    reached: NodeId,
    /// Branches read, the node's own included.
    length: u32,
    /// There are no more.
    whole: bool,
    hash: u64,
}

impl Cgs {
    pub const DEFAULT_FIXED: u32 = 5;

    pub fn new(seed: u64, variant: Variant) -> Cgs {
        let k = if let Variant::Fixed(k) = variant { k.max(1) } else { 1 };
        Cgs {
            variant,
            random: Random::new(seed),
            k,
            depth: 0,
            fresh: Vec::new(),
            passed: Vec::new(),
            seen: FxHashSet::default(),
            grows: false,
            late: false,
        }
    }

    /// Reads the context up to size k, and gives the first goal for which it is new.
    fn new_goal(&mut self, tree: &Tree, view: &View<'_>, depth: usize, index: usize) -> Option<Goal> {
        let entry = &mut self.fresh[depth][index];
        entry.read(tree, view, self.k, self.variant != Variant::WithDominators);
        let (node, context) = (entry.node, mix(entry.hash, u64::from(self.k)));
        let mut is_new = |goal: &Goal| {
            let side = if let Goal::Take(outcome) = goal { *outcome } else { u64::MAX };
            self.seen.insert(mix(context, side))
        };
        match tree.is_two_way(node) {
            true => tree.open_goal(node).filter(|goal| is_new(goal)),
            false => tree.open_goals(node).into_iter().find(|goal| is_new(goal)),
        }
    }

    /// Begins at the top again, with larger contexts. False when that would tell nothing apart.
    fn start_over(&mut self) -> bool {
        let grows = self.grows && !matches!(self.variant, Variant::Fixed(_));
        if !grows && !self.late {
            return false;
        }
        if grows {
            self.k += 1;
            for (fresh, passed) in self.fresh.iter_mut().zip(&mut self.passed) {
                fresh.append(passed);
            }
        }
        self.depth = 0;
        self.grows = self.grows && !grows;
        self.late = false;
        true
    }

    /// Of what no context tells apart, the shallowest.
    fn leftover(&mut self, tree: &Tree) -> Option<Candidate> {
        for passed in &mut self.passed {
            while let Some(entry) = passed.last() {
                if let Some(goal) = tree.open_goal(entry.node) {
                    return Some(Candidate { node: entry.node, goal });
                }
                passed.pop();
            }
        }
        None
    }
}

impl Strategy for Cgs {
    fn name(&self) -> &'static str {
        match self.variant {
            Variant::Increasing => "cgs",
            Variant::Fixed(_) => "cgs-fixed",
            Variant::WithDominators => "cgs-no-dominators",
        }
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        loop {
            while let Some(fresh) = self.fresh.get_mut(self.depth) {
                if fresh.is_empty() {
                    self.depth += 1;
                    continue;
                }
                let index = self.random.below(fresh.len());
                let node = fresh[index].node;
                if tree.open_goal(node).is_none() {
                    fresh.swap_remove(index);
                    continue;
                }
                if let Some(goal) = self.new_goal(tree, view, self.depth, index) {
                    return Some(Candidate { node, goal });
                }
                let entry = self.fresh[self.depth].swap_remove(index);
                self.grows |= !entry.whole;
                self.passed[self.depth].push(entry);
            }
            if !self.start_over() {
                return self.leftover(tree);
            }
        }
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        for node in news.opened().filter(|&node| tree.open_goal(node).is_some()) {
            let depth = tree.depth(node);
            if self.fresh.len() <= depth {
                self.fresh.resize_with(depth + 1, Vec::new);
                self.passed.resize_with(depth + 1, Vec::new);
            }
            let hash = mix(0, u64::from(tree.site(node).0));
            self.fresh[depth].push(Examined { node, reached: node, length: 1, whole: false, hash });
            self.late |= depth < self.depth;
        }
    }
}

impl Examined {
    fn read(&mut self, tree: &Tree, view: &View<'_>, k: u32, leave_out: bool) {
        while self.length < k && !self.whole {
            match self.before(tree, view, leave_out) {
                None => self.whole = true,
                Some((node, outcome)) => {
                    self.hash = mix(mix(self.hash, u64::from(tree.site(node).0)), outcome);
                    self.length += 1;
                }
            }
        }
        // A context of size 1 has read nothing yet; at the root there is nothing to read.
        self.whole |= tree.parent(self.reached).is_none();
    }

    /// The next branch up the path that belongs to the context.
    fn before(&mut self, tree: &Tree, view: &View<'_>, leave_out: bool) -> Option<(NodeId, u64)> {
        let own = tree.site(self.node);
        let place = view.sites.key(own);
        let is_foreign = |site| view.sites.code(site) == Code::Foreign;
        loop {
            let (node, outcome) = tree.came_by(self.reached)?;
            self.reached = node;
            let site = tree.site(node);
            let is_branch = matches!(tree.kind(node), Kind::Branch | Kind::Switch | Kind::Indirect)
                && (is_foreign(own) || !is_foreign(site));
            let side = (view.sites.key(site), outcome);
            if is_branch && !(leave_out && view.sites.flow().is_on_every_way(side, place)) {
                return Some((node, outcome));
            }
        }
    }
}

fn mix(hash: u64, value: u64) -> u64 {
    let mut z = (hash ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
