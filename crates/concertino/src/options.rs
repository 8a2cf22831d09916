//! The settings of one run, resolved: flags over `concertino.toml` over defaults.
//!
//! Everything after the command line sees only these; nothing here is optional that has a default.

use crate::args;
use crate::config::{Assume, Config, StaticLocals, Stubs};
use crate::world::{self, WorldError};
use context::Technique;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use wire::Class;

/// Where the C code is and where results go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Absolute; reported paths are relative to it.
    pub root: PathBuf,
    pub source: Source,
    /// `.concertino` below the root.
    pub campaign: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A compile_commands.json.
    Database(PathBuf),
    /// Every .c file below the directory.
    Directory(PathBuf),
}

/// What can be set. Every field has a key in `concertino.toml` and, where people want it, a flag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Flags added to every compile command.
    pub flags: Vec<String>,
    /// Patterns of files whose functions are not tested. Excluding one changes no other result.
    #[serde(skip)]
    pub exclude: Vec<String>,
    /// Libraries that are linked and called for real (`m`, `z`).
    pub libraries: Vec<String>,
    /// Elements behind a pointer parameter, and how deep pointers are followed.
    pub array_bound: u32,
    /// Elements behind a pointer parameter to plain memory, where buffers are long; 0: never.
    pub long_bound: u32,
    pub pointer_depth: u32,
    pub stubs: Stubs,
    pub static_locals: StaticLocals,
    /// Bit-fields and pointers to functions are inputs.
    pub bit_fields: bool,
    pub function_pointers: bool,
    /// What `main` is run with. It is written into the driver, and so is part of the code.
    #[serde(skip)]
    pub world: harness::World,
    /// Which callees are real, and the threshold of its measure.
    pub unit: Technique,
    pub threshold: f64,
    /// Check alarms against calling contexts, of at most so many callers and at most so many.
    pub contexts: bool,
    pub context_depth: usize,
    pub context_limit: usize,
    pub assume: Assume,
    pub checks: Vec<Class>,
    pub strategy: String,
    /// Begin with captured calls.
    pub samples: bool,
    pub seed: u64,
    pub seconds_per_function: u64,
    pub solver_ms: u64,
    pub execution_ms: u64,
    pub heap_megabytes: u64,
    pub output_kilobytes: u64,
    pub site_limit: u32,
    pub read_limit: u32,
    pub write_limit: u32,
    pub persistent: bool,
    pub sandbox: bool,
    /// Confirm alarms by a native run under sanitizers.
    pub replay: bool,
    /// Where to write what the SMT solver is asked; never part of a fingerprint.
    #[serde(skip)]
    pub record_queries: Option<PathBuf>,
    /// Build images that measure coverage; never part of a fingerprint.
    #[serde(skip)]
    pub coverage: bool,
    /// Worker processes. Never part of a fingerprint: it changes no result.
    #[serde(skip)]
    pub jobs: usize,
}

impl Options {
    pub fn from_config(config: &Config) -> Options {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            flags: config.build.flags.clone(),
            exclude: config.build.exclude.clone(),
            libraries: config.build.libraries.clone(),
            array_bound: config.harness.array_bound,
            long_bound: config.harness.long_bound,
            pointer_depth: config.harness.pointer_depth,
            stubs: config.harness.stubs,
            static_locals: config.harness.static_locals,
            bit_fields: config.harness.bit_fields,
            function_pointers: config.harness.function_pointers,
            // A configuration was checked when it was read.
            world: world::read(&config.program).unwrap_or_default(),
            unit: config.context.unit,
            threshold: config.context.threshold,
            contexts: config.context.filter,
            context_depth: config.context.depth,
            context_limit: config.context.contexts,
            assume: config.context.assume,
            checks: config.test.checks.clone(),
            strategy: config.test.strategy.clone(),
            samples: config.test.samples,
            seed: config.test.seed,
            seconds_per_function: config.test.time_per_function,
            solver_ms: config.limits.solver_ms,
            execution_ms: config.limits.execution_ms,
            heap_megabytes: config.limits.heap_megabytes,
            output_kilobytes: config.limits.output_kilobytes,
            site_limit: config.limits.branch_repeats,
            read_limit: config.limits.symbolic_read,
            write_limit: config.limits.symbolic_write,
            persistent: config.test.persistent,
            sandbox: config.test.sandbox,
            replay: config.test.replay,
            record_queries: None,
            coverage: false,
            jobs: if config.test.jobs == 0 { processors } else { config.test.jobs },
        }
    }

    /// The configuration with the flags of `concertino test` over it.
    pub fn new(config: &Config, args: &args::Test) -> Result<Options, WorldError> {
        let mut options = Options::from_config(config);
        options.world = world::read(&world::with_flags(&config.program, &args.world))?;
        options.flags.extend(args.flags.iter().cloned());
        options.unit = args.unit.unwrap_or(options.unit);
        options.stubs = args.stubs.unwrap_or(options.stubs);
        options.static_locals = args.static_locals.unwrap_or(options.static_locals);
        options.contexts &= !args.no_contexts;
        for what in &args.no_assume {
            match what {
                args::Assumption::Enums => options.assume.enums = false,
                args::Assumption::Sizes => options.assume.sizes = false,
                args::Assumption::Constants => options.assume.constants = false,
                args::Assumption::Ranges => options.assume.ranges = false,
                args::Assumption::Indexes => options.assume.indexes = false,
                args::Assumption::Functions => options.assume.functions = false,
                args::Assumption::Tags => options.assume.tags = false,
                args::Assumption::Invariants => options.assume.invariants = false,
            }
        }
        options.samples &= !args.no_samples;
        options.sandbox &= !args.no_sandbox;
        options.persistent &= !args.fork;
        options.replay &= !args.no_replay;
        // Workers run elsewhere.
        options.record_queries = args.record_queries.as_ref().and_then(|path| std::path::absolute(path).ok());
        if let Some(jobs) = args.jobs {
            options.jobs = jobs as usize;
        }
        if let Some(seconds) = args.time_per_function {
            options.seconds_per_function = seconds;
        }
        if let Some(seed) = args.seed {
            options.seed = seed;
        }
        if let Some(strategy) = &args.strategy {
            options.strategy.clone_from(strategy);
        }
        Ok(options)
    }

    /// The configuration with the flags of `concertino compare` over it.
    pub fn of_comparison(config: &Config, args: &args::Compare) -> Options {
        let mut options = Options::from_config(config);
        options.flags.extend(args.flags.iter().cloned());
        options.unit = if args.unit { Technique::Sut } else { Technique::All };
        options.contexts = false;
        options.samples = false;
        options.jobs = args.jobs as usize;
        options.seconds_per_function = args.time;
        options
    }

    /// The options of an earlier run, so that its tests run as they did then; what a run does not keep is as
    /// configured. None: the run was made by a version with other options.
    pub fn of_run(kept: &str, config: &Config) -> Option<Options> {
        let now = Options::from_config(config);
        let then: Options = serde_json::from_str(kept).ok()?;
        Some(Options { exclude: now.exclude, jobs: now.jobs, world: now.world, ..then })
    }

    /// The tests of a task cover what the program guards against, too.
    pub(crate) fn assumes_ranges(&self) -> bool {
        self.assume.ranges && self.unit != Technique::Task
    }

    /// Whether drivers set static locals.
    pub fn sets_statics(&self) -> bool {
        match self.static_locals {
            StaticLocals::Auto => self.unit == Technique::Task,
            StaticLocals::Calls => false,
            StaticLocals::Set => true,
        }
    }

    /// What a result depends on besides the code.
    pub fn fingerprint(&self) -> String {
        // Options hold only strings and numbers, so writing them as JSON cannot fail.
        campaign::fingerprint([serde_json::to_string(self).unwrap_or_default()])
    }
}
