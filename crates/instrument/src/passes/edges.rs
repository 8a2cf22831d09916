//! Gives each successor of a branch or switch a block of its own, so that code can stand on the edge. LLVM's C
//! interface cannot change a phi's incoming blocks, so the phis of the destinations are built anew.

use crate::builder::Builder;
use crate::ir::{Block, Ir, Opcode, Value};
use crate::unit::BlockNumbers;
use std::collections::{BTreeSet, HashMap};

pub(crate) struct Split {
    /// The new block of each successor, in LLVM's order: the default or the true side first.
    pub(crate) edges: Vec<Block>,
    /// What the successors were, by number.
    pub(crate) successors: Vec<u32>,
}

/// By terminator.
pub(crate) type Splits = HashMap<Value, Split>;

pub(crate) fn split_choices(ir: Ir, function: Value, numbers: &mut BlockNumbers) -> Splits {
    let b = Builder::new(ir);
    let choices: Vec<Value> = function
        .blocks()
        .into_iter()
        .filter_map(Block::terminator)
        .filter(|t| t.opcode() == Opcode::LLVMSwitch || t.is_conditional_branch())
        .collect();
    choices.into_iter().map(|choice| (choice, split(ir, &b, function, choice, numbers))).collect()
}

fn split(ir: Ir, b: &Builder, function: Value, terminator: Value, numbers: &mut BlockNumbers) -> Split {
    let from = terminator.block();
    let own_number = numbers.get(&from).copied().unwrap_or(0);
    let destinations = terminator.successors();
    let successors = destinations.iter().map(|d| numbers.get(d).copied().unwrap_or(0)).collect();
    let mut edges = Vec::with_capacity(destinations.len());
    for (index, destination) in destinations.iter().enumerate() {
        let edge = ir.append_block(function, "edge");
        numbers.insert(edge, own_number);
        b.at_end(edge);
        b.location_of(terminator);
        b.br(*destination);
        terminator.set_successor(index as u32, edge);
        edges.push(edge);
    }
    let mut rebuilt = destinations.clone();
    rebuilt.sort_unstable();
    rebuilt.dedup();
    for destination in rebuilt {
        let new: Vec<Block> =
            destinations.iter().zip(&edges).filter(|(d, _)| **d == destination).map(|(_, e)| *e).collect();
        rebuild_phis(b, destination, from, &new);
    }
    Split { edges, successors }
}

/// Makes a block of its own of `instruction` and what follows it; the block before it has no end then.
pub(crate) fn split_before(ir: Ir, function: Value, instruction: Value) -> Block {
    let b = Builder::new(ir);
    let from = instruction.block();
    let successors: BTreeSet<Block> = from.successors().into_iter().collect();
    let rest = ir.append_block(function, "rest");
    b.at_end(rest);
    let moved = from.instructions().into_iter().skip_while(|i| *i != instruction);
    moved.for_each(|i| b.take(i));
    for successor in successors {
        for phi in successor.phis() {
            b.before(phi);
            let fresh = b.phi(phi.ty());
            for (value, block) in phi.incoming() {
                fresh.add_incoming(value, if block == from { rest } else { block });
            }
            phi.replace_uses_with(fresh);
            phi.erase();
        }
    }
    rest
}

/// Replaces the entries of `from` in the phis of `block` by one entry per new predecessor.
fn rebuild_phis(b: &Builder, block: Block, from: Block, new: &[Block]) {
    for phi in block.phis() {
        b.before(phi);
        let fresh = b.phi(phi.ty());
        let mut edges = new.iter();
        for (value, predecessor) in phi.incoming() {
            if predecessor == from {
                if let Some(edge) = edges.next() {
                    fresh.add_incoming(value, *edge);
                }
            } else {
                fresh.add_incoming(value, predecessor);
            }
        }
        phi.replace_uses_with(fresh);
        phi.erase();
    }
}
