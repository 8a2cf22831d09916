//! Which external functions of the program are replaced, and by what. Calls that leave the process, end it,
//! allocate or cannot be undone go to the runtime; functions of strings and numbers to their models
//! (`c/models/models.list`).

/// (library name, name in the runtime or the models). The runtime's own entries win.
pub fn redirects() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        RUNTIME.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    for line in crate::text("models/models.list").unwrap_or_default().lines() {
        let mut words = line.split_whitespace();
        let (Some(from), Some(to)) = (words.next(), words.next()) else { continue };
        if !from.starts_with('#') && !RUNTIME.iter().any(|(name, _)| *name == from) {
            all.push((from.to_owned(), to.to_owned()));
        }
    }
    all
}

const RUNTIME: &[(&str, &str)] = &[
    // The heap (arena.c).
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
    ("exit", "ctn_exit"),
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
        let texts: String = crate::explore_sources()
            .iter()
            .chain(crate::model_sources())
            .filter_map(|name| crate::text(name))
            .collect();
        for (from, to) in &all {
            assert!(texts.contains(&format!("{to}(")), "{from} goes to {to}, which nothing defines");
        }
    }
}
