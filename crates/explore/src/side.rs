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
    pub(crate) const UNTRIED: Edge = Edge::of(Side::Untried);
    pub(crate) const DEFERRED: Edge = Edge::of(Side::Deferred);
    pub(crate) const CUT: Edge = Edge::of(Side::Cut);

    /// States in the order of [`STATES`].
    pub(crate) const fn of(side: Side) -> Edge {
        let state = match side {
            Side::Child(node) => return Edge(node.0),
            Side::Untried => 0,
            Side::Deferred => 1,
            Side::Queued => 2,
            Side::Infeasible => 3,
            Side::Beyond => 4,
            Side::Unknown => 5,
            Side::Diverged => 6,
            Side::Skipped => 7,
            Side::Excluded => 8,
            Side::Ended => 9,
            Side::Cut => 10,
        };
        Edge(FIRST_STATE + state)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_stored_and_read_again() {
        let children = [0, 7, FIRST_STATE - 1].map(|node| Side::Child(NodeId(node)));
        for side in STATES.into_iter().chain(children) {
            assert_eq!(Edge::of(side).side(), side);
        }
    }
}
