//! What held on the way to the decision that was asked for last. The question needs it, and so does whoever reads the
//! execution of the answer: read off the tree once, where it lies scattered.

use super::Held;
use super::held::Constraint;
use crate::way::Way;

#[derive(Default)]
pub(super) struct Asked {
    held: Option<Held>,
    before: Vec<Constraint>,
}

impl Asked {
    /// What held before a decision on its way, in no order that means anything.
    pub(super) fn before(&mut self, held: Held, way: Way<'_, Held>) -> &[Constraint] {
        if !self.held.is_some_and(|last| last.is(held)) {
            self.held = Some(held);
            self.before.clear();
            self.before.extend(held.before());
            way.each_held(|held| self.before.extend(held.before()));
        }
        &self.before
    }
}
