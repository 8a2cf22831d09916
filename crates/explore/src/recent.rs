//! Paths of recent executions, so that most negations need no second run. Bounded by their size; the least
//! recently used leave first. Executions that timed out are held apart: running them again would cost the whole
//! time limit.

use crate::side::TestId;
use crate::subject::Observed;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use term::shared;

pub(crate) struct Recent<P> {
    paths: FxHashMap<TestId, Kept<P>>,
    /// Every use, the oldest first. Only the last use of a path counts; the others are stale.
    uses: VecDeque<(TestId, u64)>,
    clock: u64,
    slow: VecDeque<(TestId, Rc<Observed<P>>)>,
    /// Bytes of the paths beside what they share with each other.
    apart: usize,
}

struct Kept<P> {
    path: Rc<Observed<P>>,
    used: u64,
}

const SLOW_PATHS: usize = 8;
/// Of all paths together.
const BYTES: usize = 64 << 20;
/// What a path costs beside its decisions and terms.
const PATH: usize = 3 << 9;
/// What a decision costs, with the nodes that came before it.
const DECISION: usize = 128;

impl<P> Recent<P> {
    pub(crate) fn new() -> Recent<P> {
        Recent {
            paths: FxHashMap::default(),
            uses: VecDeque::new(),
            clock: 0,
            slow: VecDeque::new(),
            apart: 0,
        }
    }

    pub(crate) fn has(&self, test: TestId) -> bool {
        self.paths.contains_key(&test)
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
        self.apart += apart(&path);
        self.uses.push_back((test, self.clock));
        if let Some(before) = self.paths.insert(test, Kept { path, used: self.clock }) {
            self.apart -= apart(&before.path);
        }
        while self.paths.len() > 1 && self.bytes() > BYTES {
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
        self.apart = 0;
    }

    fn remove(&mut self, test: TestId) {
        if let Some(kept) = self.paths.remove(&test) {
            self.apart -= apart(&kept.path);
        }
    }

    /// What the paths hold; the slow ones take nothing from the others.
    fn bytes(&self) -> usize {
        let slow: usize = self.slow.iter().map(|(_, path)| path.decisions.len() * DECISION).sum();
        self.apart + shared::bytes().saturating_sub(slow)
    }

    /// Keeps the list of uses in proportion to the paths.
    fn drop_stale(&mut self) {
        if self.uses.len() > 2 * self.paths.len() + 64 {
            let paths = &self.paths;
            self.uses.retain(|(test, used)| paths.get(test).is_some_and(|kept| kept.used == *used));
        }
    }
}

/// The decisions are in chunks, each of which a path points to.
fn apart<P>(path: &Observed<P>) -> usize {
    PATH + path.decisions.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{Decision, Kind};
    use crate::simulated::{ending, key};
    use wire::End;

    fn path(decisions: usize) -> Rc<Observed<()>> {
        let decision = Decision { site: key(0), kind: Kind::Branch, null: false, outcome: 0 };
        Rc::new(Observed {
            decisions: std::iter::repeat_n(decision, decisions).collect(),
            shared: 0,
            failed: Vec::new(),
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
        let quarter = (BYTES / 4 - PATH) / (size_of::<Decision>() + 1);
        for test in 0..4 {
            recent.put(TestId(test), path(quarter), false);
        }
        assert!(recent.get(TestId(0)).is_some());
        recent.put(TestId(4), path(quarter), false);
        let kept: Vec<bool> = (0..5).map(|test| recent.get(TestId(test)).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
        // However long it is, the last one stays.
        recent.put(TestId(5), path(BYTES / 16), false);
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
        assert_eq!((recent.apart, recent.paths.len()), (0, 0));
    }

    #[test]
    fn what_paths_have_in_common_counts_once() {
        let mut recent = Recent::new();
        let first = path(BYTES / size_of::<Decision>() / 2);
        for test in 0..100 {
            let mut next = path(0);
            let changed = Rc::get_mut(&mut next).expect("held once");
            changed.decisions = first.decisions.followed_by(1000, &[]);
            recent.put(TestId(test), next, false);
        }
        recent.put(TestId(100), first, false);
        assert!((0..=100).all(|test| recent.get(TestId(test)).is_some()));
    }
}
