//! Context-guided search: breadth-first over the tree, but a side is asked for only if its context is new. The
//! k-context of a side is the side and the k - 1 branches before it on the path, those left out that every way
//! to it takes anyhow. The search begins with k = 1; each time the whole tree was seen, k grows by one and what
//! was passed over is looked at again.
//!
//! The branches of drivers and of models of the C library are not part of the contexts of the program's own, and
//! come after these in each traversal: a driver may decide a hundred times before the function begins, and a loop
//! in `strlen` says little about how the program got somewhere.
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
    /// The program's own decisions, then the others.
    parts: [Traversal; 2],
    /// Contexts of the sides that were selected, at the size they had then.
    seen: FxHashSet<u64>,
    /// Something was passed over that a larger context may tell apart.
    grows: bool,
    /// Something came in above the depth of this traversal.
    late: bool,
}

/// Breadth-first through one part of the decisions.
#[derive(Default)]
struct Traversal {
    /// The depth that it has come to.
    depth: usize,
    /// By depth: nodes not looked at in this traversal, and nodes passed over.
    fresh: Vec<Vec<Examined>>,
    passed: Vec<Vec<Examined>>,
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
            parts: Default::default(),
            seen: FxHashSet::default(),
            grows: false,
            late: false,
        }
    }

    /// The next side of this part whose context is new.
    fn next_of(&mut self, part: usize, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        let Cgs { parts, random, seen, k, variant, grows, .. } = self;
        let Traversal { depth, fresh, passed } = &mut parts[part];
        while let Some(list) = fresh.get_mut(*depth) {
            if list.is_empty() {
                *depth += 1;
                continue;
            }
            let index = random.below(list.len());
            let entry = &mut list[index];
            let node = entry.node;
            if tree.open_goal(node).is_none() {
                list.swap_remove(index);
                continue;
            }
            entry.read(tree, view, *k, *variant != Variant::WithDominators);
            let context = mix(entry.hash, u64::from(*k));
            let mut is_new = |goal: &Goal| {
                let side = if let Goal::Take(outcome) = goal { *outcome } else { u64::MAX };
                seen.insert(mix(context, side))
            };
            let goal = match tree.is_two_way(node) {
                true => tree.open_goal(node).filter(|goal| is_new(goal)),
                false => tree.open_goals(node).into_iter().find(|goal| is_new(goal)),
            };
            if let Some(goal) = goal {
                return Some(Candidate { node, goal });
            }
            let entry = list.swap_remove(index);
            *grows |= !entry.whole;
            passed[*depth].push(entry);
        }
        None
    }

    /// Begins at the top again, with larger contexts. False when that would tell nothing apart.
    fn start_over(&mut self) -> bool {
        let grows = self.grows && !matches!(self.variant, Variant::Fixed(_));
        if !grows && !self.late {
            return false;
        }
        self.k += u32::from(grows);
        for Traversal { depth, fresh, passed } in &mut self.parts {
            *depth = 0;
            if grows {
                fresh.iter_mut().zip(passed).for_each(|(fresh, passed)| fresh.append(passed));
            }
        }
        self.grows = self.grows && !grows;
        self.late = false;
        true
    }

    /// Of what no context tells apart, the shallowest.
    fn leftover(&mut self, tree: &Tree) -> Option<Candidate> {
        for passed in self.parts.iter_mut().flat_map(|part| &mut part.passed) {
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
            for part in 0..self.parts.len() {
                if let Some(candidate) = self.next_of(part, tree, view) {
                    return Some(candidate);
                }
            }
            if !self.start_over() {
                return self.leftover(tree);
            }
        }
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        for node in news.opened().filter(|&node| tree.open_goal(node).is_some()) {
            let depth = tree.depth(node);
            let is_foreign = view.sites.code(tree.site(node)) == Code::Foreign;
            let part = &mut self.parts[usize::from(is_foreign)];
            let is_through = part.depth >= part.fresh.len();
            if part.fresh.len() <= depth {
                part.fresh.resize_with(depth + 1, Vec::new);
                part.passed.resize_with(depth + 1, Vec::new);
            }
            let hash = mix(0, u64::from(tree.site(node).0));
            part.fresh[depth].push(Examined { node, reached: node, length: 1, whole: false, hash });
            match is_through {
                true => part.depth = part.depth.min(depth),
                false => self.late |= depth < part.depth,
            }
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
