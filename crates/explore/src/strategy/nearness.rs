//! How many branches lie between a side and code that nobody ran, kept up to date as coverage grows.

use super::View;
use super::met::Group;
use crate::decision::Kind;
use crate::flow::{Distances, NEVER};

/// Distances are computed anew when something was covered since; that happens at most once for each branch.
#[derive(Default)]
pub(super) struct Nearness {
    covered: usize,
    distances: Option<Distances>,
}

impl Nearness {
    /// True if distances changed.
    pub(super) fn refresh(&mut self, view: &View<'_>) -> bool {
        let covered = view.sites.coverage().0;
        if self.distances.is_some() && self.covered == covered {
            return false;
        }
        self.covered = covered;
        let is_wanted = |counter| view.sites.is_measured(counter) && !view.sites.is_covered(counter);
        self.distances = Some(view.sites.flow().distances(is_wanted));
        true
    }

    /// 0: the side itself is new. A check that was never violated is new; past one that failed, and where there
    /// is no site table, all is as it is one branch away.
    pub(super) fn of(&self, view: &View<'_>, group: &Group) -> u32 {
        let Group { site, kind, outcome, .. } = *group;
        let is_new = match (kind, outcome) {
            (Kind::Check, 1) => !view.sites.state(site).violated,
            _ => view.sites.is_uncovered(site, outcome),
        };
        match (&self.distances, kind) {
            _ if is_new => 0,
            (None, _) | (_, Kind::Check) => 1,
            (Some(distances), _) => view.sites.flow().distance(distances, view.sites.key(site), outcome),
        }
    }
}

/// Farther than any side with a way to new code.
pub(super) const FAR: u32 = NEVER / 4;
