//! What the nodes of an execution are, whatever their numbers: a digest over operation, constants and the digests of the
//! operands, and over all that a read may meet. Equal digests are equal terms in every execution, so a term is built
//! once and found by its digest from then on. Marks tell whether two executions are the same up to a record.
//!
//! A node whose operands make no sense has a digest too; it is never built, so it never stands for a term.

use super::snapshot::Snapshot;
use crate::path::has_term;
use foldhash::fast::FixedState;
use rustc_hash::FxHashMap;
use std::hash::BuildHasher;
use wire::{Node, Op, Record, RecordKind};

/// A place in the log: a digest of what lies before it and, in the low bits, how many records that are, without those of
/// coverage: the process reports a counter once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark(u64);

const COUNT_BITS: u32 = 17;
const MOST: u64 = (1 << COUNT_BITS) - 1;

impl Mark {
    fn of(digest: u64, records: u64) -> Mark {
        Mark(digest << COUNT_BITS | records.min(MOST))
    }

    /// How many records lie before the mark, those of coverage not counted.
    pub fn records(self) -> u64 {
        self.0 & MOST
    }
}

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
}

impl<'a> Digests<'a> {
    pub(crate) fn new(nodes: &'a [Node], data: &'a [u8], mut scratch: Scratch) -> Digests<'a> {
        scratch.nodes.clear();
        if !scratch.snapshots.is_empty() {
            scratch.snapshots.clear();
        }
        Digests { nodes, data, found: scratch }
    }

    pub(crate) fn into_scratch(self) -> Scratch {
        self.found
    }

    /// The digest of a node, and of all before it; nothing in particular for a label that names none.
    pub(crate) fn find(&mut self, label: u32) -> u64 {
        let end = (label as usize).saturating_add(1).min(self.nodes.len());
        while self.found.nodes.len() < end {
            let digest = self.digest(self.found.nodes.len());
            self.found.nodes.push(digest);
        }
        self.known(label)
    }

    /// The same for a node that is not behind one that was asked for.
    pub(crate) fn known(&self, label: u32) -> u64 {
        self.found.nodes.get(label as usize).copied().unwrap_or(NOTHING)
    }

    fn digest(&mut self, index: usize) -> u64 {
        let node = &self.nodes[index];
        let head = u64::from(node.op)
            | u64::from(node.sub) << 8
            | u64::from(node.bits) << 16
            | u64::from(node.c) << 32;
        // Behind the node itself there is no digest yet: an operand there is known by its number.
        let operand = |label: u32| match self.found.nodes.get(label as usize) {
            Some(digest) => *digest,
            None => u64::from(label) << 32 | NOTHING,
        };
        let (a, b) = (operand(node.a), operand(node.b));
        match SHAPES[usize::from(node.op)] {
            Shape::Leaf => {
                let operands = u64::from(node.a) | u64::from(node.b) << 32;
                mixed(1, [head, operands, node.x, node.y])
            }
            Shape::Three => {
                let c = operand(node.c);
                mixed(mixed(b, [head & u64::from(u32::MAX), a, node.x, node.y]), [c, 0, 0, 0])
            }
            Shape::Read => {
                let read = self.snapshot(node.y);
                mixed(mixed(b, [head, a, node.x, read]), [1, 0, 0, 0])
            }
            Shape::Two => mixed(b, [head, a, node.x, node.y]),
        }
    }

    /// Of what the snapshot at `offset` holds. Where a label is not earlier, the node that reads it is not built.
    fn snapshot(&mut self, offset: u64) -> u64 {
        if let Some(digest) = self.found.snapshots.get(&offset) {
            return *digest;
        }
        let Some(snapshot) = Snapshot::at(self.data, offset) else { return NOTHING };
        let mut digest = FixedState::default().hash_one(snapshot.bytes());
        let mut whole = true;
        for (at, node, byte) in snapshot.labels() {
            whole &= (node as usize) < self.found.nodes.len();
            digest = mixed(digest, [at as u64, u64::from(byte), self.known(node), 0]);
        }
        if whole {
            self.found.snapshots.insert(offset, digest);
        }
        digest
    }
}

/// Goes through the log of one execution and makes its marks.
#[derive(Clone, Copy)]
pub(crate) struct Marker {
    digest: u64,
    records: u64,
}

impl Marker {
    pub(crate) fn new() -> Marker {
        Marker { digest: 0, records: 0 }
    }

    pub(crate) fn here(&self) -> Mark {
        Mark::of(self.digest, self.records)
    }

    /// `term`: the digest of what the record is about, if that is a term.
    pub(crate) fn pass(&mut self, record: &Record, term: u64) {
        if record.kind == RecordKind::Cover as u16 {
            return;
        }
        // All values that lead to the default of a switch are one outcome.
        let is_default = record.kind == RecordKind::Switch as u16 && record.aux == 0;
        let value = if is_default { 0 } else { record.value };
        let head = u64::from(record.kind) | u64::from(record.aux) << 16 | u64::from(record.tu) << 32;
        self.digest = mixed(self.digest, [head, u64::from(record.site), value, term]);
        self.records += 1;
    }

    /// Passes the records before `mark`, if this execution is the same up to there; how many these are. Otherwise the
    /// marker is where it was.
    pub(crate) fn pass_all(
        &mut self,
        records: &[Record],
        mark: Mark,
        digests: &mut Digests<'_>,
    ) -> Option<usize> {
        let before = *self;
        for (at, record) in records.iter().enumerate() {
            if self.records >= mark.records() {
                break;
            }
            let term = if has_term(record) { digests.find(record.label) } else { 0 };
            self.pass(record, term);
            if self.records == mark.records() && self.here() == mark {
                return Some(at + 1);
            }
        }
        *self = before;
        None
    }
}

/// What the fields of a node are.
#[derive(Clone, Copy)]
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

/// One more thing in a digest. Only one of the three multiplications waits for the one before.
fn mixed(digest: u64, [a, b, c, d]: [u64; 4]) -> u64 {
    // Digits of pi.
    const KEYS: [u64; 6] = [
        0x243f_6a88_85a3_08d3,
        0x1319_8a2e_0370_7344,
        0xa409_3822_299f_31d0,
        0x082e_fa98_ec4e_6c89,
        0x4528_21e6_38d0_1377,
        0xbe54_66cf_34e9_0c6c,
    ];
    let folded = |left: u64, right: u64| {
        let product = u128::from(left) * u128::from(right);
        product as u64 ^ (product >> 64) as u64
    };
    let one = folded(a ^ KEYS[0], b ^ KEYS[1]);
    let other = folded(c ^ KEYS[2], d ^ KEYS[3]);
    folded(digest.rotate_left(23) ^ one ^ KEYS[4], other ^ KEYS[5])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(op: Op, x: u64) -> Node {
        Node { op: op as u8, bits: 8, x, ..Node::default() }
    }

    fn branch(label: u32) -> Record {
        Record { kind: RecordKind::Branch as u16, label, ..Record::default() }
    }

    fn marks(records: &[Record], nodes: &[Node], data: &[u8]) -> Vec<Mark> {
        let mut digests = Digests::new(nodes, data, Scratch::default());
        let mut marker = Marker::new();
        let pass = |record: &Record| {
            marker.pass(record, digests.find(record.label));
            marker.here()
        };
        records.iter().map(pass).collect()
    }

    fn pass_all(records: &[Record], nodes: &[Node], data: &[u8], mark: Mark) -> Option<usize> {
        Marker::new().pass_all(records, mark, &mut Digests::new(nodes, data, Scratch::default()))
    }

    /// Which marks this execution reaches.
    fn passed(marks: &[Mark], records: &[Record], nodes: &[Node], data: &[u8]) -> Vec<bool> {
        marks.iter().map(|mark| pass_all(records, nodes, data, *mark).is_some()).collect()
    }

    #[test]
    fn whatever_differs_is_seen_behind_it_and_not_before() {
        let mut nodes: Vec<Node> = (0..4).map(|x| node(Op::Input, x)).collect();
        nodes.push(Node { a: 3, ..node(Op::Add, 0) });
        let records = [branch(2), branch(4), branch(1)];
        let marks = marks(&records, &nodes, &[]);
        assert_eq!(passed(&marks, &records, &nodes, &[]), [true; 3]);
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
            assert_eq!(passed(&marks, &records, &other, &[]), [true, false, false], "{changed:?}");
        }
        for changed in [
            Record { kind: RecordKind::Check as u16, ..records[1] },
            Record { aux: 1, ..records[1] },
            Record { tu: 1, ..records[1] },
            Record { site: 1, ..records[1] },
            Record { label: 3, ..records[1] },
            Record { value: 1, ..records[1] },
        ] {
            let other = [records[0], changed, records[2]];
            assert_eq!(passed(&marks, &other, &nodes, &[]), [true, false, false], "{changed:?}");
        }
        assert_eq!(passed(&marks, &records[..2], &nodes, &[]), [true, true, false], "a shorter log");
        assert_eq!(passed(&marks, &records, &nodes[..4], &[]), [true, false, false], "a shorter table");
    }

    #[test]
    fn numbers_of_nodes_make_no_difference() {
        let first = [Node::default(), node(Op::Input, 1), Node { a: 1, ..node(Op::Add, 2) }];
        let second = [Node::default(), node(Op::Const, 7), first[1], Node { a: 2, ..first[2] }];
        let marks = marks(&[branch(2)], &first, &[]);
        assert_eq!(passed(&marks, &[branch(3)], &second, &[]), [true]);
    }

    #[test]
    fn every_way_to_the_default_of_a_switch_is_the_same() {
        let nodes = [Node::default(), node(Op::Input, 1)];
        let switch = |aux, value| Record { kind: RecordKind::Switch as u16, aux, value, ..branch(1) };
        let marks = [marks(&[switch(0, 5)], &nodes, &[]), marks(&[switch(1, 5)], &nodes, &[])].concat();
        assert_eq!(passed(&marks, &[switch(0, 6)], &nodes, &[]), [true, false]);
        assert_eq!(passed(&marks, &[switch(1, 6)], &nodes, &[]), [false, false]);
    }

    #[test]
    fn counters_that_were_reported_before_make_no_difference() {
        let nodes: Vec<Node> = (0..3).map(|x| node(Op::Input, x)).collect();
        let cover = Record { kind: RecordKind::Cover as u16, site: 5, ..Record::default() };
        let marks = marks(&[cover, branch(1), cover, branch(2)], &nodes, &[]);
        assert_eq!(pass_all(&[branch(1), branch(2)], &nodes, &[], marks[3]), Some(2));
    }

    #[test]
    fn a_read_is_the_same_only_with_its_snapshot() {
        let mut data = vec![0u8; 64];
        data[std::mem::offset_of!(wire::layout::Snapshot, size)] = 4;
        let nodes = [Node::default(), node(Op::Input, 1), node(Op::Read, 0)];
        let records = [branch(1), branch(2)];
        let marks = marks(&records, &nodes, &data);
        assert_eq!(passed(&marks, &records, &nodes, &data), [true, true]);
        let mut other = data.clone();
        other[size_of::<wire::layout::Snapshot>() + 3] = 7;
        assert_eq!(passed(&marks, &records, &nodes, &other), [true, false]);
        // Nor is it when the bytes are gone.
        assert_eq!(passed(&marks, &records, &nodes, &data[..8]), [true, false]);
        // Where the snapshot lies says nothing.
        let moved = [vec![0; 8], data.clone()].concat();
        let nodes = [nodes[0], nodes[1], Node { y: 8, ..nodes[2] }];
        assert_eq!(passed(&marks, &records, &nodes, &moved), [true, true]);
    }
}
