//! Which pointers a function follows, place by place, and where each of them comes from: what it was given, what lies in
//! objects that it was given, what a call returned, or objects of its own.
//!
//! Locals hold whatever is assigned to them anywhere in the function; aliases are not seen. An object that is reached
//! through a call's result, or whose address the function takes, is not one that it was given.

use crate::clang::Cursor;
use crate::expression::{assigned, bare, declared, without_casts};
use crate::program::{Followed, Origin};
use crate::tree::Tree;
use clang_sys::*;
use std::collections::{BTreeSet, HashMap, HashSet};

type Origins = BTreeSet<Origin>;
/// What is known so far of the variables that an answer takes.
type Known = HashMap<usize, Origins>;

/// In `e = e->next` what a variable held before says where the rest comes from.
const ROUNDS: usize = 2;

/// Everything that a body follows or hands to calls, but for what is its own.
pub(crate) fn followed(tree: &Tree<'_>) -> Vec<Followed> {
    let mut walk = Walk::default();
    for node in tree.region(Tree::ROOT) {
        walk.note_assigned(tree.cursor(node));
    }
    let mut found = Vec::new();
    for node in tree.region(Tree::ROOT) {
        walk.follow(tree.cursor(node), &mut found);
    }
    found.sort();
    found.dedup();
    found
}

#[derive(Default)]
struct Walk<'tu> {
    /// What is assigned to variables, by the identity of their declaration.
    assigned: HashMap<usize, Vec<Cursor<'tu>>>,
    /// Variables whose address is taken: a call may have put something there.
    addressed: HashSet<usize>,
}

impl<'tu> Walk<'tu> {
    fn note_assigned(&mut self, node: Cursor<'tu>) {
        if let Some((variable, value)) = assigned(node) {
            self.assigned.entry(variable).or_default().push(value);
        } else if node.kind() == CXCursor_UnaryOperator && node.unary_operator() == CXUnaryOperator_AddrOf {
            let operand = node.children().into_iter().next().and_then(declared);
            self.addressed.extend(operand.map(Cursor::identity));
        }
    }

    fn follow(&self, node: Cursor<'tu>, found: &mut Vec<Followed>) {
        let children = node.children();
        let mut add = |pointer: Cursor<'tu>, handed: Option<(String, usize)>| {
            let origins = self.pointer(pointer, &mut Known::new());
            let Some(place) = node.place().filter(|_| origins.iter().any(|origin| *origin != Origin::Own))
            else {
                return;
            };
            let origins = origins.into_iter().collect();
            found.push(Followed { line: place.line, column: place.column, handed, origins });
        };
        match (node.kind(), &children[..]) {
            (CXCursor_ArraySubscriptExpr, [base, _]) => add(*base, None),
            (CXCursor_MemberRefExpr, [base, ..]) if base.ty().canonical().is_pointer() => add(*base, None),
            (CXCursor_UnaryOperator, [operand]) if node.unary_operator() == CXUnaryOperator_Deref => {
                add(*operand, None);
            }
            (CXCursor_CallExpr, [callee, ..]) => {
                let function = function(*callee);
                if function.is_none() {
                    add(*callee, None);
                }
                let name = function.map(Cursor::name).unwrap_or_default();
                for (index, argument) in node.arguments().into_iter().enumerate() {
                    let ty = argument.ty().canonical();
                    if ty.is_pointer() || ty.is_array() {
                        add(argument, Some((name.clone(), index)));
                    }
                }
            }
            _ => {}
        }
    }

    /// Where the value of a pointer comes from.
    fn pointer(&self, node: Cursor<'tu>, known: &mut Known) -> Origins {
        let node = without_casts(node);
        if node.ty().canonical().is_array() {
            return self.address(node, known);
        }
        let children = node.children();
        match (node.kind(), &children[..]) {
            (CXCursor_DeclRefExpr, _) => self.variable(node, known),
            (CXCursor_MemberRefExpr, [base, ..]) => {
                let object = if base.ty().canonical().is_pointer() {
                    self.pointer(*base, known)
                } else {
                    self.address(*base, known)
                };
                held(object, |_| format!(".{}", node.name()))
            }
            (CXCursor_ArraySubscriptExpr, [base, _]) => held(self.pointer(*base, known), element),
            (CXCursor_UnaryOperator, [operand]) => match node.unary_operator() {
                CXUnaryOperator_Deref => held(self.pointer(*operand, known), element),
                CXUnaryOperator_AddrOf => self.address(*operand, known),
                _ => self.pointer(*operand, known),
            },
            (CXCursor_CallExpr, [callee, ..]) => {
                one(Origin::Result(function(*callee).map(Cursor::name).unwrap_or_default()))
            }
            (CXCursor_CompoundAssignOperator, [left, _]) => self.pointer(*left, known),
            (CXCursor_BinaryOperator, [left, right]) => match node.binary_operator() {
                CXBinaryOperator_Assign | CXBinaryOperator_Comma => self.pointer(*right, known),
                _ if is_pointer(*left) => self.pointer(*left, known),
                _ if is_pointer(*right) => self.pointer(*right, known),
                _ => one(Origin::Unknown),
            },
            (CXCursor_ConditionalOperator, [_, left, right]) => {
                let mut both = self.pointer(*left, known);
                both.extend(self.pointer(*right, known));
                both
            }
            (CXCursor_StringLiteral, _) => one(Origin::Own),
            _ if node.integer() == Some(0) => one(Origin::Null),
            _ => one(Origin::Unknown),
        }
    }

    /// Where the object comes from that an expression names.
    fn address(&self, node: Cursor<'tu>, known: &mut Known) -> Origins {
        let node = bare(node);
        let children = node.children();
        match (node.kind(), &children[..]) {
            (CXCursor_MemberRefExpr, [base, ..]) if !base.ty().canonical().is_pointer() => {
                self.address(*base, known)
            }
            (CXCursor_MemberRefExpr | CXCursor_ArraySubscriptExpr, [base, ..]) => self.pointer(*base, known),
            (CXCursor_UnaryOperator, [operand]) if node.unary_operator() == CXUnaryOperator_Deref => {
                self.pointer(*operand, known)
            }
            (CXCursor_DeclRefExpr, _) => match declared(node) {
                Some(variable) if is_shared(variable) => shared(variable),
                _ => one(Origin::Own),
            },
            _ => one(Origin::Own),
        }
    }

    fn variable(&self, node: Cursor<'tu>, known: &mut Known) -> Origins {
        let Some(variable) = declared(node) else { return one(Origin::Own) };
        if is_shared(variable) {
            return shared(variable);
        }
        let identity = variable.identity();
        if let Some(origins) = known.get(&identity) {
            return origins.clone();
        }
        let mut first = Origins::new();
        if variable.kind() == CXCursor_ParmDecl {
            first.insert(Origin::Parameter(variable.name()));
        }
        if self.addressed.contains(&identity) {
            first.insert(Origin::Unknown);
        }
        known.insert(identity, first);
        for _ in 0..ROUNDS {
            for value in self.assigned.get(&identity).into_iter().flatten() {
                let more = self.pointer(*value, known);
                known.entry(identity).or_default().extend(more);
            }
        }
        known.get(&identity).cloned().unwrap_or_default()
    }
}

/// What an object holds: of one that was given, whatever was put there.
fn held(object: Origins, name: impl Fn(&Origin) -> String) -> Origins {
    let within = |origin: Origin| match &origin {
        Origin::Parameter(_) | Origin::Variable(_) | Origin::Held(_) => Origin::Held(name(&origin)),
        _ => origin,
    };
    object.into_iter().filter(|origin| *origin != Origin::Null).map(within).collect()
}

fn element(of: &Origin) -> String {
    match of {
        Origin::Parameter(name) | Origin::Variable(name) | Origin::Held(name) => {
            format!("{}[]", name.trim_end_matches("[]"))
        }
        _ => String::new(),
    }
}

fn one(origin: Origin) -> Origins {
    Origins::from([origin])
}

fn is_pointer(node: Cursor<'_>) -> bool {
    let ty = bare(node).ty().canonical();
    ty.is_pointer() || ty.is_array()
}

/// The function that is called by its name.
fn function(callee: Cursor<'_>) -> Option<Cursor<'_>> {
    let callee = without_casts(callee);
    callee.referenced().filter(|named| named.kind() == CXCursor_FunctionDecl)
}

/// What is in a table that nobody can change is the program's own.
fn shared(variable: Cursor<'_>) -> Origins {
    let ty = variable.ty().canonical();
    // Of an array the elements are, or all of it.
    let is_fixed = ty.is_const() || ty.is_array() && ty.array_element().is_const();
    if is_fixed { one(Origin::Own) } else { one(Origin::Variable(variable.name())) }
}

/// A global, or a static local, which keeps what an earlier call left there.
fn is_shared(variable: Cursor<'_>) -> bool {
    variable.kind() == CXCursor_VarDecl
        && (matches!(variable.storage_class(), CX_SC_Static | CX_SC_Extern)
            || variable.semantic_parent().is_none_or(|parent| parent.kind() != CXCursor_FunctionDecl))
}
