//! The pipeline, one call per arrow of the map.

mod captured;
mod confirm;
mod contexts;
mod executed;
mod export;
mod images;
mod likely;
mod measure;
mod native_coverage;
mod place;
mod reasons;
mod record;
mod search;
mod seeds;
mod surroundings;
mod units;

use crate::event::Event;
use crate::job::{Prepared, ReplayOutcome, ReplayRequest};
use crate::options::{Options, Project, Source};

pub use captured::invariants;
pub use confirm::confirm;
pub use contexts::in_context;
pub use export::export;
pub use measure::measure;
pub use native_coverage::cover;
pub use record::{ProfileRequest, ProfileSummary, record};
pub use search::explore_unit;
pub use surroundings::{Described, describe};

/// Compile database -> program -> harnesses, objects, images -> one job per function.
pub fn prepare(project: &Project, options: &Options, tell: &dyn Fn(Event)) -> anyhow::Result<Prepared> {
    let program = load(project, options, tell)?;
    let built = images::build(&program, project, options, tell)?;
    units::prepare(program, built, project, options)
}

/// Runs one stored input natively under the sanitizers.
pub fn replay(
    project: &Project,
    options: &Options,
    request: &ReplayRequest,
    tell: &dyn Fn(Event),
) -> anyhow::Result<ReplayOutcome> {
    let prepared = prepare(project, options, tell)?;
    confirm::replay(&prepared, request)
}

fn load(project: &Project, options: &Options, tell: &dyn Fn(Event)) -> anyhow::Result<model::Program> {
    tell(Event::Stage { name: "model", total: 0 });
    let source = match &project.source {
        Source::Database(path) => model::Source::Database(path.clone()),
        Source::Directory(path) => model::Source::Directory { path: path.clone(), flags: Vec::new() },
    };
    let settings = model::Options {
        jobs: options.jobs,
        root: Some(project.root.clone()),
        libraries: options.libraries.clone(),
        flags: options.flags.clone(),
    };
    Ok(model::Program::load(&source, &settings)?)
}
