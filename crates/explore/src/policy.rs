//! Which sides are not asked for, or not yet, whatever the strategy says; and how long a question may take.
//!
//! Most questions about a place that never had a good answer are wasted. Such sides wait: they are offered again
//! when nothing else is left, so a search that ends has still looked at everything but what a limit forbids.

use crate::decision::{Goal, Kind};
use crate::options::Options;
use crate::side::Side;
use crate::sites::SiteState;
use std::time::Duration;

/// While there is choice, a query gets this part of its time limit: most answers come at once or never.
const HASTE: u32 = 4;
/// And never more than this part of the whole budget.
const SHARES: u32 = 50;
/// Divergences that end the questions about a site, in multiples of those that make it wait.
const DIVERGENCE_LIMIT: u32 = 8;

/// Why a candidate is not asked for now: it is skipped for good, or deferred. `admitting`: nothing else is left.
pub(crate) fn objection(
    options: &Options,
    state: &mut SiteState,
    kind: Kind,
    goal: Goal,
    admitting: bool,
) -> Option<Side> {
    let is_settled = match kind {
        // Past a check that failed is code as good as any.
        Kind::Check if goal == Goal::Take(0) => false,
        Kind::Check => state.violated || state.fruitless() >= options.check_limit,
        Kind::Indirect | Kind::Concretised => state.values >= options.value_limit,
        Kind::Branch | Kind::Switch | Kind::Assume => false,
    };
    if is_settled || state.keeps_diverging(options.divergence_patience.saturating_mul(DIVERGENCE_LIMIT)) {
        return Some(Side::Skipped);
    }
    if admitting {
        return None;
    }
    let can_wait = state.keeps_diverging(options.divergence_patience)
        || state.is_hard(options.unknown_patience)
        || match (kind, goal) {
            (Kind::Check, Goal::Take(0)) => false,
            (Kind::Check, _) => state.fruitless() >= options.check_patience,
            (Kind::Branch | Kind::Switch, Goal::Take(outcome)) => {
                state.passes_over(outcome, options.side_patience)
            }
            _ => false,
        };
    can_wait.then_some(Side::Deferred)
}

/// Whether the other sides of a decision that comes into the tree have to wait, or are left out.
pub(crate) fn on_arrival(options: &Options, state: &SiteState, kind: Kind, outcome: u64) -> (bool, bool) {
    match kind {
        Kind::Check if outcome == 1 => (false, false),
        Kind::Check => (
            state.fruitless() >= options.check_patience,
            !options.violations || state.violated || state.fruitless() >= options.check_limit,
        ),
        Kind::Indirect | Kind::Concretised => (true, false),
        Kind::Branch | Kind::Switch | Kind::Assume => (false, false),
    }
}

pub(crate) fn time_limit(options: &Options, elapsed: Duration, admitting: bool) -> Duration {
    let limit = if admitting { options.solver_time } else { options.solver_time / HASTE };
    match options.time {
        None => limit,
        Some(budget) => {
            let share = if admitting { budget } else { budget / SHARES };
            limit.min(share).min(budget.saturating_sub(elapsed))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn haste_ends_when_nothing_else_is_left() {
        let options = Options { solver_time: Duration::from_millis(400), ..Options::default() };
        let limit = |options: &Options, elapsed, admitting| {
            time_limit(options, Duration::from_millis(elapsed), admitting).as_millis()
        };
        assert_eq!((limit(&options, 0, false), limit(&options, 0, true)), (100, 400));
        let options = Options { time: Some(Duration::from_secs(2)), ..options };
        assert_eq!((limit(&options, 0, false), limit(&options, 0, true)), (40, 400));
        assert_eq!((limit(&options, 1990, false), limit(&options, 1990, true)), (10, 10));
    }

    #[test]
    fn checks_wait_and_are_given_up() {
        let options = Options { check_patience: 2, check_limit: 4, ..Options::default() };
        let mut state = SiteState::default();
        let mut seen = Vec::new();
        for _ in 0..5 {
            seen.push(objection(&options, &mut state, Kind::Check, Goal::Take(1), false));
            state.answered(Goal::Take(1), Some(Side::Infeasible));
        }
        let (wait, never) = (Some(Side::Deferred), Some(Side::Skipped));
        assert_eq!(seen, [None, None, wait, wait, never]);
        let mut state = SiteState::default();
        state.violated = true;
        assert_eq!(objection(&options, &mut state, Kind::Check, Goal::Take(1), true), never);
        assert_eq!(objection(&options, &mut state, Kind::Check, Goal::Take(0), false), None);
        assert_eq!(on_arrival(&options, &state, Kind::Check, 0), (false, true));
        assert_eq!(on_arrival(&options, &state, Kind::Check, 1), (false, false));
    }
}
