//! Pointers and numbers that belong together: `start`, `pointer` and `end` of one buffer, a buffer and its length.
//!
//! Told by names and types alone. Drivers give related pointers one piece of memory, and lengths that fit it;
//! unrelated ones would make loops run out of memory that no program has so, and hide overruns of what it has.

/// Pointers into one piece of memory; members or parameters by their position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// Has the memory.
    pub(crate) start: usize,
    /// Points behind its last element.
    pub(crate) end: Option<usize>,
    /// Point somewhere into it.
    pub(crate) cursors: Vec<usize>,
    /// Point behind what is used of it: not before the cursors.
    pub(crate) marks: Vec<usize>,
}

impl Range {
    /// Nothing else says how much of the memory is left, so the start itself lies anywhere in it.
    pub(crate) fn start_moves(&self) -> bool {
        self.cursors.is_empty()
    }

    /// Has no memory of its own.
    pub(crate) fn derives(&self, position: usize) -> bool {
        self.end == Some(position) || self.cursors.contains(&position) || self.marks.contains(&position)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Start,
    Cursor,
    End,
    None,
}

const STARTS: &[&str] =
    &["start", "begin", "base", "buf", "buffer", "first", "data", "mem", "bytes", "origin"];
const CURSORS: &[&str] =
    &["cur", "curr", "current", "cursor", "ptr", "pointer", "pos", "position", "next", "here", "p", "at"];
const ENDS: &[&str] = &["end", "limit", "lim", "last", "stop", "eos", "fence", "bound"];
/// Of stacks and queues: where something is, and behind what is used. Lists have such members too, so they say
/// something only beside a start and an end.
const TOPS: &[&str] = &["top", "head", "front", "read", "write"];
const TAILS: &[&str] = &["tail", "back", "rear"];
/// Words of numbers that say how many elements there are, and where in them something is.
const LENGTHS: &[&str] = &[
    "len",
    "length",
    "size",
    "count",
    "cnt",
    "n",
    "num",
    "capacity",
    "cap",
    "allocated",
    "alloc",
    "capa",
    "used",
    "avail",
    "entries",
    "elements",
    "items",
    "filled",
];
const OFFSETS: &[&str] = &["offset", "off", "pos", "position", "index", "idx"];

/// Ranges among pointers of one type each: position, name and type.
pub(crate) fn ranges<T: PartialEq>(pointers: &[(usize, &str, T)]) -> Vec<Range> {
    let mut found = Vec::new();
    for (number, (_, _, ty)) in pointers.iter().enumerate() {
        if pointers[..number].iter().any(|(_, _, other)| other == ty) {
            continue;
        }
        let alike: Vec<(usize, &str)> = pointers
            .iter()
            .filter(|(_, _, other)| other == ty)
            .map(|(position, name, _)| (*position, *name))
            .collect();
        found.extend(range(&alike));
    }
    found
}

/// The same among parameters, of which the function says more by comparing them: `before` gives the names of those that
/// point into the same memory and not before one. Names add what nothing is known of, and say nothing against it.
pub(crate) fn with_spans<'n, T: PartialEq>(
    pointers: &[(usize, &'n str, T)],
    before: impl Fn(usize) -> &'n [String],
) -> Vec<Range> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, _, ty) in pointers {
        let is_after = |name: &str| before(*at).iter().any(|after| after == name);
        let mut group = vec![*at];
        group.extend(pointers.iter().filter(|(_, name, other)| other == ty && is_after(name)).map(|p| p.0));
        let (known, rest) = groups
            .into_iter()
            .partition(|known: &Vec<usize>| known.iter().any(|position| group.contains(position)));
        groups = rest;
        let known: Vec<Vec<usize>> = known;
        group.extend(known.into_iter().flatten());
        group.sort_unstable();
        group.dedup();
        groups.push(group);
    }
    let name = |at: usize| pointers.iter().find(|p| p.0 == at).map_or("", |p| p.1);
    // How many are before it, less those behind it.
    let rank = |at: usize, group: &[usize]| {
        let behind = before(at).iter().filter(|after| group.iter().any(|other| name(*other) == **after));
        let ahead = group.iter().filter(|other| before(**other).iter().any(|after| after == name(at)));
        ahead.count() as i64 - behind.count() as i64
    };
    let mut found = ranges(pointers);
    for mut group in groups.into_iter().filter(|group| group.len() > 1) {
        let has = |range: &Range, at: &usize| range.start == *at || range.derives(*at);
        if found.iter().any(|range| group.iter().all(|at| has(range, at))) {
            continue;
        }
        found.retain(|range| !group.iter().any(|at| has(range, at)));
        let order = group.clone();
        group.sort_by_key(|at| (rank(*at, &order), is_end(name(*at)), *at));
        let (start, end) = (group.remove(0), group.pop());
        found.push(Range { start, end, cursors: group, marks: Vec::new() });
    }
    found
}

fn range(pointers: &[(usize, &str)]) -> Option<Range> {
    let with = |role: Role| pointers.iter().filter(move |(_, name)| role_of(name) == role).map(|(at, _)| *at);
    let ends: Vec<usize> = with(Role::End).collect();
    let mut cursors: Vec<usize> = with(Role::Cursor).collect();
    let mut others = with(Role::None);
    let start = match with(Role::Start).next() {
        Some(start) => start,
        None if !ends.is_empty() && !cursors.is_empty() => cursors.remove(0),
        // `(text, end)`: the only one that can be meant.
        None if !ends.is_empty() => others.next().filter(|_| others.next().is_none())?,
        None => return None,
    };
    let end = ends
        .iter()
        .copied()
        .find(|at| pointers.iter().any(|(p, name)| p == at && words(name).contains(&"end".into())));
    let end = end.or(ends.first().copied());
    let mut marks: Vec<usize> = ends.iter().copied().filter(|at| Some(*at) != end).collect();
    if end.is_some() && pointers.iter().any(|(at, name)| *at == start && role_of(name) == Role::Start) {
        let called = |list: &'static [&str]| {
            let says = move |name: &str| words(name).iter().any(|word| list.contains(&word.as_str()));
            let rest = pointers.iter().filter(|(_, name)| role_of(name) == Role::None);
            rest.filter(move |(_, name)| says(name)).map(|(at, _)| *at)
        };
        cursors.extend(called(TOPS));
        marks.extend(called(TAILS));
    }
    (end.is_some() || !cursors.is_empty()).then_some(Range { start, end, cursors, marks })
}

fn role_of(name: &str) -> Role {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let lower = name.to_lowercase();
    if has(ENDS) || lower.ends_with("end") || lower.ends_with("limit") {
        Role::End
    } else if has(CURSORS) {
        Role::Cursor
    } else if has(STARTS) {
        Role::Start
    } else {
        Role::None
    }
}

/// A pointer that says where something ends.
pub(crate) fn is_end(name: &str) -> bool {
    role_of(name) == Role::End
}

/// The pointer whose elements a number counts or names one of.
pub(crate) fn counted<'n>(number: &str, pointers: &[&'n str]) -> Option<&'n str> {
    let words = words(number);
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let only = match pointers {
        [only] => Some(*only),
        _ => None,
    };
    let whole = words.iter().all(|word| {
        LENGTHS.contains(&word.as_str())
            || OFFSETS.contains(&word.as_str())
            || word == "max"
            || word == "total"
    });
    if whole && (says(LENGTHS) || says(OFFSETS)) {
        return only;
    }
    let lower = number.to_lowercase();
    let is_length = says(LENGTHS) || ["len", "size", "count", "cnt"].iter().any(|word| lower.ends_with(word));
    if !is_length {
        return None;
    }
    if let Some(pointer) = abbreviated(number, pointers) {
        return Some(pointer);
    }
    let mut scored: Vec<(usize, &str)> =
        pointers.iter().map(|name| (common_part(&lower, &name.to_lowercase()), *name)).collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    match scored[..] {
        [(best, name)] if best >= 3 => Some(name),
        [(best, name), (second, _), ..] if best > second && best >= 3 => Some(name),
        _ => None,
    }
}

/// The pointer that a number is named after: `nservers` of `servers`, `n_args` of `args`, `nsort` of `sortlist`.
pub(crate) fn numbered<'n>(number: &str, pointers: &[&'n str]) -> Option<&'n str> {
    let lower = number.to_lowercase();
    let of = lower.strip_prefix('n')?.trim_start_matches('_');
    // The beginning of a name could be that of a word, as in `next`.
    let is_meant = |name: &str| of.len() >= 3 && name == of || of.len() >= 4 && name.starts_with(of);
    let mut meant = pointers.iter().filter(|name| is_meant(&name.to_lowercase()));
    meant.next().filter(|_| meant.next().is_none()).copied()
}

/// The only pointer whose name begins as that of a length does: `klen` of `key` and `val` is the one of `key`.
pub(crate) fn abbreviated<'n>(length: &str, pointers: &[&'n str]) -> Option<&'n str> {
    let lower = length.to_lowercase();
    let begin = LENGTH_ENDINGS.iter().find_map(|word| lower.strip_suffix(word))?.trim_end_matches('_');
    let mut meant = pointers.iter().filter(|name| name.to_lowercase().starts_with(begin));
    meant.next().filter(|_| !begin.is_empty() && meant.next().is_none()).copied()
}

const LENGTH_ENDINGS: &[&str] = &["length", "len", "size", "count", "cnt", "num", "sz"];

/// Of a number that says how much memory there is, be it used or not.
pub(crate) const CAPACITY: u32 = 2;

/// How surely a number says where the memory behind its pointer ends: 0, not at all; a capacity more than a length.
pub(crate) fn ends_memory(number: &str) -> u32 {
    let words = words(number);
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let lower = number.to_lowercase();
    if says(&["capacity", "cap", "allocated", "size", "max"]) || lower.ends_with("size") {
        CAPACITY
    } else if says(&["len", "length"]) || lower.ends_with("len") || lower.ends_with("length") {
        1
    } else if says(&["byte", "bytes"]) && says(&["count", "num", "n"]) || lower == "nbytes" {
        // A count of bytes is a length; one of other things may be how many of them are in use.
        1
    } else {
        0
    }
}

/// A number that says how much room there is, though maybe not of the elements that the pointer leads to: `alloc`.
pub(crate) fn is_room(number: &str) -> bool {
    words(number).iter().any(|word| ["alloc", "capa"].contains(&word.as_str()))
}

/// A pointer to what is there to be filled: `dst`, `outbuf`.
pub(crate) fn is_to_be_filled(pointer: &str) -> bool {
    let named =
        ["dst", "dest", "destination", "out", "output", "to", "target", "buf", "buff", "buffer", "outbuf"];
    words(pointer).iter().any(|word| named.contains(&word.as_str()))
}

/// A pointer that leads to a length, not to what has one: `size_written`.
pub(crate) fn leads_to_length(name: &str) -> bool {
    words(name).iter().any(|word| ["len", "length", "size", "count", "cnt"].contains(&word.as_str()))
}

/// A name that says length and nothing about whose: `len`, `n`, `alen`.
pub(crate) fn is_bare_length(number: &str) -> bool {
    let lower = number.to_lowercase();
    let rest = LENGTH_ENDINGS.iter().find_map(|word| lower.strip_suffix(word));
    lower == "n" || rest.is_some_and(|rest| rest.trim_end_matches('_').len() <= 2)
}

/// `bufEnd`, `buf_end` -> buf, end.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before_upper = false;
    for letter in name.chars() {
        if !letter.is_ascii_alphabetic() || (letter.is_ascii_uppercase() && !before_upper) {
            words.push(String::new());
        }
        before_upper = letter.is_ascii_uppercase();
        if let Some(word) = words.last_mut().filter(|_| letter.is_ascii_alphabetic()) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The length of the longest common substring.
pub(crate) fn common_part(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut best = 0;
    let mut row = vec![0; other.len() + 1];
    for left in one {
        for at in (0..other.len()).rev() {
            row[at + 1] = if other[at] == *left { row[at] + 1 } else { 0 };
            best = best.max(row[at + 1]);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Vec<Range> {
        let pointers: Vec<(usize, &str, ())> =
            names.iter().enumerate().map(|(at, name)| (at, *name, ())).collect();
        ranges(&pointers)
    }

    #[test]
    fn pointers_into_one_buffer() {
        let range = |start, end, cursors: &[usize], marks: &[usize]| {
            vec![Range { start, end, cursors: cursors.to_vec(), marks: marks.to_vec() }]
        };
        assert_eq!(of(&["start", "end", "pointer"]), range(0, Some(1), &[2], &[]));
        assert_eq!(of(&["start", "end", "pointer", "last"]), range(0, Some(1), &[2], &[3]));
        assert_eq!(of(&["p", "end"]), range(0, Some(1), &[], &[]));
        assert_eq!(of(&["text", "textEnd"]), range(0, Some(1), &[], &[]));
        assert_eq!(of(&["buffer", "bufferPtr", "bufferEnd", "bufferLim"]), range(0, Some(2), &[1], &[3]));
        assert_eq!(of(&["base", "ptr"]), range(0, None, &[1], &[]));
        assert_eq!(of(&["start", "end", "top"]), range(0, Some(1), &[2], &[]));
        assert_eq!(of(&["start", "end", "head", "tail"]), range(0, Some(1), &[2], &[3]));
        assert!(of(&["head", "tail"]).is_empty(), "a list");
        assert!(of(&["name", "value"]).is_empty());
        assert!(of(&["src", "dst", "end"]).is_empty(), "either could be meant");
        assert!(of(&["end"]).is_empty());
        let mixed = [(0, "start", 'c'), (1, "end", 'i')];
        assert!(ranges(&mixed).is_empty(), "of different types");
    }

    #[test]
    fn what_a_function_compares_is_one_piece() {
        let names = ["target", "target_end", "text", "text_end", "text_range"];
        let pointers: Vec<(usize, &str, ())> =
            names.iter().enumerate().map(|(at, name)| (at, *name, ())).collect();
        let lists: [&[&str]; 5] = [&["target_end"], &[], &["text_end", "text_range"], &[], &["text_end"]];
        let before: Vec<Vec<String>> =
            lists.iter().map(|names| names.iter().map(|name| (*name).to_owned()).collect()).collect();
        let range = |start, end, cursors: &[usize]| Range {
            start,
            end: Some(end),
            cursors: cursors.to_vec(),
            marks: Vec::new(),
        };
        let found = with_spans(&pointers, |at| &before[at]);
        assert_eq!(found, [range(0, 1, &[]), range(2, 3, &[4])]);
        // What names tell of more than that stands.
        let pointers = [(0, "start", ()), (1, "ptr", ()), (2, "end", ())];
        let before = [vec![], vec!["end".to_owned()], vec![]];
        assert_eq!(with_spans(&pointers, |at| &before[at]), [range(0, 2, &[1])]);
    }

    #[test]
    fn numbers_that_count() {
        assert_eq!(counted("length", &["content"]), Some("content"));
        assert_eq!(counted("offset", &["content"]), Some("content"));
        assert_eq!(counted("ByteCount", &["Bytes"]), Some("Bytes"));
        assert_eq!(
            counted("ExtensionBlockCount", &["RasterBits", "ExtensionBlocks"]),
            Some("ExtensionBlocks")
        );
        assert_eq!(counted("line_count", &["text"]), None, "counts something else");
        assert_eq!(counted("length", &["key", "value"]), None, "either");
        assert_eq!(counted("number", &["name"]), None);
        assert_eq!(counted("klen", &["key", "value"]), Some("key"));
        assert_eq!(counted("v_size", &["key", "value"]), Some("value"));
        assert_eq!(counted("slen", &["source", "sink"]), None, "either");
        assert_eq!(counted("wlen", &["key", "value"]), None, "neither");
        assert_eq!(counted("depth", &["stack"]), None);
    }

    #[test]
    fn numbers_named_after_what_they_count() {
        assert_eq!(numbered("nservers", &["servers", "sortlist"]), Some("servers"));
        assert_eq!(numbered("nsort", &["servers", "sortlist"]), Some("sortlist"));
        assert_eq!(numbered("n_args", &["args"]), Some("args"));
        assert_eq!(numbered("name", &["ame"]), Some("ame"));
        assert_eq!(numbered("nser", &["servers", "services"]), None, "either");
        assert_eq!(numbered("number", &["names"]), None);
        assert_eq!(numbered("next", &["extra"]), None, "no prefix of it");
        assert_eq!(numbered("nx", &["x"]), None, "too short");
    }

    #[test]
    fn numbers_that_end_memory() {
        let of = ["buflen", "length", "buf_size", "capacity", "count", "n", "offset"].map(ends_memory);
        assert_eq!(of, [1, 1, 2, 2, 0, 0, 0]);
        let of = ["ByteCount", "num_bytes", "nbytes", "LineCount", "bytes_read"].map(ends_memory);
        assert_eq!(of, [1, 1, 1, 0, 0]);
    }

    #[test]
    fn lengths_of_anything() {
        for (name, bare) in [
            ("len", true),
            ("n", true),
            ("in", false),
            ("alen", true),
            ("p_size", true),
            ("buflen", false),
            ("max_udp_size", false),
        ] {
            assert_eq!(is_bare_length(name), bare, "{name}");
        }
    }

    #[test]
    fn words_of_names() {
        assert_eq!(words("bufEnd"), ["buf", "end"]);
        assert_eq!(words("buf_end2"), ["buf", "end"]);
        assert_eq!(words("URLEnd"), ["urlend"]);
        assert_eq!(words("p"), ["p"]);
    }

    #[test]
    fn common_parts() {
        assert_eq!(common_part("buffer_len", "buffer"), 6);
        assert_eq!(common_part("abc", "xyz"), 0);
        assert_eq!(common_part("", "x"), 0);
    }
}
