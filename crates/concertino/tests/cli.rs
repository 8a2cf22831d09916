//! The program as a user meets it: help, wrong arguments, wrong projects. No compiler is needed here.

use assert_cmd::Command;
use std::path::Path;

fn concertino(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("concertino")
        .unwrap()
        .current_dir(directory)
        .args(arguments)
        .timeout(std::time::Duration::from_secs(60))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A project with one file, and what else is wanted.
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("a.c"), "int f(int n) { return n; }\n").unwrap();
    for (name, contents) in files {
        let path = place.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, contents).unwrap();
    }
    place
}

/// Runs in the project; the exit code must be `code` and every part must be in what it says.
#[track_caller]
fn check(place: &tempfile::TempDir, arguments: &[&str], code: i32, parts: &[&str]) {
    let (found, stdout, stderr) = concertino(place.path(), arguments);
    assert_eq!(found, code, "{arguments:?}: {stdout}{stderr}");
    for part in parts {
        assert!(
            stdout.contains(part) || stderr.contains(part),
            "{arguments:?}: no {part:?} in {stdout}{stderr}"
        );
    }
    if code != 0 {
        assert_eq!(stdout, "", "errors go to standard error");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn help_teaches() {
    let place = project(&[]);
    let mut text = String::new();
    for command in ["", "init", "test", "coverage", "export", "compare", "replay", "report", "explain"] {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|part| !part.is_empty()).collect();
        let (code, stdout, _) = concertino(place.path(), &arguments);
        assert_eq!(code, 0);
        text.push_str(&format!("== concertino {}\n{stdout}\n", arguments.join(" ")));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn wrong_arguments() {
    let place = project(&[]);
    check(&place, &[], 2, &["Usage: concertino"]);
    check(&place, &["frobnicate"], 2, &["unrecognized subcommand 'frobnicate'"]);
    check(&place, &["test", "--jobs", "0"], 2, &["--jobs"]);
    check(&place, &["test", "--jobs", "many"], 2, &["--jobs"]);
    check(&place, &["test", "--time-per-function", "-3"], 2, &["-3"]);
    check(&place, &["test", "--strategy", "luck"], 2, &["luck", "coordinator"]);
    check(&place, &["test", "--function", "a["], 2, &["--function a["]);
    check(&place, &["replay"], 2, &["ALARM|INPUT"]);
    check(&place, &["test", "--dir", "nowhere"], 2, &["nowhere", "--dir"]);
    check(&place, &["report", "--dir", "a.c"], 2, &["a.c is not a directory"]);
}

#[test]
fn wrong_projects() {
    let empty = tempfile::tempdir().unwrap();
    check(&empty, &["test"], 2, &["no compile_commands.json and no .c file in", "--dir", "--database"]);
    check(&empty, &["init"], 2, &["no compile_commands.json and no .c file in"]);
    let place = project(&[("concertino.toml", "[build]\ndatabase = \"out/compile_commands.json\"\n")]);
    check(
        &place,
        &["test"],
        2,
        &["out/compile_commands.json", "`database` in concertino.toml", "bear -- make"],
    );
    check(&place, &["test", "--database", "missing.json"], 2, &["missing.json", "--database names"]);
    let nested = project(&[("sub/deep/b.c", ""), ("concertino.toml", "[test]\nseeed = 1\n")]);
    check(&nested, &["test"], 2, &["concertino.toml", "line 2", "seeed", "did you mean `seed`?"]);
    let (code, _, stderr) = concertino(&nested.path().join("sub/deep"), &["test"]);
    assert_eq!(code, 2, "the configuration above is found");
    assert!(stderr.contains("seeed"), "{stderr}");
    for (text, part) in [
        ("test = 3", "test"),
        ("[test]\nstrategy = \"luck\"", "`test.strategy` must be one of coordinator, maist, cgs, "),
        ("[test]\ntime-per-function = 0", "`test.time-per-function` must be at least 1"),
        ("[test]\nchecks = [\"everything\"]", "everything"),
        ("[limits]\nexecution-ms = -1", "execution-ms"),
        ("[[[", "line 1"),
    ] {
        check(&project(&[("concertino.toml", text)]), &["test"], 2, &["concertino.toml", part]);
    }
}

/// These reach the model, so the message is the model's; here it matters that the user sees it, with a code.
#[test]
fn malformed_databases() {
    for (text, parts) in [
        ("[{\"directory\": ", &["compile_commands.json:1:", "not a valid compile database"][..]),
        ("{\"file\": \"a.c\"}", &["compile_commands.json", "a JSON array"]),
        ("[]", &["compile_commands.json", "no usable compile command"]),
        ("[{\"directory\": \".\"}]", &["compile_commands.json", "no usable compile command"]),
    ] {
        let place = project(&[("compile_commands.json", text)]);
        let (code, stdout, stderr) = concertino(place.path(), &["test"]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{text}: {stderr}");
        for part in parts {
            assert!(stderr.contains(part), "{text}: no {part:?} in {stderr}");
        }
    }
}

#[test]
fn no_campaign_or_a_broken_one() {
    let place = project(&[]);
    for arguments in [&["report"][..], &["report", "--json"], &["explain", "f"], &["replay", "12345678"]] {
        check(&place, arguments, 2, &["no results in", "run `concertino test` first"]);
    }
    let broken =
        project(&[(".concertino/campaign.sqlite", "not a database, but long enough to look like one")]);
    check(&broken, &["report"], 4, &["campaign.sqlite cannot be read as a campaign", "move it away"]);
}

#[test]
fn init_writes_once() {
    let place = project(&[]);
    check(&place, &["init"], 0, &["found 1 .c file and no compile database", "wrote concertino.toml"]);
    let written = std::fs::read_to_string(place.path().join("concertino.toml")).unwrap();
    check(&place, &["init"], 2, &["concertino.toml is there already", "edit it"]);
    assert_eq!(std::fs::read_to_string(place.path().join("concertino.toml")).unwrap(), written);
    // What init wrote is accepted: the complaint is about something else.
    check(&place, &["explain", "f"], 2, &["no results in"]);

    let built = project(&[("build/compile_commands.json", "[]")]);
    check(&built, &["init"], 0, &["found the compile database build/compile_commands.json"]);
    let written = std::fs::read_to_string(built.path().join("concertino.toml")).unwrap();
    assert!(written.contains("\ndatabase = \"build/compile_commands.json\"\n"), "{written}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = project(&[]);
    let program = assert_cmd::cargo::cargo_bin("concertino");
    let script = format!("'{}' --help | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}", program.display());
    let output =
        std::process::Command::new("bash").arg("-c").arg(script).current_dir(place.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "0");
}
