//! The switch at the entry of every program function: as it is, its stub instead, or as it is with its
//! inputs recorded. The byte that it tests belongs to the unit under test, not to the build.

use crate::builder::Builder;
use crate::ir::{Opcode, Value};
use crate::unit::Unit;
use inkwell::llvm_sys::LLVMAttributeReturnIndex;
use inkwell::llvm_sys::core::*;
use wire::Mode;

pub(crate) const MODES: &str = "__ctn_modes";
pub(crate) const STUB_PREFIX: &str = "__ctn_stub_";

pub(crate) fn add_mode_switch(unit: &Unit, function: Value, number: u32) {
    let ir = unit.ir;
    let (Some(old), Some(modes)) = (function.blocks().first().copied(), ir.global(MODES)) else { return };
    let b = Builder::new(ir);
    let entry = ir.insert_block_before(old, "mode");
    let other = ir.insert_block_before(old, "not.real");
    let capture = ir.insert_block_before(old, "capture");
    let location = old.instructions().into_iter().find(|i| i.place().line != 0);

    b.at_end(entry);
    for i in old.instructions() {
        if i.opcode() == Opcode::LLVMAlloca && i.operand(0).is_constant() {
            b.take(i);
        }
    }
    let located = |b: &Builder| match location {
        Some(i) => b.location_of(i),
        None => b.no_location(),
    };
    located(&b);
    let mode = b.load(ir.i8, ir.const_offset(modes, u64::from(number)));
    let real = b.equal(mode, ir.const_int(ir.i8, Mode::Real as u64));
    let branch = b.cond_br(real, old, other);
    b.expect(branch, true);

    b.at_end(other);
    match stub_of(unit, function) {
        Some(stub) => {
            let call_stub = ir.insert_block_before(old, "stub");
            let stubbed = b.equal(mode, ir.const_int(ir.i8, Mode::Stub as u64));
            b.cond_br(stubbed, call_stub, capture);
            b.at_end(call_stub);
            let call = b.call_as(function.function_type(), stub, &function.params());
            copy_attributes(function, call);
            b.ret((!call.ty().is_void()).then_some(call));
        }
        // Models and the like have no stub, and are real in every unit.
        None => {
            let captured = b.equal(mode, ir.const_int(ir.i8, Mode::Capture as u64));
            b.cond_br(captured, capture, old);
        }
    }
    b.at_end(capture);
    if let Some(note) = unit.hooks.get("__ctn_capture") {
        b.call(note, &[ir.const32(unit.table.tu), ir.const32(number)]);
    }
    b.br(old);
}

/// The stub of a function, if this unit has one of the same type.
fn stub_of(unit: &Unit, function: Value) -> Option<Value> {
    let sites =
        unit.functions.iter().position(|f| *f == function).and_then(|n| unit.table.functions.get(n))?;
    let stub = unit.ir.function(&format!("{STUB_PREFIX}{}", sites.name))?;
    (!stub.is_declaration() && stub.function_type() == function.function_type()).then_some(stub)
}

/// The calling convention of arguments is in their attributes (byval, sret, sign extension).
fn copy_attributes(function: Value, call: Value) {
    let params = function.params().len() as u32;
    for index in std::iter::once(LLVMAttributeReturnIndex).chain(1..=params) {
        // SAFETY: the vector has room for as many attributes as LLVM says there are.
        unsafe {
            let count = LLVMGetAttributeCountAtIndex(function.0, index);
            let mut attributes = vec![std::ptr::null_mut(); count as usize];
            LLVMGetAttributesAtIndex(function.0, index, attributes.as_mut_ptr());
            for attribute in attributes {
                LLVMAddCallSiteAttribute(call.0, index, attribute);
            }
        }
    }
}
