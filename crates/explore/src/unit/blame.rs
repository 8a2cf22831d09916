//! What decided that an execution failed: the inputs that the condition which failed looked at, or the branch before it.

use super::Terms;
use super::held::Held;
use crate::decision::{Decision, Kind};
use crate::subject::{Blame, Observed, has_failed};
use model::sites::{Site, SiteKind};
use term::{Assignment, TermId};
use wire::{Class, SiteKey, SlotKey};

/// Blocks in a row that are looked at for an assertion that fails.
const STRAIGHT: usize = 4;

/// Decisions of one statement that are looked at.
const MOST_HERE: usize = 16;

/// A symbolic address or length was made concrete.
fn is_address(decision: &Decision) -> bool {
    decision.kind == Kind::Concretised
}

impl Terms<'_> {
    /// What decided a violation: the check or the assertion that failed last, or else the address that was made concrete
    /// and led nowhere, and the last branch before it in the function that fails: how much memory there is was decided elsewhere.
    /// `observed`: the last execution, from its beginning; `values`: of its input.
    pub(super) fn blame(&mut self, observed: &Observed<Held>, class: Class, values: &Assignment) -> Blame {
        let told = std::mem::take(&mut self.told);
        let mut backwards = told.iter().copied().rev().peekable();
        let failed_at = observed.ending.site;
        let failed = |decision: &Decision| match class {
            Class::Assertion => self.asserts(decision),
            _ => has_failed(decision),
        };
        // A statement that moves memory checks both sides, and makes their addresses and the length concrete.
        let is_here = |decision: &Decision| failed_at.is_some_and(|at| self.is_there(decision.site, at));
        let mut here = Vec::new();
        while here.len() < MOST_HERE
            && let Some(one) = backwards.next_if(|(last, _)| class != Class::Assertion && is_here(last))
        {
            here.push(one);
        }
        here.extend(backwards.peek().filter(|_| here.is_empty()).copied());
        // What a check that failed says is more than where this address led.
        let checks = here.iter().filter(|(decision, _)| failed(decision));
        let checks: Vec<TermId> = checks.map(|(_, held)| held.term()).collect();
        let addresses = here.iter().filter(|(decision, _)| is_here(decision) && is_address(decision));
        let addresses: Vec<TermId> = addresses.map(|(_, held)| held.term()).collect();
        if let Some(cause) = self.first_slots(&checks, values) {
            return Blame { cause, ..Blame::default() };
        }
        let led = self.first_slots(&addresses, values).unwrap_or_default();
        let mut before = here.into_iter().chain(backwards);
        let last = before.find(|(decision, _)| decision.kind == Kind::Branch);
        let function = |key: SiteKey| self.site(key).map(|site| (key.tu, site.function));
        let last = last.filter(|(last, _)| failed_at.is_some_and(|at| function(last.site) == function(at)));
        let guard = last.map(|(_, held)| self.slots(held.term(), values)).unwrap_or_default();
        Blame { cause: Vec::new(), led, guard }
    }

    /// Of the first term that looks at any.
    fn first_slots(&mut self, terms: &[TermId], values: &Assignment) -> Option<Vec<SlotKey>> {
        terms.iter().map(|term| self.slots(*term, values)).find(|slots| !slots.is_empty())
    }

    fn site(&self, key: SiteKey) -> Option<&Site> {
        self.tables.get(&key.tu)?.of.sites.get(key.site as usize)
    }

    /// The inputs that a term looks at, with these values.
    fn slots(&mut self, term: TermId, values: &Assignment) -> Vec<SlotKey> {
        let looked = self.evaluator.under(&self.pool, values).looked_at(term);
        let mut slots: Vec<SlotKey> = looked.into_iter().map(|id| self.pool.var_of(id).slot).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// In the statement that fails.
    fn is_there(&self, site: SiteKey, failed_at: SiteKey) -> bool {
        let place = |key: SiteKey| self.site(key).map(|site| (key.tu, site.function, site.line));
        place(site) == place(failed_at)
    }

    /// A branch went to where an assertion fails.
    fn asserts(&self, decision: &Decision) -> bool {
        let Some(table) = self.tables.get(&decision.site.tu).map(|table| table.of) else { return false };
        let Some(site) = table.sites.get(decision.site.site as usize) else { return false };
        // `default: assert(0)` is one, too.
        let successors: &[u32] = match &site.kind {
            SiteKind::Branch { successors, .. } => successors,
            SiteKind::Switch { successors, .. } => successors,
            _ => return false,
        };
        let function = site.function as usize;
        let Some(to) = usize::try_from(decision.outcome).ok().and_then(|side| successors.get(side)) else {
            return false;
        };
        let Some(function) = table.functions.get(function) else { return false };
        // Models have names of their own: `ctn_assert_fail`.
        let fails = |symbol: &str| symbol.contains("assert") || symbol.ends_with("abort");
        // Macros like to wrap the call in `do { } while (0)`: another block, which nothing else leads to.
        let only_next = |block: &u32| {
            let Some([next]) = function.blocks.get(*block as usize).map(Vec::as_slice) else { return None };
            let ways = function.blocks.iter().flatten().filter(|to| *to == next).count();
            (ways == 1).then_some(*next)
        };
        let mut ahead = std::iter::successors(Some(*to), only_next).take(STRAIGHT);
        ahead.any(|block| function.calls.iter().any(|(at, symbol)| *at == block && fails(symbol)))
    }
}
