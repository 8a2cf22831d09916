//! `concertino explain WHAT`.

use crate::exit::{BadInput, Exit};
use crate::{args, command, project};
use anyhow::Result;
use campaign::{Directory, View};
use report::{Explained, Findings, Style};
use std::io::IsTerminal;
use std::path::Path;

pub fn run(dir: Option<&Path>, args: &args::Explain) -> Result<Exit> {
    let root = project::root(dir)?;
    let directory = Directory::new(project::campaign_directory(&root));
    let view = View::open(&directory)?;
    let replay = command::again("replay", dir);
    let measured = command::coverage::measured(&directory);
    let findings = Findings {
        view: &view,
        root: &root,
        directory: &directory,
        replay: &replay,
        measured: measured.as_ref(),
    };
    let style = Style::for_terminal(std::io::stdout().is_terminal());
    match report::explain(&findings, &args.what, style) {
        Explained::Text(text) => {
            command::print(&text)?;
            Ok(Exit::Success)
        }
        Explained::Unknown(near) => {
            let hint = match near.as_slice() {
                [] => {
                    "\n  give an alarm's id, a function's name, or FILE:LINE; `concertino report` lists them"
                        .to_owned()
                }
                names => format!("\n  did you mean {}?", names.join(", ")),
            };
            Err(BadInput(format!("nothing is known as `{}`{hint}", args.what)).into())
        }
    }
}
