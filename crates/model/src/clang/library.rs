//! Finds and loads libclang, and holds the few of its functions that are used.
//!
//! Loaded at run time, not linked: several LLVM versions live side by side, and a missing one must be a
//! message. The library is never unloaded; its functions may be called from any thread.

use crate::error::ModelError;
use clang_sys::*;
use libloading::Library;
use std::ffi::{OsStr, c_char, c_int, c_longlong, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

macro_rules! functions {
    ($(fn $name:ident($($arg:ty),*) $(-> $ret:ty)?;)*) => {
        #[allow(non_snake_case)]
        pub(crate) struct Functions {
            $(pub(crate) $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
        }

        impl Functions {
            /// # Safety
            /// The library must be libclang, whose functions have these signatures, and must stay loaded.
            unsafe fn load(library: &Library) -> Result<Functions, libloading::Error> {
                // SAFETY: the signatures are those of clang-c/Index.h.
                unsafe {
                    Ok(Functions { $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)* })
                }
            }
        }
    };
}

functions! {
    fn clang_createIndex(c_int, c_int) -> CXIndex;
    fn clang_disposeIndex(CXIndex);
    fn clang_parseTranslationUnit2(CXIndex, *const c_char, *const *const c_char, c_int, *mut CXUnsavedFile, c_uint, CXTranslationUnit_Flags, *mut CXTranslationUnit) -> CXErrorCode;
    fn clang_disposeTranslationUnit(CXTranslationUnit);
    fn clang_getNumDiagnostics(CXTranslationUnit) -> c_uint;
    fn clang_getDiagnostic(CXTranslationUnit, c_uint) -> CXDiagnostic;
    fn clang_disposeDiagnostic(CXDiagnostic);
    fn clang_getDiagnosticSeverity(CXDiagnostic) -> CXDiagnosticSeverity;
    fn clang_getDiagnosticSpelling(CXDiagnostic) -> CXString;
    fn clang_getDiagnosticLocation(CXDiagnostic) -> CXSourceLocation;
    fn clang_getTranslationUnitCursor(CXTranslationUnit) -> CXCursor;
    fn clang_getCString(CXString) -> *const c_char;
    fn clang_disposeString(CXString);
    fn clang_visitChildren(CXCursor, CXCursorVisitor, CXClientData) -> c_uint;
    fn clang_getCursorSpelling(CXCursor) -> CXString;
    fn clang_getCursorPrettyPrinted(CXCursor, CXPrintingPolicy) -> CXString;
    fn clang_getCursorPrintingPolicy(CXCursor) -> CXPrintingPolicy;
    fn clang_PrintingPolicy_setProperty(CXPrintingPolicy, CXPrintingPolicyProperty, c_uint);
    fn clang_PrintingPolicy_dispose(CXPrintingPolicy);
    fn clang_getCursorType(CXCursor) -> CXType;
    fn clang_getCursorReferenced(CXCursor) -> CXCursor;
    fn clang_getCanonicalCursor(CXCursor) -> CXCursor;
    fn clang_getCursorDefinition(CXCursor) -> CXCursor;
    fn clang_getCursorSemanticParent(CXCursor) -> CXCursor;
    fn clang_getCursorLocation(CXCursor) -> CXSourceLocation;
    fn clang_getCursorExtent(CXCursor) -> CXSourceRange;
    fn clang_Cursor_getTranslationUnit(CXCursor) -> CXTranslationUnit;
    fn clang_getRangeEnd(CXSourceRange) -> CXSourceLocation;
    fn clang_getExpansionLocation(CXSourceLocation, *mut CXFile, *mut c_uint, *mut c_uint, *mut c_uint);
    fn clang_getFileContents(CXTranslationUnit, CXFile, *mut usize) -> *const c_char;
    fn clang_getFileName(CXFile) -> CXString;
    fn clang_Location_isInSystemHeader(CXSourceLocation) -> c_int;
    fn clang_getCursorLinkage(CXCursor) -> CXLinkageKind;
    fn clang_getCursorTLSKind(CXCursor) -> CXTLSKind;
    fn clang_Cursor_getStorageClass(CXCursor) -> CX_StorageClass;
    fn clang_Cursor_isFunctionInlined(CXCursor) -> c_uint;
    fn clang_isCursorDefinition(CXCursor) -> c_uint;
    fn clang_Cursor_getVarDeclInitializer(CXCursor) -> CXCursor;
    fn clang_Cursor_getNumArguments(CXCursor) -> c_int;
    fn clang_Cursor_getArgument(CXCursor, c_uint) -> CXCursor;
    fn clang_Cursor_isBitField(CXCursor) -> c_uint;
    fn clang_getFieldDeclBitWidth(CXCursor) -> c_int;
    fn clang_Cursor_getOffsetOfField(CXCursor) -> c_longlong;
    fn clang_Cursor_isAnonymous(CXCursor) -> c_uint;
    fn clang_getEnumDeclIntegerType(CXCursor) -> CXType;
    fn clang_getEnumConstantDeclValue(CXCursor) -> c_longlong;
    fn clang_getTypedefDeclUnderlyingType(CXCursor) -> CXType;
    fn clang_getCursorBinaryOperatorKind(CXCursor) -> CXBinaryOperatorKind;
    fn clang_getCursorUnaryOperatorKind(CXCursor) -> CXUnaryOperatorKind;
    fn clang_Cursor_Evaluate(CXCursor) -> CXEvalResult;
    fn clang_EvalResult_getKind(CXEvalResult) -> CXEvalResultKind;
    fn clang_EvalResult_getAsLongLong(CXEvalResult) -> c_longlong;
    fn clang_EvalResult_dispose(CXEvalResult);
    fn clang_getTypeSpelling(CXType) -> CXString;
    fn clang_getCanonicalType(CXType) -> CXType;
    fn clang_getTypeDeclaration(CXType) -> CXCursor;
    fn clang_getPointeeType(CXType) -> CXType;
    fn clang_getArrayElementType(CXType) -> CXType;
    fn clang_getArraySize(CXType) -> c_longlong;
    fn clang_getElementType(CXType) -> CXType;
    fn clang_getResultType(CXType) -> CXType;
    fn clang_getNumArgTypes(CXType) -> c_int;
    fn clang_getArgType(CXType, c_uint) -> CXType;
    fn clang_isFunctionTypeVariadic(CXType) -> c_uint;
    fn clang_isConstQualifiedType(CXType) -> c_uint;
    fn clang_isVolatileQualifiedType(CXType) -> c_uint;
    fn clang_Type_getNamedType(CXType) -> CXType;
    fn clang_Type_getModifiedType(CXType) -> CXType;
    fn clang_Type_getValueType(CXType) -> CXType;
    fn clang_Type_getSizeOf(CXType) -> c_longlong;
    fn clang_Type_getAlignOf(CXType) -> c_longlong;
    fn clang_Type_visitFields(CXType, CXFieldVisitor, CXClientData) -> c_uint;
}

pub(crate) struct Libclang {
    pub(crate) functions: Functions,
    /// Where the compiler's own headers are (stddef.h, stdarg.h ...), when found beside the library.
    pub(crate) resource_dir: Option<PathBuf>,
}

static LIBCLANG: OnceLock<Libclang> = OnceLock::new();

/// Loads libclang on first use.
pub(crate) fn libclang() -> Result<&'static Libclang, ModelError> {
    if let Some(loaded) = LIBCLANG.get() {
        return Ok(loaded);
    }
    let loaded = load()?;
    Ok(LIBCLANG.get_or_init(|| loaded))
}

/// For code that holds a translation unit: libclang is then loaded already.
pub(crate) fn functions() -> &'static Functions {
    &LIBCLANG.get().expect("a cursor exists only after libclang was loaded").functions
}

fn load() -> Result<Libclang, ModelError> {
    let mut tried = Vec::new();
    for directory in directories() {
        let Some(path) = library_in(&directory) else {
            tried.push(directory.display().to_string());
            continue;
        };
        let unusable = |e: libloading::Error| ModelError::LibclangUnusable {
            path: path.clone(),
            message: e.to_string(),
        };
        // SAFETY: libclang's initialisers are those of LLVM and have no preconditions.
        let library = unsafe { Library::new(&path) }.map_err(unusable)?;
        // SAFETY: the file is libclang by name; the library is leaked below, so it stays loaded.
        let functions = unsafe { Functions::load(&library) }.map_err(unusable)?;
        std::mem::forget(library);
        return Ok(Libclang { functions, resource_dir: resource_dir(&directory) });
    }
    Err(ModelError::LibclangMissing { tried: tried.join(", ") })
}

fn directories() -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Some(path) = std::env::var_os("LIBCLANG_PATH") {
        let path = PathBuf::from(path);
        // Both a directory and the file itself are in use for this variable.
        let directory = if path.is_file() { path.parent().map(Path::to_path_buf) } else { Some(path) };
        found.extend(directory);
    }
    found.push(PathBuf::from("/usr/lib/llvm-19/lib"));
    if let Ok(output) = Command::new("llvm-config-19").arg("--libdir").output()
        && output.status.success()
    {
        found.push(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    }
    for directory in
        ["/usr/lib64/llvm19/lib", "/usr/lib/llvm19/lib", "/usr/local/lib", "/usr/lib64", "/usr/lib"]
    {
        found.push(PathBuf::from(directory));
    }
    found
}

fn library_in(directory: &Path) -> Option<PathBuf> {
    [
        "libclang-19.so",
        "libclang-19.so.19",
        "libclang-19.so.1",
        "libclang.so.19.1",
        "libclang.so.19",
        "libclang.so",
    ]
    .iter()
    .map(|name| directory.join(name))
    .find(|path| path.is_file())
}

fn resource_dir(library_dir: &Path) -> Option<PathBuf> {
    let versions = library_dir.join("clang");
    let mut found: Vec<PathBuf> = std::fs::read_dir(versions)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("include/stddef.h").is_file())
        .collect();
    found.sort_by_key(|path| path.file_name() != Some(OsStr::new("19")));
    found.into_iter().next()
}

/// Opaque data for visitors: a pointer to the caller's collection.
pub(crate) fn client_data<T>(data: &mut T) -> CXClientData {
    std::ptr::from_mut(data).cast::<c_void>()
}
