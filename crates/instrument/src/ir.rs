//! A thin layer over LLVM's C interface: what the passes need, named as they read it.
//!
//! The handles are plain copies of LLVM's pointers. They are valid as long as the module lives, which is the
//! whole run of the process; nothing here erases a value that a caller still holds without saying so.

use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement,
    LLVMStoreSizeOfType, LLVMTargetDataRef,
};
pub(crate) use inkwell::llvm_sys::{LLVMOpcode as Opcode, LLVMTypeKind as TypeKind};
use std::ffi::{CStr, CString};

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident($raw:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub(crate) struct $name(pub(crate) $raw);
    )*};
}

handles! {
    /// Anything with a type: constants, arguments, instructions, functions, globals.
    Value(LLVMValueRef);
    Type(LLVMTypeRef);
    Block(LLVMBasicBlockRef);
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

fn text(data: *const std::ffi::c_char, length: usize) -> String {
    if data.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands out `length` bytes at `data` that live as long as the value they name.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Where an instruction comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

// SAFETY, for all blocks below: the handles come from one live module and are of the kind that each LLVM
// function asks for; methods that LLVM defines only for some kinds of values test the kind first, or are
// called by passes right after matching on the opcode.
impl Type {
    pub(crate) fn kind(self) -> TypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// Width of an integer type.
    pub(crate) fn int_bits(self) -> u32 {
        if self.kind() == TypeKind::LLVMIntegerTypeKind { unsafe { LLVMGetIntTypeWidth(self.0) } } else { 0 }
    }

    pub(crate) fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
    }

    pub(crate) fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Element type of an array or vector.
    pub(crate) fn element(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    pub(crate) fn array_length(self) -> u64 {
        if self.kind() == TypeKind::LLVMArrayTypeKind { unsafe { LLVMGetArrayLength2(self.0) } } else { 0 }
    }

    /// Lanes of a vector of fixed length; 0 for anything else.
    pub(crate) fn vector_length(self) -> u32 {
        if self.kind() == TypeKind::LLVMVectorTypeKind { unsafe { LLVMGetVectorSize(self.0) } } else { 0 }
    }

    /// Empty for everything but named structs.
    pub(crate) fn struct_name(self) -> String {
        if self.kind() != TypeKind::LLVMStructTypeKind {
            return String::new();
        }
        let name = unsafe { LLVMGetStructName(self.0) };
        if name.is_null() {
            String::new()
        } else {
            unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
        }
    }

    pub(crate) fn struct_element(self, index: u32) -> Type {
        Type(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }

    pub(crate) fn struct_length(self) -> u32 {
        unsafe { LLVMCountStructElementTypes(self.0) }
    }

    pub(crate) fn params(self) -> Vec<Type> {
        let count = unsafe { LLVMCountParamTypes(self.0) } as usize;
        let mut types = vec![std::ptr::null_mut(); count];
        unsafe { LLVMGetParamTypes(self.0, types.as_mut_ptr()) };
        types.into_iter().map(Type).collect()
    }

    /// Of a function.
    pub(crate) fn result(self) -> Type {
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    pub(crate) fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    /// The integer whose bits are all set.
    pub(crate) fn all_ones(self) -> Value {
        // SAFETY: asked of integer types only.
        Value(unsafe { LLVMConstAllOnes(self.0) })
    }

    pub(crate) fn null(self) -> Value {
        Value(unsafe { LLVMConstNull(self.0) })
    }

    pub(crate) fn array(self, length: u64) -> Type {
        Type(unsafe { LLVMArrayType2(self.0, length) })
    }
}

impl Value {
    pub(crate) fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        let data = unsafe { LLVMGetValueName2(self.0, &mut length) };
        text(data, length)
    }

    pub(crate) fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    pub(crate) fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// Zero or the null pointer.
    pub(crate) fn is_null(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    pub(crate) fn is_undef(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 }
    }

    pub(crate) fn is_instruction(self) -> bool {
        unsafe { !LLVMIsAInstruction(self.0).is_null() }
    }

    pub(crate) fn is_function(self) -> bool {
        unsafe { !LLVMIsAFunction(self.0).is_null() }
    }

    pub(crate) fn is_inline_asm(self) -> bool {
        unsafe { !LLVMIsAInlineAsm(self.0).is_null() }
    }

    /// The instructions of inline assembly.
    pub(crate) fn assembly_text(self) -> String {
        let mut length = 0;
        text(unsafe { LLVMGetInlineAsmAsmString(self.0, &mut length) }, length)
    }

    /// How many operands of inline assembly are places in memory that it writes; they come first.
    pub(crate) fn memory_outputs(self) -> usize {
        let mut length = 0;
        // SAFETY: asked of inline assembly only; the text lives as long as it.
        let text = unsafe {
            let text = LLVMGetInlineAsmConstraintString(self.0, &mut length);
            std::slice::from_raw_parts(text.cast::<u8>(), length)
        };
        text.split(|byte| *byte == b',')
            .filter(|constraint| constraint.starts_with(b"=") && constraint.contains(&b'*'))
            .count()
    }

    pub(crate) fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// The value of an integer constant of at most 64 bits, zero-extended.
    pub(crate) fn const_int(self) -> Option<u64> {
        let small = self.ty().int_bits() <= 64;
        (small && unsafe { !LLVMIsAConstantInt(self.0).is_null() })
            .then(|| unsafe { LLVMConstIntGetZExtValue(self.0) })
    }

    pub(crate) fn const_signed(self) -> Option<i64> {
        let small = self.ty().int_bits() <= 64;
        (small && unsafe { !LLVMIsAConstantInt(self.0).is_null() })
            .then(|| unsafe { LLVMConstIntGetSExtValue(self.0) })
    }

    /// The characters that a global constant holds.
    pub(crate) fn initial_text(self) -> Option<String> {
        let initial = unsafe { LLVMIsAGlobalVariable(self.0) };
        let initial = (!initial.is_null()).then(|| unsafe { LLVMGetInitializer(initial) })?;
        let is_text = !initial.is_null() && unsafe { LLVMIsConstantString(initial) != 0 };
        let mut length = 0;
        is_text.then(|| text(unsafe { LLVMGetAsString(initial, &mut length) }, length))
    }

    pub(crate) fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    pub(crate) fn operand_count(self) -> u32 {
        u32::try_from(unsafe { LLVMGetNumOperands(self.0) }).unwrap_or(0)
    }

    pub(crate) fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub(crate) fn operands(self) -> Vec<Value> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }

    pub(crate) fn set_operand(self, index: u32, to: Value) {
        unsafe { LLVMSetOperand(self.0, index, to.0) }
    }

    pub(crate) fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut it = unsafe { LLVMGetFirstUse(self.0) };
        while !it.is_null() {
            users.push(Value(unsafe { LLVMGetUser(it) }));
            it = unsafe { LLVMGetNextUse(it) };
        }
        users
    }

    pub(crate) fn replace_uses_with(self, other: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, other.0) }
    }

    /// Removes and deletes an instruction that has no uses; the handle is dead afterwards.
    pub(crate) fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    pub(crate) fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub(crate) fn next_instruction(self) -> Option<Value> {
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        (!next.is_null()).then_some(Value(next))
    }

    pub(crate) fn previous_instruction(self) -> Option<Value> {
        let previous = unsafe { LLVMGetPreviousInstruction(self.0) };
        (!previous.is_null()).then_some(Value(previous))
    }

    pub(crate) fn is_terminator(self) -> bool {
        unsafe { !LLVMIsATerminatorInst(self.0).is_null() }
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        if !self.is_terminator() {
            return Vec::new();
        }
        (0..unsafe { LLVMGetNumSuccessors(self.0) })
            .map(|i| Block(unsafe { LLVMGetSuccessor(self.0, i) }))
            .collect()
    }

    pub(crate) fn set_successor(self, index: u32, to: Block) {
        unsafe { LLVMSetSuccessor(self.0, index, to.0) }
    }

    pub(crate) fn is_conditional_branch(self) -> bool {
        self.opcode() == Opcode::LLVMBr && unsafe { LLVMIsConditional(self.0) != 0 }
    }

    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        (0..unsafe { LLVMCountIncoming(self.0) })
            .map(|i| unsafe {
                (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i)))
            })
            .collect()
    }

    pub(crate) fn add_incoming(self, value: Value, block: Block) {
        let (mut value, mut block) = (value.0, block.0);
        unsafe { LLVMAddIncoming(self.0, &mut value, &mut block, 1) }
    }

    pub(crate) fn called(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    pub(crate) fn called_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// The arguments of a call, without the callee.
    pub(crate) fn call_arguments(self) -> Vec<Value> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|i| self.operand(i)).collect()
    }

    /// The type a `getelementptr` counts in.
    pub(crate) fn gep_source(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub(crate) fn allocated(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    pub(crate) fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }

    pub(crate) fn set_alignment(self, align: u32) {
        unsafe { LLVMSetAlignment(self.0, align) }
    }

    /// The index list of `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        let count = unsafe { LLVMGetNumIndices(self.0) } as usize;
        let data = unsafe { LLVMGetIndices(self.0) };
        if data.is_null() { Vec::new() } else { unsafe { std::slice::from_raw_parts(data, count) }.to_vec() }
    }

    pub(crate) fn function_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub(crate) fn params(self) -> Vec<Value> {
        let count = unsafe { LLVMCountParams(self.0) };
        (0..count).map(|i| Value(unsafe { LLVMGetParam(self.0, i) })).collect()
    }

    pub(crate) fn blocks(self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut block = unsafe { LLVMGetFirstBasicBlock(self.0) };
        while !block.is_null() {
            blocks.push(Block(block));
            block = unsafe { LLVMGetNextBasicBlock(block) };
        }
        blocks
    }

    pub(crate) fn intrinsic_name(self) -> Option<String> {
        let id = if self.is_function() { unsafe { LLVMGetIntrinsicID(self.0) } } else { 0 };
        (id != 0).then(|| self.name())
    }

    /// Whether attribute `name` stands at `index` (0 result, 1.. parameters, u32::MAX function).
    pub(crate) fn function_attribute(self, index: u32, name: &str) -> Option<LLVMAttributeRef> {
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, index, attribute_kind(name)) };
        (!attribute.is_null()).then_some(attribute)
    }

    pub(crate) fn call_attribute(self, index: u32, name: &str) -> Option<LLVMAttributeRef> {
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.0, index, attribute_kind(name)) };
        (!attribute.is_null()).then_some(attribute)
    }

    /// Whether a function of this name cannot be another one when the program runs.
    pub(crate) fn is_definitive(self) -> bool {
        use inkwell::llvm_sys::LLVMLinkage::*;
        matches!(
            unsafe { LLVMGetLinkage(self.0) },
            LLVMInternalLinkage | LLVMPrivateLinkage | LLVMExternalLinkage
        )
    }

    pub(crate) fn add_function_attribute(self, attribute: LLVMAttributeRef) {
        unsafe { LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute) }
    }

    pub(crate) fn remove_function_attribute(self, name: &str) {
        let function = LLVMAttributeFunctionIndex;
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, function, attribute_kind(name)) }
    }

    /// An attribute of a function that is two texts.
    pub(crate) fn text_attribute(self, name: &str) -> Option<String> {
        let length = name.len() as u32;
        unsafe {
            let attribute = LLVMGetStringAttributeAtIndex(
                self.0,
                LLVMAttributeFunctionIndex,
                name.as_ptr().cast(),
                length,
            );
            let mut length = 0;
            (!attribute.is_null())
                .then(|| text(LLVMGetStringAttributeValue(attribute, &mut length), length as usize))
        }
    }

    pub(crate) fn set_text_attribute(self, ir: Ir, name: &str, value: &str) {
        unsafe {
            let attribute = LLVMCreateStringAttribute(
                ir.context,
                name.as_ptr().cast(),
                name.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Of the call itself.
    pub(crate) fn add_call_attribute(self, attribute: LLVMAttributeRef) {
        unsafe { LLVMAddCallSiteAttribute(self.0, LLVMAttributeFunctionIndex, attribute) }
    }

    pub(crate) fn add_argument_attribute(self, number: u32, attribute: LLVMAttributeRef) {
        unsafe { LLVMAddCallSiteAttribute(self.0, number, attribute) }
    }

    pub(crate) fn place(self) -> Place {
        let line = unsafe { LLVMGetDebugLocLine(self.0) };
        let column = if self.is_instruction() { unsafe { LLVMGetDebugLocColumn(self.0) } } else { 0 };
        let mut length = 0;
        let file = text(unsafe { LLVMGetDebugLocFilename(self.0, &mut length) }, length as usize);
        let mut length = 0;
        let directory = text(unsafe { LLVMGetDebugLocDirectory(self.0, &mut length) }, length as usize);
        let file =
            if file.starts_with('/') || directory.is_empty() { file } else { format!("{directory}/{file}") };
        Place { file, line, column }
    }
}

impl Block {
    pub(crate) fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut it = unsafe { LLVMGetFirstInstruction(self.0) };
        while !it.is_null() {
            all.push(Value(it));
            it = unsafe { LLVMGetNextInstruction(it) };
        }
        all
    }

    pub(crate) fn first(self) -> Option<Value> {
        let first = unsafe { LLVMGetFirstInstruction(self.0) };
        (!first.is_null()).then_some(Value(first))
    }

    /// The first instruction that is not a phi.
    pub(crate) fn first_real(self) -> Option<Value> {
        self.instructions().into_iter().find(|i| i.opcode() != Opcode::LLVMPHI)
    }

    pub(crate) fn terminator(self) -> Option<Value> {
        let last = unsafe { LLVMGetBasicBlockTerminator(self.0) };
        (!last.is_null()).then_some(Value(last))
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        self.terminator().map(Value::successors).unwrap_or_default()
    }

    /// The branches that lead here.
    pub(crate) fn users(self) -> Vec<Value> {
        Value(unsafe { LLVMBasicBlockAsValue(self.0) }).users()
    }

    /// Whoever jumps here jumps there, and phis of the successors name it too.
    pub(crate) fn replace_uses_with(self, other: Block) {
        unsafe { LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(self.0), LLVMBasicBlockAsValue(other.0)) }
    }

    /// Nothing may jump here any more, and nothing outside may use what is computed here.
    pub(crate) fn delete(self) {
        unsafe { LLVMDeleteBasicBlock(self.0) }
    }

    pub(crate) fn phis(self) -> Vec<Value> {
        self.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI).collect()
    }
}

pub(crate) fn attribute_kind(name: &str) -> u32 {
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// The module with its often-used types.
#[derive(Clone, Copy)]
pub(crate) struct Ir {
    pub(crate) module: LLVMModuleRef,
    pub(crate) context: LLVMContextRef,
    layout: LLVMTargetDataRef,
    pub(crate) i8: Type,
    pub(crate) i32: Type,
    pub(crate) i64: Type,
    pub(crate) ptr: Type,
}

impl Ir {
    pub(crate) fn new(module: LLVMModuleRef) -> Ir {
        unsafe {
            let context = LLVMGetModuleContext(module);
            Ir {
                module,
                context,
                layout: LLVMGetModuleDataLayout(module),
                i8: Type(LLVMInt8TypeInContext(context)),
                i32: Type(LLVMInt32TypeInContext(context)),
                i64: Type(LLVMInt64TypeInContext(context)),
                ptr: Type(LLVMPointerTypeInContext(context, 0)),
            }
        }
    }

    pub(crate) fn int(self, bits: u32) -> Type {
        Type(unsafe { LLVMIntTypeInContext(self.context, bits) })
    }

    pub(crate) fn const32(self, value: u32) -> Value {
        Value(unsafe { LLVMConstInt(self.i32.0, u64::from(value), 0) })
    }

    pub(crate) fn const64(self, value: u64) -> Value {
        Value(unsafe { LLVMConstInt(self.i64.0, value, 0) })
    }

    pub(crate) fn const_int(self, ty: Type, value: u64) -> Value {
        Value(unsafe { LLVMConstInt(ty.0, value, 0) })
    }

    /// Bytes that a value of this type takes in memory, padding to its alignment included.
    pub(crate) fn size(self, ty: Type) -> u64 {
        unsafe { LLVMABISizeOfType(self.layout, ty.0) }
    }

    /// Bytes that a store of this type writes.
    pub(crate) fn store_size(self, ty: Type) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.layout, ty.0) }
    }

    pub(crate) fn align(self, ty: Type) -> u32 {
        unsafe { LLVMABIAlignmentOfType(self.layout, ty.0) }
    }

    pub(crate) fn offset(self, record: Type, index: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.layout, record.0, index) }
    }

    pub(crate) fn function(self, name: &str) -> Option<Value> {
        let name = c_string(name);
        let found = unsafe { LLVMGetNamedFunction(self.module, name.as_ptr()) };
        (!found.is_null()).then_some(Value(found))
    }

    pub(crate) fn global(self, name: &str) -> Option<Value> {
        let name = c_string(name);
        let found = unsafe { LLVMGetNamedGlobal(self.module, name.as_ptr()) };
        (!found.is_null()).then_some(Value(found))
    }

    pub(crate) fn functions(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut it = unsafe { LLVMGetFirstFunction(self.module) };
        while !it.is_null() {
            all.push(Value(it));
            it = unsafe { LLVMGetNextFunction(it) };
        }
        all
    }

    pub(crate) fn globals(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut it = unsafe { LLVMGetFirstGlobal(self.module) };
        while !it.is_null() {
            all.push(Value(it));
            it = unsafe { LLVMGetNextGlobal(it) };
        }
        all
    }

    pub(crate) fn aliases(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut it = unsafe { LLVMGetFirstGlobalAlias(self.module) };
        while !it.is_null() {
            all.push(Value(it));
            it = unsafe { LLVMGetNextGlobalAlias(it) };
        }
        all
    }

    /// Another name for a variable, of the type `ty`.
    pub(crate) fn add_alias(self, ty: Type, of: Value) -> Value {
        Value(unsafe { LLVMAddAlias2(self.module, ty.0, 0, of.0, c"".as_ptr()) })
    }

    pub(crate) fn add_global(self, ty: Type, name: &str) -> Value {
        let name = c_string(name);
        Value(unsafe { LLVMAddGlobal(self.module, ty.0, name.as_ptr()) })
    }

    /// A constant that only this module sees.
    pub(crate) fn add_constant(self, value: Value, name: &str) -> Value {
        let global = self.add_global(value.ty(), name);
        unsafe {
            LLVMSetInitializer(global.0, value.0);
            LLVMSetGlobalConstant(global.0, 1);
            LLVMSetLinkage(global.0, inkwell::llvm_sys::LLVMLinkage::LLVMPrivateLinkage);
        }
        global
    }

    pub(crate) fn add_function(self, name: &str, ty: Type) -> Value {
        let name = c_string(name);
        Value(unsafe { LLVMAddFunction(self.module, name.as_ptr(), ty.0) })
    }

    pub(crate) fn function_type(self, result: Type, params: &[Type]) -> Type {
        let mut params: Vec<_> = params.iter().map(|p| p.0).collect();
        Type(unsafe { LLVMFunctionType(result.0, params.as_mut_ptr(), params.len() as u32, 0) })
    }

    pub(crate) fn void(self) -> Type {
        Type(unsafe { LLVMVoidTypeInContext(self.context) })
    }

    pub(crate) fn const_struct(self, fields: &[Value]) -> Value {
        let mut fields: Vec<_> = fields.iter().map(|f| f.0).collect();
        Value(unsafe { LLVMConstStructInContext(self.context, fields.as_mut_ptr(), fields.len() as u32, 0) })
    }

    pub(crate) fn const_array(self, element: Type, values: &[Value]) -> Value {
        let mut values: Vec<_> = values.iter().map(|v| v.0).collect();
        Value(unsafe { LLVMConstArray2(element.0, values.as_mut_ptr(), values.len() as u64) })
    }

    /// The address `offset` bytes after a constant address.
    pub(crate) fn const_offset(self, base: Value, offset: u64) -> Value {
        let mut index = self.const64(offset).0;
        Value(unsafe { LLVMConstGEP2(self.i8.0, base.0, &mut index, 1) })
    }

    pub(crate) fn append_block(self, function: Value, name: &str) -> Block {
        let name = c_string(name);
        Block(unsafe { LLVMAppendBasicBlockInContext(self.context, function.0, name.as_ptr()) })
    }

    pub(crate) fn insert_block_before(self, block: Block, name: &str) -> Block {
        let name = c_string(name);
        Block(unsafe { LLVMInsertBasicBlockInContext(self.context, block.0, name.as_ptr()) })
    }

    pub(crate) fn enum_attribute(self, name: &str) -> LLVMAttributeRef {
        unsafe { LLVMCreateEnumAttribute(self.context, attribute_kind(name), 0) }
    }
}
