//! The pipeline, one call per arrow of the map.

use crate::event::Event;
use crate::job::{Candidate, Prepared, Progress, ReplayOutcome, ReplayRequest, UnitJob, UnitResult};
use crate::options::{Options, Project};
use campaign::{Alarm, Level};

pub fn prepare(_: &Project, _: &Options, _: &dyn Fn(Event)) -> anyhow::Result<Prepared> {
    anyhow::bail!("the pipeline is not connected in this build")
}

pub fn explore_unit(_: &UnitJob, _: &dyn Fn(Progress)) -> UnitResult {
    UnitResult::failed("the pipeline is not connected in this build")
}

pub fn confirm(_: &UnitJob, candidate: &Candidate) -> Alarm {
    Alarm {
        class: candidate.class,
        file: candidate.file.clone(),
        line: candidate.line,
        column: candidate.column,
        function: candidate.function.clone(),
        level: Level::Unit,
        reason: "not confirmed".to_owned(),
        score: 0.5,
        input: candidate.input.clone(),
        replayed: "not run".to_owned(),
        evidence: candidate.evidence.clone(),
    }
}

pub fn replay(
    _: &Project,
    _: &Options,
    _: &ReplayRequest,
    _: &dyn Fn(Event),
) -> anyhow::Result<ReplayOutcome> {
    anyhow::bail!("the pipeline is not connected in this build")
}
