//! `concertino replay ALARM|INPUT`: one stored input, natively, for a person to see.

use crate::args::{self, Progress};
use crate::config::Config;
use crate::exit::{BadInput, Exit};
use crate::job::{Pipeline, ReplayRequest};
use crate::options::Options;
use crate::sink::Sink;
use crate::{command, project, world};
use anyhow::Result;
use campaign::{Directory, FunctionName, Input, Level, Lock, View};
use std::path::{Path, PathBuf};

pub fn run(dir: Option<&Path>, args: &args::Replay, pipeline: &Pipeline) -> Result<Exit> {
    let root = project::root(dir)?;
    let config = Config::load(&root)?;
    let Found { input, path, unit, in_context } = find_input(&root, &args.what)?;
    let project = project::find(&root, &config, args.database.as_deref())?;
    let mut options = Options::from_config(&config);
    let program = world::with_flags(&config.program, &args.world);
    options.world = world::read(&program).map_err(|error| BadInput(error.to_string()))?;
    options.flags.extend(args.flags.iter().cloned());
    options.sandbox &= !args.no_sandbox;
    // A replay builds what is out of date, in the place where a run would build it.
    let directory = Directory::new(&project.campaign);
    directory.create()?;
    let _lock = Lock::acquire(&directory)?;
    let sink = Sink::new(Progress::Auto);
    let request = ReplayRequest { input, path, unit, in_context, gdb: args.gdb };
    let outcome = (pipeline.replay)(&project, &options, &request, &|event| sink.emit(event));
    sink.close();
    let outcome = outcome?;
    let newline = if outcome.output.is_empty() || outcome.output.ends_with('\n') { "" } else { "\n" };
    command::print(&format!("{}{newline}{}: {}\n", outcome.output, request.input.function, outcome.verdict))?;
    Ok(if outcome.failed { Exit::Alarms } else { Exit::Success })
}

/// An input, and where it comes from.
struct Found {
    input: Input,
    path: PathBuf,
    unit: Option<FunctionName>,
    in_context: bool,
}

/// A file if there is one of that name (here or below the root, as reports write it), else an alarm.
fn find_input(root: &Path, what: &str) -> Result<Found> {
    let file = [PathBuf::from(what), root.join(what)].into_iter().find(|path| path.is_file());
    if let Some(path) = file {
        return Ok(Found { input: Input::read(&path)?, path, unit: None, in_context: false });
    }
    let directory = Directory::new(project::campaign_directory(root));
    let view = View::open(&directory)?;
    match view.alarms_named(what).as_slice() {
        [alarm] => Ok(Found {
            input: directory.load_input(&alarm.input)?,
            path: directory.input_path(&alarm.input),
            unit: Some(alarm.unit.clone()),
            in_context: alarm.level <= Level::Feasible,
        }),
        [] => Err(BadInput(format!(
            "`{what}` is neither a file nor an alarm of this project\n  `concertino report` lists the alarms with their ids"
        ))
        .into()),
        many => {
            let ids: Vec<&str> = many.iter().map(|alarm| alarm.id.as_str()).collect();
            Err(BadInput(format!("`{what}` begins {} alarms: {}\n  write more of the id", ids.len(), ids.join(", "))).into())
        }
    }
}
