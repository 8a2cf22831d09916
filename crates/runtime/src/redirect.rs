//! Which external functions of the program are replaced, and by what. Calls that leave the process, end it,
//! allocate or cannot be undone go to the runtime; functions of strings and numbers to their models
//! (`c/models/models.list`).

/// (library name, name in the runtime or the models). The runtime's own entries win.
pub fn redirects() -> Vec<(String, String)> {
    let own = |name: &str| RUNTIME.iter().any(|(from, _)| *from == name);
    owned(RUNTIME.iter().copied().chain(models().filter(|(from, _)| !own(from))))
}

/// The same for replay builds: only calls whose results are inputs, or that would leave the process. The rest
/// is the real library, which the sanitizers watch.
pub fn replay_redirects() -> Vec<(String, String)> {
    let definitions: Vec<&str> = REPLAY_FILES.iter().filter_map(|name| crate::text(name)).collect();
    let native = |name: &str| REPLAY_NATIVE.contains(&name);
    owned(
        RUNTIME
            .iter()
            .copied()
            .chain(models())
            .filter(|(from, to)| !native(from) && definitions.iter().any(|text| defines(text, to.trim()))),
    )
}

/// Definitions start at the margin, uses do not.
fn defines(text: &str, function: &str) -> bool {
    let head = format!("{function}(");
    text.lines().any(|line| !line.starts_with(char::is_whitespace) && line.contains(&head))
}

/// What `c/replay_calls.c` is made of.
const REPLAY_FILES: &[&str] = &[
    "process.c",
    "replay_heap.c",
    "replay_files.c",
    "models/clock.c",
    "models/environment.c",
    "models/network.c",
    "models/random.c",
];

/// Models with slots that have no place in a replay: `c/replay_files.c` feeds the same contents as real
/// files, and has what drivers call.
#[cfg(test)]
const REPLAY_REAL: &[&str] = &["models/descriptors.c", "models/files.c", "models/streams.c", "models/exit.c"];

/// In a process of its own these may do what they do.
const REPLAY_NATIVE: &[&str] = &["mmap", "mmap64", "munmap", "mprotect", "sbrk", "brk", "chdir"];

fn models() -> impl Iterator<Item = (&'static str, &'static str)> {
    let list = crate::text("models/models.list").unwrap_or_default();
    list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '))
}

fn owned<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(String, String)> {
    pairs.map(|(from, to)| (from.to_owned(), to.trim().to_owned())).collect()
}

const RUNTIME: &[(&str, &str)] = &[
    // The heap (heap.c).
    ("malloc", "ctn_malloc"),
    ("free", "ctn_free"),
    ("cfree", "ctn_free"),
    ("calloc", "ctn_calloc"),
    ("realloc", "ctn_realloc"),
    ("reallocarray", "ctn_reallocarray"),
    ("aligned_alloc", "ctn_aligned_alloc"),
    ("memalign", "ctn_aligned_alloc"),
    ("posix_memalign", "ctn_posix_memalign"),
    // Endings (endings.c).
    ("_exit", "ctn_exit"),
    ("_Exit", "ctn_exit"),
    ("quick_exit", "ctn_exit"),
    ("abort", "ctn_abort"),
    ("__assert_fail", "ctn_assert_fail"),
    ("__assert_perror_fail", "ctn_assert_perror_fail"),
    ("__assert", "ctn_assert"),
    ("err", "ctn_err"),
    ("errx", "ctn_err"),
    ("verr", "ctn_verr"),
    ("verrx", "ctn_verr"),
    ("error", "ctn_error"),
    ("__stack_chk_fail", "ctn_stack_chk_fail"),
    ("__chk_fail", "ctn_chk_fail"),
    ("raise", "ctn_raise"),
    ("gsignal", "ctn_raise"),
    ("kill", "ctn_kill"),
    ("killpg", "ctn_kill"),
    ("longjmp", "ctn_longjmp"),
    ("_longjmp", "ctn_longjmp"),
    ("siglongjmp", "ctn_longjmp"),
    ("__longjmp_chk", "ctn_longjmp"),
    // Processes, handlers, timers, threads (process.c).
    ("fork", "ctn_fork"),
    ("vfork", "ctn_vfork"),
    ("system", "ctn_system"),
    ("execl", "ctn_exec_path"),
    ("execle", "ctn_exec_path"),
    ("execlp", "ctn_exec_path"),
    ("execv", "ctn_exec_path"),
    ("execve", "ctn_exec_path"),
    ("execvp", "ctn_exec_path"),
    ("execvpe", "ctn_exec_path"),
    ("popen", "ctn_popen"),
    ("wait", "ctn_wait"),
    ("waitpid", "ctn_waitpid"),
    ("signal", "ctn_signal"),
    ("sigset", "ctn_signal"),
    ("bsd_signal", "ctn_signal"),
    ("sysv_signal", "ctn_signal"),
    ("__sysv_signal", "ctn_signal"),
    ("sigaction", "ctn_sigaction"),
    ("alarm", "ctn_alarm"),
    ("ualarm", "ctn_alarm"),
    ("setitimer", "ctn_setitimer"),
    ("sleep", "ctn_sleep"),
    ("usleep", "ctn_usleep"),
    ("nanosleep", "ctn_nanosleep"),
    ("pause", "ctn_pause"),
    ("mmap", "ctn_mmap"),
    ("mmap64", "ctn_mmap"),
    ("munmap", "ctn_munmap"),
    ("mprotect", "ctn_mprotect"),
    ("sbrk", "ctn_sbrk"),
    ("brk", "ctn_brk"),
    ("chdir", "ctn_chdir"),
    ("pthread_create", "ctn_pthread_create"),
    ("pthread_exit", "ctn_pthread_exit"),
    ("pthread_join", "ctn_pthread_join"),
    ("pthread_detach", "ctn_pthread_detach"),
    ("pthread_cond_wait", "ctn_pthread_cond_wait"),
    ("pthread_cond_timedwait", "ctn_pthread_cond_timedwait"),
    ("sem_wait", "ctn_sem_wait"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn each_name_is_redirected_once_and_its_target_exists() {
        let all = super::redirects();
        let names: BTreeSet<_> = all.iter().map(|(from, _)| from).collect();
        assert_eq!(names.len(), all.len());
        let sources = crate::explore_sources().iter().chain(crate::model_sources());
        let texts: Vec<&str> = sources.filter_map(|name| crate::text(name)).collect();
        for (from, to) in &all {
            let defined = texts.iter().any(|text| super::defines(text, to));
            assert!(defined, "{from} goes to {to}, which nothing defines");
        }
    }

    #[test]
    fn a_replay_asks_for_every_input_that_exploration_asks_for() {
        let calls = crate::text("replay_calls.c").unwrap();
        for name in super::REPLAY_FILES {
            assert!(calls.contains(&format!("#include \"{name}\"")), "{name}");
        }
        for name in crate::model_sources() {
            let text = crate::text(name).unwrap();
            if text.contains("#include \"../ctn.h\"") && !super::REPLAY_REAL.contains(name) {
                assert!(super::REPLAY_FILES.contains(name), "{name} has slots");
            }
        }
        let redirects = super::replay_redirects();
        let target = |name: &str| redirects.iter().find(|(from, _)| from == name).map(|(_, to)| to.as_str());
        assert_eq!(target("time"), Some("ctn_model_time"));
        assert_eq!(target("fork"), Some("ctn_fork"));
        assert_eq!(target("strlen"), None);
        assert_eq!(target("realloc"), None);
    }
}
