//! Paths of recent executions that cannot be read off the tree, so that most negations need no second run. Bounded by
//! their size; the least recently used leave first. Executions that timed out are held apart: running them again would
//! cost the whole time limit.

use crate::decision::Decision;
use crate::side::TestId;
use crate::way::Whole;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

pub(crate) struct Recent<H> {
    paths: FxHashMap<TestId, Kept<H>>,
    /// Every use, the oldest first. Only the last use of a path counts; the others are stale.
    uses: VecDeque<(TestId, u64)>,
    clock: u64,
    slow: VecDeque<(TestId, Rc<Whole<H>>)>,
    bytes: usize,
}

struct Kept<H> {
    path: Rc<Whole<H>>,
    used: u64,
}

const SLOW_PATHS: usize = 8;
/// Of all paths together.
const BYTES: usize = 64 << 20;
/// What a path costs beside its decisions.
const PATH: usize = 256;

impl<H> Recent<H> {
    pub(crate) fn new() -> Recent<H> {
        Recent {
            paths: FxHashMap::default(),
            uses: VecDeque::new(),
            clock: 0,
            slow: VecDeque::new(),
            bytes: 0,
        }
    }

    pub(crate) fn get(&mut self, test: TestId) -> Option<Rc<Whole<H>>> {
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

    pub(crate) fn put(&mut self, test: TestId, path: Rc<Whole<H>>, slow: bool) {
        if slow && self.slow.len() < SLOW_PATHS {
            self.slow.push_back((test, path));
            return;
        }
        self.clock += 1;
        self.bytes += bytes(&path);
        self.uses.push_back((test, self.clock));
        if let Some(before) = self.paths.insert(test, Kept { path, used: self.clock }) {
            self.bytes -= bytes(&before.path);
        }
        while self.paths.len() > 1 && self.bytes > BYTES {
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
        self.bytes = 0;
    }

    fn remove(&mut self, test: TestId) {
        if let Some(kept) = self.paths.remove(&test) {
            self.bytes -= bytes(&kept.path);
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

fn bytes<H>(path: &Whole<H>) -> usize {
    PATH + path.decisions.capacity() * size_of::<Decision>() + path.held.capacity() * size_of::<H>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Kind;
    use crate::simulated::key;

    fn path(decisions: usize) -> Rc<Whole<()>> {
        let decision = Decision { site: key(0), kind: Kind::Branch, null: false, outcome: 0 };
        Rc::new(Whole { decisions: vec![decision; decisions], held: Vec::new() })
    }

    #[test]
    fn the_least_recently_used_leave_first() {
        let mut recent = Recent::new();
        let quarter = (BYTES / 4 - PATH) / size_of::<Decision>();
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
        assert_eq!((recent.bytes, recent.paths.len()), (0, 0));
    }
}
