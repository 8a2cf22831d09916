//! Tells the optimiser what it cannot see: the shadow is no memory of the program, so that a store of the program
//! leaves it as it was; nor are the marks of covered edges, and noting one changes nothing else. What was tested once
//! stays tested, what was loaded once stays loaded.

use crate::ir::{Block, Ir, Opcode, Value, attribute_kind};
use inkwell::llvm_sys::LLVMAttributeFunctionIndex as FUNCTION;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMMetadataRef;

/// What marks accesses to the shadow, and to the marks of covered edges.
const SHADOW: &str = "ctn.shadow";
const COVERED: &str = "ctn.covered";
const COVER: &str = "__ctn_cover";
const COVER_COLD: &str = "__ctn_cover_cold";
/// Functions of the runtime that leave the memory of the program and the shadow as they are, and the memory they do
/// access: two bits each for what arguments point to, for what no module can name, and for all the rest.
const QUIET: &[(&str, u64)] = &[(COVER_COLD, 0b00_11_11), ("__ctn_capture_call", 0b01_11_00)];

/// Marks the accesses to the shadow in a hook. The mark stays when the hook is inlined.
pub(crate) fn mark_shadow(ir: Ir, hook: Value) {
    let mark = node(ir, &mut []);
    let covers = hook.name() == COVER;
    for i in hook.blocks().into_iter().flat_map(Block::instructions) {
        if address(i).is_some_and(is_computed) {
            set(ir, i, SHADOW, mark);
        } else if address(i).is_some() && covers {
            set(ir, i, COVERED, mark);
        }
    }
}

/// The hooks reach nothing but the shadow by addresses that they compute.
fn is_computed(pointer: Value) -> bool {
    pointer.is_instruction()
        && match pointer.opcode() {
            Opcode::LLVMIntToPtr => true,
            Opcode::LLVMGetElementPtr => is_computed(pointer.operand(0)),
            _ => false,
        }
}

/// When the hooks are inlined: marked accesses are of a scope, all others are not of it.
pub(crate) fn separate(ir: Ir) {
    let domain = node(ir, &mut [string(ir, "ctn.domain")]);
    let shadow = node(ir, &mut [string(ir, SHADOW), domain]);
    let covered = node(ir, &mut [string(ir, COVERED), domain]);
    let [of_shadow, of_covered] = [node(ir, &mut [shadow]), node(ir, &mut [covered])];
    let of_both = node(ir, &mut [shadow, covered]);
    for i in ir.functions().into_iter().flat_map(Value::blocks).flat_map(Block::instructions) {
        if address(i).is_none() && !is_quiet(i) {
            continue;
        }
        let covers = has(ir, i, COVERED) || is_quiet(i) && i.called().name() == COVER_COLD;
        let (own, others) = match (has(ir, i, SHADOW), covers) {
            (true, _) => (Some(of_shadow), of_covered),
            (_, true) => (Some(of_covered), of_shadow),
            _ => (None, of_both),
        };
        set(ir, i, "noalias", others);
        if let Some(own) = own {
            set(ir, i, "alias.scope", own);
        }
    }
    for (name, memory) in QUIET {
        let Some(function) = ir.function(name) else { continue };
        for (name, value) in [("memory", *memory), ("nounwind", 0), ("willreturn", 0)] {
            // SAFETY: enum attributes of a function; only `memory` has a value.
            unsafe {
                let attribute = LLVMCreateEnumAttribute(ir.context, attribute_kind(name), value);
                LLVMAddAttributeAtIndex(function.0, FUNCTION, attribute);
            }
        }
    }
}

fn is_quiet(i: Value) -> bool {
    i.opcode() == Opcode::LLVMCall
        && i.called().is_function()
        && QUIET.iter().any(|(name, _)| *name == i.called().name())
}

fn address(i: Value) -> Option<Value> {
    match i.opcode() {
        Opcode::LLVMLoad => Some(i.operand(0)),
        Opcode::LLVMStore => Some(i.operand(1)),
        _ => None,
    }
}

// SAFETY, for all below: nodes and strings belong to the module's context, and metadata of any kind may stand on any
// instruction.
fn string(ir: Ir, text: &str) -> LLVMMetadataRef {
    unsafe { LLVMMDStringInContext2(ir.context, text.as_ptr().cast(), text.len()) }
}

fn node(ir: Ir, parts: &mut [LLVMMetadataRef]) -> LLVMMetadataRef {
    unsafe { LLVMMDNodeInContext2(ir.context, parts.as_mut_ptr(), parts.len()) }
}

fn kind(ir: Ir, name: &str) -> u32 {
    unsafe { LLVMGetMDKindIDInContext(ir.context, name.as_ptr().cast(), name.len() as u32) }
}

fn set(ir: Ir, i: Value, name: &str, metadata: LLVMMetadataRef) {
    unsafe { LLVMSetMetadata(i.0, kind(ir, name), LLVMMetadataAsValue(ir.context, metadata)) }
}

fn has(ir: Ir, i: Value, name: &str) -> bool {
    unsafe { !LLVMGetMetadata(i.0, kind(ir, name)).is_null() }
}
