//! The instrumented program behaves as the native one, with variables of it symbolic; and its labels mean
//! what the program computed (the host evaluates every record, and exits with 88 when one is wrong).

#[allow(dead_code)]
mod support;

use std::path::Path;
use std::process::Command;
use support::{instrumented, kit, native, sources};

fn agrees(source: &Path, flags: &[&str]) {
    let kit = kit("agree");
    let program = instrumented(kit, source, flags).program;
    let expected = Command::new("timeout").arg("20").arg(native(kit, source, flags)).output().unwrap();
    if expected.status.code() == Some(124) {
        return;
    }
    let got = Command::new("timeout").arg("120").arg(program).output().unwrap();
    let context = format!("{}: {}", source.display(), String::from_utf8_lossy(&got.stderr));
    assert_eq!(String::from_utf8_lossy(&got.stdout), String::from_utf8_lossy(&expected.stdout), "{context}");
    assert_eq!(got.status.code(), expected.status.code(), "{context}");
}

#[test]
fn programs_agree_with_their_native_build() {
    for source in sources("agree") {
        agrees(&source, &[]);
    }
}

/// Random programs whose global variables are made symbolic before they run.
#[test]
fn random_programs_agree_with_their_native_build() {
    let kit = kit("agree");
    let headers = Path::new("/usr/include/csmith/csmith.h");
    if !headers.is_file() || Command::new("csmith").arg("--version").output().is_err() {
        eprintln!("skipped: csmith is not installed");
        return;
    }
    for seed in ["1", "23", "29", "32"] {
        let text = Command::new("csmith").args(["--seed", seed]).output().unwrap();
        let source = kit.directory.join(format!("random{seed}.c"));
        std::fs::write(&source, with_symbolic_globals(&String::from_utf8_lossy(&text.stdout))).unwrap();
        agrees(&source, &["-I/usr/include/csmith"]);
    }
}

fn with_symbolic_globals(program: &str) -> String {
    let declaration = "#ifdef NATIVE\n#define ctn_same(p, n) ((void)0)\n#else\nvoid ctn_same(void *, unsigned long);\n#endif\n";
    let globals: Vec<&str> = program
        .lines()
        .filter(|line| {
            line.starts_with("static ") && line.contains(" = ") && !line.contains('*') && !line.contains('[')
        })
        .filter_map(|line| line.split(" = ").next()?.split_whitespace().last())
        .filter(|name| name.starts_with("g_"))
        .take(40)
        .collect();
    let marks: String =
        globals.iter().map(|name| format!("    ctn_same((void *)&{name}, sizeof {name});\n")).collect();
    let begin = "    crc32_gentab();\n";
    format!("{declaration}{}", program.replacen(begin, &format!("{begin}{marks}"), 1))
}
