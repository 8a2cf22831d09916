//! One walk over a function's body: which globals it reads and writes, which pointers in records it reads, whom it
//! calls, how many decisions.
//!
//! Flow-insensitive and without aliases: taking an address counts as reading and writing. Accesses through
//! pointers are not followed.

use crate::clang::{Cursor, Type};
use crate::expression::{bare, declared, without_casts};
use crate::flows::step;
use crate::parse::UnitBuilder;
use crate::program::{GlobalId, GlobalUse, RecordId, TypeId};
use clang_sys::*;

pub(crate) struct Body {
    pub(crate) globals: Vec<GlobalUse>,
    pub(crate) calls: Vec<String>,
    pub(crate) indirect_calls: Vec<TypeId>,
    pub(crate) pointer_reads: Vec<(RecordId, u32)>,
    /// Arrays that are handed to a function by their name: the array, the function, which argument.
    pub(crate) passed: Vec<(GlobalId, String, usize)>,
    /// Parameters and locals whose value goes elsewhere, or through which something is written; the others are read through.
    pub(crate) kept: Vec<String>,
    /// Arrays in records, by their names with a dot before them: of which elements are taken, and that go elsewhere as a whole.
    pub(crate) member_arrays: Vec<String>,
    pub(crate) buffers: Vec<String>,
    pub(crate) complexity: u32,
}

/// Functions that set memory to zeros, or to one value.
const CLEARING: &[&str] = &["memset", "bzero", "explicit_bzero"];

#[derive(Clone, Copy, PartialEq, Eq)]
struct Access {
    reads: bool,
    writes: bool,
}

const READ: Access = Access { reads: true, writes: false };
const WRITE: Access = Access { reads: false, writes: true };
const BOTH: Access = Access { reads: true, writes: true };

/// What happens to the object that an expression denotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Its value is taken; an array decays, which is taking its address.
    Value,
    /// It, or a part of it, is accessed in place.
    Object(Access),
}

struct Walk<'b, 'a, 'tu> {
    unit: &'b mut UnitBuilder<'a, 'tu>,
    function: &'b str,
    body: Body,
    /// Arrays that locals and parameters point into.
    pointed: Vec<(GlobalId, String)>,
}

impl Body {
    pub(crate) fn read<'tu>(unit: &mut UnitBuilder<'_, 'tu>, definition: Cursor<'tu>, name: &str) -> Body {
        let body = Body {
            globals: Vec::new(),
            calls: Vec::new(),
            indirect_calls: Vec::new(),
            pointer_reads: Vec::new(),
            passed: Vec::new(),
            kept: Vec::new(),
            member_arrays: Vec::new(),
            buffers: Vec::new(),
            complexity: 1,
        };
        let mut walk = Walk { unit, function: name, body, pointed: Vec::new() };
        for child in definition.children() {
            if child.kind() == CXCursor_CompoundStmt {
                walk.visit(child, Role::Value);
            }
        }
        for (global, pointer) in std::mem::take(&mut walk.pointed) {
            let is_kept = walk.body.kept.contains(&pointer);
            walk.record(global, if is_kept { BOTH } else { READ });
        }
        walk.body
    }
}

impl<'tu> Walk<'_, '_, 'tu> {
    fn visit(&mut self, node: Cursor<'tu>, role: Role) {
        match node.kind() {
            CXCursor_DeclRefExpr => self.name(node, role),
            CXCursor_MemberRefExpr => self.member(node, role),
            CXCursor_ArraySubscriptExpr => self.subscript(node, role),
            CXCursor_UnaryOperator => self.unary(node, role),
            CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator => self.binary(node, role),
            CXCursor_ConditionalOperator => {
                self.body.complexity += 1;
                if let [condition, yes, no] = node.children()[..] {
                    self.visit(condition, Role::Value);
                    self.visit(yes, role);
                    self.visit(no, role);
                }
            }
            CXCursor_CallExpr => self.call(node),
            CXCursor_VarDecl => self.variable(node),
            // Operands of sizeof and alignof are not evaluated.
            CXCursor_UnaryExpr => {}
            CXCursor_CompoundLiteralExpr => {
                self.unit.initialize_literal(node);
                self.each(node, Role::Value);
            }
            CXCursor_AsmStmt => self.each(node, Role::Object(BOTH)),
            CXCursor_IfStmt | CXCursor_WhileStmt | CXCursor_DoStmt | CXCursor_CaseStmt => {
                self.body.complexity += 1;
                self.each(node, Role::Value);
            }
            CXCursor_ForStmt => {
                if has_condition(node) {
                    self.body.complexity += 1;
                }
                self.each(node, Role::Value);
            }
            CXCursor_ParenExpr | CXCursor_UnexposedExpr => self.each(node, role),
            CXCursor_FunctionDecl | CXCursor_StructDecl | CXCursor_UnionDecl | CXCursor_EnumDecl => {}
            CXCursor_TypedefDecl => {}
            _ => self.each(node, Role::Value),
        }
    }

    fn each(&mut self, node: Cursor<'tu>, role: Role) {
        for child in node.children() {
            self.visit(child, role);
        }
    }

    fn name(&mut self, node: Cursor<'tu>, role: Role) {
        let Some(declaration) = node.referenced() else { return };
        match declaration.kind() {
            CXCursor_FunctionDecl => {
                self.unit.take_address(declaration);
            }
            CXCursor_VarDecl => {
                if let Some(global) = self.unit.global(declaration) {
                    let decays = role == Role::Value && node.ty().is_array();
                    self.record(global, access(role, decays));
                } else {
                    self.keep(declaration, role);
                }
            }
            CXCursor_ParmDecl => self.keep(declaration, role),
            _ => {}
        }
    }

    fn keep(&mut self, declaration: Cursor<'tu>, role: Role) {
        // That it is set says nothing of what it leads to.
        if role != Role::Object(WRITE) {
            let name = declaration.name();
            if !self.body.kept.contains(&name) {
                self.body.kept.push(name);
            }
        }
    }

    fn record(&mut self, global: GlobalId, access: Access) {
        // Through a constant nothing is written, wherever its address goes.
        let writes = access.writes && !self.unit.global_info(global).is_const;
        let reads = access.reads || (access.writes && !writes);
        match self.body.globals.iter_mut().find(|u| u.global == global) {
            Some(known) => {
                known.reads |= reads;
                known.writes |= writes;
            }
            None => self.body.globals.push(GlobalUse { global, reads, writes }),
        }
    }

    fn member(&mut self, node: Cursor<'tu>, role: Role) {
        let decays = role == Role::Value && node.ty().is_array();
        if access(role, decays).reads && leads_to_objects(node.ty()) {
            self.read_pointer(node);
        }
        if node.ty().is_array() {
            let arrays = if decays { &mut self.body.buffers } else { &mut self.body.member_arrays };
            let name = format!(".{}", node.name());
            if !arrays.contains(&name) {
                arrays.push(name);
            }
        }
        for base in node.children().into_iter().filter(|c| c.is_expression()) {
            if base.ty().is_pointer() && !denotes_array(base) {
                self.follow(base, access(role, decays));
            } else {
                self.visit(base, Role::Object(access(role, decays)));
            }
        }
    }

    fn read_pointer(&mut self, node: Cursor<'tu>) {
        let Some((record, index)) = node.referenced().and_then(|named| self.unit.types.field(named)) else {
            return;
        };
        let read = (record, index as u32);
        if !self.body.pointer_reads.contains(&read) {
            self.body.pointer_reads.push(read);
        }
    }

    fn subscript(&mut self, node: Cursor<'tu>, role: Role) {
        let decays = role == Role::Value && node.ty().is_array();
        for operand in node.children() {
            // `i[a]` is `a[i]`: the operands are told apart by type.
            if denotes_array(operand) {
                self.visit(operand, Role::Object(access(role, decays)));
            } else {
                self.follow(operand, access(role, decays));
            }
        }
    }

    /// The pointer of an access, or the index.
    fn follow(&mut self, pointer: Cursor<'tu>, access: Access) {
        if let Some(array) = self.place_in_array(pointer) {
            self.record(array, access);
        } else if access != READ || !self.is_own_variable(pointer) {
            self.visit(pointer, Role::Value);
        }
    }

    /// The global array that a pointer was made of: `table`, `table + n`, `&table[n]`. What says where in it is visited.
    fn place_in_array(&mut self, pointer: Cursor<'tu>) -> Option<GlobalId> {
        let (array, offsets) = array_of(pointer)?;
        let global = self.unit.global(array)?;
        offsets.into_iter().for_each(|offset| self.visit(offset, Role::Value));
        Some(global)
    }

    /// A variable gets a value: where that is a place in an array, what is done with the variable is done with that.
    fn point(&mut self, variable: Cursor<'tu>, value: Cursor<'tu>) -> bool {
        if !variable.ty().is_pointer() || !self.is_own(variable) {
            return false;
        }
        let array = self.place_in_array(value);
        self.pointed.extend(array.map(|array| (array, variable.name())));
        array.is_some()
    }

    /// A parameter or a local.
    fn is_own(&mut self, variable: Cursor<'tu>) -> bool {
        variable.kind() == CXCursor_ParmDecl || self.unit.global(variable).is_none()
    }

    /// Such a pointer by itself, or stepped: `p`, `p++`.
    fn is_own_variable(&mut self, node: Cursor<'tu>) -> bool {
        let node = bare(node);
        match node.kind() {
            CXCursor_DeclRefExpr => {
                declared(node).is_some_and(|named| named.ty().is_pointer() && self.is_own(named))
            }
            CXCursor_UnaryOperator if step(node.unary_operator()).is_some() => {
                node.children().first().is_some_and(|operand| self.is_own_variable(*operand))
            }
            _ => false,
        }
    }

    fn unary(&mut self, node: Cursor<'tu>, role: Role) {
        let Some(operand) = node.children().into_iter().find(|c| c.is_expression()) else { return };
        let role = match node.unary_operator() {
            operator if step(operator).is_some() => Role::Object(BOTH),
            CXUnaryOperator_AddrOf => {
                self.unit.expose(operand);
                Role::Object(BOTH)
            }
            CXUnaryOperator_Deref if denotes_array(operand) => Role::Object(access(role, false)),
            CXUnaryOperator_Deref => return self.follow(operand, access(role, false)),
            CXUnaryOperator_Real | CXUnaryOperator_Imag | CXUnaryOperator_Extension => role,
            _ => Role::Value,
        };
        self.visit(operand, role);
    }

    fn binary(&mut self, node: Cursor<'tu>, role: Role) {
        let [left, right] = node.children()[..] else {
            return self.each(node, Role::Value);
        };
        if node.kind() == CXCursor_CompoundAssignOperator {
            self.visit(left, Role::Object(BOTH));
            return self.visit(right, Role::Value);
        }
        match node.binary_operator() {
            CXBinaryOperator_Assign => {
                self.visit(left, Role::Object(WRITE));
                if !declared(left).is_some_and(|variable| self.point(variable, right)) {
                    self.visit(right, Role::Value);
                }
                self.unit.assign(left, right);
            }
            CXBinaryOperator_Comma => {
                self.visit(left, Role::Value);
                self.visit(right, role);
            }
            operator => {
                if matches!(operator, CXBinaryOperator_LAnd | CXBinaryOperator_LOr) {
                    self.body.complexity += 1;
                }
                self.visit(left, Role::Value);
                self.visit(right, Role::Value);
            }
        }
    }

    fn call(&mut self, node: Cursor<'tu>) {
        let children = node.children();
        let Some((callee, arguments)) = children.split_first() else { return };
        if let Some(function) = direct_callee(*callee) {
            let name = self.unit.use_function(function);
            if !self.body.calls.contains(&name) {
                self.body.calls.push(name.clone());
            }
            for (index, argument) in arguments.iter().enumerate() {
                self.pass(*argument, &name, index);
            }
            return;
        } else {
            let ty = callee.ty().canonical();
            let ty = if ty.is_pointer() { ty.pointee() } else { ty };
            let id = self.unit.types.intern(ty);
            if ty.is_function() && !self.body.indirect_calls.contains(&id) {
                self.body.indirect_calls.push(id);
            }
            self.visit(*callee, Role::Value);
        }
        for argument in arguments {
            self.visit(*argument, Role::Value);
        }
    }

    /// What the function does with an array that it is given is known when all functions are.
    fn pass(&mut self, argument: Cursor<'tu>, function: &str, index: usize) {
        match self.place_in_array(argument) {
            Some(global) => {
                self.record(global, READ);
                self.body.passed.push((global, function.to_owned(), index));
            }
            // What is cleared is no buffer for that.
            None if CLEARING.contains(&function) => self.visit(argument, Role::Object(WRITE)),
            None => self.visit(argument, Role::Value),
        }
    }

    fn variable(&mut self, node: Cursor<'tu>) {
        match node.storage_class() {
            CX_SC_Static => {
                let id = self.unit.static_local(node, self.function);
                if let Some(initializer) = node.initializer() {
                    self.unit.initialize(Some(id), node.ty(), initializer);
                }
            }
            CX_SC_Extern => {}
            _ => {
                let mut pointed = None;
                if let Some(initializer) = node.initializer() {
                    self.unit.initialize(None, node.ty(), initializer);
                    pointed = self.point(node, initializer).then(|| initializer.identity());
                }
                // The initialiser, and the sizes of variable-length arrays.
                for child in node.children().into_iter().filter(|child| Some(child.identity()) != pointed) {
                    self.visit(child, Role::Value);
                }
            }
        }
    }
}

/// The declaration of the array that a pointer was made of, and what says where in it.
fn array_of<'tu>(pointer: Cursor<'tu>) -> Option<(Cursor<'tu>, Vec<Cursor<'tu>>)> {
    let node = without_casts(pointer);
    let children = || node.children();
    match node.kind() {
        CXCursor_DeclRefExpr => {
            let array = declared(node).filter(|named| named.kind() == CXCursor_VarDecl);
            array.filter(|_| node.ty().is_array()).map(|array| (array, Vec::new()))
        }
        CXCursor_ArraySubscriptExpr if node.ty().is_array() => element_of(&children()),
        CXCursor_UnaryOperator if node.unary_operator() == CXUnaryOperator_AddrOf => {
            let place = bare(*children().first()?);
            let is_element = place.kind() == CXCursor_ArraySubscriptExpr;
            if is_element { element_of(&place.children()) } else { None }
        }
        CXCursor_BinaryOperator
            if matches!(node.binary_operator(), CXBinaryOperator_Add | CXBinaryOperator_Sub) =>
        {
            element_of(&children())
        }
        _ => None,
    }
}

/// Of `base[index]` and of `base + index`.
fn element_of<'tu>(operands: &[Cursor<'tu>]) -> Option<(Cursor<'tu>, Vec<Cursor<'tu>>)> {
    let [left, right] = *operands else { return None };
    let (base, index) =
        if denotes_array(left) || left.ty().is_pointer() { (left, right) } else { (right, left) };
    let (array, mut offsets) = array_of(base)?;
    offsets.push(index);
    Some((array, offsets))
}

fn access(role: Role, decays: bool) -> Access {
    match role {
        Role::Object(access) => access,
        Role::Value if decays => BOTH,
        Role::Value => READ,
    }
}

/// A pointer to anything but a function, or an array of such.
fn leads_to_objects(ty: Type<'_>) -> bool {
    let ty = ty.canonical();
    match ty.is_array() {
        true => leads_to_objects(ty.array_element()),
        false => ty.is_pointer() && !ty.pointee().canonical().is_function(),
    }
}

/// An array under the implicit conversion to a pointer.
fn denotes_array(node: Cursor<'_>) -> bool {
    match node.kind() {
        CXCursor_ParenExpr | CXCursor_UnexposedExpr => match node.children()[..] {
            [inner] => denotes_array(inner),
            _ => node.ty().is_array(),
        },
        _ => node.ty().is_array(),
    }
}

/// The function that a callee expression names, looking through `(*f)` and `(&f)`.
pub(crate) fn direct_callee(node: Cursor<'_>) -> Option<Cursor<'_>> {
    match node.kind() {
        CXCursor_DeclRefExpr => node.referenced().filter(|d| d.kind() == CXCursor_FunctionDecl),
        CXCursor_ParenExpr | CXCursor_UnexposedExpr => match node.children()[..] {
            [inner] => direct_callee(inner),
            _ => None,
        },
        CXCursor_UnaryOperator
            if matches!(node.unary_operator(), CXUnaryOperator_Deref | CXUnaryOperator_AddrOf) =>
        {
            direct_callee(*node.children().first()?)
        }
        _ => None,
    }
}

/// `for (;;)` decides nothing. The front end leaves out absent parts without saying which, so a loop that
/// has any head at all is taken to have a condition.
fn has_condition(node: Cursor<'_>) -> bool {
    node.children().len() > 1
}
