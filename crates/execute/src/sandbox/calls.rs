//! The system calls that tested code may not make, and what it gets instead: an error that it can handle, an
//! end of the execution, or, for signal handlers, a success that changes nothing.

use super::{Exec, Profile};
use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use std::collections::BTreeMap;
use wire::layout::CALL_MAGIC;

/// Refused with EPERM: code is often ready for that, and the test goes on.
const REFUSED: &[c_long] = &[
    // The network, and other ways to talk to processes.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // Programs and processes.
    libc::SYS_execveat,
    libc::SYS_fork,
    libc::SYS_vfork,
    // Leaving the process group would escape being cleaned up.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // What Landlock does not see: attributes of files.
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_chown,
    libc::SYS_fchown,
    libc::SYS_lchown,
    libc::SYS_fchownat,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // Identity and limits.
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_setgroups,
    libc::SYS_capset,
    libc::SYS_setrlimit,
    libc::SYS_setpriority,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setaffinity,
    // Ways around the two mechanisms.
    libc::SYS_io_uring_setup,
    libc::SYS_userfaultfd,
    libc::SYS_pidfd_open,
    libc::SYS_open_by_handle_at,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_chroot,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_perf_event_open,
    libc::SYS_syslog,
];

/// End the execution too; the handler tells a signal to oneself from one to others.
const SIGNALS: &[c_long] = &[libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill];

/// End the execution: no test goes on after them.
const ENDING: &[c_long] = &[
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_bpf,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_vhangup,
];

/// The runtime marks its own calls in an argument that the kernel does not look at.
fn unmarked(argument: u8) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, CALL_MAGIC)
}

fn differs(argument: u8, from: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, from)
}

/// One program per action; the kernel takes the strictest answer. `signals_confined`: Landlock sees to them.
pub(super) fn filters(
    profile: Profile,
    exec: Exec,
    signals_confined: bool,
) -> Result<Vec<BpfProgram>, BackendError> {
    let mut refused: Rules = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let execve = [(0, exec.path), (1, exec.arguments), (2, exec.environment)]
        .into_iter()
        .map(|(argument, ours)| SeccompRule::new(vec![differs(argument, ours)?]))
        .collect::<Result<_, _>>()?;
    refused.insert(libc::SYS_execve, execve);
    refused.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![differs(2, 0)?, unmarked(4)?])?]);
    let mut ending: Rules = ENDING.iter().map(|call| (*call, Vec::new())).collect();
    // The library goes on to clone, whose arguments can be looked at.
    let unknown = Rules::from([(libc::SYS_clone3, Vec::new())]);
    let mut swallowed = Rules::new();
    match profile {
        Profile::Explore => {
            refused.insert(libc::SYS_clone, vec![SeccompRule::new(vec![unmarked(2)?])?]);
            ending.extend(SIGNALS.iter().map(|call| (*call, Vec::new())));
            swallowed
                .insert(libc::SYS_rt_sigaction, vec![SeccompRule::new(vec![differs(1, 0)?, unmarked(4)?])?]);
        }
        Profile::Replay => {
            let thread = libc::CLONE_THREAD as u64;
            let no_thread = SeccompCmpOp::MaskedEq(thread);
            let process = SeccompCondition::new(0, SeccompCmpArgLen::Qword, no_thread, 0)?;
            refused.insert(libc::SYS_clone, vec![SeccompRule::new(vec![process])?]);
            if !signals_confined {
                ending.extend(SIGNALS.iter().map(|call| (*call, Vec::new())));
            }
        }
    }
    [
        (refused, SeccompAction::Errno(libc::EPERM as u32)),
        (unknown, SeccompAction::Errno(libc::ENOSYS as u32)),
        (ending, SeccompAction::Trap),
        (swallowed, SeccompAction::Errno(0)),
    ]
    .into_iter()
    .filter(|(rules, _)| !rules.is_empty())
    .map(|(rules, action)| {
        let arch = TargetArch::try_from(std::env::consts::ARCH)?;
        SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?.try_into()
    })
    .collect()
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
