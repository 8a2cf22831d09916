//! `concertino report`: what the campaign knows, now; also while a run works.

use crate::annotate;
use crate::args::{self, Format};
use crate::command::{self, Campaign};
use crate::exit::{BadInput, Exit};
use anyhow::{Context, Result};
use coverage::Measured;
use report::{Document, Findings, Style};
use std::io::IsTerminal;
use std::path::Path;

pub fn run(dir: Option<&Path>, args: &args::Report) -> Result<Exit> {
    let campaign = Campaign::open(dir)?;
    if let Some(path) = &args.baseline {
        let baseline = annotate::baseline_of(&campaign.view);
        let text = format!("{}\n", serde_json::to_string_pretty(&baseline)?);
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        let count = report::counted(baseline.alarms.len() as u64, "alarm");
        return command::print(&format!("wrote {count} to {}\n", path.display())).map(|()| Exit::Success);
    }
    let (findings, root) = (campaign.findings(), &campaign.root);
    let format = if args.json { Format::Json } else { args.format };
    let text = match format {
        Format::Text => report::summary(&findings, style(args.output.is_none())),
        Format::Json => Document::new(&findings).to_text(),
        Format::Junit => report::junit(&findings),
        Format::Lcov => report::lcov(needed(&findings)?, root),
        Format::Cobertura => report::cobertura(needed(&findings)?, root, now()),
        Format::Gcov => {
            let place = args.output.as_deref().ok_or_else(|| {
                BadInput("gcov files are many\n  name a directory for them with --output".into())
            })?;
            write_all(place, &report::gcov(needed(&findings)?, root))?;
            return Ok(Exit::Success);
        }
    };
    match &args.output {
        Some(path) => {
            std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => command::print(&text)?,
    }
    Ok(Exit::Success)
}

/// Prints the summary or the document of a campaign.
pub(crate) fn show(campaign: &Campaign, json: bool) -> Result<()> {
    let findings = campaign.findings();
    if json {
        command::print(&Document::new(&findings).to_text())
    } else {
        command::print(&report::summary(&findings, style(true)))
    }
}

fn style(to_terminal: bool) -> Style {
    Style::for_terminal(to_terminal && std::io::stdout().is_terminal())
}

fn needed<'a>(findings: &Findings<'a>) -> Result<&'a Measured> {
    Ok(findings.measured.ok_or_else(|| {
        BadInput(
            "coverage was not measured yet\n  `concertino coverage` runs the kept tests and measures it"
                .into(),
        )
    })?)
}

fn write_all(place: &Path, files: &[(String, String)]) -> Result<()> {
    std::fs::create_dir_all(place).with_context(|| format!("cannot make {}", place.display()))?;
    for (name, text) in files {
        let path = place.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs())
}
