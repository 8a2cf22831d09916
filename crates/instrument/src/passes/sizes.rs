//! Sizes of memory that is got, and that were computed in fewer bits than they have: `malloc(n + 1)` with a 32-bit `n`. A
//! sum or a product that is less than a part of it has wrapped around. Nothing fails then, but the search looks for
//! it: no branch of the program tells these inputs from others.

use crate::body::Body;
use crate::ir::{Opcode, Value};
use model::sites::SiteKind;
use wire::{Class, Op};

/// Operations in a row that are looked at.
const DEEPEST: u32 = 3;
/// 64 bits are wide enough for what real inputs say.
const NARROW: u32 = 32;

/// Checks before a call for one of its arguments.
pub(crate) fn wraps(body: &mut Body, call: Value, size: Value) {
    if size.ty().int_bits() == 64 {
        visit(body, call, size, false, DEEPEST);
    }
}

fn visit(body: &mut Body, call: Value, value: Value, signed: bool, depth: u32) {
    if depth == 0 || !value.is_instruction() || body.label(value).is_none() {
        return;
    }
    match value.opcode() {
        Opcode::LLVMZExt => visit(body, call, value.operand(0), false, depth),
        Opcode::LLVMSExt => visit(body, call, value.operand(0), true, depth),
        Opcode::LLVMAdd | Opcode::LLVMMul | Opcode::LLVMShl => {
            let operands = [value.operand(0), value.operand(1)];
            if value.ty().int_bits() == NARROW
                && let Some(part) = operands.into_iter().find(|operand| body.label(*operand).is_some())
            {
                check(body, call, value, part, signed);
            }
            operands.into_iter().for_each(|operand| visit(body, call, operand, signed, depth - 1));
        }
        _ => {}
    }
}

/// Whether the result is less than the part; where both have a sign, and not less than nothing.
fn check(body: &mut Body, call: Value, result: Value, part: Value, signed: bool) {
    let bits = result.ty().int_bits();
    let less = if signed { Op::Slt } else { Op::Ult };
    let mut wrapped = body.b.less(result, part, signed);
    let Some(mut label) = body.node2(less, 0, 1, bits, result, part) else { return };
    if signed {
        let least = result.ty().all_ones();
        let is_positive = body.b.less(least, result, true);
        let Some(positive) = body.node2(Op::Slt, 0, 1, bits, least, result) else { return };
        body.set_label(wrapped, label);
        body.set_label(is_positive, positive);
        let Some(both) = body.node2(Op::And, 0, 1, 0, wrapped, is_positive) else { return };
        wrapped = body.b.and(wrapped, is_positive);
        label = both;
    }
    let place = body.site(call, SiteKind::Check { class: Class::OutOfBounds });
    let wrapped = body.b.zext(wrapped, body.unit.ir.i32);
    body.hook("__ctn_check_size", &[label, wrapped, place]);
}
