//! `concertino units FUNCTION`: which functions are real around a function under test, and how it is reached.

use crate::args;
use crate::config::Config;
use crate::exit::Exit;
use crate::options::Options;
use crate::pipeline::{self, Described};
use crate::{command, project};
use anyhow::Result;
use std::fmt::Write;
use std::path::Path;

pub fn run(dir: Option<&Path>, args: &args::Units) -> Result<Exit> {
    let root = project::root(dir)?;
    let config = Config::load(&root)?;
    let project = project::find(&root, &config, args.database.as_deref())?;
    let mut options = Options::from_config(&config);
    options.flags.extend(args.flags.iter().cloned());
    options.unit = args.unit.unwrap_or(options.unit);
    options.threshold = args.threshold.unwrap_or(options.threshold);
    let units = pipeline::describe(&project, &options, &args.functions)?;
    if args.json {
        command::print(&format!("{}\n", serde_json::to_string_pretty(&units)?))?;
    } else {
        let texts: Vec<String> = units.iter().map(text).collect();
        command::print(&texts.join("\n"))?;
    }
    Ok(Exit::Success)
}

fn text(unit: &Described) -> String {
    let mut text = format!("{}\n  unit by {}, {}\n", unit.function, unit.technique, unit.basis);
    for (kind, members) in [("real", &unit.real), ("stub", &unit.stubs)] {
        for member in members {
            let _ = writeln!(text, "    {kind} {:<24} {}", member.name, member.reason);
        }
    }
    if !unit.roots.is_empty() {
        let _ = writeln!(text, "  driven from {}", unit.roots.join(", "));
    }
    if unit.contexts.is_empty() {
        text.push_str("  no calling context: nothing in the program calls it\n");
    } else {
        text.push_str("  calling contexts\n");
    }
    for context in &unit.contexts {
        let remark = if context.relevant { "" } else { "   (a caller that it hardly depends on)" };
        let _ = writeln!(text, "    {} -> {}{remark}", context.callers.join(" -> "), unit.function.name);
    }
    if let Some(open) = &unit.open {
        let _ = writeln!(text, "  and others: {open}");
    }
    text
}
