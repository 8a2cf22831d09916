//! Kept tests outside of the tool: measured by clang's own coverage, and exported as C that compiles and passes
//! with gcc and clang, plain and under the sanitizers, in every framework that Debian packages.

use assert_cmd::Command;
use std::path::Path;

fn concertino(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::cargo_bin("concertino")
        .unwrap()
        .current_dir(directory)
        .args(arguments)
        .timeout(std::time::Duration::from_secs(300))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn tested(file: &str) -> tempfile::TempDir {
    tested_as(file, "all")
}

fn tested_as(file: &str, unit: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::copy(&source, place.path().join(source.file_name().unwrap())).unwrap();
    concertino(
        place.path(),
        &["test", "--jobs", "2", "--time-per-function", "3", "--no-replay", "--unit", unit],
    );
    place
}

/// The figure of 24 operators: every condition is shown to decide alone, by fewer tests than two per condition.
#[test]
fn figure_1_has_full_mcdc() {
    let place = tested("../../tests/c/figures/maist_1.c");
    let measured: serde_json::Value =
        serde_json::from_str(&concertino(place.path(), &["coverage", "--json"])).unwrap();
    assert_eq!(measured["problems"], serde_json::json!([]));
    let decision = &measured["functions"][0]["decisions"][0];
    let conditions = decision["conditions"].as_array().unwrap();
    assert_eq!(conditions.len(), 25);
    for condition in conditions {
        assert!(!condition["unique_cause"].is_null(), "{condition}");
    }
    assert!(measured["sufficient"].as_array().unwrap().len() < 2 * conditions.len());
    let report: serde_json::Value =
        serde_json::from_str(&concertino(place.path(), &["report", "--json"])).unwrap();
    assert_eq!(
        report["coverage"]["mcdc"],
        serde_json::json!({ "covered": 25, "total": 25, "infeasible": 0 })
    );
}

/// What no two feasible vectors can show is told apart from what no test showed.
#[test]
fn conditions_that_cannot_be_shown_are_infeasible() {
    let place = tested("tests/kept/coupled.c");
    concertino(place.path(), &["coverage"]);
    let report: serde_json::Value =
        serde_json::from_str(&concertino(place.path(), &["report", "--json"])).unwrap();
    let measured = report["coverage"]["measured"]["functions"].as_array().unwrap();
    let figures: Vec<[&serde_json::Value; 3]> =
        measured.iter().map(|of| [&of["name"], &of["mcdc_unique_cause"], &of["mcdc_masking"]]).collect();
    let of = |covered, total, infeasible| serde_json::json!({ "covered": covered, "total": total, "infeasible": infeasible });
    assert_eq!(
        serde_json::json!(figures),
        serde_json::json!([
            ["known", of(1, 2, 1), of(1, 2, 1)],
            ["implied", of(1, 2, 1), of(1, 2, 1)],
            ["repeated", of(3, 4, 1), of(4, 4, 0)],
            ["ranges", of(4, 4, 0), of(4, 4, 0)],
        ])
    );
    // A test of `known` ends where it writes to null: `p` was not false after that.
    assert_eq!(measured[0]["branches"], serde_json::json!({ "covered": 3, "total": 4 }));
    let said = concertino(place.path(), &["explain", "implied"]);
    assert!(said.contains("1/2 conditions shown independent, 1 infeasible"), "{said}");
    assert!(said.contains("a > 3                                    infeasible: "), "{said}");
}

/// The instrumented program has the branch sides that clang's coverage has, function by function, and the kept tests
/// take natively those that it says they take.
#[test]
fn engine_and_native_counts_agree() {
    let place = tested("../../tests/c/language/logic.c");
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&concertino(place.path(), arguments)).unwrap()
    };
    json(&["coverage", "--json"]);
    let report = json(&["report", "--json"]);
    let measured = report["coverage"]["measured"]["functions"].as_array().unwrap();
    assert_eq!(measured.len(), 7);
    for native in measured {
        let functions = report["functions"].as_array().unwrap();
        let engine = functions.iter().find(|function| function["name"] == native["name"]).unwrap();
        assert_eq!(engine["branches"], native["branches"], "{}", native["name"]);
    }
}

/// A side is shown at its own condition, as llvm-cov shows it: what stays uncovered is the same by place and side.
#[test]
fn sides_are_shown_where_their_conditions_are() {
    let place = tested("tests/kept/conditions.c");
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&concertino(place.path(), arguments)).unwrap()
    };
    let list = |of: &serde_json::Value| of.as_array().cloned().unwrap_or_default();
    let measured = json(&["coverage", "--json"]);
    assert_eq!(measured["problems"], serde_json::json!([]));
    let mut natively = Vec::new();
    for branch in list(&measured["functions"]).iter().flat_map(|function| list(&function["branches"])) {
        let never = |side: &str| branch[side] == 0;
        let at = format!("{}:{}", branch["place"]["line"], branch["place"]["column"]);
        natively.extend(never("when_false").then(|| format!("{at} when false")));
        natively.extend(never("when_true").then(|| format!("{at} when true")));
    }
    let report = json(&["report", "--json"]);
    let uncovered = list(&report["functions"]).into_iter().flat_map(|function| list(&function["uncovered"]));
    let mut shown: Vec<String> = uncovered
        .map(|side| format!("{}:{} {}", side["line"], side["column"], side["side"].as_str().unwrap()))
        .collect();
    natively.sort();
    shown.sort();
    assert_eq!(shown, natively);
    let said = concertino(place.path(), &["explain", "comparison"]);
    let lines: Vec<&str> = said.lines().skip_while(|line| !line.contains("uncovered ")).take(4).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

/// In a task static locals are set; what stays uncovered is told with its reason, and so is what clang refuses.
#[test]
fn tasks_reach_state_and_tell_what_is_missing() {
    let place = tested_as("tests/kept/state.c", "task");
    let measured: serde_json::Value =
        serde_json::from_str(&concertino(place.path(), &["coverage", "--json"])).unwrap();
    assert_eq!(measured["problems"], serde_json::json!([]));
    let named = |list: &serde_json::Value, name: &str| {
        list.as_array()
            .into_iter()
            .flatten()
            .find(|function| function["name"] == name)
            .cloned()
            .unwrap_or_default()
    };
    let refused = &named(&measured["functions"], "nested")["refused"][0];
    assert_eq!(
        (&refused["line"], &refused["why"]),
        (&31.into(), &"an operand holds a decision of its own".into())
    );
    for branch in named(&measured["functions"], "late")["branches"].as_array().unwrap() {
        assert!(branch["when_true"] != 0 && branch["when_false"] != 0, "{branch}");
    }
    let report: serde_json::Value =
        serde_json::from_str(&concertino(place.path(), &["report", "--json"])).unwrap();
    for (name, kind) in [("late", ""), ("nested", ""), ("never", "infeasible: "), ("filled", "blocked: ")] {
        let function = named(&report["functions"], name);
        let why = function["uncovered"][0]["why"].as_str().unwrap_or("");
        assert!(why.starts_with(kind) && why.is_empty() == kind.is_empty(), "{function}");
    }
    let said = concertino(place.path(), &["export", "--output", "plain"]);
    assert!(said.contains("it sets static locals"), "{said}");
}

fn make(place: &Path, arguments: &[&str]) -> String {
    let output = std::process::Command::new("make").arg("-C").arg(place).args(arguments).output().unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

/// Neither what the program does at exit nor a stub that never returns keeps a test from becoming a case.
#[test]
fn a_case_ends_where_the_function_does() {
    let place = tested("tests/kept/endings.c");
    let said = concertino(place.path(), &["export", "--framework", "plain,cmocka", "--output", "tests"]);
    assert!(!said.contains("left out"), "{said}");
    let cases = std::fs::read_to_string(place.path().join("tests/plain/test_endings_cases.c")).unwrap();
    for part in ["table->used = 3;", "wanted = 101;", "case_stop();"] {
        assert!(cases.contains(part), "no {part} in\n{cases}");
    }
    make(&place.path().join("tests/plain"), &["check", "CC=gcc", "CFLAGS=-O2"]);
    make(&place.path().join("tests/cmocka"), &["check", "CC=clang-19", "CFLAGS=-O2"]);
}

#[test]
fn exported_tests_pass_everywhere() {
    let place = tested("tests/kept/shapes.c");
    let said = concertino(place.path(), &["export", "--output", "plain"]);
    assert!(!said.contains("left out"), "{said}");
    let plain = place.path().join("plain");
    let cases = std::fs::read_to_string(plain.join("test_shapes_cases.c")).unwrap();
    for part in [
        "p->flags.offset = -3;",
        "p->next->mode = FAST;",
        "sensor_results[",
        "receive_2->mode = SLOW;",
        "int callback_t",
        "+ 10 * sizeof f->data[0]",
        "item->next->before = (void *)item;",
        "from = case_stream(\"#!",
        "CHECK_INTEGER(5, case_result)",
    ] {
        assert!(cases.contains(part), "no {part} in\n{cases}");
    }
    let fits: Vec<&str> = cases.split("case_result = fits(").skip(1).collect();
    let is_checked = |case: &&str| {
        case.split('}')
            .next()
            .is_some_and(|case| case.contains("CHECK_INTEGER(1, ") || case.contains("CHECK_INTEGER(2, "))
    };
    assert!(!fits.is_empty() && !fits.iter().any(is_checked), "{cases}");
    assert!(cases.contains("CHECK_INTEGER(8, to->used)") && !cases.contains("to->of_pointer[0])"), "{cases}");
    make(&plain, &["check", "CC=gcc", "CFLAGS=-O2"]);
    make(&plain, &["clean"]);
    let sanitized =
        ["check", "CFLAGS=-g -fsanitize=address,undefined", "LDFLAGS=-fsanitize=address,undefined"];
    make(&plain, &[&sanitized[..], &["CC=clang-19", "CXX=clang++-19"]].concat());
    for framework in ["cmocka", "check", "cpputest", "googletest"] {
        concertino(place.path(), &["export", "--framework", framework, "--output", framework]);
        let directory = place.path().join(framework);
        make(&directory, &["check", "CC=gcc", "CXX=g++"]);
        // A wrong expectation must fail.
        let file = directory.join("test_shapes_cases.c");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(
            &file,
            text.replacen("CHECK_INTEGER(5, case_result)", "CHECK_INTEGER(55, case_result)", 1),
        )
        .unwrap();
        let failed =
            std::process::Command::new("make").arg("-C").arg(&directory).arg("check").output().unwrap();
        assert!(!failed.status.success(), "{framework} passes whatever is expected");
    }
}
