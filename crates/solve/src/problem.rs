//! A query on its way through the layers.

use crate::layers::domains::Domain;
use crate::query::Query;
use std::time::Instant;
use term::{Assignment, Evaluator, Pool, TermId, Values, VarId};

/// Constraints that hold where those of the problem do, each with those that it follows from.
#[derive(Default)]
pub(crate) struct Simplified {
    pub constraints: Vec<TermId>,
    pub reasons: Vec<Vec<TermId>>,
}

impl Simplified {
    pub(crate) fn push(&mut self, constraint: TermId, reasons: Vec<TermId>) {
        self.constraints.push(constraint);
        self.reasons.push(reasons);
    }

    /// What of the problem these of the constraints follow from.
    pub(crate) fn core(&self, indexes: &[usize]) -> Vec<TermId> {
        let mut core: Vec<TermId> = indexes.iter().flat_map(|&index| self.reasons[index].clone()).collect();
        core.sort_unstable();
        core.dedup();
        core
    }
}

pub(crate) struct Problem<'a> {
    pub pool: &'a mut Pool,
    /// What must hold, without repetitions; the target is among them.
    pub constraints: Vec<TermId>,
    /// The negated decision.
    pub target: TermId,
    /// The variables that the constraints depend on, ascending. Filled in when the problem is narrowed.
    pub vars: Vec<VarId>,
    /// What single bytes may be, by the constraints over them alone; bytes that are not here may be anything.
    pub domains: Vec<(VarId, Domain)>,
    /// The constraints in a form that is easier for SMT, if there is one.
    pub simplified: Option<Simplified>,
    /// Constraints that contradict each other, if the answer found such.
    pub core: Vec<TermId>,
    pub hint: &'a dyn Values,
    pub deadline: Instant,
    pub evaluator: &'a mut Evaluator,
}

impl<'a> Problem<'a> {
    /// The problem of a query that was asked now; `None` when there is nothing to satisfy.
    pub(crate) fn new(
        pool: &'a mut Pool,
        query: &Query<'a>,
        evaluator: &'a mut Evaluator,
        now: Instant,
    ) -> Option<Problem<'a>> {
        let target = *query.constraints.last()?;
        let mut constraints = query.constraints.to_vec();
        constraints.sort_unstable();
        constraints.dedup();
        let deadline = now + query.time_limit;
        Some(Problem {
            pool,
            constraints,
            target,
            vars: Vec::new(),
            domains: Vec::new(),
            simplified: None,
            core: Vec::new(),
            hint: query.hint,
            deadline,
            evaluator,
        })
    }

    /// Whether the constraints hold under `candidate`, which must name every variable of the problem or mean zero.
    /// The target comes first: it is what most candidates fail.
    pub(crate) fn holds(&mut self, candidate: &Assignment) -> bool {
        let mut evaluation = self.evaluator.under(self.pool, candidate);
        evaluation.value(self.target) == 1 && evaluation.all_hold(&self.constraints)
    }

    /// The hint's values of the problem's variables.
    pub(crate) fn start(&self) -> Assignment {
        self.vars.iter().map(|var| self.pool.var_of(*var)).map(|var| (var, self.hint.value(var))).collect()
    }
}
