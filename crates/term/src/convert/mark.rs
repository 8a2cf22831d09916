//! Marks: whether two executions are the same up to a record of their logs, whatever the numbers of their nodes.

use super::digest::{Digests, mixed};
use crate::path::has_term;
use wire::{Record, RecordKind};

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

/// Goes through the log of one execution and makes its marks.
#[derive(Clone, Copy)]
pub(crate) struct Marker {
    /// The sum over the records, each digested with its place: none waits for the one before.
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
    #[inline]
    pub(crate) fn pass(&mut self, record: &Record, term: u64) {
        if record.kind == RecordKind::Cover as u16 {
            return;
        }
        // All values that lead to the default of a switch are one outcome.
        let is_default = record.kind == RecordKind::Switch as u16 && record.aux == 0;
        let value = if is_default { 0 } else { record.value };
        let kind = u64::from(record.kind) | u64::from(record.aux) << 16 | u64::from(record.tu) << 32;
        let site = u64::from(record.site) | self.records << 32;
        self.digest = self.digest.wrapping_add(mixed(site, [term, kind, value, 0]));
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
        let mut passed = *self;
        for (at, record) in records.iter().enumerate() {
            if passed.records >= mark.records() {
                break;
            }
            let term = if has_term(record) { digests.find(record.label) } else { 0 };
            passed.pass(record, term);
            if passed.records == mark.records() && passed.here() == mark {
                *self = passed;
                return Some(at + 1);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::digest::Scratch;
    use wire::{Node, Op};

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
