//! The verdict on one claim: what the exploration saw against what the native replay showed.

use crate::sanitizer::{Finding, Frame, Missed};
use serde::{Deserialize, Serialize};
use wire::Class;

/// How far an alarm has been believed, best first. The names are part of the JSON contract.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The whole program crashed on an input.
    Confirmed,
    /// It happens in a calling context.
    Feasible,
    /// The function fails alone, on an input that the replay reproduces.
    Unit,
    /// Not believed; kept with the reason.
    Dropped,
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Level::Confirmed => "confirmed",
            Level::Feasible => "feasible",
            Level::Unit => "unit",
            Level::Dropped => "dropped",
        }
    }
}

/// What exploration says: this class, at this place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub class: Class,
    pub file: String,
    pub line: u32,
    pub function: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub class: Class,
    pub level: Level,
    pub reason: String,
    /// The place the replay names, when it names one in the program.
    pub frame: Option<Frame>,
    /// The sanitizer's verdict in one line.
    pub replayed: String,
    /// The block of memory that the access missed.
    pub missed: Option<Missed>,
}

/// Judges a claim by the findings of its native replay. `of_program` tells source files of the program from
/// harness and runtime files.
pub fn judge(
    claim: &Claim,
    findings: &[Finding],
    timed_out: bool,
    of_program: &dyn Fn(&str) -> bool,
) -> Judgement {
    let place = |finding: &Finding| finding.frames.iter().find(|frame| of_program(&frame.file)).cloned();
    let same_place = |finding: &&Finding| {
        place(finding).is_some_and(|frame| frame.line == claim.line && same_file(&frame.file, &claim.file))
    };
    let same_class = |finding: &&Finding| finding.class == claim.class;
    // What arithmetic does on the way says nothing about a fault of memory, nor the other way round.
    let same_sort = |finding: &&Finding| passes(finding.class) == passes(claim.class);
    let best = findings
        .iter()
        .filter(same_class)
        .find(same_place)
        .or_else(|| findings.iter().filter(same_sort).find(same_place))
        .or_else(|| findings.iter().find(same_class));
    if let Some(finding) = best {
        return Judgement {
            class: finding.class,
            level: Level::Unit,
            reason: "the native replay fails there on this input".into(),
            // Which call of a recursion is one too many is chance.
            frame: place(finding).filter(|_| finding.class != Class::StackOverflow),
            replayed: finding.message.clone(),
            missed: finding.missed.clone(),
        };
    }
    if timed_out && claim.class == Class::NonTermination {
        return Judgement {
            class: claim.class,
            level: Level::Unit,
            reason: "the native replay does not end within its time limit on this input".into(),
            frame: None,
            replayed: "timeout".into(),
            missed: None,
        };
    }
    let (reason, replayed) = match findings.first() {
        Some(other) => (
            format!("the native replay reports something else first: {}", other.message),
            format!("not reproduced; {}", other.message),
        ),
        None => ("the native replay of this input ends without a fault".into(), "not reproduced".into()),
    };
    Judgement { class: claim.class, level: Level::Dropped, reason, frame: None, replayed, missed: None }
}

/// Classes after which the program goes on.
fn passes(class: Class) -> bool {
    matches!(class, Class::SignedOverflow | Class::InvalidShift)
}

fn same_file(left: &str, right: &str) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    left == right || name(left) == name(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(class: Class, file: &str, line: u32) -> Finding {
        let frame = Frame { function: "f".into(), file: file.into(), line, column: 1 };
        Finding { class, message: class.name().into(), frames: vec![frame], missed: None }
    }

    fn claim() -> Claim {
        Claim { class: Class::OutOfBounds, file: "a.c".into(), line: 5, function: "f".into() }
    }

    fn of_program(file: &str) -> bool {
        !file.ends_with("harness.c")
    }

    #[test]
    fn the_same_class_and_place_confirms() {
        let found = [finding(Class::SignedOverflow, "/p/a.c", 4), finding(Class::OutOfBounds, "/p/a.c", 5)];
        let judgement = judge(&claim(), &found, false, &of_program);
        assert_eq!((judgement.level, judgement.class), (Level::Unit, Class::OutOfBounds));
        assert_eq!(judgement.frame.map(|frame| frame.line), Some(5));
    }

    #[test]
    fn the_sanitizers_class_wins_at_the_same_place() {
        let judgement = judge(&claim(), &[finding(Class::UseAfterFree, "a.c", 5)], false, &of_program);
        assert_eq!((judgement.level, judgement.class), (Level::Unit, Class::UseAfterFree));
    }

    #[test]
    fn overflow_on_the_same_line_is_no_evidence() {
        let judgement = judge(&claim(), &[finding(Class::SignedOverflow, "a.c", 5)], false, &of_program);
        assert_eq!((judgement.level, judgement.class), (Level::Dropped, Class::OutOfBounds));
    }

    #[test]
    fn the_depth_of_a_recursion_gives_no_place() {
        let recursion = Claim { class: Class::StackOverflow, ..claim() };
        let judgement = judge(&recursion, &[finding(Class::StackOverflow, "a.c", 3)], false, &of_program);
        assert_eq!((judgement.level, judgement.frame), (Level::Unit, None));
    }

    #[test]
    fn a_clean_replay_drops() {
        let judgement = judge(&claim(), &[], false, &of_program);
        assert_eq!(judgement.level, Level::Dropped);
    }

    #[test]
    fn only_a_claimed_hang_is_confirmed_by_a_timeout() {
        let hang = Claim { class: Class::NonTermination, ..claim() };
        assert_eq!(judge(&hang, &[], true, &of_program).level, Level::Unit);
        assert_eq!(judge(&claim(), &[], true, &of_program).level, Level::Dropped);
    }
}
