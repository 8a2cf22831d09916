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
