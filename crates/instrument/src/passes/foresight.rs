//! Where the concrete version looks at the shadow. Nothing that it does by itself changes the shadow, so one look may
//! come early and serve several accesses: those of a block up to the next call, and, in loops without calls, those to
//! places that stay the same, which are looked at before the loop. Whoever finds something goes to the labelled
//! version a little earlier than necessary, and finds it there again.
//!
//! Works on the concrete version as it was copied, before it has hooks.

use super::{intrinsics, reverse_postorder};
use crate::body::Body;
use crate::ir::{Block, Ir, Opcode, Value};
use inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
use inkwell::llvm_sys::core::{LLVMGetOrdering, LLVMGetVolatile, LLVMSetExact, LLVMSetNSW, LLVMSetNUW};
use model::dominators::Dominators;
use std::collections::{HashMap, HashSet};

/// Instructions that an address is computed by once more, at most, to have it earlier.
const LONGEST_ADDRESS: usize = 12;
/// Accesses that are looked at together, at most: a look at many costs more than it saves where one is left early.
const LARGEST_GROUP: usize = 6;

/// Address and number of bytes.
pub(crate) type Place = (Value, u64);

#[derive(Default)]
pub(crate) struct Foresight {
    /// What is looked at before an instruction.
    looks: HashMap<Value, Vec<Place>>,
    /// Accesses that need no look of their own.
    seen: HashSet<Value>,
}

impl Foresight {
    pub(crate) fn plan(body: &Body, entry: Block) -> Foresight {
        let mut plan = Foresight::default();
        let order = reverse_postorder(entry);
        for around in loops(&order) {
            plan.before_loop(body, &around);
        }
        for block in order {
            plan.within_block(body, block);
        }
        plan
    }

    /// What to look at before the instruction.
    pub(crate) fn looks(&self, i: Value) -> Option<&[Place]> {
        self.looks.get(&i).map(Vec::as_slice)
    }

    pub(crate) fn is_seen(&self, i: Value) -> bool {
        self.seen.contains(&i)
    }

    fn before_loop(&mut self, body: &Body, around: &Loop) {
        let Some(at) = around.before.terminator() else { return };
        let within = |i: Value| around.blocks.contains(&i.block());
        let always = around.blocks.iter().filter(|block| around.in_every_round.contains(block));
        let mut accesses: Vec<(Value, Place)> = always
            .flat_map(|block| block.instructions())
            .filter(|i| !self.seen.contains(i))
            .filter_map(|i| Some((i, access(body.unit.ir, i)?)))
            .filter(|(_, (pointer, _))| is_had(*pointer, &within, &mut LONGEST_ADDRESS.clone()))
            .collect();
        accesses.sort_by_key(|(i, _)| around.numbers.get(&i.block()).copied());
        accesses.truncate(LARGEST_GROUP);
        for (i, (pointer, bytes)) in accesses {
            let pointer = have(body, pointer, &within, at);
            self.looks.entry(at).or_default().push((pointer, bytes));
            self.seen.insert(i);
        }
    }

    fn within_block(&mut self, body: &Body, block: Block) {
        let instructions = block.instructions();
        let positions: HashMap<Value, usize> =
            instructions.iter().enumerate().map(|(position, i)| (*i, position)).collect();
        let mut first: Option<(Value, usize)> = None;
        for i in &instructions {
            if may_change_shadow(*i) {
                first = None;
            }
            let Some((pointer, bytes)) = access(body.unit.ir, *i) else { continue };
            if self.seen.contains(i) {
                continue;
            }
            self.seen.insert(*i);
            if let Some((at, count)) = &mut first
                && *count < LARGEST_GROUP
            {
                let position = positions.get(at).copied().unwrap_or(0);
                let later = |v: Value| positions.get(&v).is_some_and(|p| *p >= position);
                if is_had(pointer, &later, &mut LONGEST_ADDRESS.clone()) {
                    let pointer = have(body, pointer, &later, *at);
                    self.looks.entry(*at).or_default().push((pointer, bytes));
                    *count += 1;
                    continue;
                }
            }
            self.looks.entry(*i).or_default().push((pointer, bytes));
            first = Some((*i, 1));
        }
    }
}

fn access(ir: Ir, i: Value) -> Option<Place> {
    match i.opcode() {
        Opcode::LLVMLoad => Some((i.operand(0), ir.store_size(i.ty()))),
        Opcode::LLVMStore => Some((i.operand(1), ir.store_size(i.operand(0).ty()))),
        _ => None,
    }
}

/// Others may have come in between by the time of these.
fn is_shared(i: Value) -> bool {
    let accesses = matches!(i.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore);
    // SAFETY: a load or store.
    accesses && unsafe { LLVMGetVolatile(i.0) != 0 || LLVMGetOrdering(i.0) != LLVMAtomicOrderingNotAtomic }
}

fn may_change_shadow(i: Value) -> bool {
    match i.opcode() {
        Opcode::LLVMCall => i.called().intrinsic_name().is_none_or(|name| {
            let of_memory =
                ["llvm.mem", "llvm.va_", "llvm.stack"].iter().any(|start| name.starts_with(start));
            of_memory && intrinsics::short_blocks(i).is_none()
        }),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMVAArg => true,
        _ => is_shared(i),
    }
}

/// Whether a value is there, or can be computed again, where what is `later` is not yet.
fn is_had(value: Value, later: &impl Fn(Value) -> bool, left: &mut usize) -> bool {
    if !value.is_instruction() || !later(value) {
        return true;
    }
    if *left == 0 || !only_computes(value) {
        return false;
    }
    *left -= 1;
    value.operands().into_iter().all(|operand| is_had(operand, later, left))
}

fn only_computes(i: Value) -> bool {
    use Opcode::*;
    match i.opcode() {
        LLVMGetElementPtr | LLVMAdd | LLVMSub | LLVMMul | LLVMAnd | LLVMOr | LLVMXor | LLVMZExt
        | LLVMSExt | LLVMTrunc | LLVMBitCast | LLVMPtrToInt | LLVMIntToPtr => true,
        // Other amounts are cut to the width when the shift itself is instrumented.
        LLVMShl | LLVMLShr | LLVMAShr => i.operand(1).const_int().is_some_and(|amount| amount < 8),
        _ => false,
    }
}

/// The value, computed before `at` from what is there. Nothing is promised about its overflowing.
fn have(body: &Body, value: Value, later: &impl Fn(Value) -> bool, at: Value) -> Value {
    if !value.is_instruction() || !later(value) {
        return value;
    }
    let operands: Vec<Value> =
        value.operands().into_iter().map(|operand| have(body, operand, later, at)).collect();
    body.b.before(at);
    let copy = body.b.copy(value);
    for (index, operand) in operands.into_iter().enumerate() {
        copy.set_operand(index as u32, operand);
    }
    // SAFETY: the flags exist on the opcodes they are set on.
    unsafe {
        match copy.opcode() {
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl => {
                LLVMSetNSW(copy.0, 0);
                LLVMSetNUW(copy.0, 0);
            }
            Opcode::LLVMLShr | Opcode::LLVMAShr => LLVMSetExact(copy.0, 0),
            _ => {}
        }
    }
    copy
}

/// A loop without anything that may change the shadow.
struct Loop {
    blocks: HashSet<Block>,
    /// Those that no round goes around.
    in_every_round: HashSet<Block>,
    /// The one block that leads into it.
    before: Block,
    numbers: HashMap<Block, usize>,
}

/// The loops of which that is known, outer ones first.
fn loops(order: &[Block]) -> Vec<Loop> {
    let numbers: HashMap<Block, usize> = order.iter().enumerate().map(|(n, block)| (*block, n)).collect();
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    let mut successors: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    for (from, block) in order.iter().enumerate() {
        for to in block.successors().iter().map(|to| numbers[to]) {
            predecessors[to].push(from);
            successors[from].push(to as u32);
        }
    }
    let dominators = Dominators::of(&successors);
    let dominates = |a: usize, b: usize| dominators.dominates(a, b);
    let mut found = Vec::new();
    for (header, before) in predecessors.iter().enumerate() {
        let (latches, outside): (Vec<usize>, Vec<usize>) =
            before.iter().partition(|from| dominates(header, **from));
        let ([before], false) = (&outside[..], latches.is_empty()) else { continue };
        let mut members = HashSet::from([header]);
        let mut open = latches.clone();
        while let Some(block) = open.pop() {
            if members.insert(block) {
                open.extend(&predecessors[block]);
            }
        }
        let calls = |n: &usize| order[*n].instructions().into_iter().any(may_change_shadow);
        if members.iter().any(calls) {
            continue;
        }
        let every_round = members.iter().filter(|n| latches.iter().all(|latch| dominates(**n, *latch)));
        found.push(Loop {
            in_every_round: every_round.map(|n| order[*n]).collect(),
            blocks: members.iter().map(|n| order[*n]).collect(),
            before: order[*before],
            numbers: members.iter().map(|n| (order[*n], *n)).collect(),
        });
    }
    found.sort_by_key(|around| std::cmp::Reverse(around.blocks.len()));
    found
}
