//! The program under test as data. C that cannot be handled is data too: see [`Problem`].
//!
//! Types, records and globals are numbered per translation unit, because a harness is written per
//! translation unit; functions and units are numbered per program.

use crate::paths::common_directory;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $letter:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize { self.0 as usize }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, concat!($letter, "{}"), self.0) }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, concat!($letter, "{}"), self.0) }
        }
    )*};
}

ids! {
    /// A translation unit of the program.
    UnitFileId, "u";
    /// A function definition of the program.
    FunctionId, "f";
    /// A type of a translation unit.
    TypeId, "t";
    /// A struct or union of a translation unit.
    RecordId, "r";
    /// A global or static local of a translation unit.
    GlobalId, "g";
    /// An executable, or the rest that no `main` reaches.
    ImageId, "x";
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// The directory that reported paths are relative to.
    pub root: PathBuf,
    pub files: Vec<TranslationUnit>,
    pub functions: Vec<Function>,
    pub images: Vec<Image>,
    pub problems: Vec<Problem>,
}

/// One compile command that parsed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TranslationUnit {
    pub id: UnitFileId,
    /// Hash of path and flags; see `wire::SiteKey`.
    pub tag: u32,
    /// Absolute path of the main source file.
    pub path: PathBuf,
    /// Working directory of the compiler.
    pub directory: PathBuf,
    /// Flags that matter for meaning (-I, -D, -std ...), cleaned for clang; no -c, -o, file or -O.
    pub flags: Vec<String>,
    pub types: Vec<TypeInfo>,
    pub records: Vec<Record>,
    pub globals: Vec<Global>,
    /// Functions declared and used here but defined in no file of this unit.
    pub externs: Vec<ExternFunction>,
}

/// A group of translation units that are linked together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Image {
    pub id: ImageId,
    /// File name, without extension, of the unit with `main`, or `library`; numbered where several are equal.
    pub name: String,
    pub files: Vec<UnitFileId>,
    pub main: Option<FunctionId>,
    /// Symbols that neither a file of the image, nor the C library, nor a configured library defines.
    /// The first file that declares a symbol carries its stub.
    pub undefined: Vec<(String, UnitFileId)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// Relative to the program's root where it lies below it, else absolute.
    pub file: String,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    pub id: FunctionId,
    /// The unit in which it is tested; for a function in a header, the first unit that has it.
    pub file: UnitFileId,
    pub name: String,
    pub location: Location,
    pub end_line: u32,
    pub is_static: bool,
    pub is_inline: bool,
    pub variadic: bool,
    /// Old-style definition (`int f(a) int a; {`).
    pub is_knr: bool,
    /// Declared so, or its body cannot be left.
    pub is_noreturn: bool,
    /// It returns a pointer that its body shows not to be null.
    pub is_never_null: bool,
    pub result: TypeId,
    pub params: Vec<Param>,
    /// Globals (and static locals) of its unit that the body itself names, and whether it writes them.
    pub globals: Vec<GlobalUse>,
    /// Direct calls in the body, in source order, duplicates removed.
    pub calls: Vec<Callee>,
    /// Types of the functions called through pointers in the body.
    pub indirect_calls: Vec<TypeId>,
    /// Members of records of its unit that the body reads, where they are pointers to objects or arrays of them: the
    /// record and the member's place in it.
    #[serde(default)]
    pub pointer_reads: Vec<(RecordId, u32)>,
    /// What the body does with unions whose contents a tag tells.
    #[serde(default)]
    pub tag_uses: Vec<TagUse>,
    /// Its address is taken somewhere in the program.
    pub address_taken: bool,
    /// McCabe, from the AST: decisions + 1.
    pub complexity: u32,
    /// Why no driver can be made, when that is known already here.
    pub undrivable: Option<String>,
    #[serde(default)]
    pub facts: Facts,
}

/// Where a member of a record, the tag, has this value, this member of a union in the same record is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagUse {
    /// Of the function's unit.
    pub record: RecordId,
    /// Places in the record.
    pub tag: u32,
    pub union: u32,
    /// The tag is what all members of the union begin with, as this one of them has it: then its place is in that.
    #[serde(default)]
    pub within: Option<u32>,
    pub value: i64,
    /// The place in the union.
    pub member: u32,
}

/// What a body says about the values that it is given, by the names of its variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Variables that decisions look at.
    pub compared: Vec<String>,
    /// Those of them whose own value is compared with something else than zero, or chosen by; members with a dot before their
    /// names.
    #[serde(default)]
    pub bounded: Vec<String>,
    /// Variables of which more, or as much, than a positive constant is told apart from less.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capped: Vec<String>,
    /// Pointers that are tested for null: variables by their name, members with a dot before it.
    #[serde(default)]
    pub null_tests: Vec<String>,
    /// Members that a local holds which is tested for null: `p = t->first; if (p)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_tests: Vec<String>,
    /// The names of the records that pointers which are tested for null lead to.
    pub null_types: Vec<String>,
    /// The types of the functions that pointers which are tested for null lead to.
    pub null_code: Vec<TypeId>,
    /// Parameters that are dereferenced whatever else is given, here or where they are handed on.
    #[serde(default)]
    pub needed: Vec<String>,
    /// Variables that are assigned, or whose address is taken; members with a dot before their name.
    pub written: Vec<String>,
    /// Accesses to arrays of declared length, here or where an index is handed on.
    pub indexes: Vec<IndexUse>,
    /// How many characters it may take, or numbers, to fill the largest array of declared length that is named and can be
    /// written; 0: there is none.
    #[serde(default)]
    pub fills: u64,
    /// Records whose pointers are stepped through: there may be several behind one.
    #[serde(default)]
    pub stepped: Vec<RecordId>,
    /// Those of which it takes an element by a constant number, and how many there are at least for that: `planes[2]`.
    #[serde(default)]
    pub numbered: Vec<(RecordId, u64)>,
    pub lengths: Vec<LengthUse>,
    #[serde(default)]
    pub counts: Vec<CountUse>,
    /// Parameters of type `void *`, or that point to an incomplete type, and the types of pointer that they become.
    pub casts: Vec<(String, TypeId)>,
    /// Functions that return `void *`, or a pointer to an incomplete type, and the size in bytes of an object that the
    /// result is taken to point to.
    pub results: Vec<(String, u64)>,
    /// Parameters through which something is written, here or, where they are handed on, maybe elsewhere.
    pub stores: Vec<String>,
    /// Parameters whose `*p` it reads, not only sets.
    #[serde(default)]
    pub loaded: Vec<String>,
    /// Members that lead forth and back: `node->next = other; other->prev = node`.
    #[serde(default)]
    pub links: Vec<(String, String)>,
    /// Members that point to a record and are compared with another such pointer.
    #[serde(default)]
    pub compared_members: Vec<String>,
    /// Types that `va_arg` asks for.
    pub arguments: Vec<TypeId>,
    /// Addresses that stand in the source as numbers, and the types of what is taken to be there: registers.
    pub registers: Vec<(u64, TypeId)>,
    /// Parameters that are pointers, but to records, and that may lead to several elements: here or where they are handed
    /// on it does more than to follow them.
    #[serde(default)]
    pub walked: Vec<String>,
    /// Parameters that lead to characters and whose end, a NUL, it may look for: here or where they are handed on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ends_sought: Vec<String>,
    /// Parameters that point into one piece of memory, two by two, the one that is not behind the other first.
    #[serde(default)]
    pub spans: Vec<(String, String)>,
    /// Members that lead to the next record of their own type and that it tests for null, with a dot before their names: the
    /// ends of lists.
    #[serde(default)]
    pub list_ends: Vec<String>,
    /// Pointers that it follows or hands on, but for those to its own objects.
    #[serde(default)]
    pub followed: Vec<Followed>,
    /// What may fail in its lines.
    #[serde(default)]
    pub risks: Vec<Risk>,
    /// Arrays in records that it takes elements of, by their names with a dot before them.
    #[serde(default)]
    pub member_arrays: Vec<String>,
    /// Those that it hands on or keeps a pointer into: others may fill them.
    #[serde(default)]
    pub buffers: Vec<String>,
}

/// The variables and members that decide whether a line fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Risk {
    pub line: u32,
    /// By a division; else by what it follows, indexes or calls.
    pub divides: bool,
    pub names: Vec<String>,
}

/// A pointer that a function follows at a place, or hands to a call there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Followed {
    pub line: u32,
    pub column: u32,
    /// The function that gets it, empty where that is not called by its name, and as which argument.
    pub handed: Option<(String, usize)>,
    pub origins: Vec<Origin>,
}

/// Where the value of a pointer comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Origin {
    Parameter(String),
    /// A global, or the address of one.
    Variable(String),
    /// It was in an object that was given: `.member`, or `parameter[]` for an element.
    Held(String),
    /// The function that returned it.
    Result(String),
    /// An object of the function's own.
    Own,
    Null,
    Unknown,
}

/// A pointer, and the integer that an index into it is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LengthUse {
    pub pointer: String,
    pub length: String,
    /// Elements that each step of the index takes: two in `pairs[2 * i + 1]`.
    pub each: u64,
    /// It reads the element of that number itself: there are more.
    pub is_read: bool,
    /// It is handed with the pointer to what fills as much: `fgets(line, n, file)`.
    pub is_room: bool,
}

/// The same of two members of one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountUse {
    /// The record's name.
    pub record: String,
    pub pointer: String,
    pub number: String,
    pub each: u64,
}

/// `array[variable + offset]`, on an array of `length` elements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexUse {
    pub variable: String,
    /// The variable is declared as a `char` of some kind: a character rather than a small number.
    #[serde(default)]
    pub is_char: bool,
    /// A function that it is handed on to compares it with zero: there may be none.
    #[serde(default)]
    pub may_be_zero: bool,
    pub offset: i64,
    pub length: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Empty when the definition leaves it unnamed.
    pub name: String,
    pub ty: TypeId,
    /// Written as an array (`int a[10]`): the length that callers are asked for.
    #[serde(default)]
    pub declared_length: Option<u64>,
    /// Bytes of the smallest array that calls pass, when all calls in the program pass one by its name.
    #[serde(default)]
    pub room: Option<u64>,
    /// The integer constants that calls pass, when all calls in the program pass one.
    #[serde(default)]
    pub constants: Option<Vec<i64>>,
    /// The least and the greatest value that the program passes, where that is less than the type allows.
    #[serde(default)]
    pub range: Option<(i64, i64)>,
    /// What all callers compare with something before they call: the part, as it follows the parameter's name, empty for
    /// itself, `[]` for what it leads to, `.*` where two members were compared with each other; and what each call keeps out.
    #[serde(default)]
    pub checked: Vec<(String, Vec<Kept>)>,
}

/// What the comparisons before one call keep from it: whatever one of them does.
pub type Kept = Vec<Rejected>;

/// Values that a comparison keeps from where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rejected {
    Within(i64, i64),
    AllBut(i64),
    /// It depends on other values which ones.
    Some,
}

impl Rejected {
    pub fn may_be(self, value: i64) -> bool {
        match self {
            Rejected::Within(low, high) => (low..=high).contains(&value),
            Rejected::AllBut(only) => value != only,
            Rejected::Some => true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlobalUse {
    pub global: GlobalId,
    pub reads: bool,
    pub writes: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Callee {
    Defined(FunctionId),
    /// Defined nowhere in the program: C library, another library, or nothing.
    External(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExternFunction {
    pub name: String,
    pub result: TypeId,
    pub params: Vec<Param>,
    pub variadic: bool,
    /// Declared without a prototype, or not declared at all.
    pub unprototyped: bool,
    pub is_noreturn: bool,
}

/// Stands for null among the functions that a pointer may lead to; no function has such a name.
pub const NULL: &str = "0";
/// Likewise for what a parameter or another variable holds: something, not known what.
pub const SOMETHING: &str = "?";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Global {
    pub name: String,
    pub ty: TypeId,
    pub scope: GlobalScope,
    pub is_static: bool,
    pub is_const: bool,
    pub is_thread_local: bool,
    /// Defined (not only declared `extern`) in this unit.
    pub defined: bool,
    /// Declared in bodies of functions only: after the unit's source the name means nothing.
    pub in_bodies: bool,
    /// A pointer that is defined with an initialiser other than null.
    #[serde(default)]
    pub points_somewhere: bool,
    /// It is defined with an initialiser.
    #[serde(default)]
    pub is_initialised: bool,
    /// The initialiser of a global takes its address: it may be written where nobody names it.
    #[serde(default)]
    pub in_initialisers: bool,
    pub location: Location,
    /// Functions that initialisers or assignments put into it (function pointers), by name; of the program,
    /// maybe static in another unit, or of a library. [`NULL`] is among them if it is put there or tested for.
    /// Of a pointer to a record: the variables whose addresses are put into it.
    pub targets: Vec<String>,
    /// The least and the greatest value that the program puts into it, where that is less than the type allows.
    #[serde(default)]
    pub range: Option<(i64, i64)>,
    /// Some of its values are read from data that the program is given.
    #[serde(default)]
    pub is_read: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GlobalScope {
    File,
    /// A static local of the named function.
    Function(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeInfo {
    pub kind: TypeKind,
    /// A type name that is valid C after the unit's source, for use inside `__typeof__(...)`; None for
    /// types that cannot be named there (declared in a function body, unnamed without typedef).
    pub spelling: Option<String>,
    /// In bytes; None when incomplete or variable.
    pub size: Option<u64>,
    pub align: Option<u64>,
    pub is_const: bool,
    pub is_volatile: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TypeKind {
    Void,
    Bool,
    /// Any integer, `char` included.
    Int {
        bits: u32,
        signed: bool,
        is_char: bool,
    },
    /// 32, 64; 80 and 128 are `long double` and `_Float128`; 16 is `_Float16`.
    Float {
        bits: u32,
    },
    Complex,
    Vector,
    Enum {
        bits: u32,
        signed: bool,
        values: Vec<EnumValue>,
    },
    Pointer {
        to: TypeId,
    },
    Array {
        element: TypeId,
        /// None: incomplete (`extern int a[];`), flexible member, or variable length.
        length: Option<u64>,
    },
    Record(RecordId),
    Function {
        result: TypeId,
        params: Vec<TypeId>,
        variadic: bool,
        unprototyped: bool,
    },
    /// `va_list` and other things of the compiler.
    Builtin,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EnumValue {
    pub name: String,
    pub value: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    pub is_union: bool,
    /// Tag or typedef name for readers; None when it has neither.
    pub name: Option<String>,
    /// False: only declared, e.g. an opaque handle.
    pub complete: bool,
    /// Of one that is only declared here: its size, if another file of the program defines it.
    #[serde(default)]
    pub size_elsewhere: Option<u64>,
    /// Declared in a system header (FILE, DIR, pthread_mutex_t ...).
    pub is_system: bool,
    pub fields: Vec<Field>,
    /// Records that the program makes of a pointer to this one and that this file knows.
    #[serde(default)]
    pub derived: Vec<Derived>,
    /// The size of the largest of those that any file knows.
    #[serde(default)]
    pub derived_size: Option<u64>,
}

/// A record that holds another one, a pointer to which is converted: `(struct circle *)shape`, `container_of`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Derived {
    pub ty: TypeId,
    /// Where the other one is in it, in bytes.
    pub offset: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Field {
    /// None: an anonymous struct or union, or an unnamed bit-field.
    pub name: Option<String>,
    pub ty: TypeId,
    pub offset_bits: u64,
    pub bit_width: Option<u32>,
    /// Functions that are put into this field anywhere in the program, by name; see [`Global::targets`].
    pub targets: Vec<String>,
    /// For a `void *` or a pointer to an incomplete type: the types of pointer that this file makes of it.
    #[serde(default)]
    pub casts: Vec<TypeId>,
    /// What it can hold, where all that the program puts into it is known and less than its type holds.
    #[serde(default)]
    pub range: Option<(i64, i64)>,
    /// As in [`Global`].
    #[serde(default)]
    pub is_read: bool,
}

/// Something that was left out, and why. Shown to the user, never swallowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    pub location: Option<Location>,
    pub message: String,
}

impl Program {
    pub fn file(&self, id: UnitFileId) -> &TranslationUnit {
        &self.files[id.index()]
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The directories that the program's own code is in: the root, and, where files lie outside it (a build
    /// directory beside the sources, a root named through a link), what holds those.
    pub fn directories(&self) -> Vec<PathBuf> {
        let paths = || self.files.iter().map(|file| file.path.as_path());
        let outside = || paths().filter(|path| !path.starts_with(&self.root));
        let shared = common_directory(outside()).filter(|shared| shared.components().count() > 2);
        let others: BTreeSet<PathBuf> = match shared {
            Some(shared) => BTreeSet::from([shared]),
            // Something like /usr would make the system's headers a part of the program.
            None => outside().filter_map(Path::parent).map(Path::to_owned).collect(),
        };
        std::iter::once(self.root.clone()).chain(others).collect()
    }
}

impl TranslationUnit {
    pub fn ty(&self, id: TypeId) -> &TypeInfo {
        &self.types[id.index()]
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }
}
