//! One input in a native build under the sanitizers: what they print is the evidence of an alarm. The same
//! sandbox as in exploration; memory is filled as there, so that both see the same program.

mod symbolize;

use crate::launch::{self, Launch};
use crate::sandbox::Profile;
use crate::{ExecuteError, Input, SandboxPolicy};
use std::ffi::CString;
use std::fmt::Write;
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wire::{FunctionKey, Mode};

#[derive(Clone, Debug)]
pub struct ReplayTarget {
    pub image: PathBuf,
    pub scratch: PathBuf,
    pub sandbox: SandboxPolicy,
    pub driver: (u32, u32),
    pub default_mode: Mode,
    pub modes: Vec<(FunctionKey, Mode)>,
    pub time_limit: Duration,
    /// Bytes of output that are kept: the last ones.
    pub output_limit: usize,
    /// Memory that the driver makes is not zero where it puts nothing.
    pub filled: bool,
    /// For an image that measures coverage: the file that its counters go to, on the file system of `scratch`.
    pub counters: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub struct ReplayRun {
    pub end: ReplayEnd,
    /// What was written to standard error, with the sanitizers' addresses turned into places in the source.
    pub output: String,
    pub timed_out: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayEnd {
    /// Of the program, or of a sanitizer that reported something ([`SANITIZER_EXIT`]).
    Exit(i32),
    Signal(i32),
    Timeout,
    /// The input does not satisfy the driver.
    AssumptionFailed,
    /// The code waits for a thread, or the like.
    Forbidden,
}

/// Exit codes of replay.c, and the one that the sanitizers are told to use.
const ASSUMPTION_EXIT: i32 = 97;
const FORBIDDEN_EXIT: i32 = 98;
const SETTINGS_EXIT: i32 = 99;
pub const SANITIZER_EXIT: i32 = 96;

/// Largest file of counters: they grow with the program.
const COUNTERS_BYTES: u64 = 1 << 30;

/// Largest single allocation and largest process, in megabytes: as the heap limit of exploration.
const ALLOCATION_MB: u32 = 256;
const PROCESS_MB: u32 = 2048;

pub fn replay(target: &ReplayTarget, input: &Input) -> Result<ReplayRun, ExecuteError> {
    let scratch = |path: &Path| {
        let path = path.to_owned();
        move |source| ExecuteError::Scratch { path, source }
    };
    std::fs::create_dir_all(&target.scratch).map_err(scratch(&target.scratch))?;
    let directory = target.scratch.canonicalize().map_err(scratch(&target.scratch))?;
    // Replays of several alarms may share a directory.
    let files = Files::new(&directory);
    std::fs::create_dir_all(&files.directory).map_err(scratch(&files.directory))?;
    std::fs::write(&files.input, input.to_replay_text()).map_err(scratch(&files.input))?;
    std::fs::write(&files.modes, modes_text(target)).map_err(scratch(&files.modes))?;
    let mut process = Launch {
        image: &target.image,
        scratch: &files.directory,
        policy: target.sandbox,
        profile: Profile::Replay,
        environment: environment(target, &files)
            .map_err(|source| ExecuteError::Start { image: target.image.clone(), source })?,
        file_size: if target.counters.is_some() { COUNTERS_BYTES } else { 16 << 20 },
        shared: None,
        output: Stdio::null(),
        errors: Stdio::piped(),
    }
    .start()?;
    let (status, output) = watch(&mut process, target.time_limit, target.output_limit);
    launch::end(&mut process);
    if let Some(counters) = &target.counters {
        // Missing after a process that was killed; whoever asked for them looks.
        let _ = std::fs::rename(files.counters(), counters);
    }
    let end = match status {
        None => ReplayEnd::Timeout,
        Some(status) => match (status.code(), status.signal()) {
            (Some(ASSUMPTION_EXIT), _) => ReplayEnd::AssumptionFailed,
            (Some(FORBIDDEN_EXIT), _) => ReplayEnd::Forbidden,
            (Some(SETTINGS_EXIT), _) => {
                return Err(ExecuteError::NotReady { image: target.image.clone(), reason: output });
            }
            (Some(code), _) => ReplayEnd::Exit(code),
            (None, signal) => ReplayEnd::Signal(signal.unwrap_or(0)),
        },
    };
    let output = symbolize::symbolize(&output, &target.image);
    Ok(ReplayRun { end, output, timed_out: end == ReplayEnd::Timeout })
}

/// What the process reads, and the directory it works in, where nothing is left from another replay. Removed
/// with this value.
struct Files {
    input: PathBuf,
    modes: PathBuf,
    directory: PathBuf,
}

impl Files {
    fn new(directory: &Path) -> Files {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let place = |what: &str| directory.join(format!("replay-{}-{number}.{what}", std::process::id()));
        Files { input: place("input"), modes: place("modes"), directory: place("files") }
    }
}

impl Files {
    /// Inside of the directory, because nothing else can be written to.
    fn counters(&self) -> PathBuf {
        self.directory.join(".counters")
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        for file in [&self.input, &self.modes] {
            // Never written, or the whole directory is gone: nothing to clean up.
            let _ = std::fs::remove_file(file);
        }
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn modes_text(target: &ReplayTarget) -> String {
    let mut text = format!("default {:x}\n", target.default_mode as u8);
    for (function, mode) in &target.modes {
        let _ = writeln!(text, "{:x} {:x} {:x}", function.tu, function.function, *mode as u8);
    }
    text
}

fn environment(target: &ReplayTarget, files: &Files) -> io::Result<Vec<CString>> {
    let address = format!(
        "ASAN_OPTIONS=exitcode={SANITIZER_EXIT}:detect_leaks=0:disable_coredump=0:symbolize=0:allocator_may_return_null=1:\
         max_allocation_size_mb={ALLOCATION_MB}:hard_rss_limit_mb={PROCESS_MB}:max_malloc_fill_size=268435456:\
         malloc_fill_byte=0:handle_abort=1:handle_sigill=1:handle_sigtrap=1:detect_stack_use_after_return=1"
    );
    let undefined = format!(
        "UBSAN_OPTIONS=exitcode={SANITIZER_EXIT}:disable_coredump=0:halt_on_error=0:print_stacktrace=1:symbolize=0"
    );
    let (tu, index) = target.driver;
    let mut entries = vec![
        address,
        undefined,
        format!("CTN_DRIVER={tu:x}:{index}"),
        format!("CTN_INPUT={}", files.input.display()),
        format!("CTN_MODES={}", files.modes.display()),
    ];
    if target.filled {
        entries.push("CTN_FILL=1".to_owned());
    }
    if target.counters.is_some() {
        entries.push(format!("LLVM_PROFILE_FILE={}", files.counters().display()));
        // It has to end by itself, before it is ended: otherwise its counters are lost.
        entries.push(format!("CTN_TIME_MS={}", (target.time_limit.as_millis() * 3 / 4).max(1)));
    }
    entries.into_iter().map(|entry| CString::new(entry).map_err(io::Error::from)).collect()
}

/// Reads until the process is done; None when its time was over.
fn watch(process: &mut Child, time: Duration, room: usize) -> (Option<ExitStatus>, String) {
    let deadline = Instant::now() + time;
    let mut kept = Vec::new();
    let Some(mut errors) = process.stderr.take() else { return (None, String::new()) };
    let mut open = true;
    let status = loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if open && wait_readable(&errors, left.min(Duration::from_millis(20))) {
            open = read_some(&mut errors, &mut kept, room);
            continue;
        }
        match process.try_wait() {
            Ok(None) if !left.is_zero() => {
                if !open {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            Ok(status) => break status,
            Err(_) => break None,
        }
    };
    // A thread of the sanitizer may hold the pipe open: take what is there, wait for nothing.
    while open && wait_readable(&errors, Duration::ZERO) {
        open = read_some(&mut errors, &mut kept, room);
    }
    (status, String::from_utf8_lossy(&kept).into_owned())
}

fn wait_readable(from: &ChildStderr, at_most: Duration) -> bool {
    let mut waited = libc::pollfd { fd: from.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one descriptor, which lives across the call.
    unsafe { libc::poll(&mut waited, 1, at_most.as_millis() as libc::c_int) > 0 }
}

/// False at the end. Keeps the last `room` bytes: reports come last.
fn read_some(from: &mut ChildStderr, kept: &mut Vec<u8>, room: usize) -> bool {
    let mut buffer = [0; 65536];
    let Ok(n @ 1..) = from.read(&mut buffer) else { return false };
    kept.extend_from_slice(&buffer[..n]);
    if kept.len() > room {
        kept.drain(..kept.len() - room);
    }
    true
}
