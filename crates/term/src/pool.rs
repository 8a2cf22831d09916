//! The store of terms: every distinct term once, its variables, tables and support beside it.
//!
//! A pool lives across the executions of a unit. It only grows; [`Pool::clear`] starts a new generation, which
//! makes every earlier id meaningless, so whoever keeps ids must keep the generation with them.

use crate::assignment::Var;
use crate::convert::Scratch;
use crate::number::mask;
use crate::support::Supports;
use crate::term::{ConstId, Kind, MAX_BITS, TableId, Term, TermId, Unary, VarId};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Pool {
    generation: u64,
    terms: Vec<Term>,
    ids: FxHashMap<Term, TermId>,
    consts: Vec<u128>,
    const_ids: FxHashMap<u128, ConstId>,
    vars: Vec<Var>,
    var_ids: FxHashMap<Var, VarId>,
    tables: Vec<Table>,
    table_ids: FxHashMap<Arc<[TermId]>, TableId>,
    table_elements: usize,
    pub(crate) supports: Supports,
    /// By digest: what nodes of all executions were built to.
    pub(crate) built: FxHashMap<u64, TermId>,
    /// By term: one more than its negation, if that was asked for and is a term of its own.
    negations: Vec<u32>,
    /// Memory that is used again for every execution.
    pub(crate) scratch: Scratch,
    pub(crate) terms_of_log: Vec<(u64, Option<TermId>)>,
}

struct Table {
    elements: Arc<[TermId]>,
    bits: u16,
}

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

impl Pool {
    pub fn new() -> Pool {
        Pool {
            generation: next_generation(),
            terms: Vec::new(),
            ids: FxHashMap::default(),
            consts: Vec::new(),
            const_ids: FxHashMap::default(),
            vars: Vec::new(),
            var_ids: FxHashMap::default(),
            tables: Vec::new(),
            table_ids: FxHashMap::default(),
            table_elements: 0,
            supports: Supports::new(),
            built: FxHashMap::default(),
            negations: Vec::new(),
            scratch: Scratch::default(),
            terms_of_log: Vec::new(),
        }
    }

    /// No two pools, and no two generations of one pool, share this number.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Forgets every term. Ids handed out before must not be used again.
    pub fn clear(&mut self) {
        *self = Pool::new();
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// About how many bytes of memory the pool holds.
    pub fn memory(&self) -> usize {
        // A hash map keeps entries at up to 7/8 load in a power of two; 1.5 entries each is a fair mean.
        let term = size_of::<Term>() + (size_of::<(Term, TermId)>() * 3) / 2;
        let constant = size_of::<u128>() + (size_of::<(u128, ConstId)>() * 3) / 2;
        let var = size_of::<Var>() + (size_of::<(Var, VarId)>() * 3) / 2;
        self.terms.len() * term
            + self.consts.len() * constant
            + self.vars.len() * var
            + self.table_elements * size_of::<TermId>()
            + self.supports.memory()
            + self.negations.len() * size_of::<u32>()
            + self.built.len() * (size_of::<(u64, TermId)>() * 3) / 2
    }

    pub fn term(&self, id: TermId) -> Term {
        self.terms[id.index()]
    }

    pub fn kind(&self, id: TermId) -> Kind {
        self.terms[id.index()].kind
    }

    pub fn bits(&self, id: TermId) -> u16 {
        self.terms[id.index()].bits
    }

    /// The value of a constant term.
    pub fn as_const(&self, id: TermId) -> Option<u128> {
        match self.kind(id) {
            Kind::Const(value) => Some(self.consts[value.index()]),
            _ => None,
        }
    }

    pub fn const_value(&self, id: ConstId) -> u128 {
        self.consts[id.index()]
    }

    pub fn var_of(&self, id: VarId) -> Var {
        self.vars[id.index()]
    }

    /// Every variable of the pool; the index is the [`VarId`].
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }

    pub fn var_id(&self, var: Var) -> Option<VarId> {
        self.var_ids.get(&var).copied()
    }

    pub fn table(&self, id: TableId) -> &[TermId] {
        &self.tables[id.index()].elements
    }

    pub fn table_bits(&self, id: TableId) -> u16 {
        self.tables[id.index()].bits
    }

    pub fn constant(&mut self, bits: u16, value: u128) -> TermId {
        let value = value & mask(bits);
        let id = match self.const_ids.get(&value) {
            Some(id) => *id,
            None => {
                let id = ConstId(self.consts.len() as u32);
                self.consts.push(value);
                self.const_ids.insert(value, id);
                id
            }
        };
        self.intern(Kind::Const(id), bits)
    }

    pub fn truth(&mut self, value: bool) -> TermId {
        self.constant(1, u128::from(value))
    }

    pub fn var(&mut self, var: Var) -> TermId {
        let id = match self.var_ids.get(&var) {
            Some(id) => *id,
            None => {
                let id = VarId(self.vars.len() as u32);
                self.vars.push(var);
                self.var_ids.insert(var, id);
                id
            }
        };
        self.intern(Kind::Var(id), var.bits)
    }

    /// A table for `select`; its elements must be of one width. `None` when there are no elements.
    pub fn make_table(&mut self, elements: Vec<TermId>) -> Option<TableId> {
        let bits = self.bits(*elements.first()?);
        debug_assert!(elements.iter().all(|element| self.bits(*element) == bits));
        if let Some(id) = self.table_ids.get(elements.as_slice()) {
            return Some(*id);
        }
        let elements: Arc<[TermId]> = elements.into();
        self.supports.push_table(&elements);
        let id = TableId(self.tables.len() as u32);
        self.table_elements += elements.len();
        self.tables.push(Table { elements: elements.clone(), bits });
        self.table_ids.insert(elements, id);
        Some(id)
    }

    /// The term `not a`, where that is already in canonical form. Half of all decisions come out so, and a number by
    /// term is found faster than a term by its hash.
    pub(crate) fn negation(&mut self, a: TermId) -> TermId {
        if let Some(known) = self.negations.get(a.index()).and_then(|known| known.checked_sub(1)) {
            return TermId(known);
        }
        let negation = self.intern(Kind::Unary(Unary::Not, a), self.bits(a));
        self.negations.resize(self.negations.len().max(a.index() + 1), 0);
        self.negations[a.index()] = negation.0 + 1;
        negation
    }

    /// The one id of a term that is already in canonical form.
    pub(crate) fn intern(&mut self, kind: Kind, bits: u16) -> TermId {
        debug_assert!((1..=MAX_BITS).contains(&bits), "width {bits}");
        let term = Term { kind, bits };
        if let Some(id) = self.ids.get(&term) {
            return *id;
        }
        let id = TermId(self.terms.len() as u32);
        let support = self.support_of_kind(kind);
        self.terms.push(term);
        self.supports.push(support);
        self.ids.insert(term, id);
        debug_assert_eq!(crate::verify::broken_rule(self, id), None, "{}", self.show(id, 2));
        id
    }
}

fn next_generation() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
