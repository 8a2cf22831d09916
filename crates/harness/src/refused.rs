//! What the compiler refuses of a harness: a driver, a stub or a function for values. Written again without them, the
//! file serves its other functions. Parts are found by the lines that the compiler names.

use crate::{Harness, StubInfo, names};
use model::FunctionId;
use std::collections::BTreeMap;

/// Parts that did not compile, with the compiler's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    pub drivers: BTreeMap<FunctionId, String>,
    /// Stubs and functions that set values, by their names in the harness.
    pub parts: BTreeMap<String, String>,
}

impl Refused {
    /// Adds what stands at a line of the harness, counted from one. False where that is nothing to leave out, or left
    /// out already.
    pub fn add(&mut self, harness: &Harness, line: usize, reason: &str) -> bool {
        let Some(name) = harness.part_at(line) else { return false };
        let reason = |what: &str| format!("its {what} does not compile: {reason}");
        let prefixes = ["ctn_drive_", "ctn_call_", "ctn_capture_"];
        let driver = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix));
        if let Some(driver) =
            driver.and_then(|name| harness.drivers.iter().find(|driver| driver.name == name))
        {
            return self.drivers.insert(driver.function, reason("driver")).is_none();
        }
        let is_stub = name.starts_with("__ctn_stub_") || !name.starts_with("ctn_");
        let what = if is_stub { "stub" } else { "text" };
        self.parts.insert(name.to_owned(), reason(what)).is_none()
    }
}

impl Harness {
    /// The function of the harness that a line belongs to: functions begin at the left margin.
    fn part_at(&self, line: usize) -> Option<&str> {
        let lines: Vec<&str> = self.text.lines().take(line).collect();
        let is_head = |line: &&&str| {
            let first = line.chars().next();
            first.is_some_and(|first| first == '_' || first.is_ascii_alphabetic()) && line.contains('(')
        };
        let head = lines.iter().rev().find(is_head)?;
        if let Some(weak) = head.strip_prefix("__attribute__((weak)) ") {
            let is_it = |stub: &&StubInfo| {
                stub.replaces.is_none() && names::words(weak).contains(stub.symbol.as_str())
            };
            return self.stubs.iter().find(is_it).map(|stub| stub.symbol.as_str());
        }
        let word = |at: usize| {
            let rest = &head[at..];
            let end = rest.find(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric())?;
            rest[end..].starts_with('(').then_some(&rest[..end])
        };
        let begins = |at: &usize| {
            let before = head[..*at].chars().next_back();
            before.is_none_or(|letter| letter != '_' && !letter.is_ascii_alphanumeric())
        };
        let own = head.match_indices("ctn_").chain(head.match_indices("__ctn_stub_"));
        own.map(|(at, _)| at).filter(begins).find_map(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
#include \"a.c\"
static void ctn_set_x(struct x *p, const ctn_path *at)
{
    p->y = 1;
}
__attribute__((used)) static struct x __ctn_stub_f(a)
    int a;
{
    return 0;
}
__attribute__((weak)) int *missing(int a)
{
    return 0;
}
static void ctn_drive_g(void)
{
    (void)g();
}
";

    #[test]
    fn parts_by_their_lines() {
        let stub = |symbol: &str, replaces| StubInfo { symbol: symbol.to_owned(), replaces, problem: None };
        let driver = crate::DriverInfo {
            function: FunctionId(7),
            index: 0,
            name: "g".to_owned(),
            preconditions: Vec::new(),
            has_long: false,
        };
        let harness = Harness {
            text: TEXT.to_owned(),
            drivers: vec![driver],
            skipped: Vec::new(),
            stubs: vec![stub("f", Some(FunctionId(3))), stub("missing", None)],
            notes: Vec::new(),
        };
        let mut refused = Refused::default();
        assert!(!refused.add(&harness, 1, "in the source"));
        for line in [2, 4, 7, 13, 17] {
            assert_eq!(refused.add(&harness, line, "bad"), line != 4, "line {line}");
        }
        let parts: Vec<&str> = refused.parts.keys().map(String::as_str).collect();
        assert_eq!(parts, ["__ctn_stub_f", "ctn_set_x", "missing"]);
        assert_eq!(refused.drivers[&FunctionId(7)], "its driver does not compile: bad");
    }
}
