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
    /// Where each variable is assigned, or its address taken, by the identity of its declaration.
    writes: HashMap<usize, Vec<NodeId>>,
    /// Variables whose address is taken: they change where nobody sees it.
    addressed: HashSet<usize>,
    /// Where control may come from elsewhere.
    labels: Vec<NodeId>,
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
            CXCursor_AsmStmt => {
                let named = (node..self.end(node)).filter_map(|part| self.named(part));
                self.addressed.extend(named.collect::<Vec<_>>());
            }
            _ => {}
        }
        let operand = self.children(node).next().filter(|_| is_write || is_address);
        match operand.and_then(|operand| self.named(operand)) {
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
