//! How to write a type in C after the unit's source, inside `__typeof__(...)`.
//!
//! The compiler's own spelling where that is valid C. A type that contains an unnamed record is written
//! through an expression that has it (`__typeof__(((struct s *)0)->u)`); a type that contains one declared
//! in a function cannot be written.

use crate::clang::Type;
use crate::types::{TypeTable, element_of, is_at_file_scope};
use clang_sys::*;

impl<'tu> TypeTable<'tu> {
    pub(crate) fn spell(&self, ty: Type<'tu>) -> Option<String> {
        if is_nameable(ty) { without_attributes(ty.spelling()) } else { self.compose(ty) }
    }

    pub(crate) fn spell_pointer_to(&self, target: Type<'tu>) -> Option<String> {
        let inner = self.spell(target)?;
        let inner = if is_declarator(target) { format!("__typeof__({inner})") } else { inner };
        let star = if inner.ends_with('*') { "*" } else { " *" };
        Some(format!("{inner}{star}"))
    }

    fn compose(&self, ty: Type<'tu>) -> Option<String> {
        match ty.kind() {
            CXType_Pointer => {
                let pointer = self.spell_pointer_to(ty.pointee())?;
                let qualifiers = [(ty.is_const(), "const"), (ty.is_volatile(), " volatile")];
                let suffix: String = qualifiers.iter().filter(|q| q.0).map(|q| q.1).collect();
                Some(format!("{pointer}{suffix}"))
            }
            CXType_ConstantArray | CXType_IncompleteArray | CXType_VariableArray => {
                let element = element_of(ty);
                if element.is_array() && element.canonical().size().is_none() {
                    return None;
                }
                let length = ty.array_length().map(|n| n.to_string()).unwrap_or_default();
                let inner = self.spell(element)?;
                let is_simple = !is_declarator(element) && !element.is_pointer();
                Some(if is_simple {
                    format!("{inner}[{length}]")
                } else {
                    format!("__typeof__({inner})[{length}]")
                })
            }
            CXType_FunctionProto | CXType_FunctionNoProto => {
                let mut params = Vec::new();
                for param in ty.arguments() {
                    params.push(format!("__typeof__({})", self.spell(param)?));
                }
                if ty.is_variadic() && !params.is_empty() {
                    params.push("...".into());
                }
                if params.is_empty() && ty.kind() == CXType_FunctionProto {
                    params.push("void".into());
                }
                Some(format!("__typeof__({}) ({})", self.spell(ty.result())?, params.join(", ")))
            }
            CXType_Record => {
                let decl = ty.declaration()?;
                if decl.name() == "__va_list_tag" {
                    return Some("__typeof__((*(__builtin_va_list *)0)[0])".into());
                }
                if !is_at_file_scope(decl) {
                    return None;
                }
                let expression = self.expressions.get(&decl.identity())?;
                Some(qualified(ty, format!("__typeof__({expression})")))
            }
            // An unnamed enumeration has no other users than its integer type.
            CXType_Enum => {
                let integer = ty.declaration()?.enum_integer_type();
                Some(qualified(ty, integer.spelling()))
            }
            CXType_Elaborated => self.under(ty, ty.named()),
            CXType_Attributed => self.under(ty, ty.modified()),
            CXType_Typedef => self.under(ty, ty.declaration()?.typedef_underlying()),
            CXType_Unexposed => {
                let canonical = ty.canonical();
                if canonical.kind() == CXType_Unexposed { None } else { self.spell(canonical) }
            }
            _ => None,
        }
    }

    /// The spelling of `inner`, with the qualifiers that the sugar around it carries.
    fn under(&self, sugar: Type<'tu>, inner: Type<'tu>) -> Option<String> {
        let spelled = self.spell(inner)?;
        if sugar.is_const() && !inner.is_const() {
            let base = if is_declarator(inner) || inner.is_pointer() {
                format!("__typeof__({spelled})")
            } else {
                spelled
            };
            return Some(format!("const {base}"));
        }
        Some(spelled)
    }
}

/// Attributes cannot stand behind a type name. A function that returns may stand for one that does not; a
/// function of another calling convention for nothing else.
fn without_attributes(spelling: String) -> Option<String> {
    let spelling = spelling.replace(" __attribute__((noreturn))", "");
    if spelling.contains(") __attribute__((") { None } else { Some(spelling) }
}

fn qualified(ty: Type<'_>, name: String) -> String {
    let constness = if ty.is_const() { "const " } else { "" };
    let volatility = if ty.is_volatile() { "volatile " } else { "" };
    format!("{constness}{volatility}{name}")
}

/// Arrays and functions are written around a name, not before it.
fn is_declarator(ty: Type<'_>) -> bool {
    ty.is_array() || ty.is_function()
}

/// Whether the compiler's spelling means the same type at the end of the file.
fn is_nameable(ty: Type<'_>) -> bool {
    match ty.kind() {
        CXType_Typedef => ty.declaration().is_some_and(is_at_file_scope),
        CXType_Record | CXType_Enum => ty.declaration().is_some_and(|decl| {
            !decl.is_unnamed() && is_at_file_scope(decl) && decl.name() != "__va_list_tag"
        }),
        CXType_Elaborated => is_nameable(ty.named()),
        CXType_Attributed => is_nameable(ty.modified()),
        CXType_Pointer => is_nameable(ty.pointee()),
        CXType_ConstantArray | CXType_IncompleteArray => is_nameable(ty.array_element()),
        CXType_VariableArray => false,
        CXType_FunctionProto | CXType_FunctionNoProto => {
            is_nameable(ty.result()) && ty.arguments().into_iter().all(is_nameable)
        }
        CXType_Vector | CXType_ExtVector | CXType_Complex => is_nameable(ty.element()),
        CXType_Atomic => is_nameable(ty.atomic_value()),
        // `typeof` may name a variable that is gone at the end of the file.
        CXType_Unexposed => {
            let canonical = ty.canonical();
            !ty.spelling().contains("typeof")
                && (canonical.kind() == CXType_Unexposed || is_nameable(canonical))
        }
        _ => true,
    }
}
