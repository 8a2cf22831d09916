//! The units of bench/units, built by the product's own pipeline, and sessions for them.

use anyhow::{Context, bail};
use concertino::config::Config;
use concertino::event::Event;
use concertino::job::{Prepared, UnitJob, Work};
use concertino::options::{Options, Project, Source};
use execute::{Limits, Session, Target, UnitSetup, Way};
use model::sites::SiteTable;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where things are: the repository, and a directory that may be filled.
pub(crate) struct Places {
    pub(crate) root: PathBuf,
    pub(crate) work: PathBuf,
}

impl Places {
    pub(crate) fn bench(&self, name: &str) -> PathBuf {
        self.root.join("bench").join(name)
    }
}

/// The settings that a user has who sets nothing.
pub(crate) fn options() -> Options {
    Options::from_config(&Config::default())
}

/// A project whose results stay out of its directory.
pub(crate) fn project(root: &Path, source: Source, campaign: PathBuf) -> Project {
    Project { root: root.to_owned(), source, campaign }
}

pub(crate) struct Units {
    prepared: Prepared,
    scratch: PathBuf,
}

/// One function of bench/units.
pub(crate) struct Unit<'a> {
    pub(crate) job: &'a UnitJob,
    pub(crate) tables: Vec<SiteTable>,
    scratch: &'a Path,
}

impl Units {
    pub(crate) fn build(places: &Places) -> anyhow::Result<Units> {
        let root = places.bench("units");
        let campaign = places.work.join("units");
        let project = project(&root, Source::Directory(root.clone()), campaign.clone());
        let options = Options { replay: false, ..options() };
        let prepared = concertino::pipeline::prepare(&project, &options, &|_: Event| {})?;
        Ok(Units { prepared, scratch: campaign.join("scratch") })
    }

    pub(crate) fn get(&self, name: &str) -> anyhow::Result<Unit<'_>> {
        let unit = self.prepared.units.iter().find(|unit| unit.function.name == name);
        let unit = unit.with_context(|| format!("bench/units has no function {name}"))?;
        let job = match &unit.work {
            Work::Explore(job) => job,
            Work::Skip(reason) | Work::Fail(reason) => bail!("{name} cannot be tested: {reason}"),
        };
        let tables = job.sites.iter().map(|path| -> anyhow::Result<SiteTable> {
            let text = std::fs::read(path).with_context(|| path.display().to_string())?;
            serde_json::from_slice(&text).with_context(|| path.display().to_string())
        });
        Ok(Unit { job, tables: tables.collect::<Result<_, _>>()?, scratch: &self.scratch })
    }
}

impl Unit<'_> {
    /// A session as the product starts it.
    pub(crate) fn session(&self, way: Way) -> anyhow::Result<Session> {
        let job = self.job;
        let setup = UnitSetup {
            default_mode: job.default_mode,
            modes: job.modes.clone(),
            checks: job.checks.clone(),
            ..UnitSetup::new((job.driver.tu, job.driver.index))
        };
        let limits = Limits {
            time_per_execution: Duration::from_millis(job.limits.execution_ms),
            heap: job.limits.heap_bytes,
            site: job.limits.site_limit,
            file_size: job.limits.output_bytes,
            ..Limits::default()
        };
        Ok(Session::start(&Target::new(&job.image, self.scratch), &setup, &limits, way)?)
    }
}
