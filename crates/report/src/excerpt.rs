//! The failing line in its source, underlined. Without the source there is no excerpt, and no error.

use crate::Style;
use std::fmt::Write;
use std::path::Path;

/// Lines shown before the one that matters.
const BEFORE: u32 = 1;
const TAB: usize = 4;
/// Longer lines are cut around what matters.
const WIDEST: usize = 160;

/// The line at `line` (from 1) of `root/file`, marked from `column` (from 1; 0 = the whole line).
pub fn excerpt(
    root: &Path,
    file: &str,
    line: u32,
    column: u32,
    indent: &str,
    style: Style,
) -> Option<String> {
    let bytes = std::fs::read(root.join(file)).ok()?;
    render(&String::from_utf8_lossy(&bytes), line, column, indent, style)
}

fn render(source: &str, line: u32, column: u32, indent: &str, style: Style) -> Option<String> {
    let lines: Vec<&str> = source.lines().collect();
    let at = usize::try_from(line).ok()?.checked_sub(1)?;
    lines.get(at)?;
    let first = line.saturating_sub(BEFORE).max(1);
    let width = line.to_string().len();
    let mut text = String::new();
    for number in first..=line {
        let content = lines.get(number as usize - 1)?;
        if number != line && content.trim().is_empty() {
            continue;
        }
        let bar = style.faint(format!("{number:>width$} |"));
        let _ = writeln!(text, "{indent}{bar} {}", shorten(&expand(content)));
    }
    let content = lines.get(at)?;
    let (start, length) = span(content, column);
    if start < WIDEST {
        let bar = style.faint(format!("{:>width$} |", ""));
        let marks = style.bad("^".repeat(length.min(WIDEST - start).max(1)));
        let _ = writeln!(text, "{indent}{bar} {}{marks}", " ".repeat(start));
    }
    Some(text)
}

/// Tabs become spaces so that the marks stand where they should; control characters become dots.
fn expand(line: &str) -> String {
    let mut text = String::new();
    for character in line.chars() {
        match character {
            '\t' => text.push_str(&" ".repeat(TAB)),
            control if control.is_control() => text.push('.'),
            other => text.push(other),
        }
    }
    text
}

fn shorten(line: &str) -> String {
    if line.chars().count() <= WIDEST {
        return line.to_owned();
    }
    line.chars().take(WIDEST - 3).chain("...".chars()).collect()
}

/// Where the marks begin and how many there are, in printed characters. Compilers count columns in bytes.
fn span(line: &str, column: u32) -> (usize, usize) {
    let printed = |text: &str| expand(text).chars().count();
    let begin =
        (column as usize).checked_sub(1).filter(|begin| line.is_char_boundary(*begin) && *begin < line.len());
    let Some(begin) = begin else {
        let trimmed = line.trim();
        return (printed(&line[..line.len() - line.trim_start().len()]), printed(trimmed));
    };
    let rest = &line[begin..];
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let word = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
    let first = rest.chars().next().map_or(1, char::len_utf8);
    (printed(&line[..begin]), printed(&rest[..word.max(first)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, line: u32, column: u32, expected: &str) {
        assert_eq!(render(source, line, column, "", Style::PLAIN).as_deref(), Some(expected));
    }

    #[test]
    fn the_word_at_the_column_is_marked() {
        check(
            "int f(void)\n{\n\treturn node->value;\n}\n",
            3,
            9,
            "2 | {\n3 |     return node->value;\n  |            ^^^^\n",
        );
        check("a = b / c;\n", 1, 7, "1 | a = b / c;\n  |       ^\n");
    }

    #[test]
    fn without_a_column_the_whole_line_is_marked() {
        check("\n  x = 1;  \n", 2, 0, "2 |   x = 1;  \n  |   ^^^^^^\n");
    }

    #[test]
    fn places_outside_the_file_show_nothing() {
        assert_eq!(render("x\n", 9, 1, "", Style::PLAIN), None);
        assert_eq!(render("x\n", 0, 1, "", Style::PLAIN), None);
        check("é = 1;\n", 1, 2, "1 | é = 1;\n  | ^^^^^^\n");
        check("x\n", 1, 77, "1 | x\n  | ^\n");
    }
}
