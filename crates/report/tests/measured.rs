//! A measurement as other tools read it.

use campaign::{Directory, View};
use coverage::measured::{Branch, Condition, Decision, Place, VERSION};
use coverage::{Measured, MeasuredFunction, RanTest, Vector};
use report::{Document, Findings, Invariants, Style};
use std::collections::BTreeMap;
use std::path::Path;

const SOURCE: &str = "int f(int a, int b)\n{\n    if (a && b) return 1;\n    return 0;\n}\n";

fn place(column: u32, end_column: u32) -> Place {
    Place { line: 3, column, end_line: 3, end_column }
}

/// `f`, called with (1, 1) and (0, 0): b was never false.
fn measured() -> Measured {
    let vector = |values: [Option<bool>; 2], outcome| Vector { values: values.to_vec(), outcome };
    let condition = |place, pair| Condition {
        place,
        constant: false,
        unique_cause: pair,
        masking: pair,
        infeasible: Vec::new(),
    };
    let test = |input: &str| RanTest {
        function: "f".into(),
        file: "f.c".into(),
        input: input.into(),
        end: "returned".into(),
        time_ms: 4,
    };
    Measured {
        version: VERSION,
        functions: vec![MeasuredFunction {
            name: "f".into(),
            file: "f.c".into(),
            line: 1,
            end_line: 5,
            calls: 2,
            branches: vec![
                Branch { file: None, place: place(9, 10), when_true: 1, when_false: 1 },
                Branch { file: None, place: place(14, 15), when_true: 1, when_false: 0 },
            ],
            sides_by_subtraction: 3,
            decisions: vec![Decision {
                place: place(9, 15),
                conditions: vec![condition(place(9, 10), Some((0, 1))), condition(place(14, 15), None)],
                vectors: vec![vector([Some(false), None], false), vector([Some(true), Some(true)], true)],
                shown_by: vec![vec![1], vec![0]],
            }],
            refused: vec![],
        }],
        lines: BTreeMap::from([("f.c".to_owned(), BTreeMap::from([(2, 2), (3, 2), (4, 1), (5, 0)]))]),
        tests: vec![test("0011223344556677"), test("8899aabbccddeeff")],
        sufficient: vec![0, 1],
        problems: vec![],
    }
}

fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("f.c"), SOURCE).unwrap();
    root
}

#[test]
fn lcov_has_branches_and_mcdc() {
    let root = root();
    let text = report::lcov(&measured(), root.path());
    let expected = [
        "FN:1,f",
        "FNDA:2,f",
        "FNF:1",
        "FNH:1",
        "BRDA:3,0,0,1",
        "BRDA:3,1,1,0",
        "BRF:4",
        "BRH:3",
        "MCDC:3,2,t,1,0,a",
        "MCDC:3,2,f,1,0,a",
        "MCDC:3,2,t,0,1,b",
        "MCF:4",
        "MCH:2",
        "DA:5,0",
        "LF:4",
        "LH:3",
        "end_of_record",
    ];
    let lines: Vec<&str> = text.lines().collect();
    for line in expected {
        assert!(lines.contains(&line), "{line} is not in\n{text}");
    }
}

#[test]
fn cobertura_has_lines_with_their_conditions() {
    let text = report::cobertura(&measured(), Path::new("/p<q"), 7);
    assert!(text.contains("<source>/p&lt;q</source>"), "{text}");
    assert!(text.contains("branches-covered=\"3\" branches-valid=\"4\""), "{text}");
    assert!(
        text.contains("<line number=\"3\" hits=\"2\" branch=\"true\" condition-coverage=\"75% (3/4)\"/>"),
        "{text}"
    );
    assert!(text.contains("line-rate=\"0.7500\""), "{text}");
}

#[test]
fn gcov_files_show_the_source() {
    let root = root();
    let files = report::gcov(&measured(), root.path());
    assert_eq!(files[0].0, "f.c.gcov");
    let text = &files[0].1;
    assert!(text.contains("        2:    3:    if (a && b) return 1;\nbranch  0 taken 1\n"), "{text}");
    assert!(text.contains("branch  3 taken 0\n"), "{text}");
    assert!(text.contains("    #####:    5:}"), "{text}");
    assert!(text.starts_with("        -:    0:Source:f.c\nfunction f called 2"), "{text}");
}

#[test]
fn people_see_vectors_and_pairs() {
    let root = root();
    let text = report::coverage::summary(&measured(), root.path(), true, Style::PLAIN);
    assert!(text.contains("`b` was never false"), "{text}");
    assert!(text.contains("C1   a                                        vectors 1 and 2"), "{text}");
    assert!(text.contains("C2   b                                        no pair"), "{text}");
    assert!(text.contains("1  F - = F   by 8899aabb"), "{text}");
    assert!(text.contains("total            3/4   75.0%            1/2   50.0%"), "{text}");
}

#[test]
fn the_document_has_the_figures() {
    let root = root();
    let (view, directory, measured) = (View::default(), Directory::new("/nowhere"), measured());
    let findings = Findings {
        view: &view,
        root: root.path(),
        directory: &directory,
        replay: "concertino replay",
        measured: Some(&measured),
        invariants: &Invariants::new(),
    };
    let document: serde_json::Value = serde_json::from_str(&Document::new(&findings).to_text()).unwrap();
    assert_eq!(document["coverage"]["mcdc"]["covered"], 1);
    assert_eq!(document["coverage"]["measured"]["functions"][0]["branches"]["total"], 4);
    let schema = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/report-v1.json"));
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema.unwrap()).unwrap()).unwrap();
    assert!(schema.is_valid(&document), "{document:#}");
    assert!(report::junit(&findings).contains("<testsuites name=\"concertino\" tests=\"0\""));
}
