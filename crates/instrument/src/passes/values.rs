//! The label of what an instruction computes from its operands.

use super::{checks, lanes};
use crate::body::{Body, Labels};
use crate::ir::{Opcode, TypeKind, Value};
use crate::leaf::{Scalar, scalar};
use inkwell::llvm_sys::LLVMIntPredicate::*;
use inkwell::llvm_sys::core::{LLVMGetFCmpPredicate, LLVMGetICmpPredicate};
use wire::Op;
use wire::log::Concretised;

/// Phis get a phi of labels each; the incoming labels are known only when all blocks are done.
pub(crate) fn begin_phi(body: &mut Body, i: Value, phis: &mut Vec<Value>) {
    if !body.may(i) {
        return;
    }
    body.b.before(i);
    body.b.no_location();
    let labels: Labels = body
        .leaves(i.ty())
        .iter()
        .map(|leaf| (leaf.scalar != Scalar::Opaque).then(|| body.b.phi(body.unit.ir.i32)))
        .collect();
    body.labels.insert(i, labels);
    phis.push(i);
}

pub(crate) fn complete_phis(body: &mut Body, phis: &[Value]) {
    for phi in phis {
        let own = body.labels_of(*phi);
        for (value, block) in phi.incoming() {
            for (own, incoming) in own.iter().zip(body.labels_of(value)) {
                if let Some(own) = own {
                    own.add_incoming(body.label_or_zero(incoming), block);
                }
            }
        }
    }
}

pub(crate) fn binary(body: &mut Body, i: Value) {
    if lanes::is_vector(i) {
        return binary_lanes(body, i);
    }
    let (op, bits) = match (op_of(i.opcode()), scalar(i.ty())) {
        (Some(op), Scalar::Int(bits) | Scalar::Float(bits)) => (op, bits),
        _ => return unexpressed(body, i, "binary operation"),
    };
    body.b.before(i);
    // The checks may have put another operand in place.
    let checked = checks::arithmetic(body, i, op, bits);
    let label = checked.or_else(|| body.node2(op, 0, bits, 0, i.operand(0), i.operand(1)));
    if let Some(label) = label {
        body.set_label(i, label);
    }
}

fn binary_lanes(body: &mut Body, i: Value) {
    let (Some(op), Some(bits)) = (op_of(i.opcode()), scalar(i.ty().element()).bits()) else {
        return unexpressed(body, i, "binary operation");
    };
    lanes::each(
        body,
        i,
        &[i.operand(0), i.operand(1)],
        "vector operation",
        |body, operands| match operands {
            [a, b] => body.node2(op, 0, bits, 0, *a, *b),
            _ => None,
        },
    );
}

fn op_of(opcode: Opcode) -> Option<Op> {
    Some(match opcode {
        Opcode::LLVMAdd => Op::Add,
        Opcode::LLVMSub => Op::Sub,
        Opcode::LLVMMul => Op::Mul,
        Opcode::LLVMUDiv => Op::UDiv,
        Opcode::LLVMSDiv => Op::SDiv,
        Opcode::LLVMURem => Op::URem,
        Opcode::LLVMSRem => Op::SRem,
        Opcode::LLVMAnd => Op::And,
        Opcode::LLVMOr => Op::Or,
        Opcode::LLVMXor => Op::Xor,
        Opcode::LLVMShl => Op::Shl,
        Opcode::LLVMLShr => Op::LShr,
        Opcode::LLVMAShr => Op::AShr,
        Opcode::LLVMFAdd => Op::FAdd,
        Opcode::LLVMFSub => Op::FSub,
        Opcode::LLVMFMul => Op::FMul,
        Opcode::LLVMFDiv => Op::FDiv,
        Opcode::LLVMFRem => Op::FRem,
        _ => return None,
    })
}

pub(crate) fn negate(body: &mut Body, i: Value) {
    if lanes::is_vector(i) {
        let bits = scalar(i.ty().element()).bits().unwrap_or(0);
        return lanes::each(body, i, &[i.operand(0)], "vector negation", |body, operands| {
            let label = operands.first().and_then(|a| body.label(*a));
            body.node1(Op::FNeg, bits, 0, label, 0)
        });
    }
    let Scalar::Float(bits) = scalar(i.ty()) else { return unexpressed(body, i, "negation") };
    body.b.before(i);
    let label = body.label(i.operand(0));
    if let Some(label) = body.node1(Op::FNeg, bits, 0, label, 0) {
        body.set_label(i, label);
    }
}

pub(crate) fn compare(body: &mut Body, i: Value) {
    let (a, b) = (i.operand(0), i.operand(1));
    // SAFETY: `i` is an integer comparison.
    let (op, swapped) = match unsafe { LLVMGetICmpPredicate(i.0) } {
        LLVMIntEQ => (Op::Eq, false),
        LLVMIntNE => (Op::Ne, false),
        LLVMIntULT => (Op::Ult, false),
        LLVMIntULE => (Op::Ule, false),
        LLVMIntUGT => (Op::Ult, true),
        LLVMIntUGE => (Op::Ule, true),
        LLVMIntSLT => (Op::Slt, false),
        LLVMIntSLE => (Op::Sle, false),
        LLVMIntSGT => (Op::Slt, true),
        LLVMIntSGE => (Op::Sle, true),
    };
    let (a, b) = if swapped { (b, a) } else { (a, b) };
    if lanes::is_vector(a) {
        let bits = scalar(a.ty().element()).bits().unwrap_or(0);
        return lanes::each(body, i, &[a, b], "vector comparison", |body, operands| match operands {
            [a, b] => body.node2(op, 0, 1, bits, *a, *b),
            _ => None,
        });
    }
    let Scalar::Int(bits) = scalar(a.ty()) else { return unexpressed(body, i, "comparison") };
    body.b.before(i);
    if let Some(label) = body.node2(op, 0, 1, bits, a, b) {
        body.set_label(i, label);
    }
}

pub(crate) fn compare_floats(body: &mut Body, i: Value) {
    let (a, b) = (i.operand(0), i.operand(1));
    // SAFETY: `i` is a floating-point comparison.
    let predicate = unsafe { LLVMGetFCmpPredicate(i.0) } as u32;
    if lanes::is_vector(a) {
        let bits = scalar(a.ty().element()).bits().unwrap_or(0);
        return lanes::each(body, i, &[a, b], "vector comparison", |body, operands| match operands {
            [a, b] => body.node2(Op::FCmp, predicate, 1, bits, *a, *b),
            _ => None,
        });
    }
    let Scalar::Float(bits) = scalar(a.ty()) else { return unexpressed(body, i, "comparison") };
    body.b.before(i);
    if let Some(label) = body.node2(Op::FCmp, predicate, 1, bits, a, b) {
        body.set_label(i, label);
    }
}

pub(crate) fn cast(body: &mut Body, i: Value) {
    let operand = i.operand(0);
    let opcode = i.opcode();
    if lanes::is_vector(i) || lanes::is_vector(operand) {
        let lane = |v: Value| scalar(v.ty().element()).bits().filter(|_| lanes::is_vector(v));
        let (Some(from), Some(to)) = (lane(operand), lane(i)) else {
            return unexpressed(body, i, "cast of a vector");
        };
        return lanes::each(body, i, &[operand], "cast of a vector", |body, operands| {
            let label = operands.first().and_then(|a| body.label(*a));
            converted(body, opcode, label, from, to)
        });
    }
    let label = body.label(operand);
    let (Some(from), Some(to)) = (scalar(operand.ty()).bits(), scalar(i.ty()).bits()) else {
        return unexpressed(body, i, "cast");
    };
    body.b.before(i);
    match converted(body, opcode, label, from, to) {
        Some(label) => body.set_label(i, label),
        None => unexpressed(body, i, "cast"),
    }
}

fn converted(body: &mut Body, opcode: Opcode, label: Option<Value>, from: u32, to: u32) -> Option<Value> {
    let op = match opcode {
        Opcode::LLVMTrunc => Op::Extract,
        Opcode::LLVMZExt => Op::ZExt,
        Opcode::LLVMSExt => Op::SExt,
        Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr if to < from => Op::Extract,
        Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr if to > from => Op::ZExt,
        Opcode::LLVMFPToSI => Op::FpToSi,
        Opcode::LLVMFPToUI => Op::FpToUi,
        Opcode::LLVMSIToFP => Op::SiToFp,
        Opcode::LLVMUIToFP => Op::UiToFp,
        Opcode::LLVMFPExt => Op::FpExt,
        Opcode::LLVMFPTrunc => Op::FpTrunc,
        _ if from == to => return label,
        _ => return None,
    };
    // Extract has no use for the operand's width.
    let width = if op == Op::Extract { 0 } else { from };
    body.node1(op, to, width, label, 0)
}

/// Address arithmetic: base plus constants plus each variable index times the size it counts in.
pub(crate) fn address(body: &mut Body, i: Value) {
    if !body.may(i) {
        return;
    }
    if scalar(i.ty()) == Scalar::Opaque {
        return unexpressed(body, i, "vector of addresses");
    }
    body.b.before(i);
    let steps = steps(body, i);
    let ir = body.unit.ir;
    let mut label = body.label(i.operand(0));
    let mut address = body.b.ptr_to_int(i.operand(0), ir.i64);
    let constant: u64 = steps.iter().fold(0u64, |sum, step| match step {
        Step::Constant(bytes) => sum.wrapping_add(*bytes),
        Step::Index(..) => sum,
    });
    if constant != 0 {
        let bytes = ir.const64(constant);
        if let Some(base) = label {
            label = Some(body.hook("__ctn_address", &[base, address, bytes]));
        }
        address = body.b.add(address, bytes);
    }
    for step in steps {
        let Step::Index(index, size) = step else { continue };
        let bits = index.ty().int_bits();
        let wide = match bits {
            64 => index,
            0..64 => body.b.sext(index, ir.i64),
            _ => body.b.trunc(index, ir.i64),
        };
        let size = ir.const64(size);
        let index_label = body.label(index);
        if label.is_some() || index_label.is_some() {
            let (base, index_label) = (body.label_or_zero(label), body.label_or_zero(index_label));
            label =
                Some(body.hook("__ctn_index", &[base, address, index_label, wide, ir.const32(bits), size]));
        }
        let bytes = body.b.mul(wide, size);
        address = body.b.add(address, bytes);
    }
    if let Some(label) = label {
        body.set_label(i, label);
    }
}

/// One term of an address.
pub(crate) enum Step {
    Constant(u64),
    /// A variable index and the size of what it counts.
    Index(Value, u64),
}

pub(crate) fn steps(body: &Body, i: Value) -> Vec<Step> {
    let ir = body.unit.ir;
    let mut ty = i.gep_source();
    let mut steps = Vec::new();
    for (position, index) in i.operands().into_iter().skip(1).enumerate() {
        if position > 0 && ty.kind() == TypeKind::LLVMStructTypeKind {
            let field = index.const_int().unwrap_or(0) as u32;
            steps.push(Step::Constant(ir.offset(ty, field)));
            ty = ty.struct_element(field);
            continue;
        }
        if position > 0 {
            ty = ty.element();
        }
        let size = ir.size(ty);
        match index.const_signed() {
            Some(constant) => steps.push(Step::Constant((constant as u64).wrapping_mul(size))),
            None => steps.push(Step::Index(index, size)),
        }
    }
    steps
}

pub(crate) fn select(body: &mut Body, i: Value) {
    if !body.may(i) {
        return;
    }
    let (condition, then, otherwise) = (i.operand(0), i.operand(1), i.operand(2));
    if lanes::is_vector(condition) {
        return select_lanes(body, i, condition, then, otherwise);
    }
    body.b.before(i);
    let ir = body.unit.ir;
    let lc = body.operand_label(condition);
    let chosen = body.b.zext(condition, ir.i32);
    let (then_labels, else_labels) = (body.labels_of(then), body.labels_of(otherwise));
    let mut labels = Labels::new();
    for (n, leaf) in body.leaves(i.ty()).iter().enumerate() {
        let Some(bits) = leaf.scalar.bits() else {
            labels.push(None);
            continue;
        };
        let lt = body.label_or_zero(then_labels.get(n).copied().flatten());
        let lf = body.label_or_zero(else_labels.get(n).copied().flatten());
        let (t, f) = (body.leaf_value(then, leaf), body.leaf_value(otherwise, leaf));
        let (t_low, f_low) = (body.b.word(t), body.b.word(f));
        let width = ir.const32(bits);
        labels.push(Some(if bits > 64 {
            let (t_high, f_high) = (body.b.high_word(t), body.b.high_word(f));
            body.hook("__ctn_select_wide", &[width, lc, lt, lf, chosen, t_low, t_high, f_low, f_high])
        } else {
            body.hook("__ctn_select", &[width, lc, lt, lf, chosen, t_low, f_low])
        }));
    }
    body.labels.insert(i, labels);
}

fn select_lanes(body: &mut Body, i: Value, condition: Value, then: Value, otherwise: Value) {
    let bits = scalar(i.ty().element()).bits().unwrap_or(0);
    lanes::each(body, i, &[condition, then, otherwise], "select of vectors", |body, operands| {
        let &[condition, then, otherwise] = operands else { return None };
        let labels = operands.iter().map(|o| body.operand_label(*o)).collect::<Vec<_>>();
        let ir = body.unit.ir;
        let (t, f) = (body.b.word(then), body.b.word(otherwise));
        let chosen = body.b.zext(condition, ir.i32);
        Some(body.hook("__ctn_select", &[ir.const32(bits), labels[0], labels[1], labels[2], chosen, t, f]))
    });
}

/// `extractvalue` and `insertvalue`: labels move with the leaves.
pub(crate) fn member(body: &mut Body, i: Value) {
    if !body.may(i) {
        return;
    }
    let path = i.indices();
    let aggregate = i.operand(0);
    let all = body.leaves(aggregate.ty());
    let inside = |leaf: &crate::leaf::Leaf| leaf.path.starts_with(&path);
    let mut labels = body.labels_of(aggregate);
    let Some(first) = all.iter().position(inside) else {
        return unexpressed(body, i, "large aggregate");
    };
    if i.opcode() == Opcode::LLVMExtractValue {
        let count = body.leaves(i.ty()).len();
        labels = labels.into_iter().skip(first).take(count).collect();
    } else {
        for (slot, label) in labels.iter_mut().skip(first).zip(body.labels_of(i.operand(1))) {
            *slot = label;
        }
    }
    body.labels.insert(i, labels);
}

/// The result stays concrete; symbolic operands are recorded as lost.
pub(crate) fn unexpressed(body: &mut Body, i: Value, what: &str) {
    let operands: Vec<Value> = i.operands().into_iter().filter(|o| body.labels.contains_key(o)).collect();
    if operands.is_empty() {
        return;
    }
    let why = if i.operands().iter().chain([&i]).any(|v| scalar(v.ty()) == Scalar::Opaque) {
        Concretised::UnsupportedType
    } else {
        Concretised::UnsupportedOperation
    };
    *body.unit.unknown.entry(what.to_string()).or_default() += 1;
    if i.opcode() == Opcode::LLVMPHI {
        return;
    }
    body.b.before(i);
    body.lose(i, &operands, why);
}
