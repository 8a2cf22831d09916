//! The evaluations of a group, followed by number: where one stands and which condition comes next says where it goes. That is
//! found out once; most executions take ways that others took before them, and are through with one look for each condition.

use super::{Group, Onward, Values, Way};
use rustc_hash::FxHashMap;

/// Entries of the table after which it is begun anew, between executions.
const MOST: usize = 1 << 16;

/// An evaluation of which nothing is known.
pub(super) const BEGINNING: u32 = 0;

#[derive(Default)]
pub(super) struct Course {
    states: Vec<State>,
    numbers: FxHashMap<State, u32>,
    /// By state, condition and side.
    next: Vec<Option<Next>>,
    ways: Vec<(Way, bool)>,
    way_numbers: FxHashMap<Way, u32>,
}

/// An evaluation that is not over: the condition that is to come, and the values of those before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct State {
    expected: usize,
    values: Values,
}

#[derive(Clone, Copy)]
pub(super) struct Next {
    pub(super) to: To,
    /// What was evaluated before does not belong to it.
    pub(super) anew: bool,
}

#[derive(Clone, Copy)]
pub(super) enum To {
    State(u32),
    /// The evaluation is over.
    Way(u32),
    /// More than one way leads there, or none.
    Nowhere,
}

impl Course {
    #[inline]
    pub(super) fn begin(&mut self) {
        if self.next.len() > MOST {
            *self = Course::default();
        }
    }

    #[inline]
    pub(super) fn next(&mut self, group: &Group, state: u32, condition: usize, side: bool) -> Next {
        let at = (state as usize * group.sites.len() + condition) * 2 + usize::from(side);
        match self.next.get(at) {
            Some(Some(next)) => *next,
            _ => self.find(group, state, condition, side, at),
        }
    }

    #[inline(never)]
    fn find(&mut self, group: &Group, state: u32, condition: usize, side: bool, at: usize) -> Next {
        let State { expected, mut values } = self.states.get(state as usize).copied().unwrap_or_default();
        let on = group.between(expected, condition);
        let anew = on.is_none();
        if anew {
            values = Values::default();
        }
        let to = match on.or_else(|| group.between(0, condition)) {
            None => To::Nowhere,
            Some(passed) => {
                values.add(passed);
                values.set(condition, side);
                match group.onward[condition][usize::from(side)] {
                    Onward::Condition(expected) => To::State(self.state(State { expected, values })),
                    Onward::Out(out) => To::Way(self.number_of(Way { values, out })),
                }
            }
        };
        let next = Next { to, anew };
        if self.next.len() <= at {
            self.next.resize(at + 1, None);
        }
        self.next[at] = Some(next);
        next
    }

    fn state(&mut self, state: State) -> u32 {
        if self.states.is_empty() {
            self.states.push(State::default());
        }
        *self.numbers.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.states.len() as u32 - 1
        })
    }

    fn number_of(&mut self, way: Way) -> u32 {
        *self.way_numbers.entry(way).or_insert_with(|| {
            self.ways.push((way, false));
            self.ways.len() as u32 - 1
        })
    }

    #[inline]
    pub(super) fn way(&self, number: u32) -> Way {
        self.ways[number as usize].0
    }

    /// Whether nothing is to be learned from the way any more.
    #[inline]
    pub(super) fn is_dull(&self, number: u32) -> bool {
        self.ways[number as usize].1
    }

    pub(super) fn set_dull(&mut self, number: u32) {
        self.ways[number as usize].1 = true;
    }
}
