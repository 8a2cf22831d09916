//! What holds on the way of an execution, as far as decisions said so: a decision that these settle can come out in one
//! way only. It is none, like one whose condition is constant: nothing can change it as long as what lies before it stays.
//! A loop over text compares the same bytes with the same values again and again; in a matcher that goes back two of
//! three decisions are of this kind.
//!
//! Found is what says the same as something before it, and what the plain comparisons of a byte before it leave no
//! choice. That takes a few instructions, and the answer depends on the path and on nothing else.

use super::held::Constraint;
use term::{Domain, Pool, TermId, VarId};

#[derive(Default)]
pub(super) struct Settled {
    /// By term.
    terms: Vec<Known>,
    /// Where terms over a byte hold, each once.
    domains: Vec<(VarId, Domain)>,
    /// By variable: what is left of a byte, and of which execution that is; all is left of it in the others.
    left: Vec<(u32, Domain)>,
    /// Of the execution.
    number: u32,
}

/// What is known of a term.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    /// The number of its domain.
    Domain(u32),
    /// It has none; the last execution on whose way it held.
    Held(u32),
}

impl Settled {
    /// Begins with another execution, where this held already.
    pub(super) fn begin(&mut self, pool: &Pool, before: &[Constraint]) {
        self.number = self.number.checked_add(1).unwrap_or_else(|| {
            self.clear();
            1
        });
        before.iter().for_each(|held| self.add(pool, *held));
    }

    /// What only the driver's limits impose settles nothing: larger inputs may do otherwise.
    #[inline]
    pub(super) fn add(&mut self, pool: &Pool, Constraint { term, limit }: Constraint) {
        if limit {
            return;
        }
        match self.known(pool, term) {
            Known::Domain(domain) => {
                let (var, domain) = &self.domains[domain as usize];
                let (number, left) = &mut self.left[var.index()];
                left.narrow(domain, *number == self.number);
                *number = self.number;
            }
            _ => self.terms[term.index()] = Known::Held(self.number),
        }
    }

    pub(super) fn has(&mut self, pool: &Pool, term: TermId) -> bool {
        match self.known(pool, term) {
            Known::Domain(domain) => {
                let (var, domain) = &self.domains[domain as usize];
                let (number, left) = &self.left[var.index()];
                *number == self.number && left.is_within(domain)
            }
            Known::Held(number) => number == self.number,
            Known::Nothing => false,
        }
    }

    #[inline]
    fn known(&mut self, pool: &Pool, term: TermId) -> Known {
        match self.terms.get(term.index()) {
            None | Some(Known::Nothing) => self.meet(pool, term),
            Some(known) => *known,
        }
    }

    #[cold]
    fn meet(&mut self, pool: &Pool, term: TermId) -> Known {
        if self.terms.len() <= term.index() {
            self.terms.resize(term.index() + 1, Known::Nothing);
        }
        let known = match pool.domain(term) {
            None => Known::Held(0),
            Some((var, domain)) => {
                if self.left.len() <= var.index() {
                    self.left.resize(var.index() + 1, (0, Domain::FULL));
                }
                self.domains.push((var, domain));
                Known::Domain(self.domains.len() as u32 - 1)
            }
        };
        self.terms[term.index()] = known;
        known
    }

    /// Terms have other numbers from now on.
    pub(super) fn clear(&mut self) {
        *self = Settled { number: self.number, ..Settled::default() };
    }
}
