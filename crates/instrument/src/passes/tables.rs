//! What the unit tells the runtime about itself: the mode bytes, the coverage bytes, the globals, and a
//! constructor that hands all of it over (`rt_unit` in rt.h).

use super::entry::MODES;
use super::globals::{PaddedGlobal, table_entry, table_type};
use crate::builder::Builder;
use crate::ir::{Ir, Value};
use crate::unit::Unit;
use inkwell::llvm_sys::LLVMLinkage::{LLVMAppendingLinkage, LLVMInternalLinkage};
use inkwell::llvm_sys::core::*;

/// Runs before constructors without a priority.
const CONSTRUCTOR_PRIORITY: u32 = 101;
/// State that a reset between executions leaves alone.
const KEPT_SECTION: &std::ffi::CStr = c".ctn_keep";

/// A placeholder that code refers to until its size is known.
pub(crate) fn placeholder(ir: Ir, name: &str) -> Value {
    ir.add_global(ir.i8, name)
}

/// Zeroed bytes in the kept section.
pub(crate) fn kept_bytes(ir: Ir, count: u64) -> Value {
    let ty = ir.i8.array(count.max(1));
    let global = ir.add_global(ty, "");
    // SAFETY: `global` was just made.
    unsafe {
        LLVMSetInitializer(global.0, ty.null().0);
        LLVMSetLinkage(global.0, LLVMInternalLinkage);
        LLVMSetSection(global.0, KEPT_SECTION.as_ptr());
    }
    global
}

fn constant(ir: Ir, value: Value) -> Value {
    let global = ir.add_global(value.ty(), "");
    // SAFETY: `global` was just made.
    unsafe {
        LLVMSetInitializer(global.0, value.0);
        LLVMSetLinkage(global.0, LLVMInternalLinkage);
        LLVMSetGlobalConstant(global.0, 1);
    }
    global
}

/// Replaces a placeholder by what it stands for.
pub(crate) fn settle(placeholder: Value, by: Value) {
    placeholder.replace_uses_with(by);
    // SAFETY: no use is left.
    unsafe { LLVMDeleteGlobal(placeholder.0) }
}

pub(crate) fn add_unit_table(unit: &Unit, modes: Value, globals: &[PaddedGlobal]) {
    let ir = unit.ir;
    let covered = kept_bytes(ir, u64::from(unit.table.counters));
    covered.set_name("__ctn_covered");
    settle(unit.covered, covered);
    let entries: Vec<Value> = globals.iter().map(|global| table_entry(ir, global)).collect();
    let table = constant(ir, ir.const_array(table_type(ir), &entries));
    // SAFETY: `table` was just made. Addresses of thread-local variables are written to it, once.
    unsafe {
        LLVMSetGlobalConstant(table.0, 0);
        LLVMSetSection(table.0, KEPT_SECTION.as_ptr());
    }
    let description = constant(
        ir,
        ir.const_struct(&[
            ir.const32(unit.table.tu),
            ir.const32(unit.functions.len() as u32),
            modes,
            ir.const32(unit.table.counters),
            covered,
            table,
            ir.const32(globals.len() as u32),
        ]),
    );
    let register_type = ir.function_type(ir.void(), &[ir.ptr]);
    let register = ir
        .function("__ctn_register_unit")
        .unwrap_or_else(|| ir.add_function("__ctn_register_unit", register_type));
    let constructor = ir.add_function("__ctn_announce", ir.function_type(ir.void(), &[]));
    let b = Builder::new(ir);
    b.at_end(ir.append_block(constructor, ""));
    for (index, global) in globals.iter().enumerate().filter(|(_, global)| global.is_thread_local) {
        let address = b.thread_local_address(global.global);
        b.store(address, ir.const_offset(table, index as u64 * ir.size(table_type(ir))));
    }
    b.call(register, &[description]);
    b.ret(None);
    // SAFETY: the function was just made.
    unsafe { LLVMSetLinkage(constructor.0, LLVMInternalLinkage) }
    add_constructor(ir, constructor);
}

/// Appends to `llvm.global_ctors`, which has to be replaced to grow.
fn add_constructor(ir: Ir, constructor: Value) {
    let entry = ir.const_struct(&[ir.const32(CONSTRUCTOR_PRIORITY), constructor, ir.ptr.null()]);
    let mut entries = Vec::new();
    let old = ir.global("llvm.global_ctors");
    if let Some(old) = old {
        // SAFETY: the initialiser of this variable is an array of structs of the entry's type.
        unsafe {
            let list = Value(LLVMGetInitializer(old.0));
            entries.extend(
                (0..list.ty().array_length()).map(|i| Value(LLVMGetAggregateElement(list.0, i as u32))),
            );
        }
    }
    entries.push(entry);
    let list = ir.const_array(entry.ty(), &entries);
    let new = ir.add_global(list.ty(), "");
    // SAFETY: `new` was just made; nothing refers to `old`.
    unsafe {
        LLVMSetInitializer(new.0, list.0);
        LLVMSetLinkage(new.0, LLVMAppendingLinkage);
        if let Some(old) = old {
            LLVMDeleteGlobal(old.0);
        }
    }
    new.set_name("llvm.global_ctors");
}

pub(crate) fn add_modes(unit: &Unit) -> Value {
    let modes = kept_bytes(unit.ir, unit.functions.len() as u64);
    modes.set_name(MODES);
    modes
}
