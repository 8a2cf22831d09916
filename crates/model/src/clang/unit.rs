//! One parsed translation unit, and why it could not be parsed.

use super::cursor::{Cursor, Place, place, text};
use super::library::{Libclang, functions};
use clang_sys::*;
use std::ffi::CString;
use std::marker::PhantomData;
use std::path::Path;
use std::ptr;

pub(crate) struct Unit {
    index: CXIndex,
    unit: CXTranslationUnit,
}

/// The compiler's first error.
pub(crate) struct ParseFailure {
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
}

impl Unit {
    /// Errors of the source make this fail: a tree with holes would give wrong drivers.
    pub(crate) fn parse(
        libclang: &'static Libclang,
        path: &Path,
        flags: &[String],
    ) -> Result<Unit, ParseFailure> {
        let plain = |message: &str| ParseFailure { message: message.into(), place: None };
        let f = &libclang.functions;
        let source = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| plain("the path contains a zero byte"))?;
        let arguments: Vec<CString> = flags
            .iter()
            .map(|flag| CString::new(flag.as_str()))
            .collect::<Result<_, _>>()
            .map_err(|_| plain("a compiler flag contains a zero byte"))?;
        let pointers: Vec<_> = arguments.iter().map(|a| a.as_ptr()).collect();
        // SAFETY: plain call; the index is disposed of by Drop.
        let index = unsafe { (f.clang_createIndex)(0, 0) };
        let mut result = Unit { index, unit: ptr::null_mut() };
        // SAFETY: all pointers are valid during the call and the counts match.
        let code = unsafe {
            (f.clang_parseTranslationUnit2)(
                index,
                source.as_ptr(),
                pointers.as_ptr(),
                i32::try_from(pointers.len()).map_err(|_| plain("too many compiler flags"))?,
                ptr::null_mut(),
                0,
                CXTranslationUnit_None,
                &mut result.unit,
            )
        };
        if code != CXError_Success || result.unit.is_null() {
            return Err(plain(match code {
                CXError_Crashed => "the compiler's parser crashed on this file",
                CXError_InvalidArguments => "the compiler does not accept the flags of this file",
                _ => "the compiler's parser gave up on this file",
            }));
        }
        match result.first_error() {
            Some(failure) => Err(failure),
            None => Ok(result),
        }
    }

    fn first_error(&self) -> Option<ParseFailure> {
        let f = functions();
        // SAFETY: the unit is valid; each diagnostic is disposed of after use.
        unsafe {
            for i in 0..(f.clang_getNumDiagnostics)(self.unit) {
                let diagnostic = (f.clang_getDiagnostic)(self.unit, i);
                let is_error = (f.clang_getDiagnosticSeverity)(diagnostic) >= CXDiagnostic_Error;
                let failure = is_error.then(|| ParseFailure {
                    message: text((f.clang_getDiagnosticSpelling)(diagnostic)),
                    place: place((f.clang_getDiagnosticLocation)(diagnostic)),
                });
                (f.clang_disposeDiagnostic)(diagnostic);
                if failure.is_some() {
                    return failure;
                }
            }
        }
        None
    }

    pub(crate) fn root(&self) -> Cursor<'_> {
        // SAFETY: the unit is valid.
        Cursor { raw: unsafe { (functions().clang_getTranslationUnitCursor)(self.unit) }, unit: PhantomData }
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        let f = functions();
        // SAFETY: both were made by libclang and are disposed of once, the unit before its index.
        unsafe {
            if !self.unit.is_null() {
                (f.clang_disposeTranslationUnit)(self.unit);
            }
            (f.clang_disposeIndex)(self.index);
        }
    }
}
