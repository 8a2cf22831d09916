//! A node of the syntax tree. Lives as long as its translation unit.

use super::library::{client_data, functions};
use super::ty::Type;
use super::unit::Unit;
use clang_sys::*;
use std::ffi::CStr;
use std::marker::PhantomData;

#[derive(Clone, Copy)]
pub(crate) struct Cursor<'tu> {
    pub(super) raw: CXCursor,
    pub(super) unit: PhantomData<&'tu Unit>,
}

/// A place in the source, macros expanded to where they are used.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Takes over a string of libclang.
pub(super) fn text(string: CXString) -> String {
    let f = functions();
    // SAFETY: the C string is valid until disposed of, and copied before.
    unsafe {
        let pointer = (f.clang_getCString)(string);
        let copy = if pointer.is_null() {
            String::new()
        } else {
            CStr::from_ptr(pointer).to_string_lossy().into_owned()
        };
        (f.clang_disposeString)(string);
        copy
    }
}

pub(super) fn place(location: CXSourceLocation) -> Option<Place> {
    let f = functions();
    let mut file = std::ptr::null_mut();
    let (mut line, mut column, mut offset) = (0, 0, 0);
    // SAFETY: out-parameters are valid.
    unsafe { (f.clang_getExpansionLocation)(location, &mut file, &mut line, &mut column, &mut offset) };
    if file.is_null() {
        return None;
    }
    // SAFETY: the file belongs to a live unit.
    Some(Place { file: text(unsafe { (f.clang_getFileName)(file) }), line, column })
}

macro_rules! ask {
    ($($(#[$doc:meta])* $name:ident: $function:ident -> $ret:ty;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(self) -> $ret {
            // SAFETY: the cursor is valid while its unit lives.
            unsafe { (functions().$function)(self.raw) }
        }
    )*};
}

impl<'tu> Cursor<'tu> {
    fn with(self, raw: CXCursor) -> Option<Cursor<'tu>> {
        let invalid = (CXCursor_InvalidFile..=CXCursor_InvalidCode).contains(&raw.kind);
        (!invalid).then_some(Cursor { raw, unit: PhantomData })
    }

    pub(crate) fn kind(self) -> CXCursorKind {
        self.raw.kind
    }

    pub(crate) fn children(self) -> Vec<Cursor<'tu>> {
        extern "C" fn collect(cursor: CXCursor, _: CXCursor, data: CXClientData) -> CXChildVisitResult {
            // SAFETY: `data` is the vector below, alive during the visit and used by nobody else.
            let found = unsafe { &mut *data.cast::<Vec<CXCursor>>() };
            found.push(cursor);
            CXChildVisit_Continue
        }
        let mut found: Vec<CXCursor> = Vec::new();
        // SAFETY: the visitor keeps no pointer after the call.
        unsafe { (functions().clang_visitChildren)(self.raw, collect, client_data(&mut found)) };
        found.into_iter().map(|raw| Cursor { raw, unit: PhantomData }).collect()
    }

    ask! {
        linkage: clang_getCursorLinkage -> CXLinkageKind;
        storage_class: clang_Cursor_getStorageClass -> CX_StorageClass;
        binary_operator: clang_getCursorBinaryOperatorKind -> CXBinaryOperatorKind;
        unary_operator: clang_getCursorUnaryOperatorKind -> CXUnaryOperatorKind;
        enum_value: clang_getEnumConstantDeclValue -> i64;
    }

    pub(crate) fn name(self) -> String {
        // SAFETY: as in `ask!`.
        text(unsafe { (functions().clang_getCursorSpelling)(self.raw) })
    }

    pub(crate) fn ty(self) -> Type<'tu> {
        // SAFETY: as in `ask!`.
        Type { raw: unsafe { (functions().clang_getCursorType)(self.raw) }, unit: PhantomData }
    }

    pub(crate) fn enum_integer_type(self) -> Type<'tu> {
        // SAFETY: as in `ask!`.
        Type { raw: unsafe { (functions().clang_getEnumDeclIntegerType)(self.raw) }, unit: PhantomData }
    }

    pub(crate) fn typedef_underlying(self) -> Type<'tu> {
        // SAFETY: as in `ask!`.
        Type { raw: unsafe { (functions().clang_getTypedefDeclUnderlyingType)(self.raw) }, unit: PhantomData }
    }

    pub(crate) fn referenced(self) -> Option<Cursor<'tu>> {
        // SAFETY: as in `ask!`.
        self.with(unsafe { (functions().clang_getCursorReferenced)(self.raw) })
    }

    pub(crate) fn canonical(self) -> Cursor<'tu> {
        // SAFETY: as in `ask!`.
        self.with(unsafe { (functions().clang_getCanonicalCursor)(self.raw) }).unwrap_or(self)
    }

    pub(crate) fn definition(self) -> Option<Cursor<'tu>> {
        // SAFETY: as in `ask!`.
        self.with(unsafe { (functions().clang_getCursorDefinition)(self.raw) })
    }

    pub(crate) fn semantic_parent(self) -> Option<Cursor<'tu>> {
        // SAFETY: as in `ask!`.
        self.with(unsafe { (functions().clang_getCursorSemanticParent)(self.raw) })
    }

    pub(crate) fn initializer(self) -> Option<Cursor<'tu>> {
        // SAFETY: as in `ask!`.
        self.with(unsafe { (functions().clang_Cursor_getVarDeclInitializer)(self.raw) })
    }

    pub(crate) fn arguments(self) -> Vec<Cursor<'tu>> {
        let f = functions();
        // SAFETY: as in `ask!`; the count is -1 for cursors that have no arguments.
        let count = unsafe { (f.clang_Cursor_getNumArguments)(self.raw) };
        (0..u32::try_from(count).unwrap_or(0))
            // SAFETY: the index is below the count.
            .filter_map(|i| self.with(unsafe { (f.clang_Cursor_getArgument)(self.raw, i) }))
            .collect()
    }

    /// Same declaration, same number (within a unit; redeclarations share it).
    pub(crate) fn identity(self) -> usize {
        self.canonical().raw.data[0] as usize
    }

    pub(crate) fn place(self) -> Option<Place> {
        // SAFETY: as in `ask!`.
        place(unsafe { (functions().clang_getCursorLocation)(self.raw) })
    }

    pub(crate) fn end_line(self) -> Option<u32> {
        let f = functions();
        // SAFETY: as in `ask!`.
        let end = unsafe { (f.clang_getRangeEnd)((f.clang_getCursorExtent)(self.raw)) };
        place(end).map(|place| place.line)
    }

    pub(crate) fn in_system_header(self) -> bool {
        let f = functions();
        // SAFETY: as in `ask!`.
        unsafe { (f.clang_Location_isInSystemHeader)((f.clang_getCursorLocation)(self.raw)) != 0 }
    }

    pub(crate) fn is_inline(self) -> bool {
        // SAFETY: as in `ask!`.
        unsafe { (functions().clang_Cursor_isFunctionInlined)(self.raw) != 0 }
    }

    pub(crate) fn is_definition(self) -> bool {
        // SAFETY: as in `ask!`.
        unsafe { (functions().clang_isCursorDefinition)(self.raw) != 0 }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: as in `ask!`.
        unsafe { (functions().clang_getCursorTLSKind)(self.raw) != CXTLS_None }
    }

    /// A struct, union or enum without tag and without typedef that names it.
    pub(crate) fn is_unnamed(self) -> bool {
        // SAFETY: as in `ask!`.
        unsafe { (functions().clang_Cursor_isAnonymous)(self.raw) != 0 }
    }

    pub(crate) fn bit_width(self) -> Option<u32> {
        let f = functions();
        // SAFETY: as in `ask!`.
        unsafe {
            if (f.clang_Cursor_isBitField)(self.raw) == 0 {
                return None;
            }
            u32::try_from((f.clang_getFieldDeclBitWidth)(self.raw)).ok()
        }
    }

    pub(crate) fn field_offset_bits(self) -> Option<u64> {
        // SAFETY: as in `ask!`; negative means no layout.
        u64::try_from(unsafe { (functions().clang_Cursor_getOffsetOfField)(self.raw) }).ok()
    }

    pub(crate) fn has_attributes(self) -> bool {
        self.children()
            .iter()
            .any(|c| (CXCursor_UnexposedAttr..CXCursor_PreprocessingDirective).contains(&c.kind()))
    }

    /// The declaration as the compiler prints it, attributes included, bodies left out.
    pub(crate) fn declaration_text(self) -> String {
        let f = functions();
        // SAFETY: the policy is disposed of after use.
        unsafe {
            let policy = (f.clang_getCursorPrintingPolicy)(self.raw);
            (f.clang_PrintingPolicy_setProperty)(policy, CXPrintingPolicy_TerseOutput, 1);
            let printed = text((f.clang_getCursorPrettyPrinted)(self.raw, policy));
            (f.clang_PrintingPolicy_dispose)(policy);
            printed
        }
    }

    /// The source, as written, from the cursor's place on: at most `limit` bytes.
    pub(crate) fn source(self, limit: usize) -> String {
        let f = functions();
        let mut file = std::ptr::null_mut();
        let (mut line, mut column, mut offset) = (0, 0, 0);
        let mut size = 0;
        // SAFETY: out-parameters are valid; the contents live as long as the unit and are `size` bytes long.
        let contents = unsafe {
            let location = (f.clang_getCursorLocation)(self.raw);
            (f.clang_getExpansionLocation)(location, &mut file, &mut line, &mut column, &mut offset);
            if file.is_null() {
                return String::new();
            }
            let unit = (f.clang_Cursor_getTranslationUnit)(self.raw);
            let start = (f.clang_getFileContents)(unit, file, &mut size);
            if start.is_null() {
                return String::new();
            }
            std::slice::from_raw_parts(start.cast::<u8>(), size)
        };
        let rest = contents.get(offset as usize..).unwrap_or_default();
        String::from_utf8_lossy(&rest[..rest.len().min(limit)]).into_owned()
    }

    /// The value of an integer constant expression.
    pub(crate) fn integer(self) -> Option<i64> {
        // SAFETY: the result is disposed of once, after its last use.
        unsafe {
            let clang = functions();
            let result = (clang.clang_Cursor_Evaluate)(self.raw);
            if result.is_null() {
                return None;
            }
            let is_integer = (clang.clang_EvalResult_getKind)(result) == CXEval_Int;
            let value = (clang.clang_EvalResult_getAsLongLong)(result);
            (clang.clang_EvalResult_dispose)(result);
            is_integer.then_some(value)
        }
    }

    pub(crate) fn is_expression(self) -> bool {
        (CXCursor_UnexposedExpr..CXCursor_UnexposedStmt).contains(&self.kind())
    }
}
