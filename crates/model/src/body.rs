//! One walk over a function's body: which globals it reads and writes, which pointers in records it reads, whom it
//! calls, how many decisions.
//!
//! Flow-insensitive and without aliases: taking an address counts as reading and writing. Accesses through
//! pointers are not followed.

use crate::clang::{Cursor, Type};
use crate::expression::bare;
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
    /// Parameters whose value goes elsewhere, or through which something is written; the others are read through.
    pub(crate) kept: Vec<String>,
    pub(crate) complexity: u32,
}

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
            complexity: 1,
        };
        let mut walk = Walk { unit, function: name, body };
        for child in definition.children() {
            if child.kind() == CXCursor_CompoundStmt {
                walk.visit(child, Role::Value);
            }
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
                }
            }
            CXCursor_ParmDecl => {
                let name = declaration.name();
                if !self.body.kept.contains(&name) {
                    self.body.kept.push(name);
                }
            }
            _ => {}
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
        if access != READ || !is_parameter(pointer) {
            self.visit(pointer, Role::Value);
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
                self.visit(right, Role::Value);
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
        let named = bare(argument);
        let array = named.referenced().filter(|to| {
            named.kind() == CXCursor_DeclRefExpr && named.ty().is_array() && to.kind() == CXCursor_VarDecl
        });
        match array.and_then(|array| self.unit.global(array)) {
            Some(global) => {
                self.record(global, READ);
                self.body.passed.push((global, function.to_owned(), index));
            }
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
                if let Some(initializer) = node.initializer() {
                    self.unit.initialize(None, node.ty(), initializer);
                }
                // The initialiser, and the sizes of variable-length arrays.
                self.each(node, Role::Value);
            }
        }
    }
}

/// A parameter by itself, or stepped: `p`, `p++`.
fn is_parameter(node: Cursor<'_>) -> bool {
    let node = bare(node);
    match node.kind() {
        CXCursor_DeclRefExpr => node.referenced().is_some_and(|named| named.kind() == CXCursor_ParmDecl),
        CXCursor_UnaryOperator if step(node.unary_operator()).is_some() => {
            node.children().first().is_some_and(|operand| is_parameter(*operand))
        }
        _ => false,
    }
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
