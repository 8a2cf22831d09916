//! What the nodes of an execution are, whatever their numbers: a digest over operation, constants and the digests of the
//! operands, and over all that a read may meet. Equal digests are equal terms in every execution, so a term is built
//! once and found by its digest from then on. Every node of every execution is looked at: this is in few instructions.
//!
//! A node whose operands make no sense has a digest too; it is never built, so it never stands for a term.

use super::snapshot::Snapshot;
use foldhash::fast::FixedState;
use rustc_hash::FxHashMap;
use std::hash::BuildHasher;
use wire::{Node, Op};

/// The memory of digests, used again for the next execution.
#[derive(Default)]
pub(crate) struct Scratch {
    /// By label.
    nodes: Vec<u64>,
    /// By offset.
    snapshots: FxHashMap<u64, u64>,
}

/// Digests of the nodes of one execution, found in order as they are asked for.
pub(crate) struct Digests<'a> {
    nodes: &'a [Node],
    data: &'a [u8],
    found: Scratch,
    /// So many of them.
    known: usize,
}

impl<'a> Digests<'a> {
    pub(crate) fn new(nodes: &'a [Node], data: &'a [u8], mut scratch: Scratch) -> Digests<'a> {
        if scratch.nodes.len() < nodes.len() {
            scratch.nodes.resize(nodes.len(), 0);
        }
        if !scratch.snapshots.is_empty() {
            scratch.snapshots.clear();
        }
        Digests { nodes, data, found: scratch, known: 0 }
    }

    pub(crate) fn into_scratch(self) -> Scratch {
        self.found
    }

    /// The digest of a node, and of all before it; nothing in particular for a label that names none.
    #[inline]
    pub(crate) fn find(&mut self, label: u32) -> u64 {
        if label as usize >= self.known {
            self.find_out((label as usize).saturating_add(1).min(self.nodes.len()));
        }
        self.known(label)
    }

    /// The same for a node that is not behind one that was asked for.
    #[inline]
    pub(crate) fn known(&self, label: u32) -> u64 {
        self.found.nodes[..self.known].get(label as usize).copied().unwrap_or(NOTHING)
    }

    /// All up to there.
    fn find_out(&mut self, end: usize) {
        let mut found = std::mem::take(&mut self.found.nodes);
        for (index, node) in (self.known..end).zip(&self.nodes[self.known..end]) {
            let (known, rest) = found.split_at_mut(index);
            let head = head(node);
            // Nearly all are of this shape.
            let digest = match (known.get(node.a as usize), known.get(node.b as usize)) {
                (Some(a), Some(b)) if SHAPES[usize::from(head as u8)] == Shape::Two => {
                    joined(head, *a, *b, node.x, node.y)
                }
                _ => self.other(node, known),
            };
            rest[0] = digest;
        }
        self.found.nodes = found;
        self.known = end;
    }

    #[inline(never)]
    fn other(&mut self, node: &Node, known: &[u64]) -> u64 {
        // Behind the node itself there is no digest yet: an operand there is known by its number.
        let operand = |label: u32| match known.get(label as usize) {
            Some(digest) => *digest,
            None => u64::from(label) << 32 | NOTHING,
        };
        let (a, b) = (operand(node.a), operand(node.b));
        match SHAPES[usize::from(node.op)] {
            Shape::Leaf => mixed(head(node), [u64::from(node.a), u64::from(node.b), node.x, node.y]),
            Shape::Three => {
                let both = mixed(head(node) & u64::from(u32::MAX), [a, b, node.x, node.y]);
                mixed(both, [operand(node.c), 0, 0, 0])
            }
            Shape::Read => {
                let read = self.snapshot(node.y, known);
                mixed(mixed(head(node), [a, b, node.x, read]), [1, 0, 0, 0])
            }
            Shape::Two => joined(head(node), a, b, node.x, node.y),
        }
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

/// All of a node but its operands.
#[inline]
fn head(node: &Node) -> u64 {
    u64::from(node.op) | u64::from(node.sub) << 8 | u64::from(node.bits) << 16 | u64::from(node.c) << 32
}

/// What the fields of a node are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Leaf,
    Two,
    Three,
    Read,
}

/// By operation: every node of every execution is looked at.
const SHAPES: [Shape; 256] = {
    let mut shapes = [Shape::Leaf; 256];
    let mut at = 0;
    while at < Op::ALL.len() {
        shapes[Op::ALL[at] as usize] = match Op::ALL[at] {
            Op::Const | Op::Input => Shape::Leaf,
            Op::Ite | Op::FFma => Shape::Three,
            Op::Read => Shape::Read,
            _ => Shape::Two,
        };
        at += 1;
    }
    shapes
};

/// In place of the digest of a node that is none.
const NOTHING: u64 = 0x3f84_d5b5;

/// Digits of pi.
const KEYS: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];

/// The golden ratio: odd, with about as many ones as zeros.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn folded(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

/// A digest of what is made of two others: these are any numbers already, and need no keys. The head is spread over all bits
/// first: next to a small constant, `w & 7` and `w >> 3` were one otherwise.
#[inline]
fn joined(head: u64, a: u64, b: u64, x: u64, y: u64) -> u64 {
    let plain = folded(x ^ KEYS[2], y ^ KEYS[3] ^ head.wrapping_mul(SPREAD));
    folded(a ^ plain.rotate_left(32), b) ^ plain
}

/// A digest of five words. The multiplications do not wait for each other.
#[inline]
pub(super) fn mixed(head: u64, [a, b, c, d]: [u64; 4]) -> u64 {
    // What is known late comes in late: `a` and `b` are digests of nodes right before.
    let plain = folded(c ^ KEYS[2], d ^ (KEYS[3] ^ head)).rotate_left(32);
    let product = u128::from(a ^ (KEYS[0] ^ head.rotate_left(23))) * u128::from(b ^ KEYS[1]);
    (product as u64 ^ plain) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Operations with constants of all usual kinds, of one operand: each is a term of its own.
    #[test]
    fn operations_with_constants_are_told_apart() {
        let zero = Node { op: 0, sub: 0, bits: 0, a: 0, b: 0, c: 0, x: 0, y: 0 };
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
