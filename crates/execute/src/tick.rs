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

/// What the thread may touch until it is joined.
struct Words {
    /// Threads wait on its value.
    word: *const AtomicU32,
    /// Not zero while one does.
    sleeps: *const AtomicU32,
}

// SAFETY: the words are atomic; `Ticker::start` demands that they outlive the thread.
unsafe impl Send for Words {}

impl Words {
    fn wake(&self) {
        // SAFETY: both are there as long as the thread runs; waking has no other effect.
        unsafe {
            if (*self.sleeps).load(Ordering::Relaxed) != 0 {
                libc::syscall(libc::SYS_futex, (*self.word).as_ptr(), libc::FUTEX_WAKE, i32::MAX);
            }
        }
    }
}

impl Ticker {
    /// # Safety
    ///
    /// The words must stay where they are until the ticker is dropped.
    pub(crate) unsafe fn start(word: *const AtomicU32, sleeps: *const AtomicU32) -> io::Result<Ticker> {
        let over = Arc::new(AtomicBool::new(false));
        let (words, seen) = (Words { word, sleeps }, Arc::clone(&over));
        let thread = std::thread::Builder::new().name("tick".to_owned()).spawn(move || {
            let words = words;
            while !seen.load(Ordering::Acquire) {
                words.wake();
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
        let (word, sleeps) = (AtomicU32::new(7), AtomicU32::new(1));
        // SAFETY: dropped before the words.
        let ticker = unsafe { Ticker::start(&raw const word, &raw const sleeps) }.unwrap();
        for _ in 0..3 {
            let none = std::ptr::null::<libc::timespec>();
            // SAFETY: the word lives across the call.
            let woken = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, 7, none) };
            assert_eq!(woken, 0);
        }
        drop(ticker);
    }
}
