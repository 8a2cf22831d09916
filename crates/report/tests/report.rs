//! One small campaign, reported in every way. The document is validated against the published schema.

use campaign::{
    Alarm, BranchSide, Class, Directory, End, FunctionName, FunctionRecord, Input, Level, Listed, Problem,
    Slot, Statistics, Status, Store, Test, Uncovered, View,
};
use report::{Document, Explained, Findings, Invariants, Style, explain, summary};
use std::collections::BTreeMap;
use std::path::Path;

const SOURCE: &str = "\
struct node { int value; struct node *next; };

int first(struct node *n)
{
    if (n->value > 3)
        return 1;
    return 0;
}

int ratio(int a, int b)
{
    return a / b;
}

void opaque(struct unknown x)
{
}
";

fn name(text: &str, line: u32) -> FunctionName {
    FunctionName { file: "src/list.c".into(), name: text.into(), line }
}

fn side(line: u32, side: u32) -> BranchSide {
    BranchSide { file: "src/list.c".into(), line, column: 18, index: 0, side }
}

fn record(name: FunctionName) -> FunctionRecord {
    FunctionRecord {
        name,
        fingerprint: "x".into(),
        status: Status::Done,
        reason: None,
        branches: vec![],
        uncovered: vec![],
        tests: vec![],
        alarms: vec![],
        statistics: Statistics::default(),
        time_ms: 1500,
    }
}

fn slot(path: &str, bits: u16, bytes: &[u8]) -> Slot {
    Slot { path: path.into(), hash: 1, occurrence: 0, bits, bytes: bytes.to_vec() }
}

fn counts(of: &[(&str, u64)]) -> BTreeMap<String, u64> {
    of.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect()
}

/// A campaign over `SOURCE`: a tested function with an uncovered side, one with alarms, one skipped, one
/// failed, one that no run came to.
fn campaign(root: &Path) -> (Directory, View) {
    std::fs::create_dir_all(root.join("src")).unwrap();
    std::fs::write(root.join("src/list.c"), SOURCE).unwrap();
    let directory = Directory::new(root.join(".concertino"));
    let mut store = Store::open(&directory, "test", "{}").unwrap();

    let mut first = record(name("first", 3));
    first.branches = vec![side(5, 0), side(5, 1)];
    first.uncovered = vec![Uncovered { side: side(5, 1), why: "no input takes it (unsat)".into() }];
    let input = Input::new(first.name.clone(), vec![slot("n->value", 32, &[2, 0, 0, 0])]);
    first.tests = vec![Test { input, end: End::Returned, covers: vec![side(5, 0)] }];
    first.statistics = Statistics {
        executions: 12,
        paths: 3,
        queries: 4,
        divergences: counts(&[("other-branch", 1)]),
        concretisations: counts(&[("load-address", 2)]),
        ends: counts(&[("assumption-failed", 2), ("returned", 9), ("violation", 1)]),
        assumed: counts(&[("array index", 1), ("value range", 3)]),
        ..Statistics::default()
    };

    let mut ratio = record(name("ratio", 10));
    let input = Input::new(ratio.name.clone(), vec![slot("a", 32, &[255; 4]), slot("b", 32, &[0; 4])]);
    let division = Alarm {
        class: Class::DivisionByZero,
        file: "src/list.c".into(),
        line: 12,
        column: 14,
        function: "ratio".into(),
        level: Level::Unit,
        reason: "the divisor can be zero".into(),
        score: 0.75,
        input: input.clone(),
        replayed: "UndefinedBehaviorSanitizer: division by zero".into(),
        evidence: serde_json::json!({
            "hits": 3, "cause": ["b"], "led": [], "kept": false,
            "stack": [{ "function": "main", "file": "src/main.c", "line": 4 }],
            "made": { "place": "buf", "kind": "memory", "measured": true, "before": false, "write": true },
        }),
    };
    let dropped = Alarm {
        class: Class::SignedOverflow,
        level: Level::Dropped,
        reason: "the native run did not fail".into(),
        score: 0.0,
        replayed: "no failure".into(),
        ..division.clone()
    };
    ratio.alarms = vec![division, dropped];

    let mut opaque = record(name("opaque", 15));
    opaque.status = Status::Skipped;
    opaque.reason = Some("parameter x has an incomplete type".into());
    let mut lost = record(name("lost", 20));
    lost.status = Status::Failed;
    lost.reason = Some("the worker process was lost: it ended (signal 11)".into());

    let mut lost_too = lost.clone();
    lost_too.name = name("lost_too", 22);

    let records = [first, ratio, opaque, lost, lost_too];
    let waiting = name("waiting", 30);
    let branches = [side(31, 0), side(31, 1)];
    let mut listed: Vec<Listed<'_>> =
        records.iter().map(|record| Listed { name: &record.name, branches: &record.branches }).collect();
    listed.push(Listed { name: &waiting, branches: &branches });
    let problem = Problem { file: Some("src/bad.c".into()), line: Some(4), message: "expected ';'".into() };
    store.list(&listed, &[problem]).unwrap();
    for record in &records {
        store.record(record).unwrap();
    }
    let view = store.view().unwrap();
    (directory, view)
}

fn with_campaign(check: impl FnOnce(&Findings<'_>)) {
    let root = tempfile::tempdir().unwrap();
    let (directory, view) = campaign(root.path());
    check(&Findings {
        view: &view,
        root: root.path(),
        directory: &directory,
        replay: "concertino replay",
        measured: None,
        invariants: &Invariants::new(),
    });
}

fn schema() -> jsonschema::Validator {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/report-v1.json")).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

fn document(findings: &Findings<'_>) -> serde_json::Value {
    serde_json::from_str(&Document::new(findings).to_text()).unwrap()
}

#[test]
fn the_document_keeps_the_contract() {
    with_campaign(|findings| {
        let document = document(findings);
        let errors: Vec<String> = schema().iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let input = document["alarms"][0]["input"].as_str().unwrap();
        assert!(findings.root.join(input).is_file(), "{input}");
        insta::assert_snapshot!(Document::new(findings).to_text());
    });
}

/// The schema must refuse what breaks the contract, or the test above says nothing.
#[test]
fn the_schema_refuses_what_is_not_the_contract() {
    with_campaign(|findings| {
        let schema = schema();
        let good = document(findings);
        let breakages: [fn(&mut serde_json::Value); 6] = [
            |document| document["version"] = 2.into(),
            |document| document["functions"][0]["status"] = "fine".into(),
            |document| document["alarms"][0]["class"] = "segfault".into(),
            |document| document["alarms"][0]["level"] = "maybe".into(),
            |document| drop(document["engine"].as_object_mut().unwrap().remove("queries")),
            |document| drop(document["functions"][2].as_object_mut().unwrap().remove("reason")),
        ];
        for (number, breakage) in breakages.into_iter().enumerate() {
            let mut bad = good.clone();
            breakage(&mut bad);
            assert!(!schema.is_valid(&bad), "breakage {number} went through");
        }
    });
}

#[test]
fn an_empty_campaign_is_a_valid_document() {
    let directory = Directory::new("/nowhere");
    let view = View::default();
    let findings = Findings {
        view: &view,
        root: Path::new("/nowhere"),
        directory: &directory,
        replay: "concertino replay",
        measured: None,
        invariants: &Invariants::new(),
    };
    assert!(schema().is_valid(&document(&findings)));
    assert!(summary(&findings, Style::PLAIN).starts_with("0 functions: 0 tested"));
}

#[test]
fn the_summary() {
    with_campaign(|findings| insta::assert_snapshot!(summary(findings, Style::PLAIN)));
}

#[test]
fn colours_change_nothing_but_colours() {
    with_campaign(|findings| {
        let colourful = summary(findings, Style::COLOUR);
        assert!(colourful.contains("\x1b[1;31mdivision-by-zero\x1b[0m"));
        let mut plain = String::new();
        for (number, part) in colourful.split("\x1b[").enumerate() {
            plain.push_str(if number == 0 { part } else { part.split_once('m').unwrap().1 });
        }
        assert_eq!(plain, summary(findings, Style::PLAIN));
    });
}

fn explained(what: &str) -> String {
    let mut answer = String::new();
    with_campaign(|findings| {
        answer = match explain(findings, what, Style::PLAIN) {
            Explained::Text(text) => text,
            Explained::Unknown(near) => format!("unknown; near: {near:?}"),
        };
    });
    answer
}

#[test]
fn explanations() {
    let questions = [
        "first",
        "list.c:opaque",
        "lost",
        "waiting",
        "src/list.c:5",
        "list.c:12",
        "list.c:7",
        "fir",
        "nothing",
        "x.c:3",
    ];
    let mut text = String::new();
    for question in questions {
        text.push_str(&format!("== explain {question}\n{}\n", explained(question)));
    }
    insta::assert_snapshot!(text);
}
