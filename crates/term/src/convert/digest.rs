//! What the nodes of an execution are, whatever their numbers: the digests that the runtime made ([`wire::digest`]), and those
//! of nodes that read at a symbolic place, over all that they may meet. Equal digests are equal terms in every execution, so
//! a term is built once and found by its digest from then on.
//!
//! Tested code may have written what stands in a node: before its term is built its digest is made again. A node whose
//! operands make no sense has a digest too; it is never built, so it never stands for a term.

use super::snapshot::Snapshot;
use foldhash::fast::FixedState;
use rustc_hash::FxHashMap;
use std::hash::BuildHasher;
use wire::Node;
use wire::digest::{NO_OPERAND, head, mixed};

/// The memory of digests, used again for the next execution.
#[derive(Default)]
pub(crate) struct Scratch {
    /// By label.
    nodes: Vec<u64>,
    /// By offset.
    snapshots: FxHashMap<u64, u64>,
}

/// Digests of the nodes of one execution.
pub(crate) struct Digests<'a> {
    nodes: &'a [Node],
    data: &'a [u8],
    found: Scratch,
    /// So many are in `found`: up to the last that was asked for and that the runtime does not know.
    known: usize,
}

impl<'a> Digests<'a> {
    pub(crate) fn new(nodes: &'a [Node], data: &'a [u8], mut scratch: Scratch) -> Digests<'a> {
        if !scratch.snapshots.is_empty() {
            scratch.snapshots.clear();
        }
        Digests { nodes, data, found: scratch, known: 0 }
    }

    pub(crate) fn into_scratch(self) -> Scratch {
        self.found
    }

    /// The digest of a node; nothing in particular for a label that names none.
    #[inline]
    pub(crate) fn find(&mut self, label: u32) -> u64 {
        self.told(label).unwrap_or_else(|| self.find_out(label))
    }

    /// What the runtime says.
    #[inline]
    fn told(&self, label: u32) -> Option<u64> {
        self.nodes.get(label as usize).map(|node| node.digest).filter(|digest| *digest != 0)
    }

    /// The same for a node that is not behind one that was asked for.
    #[inline]
    pub(crate) fn known(&self, label: u32) -> u64 {
        let found = || self.found.nodes[..self.known].get(label as usize).copied();
        self.told(label).or_else(found).unwrap_or(NOTHING)
    }

    /// Whether the digest of a node that was asked for is that of what stands there.
    pub(crate) fn is_true(&self, label: u32) -> bool {
        let Some(node) = self.nodes.get(label as usize) else { return false };
        let operand = |label: u32| if label == 0 { NO_OPERAND } else { self.known(label) };
        match node.digest {
            0 => (label as usize) < self.known,
            digest => wire::digest::of(node, operand) == Some(digest),
        }
    }

    #[inline(never)]
    fn find_out(&mut self, label: u32) -> u64 {
        let end = (label as usize).saturating_add(1).min(self.nodes.len());
        if self.known < end {
            self.find_all(end);
        }
        self.known(label)
    }

    /// All up to there.
    fn find_all(&mut self, end: usize) {
        let mut found = std::mem::take(&mut self.found.nodes);
        if found.len() < end {
            found.resize(self.nodes.len(), 0);
        }
        for (index, node) in (self.known..end).zip(&self.nodes[self.known..end]) {
            let (known, rest) = found.split_at_mut(index);
            rest[0] = match node.digest {
                _ if index == 0 => NO_OPERAND,
                0 => self.make(node, known),
                told => told,
            };
        }
        self.found.nodes = found;
        self.known = end;
    }

    fn make(&mut self, node: &Node, known: &[u64]) -> u64 {
        // Behind the node itself there is no digest yet: an operand there is known by its number.
        let operand = |label: u32| match known.get(label as usize) {
            Some(digest) => *digest,
            None => u64::from(label) << 32 | NOTHING,
        };
        wire::digest::of(node, operand).unwrap_or_else(|| {
            let (a, b) = (operand(node.a), operand(node.b));
            let read = self.snapshot(node.y, known);
            mixed(mixed(head(node), [a, b, node.x, read]), [1, 0, 0, 0])
        })
    }

    /// Of what the snapshot at `offset` holds. Where a label is not earlier, the node that reads it is not built.
    fn snapshot(&mut self, offset: u64, known: &[u64]) -> u64 {
        if let Some(digest) = self.found.snapshots.get(&offset) {
            return *digest;
        }
        let Some(snapshot) = Snapshot::at(self.data, offset) else { return NOTHING };
        let mut digest = FixedState::default().hash_one(snapshot.bytes());
        let mut whole = true;
        for (at, node, byte) in snapshot.labels() {
            let node = known.get(node as usize);
            whole &= node.is_some();
            digest = mixed(digest, [at as u64, u64::from(byte), node.copied().unwrap_or(NOTHING), 0]);
        }
        if whole {
            self.found.snapshots.insert(offset, digest);
        }
        digest
    }
}

/// In place of the digest of a node that is none.
const NOTHING: u64 = 0x3f84_d5b5;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use wire::Op;
    use wire::digest::{SHAPES, Shape};

    /// Operations with constants of all usual kinds, of one operand: each is a term of its own.
    #[test]
    fn operations_with_constants_are_told_apart() {
        let zero = Node::default();
        let input = Node { op: Op::Input as u8, bits: 32, ..zero };
        let mut nodes = vec![zero, input];
        let small = 0..256u64;
        let wide = (8..64).flat_map(|bit| [1u64 << bit, (1 << bit) - 1, (1u64 << bit).wrapping_neg()]);
        let constants: Vec<u64> = small.chain(wide).collect();
        for op in Op::ALL.iter().filter(|op| SHAPES[**op as usize] == Shape::Two) {
            for bits in [1, 8, 16, 32, 64] {
                let of = |y| Node { op: *op as u8, bits, a: 1, y, ..zero };
                nodes.extend(constants.iter().map(|y| of(*y)));
                nodes.extend(constants.iter().skip(1).map(|x| Node { b: 1, a: 0, x: *x, y: 0, ..of(0) }));
            }
        }
        let mut digests = Digests::new(&nodes, &[], Scratch::default());
        digests.find(nodes.len() as u32 - 1);
        let mut seen: HashMap<u64, Node> = HashMap::new();
        for (label, node) in nodes.iter().enumerate() {
            if let Some(other) = seen.insert(digests.known(label as u32), *node) {
                assert_eq!(*node, other, "two nodes have one digest");
            }
        }
    }
}
