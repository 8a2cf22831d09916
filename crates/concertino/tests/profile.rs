//! `concertino profile` and `concertino units` through the real command line, on the program of CONBRIO's figure 1
//! with its three system tests.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = r#"
#include <stdlib.h>
#include <unistd.h>
static int g(int x) { return x < 5 ? 1 : 0; }
static int h(int x) { return x + 2; }
static int f(int x) { int a[5] = {1, 3, 5, 7, 9}; if (g(x) != 0) return a[x]; return h(x); }
static int b(int x) { if (x > 0) return f(x); return 0; }
static int a1(int x, int y) { if (y > 0) return b(x); return 0; }
static int a2(int x) { if (x > 0) return b(x); return 0; }
int main(int argc, char **argv)
{
    int x = atoi(argv[1]), y = atoi(argv[2]), r = x > 0 ? a1(x, y) : a2(y);
    if (argc > 3 && argv[3][0] == 'a') abort();
    if (argc > 3) for (;;) pause();
    return r > 100;
}
"#;

fn concertino(project: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_concertino")).current_dir(project).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The unit of `f` as names: real, stubs, contexts, and what it rests on.
fn unit(project: &Path, how: &str) -> (Vec<String>, Vec<String>, Vec<String>, String) {
    let output = concertino(project, &["units", "f", "--unit", how, "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let units: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let unit = &units[0];
    let names = |key: &str| -> Vec<String> {
        unit[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|member| member["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let contexts = unit["contexts"].as_array().unwrap().iter().map(|context| {
        let callers = context["callers"].as_array().unwrap().iter();
        callers.map(|name| name.as_str().unwrap()).collect::<Vec<_>>().join(" ")
    });
    (names("real"), names("stubs"), contexts.collect(), unit["basis"].as_str().unwrap().to_owned())
}

#[test]
fn system_tests_choose_the_unit() {
    let directory = tempfile::tempdir().unwrap();
    let project = directory.path();
    std::fs::write(project.join("prog.c"), PROGRAM).unwrap();
    // The user's own build, which is never touched.
    let clang =
        Command::new("clang-19").current_dir(project).args(["prog.c", "-o", "prog"]).status().unwrap();
    assert!(clang.success());

    let (_, _, _, basis) = unit(project, "conbrio");
    assert_eq!(basis, "static estimate: no profile was recorded");

    let missing = concertino(project, &["profile", "--", "true"]);
    assert_eq!(missing.status.code(), Some(2), "{}", text(&missing.stderr));
    assert!(text(&missing.stderr).contains("--executable"), "{}", text(&missing.stderr));

    // A shell script that starts the program twice, the second time to crash.
    std::fs::write(project.join("check.sh"), "./prog -1 1\n./prog 1 1 abort\nexit 0\n").unwrap();
    let checked = concertino(project, &["profile", "--", "sh", "check.sh"]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    assert!(text(&checked.stdout).contains("recorded 2 runs in 1 command"), "{}", text(&checked.stdout));

    // Another recording adds up; its test hangs and is killed.
    let hanging = concertino(project, &["profile", "--timeout", "2", "--", "./prog", "5", "1", "hang"]);
    assert!(hanging.status.success(), "{}", text(&hanging.stderr));
    assert!(text(&hanging.stdout).contains("1 of the commands ran out of time"), "{}", text(&hanging.stdout));

    let (real, stubs, contexts, basis) = unit(project, "conbrio");
    assert_eq!(basis, "profile: 3 of 3 tests run it");
    assert_eq!((real, stubs, contexts), (names(&["f", "g"]), names(&["h"]), names(&["b"])));
    let (real, stubs, ..) = unit(project, "sut");
    assert_eq!((real, stubs), (names(&["f"]), names(&["g", "h"])));

    let forgotten = concertino(project, &["profile", "--forget"]);
    assert!(forgotten.status.success(), "{}", text(&forgotten.stderr));
    assert_eq!(unit(project, "conbrio").3, "static estimate: no profile was recorded");
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn wrong_requests_say_what_is_wrong() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("prog.c"), PROGRAM).unwrap();
    for (arguments, said) in [
        (vec!["profile"], "say what to run"),
        (vec!["profile", "--inputs", ".", "--", "./prog"], "{}"),
        (vec!["profile", "--inputs", "none", "--", "./prog", "{}"], "none"),
        (vec!["profile", "--commands", "none"], "none"),
        (vec!["units", "nothing"], "nothing"),
        (vec!["units", "f", "--unit", "best"], "conbrio"),
    ] {
        let output = concertino(directory.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(said), "{arguments:?}: {}", text(&output.stderr));
    }
}
