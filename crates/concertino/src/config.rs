//! `concertino.toml`: every key, its default, and what is wrong with a file that does not fit.
//!
//! Unknown keys are errors with a hint, because a misspelt limit that is silently ignored costs a night.

use crate::world;
use alarm::Points;
use context::Technique;
use explore::strategy;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use thiserror::Error;
use wire::Class;

pub const FILE_NAME: &str = "concertino.toml";

#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path}: {message}{hint}")]
    Parse { path: PathBuf, message: String, hint: String },
    #[error("{path}: `{key}` {message}")]
    Value { path: PathBuf, key: &'static str, message: String },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub build: Build,
    pub harness: Harness,
    pub program: Program,
    pub context: Context,
    /// Points of the rules that score alarms.
    pub score: Points,
    pub test: Test,
    pub limits: Limits,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Build {
    /// A compile_commands.json, relative to the configuration file. Without it: one that is found in the
    /// usual places, else every .c file below the directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<PathBuf>,
    /// Added to every compile command.
    pub flags: Vec<String>,
    /// Patterns of files whose functions are not tested.
    pub exclude: Vec<String>,
    /// Libraries to link and call for real.
    pub libraries: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Harness {
    pub array_bound: u32,
    /// Elements behind a pointer parameter to plain memory, where buffers are long; 0: never.
    pub long_bound: u32,
    pub pointer_depth: u32,
    pub stubs: Stubs,
    pub static_locals: StaticLocals,
    pub bit_fields: bool,
    pub function_pointers: bool,
}

/// What stubs do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Stubs {
    /// Return a value
    #[default]
    Plain,
    /// Also write what the function may write
    Writes,
}

/// How the state in static locals is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum StaticLocals {
    /// Set in tasks, by calls otherwise
    #[default]
    Auto,
    /// By calling the function several times
    Calls,
    /// Also by setting them before the first call
    Set,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Context {
    pub unit: Technique,
    pub threshold: f64,
    /// Check alarms against the calling contexts.
    pub filter: bool,
    /// Callers in one context, and contexts of one function, at most.
    pub depth: usize,
    pub contexts: usize,
    pub assume: Assume,
}

/// What drivers take for granted about inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Assume {
    pub enums: bool,
    pub sizes: bool,
    pub constants: bool,
    pub ranges: bool,
    pub indexes: bool,
    pub functions: bool,
    pub tags: bool,
    pub invariants: bool,
}

impl Default for Assume {
    fn default() -> Self {
        Assume {
            enums: true,
            sizes: true,
            constants: true,
            ranges: true,
            indexes: true,
            functions: true,
            tags: true,
            invariants: true,
        }
    }
}

/// What `main` is run with. The forms of the values are those of the flags, see [`crate::world`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Program {
    /// `2x8`: up to two arguments of up to eight bytes; `1x16,2x4`: and so on. Of `9x0` only the number counts.
    pub args: String,
    /// Arguments with these values, before the symbolic ones.
    pub fixed_args: Vec<String>,
    /// Bytes of standard input, at most.
    pub stdin: u32,
    /// `NAME=LENGTH`.
    pub files: Vec<String>,
    /// `NAME` or `NAME=PATH`, the path relative to the configuration file.
    pub real_files: Vec<String>,
    /// `NAME=LENGTH`.
    pub env: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Test {
    /// 0 = one per processor.
    pub jobs: usize,
    /// Seconds.
    pub time_per_function: u64,
    pub seed: u64,
    pub strategy: String,
    pub samples: bool,
    pub checks: Vec<Class>,
    pub persistent: bool,
    pub sandbox: bool,
    pub replay: bool,
    /// Exit with 1 when there are alarms.
    pub fail_on_alarm: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Limits {
    pub execution_ms: u64,
    pub solver_ms: u64,
    pub heap_megabytes: u64,
    pub output_kilobytes: u64,
    pub branch_repeats: u32,
    pub symbolic_read: u32,
    pub symbolic_write: u32,
}

impl Default for Harness {
    fn default() -> Self {
        Harness {
            array_bound: 10,
            long_bound: 300,
            pointer_depth: 2,
            stubs: Stubs::default(),
            static_locals: StaticLocals::default(),
            bit_fields: true,
            function_pointers: true,
        }
    }
}

impl Default for Context {
    fn default() -> Self {
        Context {
            unit: Technique::default(),
            threshold: context::TAU,
            filter: true,
            depth: 4,
            contexts: 8,
            assume: Assume::default(),
        }
    }
}

impl Default for Program {
    fn default() -> Self {
        Program {
            args: "2x8,9x0".to_owned(),
            fixed_args: Vec::new(),
            stdin: 64,
            files: vec!["A=64".to_owned()],
            real_files: Vec::new(),
            env: Vec::new(),
        }
    }
}

impl Default for Test {
    fn default() -> Self {
        Test {
            jobs: 0,
            time_per_function: 10,
            seed: 1,
            strategy: "coordinator".to_owned(),
            samples: true,
            checks: vec![
                Class::OutOfBounds,
                Class::NullDereference,
                Class::DivisionByZero,
                Class::Assertion,
                Class::UseAfterFree,
                Class::DoubleFree,
                Class::StackOverflow,
                Class::Other,
            ],
            persistent: true,
            sandbox: true,
            replay: true,
            fail_on_alarm: false,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            execution_ms: 1000,
            solver_ms: 1000,
            heap_megabytes: 256,
            output_kilobytes: 1024,
            branch_repeats: 0,
            symbolic_read: 4096,
            symbolic_write: 256,
        }
    }
}

impl Config {
    /// The file in `directory`, or the defaults when there is none.
    pub fn load(directory: &Path) -> Result<Config, ConfigError> {
        let path = directory.join(FILE_NAME);
        match std::fs::read_to_string(&path) {
            Ok(text) => Config::parse(&path, &text),
            Err(source) if source.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
            Err(source) => Err(ConfigError::Read { path, source }),
        }
    }

    pub fn parse(path: &Path, text: &str) -> Result<Config, ConfigError> {
        let config: Config = toml::from_str(text).map_err(|error| ConfigError::Parse {
            path: path.to_owned(),
            message: error.to_string().trim_end().to_owned(),
            hint: hint(error.message()),
        })?;
        config.check(path)?;
        Ok(config)
    }

    fn check(&self, path: &Path) -> Result<(), ConfigError> {
        let wrong = |key, message: &str| {
            Err(ConfigError::Value { path: path.to_owned(), key, message: message.to_owned() })
        };
        if strategy::by_name(&self.test.strategy, 0).is_none() {
            let names: Vec<&str> = strategy::names().collect();
            return wrong("test.strategy", &format!("must be one of {}", names.join(", ")));
        }
        if self.test.time_per_function == 0 {
            return wrong("test.time-per-function", "must be at least 1 (seconds)");
        }
        if self.limits.execution_ms == 0 {
            return wrong("limits.execution-ms", "must be at least 1");
        }
        if self.limits.heap_megabytes == 0 {
            return wrong("limits.heap-megabytes", "must be at least 1");
        }
        if let Err(message) = world::read(&self.program) {
            return wrong("program", &format!("has a value that cannot be used: {message}"));
        }
        if self.harness.array_bound == 0 {
            return wrong("harness.array-bound", "must be at least 1");
        }
        if !(-1.0..=1.0).contains(&self.context.threshold) {
            return wrong("context.threshold", "must be between -1 and 1");
        }
        if self.context.depth == 0 {
            return wrong("context.depth", "must be at least 1");
        }
        Ok(())
    }
}

/// What the user probably meant, for a key that does not exist.
fn hint(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let Some(unknown) = quoted.next().filter(|_| message.starts_with("unknown field")) else {
        return String::new();
    };
    let near = quoted
        .map(|known| (strsim::jaro_winkler(unknown, known), known))
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .filter(|(likeness, _)| *likeness > 0.75);
    match near {
        Some((_, known)) => format!("\n  hint: did you mean `{known}`?"),
        None => "\n  hint: docs/manual/configuration.md lists every key".to_owned(),
    }
}
