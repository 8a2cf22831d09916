//! How much an alarm deserves a reader's time: CONBOL's points and CONCERT's priorities, each rule with its reason.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Members named in one rule.
const NAMED: usize = 3;

/// The points of each rule. The defaults are CONBOL's, and one point for each of CONCERT's priorities and for what
/// the calling contexts say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Points {
    /// Where every alarm starts.
    pub base: f64,
    /// The function compares a variable that occurs in the failing expression.
    pub compared: f64,
    /// The same expression fails at `repeated_from` other places or more.
    pub repeated: f64,
    pub repeated_from: usize,
    /// The function is among the fifth of the program with the highest cyclomatic complexity.
    pub complex: f64,
    /// It happens after something from outside of the program was read.
    pub external_input: f64,
    /// It fails when a caller is driven, though the outermost ones decided nothing.
    pub caller: f64,
    /// Callers called the function, and none made it happen.
    pub contexts: f64,
    /// The same where their executions got to the very place.
    pub reached: f64,
    /// A pointer that the program never tests for null was null, because the driver made it so.
    pub granted: f64,
    /// The same for a parameter of a function that nothing in the program calls, and for one that the function
    /// dereferences on every path.
    pub unasked: f64,
    /// It takes a variable argument, of which the driver only guesses what the function expects.
    pub arguments: f64,
    /// It goes beyond an object that the driver made, and nothing tells how long that should be.
    pub length: f64,
    /// It takes bytes of the driver's for a pointer.
    pub contents: f64,
    /// There was no time to run it natively.
    pub unconfirmed: f64,
    /// It depends on nothing but members of objects and globals, which the driver sets each on its own: in a function
    /// that the program calls, or where the program itself sets them.
    pub members: f64,
    /// It takes inputs that contradict what holds for all captured calls.
    pub invariants: f64,
    /// All that it depends on was compared by every caller.
    pub checked: f64,
    /// Alarms with less are told in short, and fail no build.
    pub doubtful_below: f64,
}

impl Default for Points {
    fn default() -> Points {
        Points {
            base: 5.0,
            compared: 1.0,
            repeated: -1.0,
            repeated_from: 5,
            complex: 1.0,
            external_input: 1.0,
            caller: 1.0,
            contexts: -1.0,
            reached: -2.0,
            granted: -3.0,
            unasked: -3.0,
            arguments: -4.0,
            length: -4.0,
            contents: -4.0,
            unconfirmed: -2.0,
            members: -2.0,
            invariants: -2.0,
            checked: -2.0,
            doubtful_below: 4.0,
        }
    }
}

/// What the rules look at.
#[derive(Clone, Debug, Default)]
pub struct Circumstances<'a> {
    /// What fails: the source line, or the names in that part of it.
    pub expression: &'a str,
    /// Variables that the function which holds the line compares.
    pub compared: &'a [String],
    pub complex: bool,
    pub external_input: bool,
    /// A caller makes it happen.
    pub caller: bool,
    /// And so do all callers outwards, to where the program begins.
    pub feasible: bool,
    /// Callers called the function, and none made it happen.
    pub contexts: bool,
    /// And their executions got to the place.
    pub reached: bool,
    /// The pointer that was null and that the program takes for granted.
    pub granted: Option<&'a str>,
    /// The parameter that was null and that nothing in the program asks for, of a function that everybody may call.
    pub unasked: Option<&'a str>,
    /// The parameter that was null and that the function dereferences on every path without asking.
    pub needed: Option<&'a str>,
    /// The variable argument that it takes.
    pub argument: Option<&'a str>,
    /// The object of unknown length that it goes beyond.
    pub unmeasured: Option<&'a str>,
    /// The parameter that says how far, which the function compares with nothing.
    pub indexed: Option<&'a str>,
    /// The bytes that it takes for a pointer.
    pub contents: Option<&'a str>,
    /// The object of unknown contents that the driver left all zero, and that it takes a pointer from.
    pub zeroed: Option<&'a str>,
    /// It takes a pointer from where the driver put nothing.
    pub unset: bool,
    /// The member or element that it takes a pointer from which no condition depends on: the driver made that up.
    pub held: Option<&'a str>,
    /// The member that decides and that a function sets in whose place a stub was called, which sets nothing; and that function.
    pub outdated: Option<(&'a str, &'a str)>,
    /// The pointer that was null and that the violated assertion rules out.
    pub asserted: Option<&'a str>,
    /// The parameter of the driven function that is all that its assertion looks at.
    pub stated: Option<&'a str>,
    /// What the assertion is there for, which is not what the function is given.
    pub purpose: Option<&'a str>,
    /// No native run has shown it.
    pub unconfirmed: bool,
    /// All that the violated condition looks at, or the null pointer, where these are members of objects or globals.
    pub members: &'a [String],
    /// They are no more than what the last branch before it looks at.
    pub guarded: bool,
    /// What holds for all captured calls, and cannot hold where this happens.
    pub unlikely: &'a [String],
    /// All that it depends on, where every caller compares that with something before it calls.
    pub checked: &'a [String],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    pub rule: String,
    pub points: f64,
    pub why: String,
}

/// The rules that apply, the base first; their sum is the score.
pub fn score(points: &Points, about: &Circumstances<'_>) -> Vec<Rule> {
    let mut rules = vec![rule("base", points.base, "every alarm")];
    let names = identifiers(about.expression);
    let guess = guess(points, about);
    // What makes a function interesting says nothing about a driver's guess, nor about what nobody has seen, nor about what
    // callers see to.
    let is_checked = !about.checked.is_empty() && !about.feasible && !about.caller;
    let is_caller = about.feasible || about.caller && about.members.is_empty();
    let is_reached = about.reached && !is_caller;
    let is_guarded = about.guarded && !about.members.is_empty() && !is_caller;
    let is_guess = guess.is_some() || about.unconfirmed || is_checked || is_reached || is_guarded;
    let compared = about.compared.iter().find(|name| names.contains(name.as_str()));
    if let Some(name) = compared.filter(|_| !is_guess) {
        rules.push(rule(
            "compared",
            points.compared,
            format!("the function compares `{name}`, which occurs here"),
        ));
    }
    // Nor does it make up for values that the program may never give, where the function does not look at them.
    let is_given = about.members.is_empty() || is_caller || compared.is_some();
    if about.complex && !is_guess && is_given {
        rules.push(rule(
            "complex",
            points.complex,
            "the function is among the most complex fifth of the program",
        ));
    }
    if about.external_input && !is_guess {
        rules.push(rule("external-input", points.external_input, "input from outside was read before"));
    }
    if about.unconfirmed {
        rules.push(rule("unconfirmed", points.unconfirmed, "there was no time to run it natively"));
    }
    if let Some(guess) = guess {
        rules.push(guess);
    } else if is_caller {
        rules.push(rule("caller", points.caller, "it fails when a caller is driven"));
    } else {
        rules.extend(liberty(points, about, is_checked));
        if about.reached {
            let why = "callers that were tried get here, and none makes it happen";
            rules.push(rule("reached", points.reached, why));
        } else if about.contexts {
            rules.push(rule(
                "contexts",
                points.contexts,
                "no calling context that was tried makes it happen",
            ));
        }
    }
    rules
}

/// Values that the driver may give and the program may not.
fn liberty(points: &Points, about: &Circumstances<'_>, is_checked: bool) -> Option<Rule> {
    let (name, points, why) = if is_checked {
        let why = format!(
            "{} is compared with something before every call, or wherever it is put there",
            named(about.checked)
        );
        ("checked", points.checked, why)
    } else if !about.unlikely.is_empty() {
        let why = format!("it takes inputs that no captured call had: against {}", named(about.unlikely));
        ("invariants", points.invariants, why)
    } else if !about.members.is_empty() {
        let why = format!(
            "it takes no more than values of {} that the program may never give",
            named(about.members)
        );
        ("members", points.members, why)
    } else {
        return None;
    };
    Some(rule(name, points, why))
}

/// What the driver may have made up.
fn guess(points: &Points, about: &Circumstances<'_>) -> Option<Rule> {
    let (name, points, why) = if let Some(name) = about.granted {
        ("granted", points.granted, format!("`{name}` was null, which the program never tests it for"))
    } else if let Some(name) = about.argument {
        ("arguments", points.arguments, format!("it takes `{name}` to be what the driver only guesses"))
    } else if let Some(name) = about.unmeasured {
        let why = format!(
            "it goes beyond what the driver put behind `{name}`, and nothing tells how much that should be"
        );
        ("length", points.length, why)
    } else if let Some(name) = about.indexed {
        let why = format!(
            "`{name}`, which the function compares with nothing, leads beyond memory that the driver chose the length of"
        );
        ("length", points.length, why)
    } else if let Some(name) = about.contents {
        let why = format!("it takes what is in `{name}` for a pointer, which the driver does not know");
        ("contents", points.contents, why)
    } else if let Some(name) = about.zeroed {
        let why = format!("it takes a pointer from `{name}`, which the driver left all zero");
        ("contents", points.contents, why)
    } else if about.unset {
        let why = "it takes a pointer from memory of whose contents the driver knows nothing".to_owned();
        ("contents", points.contents, why)
    } else if let Some(name) = about.held {
        let why = format!(
            "it takes the pointer in `{name}`, which the driver made up, for what the program puts there"
        );
        ("contents", points.contents, why)
    } else if let Some((member, callee)) = about.outdated {
        let why =
            format!("it takes `{member}` as it was before `{callee}`, which sets it and whose stub does not");
        ("contents", points.contents, why)
    } else if let Some(name) = about.asserted {
        ("granted", points.granted, format!("`{name}` was null, which the assertion is there to rule out"))
    } else if let Some(name) = about.stated {
        let why = format!(
            "the assertion states what callers have to give for `{name}`, and none is known to fail it"
        );
        ("granted", points.granted, why)
    } else if let Some(why) = about.purpose {
        ("granted", points.granted, why.to_owned())
    } else if let Some(name) = about.unasked {
        let why =
            format!("`{name}` was null, which nothing in the program tests it for, and no caller shows it");
        ("unasked", points.unasked, why)
    } else if let Some(name) = about.needed {
        let why = format!("`{name}` was null, which the function dereferences whatever else it is given");
        ("unasked", points.unasked, why)
    } else {
        return None;
    };
    Some(rule(name, points, why))
}

/// The first of them, and how many there are more.
fn named(members: &[String]) -> String {
    let first: Vec<String> = members.iter().take(NAMED).map(|member| format!("`{member}`")).collect();
    match members.len().saturating_sub(NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// The rule for an expression that fails at `from` other places or more, worth `points`.
pub fn repeated(points: f64, from: usize, others: usize) -> Option<Rule> {
    let why = || format!("the same expression fails at {others} other places");
    (others >= from).then(|| rule("repeated", points, why()))
}

pub fn sum(rules: &[Rule]) -> f64 {
    rules.iter().map(|rule| rule.points).sum()
}

fn rule(name: &str, points: f64, why: impl Into<String>) -> Rule {
    Rule { rule: name.to_owned(), points, why: why.into() }
}

/// A letter of a name in C.
pub fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The words of C code that may be names.
pub fn identifiers(text: &str) -> BTreeSet<&str> {
    text.split(|letter| !is_word(letter))
        .filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(rules: &[Rule]) -> Vec<&str> {
        rules.iter().map(|rule| rule.rule.as_str()).collect()
    }

    #[test]
    fn conbols_rules() {
        let points = Points::default();
        let compared = ["x".to_owned(), "n".to_owned()];
        let about =
            Circumstances { expression: "sum += a[x + 1];", compared: &compared, ..Circumstances::default() };
        let rules = score(&points, &about);
        assert_eq!((names(&rules), sum(&rules)), (vec!["base", "compared"], 6.0));
        let about =
            Circumstances { expression: "sum += a[xs];", compared: &compared, ..Circumstances::default() };
        assert_eq!(sum(&score(&points, &about)), 5.0, "xs is not x");
        assert!(repeated(points.repeated, points.repeated_from, 4).is_none());
        let often = repeated(points.repeated, points.repeated_from, 5);
        assert_eq!(often.map(|rule| rule.points), Some(-1.0));
    }

    #[test]
    fn priorities_and_contexts() {
        let points = Points { complex: 2.0, ..Points::default() };
        let about =
            Circumstances { complex: true, external_input: true, contexts: true, ..Circumstances::default() };
        assert_eq!(sum(&score(&points, &about)), 5.0 + 2.0 + 1.0 - 1.0);
        let about = Circumstances { caller: true, contexts: true, ..Circumstances::default() };
        assert_eq!(names(&score(&points, &about)), ["base", "caller"]);
        let about = Circumstances { granted: Some("list->head"), ..about };
        let rules = score(&points, &about);
        assert_eq!((names(&rules), sum(&rules)), (vec!["base", "granted"], 2.0), "whoever is driven");
    }

    #[test]
    fn members_that_no_caller_sets() {
        let points = Points::default();
        let members = ["s->at".to_owned(), "s->end".to_owned()];
        let about = Circumstances { members: &members, ..Circumstances::default() };
        assert_eq!(sum(&score(&points, &about)), 3.0, "doubtful");
        let about = Circumstances { complex: true, ..about };
        assert_eq!(sum(&score(&points, &about)), 3.0, "however complex the function is");
        let compared = ["at".to_owned()];
        let about = Circumstances { expression: "b[at]", compared: &compared, ..about };
        assert_eq!(sum(&score(&points, &about)), 5.0);
        let about = Circumstances { complex: false, ..about };
        assert_eq!(sum(&score(&points, &about)), 4.0, "a check that may be wrong");
        let about = Circumstances { caller: true, ..about };
        assert_eq!(
            names(&score(&points, &about)),
            ["base", "compared", "members"],
            "its driver sets them too"
        );
        let about = Circumstances { feasible: true, ..about };
        assert_eq!(names(&score(&points, &about)), ["base", "compared", "caller"]);
    }

    #[test]
    fn what_callers_check() {
        let points = Points::default();
        let checked = ["n".to_owned()];
        let compared = ["i".to_owned()];
        let about = Circumstances {
            expression: "a[i]",
            compared: &compared,
            complex: true,
            checked: &checked,
            ..Circumstances::default()
        };
        let rules = score(&points, &about);
        assert_eq!((names(&rules), sum(&rules)), (vec!["base", "checked"], 3.0));
        let rules = score(&points, &Circumstances { caller: true, ..about });
        assert_eq!(names(&rules), ["base", "compared", "complex", "caller"], "a wrong check");
    }

    #[test]
    fn guesses_of_the_driver() {
        let points = Points::default();
        let of = |about: Circumstances<'_>| {
            let rules = score(&points, &Circumstances { complex: true, feasible: true, ..about });
            (names(&rules).last().map(|name| (*name).to_owned()), sum(&rules))
        };
        let doubtful = |name: &str| (Some(name.to_owned()), 1.0);
        assert_eq!(
            of(Circumstances { argument: Some("...[0]"), ..Circumstances::default() }),
            doubtful("arguments")
        );
        assert_eq!(
            of(Circumstances { unmeasured: Some("p->table"), ..Circumstances::default() }),
            doubtful("length")
        );
        assert_eq!(of(Circumstances { unasked: Some("s"), ..Circumstances::default() }).1, 2.0);
        assert_eq!(of(Circumstances { needed: Some("s"), ..Circumstances::default() }).1, 2.0);
        assert_eq!(
            of(Circumstances { zeroed: Some("buf"), ..Circumstances::default() }),
            doubtful("contents")
        );
        assert_eq!(
            of(Circumstances { held: Some(".next"), ..Circumstances::default() }),
            doubtful("contents")
        );
        assert_eq!(of(Circumstances { unconfirmed: true, ..Circumstances::default() }).1, 4.0);
        assert_eq!(of(Circumstances { asserted: Some("buf"), ..Circumstances::default() }).1, 2.0);
        assert_eq!(of(Circumstances { stated: Some("n"), ..Circumstances::default() }).1, 2.0);
    }
}
