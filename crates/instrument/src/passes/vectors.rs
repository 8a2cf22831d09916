//! Test vectors of decisions that no execution shows, as LLVM's function passes prove it: clang's MC/DC adds a number up
//! while it evaluates a decision, one for each way through it. In a copy of the module each number jumps to a mark of
//! its own before it is noted, and marks that are gone after simplifying belong to ways that nothing takes.
//!
//! The proofs are of the kind of [`super::unreachable`] and hold for every unit.

use super::unreachable::{MOST_BLOCKS, SIMPLIFY, add_mark};
use super::{edges, prepare};
use crate::Error;
use crate::builder::Builder;
use crate::ir::{Block, Ir, Opcode, Value};
use crate::module::run_passes;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use std::collections::{BTreeMap, BTreeSet};

/// By the name of a function in profiles: bits of its bitmap that stay unset.
pub(crate) type UnseenVectors = BTreeMap<String, BTreeSet<u32>>;

/// Decisions with more ways are left out: each way may become a copy of what follows.
const MOST_WAYS: u64 = 256;

const NOTE: &str = "llvm.instrprof.mcdc.tvbitmap.update";
const PARAMETERS: &str = "llvm.instrprof.mcdc.parameters";

/// The place where a decision's way is noted.
struct Decision {
    note: Value,
    /// Its function in profiles.
    profile: String,
    /// The first bit.
    base: u64,
}

pub(crate) fn unseen_vectors(module: &Module, machine: &TargetMachine) -> Result<UnseenVectors, Error> {
    let mut unseen = UnseenVectors::new();
    if Ir::new(module.as_mut_ptr()).function(NOTE).is_none() {
        return Ok(unseen);
    }
    let copy = module.clone();
    copy.strip_debug_info();
    let ir = Ir::new(copy.as_mut_ptr());
    let mut marks: Vec<(Value, (String, u32))> = Vec::new();
    for function in ir.functions() {
        if !function.is_declaration() && function.blocks().len() <= MOST_BLOCKS {
            mark_decisions(ir, function, &mut marks);
        }
    }
    // Counting stands between what is known before and after it.
    for call in
        instructions(ir).filter(|i| called(*i).is_some_and(|name| name.starts_with("llvm.instrprof.")))
    {
        call.erase();
    }
    run_passes(&copy, machine, "function(mem2reg)")?;
    prepare::settle_uninitialised(ir);
    run_passes(&copy, machine, SIMPLIFY)?;
    let (gone, left): (Vec<_>, Vec<_>) = marks.into_iter().partition(|(mark, _)| mark.users().is_empty());
    let seen: BTreeSet<(String, u32)> = left.into_iter().map(|(_, bit)| bit).collect();
    for (_, bit) in gone.into_iter().filter(|(_, bit)| !seen.contains(bit)) {
        unseen.entry(bit.0).or_default().insert(bit.1);
    }
    Ok(unseen)
}

fn mark_decisions(ir: Ir, function: Value, marks: &mut Vec<(Value, (String, u32))>) {
    let calls = || function.blocks().into_iter().flat_map(Block::instructions);
    let Some(bits) = calls().find(|i| called(*i).as_deref() == Some(PARAMETERS)) else { return };
    let Some(bits) = bits.operand(2).const_int() else { return };
    let decisions: Vec<Decision> =
        calls().filter(|i| called(*i).as_deref() == Some(NOTE)).filter_map(decision).collect();
    for decision in &decisions {
        let later = decisions.iter().map(|other| other.base).filter(|base| *base > decision.base).min();
        let ways = later.unwrap_or(bits).saturating_sub(decision.base);
        if ways <= MOST_WAYS {
            mark_ways(ir, function, decision, ways, marks);
        }
    }
}

fn decision(note: Value) -> Option<Decision> {
    Some(Decision { note, profile: note.operand(0).initial_text()?, base: note.operand(2).const_int()? })
}

fn mark_ways(
    ir: Ir,
    function: Value,
    decision: &Decision,
    ways: u64,
    marks: &mut Vec<(Value, (String, u32))>,
) {
    let b = Builder::new(ir);
    let before = decision.note.block();
    let rest = edges::split_before(ir, function, decision.note);
    let mut cases = Vec::new();
    for way in 0..ways {
        let block = ir.append_block(function, "way");
        let mark = add_mark(ir, marks.len());
        b.at_end(block);
        b.call(mark, &[]);
        b.br(rest);
        cases.push((ir.const_int(ir.i32, way), block));
        marks.push((mark, (decision.profile.clone(), (decision.base + way) as u32)));
    }
    b.at_end(before);
    let way = b.load(ir.i32, decision.note.operand(3));
    b.switch(way, rest, &cases);
}

fn instructions(ir: Ir) -> impl Iterator<Item = Value> {
    ir.functions().into_iter().flat_map(Value::blocks).flat_map(Block::instructions)
}

/// The name of the intrinsic that a call calls.
fn called(i: Value) -> Option<String> {
    if i.opcode() == Opcode::LLVMCall { i.called().intrinsic_name() } else { None }
}
