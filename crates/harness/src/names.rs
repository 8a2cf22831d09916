//! Identifiers: readable names for generated functions, and names that do not collide with the program's.

use std::collections::BTreeSet;

/// The identifiers in C text, outside of strings and comments.
pub(crate) fn words(text: &str) -> BTreeSet<&str> {
    let bytes = text.as_bytes();
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + 2 + end + 2);
            }
            byte if byte == b'_' || byte.is_ascii_alphabetic() => {
                let start = at;
                while at < bytes.len() && (bytes[at] == b'_' || bytes[at].is_ascii_alphanumeric()) {
                    at += 1;
                }
                found.insert(&text[start..at]);
            }
            // A number with its suffix: `0x1fu` is no identifier.
            byte if byte.is_ascii_digit() => {
                while at < bytes.len() && (bytes[at] == b'_' || bytes[at].is_ascii_alphanumeric()) {
                    at += 1;
                }
            }
            _ => at += 1,
        }
    }
    found
}

/// Tags are names of their own kind: `struct node *node` is no conflict.
pub(crate) fn without_tags(spelling: &str) -> String {
    let mut kept = Vec::new();
    let mut after_keyword = false;
    for word in spelling.split(' ') {
        if !after_keyword {
            kept.push(word);
        }
        after_keyword = ["struct", "union", "enum"].iter().any(|keyword| word.ends_with(keyword));
    }
    kept.join(" ")
}

/// A type's spelling as part of an identifier: `const struct node *` gives `struct_node_ptr`.
pub(crate) fn from_spelling(spelling: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut word = String::new();
    for letter in spelling.chars().chain([' ']) {
        if letter == '_' || letter.is_ascii_alphanumeric() {
            word.push(letter);
            continue;
        }
        if !word.is_empty() && !matches!(word.as_str(), "const" | "volatile" | "restrict" | "__typeof__") {
            parts.push(word.trim_start_matches('_').to_owned());
        }
        word.clear();
        match letter {
            '*' => parts.push("ptr".into()),
            '[' => parts.push("array".into()),
            _ => {}
        }
    }
    if parts.is_empty() { "type".into() } else { parts.join("_") }
}

/// As `from_spelling`, for types that are written through a member: `__typeof__(((struct a *)0)->b)` gives
/// `struct_a_b`.
pub(crate) fn from_written(written: &str) -> String {
    if !written.contains("*)0)->") && !written.starts_with("__typeof__(*(") && !written.ends_with("*)0)[0])")
    {
        return from_spelling(written);
    }
    from_spelling(&written.replace("*)0", " ").replace("[0]", " element ").replace("(*(", " "))
}

/// Hands out names that were not given before and are not words of the program.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_skip_strings_comments_and_numbers() {
        let found = words("int a1 = f(\"b \\\" c\", 0x1fu); /* d */ e");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a1", "e", "f", "int"]);
    }

    #[test]
    fn spellings_become_identifiers() {
        assert_eq!(from_spelling("const struct node *"), "struct_node_ptr");
        assert_eq!(from_spelling("int (*)(const char *, int[4])"), "int_ptr_char_ptr_int_array_4");
    }

    #[test]
    fn tags_are_no_words() {
        assert_eq!(without_tags("const struct node *(*)(enum e, size_t)"), "const struct *(*)(enum size_t)");
    }

    #[test]
    fn names_are_unique() {
        let mut names = Names::default();
        assert_eq!(names.fresh("a"), "a");
        assert_eq!(names.fresh("a"), "a_2");
    }
}
