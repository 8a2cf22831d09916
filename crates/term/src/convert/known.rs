//! What an execution leaves for those that are solved from its path: its terms by label, and marks that tell whether
//! another one is the same up to a record. Executions share the path up to what was negated, and equal nodes over equal
//! nodes are equal terms, so nothing of their common beginning is read again.

use super::snapshot::Snapshot;
use crate::shared::Shared;
use crate::term::TermId;
use foldhash::fast::FixedState;
use rustc_hash::FxHashMap;
use std::hash::BuildHasher;
use wire::{Node, Op, Record, RecordKind};

/// Means nothing in another generation of the pool.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// By label.
    terms: Shared<Built, 64>,
}

impl Known {
    /// The terms of the first nodes, those that changed, and those of the nodes behind.
    pub(super) fn followed_by(&self, nodes: usize, changed: &[(u32, Built)], behind: &[Built]) -> Known {
        let mut terms = self.terms.followed_by(nodes, behind);
        for (label, term) in changed {
            terms.set(*label as usize, *term);
        }
        Known { terms }
    }

    pub(super) fn term(&self, label: u32) -> Option<TermId> {
        self.terms.get(label as usize)?.term()
    }
}

/// A term, if there is one, in four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Built(u32);

impl Built {
    pub(super) fn of(term: TermId) -> Built {
        Built(term.0 + 1)
    }

    pub(super) fn term(self) -> Option<TermId> {
        self.0.checked_sub(1).map(TermId)
    }
}

/// A place in the log: what lies before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Of the records before it and of the nodes up to the last that one of them names, with the snapshots that they
    /// read.
    digest: u64,
    /// Records before it, without those of coverage: the process reports a counter once.
    records: u32,
    /// Nodes up to the last that is named.
    nodes: u32,
}

impl Mark {
    /// How many records lie before the mark, those of coverage not counted.
    pub fn records(&self) -> u32 {
        self.records
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes as usize
    }
}

/// Goes through the log of one execution and makes its marks.
pub(crate) struct Marker<'a> {
    nodes: &'a [Node],
    data: &'a [u8],
    snapshots: FxHashMap<u64, u64>,
    mark: Mark,
}

impl<'a> Marker<'a> {
    pub(crate) fn new(nodes: &'a [Node], data: &'a [u8]) -> Marker<'a> {
        let mark = Mark { digest: 0, records: 0, nodes: 0 };
        Marker { nodes, data, snapshots: FxHashMap::default(), mark }
    }

    pub(crate) fn here(&self) -> Mark {
        self.mark
    }

    /// `names`: the record names a node whose term is needed.
    pub(crate) fn pass(&mut self, record: &Record, names: bool) {
        if record.kind == RecordKind::Cover as u16 {
            return;
        }
        if names && record.label >= self.mark.nodes {
            self.add_nodes(record.label as usize + 1);
        }
        let head = u64::from(record.kind) | u64::from(record.aux) << 16 | u64::from(record.tu) << 32;
        let place = u64::from(record.site) | u64::from(record.label) << 32;
        self.mark.digest = mixed(self.mark.digest, [head, place, record.value, 0]);
        self.mark.records += 1;
    }

    /// Passes the records before `mark`, if this execution is the same up to there; how many these are. Otherwise the
    /// marker is where it was.
    pub(crate) fn pass_all(
        &mut self,
        records: &[Record],
        mark: Mark,
        names: impl Fn(&Record) -> bool,
    ) -> Option<usize> {
        let before = self.mark;
        for (at, record) in records.iter().enumerate() {
            if self.mark.records == mark.records {
                break;
            }
            self.pass(record, names(record));
            if self.mark.records == mark.records && self.mark == mark {
                return Some(at + 1);
            }
        }
        self.mark = before;
        None
    }

    fn add_nodes(&mut self, end: usize) {
        let end = end.min(self.nodes.len());
        let Some(new) = self.nodes.get(self.mark.nodes as usize..end) else { return };
        let mut digest = self.mark.digest;
        for node in new {
            let head = u64::from(node.op)
                | u64::from(node.sub) << 8
                | u64::from(node.bits) << 16
                | u64::from(node.a) << 32;
            let operands = u64::from(node.b) | u64::from(node.c) << 32;
            digest = mixed(digest, [head, operands, node.x, node.y]);
            if node.op == Op::Read as u8 {
                let data = self.data;
                let of = |offset| {
                    let bytes = Snapshot::bytes_at(data, offset);
                    bytes.map_or(0, |bytes| FixedState::default().hash_one(bytes))
                };
                let read = *self.snapshots.entry(node.y).or_insert_with(|| of(node.y));
                digest = mixed(digest, [read, 1, 0, 0]);
            }
        }
        self.mark.digest = digest;
        self.mark.nodes = end as u32;
    }
}

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
        let mut marker = Marker::new(nodes, data);
        let pass = |record: &Record| {
            marker.pass(record, true);
            marker.here()
        };
        records.iter().map(pass).collect()
    }

    /// How many records can be passed at most.
    fn passed(marks: &[Mark], records: &[Record], nodes: &[Node], data: &[u8]) -> Vec<bool> {
        let same = |mark: &Mark| Marker::new(nodes, data).pass_all(records, *mark, |_| true).is_some();
        marks.iter().map(same).collect()
    }

    #[test]
    fn whatever_differs_is_seen_behind_it_and_not_before() {
        let nodes: Vec<Node> = (0..5).map(|x| node(Op::Input, x)).collect();
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
    fn counters_that_were_reported_before_make_no_difference() {
        let nodes: Vec<Node> = (0..3).map(|x| node(Op::Input, x)).collect();
        let cover = Record { kind: RecordKind::Cover as u16, site: 5, ..Record::default() };
        let marks = marks(&[cover, branch(1), cover, branch(2)], &nodes, &[]);
        let records = [branch(1), branch(2)];
        let mut marker = Marker::new(&nodes, &[]);
        assert_eq!(marker.pass_all(&records, marks[3], |_| true), Some(2));
        assert_eq!(marker.here(), marks[3]);
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
    }
}
