//! `concertino report`: what the campaign knows, now; also while a run works.

use crate::exit::Exit;
use crate::{annotate, args, command, project};
use anyhow::{Context, Result};
use campaign::{Directory, View};
use report::{Document, Findings, Style};
use std::io::IsTerminal;
use std::path::Path;

pub fn run(dir: Option<&Path>, args: &args::Report) -> Result<Exit> {
    let root = project::root(dir)?;
    let directory = Directory::new(project::campaign_directory(&root));
    let view = View::open(&directory)?;
    if let Some(path) = &args.baseline {
        let baseline = annotate::baseline_of(&view);
        let text = format!("{}\n", serde_json::to_string_pretty(&baseline)?);
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        let count = report::counted(baseline.alarms.len() as u64, "alarm");
        return command::print(&format!("wrote {count} to {}\n", path.display())).map(|()| Exit::Success);
    }
    show(&root, &directory, &view, &command::again("replay", dir), args.json)?;
    Ok(Exit::Success)
}

/// Prints the summary or the document of a campaign.
pub(crate) fn show(root: &Path, directory: &Directory, view: &View, replay: &str, json: bool) -> Result<()> {
    let findings = Findings { view, root, directory, replay };
    if json {
        command::print(&Document::new(&findings).to_text())
    } else {
        let style = Style::for_terminal(std::io::stdout().is_terminal());
        command::print(&report::summary(&findings, style))
    }
}
