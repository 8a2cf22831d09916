//! Starts a tested process: descriptors, limits, no address randomisation, its own process group, dies with
//! the thread that started it, and inside the sandbox before the first instruction of the image.

use crate::ExecuteError;
use crate::sandbox::{Exec, Profile, Sandbox, SandboxPolicy};
use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use wire::layout::SHM_FD;

pub(crate) struct Launch<'a> {
    pub(crate) image: &'a Path,
    pub(crate) scratch: &'a Path,
    pub(crate) policy: SandboxPolicy,
    pub(crate) profile: Profile,
    /// Added to what every tested process gets.
    pub(crate) environment: Vec<CString>,
    pub(crate) file_size: u64,
    /// The shared memory of a session.
    pub(crate) shared: Option<i32>,
    pub(crate) output: Stdio,
    pub(crate) errors: Stdio,
}

/// The environment is part of what decides an execution, so it is always the same. Symbols are bound at the
/// start: binding on first use would write to memory that every reset puts back. Without restartable sequences
/// the kernel does not write to the thread's memory each time it is scheduled, which every fork would copy.
const ENVIRONMENT: &[&CStr] = &[
    c"LC_ALL=C",
    c"PATH=/usr/bin:/bin",
    c"TZ=UTC",
    c"LD_BIND_NOW=1",
    c"GLIBC_TUNABLES=glibc.pthread.rseq=0",
];

/// What execve is given, at addresses that do not move.
struct Program {
    path: CString,
    arguments: Vec<*const libc::c_char>,
    environment: Vec<*const libc::c_char>,
    _own: Vec<CString>,
}

// SAFETY: the pointers lead into `path`, `_own` and constants; nothing is written through them.
unsafe impl Send for Program {}
unsafe impl Sync for Program {}

impl Program {
    fn new(image: &Path, own: Vec<CString>) -> io::Result<Program> {
        let path = CString::new(image.as_os_str().as_bytes())?;
        let arguments = vec![path.as_ptr(), std::ptr::null()];
        let fixed = ENVIRONMENT.iter().map(|entry| entry.as_ptr());
        let added = own.iter().map(|entry| entry.as_ptr());
        let environment = fixed.chain(added).chain([std::ptr::null()]).collect();
        Ok(Program { path, arguments, environment, _own: own })
    }

    fn addresses(&self) -> Exec {
        Exec {
            path: self.path.as_ptr() as u64,
            arguments: self.arguments.as_ptr() as u64,
            environment: self.environment.as_ptr() as u64,
        }
    }

    /// Returns only when it failed.
    fn execute(&self) -> io::Error {
        // SAFETY: three null-terminated arrays that live as long as `self`.
        unsafe { libc::execve(self.path.as_ptr(), self.arguments.as_ptr(), self.environment.as_ptr()) };
        io::Error::last_os_error()
    }
}

impl Launch<'_> {
    pub(crate) fn start(self) -> Result<Child, ExecuteError> {
        let start = |source| ExecuteError::Start { image: self.image.to_owned(), source };
        let scratch = |source| ExecuteError::Scratch { path: self.scratch.to_owned(), source };
        std::fs::create_dir_all(self.scratch).map_err(scratch)?;
        let directory = self.scratch.canonicalize().map_err(scratch)?;
        let image = self.image.canonicalize().map_err(start)?;
        let program = Program::new(&image, self.environment).map_err(start)?;
        let mut sandbox =
            Sandbox::prepare(self.policy, self.profile, &image, &directory, program.addresses())?;
        let mut command = Command::new(&image);
        command.current_dir(&directory).stdin(Stdio::null()).stdout(self.output).stderr(self.errors);
        let (file_size, shared) = (self.file_size, self.shared);
        // SAFETY: getpid has no conditions.
        let parent = unsafe { libc::getpid() };
        // SAFETY: the closure runs in the forked child and makes system calls only; what it needs was
        // allocated before.
        unsafe {
            command.pre_exec(move || {
                prepare_process(parent, file_size)?;
                pass_descriptor(shared)?;
                sandbox.enter()?;
                Err(program.execute())
            });
        }
        command.spawn().map_err(start)
    }
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn limit(resource: libc::__rlimit_resource_t, value: u64) -> io::Result<()> {
    let both = libc::rlimit { rlim_cur: value, rlim_max: value };
    // SAFETY: the structure lives across the call.
    check(unsafe { libc::setrlimit(resource, &both) })
}

fn prepare_process(parent: i32, file_size: u64) -> io::Result<()> {
    // SAFETY: system calls on this process alone.
    unsafe {
        check(libc::setpgid(0, 0))?;
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
        if libc::getppid() != parent {
            return Err(io::Error::other("the explorer is gone"));
        }
        // Some containers refuse this. Then addresses differ from session to session, not within one.
        libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
    }
    limit(libc::RLIMIT_CORE, 0)?;
    limit(libc::RLIMIT_FSIZE, file_size)?;
    // Above the descriptor of the shared memory, below what could hurt the machine.
    limit(libc::RLIMIT_NOFILE, 512)
}

/// The shared memory goes to its fixed number; nothing else of this process is inherited.
fn pass_descriptor(shared: Option<i32>) -> io::Result<()> {
    // SAFETY: numbers of descriptors; failure is reported.
    unsafe {
        // Kernels before 5.9 lack it; our own descriptors are marked one by one as they are opened.
        libc::close_range(3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC as libc::c_int);
        match shared {
            Some(SHM_FD) => check(libc::fcntl(SHM_FD, libc::F_SETFD, 0)),
            Some(shared) => check(libc::dup2(shared, SHM_FD)),
            None => Ok(()),
        }
    }
}

/// Kills a tested process and everything it started, and waits for it.
pub(crate) fn end(process: &mut Child) {
    if let Ok(None) = process.try_wait() {
        // SAFETY: it leads a process group of its own and was not waited for, so the number is still its.
        unsafe { libc::kill(-(process.id() as i32), libc::SIGKILL) };
    }
    if let Err(error) = process.wait() {
        tracing::warn!(%error, "cannot wait for the tested process");
    }
}
