//! Faults that the hardware or the shadow would not notice by themselves: division, shifts, signed overflow,
//! indices of arrays inside larger objects. Never counted as branches.

use crate::body::Body;
use crate::ir::{Opcode, TypeKind, Value};
use inkwell::llvm_sys::core::{LLVMGetNSW, LLVMSetExact, LLVMSetNSW, LLVMSetNUW};
use model::sites::SiteKind;
use wire::{Class, Op};

/// Checks of a binary operation, emitted before it. Gives the label of the result where the check and the
/// node are one hook. Flags that promise that nothing overflows are withdrawn: the result wraps.
pub(crate) fn arithmetic(body: &mut Body, i: Value, op: Op, bits: u32) -> Option<Value> {
    match op {
        Op::Add | Op::Sub | Op::Mul => {
            // SAFETY: the flags exist on these opcodes.
            let no_wrap = unsafe {
                let no_wrap = LLVMGetNSW(i.0) != 0;
                LLVMSetNSW(i.0, 0);
                LLVMSetNUW(i.0, 0);
                no_wrap
            };
            (no_wrap && bits <= 64).then(|| signed(body, i, op, bits)).flatten()
        }
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem => {
            if matches!(op, Op::UDiv | Op::SDiv) {
                // SAFETY: the flag exists on these opcodes.
                unsafe { LLVMSetExact(i.0, 0) }
            }
            divisor(body, i, op, bits);
            None
        }
        Op::Shl | Op::LShr | Op::AShr => {
            shift(body, i, op, bits);
            None
        }
        _ => None,
    }
}

fn signed(body: &mut Body, i: Value, op: Op, bits: u32) -> Option<Value> {
    let (a, b) = (i.operand(0), i.operand(1));
    if body.label(a).is_none() && body.label(b).is_none() {
        return None;
    }
    let place = body.site(i, SiteKind::Check { class: Class::SignedOverflow });
    let (la, lb) = (body.operand_label(a), body.operand_label(b));
    let (a, b) = (body.b.word(a), body.b.word(b));
    let head = body.head(op, 0, bits);
    Some(body.hook("__ctn_op2_checked", &[head, la, lb, a, b, place]))
}

fn divisor(body: &mut Body, i: Value, op: Op, bits: u32) {
    let (a, b) = (i.operand(0), i.operand(1));
    if bits > 64 {
        return;
    }
    let ir = body.unit.ir;
    let (la, lb) = (body.operand_label(a), body.operand_label(b));
    let (a_word, b_word) = (body.b.word(a), body.b.word(b));
    if b.const_int().is_none_or(|divisor| divisor == 0) {
        let place = body.site(i, SiteKind::Check { class: Class::DivisionByZero });
        body.hook("__ctn_check_divisor", &[ir.const32(bits), lb, b_word, place]);
    }
    let signed = matches!(op, Op::SDiv | Op::SRem);
    if signed && bits > 1 && b.const_signed().is_none_or(|divisor| divisor == -1) {
        let place = body.site(i, SiteKind::Check { class: Class::SignedOverflow });
        let least = ir.const64(1 << (bits - 1));
        let minus_one = ir.const64(u64::MAX >> (64 - bits));
        let arguments = [ir.const32(bits), la, lb, a_word, b_word, least, minus_one, place];
        body.hook("__ctn_check_divide_overflow", &arguments);
    }
}

/// Shifts by more than the width are undefined for LLVM; the machine takes the amount modulo the width, and
/// so do the instrumented program and its nodes.
fn shift(body: &mut Body, i: Value, op: Op, bits: u32) {
    // SAFETY: the flags exist on the opcodes they are set on.
    unsafe {
        if op == Op::Shl {
            LLVMSetNSW(i.0, 0);
            LLVMSetNUW(i.0, 0);
        } else {
            LLVMSetExact(i.0, 0);
        }
    }
    let amount = i.operand(1);
    if !bits.is_power_of_two() || amount.const_int().is_some_and(|n| n < u64::from(bits)) {
        return;
    }
    let ir = body.unit.ir;
    if bits <= 64 {
        let place = body.site(i, SiteKind::Check { class: Class::InvalidShift });
        let label = body.operand_label(amount);
        let word = body.b.word(amount);
        body.hook("__ctn_check_shift", &[ir.const32(bits), label, word, place]);
    }
    let mask = ir.const_int(amount.ty(), u64::from(bits - 1));
    let masked = body.b.and(amount, mask);
    if let Some(label) = body.node2(Op::And, 0, bits, 0, amount, mask) {
        body.set_label(masked, label);
    }
    i.set_operand(1, masked);
}

/// The index of an array must lie inside it when the element is accessed: the shadow sees only the end of the whole
/// object. Not that of one with a single element at the end of a struct, which is commonly longer than declared.
pub(crate) fn array_index(body: &mut Body, access: Value, pointer: Value) {
    if !pointer.is_instruction() || pointer.opcode() != Opcode::LLVMGetElementPtr {
        return;
    }
    // Through constant offsets, as of a member of an array's element.
    let base = pointer.operand(0);
    if base.is_instruction() && pointer.operands().iter().skip(1).all(|o| o.const_int().is_some()) {
        array_index(body, access, base);
    }
    let ir = body.unit.ir;
    let mut ty = pointer.gep_source();
    let mut last_of_struct = came_from_last_member(pointer.operand(0));
    for (position, index) in pointer.operands().into_iter().skip(1).enumerate() {
        if position == 0 {
            continue;
        }
        if ty.kind() == TypeKind::LLVMStructTypeKind {
            let field = index.const_int().unwrap_or(0) as u32;
            last_of_struct = field + 1 == ty.struct_length();
            ty = ty.struct_element(field);
            continue;
        }
        let length = ty.array_length();
        let may_be_longer = last_of_struct && length == 1;
        if ty.kind() == TypeKind::LLVMArrayTypeKind && length > 0 && !may_be_longer {
            let word = body.b.word_signed(index);
            let constant_inside = index.const_int().is_some_and(|n| n < length);
            if !constant_inside {
                let place = body.site(access, SiteKind::Check { class: Class::OutOfBounds });
                let label = body.operand_label(index);
                let bits = ir.const32(index.ty().int_bits());
                body.hook("__ctn_check_index", &[bits, label, word, ir.const64(length), place]);
            }
        }
        last_of_struct = false;
        ty = ty.element();
    }
}

/// Whether an address is that of the last member of a struct.
fn came_from_last_member(pointer: Value) -> bool {
    if !pointer.is_instruction() || pointer.opcode() != Opcode::LLVMGetElementPtr {
        return false;
    }
    let mut ty = pointer.gep_source();
    let mut last = false;
    for (position, index) in pointer.operands().into_iter().skip(1).enumerate() {
        if position == 0 {
            continue;
        }
        if ty.kind() == TypeKind::LLVMStructTypeKind {
            let field = index.const_int().unwrap_or(0) as u32;
            last = field + 1 == ty.struct_length();
            ty = ty.struct_element(field);
        } else {
            last = false;
            ty = ty.element();
        }
    }
    last
}
