//! Sides of branches that no execution takes, as LLVM's function passes prove it: in a copy of the module every side calls
//! a function of its own, and those that nothing calls any more after simplifying stood where nothing leads.
//!
//! No callee is looked into, so that it holds for every unit, whatever is a stub. What only undefined behaviour leads to
//! (`*p` where p is null, a signed sum that wraps, unless -fwrapv or -fno-delete-null-pointer-checks says otherwise) is
//! not reached.

use super::edges;
use crate::Error;
use crate::builder::Builder;
use crate::ir::{Ir, Value, attribute_kind};
use crate::module::run_passes;
use crate::unit::{is_own_name, survey};
use inkwell::llvm_sys::LLVMAttributeFunctionIndex as FUNCTION;
use inkwell::llvm_sys::core::{LLVMAddAttributeAtIndex, LLVMCreateEnumAttribute};
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use std::collections::HashSet;

/// Number of the function, of the block that ends with the branch, and of the successor in LLVM's order.
pub(crate) type Unreachable = HashSet<(u32, u32, u32)>;

/// Reads and writes memory that nothing else in the module can reach: calls stay where they are, and hide no value.
const OWN_MEMORY: u64 = 3 << 2;

/// Functions with more blocks are left out: the passes take more than linear time.
pub(super) const MOST_BLOCKS: usize = 5_000;

pub(super) const SIMPLIFY: &str = "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,sccp,\
    correlated-propagation,jump-threading,simplifycfg,gvn,sccp,correlated-propagation,\
    instcombine<no-verify-fixpoint>,simplifycfg)";

pub(crate) fn unreachable_sides(module: &Module, machine: &TargetMachine) -> Result<Unreachable, Error> {
    let copy = module.clone();
    let ir = Ir::new(copy.as_mut_ptr());
    let functions: Vec<Value> = ir.functions().into_iter().filter(|f| !f.is_declaration()).collect();
    let mut marks: Vec<(Value, (u32, u32, u32))> = Vec::new();
    let b = Builder::new(ir);
    for (number, function) in (0..).zip(functions) {
        let (_, mut numbers) = survey(function);
        if numbers.len() > MOST_BLOCKS || is_own_name(&function.name()) {
            continue;
        }
        for (branch, split) in edges::split_choices(ir, function, &mut numbers) {
            let block = numbers.get(&branch.block()).copied().unwrap_or(0);
            for (successor, edge) in (0..).zip(split.edges) {
                let Some(jump) = edge.terminator() else { continue };
                let mark = add_mark(ir, marks.len());
                b.before(jump);
                b.call(mark, &[]);
                marks.push((mark, (number, block, successor)));
            }
        }
    }
    run_passes(&copy, machine, SIMPLIFY)?;
    Ok(marks.into_iter().filter(|(mark, _)| mark.users().is_empty()).map(|(_, side)| side).collect())
}

/// A function that is called where it is asked whether anything leads there.
pub(super) fn add_mark(ir: Ir, number: usize) -> Value {
    let mark = ir.add_function(&format!("__ctn_mark_{number}"), ir.function_type(ir.void(), &[]));
    for (name, value) in [("memory", OWN_MEMORY), ("nounwind", 0), ("willreturn", 0)] {
        // SAFETY: enum attributes of a function of the module; only `memory` has a value.
        unsafe {
            let attribute = LLVMCreateEnumAttribute(ir.context, attribute_kind(name), value);
            LLVMAddAttributeAtIndex(mark.0, FUNCTION, attribute);
        }
    }
    mark
}
