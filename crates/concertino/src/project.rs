//! Finding the project: its root, its compile database, or its .c files.

use crate::config::{Config, FILE_NAME};
use crate::exit::BadInput;
use crate::options::{Project, Source};
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};

const DATABASE: &str = "compile_commands.json";
/// Where builds usually leave their database, besides any directory called `cmake-build-*`.
const USUAL_PLACES: &[&str] = &["", "build", "builddir", "_build", "out", "Build", "debug", "release"];
/// Directories whose .c files are nobody's sources.
const NOT_SOURCES: &[&str] = &["node_modules", "target"];

/// The root: the directory that was named, else the nearest one upwards with a configuration, else this one.
pub fn root(named: Option<&Path>) -> Result<PathBuf> {
    let directory = named.unwrap_or(Path::new("."));
    let absolute = fs::canonicalize(directory).map_err(|error| {
        BadInput(format!(
            "cannot use the directory {}: {error}\n  name the project with --dir",
            directory.display()
        ))
    })?;
    if !absolute.is_dir() {
        return Err(BadInput(format!(
            "{} is not a directory\n  --dir names the project's directory",
            directory.display()
        ))
        .into());
    }
    if named.is_some() {
        return Ok(absolute);
    }
    let configured = absolute.ancestors().find(|ancestor| ancestor.join(FILE_NAME).is_file());
    Ok(configured.map(Path::to_path_buf).unwrap_or(absolute))
}

/// Where results of the project at `root` are.
pub fn campaign_directory(root: &Path) -> PathBuf {
    root.join(".concertino")
}

/// The project at `root`; `database` is what the command line named.
pub fn find(root: &Path, config: &Config, database: Option<&Path>) -> Result<Project> {
    let source = match (database, &config.build.database) {
        (Some(named), _) => named_database(named, "--database")?,
        (None, Some(named)) => named_database(&root.join(named), "`database` in concertino.toml")?,
        (None, None) => match usual_database(root) {
            Some(found) => Source::Database(found),
            None => directory(root)?,
        },
    };
    Ok(Project { root: root.to_owned(), source, campaign: campaign_directory(root) })
}

fn named_database(named: &Path, by: &str) -> Result<Source> {
    let path = if named.is_dir() { named.join(DATABASE) } else { named.to_owned() };
    match fs::canonicalize(&path) {
        Ok(path) if path.is_file() => Ok(Source::Database(path)),
        Ok(_) => Err(BadInput(format!("{} is not a file\n  {by} names a {DATABASE}", path.display())).into()),
        Err(error) => Err(BadInput(format!(
            "no compile database at {} ({error}), which {by} names\n  {HOW_TO_MAKE_ONE}",
            path.display()
        ))
        .into()),
    }
}

const HOW_TO_MAKE_ONE: &str = "make one with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `meson setup`, `bear -- make` \
     or `compiledb make`; or leave it out: then every .c file is tested, with the flags after `--`";

pub fn usual_database(root: &Path) -> Option<PathBuf> {
    let mut places: Vec<PathBuf> = USUAL_PLACES.iter().map(|place| root.join(place)).collect();
    let mut others: Vec<PathBuf> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("cmake-build-"))
        })
        .collect();
    others.sort();
    places.extend(others);
    places.into_iter().map(|place| place.join(DATABASE)).find(|path| path.is_file())
}

fn directory(root: &Path) -> Result<Source> {
    if c_files(root, 1).is_empty() {
        return Err(BadInput(format!(
            "no {DATABASE} and no .c file in {}\n  name the project with --dir, or its database with --database",
            root.display()
        ))
        .into());
    }
    Ok(Source::Directory(root.to_owned()))
}

/// Files that end in .c below `root`, at most `most` of them; hidden directories are not looked into.
pub fn c_files(root: &Path, most: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        let mut entries: Vec<_> = fs::read_dir(&directory).into_iter().flatten().flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && !name.starts_with('.') && !NOT_SOURCES.contains(&name.as_ref()) {
                waiting.push(entry.path());
            } else if kind.is_file() && name.ends_with(".c") {
                found.push(entry.path());
                if found.len() == most {
                    return found;
                }
            }
        }
    }
    found
}
