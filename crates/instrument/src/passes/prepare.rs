//! Names and attributes: the program's `main` makes room for the runtime's, library functions become their
//! models, and promises that instrumented code cannot keep are withdrawn.

use crate::builder::Builder;
use crate::ir::{Block, Ir, Opcode, Value, attribute_kind};
use crate::unit::USER_MAIN;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex};

/// Promises about memory, ending and inlining that no longer hold, or that would let the optimiser treat
/// undefined behaviour as unreachable.
const WITHDRAWN: &[&str] = &[
    "memory",
    "readnone",
    "readonly",
    "writeonly",
    "argmemonly",
    "speculatable",
    "willreturn",
    "mustprogress",
    "nosync",
    "nofree",
    "norecurse",
    "optnone",
    "nocallback",
    "noundef",
    "nonnull",
    "dereferenceable",
    "dereferenceable_or_null",
    "noalias",
    "nocapture",
    "returned",
    "range",
    "allocsize",
    "allockind",
    "alloc-family",
    "nounwind",
    "strictfp",
];

pub(crate) fn rename_main(ir: Ir) {
    if let Some(main) = ir.function("main")
        && !main.is_declaration()
    {
        main.set_name(USER_MAIN);
    }
}

/// Every declaration named first in a pair gets the second name, calls and address uses alike. Functions
/// that the program defines itself stay.
pub(crate) fn redirect(ir: Ir, redirects: &[(String, String)]) {
    for (from, to) in redirects {
        let Some(function) = ir.function(from) else { continue };
        if !function.is_declaration() {
            continue;
        }
        match ir.function(to) {
            Some(target) if target != function => function.replace_uses_with(target),
            Some(_) => {}
            None => function.set_name(to),
        }
    }
}

pub(crate) fn withdraw_promises(ir: Ir) {
    for function in ir.functions() {
        if function.intrinsic_name().is_some() {
            continue;
        }
        let params = function.params().len() as u32;
        for index in [LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex].into_iter().chain(1..=params) {
            for name in WITHDRAWN {
                // SAFETY: the function and the index are valid; removing an absent attribute does nothing.
                unsafe { LLVMRemoveEnumAttributeAtIndex(function.0, index, attribute_kind(name)) }
            }
        }
        if !function.is_declaration() {
            // SAFETY: as above; the attribute belongs to the same context.
            unsafe {
                let valid = ir.enum_attribute("null_pointer_is_valid");
                LLVMAddAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, valid);
            }
        }
        for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
            relax(instruction);
        }
    }
}

fn relax(i: Value) {
    // SAFETY: each call is made only on instructions of the kind it is defined for.
    unsafe {
        match i.opcode() {
            Opcode::LLVMCall => {
                LLVMSetTailCall(i.0, 0);
                let arguments = i.call_arguments().len() as u32;
                for index in
                    [LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex].into_iter().chain(1..=arguments)
                {
                    for name in WITHDRAWN {
                        LLVMRemoveCallSiteEnumAttribute(i.0, index, attribute_kind(name));
                    }
                }
            }
            Opcode::LLVMGetElementPtr => LLVMSetIsInBounds(i.0, 0),
            Opcode::LLVMBr => {
                let kind =
                    LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i.0)), c"llvm.loop".as_ptr(), 9);
                LLVMSetMetadata(i.0, kind, std::ptr::null_mut());
            }
            _ => {}
        }
    }
}

/// Accesses through a cast may have any address, and AddressSanitizer looks at both ends of an access only
/// where it is not promised to be aligned.
pub(crate) fn withdraw_alignment(ir: Ir) {
    for i in ir.functions().into_iter().flat_map(Value::blocks).flat_map(Block::instructions) {
        // SAFETY: asked only of loads and stores. Atomic ones need their alignment.
        let is_plain = matches!(i.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore)
            && unsafe { LLVMGetOrdering(i.0) } == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        if is_plain {
            i.set_alignment(1);
        }
    }
}

/// Uninitialised scalars read as zero: what they would hold natively is chance, and two runs of the same
/// input must agree.
pub(crate) fn settle_uninitialised(ir: Ir) {
    for function in ir.functions() {
        for i in function.blocks().into_iter().flat_map(Block::instructions) {
            if matches!(
                i.opcode(),
                Opcode::LLVMInsertValue | Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector
            ) {
                continue;
            }
            let operands = if i.opcode() == Opcode::LLVMCall {
                i.call_arguments().len() as u32
            } else {
                i.operand_count()
            };
            for index in 0..operands {
                let operand = i.operand(index);
                if operand.is_undef() && operand.ty().is_sized() {
                    i.set_operand(index, operand.ty().null());
                }
            }
        }
    }
}

/// A switch on more bits than a record has room for becomes one on the number of the case.
pub(crate) fn narrow_switches(ir: Ir) {
    let b = Builder::new(ir);
    for switch in ir.functions().into_iter().flat_map(Value::blocks).filter_map(Block::terminator) {
        let value = switch.operand(0);
        if switch.opcode() != Opcode::LLVMSwitch || value.ty().int_bits() <= 64 {
            continue;
        }
        b.before(switch);
        let mut number = ir.const64(0);
        let cases = switch.successors().len() as u32 - 1;
        for case in 1..=cases {
            // Operands: value, default, then pairs of case value and block.
            let chosen = b.equal(value, switch.operand(2 * case));
            number = b.select(chosen, ir.const64(u64::from(case)), number);
            switch.set_operand(2 * case, ir.const64(u64::from(case)));
        }
        switch.set_operand(0, number);
    }
}
