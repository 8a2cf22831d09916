//! What made a check fail, as far as the driver is to blame: it sets every member of an object on its own, and makes
//! null whatever may be null, while the program keeps members that belong together in step.
//!
//! Two kinds of causes are the driver's liberty: pointers that it made null, and numbers that are members of objects or
//! globals of the program.
//! Parameters, the contents of buffers and whatever comes from outside are what a caller or an attacker chooses.

/// An input that a violated condition looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looked<'a> {
    /// `list->items[3].name`.
    pub path: &'a str,
    /// Of an array or buffer, more than one.
    pub elements: usize,
    /// A global or a static local that the program sets.
    pub is_global: bool,
}

/// The members and globals that a violation depends on, without the numbers of elements; none when it depends on
/// something else too, or on nothing that is known.
pub fn members(looked: &[Looked<'_>]) -> Vec<String> {
    if looked.iter().any(|input| input.elements > 1 || !(input.is_global || is_member(input.path))) {
        return Vec::new();
    }
    let mut members: Vec<String> = looked.iter().map(|input| without_numbers(input.path)).collect();
    members.sort();
    members.dedup();
    members
}

/// A member of something, by the path of its slot; what a stub gave is none.
pub fn is_member(path: &str) -> bool {
    (path.contains("->") || path.contains('.')) && !path.contains(['(', ')', '?'])
}

/// `a->b[12].c` -> `a->b[].c`: elements of one array are in the same case.
pub fn without_numbers(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    let mut inside = false;
    for letter in path.chars() {
        match letter {
            '[' => inside = true,
            ']' => inside = false,
            digit if inside && digit.is_ascii_digit() => continue,
            _ => {}
        }
        text.push(letter);
    }
    text
}

/// `s->items[].at` -> `s`: the object that a member belongs to; none of a null pointer.
pub fn object(root: &str) -> Option<&str> {
    let end = root.find("->").into_iter().chain(root.find('.')).min()?;
    (!root.contains(' ')).then(|| &root[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(paths: &[(&str, usize)]) -> Vec<String> {
        let looked = paths.iter().map(|(path, elements)| Looked {
            path,
            elements: *elements,
            is_global: *path == "here",
        });
        let looked: Vec<Looked<'_>> = looked.collect();
        members(&looked)
    }

    #[test]
    fn numbers_in_objects_are_members() {
        assert_eq!(
            of(&[("s->last", 1), ("s->items[3].at", 1), ("s->items[1].at", 1)]),
            ["s->items[].at", "s->last"]
        );
        assert_eq!(of(&[("state.at", 1)]), ["state.at"]);
        assert_eq!(of(&[("state.at", 1), ("here", 1)]), ["here", "state.at"], "a global");
    }

    #[test]
    fn objects_of_members() {
        assert_eq!(object("s->items[].at"), Some("s"));
        assert_eq!(object("state.list->at"), Some("state"));
        assert_eq!(object("s->list is null"), None);
        assert_eq!(object("n"), None);
    }

    #[test]
    fn parameters_buffers_and_results_of_stubs_are_not() {
        assert!(of(&[]).is_empty());
        assert!(of(&[("n", 1)]).is_empty());
        assert!(of(&[("s->last", 1), ("n", 1)]).is_empty(), "a parameter takes part");
        assert!(of(&[("s->text", 10)]).is_empty(), "contents");
        assert!(of(&[("next()->at", 1)]).is_empty());
    }
}
