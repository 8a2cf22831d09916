//! Assembly for another machine, as embedded code has it for its own processor: this machine's assembler does not take
//! it. It is left out, and what it would have given back is an input, like the result of a function that is not there.

use crate::builder::Builder;
use crate::ir::{Block, Ir, Opcode, Type, TypeKind, Value};
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMDiagnosticSeverity::LLVMDSError;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMDiagnosticInfoRef;
use inkwell::module::Module;
use inkwell::targets::{FileType, TargetMachine};
use model::sites::Foreign;
use std::collections::HashMap;
use std::ffi::c_void;

/// What decides how code for a function is made.
const MACHINE: [&str; 2] = ["target-features", "target-cpu"];

/// Leaves out what this machine does not take, and tells what that was.
pub(crate) fn replace_foreign(context: &Context, module: &Module, machine: &TargetMachine) -> Vec<Foreign> {
    let ir = Ir::new(module.as_mut_ptr());
    let mut left_out = Vec::new();
    let mut known: HashMap<(Value, Vec<Option<u64>>), bool> = HashMap::new();
    for function in ir.functions() {
        let all = function.blocks().into_iter().flat_map(Block::instructions);
        let is_assembly = |i: &Value| i.opcode() == Opcode::LLVMCall && i.called().is_inline_asm();
        // Before anything is erased.
        let calls: Vec<Value> = all.filter(is_assembly).collect();
        for call in calls {
            let constants = call.call_arguments().into_iter().map(Value::const_int).collect();
            let taken = *known.entry((call.called(), constants)).or_insert_with(|| {
                is_taken(context, module, machine, |probe| write_alone(probe, function, call))
            });
            if !taken {
                let place = call.place();
                let text = first_line(&call.called().assembly_text());
                replace(ir, function, call, &text);
                left_out.push(Foreign { file: place.file, line: place.line, text });
            }
        }
    }
    left_out
}

fn first_line(assembly: &str) -> String {
    let line = assembly.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.replace('\t', " ")
}

/// Whether code comes out of a module with only this in it.
fn is_taken(context: &Context, like: &Module, machine: &TargetMachine, write: impl FnOnce(Ir)) -> bool {
    extern "C" fn hear(said: LLVMDiagnosticInfoRef, failed: *mut c_void) {
        // SAFETY: LLVM hands over what it says, and `failed` is the flag below, which outlives the handler.
        unsafe {
            if LLVMGetDiagInfoSeverity(said) == LLVMDSError {
                *failed.cast::<bool>() = true;
            }
        }
    }
    let probe = context.create_module("probe");
    probe.set_triple(&like.get_triple());
    probe.set_data_layout(&like.get_data_layout());
    write(Ir::new(probe.as_mut_ptr()));
    let mut failed = false;
    // SAFETY: the context is live, and the handler is taken away before the flag goes.
    let made = unsafe {
        LLVMContextSetDiagnosticHandler(context.raw(), Some(hear), (&raw mut failed).cast());
        let made = machine.write_to_memory_buffer(&probe, FileType::Object);
        LLVMContextSetDiagnosticHandler(context.raw(), None, std::ptr::null_mut());
        made
    };
    made.is_ok() && !failed
}

/// The assembly of this call as the only thing of a function: constants as they are, the rest as parameters.
fn write_alone(probe: Ir, function: Value, call: Value) {
    let ty = call.called_type();
    // What comes out is returned: the optimiser must not take it for unused.
    let alone = probe.add_function("alone", ty);
    for name in MACHINE {
        if let Some(value) = function.text_attribute(name) {
            alone.set_text_attribute(probe, name, &value);
        }
    }
    let b = Builder::new(probe);
    b.at_end(probe.append_block(alone, "entry"));
    let given = call.call_arguments().into_iter().zip(alone.params());
    let arguments: Vec<Value> = given
        .map(|(argument, param)| match (argument.const_int(), argument.is_constant()) {
            (Some(_), _) => argument,
            // The address of something: of another module here.
            (None, true) => argument.ty().null(),
            (None, false) => param,
        })
        .collect();
    let again = b.call_as(ty, call.called(), &arguments);
    for number in 1..=arguments.len() as u32 {
        if let Some(attribute) = call.call_attribute(number, "elementtype") {
            again.add_argument_attribute(number, attribute);
        }
    }
    b.ret((!ty.result().is_void()).then_some(again));
}

fn replace(ir: Ir, function: Value, call: Value, text: &str) {
    let is_naked = function.function_attribute(super::FUNCTION, "naked").is_some();
    if is_naked {
        // Its assembly would have returned.
        function.remove_function_attribute("naked");
        end_with_return(ir, function);
    }
    let path = path(ir, &format!("asm({})", text.split_whitespace().next().unwrap_or_default()));
    let b = Builder::new(ir);
    let arguments = call.call_arguments();
    let outputs = call.called().memory_outputs().min(arguments.len());
    b.before(call);
    for (number, output) in arguments[..outputs].iter().enumerate() {
        if let Some(attribute) = call.call_attribute(number as u32 + 1, "elementtype") {
            // SAFETY: elementtype is a type attribute.
            let ty = Type(unsafe { LLVMGetTypeAttributeValue(attribute) });
            give(ir, &b, *output, ty, path);
        }
    }
    let ty = call.ty();
    let result = |ty: Type| {
        let place = local(ir, function, ty);
        give(ir, &b, place, ty, path);
        b.load(ty, place)
    };
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind => {}
        // Several results are one record, of which clang takes each out.
        TypeKind::LLVMStructTypeKind => {
            let parts: Vec<Value> =
                (0..ty.struct_length()).map(|number| result(ty.struct_element(number))).collect();
            for user in call.users().into_iter().filter(|user| user.opcode() == Opcode::LLVMExtractValue) {
                if let Some(part) = user.indices().first().and_then(|number| parts.get(*number as usize)) {
                    user.replace_uses_with(*part);
                    user.erase();
                }
            }
            call.replace_uses_with(ty.null());
        }
        _ => call.replace_uses_with(result(ty)),
    }
    call.erase();
}

/// Makes the bytes there an input.
fn give(ir: Ir, b: &Builder, place: Value, ty: Type, path: Value) {
    let value = ir.function("ctn_value").unwrap_or_else(|| {
        ir.add_function("ctn_value", ir.function_type(ir.void(), &[ir.ptr, ir.i64, ir.ptr]))
    });
    b.call(value, &[place, ir.const64(ir.store_size(ty)), path]);
}

fn local(ir: Ir, function: Value, ty: Type) -> Value {
    let b = Builder::new(ir);
    if let Some(first) = function.blocks().first().and_then(|block| block.first()) {
        b.before(first);
    }
    let place = b.alloca(ty);
    place.set_alignment(ir.align(ty));
    place
}

/// A `ctn_path` of ctn.h that is only a name.
fn path(ir: Ir, name: &str) -> Value {
    let global = format!("ctn_path_{name}");
    if let Some(known) = ir.global(&global) {
        return known;
    }
    let bytes: Vec<Value> =
        name.bytes().chain([0]).map(|byte| ir.const_int(ir.i8, u64::from(byte))).collect();
    let text = ir.add_constant(ir.const_array(ir.i8, &bytes), &format!("ctn_text_{name}"));
    ir.add_constant(ir.const_struct(&[ir.ptr.null(), text, ir.const64(0)]), &global)
}

fn end_with_return(ir: Ir, function: Value) {
    let b = Builder::new(ir);
    let result = function.function_type().result();
    for end in function.blocks().into_iter().filter_map(Block::terminator) {
        if end.opcode() == Opcode::LLVMUnreachable {
            b.before(end);
            b.ret((!result.is_void()).then(|| result.null()));
            end.erase();
        }
    }
}
