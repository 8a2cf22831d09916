//! From a compile database to a [`Program`]: functions, types, globals, call graph, CFG, decisions.
//!
//! Knows libclang and the compiler's command line. Does not know LLVM, drivers or execution.

// libclang's constants keep their C names, in patterns too.
#![allow(non_upper_case_globals)]

pub mod program;
pub mod sites;

mod error;

pub mod database;
pub mod flags;
mod paths;
mod shell;
mod variants;
mod vendor;

mod clang;

mod body;
mod checks;
mod counted;
mod declaration;
mod derived;
mod ending;
mod expression;
mod facts;
mod flows;
mod followed;
mod interval;
mod parse;
mod sought;
mod spans;
mod spelling;
mod steps;
mod targets;
mod types;

mod assemble;
mod checked;
mod handed;
mod images;
pub mod library;
mod links;
mod load;
mod needed;
mod never_null;
mod origin;
mod parallel;
mod ranges;
mod risks;
mod tag;
mod tagged;
mod tree;
mod users;
mod walked;

mod dump;

pub mod dominators;
pub mod transitive;

pub use database::Source;
pub use error::ModelError;
pub use load::Options;
pub use program::*;
pub use users::{Users, is_trial};
