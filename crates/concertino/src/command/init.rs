//! `concertino init`: look, say what was found, write a configuration. Never overwrites one.

use crate::args;
use crate::config::{Config, FILE_NAME};
use crate::exit::{BadInput, Exit};
use crate::options::Source;
use crate::{command, project};
use anyhow::{Context, Result};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Every key with its default; a test compares them with [`Config::default`].
pub(crate) const TEMPLATE: &str = include_str!("init.toml");
/// Files that are counted, at most.
const COUNTED: usize = 100_000;

pub fn run(dir: Option<&Path>, args: &args::Init) -> Result<Exit> {
    // A configuration further up belongs to another project: `init` is about this directory.
    let root = project::root(Some(dir.unwrap_or(Path::new("."))))?;
    let found = project::find(&root, &Config::default(), args.database.as_deref())?;
    let mut text = TEMPLATE.to_owned();
    let said = match &found.source {
        Source::Database(path) => {
            let relative = path.strip_prefix(&root).unwrap_or(path);
            let value = toml::Value::String(relative.display().to_string());
            text = text.replacen("# database = \"compile_commands.json\"", &format!("database = {value}"), 1);
            format!("found the compile database {}", relative.display())
        }
        Source::Directory(_) => {
            let files = project::c_files(&root, COUNTED).len() as u64;
            format!(
                "found {} and no compile database: set `flags` if they need any (-I, -D)",
                report::counted(files, ".c file")
            )
        }
    };
    let path = root.join(FILE_NAME);
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => {
            file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(BadInput(format!(
                "{} is there already, and is left as it is\n  edit it, or remove it and run init again",
                path.display()
            ))
            .into());
        }
        Err(error) => return Err(error).with_context(|| format!("cannot write {}", path.display())),
    }
    command::print(&format!("{said}\nwrote {FILE_NAME}; next: concertino test\n"))?;
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_the_default() {
        let uncommented = TEMPLATE.replace("# database", "database");
        let parsed = Config::parse(Path::new(FILE_NAME), &uncommented).unwrap();
        let mut expected = Config::default();
        expected.build.database = Some("compile_commands.json".into());
        assert_eq!(parsed, expected);
    }

    #[test]
    fn the_template_names_every_key() {
        let mut config = Config::default();
        config.build.database = Some("x".into());
        let all = toml::Table::try_from(config).unwrap();
        for (section, keys) in all {
            assert!(TEMPLATE.contains(&format!("\n[{section}]\n")), "{section}");
            for key in keys.as_table().unwrap().keys() {
                assert!(TEMPLATE.contains(&format!("{key} = ")), "{section}.{key}");
            }
        }
    }
}
