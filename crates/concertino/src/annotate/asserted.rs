//! What a violated assertion looks at, by its text: where that is nothing but members that the program keeps and parameters
//! of the driven function, it states what callers and the rest of the program see to.

use super::Annotator;
use super::followed::Frame;
use alarm::is_word;
use campaign::Alarm;
use model::is_trial;
use wire::Class;

impl Annotator<'_> {
    /// What the assertion is there for, if nothing that the function is given could be meant: it ends the program whatever
    /// that is, or belongs to a test or an example, which asks for what it gives itself.
    pub(super) fn purpose(&self, alarm: &Alarm) -> Option<String> {
        if alarm.class != Class::Assertion {
            return None;
        }
        let frames = self.frames(alarm)?;
        if is_trial(&alarm.file) {
            return Some(format!("{} is a test or an example, and the assertion one of its own", alarm.file));
        }
        let [only] = &frames[..] else { return None };
        only.facts.never_returns.then(|| format!("`{}` is there to end the program", only.facts.name))
    }

    /// The first of the members and parameters that are all that the assertion names, if no function on the way has set
    /// any of them before it.
    pub(super) fn presumed(&self, alarm: &Alarm) -> Option<String> {
        let text = alarm.replayed.strip_prefix("assertion `")?.strip_suffix("` failed")?;
        let frames = self.frames(alarm)?;
        let [failing, callers @ ..] = &frames[..] else { return None };
        let writes = |frame: &Frame<'_>, name: &str| frame.facts.written.iter().any(|set| set == name);
        let is_set =
            |name: &str| self.sets_before(failing, name) || callers.iter().any(|frame| writes(frame, name));
        let is_param = |name: &str| failing.facts.params.iter().any(|param| param == name);
        let mut first = None;
        for (name, part) in parts(text) {
            let is_presumed = match part {
                Part::Constant => true,
                // Whatever object that is.
                Part::Object => is_param(name),
                Part::Member => {
                    let member = format!(".{name}");
                    self.is_written(&member) && !is_set(&member)
                }
                Part::Variable => callers.is_empty() && is_param(name) && !is_set(name),
            };
            if !is_presumed {
                return None;
            }
            if matches!(part, Part::Member | Part::Variable) {
                first.get_or_insert(name);
            }
        }
        first.map(str::to_owned)
    }

    /// The function sets the variable or member before the line: what it does after that is another matter.
    pub(super) fn sets_before(&self, frame: &Frame<'_>, name: &str) -> bool {
        let mut before = frame.facts.line..frame.line;
        let word = name.trim_start_matches('.');
        frame.facts.written.iter().any(|set| set == name)
            && before.any(|line| assigns(&self.line(&frame.facts.file, line), word))
    }
}

/// `s->at = 0`, `at += 1`, `at++`, or its address is handed out: whatever may change it.
fn assigns(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&line[..at], &line[at + name.len()..]);
        if before.ends_with(is_word) || behind.starts_with(is_word) {
            return false;
        }
        let after = behind.trim_start();
        let is_compared = ["==", "<=", ">="].iter().any(|mark| after.starts_with(mark));
        let operator = after.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
        let steps = ["++", "--"];
        operator.starts_with('=') && !is_compared
            || steps.iter().any(|mark| after.starts_with(mark) || before.contains(mark))
            || before.contains('&')
    })
}

/// What a name in an expression is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// By its letters.
    Constant,
    /// Something in it is named.
    Object,
    Member,
    Variable,
}

/// The names in an expression.
fn parts(text: &str) -> Vec<(&str, Part)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find(is_word).map(|skipped| at + skipped) {
        let end = text[begin..].find(|letter| !is_word(letter)).map_or(text.len(), |length| begin + length);
        let (name, before, after) = (&text[begin..end], text[..begin].trim_end(), text[end..].trim_start());
        at = end;
        let is_member = before.ends_with("->") || before.ends_with('.');
        let has_members = after.starts_with("->") || after.starts_with('.');
        let part = match name {
            _ if name.starts_with(|first: char| first.is_ascii_digit()) => continue,
            _ if is_member => Part::Member,
            // `&buffer` is what it is.
            _ if before.ends_with('&') && !before.ends_with("&&") && !has_members => Part::Constant,
            _ if has_members => Part::Object,
            _ if !name.contains(|letter: char| letter.is_ascii_lowercase()) => Part::Constant,
            _ => Part::Variable,
        };
        found.push((name, part));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_may_change_something() {
        for line in ["at = 1;", "s->at += n;", "s->at++;", "--s->at;", "fill(&s->at);", "at <<= 2;"] {
            assert!(assigns(line, "at"), "{line}");
        }
        for line in ["if (at == 1)", "if (at <= 1)", "x = at;", "cat = 1;", "attr = 2;", ""] {
            assert!(!assigns(line, "at"), "{line}");
        }
    }

    #[test]
    fn names_in_an_expression() {
        let found = parts("!p->head->n && (q.at < 0x1f || n == MOST)");
        let expected = [
            ("p", Part::Object),
            ("head", Part::Member),
            ("n", Part::Member),
            ("q", Part::Object),
            ("at", Part::Member),
            ("n", Part::Variable),
            ("MOST", Part::Constant),
        ];
        assert_eq!(found, expected);
        assert!(parts("0").is_empty());
        assert_eq!(parts("p == &here"), [("p", Part::Variable), ("here", Part::Constant)]);
        assert_eq!(parts("p && here"), [("p", Part::Variable), ("here", Part::Variable)]);
    }
}
