//! From the expression table of an execution to terms.
//!
//! The table comes from memory that tested code may have written. Every operand must be an earlier node, so
//! one sweep down marks what is needed and one sweep up builds it: no recursion, no endless loop. A node that
//! makes no sense is a typed error.

mod known;
mod operation;
mod snapshot;

use crate::pool::Pool;
use crate::term::TermId;
pub use known::Known;
pub(crate) use operation::Application;
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
    #[error("node {node} reads outside its snapshot, or the snapshot lies outside the data region")]
    Snapshot { node: u32 },
}

/// Nodes for which room is made before it is known how many are needed.
const MOST_AT_ONCE: usize = 1 << 16;

/// Builds the terms of one execution's nodes.
pub(crate) struct Converter<'a> {
    nodes: &'a [Node],
    data: &'a [u8],
    needed: Vec<bool>,
    digests: Vec<u64>,
    terms: Vec<Option<TermId>>,
    /// Tables already built in this execution: many reads share one snapshot.
    tables: FxHashMap<Reading, Option<crate::TableId>>,
}

impl<'a> Converter<'a> {
    pub(crate) fn new(nodes: &'a [Node], data: &'a [u8]) -> Converter<'a> {
        let needed = Vec::with_capacity(nodes.len().min(MOST_AT_ONCE));
        Converter {
            nodes,
            data,
            needed,
            digests: Vec::new(),
            terms: Vec::new(),
            tables: FxHashMap::default(),
        }
    }

    /// Asks for the term of `label`.
    pub(crate) fn need(&mut self, label: u32) -> Result<(), ConvertError> {
        let index = label as usize;
        if label == 0 || index >= self.nodes.len() {
            return Err(ConvertError::Label { label });
        }
        if self.needed.len() <= index {
            self.needed.resize(index + 1, false);
        }
        self.needed[index] = true;
        Ok(())
    }

    /// The term of a label that was asked for.
    pub(crate) fn term(&self, label: u32) -> Option<TermId> {
        self.terms.get(label as usize).copied().flatten()
    }

    /// Builds everything asked for that the execution that this one was solved from did not leave.
    pub(crate) fn convert(&mut self, pool: &mut Pool, base: Option<&Known>) -> Result<(), ConvertError> {
        self.digests = known::digests(&self.nodes[..self.needed.len()], self.data);
        self.terms = Vec::with_capacity(self.needed.len());
        self.terms.extend_from_slice(base.map_or(&[], |base| base.common(&self.digests)));
        let mut snapshots_marked = FxHashMap::default();
        for index in (1..self.needed.len()).rev() {
            if self.needed[index] && self.term(index as u32).is_none() {
                self.mark_operands(index as u32, &mut snapshots_marked)?;
            }
        }
        self.terms.resize(self.needed.len(), None);
        for index in 1..self.needed.len() {
            if self.needed[index] && self.terms[index].is_none() {
                self.terms[index] = Some(self.build(pool, index as u32)?);
            }
        }
        Ok(())
    }

    /// For the executions that are solved from this one.
    pub(crate) fn leave(self) -> Known {
        Known::new(self.digests, self.terms)
    }

    fn mark_operands(
        &mut self,
        index: u32,
        snapshots_marked: &mut FxHashMap<u64, u32>,
    ) -> Result<(), ConvertError> {
        let node = &self.nodes[index as usize];
        let op = Op::from_code(node.op).ok_or(ConvertError::Operation { node: index, op: node.op })?;
        for operand in operation::operands(op, node) {
            self.mark(index, operand)?;
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
                    for operand in snapshot.nodes() {
                        greatest = greatest.max(operand);
                        self.mark(index, operand)?;
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

    fn mark(&mut self, node: u32, operand: u32) -> Result<(), ConvertError> {
        if operand >= node {
            return Err(ConvertError::Order { node, operand });
        }
        self.needed[operand as usize] = true;
        Ok(())
    }
}
