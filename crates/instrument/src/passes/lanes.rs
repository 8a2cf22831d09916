//! Vectors: an operation on vectors is that operation on each lane. C programs meet them as small structs of
//! floats in registers and through compiler extensions.

use super::values;
use crate::body::{Body, Labels};
use crate::ir::{TypeKind, Value};
use crate::leaf::scalar;
use inkwell::llvm_sys::core::{LLVMGetMaskValue, LLVMGetNumMaskElements};
use wire::Op;

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
    let labels = body.labels_of(vector);
    if let Some(lane) = index.const_int() {
        if let Some(label) = labels.get(lane as usize).copied().flatten() {
            body.set_label(i, label);
        }
        return;
    }
    let (true, Some(lanes)) = (body.may(i), choosable(body, vector, index)) else {
        return values::unexpressed(body, i, "lane chosen at run time");
    };
    body.b.before(i);
    // The last lane, or the one before if that is chosen, and so on to the first.
    let mut value = body.b.extract_element(vector, lanes - 1);
    let mut label = labels.last().copied().flatten();
    for lane in (0..lanes - 1).rev() {
        let here = body.b.extract_element(vector, lane);
        let chosen = is_lane(body, index, lane);
        label = Some(choice(body, chosen, (here, labels[lane as usize]), (value, label)));
        value = body.b.select(chosen, here, value);
    }
    if let Some(label) = label {
        body.set_label(i, label);
    }
}

pub(crate) fn insert(body: &mut Body, i: Value) {
    let (vector, element, index) = (i.operand(0), i.operand(1), i.operand(2));
    if !body.may(i) {
        return;
    }
    let mut labels = body.labels_of(vector);
    let new = body.labels.get(&element).and_then(|all| all.first().copied().flatten());
    if let Some(lane) = index.const_int() {
        if let Some(slot) = labels.get_mut(lane as usize) {
            *slot = new;
        }
        body.labels.insert(i, labels);
        return;
    }
    let Some(lanes) = choosable(body, vector, index) else {
        return values::unexpressed(body, i, "lane chosen at run time");
    };
    body.b.before(i);
    for lane in 0..lanes {
        let old = (body.b.extract_element(vector, lane), labels[lane as usize]);
        let chosen = is_lane(body, index, lane);
        labels[lane as usize] = Some(choice(body, chosen, (element, new), old));
    }
    body.labels.insert(i, labels);
}

/// The number of lanes, if each has a label of its own and the index a word.
fn choosable(body: &Body, vector: Value, index: Value) -> Option<u32> {
    let lanes = vector.ty().vector_length();
    let bits = scalar(vector.ty().element()).bits()?;
    let known = lanes > 0 && body.leaves(vector.ty()).len() == lanes as usize;
    (known && bits <= 64 && index.ty().int_bits() <= 64).then_some(lanes)
}

/// Whether the index is this lane, with its label.
fn is_lane(body: &mut Body, index: Value, lane: u32) -> Value {
    let constant = body.unit.ir.const_int(index.ty(), u64::from(lane));
    let chosen = body.b.equal(index, constant);
    match body.node2(Op::Eq, 0, 1, index.ty().int_bits(), index, constant) {
        Some(label) => body.set_label(chosen, label),
        None => {
            body.labels.remove(&chosen);
        }
    }
    chosen
}

type Labelled = (Value, Option<Value>);

fn choice(body: &Body, chosen: Value, then: Labelled, otherwise: Labelled) -> Value {
    let ir = body.unit.ir;
    let bits = ir.const32(scalar(then.0.ty()).bits().unwrap_or(0));
    let lc = body.operand_label(chosen);
    let (lt, lf) = (body.label_or_zero(then.1), body.label_or_zero(otherwise.1));
    let (t, f) = (body.b.word(then.0), body.b.word(otherwise.0));
    let chosen = body.b.zext(chosen, ir.i32);
    body.hook("__ctn_select", &[bits, lc, lt, lf, chosen, t, f])
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
