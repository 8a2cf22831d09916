//! The compiler's front end behind a safe interface: translation units, cursors, types.
//!
//! All unsafe code of this crate is here. Nothing in here knows what a program model is.

mod cursor;
mod library;
mod ty;
mod unit;

pub(crate) use cursor::{Cursor, Place};
pub(crate) use library::{Libclang, libclang};
pub(crate) use ty::Type;
pub(crate) use unit::{ParseFailure, Unit};
