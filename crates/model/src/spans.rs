//! Parameters that point into one piece of memory: C allows nothing else to be subtracted, or compared by order. Of each
//! two, the one that is not behind the other comes first: `while (s < end)`, `end - s`.
//!
//! Locals stand for the parameters that are assigned to them, anywhere in the function. A local that may be one of
//! several says something only where these are known to belong together.

use crate::clang::Cursor;
use crate::expression::{assigned, declared, without_casts};
use crate::handed::Handed;
use crate::tree::Tree;
use clang_sys::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Pairs of parameters by their names, and what is handed on as it is.
#[derive(Default)]
pub(crate) struct Spans {
    pub(crate) pairs: Vec<(String, String)>,
    pub(crate) handed: Vec<Handed>,
}

/// Parameters by their place.
type Bases = BTreeSet<usize>;

impl Spans {
    pub(crate) fn of_function(definition: Cursor<'_>, tree: &Tree<'_>) -> Spans {
        let params: Vec<Cursor<'_>> = definition.arguments();
        let is_pointer = |param: &Cursor<'_>| param.ty().canonical().is_pointer();
        if !params.iter().any(is_pointer) {
            return Spans::default();
        }
        let mut walk = Walk::default();
        for (at, param) in params.iter().enumerate().filter(|(_, param)| is_pointer(param)) {
            walk.params.insert(param.identity(), at);
        }
        for (variable, value) in tree.region(Tree::ROOT).filter_map(|node| assigned(tree.cursor(node))) {
            walk.assigned.entry(variable).or_default().push(value);
        }
        let mut ordered = Vec::new();
        let mut handed = Vec::new();
        for node in tree.region(Tree::ROOT) {
            walk.note_order(tree.cursor(node), &mut ordered);
            walk.note_handed(tree.cursor(node), &mut handed);
        }
        let name = |at: &usize| params[*at].name();
        let pairs = in_one_piece(&ordered, params.len()).into_iter();
        let mut pairs: Vec<(String, String)> = pairs.map(|(one, other)| (name(&one), name(&other))).collect();
        pairs.retain(|(one, other)| !one.is_empty() && !other.is_empty());
        Spans { pairs, handed }
    }
}

#[derive(Default)]
struct Walk<'tu> {
    /// Places of the parameters that are pointers, by the identity of their declaration.
    params: HashMap<usize, usize>,
    assigned: HashMap<usize, Vec<Cursor<'tu>>>,
}

impl<'tu> Walk<'tu> {
    /// `a < b` and `b - a`: what may be `a`, and what `b`.
    fn note_order(&self, node: Cursor<'tu>, found: &mut Vec<(Bases, Bases)>) {
        if node.kind() != CXCursor_BinaryOperator {
            return;
        }
        let [left, right] = node.children()[..] else { return };
        let is_pointer = |side: Cursor<'tu>| without_casts(side).ty().canonical().is_pointer();
        if !is_pointer(left) || !is_pointer(right) {
            return;
        }
        let (first, last) = match node.binary_operator() {
            CXBinaryOperator_LT | CXBinaryOperator_LE => (left, right),
            CXBinaryOperator_GT | CXBinaryOperator_GE | CXBinaryOperator_Sub => (right, left),
            _ => return,
        };
        let bases = |side: Cursor<'tu>| self.bases(side, &mut HashSet::new());
        let (first, last) = (bases(first), bases(last));
        if !first.is_empty() && !last.is_empty() {
            found.push((first, last));
        }
    }

    fn note_handed(&self, node: Cursor<'tu>, found: &mut Vec<Handed>) {
        if node.kind() != CXCursor_CallExpr {
            return;
        }
        let callee = node.children().first().and_then(|callee| without_casts(*callee).referenced());
        let Some(callee) = callee.filter(|callee| callee.kind() == CXCursor_FunctionDecl) else { return };
        for (argument, given) in node.arguments().into_iter().enumerate() {
            let named = declared(without_casts(given));
            if let Some(param) = named.filter(|named| self.params.contains_key(&named.identity())) {
                let (callee, variable) = (callee.name(), param.name());
                found.push(Handed { callee, argument, variable, is_char: false });
            }
        }
    }

    /// The parameters that a pointer may have been computed from; none where it may be anything else.
    fn bases(&self, node: Cursor<'tu>, seen: &mut HashSet<usize>) -> Bases {
        let node = without_casts(node);
        let children = node.children();
        let both = |one: Bases, other: Bases| -> Bases { one.union(&other).copied().collect() };
        match (node.kind(), &children[..]) {
            (CXCursor_DeclRefExpr, _) => {
                let Some(identity) = declared(node).map(Cursor::identity) else { return Bases::new() };
                if !seen.insert(identity) {
                    return Bases::new();
                }
                let own: Bases = self.params.get(&identity).copied().into_iter().collect();
                let values = self.assigned.get(&identity).into_iter().flatten();
                values.fold(own, |found, value| both(found, self.bases(*value, seen)))
            }
            (CXCursor_BinaryOperator, [left, right]) => match node.binary_operator() {
                CXBinaryOperator_Add | CXBinaryOperator_Sub => {
                    let is_pointer = |side: Cursor<'tu>| without_casts(side).ty().canonical().is_pointer();
                    self.bases(if is_pointer(*left) { *left } else { *right }, seen)
                }
                CXBinaryOperator_Assign | CXBinaryOperator_Comma => self.bases(*right, seen),
                _ => Bases::new(),
            },
            (CXCursor_UnaryOperator, [operand]) => match node.unary_operator() {
                CXUnaryOperator_PostInc
                | CXUnaryOperator_PostDec
                | CXUnaryOperator_PreInc
                | CXUnaryOperator_PreDec => self.bases(*operand, seen),
                _ => Bases::new(),
            },
            (CXCursor_CompoundAssignOperator, [left, _]) => self.bases(*left, seen),
            (CXCursor_ConditionalOperator, [_, yes, no]) => {
                both(self.bases(*yes, seen), self.bases(*no, seen))
            }
            _ => Bases::new(),
        }
    }
}

/// The pairs that follow: sides of one parameter each belong together; where a side may be several, these are one
/// if they are known to be, and what stands on both sides says nothing.
fn in_one_piece(ordered: &[(Bases, Bases)], params: usize) -> BTreeSet<(usize, usize)> {
    let mut piece: Vec<usize> = (0..params).collect();
    let mut found = BTreeSet::new();
    loop {
        let mut is_new = false;
        for (first, last) in ordered {
            let apart = |side: &Bases, other: &Bases| -> Bases {
                let rest: Bases = side.difference(other).copied().collect();
                if rest.is_empty() { side.clone() } else { rest }
            };
            let (one, other) = (apart(first, last), apart(last, first));
            let pieces = |side: &Bases| -> Bases { side.iter().map(|at| piece[*at]).collect() };
            let (Some(left), Some(right)) = (only(&pieces(&one)), only(&pieces(&other))) else { continue };
            for (before, after) in one.iter().flat_map(|at| other.iter().map(move |to| (*at, *to))) {
                is_new |= before != after && found.insert((before, after));
            }
            piece.iter_mut().filter(|known| **known == right).for_each(|known| *known = left);
        }
        if !is_new {
            return found;
        }
    }
}

fn only(pieces: &Bases) -> Option<usize> {
    pieces.first().copied().filter(|_| pieces.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(ordered: &[(&[usize], &[usize])]) -> Vec<(usize, usize)> {
        let bases = |side: &[usize]| side.iter().copied().collect::<Bases>();
        let ordered: Vec<(Bases, Bases)> =
            ordered.iter().map(|(first, last)| (bases(first), bases(last))).collect();
        in_one_piece(&ordered, 5).into_iter().collect()
    }

    #[test]
    fn sides_of_one_parameter_belong_together() {
        assert_eq!(pairs(&[(&[0], &[1])]), [(0, 1)]);
        assert_eq!(pairs(&[(&[0], &[1]), (&[2], &[3])]), [(0, 1), (2, 3)]);
        assert!(pairs(&[(&[0, 2], &[1])]).is_empty(), "one of two");
    }

    #[test]
    fn what_is_known_tells_of_the_rest() {
        // end = text_end; if (end > text_range) end = text_range; while (s < end)
        assert_eq!(pairs(&[(&[2], &[1, 2]), (&[0], &[1, 2])]), [(0, 1), (0, 2), (2, 1)]);
    }
}
