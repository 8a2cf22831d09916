//! From the project's compiler flags to those that clang needs to see the same program.
//!
//! Kept: what changes the meaning of the source. Dropped: optimisation, warnings, debugging, output,
//! dependencies, linking, and what only other compilers know. Relative paths become absolute.

use crate::paths::tidy;
use crate::shell;
use std::path::Path;

/// Added to every unit: what gcc 12 only warns about must not be an error here.
pub const TOLERANT: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
];

/// Why a command cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlagError {
    #[error("unsupported target: {0} (only 64-bit x86 programs are tested)")]
    Target(String),
    #[error("not C: compiled as {0}")]
    Language(String),
    #[error("cannot read the response file {0}")]
    ResponseFile(String),
    #[error("unbalanced quotes in the response file {0}")]
    ResponseQuotes(String),
}

/// Flags whose argument is a directory or file, attached or as the next word.
const PATH_FLAGS: &[&str] =
    &["-isystem-after", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-I"];

/// Dropped together with the next word.
const DROPPED_WITH_ARGUMENT: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-L",
    "-l",
    "-T",
    "-z",
    "-u",
    "-e",
    "-h",
    "-Xlinker",
    "-Xassembler",
    "-Xclang",
    "-Xpreprocessor",
    "-arch",
    "-aux-info",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "--param",
    "-G",
    "-install_name",
    "-rpath",
    "-soname",
    "-specs",
    "-wrapper",
];

const KEPT: &[&str] = &[
    "-ansi",
    "-trigraphs",
    "-m64",
    "-mms-bitfields",
    "-mno-ms-bitfields",
    "-pthread",
    "-nostdinc",
    "-undef",
    "-fsigned-char",
    "-funsigned-char",
    "-fno-signed-char",
    "-fno-unsigned-char",
    "-fshort-enums",
    "-fno-short-enums",
    "-fshort-wchar",
    "-fno-short-wchar",
    "-fpack-struct",
    "-fgnu89-inline",
    "-fno-gnu89-inline",
    "-fms-extensions",
    "-fno-ms-extensions",
    "-fcommon",
    "-fno-common",
    "-fwrapv",
    "-fno-wrapv",
    "-ftrapv",
    "-ffreestanding",
    "-fhosted",
    "-fno-builtin",
    "-fno-asm",
    "-fasm",
    "-fblocks",
    "-fdollars-in-identifiers",
    "-fno-dollars-in-identifiers",
    "-fgnu-keywords",
    "-fno-gnu-keywords",
    "-mlong-double-64",
    "-mlong-double-80",
    "-mlong-double-128",
    "-fdeclspec",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-strict-overflow",
];

const KEPT_PREFIXES: &[&str] = &[
    "-std=",
    "-fpack-struct=",
    "-fno-builtin-",
    "-fmax-type-align=",
    "-fstrict-flex-arrays",
    "-msse",
    "-mno-sse",
    "-mavx",
    "-mno-avx",
    "-mbmi",
    "-mno-bmi",
    "-maes",
    "-mpclmul",
    "-mpopcnt",
    "-mlzcnt",
    "-mfma",
    "-mf16c",
    "-mrdrnd",
    "-mrdseed",
    "-msha",
    "-madx",
    "-mcx16",
    "-mmmx",
    "-mmovbe",
    "-mcrc32",
    "-mgfni",
    "-mvaes",
    "-mvpclmulqdq",
    "-march=",
];

/// Cleans the words after the compiler's name.
pub(crate) fn clean(arguments: &[String], directory: &Path) -> Result<Vec<String>, FlagError> {
    let mut words = Vec::new();
    expand(arguments, directory, 0, &mut words)?;
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if !word.starts_with('-') || word == "-" {
            continue;
        }
        if let Some(target) = foreign_target(&word) {
            return Err(FlagError::Target(target));
        }
        if word == "-target" {
            if let Some(triple) = words.next().filter(|t| !t.starts_with("x86_64")) {
                return Err(FlagError::Target(triple));
            }
        } else if word == "-I-" {
            // Obsolete separator of gcc 3; its meaning is that of -iquote, which projects use by now.
        } else if word == "-x" || word == "--language" {
            language(&words.next().unwrap_or_default(), &mut kept)?;
        } else if let Some(name) = word.strip_prefix("-x").or_else(|| word.strip_prefix("--language=")) {
            language(name, &mut kept)?;
        } else if let Some(list) = word.strip_prefix("-Wp,") {
            kept.extend(preprocessor_list(list, directory)?);
        } else if let Some((flag, value)) = with_path(&word, &mut words) {
            kept.push(flag.to_string());
            kept.push(absolute(flag, &value, directory));
        } else if let Some((flag, value)) = with_macro(&word, &mut words) {
            if !value.starts_with("_FORTIFY_SOURCE") {
                kept.push(format!("{flag}{value}"));
            }
        } else if let Some(value) = word.strip_prefix("--sysroot=") {
            kept.push(format!("--sysroot={}", tidy(&directory.join(value)).display()));
        } else if word == "--sysroot" {
            let value = words.next().unwrap_or_default();
            kept.push(format!("--sysroot={}", tidy(&directory.join(value)).display()));
        } else if let Some(standard) = word.strip_prefix("--std=").or_else(|| word.strip_prefix("-std=")) {
            kept.push(format!("-std={standard}"));
        } else if DROPPED_WITH_ARGUMENT.contains(&word.as_str()) {
            words.next();
        } else if KEPT.contains(&word.as_str()) || KEPT_PREFIXES.iter().any(|p| word.starts_with(p)) {
            kept.push(word);
        }
    }
    Ok(kept)
}

/// Replaces `@file` by the words in it.
fn expand(
    arguments: &[String],
    directory: &Path,
    depth: u32,
    words: &mut Vec<String>,
) -> Result<(), FlagError> {
    // A response file may name another; one that names itself must end.
    const DEEPEST: u32 = 8;
    for argument in arguments {
        match argument.strip_prefix('@') {
            Some(file) if depth < DEEPEST => {
                let text = std::fs::read_to_string(directory.join(file))
                    .map_err(|_| FlagError::ResponseFile(file.into()))?;
                let inner = shell::split(&text).ok_or_else(|| FlagError::ResponseQuotes(file.into()))?;
                expand(&inner, directory, depth + 1, words)?;
            }
            Some(file) => return Err(FlagError::ResponseFile(file.into())),
            None => words.push(argument.clone()),
        }
    }
    Ok(())
}

fn foreign_target(word: &str) -> Option<String> {
    let triple = word.strip_prefix("--target=").or_else(|| word.strip_prefix("-target="));
    match (word, triple) {
        ("-m32" | "-m16" | "-mx32", _) => Some(word.into()),
        (_, Some(triple)) if !triple.starts_with("x86_64") => Some(triple.into()),
        _ => None,
    }
}

fn language(name: &str, kept: &mut Vec<String>) -> Result<(), FlagError> {
    match name {
        "c" | "cpp-output" | "c-header" => {
            kept.extend(["-x".into(), "c".into()]);
            Ok(())
        }
        "none" => Ok(()),
        other => Err(FlagError::Language(other.into())),
    }
}

/// `-Wp,-DX=1,-MD,file`: options for the preprocessor, separated by commas.
fn preprocessor_list(list: &str, directory: &Path) -> Result<Vec<String>, FlagError> {
    let mut words = Vec::new();
    let mut parts = list.split(',');
    while let Some(part) = parts.next() {
        match part {
            "-MD" | "-MMD" | "-MF" | "-MT" | "-MQ" => {
                parts.next();
            }
            part => words.push(part.to_string()),
        }
    }
    clean(&words, directory)
}

fn with_path(word: &str, rest: &mut impl Iterator<Item = String>) -> Option<(&'static str, String)> {
    // `-include-pch` and `-imultilib` begin like others but are not them.
    if word.starts_with("-include-pch") {
        rest.next();
        return None;
    }
    let flag = PATH_FLAGS.iter().find(|flag| word.starts_with(**flag))?;
    let attached = &word[flag.len()..];
    let value = if attached.is_empty() { rest.next()? } else { attached.trim_start_matches('=').to_string() };
    Some((flag, value))
}

fn with_macro(word: &str, rest: &mut impl Iterator<Item = String>) -> Option<(&'static str, String)> {
    let flag = ["-D", "-U"].into_iter().find(|flag| word.starts_with(flag))?;
    let attached = &word[2..];
    let value = if attached.is_empty() { rest.next()? } else { attached.to_string() };
    Some((flag, value))
}

fn absolute(flag: &str, value: &str, directory: &Path) -> String {
    let path = directory.join(value);
    // `-include x.h` is searched on the include path when the working directory has no x.h.
    if matches!(flag, "-include" | "-imacros") && !path.exists() {
        return value.to_string();
    }
    tidy(&path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(line: &str) -> Result<Vec<String>, FlagError> {
        clean(&shell::split(line).unwrap(), Path::new("/p/build"))
    }

    fn check(line: &str, expected: &str) {
        let expected = shell::split(expected).unwrap();
        assert_eq!(cleaned(line).unwrap(), expected, "{line}");
    }

    #[test]
    fn meaning_is_kept() {
        check("-I../inc -Ifoo -I /abs", "-I /p/inc -I /p/build/foo -I /abs");
        check(
            "-isystem ../sys -iquote q -idirafter=d",
            "-isystem /p/sys -iquote /p/build/q -idirafter /p/build/d",
        );
        check("-DA -D B=1 -UC -U D", "-DA -DB=1 -UC -UD");
        check("'-DS=\"a b\"'", "'-DS=\"a b\"'");
        check("-std=gnu11 --std=c99 -ansi", "-std=gnu11 -std=c99 -ansi");
        check(
            "-fsigned-char -fpack-struct=2 -fshort-enums -fgnu89-inline",
            "-fsigned-char -fpack-struct=2 -fshort-enums -fgnu89-inline",
        );
        check("-pthread -m64 -mavx2 -trigraphs", "-pthread -m64 -mavx2 -trigraphs");
        check("-include absent.h", "-include absent.h");
        check("-xc a.inc -x c", "-x c -x c");
    }

    #[test]
    fn the_rest_is_dropped() {
        check("-O2 -g3 -Wall -Wextra -Werror -pedantic -c -o a.o a.c", "");
        check("-MD -MT a.o -MF a.d -MMD -MP", "");
        check("-flto -fno-plt -fstack-clash-protection -fipa-pta -fPIC -fvisibility=hidden", "");
        check("-Wl,-z,now -L. -lfoo -Xlinker --as-needed --param max=1 -Xclang -load", "");
        check("-D_FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=3 -Wp,-DX=1,-MD,a.d", "-DX=1");
    }

    #[test]
    fn other_targets_and_languages_are_refused() {
        assert_eq!(cleaned("-m32"), Err(FlagError::Target("-m32".into())));
        assert_eq!(cleaned("--target=armv7-none-eabi"), Err(FlagError::Target("armv7-none-eabi".into())));
        assert_eq!(cleaned("-x c++"), Err(FlagError::Language("c++".into())));
    }

    #[test]
    fn response_files_are_expanded() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.rsp"), "-DA='x y'\n@b.rsp -O2").unwrap();
        std::fs::write(dir.path().join("b.rsp"), "-DB").unwrap();
        std::fs::write(dir.path().join("loop.rsp"), "@loop.rsp").unwrap();
        let run = |word: &str| clean(&[word.to_string()], dir.path());
        assert_eq!(run("@a.rsp").unwrap(), ["-DA=x y", "-DB"]);
        assert!(matches!(run("@none.rsp"), Err(FlagError::ResponseFile(_))));
        assert!(matches!(run("@loop.rsp"), Err(FlagError::ResponseFile(_))));
    }
}
