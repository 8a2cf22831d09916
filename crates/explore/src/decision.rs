//! What an execution decided, in order: the alphabet of the execution tree.
//!
//! A decision has no term: the tree and the strategies work on places and outcomes only, the symbolic
//! meaning stays with the execution that observed it.

use wire::SiteKey;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Two sides: 0 = false, 1 = true.
    Branch,
    /// Outcome 0 is the default, i + 1 is case i of the site table.
    Switch,
    /// Side 1 is the violation.
    Check,
    /// An assumption of the driver. Side 0 ends the execution and is never looked for.
    Assume,
    /// A call through a symbolic pointer; the outcome is the target.
    Indirect,
    /// A symbolic value that had to be concrete; the outcome is the value.
    Concretised,
}

impl Kind {
    pub const ALL: [Kind; 6] =
        [Kind::Branch, Kind::Switch, Kind::Check, Kind::Assume, Kind::Indirect, Kind::Concretised];

    /// The outcome is a value out of an open set, not one of a few sides known beforehand.
    pub fn is_value(self) -> bool {
        matches!(self, Kind::Indirect | Kind::Concretised)
    }

    pub(crate) fn from_code(code: u32) -> Kind {
        Kind::ALL[(code as usize).min(Kind::ALL.len() - 1)]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    pub site: SiteKey,
    pub kind: Kind,
    /// A check of a pointer for null, which may stand at the place of another check.
    pub null: bool,
    pub outcome: u64,
}

/// What a query asks of one decision, all earlier ones kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Goal {
    Take(u64),
    /// Any outcome that was not seen there yet.
    Other,
}

impl Goal {
    pub fn met_by(self, outcome: u64, seen: &[u64]) -> bool {
        match self {
            Goal::Take(wanted) => outcome == wanted,
            Goal::Other => !seen.contains(&outcome),
        }
    }
}
