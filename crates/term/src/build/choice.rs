//! If-then-else, and reading a table at a symbolic index.

use crate::pool::Pool;
use crate::term::{Kind, TableId, TermId, Unary};

impl Pool {
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        let bits = self.bits(then);
        debug_assert_eq!(self.bits(condition), 1);
        debug_assert_eq!(bits, self.bits(otherwise));
        match self.as_const(condition) {
            Some(0) => return otherwise,
            Some(_) => return then,
            None => {}
        }
        if then == otherwise {
            return then;
        }
        if let Kind::Unary(Unary::Not, inner) = self.kind(condition) {
            return self.ite(inner, otherwise, then);
        }
        if bits == 1 {
            return self.choose_truth(condition, then, otherwise);
        }
        // An arm that asks the same question again.
        if let Kind::Ite { condition: again, then: first, .. } = self.kind(then)
            && again == condition
        {
            return self.ite(condition, first, otherwise);
        }
        if let Kind::Ite { condition: again, otherwise: second, .. } = self.kind(otherwise)
            && again == condition
        {
            return self.ite(condition, then, second);
        }
        self.intern(Kind::Ite { condition, then, otherwise }, bits)
    }

    fn choose_truth(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        match (self.as_const(then), self.as_const(otherwise)) {
            (Some(1), _) => self.or(condition, otherwise),
            (Some(_), _) => {
                let unless = self.not(condition);
                self.and(unless, otherwise)
            }
            (_, Some(0)) => self.and(condition, then),
            (_, Some(_)) => {
                let unless = self.not(condition);
                self.or(unless, then)
            }
            _ if then == condition => self.or(condition, otherwise),
            _ if otherwise == condition => self.and(condition, then),
            _ if self.is_not(then, condition) => self.and(then, otherwise),
            _ if self.is_not(otherwise, condition) => self.or(otherwise, then),
            _ => self.intern(Kind::Ite { condition, then, otherwise }, 1),
        }
    }

    /// The element of `table` at `index`; zero beyond its end.
    pub fn select(&mut self, table: TableId, index: TermId) -> TermId {
        let bits = self.table_bits(table);
        if let Some(at) = self.as_const(index) {
            let element = usize::try_from(at).ok().and_then(|at| self.table(table).get(at).copied());
            return element.unwrap_or_else(|| self.constant(bits, 0));
        }
        match self.kind(index) {
            Kind::ZExt(inner) => self.select(table, inner),
            _ => self.intern(Kind::Select { table, index }, bits),
        }
    }
}
