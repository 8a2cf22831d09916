//! Which functions, and which objects of the program, are put into which globals and record fields: initialisers and
//! assignments, by type.
//!
//! Only what is written down as a function's name at the place itself. Functions handed on through
//! variables and parameters are found by type instead, see `transitive.rs`. Null is one of the targets where it is
//! put there, left out of an initialiser, or tested for; what is not known stands for itself.

use crate::clang::{Cursor, Type};
use crate::expression::is_null;
use crate::parse::UnitBuilder;
use crate::program::{GlobalId, NULL, RecordId, SOMETHING};
use crate::types::element_of;
use clang_sys::*;
use std::iter::Peekable;
use std::vec::IntoIter;

/// A storage place that a function may be put into.
#[derive(Clone, Copy)]
struct Slot {
    global: Option<GlobalId>,
    field: Option<(RecordId, usize)>,
}

type Items<'tu> = Peekable<IntoIter<Cursor<'tu>>>;

impl<'tu> UnitBuilder<'_, 'tu> {
    /// A variable with an initialiser; `global` is None for automatic variables.
    pub(crate) fn initialize(&mut self, global: Option<GlobalId>, ty: Type<'tu>, initializer: Cursor<'tu>) {
        let id = self.types.intern(ty);
        if self.types.holds_targets(id) {
            self.put(Slot { global, field: None }, ty, initializer);
        }
    }

    pub(crate) fn initialize_literal(&mut self, literal: Cursor<'tu>) {
        if let Some(list) = literal.children().into_iter().find(|c| c.kind() == CXCursor_InitListExpr) {
            self.initialize(None, literal.ty(), list);
        }
    }

    /// An assignment `left = right`.
    pub(crate) fn assign(&mut self, left: Cursor<'tu>, right: Cursor<'tu>) {
        let functions = functions_in(right);
        if !functions.is_empty() {
            let slot = self.slot(left);
            self.add_targets(slot, &functions);
        } else if is_code(left.ty()) && is_null(right) {
            self.meet_null(left);
        } else if is_code(left.ty()) {
            let slot = self.slot(left);
            self.add_target(slot, SOMETHING);
        } else if is_object(left.ty()) {
            let slot = self.slot(left);
            self.put_objects(slot, right);
        }
    }

    /// A pointer to a record whose own address is taken: anything may be put into it.
    pub(crate) fn expose(&mut self, place: Cursor<'tu>) {
        if is_object(place.ty()) {
            let slot = self.slot(place);
            self.add_object(slot, SOMETHING);
        }
    }

    fn put_objects(&mut self, slot: Slot, value: Cursor<'tu>) {
        let mut objects = Vec::new();
        let mut is_known = objects_in(value, &mut objects);
        for object in objects {
            match self.global(object).and_then(|id| self.name_at_file_scope(id)) {
                Some(name) => self.add_object(slot, &name),
                None => is_known = false,
            }
        }
        if !is_known {
            self.add_object(slot, SOMETHING);
        }
    }

    fn add_object(&mut self, slot: Slot, name: &str) {
        // A member of a global is that member, wherever the record is.
        let global = slot.global.filter(|_| slot.field.is_none());
        self.add_target(Slot { global, ..slot }, name);
    }

    /// A pointer to a function that is tested for null, or set to it.
    pub(crate) fn meet_null(&mut self, place: Cursor<'tu>) {
        if is_code(place.ty()) {
            let slot = self.slot(place);
            self.add_target(slot, NULL);
        }
    }

    fn add_targets(&mut self, slot: Slot, functions: &[Cursor<'tu>]) {
        for function in functions {
            let name = self.take_address(*function);
            self.add_target(slot, &name);
        }
    }

    fn add_target(&mut self, slot: Slot, name: &str) {
        if let Some(global) = slot.global {
            self.add_global_target(global, name);
        }
        if let Some((record, index)) = slot.field
            && let Some(field) = self.types.records[record.index()].fields.get_mut(index)
            && !field.targets.iter().any(|known| known == name)
        {
            field.targets.push(name.to_owned());
        }
    }

    /// The slot that the left side of an assignment denotes: the innermost field and the outermost global.
    fn slot(&mut self, left: Cursor<'tu>) -> Slot {
        let mut slot = Slot { global: None, field: None };
        let mut node = left;
        loop {
            let children = node.children();
            let next = match node.kind() {
                CXCursor_MemberRefExpr => {
                    if slot.field.is_none() {
                        slot.field = node.referenced().and_then(|field| self.types.field(field));
                    }
                    // What a pointer leads to is not part of the global that holds the pointer.
                    children.first().copied().filter(|base| !base.ty().is_pointer())
                }
                CXCursor_ArraySubscriptExpr => {
                    children.iter().copied().find(|c| c.ty().is_pointer() || c.ty().is_array())
                }
                CXCursor_ParenExpr | CXCursor_UnexposedExpr | CXCursor_UnaryOperator => {
                    children.last().copied()
                }
                CXCursor_DeclRefExpr => {
                    if let Some(variable) = node.referenced().filter(|d| d.kind() == CXCursor_VarDecl) {
                        slot.global = self.global(variable);
                    }
                    None
                }
                _ => None,
            };
            match next {
                Some(inner) => node = inner,
                None => return slot,
            }
        }
    }

    fn put(&mut self, slot: Slot, ty: Type<'tu>, value: Cursor<'tu>) {
        let value = strip(value);
        if value.kind() != CXCursor_InitListExpr {
            if is_object(ty) {
                return self.put_objects(slot, value);
            }
            if is_code(ty) && is_null(value) {
                self.add_target(slot, NULL);
            }
            return self.add_targets(slot, &functions_in(value));
        }
        // `{0}` only says that all of it is set later.
        if is_blank(value) {
            return;
        }
        let mut items = value.children().into_iter().peekable();
        if ty.is_array() || ty.is_record() {
            self.fill(slot, ty, &mut items, true);
        } else if let Some(item) = items.next() {
            self.put(slot, ty, item);
        }
    }

    /// Hands the items of a list to the parts of an aggregate. Without braces of its own an aggregate takes
    /// only as many as it has parts.
    fn fill(&mut self, slot: Slot, ty: Type<'tu>, items: &mut Items<'tu>, braced: bool) {
        if ty.is_array() {
            let length = ty.canonical().array_length();
            let element = element_of(ty);
            let mut index = 0;
            while let Some(item) = items.peek() {
                if let Some((path, value)) = designation(*item) {
                    if !braced {
                        return;
                    }
                    items.next();
                    self.designated(slot, ty, &path, value);
                } else if !braced && length.is_some_and(|length| index >= length) {
                    return;
                } else {
                    self.take(slot, element, items);
                }
                index += 1;
            }
            return;
        }
        let mut fields = ty.canonical().fields();
        fields.retain(|f| f.bit_width().is_none() || !f.name().is_empty());
        let is_union = ty.canonical().declaration().is_some_and(|d| d.kind() == CXCursor_UnionDecl);
        let count = if is_union { fields.len().min(1) } else { fields.len() };
        let mut given = vec![false; fields.len()];
        let mut index = 0;
        while let Some(item) = items.peek() {
            if let Some((path, value)) = designation(*item) {
                if !braced {
                    return;
                }
                items.next();
                if let Some(first) = path.first().and_then(|d| d.referenced()) {
                    index =
                        fields.iter().position(|f| f.identity() == first.identity()).map_or(index, |i| i + 1);
                    if let Some(given) = index.checked_sub(1).and_then(|index| given.get_mut(index)) {
                        *given = true;
                    }
                }
                self.designated(slot, ty, &path, value);
            } else if index < count {
                let field = fields[index];
                given[index] = true;
                index += 1;
                let slot = Slot { field: self.types.field(field), ..slot };
                self.take(slot, field.ty(), items);
            } else if braced {
                items.next();
            } else {
                break;
            }
        }
        for (field, _) in
            fields.iter().zip(given).filter(|(field, given)| !given && !is_union && is_code(field.ty()))
        {
            let slot = Slot { field: self.types.field(*field), ..slot };
            self.add_target(slot, NULL);
        }
    }

    /// One part: a braced list, a whole value, or as many items as it needs.
    fn take(&mut self, slot: Slot, ty: Type<'tu>, items: &mut Items<'tu>) {
        let Some(item) = items.peek().copied() else { return };
        let value = strip(item);
        let is_whole = match value.kind() {
            CXCursor_InitListExpr => true,
            _ if ty.is_record() => value.ty().is_record(),
            _ if ty.is_array() => {
                matches!(value.kind(), CXCursor_StringLiteral | CXCursor_CompoundLiteralExpr)
            }
            _ => true,
        };
        if is_whole {
            items.next();
            self.put(slot, ty, item);
        } else {
            let before = items.len();
            self.fill(slot, ty, items, false);
            // An empty aggregate takes nothing; the item must not be seen again.
            if items.len() == before {
                items.next();
            }
        }
    }

    fn designated(&mut self, slot: Slot, ty: Type<'tu>, path: &[Cursor<'tu>], value: Cursor<'tu>) {
        let (mut slot, mut ty) = (slot, ty);
        for step in path {
            if step.kind() == CXCursor_MemberRef {
                let Some(field) = step.referenced() else { return };
                slot.field = self.types.field(field);
                ty = field.ty();
            } else if ty.is_array() {
                // The second bound of a range finds no array left, or one that does not matter.
                ty = element_of(ty);
            }
        }
        self.put(slot, ty, value);
    }
}

/// `.a[2].b = value`: the steps and the value.
fn designation<'tu>(item: Cursor<'tu>) -> Option<(Vec<Cursor<'tu>>, Cursor<'tu>)> {
    if item.kind() != CXCursor_UnexposedExpr {
        return None;
    }
    let mut path = item.children();
    if path.len() < 2 {
        return None;
    }
    let value = path.pop()?;
    Some((path, value))
}

/// A list of nothing but zeros.
fn is_blank(list: Cursor<'_>) -> bool {
    list.children().into_iter().all(|item| {
        let value = designation(item).map_or(item, |(_, value)| value);
        let value = strip(value);
        if value.kind() == CXCursor_InitListExpr { is_blank(value) } else { is_null(value) }
    })
}

/// A pointer to a function.
fn is_code(ty: Type<'_>) -> bool {
    let ty = ty.canonical();
    ty.is_pointer() && ty.pointee().is_function()
}

/// A pointer to a record.
fn is_object(ty: Type<'_>) -> bool {
    let ty = ty.canonical();
    ty.is_pointer() && ty.pointee().canonical().is_record()
}

/// Collects the variables whose addresses an expression may evaluate to; false if it may be something else, too. Null is
/// nothing else: whether a pointer may be null is told elsewhere.
fn objects_in<'tu>(node: Cursor<'tu>, objects: &mut Vec<Cursor<'tu>>) -> bool {
    if is_null(node) {
        return true;
    }
    let children = node.children();
    match (node.kind(), &children[..]) {
        (CXCursor_UnaryOperator, [operand]) if node.unary_operator() == CXUnaryOperator_AddrOf => {
            let operand = strip(*operand);
            let variable = operand.referenced().filter(|to| {
                operand.kind() == CXCursor_DeclRefExpr
                    && to.kind() == CXCursor_VarDecl
                    && operand.ty().canonical().is_record()
            });
            objects.extend(variable);
            variable.is_some()
        }
        (CXCursor_ParenExpr | CXCursor_UnexposedExpr, [inner]) => objects_in(*inner, objects),
        (CXCursor_CStyleCastExpr, [.., inner]) if is_object(inner.ty()) => objects_in(*inner, objects),
        (CXCursor_ConditionalOperator, [_, yes, no]) => {
            let yes = objects_in(*yes, objects);
            objects_in(*no, objects) && yes
        }
        _ => false,
    }
}

fn strip(node: Cursor<'_>) -> Cursor<'_> {
    match (node.kind(), &node.children()[..]) {
        (CXCursor_ParenExpr | CXCursor_UnexposedExpr, [inner]) => strip(*inner),
        _ => node,
    }
}

/// The functions that an expression may evaluate to, as far as it names them itself.
fn functions_in(node: Cursor<'_>) -> Vec<Cursor<'_>> {
    let children = node.children();
    match node.kind() {
        CXCursor_DeclRefExpr => {
            node.referenced().filter(|d| d.kind() == CXCursor_FunctionDecl).into_iter().collect()
        }
        CXCursor_UnaryOperator
            if !matches!(node.unary_operator(), CXUnaryOperator_AddrOf | CXUnaryOperator_Deref) =>
        {
            Vec::new()
        }
        CXCursor_ParenExpr | CXCursor_UnexposedExpr | CXCursor_CStyleCastExpr | CXCursor_UnaryOperator => {
            children.last().map(|c| functions_in(*c)).unwrap_or_default()
        }
        CXCursor_ConditionalOperator => children.iter().skip(1).flat_map(|c| functions_in(*c)).collect(),
        CXCursor_BinaryOperator
            if matches!(node.binary_operator(), CXBinaryOperator_Comma | CXBinaryOperator_Assign) =>
        {
            children.last().map(|c| functions_in(*c)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}
