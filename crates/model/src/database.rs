//! Where the sources and their flags come from: a compile database, or a plain directory.
//!
//! Databases differ by generator: `command` (CMake, Meson) or `arguments` (bear, compiledb), `file` absolute
//! or relative to `directory`, `output` or not. A bad entry is a problem; only a database without any good
//! entry is an error.

use crate::error::ModelError;
use crate::flags::{self, TOLERANT};
use crate::paths::{Root, common_directory, tidy};
use crate::program::{Location, Problem};
use crate::shell;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// What to load.
#[derive(Clone, Debug)]
pub enum Source {
    /// A compile database, a directory that has one (itself, `build/`, `builddir/`, any child), or else a
    /// directory with C files.
    Find(PathBuf),
    Database(PathBuf),
    /// All `.c` files below, with these flags.
    Directory {
        path: PathBuf,
        flags: Vec<String>,
    },
}

/// One file to parse, flags cleaned for clang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileCommand {
    pub path: PathBuf,
    pub directory: PathBuf,
    pub flags: Vec<String>,
}

/// The commands of a project.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    /// The directory that reported paths are relative to.
    pub root: PathBuf,
    pub commands: Vec<CompileCommand>,
    pub problems: Vec<Problem>,
}

const DATABASE: &str = "compile_commands.json";

impl Source {
    pub fn read(&self) -> Result<Commands, ModelError> {
        match self {
            Source::Database(path) => read_database(path, None),
            Source::Directory { path, flags } => read_directory(path, flags),
            Source::Find(path) if path.is_file() => read_database(path, None),
            Source::Find(path) => {
                let found = find_databases(path)?;
                let Some((first, others)) = found.split_first() else { return read_directory(path, &[]) };
                let mut commands = read_database(first, Some(path))?;
                if !others.is_empty() {
                    let others: Vec<String> = others.iter().map(|p| p.display().to_string()).collect();
                    commands.problems.push(Problem {
                        location: None,
                        message: format!(
                            "several compile databases: {} is used; name one of the others to use it: {}",
                            first.display(),
                            others.join(", ")
                        ),
                    });
                }
                Ok(commands)
            }
        }
    }
}

/// The places where build systems leave the database, best first.
fn find_databases(directory: &Path) -> Result<Vec<PathBuf>, ModelError> {
    for place in [".", "build", "builddir"] {
        let path = tidy(&directory.join(place).join(DATABASE));
        if path.is_file() {
            return Ok(vec![path]);
        }
    }
    let mut found: Vec<PathBuf> = entries(directory)?
        .into_iter()
        .map(|entry| entry.join(DATABASE))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    Ok(found)
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>, ModelError> {
    let failed = |source| ModelError::Read { path: directory.to_path_buf(), source };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn absolute(path: &Path) -> Result<PathBuf, ModelError> {
    let absolute =
        std::path::absolute(path).map_err(|source| ModelError::Read { path: path.to_path_buf(), source })?;
    Ok(tidy(&absolute))
}

fn read_database(path: &Path, root: Option<&Path>) -> Result<Commands, ModelError> {
    let text = std::fs::read(path).map_err(|source| ModelError::Read { path: path.to_path_buf(), source })?;
    let json: Value = serde_json::from_slice(&text).map_err(|e| ModelError::Json {
        path: path.to_path_buf(),
        line: e.line(),
        column: e.column(),
        message: strip_position(&e.to_string()),
    })?;
    let found = match json {
        Value::Array(entries) => return commands(&absolute(path)?, &entries, root),
        Value::Object(_) => "an object",
        Value::String(_) => "a string",
        Value::Number(_) => "a number",
        Value::Bool(_) => "a boolean",
        Value::Null => "null",
    };
    Err(ModelError::NotAnArray { path: path.to_path_buf(), found })
}

/// serde_json repeats line and column at the end; they are in the prefix already.
fn strip_position(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(start, _)| start).to_string()
}

fn commands(path: &Path, entries: &[Value], root: Option<&Path>) -> Result<Commands, ModelError> {
    let base = path.parent().unwrap_or(Path::new("/"));
    let mut seen = HashSet::new();
    let mut result = Commands::default();
    let mut reasons = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        match command(entry, base) {
            Ok(command) => {
                if seen.insert((command.path.clone(), command.flags.clone())) {
                    result.commands.push(command);
                }
            }
            Err(reason) => reasons.push(format!("entry {} of {}: {reason}", index + 1, path.display())),
        }
    }
    if result.commands.is_empty() {
        return Err(ModelError::NoUsableEntry { path: path.to_path_buf(), entries: entries.len(), reasons });
    }
    result.root = match root {
        Some(root) => absolute(root)?,
        None => {
            common_directory(result.commands.iter().map(|c| c.path.as_path())).unwrap_or_else(|| base.into())
        }
    };
    result.problems = reasons.into_iter().map(|message| Problem { location: None, message }).collect();
    report_missing_files(&mut result);
    report_missing_directories(&mut result);
    Ok(result)
}

/// A build tree that was removed is no loss as long as no header was generated there.
fn report_missing_directories(result: &mut Commands) {
    let mut missing = BTreeSet::new();
    for command in result.commands.iter_mut().filter(|command| !command.directory.is_dir()) {
        let parent = command.path.parent().unwrap_or(Path::new("/")).to_path_buf();
        missing.insert(std::mem::replace(&mut command.directory, parent));
    }
    for directory in missing {
        result.problems.push(Problem {
            location: None,
            message: format!(
                "{}, where the compiler ran, does not exist; if files fail for want of a header, build the \
                 project first",
                directory.display()
            ),
        });
    }
}

/// Files that are gone since the database was written.
fn report_missing_files(result: &mut Commands) {
    let root = Root { path: result.root.clone() };
    let (present, missing): (Vec<_>, Vec<_>) =
        std::mem::take(&mut result.commands).into_iter().partition(|c| c.path.is_file());
    result.commands = present;
    for command in missing {
        result.problems.push(Problem {
            location: Some(Location { file: root.relative(&command.path), line: 0, column: 0 }),
            message: "the file does not exist; if it is generated, build the project first".into(),
        });
    }
}

fn command(entry: &Value, base: &Path) -> Result<CompileCommand, String> {
    let Value::Object(entry) = entry else { return Err("not an object".into()) };
    let file = match entry.get("file") {
        Some(Value::String(file)) if !file.is_empty() => file,
        Some(_) => return Err("`file` is not a string".into()),
        None => return Err("no `file`".into()),
    };
    let directory = match entry.get("directory") {
        Some(Value::String(directory)) => tidy(&base.join(directory)),
        Some(_) => return Err(format!("{file}: `directory` is not a string")),
        None => base.to_path_buf(),
    };
    let arguments = words(entry).map_err(|reason| format!("{file}: {reason}"))?;
    let arguments = without_wrappers(&arguments);
    let Some((compiler, arguments)) = arguments.split_first() else {
        return Err(format!("{file}: the command is empty"));
    };
    let path = tidy(&directory.join(file));
    let mut flags = flags::clean(arguments, &directory).map_err(|e| format!("{file}: {e}"))?;
    check_language(&path, compiler, &flags).map_err(|reason| format!("{file}: {reason}"))?;
    flags.extend(TOLERANT.iter().map(|flag| flag.to_string()));
    Ok(CompileCommand { path, directory, flags })
}

fn words(entry: &serde_json::Map<String, Value>) -> Result<Vec<String>, String> {
    match (entry.get("arguments"), entry.get("command")) {
        (Some(Value::Array(list)), _) => list
            .iter()
            .map(|word| word.as_str().map(str::to_string))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| "`arguments` holds something that is not a string".to_string()),
        (Some(_), _) => Err("`arguments` is not an array".into()),
        (None, Some(Value::String(line))) => {
            shell::split(line).ok_or_else(|| "unbalanced quotes in `command`".to_string())
        }
        (None, Some(_)) => Err("`command` is not a string".into()),
        (None, None) => Err("neither `command` nor `arguments`".into()),
    }
}

/// `ccache gcc -c a.c` is about gcc.
fn without_wrappers(words: &[String]) -> &[String] {
    const WRAPPERS: &[&str] = &["ccache", "sccache", "distcc", "icecc", "env", "time", "nice"];
    let mut rest = words;
    while let [first, tail @ ..] = rest {
        let is_variable = !first.starts_with('-') && first.contains('=') && !first.contains('/');
        if !WRAPPERS.contains(&file_name(first)) && !is_variable {
            break;
        }
        rest = tail;
    }
    rest
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn check_language(path: &Path, compiler: &str, flags: &[String]) -> Result<(), String> {
    let compiler = file_name(compiler);
    if compiler.contains("++") {
        return Err(format!("not C: compiled with {compiler}"));
    }
    if matches!(compiler.trim_end_matches(".exe"), "cl" | "clang-cl") {
        return Err(format!(
            "{compiler} takes flags in another form; use gcc or clang to write the database"
        ));
    }
    if flags.iter().any(|flag| flag == "-x") {
        return Ok(());
    }
    match path.extension().and_then(|e| e.to_str()) {
        Some("c" | "i") => Ok(()),
        Some(other) => Err(format!("not C: .{other} file")),
        None => Err("not C: no file name extension".into()),
    }
}

fn read_directory(path: &Path, extra: &[String]) -> Result<Commands, ModelError> {
    let root = absolute(path)?;
    let mut files = Vec::new();
    c_files(&root, &mut files)?;
    if files.is_empty() {
        return Err(ModelError::NoSource { path: path.to_path_buf() });
    }
    let mut flags = flags::clean(extra, &root).map_err(|e| ModelError::NoUsableEntry {
        path: root.clone(),
        entries: files.len(),
        reasons: vec![e.to_string()],
    })?;
    flags.extend(TOLERANT.iter().map(|flag| flag.to_string()));
    let commands = files
        .into_iter()
        .map(|path| CompileCommand { path, directory: root.clone(), flags: flags.clone() })
        .collect();
    Ok(Commands { root, commands, problems: Vec::new() })
}

/// Recursive, sorted; hidden directories, those of build systems and links to directories are left out.
fn c_files(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), ModelError> {
    for path in entries(directory)? {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            if !name.starts_with('.') && name != "CMakeFiles" && !path.is_symlink() {
                c_files(&path, files)?;
            }
        } else if path.extension().is_some_and(|e| e == "c") && path.is_file() && !name.starts_with('.') {
            files.push(path);
        }
    }
    Ok(())
}
