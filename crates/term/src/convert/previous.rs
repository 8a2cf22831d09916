//! What the execution before left: its expression table with the terms that were built of it. Neighbouring
//! executions share most of their paths, and equal nodes over equal nodes are equal terms, so the common beginning
//! of two tables need not be built again.
//!
//! Belongs to the pool, because terms of another generation mean nothing.

use super::snapshot::Snapshot;
use crate::term::TermId;
use wire::{Node, Op};

#[derive(Default)]
pub(crate) struct Previous {
    nodes: Vec<Node>,
    terms: Vec<Option<TermId>>,
    data: Vec<u8>,
}

/// Data regions beyond this are not remembered: comparing them would cost more than it saves.
const MOST_DATA: usize = 16 << 20;

impl Previous {
    /// The terms of the nodes that are the same as before, by label; the table may go on behind them.
    pub(crate) fn take_common(&mut self, nodes: &[Node], data: &[u8]) -> Vec<Option<TermId>> {
        let same_data = common(&self.data, data);
        let is_same = |(before, now): &(&Node, &Node)| {
            before == now
                && (now.op != Op::Read as u8
                    || Snapshot::end(data, now.y).is_some_and(|end| end <= same_data))
        };
        let same = self.nodes.iter().zip(nodes).take_while(is_same).count();
        self.nodes.truncate(same);
        self.data.truncate(same_data);
        let mut terms = std::mem::take(&mut self.terms);
        terms.truncate(same);
        terms
    }

    /// Remembers an execution; to be called after [`Previous::take_common`] with the same table.
    pub(crate) fn remember(&mut self, nodes: &[Node], data: &[u8], terms: &[Option<TermId>]) {
        let nodes = &nodes[..terms.len().min(nodes.len())];
        self.nodes.truncate(nodes.len());
        self.nodes.extend_from_slice(&nodes[self.nodes.len()..]);
        self.terms.extend_from_slice(terms);
        let data = if data.len() <= MOST_DATA { data } else { &[] };
        self.data.truncate(data.len());
        self.data.extend_from_slice(&data[self.data.len()..]);
    }

    pub(crate) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.terms.capacity() * size_of::<Option<TermId>>()
            + self.data.capacity()
    }
}

/// How many bytes are the same from the beginning on.
fn common(left: &[u8], right: &[u8]) -> usize {
    const BLOCK: usize = 256;
    let blocks = left.chunks_exact(BLOCK).zip(right.chunks_exact(BLOCK));
    let start = blocks.take_while(|(left, right)| left == right).count() * BLOCK;
    start + left[start..].iter().zip(&right[start..]).take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(op: Op, x: u64) -> Node {
        Node { op: op as u8, bits: 8, x, ..Node::default() }
    }

    #[test]
    fn the_common_beginning() {
        let mut long = vec![1u8; 1000];
        let other = long.clone();
        assert_eq!(common(&long, &other), 1000);
        assert_eq!(common(&long, &other[..300]), 300);
        long[700] = 2;
        assert_eq!((common(&long, &other), common(&[], &other)), (700, 0));
    }

    #[test]
    fn equal_nodes_keep_their_terms_until_the_first_that_differs() {
        let mut previous = Previous::default();
        let nodes: Vec<Node> = (0..5).map(|x| node(Op::Input, x)).collect();
        assert_eq!(previous.take_common(&nodes, &[]), []);
        let terms: Vec<_> = [None, Some(0), None, Some(1), Some(2)].map(|id| id.map(TermId)).to_vec();
        previous.remember(&nodes, &[], &terms);
        let mut changed = nodes.clone();
        changed[3].x = 9;
        assert_eq!(previous.take_common(&changed, &[]), terms[..3]);
        previous.remember(&changed, &[], &terms[..4]);
        assert_eq!(previous.take_common(&changed, &[]), terms[..4]);
        // An execution whose table could not be read leaves nothing.
        assert_eq!(previous.take_common(&changed, &[]), []);
    }

    #[test]
    fn a_read_is_the_same_only_with_its_snapshot() {
        let mut data = vec![0u8; 64];
        data[std::mem::offset_of!(wire::layout::Snapshot, size)] = 4;
        let nodes = [Node::default(), node(Op::Input, 1), node(Op::Read, 0)];
        let terms = [None, Some(TermId(0)), Some(TermId(1))];
        let mut previous = Previous::default();
        previous.remember(&nodes, &data, &terms);
        assert_eq!(previous.take_common(&nodes, &data), terms);
        previous.remember(&nodes, &data, &terms);
        let mut other = data.clone();
        other[size_of::<wire::layout::Snapshot>() + 3] = 7;
        assert_eq!(previous.take_common(&nodes, &other), terms[..2]);
        // Nor is it when the bytes are gone.
        previous.remember(&nodes, &data, &terms);
        assert_eq!(previous.take_common(&nodes, &data[..8]), terms[..2]);
    }
}
