//! `concertino explain WHAT`.

use crate::args;
use crate::command::{self, Campaign};
use crate::exit::{BadInput, Exit};
use anyhow::Result;
use report::{Explained, Style};
use std::io::IsTerminal;
use std::path::Path;

pub fn run(dir: Option<&Path>, args: &args::Explain) -> Result<Exit> {
    let campaign = Campaign::open(dir)?;
    let style = Style::for_terminal(std::io::stdout().is_terminal());
    match report::explain(&campaign.findings(), &args.what, style) {
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
