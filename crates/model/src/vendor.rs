//! Words of embedded compilers that clang does not know: `__no_init`, `__interrupt`, `__packed`. Where a file does not
//! parse, those that are left in it after preprocessing are defined: away, or as what they mean here.
//!
//! Only reserved names: `far` may be somebody's variable. Nor names that the C library's headers use.

use crate::database::CompileCommand;
use crate::variants::preprocess;

/// Where data lies, how interrupts are entered, what the linker keeps: nothing of it changes what a function computes.
const LEFT_OUT: &[&str] = &[
    "__absolute",
    "__arm",
    "__bank",
    "__banked",
    "__cdecl",
    "__cregister",
    "__critical",
    "__data16",
    "__data20",
    "__eeprom",
    "__evenaccess",
    "__far",
    "__farflash",
    "__fastcall",
    "__fiq",
    "__flash",
    "__huge",
    "__hugeflash",
    "__idata",
    "__interrupt",
    "__intrinsic",
    "__irq",
    "__memx",
    "__monitor",
    "__near",
    "__nested",
    "__no_init",
    "__pdata",
    "__persistent",
    "__ramfunc",
    "__reentrant",
    "__root",
    "__saddr",
    "__softfp",
    "__stackless",
    "__stdcall",
    "__task",
    "__thumb",
    "__tiny",
    "__trap",
    "__value_in_regs",
    "__xdata",
];

/// With an argument: the number of an interrupt, an address.
const LEFT_OUT_WITH_ARGUMENT: &[&str] = &[
    "__at",
    "__bank",
    "__fiq",
    "__global_reg",
    "__interrupt",
    "__irq",
    "__location",
    "__svc",
    "__svc_indirect",
    "__swi",
    "__trap",
    "__using",
];

const TRANSLATED: &[(&str, &str)] = &[
    ("__bit", "_Bool"),
    ("__forceinline", "inline __attribute__((always_inline))"),
    ("__int16", "short"),
    ("__int32", "int"),
    ("__int64", "long long"),
    ("__int8", "char"),
    ("__noreturn", "__attribute__((noreturn))"),
    ("__packed", "__attribute__((packed))"),
    ("__sfr", "volatile unsigned char"),
    ("__weak", "__attribute__((weak))"),
];

const TRANSLATED_WITH_ARGUMENT: &[(&str, &str)] = &[("__align", "__attribute__((aligned(number)))")];

/// Keywords of some compilers, variables of some programs.
const ORDINARY: &[&str] = &[
    "banked",
    "bit",
    "code",
    "cregister",
    "far",
    "huge",
    "idata",
    "interrupt",
    "near",
    "pdata",
    "reentrant",
    "rom",
    "sbit",
    "sfr",
    "xdata",
];

/// What makes a file parse.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Adapted {
    pub(crate) flags: Vec<String>,
    /// The words that the flags define, as they are to be shown.
    pub(crate) words: Vec<&'static str>,
}

/// Definitions for a file that does not parse as it is; None if there is no such word in it.
pub(crate) fn adapt(command: &CompileCommand) -> Option<Adapted> {
    let adapted = definitions(&preprocess(command)?);
    (!adapted.words.is_empty()).then_some(adapted)
}

/// What to do about an error at a word that only the user can tell the meaning of.
pub(crate) fn advice(message: &str) -> Option<String> {
    if message.contains("'__packed'") {
        return Some("`__packed` is understood after `struct`, not before it".into());
    }
    let word = ORDINARY.iter().find(|word| message.contains(&format!("'{word}'")))?;
    Some(format!("if `{word}` is a keyword of your compiler, define it away: `-- -D{word}=`"))
}

fn definitions(text: &str) -> Adapted {
    let mut adapted = Adapted::default();
    let words = words(text);
    let mut define = |word: &'static str, argument: &str, meaning: &str| {
        adapted.flags.push(format!("-D{word}{argument}={meaning}"));
        adapted.words.push(word);
    };
    let is_used =
        |word: &str, called: bool| words.iter().any(|(used, next)| *used == word && (*next == "(") == called);
    for word in LEFT_OUT.iter().filter(|word| is_used(word, false)) {
        define(word, "", "");
    }
    for word in LEFT_OUT_WITH_ARGUMENT
        .iter()
        .filter(|word| is_used(word, true) && !(LEFT_OUT.contains(word) && is_used(word, false)))
    {
        define(word, "(...)", "");
    }
    for (word, meaning) in TRANSLATED.iter().filter(|(word, _)| is_used(word, false)) {
        // Before the keyword it would be about the variable, and the members would lie elsewhere than they should.
        let before_record = |(used, next): &(&str, &str)| used == word && matches!(*next, "struct" | "union");
        if *word != "__packed" || !words.iter().any(before_record) {
            define(word, "", meaning);
        }
    }
    for (word, meaning) in TRANSLATED_WITH_ARGUMENT.iter().filter(|(word, _)| is_used(word, true)) {
        define(word, "(number)", meaning);
    }
    if is_used("__declspec", true) {
        adapted.flags.push("-fdeclspec".into());
        adapted.words.push("__declspec");
    }
    adapted
}

/// Reserved words with what follows each of them: a word or a character. Literals are passed over.
fn words(text: &str) -> Vec<(&str, &str)> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    let mut rest = text;
    let mut waiting = false;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => literal(rest, first),
            _ if is_part(first) => rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        if first.is_whitespace() {
            continue;
        }
        if waiting && let Some(last) = found.last_mut() {
            last.1 = token;
        }
        waiting = token.starts_with("__");
        if waiting {
            found.push((token, ""));
        }
    }
    found
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of the literal at the beginning.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if letter == quote && !escaped || letter == '\n' {
            return at + letter.len_utf8();
        }
        escaped = letter == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(definitions(text).flags, expected, "{text}");
    }

    #[test]
    fn words_are_defined_as_they_are_used() {
        check("__no_init int boot;", &["-D__no_init="]);
        check("__interrupt void tick(void);", &["-D__interrupt="]);
        check("void tick(void) __interrupt (3) __using(1);", &["-D__interrupt(...)=", "-D__using(...)="]);
        check("char __align; int f(int __align);", &[]);
        check("__align(8) int table[4];", &["-D__align(number)=__attribute__((aligned(number)))"]);
        check("__declspec(noreturn) void stop(void);", &["-fdeclspec"]);
    }

    #[test]
    fn packed_is_no_word_of_the_variable() {
        check("struct s { char c; int i; } __packed;", &["-D__packed=__attribute__((packed))"]);
        check("__packed struct s { char c; int i; };", &[]);
    }

    #[test]
    fn literals_and_parts_of_words_do_not_count() {
        check(r#"char *a = "\"__far"; char b = '"'; int __farther; int c__far;"#, &[]);
    }

    #[test]
    fn words_that_may_be_names_are_only_told() {
        assert!(advice("unknown type name '__packed'").is_some_and(|text| text.contains("after `struct`")));
        assert!(advice("unknown type name 'xdata'").is_some_and(|text| text.contains("-Dxdata=")));
        assert_eq!(advice("unknown type name 'uint8_t'"), None);
    }
}
