//! What a function sees to before it calls: which arguments, and which members and elements behind them, it compared with
//! something on the way, or when it put them there; and the same for what it puts into members.
//!
//! A comparison counts where its wrong outcome does not get there: behind `if (n > 9) return;`, within `if (n < 9) ...`.
//! What is put somewhere counts as compared too where a later comparison of it ends the function. Follows the text;
//! aliases and what callees change are not seen, so that nothing is proved by it.

mod places;

use crate::clang::Cursor;
use crate::expression::is_null;
use crate::facts::add;
use crate::program::Rejected;
use crate::tree::{NodeId, Tree};
use clang_sys::*;
use places::{Leaf, Place, leaves, place};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// How far values are followed from variable to variable.
const DEEPEST: usize = 4;
/// The part of an object that stands for two of its members having been compared with each other.
pub(crate) const RELATED: &str = ".*";
/// What is behind a pointer.
pub(crate) const CONTENTS: &str = "[]";

#[derive(Clone, Debug, Default)]
pub(crate) struct Checks {
    /// The callee, and its arguments.
    pub(crate) calls: Vec<(String, Vec<Given>)>,
    /// What is put into members, by their names.
    pub(crate) stores: Vec<(String, Value)>,
}

/// An argument.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// The parameter of the caller that it is.
    pub(crate) parameter: Option<usize>,
    /// Its parts, as they follow its name: empty for itself.
    pub(crate) parts: BTreeMap<String, Value>,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Constant,
    /// It was compared, and is as good as what is in these members.
    Checked(Vec<Rejected>, Vec<String>),
    Unknown,
}

impl Value {
    /// Of both at once.
    fn and(self, other: Value) -> Value {
        match (self, other) {
            (Value::Unknown, _) | (_, Value::Unknown) => Value::Unknown,
            (Value::Constant, other) | (other, Value::Constant) => other,
            (Value::Checked(mut tests, mut members), Value::Checked(more, others)) => {
                more.into_iter().for_each(|test| add(&mut tests, test));
                others.into_iter().for_each(|member| add(&mut members, member));
                Value::Checked(tests, members)
            }
        }
    }
}

impl Checks {
    /// `tree` is that of the function's body.
    pub(crate) fn of_function<'tu>(definition: Cursor<'tu>, tree: &Tree<'tu>) -> Checks {
        let mut walk = Walk {
            tree,
            params: definition.arguments().iter().map(|param| param.identity()).collect(),
            checks: Vec::new(),
            active: Vec::new(),
            stores: Vec::new(),
            calls: Vec::new(),
            choices: Vec::new(),
            known: RefCell::default(),
        };
        walk.statement(Tree::ROOT);
        walk.finish()
    }
}

/// A condition.
struct Check {
    at: NodeId,
    /// Where it was decided.
    end: NodeId,
    /// The function ends where it comes out so.
    ends: bool,
    comparisons: Vec<Comparison>,
}

struct Comparison {
    places: Vec<Place>,
    rejected: Rejected,
}

/// Something is put somewhere.
struct Store {
    at: NodeId,
    place: Place,
    /// None: it is changed, as by `++`.
    value: Option<NodeId>,
    /// Where that lies, if it is no more than a copy.
    copied: Option<Place>,
    active: Vec<usize>,
}

struct Walk<'t, 'tu> {
    tree: &'t Tree<'tu>,
    params: Vec<usize>,
    checks: Vec<Check>,
    /// Those that hold where the walk is.
    active: Vec<usize>,
    stores: Vec<Store>,
    /// Where the call is, the callee, what holds there.
    calls: Vec<(NodeId, String, Vec<usize>)>,
    /// Parts of which only one is executed.
    choices: Vec<(Range<NodeId>, Range<NodeId>)>,
    /// What is known of stores, by how deep they were met: ciphers mix a dozen places in hundreds of stores.
    known: RefCell<HashMap<(usize, usize), Value>>,
}

impl<'tu> Walk<'_, 'tu> {
    fn statement(&mut self, node: NodeId) {
        match self.tree.cursor(node).kind() {
            CXCursor_CompoundStmt => return self.block(node),
            CXCursor_IfStmt => return self.branch(node),
            CXCursor_WhileStmt | CXCursor_ForStmt => return self.repeated(node),
            CXCursor_VarDecl => self.declare(node),
            CXCursor_BinaryOperator => self.assign(node),
            CXCursor_CompoundAssignOperator => self.change(node),
            CXCursor_UnaryOperator if self.tree.is_step(node) => self.change(node),
            CXCursor_CallExpr => self.call(node),
            _ => {}
        }
        for child in self.tree.children(node) {
            self.statement(child);
        }
    }

    /// Behind `if (n > 9) return;` something was compared, up to the end of the block.
    fn block(&mut self, node: NodeId) {
        let before = self.active.len();
        for child in self.tree.children(node) {
            self.statement(child);
            if let Some(condition) = self.tree.leaving_condition(child) {
                self.check(condition, true, self.ends(child));
            }
        }
        self.active.truncate(before);
    }

    fn branch(&mut self, node: NodeId) {
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        let [condition, yes, ref no @ ..] = parts[..] else { return };
        self.statement(condition);
        self.under(condition, false, yes);
        for no in no {
            self.under(condition, true, *no);
            self.choices.push((self.tree.region(yes), self.tree.region(*no)));
        }
        // In a block it is noted with what follows it.
        if self.ends(node) {
            self.check(condition, true, true);
            self.active.pop();
        }
    }

    fn repeated(&mut self, node: NodeId) {
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        let Some((&body, head)) = parts.split_last() else { return };
        head.iter().for_each(|part| self.statement(*part));
        match head.iter().copied().find(|part| self.tree.is_comparison(*part)) {
            Some(condition) => self.under(condition, false, body),
            None => self.statement(body),
        }
    }

    fn under(&mut self, condition: NodeId, rejected_if: bool, part: NodeId) {
        self.check(condition, rejected_if, false);
        self.statement(part);
        self.active.pop();
    }

    /// An `if` without `else` that returns or goes to where the function does.
    fn ends(&self, node: NodeId) -> bool {
        let Some(yes) = self.tree.leaving_condition(node).and_then(|_| self.tree.children(node).nth(1))
        else {
            return false;
        };
        let last = match self.tree.cursor(yes).kind() {
            CXCursor_CompoundStmt => self.tree.children(yes).last().unwrap_or(yes),
            _ => yes,
        };
        matches!(self.tree.cursor(last).kind(), CXCursor_ReturnStmt | CXCursor_GotoStmt)
    }

    fn check(&mut self, condition: NodeId, rejected_if: bool, ends: bool) {
        let mut comparisons = Vec::new();
        self.compare(condition, rejected_if, &mut comparisons);
        self.active.push(self.checks.len());
        self.checks.push(Check { at: condition, end: self.tree.end(condition), ends, comparisons });
    }

    /// The comparisons in a condition, each with what is rejected where the condition comes out so.
    fn compare(&self, node: NodeId, rejected_if: bool, found: &mut Vec<Comparison>) {
        let node = self.tree.bare(node);
        let cursor = self.tree.cursor(node);
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        match (cursor.kind(), &parts[..]) {
            (CXCursor_UnaryOperator, &[operand]) if cursor.unary_operator() == CXUnaryOperator_LNot => {
                self.compare(operand, !rejected_if, found);
            }
            (CXCursor_BinaryOperator, &[left, right]) if self.tree.is_comparison(node) => {
                let operator = cursor.binary_operator();
                if matches!(operator, CXBinaryOperator_LAnd | CXBinaryOperator_LOr) {
                    self.compare(left, rejected_if, found);
                    self.compare(right, rejected_if, found);
                } else {
                    found.extend(self.comparison(operator, left, right, rejected_if));
                }
            }
            (CXCursor_CallExpr, _) => {}
            (CXCursor_ConditionalOperator, all) => {
                all.iter().for_each(|part| self.compare(*part, rejected_if, found));
            }
            _ if cursor.ty().is_pointer() => {}
            _ => {
                if let Some(place) = place(self.tree, node) {
                    let rejected = if rejected_if { Rejected::AllBut(0) } else { Rejected::Within(0, 0) };
                    found.push(Comparison { places: vec![place], rejected });
                }
            }
        }
    }

    fn comparison(
        &self,
        operator: CXBinaryOperatorKind,
        left: NodeId,
        right: NodeId,
        rejected_if: bool,
    ) -> Option<Comparison> {
        let [one, other] = [left, right].map(|side| self.tree.cursor(side));
        if one.ty().is_pointer() && (is_null(one) || is_null(other)) {
            return None;
        }
        let rejected = match (one.integer(), other.integer()) {
            (None, Some(constant)) if place(self.tree, left).is_some() => {
                rejected(operator, constant, rejected_if)
            }
            (Some(constant), None) if place(self.tree, right).is_some() => {
                rejected(mirrored(operator), constant, rejected_if)
            }
            _ => Rejected::Some,
        };
        let looked = leaves(self.tree, left).into_iter().chain(leaves(self.tree, right));
        let places = looked.filter_map(|leaf| match leaf {
            Leaf::Place(place) => Some(place),
            Leaf::Unknown => None,
        });
        let places: Vec<Place> = places.collect();
        (!places.is_empty()).then_some(Comparison { places, rejected })
    }

    fn store(&mut self, at: NodeId, place: Place, value: Option<NodeId>) {
        let copied = value.and_then(|value| places::place(self.tree, value));
        self.stores.push(Store { at, place, value, copied, active: self.active.clone() });
    }

    fn declare(&mut self, node: NodeId) {
        let cursor = self.tree.cursor(node);
        let initializer = cursor.initializer().and_then(|initializer| self.tree.find(node, initializer));
        if let Some(value) = initializer {
            let is_local = cursor.storage_class() != CX_SC_Static;
            let leads = cursor.ty().is_pointer();
            let place = Place { root: cursor.identity(), path: String::new(), is_local, leads };
            self.store(node, place, Some(value));
        }
    }

    fn assign(&mut self, node: NodeId) {
        let [left, right] = self.tree.children(node).collect::<Vec<_>>()[..] else { return };
        if self.tree.cursor(node).binary_operator() == CXBinaryOperator_Assign
            && let Some(place) = place(self.tree, left)
        {
            self.store(node, place, Some(right));
        }
    }

    fn change(&mut self, node: NodeId) {
        if let Some(place) = self.tree.children(node).next().and_then(|operand| place(self.tree, operand)) {
            self.store(node, place, None);
        }
    }

    fn call(&mut self, node: NodeId) {
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        let Some((callee, arguments)) = parts.split_first() else { return };
        let named = self.tree.cursor(self.tree.bare(*callee));
        let function = named.referenced().filter(|to| to.kind() == CXCursor_FunctionDecl);
        let Some(function) = function.filter(|_| named.kind() == CXCursor_DeclRefExpr) else { return };
        let name = function.name();
        if let ("memset" | "__builtin_memset", &[to, value, _]) = (name.as_str(), arguments)
            && let Some(mut to) = place(self.tree, to)
        {
            to.path.push_str(CONTENTS);
            self.store(node, to, Some(value));
        }
        self.calls.push((node, name, self.active.clone()));
    }

    // --- when everything was seen ----------------------------------------------------------------------

    fn finish(self) -> Checks {
        let mut found = Checks::default();
        for (number, store) in self.stores.iter().enumerate() {
            if let Some(member) = store.place.member() {
                found.stores.push((member.to_owned(), self.stored(number, 0)));
            }
        }
        for (node, callee, active) in &self.calls {
            let arguments: Vec<NodeId> = self.tree.children(*node).skip(1).collect();
            let given = arguments.iter().map(|argument| self.given(*argument, *node, active)).collect();
            found.calls.push((callee.clone(), given));
        }
        found
    }

    fn given(&self, argument: NodeId, at: NodeId, active: &[usize]) -> Given {
        let mut given = Given::default();
        let place = place(self.tree, argument);
        if let Some(place) = place.as_ref().filter(|place| place.path.is_empty()) {
            given.parameter = self.params.iter().position(|param| *param == place.root);
            given.parameter = given.parameter.filter(|_| !self.is_changed(place, 0..at));
        }
        if !self.tree.cursor(argument).ty().is_pointer() {
            let value = self.value(argument, at, active, 0);
            if value != Value::Unknown {
                given.parts.insert(String::new(), value);
            }
            return given;
        }
        let Some(object) = place else { return given };
        for check in active.iter().map(|check| &self.checks[*check]) {
            for comparison in &check.comparisons {
                let parts = comparison.places.iter().filter_map(|place| place.within(&object));
                let kept = |part: &&str| {
                    let place = Place { path: format!("{}{part}", object.path), ..object.clone() };
                    !part.is_empty() && !self.is_changed(&place, check.end..at)
                };
                let mut parts: Vec<&str> = parts.filter(kept).collect();
                parts.sort_unstable();
                parts.dedup();
                if parts.len() > 1 {
                    parts.push(RELATED);
                }
                for part in parts {
                    let value = Value::Checked(vec![comparison.rejected], Vec::new());
                    let known = given.parts.remove(part).unwrap_or(Value::Constant);
                    given.parts.insert(part.to_owned(), known.and(value));
                }
            }
        }
        let contents = Place { path: format!("{}{CONTENTS}", object.path), ..object };
        match self.place_value(&contents, 0) {
            Value::Unknown | Value::Constant => {}
            value => drop(given.parts.insert(CONTENTS.to_owned(), value)),
        }
        given
    }

    /// Of an expression, where these checks hold. What is computed from a value that was compared is another one.
    fn value(&self, node: NodeId, at: NodeId, active: &[usize], depth: usize) -> Value {
        let is_computed = place(self.tree, node).is_none();
        let of = |leaf: Leaf| match leaf {
            Leaf::Unknown => Value::Unknown,
            Leaf::Place(place) => match self.tests(&place, at, active) {
                tests if !tests.is_empty() => Value::Checked(tests, Vec::new()),
                _ => self.place_value(&place, depth),
            },
        };
        match leaves(self.tree, node).into_iter().map(of).fold(Value::Constant, Value::and) {
            Value::Checked(tests, members) if is_computed => {
                Value::Checked(tests.iter().map(|_| Rejected::Some).collect(), members)
            }
            value => value,
        }
    }

    /// What keeps wrong values of a place from here.
    fn tests(&self, place: &Place, at: NodeId, active: &[usize]) -> Vec<Rejected> {
        let checks = active.iter().map(|check| &self.checks[*check]);
        let checks = checks.filter(|check| !self.is_changed(place, check.end..at));
        let comparisons = checks.flat_map(|check| &check.comparisons);
        comparisons.filter(|one| one.places.contains(place)).map(|one| one.rejected).collect()
    }

    /// By all that is put there.
    fn place_value(&self, place: &Place, depth: usize) -> Value {
        if let Some(member) = place.member() {
            return Value::Checked(Vec::new(), vec![member.to_owned()]);
        }
        if depth > DEEPEST || self.params.contains(&place.root) || !place.is_local {
            return Value::Unknown;
        }
        let stores = self.stores.iter().enumerate().filter(|(_, store)| store.place == *place);
        let values = stores.map(|(number, _)| self.stored(number, depth + 1));
        values.reduce(Value::and).unwrap_or(Value::Unknown)
    }

    fn stored(&self, number: usize, depth: usize) -> Value {
        if let Some(known) = self.known.borrow().get(&(number, depth)) {
            return known.clone();
        }
        let value = self.put_there(&self.stores[number], depth);
        self.known.borrow_mut().insert((number, depth), value.clone());
        value
    }

    /// What is put there was compared before, or is afterwards.
    fn put_there(&self, store: &Store, depth: usize) -> Value {
        let value = store.value.map(|value| self.value(value, store.at, &store.active, depth));
        match value.unwrap_or(Value::Unknown) {
            Value::Constant => Value::Constant,
            Value::Checked(tests, members) if members.is_empty() => Value::Checked(tests, members),
            other => match self.later_tests(store) {
                tests if tests.is_empty() => other,
                tests => Value::Checked(tests, Vec::new()),
            },
        }
    }

    /// What ends the function when it finds wrong values there, or in copies.
    fn later_tests(&self, store: &Store) -> Vec<Rejected> {
        let copies = self
            .stores
            .iter()
            .filter(|copy| copy.at > store.at && copy.copied.as_ref() == Some(&store.place));
        let mut places = vec![&store.place];
        places.extend(copies.map(|copy| &copy.place));
        let is_instead =
            |at: NodeId| self.choices.iter().any(|(yes, no)| yes.contains(&store.at) && no.contains(&at));
        let checks = self.checks.iter().filter(|check| check.ends && check.at > store.at);
        let checks = checks.filter(|check| !is_instead(check.at));
        let comparisons = checks.flat_map(|check| &check.comparisons);
        let tests = comparisons.filter(|one| places.iter().any(|place| one.places.contains(place)));
        tests.map(|one| one.rejected).collect()
    }

    fn is_changed(&self, place: &Place, region: Range<NodeId>) -> bool {
        let changes = self.stores.iter().filter(|store| region.contains(&store.at));
        changes.map(|store| &store.place).any(|changed| {
            changed.root == place.root
                && (changed.path.starts_with(&place.path) || place.path.starts_with(&changed.path))
        })
    }
}

/// The values for which `value operator constant` comes out so.
fn rejected(operator: CXBinaryOperatorKind, constant: i64, rejected_if: bool) -> Rejected {
    let below = Rejected::Within(i64::MIN, constant.saturating_sub(1));
    let above = Rejected::Within(constant.saturating_add(1), i64::MAX);
    let (at_most, at_least) = (Rejected::Within(i64::MIN, constant), Rejected::Within(constant, i64::MAX));
    match (operator, rejected_if) {
        (CXBinaryOperator_LT, true) | (CXBinaryOperator_GE, false) => below,
        (CXBinaryOperator_LE, true) | (CXBinaryOperator_GT, false) => at_most,
        (CXBinaryOperator_GT, true) | (CXBinaryOperator_LE, false) => above,
        (CXBinaryOperator_GE, true) | (CXBinaryOperator_LT, false) => at_least,
        (CXBinaryOperator_EQ, true) | (CXBinaryOperator_NE, false) => Rejected::Within(constant, constant),
        (CXBinaryOperator_NE, true) | (CXBinaryOperator_EQ, false) => Rejected::AllBut(constant),
        _ => Rejected::Some,
    }
}

/// With its sides exchanged.
fn mirrored(operator: CXBinaryOperatorKind) -> CXBinaryOperatorKind {
    match operator {
        CXBinaryOperator_LT => CXBinaryOperator_GT,
        CXBinaryOperator_LE => CXBinaryOperator_GE,
        CXBinaryOperator_GT => CXBinaryOperator_LT,
        CXBinaryOperator_GE => CXBinaryOperator_LE,
        other => other,
    }
}
