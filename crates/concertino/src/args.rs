//! The command line as written. Only shapes and help; [`crate::options`] makes it mean something.

use crate::config;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  concertino test                        every function of the project in this directory
  concertino test --function parse_hdr   one function
  concertino coverage                    branch and MC/DC coverage of the kept tests, measured natively
  concertino report                      what was found, again
  concertino explain parse_hdr           why a function was skipped, or a branch not covered
  concertino replay 3f2a91c0             run the input of an alarm under sanitizers

A project is a directory with a compile_commands.json (CMake, Meson, bear, compiledb) or just .c files.
Results are kept in .concertino/ there; nothing else is written.";

/// Tests C functions by itself: drivers, stubs, inputs, coverage, alarms.
#[derive(Debug, Parser)]
#[command(name = "concertino", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Cli {
    /// The project's directory [default: the nearest one upwards with a concertino.toml, else this one]
    #[arg(long, global = true, value_name = "PATH")]
    pub dir: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Look at a project and write a concertino.toml with every setting explained
    Init(Init),
    /// Test functions: all, or the ones named
    Test(Box<Test>),
    /// Run the system tests and keep which functions called which: units and contexts are chosen by it
    Profile(Profile),
    /// Show the unit of a function: which callees are real and why, and its calling contexts
    Units(Units),
    /// Run the input of an alarm again, natively under sanitizers or in gdb
    Replay(Replay),
    /// Run the kept tests natively and measure branch and MC/DC coverage, independently of the exploration
    Coverage(Coverage),
    /// Write the kept tests as C for a test framework, to read, run and keep
    Export(Export),
    /// Show what was found so far
    Report(Report),
    /// Say why: of an alarm, a function, or a line
    Explain(Explain),
    /// Compare search strategies on the same functions
    Compare(Box<Compare>),
    #[command(name = "__measure", hide = true)]
    Measure,
    #[command(name = "__worker", hide = true)]
    Worker,
}

#[derive(Debug, Args)]
pub struct Init {
    /// The compile database to use
    #[arg(long, value_name = "PATH")]
    pub database: Option<PathBuf>,
}

const TEST_EXAMPLES: &str = "\
Examples:
  concertino test --function 'parse_*' --time-per-function 60
  concertino test --file src/net --jobs 8
  concertino test --dir examples/demo -- -DNDEBUG -Iinclude
  concertino test --json > result.json

A second run does only what changed: functions whose code, flags and options are as before keep their results.
Ctrl-C stops and keeps what is finished; a second Ctrl-C stops at once.";

#[derive(Debug, Default, Args)]
#[command(after_help = TEST_EXAMPLES)]
pub struct Test {
    /// Only this function: a name, a pattern (`parse_*`) or FILE:NAME; can be repeated
    #[arg(short, long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// Only functions in this file or directory, or files that match the pattern; can be repeated
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<String>,
    /// Worker processes [default: one per processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Seconds to explore each function [default: 10]
    #[arg(short, long, value_name = "SECS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub time_per_function: Option<u64>,
    /// Equal seeds give equal results [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// What to explore first, see docs/manual/strategies.md [default: coordinator]
    #[arg(long, value_name = "NAME", value_parser = strategy)]
    pub strategy: Option<String>,
    /// Which callees are real, the others being stubs: conbrio, concert, focal, distance:N, task, sut (none), all
    /// [default: conbrio]
    #[arg(long, value_name = "HOW")]
    pub unit: Option<context::Technique>,
    /// What stubs do: return a value, or also write what the function they stand for may write [default: plain]
    #[arg(long, value_enum, value_name = "HOW")]
    pub stubs: Option<config::Stubs>,
    /// How the state in static locals is reached: by calls, or also set first [default: auto, set in tasks]
    #[arg(long, value_enum, value_name = "HOW")]
    pub static_locals: Option<config::StaticLocals>,
    /// Do not check alarms against the callers of the function
    #[arg(long)]
    pub no_contexts: bool,
    /// Do not assume this about inputs; can be repeated
    #[arg(long, value_enum, value_name = "WHAT")]
    pub no_assume: Vec<Assumption>,
    /// Do not begin with calls that `concertino profile` captured
    #[arg(long)]
    pub no_samples: bool,
    /// Run tested code without a sandbox: it may then delete files, send signals, use the network
    #[arg(long)]
    pub no_sandbox: bool,
    /// One fork per execution instead of snapshot and reset (slower; for code that defeats the reset)
    #[arg(long)]
    pub fork: bool,
    /// Do not confirm alarms by a native run under sanitizers
    #[arg(long)]
    pub no_replay: bool,
    /// Write every question that reaches the SMT solver to this directory, as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    pub record_queries: Option<PathBuf>,
    #[command(flatten)]
    pub world: World,
    /// The compile database [default: found in the usual places, else every .c file]
    #[arg(long, value_name = "PATH")]
    pub database: Option<PathBuf>,
    /// Test again even what did not change
    #[arg(long)]
    pub again: bool,
    /// Drop the alarms in this file, as long as their functions stay as they are (`report --baseline` writes it)
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Exit with 1 when there are alarms that were not dropped
    #[arg(long)]
    pub fail_on_alarm: bool,
    /// Print the result as JSON instead of a summary
    #[arg(long)]
    pub json: bool,
    /// How progress is shown on standard error
    #[arg(long, value_enum, default_value_t = Progress::Auto, value_name = "HOW")]
    pub progress: Progress,
    /// Compiler flags to add to every file
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

/// What `main` is run with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Whole programs, run from main")]
pub struct World {
    /// Symbolic arguments: `2x8` is up to two of up to eight bytes, `1x16,2x4` up to three, `0` none [default: 2x8,9x0]
    #[arg(long, value_name = "NxLEN")]
    pub sym_args: Option<String>,
    /// An argument with this value, before the symbolic ones; can be repeated
    #[arg(long = "arg", value_name = "VALUE", allow_hyphen_values = true)]
    pub args: Vec<String>,
    /// Symbolic standard input of up to this many bytes [default: 64]
    #[arg(long, value_name = "LEN")]
    pub sym_stdin: Option<u32>,
    /// A symbolic file that the program can open by this name; can be repeated [default: A=64]
    #[arg(long = "sym-file", value_name = "NAME=LEN")]
    pub sym_files: Vec<String>,
    /// A file that the program finds as it is on the disk, read-only; every other file does not exist
    #[arg(long = "real-file", value_name = "NAME[=PATH]")]
    pub real_files: Vec<String>,
    /// A symbolic environment variable; can be repeated [default: every one that the program asks for]
    #[arg(long, value_name = "NAME=LEN")]
    pub sym_env: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Assumption {
    /// An enum has a declared value
    Enums,
    /// The length of a pointer is no more than there is behind it
    Sizes,
    /// A parameter is one of the constants that all calls pass
    Constants,
    /// A parameter or a global is within the range of values that the program puts there
    Ranges,
    /// An index that the function does not check is within its array
    Indexes,
    /// A pointer to a function is null only where the program puts null there or asks for it
    Functions,
    /// What is in a union is what the tag beside it says, where the program uses it so
    Tags,
    /// Inputs are like those of captured calls: alarms that need others count less
    Invariants,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// A display on a terminal, lines otherwise
    #[default]
    Auto,
    /// A line every few seconds
    Lines,
    /// Every event as one line of JSON
    Json,
    None,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  concertino compare --function parse_value
  concertino compare --function 'parse_*' --strategies cgs,cfg,dfs --repeats 20 --executions 4000
  concertino compare --list

Every strategy gets the same functions, seeds and number of executions. Tables, CSV and SVG plots go to
.concertino/compare/, or to the directory named with --out.";

#[derive(Debug, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub struct Compare {
    /// On this function: a name, a pattern (`parse_*`) or FILE:NAME; can be repeated
    #[arg(short, long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// On the functions in this file or directory, or files that match the pattern; can be repeated
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<String>,
    /// The strategies, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = strategy,
          default_value = "coordinator,cgs,cfg,random-negation,generational,dfs,carfast")]
    pub strategies: Vec<String>,
    /// Searches of each strategy on each function, with seeds from --seed on
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
    /// Executions of each search
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub executions: u64,
    /// Seconds after which a search ends in any case
    #[arg(long, value_name = "SECS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub time: u64,
    /// The seed of the first repeat
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The first input of each search
    #[arg(long, value_enum, default_value_t = Start::Random, value_name = "WHAT")]
    pub start: Start,
    /// Whose branches count
    #[arg(long, value_enum, default_value_t = Measure::Program, value_name = "WHOSE")]
    pub measure: Measure,
    /// Let the searches look for violations of checks too: that costs executions and covers nothing
    #[arg(long)]
    pub checks: bool,
    /// Replace every callee by a stub
    #[arg(long)]
    pub unit: bool,
    /// Searches at the same time; more than one disturb each other's times [default: 1]
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: u32,
    /// Where tables, CSV and plots go [default: .concertino/compare]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the comparison as JSON instead of tables
    #[arg(long)]
    pub json: bool,
    /// Name the strategies and what they do
    #[arg(long)]
    pub list: bool,
    /// The compile database [default: found in the usual places, else every .c file]
    #[arg(long, value_name = "PATH")]
    pub database: Option<PathBuf>,
    /// How progress is shown on standard error
    #[arg(long, value_enum, default_value_t = Progress::Auto, value_name = "HOW")]
    pub progress: Progress,
    /// Compiler flags to add to every file
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Start {
    /// Random values, by the seed
    Random,
    Zero,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Measure {
    /// Those of all functions that the search may get to
    Program,
    /// Those of the function alone
    Function,
}

const PROFILE_EXAMPLES: &str = "\
Examples:
  concertino profile -- make check
  concertino profile -- ./parser tests/one.txt
  concertino profile --inputs tests/data -- ./parser --strict {}
  concertino profile --commands tests/commands.txt
  concertino profile --executable src/.libs/tool -- make check

The commands run as they are, without a sandbox. Wherever one of them starts an executable of the project, a build
of it that records calls (below .concertino/) is started instead; it is recognised by the name of the file with
main, or named with --executable. Recordings add up; --forget begins anew.";

#[derive(Debug, Args)]
#[command(after_help = PROFILE_EXAMPLES)]
pub struct Profile {
    /// Run the command once for every file in this directory, its name in place of {}
    #[arg(long, value_name = "DIR", conflicts_with = "commands")]
    pub inputs: Option<PathBuf>,
    /// Run every line of this file as a command
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub commands: Option<PathBuf>,
    /// An executable that the commands start: PATH, or PATH=NAME with the name of the file with main
    #[arg(long = "executable", value_name = "PATH[=NAME]")]
    pub executables: Vec<String>,
    /// Seconds after which a command is killed
    #[arg(long, value_name = "SECS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub timeout: u64,
    /// Keep no samples of what functions are called with
    #[arg(long)]
    pub no_capture: bool,
    /// Drop what was recorded before
    #[arg(long)]
    pub forget: bool,
    /// The compile database
    #[arg(long, value_name = "PATH")]
    pub database: Option<PathBuf>,
    /// What to run
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Units {
    /// Functions: names or patterns (`parse_*`) or FILE:NAME
    #[arg(value_name = "FUNCTION", required = true)]
    pub functions: Vec<String>,
    /// How units are chosen: conbrio, concert, focal, distance:N, task, sut, all [default: conbrio]
    #[arg(long, value_name = "HOW")]
    pub unit: Option<context::Technique>,
    /// From which dependency, correlation or relevance on a function belongs to the unit [default: 0.7]
    #[arg(long, value_name = "T")]
    pub threshold: Option<f64>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    /// The compile database
    #[arg(long, value_name = "PATH")]
    pub database: Option<PathBuf>,
    /// Compiler flags to add to every file
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Replay {
    /// An alarm (the beginning of its id is enough) or an input file
    #[arg(value_name = "ALARM|INPUT")]
    pub what: String,
    /// In the debugger, stopped where it fails
    #[arg(long)]
    pub gdb: bool,
    /// Run it without a sandbox
    #[arg(long)]
    pub no_sandbox: bool,
    /// As they were given to `test`
    #[command(flatten)]
    pub world: World,
    /// The compile database
    #[arg(long, value_name = "PATH")]
    pub database: Option<PathBuf>,
    /// Compiler flags to add to every file
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

const COVERAGE_HELP: &str = "\
The tests run in a native build with clang's own source-based coverage; llvm-profdata and llvm-cov, of the same
LLVM, read what they leave behind. For each decision of several conditions the test vectors are shown, and for each
condition the pair of vectors that shows its independent effect:

  concertino coverage                       figures per file and for the program
  concertino coverage --function drive_mode its decisions, their vectors and pairs
  concertino report --format lcov -o cov.info   (also cobertura, gcov, junit) what was measured, for other tools";

#[derive(Debug, Args)]
#[command(after_help = COVERAGE_HELP)]
pub struct Coverage {
    /// Only the tests of this function, and its decisions in detail: a name, a pattern or FILE:NAME
    #[arg(short, long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// Only tests of functions in this file or directory
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<String>,
    /// Tests that run at the same time [default: one per processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Run tested code without a sandbox
    #[arg(long)]
    pub no_sandbox: bool,
    /// The compile database
    #[arg(long, value_name = "PATH")]
    pub database: Option<PathBuf>,
    /// Print everything that was measured as JSON
    #[arg(long)]
    pub json: bool,
    /// How progress is shown on standard error
    #[arg(long, value_enum, default_value_t = Progress::Auto, value_name = "HOW")]
    pub progress: Progress,
}

const EXPORT_HELP: &str = "\
Examples:
  concertino export --output tests/generated                  plain C, with a Makefile and a CMakeLists.txt
  concertino export --framework unity -o tests/unity --file src/net
  concertino export --framework cmocka,googletest -o tests    to tests/cmocka and tests/googletest

Each case sets the inputs by their names, calls the function, and checks what it did when it was recorded: its
result and whatever it changed. Functions outside of the unit are stubs that return, call by call, what the case
says. Cases that do not pass under AddressSanitizer and UBSan are left out; they are alarms, or about to be.
Files that were changed since the last export are kept: the new text goes to NAME.new.";

#[derive(Debug, Args)]
#[command(after_help = EXPORT_HELP)]
pub struct Export {
    /// The test framework; of several, each gets a directory of its name
    #[arg(
        long = "framework",
        value_enum,
        value_delimiter = ',',
        default_value = "plain",
        value_name = "NAME"
    )]
    pub frameworks: Vec<Framework>,
    /// The directory to write to
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Only a small set of tests with the same branch and MC/DC coverage, as `concertino coverage` found it
    #[arg(long)]
    pub minimal: bool,
    /// Only tests of this function: a name, a pattern or FILE:NAME
    #[arg(short, long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// Only tests of functions in this file or directory
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<String>,
    /// Run tested code without a sandbox
    #[arg(long)]
    pub no_sandbox: bool,
    /// The compile database
    #[arg(long, value_name = "PATH")]
    pub database: Option<PathBuf>,
    /// How progress is shown on standard error
    #[arg(long, value_enum, default_value_t = Progress::Auto, value_name = "HOW")]
    pub progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Framework {
    /// No framework: a main that runs every case
    Plain,
    Unity,
    Cmocka,
    Check,
    Cpputest,
    Googletest,
}

impl From<Framework> for harness::cases::Framework {
    fn from(framework: Framework) -> Self {
        match framework {
            Framework::Plain => Self::Plain,
            Framework::Unity => Self::Unity,
            Framework::Cmocka => Self::Cmocka,
            Framework::Check => Self::Check,
            Framework::Cpputest => Self::CppUTest,
            Framework::Googletest => Self::GoogleTest,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The summary for people
    Text,
    /// The machine-readable document (schema/report-v1.json)
    Json,
    /// lcov's .info, with MC/DC records (lcov 2)
    Lcov,
    /// Cobertura's XML
    Cobertura,
    /// A directory of .gcov files, as gcov -b writes them
    Gcov,
    /// JUnit's XML: one case per kept test
    Junit,
}

const REPORT_HELP: &str = "\
lcov, cobertura, gcov and junit show what `concertino coverage` measured last.";

#[derive(Debug, Args)]
#[command(after_help = REPORT_HELP)]
pub struct Report {
    /// Print the machine-readable document (schema/report-v1.json)
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// For people or for other tools
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub format: Format,
    /// Write there instead of standard output; for gcov a directory
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Write the alarms of now to this file, for `test --baseline` to drop while their functions do not change
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Explain {
    /// An alarm's id, a function (NAME or FILE:NAME), or FILE:LINE
    #[arg(value_name = "WHAT")]
    pub what: String,
}

/// A strategy that exists, as it was written.
fn strategy(name: &str) -> Result<String, String> {
    match explore::strategy::by_name(name, 0) {
        Some(_) => Ok(name.to_owned()),
        None => Err(format!("must be one of {}", explore::strategy::names().collect::<Vec<_>>().join(", "))),
    }
}
