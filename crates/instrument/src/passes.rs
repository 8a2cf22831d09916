//! The passes in the order they run, and why in that order.
//!
//! 1. `prepare`: names. First, because every later pass decides by names.
//!    `statics` beside it: drivers' names for static locals, for the same reason.
//!    `source` and `logic` too: the branches of the source, before anything counts them; and `conditions`, where in
//!    the source (`text`) each begins, as long as the reads of variables say where they are.
//! 2. mem2reg, and nothing stronger: locals become values, yet every branch of the source is still there.
//! 3. `settle`: uninitialised values become zero, so that two runs of one input agree.
//!    `unreachable`, on a copy: what of the source's branches nothing reaches, by what the language promises. Then
//!    `prepare` withdraws the attributes that promise "reads no memory" or "is not null": they would be lies afterwards.
//! 4. the hooks are linked in, so that calls of them are made against their real types.
//! 5. `globals`: redzones, before code takes addresses into account.
//! 6. For each function: the survey of its control-flow graph, before a block is inserted; `edges`, which
//!    gives each side of a branch and each switch case a block of its own; the labels (`values`, `lanes`, `memory`, `calls`, `control`,
//!    `checks`, `intrinsics`); `stack`, after the labels, because it moves the objects that they refer to;
//!    `versions`, which begins before the labels with a second copy of the function and connects the two after
//!    `stack`, because what it puts on the stack is not the program's; `entry` last, because it makes a new entry
//!    block.
//!    `foresight` says before that where the concrete version looks at the shadow.
//! 7. `tables`: the unit's own description, when all numbers are known.
//! 8. After LLVM's own passes, `chains`: covered edges that are noted together.
//!
//! In the build that measures, which gets little more than the entry switch, `vectors` looks at a copy first: which test
//! vectors of the source's decisions nothing shows. `edge_counts` then counts what clang does not.

pub(crate) mod aliasing;
pub(crate) mod assembly;
pub(crate) mod calls;
pub(crate) mod chains;
pub(crate) mod checks;
pub(crate) mod conditions;
pub(crate) mod constructors;
pub(crate) mod control;
pub(crate) mod edge_counts;
pub(crate) mod edges;
pub(crate) mod entry;
pub(crate) mod foresight;
pub(crate) mod globals;
pub(crate) mod intrinsics;
pub(crate) mod lanes;
pub(crate) mod logic;
pub(crate) mod memory;
pub(crate) mod prepare;
pub(crate) mod sizes;
pub(crate) mod source;
pub(crate) mod stack;
pub(crate) mod statics;
pub(crate) mod tables;
pub(crate) mod text;
pub(crate) mod unreachable;
pub(crate) mod values;
pub(crate) mod vectors;
pub(crate) mod versions;

use crate::body::Body;
use crate::ir::{Block, Opcode, Value};
use crate::unit::{Unit, survey};
use inkwell::llvm_sys::LLVMAttributeFunctionIndex as FUNCTION;
use std::collections::HashSet;
use versions::Versions;

/// Instruments every function of the unit.
pub(crate) fn instrument_functions(unit: &mut Unit) {
    let functions = unit.functions.clone();
    let mut all_numbers = Vec::with_capacity(functions.len());
    for function in &functions {
        let (sites, numbers) = survey(*function);
        unit.table.functions.push(sites);
        all_numbers.push(numbers);
    }
    for (number, (function, mut numbers)) in functions.iter().zip(all_numbers).enumerate() {
        if is_naked(*function) {
            continue;
        }
        let mut splits = edges::split_choices(unit.ir, *function, &mut numbers);
        let mut body = Body::new(unit, *function, number as u32, numbers);
        let mut versions = versions::duplicate(&mut body, &mut splits);
        label_function(&mut body, &splits, &mut versions);
        stack::guard_objects(unit, *function);
        if let Some(versions) = versions {
            versions.join(unit, *function);
        }
    }
    for (number, function) in functions.iter().enumerate() {
        if is_switched(unit, *function, number) {
            entry::add_mode_switch(unit, *function, number as u32);
        }
    }
}

/// The body of a naked function is assembly that owns the whole frame.
fn is_naked(function: Value) -> bool {
    function.function_attribute(FUNCTION, "naked").is_some()
}

/// Whether a function gets a mode switch: those of the program do.
pub(crate) fn is_switched(unit: &Unit, function: Value, number: usize) -> bool {
    !is_naked(function) && unit.table.functions.get(number).is_some_and(|f| f.of_program)
}

fn label_function(body: &mut Body, splits: &edges::Splits, versions: &mut Option<Versions>) {
    calls::receive_arguments(body);
    let mut phis = Vec::new();
    let Some(entry) = body.function.blocks().first().copied() else { return };
    for block in reverse_postorder(entry) {
        let instructions = block.instructions();
        for (number, instruction) in instructions.iter().enumerate() {
            let previous = instruction.previous_instruction();
            label_instruction(body, *instruction, splits, &mut phis);
            if let Some(versions) = versions {
                versions.note(*instruction, previous, instructions.get(number + 1).copied());
            }
        }
    }
    values::complete_phis(body, &phis);
    if let Some(versions) = versions {
        versions.instrument_concrete(body, splits);
    }
}

fn label_instruction(body: &mut Body, i: Value, splits: &edges::Splits, phis: &mut Vec<Value>) {
    use Opcode::*;
    match i.opcode() {
        LLVMPHI => values::begin_phi(body, i, phis),
        LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMAnd | LLVMOr
        | LLVMXor | LLVMShl | LLVMLShr | LLVMAShr | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => {
            values::binary(body, i)
        }
        LLVMFNeg => values::negate(body, i),
        LLVMICmp => values::compare(body, i),
        LLVMFCmp => values::compare_floats(body, i),
        LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMFPToSI
        | LLVMFPToUI | LLVMSIToFP | LLVMUIToFP | LLVMFPExt | LLVMFPTrunc | LLVMAddrSpaceCast => {
            values::cast(body, i)
        }
        LLVMGetElementPtr => values::address(body, i),
        LLVMSelect => values::select(body, i),
        LLVMExtractValue | LLVMInsertValue => values::member(body, i),
        LLVMExtractElement => lanes::extract(body, i),
        LLVMInsertElement => lanes::insert(body, i),
        LLVMShuffleVector => lanes::shuffle(body, i),
        LLVMFreeze => {
            if body.may(i) {
                let labels = body.labels_of(i.operand(0));
                body.labels.insert(i, labels);
            }
        }
        LLVMLoad => memory::load(body, i),
        LLVMStore => memory::store(body, i),
        LLVMAtomicRMW => memory::read_modify_write(body, i),
        LLVMAtomicCmpXchg => memory::compare_exchange(body, i),
        LLVMCall => calls::call(body, i),
        LLVMRet => calls::give_result(body, i),
        LLVMBr => control::branch(body, i, splits),
        LLVMSwitch => control::switch(body, i, splits),
        LLVMIndirectBr => control::computed_goto(body, i),
        LLVMAlloca => memory::allocate(body, i),
        LLVMUnreachable | LLVMFence => {}
        other => values::unexpressed(body, i, &format!("{other:?}")),
    }
}

/// Reachable blocks such that definitions come before uses (phis aside).
fn reverse_postorder(entry: Block) -> Vec<Block> {
    let mut order = Vec::new();
    let mut seen = HashSet::from([entry]);
    let mut stack = vec![(entry, entry.successors())];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, next.successors()));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
