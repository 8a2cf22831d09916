//! A walk over a function's body for what it says about the values it is given: which variables it looks at,
//! how it indexes with them, which integer bounds an index into which pointer, what a `void *` really is, through
//! which pointers it writes.
//!
//! Flow-insensitive, and told by names: a local that hides a parameter is taken for it.

use crate::clang::{Cursor, Type};
use crate::counted::Counted;
use crate::expression::{
    bare, is_argument_list, is_char, is_null, parameter, pointed_parameter, stride, sum, variable,
    without_casts,
};
use crate::handed::{Handed, HandedOn};
use crate::links::Links;
use crate::needed::{Need, needs};
use crate::origin::{Origins, Tested};
use crate::parse::UnitBuilder;
use crate::program::{Facts, IndexUse, LengthUse, TypeKind};
use crate::steps::{numbered, stepped};
use clang_sys::*;
use std::collections::BTreeMap;

/// Below are null pointers and small numbers in disguise; a device's registers are no higher.
const ADDRESSES: std::ops::Range<u64> = 0x1_0000..0x1_0000_0000;

/// Characters that a record is read from, at most.
const RECORD: u64 = 16;

/// The arguments of one call, and the callee's name.
pub(crate) type Arguments = (String, Vec<Argument>);

#[derive(Clone, Copy)]
pub(crate) struct Argument {
    pub(crate) constant: Option<i64>,
    /// Bytes of the array that is handed over by its name.
    pub(crate) room: Option<u64>,
}

/// Functions of the C library that take a pointer and how many bytes there are: the arguments that are these, and whether
/// they fill them.
pub(crate) const BUFFERED: &[(&str, usize, usize, bool)] = &[
    ("bzero", 0, 1, true),
    ("fgets", 0, 1, true),
    ("fwrite", 0, 2, false),
    ("memchr", 0, 2, false),
    ("memcmp", 0, 2, false),
    ("memcmp", 1, 2, false),
    ("memcpy", 1, 2, false),
    ("memmove", 1, 2, false),
    ("memset", 0, 2, true),
    ("pread", 1, 2, true),
    ("pwrite", 1, 2, false),
    ("read", 1, 2, true),
    ("recv", 1, 2, true),
    ("send", 1, 2, false),
    ("snprintf", 0, 1, true),
    ("strlcat", 0, 2, true),
    ("strlcpy", 0, 2, true),
    ("strncpy", 0, 2, true),
    ("vsnprintf", 0, 1, true),
    ("write", 1, 2, false),
];

#[derive(Default)]
pub(crate) struct ParsedFacts {
    pub(crate) facts: Facts,
    pub(crate) arguments: Vec<Arguments>,
    pub(crate) handed: HandedOn,
}

struct Walk<'b, 'a, 'tu> {
    unit: &'b mut UnitBuilder<'a, 'tu>,
    found: ParsedFacts,
    /// `p[i]`, and how many elements each step of the index takes.
    subscripts: Vec<(String, String, u64)>,
    /// How often `p[n]` stands in it, less those that are only set.
    reads: BTreeMap<(String, String), i32>,
    /// `i < n`.
    bounds: Vec<(String, String)>,
    /// Of the pointers that it tests for null.
    origins: Origins<'tu>,
    links: Links,
    counted: Counted<'tu>,
    /// How often each parameter's `*p` stands in it, less those that only set it.
    loads: BTreeMap<String, i32>,
    /// `p = p->next`, where that leads to another of its kind.
    lists: Vec<(String, String)>,
    /// What the function returns.
    result: Type<'tu>,
}

impl ParsedFacts {
    pub(crate) fn read<'tu>(unit: &mut UnitBuilder<'_, 'tu>, definition: Cursor<'tu>) -> ParsedFacts {
        let mut walk = Walk {
            unit,
            found: ParsedFacts::default(),
            subscripts: Vec::new(),
            reads: BTreeMap::new(),
            bounds: Vec::new(),
            origins: Origins::default(),
            links: Links::default(),
            counted: Counted::default(),
            loads: BTreeMap::new(),
            lists: Vec::new(),
            result: definition.ty().canonical().result(),
        };
        for child in definition.children().into_iter().filter(|child| child.kind() == CXCursor_CompoundStmt) {
            walk.visit(child);
        }
        for member in walk.origins.held_tests() {
            add(&mut walk.found.facts.held_tests, member);
        }
        for tested in std::mem::take(&mut walk.origins).finish() {
            walk.may_be_null(tested);
        }
        let tests = &walk.found.facts.null_tests;
        let lists = walk.lists.iter().filter(|(pointer, _)| tests.contains(pointer));
        let ends: Vec<String> = lists.map(|(_, member)| member.clone()).collect();
        ends.into_iter().for_each(|end| add(&mut walk.found.facts.list_ends, end));
        walk.links.finish(&mut walk.found.facts);
        walk.counted.finish(walk.unit, &mut walk.found.facts);
        let loaded = std::mem::take(&mut walk.loads).into_iter().filter(|(_, count)| *count > 0);
        walk.found.facts.loaded = loaded.map(|(name, _)| name).collect();
        for need in needs(definition) {
            match need {
                Need::Dereferenced(name) => add(&mut walk.found.facts.needed, name),
                Need::HandedOn(..) => walk.found.handed.needs.push(need),
            }
        }
        for (pointer, index, each) in &walk.subscripts {
            for (_, length) in walk.bounds.iter().filter(|(bounded, _)| bounded == index) {
                let (pointer, length) = (pointer.clone(), length.clone());
                let is_read =
                    walk.reads.get(&(pointer.clone(), length.clone())).is_some_and(|reads| *reads > 0);
                let used = LengthUse { pointer, length, each: *each, is_read, is_room: false };
                add(&mut walk.found.facts.lengths, used);
            }
        }
        walk.found
    }
}

impl<'tu> Walk<'_, '_, 'tu> {
    fn visit(&mut self, node: Cursor<'tu>) {
        let children = node.children();
        for record in stepped(node, &children) {
            let ty = self.unit.types.intern(record);
            if let TypeKind::Record(record) = self.unit.types.info(ty).kind {
                add(&mut self.found.facts.stepped, record);
            }
        }
        if let Some((record, least)) = numbered(node, &children) {
            let ty = self.unit.types.intern(record);
            if let TypeKind::Record(record) = self.unit.types.info(ty).kind {
                add(&mut self.found.facts.numbered, (record, least));
            }
        }
        match node.kind() {
            CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator => self.binary(node, &children),
            CXCursor_UnaryOperator => self.unary(node, &children),
            CXCursor_IfStmt | CXCursor_WhileStmt | CXCursor_SwitchStmt | CXCursor_ConditionalOperator => {
                if let Some(condition) = children.first() {
                    self.decide(*condition);
                    if node.kind() == CXCursor_SwitchStmt {
                        self.bound(*condition);
                    }
                }
            }
            CXCursor_DoStmt => {
                if let Some(condition) = children.last() {
                    self.decide(*condition);
                }
            }
            // Any of its parts may be left out; what is no pointer by itself is no null test, nor what sets one.
            CXCursor_ForStmt => {
                children.iter().filter(|part| !is_step(**part)).for_each(|part| self.test_null(*part));
            }
            CXCursor_ArraySubscriptExpr => self.subscript(&children),
            CXCursor_DeclRefExpr | CXCursor_MemberRefExpr => self.fill(node.ty()),
            CXCursor_CallExpr => self.call(&children),
            CXCursor_CStyleCastExpr => {
                if let Some(operand) = children.iter().rev().find(|child| child.is_expression()) {
                    self.convert(*operand, node.ty());
                    self.register(*operand, node.ty());
                }
            }
            CXCursor_VarDecl => {
                if let Some(initializer) = node.initializer() {
                    self.convert(initializer, node.ty());
                    self.origins.declare(node, initializer);
                }
            }
            CXCursor_ReturnStmt => {
                if let Some(value) = children.first() {
                    self.derive(*value, self.result);
                }
            }
            CXCursor_UnexposedExpr => self.argument(node, &children),
            _ => {}
        }
        let condition = condition(node.kind(), children.len());
        for (index, child) in children.into_iter().enumerate() {
            match condition {
                Some(condition) if condition != index => {
                    let before = self.origins.results();
                    self.visit(child);
                    self.origins.leave(before);
                }
                _ => self.visit(child),
            }
        }
    }

    fn binary(&mut self, node: Cursor<'tu>, children: &[Cursor<'tu>]) {
        let [left, right] = *children else { return };
        if node.kind() == CXCursor_CompoundAssignOperator {
            return self.write(left);
        }
        let is_equality = matches!(node.binary_operator(), CXBinaryOperator_EQ | CXBinaryOperator_NE);
        let is_with_zero = is_equality && (is_null(left) || is_null(right));
        match node.binary_operator() {
            CXBinaryOperator_LT | CXBinaryOperator_LE | CXBinaryOperator_GT | CXBinaryOperator_GE
            | CXBinaryOperator_EQ | CXBinaryOperator_NE
                if !is_with_zero =>
            {
                self.bound(left);
                self.bound(right);
            }
            _ => {}
        }
        let mut bounded = |index: Cursor<'tu>, length: Cursor<'tu>| {
            if let (Some(index), Some((length, _))) = (variable(index), sum(length)) {
                add(&mut self.bounds, (index, length));
            }
            self.counted.compare(index, length);
        };
        match node.binary_operator() {
            CXBinaryOperator_Assign => {
                self.write(left);
                self.only_set(bare(left));
                self.convert(right, left.ty());
                self.origins.assign(left, right);
                self.links.assign(left, right);
                self.go_on(left, right);
            }
            CXBinaryOperator_LT | CXBinaryOperator_LE => {
                bounded(left, right);
                self.cap(left, right);
                self.look_at(left);
                self.look_at(right);
            }
            CXBinaryOperator_GT | CXBinaryOperator_GE => {
                bounded(right, left);
                self.cap(left, right);
                self.look_at(left);
                self.look_at(right);
            }
            CXBinaryOperator_NE => {
                bounded(left, right);
                self.look_at(left);
                self.look_at(right);
                self.compare_with_null(left, right);
                self.links.compare(left, right);
            }
            CXBinaryOperator_EQ => {
                self.look_at(left);
                self.look_at(right);
                self.compare_with_null(left, right);
                self.links.compare(left, right);
            }
            CXBinaryOperator_LAnd | CXBinaryOperator_LOr => {
                self.decide(left);
                self.decide(right);
            }
            _ => {}
        }
    }

    /// `n > 64`, whichever way round it is written.
    fn cap(&mut self, left: Cursor<'tu>, right: Cursor<'tu>) {
        for (number, limit) in [(left, right), (right, left)] {
            if let Some(name) = variable(without_casts(number))
                && limit.integer().is_some_and(|limit| limit > 0)
            {
                add(&mut self.found.facts.capped, name);
            }
        }
    }

    /// `p = p->next`
    fn go_on(&mut self, left: Cursor<'tu>, right: Cursor<'tu>) {
        let right = without_casts(right);
        let Some(pointer) = variable(left).filter(|_| right.kind() == CXCursor_MemberRefExpr) else { return };
        if leads_on(right.ty().canonical().pointee().canonical(), &right.name()) {
            add(&mut self.lists, (pointer, format!(".{}", right.name())));
        }
    }

    fn unary(&mut self, node: Cursor<'tu>, children: &[Cursor<'tu>]) {
        let Some(operand) = children.first() else { return };
        match node.unary_operator() {
            CXUnaryOperator_PostInc
            | CXUnaryOperator_PostDec
            | CXUnaryOperator_PreInc
            | CXUnaryOperator_PreDec
            | CXUnaryOperator_AddrOf => self.write(*operand),
            CXUnaryOperator_Deref => self.load(*operand, 1),
            CXUnaryOperator_LNot => self.decide(*operand),
            _ => {}
        }
    }

    /// `*p = value`, `p[n] = value`: neither is read.
    fn only_set(&mut self, place: Cursor<'tu>) {
        let is_deref =
            place.kind() == CXCursor_UnaryOperator && place.unary_operator() == CXUnaryOperator_Deref;
        match (place.kind(), &place.children()[..]) {
            (_, [operand]) if is_deref => self.load(*operand, -1),
            (CXCursor_ArraySubscriptExpr, [base, index]) => self.read_at(*base, *index, -1),
            _ => {}
        }
    }

    /// `p[n]`, with nothing added.
    fn read_at(&mut self, base: Cursor<'tu>, index: Cursor<'tu>, count: i32) {
        if let (Some(pointer), Some(index)) = (variable(base), variable(index)) {
            *self.reads.entry((pointer, index)).or_default() += count;
        }
    }

    /// `*p` of a parameter.
    fn load(&mut self, pointer: Cursor<'tu>, count: i32) {
        if let Some(name) = parameter(pointer) {
            *self.loads.entry(name).or_default() += count;
        }
    }

    fn subscript(&mut self, children: &[Cursor<'tu>]) {
        let [base, index] = *children else { return };
        let base = bare(base);
        self.read_at(base, index, 1);
        if let Some(length) = base.ty().canonical().array_length().filter(|_| base.ty().is_array()) {
            if let Some((variable, offset)) = sum(index) {
                let is_char = is_char(index);
                add(
                    &mut self.found.facts.indexes,
                    IndexUse { variable, is_char, may_be_zero: false, offset, length },
                );
            }
        } else if let Some(pointer) = variable(base) {
            if let Some((index, each)) = stride(index) {
                add(&mut self.subscripts, (pointer, index, each));
            }
        } else {
            self.counted.subscript(base, index);
        }
    }

    /// An element of several members is read from several characters.
    fn fill(&mut self, array: Type<'tu>) {
        let Some(length) = array.canonical().array_length().filter(|_| array.is_array()) else { return };
        let element = array.canonical().array_element().canonical();
        if element.is_const() {
            return;
        }
        let each = if element.is_record() { element.size().unwrap_or(1).clamp(1, RECORD) } else { 1 };
        let fills = &mut self.found.facts.fills;
        *fills = length.saturating_mul(each).max(*fills);
    }

    fn call(&mut self, children: &[Cursor<'tu>]) {
        let Some((callee, arguments)) = children.split_first() else { return };
        let callee = bare(*callee);
        let function = callee.referenced().filter(|named| named.kind() == CXCursor_FunctionDecl);
        if callee.kind() == CXCursor_DeclRefExpr
            && let Some(function) = function
        {
            arguments.iter().for_each(|argument| self.hand_on(*argument));
            for (at, argument) in arguments.iter().enumerate() {
                if let Some(variable) = parameter(*argument).filter(|_| !argument.ty().is_pointer()) {
                    let is_char = is_char(*argument);
                    let handed = Handed { callee: function.name(), argument: at, variable, is_char };
                    add(&mut self.found.handed.indexes, handed);
                }
            }
            self.buffers(&function.name(), arguments);
            let argument =
                |argument: &Cursor<'tu>| Argument { constant: argument.integer(), room: room(*argument) };
            self.found.arguments.push((function.name(), arguments.iter().map(argument).collect()));
        }
    }

    /// `memset(p, 0, n)`: there are as many bytes.
    fn buffers(&mut self, callee: &str, arguments: &[Cursor<'tu>]) {
        let callee = callee.strip_prefix("__builtin_").unwrap_or(callee);
        for (_, pointer, size, is_room) in BUFFERED.iter().filter(|(name, ..)| *name == callee) {
            let (Some(pointer), Some(size)) = (arguments.get(*pointer), arguments.get(*size)) else {
                continue;
            };
            let pointer = without_casts(*pointer);
            let pointee = pointer.ty().canonical().pointee().canonical();
            let is_bytes = pointee.kind() == CXType_Void || pointee.size() == Some(1);
            let names = variable(pointer).zip(variable(without_casts(*size)));
            if let Some((pointer, length)) = names.filter(|_| is_bytes) {
                let used = LengthUse { pointer, length, each: 1, is_read: false, is_room: *is_room };
                add(&mut self.found.facts.lengths, used);
            }
        }
    }

    /// What a pointer leads to may be written by whoever gets it.
    fn hand_on(&mut self, node: Cursor<'tu>) {
        let node = without_casts(node);
        if node.ty().is_pointer()
            && let Some(name) = parameter(node)
        {
            add(&mut self.found.facts.stores, name);
        }
    }

    /// A number becomes a pointer to an object: `(volatile uint32_t *)0x40021000`.
    fn register(&mut self, operand: Cursor<'tu>, to: Type<'tu>) {
        let object = to.canonical();
        if !object.is_pointer() || operand.ty().is_pointer() {
            return;
        }
        let pointee = object.pointee();
        let sized = pointee.canonical().size().is_some_and(|size| size > 0) && !pointee.is_function();
        let address = operand.integer().and_then(|value| u64::try_from(value).ok());
        if let Some(address) = address.filter(|address| sized && ADDRESSES.contains(address)) {
            let ty = self.unit.types.intern(pointee);
            add(&mut self.found.facts.registers, (address, ty));
        }
    }

    /// `va_arg(list, type)`, for which the front end has no word of its own.
    fn argument(&mut self, node: Cursor<'tu>, children: &[Cursor<'tu>]) {
        let list = children.first().filter(|child| child.is_expression());
        if list.is_some_and(|list| is_argument_list(list.ty())) && !is_argument_list(node.ty()) {
            let ty = self.unit.types.intern(node.ty());
            add(&mut self.found.facts.arguments, ty);
        }
    }

    /// A pointer to a record becomes one to another record, which may hold the first one.
    fn derive(&mut self, operand: Cursor<'tu>, to: Type<'tu>) {
        let target = |ty: Type<'tu>| {
            let pointee = ty.canonical().pointee().canonical();
            (ty.is_pointer() && pointee.is_record() && pointee.size().is_some()).then_some(pointee)
        };
        let Some(derived) = target(to) else { return };
        let mut operand = without_casts(operand);
        let mut offset = 0;
        // `(type *)((char *)pointer - offsetof(type, member))`
        if operand.kind() == CXCursor_BinaryOperator && operand.binary_operator() == CXBinaryOperator_Sub {
            let [pointer, bytes] = operand.children()[..] else { return };
            let Some(bytes) = bytes.integer().and_then(|bytes| u64::try_from(bytes).ok()) else { return };
            (operand, offset) = (without_casts(pointer), bytes);
        }
        let Some(base) = target(operand.ty()) else { return };
        if base.declaration().map(Cursor::identity) != derived.declaration().map(Cursor::identity) {
            self.unit.derive(base, derived, offset);
        }
    }

    /// A parameter, a member or a result that points to nothing known becomes a pointer to an object.
    fn convert(&mut self, operand: Cursor<'tu>, to: Type<'tu>) {
        if to.is_pointer() {
            self.hand_on(operand);
            self.derive(operand, to);
        }
        let operand = bare(operand);
        let is_void =
            |ty: Type<'tu>| ty.is_pointer() && ty.canonical().pointee().canonical().kind() == CXType_Void;
        let is_incomplete = |ty: Type<'tu>| {
            let pointee = ty.canonical().pointee().canonical();
            ty.is_pointer() && pointee.is_record() && pointee.size().is_none()
        };
        let (object, ty) = (to.canonical(), operand.ty());
        let sized = object.is_pointer() && object.pointee().canonical().size().is_some_and(|size| size > 1);
        if !sized || object.pointee().is_function() || !(is_void(ty) || is_incomplete(ty)) {
            return;
        }
        let Some(named) = operand.referenced() else { return };
        match (operand.kind(), named.kind()) {
            (CXCursor_DeclRefExpr, CXCursor_ParmDecl) => {
                let ty = self.unit.types.intern(to);
                add(&mut self.found.facts.casts, (operand.name(), ty));
            }
            (CXCursor_MemberRefExpr, CXCursor_FieldDecl) => {
                let ty = self.unit.types.intern(to);
                if let Some((record, index)) = self.unit.types.field(named)
                    && let Some(field) = self.unit.types.records[record.index()].fields.get_mut(index)
                {
                    add(&mut field.casts, ty);
                }
            }
            (CXCursor_CallExpr, CXCursor_FunctionDecl) => {
                let size = object.pointee().canonical().size().unwrap_or(0);
                add(&mut self.found.facts.results, (named.name(), size));
            }
            _ => {}
        }
    }

    /// Every variable of an expression takes part in a decision.
    fn look_at(&mut self, node: Cursor<'tu>) {
        if let Some(name) = variable(node) {
            add(&mut self.found.facts.compared, name);
            return;
        }
        for child in node.children() {
            self.look_at(child);
        }
    }

    /// The variables that a value is computed from, but for those that only say where it is.
    fn bound(&mut self, node: Cursor<'tu>) {
        let node = without_casts(node);
        if let Some(name) = variable(node) {
            add(&mut self.found.facts.bounded, name);
        } else if node.kind() == CXCursor_MemberRefExpr {
            add(&mut self.found.facts.bounded, format!(".{}", node.name()));
        } else if !matches!(node.kind(), CXCursor_ArraySubscriptExpr | CXCursor_CallExpr) {
            node.children().into_iter().for_each(|child| self.bound(child));
        }
    }

    /// A variable that is itself the condition.
    fn decide(&mut self, node: Cursor<'tu>) {
        if let Some(name) = variable(node) {
            add(&mut self.found.facts.compared, name);
        }
        self.test_null(node);
    }

    fn compare_with_null(&mut self, left: Cursor<'tu>, right: Cursor<'tu>) {
        if is_null(right) {
            self.test_null(left);
        } else if is_null(left) {
            self.test_null(right);
        }
    }

    /// A pointer as a truth value.
    fn test_null(&mut self, node: Cursor<'tu>) {
        let mut node = bare(node);
        // `(p = next()) != 0`
        if node.kind() == CXCursor_BinaryOperator && node.binary_operator() == CXBinaryOperator_Assign {
            let [left, right] = node.children()[..] else { return };
            node = bare(left);
            self.origins.assign(left, right);
        }
        if !node.ty().is_pointer() {
            return;
        }
        self.unit.meet_null(node);
        let target = node.ty().canonical().pointee().canonical();
        let name = match node.kind() {
            CXCursor_MemberRefExpr => Some(format!(".{}", node.name())),
            _ => variable(node),
        };
        if let Some(tested) = self.origins.test(node, Tested { name, target }) {
            self.may_be_null(tested);
        }
    }

    fn may_be_null(&mut self, Tested { name, target }: Tested<'tu>) {
        let named = target.declaration().filter(|record| target.is_record() && !record.is_unnamed());
        if let Some(record) = named {
            add(&mut self.found.facts.null_types, record.name());
        }
        if target.is_function() {
            let ty = self.unit.types.intern(target);
            add(&mut self.found.facts.null_code, ty);
        }
        if let Some(name) = name {
            if name.strip_prefix('.').is_some_and(|member| leads_on(target, member)) {
                add(&mut self.found.facts.list_ends, name.clone());
            }
            add(&mut self.found.facts.null_tests, name);
        }
    }

    fn write(&mut self, node: Cursor<'tu>) {
        if let Some(name) = pointed_parameter(node) {
            add(&mut self.found.facts.stores, name);
        }
        if let Some(name) = variable(node) {
            add(&mut self.found.facts.written, name);
        }
        let mut node = bare(node);
        // An element of an array is a part of it.
        while node.kind() == CXCursor_ArraySubscriptExpr
            && let Some(array) = node.children().first().map(|array| bare(*array))
            && array.ty().is_array()
        {
            node = array;
        }
        if node.kind() == CXCursor_MemberRefExpr {
            add(&mut self.found.facts.written, format!(".{}", node.name()));
        }
    }
}

/// A record has a member of this name that points to another one of its kind.
fn leads_on(record: Type<'_>, member: &str) -> bool {
    let kind = |ty: Type<'_>| ty.canonical().declaration().map(Cursor::identity);
    let leads = |field: &Cursor<'_>| {
        let ty = field.ty().canonical();
        field.name() == member && ty.is_pointer() && kind(ty.pointee()) == kind(record)
    };
    record.is_record() && record.fields().iter().any(leads)
}

/// Bytes of an array that stands there by its name.
fn room(argument: Cursor<'_>) -> Option<u64> {
    let node = without_casts(argument);
    let is_named = matches!(node.kind(), CXCursor_DeclRefExpr | CXCursor_MemberRefExpr);
    let ty = node.ty().canonical();
    ty.size().filter(|_| is_named && ty.array_length().is_some_and(|length| length > 1))
}

pub(crate) fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// Which of a statement's parts is executed whatever happens; the others may not be, or not only after it.
fn condition(kind: CXCursorKind, parts: usize) -> Option<usize> {
    match kind {
        CXCursor_IfStmt | CXCursor_WhileStmt | CXCursor_SwitchStmt | CXCursor_ConditionalOperator => Some(0),
        CXCursor_DoStmt => Some(parts.saturating_sub(1)),
        // What stands first is its beginning, or may be: any of its parts may be left out.
        CXCursor_ForStmt => Some(0),
        _ => None,
    }
}

/// `p = first`, `p++`, `p += 2`: what stands before or after a round of a loop.
fn is_step(node: Cursor<'_>) -> bool {
    match node.kind() {
        CXCursor_BinaryOperator => {
            matches!(node.binary_operator(), CXBinaryOperator_Assign | CXBinaryOperator_Comma)
        }
        CXCursor_CompoundAssignOperator | CXCursor_UnaryOperator => true,
        _ => false,
    }
}
