//! The shared memory as this process sees it. Every access goes through a range of [`Layout`], so lengths that
//! the tested code wrote never reach beyond a region.

use crate::ExecuteError;
use crate::layout::Layout;
use crate::tick::Ticker;
use std::cell::Cell;
use std::io;
use std::mem::offset_of;
use std::ops::Range;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use wire::Header;
use wire::layout::{TEXT_OFFSET, TEXT_SIZE};

pub(crate) struct Region {
    base: *mut u8,
    size: usize,
    file: OwnedFd,
    patience: Patience,
    ticker: Option<Ticker>,
}

// The mapping belongs to this value alone; the tested process on the other side is no thread of ours.
unsafe impl Send for Region {}

impl Region {
    pub(crate) fn new(layout: &Layout) -> Result<Region, ExecuteError> {
        // SAFETY: plain system calls; the results are checked before use.
        unsafe {
            let fd = libc::memfd_create(c"concertino".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING);
            if fd < 0 {
                return Err(ExecuteError::SharedMemory(io::Error::last_os_error()));
            }
            let file = OwnedFd::from_raw_fd(fd);
            if libc::ftruncate(fd, layout.size as libc::off_t) != 0 {
                return Err(ExecuteError::SharedMemory(io::Error::last_os_error()));
            }
            // The tested code has the descriptor: a file that shrinks would kill whoever reads the mapping.
            let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
            if libc::fcntl(fd, libc::F_ADD_SEALS, seals) != 0 {
                return Err(ExecuteError::SharedMemory(io::Error::last_os_error()));
            }
            let base = libc::mmap(
                std::ptr::null_mut(),
                layout.size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_NORESERVE,
                fd,
                0,
            );
            if base == libc::MAP_FAILED {
                return Err(ExecuteError::SharedMemory(io::Error::last_os_error()));
            }
            let mut region = Region {
                base: base.cast(),
                size: layout.size,
                file,
                patience: Patience::default(),
                ticker: None,
            };
            // The word lies in the mapping, which goes after the ticker.
            let word = region.word(offset_of!(Header, state));
            region.ticker = Some(Ticker::start(word).map_err(ExecuteError::Thread)?);
            Ok(region)
        }
    }

    pub(crate) fn fd(&self) -> i32 {
        self.file.as_raw_fd()
    }

    fn word(&self, offset: usize) -> &AtomicU32 {
        debug_assert!(offset.is_multiple_of(4) && offset + 4 <= self.size);
        // SAFETY: inside the mapping (headers are smaller than its first page) and aligned.
        unsafe { AtomicU32::from_ptr(self.base.add(offset).cast()) }
    }

    pub(crate) fn state(&self) -> u32 {
        self.word(offset_of!(Header, state)).load(Ordering::Acquire)
    }

    pub(crate) fn set_state(&self, state: u32) {
        let word = self.word(offset_of!(Header, state));
        word.store(state, Ordering::SeqCst);
        if self.word(offset_of!(Header, runtime_sleeps)).load(Ordering::SeqCst) == 0 {
            return;
        }
        // SAFETY: the address is that of a live word; waking has no other effect.
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
    }

    /// Waits until the state is not `state`, or for a tick, or for no reason.
    pub(crate) fn wait_while(&self, state: u32) {
        let word = self.word(offset_of!(Header, state));
        if word.load(Ordering::Acquire) != state {
            return;
        }
        if self.patience.is_worth_spinning() {
            for _ in 0..SPINS {
                if word.load(Ordering::Acquire) != state {
                    self.patience.paid();
                    return;
                }
                std::hint::spin_loop();
            }
            self.patience.wasted();
        }
        let asleep = self.word(offset_of!(Header, explorer_sleeps));
        asleep.store(1, Ordering::SeqCst);
        let forever = std::ptr::null::<libc::timespec>();
        // SAFETY: the word lives across the call.
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, state, forever) };
        asleep.store(0, Ordering::Relaxed);
    }

    /// A copy: the other side may write at any time.
    pub(crate) fn header(&self) -> Header {
        // SAFETY: the header lies in the first page; every bit pattern is a Header.
        unsafe { self.base.cast::<Header>().read_volatile() }
    }

    /// Everything before `worker_pid`, except the state, is the explorer's.
    pub(crate) fn write_settings(&self, header: &Header) {
        let settings = offset_of!(Header, flags)..offset_of!(Header, worker_pid);
        let mask = offset_of!(Header, check_mask)..offset_of!(Header, check_mask) + 8;
        let magic = 0..8;
        for part in [magic, settings, mask] {
            // SAFETY: both sides are Headers and the part lies inside them.
            unsafe {
                let from = (&raw const *header).cast::<u8>().add(part.start);
                std::ptr::copy_nonoverlapping(from, self.base.add(part.start), part.len());
            }
        }
    }

    pub(crate) fn clear_header(&self) {
        // SAFETY: the first page is part of the mapping.
        unsafe { std::ptr::write_bytes(self.base, 0, 4096) };
    }

    pub(crate) fn clear_end(&self) {
        self.word(offset_of!(Header, end)).store(0, Ordering::Release);
    }

    pub(crate) fn worker_pid(&self) -> u32 {
        self.word(offset_of!(Header, worker_pid)).load(Ordering::Acquire)
    }

    pub(crate) fn end_text(&self) -> String {
        let at = TEXT_OFFSET as usize;
        let bytes = self.bytes(at..at + TEXT_SIZE as usize);
        let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    /// Only while no execution is running.
    pub(crate) fn bytes(&self, range: Range<usize>) -> &[u8] {
        assert!(range.start <= range.end && range.end <= self.size);
        // SAFETY: inside the mapping; between executions the other side waits on the state.
        unsafe { std::slice::from_raw_parts(self.base.add(range.start), range.len()) }
    }

    pub(crate) fn bytes_mut(&mut self, range: Range<usize>) -> &mut [u8] {
        assert!(range.start <= range.end && range.end <= self.size);
        // SAFETY: as above, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(range.start), range.len()) }
    }

    /// The first `count` elements of a region, as many as fit. `T` is a plain wire type.
    pub(crate) fn slice<T: Wire>(&self, range: Range<usize>, count: usize) -> &[T] {
        let bytes = self.bytes(range);
        let count = count.min(bytes.len() / size_of::<T>());
        debug_assert!((bytes.as_ptr() as usize).is_multiple_of(align_of::<T>()));
        // SAFETY: regions begin at pages; every bit pattern is a T; the length is clamped.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), count) }
    }
}

/// A few microseconds: less than going to sleep and being woken costs the two sides.
const SPINS: u32 = 256;

/// Whether spinning pays: while the other side runs on another processor it does, on a busy machine it takes the
/// processor from the one that is waited for. What paid lately is done again, else it is tried now and then.
#[derive(Default)]
struct Patience {
    credit: Cell<u32>,
    waits: Cell<u32>,
}

impl Patience {
    const CREDIT: u32 = 8;
    const TRY_EVERY: u32 = 32;

    fn is_worth_spinning(&self) -> bool {
        self.waits.set(self.waits.get().wrapping_add(1));
        self.credit.get() > 0 || self.waits.get().is_multiple_of(Patience::TRY_EVERY)
    }

    fn paid(&self) {
        self.credit.set(Patience::CREDIT);
    }

    fn wasted(&self) {
        self.credit.set(self.credit.get().saturating_sub(1));
    }
}

/// Types of which every bit pattern is a value.
pub(crate) trait Wire {}
impl Wire for wire::Record {}
impl Wire for wire::Node {}

impl Drop for Region {
    fn drop(&mut self) {
        self.ticker = None;
        // SAFETY: mapped in `new` with this size, and nothing borrowed from it lives on.
        unsafe { libc::munmap(self.base.cast(), self.size) };
    }
}
