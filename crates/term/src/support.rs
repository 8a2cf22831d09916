//! Which variables a term depends on.
//!
//! Small sets are kept for every term, each distinct set once, so that asking is a lookup. Terms over many
//! variables share one mark instead; their sets are collected on demand and remembered for the terms asked.

use crate::pool::Pool;
use crate::term::{Kind, TermId, VarId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The variables of a term, ascending.
pub type Support = Arc<[VarId]>;

/// Sets up to this size are kept for every term.
const SMALL: usize = 48;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SupportId(u32);

impl SupportId {
    pub(crate) const EMPTY: SupportId = SupportId(0);
    const LARGE: SupportId = SupportId(u32::MAX);
}

pub(crate) struct Supports {
    of_term: Vec<SupportId>,
    sets: Vec<Support>,
    ids: FxHashMap<Support, SupportId>,
    unions: FxHashMap<(SupportId, SupportId), SupportId>,
    /// Of terms and tables whose set is large, as far as they were asked for.
    collected: FxHashMap<TermId, Support>,
    elements: usize,
}

impl Supports {
    pub(crate) fn new() -> Supports {
        let empty: Support = Arc::new([]);
        Supports {
            of_term: Vec::new(),
            sets: vec![empty.clone()],
            ids: FxHashMap::from_iter([(empty, SupportId::EMPTY)]),
            unions: FxHashMap::default(),
            collected: FxHashMap::default(),
            elements: 0,
        }
    }

    pub(crate) fn push(&mut self, support: SupportId) {
        self.of_term.push(support);
    }

    pub(crate) fn of_term(&self, term: TermId) -> SupportId {
        self.of_term[term.index()]
    }

    pub(crate) fn memory(&self) -> usize {
        self.of_term.len() * 4 + self.elements * 4 + self.sets.len() * 64 + self.unions.len() * 18
    }

    pub(crate) fn union(&mut self, a: SupportId, b: SupportId) -> SupportId {
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
        let mut set = self.sets[a.0 as usize].to_vec();
        set.extend_from_slice(&self.sets[b.0 as usize]);
        set.sort_unstable();
        set.dedup();
        let id = if set.len() > SMALL { SupportId::LARGE } else { self.intern(set) };
        self.unions.insert(key, id);
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
        let id = self.supports.of_term(term);
        if id != SupportId::LARGE {
            return self.supports.sets[id.0 as usize].clone();
        }
        if let Some(set) = self.supports.collected.get(&term) {
            return set.clone();
        }
        let set: Support = self.collect_support(term).into();
        self.supports.elements += set.len();
        self.supports.collected.insert(term, set.clone());
        set
    }

    /// False if the value of `term` is the same whatever `var` is. True may be wrong for terms of many variables.
    pub(crate) fn may_depend_on(&self, term: TermId, var: VarId) -> bool {
        match self.supports.of_term(term) {
            SupportId::LARGE => true,
            small => self.supports.sets[small.0 as usize].binary_search(&var).is_ok(),
        }
    }

    pub(crate) fn support_of_kind(&mut self, kind: Kind) -> SupportId {
        if let Kind::Var(var) = kind {
            return self.supports.intern(vec![var]);
        }
        let mut support = match kind {
            Kind::Select { table, .. } => self.table_support(table),
            _ => SupportId::EMPTY,
        };
        for operand in kind.operands() {
            support = self.supports.union(support, self.supports.of_term(operand));
        }
        support
    }

    fn collect_support(&self, term: TermId) -> Vec<VarId> {
        let mut found = vec![false; self.vars().len()];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = vec![term];
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            let id = self.supports.of_term(term);
            let known = match id {
                SupportId::LARGE => self.supports.collected.get(&term),
                small => Some(&self.supports.sets[small.0 as usize]),
            };
            if let Some(set) = known {
                for var in set.iter() {
                    found[var.index()] = true;
                }
                continue;
            }
            let kind = self.kind(term);
            todo.extend(kind.operands());
            if let Kind::Select { table, .. } = kind {
                todo.extend_from_slice(self.table(table));
            }
        }
        (0..found.len()).filter(|index| found[*index]).map(|index| VarId(index as u32)).collect()
    }
}
