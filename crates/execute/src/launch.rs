//! Starts the server process: descriptors, limits, no address randomisation, its own process group, dies with
//! the thread that started it, and inside the sandbox before the first instruction of the image.

use crate::sandbox::{Exec, Sandbox};
use crate::{ExecuteError, Limits, Target};
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use wire::layout::SHM_FD;

/// The environment is part of what decides an execution, so it is always the same. Symbols are bound at the
/// start: binding on first use would write to memory that every reset puts back.
const ENVIRONMENT: &[&std::ffi::CStr] = &[c"LC_ALL=C", c"PATH=/usr/bin:/bin", c"TZ=UTC", c"LD_BIND_NOW=1"];

/// What execve is given, at addresses that do not move.
struct Program {
    path: CString,
    arguments: Vec<*const libc::c_char>,
    environment: Vec<*const libc::c_char>,
}

// SAFETY: the pointers lead into `path` and into constants; nothing is written through them.
unsafe impl Send for Program {}
unsafe impl Sync for Program {}

impl Program {
    fn new(target: &Target) -> io::Result<Program> {
        let path = CString::new(target.image.as_os_str().as_bytes())?;
        let arguments = vec![path.as_ptr(), std::ptr::null()];
        let environment = ENVIRONMENT.iter().map(|entry| entry.as_ptr()).chain([std::ptr::null()]).collect();
        Ok(Program { path, arguments, environment })
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

pub(crate) fn launch(target: &Target, limits: &Limits, shared: i32) -> Result<Child, ExecuteError> {
    let start = |source| ExecuteError::Start { image: target.image.clone(), source };
    let scratch = |source| ExecuteError::Scratch { path: target.scratch.clone(), source };
    std::fs::create_dir_all(&target.scratch).map_err(scratch)?;
    let target = &Target {
        image: target.image.canonicalize().map_err(start)?,
        scratch: target.scratch.canonicalize().map_err(scratch)?,
        ..target.clone()
    };
    let program = Program::new(target).map_err(start)?;
    let mut sandbox = Sandbox::prepare(target.sandbox, &target.image, &target.scratch, program.addresses())?;
    let output = || -> io::Result<Stdio> {
        if !target.keep_output {
            return Ok(Stdio::null());
        }
        let file = target.scratch.join("output.txt");
        Ok(File::options().create(true).append(true).open(file)?.into())
    };
    let mut command = Command::new(&target.image);
    command.current_dir(&target.scratch).stdin(Stdio::null());
    command.stdout(output().map_err(scratch)?).stderr(output().map_err(scratch)?);
    let file_size = limits.file_size;
    // SAFETY: getpid has no conditions.
    let parent = unsafe { libc::getpid() };
    // SAFETY: the closure runs in the forked child and makes system calls only; what it needs was allocated
    // before.
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
        check(libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong))?;
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
    }
    limit(libc::RLIMIT_CORE, 0)?;
    limit(libc::RLIMIT_FSIZE, file_size)?;
    // Above the descriptor of the shared memory, below what could hurt the machine.
    limit(libc::RLIMIT_NOFILE, 512)
}

/// The shared memory goes to its fixed number; nothing else of this process is inherited.
fn pass_descriptor(shared: i32) -> io::Result<()> {
    // SAFETY: numbers of descriptors; failure is reported.
    unsafe {
        let cloexec = libc::CLOSE_RANGE_CLOEXEC as libc::c_int;
        check(libc::close_range(3, libc::c_uint::MAX, cloexec))?;
        if shared == SHM_FD {
            return check(libc::fcntl(shared, libc::F_SETFD, 0));
        }
        check(libc::dup2(shared, SHM_FD))
    }
}
