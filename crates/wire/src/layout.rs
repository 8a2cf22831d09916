//! The shared memory file: a header page, then regions whose places the header gives.
//!
//! ```text
//! header | modes | input | log | nodes | data | names
//! ```
//! The explorer creates and sizes the file (sparse), writes modes and input, and reads the rest. The
//! runtime trusts nothing after the tested code has run: lengths are clamped by the reader.

/// Where the tested process maps things. The shadow of address p is
/// `((p & SHADOW_MASK) << 2) + SHADOW_BASE`.
pub const SHADOW_BASE: u64 = 0x2000_0000_0000;
pub const SHADOW_SIZE: u64 = 0x2000_0000_0000;
pub const SHADOW_MASK: u64 = (1 << 43) - 1;
pub const SHM_BASE: u64 = 0x4100_0000_0000;
pub const ARENA_BASE: u64 = 0x4202_0186_0000;

/// File descriptor of the shared memory in the tested process.
pub const SHM_FD: i32 = 198;

pub const MAGIC: u64 = u64::from_le_bytes(*b"concert1");

/// Where in the header page the text of the ending stands (an assertion, say), NUL-terminated.
pub const TEXT_OFFSET: u64 = 2048;
pub const TEXT_SIZE: u64 = 1024;

/// The runtime's own forks and signal handlers carry this number in an argument that the kernel ignores; the
/// sandbox refuses the same calls without it.
pub const CALL_MAGIC: u64 = u64::from_le_bytes(*b"concert\0");

/// Values of [`Header::state`], a futex. The explorer moves `Idle`/`Done` to `Run`; the worker moves `Run`
/// to `Done`; the server moves anything to `Done` when the worker died (and fills in `end`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum State {
    /// Set by the explorer before the process starts.
    Starting = 0,
    /// The server is up and a worker can be asked for.
    Idle = 1,
    Run = 2,
    Done = 3,
    /// The explorer asks the server to end.
    Quit = 4,
    /// Start-up failed; `end_text` in the names region says why.
    Failed = 5,
}

/// Bits of [`Header::flags`], set by the explorer.
pub mod flags {
    /// One fork per execution instead of snapshot and reset.
    pub const FORK: u32 = 1;
    /// Report every covered counter of each execution, not only the first hits of the process.
    pub const FULL_COVERAGE: u32 = 2;
    /// Do not log symbolic checks (violations that happen still end the execution).
    pub const NO_CHECKS: u32 = 4;
}

/// Bits of [`Header::notes`], set by the runtime during an execution.
pub mod notes {
    /// The expression table, the log or the data region was full.
    pub const TRUNCATED: u32 = 1;
    /// The unit did something that a reset cannot undo (threads, mappings ...): use fork mode.
    pub const UNSAFE_TO_RESET: u32 = 2;
}

/// The header page. All offsets are bytes from the start of the file.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Header {
    pub magic: u64,
    pub state: u32,
    pub flags: u32,
    /// Which driver to run: unit tag and index in that unit's driver table.
    pub driver_tu: u32,
    pub driver_index: u32,
    /// Mode of every function that the modes region does not name.
    pub default_mode: u32,
    pub mode_count: u32,
    pub modes_offset: u64,
    pub modes_size: u64,
    pub input_offset: u64,
    pub input_size: u64,
    pub log_offset: u64,
    pub log_size: u64,
    pub nodes_offset: u64,
    pub nodes_size: u64,
    pub data_offset: u64,
    pub data_size: u64,
    pub names_offset: u64,
    pub names_size: u64,
    /// Largest object, in bytes, that a symbolic read or write is expressed over.
    pub read_limit: u32,
    pub write_limit: u32,
    /// Bytes of heap that an execution may hold.
    pub heap_limit: u64,
    /// Branch records per site and execution after which the execution ends as `log-full` (0 = none).
    pub site_limit: u32,
    pub reserved: u32,

    // Written by the runtime.
    pub worker_pid: i32,
    pub server_pid: i32,
    /// Records, nodes, bytes used. Node 0 is never used, so `node_count` starts at 1.
    pub log_count: u32,
    pub node_count: u32,
    pub data_used: u64,
    pub names_used: u64,
    pub notes: u32,
    /// An [`crate::End`] code.
    pub end: u32,
    /// Exit code, signal number, or class code of a violation.
    pub end_value: i32,
    pub end_tu: u32,
    pub end_site: u32,
    pub end_reserved: u32,
    /// Program counter and faulting address, when there are such.
    pub end_pc: u64,
    pub end_address: u64,
    /// Executions begun since the server started.
    pub executions: u64,
    /// The first entries of the call stack at the end, innermost first (0-terminated).
    pub end_stack: [u64; 32],
    /// Load address of the image (add to the addresses in the ELF file).
    pub image_base: u64,
    /// Which checks are on: bit = class code.
    pub check_mask: u64,
    /// Not zero while that side may be asleep until the state changes: whoever changes it must wake it then.
    pub explorer_sleeps: u32,
    pub runtime_sleeps: u32,
}

/// An entry of the modes region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct ModeEntry {
    pub tu: u32,
    pub function: u32,
    pub mode: u32,
}

/// The input region: a `u32` count, four bytes of padding, `count` entries sorted by (hash, occurrence),
/// then the bytes. `offset` is from the start of the region. Slots that are missing read as zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct InputEntry {
    pub hash: u64,
    pub occurrence: u32,
    pub length: u32,
    pub offset: u64,
}

/// A snapshot in the data region, 8-byte aligned: this header, `size` bytes of contents padded to a
/// multiple of 4, then, if `labelled` is 1, `size` memory labels (u32).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Snapshot {
    pub base: u64,
    pub size: u32,
    pub labelled: u32,
}

/// An entry of the names region, 8-byte aligned: this header, then `length` bytes of UTF-8, the path of
/// the slot as a reader would write it. Written once per slot hash and server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct NameEntry {
    pub hash: u64,
    pub length: u32,
    pub reserved: u32,
}
