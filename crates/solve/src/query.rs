//! What is asked and what can be answered.

use std::time::Duration;
use term::{Assignment, TermId, Values};

/// Is there an input under which every constraint is true?
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// 1-bit terms. The last one is the negated decision; `hint` satisfies the others.
    pub constraints: &'a [TermId],
    /// The parent input: what the answer does not name keeps its value from here.
    pub hint: &'a dyn Values,
    pub time_limit: Duration,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Values of the variables that matter; merged over the hint they satisfy every constraint.
    Sat(Assignment),
    Unsat,
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// The time limit passed.
    TimeLimit,
    /// The back end's model does not satisfy the constraints.
    WrongModel,
    /// The constraints hold an operation that is not expressed to the back end, and the model that left it
    /// open does not satisfy them.
    Abstracted,
    /// The back end gave up by itself.
    BackEnd,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Reason::TimeLimit => "time-limit",
            Reason::WrongModel => "wrong-model",
            Reason::Abstracted => "abstracted",
            Reason::BackEnd => "back-end",
        }
    }
}
