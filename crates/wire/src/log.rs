//! The path log: what an execution did, in order, as fixed 32-byte records.

/// One record. Which fields mean what is said at each [`RecordKind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Record {
    pub kind: u16,
    pub aux: u16,
    pub tu: u32,
    pub site: u32,
    pub label: u32,
    pub value: u64,
    /// What the log is up to here, this record included; 0 where the runtime does not know the digest of a term in it. See
    /// [`crate::digest::Mark`].
    pub mark: u64,
}

impl Record {
    #[inline]
    pub fn is_one_of(&self, kinds: Kinds) -> bool {
        self.kind < 32 && kinds.0 >> self.kind & 1 == 1
    }

    /// Whether it is about a term.
    #[inline]
    pub fn has_term(&self) -> bool {
        self.is_one_of(WITH_TERM) && self.label != 0
    }
}

/// A set of kinds of records, a bit each.
#[derive(Clone, Copy)]
pub struct Kinds(u32);

impl Kinds {
    pub const fn of(kinds: &[RecordKind]) -> Kinds {
        let (mut all, mut at) = (0, 0);
        while at < kinds.len() {
            all |= 1 << kinds[at] as u32;
            at += 1;
        }
        Kinds(all)
    }
}

const WITH_TERM: Kinds = {
    use RecordKind::*;
    Kinds::of(&[Branch, Switch, Check, Concretised, Assume, Indirect])
};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u16)]
pub enum RecordKind {
    /// A conditional branch on a symbolic condition. `label`: 1-bit condition; `value`: 0 or 1, the side
    /// taken.
    Branch = 1,
    /// A switch on a symbolic value. `label`: the value's label; `value`: its concrete value;
    /// `aux`: successor index taken (0 = default, i+1 = case i in the site table).
    Switch = 2,
    /// An inserted check. `label`: 1-bit condition that is true when the check is VIOLATED (0 = concrete);
    /// `aux`: class; `value`: 1 if violated in this execution.
    Check = 3,
    /// A value that had to be concrete. `label`: the value; `value`: what it was; `aux`: a
    /// [`Concretised`] kind. The equation holds on this path.
    Concretised = 4,
    /// The driver assumes a condition. `label`: 1-bit; `value`: 0 or 1. With 0 the execution ends here. `aux`:
    /// an [`Assumed`] kind.
    Assume = 5,
    /// Input was asked for. `value`: slot hash; `tu`: occurrence; `site`: number of elements;
    /// `aux`: bits per element (8, 16, 32, 64); `label`: node of the first element, the others follow.
    Input = 6,
    /// A coverage counter was hit for the first time in this process. `site`: counter index in the unit.
    Cover = 7,
    /// An indirect call through a symbolic pointer. `label`: the pointer; `value`: the target taken.
    Indirect = 8,
    /// A function was entered (only functions in mode `Capture` or watched). `site`: function number.
    Enter = 9,
    /// And left.
    Leave = 10,
    /// Something was handled concretely although symbolic data may flow through it (external call, inline
    /// assembly, long double ...): no constraint. `aux`: a [`Concretised`] kind.
    Lost = 11,
}

impl RecordKind {
    pub fn from_code(code: u16) -> Option<RecordKind> {
        use RecordKind::*;
        const ALL: [RecordKind; 11] =
            [Branch, Switch, Check, Concretised, Assume, Input, Cover, Indirect, Enter, Leave, Lost];
        ALL.get(usize::from(code).wrapping_sub(1)).copied()
    }
}

/// Why a driver assumes something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u16)]
pub enum Assumed {
    /// The program keeps to it.
    Fact = 0,
    /// Only the driver cannot make larger inputs.
    Limit = 1,
}

/// Why a symbolic value was made concrete, or lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u16)]
pub enum Concretised {
    /// A load through a symbolic address into an object that is too large or unknown.
    LoadAddress = 1,
    StoreAddress = 2,
    /// The size of an allocation.
    AllocationSize = 3,
    /// A length handed to a memory intrinsic.
    Length = 4,
    /// An argument of an external function that has no model.
    ExternalArgument = 5,
    InlineAssembly = 6,
    /// A type the engine does not express: long double, vectors.
    UnsupportedType = 7,
    /// An operation the engine does not express.
    UnsupportedOperation = 8,
    FunctionPointer = 9,
    /// The expression table was full.
    TableFull = 10,
}

impl Concretised {
    pub const ALL: &'static [Concretised] = &[
        Concretised::LoadAddress,
        Concretised::StoreAddress,
        Concretised::AllocationSize,
        Concretised::Length,
        Concretised::ExternalArgument,
        Concretised::InlineAssembly,
        Concretised::UnsupportedType,
        Concretised::UnsupportedOperation,
        Concretised::FunctionPointer,
        Concretised::TableFull,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Concretised::LoadAddress => "load-address",
            Concretised::StoreAddress => "store-address",
            Concretised::AllocationSize => "allocation-size",
            Concretised::Length => "length",
            Concretised::ExternalArgument => "external-argument",
            Concretised::InlineAssembly => "inline-assembly",
            Concretised::UnsupportedType => "unsupported-type",
            Concretised::UnsupportedOperation => "unsupported-operation",
            Concretised::FunctionPointer => "function-pointer",
            Concretised::TableFull => "table-full",
        }
    }

    pub fn from_code(code: u16) -> Option<Concretised> {
        Concretised::ALL.iter().copied().find(|kind| *kind as u16 == code)
    }
}
