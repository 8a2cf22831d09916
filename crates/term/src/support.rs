//! Which variables a term depends on.
//!
//! Small sets are kept for every term, each distinct set once, so that asking is a lookup. Terms over many
//! variables share one mark instead; when one is asked for, its set and those of the terms within are found and take
//! the place of the mark. Only beyond a bound of memory are sets of terms within not kept.

use crate::pool::Pool;
use crate::term::{Kind, TableId, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The variables of a term, ascending.
pub type Support = Arc<[VarId]>;

/// Sets up to this size are kept for every term.
const SMALL: usize = 48;

/// Larger sets are kept for terms that nobody asked for until all sets have this many members.
const KEPT: usize = 16 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SupportId(u32);

impl SupportId {
    pub(crate) const EMPTY: SupportId = SupportId(0);
    const LARGE: SupportId = SupportId(u32::MAX);
}

pub(crate) struct Supports {
    of_term: Vec<SupportId>,
    of_table: Vec<SupportId>,
    sets: Vec<Support>,
    ids: FxHashMap<Support, SupportId>,
    unions: FxHashMap<(SupportId, SupportId), SupportId>,
    /// Of terms that were asked for when no more sets were kept.
    asked: FxHashMap<TermId, Support>,
    elements: usize,
}

/// What has a set of variables.
#[derive(Clone, Copy)]
enum Node {
    Term(TermId),
    Table(TableId),
}

impl Supports {
    pub(crate) fn new() -> Supports {
        let empty: Support = Arc::new([]);
        Supports {
            of_term: Vec::new(),
            of_table: Vec::new(),
            sets: vec![empty.clone()],
            ids: FxHashMap::from_iter([(empty, SupportId::EMPTY)]),
            unions: FxHashMap::default(),
            asked: FxHashMap::default(),
            elements: 0,
        }
    }

    pub(crate) fn push(&mut self, support: SupportId) {
        self.of_term.push(support);
    }

    pub(crate) fn push_table(&mut self, elements: &[TermId]) {
        let mut support = SupportId::EMPTY;
        for element in elements {
            support = self.union(support, self.of(Node::Term(*element)));
        }
        self.of_table.push(support);
    }

    fn of(&self, node: Node) -> SupportId {
        match node {
            Node::Term(term) => self.of_term[term.index()],
            Node::Table(table) => self.of_table[table.index()],
        }
    }

    /// The set, unless it is large and was not found yet.
    fn set(&self, node: Node) -> Option<&Support> {
        match self.of(node) {
            SupportId::LARGE => None,
            id => Some(&self.sets[id.0 as usize]),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        (self.of_term.len() + self.of_table.len() + self.elements) * 4
            + self.sets.len() * 64
            + self.unions.len() * 18
    }

    /// The union as far as it is small or known.
    fn union(&mut self, a: SupportId, b: SupportId) -> SupportId {
        if a == b || b == SupportId::EMPTY {
            return a;
        }
        if a == SupportId::EMPTY {
            return b;
        }
        if a == SupportId::LARGE || b == SupportId::LARGE {
            return SupportId::LARGE;
        }
        let key = (SupportId(a.0.min(b.0)), SupportId(a.0.max(b.0)));
        if let Some(id) = self.unions.get(&key) {
            return *id;
        }
        let (first, second) = (&self.sets[a.0 as usize], &self.sets[b.0 as usize]);
        if first.len().max(second.len()) > SMALL {
            return SupportId::LARGE;
        }
        let mut set = [&first[..], &second[..]].concat();
        set.sort_unstable();
        set.dedup();
        let id = if set.len() > SMALL { SupportId::LARGE } else { self.intern(set) };
        self.unions.insert(key, id);
        id
    }

    /// The union, however large it is.
    fn unite(&mut self, mut parts: Vec<SupportId>, vars: usize) -> SupportId {
        parts.sort_unstable_by_key(|part| part.0);
        parts.dedup();
        let key = match parts[..] {
            [] => return SupportId::EMPTY,
            [one] => return one,
            [a, b] => Some((a, b)),
            _ => None,
        };
        if let Some(id) = key.and_then(|key| self.unions.get(&key))
            && *id != SupportId::LARGE
        {
            return *id;
        }
        let mut found = vec![false; vars];
        for part in parts {
            self.sets[part.0 as usize].iter().for_each(|var| found[var.index()] = true);
        }
        let id = self.intern(variables(&found));
        if let Some(key) = key {
            self.unions.insert(key, id);
        }
        id
    }

    fn intern(&mut self, set: Vec<VarId>) -> SupportId {
        if let Some(id) = self.ids.get(set.as_slice()) {
            return *id;
        }
        let id = SupportId(self.sets.len() as u32);
        let set: Support = set.into();
        self.elements += set.len();
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }
}

impl Pool {
    /// The variables that `term` depends on, ascending.
    pub fn support(&mut self, term: TermId) -> Support {
        self.find_support(Node::Term(term));
        if let Some(set) = self.supports.set(Node::Term(term)).or_else(|| self.supports.asked.get(&term)) {
            return set.clone();
        }
        let set: Support = self.collect_support(term).into();
        self.supports.elements += set.len();
        self.supports.asked.insert(term, set.clone());
        set
    }

    /// False if the value of `term` is the same whatever `var` is. True may be wrong for terms of many variables.
    pub(crate) fn may_depend_on(&self, term: TermId, var: VarId) -> bool {
        self.supports.set(Node::Term(term)).is_none_or(|set| set.binary_search(&var).is_ok())
    }

    pub(crate) fn support_of_kind(&mut self, kind: Kind) -> SupportId {
        if let Kind::Var(var) = kind {
            return self.supports.intern(vec![var]);
        }
        let mut support = match kind {
            Kind::Select { table, .. } => self.supports.of(Node::Table(table)),
            _ => SupportId::EMPTY,
        };
        for operand in kind.operands() {
            support = self.supports.union(support, self.supports.of(Node::Term(operand)));
        }
        support
    }

    /// Finds the set of a node and of all nodes within, while there is room for them.
    fn find_support(&mut self, node: Node) {
        if self.supports.of(node) != SupportId::LARGE {
            return;
        }
        let mut todo = vec![node];
        while let Some(node) = todo.last().copied() {
            if self.supports.of(node) != SupportId::LARGE {
                todo.pop();
                continue;
            }
            if self.supports.elements > KEPT {
                return;
            }
            let parts = self.parts(node);
            let before = todo.len();
            todo.extend(parts.iter().copied().filter(|part| self.supports.of(*part) == SupportId::LARGE));
            if todo.len() > before {
                continue;
            }
            let sets = parts.into_iter().map(|part| self.supports.of(part)).collect();
            let vars = self.vars().len();
            let found = self.supports.unite(sets, vars);
            match node {
                Node::Term(term) => self.supports.of_term[term.index()] = found,
                Node::Table(table) => self.supports.of_table[table.index()] = found,
            }
        }
    }

    fn parts(&self, node: Node) -> Vec<Node> {
        match node {
            Node::Term(term) => {
                let kind = self.kind(term);
                let table = match kind {
                    Kind::Select { table, .. } => Some(Node::Table(table)),
                    _ => None,
                };
                kind.operands().map(Node::Term).chain(table).collect()
            }
            Node::Table(table) => self.table(table).iter().copied().map(Node::Term).collect(),
        }
    }

    /// The set of a term without those of the terms within.
    fn collect_support(&self, term: TermId) -> Vec<VarId> {
        let mut found = vec![false; self.vars().len()];
        let (mut terms, mut tables) = (FxHashSet::default(), FxHashSet::default());
        let mut todo = vec![Node::Term(term)];
        while let Some(node) = todo.pop() {
            let is_new = match node {
                Node::Term(term) => terms.insert(term),
                Node::Table(table) => tables.insert(table),
            };
            if !is_new {
                continue;
            }
            match self.supports.set(node) {
                Some(set) => set.iter().for_each(|var| found[var.index()] = true),
                None => todo.extend(self.parts(node)),
            }
        }
        variables(&found)
    }
}

fn variables(found: &[bool]) -> Vec<VarId> {
    (0..found.len()).filter(|index| found[*index]).map(|index| VarId(index as u32)).collect()
}
