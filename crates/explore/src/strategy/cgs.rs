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
//! read, so that a larger k costs one step and not k. Every node is looked at once for each k. In a large tree
//! with few new contexts a selection would look at all of it, so it looks at a portion and takes the first new
//! side of that; where several portions have none, the shallowest side. A tree of one portion is searched exactly
//! as the paper says.

use super::{Candidate, News, Strategy, View};
use crate::decision::{Goal, Kind};
use crate::flow::Spans;
use crate::random::Random;
use crate::side::{NodeId, SiteId};
use crate::sites::Code;
use crate::tree::Tree;
use rustc_hash::FxHashSet;

pub struct Cgs {
    variant: Variant,
    /// Nodes to look at in a row, or more when more came.
    portion: usize,
    random: Random,
    /// The size of contexts now.
    k: u32,
    /// Nodes that were not looked at with this k, the next one last.
    unlisted: Vec<Examined>,
    /// How many of them came since the last selection.
    arrived: usize,
    /// The program's own decisions, then the others.
    parts: [Traversal; 2],
    /// Contexts of the sides that were selected, at the size they had then.
    seen: FxHashSet<u64>,
    /// What every way to a place takes.
    dominators: Dominators,
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
    /// By depth: nodes whose context was new when they were looked at.
    fresh: Vec<Vec<Examined>>,
    /// Nodes passed over, in the order of the tree.
    passed: Vec<Examined>,
    leftovers: Leftovers,
}

/// Nodes passed over that no larger context tells apart, by depth.
#[derive(Default)]
struct Leftovers {
    levels: Vec<Vec<Examined>>,
    /// Nothing is above this depth.
    shallowest: usize,
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
#[derive(Clone, Copy)]
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

const PORTION: usize = 4096;
/// Portions without a new context before a selection does without one.
const PORTIONS: usize = 4;

impl Cgs {
    pub const DEFAULT_FIXED: u32 = 5;

    pub fn new(seed: u64, variant: Variant) -> Cgs {
        let k = if let Variant::Fixed(k) = variant { k.max(1) } else { 1 };
        Cgs {
            variant,
            portion: PORTION,
            random: Random::new(seed),
            k,
            unlisted: Vec::new(),
            arrived: 0,
            parts: Default::default(),
            seen: FxHashSet::default(),
            dominators: Dominators::default(),
            grows: false,
            late: false,
        }
    }

    /// The next side of this part whose context is new.
    fn next_of(&mut self, part: usize, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        loop {
            let Traversal { depth, fresh, .. } = &mut self.parts[part];
            let list = fresh.get_mut(*depth)?;
            if list.is_empty() {
                *depth += 1;
                continue;
            }
            // It stays listed as long as the tree has something open there.
            let index = self.random.below(list.len());
            let mut entry = list[index];
            match self.new_goal(&mut entry, tree, view) {
                Look::New(goal) => {
                    self.seen.insert(entry.side(self.k, goal));
                    return Some(Candidate { node: entry.node, goal });
                }
                look => {
                    self.parts[part].fresh[tree.depth(entry.node)].swap_remove(index);
                    self.pass_over(part, entry, look);
                }
            }
        }
    }

    /// Reads the context of a node as far as is wanted now, and looks for a side that is new in it.
    fn new_goal(&mut self, entry: &mut Examined, tree: &Tree, view: &View<'_>) -> Look {
        let Some(first) = tree.open_goal(entry.node) else { return Look::Closed };
        let left_out = (self.variant != Variant::WithDominators).then_some(&mut self.dominators);
        entry.read(tree, view, self.k, left_out);
        let is_new = |goal: &Goal| !self.seen.contains(&entry.side(self.k, *goal));
        let goal = match tree.is_two_way(entry.node) {
            true => Some(first).filter(is_new),
            false => tree.open_goals(entry.node).into_iter().find(is_new),
        };
        goal.map_or(Look::Seen, Look::New)
    }

    fn pass_over(&mut self, part: usize, entry: Examined, look: Look) {
        if look == Look::Seen {
            self.grows |= !entry.whole;
            self.parts[part].passed.push(entry);
        }
    }

    /// Looks at a node and lists it.
    fn list(&mut self, mut entry: Examined, tree: &Tree, view: &View<'_>) {
        let part = usize::from(view.sites.code(tree.site(entry.node)) == Code::Foreign);
        match self.new_goal(&mut entry, tree, view) {
            Look::New(_) => {
                let depth = tree.depth(entry.node);
                let part = &mut self.parts[part];
                let is_through = part.depth >= part.fresh.len();
                if part.fresh.len() <= depth {
                    part.fresh.resize_with(depth + 1, Vec::new);
                }
                part.fresh[depth].push(entry);
                match is_through {
                    true => part.depth = part.depth.min(depth),
                    false => self.late |= depth < part.depth,
                }
            }
            look => self.pass_over(part, entry, look),
        }
    }

    /// Begins at the top again, with larger contexts. False when that would tell nothing apart.
    fn start_over(&mut self) -> bool {
        let grows = self.grows && !matches!(self.variant, Variant::Fixed(_));
        if !grows && !self.late {
            return false;
        }
        for Traversal { depth, passed, leftovers, .. } in &mut self.parts {
            *depth = 0;
            if grows {
                // From the end on, so that the order is that of the tree.
                self.unlisted.extend(std::mem::take(leftovers).levels.into_iter().flatten());
                self.unlisted.extend(passed.drain(..).rev());
            }
        }
        self.k += u32::from(grows);
        self.grows = self.grows && !grows;
        self.late = false;
        true
    }

    /// Looks at the nodes that were not looked at since the size of contexts changed: at most so many of them.
    fn list_some(&mut self, most: usize, tree: &Tree, view: &View<'_>) {
        for entry in self.unlisted.split_off(self.unlisted.len().saturating_sub(most)).into_iter().rev() {
            self.list(entry, tree, view);
        }
    }

    /// Of what no context tells apart, the shallowest.
    fn leftover(&mut self, tree: &Tree) -> Option<Candidate> {
        self.parts.iter_mut().find_map(|Traversal { passed, leftovers, .. }| {
            passed.drain(..).for_each(|entry| leftovers.add(tree.depth(entry.node), entry));
            leftovers.first(tree)
        })
    }
}

/// What was found at a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    New(Goal),
    /// Every side that is open was selected in this context before.
    Seen,
    /// Nothing is open.
    Closed,
}

impl Leftovers {
    fn add(&mut self, depth: usize, entry: Examined) {
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Vec::new);
        }
        self.levels[depth].push(entry);
        self.shallowest = self.shallowest.min(depth);
    }

    fn first(&mut self, tree: &Tree) -> Option<Candidate> {
        while let Some(level) = self.levels.get_mut(self.shallowest) {
            while let Some(entry) = level.last() {
                if let Some(goal) = tree.open_goal(entry.node) {
                    return Some(Candidate { node: entry.node, goal });
                }
                level.pop();
            }
            self.shallowest += 1;
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
        let arrived = std::mem::take(&mut self.arrived);
        let most = self.portion.max(2 * arrived);
        for _ in 0..PORTIONS {
            self.list_some(most, tree, view);
            for part in 0..self.parts.len() {
                if let Some(candidate) = self.next_of(part, tree, view) {
                    return Some(candidate);
                }
            }
            if self.unlisted.is_empty() && !self.start_over() {
                return self.leftover(tree);
            }
        }
        self.leftover(tree).or_else(|| {
            let open = |entry: &Examined| {
                tree.open_goal(entry.node).map(|goal| Candidate { node: entry.node, goal })
            };
            self.unlisted.iter().rev().find_map(open)
        })
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        let before = self.unlisted.len();
        let open = news.opened();
        self.unlisted.extend(open.map(|node| Examined::new(tree, node)));
        self.unlisted[before..].reverse();
        self.arrived += self.unlisted.len() - before;
    }
}

impl Examined {
    fn new(tree: &Tree, node: NodeId) -> Examined {
        let hash = mix(0, u64::from(tree.site(node).0));
        Examined { node, reached: node, length: 1, whole: false, hash }
    }

    /// A side of the node in its context of size `k`.
    fn side(&self, k: u32, goal: Goal) -> u64 {
        let side = if let Goal::Take(outcome) = goal { outcome } else { u64::MAX };
        mix(mix(self.hash, u64::from(k)), side)
    }

    /// `left_out`: what a context does not mention.
    fn read(&mut self, tree: &Tree, view: &View<'_>, k: u32, mut left_out: Option<&mut Dominators>) {
        while self.length < k && !self.whole {
            match self.before(tree, view, left_out.as_deref_mut()) {
                None => self.whole = true,
                Some((site, outcome)) => {
                    self.hash = mix(mix(self.hash, u64::from(site.0)), outcome);
                    self.length += 1;
                }
            }
        }
        // A context of size 1 has read nothing yet; at the root there is nothing to read.
        self.whole |= tree.parent(self.reached).is_none();
    }

    /// The next branch up the path that belongs to the context.
    fn before(
        &mut self,
        tree: &Tree,
        view: &View<'_>,
        mut left_out: Option<&mut Dominators>,
    ) -> Option<(SiteId, u64)> {
        let own = tree.site(self.node);
        let is_foreign = |site| view.sites.code(site) == Code::Foreign;
        let all = is_foreign(own);
        loop {
            let (node, outcome) = tree.came_by(self.reached)?;
            self.reached = node;
            let site = tree.site(node);
            let is_branch = matches!(tree.kind(node), Kind::Branch | Kind::Switch | Kind::Indirect)
                && (all || !is_foreign(site));
            let is_implied = |left_out: &mut Dominators| left_out.has(view, site, outcome, own);
            if is_branch && !left_out.as_deref_mut().is_some_and(is_implied) {
                return Some((site, outcome));
            }
        }
    }
}

/// Which sides lie on every way to a place, by the numbers of the sites.
#[derive(Default)]
struct Dominators {
    spans: Vec<Option<Spans>>,
}

impl Dominators {
    fn has(&mut self, view: &View<'_>, site: SiteId, outcome: u64, to: SiteId) -> bool {
        for site in [site, to] {
            if self.spans.len() <= site.index() {
                self.spans.resize(site.index() + 1, None);
            }
            self.spans[site.index()].get_or_insert_with(|| view.sites.flow().spans(view.sites.key(site)));
        }
        match (&self.spans[site.index()], &self.spans[to.index()]) {
            (Some(from), Some(to)) => from.is_on_every_way(outcome, to),
            _ => false,
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
