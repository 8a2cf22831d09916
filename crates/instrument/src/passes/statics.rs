//! Static locals by name: a driver declares `f`'s static local `x` under the assembler name `ctn.static.f.x`, because C
//! has no name for it outside of the function. Here the declaration becomes the variable that clang made for it.
//!
//! Where clang made none (a body that was never emitted) the declaration gets a variable of its own, that nothing
//! else reads, rather than leaving a symbol that nobody defines.

use crate::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMLinkage::LLVMInternalLinkage;
use inkwell::llvm_sys::core::*;

const PREFIX: &str = "ctn.static.";

pub(crate) fn bind(ir: Ir) {
    for declared in ir.globals() {
        let name = declared.name();
        // Where symbols get a prefix, LLVM marks names that are to stay with a leading byte 1.
        let Some(name) = name.trim_start_matches('\u{1}').strip_prefix(PREFIX) else { continue };
        match ir.global(name).filter(|variable| *variable != declared && !variable.is_declaration()) {
            Some(variable) => {
                declared.replace_uses_with(variable);
                delete(declared);
            }
            None => define(declared),
        }
    }
}

fn delete(global: Value) {
    // SAFETY: a global variable of the module that nothing uses any more.
    unsafe { LLVMDeleteGlobal(global.0) }
}

fn define(global: Value) {
    let zero = global.function_type().null();
    // SAFETY: a declaration of the module, and a constant of its own type.
    unsafe {
        LLVMSetInitializer(global.0, zero.0);
        LLVMSetLinkage(global.0, LLVMInternalLinkage);
    }
}
