//! Paths of recent executions, so that most negations need no second run. Bounded by their size; the least
//! recently used leave first. Executions that timed out are held apart: running them again would cost the whole
//! time limit.

use crate::side::TestId;
use crate::subject::Observed;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

pub(crate) struct Recent<P> {
    paths: FxHashMap<TestId, Kept<P>>,
    /// Every use, the oldest first. Only the last use of a path counts; the others are stale.
    uses: VecDeque<(TestId, u64)>,
    clock: u64,
    slow: VecDeque<(TestId, Rc<Observed<P>>)>,
    decisions: usize,
}

struct Kept<P> {
    path: Rc<Observed<P>>,
    used: u64,
}

const SLOW_PATHS: usize = 8;
/// Decisions of all paths together, each with the nodes that came between: some hundred bytes.
const DECISIONS: usize = 1 << 19;
/// What a path costs beside its decisions, counted in decisions.
const PATH: usize = 16;

impl<P> Recent<P> {
    pub(crate) fn new() -> Recent<P> {
        Recent {
            paths: FxHashMap::default(),
            uses: VecDeque::new(),
            clock: 0,
            slow: VecDeque::new(),
            decisions: 0,
        }
    }

    pub(crate) fn get(&mut self, test: TestId) -> Option<Rc<Observed<P>>> {
        if let Some((_, path)) = self.slow.iter().find(|(id, _)| *id == test) {
            return Some(path.clone());
        }
        let kept = self.paths.get_mut(&test)?;
        self.clock += 1;
        kept.used = self.clock;
        let path = kept.path.clone();
        self.uses.push_back((test, self.clock));
        self.drop_stale();
        Some(path)
    }

    pub(crate) fn put(&mut self, test: TestId, path: Rc<Observed<P>>, slow: bool) {
        if slow && self.slow.len() < SLOW_PATHS {
            self.slow.push_back((test, path));
            return;
        }
        self.clock += 1;
        self.decisions += size(&path);
        self.uses.push_back((test, self.clock));
        if let Some(before) = self.paths.insert(test, Kept { path, used: self.clock }) {
            self.decisions -= size(&before.path);
        }
        while self.decisions > DECISIONS && self.paths.len() > 1 {
            let Some((oldest, used)) = self.uses.pop_front() else { break };
            if self.paths.get(&oldest).is_some_and(|kept| kept.used == used) {
                self.remove(oldest);
            }
        }
    }

    /// The test is needed no more.
    pub(crate) fn forget(&mut self, test: TestId) {
        self.slow.retain(|(id, _)| *id != test);
        self.remove(test);
    }

    pub(crate) fn clear(&mut self) {
        self.paths.clear();
        self.uses.clear();
        self.slow.clear();
        self.decisions = 0;
    }

    fn remove(&mut self, test: TestId) {
        if let Some(kept) = self.paths.remove(&test) {
            self.decisions -= size(&kept.path);
        }
    }

    /// Keeps the list of uses in proportion to the paths.
    fn drop_stale(&mut self) {
        if self.uses.len() > 2 * self.paths.len() + 64 {
            let paths = &self.paths;
            self.uses.retain(|(test, used)| paths.get(test).is_some_and(|kept| kept.used == *used));
        }
    }
}

fn size<P>(path: &Observed<P>) -> usize {
    path.decisions.len() + PATH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{Decision, Kind};
    use crate::simulated::{ending, key};
    use wire::End;

    fn path(decisions: usize) -> Rc<Observed<()>> {
        Rc::new(Observed {
            decisions: vec![
                Decision { site: key(0), kind: Kind::Branch, null: false, outcome: 0 };
                decisions
            ],
            shared: 0,
            ending: ending(End::Returned),
            covered: Vec::new(),
            losses: Vec::new(),
            truncated: false,
            disagreements: Vec::new(),
            unreadable: None,
            cause: Vec::new(),
            guard: Vec::new(),
            path: (),
        })
    }

    #[test]
    fn the_least_recently_used_leave_first() {
        let mut recent = Recent::new();
        let quarter = DECISIONS / 4 - PATH;
        for test in 0..4 {
            recent.put(TestId(test), path(quarter), false);
        }
        assert!(recent.get(TestId(0)).is_some());
        recent.put(TestId(4), path(quarter), false);
        let kept: Vec<bool> = (0..5).map(|test| recent.get(TestId(test)).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
        // However long it is, the last one stays.
        recent.put(TestId(5), path(2 * DECISIONS), false);
        assert!(recent.get(TestId(5)).is_some() && recent.get(TestId(4)).is_none());
    }

    #[test]
    fn uses_do_not_pile_up() {
        let mut recent = Recent::new();
        recent.put(TestId(0), path(1), false);
        recent.put(TestId(1), path(1), false);
        (0..10_000).for_each(|_| assert!(recent.get(TestId(0)).is_some()));
        assert!(recent.uses.len() < 100);
        recent.forget(TestId(0));
        recent.forget(TestId(1));
        assert_eq!((recent.decisions, recent.paths.len()), (0, 0));
    }
}
