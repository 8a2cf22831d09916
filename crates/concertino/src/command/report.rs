//! `concertino report`: what the campaign knows, now; also while a run works.

use crate::exit::Exit;
use crate::{args, command, project};
use anyhow::Result;
use campaign::{Directory, View};
use report::{Document, Findings, Style};
use std::io::IsTerminal;
use std::path::Path;

pub fn run(dir: Option<&Path>, args: &args::Report) -> Result<Exit> {
    let root = project::root(dir)?;
    let directory = Directory::new(project::campaign_directory(&root));
    show(&root, &directory, &View::open(&directory)?, &command::again("replay", dir), args.json)?;
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
