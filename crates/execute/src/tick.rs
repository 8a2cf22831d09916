//! Wakes the thread that waits for an execution every few milliseconds, so that it can look at the clock and at the
//! tested process. A wait with a timer of its own would do the same, but setting one and taking it back costs a tenth of
//! a short execution. Knows a word of memory and nothing else.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

const TICK: Duration = Duration::from_millis(10);

pub(crate) struct Ticker {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread may touch until it is joined: threads wait on its value.
struct Word(*const AtomicU32);

// SAFETY: the word is atomic; `Ticker::start` demands that it outlives the thread.
unsafe impl Send for Word {}

impl Word {
    /// Whether somebody waits is not asked: what lies beside the word may have been written by the tested process.
    fn wake(&self) {
        // SAFETY: the word is there as long as the thread runs; waking has no other effect.
        unsafe { libc::syscall(libc::SYS_futex, (*self.0).as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
    }
}

impl Ticker {
    /// # Safety
    ///
    /// The word must stay where it is until the ticker is dropped.
    pub(crate) unsafe fn start(word: *const AtomicU32) -> io::Result<Ticker> {
        let over = Arc::new(AtomicBool::new(false));
        let (word, seen) = (Word(word), Arc::clone(&over));
        let thread = std::thread::Builder::new().name("tick".to_owned()).spawn(move || {
            let word = word;
            while !seen.load(Ordering::Acquire) {
                word.wake();
                std::thread::park_timeout(TICK);
            }
        })?;
        Ok(Ticker { over, thread: Some(thread) })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It cannot panic, and there is nobody to tell.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_thread_is_woken_again_and_again() {
        let word = AtomicU32::new(7);
        // SAFETY: dropped before the word.
        let ticker = unsafe { Ticker::start(&raw const word) }.unwrap();
        for _ in 0..3 {
            let none = std::ptr::null::<libc::timespec>();
            // SAFETY: the word lives across the call.
            let woken = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, 7, none) };
            assert_eq!(woken, 0);
        }
        drop(ticker);
    }
}
