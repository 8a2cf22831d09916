//! CFG-directed search: the side from which the fewest branches lead to code that nobody ran, over control-flow
//! graphs and calls. A side moves back by one branch each time it is asked for, or one that cannot be taken
//! would be asked for on every path to it before any other.

use super::met::{GroupId, Met};
use super::nearness::{FAR, Nearness};
use super::{Candidate, News, Strategy, View};
use crate::decision::Goal;
use crate::side::NodeId;
use crate::tree::Tree;
use std::collections::{BTreeSet, VecDeque};

#[derive(Default)]
pub struct CfgDirected {
    met: Met,
    nearness: Nearness,
    order: BTreeSet<(u32, GroupId)>,
    /// By group: its place in the order if it is there, and how often it was asked for.
    standing: Vec<(Option<u32>, u32)>,
    /// Nodes whose sides are not known beforehand.
    others: VecDeque<NodeId>,
}

impl CfgDirected {
    fn place(&mut self, view: &View<'_>, group: GroupId) {
        let index = group.index();
        if self.standing.len() <= index {
            self.standing.resize(index + 1, (None, 0));
        }
        let (listed, tries) = self.standing[index];
        let rank = self.nearness.of(view, self.met.group(group)).min(FAR).saturating_add(tries);
        if let Some(rank) = listed {
            self.order.remove(&(rank, group));
        }
        self.order.insert((rank, group));
        self.standing[index].0 = Some(rank);
    }
}

impl Strategy for CfgDirected {
    fn name(&self) -> &'static str {
        "cfg"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        if self.nearness.refresh(view) {
            for group in self.order.iter().map(|entry| entry.1).collect::<Vec<_>>() {
                self.place(view, group);
            }
        }
        while let Some(&(rank, group)) = self.order.first() {
            let tries = self.standing[group.index()].1;
            // Short paths and paths of late are worth the same.
            let node = match tries % 2 {
                0 => self.met.oldest(tree, group),
                _ => self.met.newest(tree, group),
            };
            let Some(node) = node else {
                self.order.remove(&(rank, group));
                self.standing[group.index()].0 = None;
                continue;
            };
            self.standing[group.index()].1 = tries.saturating_add(1);
            self.place(view, group);
            return Some(Candidate { node, goal: Goal::Take(self.met.group(group).outcome) });
        }
        while let Some(&node) = self.others.front() {
            if let Some(goal) = tree.open_goal(node) {
                return Some(Candidate { node, goal });
            }
            self.others.pop_front();
        }
        None
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        let mut woken = Vec::new();
        for node in news.opened() {
            if !self.met.add(tree, node, |group| woken.push(group)) {
                self.others.push_back(node);
            }
        }
        for group in woken {
            self.place(view, group);
        }
    }
}
