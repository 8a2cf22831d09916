//! A redzone after every global variable that the unit defines. The variable stays at the start of the larger
//! one under the same symbol, so other units need not know. A weak variable may give way to another unit's: it
//! becomes a weak name for an object of the unit's own, so that the redzone is known to be there.

use crate::ir::{Ir, Type, Value};
use crate::unit::is_own_name;
use inkwell::llvm_sys::LLVMLinkage::*;
use inkwell::llvm_sys::core::*;

pub(crate) struct PaddedGlobal {
    pub(crate) global: Value,
    pub(crate) size: u64,
    pub(crate) padded: u64,
    pub(crate) is_const: bool,
    /// Its address is known only when the unit starts.
    pub(crate) is_thread_local: bool,
}

pub(crate) fn pad_globals(ir: Ir) -> Vec<PaddedGlobal> {
    ir.globals().into_iter().filter_map(|global| pad(ir, global)).collect()
}

/// Between 32 and 1024 bytes, a quarter of large objects, such that the whole is a multiple of 32.
fn redzone(size: u64) -> u64 {
    let wanted = (size / 4).clamp(32, 1024);
    (size + wanted).next_multiple_of(32) - size
}

// SAFETY: `global` is a global variable of the module; it is deleted only after all its uses are replaced.
fn pad(ir: Ir, global: Value) -> Option<PaddedGlobal> {
    let name = global.name();
    let ty = global.function_type();
    unsafe {
        let linkage = LLVMGetLinkage(global.0);
        let is_thread_local = LLVMIsThreadLocal(global.0) != 0;
        let is_weak = matches!(linkage, LLVMWeakAnyLinkage | LLVMWeakODRLinkage);
        let ordinary = matches!(
            linkage,
            LLVMExternalLinkage | LLVMInternalLinkage | LLVMPrivateLinkage | LLVMCommonLinkage
        ) || is_weak && !is_thread_local;
        let section = LLVMGetSection(global.0);
        let in_section = !section.is_null() && *section != 0;
        if global.is_declaration()
            || !ordinary
            || in_section
            || name.starts_with("llvm.")
            || is_own_name(&name)
            || !inkwell::llvm_sys::comdat::LLVMGetComdat(global.0).is_null()
        {
            return None;
        }
        let size = ir.size(ty);
        if size == 0 {
            return None;
        }
        let redzone = redzone(size);
        let initial = Value(LLVMGetInitializer(global.0));
        let packed = packed_struct(ir, &[initial, ir.i8.array(redzone).null()]);
        let padded = ir.add_global(packed.ty(), "");
        let align = global.alignment().max(ir.align(ty));
        LLVMSetInitializer(padded.0, packed.0);
        if is_weak {
            LLVMSetLinkage(padded.0, LLVMInternalLinkage);
        } else {
            LLVMSetLinkage(padded.0, linkage);
            LLVMSetVisibility(padded.0, LLVMGetVisibility(global.0));
        }
        LLVMSetThreadLocalMode(padded.0, LLVMGetThreadLocalMode(global.0));
        LLVMSetGlobalConstant(padded.0, LLVMIsGlobalConstant(global.0));
        LLVMSetUnnamedAddress(padded.0, LLVMGetUnnamedAddress(global.0));
        padded.set_alignment(align);
        copy_metadata(global, padded);
        if is_weak {
            let other = ir.add_alias(ty, padded);
            LLVMSetLinkage(other.0, linkage);
            LLVMSetVisibility(other.0, LLVMGetVisibility(global.0));
            global.replace_uses_with(other);
            LLVMDeleteGlobal(global.0);
            other.set_name(&name);
            // Names for the unit's own object stay that.
            for alias in ir.aliases().into_iter().filter(|alias| LLVMAliasGetAliasee(alias.0) == other.0) {
                LLVMAliasSetAliasee(alias.0, padded.0);
            }
        } else {
            global.replace_uses_with(padded);
            LLVMDeleteGlobal(global.0);
            padded.set_name(&name);
        }
        let is_const = LLVMIsGlobalConstant(padded.0) != 0;
        Some(PaddedGlobal { global: padded, size, padded: size + redzone, is_const, is_thread_local })
    }
}

fn packed_struct(ir: Ir, fields: &[Value]) -> Value {
    let mut raw: Vec<_> = fields.iter().map(|f| f.0).collect();
    // SAFETY: constants of one context.
    Value(unsafe { LLVMConstStructInContext(ir.context, raw.as_mut_ptr(), raw.len() as u32, 1) })
}

fn copy_metadata(from: Value, to: Value) {
    // SAFETY: the entries are disposed of once, after use.
    unsafe {
        let mut count = 0;
        let entries = LLVMGlobalCopyAllMetadata(from.0, &mut count);
        for index in 0..count as u32 {
            let kind = LLVMValueMetadataEntriesGetKind(entries, index);
            LLVMGlobalSetMetadata(to.0, kind, LLVMValueMetadataEntriesGetMetadata(entries, index));
        }
        LLVMDisposeValueMetadataEntries(entries);
    }
}

/// `rt_global` as a constant; the address of a thread-local variable is filled in by the constructor.
pub(crate) fn table_entry(ir: Ir, global: &PaddedGlobal) -> Value {
    ir.const_struct(&[
        if global.is_thread_local { ir.ptr.null() } else { global.global },
        ir.const64(global.size),
        ir.const64(global.padded),
        ir.const32(u32::from(global.is_const)),
        ir.const32(0),
    ])
}

pub(crate) fn table_type(ir: Ir) -> Type {
    let entry = ir.const_struct(&[ir.ptr.null(), ir.const64(0), ir.const64(0), ir.const32(0), ir.const32(0)]);
    entry.ty()
}
