//! Reads what AddressSanitizer, UBSan and a failed `assert` print.
//!
//! Only the shapes that the sanitizers are known to print are taken as findings; anything else is left.

use serde::{Deserialize, Serialize};
use wire::{Class, NULL_PAGE};

/// One line of a stack trace that has a source location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// One fault that a sanitizer reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub class: Class,
    /// The sanitizer's own words, one line.
    pub message: String,
    /// Innermost first; frames without source are left out.
    pub frames: Vec<Frame>,
    /// Of a call of address zero, which leaves no frame of whoever made it: who called that one, innermost first.
    #[serde(default)]
    pub callers: Vec<Frame>,
    /// The block of memory that an access missed by little.
    #[serde(default)]
    pub missed: Option<Missed>,
    /// Where nothing was, as far as the processor says.
    #[serde(default)]
    pub address: Option<u64>,
}

/// A block on the heap, and on which side of it an access was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    pub before: bool,
    /// Something was to be written there.
    pub write: bool,
    /// Where it was allocated, innermost first; frames without source are left out.
    pub allocated: Vec<Frame>,
}

/// Everything that the text of a run reports, in order.
pub fn findings(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            let mut frames = Vec::new();
            while let Some(frame) = lines.peek().and_then(|line| frame(line)) {
                frames.extend(frame);
                lines.next();
            }
            if frames.is_empty() {
                frames.extend(location(place).map(|(file, line, column)| Frame {
                    function: String::new(),
                    file,
                    line,
                    column,
                }));
            }
            let (class, message) = (undefined_behaviour(message), message.to_owned());
            found.push(Finding { class, message, frames, callers: Vec::new(), missed: None, address: None });
        } else if let Some((_, message)) = line.split_once("ERROR: AddressSanitizer: ") {
            let mut frames = Vec::new();
            let mut notes = String::new();
            for next in lines.by_ref() {
                match frame(next) {
                    Some(frame) => frames.extend(frame),
                    None if next.trim().is_empty() && !frames.is_empty() => break,
                    None => {
                        notes.push_str(next);
                        notes.push('\n');
                    }
                }
            }
            // The trace begins with the callers of the one that made the call.
            let is_call_of_zero = notes.contains("pc points to the zero page");
            let callers = if is_call_of_zero { std::mem::take(&mut frames) } else { Vec::new() };
            let address = unknown_address(message);
            let (class, message) = (address_fault(message, &notes), shorten(message));
            let write = notes.contains("WRITE of size");
            let missed = missed(&mut lines).map(|missed| Missed { write, ..missed });
            found.push(Finding { class, message, frames, callers, missed, address });
        } else if let Some(finding) = assertion(line) {
            found.push(finding);
        }
    }
    found
}

/// `0x602 is located 8 bytes before 11-byte region`, and the stack of its allocation.
fn missed<'t>(lines: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>) -> Option<Missed> {
    let place = lines.next_if(|line| line.contains(" is located ") && line.contains("-byte region"))?;
    lines.next_if(|line| line.starts_with("allocated by thread"))?;
    let mut allocated = Vec::new();
    while let Some(frame) = lines.peek().and_then(|line| frame(line)) {
        allocated.extend(frame);
        lines.next();
    }
    Some(Missed { before: place.contains(" before "), write: false, allocated })
}

/// `SEGV on unknown address 0x000000000009 (pc ...`
fn unknown_address(message: &str) -> Option<u64> {
    let (_, address) = message.split_once("unknown address 0x")?;
    u64::from_str_radix(address.split_whitespace().next()?, 16).ok()
}

/// `#0 0x4e in f /dir/a.c:12:5`; Some(None): a frame without source.
fn frame(line: &str) -> Option<Option<Frame>> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (_, rest) = rest.split_once(" 0x")?;
    let with_source = || {
        let (function, place) = rest.split_once(" in ")?.1.split_once(' ')?;
        let (file, line, column) = location(place)?;
        Some(Frame { function: function.to_owned(), file, line, column })
    };
    Some(with_source())
}

/// `/dir/a.c:12:5`, or `/dir/a.c:12`.
fn location(text: &str) -> Option<(String, u32, u32)> {
    let (head, last) = text.trim().rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match head.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => Some((file.to_owned(), line, last)),
        None => Some((head.to_owned(), last, 0)),
    }
}

fn undefined_behaviour(message: &str) -> Class {
    let has = |words: &str| message.contains(words);
    if has("out of bounds for type") {
        Class::OutOfBounds
    } else if has("division by zero") {
        Class::DivisionByZero
    } else if has("null pointer") {
        Class::NullDereference
    } else if has("shift") {
        Class::InvalidShift
    } else if has("cannot be represented in type") {
        Class::SignedOverflow
    } else {
        Class::Other
    }
}

fn address_fault(message: &str, notes: &str) -> Class {
    let has = |words: &str| message.contains(words);
    if has("use-after-free") || has("use-after-return") || has("use-after-scope") {
        Class::UseAfterFree
    } else if has("double-free") {
        Class::DoubleFree
    } else if has("buffer-overflow")
        || has("buffer-underflow")
        || has("param-overlap")
        || has("negative-size-param")
        || has("dynamic-stack-buffer")
        || has("unknown-crash")
        || has("use-after-poison")
    // of an empty block, see replay.c
    {
        if has("param-overlap") { Class::Other } else { Class::OutOfBounds }
    } else if has("stack-overflow") {
        Class::StackOverflow
    } else if has("SEGV") {
        // The sanitizer's hint is about the first page only.
        let is_low = unknown_address(message).is_some_and(|address| address < NULL_PAGE);
        if is_low || notes.contains("zero page") { Class::NullDereference } else { Class::OutOfBounds }
    } else if has("FPE") {
        Class::DivisionByZero
    } else if has("ABRT") {
        Class::Assertion
    } else {
        Class::Other
    }
}

/// `prog: a.c:12: f: Assertion `x' failed.` as glibc prints it.
fn assertion(line: &str) -> Option<Finding> {
    let head = line.strip_suffix("' failed.")?;
    let (before, expression) = head.split_once(": Assertion `")?;
    let (place, function) = before.rsplit_once(": ")?;
    let place = place.split_once(": ").map_or(place, |(_, place)| place);
    let (file, line, column) = location(place)?;
    Some(Finding {
        class: Class::Assertion,
        message: format!("assertion `{expression}` failed"),
        frames: vec![Frame { function: name_in(function).to_owned(), file, line, column }],
        callers: Vec::new(),
        missed: None,
        address: None,
    })
}

/// Clang gives `assert` the whole signature, `int f(const char *)`.
fn name_in(signature: &str) -> &str {
    let head = signature.split_once('(').map_or(signature, |(head, _)| head).trim_end();
    head.rsplit([' ', '*']).next().unwrap_or(head)
}

/// Addresses differ from run to run and tell a reader nothing.
fn shorten(message: &str) -> String {
    message
        .split(" on address ")
        .next()
        .unwrap_or(message)
        .split(" on unknown address")
        .next()
        .unwrap_or("")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_overflow() {
        let text = "\
=================================================================
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55 bp 0x7f sp 0x7e
WRITE of size 1 at 0x602 thread T0
    #0 0x55d in put /src/a.c:12:5
    #1 0x55e  (/bin/prog+0x12) (BuildId: 77)
    #2 0x55e  (/lib/libc.so.6+0x12)
    #3 0x55f in run /src/b.c:3

0x602 is located 0 bytes after 10-byte region [0x5f8,0x602)
allocated by thread T0 here:
    #0 0x55e  (/bin/prog+0x12) (BuildId: 77)
    #1 0x55f in make /src/c.c:7:9

SUMMARY: AddressSanitizer: heap-buffer-overflow
";
        let found = findings(text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].class, Class::OutOfBounds);
        assert_eq!(found[0].message, "heap-buffer-overflow");
        let places: Vec<_> = found[0].frames.iter().map(|f| (f.function.as_str(), f.line)).collect();
        assert_eq!(places, [("put", 12), ("run", 3)]);
        let missed = found[0].missed.as_ref().expect("the block is told");
        assert_eq!((missed.before, missed.allocated[0].function.as_str()), (false, "make"));
    }

    #[test]
    fn undefined_behaviour_with_and_without_a_stack() {
        let text = "\
/src/a.c:9:3: runtime error: index 10 out of bounds for type 'int[10]'
    #0 0x1 in get /src/a.c:9:3
/src/a.c:20:14: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'
";
        let found = findings(text);
        assert_eq!(
            found.iter().map(|f| f.class).collect::<Vec<_>>(),
            [Class::OutOfBounds, Class::SignedOverflow]
        );
        assert_eq!(found[0].frames[0].function, "get");
        assert_eq!((found[1].frames[0].line, found[1].frames[0].column), (20, 14));
    }

    #[test]
    fn null_and_wild_addresses_are_told_apart() {
        let of = |address: &str| {
            let text = format!(
                "==7==ERROR: AddressSanitizer: SEGV on unknown address{address} (pc 0x1)\n\
                 ==7==The signal is caused by a READ memory access.\n    #0 0x1 in f /a.c:1:1\n"
            );
            let found = findings(&text).remove(0);
            (found.class, found.address)
        };
        assert_eq!(of(" 0x0"), (Class::NullDereference, Some(0)));
        assert_eq!(of(" 0x000000002fe0"), (Class::NullDereference, Some(0x2fe0)), "a late member");
        assert_eq!(of(" 0x7fff00000000"), (Class::OutOfBounds, Some(0x7fff_0000_0000)));
        assert_eq!(of(""), (Class::OutOfBounds, None));
        assert_eq!(unknown_address("SEGV on unknown address 0x00000000001f (pc 0x1)"), Some(31));
        assert_eq!(unknown_address("SEGV on unknown address (pc 0x1)"), None, "what is no address at all");
    }

    #[test]
    fn an_assertion_of_the_program() {
        let found = findings("replay: /src/a.c:31: check: Assertion `n < 4' failed.\n");
        assert_eq!(found[0].class, Class::Assertion);
        assert_eq!(found[0].frames[0].line, 31);
        assert_eq!(found[0].frames[0].function, "check");
    }

    #[test]
    fn names_in_signatures() {
        for (signature, name) in [
            ("check", "check"),
            ("unsigned int frame_sequence(const frame *)", "frame_sequence"),
            ("char *copy(int (*)(void), int)", "copy"),
            ("void f(void)", "f"),
        ] {
            assert_eq!(name_in(signature), name);
        }
    }

    #[test]
    fn who_calls_address_zero_is_not_in_the_trace() {
        let text = "\
==7==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x0 bp 0x7 sp 0x7 T0)
==7==Hint: pc points to the zero page.
==7==Hint: address points to the zero page.
    #0 0x000000000000 (<unknown module>)
    #1 0x55 in caller_of_the_caller /src/a.c:140:11
";
        let found = findings(text);
        assert_eq!((found[0].class, found[0].frames.len()), (Class::NullDereference, 0));
        let callers = found[0].callers.iter().map(|frame| frame.function.as_str());
        assert_eq!(callers.collect::<Vec<_>>(), ["caller_of_the_caller"]);
    }

    #[test]
    fn other_text_is_no_finding() {
        assert!(findings("hello: world\nrandom #0 text\n: runtime error\n").is_empty());
    }
}
