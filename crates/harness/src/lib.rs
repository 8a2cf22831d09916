//! From a [`model::Program`] to one readable C file per translation unit, written against `ctn.h`.
//!
//! The file includes the original source, so that statics, types and macros are in scope, and holds for
//! every function a driver (sets the inputs of the unit, calls the function) and a stub (returns a fresh
//! value). Writes text only: compiling and running it is the work of others.

mod allocators;
mod arguments;
mod callbacks;
mod capture;
pub mod cases;
mod derived;
mod drivers;
mod hidden;
mod inputs;
mod known;
mod macros;
mod made;
mod names;
mod options;
mod owners;
mod pointers;
mod preconditions;
mod prelude;
mod ranges;
mod reads;
mod records;
mod refused;
mod related;
mod size;
mod stubs;
mod tagged;
mod text;
mod types;
mod values;
mod whole_program;
mod writer;

pub use arguments::ARGUMENTS;
pub use drivers::LONG;
pub use macros::macros_of;
pub use made::{Made, MadeKind, made};
pub use options::{Globals, Options, StubEffects};
pub use preconditions::{ARGUMENT_NAMES, Precondition, PreconditionKind, Preconditions};
pub use refused::Refused;
pub use whole_program::World;

use model::{FunctionId, Image, Program, UnitFileId};

/// A harness file and what is in it.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The C source.
    pub text: String,
    /// In the order of the table that the file registers.
    pub drivers: Vec<DriverInfo>,
    /// Functions of the file without a driver, and why.
    pub skipped: Vec<(FunctionId, String)>,
    pub stubs: Vec<StubInfo>,
    /// Inputs that the drivers leave as they are, and why: `function: what: reason`.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverInfo {
    pub function: FunctionId,
    /// Position in the registered table.
    pub index: u32,
    /// The function's name; the driver is called `ctn_drive_<name>`.
    pub name: String,
    /// What it assumes, beside declared values of enums.
    pub preconditions: Vec<Precondition>,
    /// It has the setting [`LONG`], which makes its buffers long.
    pub has_long: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StubInfo {
    pub symbol: String,
    /// The function that the stub stands for; None when nothing in the program defines the symbol, and the
    /// stub is its (weak) definition.
    pub replaces: Option<FunctionId>,
    /// Why there is no stub after all.
    pub problem: Option<String>,
}

/// Writes the harness of one translation unit as part of an image.
pub fn write(program: &Program, image: &Image, file: UnitFileId, options: &Options) -> Harness {
    writer::write(program, image, file, options)
}
