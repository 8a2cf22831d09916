//! Random C programs, mostly csmith's, several to a translation unit: the cost of a small program is that of
//! starting the compilers. Names get the program's number, `main` becomes a function that is told whether to
//! make the program's variables symbolic first.

use super::expression;
use std::fmt::Write as _;
use std::process::Command;

/// Small programs: many of them see more than few large ones.
const SMALL: &[&str] = &[
    "--concise",
    "--max-funcs",
    "3",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "6",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "5",
    "--max-struct-fields",
    "6",
    "--max-pointer-depth",
    "3",
];
/// What a program may use beside the defaults, by its seed.
const KINDS: &[&[&str]] = &[
    &[],
    &["--float"],
    &["--inline-function", "--no-packed-struct"],
    &["--no-volatiles", "--no-const-pointers"],
];

/// The text of a translation unit with the programs of the seeds, or why there is none.
pub(crate) fn unit(seeds: &[u32]) -> Result<String, String> {
    let mut text = String::from(
        "#include \"csmith.h\"\n#include <stdlib.h>\n#ifdef NATIVE\n#define ctn_same(p, n) ((void)0)\n#else\n\
         void ctn_same(void *, unsigned long);\n#endif\nstatic long __undefined;\n",
    );
    for seed in seeds {
        text.push_str(&member(&program(*seed)?, *seed));
    }
    text.push_str(
        "int main(int argc, char **argv) {\n  int symbolic = argc > 2;\n  switch (atoi(argv[1])) {\n",
    );
    for seed in seeds {
        let _ = writeln!(text, "  case {seed}: return program_{seed}(symbolic);");
    }
    text.push_str("  }\n  return 99;\n}\n");
    Ok(text)
}

/// Every fifth is made of expressions.
fn program(seed: u32) -> Result<String, String> {
    if seed % 5 == 4 {
        return Ok(expression::program(seed));
    }
    let kind = KINDS[seed as usize % KINDS.len()];
    let output = Command::new("timeout")
        .args(["20", "csmith", "--seed", &seed.to_string()])
        .args(SMALL)
        .args(kind)
        .output()
        .map_err(|e| format!("csmith: {e}"))?;
    if !output.status.success() {
        return Err(format!("csmith --seed {seed}: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The program as one of several in a file.
fn member(program: &str, seed: u32) -> String {
    let mut text = String::new();
    let mut globals = Vec::new();
    for line in program.lines() {
        if line.starts_with("#include") || line.starts_with("static long __undefined") {
            continue;
        }
        if line.starts_with("int main (") {
            let _ = writeln!(text, "static int program_{seed}(int symbolic)");
            continue;
        }
        let declared = line.strip_prefix("static ").and_then(|rest| rest.split(" = ").next());
        globals.extend(declared.filter(|_| line.contains(" = ")).and_then(global));
        // All checksums are printed, so that a difference is seen where it begins.
        let line = line.replace("if (argc == 2 && strcmp(argv[1], \"1\") == 0) print_hash_value = 1;", "");
        let line = line.replace("int print_hash_value = 0;", "int print_hash_value = 1;");
        let _ = writeln!(text, "{line}");
        if line.contains("crc32_gentab();") {
            text.push_str("    if (symbolic) {\n");
            for name in &globals {
                let _ = writeln!(text, "        ctn_same((void *)&{name}, sizeof {name});");
            }
            text.push_str("    }\n");
        }
    }
    numbered(&text, seed)
}

/// The name in `const volatile int32_t g_12[3][2]`.
fn global(declaration: &str) -> Option<&str> {
    let start = declaration.rfind("g_")?;
    let name = &declaration[start..];
    let end = name[2..].find(|c: char| !c.is_ascii_digit()).map_or(name.len(), |n| n + 2);
    (end > 2).then(|| &name[..end])
}

/// Functions, global variables, structs and unions with the seed in their names.
fn numbered(text: &str, seed: u32) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        out.push_str(before);
        out.push_str(word);
        // A number may end in letters, as in 0xFFL: no name begins after a digit.
        let in_number = before.ends_with(|c: char| c.is_ascii_digit());
        if !in_number && is_own(word) {
            let _ = write!(out, "_p{seed}");
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn is_own(word: &str) -> bool {
    ["func_", "g_", "S", "U"].iter().any(|prefix| {
        word.strip_prefix(prefix)
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    })
}
