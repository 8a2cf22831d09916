//! Redzones around the objects that a function keeps on the stack. All objects of fixed size become one
//! frame, with a redzone before, between and after them; it is poisoned on entry and cleared on every return.
//! Objects of variable size get redzones of their own through the runtime.

use super::memory::is_slot_path;
use crate::builder::Builder;
use crate::ir::{Opcode, Value};
use crate::unit::Unit;

const REDZONE: u64 = 16;
/// Objects of this size and more are likelier to be overrun by more.
const LARGE: u64 = 256;
const LARGE_REDZONE: u64 = 64;
/// Objects up to this size are cleared inline.
const INLINE_CLEAR: u64 = 128;

struct Object {
    alloca: Value,
    size: u64,
    align: u64,
    offset: u64,
}

pub(crate) fn guard_objects(unit: &Unit, function: Value) {
    let b = Builder::new(unit.ir);
    let (mut fixed, mut dynamic) = (Vec::new(), Vec::new());
    for (number, block) in function.blocks().into_iter().enumerate() {
        for i in block.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMAlloca) {
            if is_slot_path(i) {
                continue;
            }
            match i.operand(0).const_int() {
                Some(count) if number == 0 => fixed.push(Object {
                    alloca: i,
                    size: unit.ir.size(i.allocated()) * count,
                    align: u64::from(i.alignment()).max(1),
                    offset: 0,
                }),
                _ => dynamic.push(i),
            }
        }
    }
    let frame = make_frame(unit, &b, function, &mut fixed);
    for alloca in &dynamic {
        guard_dynamic(unit, &b, *alloca);
    }
    let returns = function
        .blocks()
        .into_iter()
        .filter_map(|block| block.terminator())
        .filter(|t| t.opcode() == Opcode::LLVMRet);
    for ret in returns {
        b.before(ret);
        if let Some(frame) = &frame {
            frame.clear(unit, &b, &fixed);
        }
        if !dynamic.is_empty() {
            let (now, frame) = (stack_pointer(unit, &b), frame_address(unit, &b));
            hook(unit, &b, "__ctn_clear_stack", &[now, frame]);
        }
    }
    restore_dynamic(unit, &b, function, !dynamic.is_empty());
}

struct Frame {
    base: Value,
    /// Offset and length of each redzone.
    redzones: Vec<(u64, u64)>,
}

fn make_frame(unit: &Unit, b: &Builder, function: Value, objects: &mut [Object]) -> Option<Frame> {
    let ir = unit.ir;
    let first = function.blocks().first()?.first()?;
    if objects.is_empty() {
        return None;
    }
    let mut redzones = Vec::new();
    let (mut end, mut align) = (0, 16);
    for object in objects.iter_mut() {
        let padding = if object.size >= LARGE { LARGE_REDZONE } else { REDZONE };
        object.offset = (end + padding).next_multiple_of(object.align);
        redzones.push((end, object.offset - end));
        end = object.offset + object.size;
        align = align.max(object.align);
    }
    let total = (end + REDZONE).next_multiple_of(16);
    redzones.push((end, total - end));

    b.before(first);
    b.no_location();
    let base = b.alloca(ir.i8.array(total));
    base.set_alignment(align as u32);
    for object in objects.iter() {
        b.before(object.alloca);
        b.no_location();
        let address = b.offset(base, ir.const64(object.offset));
        object.alloca.replace_uses_with(address);
        object.alloca.erase();
    }
    let start =
        function.blocks().first()?.instructions().into_iter().find(|i| *i == base)?.next_instruction()?;
    b.before(start);
    b.no_location();
    hook(unit, b, "__ctn_frame_enter", &[base]);
    for (offset, length) in &redzones {
        let at = b.offset(base, ir.const64(*offset));
        hook(unit, b, "__ctn_redzone", &[at, ir.const64(*length)]);
    }
    Some(Frame { base, redzones })
}

impl Frame {
    fn clear(&self, unit: &Unit, b: &Builder, objects: &[Object]) {
        let ir = unit.ir;
        for (offset, length) in &self.redzones {
            let at = b.offset(self.base, ir.const64(*offset));
            hook(unit, b, "__ctn_redzone_clear", &[at, ir.const64(*length)]);
        }
        for object in objects.iter().filter(|o| o.size > 0) {
            let at = b.offset(self.base, ir.const64(object.offset));
            let name = if object.size <= INLINE_CLEAR { "__ctn_redzone_clear" } else { "__ctn_clear" };
            hook(unit, b, name, &[at, ir.const64(object.size)]);
        }
    }
}

fn hook(unit: &Unit, b: &Builder, name: &str, arguments: &[Value]) {
    if let Some(function) = unit.hooks.get(name) {
        b.call(function, arguments);
    }
}

/// A variable-length object: the redzones go around it in a larger one.
fn guard_dynamic(unit: &Unit, b: &Builder, alloca: Value) {
    let ir = unit.ir;
    let align = u64::from(alloca.alignment()).max(16);
    b.before(alloca);
    let count = b.word(alloca.operand(0));
    let size = b.mul(count, ir.const64(ir.size(alloca.allocated())));
    let left = ir.const64(align);
    // The right redzone is at least 16 bytes and rounds the whole up to its alignment.
    let mask = ir.const64(!(align - 1));
    let rounded = b.and(b.add(size, ir.const64(align - 1 + REDZONE)), mask);
    let right = b.sub(rounded, size);
    let total = b.add(rounded, left);
    let larger = b.array_alloca(ir.i8, total);
    larger.set_alignment(align as u32);
    hook(unit, b, "__ctn_poison_dynamic", &[larger, left, size, right]);
    let address = b.offset(larger, left);
    alloca.replace_uses_with(address);
    alloca.erase();
}

/// Where the stack is given back within the function, its redzones go with it.
fn restore_dynamic(unit: &Unit, b: &Builder, function: Value, any: bool) {
    if !any {
        return;
    }
    for i in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if i.opcode() != Opcode::LLVMCall {
            continue;
        }
        if i.called().intrinsic_name().is_some_and(|name| name.starts_with("llvm.stackrestore")) {
            b.before(i);
            let now = stack_pointer(unit, b);
            hook(unit, b, "__ctn_clear_stack", &[now, i.operand(0)]);
        }
    }
}

fn stack_pointer(unit: &Unit, b: &Builder) -> Value {
    let ir = unit.ir;
    let ty = ir.function_type(ir.ptr, &[]);
    let function =
        ir.function("llvm.stacksave.p0").unwrap_or_else(|| ir.add_function("llvm.stacksave.p0", ty));
    b.call(function, &[])
}

fn frame_address(unit: &Unit, b: &Builder) -> Value {
    let ir = unit.ir;
    let ty = ir.function_type(ir.ptr, &[ir.i32]);
    let function =
        ir.function("llvm.frameaddress.p0").unwrap_or_else(|| ir.add_function("llvm.frameaddress.p0", ty));
    b.call(function, &[ir.const32(0)])
}
