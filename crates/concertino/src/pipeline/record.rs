//! The user's own test commands -> which functions called which, one record per process of the program, and samples of
//! what they were called with.
//!
//! The commands run as the user would run them, outside of any sandbox; only the executables of the project are
//! replaced by builds that record their calls. What a process did is on disk at once, so tests that crash, hang or
//! are killed count as far as they went.

use super::captured;
use super::images::harness_options;
use super::units::shown_below;
use crate::event::Event;
use crate::exit::BadInput;
use crate::options::{Options, Project};
use alarm::Symbolizer;
use anyhow::{Context, Result};
use build::{Recorder, Tools};
use context::{FunctionRef, ProfileRun, RecordedTest};
use model::{Image, Program, UnitFileId};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MAGIC: u64 = 0x3173_6c6c_6163;
/// What all processes say about the inputs of functions.
const SAMPLES: &str = "samples";
/// Bytes before the calls in a record: four numbers and the program's path.
const HEAD: usize = 512;

/// What to run.
#[derive(Clone, Debug)]
pub struct ProfileRequest {
    /// Each a program and its arguments.
    pub commands: Vec<Vec<String>>,
    /// Executables of the project, where their names are not those of the files with `main`: `PATH` or
    /// `PATH=NAME of the file with main`.
    pub executables: Vec<String>,
    /// For one command.
    pub timeout: Duration,
    /// Show what the commands print.
    pub loud: bool,
    /// Keep samples of what functions are called with.
    pub capture: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProfileSummary {
    pub commands: usize,
    pub failed: usize,
    pub timed_out: usize,
    pub processes: usize,
    /// Functions of the program, and how many of them ran.
    pub functions: usize,
    pub ran: usize,
    /// Calls that a process had no room for.
    pub dropped: u64,
    /// Samples of calls, and the functions that have any.
    pub samples: usize,
    pub sampled: usize,
    /// Samples that contradict what drivers assume, that are larger than what they make, and that were cut.
    pub outside: usize,
    pub too_large: usize,
    pub cut: usize,
    /// Files in which nothing could be captured.
    pub without_captures: usize,
}

pub fn record(
    project: &Project,
    options: &Options,
    request: &ProfileRequest,
    tell: &dyn Fn(Event),
) -> Result<ProfileSummary> {
    let program = super::load(project, options, tell)?;
    let place = project.campaign.join("build").join("recorded");
    let records = project.campaign.join("scratch").join("profile");
    let _ = std::fs::remove_dir_all(&records);
    for directory in [&place, &records] {
        std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    }
    let tools = Tools::find()?;
    let recorder = Recorder::build(&tools, &place)?;
    let mut summary = ProfileSummary { commands: request.commands.len(), ..ProfileSummary::default() };
    let map = executables(&program, &tools, &recorder, options, request, &mut summary, tell)?;
    let map_file = place.join("executables.map");
    std::fs::write(&map_file, map).with_context(|| format!("cannot write {}", map_file.display()))?;

    tell(Event::Stage { name: "profile", total: request.commands.len() as u64 });
    let runner = Runner { preload: &recorder.preload, map: &map_file, records: &records, request };
    for (number, command) in request.commands.iter().enumerate() {
        match runner.run(command)? {
            Ended::Well => {}
            Ended::Failed => summary.failed += 1,
            Ended::TimedOut => summary.timed_out += 1,
        }
        tell(Event::Step { done: number as u64 + 1, item: command.join(" ") });
    }

    let mut run = Reader::new(&program, project).read(&records, &mut summary)?;
    let told = std::fs::read(records.join(SAMPLES)).unwrap_or_default();
    let samples = captured::read(&String::from_utf8_lossy(&told), &program);
    let _ = std::fs::remove_dir_all(&records);
    run.command = request.commands.first().map(|command| command.join(" ")).unwrap_or_default();
    summary.functions = program.functions.len();
    summary.ran = run.functions.len();
    if run.tests.is_empty() {
        let names: Vec<&str> = program
            .images
            .iter()
            .filter(|image| image.main.is_some())
            .map(|image| image.name.as_str())
            .collect();
        return Err(BadInput(format!(
            "no command started an executable of this project ({})\n  name what they start with --executable PATH",
            names.join(", ")
        ))
        .into());
    }
    let path = store(&project.campaign.join("profile"), &run)?;
    let sampled: BTreeSet<_> = samples.iter().map(|sample| &sample.input.function).collect();
    summary.sampled = sampled.len();
    summary.samples = samples.len();
    summary.outside = samples.iter().filter(|sample| sample.outside).count();
    summary.too_large = samples.iter().filter(|sample| sample.too_large).count();
    summary.cut = samples.iter().filter(|sample| sample.cut && !sample.too_large).count();
    if !samples.is_empty() {
        captured::store(&path.with_extension("samples"), &samples)?;
    }
    Ok(summary)
}

/// A file of its own for each recording, so that they add up.
fn store(directory: &Path, run: &ProfileRun) -> Result<PathBuf> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let path = (1..).map(|number| directory.join(format!("{number:04}.json"))).find(|path| !path.exists());
    let path = path.unwrap_or_else(|| directory.join("profile.json"));
    run.write(&path)?;
    Ok(path)
}

/// Builds every executable; lines `name or path, tab, replacement`.
fn executables(
    program: &Program,
    tools: &Tools,
    recorder: &Recorder,
    options: &Options,
    request: &ProfileRequest,
    summary: &mut ProfileSummary,
    tell: &dyn Fn(Event),
) -> Result<String> {
    let images: Vec<_> = program.images.iter().filter(|image| image.main.is_some()).collect();
    if images.is_empty() {
        return Err(BadInput(
            "no file of this project has a main, so there is nothing to record\n  add the test programs to the compile database".to_owned(),
        )
        .into());
    }
    tell(Event::Stage { name: "compile", total: images.len() as u64 });
    let mut built: BTreeMap<&str, PathBuf> = BTreeMap::new();
    let mut why = None;
    let mut without = BTreeSet::new();
    for (number, image) in images.iter().enumerate() {
        let write =
            |file, without: &harness::Refused| captures(tools, program, image, file, options, without);
        let write = request.capture.then_some(&write as build::WriteCaptures);
        match recorder.executable(tools, program, image, write, &options.libraries, options.jobs) {
            Ok(recording) => {
                without.extend(recording.without_captures.into_iter().map(|(file, _)| file));
                built.insert(&image.name, recording.path);
            }
            Err(error) => why = Some(error),
        }
        tell(Event::Step { done: number as u64 + 1, item: image.name.clone() });
    }
    summary.without_captures = without.len();
    if let (true, Some(why)) = (built.is_empty(), why) {
        return Err(anyhow::Error::from(why).context("no executable could be built for recording"));
    }
    let mut map = String::new();
    for given in &request.executables {
        let (path, name) =
            given.split_once('=').map_or((given.as_str(), None), |(path, name)| (path, Some(name)));
        let only = built.values().next().filter(|_| built.len() == 1);
        let replacement = match name {
            Some(name) => built.get(name),
            None => only.or_else(|| built.get(Path::new(path).file_name()?.to_str()?)),
        };
        let names: Vec<&str> = built.keys().copied().collect();
        let replacement = replacement.ok_or_else(|| {
            BadInput(format!("--executable {given}: say which of {} it is: PATH=NAME", names.join(", ")))
        })?;
        let path =
            std::fs::canonicalize(path).map_err(|error| BadInput(format!("--executable {path}: {error}")))?;
        map.push_str(&format!("{}\t{}\n", path.display(), replacement.display()));
    }
    map.extend(built.iter().map(|(name, path)| format!("{name}\t{}\n", path.display())));
    Ok(map)
}

/// The drivers of `concertino test`, written to note what they would be given.
fn captures(
    tools: &Tools,
    program: &Program,
    image: &Image,
    file: UnitFileId,
    options: &Options,
    without: &harness::Refused,
) -> harness::Harness {
    let settings = harness::Options {
        capture: true,
        set_statics: false,
        without: without.clone(),
        ..harness_options(&tools.clang, program, program.file(file), options)
    };
    harness::write(program, image, file, &settings)
}

enum Ended {
    Well,
    Failed,
    TimedOut,
}

struct Runner<'a> {
    preload: &'a Path,
    map: &'a Path,
    records: &'a Path,
    request: &'a ProfileRequest,
}

impl Runner<'_> {
    /// Through a shell, because the library works in processes that are started under it.
    fn run(&self, command: &[String]) -> Result<Ended> {
        let preload = match std::env::var("LD_PRELOAD") {
            Ok(others) if !others.is_empty() => format!("{}:{others}", self.preload.display()),
            _ => self.preload.display().to_string(),
        };
        let output = || if self.request.loud { Stdio::inherit() } else { Stdio::null() };
        let mut child = Command::new("/bin/sh")
            .args(["-c", "exec \"$@\"", "sh"])
            .args(command)
            .env("LD_PRELOAD", preload)
            .env("CTN_PROFILE_MAP", self.map)
            .env("CTN_PROFILE_DIR", self.records)
            .env("CTN_SAMPLES", self.records.join(SAMPLES))
            .stdin(Stdio::null())
            .stdout(output())
            .stderr(output())
            .process_group(0)
            .spawn()
            .context("cannot start /bin/sh")?;
        let begun = Instant::now();
        loop {
            if let Some(status) = child.try_wait().context("cannot wait for a command")? {
                return Ok(if status.success() { Ended::Well } else { Ended::Failed });
            }
            if begun.elapsed() > self.request.timeout {
                let group = i32::try_from(child.id()).unwrap_or(0);
                if group > 0 {
                    // SAFETY: the group is the child's own, made above, and the child has not been waited for.
                    unsafe { libc::killpg(group, libc::SIGKILL) };
                }
                child.wait().context("cannot wait for a command")?;
                return Ok(Ended::TimedOut);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Addresses of recorded executables -> functions of the program.
struct Reader<'a> {
    program: &'a Program,
    root: &'a Path,
    symbols: BTreeMap<PathBuf, Option<Symbolizer>>,
    known: BTreeMap<(PathBuf, u32), Option<u32>>,
    numbers: BTreeMap<FunctionRef, u32>,
    run: ProfileRun,
}

impl<'a> Reader<'a> {
    fn new(program: &'a Program, project: &'a Project) -> Reader<'a> {
        Reader {
            program,
            root: &project.root,
            symbols: BTreeMap::new(),
            known: BTreeMap::new(),
            numbers: BTreeMap::new(),
            run: ProfileRun::default(),
        }
    }

    fn read(mut self, records: &Path, summary: &mut ProfileSummary) -> Result<ProfileRun> {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(records)?.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "calls"))
        {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            if let Some(dropped) = self.process(&bytes) {
                summary.processes += 1;
                summary.dropped += dropped;
            }
        }
        Ok(self.run)
    }

    /// One record; None when it is none.
    fn process(&mut self, bytes: &[u8]) -> Option<u64> {
        let number = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        if number(0)? != MAGIC {
            return None;
        }
        let name = bytes.get(32..HEAD)?.split(|byte| *byte == 0).next()?;
        let program = PathBuf::from(String::from_utf8_lossy(name).into_owned());
        let mut test = RecordedTest::default();
        for call in bytes.get(HEAD..)?.chunks_exact(8) {
            let call = u64::from_le_bytes(call.try_into().ok()?);
            if call == 0 {
                continue;
            }
            let Some(callee) = self.function(&program, call as u32) else { continue };
            test.ran.insert(callee);
            if let Some(caller) = self.function(&program, (call >> 32) as u32) {
                test.edges.insert((caller, callee));
            }
        }
        if !test.ran.is_empty() {
            self.run.tests.push(test);
        }
        number(16)
    }

    fn function(&mut self, executable: &Path, address: u32) -> Option<u32> {
        if address == 0 {
            return None;
        }
        let key = (executable.to_owned(), address);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let symbols =
            self.symbols.entry(executable.to_owned()).or_insert_with(|| Symbolizer::open(executable));
        let place = symbols.as_ref().and_then(|symbols| symbols.place(u64::from(address)));
        let found = place.and_then(|place| {
            let file = shown_below(self.root, &place.file);
            let is_it = |function: &&model::Function| {
                function.name == place.function && function.location.file == file
            };
            self.program.functions.iter().find(is_it)
        });
        let number = found.map(|function| {
            let named = FunctionRef { file: function.location.file.clone(), name: function.name.clone() };
            let next = self.numbers.len() as u32;
            *self.numbers.entry(named.clone()).or_insert_with(|| {
                self.run.functions.push(named);
                next
            })
        });
        self.known.insert(key, number);
        number
    }
}
