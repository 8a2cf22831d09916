//! Vectors: an operation on vectors is that operation on each lane. C programs meet them as small structs of
//! floats in registers and through compiler extensions.

use super::values;
use crate::body::{Body, Labels};
use crate::ir::{TypeKind, Value};
use inkwell::llvm_sys::core::{LLVMGetMaskValue, LLVMGetNumMaskElements};

pub(crate) fn is_vector(value: Value) -> bool {
    value.ty().kind() == TypeKind::LLVMVectorTypeKind
}

/// Labels lane by lane: `node` gets the operands of one lane, each carrying its label.
pub(crate) fn each(
    body: &mut Body,
    i: Value,
    operands: &[Value],
    what: &str,
    mut node: impl FnMut(&mut Body, &[Value]) -> Option<Value>,
) {
    let lanes = i.ty().vector_length();
    let same_shape = operands.iter().all(|o| o.ty().vector_length() == lanes);
    let known = |body: &Body, v: Value| body.leaves(v.ty()).len() == lanes as usize;
    if !body.may(i) {
        return;
    }
    if lanes == 0 || !same_shape || !known(body, i) || !operands.iter().all(|o| known(body, *o)) {
        return values::unexpressed(body, i, what);
    }
    body.b.before(i);
    let mut labels = Labels::new();
    for lane in 0..lanes {
        let mut scalars = Vec::with_capacity(operands.len());
        for operand in operands {
            let label = body.labels_of(*operand).get(lane as usize).copied().flatten();
            let scalar = body.b.extract_element(*operand, lane);
            match label {
                Some(label) => body.set_label(scalar, label),
                None => {
                    body.labels.remove(&scalar);
                }
            }
            scalars.push(scalar);
        }
        labels.push(node(body, &scalars));
    }
    body.labels.insert(i, labels);
}

pub(crate) fn extract(body: &mut Body, i: Value) {
    let (vector, index) = (i.operand(0), i.operand(1));
    match index.const_int() {
        Some(lane) => {
            if let Some(label) = body.labels_of(vector).get(lane as usize).copied().flatten() {
                body.set_label(i, label);
            }
        }
        None => values::unexpressed(body, i, "lane chosen at run time"),
    }
}

pub(crate) fn insert(body: &mut Body, i: Value) {
    let (vector, scalar, index) = (i.operand(0), i.operand(1), i.operand(2));
    if !body.may(i) {
        return;
    }
    let mut labels = body.labels_of(vector);
    let slot = index.const_int().and_then(|lane| labels.get_mut(lane as usize));
    match slot {
        Some(slot) => {
            *slot = body.labels.get(&scalar).and_then(|all| all.first().copied().flatten());
            body.labels.insert(i, labels);
        }
        None => values::unexpressed(body, i, "lane chosen at run time"),
    }
}

pub(crate) fn shuffle(body: &mut Body, i: Value) {
    if !body.may(i) {
        return;
    }
    let all: Labels = body.labels_of(i.operand(0)).into_iter().chain(body.labels_of(i.operand(1))).collect();
    // SAFETY: `i` is a shufflevector; a negative index is a lane without value.
    let lanes =
        unsafe { (0..LLVMGetNumMaskElements(i.0)).map(|n| LLVMGetMaskValue(i.0, n)).collect::<Vec<_>>() };
    let labels =
        lanes.into_iter().map(|n| usize::try_from(n).ok().and_then(|n| all.get(n).copied().flatten()));
    let labels = labels.collect();
    body.labels.insert(i, labels);
}
