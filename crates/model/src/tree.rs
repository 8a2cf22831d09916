//! A function's syntax tree in one row, each node before its parts: what lies in a region, and what is changed there, is
//! then a question of numbers.

use crate::clang::Cursor;
use crate::flows::{is_truth, step};
use clang_sys::*;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub(crate) type NodeId = usize;

pub(crate) struct Tree<'tu> {
    nodes: Vec<Cursor<'tu>>,
    /// By node: the first one that is not part of it.
    ends: Vec<NodeId>,
    /// Where each variable or member is assigned, by the identity of its declaration.
    writes: HashMap<usize, Vec<NodeId>>,
    /// Variables and members whose address is taken: they change where nobody sees it.
    addressed: HashSet<usize>,
    /// Where control may come from elsewhere.
    labels: Vec<NodeId>,
    /// Calls of functions that may be the program's.
    calls: Vec<NodeId>,
    loops: Vec<NodeId>,
}

impl<'tu> Tree<'tu> {
    pub(crate) const ROOT: NodeId = 0;

    pub(crate) fn new(root: Cursor<'tu>) -> Tree<'tu> {
        let mut tree = Tree {
            nodes: Vec::new(),
            ends: Vec::new(),
            writes: HashMap::new(),
            addressed: HashSet::new(),
            labels: Vec::new(),
            calls: Vec::new(),
            loops: Vec::new(),
        };
        tree.add(root);
        for node in 0..tree.nodes.len() {
            tree.note(node);
        }
        tree
    }

    fn add(&mut self, cursor: Cursor<'tu>) {
        let node = self.nodes.len();
        self.nodes.push(cursor);
        self.ends.push(0);
        for child in cursor.children() {
            self.add(child);
        }
        self.ends[node] = self.nodes.len();
    }

    fn note(&mut self, node: NodeId) {
        let cursor = self.cursor(node);
        let is_write = match cursor.kind() {
            CXCursor_BinaryOperator => cursor.binary_operator() == CXBinaryOperator_Assign,
            CXCursor_CompoundAssignOperator => true,
            CXCursor_UnaryOperator => step(cursor.unary_operator()).is_some(),
            _ => false,
        };
        let is_address =
            cursor.kind() == CXCursor_UnaryOperator && cursor.unary_operator() == CXUnaryOperator_AddrOf;
        match cursor.kind() {
            CXCursor_LabelStmt | CXCursor_CaseStmt | CXCursor_DefaultStmt => self.labels.push(node),
            CXCursor_WhileStmt | CXCursor_DoStmt | CXCursor_ForStmt => self.loops.push(node),
            CXCursor_CallExpr if !self.is_of_system(node) => self.calls.push(node),
            CXCursor_AsmStmt => {
                let named = (node..self.end(node)).filter_map(|part| self.stored(part));
                self.addressed.extend(named.collect::<Vec<_>>());
            }
            _ => {}
        }
        let operand = self.children(node).next().filter(|_| is_write || is_address);
        match operand.and_then(|operand| self.stored(operand)) {
            Some(declaration) if is_address => drop(self.addressed.insert(declaration)),
            Some(declaration) => self.writes.entry(declaration).or_default().push(node),
            None => {}
        }
    }

    /// The identity of the variable that an expression is.
    pub(crate) fn named(&self, node: NodeId) -> Option<usize> {
        let cursor = self.cursor(self.bare(node));
        let declaration = cursor.referenced().filter(|_| cursor.kind() == CXCursor_DeclRefExpr)?;
        Some(declaration.identity())
    }

    /// The same, or that of the member that it is.
    fn stored(&self, node: NodeId) -> Option<usize> {
        let cursor = self.cursor(self.bare(node));
        match cursor.kind() {
            CXCursor_MemberRefExpr => Some(cursor.referenced()?.identity()),
            _ => self.named(node),
        }
    }

    /// A call of a function that a system header declares: it changes nothing that it is not given, unless it is given
    /// something to call.
    fn is_of_system(&self, call: NodeId) -> bool {
        let callee = self.children(call).next().map(|callee| self.cursor(self.bare(callee)));
        let function = callee.and_then(|callee| callee.referenced());
        let is_code = |argument: NodeId| self.cursor(argument).ty().canonical().pointee().is_function();
        let is_foreign = function.is_some_and(|function| {
            function.kind() == CXCursor_FunctionDecl
                && function.definition().is_none()
                && (function.in_system_header() || function.name().starts_with("__builtin_"))
        });
        is_foreign && !self.children(call).skip(1).any(is_code)
    }

    pub(crate) fn region(&self, node: NodeId) -> Range<NodeId> {
        node..self.end(node)
    }

    /// `i++` or `i += 2`: the variable is read before it is written, and not again.
    pub(crate) fn is_step(&self, node: NodeId) -> bool {
        let cursor = self.cursor(self.bare(node));
        match cursor.kind() {
            CXCursor_CompoundAssignOperator => true,
            CXCursor_UnaryOperator => step(cursor.unary_operator()).is_some(),
            _ => false,
        }
    }

    pub(crate) fn is_assignment(&self, node: NodeId) -> bool {
        let cursor = self.cursor(node);
        cursor.kind() == CXCursor_BinaryOperator && cursor.binary_operator() == CXBinaryOperator_Assign
    }

    /// `++i` and `i += 2`, whose value is what the variable has afterwards.
    pub(crate) fn gives_new_value(&self, step: NodeId) -> bool {
        let cursor = self.cursor(step);
        match cursor.kind() {
            CXCursor_UnaryOperator => {
                matches!(cursor.unary_operator(), CXUnaryOperator_PreInc | CXUnaryOperator_PreDec)
            }
            kind => kind == CXCursor_CompoundAssignOperator,
        }
    }

    /// Whether a node may run more than once in one run through a region.
    pub(crate) fn has_loop_around(&self, region: &Range<NodeId>, node: NodeId) -> bool {
        self.loops_around(region.start, node).next().is_some()
    }

    /// Whether control may leave a region, or come into it, other than at its ends, from a node of it on.
    pub(crate) fn goes_elsewhere(&self, region: &Range<NodeId>, from: NodeId) -> bool {
        let leaves = |node: &NodeId| {
            let kind = self.cursor(*node).kind();
            matches!(
                kind,
                CXCursor_ReturnStmt | CXCursor_BreakStmt | CXCursor_ContinueStmt | CXCursor_GotoStmt
            )
        };
        is_within(&self.labels, &(from..region.end))
            || region.clone().filter(|node| self.end(*node) > from).any(|node| leaves(&node))
    }

    pub(crate) fn cursor(&self, node: NodeId) -> Cursor<'tu> {
        self.nodes[node]
    }

    pub(crate) fn end(&self, node: NodeId) -> NodeId {
        self.ends[node]
    }

    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<'_, 'tu> {
        let end = self.ends[node];
        let first = Some(node + 1).filter(|first| *first < end);
        std::iter::successors(first, move |child| Some(self.ends[*child]).filter(|next| *next < end))
    }

    /// The part of a node that is this cursor.
    pub(crate) fn find(&self, node: NodeId, cursor: Cursor<'tu>) -> Option<NodeId> {
        self.children(node).find(|child| self.cursor(*child).identity() == cursor.identity())
    }

    /// Without parentheses and implicit conversions.
    pub(crate) fn bare(&self, node: NodeId) -> NodeId {
        let is_wrapping = matches!(self.cursor(node).kind(), CXCursor_ParenExpr | CXCursor_UnexposedExpr);
        let mut parts = self.children(node);
        match (parts.next().filter(|_| is_wrapping), parts.next()) {
            (Some(inner), None) => self.bare(inner),
            _ => node,
        }
    }

    pub(crate) fn is_comparison(&self, node: NodeId) -> bool {
        let cursor = self.cursor(self.bare(node));
        cursor.kind() == CXCursor_BinaryOperator && is_truth(cursor.binary_operator())
    }

    pub(crate) fn is_addressed(&self, declaration: usize) -> bool {
        self.addressed.contains(&declaration)
    }

    /// Whether the variable keeps its value in this region, which is entered from its beginning alone.
    pub(crate) fn keeps(&self, declaration: usize, region: &Range<NodeId>) -> bool {
        !self.is_addressed(declaration)
            && !is_within(&self.labels, region)
            && !self.is_written(declaration, region)
    }

    /// Whether what is stored under a declaration is, where a node reads it, what it was at an earlier one from which
    /// alone control comes.
    pub(crate) fn stays(&self, declaration: usize, from: NodeId, at: NodeId) -> bool {
        let writes = self.writes.get(&declaration).map_or(&[][..], Vec::as_slice);
        let is_done = |write: &NodeId| (from..at).contains(write) && self.end(*write) <= at;
        !self.is_addressed(declaration)
            && !is_within(&self.labels, &(from..at))
            && !writes.iter().any(is_done)
            && !self.loops_around(from, at).any(|round| is_within(writes, &round))
    }

    /// Whether no function of the program runs between a node and a later one in a statement that ends at `end`.
    pub(crate) fn calls_nothing(&self, from: NodeId, at: NodeId, end: NodeId) -> bool {
        let is_around = |call: &NodeId| (*call..self.end(*call)).contains(&at);
        !self.calls.iter().any(|call| (from..end).contains(call) && !is_around(call))
            && !self.loops_around(from, at).any(|round| is_within(&self.calls, &round))
    }

    /// Whether no function of the program is called in this region.
    pub(crate) fn is_quiet(&self, region: &Range<NodeId>) -> bool {
        !is_within(&self.calls, region)
    }

    /// The loops around a node that do not begin before an earlier one.
    fn loops_around(&self, from: NodeId, at: NodeId) -> impl Iterator<Item = Range<NodeId>> {
        let regions = self.loops.iter().map(|node| self.region(*node));
        regions.filter(move |round| round.start >= from && round.contains(&at))
    }

    /// Whether the region names the variable as what is assigned or stepped.
    pub(crate) fn is_written(&self, declaration: usize, region: &Range<NodeId>) -> bool {
        self.writes.get(&declaration).is_some_and(|writes| is_within(writes, region))
    }

    /// The variables that are assigned, stepped or handed out by their address.
    pub(crate) fn changed(&self) -> impl Iterator<Item = usize> {
        self.writes.keys().chain(&self.addressed).copied()
    }

    /// The condition of an `if` without `else` that does not go on behind it.
    pub(crate) fn leaving_condition(&self, node: NodeId) -> Option<NodeId> {
        let parts: Vec<NodeId> = self.children(node).collect();
        match (self.cursor(node).kind(), &parts[..]) {
            (CXCursor_IfStmt, &[condition, yes]) if self.leaves(yes) => Some(condition),
            _ => None,
        }
    }

    /// Control does not go on behind it.
    pub(crate) fn leaves(&self, node: NodeId) -> bool {
        match self.cursor(node).kind() {
            CXCursor_ReturnStmt | CXCursor_BreakStmt | CXCursor_ContinueStmt | CXCursor_GotoStmt => true,
            CXCursor_CompoundStmt => self.children(node).last().is_some_and(|last| self.leaves(last)),
            _ => false,
        }
    }
}

/// Of nodes in order.
fn is_within(nodes: &[NodeId], region: &Range<NodeId>) -> bool {
    let next = nodes.partition_point(|node| *node < region.start);
    nodes.get(next).is_some_and(|node| *node < region.end)
}
