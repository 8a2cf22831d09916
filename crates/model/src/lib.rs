//! From a compile database to a [`Program`]: functions, types, globals, call graph, CFG, decisions.
//!
//! Knows libclang and the compiler's command line. Does not know LLVM, drivers or execution.

pub mod program;
pub mod sites;

pub use program::*;
