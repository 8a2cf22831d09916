//! One worker process: its pipes, its process group, its end.
//!
//! The worker is killed with everything in its group when it is dropped, and by the kernel when this process
//! vanishes. It is in a group of its own so that Ctrl-C reaches the coordinator first.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

pub(crate) struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    buffer: Vec<u8>,
    /// Bytes of the buffer that are known to hold no end of line.
    searched: usize,
    log: PathBuf,
    log_start: u64,
    waited: bool,
}

pub(crate) enum Next {
    Line(Vec<u8>),
    Late,
    Ended,
    Stopped,
}

/// The reason given for a worker that closed its output.
pub(crate) const ENDED: &str = "it ended";
/// How often a waiting thread looks at the flags.
const TICK: Duration = Duration::from_millis(50);
/// A line longer than this is nonsense.
const LONGEST_LINE: usize = 1 << 30;
/// How much of the log is quoted when a worker died.
const QUOTED: u64 = 600;

impl Worker {
    pub(crate) fn start(program: &Path, arguments: &[String], log: PathBuf) -> std::io::Result<Worker> {
        let file = OpenOptions::new().create(true).append(true).open(&log)?;
        let log_start = file.metadata()?.len();
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file).process_group(0);
        let parent = std::process::id();
        // SAFETY: prctl, getppid and _exit may be called between fork and exec.
        unsafe {
            command.pre_exec(move || {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                if u32::try_from(libc::getppid()) != Ok(parent) {
                    libc::_exit(1);
                }
                Ok(())
            });
        }
        let mut child = command.spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok(Worker {
                child,
                stdin,
                stdout,
                buffer: Vec::new(),
                searched: 0,
                log,
                log_start,
                waited: false,
            }),
            _ => Err(std::io::Error::other("the worker has no pipes")),
        }
    }

    pub(crate) fn send(&mut self, line: &str) -> std::io::Result<()> {
        if let Ok(log) = self.log.metadata() {
            self.log_start = log.len();
        }
        self.stdin.write_all(line.as_bytes())?;
        self.stdin.write_all(b"\n")?;
        self.stdin.flush()
    }

    pub(crate) fn next_line(&mut self, deadline: Instant, stopped: &dyn Fn() -> bool) -> Next {
        loop {
            if let Some(end) = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n') {
                let rest = self.buffer.split_off(self.searched + end + 1);
                self.searched = 0;
                return Next::Line(std::mem::replace(&mut self.buffer, rest));
            }
            self.searched = self.buffer.len();
            if stopped() {
                return Next::Stopped;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.buffer.len() > LONGEST_LINE {
                return Next::Late;
            }
            if self.wait_readable(left.min(TICK)) {
                let mut chunk = [0; 1 << 16];
                match self.stdout.read(&mut chunk) {
                    Ok(0) => return Next::Ended,
                    Ok(count) => self.buffer.extend_from_slice(&chunk[..count]),
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Err(_) => return Next::Ended,
                }
            }
        }
    }

    fn wait_readable(&self, time: Duration) -> bool {
        let mut poll = libc::pollfd { fd: self.stdout.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let milliseconds = i32::try_from(time.as_millis().max(1)).unwrap_or(i32::MAX);
        // SAFETY: one pollfd on the stack, a descriptor that this struct owns.
        unsafe { libc::poll(&mut poll, 1, milliseconds) > 0 }
    }

    /// Ends the worker and says how it died, with the last words it wrote.
    pub(crate) fn obituary(&mut self, what: &str) -> String {
        // A worker that closed its output is about to be a zombie: give it a moment, for its exit status.
        let waited = Instant::now();
        while what == ENDED && !self.is_zombie() && waited.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let by_itself = self.is_zombie();
        let how = match self.kill().filter(|_| by_itself) {
            Some(status) => match (status.signal(), status.code()) {
                (Some(signal), _) => format!(" (signal {signal})"),
                (None, Some(code)) => format!(" (exit code {code})"),
                (None, None) => String::new(),
            },
            None => String::new(),
        };
        let last_words = self.last_words();
        let colon = if last_words.is_empty() { "" } else { ": " };
        format!("the worker process was lost: {what}{how}{colon}{last_words}")
    }

    fn last_words(&self) -> String {
        let read = || -> std::io::Result<String> {
            let mut file = File::open(&self.log)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(self.log_start.max(length.saturating_sub(QUOTED))))?;
            let mut bytes = Vec::new();
            file.take(QUOTED).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).split_whitespace().collect::<Vec<_>>().join(" "))
        };
        read().unwrap_or_default()
    }

    /// Whether the process has ended but was not waited for, so that its number is still its own.
    fn is_zombie(&self) -> bool {
        // SAFETY: all zeros is a valid siginfo_t; waitid only fills it in.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: as above; si_pid is valid to read after a successful waitid.
        unsafe { libc::waitid(libc::P_PID, self.child.id(), &mut info, options) == 0 && info.si_pid() != 0 }
    }

    /// Kills the worker's group, then waits for the worker: in this order the number cannot have been reused.
    fn kill(&mut self) -> Option<ExitStatus> {
        if std::mem::replace(&mut self.waited, true) {
            return None;
        }
        if let Ok(group) = i32::try_from(self.child.id()) {
            // SAFETY: the group of a child that has not been waited for.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}
