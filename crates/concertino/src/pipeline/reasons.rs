//! Why a side of a branch stayed uncovered, in one line that begins with its kind: `infeasible` (no input of the unit
//! takes it), `blocked` (what decides it is not an input, and a stub may be what writes it in the program),
//! `unsupported` (a value was lost, or inputs did not do what they were solved for), `budget` (not tried to the end).
//!
//! All of it holds under the unit's assumptions: its stubs, its driver's bounds, its preconditions.

use super::units::branch_side;
use crate::job::UnitJob;
use campaign::{BranchSide, Test, Uncovered};
use coverage::Sides;
use explore::{Counter, Exploration, Finished};
use model::sites::{SiteKind, SiteTable};
use std::collections::HashSet;
use wire::{Mode, SiteKey};

const UNREACHABLE: &str = "infeasible: the compiler proves that nothing in the function leads there";

type Explored = Exploration<execute::Input>;

/// The sides of the function's own branches that no test takes, and what is known about others.
pub(super) fn of_uncovered(
    job: &UnitJob,
    tables: &[SiteTable],
    sides: &Sides,
    explored: &Explored,
    tests: &[Test],
) -> Vec<Uncovered> {
    let mut found: Vec<Uncovered> =
        explored.uncovered.iter().filter_map(|side| asked_for(tables, sides, side, explored)).collect();
    let unreachable = proved_by_compiler(tables, sides);
    for known in found.iter_mut().filter(|known| unreachable.contains(&known.side)) {
        known.why = UNREACHABLE.to_owned();
    }
    let covered = |side: &BranchSide| tests.iter().any(|test| test.covers.contains(side));
    for side in sides.of_function(job.entry).iter().map(branch_side) {
        if found.iter().any(|known| known.side == side) || covered(&side) {
            continue;
        }
        let reached = sides
            .of_function(job.entry)
            .iter()
            .map(branch_side)
            .any(|other| is_same_branch(&other, &side) && covered(&other));
        let why = if unreachable.contains(&side) {
            UNREACHABLE
        } else if reached {
            not_decided(job, explored)
        } else {
            not_reached(job, explored)
        };
        found.push(Uncovered { side, why: why.to_owned() });
    }
    found
}

/// Sides that nothing leads to, whatever inputs and callees do.
fn proved_by_compiler(tables: &[SiteTable], sides: &Sides) -> HashSet<BranchSide> {
    let of_table = |table: &SiteTable| {
        let keys = table.unreachable.iter().map(|counter| SiteKey { tu: table.tu, site: *counter });
        keys.filter_map(|key| sides.of_counter(key)).map(branch_side).collect::<Vec<_>>()
    };
    tables.iter().flat_map(of_table).collect()
}

fn is_same_branch(one: &BranchSide, other: &BranchSide) -> bool {
    (&one.file, one.line, one.column, one.index) == (&other.file, other.line, other.column, other.index)
}

/// Values were lost on the way, so that less is known than the search tree says.
fn has_losses(explored: &Explored) -> bool {
    !explored.statistics.lost.is_empty() || explored.statistics.truncated > 0
}

fn has_stubs(job: &UnitJob) -> bool {
    job.default_mode == Mode::Stub || job.modes.iter().any(|(_, mode)| *mode == Mode::Stub)
}

/// The branch was reached, and never with a condition that an input decides.
fn not_decided(job: &UnitJob, explored: &Explored) -> &'static str {
    if has_losses(explored) {
        "unsupported: the value that decides it may have been made concrete"
    } else if has_stubs(job) {
        "blocked: no input decides it; in the program a stubbed function may"
    } else if explored.finished == Finished::AllPaths {
        "infeasible: all paths were explored and none decides it this way"
    } else {
        "budget: no input decided it on the paths so far"
    }
}

fn not_reached(job: &UnitJob, explored: &Explored) -> &'static str {
    match explored.finished {
        Finished::AllPaths if has_stubs(job) => {
            "blocked: no input leads there; in the program a stubbed function may write what does"
        }
        Finished::AllPaths => "infeasible: all paths were explored and none leads there",
        Finished::AllSides => "unsupported: on the way to it a value was lost, or a path was cut",
        _ => "budget: it was not reached",
    }
}

/// A side that the search knew of.
fn asked_for(
    tables: &[SiteTable],
    sides: &Sides,
    side: &explore::exploration::Uncovered,
    explored: &Explored,
) -> Option<Uncovered> {
    let table = tables.iter().find(|table| table.tu == side.site.tu)?;
    let first = match &table.sites.get(side.site.site as usize)?.kind {
        SiteKind::Branch { counter, .. } | SiteKind::Switch { counter, .. } => *counter,
        _ => return None,
    };
    let counter = SiteKey { tu: table.tu, site: first.checked_add(u32::try_from(side.outcome).ok()?)? };
    let proved = &explored.conclusion.infeasible;
    let why = if proved.contains(&Counter { tu: counter.tu, index: counter.site }) {
        "infeasible: proved, no way to it is left"
    } else if side.untried > 0 {
        "budget: not every way to it was tried"
    } else if side.unknown > 0 {
        "budget: the solver gave no answer in time"
    } else if side.diverged > 0 {
        "unsupported: inputs solved for it went another way"
    } else if has_losses(explored) {
        "unsupported: infeasible on every path that reached it, but values were lost on the way"
    } else {
        "budget: infeasible on every path that reached it so far"
    };
    Some(Uncovered { side: branch_side(sides.of_counter(counter)?), why: why.to_owned() })
}
