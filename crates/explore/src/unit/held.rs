//! The symbolic side of a decision, small: there is one for each node of the tree. Executions that pass a node may leave it
//! by different sides, so what held at a decision is kept with the next one.

use std::num::NonZero;
use term::{Mark, TermId};

#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// What it is about, counted from 1.
    term: NonZero<u32>,
    /// What held at the decision before and, in the topmost bit, whether only the driver's limits impose that.
    before: u32,
    /// Where in the log it is.
    pub(super) mark: Mark,
}

/// What held at a decision.
#[derive(Clone, Copy)]
pub(super) struct Constraint {
    pub(super) term: TermId,
    /// Only the driver's limits impose it.
    pub(super) limit: bool,
}

const LIMIT: u32 = 1 << 31;
const NOTHING: u32 = LIMIT - 1;

impl Held {
    pub(super) fn new(term: TermId, mark: Mark, before: Option<Constraint>) -> Held {
        let bit = |limit: bool| if limit { LIMIT } else { 0 };
        Held {
            term: NonZero::<u32>::MIN.saturating_add(term.0),
            before: before.map_or(NOTHING, |before| before.term.0 | bit(before.limit)),
            mark,
        }
    }

    pub(super) fn term(self) -> TermId {
        TermId(self.term.get() - 1)
    }

    /// The same decision on the same way, with the same outcomes before it.
    pub(super) fn is(self, other: Held) -> bool {
        self == other && self.before == other.before
    }

    /// What held at the decision before, if there is one.
    pub(super) fn before(self) -> Option<Constraint> {
        let limit = self.before & LIMIT != 0;
        (self.before != NOTHING).then_some(Constraint { term: TermId(self.before & !LIMIT), limit })
    }
}

/// The mark tells the paths apart, the term what is decided behind them.
impl PartialEq for Held {
    fn eq(&self, other: &Held) -> bool {
        (self.mark, self.term) == (other.mark, other.term)
    }
}
