//! What is known of an execution before its own part of the log is read, and what it loses on its way: values that were
//! made concrete.

use super::UnitPath;
use crate::subject::{Base, Loss, Observed};
use wire::log::Concretised;
use wire::{Record, RecordKind, SiteKey};

/// What an execution has in common with the one that it was solved from.
#[derive(Default)]
pub(super) struct Beginning {
    /// So many decisions.
    pub(super) length: usize,
    pub(super) limits: Vec<usize>,
    pub(super) failed: Vec<usize>,
    pub(super) losses: Losses,
}

impl Beginning {
    /// `log`: the records before the decision that was to change.
    pub(super) fn of(base: Base<'_, UnitPath>, log: &[Record]) -> Beginning {
        let Base { observed: Observed { failed, path, .. }, at } = base;
        let before = |numbers: &[usize]| numbers[..numbers.partition_point(|number| *number < at)].to_vec();
        let mut losses = Losses::default();
        let counted = log.iter().filter(|record| record.kind != RecordKind::Cover as u16);
        for (number, record) in (0..).zip(counted) {
            let constrained = record.kind == RecordKind::Concretised as u16;
            if constrained || record.kind == RecordKind::Lost as u16 {
                let decided = path.conditions.partition_point(|held| held.mark.records() < number as u64);
                losses.add(decided, SiteKey { tu: record.tu, site: record.site }, record.aux, constrained);
            }
        }
        Beginning { length: at, limits: before(&path.limits), failed: before(failed), losses }
    }
}

/// Losses by place and kind, in order of first sight; a loop may repeat one a million times.
#[derive(Default)]
pub(super) struct Losses(pub(super) Vec<Loss>);

impl Losses {
    pub(super) fn add(&mut self, at: usize, site: SiteKey, code: u16, constrained: bool) {
        let Some(kind) = Concretised::from_code(code) else { return };
        let same = |loss: &&mut Loss| (loss.site, loss.kind, loss.constrained) == (site, kind, constrained);
        match self.0.iter_mut().find(same) {
            Some(loss) => loss.count += 1,
            None => self.0.push(Loss { at, site, kind, constrained, count: 1 }),
        }
    }
}
