//! Divergences: an input was solved for a path, and its execution went another way. Each is a fault of the
//! engine or a known imprecision, so each gets a name made of what happened and what may have caused it.

use crate::decision::{Decision, Goal, Kind as DecisionKind};
use crate::subject::{Loss, is_cut};
use execute::Ending;
use std::fmt;
use wire::log::Concretised;
use wire::{End, SiteKey};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum How {
    /// The prefix was followed, the decision came out as before.
    Unchanged,
    /// The prefix was followed, the decision came out in a third way.
    OtherOutcome,
    /// An earlier decision came out differently.
    EarlierOutcome,
    /// Another site was met where one was predicted.
    OtherSite,
    /// The execution made fewer decisions than predicted.
    Shorter,
    /// Running a test again gave another path.
    Unrepeatable,
}

/// What happened before the first difference that could explain it, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// A value was lost without a constraint.
    Lost(Concretised),
    /// The execution was stopped from outside or its log was full.
    Stopped(End),
    Truncated,
    /// The execution ended in a fault that nothing predicted.
    Faulted(End),
    /// A value was made concrete; its equation should have kept the path.
    Concretised(Concretised),
    Unexplained,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Kind {
    pub how: How,
    pub cause: Cause,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divergence {
    pub kind: Kind,
    /// Index of the first decision that differs.
    pub at: usize,
    /// Where the prediction and the execution part.
    pub site: SiteKey,
    /// What the execution decided there; nothing if it had ended.
    pub found: Option<Decision>,
    /// Index of the decision that was to be changed.
    pub goal_at: usize,
}

/// What an input was solved for.
pub struct Prediction<'a> {
    /// The decisions that are to be as they were; those that the execution is known to have followed may be missing.
    pub before: &'a [Decision],
    /// The number of the decision that is to change, and what it was.
    pub at: usize,
    pub decision: Decision,
    pub goal: Goal,
    pub seen: &'a [u64],
}

/// The parts of an execution that tell whether and why it diverged.
pub struct Went<'a> {
    /// So many decisions are known to be as predicted.
    pub begin: usize,
    /// Those behind.
    pub decisions: &'a [Decision],
    pub losses: &'a [Loss],
    pub ending: &'a Ending,
    pub truncated: bool,
}

impl Went<'_> {
    fn get(&self, at: usize) -> Option<&Decision> {
        self.decisions.get(at.checked_sub(self.begin)?)
    }

    fn length(&self) -> usize {
        self.begin + self.decisions.len()
    }
}

pub fn compare(predicted: &Prediction<'_>, went: &Went<'_>) -> Option<Divergence> {
    let decision = predicted.decision;
    for (at, expected) in predicted.before.iter().enumerate().skip(went.begin) {
        let how = match went.get(at) {
            Some(found) if found == expected => continue,
            Some(found) if found.site == expected.site && found.kind == expected.kind => How::EarlierOutcome,
            Some(_) => How::OtherSite,
            None => How::Shorter,
        };
        return Some(divergence(how, at, expected.site, predicted.at, went));
    }
    let at = predicted.at;
    // A violation may end the execution before it is logged as a decision.
    let violated = decision.kind == DecisionKind::Check
        && went.ending.end == End::Violation
        && went.ending.site == Some(decision.site);
    if violated && predicted.goal == Goal::Take(1) && went.length() == at {
        return None;
    }
    let how = match went.get(at) {
        None => How::Shorter,
        Some(found) if found.site != decision.site || found.kind != decision.kind => How::OtherSite,
        Some(found) if predicted.goal.met_by(found.outcome, predicted.seen) => return None,
        Some(found) if found.outcome == decision.outcome => How::Unchanged,
        Some(_) => How::OtherOutcome,
    };
    Some(divergence(how, at, decision.site, at, went))
}

/// For a test that was run again and left its own path before decision `goal_at`.
pub fn unrepeatable(at: usize, site: SiteKey, goal_at: usize, went: &Went<'_>) -> Divergence {
    divergence(How::Unrepeatable, at, site, goal_at, went)
}

fn divergence(how: How, at: usize, site: SiteKey, goal_at: usize, went: &Went<'_>) -> Divergence {
    let before = || went.losses.iter().filter(|loss| loss.at <= at);
    let ended_here = went.length() <= at;
    let cause = if let Some(loss) = before().rfind(|loss| !loss.constrained) {
        Cause::Lost(loss.kind)
    } else if ended_here && is_cut(went.ending.end) {
        Cause::Stopped(went.ending.end)
    } else if ended_here && went.truncated {
        Cause::Truncated
    } else if ended_here && went.ending.class.is_some() {
        Cause::Faulted(went.ending.end)
    } else if let Some(loss) = before().next_back() {
        Cause::Concretised(loss.kind)
    } else {
        Cause::Unexplained
    };
    Divergence { kind: Kind { how, cause }, at, site, found: went.get(at).copied(), goal_at }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.how {
            How::Unchanged => "unchanged",
            How::OtherOutcome => "other-outcome",
            How::EarlierOutcome => "earlier-outcome",
            How::OtherSite => "other-site",
            How::Shorter => "shorter",
            How::Unrepeatable => "unrepeatable",
        };
        match self.cause {
            Cause::Lost(kind) => write!(f, "{how}, lost {}", kind.name()),
            Cause::Stopped(end) => write!(f, "{how}, stopped by {}", end.name()),
            Cause::Truncated => write!(f, "{how}, log truncated"),
            Cause::Faulted(end) => write!(f, "{how}, ended by {}", end.name()),
            Cause::Concretised(kind) => write!(f, "{how}, after concretised {}", kind.name()),
            Cause::Unexplained => write!(f, "{how}"),
        }
    }
}

#[cfg(test)]
mod tests;
