//! Loads, stores and atomic operations. A hook before the access tests shadow and address label, so that
//! faults end the execution before they happen; the access itself stays as it was.

use super::foresight::Place;
use super::{checks, intrinsics, values};
use crate::body::{Body, Labels};
use crate::ir::{Ir, Opcode, Type, TypeKind, Value};
use crate::leaf::{Leaf, Scalar, addressable};
use inkwell::llvm_sys::LLVMAtomicRMWBinOp::*;
use inkwell::llvm_sys::core::LLVMGetAtomicRMWBinOp;
use model::sites::SiteKind;
use wire::Op;
use wire::log::Concretised;

/// How far above an address its shadow may be looked for without computing anew where that is: as much is mapped
/// behind the end of the shadow.
const NEAR: u64 = 4096;
/// So many words of the shadow, two bytes of the program each, are asked one by one.
const MOST_WORDS: u64 = 3;

pub(crate) fn load(body: &mut Body, i: Value) {
    let pointer = i.operand(0);
    if is_slot_path(pointer) {
        return;
    }
    body.b.before(i);
    checks::array_index(body, i, pointer);
    let place = body.site(i, SiteKind::Load);
    let labels = load_labels(body, pointer, i.ty(), place);
    body.labels.insert(i, labels);
}

/// The check of an access that the shadow is looked at for elsewhere.
pub(crate) fn check_index(body: &mut Body, i: Value) {
    let pointer = i.operand(if i.opcode() == Opcode::LLVMStore { 1 } else { 0 });
    body.b.before(i);
    checks::array_index(body, i, pointer);
}

/// Short copies where nothing is symbolic yet: whether a byte there is symbolic or poisoned. None for what is none.
pub(crate) fn test_copy(body: &mut Body, i: Value) -> Option<Value> {
    if i.opcode() != Opcode::LLVMCall {
        return None;
    }
    let places = intrinsics::short_blocks(i)?;
    body.b.before(i);
    test_places(body, &places)
}

/// Whether one of the bytes has a label or is poisoned, asked where the builder stands. Much of it is asked at once.
pub(crate) fn test_places(body: &Body, places: &[Place]) -> Option<Value> {
    let ir = body.unit.ir;
    let pieces: Vec<Piece> =
        places.iter().flat_map(|(pointer, bytes)| pieces(body, *pointer, *bytes)).collect();
    let words: u64 = pieces.iter().map(|piece| piece.bytes.div_ceil(2)).sum();
    let ask = |name: &str| {
        let ask =
            |piece: &Piece| body.hook(name, &[piece.base, ir.const64(piece.offset), ir.const64(piece.bytes)]);
        pieces.iter().map(ask).reduce(|a, b| body.b.or(a, b))
    };
    let any = if words <= MOST_WORDS {
        ask("__ctn_any")?
    } else {
        body.hook("__ctn_any_of", &[ask("__ctn_quad")?])
    };
    Some(body.b.not_zero(any))
}

/// Bytes that one look at the shadow tells about.
struct Piece {
    base: Value,
    offset: u64,
    bytes: u64,
}

/// Pieces of one size, of which the last two may overlap. Members of one object are looked for from its beginning, so
/// that their shadows have one address to be computed.
fn pieces(body: &Body, pointer: Value, bytes: u64) -> Vec<Piece> {
    let ir = body.unit.ir;
    let size = [16, 8, 4, 2].into_iter().find(|size| *size <= bytes).unwrap_or(1);
    let offsets = (0..bytes.max(1).div_ceil(size)).map(|n| (n * size).min(bytes.saturating_sub(size)));
    let (base, start) = base_of(ir, pointer);
    let piece = |offset: u64| {
        if start + offset <= NEAR {
            return Piece { base, offset: start + offset, bytes: size };
        }
        Piece { base: body.b.offset(pointer, ir.const64(offset)), offset: 0, bytes: size }
    };
    offsets.map(piece).collect()
}

/// What an address is a constant distance above, and that distance.
fn base_of(ir: Ir, mut pointer: Value) -> (Value, u64) {
    let mut distance = 0;
    while pointer.is_instruction()
        && pointer.opcode() == Opcode::LLVMGetElementPtr
        && let Some(offset) = constant_offset(ir, pointer)
        && distance + offset <= NEAR
    {
        distance += offset;
        pointer = pointer.operand(0);
    }
    (pointer, distance)
}

/// Bytes that a `getelementptr` adds; None if that is not known, or not upwards.
fn constant_offset(ir: Ir, gep: Value) -> Option<u64> {
    let mut ty = gep.gep_source();
    let mut offset: u64 = 0;
    for (position, index) in gep.operands().into_iter().skip(1).enumerate() {
        let index = u64::try_from(index.const_signed()?).ok()?;
        let step = match (position, ty.kind()) {
            (0, _) => index.checked_mul(ir.size(ty))?,
            (_, TypeKind::LLVMStructTypeKind) => {
                let step = ir.offset(ty, u32::try_from(index).ok()?);
                ty = ty.struct_element(index as u32);
                step
            }
            (_, TypeKind::LLVMArrayTypeKind) => {
                ty = ty.element();
                index.checked_mul(ir.size(ty))?
            }
            _ => return None,
        };
        offset = offset.checked_add(step)?;
    }
    Some(offset)
}

pub(crate) fn store(body: &mut Body, i: Value) {
    let (value, pointer) = (i.operand(0), i.operand(1));
    if is_slot_path(pointer) {
        return;
    }
    body.b.before(i);
    checks::array_index(body, i, pointer);
    let place = body.site(i, SiteKind::Store);
    store_labels(body, pointer, value, place);
}

/// Whether the address is in a path by which a driver names an input (`ctn_path` of ctn.h): an object on the driver's
/// stack that only the runtime reads. It has no labels and no redzones.
pub(crate) fn is_slot_path(mut pointer: Value) -> bool {
    while pointer.is_instruction() && pointer.opcode() == Opcode::LLVMGetElementPtr {
        pointer = pointer.operand(0);
    }
    pointer.is_instruction()
        && pointer.opcode() == Opcode::LLVMAlloca
        && pointer.allocated().struct_name() == "struct.ctn_path"
}

/// An array of variable length: its size holds on this path.
pub(crate) fn allocate(body: &mut Body, i: Value) {
    let count = i.operand(0);
    let Some(label) = body.label(count) else { return };
    let place = body.site(i, SiteKind::Choice);
    body.b.before(i);
    let (kind, word) = (body.unit.ir.const32(Concretised::AllocationSize as u32), body.b.word(count));
    body.hook("__ctn_concretise", &[label, kind, word, place]);
}

/// Address and address label of a leaf inside the accessed object.
fn leaf_address(body: &Body, pointer: Value, offset: u64) -> (Value, Value) {
    let label = body.label(pointer);
    if offset == 0 {
        return (pointer, body.label_or_zero(label));
    }
    let ir = body.unit.ir;
    let bytes = ir.const64(offset);
    let label = label.map(|label| body.hook("__ctn_address", &[label, pointer, bytes]));
    (body.b.offset(pointer, bytes), body.label_or_zero(label))
}

fn load_labels(body: &mut Body, pointer: Value, ty: Type, place: Value) -> Labels {
    let ir = body.unit.ir;
    let mut labels = Labels::new();
    let leaves = memory_leaves(body, ty);
    for leaf in &leaves {
        let (address, lp) = leaf_address(body, pointer, leaf.offset);
        let bytes = ir.store_size(leaf.ty);
        let n = ir.const64(bytes);
        labels.push(match leaf.scalar {
            Scalar::Opaque => {
                body.hook("__ctn_load_opaque", &[address, n, lp, place]);
                None
            }
            Scalar::Int(bits) | Scalar::Float(bits) => {
                let label = Some(body.hook("__ctn_load", &[address, n, lp, place]));
                if u64::from(bits) == bytes * 8 { label } else { body.node1(Op::Extract, bits, 0, label, 0) }
            }
        });
    }
    // What is opaque in memory may have more leaves as a value.
    labels.resize(body.leaves(ty).len(), None);
    labels
}

/// The leaves as they lie in memory; packed ones are one opaque piece.
fn memory_leaves(body: &Body, ty: Type) -> Vec<Leaf> {
    let leaves = body.leaves(ty);
    if addressable(&leaves) {
        return leaves;
    }
    vec![Leaf { scalar: Scalar::Opaque, ty, offset: 0, path: Vec::new(), in_vector: false }]
}

fn store_labels(body: &mut Body, pointer: Value, value: Value, place: Value) {
    let ir = body.unit.ir;
    let labels = body.labels_of(value);
    for (leaf, label) in memory_leaves(body, value.ty()).iter().zip(labels) {
        let (address, lp) = leaf_address(body, pointer, leaf.offset);
        let bytes = ir.store_size(leaf.ty);
        let n = ir.const64(bytes);
        match leaf.scalar {
            Scalar::Opaque => {
                body.hook("__ctn_store_opaque", &[address, n, lp, place]);
            }
            Scalar::Int(bits) | Scalar::Float(bits) => {
                let whole = (bytes * 8) as u32;
                let label = if bits == whole { label } else { body.node1(Op::ZExt, whole, bits, label, 0) };
                let scalar = body.leaf_value(value, leaf);
                let word = body.b.word(scalar);
                let label = body.label_or_zero(label);
                body.hook("__ctn_store", &[address, n, lp, label, word, place]);
            }
        }
    }
}

/// Atomic accesses through a symbolic address use the address that they have.
fn fix_address(body: &mut Body, pointer: Value, place: Value) {
    if let Some(label) = body.label(pointer) {
        let kind = body.unit.ir.const32(Concretised::StoreAddress as u32);
        body.hook("__ctn_concretise", &[label, kind, pointer, place]);
    }
}

fn plain_load(body: &mut Body, pointer: Value, ty: Type, place: Value) -> Option<Value> {
    let ir = body.unit.ir;
    let zero = ir.const32(0);
    match crate::leaf::scalar(ty) {
        Scalar::Opaque => None,
        _ => Some(body.hook("__ctn_load", &[pointer, ir.const64(ir.store_size(ty)), zero, place])),
    }
}

/// The value itself matters only at a symbolic address.
fn plain_store(body: &mut Body, pointer: Value, label: Option<Value>, ty: Type, place: Value) {
    let ir = body.unit.ir;
    let n = ir.const64(ir.store_size(ty));
    let label = body.label_or_zero(label);
    body.hook("__ctn_store", &[pointer, n, ir.const32(0), label, ir.const64(0), place]);
}

pub(crate) fn read_modify_write(body: &mut Body, i: Value) {
    let (pointer, operand) = (i.operand(0), i.operand(1));
    let place = body.site(i, SiteKind::Store);
    body.b.before(i);
    fix_address(body, pointer, place);
    let Some(old) = plain_load(body, pointer, operand.ty(), place) else {
        return values::unexpressed(body, i, "atomic operation");
    };
    body.set_label(i, old);
    body.b.after(i);
    let label = updated(body, i, operand);
    plain_store(body, pointer, label, operand.ty(), place);
}

/// The label of what an atomic operation leaves in memory; `i` stands for what was there.
fn updated(body: &mut Body, i: Value, operand: Value) -> Option<Value> {
    let bits = crate::leaf::scalar(operand.ty()).bits()?;
    // SAFETY: `i` is an atomicrmw instruction.
    let operation = unsafe { LLVMGetAtomicRMWBinOp(i.0) };
    let op = match operation {
        LLVMAtomicRMWBinOpXchg => return body.label(operand),
        LLVMAtomicRMWBinOpAdd => Op::Add,
        LLVMAtomicRMWBinOpSub => Op::Sub,
        LLVMAtomicRMWBinOpAnd => Op::And,
        LLVMAtomicRMWBinOpOr => Op::Or,
        LLVMAtomicRMWBinOpXor => Op::Xor,
        LLVMAtomicRMWBinOpFAdd => Op::FAdd,
        LLVMAtomicRMWBinOpFSub => Op::FSub,
        LLVMAtomicRMWBinOpFMin => Op::FMin,
        LLVMAtomicRMWBinOpFMax => Op::FMax,
        LLVMAtomicRMWBinOpNand => {
            let both = body.b.and(i, operand);
            let label = body.node2(Op::And, 0, bits, 0, i, operand)?;
            body.set_label(both, label);
            return body.node2(Op::Xor, 0, bits, 0, both, operand.ty().all_ones());
        }
        LLVMAtomicRMWBinOpMin | LLVMAtomicRMWBinOpMax | LLVMAtomicRMWBinOpUMin | LLVMAtomicRMWBinOpUMax
            if bits <= 64 =>
        {
            let signed = matches!(operation, LLVMAtomicRMWBinOpMin | LLVMAtomicRMWBinOpMax);
            let max = matches!(operation, LLVMAtomicRMWBinOpMax | LLVMAtomicRMWBinOpUMax);
            return Some(intrinsics::extreme(body, signed, max, bits, i, operand));
        }
        _ => {
            body.lose(i, &[i, operand], Concretised::UnsupportedOperation);
            return None;
        }
    };
    body.node2(op, 0, bits, 0, i, operand)
}

pub(crate) fn compare_exchange(body: &mut Body, i: Value) {
    let (pointer, expected, new) = (i.operand(0), i.operand(1), i.operand(2));
    let Some(bits) = crate::leaf::scalar(new.ty()).bits() else {
        return values::unexpressed(body, i, "atomic operation");
    };
    let place = body.site(i, SiteKind::Store);
    body.b.before(i);
    fix_address(body, pointer, place);
    let Some(old_label) = plain_load(body, pointer, new.ty(), place) else { return };
    body.b.after(i);
    let (old, success) = (body.b.extract(i, 0), body.b.extract(i, 1));
    body.set_label(old, old_label);
    let equal = body.node2(Op::Eq, 0, 1, bits, old, expected);
    let new_label = body.operand_label(new);
    let stored_label = body.b.select(success, new_label, old_label);
    plain_store(body, pointer, Some(stored_label), new.ty(), place);
    body.labels.insert(i, vec![Some(old_label), equal]);
}
