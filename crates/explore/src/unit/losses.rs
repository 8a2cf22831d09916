//! What an execution loses on its way: values that were made concrete.

use crate::subject::Loss;
use wire::log::Concretised;
use wire::{Record, RecordKind, SiteKey};

/// Losses by place and kind, in order of first sight; a loop may repeat one a million times.
pub(super) struct Losses(pub(super) Vec<Loss>);

impl Losses {
    /// Those of the records before so many decisions.
    pub(super) fn of(log: &[Record], decisions: usize) -> Losses {
        let mut losses = Losses(Vec::new());
        log.iter().for_each(|record| losses.add(decisions, record));
        losses
    }

    /// Takes up the records up to the next one that is a step of the path, that one included.
    #[inline]
    pub(super) fn add_to_step<'a>(&mut self, at: usize, records: &mut impl Iterator<Item = &'a Record>) {
        for record in records {
            self.add(at, record);
            if is_step(record) {
                break;
            }
        }
    }

    /// Takes up a record, if it tells of one.
    #[inline]
    pub(super) fn add(&mut self, at: usize, record: &Record) {
        let constrained = record.kind == RecordKind::Concretised as u16;
        if !constrained && record.kind != RecordKind::Lost as u16 {
            return;
        }
        let Some(kind) = Concretised::from_code(record.aux) else { return };
        let site = SiteKey { tu: record.tu, site: record.site };
        let same = |loss: &&mut Loss| (loss.site, loss.kind, loss.constrained) == (site, kind, constrained);
        match self.0.iter_mut().find(same) {
            Some(loss) => loss.count += 1,
            None => self.0.push(Loss { at, site, kind, constrained, count: 1 }),
        }
    }
}

/// The steps of a path are the records of these kinds, in order; the others say what happened between them.
fn is_step(record: &Record) -> bool {
    use RecordKind::{Cover, Input, Lost};
    !matches!(RecordKind::from_code(record.kind), None | Some(Input | Cover | Lost))
}
