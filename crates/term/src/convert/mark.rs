//! Whether two executions are the same up to a record of their logs, whatever the numbers of their nodes. The runtime says
//! what a log is up to each record, unless a read at a symbolic place is in it.

use super::digest::Digests;
use wire::Record;
use wire::digest::Mark;

/// Goes through the log of one execution.
#[derive(Clone, Copy)]
pub(crate) struct Marker {
    here: Mark,
    /// All marks stand in the log.
    are_there: bool,
}

impl Marker {
    /// Before the first of the records.
    pub(crate) fn new(records: &[Record]) -> Marker {
        Marker { here: Mark::default(), are_there: records.last().is_some_and(|last| last.mark != 0) }
    }

    #[inline]
    pub(crate) fn here(&self) -> Mark {
        self.here
    }

    /// `term`: the digest of what the record is about, if that is a term.
    #[inline]
    pub(crate) fn pass(&mut self, record: &Record, term: u64) {
        self.here = if self.are_there { Mark(record.mark) } else { self.here.behind(record, term) };
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
        // Counters that were covered first lie between the others.
        let skipped = if self.are_there { (mark.records() as usize).saturating_sub(1) } else { 0 };
        for (at, record) in records.iter().enumerate().skip(skipped) {
            if passed.here.records() >= mark.records() {
                break;
            }
            let term = if !self.are_there && record.has_term() { digests.find(record.label) } else { 0 };
            passed.pass(record, term);
            if passed.here == mark {
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
    use wire::{Node, Op, RecordKind};

    fn node(op: Op, x: u64) -> Node {
        Node { op: op as u8, bits: 8, x, ..Node::default() }
    }

    fn branch(label: u32) -> Record {
        Record { kind: RecordKind::Branch as u16, label, ..Record::default() }
    }

    fn marks(records: &[Record], nodes: &[Node], data: &[u8]) -> Vec<Mark> {
        let mut digests = Digests::new(nodes, data, Scratch::default());
        let mut marker = Marker::new(records);
        let pass = |record: &Record| {
            marker.pass(record, if record.has_term() { digests.find(record.label) } else { 0 });
            marker.here()
        };
        records.iter().map(pass).collect()
    }

    fn pass_all(records: &[Record], nodes: &[Node], data: &[u8], mark: Mark) -> Option<usize> {
        Marker::new(records).pass_all(records, mark, &mut Digests::new(nodes, data, Scratch::default()))
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

    /// As the runtime writes them.
    fn with_marks(records: &[Record], nodes: &[Node]) -> Vec<Record> {
        let mut digests = Digests::new(nodes, &[], Scratch::default());
        let mut mark = Mark::default();
        let mut with = |record: &Record| {
            mark = mark.behind(record, if record.has_term() { digests.find(record.label) } else { 0 });
            Record { mark: mark.0, ..*record }
        };
        records.iter().map(&mut with).collect()
    }

    #[test]
    fn marks_of_the_log_are_those_that_are_made_without_them() {
        let nodes: Vec<Node> = (0..4).map(|x| node(Op::Input, x)).collect();
        let cover = Record { kind: RecordKind::Cover as u16, site: 5, ..Record::default() };
        let enter = Record { kind: RecordKind::Enter as u16, ..cover };
        let plain = [cover, branch(1), enter, cover, branch(2), cover];
        let written = with_marks(&plain, &nodes);
        let made = marks(&plain, &nodes, &[]);
        assert_eq!(written.iter().map(|record| Mark(record.mark)).collect::<Vec<_>>(), made);
        for records in [&plain[..], &written] {
            let found = |mark: &Mark| pass_all(records, &nodes, &[], *mark);
            assert_eq!(made[1..].iter().map(found).collect::<Vec<_>>(), [2, 3, 3, 5, 5].map(Some));
        }
        let other = with_marks(&[branch(1), branch(2), branch(3)], &nodes);
        assert_eq!(passed(&made[1..], &other, &nodes, &[]), [true, false, false, false, false]);
        // Nothing is known of what comes after the end of a log.
        assert_eq!(pass_all(&written[..2], &nodes, &[], made[4]), None);
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
