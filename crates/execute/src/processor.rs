//! Keeps a tested process on the processor of the thread that waits for it. One of the two sleeps while the other
//! works, so that they need one processor and its caches between them; left to itself the kernel wakes each on an
//! idle one, far from what the other has just written. Now and then, and when an execution takes long, both are let
//! go, so that the kernel can move them away from a processor that others use. Knows nothing of executions.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long the two stay where they are.
const STAY: Duration = Duration::from_millis(100);
/// Executions after which the kernel has had its chance.
const LOOSE: u32 = 4;

/// The thread that runs executions, and the processes that it waits for.
#[derive(Default)]
pub(crate) struct Companions {
    settled: Option<Instant>,
    loose: u32,
}

impl Companions {
    /// Before each execution: whether it is time to [`settle`](Companions::settle).
    pub(crate) fn is_unsettled(&mut self) -> bool {
        match self.settled {
            Some(since) if since.elapsed() < STAY => false,
            Some(_) => {
                self.let_thread_go();
                false
            }
            None if several().is_none() => false,
            None if self.loose < LOOSE => {
                self.loose += 1;
                false
            }
            None => true,
        }
    }

    /// Keeps this thread and the processes to the processor that it is on.
    pub(crate) fn settle(&mut self, processes: &[i32]) {
        self.loose = 0;
        // SAFETY: has no conditions.
        let processor = usize::try_from(unsafe { libc::sched_getcpu() });
        let one = several().zip(processor.ok()).and_then(|(allowed, number)| only(allowed, number));
        let Some(one) = one else { return };
        // A process that cannot be moved would be waited for from another processor all the time.
        if processes.iter().all(|process| keep_to(*process, &one)) && keep_to(0, &one) {
            self.settled = Some(Instant::now());
        }
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.settled.is_some()
    }

    /// An execution that takes long may go where there is room.
    pub(crate) fn let_go(&mut self, processes: &[i32]) {
        self.let_thread_go();
        if let Some(allowed) = several() {
            for process in processes {
                keep_to(*process, allowed);
            }
        }
    }

    pub(crate) fn let_thread_go(&mut self) {
        if self.settled.take().is_some()
            && let Some(allowed) = several()
        {
            keep_to(0, allowed);
        }
    }
}

/// The processors that this process was given, if there is a choice. Asked for once, before any thread is kept to one.
fn several() -> Option<&'static libc::cpu_set_t> {
    static ALLOWED: OnceLock<Option<libc::cpu_set_t>> = OnceLock::new();
    let allowed = ALLOWED.get_or_init(|| {
        // SAFETY: a set of bits, for which zero is a value; the call writes to it alone.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            let failed = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) != 0;
            (!failed && libc::CPU_COUNT(&set) > 1).then_some(set)
        }
    });
    allowed.as_ref()
}

fn only(allowed: &libc::cpu_set_t, processor: usize) -> Option<libc::cpu_set_t> {
    // SAFETY: the number is below the size of the set where bits are touched.
    unsafe {
        if processor >= libc::CPU_SETSIZE as usize || !libc::CPU_ISSET(processor, allowed) {
            return None;
        }
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(processor, &mut set);
        Some(set)
    }
}

/// 0 is the calling thread.
fn keep_to(process: i32, processors: &libc::cpu_set_t) -> bool {
    // SAFETY: the set lives across the call; a process that is gone or not ours is refused.
    unsafe { libc::sched_setaffinity(process, size_of::<libc::cpu_set_t>(), processors) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn processors_of_this_thread() -> i32 {
        // SAFETY: as in `several`.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set);
            libc::CPU_COUNT(&set)
        }
    }

    fn settled_with(processes: &[i32]) -> Companions {
        let mut companions = Companions::default();
        for _ in 0..=LOOSE {
            if companions.is_unsettled() {
                companions.settle(processes);
            }
        }
        companions
    }

    #[test]
    fn a_thread_settles_and_is_let_go() {
        let all = processors_of_this_thread();
        let mut companions = settled_with(&[]);
        assert_eq!(processors_of_this_thread(), 1);
        companions.let_go(&[]);
        assert_eq!(processors_of_this_thread(), all);
    }

    #[test]
    fn who_cannot_be_kept_is_not_followed() {
        let all = processors_of_this_thread();
        assert!(!settled_with(&[i32::MAX]).is_settled());
        assert_eq!(processors_of_this_thread(), all);
    }
}
