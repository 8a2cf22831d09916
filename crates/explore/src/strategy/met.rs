//! Open sides by place and outcome, for strategies that judge a side by where it is and not by how it was
//! reached. Four bytes for each node; a switch is listed once, not once for each of its ways.

use crate::decision::Kind;
use crate::random::Random;
use crate::side::{NodeId, SiteId};
use crate::tree::Tree;
use std::num::NonZero;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct GroupId(u32);

impl GroupId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All open sides with the same place and outcome.
pub(super) struct Group {
    pub(super) site: SiteId,
    pub(super) kind: Kind,
    pub(super) outcome: u64,
    list: u32,
    /// Nodes of the list before this one are closed.
    oldest: usize,
}

#[derive(Default)]
pub(super) struct Met {
    groups: Vec<Group>,
    lists: Vec<List>,
    /// By place: the lists of its two outcomes, or, last, that of all ways of a switch.
    list_of: Vec<[Option<NonZero<u32>>; 3]>,
}

#[derive(Default)]
struct List {
    /// In the order in which they were met; they may have closed since.
    nodes: Vec<NodeId>,
    groups: Vec<GroupId>,
    /// Groups that were found empty.
    asleep: Vec<GroupId>,
}

/// Nodes looked at before the oldest one is taken instead.
const PROBES: usize = 8;
/// Stands for all ways of a switch.
const EVERY_WAY: u64 = u64::MAX;

impl Met {
    /// Adds a node, and tells which groups have something again or for the first time. False if its sides are
    /// not known beforehand, or not a matter of choice: such nodes are not listed.
    pub(super) fn add(&mut self, tree: &Tree, node: NodeId, mut woken: impl FnMut(GroupId)) -> bool {
        match tree.kind(node) {
            Kind::Branch | Kind::Check => {
                for outcome in (0..2).filter(|&outcome| tree.is_untried(node, outcome)) {
                    self.append(tree, node, outcome, &mut woken);
                }
                true
            }
            Kind::Switch => {
                self.append(tree, node, EVERY_WAY, &mut woken);
                true
            }
            Kind::Assume | Kind::Indirect | Kind::Concretised => false,
        }
    }

    fn append(&mut self, tree: &Tree, node: NodeId, key: u64, woken: &mut impl FnMut(GroupId)) {
        let (site, kind) = (tree.site(node), tree.kind(node));
        if self.list_of.len() <= site.index() {
            self.list_of.resize(site.index() + 1, [None; 3]);
        }
        let list = self.list_of[site.index()][key.min(2) as usize].get_or_insert_with(|| {
            let list = self.lists.len() as u32;
            let outcomes: Vec<u64> = match key {
                EVERY_WAY => tree.sides(node).into_iter().map(|(outcome, _)| outcome).collect(),
                outcome => vec![outcome],
            };
            let first = self.groups.len() as u32;
            self.groups.extend(outcomes.iter().map(|&outcome| Group {
                site,
                kind,
                outcome,
                list,
                oldest: 0,
            }));
            let groups: Vec<GroupId> = (first..self.groups.len() as u32).map(GroupId).collect();
            self.lists.push(List { nodes: Vec::new(), asleep: groups.clone(), groups });
            NonZero::<u32>::MIN.saturating_add(list)
        });
        let list = &mut self.lists[list.get() as usize - 1];
        list.nodes.push(node);
        if !list.asleep.is_empty() {
            list.asleep.drain(..).for_each(woken);
        }
    }

    pub(super) fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.0 as usize]
    }

    /// At least as many as there are open sides in it.
    pub(super) fn size(&self, id: GroupId) -> usize {
        let group = self.group(id);
        self.lists[group.list as usize].nodes.len() - group.oldest
    }

    /// The open side that was met first. None puts the group to sleep until it has something again.
    pub(super) fn oldest(&mut self, tree: &Tree, id: GroupId) -> Option<NodeId> {
        let group = &mut self.groups[id.0 as usize];
        let list = &mut self.lists[group.list as usize];
        while let Some(&node) = list.nodes.get(group.oldest) {
            if tree.is_untried(node, group.outcome) {
                return Some(node);
            }
            group.oldest += 1;
        }
        list.asleep.push(id);
        if list.asleep.len() == list.groups.len() {
            list.nodes = Vec::new();
            for id in &list.groups {
                self.groups[id.0 as usize].oldest = 0;
            }
        }
        None
    }

    /// One of the last that were met, else the first.
    pub(super) fn newest(&mut self, tree: &Tree, id: GroupId) -> Option<NodeId> {
        let group = self.group(id);
        let nodes = &self.lists[group.list as usize].nodes[group.oldest..];
        let is_open = |node: &&NodeId| tree.is_untried(**node, group.outcome);
        let found = nodes.iter().rev().take(PROBES).find(is_open).copied();
        found.or_else(|| self.oldest(tree, id))
    }

    /// One of them by chance.
    pub(super) fn any(&mut self, tree: &Tree, random: &mut Random, id: GroupId) -> Option<NodeId> {
        let group = self.group(id);
        let nodes = &self.lists[group.list as usize].nodes[group.oldest..];
        for _ in 0..PROBES.min(nodes.len()) {
            let node = nodes[random.below(nodes.len())];
            if tree.is_untried(node, group.outcome) {
                return Some(node);
            }
        }
        self.oldest(tree, id)
    }
}
