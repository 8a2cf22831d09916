//! From the expression table of an execution to terms.
//!
//! The table comes from memory that tested code may have written. Every operand must be an earlier node, so
//! one sweep down marks what is needed and one sweep up builds it: no recursion, no endless loop. A node that
//! makes no sense is a typed error. What any execution built before is found by its digest.

mod digest;
mod mark;
mod operation;
mod snapshot;

use crate::pool::Pool;
use crate::term::TermId;
pub(crate) use digest::{Digests, Scratch};
pub(crate) use mark::Marker;
use rustc_hash::FxHashMap;
use snapshot::{Reading, Snapshot};
use wire::{Node, Op};

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConvertError {
    #[error("label {label} names no node")]
    Label { label: u32 },
    #[error("node {node} has the unknown operation {op}")]
    Operation { node: u32, op: u8 },
    #[error("node {node} uses node {operand}, which is not earlier")]
    Order { node: u32, operand: u32 },
    #[error("node {node} lacks an operand")]
    Operand { node: u32 },
    #[error("node {node} has a width that does not fit its operation")]
    Width { node: u32 },
    #[error("node {node} was overwritten")]
    Digest { node: u32 },
    #[error("node {node} reads outside its snapshot, or the snapshot lies outside the data region")]
    Snapshot { node: u32 },
}

/// Builds the terms of one execution's nodes.
pub(crate) struct Converter<'a> {
    nodes: &'a [Node],
    data: &'a [u8],
    digests: &'a Digests<'a>,
    /// By label: not built before, and needed.
    needed: Vec<bool>,
    /// Tables already built in this execution: many reads share one snapshot.
    tables: FxHashMap<Reading, Option<crate::TableId>>,
}

impl<'a> Converter<'a> {
    /// `digests`: those of all nodes up to the last that is asked for.
    pub(crate) fn new(nodes: &'a [Node], data: &'a [u8], digests: &'a Digests<'a>) -> Converter<'a> {
        Converter { nodes, data, digests, needed: Vec::new(), tables: FxHashMap::default() }
    }

    /// Asks for the term of `label`.
    pub(crate) fn need(&mut self, pool: &Pool, label: u32) -> Result<(), ConvertError> {
        if label == 0 || label as usize >= self.nodes.len() {
            return Err(ConvertError::Label { label });
        }
        self.want(pool, label);
        Ok(())
    }

    fn want(&mut self, pool: &Pool, label: u32) {
        if self.term(pool, label).is_some() {
            return;
        }
        let index = label as usize;
        if self.needed.len() <= index {
            self.needed.resize(index + 1, false);
        }
        self.needed[index] = true;
    }

    /// The term of a label that was built, by this execution or another.
    fn term(&self, pool: &Pool, label: u32) -> Option<TermId> {
        pool.built.get(&self.digests.known(label)).copied()
    }

    /// Builds everything asked for that is not there yet.
    pub(crate) fn convert(&mut self, pool: &mut Pool) -> Result<(), ConvertError> {
        let mut snapshots_marked = FxHashMap::default();
        for index in (0..self.needed.len()).rev() {
            if self.needed[index] {
                self.mark_operands(pool, index as u32, &mut snapshots_marked)?;
            }
        }
        for index in 0..self.needed.len() {
            if self.needed[index] {
                if !self.digests.is_true(index as u32) {
                    return Err(ConvertError::Digest { node: index as u32 });
                }
                let term = self.build(pool, index as u32)?;
                pool.built.insert(self.digests.known(index as u32), term);
            }
        }
        Ok(())
    }

    fn mark_operands(
        &mut self,
        pool: &Pool,
        index: u32,
        snapshots_marked: &mut FxHashMap<u64, u32>,
    ) -> Result<(), ConvertError> {
        let node = &self.nodes[index as usize];
        let op = Op::from_code(node.op).ok_or(ConvertError::Operation { node: index, op: node.op })?;
        for operand in operation::operands(op, node) {
            self.mark(pool, index, operand)?;
        }
        if op == Op::Read {
            // The sweep goes down, so the first reader of a snapshot is the latest; one that is much earlier
            // has to look again whether the labels are earlier still.
            let greatest = match snapshots_marked.get(&node.y) {
                Some(greatest) => *greatest,
                None => {
                    let snapshot = Snapshot::at(self.data, node.y);
                    let snapshot = snapshot.ok_or(ConvertError::Snapshot { node: index })?;
                    let mut greatest = 0;
                    for operand in snapshot.labels().map(|(_, node, _)| node) {
                        greatest = greatest.max(operand);
                        self.mark(pool, index, operand)?;
                    }
                    snapshots_marked.insert(node.y, greatest);
                    greatest
                }
            };
            if greatest >= index {
                return Err(ConvertError::Order { node: index, operand: greatest });
            }
        }
        Ok(())
    }

    fn mark(&mut self, pool: &Pool, node: u32, operand: u32) -> Result<(), ConvertError> {
        if operand >= node {
            return Err(ConvertError::Order { node, operand });
        }
        self.want(pool, operand);
        Ok(())
    }
}
