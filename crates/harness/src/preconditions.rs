//! What a driver assumes about the values of a function's parameters, because the program keeps to it: lengths
//! that fit the memory behind their pointer, constants that every call passes, indexes that nobody checks.
//!
//! Each can be switched off. None is written for values that the function itself checks, but for lengths: there
//! the assumption is about the memory that the driver makes.

use crate::drivers::Input;
use crate::types::{Pointee, Rule};
use crate::writer::Writer;
use model::{Function, IndexUse, TypeKind};

/// Which are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preconditions {
    /// Of a pointer and its length, the length is at most what is allocated.
    pub sizes: bool,
    /// A parameter is one of the constants that calls pass.
    pub constants: bool,
    /// An index that the function neither changes nor checks is within its array.
    pub indexes: bool,
}

impl Default for Preconditions {
    fn default() -> Preconditions {
        Preconditions { sizes: true, constants: true, indexes: true }
    }
}

/// One assumption, as it stands in the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precondition {
    pub kind: PreconditionKind,
    /// A C condition over the parameters.
    pub condition: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PreconditionKind {
    Size,
    Constant,
    Index,
}

impl PreconditionKind {
    pub fn name(self) -> &'static str {
        match self {
            PreconditionKind::Size => "size of a pointer",
            PreconditionKind::Constant => "constant parameter",
            PreconditionKind::Index => "array index",
        }
    }
}

/// More constants than this are no set that somebody had in mind.
const MOST_CONSTANTS: usize = 32;

impl Writer<'_> {
    pub(crate) fn preconditions(&self, function: &Function, inputs: &[Input]) -> Vec<Precondition> {
        let on = self.options.preconditions;
        let mut found = Vec::new();
        let mut add = |kind, condition: Option<String>| {
            found.extend(condition.map(|condition| Precondition { kind, condition }));
        };
        for input in inputs.iter().filter(|input| self.is_integer(input)) {
            if on.constants {
                add(PreconditionKind::Constant, self.constants(function, input));
            }
            if on.indexes {
                let uses = function.facts.indexes.iter().filter(|used| used.variable == input.path);
                for used in uses {
                    add(PreconditionKind::Index, self.index(function, input, used));
                }
            }
            if on.sizes
                && let Some(pointer) = self.pointer_of(function, inputs, input)
            {
                add(PreconditionKind::Size, self.size(pointer, input));
            }
        }
        found
    }

    fn is_integer(&self, input: &Input) -> bool {
        matches!(self.types.kind(input.ty), TypeKind::Int { is_char: false, .. })
    }

    fn is_signed(&self, input: &Input) -> bool {
        matches!(self.types.kind(input.ty), TypeKind::Int { signed: true, .. })
    }

    /// All calls are known, and all pass constants.
    fn constants(&self, function: &Function, input: &Input) -> Option<String> {
        let all_known = !function.address_taken && self.program.users(function, self.image).is_none();
        let param = function.params.iter().find(|param| param.name == input.path).filter(|_| all_known)?;
        let values = param.constants.as_ref()?;
        if values.is_empty() || values.len() > MOST_CONSTANTS {
            return None;
        }
        let one = |value: &i64| format!("({} == {value}ll)", input.variable);
        Some(values.iter().map(one).collect::<Vec<_>>().join(" | "))
    }

    /// The index is `x + a` and the function neither writes nor compares x.
    fn index(&self, function: &Function, input: &Input, used: &IndexUse) -> Option<String> {
        let facts = &function.facts;
        if facts.compared.contains(&used.variable) || facts.written.contains(&used.variable) {
            return None;
        }
        let length = i64::try_from(used.length).ok()?;
        let (first, last) = (used.offset.checked_neg()?, length.checked_sub(used.offset)?.checked_sub(1)?);
        let variable = &input.variable;
        let low = if self.is_signed(input) || first > 0 {
            format!("({variable} >= {first}) & ")
        } else {
            String::new()
        };
        (last >= first).then(|| format!("{low}({variable} <= {last})"))
    }

    /// The pointer whose length an integer is: by use, an index into it is compared with it; by name, it is
    /// called a length and the names have most in common.
    fn pointer_of<'i>(&self, function: &Function, inputs: &'i [Input], length: &Input) -> Option<&'i Input> {
        let pointers = || inputs.iter().filter(|input| self.points_to_numbers(input));
        let used =
            |pointer: &&Input| function.facts.lengths.contains(&(pointer.path.clone(), length.path.clone()));
        pointers().find(used).or_else(|| {
            let names: Vec<&str> = pointers().map(|pointer| pointer.path.as_str()).collect();
            let chosen = best_name(&length.path, &names)?;
            pointers().find(|pointer| pointer.path == chosen)
        })
    }

    /// Memory of as many elements as the driver allocates, however large each is.
    fn points_to_numbers(&self, input: &Input) -> bool {
        match self.types.rule(input.ty) {
            Rule::Pointer(to) => matches!(
                self.types.pointee(to),
                Pointee::Numbers | Pointee::Bytes | Pointee::Text | Pointee::Elements
            ),
            _ => false,
        }
    }

    fn size(&self, pointer: &Input, length: &Input) -> Option<String> {
        let most = pointer.count.unwrap_or(u64::from(self.options.elements));
        let variable = &length.variable;
        let low = if self.is_signed(length) { format!("({variable} >= 0) & ") } else { String::new() };
        Some(format!("{low}({variable} <= {most}) & (({} != 0) | ({variable} == 0))", pointer.variable))
    }
}

/// Among the names of pointers, the one that has the longest part in common with the name of a length; None if
/// the name is not one of a length, or the choice is not clear.
fn best_name<'n>(length: &str, pointers: &[&'n str]) -> Option<&'n str> {
    let lower = length.to_lowercase();
    let is_length = ["len", "size", "count", "cnt", "num"].iter().any(|word| lower.contains(word))
        || ["n", "sz"].contains(&lower.as_str());
    if !is_length {
        return None;
    }
    if let [only] = pointers {
        return Some(only);
    }
    let mut scored: Vec<(usize, &str)> =
        pointers.iter().map(|name| (common_part(&lower, &name.to_lowercase()), *name)).collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    match scored[..] {
        [(best, name), (second, _), ..] if best > second && best >= 2 => Some(name),
        _ => None,
    }
}

/// The length of the longest common substring.
fn common_part(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut best = 0;
    let mut row = vec![0; other.len() + 1];
    for left in one {
        for at in (0..other.len()).rev() {
            row[at + 1] = if other[at] == *left { row[at] + 1 } else { 0 };
            best = best.max(row[at + 1]);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_belongs_to_the_pointer_of_the_nearest_name() {
        assert_eq!(best_name("ptr_size", &["ptr", "other"]), Some("ptr"));
        assert_eq!(best_name("dstlen", &["src", "dst"]), Some("dst"));
        assert_eq!(best_name("srcLen", &["src", "dst"]), Some("src"));
        assert_eq!(best_name("count", &["items"]), Some("items"));
        assert_eq!(best_name("len", &["src", "dst"]), None, "either");
        assert_eq!(best_name("offset", &["items"]), None, "no length");
        assert_eq!(best_name("size", &[]), None);
    }

    #[test]
    fn common_parts() {
        assert_eq!(common_part("buffer_len", "buffer"), 6);
        assert_eq!(common_part("abc", "xyz"), 0);
        assert_eq!(common_part("", "x"), 0);
    }
}
