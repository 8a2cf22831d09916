//! The coverage mapping that clang puts into an object: for each function its branches and decisions, as
//! regions of the source with the counters that belong to them (LLVM's mapping format, version 7).
//!
//! Reads one object of one translation unit. Knows nothing of executions.

mod decode;

use crate::MeasureError;
use md5::{Digest, Md5};
use object::{Object, ObjectSection};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// A part of a file, from the first character to the one after the last; lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Span {
    pub fn contains(&self, other: &Span) -> bool {
        (self.line, self.column) <= (other.line, other.column)
            && (other.end_line, other.end_column) <= (self.end_line, self.end_column)
    }
}

/// What a number of executions is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    Zero,
    /// A counter of the profile.
    Number(usize),
    /// The difference or the sum of an expression's operands.
    Minus(usize),
    Plus(usize),
}

/// A condition's place in its decision: where evaluation goes from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub id: u16,
    /// The next condition when this one is false and when it is true; None: the decision is made.
    pub next: [Option<u16>; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegionKind {
    Code(Counter),
    /// A macro's expansion, whose regions are those of another file number.
    Expansion(usize),
    Branch {
        when_true: Counter,
        when_false: Counter,
        /// In a decision of several conditions.
        link: Option<Link>,
    },
    Decision {
        /// The number after its last bit in the function's bitmap.
        bits_end: usize,
        conditions: usize,
    },
    /// Skipped by the preprocessor, or between statements.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Index into [`FunctionMapping::files`].
    pub file: usize,
    pub span: Span,
    pub kind: RegionKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionMapping {
    /// As the profile names it: functions of one file have the file's name and a colon before theirs.
    pub name: String,
    pub hash: u64,
    /// One per inclusion or expansion; the first one holds the function.
    pub files: Vec<String>,
    pub regions: Vec<Region>,
    /// Bits of test vectors that no execution shows, where somebody proved it; the object does not say.
    pub unseen: BTreeSet<u32>,
    /// For the counter of a side, those whose sum is how often the choice was made otherwise. Counters that clang does
    /// not know of; the object does not name them either.
    pub other_sides: BTreeMap<u32, Vec<u32>>,
    expressions: Vec<(Counter, Counter)>,
}

impl FunctionMapping {
    /// The value of a counter, or of an expression of counters.
    pub fn count(&self, counter: Counter, counters: &[u64]) -> u64 {
        self.evaluate(counter, counters, self.expressions.len()).max(0) as u64
    }

    /// How often a side was taken, beside which `other` stands. Clang computes one of the two by subtraction, which counts
    /// an execution that ended before the choice; where edges are counted, they say it.
    pub fn count_side(&self, side: Counter, other: Counter, counters: &[u64]) -> u64 {
        let edges = match (side, other) {
            (Counter::Minus(_) | Counter::Plus(_), Counter::Number(number)) => {
                u32::try_from(number).ok().and_then(|number| self.other_sides.get(&number))
            }
            _ => None,
        };
        match edges {
            Some(edges) => edges.iter().filter_map(|edge| counters.get(*edge as usize)).sum(),
            None => self.count(side, counters),
        }
    }

    fn evaluate(&self, counter: Counter, counters: &[u64], depth: usize) -> i128 {
        let operands = |index: usize| match (self.expressions.get(index), depth.checked_sub(1)) {
            (Some((left, right)), Some(depth)) => {
                Some((self.evaluate(*left, counters, depth), self.evaluate(*right, counters, depth)))
            }
            _ => None,
        };
        match counter {
            Counter::Zero => 0,
            Counter::Number(index) => counters.get(index).map_or(0, |count| i128::from(*count)),
            Counter::Minus(index) => operands(index).map_or(0, |(left, right)| left - right),
            Counter::Plus(index) => operands(index).map_or(0, |(left, right)| left + right),
        }
    }
}

/// The mappings of all functions that the object's translation unit defines.
pub fn of_object(path: &Path) -> Result<Vec<FunctionMapping>, MeasureError> {
    let wrong = |what: &str| MeasureError::Object { path: path.to_owned(), message: what.to_owned() };
    let bytes = std::fs::read(path).map_err(|source| MeasureError::File { path: path.to_owned(), source })?;
    let file = object::File::parse(&*bytes).map_err(|error| wrong(&error.to_string()))?;
    let section = |name: &str| {
        let found = file.section_by_name(name).and_then(|section| section.data().ok());
        found.ok_or_else(|| wrong(&format!("it has no section {name}")))
    };
    let named = names(section("__llvm_prf_names")?).ok_or_else(|| wrong("its names cannot be read"))?;
    let files = decode::file_names(section("__llvm_covmap")?)
        .ok_or_else(|| wrong("its coverage mapping is not of version 7"))?;
    let mut mappings = Vec::new();
    for section in file.sections().filter(|section| section.name() == Ok("__llvm_covfun")) {
        let data = section.data().map_err(|error| wrong(&error.to_string()))?;
        for record in decode::records(data).ok_or_else(|| wrong("a record of its mapping is cut short"))? {
            let Some(name) = named.get(&record.name) else { continue };
            let (own, expressions, regions) =
                decode::body(record.body).ok_or_else(|| wrong("a mapping cannot be decoded"))?;
            let own: Option<Vec<String>> = own.iter().map(|index| files.get(*index).cloned()).collect();
            let own = own.filter(|own| !own.is_empty()).ok_or_else(|| wrong("a mapping names no file"))?;
            mappings.push(FunctionMapping {
                name: name.clone(),
                hash: record.hash,
                files: own,
                regions,
                unseen: BTreeSet::new(),
                other_sides: BTreeMap::new(),
                expressions,
            });
        }
    }
    Ok(mappings)
}

/// The names of functions by what stands for them in the mapping.
fn names(mut section: &[u8]) -> Option<HashMap<u64, String>> {
    let mut named = HashMap::new();
    while let Some(first) = section.iter().position(|byte| *byte != 0) {
        section = &section[first..];
        let plain = decode::number(&mut section)? as usize;
        let packed = decode::number(&mut section)?;
        if packed != 0 || plain > section.len() {
            return None;
        }
        for name in section[..plain].split(|byte| *byte == 1) {
            let digest = Md5::digest(name);
            let key = digest[..8].iter().rev().fold(0, |key, byte| key << 8 | u64::from(*byte));
            named.insert(key, String::from_utf8_lossy(name).into_owned());
        }
        section = &section[plain..];
    }
    Some(named)
}
