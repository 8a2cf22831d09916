//! What the front end's interface does not tell about a declaration: attributes, and how it was written.

use crate::clang::{Cursor, Type};
use clang_sys::*;

pub(crate) fn is_prototype(ty: Type<'_>) -> bool {
    ty.canonical().kind() == CXType_FunctionProto
}

/// A declaration with its attributes in words; empty without attributes, because printing is slow.
pub(crate) fn attribute_text(declaration: Cursor<'_>) -> String {
    if declaration.has_attributes() { declaration.declaration_text() } else { String::new() }
}

/// The attribute of gcc is part of the type, that of C11 part of the declaration.
pub(crate) fn is_noreturn(ty: Type<'_>, declaration: &str) -> bool {
    ty.spelling().ends_with("__attribute__((noreturn))")
        || declaration.contains("_Noreturn")
        || declaration.contains("noreturn]]")
}

/// `f(a, b) int a; {`. The front end gives such a function a prototype, so the source has to tell: the list
/// begins with a name alone.
pub(crate) fn is_old_style(definition: Cursor<'_>) -> bool {
    // Enough for a name, a comment and a parameter.
    const GLANCE: usize = 512;
    let Some(first) =
        definition.arguments().first().map(|param| param.name()).filter(|name| !name.is_empty())
    else {
        return false;
    };
    let source = definition.source(GLANCE);
    let after = |text: &str, word: &str| Some(skip_blank(skip_blank(text).strip_prefix(word)?).to_string());
    after(&source, &definition.name())
        .and_then(|rest| after(&rest, "("))
        .and_then(|rest| after(&rest, &first))
        .is_some_and(|rest| rest.starts_with([',', ')']))
}

/// Past white space and comments.
fn skip_blank(text: &str) -> &str {
    let text = text.trim_start();
    match text.strip_prefix("/*").and_then(|comment| comment.split_once("*/")) {
        Some((_, rest)) => skip_blank(rest),
        None => text,
    }
}
