//! Likely invariants at the entry of a function: what holds for all captured calls of it, and would hardly do so by
//! chance. A small set of Daikon's kind: constants and few values, ranges, order and equality of two inputs, the length of
//! a text, pointers that are not null. Pure functions over inputs; samples prove nothing, and nothing here says so.

mod chance;
mod infer;
mod variable;

pub use infer::infer;
pub use variable::{Measure, Variable};

use campaign::Input;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that held for all samples that have its inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    pub of: Variable,
    pub claim: Claim,
    /// Samples that have its inputs.
    pub samples: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// The variable is a pointer.
    NotNull,
    /// It is a pointer, and equals none of the inputs before it that it may equal.
    Distinct,
    /// Ascending.
    OneOf(Vec<u64>),
    /// As signed numbers, or as unsigned ones.
    AtLeast(i128),
    AtMost(i128),
    NotZero,
    Equals(Variable),
    NoMoreThan(Variable),
}

impl Invariant {
    /// Whether it holds for an input; None where the input does not have what it is about.
    pub fn holds(&self, input: &Input) -> Option<bool> {
        let value = self.of.value(input)?;
        Some(match &self.claim {
            Claim::NotNull | Claim::Distinct => value == 0,
            Claim::OneOf(values) => values.iter().any(|one| self.of.read(*one) == value),
            Claim::AtLeast(least) => value >= *least,
            Claim::AtMost(most) => value <= *most,
            Claim::NotZero => value != 0,
            Claim::Equals(other) => value == other.value(input)?,
            Claim::NoMoreThan(other) => value <= other.value(input)?,
        })
    }
}

impl fmt::Display for Invariant {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = &self.of;
        match &self.claim {
            Claim::NotNull => write!(to, "{of} is not null"),
            Claim::Distinct => write!(to, "{of} equals no other pointer"),
            Claim::OneOf(values) => {
                let values: Vec<String> = values.iter().map(|value| of.read(*value).to_string()).collect();
                match values.as_slice() {
                    [only] => write!(to, "{of} == {only}"),
                    several => write!(to, "{of} is one of {}", several.join(", ")),
                }
            }
            Claim::AtLeast(least) => write!(to, "{of} >= {least}"),
            Claim::AtMost(most) => write!(to, "{of} <= {most}"),
            Claim::NotZero => write!(to, "{of} != 0"),
            Claim::Equals(other) => write!(to, "{of} == {other}"),
            Claim::NoMoreThan(other) => write!(to, "{of} <= {other}"),
        }
    }
}
