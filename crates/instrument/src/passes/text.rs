//! The text of source files, for what debug information leaves out: where a condition begins of which only a part
//! has a place, and its `!`, which clang drops. Places in macros are those of their use.

use crate::ir::Place;
use std::collections::HashMap;

/// Source files, as far as they can be read.
#[derive(Default)]
pub(crate) struct Sources(HashMap<String, Text>);

impl Sources {
    pub(crate) fn of(&mut self, file: &str) -> &Text {
        self.0.entry(file.to_owned()).or_insert_with(|| Text::new(std::fs::read(file).unwrap_or_default()))
    }
}

pub(crate) struct Text {
    bytes: Vec<u8>,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Text {
    fn new(bytes: Vec<u8>) -> Text {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Text { bytes, lines }
    }

    fn offset(&self, place: &Place) -> Option<usize> {
        let line = self.lines.get(place.line.checked_sub(1)? as usize)?;
        let at = line + place.column.checked_sub(1)? as usize;
        (at < self.bytes.len()).then_some(at)
    }

    fn place(&self, at: usize, file: &str) -> Place {
        let line = self.lines.partition_point(|begin| *begin <= at);
        let column = at - self.lines[line - 1] + 1;
        Place { file: file.to_owned(), line: line as u32, column: column as u32 }
    }

    /// Empty where a place is not in the text, or the first is not before the second.
    fn between(&self, from: &Place, to: &Place) -> &[u8] {
        match (self.offset(from), self.offset(to)) {
            (Some(from), Some(to)) => self.bytes.get(from..to).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Whether a statement or a block ends or begins between two places.
    pub(crate) fn are_apart(&self, from: &Place, to: &Place) -> bool {
        let text = self.between(from, to);
        let mut at = 0;
        while at < text.len() {
            match text[at] {
                b';' | b'{' | b'}' => return true,
                quote @ (b'"' | b'\'') => at = end_of_literal(text, at, quote).unwrap_or(text.len()),
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// Where a condition begins that has `known` in it, and whether a `!` of it is before that. `decision`: where
    /// clang places its branch.
    pub(crate) fn condition(&self, known: &Place, decision: &Place) -> (Place, bool) {
        let Some(at) = self.offset(known) else { return (known.clone(), false) };
        let (begin, nots) = begin_of_condition(&self.bytes, at);
        let before = self.between(decision, known);
        if nots == 0 && !joins(before) && begins_with_not(before) {
            return (decision.clone(), true);
        }
        (self.place(begin, &known.file), nots % 2 == 1)
    }
}

/// Whether there are operands of `&&`, `||` or `?:` in a text.
fn joins(text: &[u8]) -> bool {
    text.contains(&b'?') || text.windows(2).any(|two| two == b"&&" || two == b"||")
}

fn begins_with_not(text: &[u8]) -> bool {
    let nots = text.iter().take_while(|byte| **byte == b'!' || byte.is_ascii_whitespace());
    nots.filter(|byte| **byte == b'!').count() % 2 == 1
}

/// Goes back from a place within a condition: over `!`, casts, what is assigned to, and parentheses that hold no more
/// than this condition. Gives its begin and the number of `!`.
fn begin_of_condition(text: &[u8], at: usize) -> (usize, usize) {
    let first = begin_of_left(text, at).unwrap_or(at);
    let (mut begin, mut here, mut inside_to) = (first, first, at);
    let mut nots = 0;
    loop {
        let end = skip_spaces(text, here);
        let Some(last) = end.checked_sub(1) else { break };
        match text[last] {
            b'!' => {
                nots += 1;
                (begin, here) = (last, last);
            }
            b'(' if !follows_word(text, last) => match closes(text, inside_to) {
                Some(after) => {
                    inside_to = after;
                    (begin, here) = (last, last);
                }
                None => break,
            },
            b')' => match begin_of_cast(text, last) {
                Some(cast) => (begin, here) = (cast, cast),
                None => break,
            },
            b'=' => match begin_of_target(text, last) {
                Some(target) => (begin, here) = (target, target),
                None => break,
            },
            _ => break,
        }
    }
    (begin, nots)
}

/// Of an operator that stands at `at`: a constant before it has no place, as in `NULL != p`.
fn begin_of_left(text: &[u8], at: usize) -> Option<usize> {
    let joined = [&b"&&"[..], b"||"].iter().any(|two| text[at..].starts_with(two));
    if joined || !b"=!<>+-*/%&|^".contains(&text[at]) {
        return None;
    }
    let end = skip_spaces(text, at);
    let begin = match *text[..end].last()? {
        b'\'' => text[..end - 1].iter().rposition(|byte| *byte == b'\'')?,
        b')' => skip_back(text, text[..end].iter().rposition(|byte| *byte == b'(')?, is_word),
        _ => skip_back(text, end, |byte| is_word(byte) || byte == b'.'),
    };
    (begin < end && &text[begin..end] != b"return").then_some(begin)
}

fn skip_spaces(text: &[u8], from: usize) -> usize {
    skip_back(text, from, |byte| byte.is_ascii_whitespace())
}

fn skip_back(text: &[u8], from: usize, over: impl Fn(u8) -> bool) -> usize {
    text[..from].iter().rposition(|byte| !over(*byte)).map_or(0, |last| last + 1)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The parenthesis of `if (`, `f(` and the like.
fn follows_word(text: &[u8], at: usize) -> bool {
    let end = skip_spaces(text, at);
    text[..end].last().is_some_and(|byte| is_word(*byte) || b")]".contains(byte))
}

/// The end of the parenthesis around a place, if no `&&`, `||` or `?` comes before it.
fn closes(text: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0;
    let mut at = from;
    while at < text.len() {
        match text[at] {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at + 1),
            b')' => depth -= 1,
            b';' | b'{' | b'}' => return None,
            quote @ (b'"' | b'\'') => at = end_of_literal(text, at, quote)?,
            _ if depth == 0 && joins(&text[at..text.len().min(at + 2)]) => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The quote that ends what begins at `at`.
fn end_of_literal(text: &[u8], at: usize, quote: u8) -> Option<usize> {
    let mut escaped = false;
    let ends = |byte: &u8| {
        let ends = *byte == quote && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    };
    text[at + 1..].iter().position(ends).map(|length| at + 1 + length)
}

/// Of `(unsigned char *)`, by its last parenthesis.
fn begin_of_cast(text: &[u8], last: usize) -> Option<usize> {
    let begin = skip_back(text, last, |byte| is_word(byte) || b" *".contains(&byte)).checked_sub(1)?;
    (text[begin] == b'(' && begin + 1 < last && !follows_word(text, begin)).then_some(begin)
}

/// Of `p->next = `, by its last character, where it is in a parenthesis of its own.
fn begin_of_target(text: &[u8], last: usize) -> Option<usize> {
    let end = skip_back(text, last, |byte| byte == b' ');
    let begin = skip_back(text, end, |byte| is_word(byte) || b".->[]*".contains(&byte));
    let before = skip_back(text, begin, |byte| byte == b' ');
    (begin < end && text[..before].last() == Some(&b'(')).then_some(begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `^` stands before the known place, `$` before the wanted begin.
    #[test]
    fn texts_of_conditions() {
        for (text, nots) in [
            ("if ($^a == 1 && b)", 0),
            ("if ($!^p)", 1),
            ("if (!a && $^b)", 0),
            ("if (!($^a && b))", 0),
            ("if (!(a && $^b))", 0),
            ("if ($! !!^p || q)", 3),
            ("if ($!(^a == ')') || q)", 1),
            ("if ($!((^a) == b(c, \"\\\")\")))", 1),
            ("if (q || $!(p = ^f(x)))", 1),
            ("while ($(c = ^getc(f)) != -1)", 0),
            ("while ($p->next = ^next(p))", 0),
            ("if ($!(unsigned char *)^p)", 1),
            ("if (x) $^a ? b : c;", 0),
            ("int c = $^a && b;", 0),
            ("x = $!^a ? 1 : 2;", 1),
            ("return ($(^a < b) || c);", 0),
            ("if (f($^a))", 0),
            ("if (1 == $^a)", 0),
            ("if (q || $!(1 ^== a))", 1),
            ("if ($NULL ^!= p && q)", 0),
            ("if ($sizeof(x) ^> n)", 0),
            ("if (q && $'(' ^== c)", 0),
            ("if (q && $^-n == 1)", 0),
            ("return $^*p && q;", 0),
            ("c = a $^&& b;", 0),
            ("$^a", 0),
        ] {
            let plain: Vec<u8> = text.bytes().filter(|byte| !b"^$".contains(byte)).collect();
            let known = text.replace('$', "").find('^').unwrap();
            let begin = text.replace('^', "").find('$').unwrap();
            assert_eq!(begin_of_condition(&plain, known), (begin, nots), "{text}");
        }
    }

    fn place(line: u32, column: u32) -> Place {
        Place { file: "a.c".into(), line, column }
    }

    #[test]
    fn a_not_is_found_from_where_the_decision_begins() {
        let text = Text::new(b"\nif (!(1 == a) && b)\n".to_vec());
        assert_eq!(text.condition(&place(2, 12), &place(2, 5)), (place(2, 5), true));
        assert_eq!(text.condition(&place(2, 18), &place(2, 5)), (place(2, 18), false));
        assert_eq!(text.condition(&place(9, 1), &place(2, 5)), (place(9, 1), false));
    }

    #[test]
    fn statements_are_apart() {
        let text = Text::new(b"int a[n];\nif (a[i]\n  && b)".to_vec());
        assert!(text.are_apart(&place(1, 7), &place(3, 3)));
        assert!(!text.are_apart(&place(2, 5), &place(3, 3)));
        let text = Text::new(b"if (a == ';'\n && b)".to_vec());
        assert!(!text.are_apart(&place(1, 5), &place(2, 2)));
    }
}
