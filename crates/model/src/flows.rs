//! Where integer variables get their values: one walk over each function for assignments, initialisers and the
//! arguments of calls, each as an expression over other variables.
//!
//! Flow-insensitive, but for conditions: where a comparison guards code that does not change the variable, the variable
//! is within what the comparison says, and so is it behind `if (i >= n) return;`. A variable whose address is taken can
//! be anything. A member is one variable for all objects of its type; elements are known by their types alone.

mod data;
mod guards;
mod members;

use crate::clang::{Cursor, Type};
use crate::interval::{Interval, Operation};
use crate::parse::UnitBuilder;
use crate::program::{GlobalId, RecordId};
use crate::tree::{NodeId, Tree};
use clang_sys::*;
pub(crate) use data::FILLERS;
use guards::{Guard, Scope};
pub(crate) use members::held_by;

/// A variable, as a unit knows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Variable {
    /// What a function is given: its name, and which parameter.
    Argument(String, usize),
    Global(GlobalId),
    /// An automatic variable or a parameter within its function.
    Local(usize),
    /// A member of all objects of a type, by its number.
    Member(RecordId, usize),
    /// What a function returns: only whether it was read from data is asked.
    Result(String),
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Within(Interval),
    /// The same, read from data that the program is given: characters behind a pointer, the next one of a file.
    Read(Interval),
    Of(Variable),
    Applied(Operation, Box<(Value, Value)>),
    /// The value if it fits, else anything that does.
    Converted(Box<Value>, Interval),
    Either(Box<(Value, Value)>),
    /// The first value, known to compare so with the second.
    Guarded(Box<(Value, Value)>, Relation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Below,
    AtMost,
    AtLeast,
    Above,
    /// Not equal.
    Other,
}

/// What a function, or the initialiser of a global, says about variables.
#[derive(Default)]
pub(crate) struct Flows {
    pub(crate) flows: Vec<(Variable, Value)>,
    /// Variables that can be anything.
    pub(crate) open: Vec<Variable>,
    /// What each variable can hold by its type.
    pub(crate) types: Vec<(Variable, Interval)>,
    /// Calls by name, and how many arguments each has.
    pub(crate) calls: Vec<(String, usize)>,
    /// Records of which any member can be anything: something else is made of their memory, or they of it.
    pub(crate) opened: Vec<RecordId>,
    /// Functions by name that may write to records of these types.
    pub(crate) lent: Vec<(String, RecordId)>,
}

/// Statements behind one that changes a variable among which a check of it is looked for.
const MOST_BEHIND: usize = 3;
/// Expressions nested deeper than this are known by their type.
const DEEPEST: usize = 24;

impl Flows {
    /// `tree` is that of the function's body.
    pub(crate) fn of_function<'tu>(
        unit: &mut UnitBuilder<'_, 'tu>,
        definition: Cursor<'tu>,
        tree: &Tree<'tu>,
    ) -> Flows {
        let mut walk = Walk::new(unit, tree);
        walk.function = definition.name();
        for (index, param) in definition.arguments().into_iter().enumerate() {
            if let Some(held) = integer_type(param.ty()) {
                let (given, local) =
                    (Variable::Argument(definition.name(), index), Variable::Local(param.identity()));
                walk.found.types.extend([(given.clone(), held), (local.clone(), held)]);
                if param.ty().is_volatile() {
                    walk.found.open.push(local.clone());
                }
                walk.found.flows.push((local, Value::Of(given)));
            }
        }
        walk.statement(Tree::ROOT);
        walk.found
    }

    /// A global with its initialiser, or without one, which is zero. Initialisers also take addresses.
    pub(crate) fn of_global<'tu>(
        unit: &mut UnitBuilder<'_, 'tu>,
        id: GlobalId,
        declaration: Cursor<'tu>,
    ) -> Flows {
        let held = integer_type(declaration.ty());
        let Some(initializer) = declaration.initializer() else {
            let mut found = Flows::default();
            held.into_iter().for_each(|held| found.begin(id, declaration, held, Interval::one(0).into()));
            return found;
        };
        let tree = Tree::new(initializer);
        let mut walk = Walk::new(unit, &tree);
        walk.statement(Tree::ROOT);
        if let Some(held) = held {
            let value = walk.value(Tree::ROOT, 0);
            walk.found.begin(id, declaration, held, value);
        }
        walk.found
    }

    fn begin(&mut self, id: GlobalId, declaration: Cursor<'_>, held: Interval, value: Value) {
        let variable = Variable::Global(id);
        if declaration.ty().is_volatile() {
            self.open.push(variable.clone());
        }
        self.types.push((variable.clone(), held));
        self.flows.push((variable, converted(value, held)));
    }
}

impl From<Interval> for Value {
    fn from(interval: Interval) -> Value {
        Value::Within(interval)
    }
}

struct Walk<'b, 'a, 'tu> {
    unit: &'b mut UnitBuilder<'a, 'tu>,
    /// The name of the function; empty in an initialiser.
    function: String,
    found: Flows,
    /// What holds where the walk is.
    guards: Vec<Guard>,
    tree: &'b Tree<'tu>,
    /// The end of the statement without parts of its own that the walk is in; 0: in none.
    statement_end: NodeId,
    /// The statement of the innermost block that the walk is in, and some behind it.
    rest: Vec<NodeId>,
    /// The end of a call that does nothing to the members of what it is given.
    harmless_end: NodeId,
}

impl<'b, 'a, 'tu> Walk<'b, 'a, 'tu> {
    fn new(unit: &'b mut UnitBuilder<'a, 'tu>, tree: &'b Tree<'tu>) -> Walk<'b, 'a, 'tu> {
        let (function, found) = (String::new(), Flows::default());
        Walk {
            unit,
            function,
            found,
            guards: Vec::new(),
            tree,
            statement_end: 0,
            rest: Vec::new(),
            harmless_end: 0,
        }
    }
}

impl<'tu> Walk<'_, '_, 'tu> {
    fn statement(&mut self, node: NodeId) {
        let kind = self.tree.cursor(node).kind();
        let is_simple = kind == CXCursor_DeclStmt
            || kind == CXCursor_ReturnStmt
            || self.tree.cursor(node).is_expression();
        if is_simple && node >= self.statement_end {
            self.statement_end = self.tree.end(node);
        }
        match kind {
            CXCursor_CompoundStmt => return self.block(node),
            CXCursor_IfStmt => return self.branch(node),
            CXCursor_ForStmt => return self.count(node),
            CXCursor_WhileStmt => return self.repeat(node),
            CXCursor_CStyleCastExpr | CXCursor_UnexposedExpr => self.convert(node),
            CXCursor_InitListExpr => self.initialise(node),
            CXCursor_VarDecl => self.declare(node),
            CXCursor_BinaryOperator => self.assign(node),
            CXCursor_CompoundAssignOperator => self.change(node),
            CXCursor_UnaryOperator => self.unary(node),
            CXCursor_CallExpr => self.call(node),
            CXCursor_ReturnStmt => self.give_back(node),
            CXCursor_AsmStmt => self.give_up(node),
            _ => {}
        }
        for child in self.tree.children(node) {
            self.statement(child);
        }
    }

    /// Behind `if (i >= n) return;` the contrary holds, up to the end of the block.
    fn block(&mut self, node: NodeId) {
        let before = self.guards.len();
        let outer = std::mem::take(&mut self.rest);
        let children: Vec<NodeId> = self.tree.children(node).collect();
        for (at, &child) in children.iter().enumerate() {
            self.rest = children[at..].iter().copied().take(MOST_BEHIND + 1).collect();
            self.statement(child);
            if let Some(condition) = self.tree.leaving_condition(child) {
                let scope = Scope { condition, from: self.tree.end(child), between: None };
                self.guard(condition, false, scope);
            }
        }
        self.rest = outer;
        self.guards.truncate(before);
    }

    fn branch(&mut self, node: NodeId) {
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        let [condition, yes, ref no @ ..] = parts[..] else { return };
        self.statement(condition);
        self.under(condition, true, yes, yes);
        for no in no {
            self.under(condition, false, *no, *no);
        }
    }

    fn repeat(&mut self, node: NodeId) {
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        let [condition, body] = parts[..] else {
            return parts.into_iter().for_each(|part| self.statement(part));
        };
        self.statement(condition);
        self.under(condition, true, body, body);
    }

    /// `for (i = 0; i < n; i++) body`: the comparison holds in the body and the step, if the body leaves `i` alone.
    fn count(&mut self, node: NodeId) {
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        let Some((&body, head)) = parts.split_last() else { return };
        let condition = head.iter().copied().find(|part| self.tree.is_comparison(*part));
        for part in head.iter().copied() {
            match condition {
                Some(condition) if part > condition && self.tree.is_step(part) => {
                    self.under(condition, true, part, body);
                }
                _ => self.statement(part),
            }
        }
        match condition {
            Some(condition) => self.under(condition, true, body, body),
            None => self.statement(body),
        }
    }

    /// Walks through a part where a condition holds, as long as neither it nor `between` changes its variable.
    fn under(&mut self, condition: NodeId, truth: bool, part: NodeId, between: NodeId) {
        let before = self.guards.len();
        let between = Some(between).filter(|between| *between != part);
        self.guard(condition, truth, Scope { condition, from: part, between });
        self.statement(part);
        self.guards.truncate(before);
    }

    fn declare(&mut self, node: NodeId) {
        let cursor = self.tree.cursor(node);
        let Some(variable) = self.variable_of(cursor) else { return };
        let Some(held) = integer_type(cursor.ty()) else { return };
        self.found.types.push((variable.clone(), held));
        if cursor.ty().is_volatile() {
            self.found.open.push(variable.clone());
        }
        let is_static = cursor.storage_class() == CX_SC_Static;
        let initializer = cursor.initializer().and_then(|initializer| self.tree.find(node, initializer));
        let value = match initializer {
            Some(initializer) => self.value(initializer, 0),
            None if is_static => Value::Within(Interval::one(0)),
            None => return,
        };
        self.found.flows.push((variable, converted(value, held)));
    }

    fn assign(&mut self, node: NodeId) {
        let [left, right] = self.tree.children(node).collect::<Vec<_>>()[..] else { return };
        if self.tree.cursor(node).binary_operator() == CXBinaryOperator_Assign
            && let Some((variable, held)) = self.variable(left)
        {
            let value = self.value(right, 0);
            self.found.flows.push((variable, converted(value, held)));
        }
    }

    fn change(&mut self, node: NodeId) {
        let [left, right] = self.tree.children(node).collect::<Vec<_>>()[..] else { return };
        let Some((variable, held)) = self.variable(left) else { return };
        let operation = match self.tree.cursor(node).binary_operator() {
            CXBinaryOperator_AddAssign => Some(Operation::Add),
            CXBinaryOperator_SubAssign => Some(Operation::Subtract),
            CXBinaryOperator_MulAssign => Some(Operation::Multiply),
            CXBinaryOperator_DivAssign => Some(Operation::Divide),
            CXBinaryOperator_RemAssign => Some(Operation::Remainder),
            CXBinaryOperator_AndAssign => Some(Operation::And),
            CXBinaryOperator_OrAssign => Some(Operation::Or),
            CXBinaryOperator_XorAssign => Some(Operation::Xor),
            CXBinaryOperator_ShlAssign => Some(Operation::ShiftLeft),
            CXBinaryOperator_ShrAssign => Some(Operation::ShiftRight),
            _ => None,
        };
        let value = match operation {
            Some(operation) => {
                Value::Applied(operation, Box::new((self.read(&variable, left), self.value(right, 0))))
            }
            None => Value::Within(held),
        };
        let value = if self.counts_on(left) { no_overflow(value, held) } else { value };
        let value = self.left_behind(node, left, converted(value, held));
        self.found.flows.push((variable, value));
    }

    /// Arithmetic that the program may not let overflow: the variable is a signed number that is not promoted for it.
    fn counts_on(&self, variable: NodeId) -> bool {
        let ty = self.tree.cursor(self.tree.bare(variable)).ty().canonical();
        matches!(ty.kind(), CXType_Int | CXType_Long | CXType_LongLong)
    }

    fn unary(&mut self, node: NodeId) {
        let Some(operand) = self.tree.children(node).next() else { return };
        let Some((variable, held)) = self.variable(operand) else { return };
        match self.tree.cursor(node).unary_operator() {
            CXUnaryOperator_AddrOf => self.found.open.push(variable),
            operator => {
                if let Some(operation) = step(operator) {
                    let one = Value::Within(Interval::one(1));
                    let value = Value::Applied(operation, Box::new((self.read(&variable, operand), one)));
                    let value = if self.counts_on(operand) { no_overflow(value, held) } else { value };
                    let value = self.left_behind(node, operand, converted(value, held));
                    self.found.flows.push((variable, value));
                }
            }
        }
    }

    fn call(&mut self, node: NodeId) {
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        let Some((callee, arguments)) = parts.split_first() else { return };
        let named = self.tree.cursor(self.tree.bare(*callee));
        let function = named.referenced().filter(|to| to.kind() == CXCursor_FunctionDecl);
        let Some(function) = function.filter(|_| named.kind() == CXCursor_DeclRefExpr) else { return };
        self.lend(node, &function.name(), arguments);
        self.found.calls.push((function.name(), arguments.len()));
        for (index, argument) in arguments.iter().enumerate() {
            let given = Variable::Argument(function.name(), index);
            if integer_type(self.tree.cursor(*argument).ty()).is_some() {
                let value = self.value(*argument, 0);
                self.found.flows.push((given, value));
            } else {
                self.found.open.push(given);
            }
        }
    }

    /// Assembly may do anything to what it names.
    fn give_up(&mut self, node: NodeId) {
        for part in node..self.tree.end(node) {
            if let Some((variable, _)) = self.variable(part) {
                self.found.open.push(variable);
            }
        }
    }

    // --- values ----------------------------------------------------------------------------------------

    /// The variable that an expression is, and what it holds by its type.
    fn variable(&mut self, node: NodeId) -> Option<(Variable, Interval)> {
        let cursor = self.tree.cursor(self.tree.bare(node));
        let declaration = cursor.referenced()?;
        match cursor.kind() {
            CXCursor_DeclRefExpr => Some((self.variable_of(declaration)?, integer_type(declaration.ty())?)),
            CXCursor_MemberRefExpr => self.member(declaration),
            _ => None,
        }
    }

    fn variable_of(&mut self, declaration: Cursor<'tu>) -> Option<Variable> {
        match declaration.kind() {
            CXCursor_ParmDecl => Some(Variable::Local(declaration.identity())),
            CXCursor_VarDecl => Some(match self.unit.global(declaration) {
                Some(global) => Variable::Global(global),
                None => Variable::Local(declaration.identity()),
            }),
            _ => None,
        }
    }

    /// A variable where the walk is, with what is known of it there.
    fn read(&self, variable: &Variable, at: NodeId) -> Value {
        let guards = self.guards.iter().filter(|guard| self.holds(guard, variable, at));
        guards.fold(Value::Of(variable.clone()), |value, guard| {
            Value::Guarded(Box::new((value, guard.bound.clone())), guard.relation)
        })
    }

    fn value(&mut self, node: NodeId, depth: usize) -> Value {
        let cursor = self.tree.cursor(node);
        let Some(held) = integer_type(cursor.ty()) else { return Value::Within(Interval::ANY) };
        if depth > DEEPEST {
            return Value::Within(held);
        }
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        let value = match (cursor.kind(), &parts[..]) {
            (CXCursor_IntegerLiteral | CXCursor_CharacterLiteral | CXCursor_UnaryExpr, _) => {
                cursor.integer().map(|value| Value::Within(Interval::one(value)))
            }
            (CXCursor_DeclRefExpr, _) => match cursor.referenced() {
                Some(named) if named.kind() == CXCursor_EnumConstantDecl => {
                    Some(Value::Within(Interval::one(named.enum_value())))
                }
                _ => self.variable(node).map(|(variable, _)| self.read(&variable, node)),
            },
            (CXCursor_MemberRefExpr, _) => {
                self.variable(node).map(|(variable, within)| converted(self.read(&variable, node), within))
            }
            (CXCursor_ParenExpr | CXCursor_UnexposedExpr, [inner]) => Some(self.value(*inner, depth + 1)),
            (CXCursor_CStyleCastExpr, [.., inner]) => Some(self.value(*inner, depth + 1)),
            (CXCursor_ConditionalOperator, [_, yes, no]) => {
                Some(Value::Either(Box::new((self.value(*yes, depth + 1), self.value(*no, depth + 1)))))
            }
            (CXCursor_ArraySubscriptExpr, [base, _]) if self.is_data(cursor, *base) => {
                Some(Value::Read(held))
            }
            (CXCursor_UnaryOperator, [operand])
                if cursor.unary_operator() == CXUnaryOperator_Deref && self.is_data(cursor, *operand) =>
            {
                Some(Value::Read(held))
            }
            (CXCursor_CallExpr, [callee, arguments @ ..]) => self.result(*callee, arguments, held, depth),
            (CXCursor_UnaryOperator, [operand]) => self.unary_value(cursor, *operand, depth),
            (CXCursor_BinaryOperator, [left, right]) => self.binary_value(cursor, *left, *right, depth),
            _ => None,
        };
        value.map_or(Value::Within(held), |value| converted(value, held))
    }

    fn unary_value(&mut self, cursor: Cursor<'tu>, operand: NodeId, depth: usize) -> Option<Value> {
        let zero = Value::Within(Interval::one(0));
        match cursor.unary_operator() {
            CXUnaryOperator_LNot => Some(Value::Within(Interval::TRUTH)),
            CXUnaryOperator_Plus | CXUnaryOperator_Extension => Some(self.value(operand, depth + 1)),
            CXUnaryOperator_Minus => {
                Some(Value::Applied(Operation::Subtract, Box::new((zero, self.value(operand, depth + 1)))))
            }
            // The value before or after: the variable has both.
            operator if step(operator).is_some() => {
                self.variable(operand).map(|(variable, _)| Value::Of(variable))
            }
            _ => None,
        }
    }

    fn binary_value(
        &mut self,
        cursor: Cursor<'tu>,
        left: NodeId,
        right: NodeId,
        depth: usize,
    ) -> Option<Value> {
        let operation = match cursor.binary_operator() {
            operator if is_truth(operator) => return Some(Value::Within(Interval::TRUTH)),
            CXBinaryOperator_Comma | CXBinaryOperator_Assign => return Some(self.value(right, depth + 1)),
            CXBinaryOperator_Add => Operation::Add,
            CXBinaryOperator_Sub => Operation::Subtract,
            CXBinaryOperator_Mul => Operation::Multiply,
            CXBinaryOperator_Div => Operation::Divide,
            CXBinaryOperator_Rem => Operation::Remainder,
            CXBinaryOperator_And => Operation::And,
            CXBinaryOperator_Or => Operation::Or,
            CXBinaryOperator_Xor => Operation::Xor,
            CXBinaryOperator_Shl => Operation::ShiftLeft,
            CXBinaryOperator_Shr => Operation::ShiftRight,
            _ => return None,
        };
        // The difference of pointers is a number of its own.
        let both = [left, right].map(|side| integer_type(self.tree.cursor(side).ty()).is_some());
        (both == [true; 2]).then(|| {
            let sides = (self.value(left, depth + 1), self.value(right, depth + 1));
            Value::Applied(operation, Box::new(sides))
        })
    }
}

/// `++` and `--`.
pub(crate) fn step(operator: CXUnaryOperatorKind) -> Option<Operation> {
    match operator {
        CXUnaryOperator_PostInc | CXUnaryOperator_PreInc => Some(Operation::Add),
        CXUnaryOperator_PostDec | CXUnaryOperator_PreDec => Some(Operation::Subtract),
        _ => None,
    }
}

/// The result is zero or one.
pub(crate) fn is_truth(operator: CXBinaryOperatorKind) -> bool {
    matches!(
        operator,
        CXBinaryOperator_LT
            | CXBinaryOperator_LE
            | CXBinaryOperator_GT
            | CXBinaryOperator_GE
            | CXBinaryOperator_EQ
            | CXBinaryOperator_NE
            | CXBinaryOperator_LAnd
            | CXBinaryOperator_LOr
    )
}

/// What a signed type can hold of a result: that it is more would be undefined.
fn no_overflow(value: Value, held: Interval) -> Value {
    let at_least = (value, Value::Within(Interval::new(held.low, held.low)));
    let above = Value::Guarded(Box::new(at_least), Relation::AtLeast);
    Value::Guarded(Box::new((above, Value::Within(Interval::new(held.high, held.high)))), Relation::AtMost)
}

fn converted(value: Value, to: Interval) -> Value {
    Value::Converted(Box::new(value), to)
}

/// What an integer type can hold; None for other types.
pub(crate) fn integer_type(ty: Type<'_>) -> Option<Interval> {
    let ty = ty.canonical();
    let signed = match ty.kind() {
        CXType_Bool => return Some(Interval::TRUTH),
        CXType_Enum => return ty.declaration().and_then(|of| integer_type(of.enum_integer_type())),
        CXType_Char_S | CXType_SChar | CXType_Short | CXType_Int | CXType_Long | CXType_LongLong
        | CXType_WChar => true,
        CXType_Char_U | CXType_UChar | CXType_UShort | CXType_UInt | CXType_ULong | CXType_ULongLong => false,
        _ => return None,
    };
    Some(Interval::of_bits(u32::try_from(ty.size()?).ok()? * 8, signed))
}
