//! A C type as the front end sees it, sugar (typedefs, elaboration) included.

use super::cursor::{Cursor, text};
use super::library::{client_data, functions};
use super::unit::Unit;
use clang_sys::*;
use std::marker::PhantomData;

#[derive(Clone, Copy)]
pub(crate) struct Type<'tu> {
    pub(super) raw: CXType,
    pub(super) unit: PhantomData<&'tu Unit>,
}

macro_rules! derived {
    ($($name:ident: $function:ident;)*) => {$(
        pub(crate) fn $name(self) -> Type<'tu> {
            // SAFETY: the type is valid while its unit lives.
            Type { raw: unsafe { (functions().$function)(self.raw) }, unit: PhantomData }
        }
    )*};
}

impl<'tu> Type<'tu> {
    derived! {
        canonical: clang_getCanonicalType;
        pointee: clang_getPointeeType;
        array_element: clang_getArrayElementType;
        element: clang_getElementType;
        result: clang_getResultType;
        named: clang_Type_getNamedType;
        modified: clang_Type_getModifiedType;
        atomic_value: clang_Type_getValueType;
    }

    pub(crate) fn kind(self) -> CXTypeKind {
        self.raw.kind
    }

    /// Equal for the very same type node, qualifiers included.
    pub(crate) fn identity(self) -> usize {
        self.raw.data[0] as usize
    }

    pub(crate) fn spelling(self) -> String {
        // SAFETY: the type is valid while its unit lives.
        text(unsafe { (functions().clang_getTypeSpelling)(self.raw) })
    }

    /// Without `const` and `volatile` in front.
    pub(crate) fn spelling_unqualified(self) -> String {
        let spelled = self.spelling();
        let mut rest = spelled.as_str();
        while let Some(shorter) = rest.strip_prefix("const ").or_else(|| rest.strip_prefix("volatile ")) {
            rest = shorter;
        }
        rest.to_string()
    }

    pub(crate) fn declaration(self) -> Option<Cursor<'tu>> {
        // SAFETY: as above.
        let raw = unsafe { (functions().clang_getTypeDeclaration)(self.raw) };
        (raw.kind != CXCursor_NoDeclFound).then_some(Cursor { raw, unit: PhantomData })
    }

    pub(crate) fn array_length(self) -> Option<u64> {
        // SAFETY: as above; -1 when there is none.
        u64::try_from(unsafe { (functions().clang_getArraySize)(self.raw) }).ok()
    }

    pub(crate) fn arguments(self) -> Vec<Type<'tu>> {
        let f = functions();
        // SAFETY: as above; -1 when it is no function type.
        let count = unsafe { (f.clang_getNumArgTypes)(self.raw) };
        (0..u32::try_from(count).unwrap_or(0))
            // SAFETY: the index is below the count.
            .map(|i| Type { raw: unsafe { (f.clang_getArgType)(self.raw, i) }, unit: PhantomData })
            .collect()
    }

    pub(crate) fn is_variadic(self) -> bool {
        // SAFETY: as above.
        unsafe { (functions().clang_isFunctionTypeVariadic)(self.raw) != 0 }
    }

    pub(crate) fn is_const(self) -> bool {
        // SAFETY: as above.
        unsafe { (functions().clang_isConstQualifiedType)(self.raw) != 0 }
    }

    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: as above.
        unsafe { (functions().clang_isVolatileQualifiedType)(self.raw) != 0 }
    }

    pub(crate) fn size(self) -> Option<u64> {
        // SAFETY: as above; negative for incomplete and variable types.
        u64::try_from(unsafe { (functions().clang_Type_getSizeOf)(self.raw) }).ok()
    }

    pub(crate) fn align(self) -> Option<u64> {
        // SAFETY: as above.
        u64::try_from(unsafe { (functions().clang_Type_getAlignOf)(self.raw) }).ok()
    }

    /// The fields of a complete struct or union, unnamed ones included, in order.
    pub(crate) fn fields(self) -> Vec<Cursor<'tu>> {
        extern "C" fn collect(cursor: CXCursor, data: CXClientData) -> CXVisitorResult {
            // SAFETY: `data` is the vector below, alive during the visit and used by nobody else.
            let found = unsafe { &mut *data.cast::<Vec<CXCursor>>() };
            found.push(cursor);
            CXVisit_Continue
        }
        let mut found: Vec<CXCursor> = Vec::new();
        // SAFETY: the visitor keeps no pointer after the call.
        unsafe { (functions().clang_Type_visitFields)(self.raw, collect, client_data(&mut found)) };
        found.into_iter().map(|raw| Cursor { raw, unit: PhantomData }).collect()
    }

    pub(crate) fn is_array(self) -> bool {
        matches!(
            self.canonical().kind(),
            CXType_ConstantArray | CXType_IncompleteArray | CXType_VariableArray | CXType_DependentSizedArray
        )
    }

    pub(crate) fn is_pointer(self) -> bool {
        self.canonical().kind() == CXType_Pointer
    }

    pub(crate) fn is_function(self) -> bool {
        matches!(self.canonical().kind(), CXType_FunctionProto | CXType_FunctionNoProto)
    }

    /// Of numbers, `char`, `_Bool` and enums too.
    pub(crate) fn is_integer(self) -> bool {
        let kind = self.canonical().kind();
        kind == CXType_Enum || (CXType_Bool..=CXType_Int128).contains(&kind)
    }

    pub(crate) fn is_union(self) -> bool {
        let declaration = self.canonical().declaration().filter(|_| self.is_record());
        declaration.is_some_and(|declaration| declaration.kind() == CXCursor_UnionDecl)
    }

    pub(crate) fn is_record(self) -> bool {
        self.canonical().kind() == CXType_Record
    }
}
