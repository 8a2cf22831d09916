//! Labels across calls. The caller leaves the labels of the arguments in a thread-local array, the callee the
//! label of its result. Whether a declared or indirect callee is instrumented is seen after the call: only
//! an instrumented function, a model or the runtime replaces the mark that the caller leaves in the place of
//! the result's label.

use super::{intrinsics, is_naked, sizes};
use crate::body::{Body, Labels};
use crate::ir::{Type, TypeKind, Value};
use crate::leaf::Scalar;
use crate::unit::is_own_name;
use inkwell::llvm_sys::core::LLVMGetTypeAttributeValue;
use model::sites::SiteKind;
use wire::Op;
use wire::log::Concretised;

/// Sizes of the runtime's arrays.
const ARGUMENT_SLOTS: u32 = 64;
const RESULT_SLOTS: usize = 8;
const BYVAL_SLOTS: u32 = 16;
const NO_CALLEE: u32 = u32::MAX;
/// Part of the names of functions that get memory, those of programs among them.
const ALLOCATES: &str = "alloc";
/// Bytes of the runtime's `ctn_va`.
const VA_BYTES: u64 = 192;
const VA_MEMORY_SLOTS: u64 = 32;

/// How a callee treats labels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Callee {
    Instrumented,
    /// Runtime and models: they set the result's label when they give one.
    Own,
    Unknown,
}

pub(crate) fn receive_arguments(body: &mut Body) {
    let Some(first) = body.function.blocks().first().and_then(|b| b.first_real()) else { return };
    body.b.before(first);
    body.b.no_location();
    let ir = body.unit.ir;
    let mut slot = 0;
    for (number, param) in body.function.params().into_iter().enumerate() {
        if let Some(attribute) = body.function.function_attribute(number as u32 + 1, "byval") {
            // SAFETY: byval is a type attribute.
            let ty = Type(unsafe { LLVMGetTypeAttributeValue(attribute) });
            if (number as u32) < BYVAL_SLOTS {
                let size = ir.const64(ir.size(ty));
                body.hook("__ctn_byval_enter", &[param, size, ir.const32(number as u32)]);
            }
            slot += 1;
            continue;
        }
        let mut labels = Labels::new();
        for leaf in body.leaves(param.ty()) {
            let received =
                leaf.scalar != Scalar::Opaque && slot < ARGUMENT_SLOTS && !param.users().is_empty();
            labels.push(received.then(|| body.hook("__ctn_argument", &[ir.const32(slot)])));
            slot += 1;
        }
        body.labels.insert(param, labels);
    }
    if body.function.function_type().is_variadic() {
        let saved = body.b.alloca(ir.i8.array(VA_BYTES));
        saved.set_alignment(8);
        body.hook("__ctn_va_save", &[saved]);
        body.saved_va = Some(saved);
    }
}

pub(crate) fn give_result(body: &mut Body, i: Value) {
    body.b.before(i);
    let ir = body.unit.ir;
    let labels = if i.operand_count() == 0 { vec![None] } else { body.labels_of(i.operand(0)) };
    for (leaf, label) in labels.into_iter().enumerate().take(RESULT_SLOTS) {
        let label = body.label_or_zero(label);
        body.hook("__ctn_return", &[ir.const32(leaf as u32), label]);
    }
}

pub(crate) fn call(body: &mut Body, i: Value) {
    let callee = i.called();
    if callee.is_inline_asm() {
        return assembly(body, i);
    }
    if let Some(name) = callee.intrinsic_name() {
        return intrinsics::call(body, i, &name);
    }
    if callee.is_function() && body.unit.hooks.contains(callee) {
        return;
    }
    let name = callee.is_function().then(|| callee.name());
    let kind = match &name {
        Some(_) if !callee.is_declaration() && !is_naked(callee) => Callee::Instrumented,
        Some(name) if is_own_name(name) => Callee::Own,
        _ => Callee::Unknown,
    };
    let place = body.site(i, SiteKind::Call { symbol: name.clone() });
    body.b.before(i);
    if name.is_none() {
        let (label, target) = (body.operand_label(callee), body.b.word(callee));
        body.hook("__ctn_indirect", &[label, target, place]);
    }
    if name.as_ref().is_some_and(|name| name.contains(ALLOCATES)) {
        i.call_arguments().into_iter().for_each(|size| sizes::wraps(body, i, size));
    }
    let any = pass_arguments(body, i);
    let lent = (kind == Callee::Unknown && name.is_some())
        .then(|| lend(body, callee, &i.call_arguments()))
        .flatten();
    take_result(body, i, kind, any, place);
    if let Some(token) = lent {
        body.b.after(i);
        body.hook("__ctn_take_back", &[token, place]);
    }
}

/// Assembly computes what it wants. Its outputs in memory are known; what else its operands point to is watched.
fn assembly(body: &mut Body, i: Value) {
    let arguments = i.call_arguments();
    body.b.before(i);
    body.hook("__ctn_assembly", &[]);
    body.lose(i, &arguments, Concretised::InlineAssembly);
    let place = body.site(i, SiteKind::Choice);
    let ir = body.unit.ir;
    let outputs = i.called().memory_outputs().min(arguments.len());
    for (number, output) in arguments[..outputs].iter().enumerate() {
        if let Some(attribute) = i.call_attribute(number as u32 + 1, "elementtype") {
            // SAFETY: elementtype is a type attribute.
            let ty = Type(unsafe { LLVMGetTypeAttributeValue(attribute) });
            let n = ir.const64(ir.store_size(ty));
            body.hook("__ctn_store_opaque", &[*output, n, ir.const32(0), place]);
        }
    }
    // No function of the image has this address.
    if let Some(token) = lend(body, ir.ptr.null(), &arguments[outputs..]) {
        body.b.after(i);
        body.hook("__ctn_take_back", &[token, place]);
    }
}

/// A library writes to what its arguments point to without leaving labels.
fn lend(body: &mut Body, callee: Value, arguments: &[Value]) -> Option<Value> {
    let mut token = None;
    for argument in arguments.iter().copied() {
        if argument.ty().kind() == TypeKind::LLVMPointerTypeKind && !argument.is_undef() {
            let before = token.unwrap_or_else(|| body.unit.ir.const32(u32::MAX));
            token = Some(body.hook("__ctn_lend", &[callee, before, argument]));
        }
    }
    token
}

fn pass_arguments(body: &mut Body, i: Value) -> Option<Value> {
    let ir = body.unit.ir;
    let fixed = i.called_type().params().len();
    let arguments = i.call_arguments();
    let mut slot = 0;
    let mut all = Labels::new();
    for (number, argument) in arguments.iter().enumerate() {
        if i.call_attribute(number as u32 + 1, "byval").is_some() {
            if (number as u32) < BYVAL_SLOTS && number < fixed {
                body.hook("__ctn_pass_byval", &[ir.const32(number as u32), *argument]);
            }
            slot += 1;
            continue;
        }
        for label in body.labels_of(*argument) {
            all.push(label);
            if slot < ARGUMENT_SLOTS && number < fixed {
                let label = body.label_or_zero(label);
                body.hook("__ctn_pass", &[ir.const32(slot), label]);
            }
            slot += 1;
        }
    }
    if i.called_type().is_variadic() {
        pass_variable_arguments(body, i, &arguments, fixed);
    }
    body.any(all)
}

/// Where the labels of one variable argument go.
enum Carried {
    General(u32, Option<Value>),
    Floating(u32, Option<Value>),
    Memory(u64, Option<Value>),
    /// A struct that the call copies to the stack.
    Bytes(u64, Value, u64),
}

/// Which registers and stack slots the arguments of a variadic call take (System V, x86-64).
fn pass_variable_arguments(body: &mut Body, i: Value, arguments: &[Value], fixed: usize) {
    let ir = body.unit.ir;
    let (mut general, mut floating, mut memory) = (0u32, 0u32, 0u64);
    let mut start = 0;
    let mut carried = Vec::new();
    for (number, argument) in arguments.iter().enumerate() {
        if number == fixed {
            start = memory;
        }
        let label = body.label(*argument);
        let mut all = Vec::new();
        if let Some(attribute) = i.call_attribute(number as u32 + 1, "byval") {
            // SAFETY: byval is a type attribute.
            let ty = Type(unsafe { LLVMGetTypeAttributeValue(attribute) });
            let (size, align) = (ir.size(ty), u64::from(ir.align(ty)));
            let at = memory.next_multiple_of(align.max(8));
            memory = at + size.next_multiple_of(8);
            all.push(Carried::Bytes(at.wrapping_sub(start) / 8, *argument, size));
        } else {
            match crate::leaf::scalar(argument.ty()) {
                Scalar::Int(bits) if bits <= 64 && general < 6 => {
                    all.push(Carried::General(general, label));
                    general += 1;
                }
                Scalar::Int(bits) if bits > 64 && general < 5 => {
                    let [low, high] = halves(body, label);
                    all.extend([Carried::General(general, low), Carried::General(general + 1, high)]);
                    general += 2;
                }
                Scalar::Float(_) if floating < 8 => {
                    all.push(Carried::Floating(floating, label));
                    floating += 1;
                }
                Scalar::Opaque if argument.ty().kind() == TypeKind::LLVMVectorTypeKind && floating < 8 => {
                    floating += 1;
                }
                scalar => {
                    let at = memory.next_multiple_of(u64::from(ir.align(argument.ty())).max(8));
                    let slot = at.wrapping_sub(start) / 8;
                    memory = at + ir.size(argument.ty()).next_multiple_of(8);
                    match scalar {
                        Scalar::Int(bits) if bits > 64 => {
                            let [low, high] = halves(body, label);
                            all.extend([Carried::Memory(slot, low), Carried::Memory(slot + 1, high)]);
                        }
                        Scalar::Opaque => {}
                        _ => all.push(Carried::Memory(slot, label)),
                    }
                }
            }
        }
        if number >= fixed {
            carried.extend(all);
        }
    }
    let slots = (memory - start).div_ceil(8).min(VA_MEMORY_SLOTS) as u32;
    leave_variable_labels(body, &carried, slots);
}

/// The labels of the two words of a wide integer.
fn halves(body: &mut Body, label: Option<Value>) -> [Option<Value>; 2] {
    [0, 64].map(|from| body.node1(Op::Extract, 64, 0, label, from))
}

fn leave_variable_labels(body: &mut Body, carried: &[Carried], slots: u32) {
    let ir = body.unit.ir;
    let mut any = Labels::new();
    // Nothing symbolic: one word says so. The slots are written whenever one of them could be.
    let could_be = carried.iter().any(|one| match one {
        Carried::General(_, label) | Carried::Floating(_, label) | Carried::Memory(_, label) => {
            label.is_some()
        }
        Carried::Bytes(..) => true,
    });
    for one in carried.iter().filter(|_| could_be) {
        let (hook, slot, label) = match *one {
            Carried::General(slot, label) => ("__ctn_va_pass_general", slot, label),
            Carried::Floating(slot, label) => ("__ctn_va_pass_floating", slot, label),
            Carried::Memory(slot, label) if slot < VA_MEMORY_SLOTS => {
                ("__ctn_va_pass_memory", slot as u32, label)
            }
            Carried::Bytes(slot, from, size) if slot < VA_MEMORY_SLOTS => {
                let arguments = [ir.const32(slot as u32), from, ir.const64(size)];
                any.push(Some(body.hook("__ctn_va_pass_bytes", &arguments)));
                continue;
            }
            Carried::Memory(..) | Carried::Bytes(..) => continue,
        };
        any.push(label);
        let label = body.label_or_zero(label);
        body.hook(hook, &[ir.const32(slot), label]);
    }
    let any = body.any(any);
    let any = body.label_or_zero(any);
    body.hook("__ctn_va_pass", &[ir.const32(slots), any]);
}

fn take_result(body: &mut Body, i: Value, kind: Callee, any: Option<Value>, place: Value) {
    let ir = body.unit.ir;
    let leaves = if i.ty().is_void() { Vec::new() } else { body.leaves(i.ty()) };
    let wanted = !leaves.is_empty() && leaves.len() <= RESULT_SLOTS;
    match kind {
        Callee::Instrumented => {}
        Callee::Own => {
            for leaf in 0..leaves.len().clamp(1, RESULT_SLOTS) {
                body.hook("__ctn_return", &[ir.const32(leaf as u32), ir.const32(0)]);
            }
        }
        Callee::Unknown => {
            for leaf in 0..leaves.len().clamp(1, RESULT_SLOTS) {
                let mark = if leaf == 0 { NO_CALLEE } else { 0 };
                body.hook("__ctn_return", &[ir.const32(leaf as u32), ir.const32(mark)]);
            }
        }
    }
    body.b.after(i);
    let mut labels = Labels::new();
    if kind == Callee::Unknown {
        let any = body.label_or_zero(any);
        labels.push(Some(body.hook("__ctn_result", &[any, place])));
    }
    if !wanted {
        return;
    }
    for (number, leaf) in leaves.iter().enumerate().skip(labels.len()) {
        let expressed = leaf.scalar != Scalar::Opaque;
        labels.push(expressed.then(|| body.hook("__ctn_returned", &[ir.const32(number as u32)])));
    }
    if leaves.first().is_some_and(|leaf| leaf.scalar == Scalar::Opaque) {
        labels[0] = None;
    }
    body.labels.insert(i, labels);
}
