//! Constructors as `.init_array` entries. LLVM's C API cannot say that a target machine shall use that section,
//! and the older `.ctors` that it then chooses is not run by every linker.

use crate::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMLinkage::LLVMInternalLinkage;
use inkwell::llvm_sys::core::*;
use std::ffi::CString;

/// Entries without a priority of their own.
const DEFAULT_PRIORITY: u64 = 65535;

/// To be done last: nothing refers to the entries, so an optimiser would drop them.
pub(crate) fn to_init_array(ir: Ir) {
    for (list, section) in [("llvm.global_ctors", ".init_array"), ("llvm.global_dtors", ".fini_array")] {
        let Some(global) = ir.global(list) else { continue };
        for (priority, function) in entries(global) {
            let name = match priority {
                DEFAULT_PRIORITY => section.to_owned(),
                priority => format!("{section}.{priority:05}"),
            };
            let Ok(name) = CString::new(name) else { continue };
            let entry = ir.add_global(ir.ptr, "__ctn_constructor");
            // SAFETY: `entry` was just made, of the initialiser's type.
            unsafe {
                LLVMSetInitializer(entry.0, function.0);
                LLVMSetLinkage(entry.0, LLVMInternalLinkage);
                LLVMSetSection(entry.0, name.as_ptr());
                LLVMSetAlignment(entry.0, 8);
            }
        }
        // SAFETY: only the code generator looks at the list.
        unsafe { LLVMDeleteGlobal(global.0) };
    }
}

fn entries(list: Value) -> Vec<(u64, Value)> {
    // SAFETY: the initialiser of these variables is an array of { priority, function, data }.
    unsafe {
        let initialiser = LLVMGetInitializer(list.0);
        if initialiser.is_null() {
            return Vec::new();
        }
        let initialiser = Value(initialiser);
        (0..initialiser.ty().array_length())
            .map(|index| {
                let entry = LLVMGetAggregateElement(initialiser.0, index as u32);
                let priority = Value(LLVMGetAggregateElement(entry, 0)).const_int();
                (priority.unwrap_or(DEFAULT_PRIORITY), Value(LLVMGetAggregateElement(entry, 1)))
            })
            .collect()
    }
}
