//! Typed indices of the execution tree, and what can be known of one side of a decision.
//! A side is stored in four bytes: the child's index, or one of the topmost values for a state.

/// A place in the program, numbered densely in the order of first sight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SiteId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// An execution whose input is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TestId(pub u32);

impl SiteId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TestId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of one side of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Untried,
    /// Untried, and not offered to strategies until they have nothing else.
    Deferred,
    /// Selected; no answer yet.
    Queued,
    Infeasible,
    /// Infeasible for the inputs that the driver can make; maybe not for larger ones.
    Beyond,
    /// The solver gave no answer.
    Unknown,
    /// An input was found but its execution went elsewhere.
    Diverged,
    /// Left out by a bound of the exploration.
    Skipped,
    /// Not part of the unit's behaviour (a violated assumption).
    Excluded,
    /// Taken; the execution made no further decision.
    Ended,
    /// Taken; what follows was not recorded.
    Cut,
    Child(NodeId),
}

/// A side as stored: the index of a child, or one of the topmost values for the other cases.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge(pub(crate) u32);

pub(crate) const STATES: [Side; 11] = [
    Side::Untried,
    Side::Deferred,
    Side::Queued,
    Side::Infeasible,
    Side::Beyond,
    Side::Unknown,
    Side::Diverged,
    Side::Skipped,
    Side::Excluded,
    Side::Ended,
    Side::Cut,
];
pub(crate) const FIRST_STATE: u32 = u32::MAX - STATES.len() as u32 + 1;

impl Edge {
    /// The first of the states.
    pub(crate) const UNTRIED: Edge = Edge(FIRST_STATE);

    pub(crate) fn of(side: Side) -> Edge {
        match side {
            Side::Child(node) => Edge(node.0),
            state => {
                Edge(FIRST_STATE + STATES.iter().position(|known| *known == state).unwrap_or_default() as u32)
            }
        }
    }

    pub(crate) fn side(self) -> Side {
        match self.0.checked_sub(FIRST_STATE) {
            Some(state) => STATES[state as usize],
            None => Side::Child(NodeId(self.0)),
        }
    }

    pub(crate) fn state_index(self) -> Option<usize> {
        self.0.checked_sub(FIRST_STATE).map(|state| state as usize)
    }
}
