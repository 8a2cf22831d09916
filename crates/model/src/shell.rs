//! Splits a command line into words as a POSIX shell does: quotes and backslashes, no expansion.
//!
//! Also serves response files, whose rules are the same for what occurs in practice.

/// None when a quote is not closed.
pub(crate) fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_ascii_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => match chars.next()? {
                            '\n' => {}
                            c @ ('"' | '\\' | '$' | '`') => word.push(c),
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(c) => word.get_or_insert_default().push(c),
                None => word.get_or_insert_default().push('\\'),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[&str]) {
        assert_eq!(split(line).unwrap(), expected, "{line}");
    }

    #[test]
    fn words() {
        check("", &[]);
        check("  cc   -c\ta.c\n", &["cc", "-c", "a.c"]);
        check(r#"cc -DNAME=\"x\" a.c"#, &["cc", "-DNAME=\"x\"", "a.c"]);
        check(r#"cc "-DNAME=\"a b\"" 'c d.c'"#, &["cc", "-DNAME=\"a b\"", "c d.c"]);
        check(r#"cc '-DQ="it"' -D"E=a\nb""#, &["cc", "-DQ=\"it\"", r"-DE=a\nb"]);
        check(r"cc a\ b.c ''", &["cc", "a b.c", ""]);
    }

    #[test]
    fn open_quotes_are_refused() {
        assert_eq!(split("cc 'a.c"), None);
        assert_eq!(split("cc \"a.c"), None);
    }
}
