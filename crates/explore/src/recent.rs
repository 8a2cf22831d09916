//! Paths of recent executions, so that most negations need no second run. Bounded by number and by length;
//! the least recently used leave first. Executions that timed out are held apart: running them again would
//! cost the whole time limit.

use crate::side::TestId;
use crate::subject::Observed;
use std::collections::VecDeque;
use std::rc::Rc;

pub(crate) struct Recent<P> {
    paths: VecDeque<(TestId, Rc<Observed<P>>)>,
    slow: VecDeque<(TestId, Rc<Observed<P>>)>,
    decisions: usize,
}

const PATHS: usize = 1024;
const SLOW_PATHS: usize = 8;
const DECISIONS: usize = 1 << 20;

impl<P> Recent<P> {
    pub(crate) fn new() -> Recent<P> {
        Recent { paths: VecDeque::new(), slow: VecDeque::new(), decisions: 0 }
    }

    pub(crate) fn get(&mut self, test: TestId) -> Option<Rc<Observed<P>>> {
        if let Some((_, path)) = self.slow.iter().find(|(id, _)| *id == test) {
            return Some(path.clone());
        }
        let index = self.paths.iter().position(|(id, _)| *id == test)?;
        let entry = self.paths.remove(index)?;
        let path = entry.1.clone();
        self.paths.push_front(entry);
        Some(path)
    }

    pub(crate) fn put(&mut self, test: TestId, path: Rc<Observed<P>>, slow: bool) {
        if slow && self.slow.len() < SLOW_PATHS {
            self.slow.push_back((test, path));
            return;
        }
        self.decisions += path.decisions.len();
        self.paths.push_front((test, path));
        while self.paths.len() > PATHS || (self.decisions > DECISIONS && self.paths.len() > 1) {
            if let Some((_, oldest)) = self.paths.pop_back() {
                self.decisions -= oldest.decisions.len();
            }
        }
    }

    /// The test is needed no more.
    pub(crate) fn forget(&mut self, test: TestId) {
        self.slow.retain(|(id, _)| *id != test);
    }

    pub(crate) fn clear(&mut self) {
        self.paths.clear();
        self.slow.clear();
        self.decisions = 0;
    }
}
