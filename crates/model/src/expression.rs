//! What an expression is, whatever parentheses, conversions and casts are around it: a variable, a parameter, null, a sum.

use crate::clang::{Cursor, Type};
use clang_sys::*;

/// Without parentheses and implicit conversions.
pub(crate) fn bare(node: Cursor<'_>) -> Cursor<'_> {
    match node.kind() {
        CXCursor_ParenExpr | CXCursor_UnexposedExpr => match node.children()[..] {
            [inner] => bare(inner),
            _ => node,
        },
        _ => node,
    }
}

/// `va_list` itself, or what it becomes as a parameter.
pub(crate) fn is_argument_list(ty: Type<'_>) -> bool {
    let ty = ty.canonical();
    let element = match ty.is_array() {
        true => ty.array_element(),
        false if ty.is_pointer() => ty.pointee(),
        false => return false,
    };
    element.canonical().declaration().is_some_and(|record| record.name() == "__va_list_tag")
}

/// `0`, `NULL`, however it is written.
pub(crate) fn is_null(node: Cursor<'_>) -> bool {
    let node = bare(node);
    match node.kind() {
        CXCursor_CStyleCastExpr => node
            .children()
            .iter()
            .rev()
            .find(|child| child.is_expression())
            .is_some_and(|child| is_null(*child)),
        _ => node.integer() == Some(0),
    }
}

/// The declaration of the variable or parameter that an expression is.
pub(crate) fn declared(node: Cursor<'_>) -> Option<Cursor<'_>> {
    let node = bare(node);
    let named = node.referenced().filter(|_| node.kind() == CXCursor_DeclRefExpr)?;
    matches!(named.kind(), CXCursor_ParmDecl | CXCursor_VarDecl).then_some(named)
}

/// The variable that a node declares or assigns to, by the identity of its declaration, and what it gets.
pub(crate) fn assigned(node: Cursor<'_>) -> Option<(usize, Cursor<'_>)> {
    match node.kind() {
        CXCursor_BinaryOperator if node.binary_operator() == CXBinaryOperator_Assign => {
            let [left, right] = node.children()[..] else { return None };
            Some((declared(left)?.identity(), right))
        }
        CXCursor_VarDecl => Some((node.identity(), node.initializer()?)),
        _ => None,
    }
}

/// Its name.
pub(crate) fn variable(node: Cursor<'_>) -> Option<String> {
    declared(node).map(Cursor::name)
}

/// The variable in `x`, `x + 1` or `x - 1` is declared as a `char`, under no other name.
pub(crate) fn is_char(node: Cursor<'_>) -> bool {
    let node = bare(node);
    match node.kind() {
        CXCursor_DeclRefExpr => node.referenced().is_some_and(|named| {
            matches!(named.ty().kind(), CXType_Char_U | CXType_Char_S | CXType_UChar | CXType_SChar)
        }),
        CXCursor_BinaryOperator => node.children().into_iter().any(is_char),
        _ => false,
    }
}

/// The parameter that an expression is.
pub(crate) fn parameter(node: Cursor<'_>) -> Option<String> {
    let node = bare(node);
    let named = node.referenced().filter(|_| node.kind() == CXCursor_DeclRefExpr)?;
    (named.kind() == CXCursor_ParmDecl).then(|| node.name())
}

/// The parameter whose pointer leads to an object: `*p`, `p[i]`, `p->m`, and what lies in those.
pub(crate) fn pointed_parameter(node: Cursor<'_>) -> Option<String> {
    let node = without_casts(node);
    let base = match node.kind() {
        CXCursor_MemberRefExpr | CXCursor_ArraySubscriptExpr => node.children().into_iter().next()?,
        CXCursor_UnaryOperator if node.unary_operator() == CXUnaryOperator_Deref => {
            node.children().into_iter().next()?
        }
        _ => return None,
    };
    // `*p++`
    let base = match without_casts(base) {
        step if step.kind() == CXCursor_UnaryOperator => step.children().into_iter().next().unwrap_or(step),
        other => other,
    };
    parameter(without_casts(base)).filter(|_| base.ty().is_pointer()).or_else(|| pointed_parameter(base))
}

/// Without casts either.
pub(crate) fn without_casts(node: Cursor<'_>) -> Cursor<'_> {
    let node = bare(node);
    match node.kind() {
        CXCursor_CStyleCastExpr => {
            let operand = node.children().into_iter().rev().find(|child| child.is_expression());
            operand.map_or(node, without_casts)
        }
        _ => node,
    }
}

/// The variable of an index, and how much further its element is than that of one less: `2 * x + 1` takes two each.
pub(crate) fn stride(node: Cursor<'_>) -> Option<(String, u64)> {
    sum(node).map(|(index, _)| (index, 1)).or_else(|| product(node))
}

fn product(node: Cursor<'_>) -> Option<(String, u64)> {
    let node = bare(node);
    if node.kind() != CXCursor_BinaryOperator {
        return None;
    }
    let [left, right] = node.children()[..] else { return None };
    let (number, constant) = match (left.integer(), right.integer()) {
        (None, Some(constant)) => (left, constant),
        (Some(constant), None) => (right, constant),
        _ => return None,
    };
    match node.binary_operator() {
        CXBinaryOperator_Add | CXBinaryOperator_Sub => product(number),
        CXBinaryOperator_Mul => Some((variable(number)?, u64::try_from(constant).ok()?)),
        _ => None,
    }
}

/// `x`, `x + 1` or `x - 1`.
pub(crate) fn sum(node: Cursor<'_>) -> Option<(String, i64)> {
    if let Some(name) = variable(node) {
        return Some((name, 0));
    }
    let node = bare(node);
    if node.kind() != CXCursor_BinaryOperator {
        return None;
    }
    let [left, right] = node.children()[..] else { return None };
    match node.binary_operator() {
        CXBinaryOperator_Add => match (variable(left), variable(right)) {
            (Some(name), None) => Some((name, right.integer()?)),
            (None, Some(name)) => Some((name, left.integer()?)),
            _ => None,
        },
        CXBinaryOperator_Sub => Some((variable(left)?, right.integer()?.checked_neg()?)),
        _ => None,
    }
}
