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

/// What is told of a native replay that was ended because its time was over.
pub const TIMED_OUT: &str = "timeout";

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
    /// Where the program called the function of that place, innermost first.
    pub callers: Vec<Frame>,
    /// The sanitizer's verdict in one line.
    pub replayed: String,
    /// The block of memory that the access missed.
    pub missed: Option<Missed>,
    /// The address that it went to instead, where nothing was.
    pub address: Option<u64>,
}

/// Judges a claim by the findings of its native replay. `of_program` tells source files of the program from
/// harness and runtime files.
pub fn judge(
    claim: &Claim,
    findings: &[Finding],
    timed_out: bool,
    of_program: &dyn Fn(&str) -> bool,
) -> Judgement {
    let stack = |finding: &Finding| -> Vec<Frame> {
        finding.frames.iter().filter(|frame| of_program(&frame.file)).cloned().collect()
    };
    let place = |finding: &Finding| stack(finding).into_iter().next();
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
        // Which call of a recursion is one too many is chance.
        let stack = if finding.class == Class::StackOverflow { Vec::new() } else { stack(finding) };
        let mut stack = stack.into_iter();
        return Judgement {
            class: finding.class,
            level: Level::Unit,
            reason: "the native replay fails there on this input".into(),
            frame: stack.next(),
            callers: stack
                .chain(finding.callers.iter().filter(|frame| of_program(&frame.file)).cloned())
                .collect(),
            replayed: finding.message.clone(),
            missed: finding.missed.clone(),
            address: finding.address,
        };
    }
    if timed_out && claim.class == Class::NonTermination {
        return Judgement {
            class: claim.class,
            level: Level::Unit,
            reason: "the native replay does not end within its time limit on this input".into(),
            frame: None,
            callers: Vec::new(),
            replayed: TIMED_OUT.into(),
            missed: None,
            address: None,
        };
    }
    let (reason, replayed) = match findings.first() {
        Some(other) => (
            format!("the native replay reports something else first: {}", other.message),
            format!("not reproduced; {}", other.message),
        ),
        None if timed_out => (
            "the native replay shows no fault and does not end within its time limit on this input".into(),
            TIMED_OUT.into(),
        ),
        None => ("the native replay of this input ends without a fault".into(), "not reproduced".into()),
    };
    Judgement {
        class: claim.class,
        level: Level::Dropped,
        reason,
        frame: None,
        callers: Vec::new(),
        replayed,
        missed: None,
        address: None,
    }
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
        Finding {
            class,
            message: class.name().into(),
            frames: vec![frame],
            callers: Vec::new(),
            missed: None,
            address: None,
        }
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
    fn callers_of_the_program_are_told() {
        let mut found = finding(Class::OutOfBounds, "/p/a.c", 5);
        let outer =
            [("/p/b.c", 9), ("/p/harness.c", 1)].map(|(file, line)| finding(Class::Other, file, line));
        found.frames.extend(outer.into_iter().flat_map(|finding| finding.frames));
        let lines = |claim: &Claim, found: Finding| {
            let judgement = judge(claim, &[found], false, &of_program);
            judgement.callers.iter().map(|frame| frame.line).collect::<Vec<u32>>()
        };
        assert_eq!(lines(&claim(), found.clone()), [9]);
        let claim = Claim { class: Class::StackOverflow, ..claim() };
        assert_eq!(lines(&claim, Finding { class: Class::StackOverflow, ..found }), [0; 0]);
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
        let other = judge(&claim(), &[], true, &of_program);
        assert_eq!((other.level, other.replayed.as_str()), (Level::Dropped, TIMED_OUT));
    }
}
