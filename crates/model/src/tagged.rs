//! Unions of which another member of the same record tells what is in them, or a number that all members of the union begin
//! with (`node->u.base.type`): which values of that tag go with which members of the union, by use.
//!
//! Where a `switch` or a comparison tells the tag, or an assignment in the same block sets it, the members of the union
//! that are accessed there go with that value. Objects are told by how they are written; a tag and a union that are
//! handed over apart are not followed.

use crate::clang::Cursor;
use crate::expression::bare;
use crate::origin::spelling;
use crate::parse::UnitBuilder;
use crate::program::{RecordId, TagUse};
use crate::tree::{NodeId, Tree};
use clang_sys::*;

/// The tag of an object.
#[derive(Clone, PartialEq, Eq)]
struct Tag {
    object: String,
    record: RecordId,
    member: u32,
    /// The union that it is in, and the member of that: places.
    within: Option<(u32, u32)>,
}

/// A tag is one of these values.
type Known = (Tag, Vec<i64>);

pub(crate) fn uses<'tu>(unit: &mut UnitBuilder<'_, 'tu>, tree: &Tree<'tu>) -> Vec<TagUse> {
    let mut walk = Walk { unit, tree, known: Vec::new(), found: Vec::new() };
    walk.visit(Tree::ROOT);
    walk.found
}

struct Walk<'b, 'a, 'tu> {
    unit: &'b mut UnitBuilder<'a, 'tu>,
    tree: &'b Tree<'tu>,
    /// What holds where the walk is; of what is said of one tag, the last.
    known: Vec<Known>,
    found: Vec<TagUse>,
}

impl<'tu> Walk<'_, '_, 'tu> {
    fn visit(&mut self, node: NodeId) {
        let cursor = self.tree.cursor(node);
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        match (cursor.kind(), &parts[..]) {
            (CXCursor_CompoundStmt, _) => self.block(&parts),
            (CXCursor_SwitchStmt, &[.., condition, body]) => {
                self.visit(condition);
                match self.tag(condition) {
                    Some(tag) => self.cases(&tag, body),
                    None => self.visit(body),
                }
            }
            (CXCursor_IfStmt | CXCursor_ConditionalOperator, &[condition, yes, ref no @ ..]) => {
                self.visit(condition);
                self.under(condition, true, yes);
                no.iter().for_each(|no| self.under(condition, false, *no));
            }
            (CXCursor_BinaryOperator, &[left, right]) => {
                self.visit(left);
                match cursor.binary_operator() {
                    CXBinaryOperator_LAnd => self.under(left, true, right),
                    CXBinaryOperator_LOr => self.under(left, false, right),
                    _ => self.visit(right),
                }
            }
            (CXCursor_MemberRefExpr, _) => {
                self.access(cursor);
                parts.iter().for_each(|part| self.visit(*part));
            }
            _ => parts.iter().for_each(|part| self.visit(*part)),
        }
    }

    fn block(&mut self, statements: &[NodeId]) {
        let before = self.known.len();
        let set: Vec<(Tag, i64)> = statements.iter().filter_map(|node| self.set(*node)).collect();
        for (number, (tag, value)) in set.iter().enumerate() {
            let alone = set.iter().enumerate().all(|(other, (known, _))| other == number || known != tag);
            if alone {
                self.known.push((tag.clone(), vec![*value]));
            }
        }
        for node in statements {
            self.visit(*node);
            if let Some(condition) = self.tree.leaving_condition(*node) {
                let known = self.says(condition, false);
                self.known.extend(known);
            }
        }
        self.known.truncate(before);
    }

    /// The statements of a switch: control falls through from one case to the next, unless it leaves.
    fn cases(&mut self, tag: &Tag, body: NodeId) {
        let mut values: Vec<i64> = Vec::new();
        let (mut is_any, mut has_left) = (false, true);
        for statement in self.tree.children(body).collect::<Vec<_>>() {
            let mut statement = statement;
            while let CXCursor_CaseStmt | CXCursor_DefaultStmt = self.tree.cursor(statement).kind() {
                let parts: Vec<NodeId> = self.tree.children(statement).collect();
                if std::mem::take(&mut has_left) {
                    values.clear();
                    is_any = false;
                }
                let is_case = self.tree.cursor(statement).kind() == CXCursor_CaseStmt;
                let value =
                    parts.first().filter(|_| is_case).and_then(|value| self.tree.cursor(*value).integer());
                match value {
                    // A range of cases has one part more.
                    Some(value) if parts.len() == 2 => values.push(value),
                    _ => is_any = true,
                }
                let Some(inner) = parts.last() else { break };
                statement = *inner;
            }
            let before = self.known.len();
            self.known.push((tag.clone(), if is_any { Vec::new() } else { values.clone() }));
            self.visit(statement);
            self.known.truncate(before);
            has_left |= self.tree.leaves(statement);
        }
    }

    fn under(&mut self, condition: NodeId, truth: bool, part: NodeId) {
        let before = self.known.len();
        let known = self.says(condition, truth);
        self.known.extend(known);
        self.visit(part);
        self.known.truncate(before);
    }

    /// What a condition says about tags that is true, or false.
    fn says(&mut self, condition: NodeId, truth: bool) -> Vec<Known> {
        let node = self.tree.bare(condition);
        let cursor = self.tree.cursor(node);
        let parts: Vec<NodeId> = self.tree.children(node).collect();
        match (cursor.kind(), &parts[..]) {
            (CXCursor_UnaryOperator, &[operand]) if cursor.unary_operator() == CXUnaryOperator_LNot => {
                self.says(operand, !truth)
            }
            (CXCursor_BinaryOperator, &[left, right]) => match (cursor.binary_operator(), truth) {
                (CXBinaryOperator_LAnd, true) | (CXBinaryOperator_LOr, false) => {
                    let mut both = self.says(left, truth);
                    both.extend(self.says(right, truth));
                    both
                }
                (CXBinaryOperator_LOr, true) | (CXBinaryOperator_LAnd, false) => {
                    let (left, right) = (self.says(left, truth), self.says(right, truth));
                    match (&left[..], &right[..]) {
                        ([(tag, one)], [(same, other)]) if tag == same => {
                            vec![(tag.clone(), [&one[..], other].concat())]
                        }
                        _ => Vec::new(),
                    }
                }
                (CXBinaryOperator_EQ, true) | (CXBinaryOperator_NE, false) => {
                    let equal = self.equal(left, right).or_else(|| self.equal(right, left));
                    equal.map(|(tag, value)| (tag, vec![value])).into_iter().collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn equal(&mut self, place: NodeId, value: NodeId) -> Option<(Tag, i64)> {
        Some((self.tag(place)?, self.tree.cursor(value).integer()?))
    }

    /// `object->tag = CONSTANT;`
    fn set(&mut self, node: NodeId) -> Option<(Tag, i64)> {
        let cursor = self.tree.cursor(node);
        let is_assignment =
            cursor.kind() == CXCursor_BinaryOperator && cursor.binary_operator() == CXBinaryOperator_Assign;
        match self.tree.children(node).collect::<Vec<_>>()[..] {
            [left, right] if is_assignment => self.equal(left, right),
            _ => None,
        }
    }

    /// The member of an object that an expression is, if it is a number.
    fn tag(&mut self, node: NodeId) -> Option<Tag> {
        let cursor = bare(self.tree.cursor(node));
        if cursor.kind() != CXCursor_MemberRefExpr || !cursor.ty().is_integer() {
            return None;
        }
        let place = bare(cursor.children().into_iter().next()?);
        if place.kind() == CXCursor_MemberRefExpr
            && let Some(((object, record, union), view)) = self.in_union(place)
        {
            let (_, member) = self.unit.types.field(cursor.referenced()?)?;
            return Some(Tag { object, record, member: member as u32, within: Some((union, view)) });
        }
        let (object, record, member) = self.member(cursor)?;
        Some(Tag { object, record, member, within: None })
    }

    /// `object->member`, and the object as it is written.
    fn member(&mut self, cursor: Cursor<'tu>) -> Option<(String, RecordId, u32)> {
        if cursor.kind() != CXCursor_MemberRefExpr {
            return None;
        }
        let (record, member) = self.unit.types.field(cursor.referenced()?)?;
        Some((spelling(cursor.children().into_iter().next()?)?, record, member as u32))
    }

    /// `object->union.member` where the object's tag is known.
    fn access(&mut self, cursor: Cursor<'tu>) {
        let Some(((object, record, union), member)) = self.in_union(cursor) else { return };
        let known = self.known.iter().rev().find(|(tag, _)| tag.object == object && tag.record == record);
        let Some((tag, values)) = known else { return };
        // What is common to all members of the union says nothing.
        if tag.within.is_some_and(|within| within.0 != union || within.1 == member) {
            return;
        }
        let within = tag.within.map(|(_, view)| view);
        for value in values {
            let found = TagUse { record, tag: tag.member, union, within, value: *value, member };
            if !self.found.contains(&found) {
                self.found.push(found);
            }
        }
    }

    /// The union that a member is in, as a member of its object, and the member's place in the union.
    fn in_union(&mut self, cursor: Cursor<'tu>) -> Option<((String, RecordId, u32), u32)> {
        let place = bare(cursor.children().into_iter().next()?);
        let (inner, member) = self.unit.types.field(cursor.referenced()?)?;
        if place.ty().is_union() {
            return Some((self.member(place)?, member as u32));
        }
        // The anonymous union of `object->member` is not written.
        let ty = if place.ty().is_pointer() { place.ty().canonical().pointee() } else { place.ty() };
        let (record, union) = self.unit.types.anonymous(ty, inner)?;
        Some(((spelling(place)?, record, union as u32), member as u32))
    }
}
