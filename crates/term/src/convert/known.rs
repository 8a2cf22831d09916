//! What an execution leaves for those that are solved from its path: its terms by label, with digests that tell how
//! far another table is the same. Executions share the path up to what was negated, and equal nodes over equal
//! nodes are equal terms, so their common beginning need not be built again.

use super::snapshot::Snapshot;
use crate::term::TermId;
use foldhash::fast::FixedState;
use rustc_hash::FxHashMap;
use std::hash::{BuildHasher, Hasher};
use wire::{Node, Op};

/// Means nothing in another generation of the pool.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// By label: a digest of all nodes up to it, with the snapshots that they read.
    digests: Vec<u64>,
    terms: Vec<Option<TermId>>,
}

impl Known {
    pub(super) fn new(digests: Vec<u64>, terms: Vec<Option<TermId>>) -> Known {
        Known { digests, terms }
    }

    /// The terms of the nodes that are the same in a table with these digests; the table may go on behind them.
    pub(super) fn common(&self, digests: &[u64]) -> &[Option<TermId>] {
        let both = self.digests.iter().zip(digests);
        // What differs once differs from there on.
        let same = both.take_while(|(known, now)| known == now).count();
        &self.terms[..same.min(self.terms.len())]
    }
}

/// The digests of the beginning of a table.
pub(super) fn digests(nodes: &[Node], data: &[u8]) -> Vec<u64> {
    let state = FixedState::default();
    let mut snapshots = FxHashMap::default();
    let mut digest = 0;
    let step = |node: &Node| {
        let mut hasher = state.build_hasher();
        hasher.write_u64(digest);
        hasher.write_u64(
            u64::from(node.op)
                | u64::from(node.sub) << 8
                | u64::from(node.bits) << 16
                | u64::from(node.a) << 32,
        );
        hasher.write_u64(u64::from(node.b) | u64::from(node.c) << 32);
        hasher.write_u64(node.x);
        hasher.write_u64(node.y);
        if node.op == Op::Read as u8 {
            let of = |offset| Snapshot::bytes_at(data, offset).map_or(0, |bytes| state.hash_one(bytes));
            hasher.write_u64(*snapshots.entry(node.y).or_insert_with(|| of(node.y)));
        }
        digest = hasher.finish();
        digest
    };
    nodes.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(op: Op, x: u64) -> Node {
        Node { op: op as u8, bits: 8, x, ..Node::default() }
    }

    fn known(nodes: &[Node], data: &[u8], terms: &[Option<TermId>]) -> Known {
        Known::new(digests(nodes, data), terms.to_vec())
    }

    #[test]
    fn equal_nodes_keep_their_terms_until_the_first_that_differs() {
        let nodes: Vec<Node> = (0..5).map(|x| node(Op::Input, x)).collect();
        let terms = [None, Some(0), None, Some(1), Some(2)].map(|id| id.map(TermId));
        let known = known(&nodes, &[], &terms);
        assert_eq!(known.common(&digests(&nodes, &[])), terms);
        assert_eq!(known.common(&digests(&nodes[..2], &[])), &terms[..2]);
        for changed in [
            Node { sub: 1, ..nodes[3] },
            Node { bits: 9, ..nodes[3] },
            Node { a: 1, ..nodes[3] },
            Node { b: 1, ..nodes[3] },
            Node { c: 1, ..nodes[3] },
            Node { x: 9, ..nodes[3] },
            Node { y: 1, ..nodes[3] },
            node(Op::Const, 3),
        ] {
            let mut other = nodes.clone();
            other[3] = changed;
            assert_eq!(known.common(&digests(&other, &[])), &terms[..3], "{changed:?}");
        }
        assert_eq!(Known::default().common(&digests(&nodes, &[])), []);
    }

    #[test]
    fn a_read_is_the_same_only_with_its_snapshot() {
        let mut data = vec![0u8; 64];
        data[std::mem::offset_of!(wire::layout::Snapshot, size)] = 4;
        let nodes = [Node::default(), node(Op::Input, 1), node(Op::Read, 0)];
        let terms = [None, Some(TermId(0)), Some(TermId(1))];
        let known = known(&nodes, &data, &terms);
        assert_eq!(known.common(&digests(&nodes, &data)), terms);
        let mut other = data.clone();
        other[size_of::<wire::layout::Snapshot>() + 3] = 7;
        assert_eq!(known.common(&digests(&nodes, &other)), &terms[..2]);
        // Nor is it when the bytes are gone.
        assert_eq!(known.common(&digests(&nodes, &data[..8])), &terms[..2]);
    }
}
