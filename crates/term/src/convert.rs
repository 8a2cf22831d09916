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
use known::Built;
pub(crate) use known::Marker;
pub use known::{Known, Mark};
pub(crate) use operation::Application;
use rustc_hash::FxHashMap;
use snapshot::{Reading, Snapshot};
use std::collections::BinaryHeap;
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

/// Builds the terms of one execution's nodes.
pub(crate) struct Converter<'a> {
    nodes: &'a [Node],
    data: &'a [u8],
    /// What the execution left that this one was solved from: the terms of so many nodes.
    base: Option<&'a Known>,
    first: usize,
    /// Terms of nodes among those that were not needed before, ascending.
    changed: Vec<(u32, Built)>,
    needed_before: BinaryHeap<u32>,
    /// The nodes behind those.
    own: Vec<Built>,
    needed: Vec<bool>,
    /// Tables already built in this execution: many reads share one snapshot.
    tables: FxHashMap<Reading, Option<crate::TableId>>,
}

impl<'a> Converter<'a> {
    /// `base`: what an execution left that is the same up to the mark.
    pub(crate) fn new(nodes: &'a [Node], data: &'a [u8], base: Option<(&'a Known, Mark)>) -> Converter<'a> {
        Converter {
            nodes,
            data,
            base: base.map(|(known, _)| known),
            first: base.map_or(0, |(_, mark)| mark.nodes()),
            changed: Vec::new(),
            needed_before: BinaryHeap::new(),
            own: Vec::new(),
            needed: Vec::new(),
            tables: FxHashMap::default(),
        }
    }

    /// Asks for the term of `label`.
    pub(crate) fn need(&mut self, label: u32) -> Result<(), ConvertError> {
        if label == 0 || label as usize >= self.nodes.len() {
            return Err(ConvertError::Label { label });
        }
        self.want(label);
        Ok(())
    }

    fn want(&mut self, label: u32) {
        match (label as usize).checked_sub(self.first) {
            Some(index) => {
                if self.needed.len() <= index {
                    self.needed.resize(index + 1, false);
                }
                self.needed[index] = true;
            }
            None if self.before(label).is_none() => self.needed_before.push(label),
            None => {}
        }
    }

    fn before(&self, label: u32) -> Option<TermId> {
        self.base?.term(label)
    }

    /// The term of a label that was asked for.
    pub(crate) fn term(&self, label: u32) -> Option<TermId> {
        match (label as usize).checked_sub(self.first) {
            Some(index) => self.own.get(index)?.term(),
            None => self.before(label).or_else(|| {
                let at = self.changed.binary_search_by_key(&label, |changed| changed.0).ok()?;
                self.changed[at].1.term()
            }),
        }
    }

    /// Builds everything asked for that is not there yet.
    pub(crate) fn convert(&mut self, pool: &mut Pool) -> Result<(), ConvertError> {
        let first = self.first;
        let mut snapshots_marked = FxHashMap::default();
        for index in (0..self.needed.len()).rev() {
            if self.needed[index] {
                self.mark_operands((first + index) as u32, &mut snapshots_marked)?;
            }
        }
        let mut before: Vec<u32> = Vec::new();
        while let Some(label) = self.needed_before.pop() {
            if before.last() != Some(&label) {
                self.mark_operands(label, &mut snapshots_marked)?;
                before.push(label);
            }
        }
        for label in before.into_iter().rev() {
            let term = self.build(pool, label)?;
            self.changed.push((label, Built::of(term)));
        }
        self.own.reserve_exact(self.needed.len());
        for index in 0..self.needed.len() {
            let term = match self.needed[index] {
                true => Built::of(self.build(pool, (first + index) as u32)?),
                false => Built::default(),
            };
            self.own.push(term);
        }
        Ok(())
    }

    /// For the executions that are solved from this one.
    pub(crate) fn leave(self) -> Known {
        let nothing = Known::default();
        self.base.unwrap_or(&nothing).followed_by(self.first, &self.changed, &self.own)
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
        self.want(operand);
        Ok(())
    }
}
