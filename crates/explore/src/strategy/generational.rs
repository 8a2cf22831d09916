//! Generational search: negate every decision that a path added to the tree, run all the children, then go on
//! with the path that covered most when it was run; of equals the oldest.

use super::{Candidate, News, Strategy, View};
use crate::side::NodeId;
use crate::tree::Tree;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

#[derive(Default)]
pub struct Generational {
    /// What is left to negate of the path whose children are being run, the shallowest last.
    current: Vec<NodeId>,
    /// Paths that wait for their turn and covered something first, best first: by coverage, then by age.
    best: BTreeMap<(Reverse<usize>, u64), Children>,
    /// The others, the oldest first: nearly all.
    others: VecDeque<Children>,
    paths: u64,
}

/// What a path added to the tree.
enum Children {
    /// So many nodes in a row, as they mostly are.
    Run(NodeId, u32),
    Listed(Box<[NodeId]>),
}

impl Children {
    /// None where there are no nodes.
    fn of(mut nodes: impl Iterator<Item = NodeId> + Clone) -> Option<Children> {
        let all = nodes.clone();
        let first = nodes.next()?;
        let in_a_row = nodes.try_fold(1, |count, node| (node.0 == first.0 + count).then_some(count + 1));
        Some(match in_a_row {
            Some(count) => Children::Run(first, count),
            None => Children::Listed(all.collect()),
        })
    }

    /// The last one first.
    fn put(self, into: &mut Vec<NodeId>) {
        into.clear();
        match self {
            Children::Run(first, count) => into.extend((first.0..first.0 + count).rev().map(NodeId)),
            Children::Listed(nodes) => into.extend(nodes.iter().rev()),
        }
    }
}

impl Strategy for Generational {
    fn name(&self) -> &'static str {
        "generational"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        loop {
            while let Some(&node) = self.current.last() {
                if let Some(goal) = tree.open_goal(node) {
                    return Some(Candidate { node, goal });
                }
                self.current.pop();
            }
            let next = self.best.pop_first().map(|(_, children)| children);
            next.or_else(|| self.others.pop_front())?.put(&mut self.current);
        }
    }

    fn update(&mut self, _tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        let gain = match news {
            News::Executed { new_coverage, .. } => *new_coverage,
            News::Dropped { .. } | News::Admitted { .. } => 0,
        };
        let Some(children) = Children::of(news.opened()) else { return };
        if gain == 0 {
            self.others.push_back(children);
        } else {
            self.best.insert((Reverse(gain), self.paths), children);
            self.paths += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_come_back_the_last_one_first() {
        for nodes in [vec![7], vec![7, 8, 9], vec![7, 9, 10], vec![9, 4, 5]] {
            let mut found = vec![NodeId(1)];
            let children = Children::of(nodes.iter().copied().map(NodeId)).unwrap();
            assert_eq!(
                matches!(children, Children::Run(..)),
                nodes.windows(2).all(|two| two[1] == two[0] + 1)
            );
            children.put(&mut found);
            assert_eq!(found.iter().rev().map(|node| node.0).collect::<Vec<_>>(), nodes);
        }
        assert!(Children::of(std::iter::empty()).is_none());
    }
}
