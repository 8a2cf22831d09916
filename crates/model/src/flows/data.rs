//! Values that are read from data: from characters behind a pointer, by functions of the C library that read files and texts,
//! through what functions of the program return.

use super::{Value, Variable, Walk, integer_type};
use crate::clang::Cursor;
use crate::interval::Interval;
use crate::sought::is_character;
use crate::tree::NodeId;
use clang_sys::*;

/// Functions of the C library whose results are what a file or a text has in it.
const READERS: &[&str] = &[
    "getc", "fgetc", "getchar", "getw", "fgetwc", "getwc", "atoi", "atol", "atoll", "strtol", "strtoul",
    "strtoll", "strtoull",
];
/// Those that put its bytes in another order.
const SWAPS: &[&str] = &[
    "ntohs",
    "ntohl",
    "htons",
    "htonl",
    "be16toh",
    "be32toh",
    "be64toh",
    "le16toh",
    "le32toh",
    "le64toh",
    "__bswap_16",
    "__bswap_32",
    "__bswap_64",
    "__builtin_bswap16",
    "__builtin_bswap32",
    "__builtin_bswap64",
];
/// Those that fill memory with it.
pub(crate) const FILLERS: &[&str] = &["fread", "read", "pread", "recv", "recvfrom"];

impl<'tu> Walk<'_, '_, 'tu> {
    /// What a function returns.
    pub(super) fn give_back(&mut self, node: NodeId) {
        if let Some(value) = self.tree.children(node).next()
            && integer_type(self.tree.cursor(value).ty()).is_some()
        {
            let value = self.value(value, 0);
            self.found.flows.push((Variable::Result(self.function.clone()), value));
        }
    }

    /// An element of what may be data: a character, or what a pointer to characters is taken for; not of a table.
    pub(super) fn is_data(&self, element: Cursor<'tu>, from: NodeId) -> bool {
        let bare = self.tree.bare(from);
        let from = self.tree.cursor(bare);
        let is_table = from.referenced().is_some_and(|named| {
            named.kind() == CXCursor_VarDecl && named.ty().is_array() && named.ty().is_const()
        });
        let inner = self.tree.children(bare).last().map(|inner| self.tree.cursor(inner).ty());
        let is_cast = from.kind() == CXCursor_CStyleCastExpr
            && inner.is_some_and(|inner| inner.is_pointer() && is_character(inner.pointee()));
        (is_character(element.ty()) || is_cast) && !is_table
    }

    /// What a call gives back.
    pub(super) fn result(
        &mut self,
        callee: NodeId,
        arguments: &[NodeId],
        held: Interval,
        depth: usize,
    ) -> Option<Value> {
        let named = self.tree.cursor(self.tree.bare(callee)).referenced();
        let name = named.filter(|named| named.kind() == CXCursor_FunctionDecl)?.name();
        let of = match &name[..] {
            name if READERS.contains(&name) => return Some(Value::Read(held)),
            name if SWAPS.contains(&name) => self.value(*arguments.first()?, depth + 1),
            _ => Value::Of(Variable::Result(name)),
        };
        Some(Value::Either(Box::new((Value::Within(held), of))))
    }
}
