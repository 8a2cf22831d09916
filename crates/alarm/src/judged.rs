//! Alarms that a person has judged false: by a comment in the source, or by a baseline file.
//!
//! A comment `concertino: suppress CLASS...` on the failing line or the line before it silences the classes it
//! names, or all when it names none. A baseline remembers the code of the function: when that changes, the alarm
//! is reported again.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use wire::Class;

const MARK: &str = "concertino: suppress";
/// CONBOL's own annotation.
const CONBOL: &str = "CBL action=suppress";

/// What a line of source says about alarms of a class here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comment {
    Nothing,
    Suppresses,
    /// It names classes that do not exist, so it silences nothing.
    Wrong(String),
}

pub fn comment(line: &str, class: Class) -> Comment {
    if line.contains(CONBOL) {
        return Comment::Suppresses;
    }
    let Some((_, rest)) = line.split_once(MARK) else { return Comment::Nothing };
    let rest = rest.split("*/").next().unwrap_or_default();
    let words: Vec<&str> =
        rest.split([' ', ',', '\t']).map(str::trim).filter(|word| !word.is_empty()).collect();
    let classes: Vec<&str> = words.iter().take_while(|word| **word != "--").copied().collect();
    let known = |word: &&str| Class::ALL.iter().any(|class| class.name() == *word);
    match classes.iter().find(|word| !known(word)) {
        Some(wrong) => Comment::Wrong((*wrong).to_owned()),
        None if classes.is_empty() || classes.contains(&class.name()) => Comment::Suppresses,
        None => Comment::Nothing,
    }
}

/// An alarm as a baseline knows it: not by its line, which moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Known {
    pub class: Class,
    pub file: String,
    pub function: String,
    /// The failing line.
    pub expression: String,
    /// Hash of the function's source.
    pub code: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    pub version: u32,
    pub alarms: BTreeSet<Known>,
}

impl Baseline {
    pub const VERSION: u32 = 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments() {
        let of = |line| comment(line, Class::OutOfBounds);
        assert_eq!(of("a[i] = 0; /* checked by the caller */"), Comment::Nothing);
        assert_eq!(of("a[i] = 0; /* concertino: suppress */"), Comment::Suppresses);
        assert_eq!(
            of("a[i] = 0; // concertino: suppress out-of-bounds -- i is at most 7"),
            Comment::Suppresses
        );
        assert_eq!(of("/* concertino: suppress null-dereference, out-of-bounds */"), Comment::Suppresses);
        assert_eq!(of("/* concertino: suppress null-dereference */"), Comment::Nothing);
        assert_eq!(of("/* concertino: suppress out-of-bound */"), Comment::Wrong("out-of-bound".into()));
        assert_eq!(of("/*CBL action=suppress,object=none,log=false*/"), Comment::Suppresses);
    }
}
