//! Emits code: ordinary instructions, and calls of the hooks that were linked in from the inline bitcode.
//!
//! A hook is called by name; its arguments are fitted to its declared parameters, so the C text of
//! inline.c is the one place that fixes widths.

use crate::ir::{Block, Ir, Type, TypeKind, Value};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use std::collections::{BTreeSet, HashMap};

const EMPTY: *const std::ffi::c_char = c"".as_ptr();

/// What the names of hooks that are called rather than inlined begin with.
pub(crate) const FAR_PREFIX: &str = "__ctn_far_";

/// The functions that instrumented code may call.
#[derive(Default)]
pub(crate) struct Hooks {
    by_name: HashMap<String, Value>,
}

impl Hooks {
    pub(crate) fn new(functions: impl IntoIterator<Item = Value>) -> Hooks {
        Hooks { by_name: functions.into_iter().map(|f| (f.name(), f)).collect() }
    }

    pub(crate) fn contains(&self, function: Value) -> bool {
        self.by_name.values().any(|f| *f == function)
    }

    pub(crate) fn get(&self, name: &str) -> Option<Value> {
        self.by_name.get(name).copied()
    }

    /// The hook as a function to be called, if it is one of those that exist that way too. Accesses have one for each
    /// width, their second argument.
    pub(crate) fn far(&self, name: &str, arguments: &[Value]) -> Option<Value> {
        let name = name.strip_prefix("__ctn_")?;
        let width = arguments.get(1).and_then(|n| n.const_int()).unwrap_or(0);
        self.get(&format!("{FAR_PREFIX}{name}")).or_else(|| self.get(&format!("{FAR_PREFIX}{name}_{width}")))
    }

    /// The names of `wanted` that the inline bitcode lacks.
    pub(crate) fn missing(&self, wanted: &[&str]) -> BTreeSet<String> {
        wanted.iter().filter(|name| !self.by_name.contains_key(**name)).map(|name| name.to_string()).collect()
    }
}

pub(crate) struct Builder {
    raw: LLVMBuilderRef,
    pub(crate) ir: Ir,
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: made by LLVMCreateBuilderInContext and disposed of only here.
        unsafe { LLVMDisposeBuilder(self.raw) }
    }
}

// SAFETY, for all blocks below: as in ir.rs; in addition every builder is positioned before it emits.
impl Builder {
    pub(crate) fn new(ir: Ir) -> Builder {
        Builder { raw: unsafe { LLVMCreateBuilderInContext(ir.context) }, ir }
    }

    /// Emit before `instruction`, with its debug location.
    pub(crate) fn before(&self, instruction: Value) {
        unsafe { LLVMPositionBuilderBefore(self.raw, instruction.0) }
    }

    /// The same for a phi: notes about variables that hang on `instruction` stay behind it.
    pub(crate) fn phi_before(&self, instruction: Value, ty: Type) -> Value {
        unsafe { LLVMPositionBuilderBeforeInstrAndDbgRecords(self.raw, instruction.0) }
        self.phi(ty)
    }

    /// Emit after `instruction`, which is not a terminator, with the debug location of `instruction`.
    pub(crate) fn after(&self, instruction: Value) {
        if let Some(next) = instruction.next_instruction() {
            unsafe {
                LLVMPositionBuilderBefore(self.raw, next.0);
                LLVMSetCurrentDebugLocation2(
                    self.raw,
                    inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(instruction.0),
                );
            }
        }
    }

    pub(crate) fn at_end(&self, block: Block) {
        unsafe { LLVMPositionBuilderAtEnd(self.raw, block.0) }
    }

    pub(crate) fn no_location(&self) {
        unsafe { LLVMSetCurrentDebugLocation2(self.raw, std::ptr::null_mut()) }
    }

    pub(crate) fn location_of(&self, instruction: Value) {
        unsafe {
            let location = inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(instruction.0);
            LLVMSetCurrentDebugLocation2(self.raw, location);
        }
    }

    /// Calls `function` with the arguments fitted to its parameters.
    pub(crate) fn call(&self, function: Value, arguments: &[Value]) -> Value {
        let ty = function.function_type();
        let fitted: Vec<Value> =
            arguments.iter().zip(ty.params()).map(|(argument, param)| self.fit(*argument, param)).collect();
        self.call_as(ty, function, &fitted)
    }

    pub(crate) fn call_as(&self, ty: Type, function: Value, arguments: &[Value]) -> Value {
        let mut raw: Vec<_> = arguments.iter().map(|v| v.0).collect();
        Value(unsafe {
            let call = LLVMBuildCall2(self.raw, ty.0, function.0, raw.as_mut_ptr(), raw.len() as u32, EMPTY);
            if function.is_function() {
                LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function.0));
            }
            call
        })
    }

    /// Integers are zero-extended or cut; pointers and integers converted into each other.
    fn fit(&self, value: Value, to: Type) -> Value {
        let from = value.ty();
        if from == to {
            return value;
        }
        let (from_int, to_int) = (from.int_bits(), to.int_bits());
        match (from.kind(), to.kind()) {
            (TypeKind::LLVMPointerTypeKind, TypeKind::LLVMIntegerTypeKind) => self.ptr_to_int(value, to),
            (TypeKind::LLVMIntegerTypeKind, TypeKind::LLVMPointerTypeKind) => self.int_to_ptr(value),
            _ if from_int > 0 && to_int > from_int => self.zext(value, to),
            _ if to_int > 0 && from_int > to_int => self.trunc(value, to),
            _ => value,
        }
    }

    /// A scalar's bit pattern as a 64-bit integer: its low half if it is wider.
    pub(crate) fn word(&self, value: Value) -> Value {
        let bits = self.pattern(value);
        self.fit(bits, self.ir.i64)
    }

    /// An integer as 64 bits, sign-extended.
    pub(crate) fn word_signed(&self, value: Value) -> Value {
        if value.ty().int_bits() < 64 { self.sext(value, self.ir.i64) } else { self.fit(value, self.ir.i64) }
    }

    /// Bits 64 to 127 of an integer wider than 64 bits.
    pub(crate) fn high_word(&self, value: Value) -> Value {
        let wide = value.ty();
        let amount = Value(unsafe { LLVMConstInt(wide.0, 64, 0) });
        let high = Value(unsafe { LLVMBuildLShr(self.raw, value.0, amount.0, EMPTY) });
        self.fit(high, self.ir.i64)
    }

    /// A scalar as an integer of its width.
    fn pattern(&self, value: Value) -> Value {
        let bits = match value.ty().kind() {
            TypeKind::LLVMHalfTypeKind => 16,
            TypeKind::LLVMFloatTypeKind => 32,
            TypeKind::LLVMDoubleTypeKind => 64,
            TypeKind::LLVMPointerTypeKind => return self.ptr_to_int(value, self.ir.i64),
            _ => return value,
        };
        Value(unsafe { LLVMBuildBitCast(self.raw, value.0, self.ir.int(bits).0, EMPTY) })
    }

    pub(crate) fn ptr_to_int(&self, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildPtrToInt(self.raw, value.0, ty.0, EMPTY) })
    }

    pub(crate) fn int_to_ptr(&self, value: Value) -> Value {
        Value(unsafe { LLVMBuildIntToPtr(self.raw, value.0, self.ir.ptr.0, EMPTY) })
    }

    pub(crate) fn zext(&self, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildZExt(self.raw, value.0, ty.0, EMPTY) })
    }

    pub(crate) fn sext(&self, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildSExt(self.raw, value.0, ty.0, EMPTY) })
    }

    pub(crate) fn trunc(&self, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildTrunc(self.raw, value.0, ty.0, EMPTY) })
    }

    pub(crate) fn or(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildOr(self.raw, a.0, b.0, EMPTY) })
    }

    pub(crate) fn add(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildAdd(self.raw, a.0, b.0, EMPTY) })
    }

    pub(crate) fn sub(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildSub(self.raw, a.0, b.0, EMPTY) })
    }

    pub(crate) fn mul(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildMul(self.raw, a.0, b.0, EMPTY) })
    }

    pub(crate) fn fmul(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildFMul(self.raw, a.0, b.0, EMPTY) })
    }

    pub(crate) fn and(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildAnd(self.raw, a.0, b.0, EMPTY) })
    }

    pub(crate) fn xor(&self, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildXor(self.raw, a.0, b.0, EMPTY) })
    }

    pub(crate) fn equal(&self, a: Value, b: Value) -> Value {
        let predicate = inkwell::llvm_sys::LLVMIntPredicate::LLVMIntEQ;
        Value(unsafe { LLVMBuildICmp(self.raw, predicate, a.0, b.0, EMPTY) })
    }

    pub(crate) fn less(&self, a: Value, b: Value, signed: bool) -> Value {
        let predicate = match signed {
            true => inkwell::llvm_sys::LLVMIntPredicate::LLVMIntSLT,
            false => inkwell::llvm_sys::LLVMIntPredicate::LLVMIntULT,
        };
        Value(unsafe { LLVMBuildICmp(self.raw, predicate, a.0, b.0, EMPTY) })
    }

    pub(crate) fn select(&self, condition: Value, then: Value, otherwise: Value) -> Value {
        Value(unsafe { LLVMBuildSelect(self.raw, condition.0, then.0, otherwise.0, EMPTY) })
    }

    pub(crate) fn phi(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildPhi(self.raw, ty.0, EMPTY) })
    }

    pub(crate) fn load(&self, ty: Type, from: Value) -> Value {
        Value(unsafe { LLVMBuildLoad2(self.raw, ty.0, from.0, EMPTY) })
    }

    pub(crate) fn store(&self, value: Value, to: Value) -> Value {
        Value(unsafe { LLVMBuildStore(self.raw, value.0, to.0) })
    }

    /// The address of a thread-local variable in the running thread.
    pub(crate) fn thread_local_address(&self, variable: Value) -> Value {
        const NAME: &str = "llvm.threadlocal.address.p0";
        let ty = self.ir.function_type(self.ir.ptr, &[self.ir.ptr]);
        let function = self.ir.function(NAME).unwrap_or_else(|| self.ir.add_function(NAME, ty));
        self.call(function, &[variable])
    }

    pub(crate) fn alloca(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildAlloca(self.raw, ty.0, EMPTY) })
    }

    pub(crate) fn array_alloca(&self, ty: Type, count: Value) -> Value {
        Value(unsafe { LLVMBuildArrayAlloca(self.raw, ty.0, count.0, EMPTY) })
    }

    /// `base` plus so many bytes.
    pub(crate) fn offset(&self, base: Value, bytes: Value) -> Value {
        let mut index = bytes.0;
        Value(unsafe { LLVMBuildGEP2(self.raw, self.ir.i8.0, base.0, &mut index, 1, EMPTY) })
    }

    pub(crate) fn extract(&self, aggregate: Value, index: u32) -> Value {
        Value(unsafe { LLVMBuildExtractValue(self.raw, aggregate.0, index, EMPTY) })
    }

    pub(crate) fn extract_element(&self, vector: Value, index: u32) -> Value {
        Value(unsafe { LLVMBuildExtractElement(self.raw, vector.0, self.ir.const32(index).0, EMPTY) })
    }

    pub(crate) fn br(&self, to: Block) -> Value {
        Value(unsafe { LLVMBuildBr(self.raw, to.0) })
    }

    pub(crate) fn cond_br(&self, condition: Value, then: Block, otherwise: Block) -> Value {
        Value(unsafe { LLVMBuildCondBr(self.raw, condition.0, then.0, otherwise.0) })
    }

    pub(crate) fn switch(&self, value: Value, default: Block, cases: &[(Value, Block)]) -> Value {
        let switch = unsafe { LLVMBuildSwitch(self.raw, value.0, default.0, cases.len() as u32) };
        cases.iter().for_each(|(case, block)| unsafe { LLVMAddCase(switch, case.0, block.0) });
        Value(switch)
    }

    pub(crate) fn ret(&self, value: Option<Value>) -> Value {
        match value {
            Some(value) => Value(unsafe { LLVMBuildRet(self.raw, value.0) }),
            None => Value(unsafe { LLVMBuildRetVoid(self.raw) }),
        }
    }

    /// Moves an instruction to where the builder stands.
    pub(crate) fn take(&self, instruction: Value) {
        self.detach(instruction);
        self.insert(instruction);
    }

    /// Takes an instruction out of its block. It must be inserted again.
    pub(crate) fn detach(&self, instruction: Value) {
        unsafe { LLVMInstructionRemoveFromParent(instruction.0) }
    }

    pub(crate) fn insert(&self, instruction: Value) {
        unsafe { LLVMInsertIntoBuilder(self.raw, instruction.0) }
    }

    /// The same instruction once more, with the same operands, where the builder stands.
    pub(crate) fn copy(&self, instruction: Value) -> Value {
        let copy = Value(unsafe { LLVMInstructionClone(instruction.0) });
        self.insert(copy);
        copy
    }

    pub(crate) fn not_zero(&self, value: Value) -> Value {
        let predicate = inkwell::llvm_sys::LLVMIntPredicate::LLVMIntNE;
        Value(unsafe { LLVMBuildICmp(self.raw, predicate, value.0, value.ty().null().0, EMPTY) })
    }

    /// Tells the optimiser which side a branch nearly always takes.
    pub(crate) fn expect(&self, branch: Value, side: bool) {
        let ir = self.ir;
        let [on_true, on_false] = if side { [1 << 20, 1] } else { [1, 1 << 20] };
        // SAFETY: the strings and the two weights live as long as the calls.
        unsafe {
            let name = c"branch_weights";
            let mut parts = [
                LLVMMDStringInContext2(ir.context, name.as_ptr(), name.count_bytes()),
                LLVMValueAsMetadata(ir.const32(on_true).0),
                LLVMValueAsMetadata(ir.const32(on_false).0),
            ];
            let weights = LLVMMDNodeInContext2(ir.context, parts.as_mut_ptr(), parts.len());
            let kind = LLVMGetMDKindIDInContext(ir.context, c"prof".as_ptr(), 4);
            LLVMSetMetadata(branch.0, kind, LLVMMetadataAsValue(ir.context, weights));
        }
    }
}
