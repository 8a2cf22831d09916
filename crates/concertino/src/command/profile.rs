//! `concertino profile`: run the system tests and keep which functions called which.

use crate::args::{self, Progress};
use crate::config::Config;
use crate::exit::{BadInput, Exit};
use crate::options::Options;
use crate::pipeline::{self, ProfileRequest};
use crate::sink::Sink;
use crate::{command, project};
use anyhow::Result;
use campaign::{Directory, Lock};
use std::path::Path;
use std::time::Duration;

pub fn run(dir: Option<&Path>, args: &args::Profile) -> Result<Exit> {
    let root = project::root(dir)?;
    let config = Config::load(&root)?;
    let project = project::find(&root, &config, args.database.as_deref())?;
    let options = Options::from_config(&config);
    let directory = Directory::new(&project.campaign);
    directory.create()?;
    let _lock = Lock::acquire(&directory)?;
    if args.forget {
        let _ = std::fs::remove_dir_all(project.campaign.join("profile"));
        if args.command.is_empty() && args.commands.is_none() {
            return Ok(Exit::Success);
        }
    }
    let request = ProfileRequest {
        commands: commands(args)?,
        executables: args.executables.clone(),
        timeout: Duration::from_secs(args.timeout),
        capture: !args.no_capture,
        loud: args.inputs.is_none() && args.commands.is_none(),
    };
    let sink = Sink::new(Progress::Auto);
    let outcome = pipeline::record(&project, &options, &request, &|event| sink.emit(event));
    sink.close();
    let summary = outcome?;
    let mut text = format!(
        "recorded {} in {}; {} of {} functions ran\n",
        report::counted(summary.processes as u64, "run"),
        report::counted(summary.commands as u64, "command"),
        summary.ran,
        summary.functions,
    );
    if summary.samples > 0 {
        text.push_str(&format!(
            "captured {} of {}\n",
            report::counted(summary.samples as u64, "sample"),
            report::counted(summary.sampled as u64, "function")
        ));
    }
    for (count, what) in [
        (summary.failed as u64, "of the commands failed; what they did counts"),
        (summary.timed_out as u64, "of the commands ran out of time and were killed; what they did counts"),
        (summary.outside as u64, "samples contradict what drivers assume"),
        (summary.too_large as u64, "samples are larger than what drivers make"),
        (summary.cut as u64, "samples have buffers of which the beginning was kept"),
        (summary.without_captures as u64, "files could only be recorded without captures"),
        (summary.dropped, "calls did not fit into the record of their process"),
    ] {
        if count > 0 {
            text.push_str(&format!("  {count} {what}\n"));
        }
    }
    text.push_str("`concertino units FUNCTION` shows what follows from it; `concertino test` uses it\n");
    command::print(&text)?;
    Ok(Exit::Success)
}

fn commands(args: &args::Profile) -> Result<Vec<Vec<String>>> {
    if let Some(list) = &args.commands {
        let text = std::fs::read_to_string(list)
            .map_err(|error| BadInput(format!("--commands {}: {error}", list.display())))?;
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        return Ok(lines.map(|line| vec!["/bin/sh".into(), "-c".into(), line.to_owned()]).collect());
    }
    if args.command.is_empty() {
        return Err(BadInput(
            "say what to run: `concertino profile -- make check`, or --commands FILE\n  concertino profile --help has examples".to_owned(),
        )
        .into());
    }
    let Some(inputs) = &args.inputs else { return Ok(vec![args.command.clone()]) };
    if !args.command.iter().any(|word| word.contains("{}")) {
        return Err(
            BadInput("--inputs: write {} in the command where the file's name goes".to_owned()).into()
        );
    }
    let entries = std::fs::read_dir(inputs)
        .map_err(|error| BadInput(format!("--inputs {}: {error}", inputs.display())))?;
    let mut files: Vec<_> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    if files.is_empty() {
        return Err(BadInput(format!("--inputs {}: no file is there", inputs.display())).into());
    }
    let fill = |file: &Path| {
        args.command.iter().map(|word| word.replace("{}", &file.display().to_string())).collect()
    };
    Ok(files.iter().map(|file| fill(file)).collect())
}
