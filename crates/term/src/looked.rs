//! Which variables a value looks at under one assignment: of a choice the condition and what it chooses, of a table the
//! index and the element there. What it would look at under another one is left out; see `support` for all of them.

use crate::eval::Evaluation;
use crate::term::{Kind, TermId, VarId};
use rustc_hash::FxHashSet;

impl Evaluation<'_> {
    /// Ascending.
    pub fn looked_at(&mut self, term: TermId) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::from_iter([term]);
        let mut todo = vec![term];
        while let Some(term) = todo.pop() {
            let within = match self.pool().kind(term) {
                Kind::Var(var) => {
                    found.push(var);
                    continue;
                }
                Kind::Ite { condition, then, otherwise } => {
                    let chosen = if self.value(condition) == 1 { then } else { otherwise };
                    vec![condition, chosen]
                }
                Kind::Select { table, index } => {
                    let at = usize::try_from(self.value(index)).ok();
                    let element = at.and_then(|at| self.pool().table(table).get(at).copied());
                    std::iter::once(index).chain(element).collect()
                }
                kind => kind.operands().collect(),
            };
            todo.extend(within.into_iter().filter(|term| seen.insert(*term)));
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::{Assignment, Evaluator, Pool, TermId, Var};
    use wire::SlotKey;

    fn var(hash: u64) -> Var {
        Var { slot: SlotKey { hash, occurrence: 0 }, element: 0, bits: 8 }
    }

    fn looked_at(pool: &Pool, term: TermId, values: &[(u64, u64)]) -> Vec<u64> {
        let assignment = Assignment::from_iter(values.iter().map(|(hash, value)| (var(*hash), *value)));
        let mut evaluator = Evaluator::new();
        let looked = evaluator.under(pool, &assignment).looked_at(term);
        looked.into_iter().map(|id| pool.var_of(id).slot.hash).collect()
    }

    #[test]
    fn of_a_table_the_element_that_is_read() {
        let mut pool = Pool::new();
        let [index, a, b] = [1, 2, 3].map(|hash| pool.var(var(hash)));
        let table = pool.make_table(vec![a, b, a]).expect("elements");
        let read = pool.select(table, index);
        let sum = pool.add(read, index);
        assert_eq!(looked_at(&pool, sum, &[(1, 1)]), [1, 3]);
        assert_eq!(looked_at(&pool, sum, &[(1, 2)]), [1, 2]);
        assert_eq!(looked_at(&pool, sum, &[(1, 9)]), [1], "beyond its end");
    }

    #[test]
    fn of_a_choice_what_it_chose() {
        let mut pool = Pool::new();
        let [which, a, b] = [1, 2, 3].map(|hash| pool.var(var(hash)));
        let zero = pool.constant(8, 0);
        let is_zero = pool.eq(which, zero);
        let one_of = pool.ite(is_zero, a, b);
        let product = pool.mul(one_of, one_of);
        assert_eq!(looked_at(&pool, product, &[(1, 0)]), [1, 2]);
        assert_eq!(looked_at(&pool, product, &[(1, 4)]), [1, 3]);
    }
}
