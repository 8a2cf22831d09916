//! Pointers to records that a body steps through: what they lead to is an array, not one object.
//!
//! Told by type: which of several pointers to a record is stepped is not. A function that is defined elsewhere steps
//! through what it is given together with a number, and what is taken for another type may be a part of something larger.

use crate::clang::{Cursor, Type};
use crate::expression::{bare, parameter, without_casts};
use clang_sys::*;

/// The records whose pointers an expression steps through by itself.
pub(crate) fn stepped<'tu>(node: Cursor<'tu>, children: &[Cursor<'tu>]) -> Vec<Type<'tu>> {
    let pointers: Vec<Cursor<'tu>> = match (node.kind(), children) {
        (CXCursor_ArraySubscriptExpr, [base, index]) if index.integer() != Some(0) => vec![*base, *index],
        (CXCursor_UnaryOperator, [operand]) if is_step(node) => vec![*operand],
        (CXCursor_CompoundAssignOperator, [pointer, _]) => vec![*pointer],
        (CXCursor_BinaryOperator, [left, right]) if is_sum_or_order(node) => vec![*left, *right],
        (CXCursor_CallExpr, [callee, arguments @ ..]) if is_defined_elsewhere(*callee) => {
            let is_number = |argument: &Cursor<'tu>| {
                argument.ty().canonical().is_integer() && argument.integer().is_none()
            };
            if arguments.iter().any(is_number) { arguments.to_vec() } else { Vec::new() }
        }
        (CXCursor_CStyleCastExpr, [.., operand]) if is_other_object(node.ty(), *operand) => vec![*operand],
        _ => Vec::new(),
    };
    pointers.into_iter().filter_map(record_behind).collect()
}

/// The record of which an element is taken by a constant number, and how many there are at least.
pub(crate) fn numbered<'tu>(node: Cursor<'tu>, children: &[Cursor<'tu>]) -> Option<(Type<'tu>, u64)> {
    let (CXCursor_ArraySubscriptExpr, [base, index]) = (node.kind(), children) else { return None };
    let number =
        index.integer().and_then(|number| u64::try_from(number).ok()).filter(|number| *number > 0)?;
    Some((record_behind(*base)?, number.saturating_add(1)))
}

fn is_step(node: Cursor<'_>) -> bool {
    matches!(
        node.unary_operator(),
        CXUnaryOperator_PostInc | CXUnaryOperator_PostDec | CXUnaryOperator_PreInc | CXUnaryOperator_PreDec
    )
}

fn is_sum_or_order(node: Cursor<'_>) -> bool {
    matches!(
        node.binary_operator(),
        CXBinaryOperator_Add
            | CXBinaryOperator_Sub
            | CXBinaryOperator_LT
            | CXBinaryOperator_GT
            | CXBinaryOperator_LE
            | CXBinaryOperator_GE
    )
}

/// The pointer is taken to lead to another type of object.
fn is_other_object(to: Type<'_>, operand: Cursor<'_>) -> bool {
    let target = to.canonical().pointee().canonical();
    let same = |record: Type<'_>| {
        record.declaration().map(Cursor::identity) == target.declaration().map(Cursor::identity)
    };
    let is_kept =
        target.kind() == CXType_Void || target.is_record() && record_behind(operand).is_none_or(same);
    to.is_pointer() && !is_kept
}

fn is_defined_elsewhere(callee: Cursor<'_>) -> bool {
    let function = bare(callee).referenced().filter(|named| named.kind() == CXCursor_FunctionDecl);
    function.is_some_and(|function| function.definition().is_none())
}

/// What a pointer to a record leads to. An array is none: its length is known, but for a parameter that is written as one.
fn record_behind(pointer: Cursor<'_>) -> Option<Type<'_>> {
    let pointer = without_casts(pointer);
    let ty = pointer.ty();
    let record = match ty.is_array() {
        true if parameter(pointer).is_some() => ty.canonical().array_element().canonical(),
        true => return None,
        false => ty.canonical().pointee().canonical(),
    };
    ((ty.is_pointer() || ty.is_array()) && record.is_record()).then_some(record)
}
