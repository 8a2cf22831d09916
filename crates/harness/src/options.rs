//! What the user can choose about drivers and stubs.

use crate::preconditions::Preconditions;
use crate::refused::Refused;
use crate::whole_program::World;
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Elements behind a pointer.
    pub elements: u32,
    /// Numbers or characters behind a pointer parameter when buffers are long, which a setting of the driver
    /// decides: more than the usual fixed-size arrays hold. No more than `elements`: there is no such setting.
    pub long_elements: u32,
    /// How many pointers in a row are followed; beyond it they are null.
    pub depth: u32,
    /// Elements behind a pointer inside a record, when the elements hold pointers themselves: with more than
    /// one, lists and trees grow beyond any use.
    pub nested_elements: u32,
    /// Arrays of numbers longer than this are set up to it; other arrays longer than this, for `elements`.
    pub array_elements: u32,
    /// Depth is reduced for a driver's input until it needs fewer slots than its share of this.
    pub slot_limit: u64,
    /// A pointer may be null.
    pub null_pointers: bool,
    /// A pointer parameter may equal an earlier one of the same type.
    pub alias_pointers: bool,
    /// An enum holds one of its declared values (or a combination of them when they are flags).
    pub enum_values: bool,
    /// What else is assumed about parameters.
    pub preconditions: Preconditions,
    pub globals: Globals,
    /// Bit-fields and pointers to functions are inputs; else they stay zero. For comparisons.
    pub bit_fields: bool,
    pub function_pointers: bool,
    /// Most functions to choose from for one function pointer.
    pub targets: u32,
    /// What `main` is run with.
    pub world: World,
    /// Bytes behind a `FILE *`, at most.
    pub stream_length: u32,
    /// How often a function is called in a row, with fresh inputs, when its unit has static locals.
    pub stateful_calls: u32,
    /// Static locals may be set before the first call. What is reached without that is found too.
    pub set_statics: bool,
    pub stubs: StubEffects,
    /// Written for capture: drivers note what real calls give, see `capture.h`. Without static locals and stubs.
    pub capture: bool,
    /// Macros that are defined at the end of the unit, if known: those that would change the words of the
    /// harness are undefined.
    pub macros: BTreeSet<String>,
    /// What to leave out, with the reason.
    pub without: Refused,
}

/// What a driver does with the globals that the unit reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Globals {
    /// They are inputs.
    Symbolic,
    /// They keep their initial value.
    Initial,
}

/// What a stub does beside returning a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StubEffects {
    /// Nothing.
    Result,
    /// It writes what the function it stands for may write: through its parameters, and globals.
    Writes,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            elements: 10,
            long_elements: 300,
            depth: 4,
            nested_elements: 1,
            array_elements: 64,
            slot_limit: 1000,
            null_pointers: true,
            alias_pointers: true,
            enum_values: true,
            preconditions: Preconditions::default(),
            globals: Globals::Symbolic,
            bit_fields: true,
            function_pointers: true,
            targets: 16,
            world: World::default(),
            stream_length: 64,
            stateful_calls: 2,
            set_statics: false,
            stubs: StubEffects::Result,
            capture: false,
            macros: BTreeSet::new(),
            without: Refused::default(),
        }
    }
}
