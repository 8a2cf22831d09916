//! What tested code may not do: write outside its scratch directory (Landlock), reach the network, start
//! processes or programs, signal others, change the machine or its own cage (seccomp).
//!
//! Everything is prepared before the fork; the child only makes system calls.

mod calls;

use crate::ExecuteError;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use seccompiler::BpfProgram;
use std::io;
use std::path::Path;

/// What to do when the system offers no sandbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SandboxPolicy {
    /// Refuse to run.
    #[default]
    Require,
    /// Use what there is.
    BestEffort,
    Off,
}

/// Who runs inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profile {
    /// The runtime, which marks its own calls and handles signals.
    Explore,
    /// The sanitizers, which start a thread, set handlers and abort.
    Replay,
}

pub(crate) struct Sandbox {
    policy: SandboxPolicy,
    files: Option<RulesetCreated>,
    calls: Vec<BpfProgram>,
}

/// The one program that may be executed, by the addresses in this process of what execve is given.
#[derive(Clone, Copy)]
pub(crate) struct Exec {
    pub(crate) path: u64,
    pub(crate) arguments: u64,
    pub(crate) environment: u64,
}

/// Where programs and the loader may be executed from, beside the image itself. Reading is allowed everywhere:
/// libraries and data of the program may be in any place, and nothing that is read can leave.
const PROGRAMS: &[&str] = &["/lib", "/lib32", "/lib64", "/usr", "/nix", "/opt"];

/// The version of Landlock that keeps signals inside.
const SIGNALS_SINCE: i64 = 6;

impl Sandbox {
    pub(crate) fn prepare(
        policy: SandboxPolicy,
        profile: Profile,
        image: &Path,
        scratch: &Path,
        exec: Exec,
    ) -> Result<Sandbox, ExecuteError> {
        if policy == SandboxPolicy::Off {
            return Ok(Sandbox { policy, files: None, calls: Vec::new() });
        }
        let version = landlock_version();
        let files = match version {
            0 if policy == SandboxPolicy::Require => {
                return Err(ExecuteError::NoSandbox { missing: "Landlock" });
            }
            0 => None,
            _ => {
                let rules = file_rules(image, scratch);
                Some(rules.map_err(|error| ExecuteError::Sandbox(error.to_string()))?)
            }
        };
        let calls = match calls::filters(profile, exec, version >= SIGNALS_SINCE) {
            Ok(calls) => calls,
            Err(_) if policy == SandboxPolicy::BestEffort => Vec::new(),
            Err(error) => return Err(ExecuteError::Sandbox(error.to_string())),
        };
        Ok(Sandbox { policy, files, calls })
    }

    /// In the child, right before execve.
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        if self.policy == SandboxPolicy::Off {
            return Ok(());
        }
        if let Some(files) = self.files.take() {
            let status = files.restrict_self().map_err(io::Error::other)?;
            if self.policy == SandboxPolicy::Require && status.ruleset == RulesetStatus::NotEnforced {
                return Err(io::Error::other("Landlock did not take effect"));
            }
        }
        for filter in &self.calls {
            match seccompiler::apply_filter(filter) {
                Err(error) if self.policy == SandboxPolicy::Require => return Err(io::Error::other(error)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// 0 when the kernel has no Landlock or does not use it.
fn landlock_version() -> i64 {
    const VERSION: u32 = 1;
    // SAFETY: with a null attribute and this flag the call only returns a number.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, VERSION) };
    version.max(0)
}

/// Kernels differ in what they can forbid; everything that this one can is.
fn file_rules(image: &Path, scratch: &Path) -> Result<RulesetCreated, landlock::RulesetError> {
    const NEWEST: ABI = ABI::V6;
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let write_existing = AccessFs::WriteFile | AccessFs::ReadFile;
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(["/"], read))?
        .add_rules(path_beneath_rules(PROGRAMS, read | AccessFs::Execute))?
        .add_rules(path_beneath_rules([image], AccessFs::ReadFile | AccessFs::Execute))?
        .add_rules(path_beneath_rules(["/dev/null", "/dev/zero", "/dev/full"], write_existing))?
        .add_rules(path_beneath_rules([scratch], AccessFs::from_all(NEWEST)))
}
