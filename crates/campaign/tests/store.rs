//! What is stored is what is read, and nothing that was committed is lost when the writer is killed.

use campaign::{
    Alarm, BranchSide, CampaignError, Class, Directory, End, FunctionName, FunctionRecord, Input, Level,
    Listed, Outcome, Problem, Slot, Statistics, Status, Store, Test, Uncovered, View,
};
use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn name(text: &str, line: u32) -> FunctionName {
    FunctionName { file: "src/a.c".into(), name: text.into(), line }
}

fn side(line: u32, side: u32) -> BranchSide {
    BranchSide { file: "src/a.c".into(), line, column: 5, index: 0, side }
}

fn input(function: &FunctionName, value: u32) -> Input {
    let bytes = value.to_le_bytes().to_vec();
    Input::new(function.clone(), vec![Slot { path: "n".into(), hash: 7, occurrence: 0, bits: 32, bytes }])
}

fn alarm(function: &FunctionName, level: Level, score: f64) -> Alarm {
    Alarm {
        class: Class::DivisionByZero,
        file: "src/a.c".into(),
        line: 12,
        column: 9,
        function: "callee".into(),
        level,
        reason: "seen".into(),
        score,
        input: input(function, 0),
        replayed: "integer division by zero".into(),
        evidence: serde_json::json!({"stack": ["callee", function.name]}),
    }
}

fn record(function: FunctionName, covers: Vec<BranchSide>, alarms: Vec<Alarm>) -> FunctionRecord {
    let line = function.line + 1;
    FunctionRecord {
        fingerprint: "f1".into(),
        status: Status::Done,
        reason: None,
        branches: vec![side(line, 0), side(line, 1)],
        uncovered: vec![Uncovered { side: side(line, 1), why: "unsat".into() }],
        tests: vec![Test { input: input(&function, 3), end: End::Returned, covers }],
        alarms,
        statistics: Statistics { executions: 5, paths: 2, queries: 3, ..Statistics::default() },
        time_ms: 40,
        name: function,
    }
}

fn open(directory: &Directory) -> Store {
    Store::open(directory, "test", "{}").expect("the store opens")
}

#[test]
fn what_is_written_is_read() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path().join(".concertino"));
    let mut store = open(&directory);
    let (f, g, h) = (name("f", 10), name("g", 20), name("h", 30));
    let branches = |function: &FunctionName| vec![side(function.line + 1, 0), side(function.line + 1, 1)];
    let lists: Vec<_> = [&f, &g, &h].map(|function| (function, branches(function))).into();
    let listed: Vec<Listed> = lists.iter().map(|(name, branches)| Listed { name, branches }).collect();
    let problem = Problem { file: Some("src/b.c".into()), line: Some(3), message: "does not compile".into() };
    store.list(&listed, std::slice::from_ref(&problem)).unwrap();
    assert!(!store.is_finished(&f, "f1").unwrap());
    store
        .record(&record(f.clone(), vec![side(11, 0), side(21, 1)], vec![alarm(&f, Level::Unit, 0.4)]))
        .unwrap();
    store.record(&record(g.clone(), vec![side(21, 0)], vec![alarm(&g, Level::Unit, 0.9)])).unwrap();
    assert!(store.is_finished(&f, "f1").unwrap());
    assert!(!store.is_finished(&f, "f2").unwrap());
    store.finish(Outcome::Finished).unwrap();

    let view = View::open(&directory).unwrap();
    let seen: Vec<_> = view
        .functions
        .iter()
        .map(|function| {
            (function.name.name.as_str(), function.status, function.covered(), function.sides.len())
        })
        .collect();
    // g's sides are covered by tests of f and of g together.
    assert_eq!(seen, [("f", Some(Status::Done), 1, 2), ("g", Some(Status::Done), 2, 2), ("h", None, 0, 2)]);
    assert_eq!(view.functions[0].sides[1].why.as_deref(), Some("unsat"));
    assert_eq!(view.statistics().executions, 10);
    assert_eq!(view.problems, [problem]);
    assert_eq!(view.runs[0].outcome, "finished");
    // One place and class: one alarm, the better evidence speaks, the other is named.
    assert_eq!(view.alarms.len(), 1);
    let alarm = &view.alarms[0];
    assert_eq!((alarm.unit.name.as_str(), alarm.also.len()), ("g", 1));
    assert_eq!(view.alarms_named(&alarm.id[..4]).len(), 1);
    assert_eq!(directory.load_input(&alarm.input).unwrap(), input(&g, 0));
}

#[test]
fn alarms_with_one_cause_are_one() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let mut store = open(&directory);
    let (f, g) = (name("f", 10), name("g", 30));
    let at = |function: &FunctionName, line, level, score, roots: &[&str]| Alarm {
        line,
        function: function.name.clone(),
        evidence: serde_json::json!({ "roots": roots, "doubtful-below": 4.0, "kept": line == 18 }),
        ..alarm(function, level, score)
    };
    let of_f = vec![
        at(&f, 11, Level::Unit, 5.0, &["s->at", "s->end"]),
        at(&f, 12, Level::Unit, 7.0, &["s->at"]),
        at(&f, 13, Level::Unit, 3.0, &["s->end"]),
        at(&f, 14, Level::Feasible, 5.0, &["s->at"]),
        at(&f, 15, Level::Unit, 5.0, &[]),
        at(&f, 16, Level::Unit, 5.0, &["s->other"]),
        at(&f, 17, Level::Dropped, 5.0, &["s->other"]),
        at(&f, 18, Level::Feasible, 4.5, &["s->at"]),
    ];
    store.record(&record(f.clone(), vec![], of_f)).unwrap();
    store.record(&record(g.clone(), vec![], vec![at(&g, 31, Level::Unit, 5.0, &["s->at"])])).unwrap();
    drop(store);
    let view = View::open(&directory).unwrap();
    let line = |id: &str| view.alarms.iter().find(|alarm| alarm.id == id).map_or(0, |alarm| alarm.line);
    let shown = |line: u32| view.alarms.iter().find(|alarm| alarm.line == line).unwrap();
    let spoken_for = |at| shown(at).same_cause_as.as_deref().map(line);
    assert_eq!(spoken_for(14), None, "what a caller makes happen");
    assert_eq!([spoken_for(12), spoken_for(11), spoken_for(13)], [Some(14), Some(14), Some(14)]);
    assert_eq!(spoken_for(18), Some(14), "a caller that hands in what the program keeps");
    assert_eq!([spoken_for(15), spoken_for(16), spoken_for(17), spoken_for(31)], [None; 4]);
    assert_eq!(shown(14).same_cause.iter().map(|id| line(id)).collect::<Vec<_>>(), [18, 12, 11, 13]);
    let reported: Vec<u32> =
        view.alarms.iter().filter(|alarm| alarm.is_reported()).map(|alarm| alarm.line).collect();
    assert_eq!(reported, [14, 15, 16, 31]);
}

#[test]
fn many_causes_in_one_object_are_one() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let mut store = open(&directory);
    let (few, many) = (name("few", 10), name("many", 30));
    let fails = |function: &FunctionName, count: u32| -> Vec<Alarm> {
        let one = |at: u32| Alarm {
            line: function.line + at,
            function: function.name.clone(),
            evidence: serde_json::json!({ "roots": [format!("s->m{at}")], "doubtful-below": 4.0 }),
            ..alarm(function, Level::Unit, 5.0)
        };
        (1..=count).map(one).collect()
    };
    let mut of_many = fails(&many, 6);
    // By a member that has been met, and by another object.
    let more = |line, root: &str| Alarm {
        line,
        evidence: serde_json::json!({ "roots": [root], "doubtful-below": 4.0 }),
        ..alarm(&many, Level::Unit, 4.0)
    };
    of_many.extend([more(40, "s->m3"), more(41, "t->at"), more(42, "s->next is null")]);
    let beyond = |line, level, score| Alarm {
        line,
        evidence: serde_json::json!({ "roots": [], "behind": "s->text", "doubtful-below": 4.0 }),
        ..alarm(&many, level, score)
    };
    // The best one is doubtful.
    of_many.push(beyond(50, Level::Feasible, 3.0));
    of_many.extend((51..=55).map(|line| beyond(line, Level::Unit, 5.0)));
    store.record(&record(few.clone(), vec![], fails(&few, 2))).unwrap();
    store.record(&record(many.clone(), vec![], of_many)).unwrap();
    drop(store);
    let view = View::open(&directory).unwrap();
    let reported: BTreeSet<u32> =
        view.alarms.iter().filter(|alarm| alarm.is_reported()).map(|alarm| alarm.line).collect();
    assert_eq!(reported, BTreeSet::from([11, 12, 31, 41, 42, 51]));
    let speaker = view.alarms.iter().find(|alarm| alarm.line == 31).unwrap();
    assert_eq!(speaker.same_cause.len(), 6);
    let spoken = view.alarms.iter().filter(|alarm| speaker.same_cause.contains(&alarm.id));
    assert!(spoken.into_iter().all(|alarm| alarm.same_cause_as.as_ref() == Some(&speaker.id)));
}

#[test]
fn functions_that_are_gone_are_forgotten() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let (f, g) = (name("f", 10), name("g", 20));
    let mut store = open(&directory);
    store.record(&record(f.clone(), vec![side(11, 0)], vec![alarm(&f, Level::Unit, 0.4)])).unwrap();
    store.record(&record(g.clone(), vec![], vec![])).unwrap();
    store.list(&[Listed { name: &g, branches: &[] }], &[]).unwrap();
    let view = store.view().unwrap();
    assert_eq!(view.functions.len(), 1);
    assert!(view.alarms.is_empty());
    assert!(store.is_finished(&g, "f1").unwrap());
}

#[test]
fn a_second_run_is_told_who_works() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let first = open(&directory);
    match Store::open(&directory, "test", "{}").map(|_| ()) {
        Err(CampaignError::Busy { holder, .. }) => {
            assert_eq!(holder, format!("process {}", std::process::id()));
        }
        other => panic!("{other:?}"),
    }
    drop(first);
    open(&directory);
}

#[test]
fn what_is_no_campaign_is_said_so() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    assert!(matches!(View::open(&directory), Err(CampaignError::Missing(_))));
    std::fs::write(directory.database(), "this is a text, and quite a long one, but no database at all")
        .unwrap();
    assert!(matches!(View::open(&directory), Err(CampaignError::Database { .. })));
    assert!(matches!(Store::open(&directory, "test", "{}"), Err(CampaignError::Database { .. })));
}

#[test]
fn a_damaged_input_is_noticed() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let stored = directory.store_input(&input(&name("f", 1), 5)).unwrap();
    std::fs::write(directory.input_path(&stored), "{}").unwrap();
    assert!(matches!(directory.load_input(&stored), Err(CampaignError::DamagedInput(_))));
}

/// The child of the next test: records functions as fast as it can, says which are safe.
#[test]
#[ignore = "run by killed_at_any_moment_nothing_finished_is_lost"]
fn writer() {
    let place = std::env::var("CAMPAIGN_TEST_PLACE").unwrap();
    let mut store = open(&Directory::new(&place));
    let safe = std::path::Path::new(&place).join("safe");
    for line in 1.. {
        let function = name("f", line);
        store.record(&record(function.clone(), vec![side(line + 1, 0)], vec![])).unwrap();
        std::fs::write(&safe, line.to_string()).unwrap();
    }
}

#[test]
fn killed_at_any_moment_nothing_finished_is_lost() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let safe = place.path().join("safe");
    for round in 0..6_u64 {
        let _ = std::fs::remove_file(&safe);
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writer", "--ignored"])
            .env("CAMPAIGN_TEST_PLACE", place.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while !safe.exists() && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(7 * round));
        writer.kill().unwrap();
        writer.wait().unwrap();
        // The write of this note itself may have been cut: then nothing is claimed.
        let claimed: u32 = std::fs::read_to_string(&safe).unwrap().parse().unwrap_or(0);
        let view = View::open(&directory).unwrap();
        let done = view.functions.iter().filter(|function| function.status == Some(Status::Done)).count();
        assert!(done >= claimed as usize, "round {round}: {done} stored, {claimed} acknowledged");
        for function in &view.functions {
            assert_eq!((function.sides.len(), function.covered(), function.tests.len()), (2, 1, 1));
            directory.load_input(&function.tests[0].input).unwrap();
        }
        // And the lock that the killed run held is free.
        drop(open(&directory));
    }
}

#[test]
fn a_null_member_in_many_functions_is_one() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let mut store = open(&directory);
    let follows = |function: &FunctionName, members: &[&str]| Alarm {
        line: function.line + 1,
        evidence: serde_json::json!({ "roots": [], "follows": members, "doubtful-below": 4.0 }),
        ..alarm(function, Level::Unit, 5.0)
    };
    let followed: [(u32, &[&str]); 5] =
        [(10, &[".enc"]), (20, &[".enc", ".next"]), (30, &[".enc"]), (40, &[".next"]), (50, &[".next"])];
    for (at, members) in followed {
        let function = name(&format!("f{at}"), at);
        store.record(&record(function.clone(), vec![], vec![follows(&function, members)])).unwrap();
    }
    drop(store);
    let view = View::open(&directory).unwrap();
    let reported: Vec<u32> =
        view.alarms.iter().filter(|alarm| alarm.is_reported()).map(|alarm| alarm.line).collect();
    assert_eq!(reported, [11, 41, 51]);
}

#[test]
fn an_index_into_one_array_is_one() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let mut store = open(&directory);
    let table = "index 9 out of bounds for type 'const int[9]'";
    let other = "index 9 out of bounds for type 'const int[7]'";
    let cases = [
        (10, 12, table, "p->bits", "sizes[p->bits]"),
        (10, 14, table, "n", "sizes[n]"),
        (20, 22, table, "q->bits", "return sizes[q->bits];"),
        (30, 32, table, "q->bits", "masks[q->bits]"),
        (40, 42, table, "size", "sizes[size]"),
        (40, 44, other, "size", "few[size]"),
        (50, 52, table, "size", "sizes[size]"),
    ];
    for same in cases.chunk_by(|one, next| one.0 == next.0) {
        let function = name(&format!("f{}", same[0].0), same[0].0);
        let of = |(_, line, replayed, cause, expression): &(u32, u32, &str, &str, &str)| Alarm {
            line: *line,
            function: function.name.clone(),
            replayed: (*replayed).to_owned(),
            evidence: serde_json::json!({
                "roots": [], "cause": [cause], "expression": expression, "doubtful-below": 4.0
            }),
            ..alarm(&function, Level::Unit, 5.0)
        };
        store.record(&record(function.clone(), vec![], same.iter().map(of).collect())).unwrap();
    }
    drop(store);
    let view = View::open(&directory).unwrap();
    let reported: Vec<u32> =
        view.alarms.iter().filter(|alarm| alarm.is_reported()).map(|alarm| alarm.line).collect();
    // A parameter is each function's own.
    assert_eq!(reported, [12, 32, 42, 44, 52]);
}

#[test]
fn what_one_function_trusts_is_one() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let mut store = open(&directory);
    let cases = [
        (11, "trusted", ".code"),
        (12, "trusted", ".code"),
        (13, "trusted", ".states"),
        (14, "untested", "from"),
        (15, "untested", "to"),
    ];
    for driven in [10, 20, 30] {
        let function = name(&format!("f{driven}"), driven);
        let cases = cases.iter().filter(|(_, _, what)| driven != 30 || *what != ".states");
        let of = |(line, key, what): &(u32, &str, &str)| Alarm {
            line: *line + driven - 10,
            function: function.name.clone(),
            evidence: serde_json::json!({ "roots": [], *key: what, "doubtful-below": 4.0 }),
            ..alarm(&function, Level::Unit, 5.0)
        };
        store.record(&record(function.clone(), vec![], cases.map(of).collect())).unwrap();
    }
    drop(store);
    let view = View::open(&directory).unwrap();
    let reported: Vec<u32> =
        view.alarms.iter().filter(|alarm| alarm.is_reported()).map(|alarm| alarm.line).collect();
    assert_eq!(reported, [11, 13, 14, 23, 24, 34], "each function for itself, unless many do so");
}

#[test]
fn copies_of_one_statement_are_one() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let mut store = open(&directory);
    let null = "member access within null pointer of type 'struct item'";
    let cases = [
        (10, "a->child->prev = n;", null),
        (20, "a->child->prev = n;", null),
        (30, "a->child->prev = n;", null),
        (40, "a->child->prev = n;", "heap-use-after-free"),
        (50, "b->child->prev = n;", null),
        (60, "b->child->prev = n;", null),
        (70, "*p = n;", null),
        (80, "*p = n;", null),
        (90, "*p = n;", null),
    ];
    for (at, expression, replayed) in cases {
        let function = name(&format!("f{at}"), at);
        let failing = Alarm {
            line: at + 1,
            function: function.name.clone(),
            replayed: replayed.to_owned(),
            evidence: serde_json::json!({ "roots": [], "expression": expression, "doubtful-below": 4.0 }),
            ..alarm(&function, Level::Unit, 5.0)
        };
        store.record(&record(function.clone(), vec![], vec![failing])).unwrap();
    }
    drop(store);
    let view = View::open(&directory).unwrap();
    let reported: Vec<u32> =
        view.alarms.iter().filter(|alarm| alarm.is_reported()).map(|alarm| alarm.line).collect();
    assert_eq!(reported, [11, 41, 51, 71, 81, 91]);
}

#[test]
fn what_a_function_is_given_is_one_cause() {
    let place = tempfile::tempdir().unwrap();
    let directory = Directory::new(place.path());
    let mut store = open(&directory);
    type Places = &'static [(u32, &'static [&'static str])];
    let cases: [(u32, Places); 6] = [
        // One number, in three places of one function.
        (10, &[(11, &["n"]), (12, &["n", "q?null"]), (13, &["n", "m"]), (14, &["m"])]),
        (20, &[(21, &["n"]), (22, &["n"]), (23, &["n", "q->used"])]),
        // Where a pointer leads into its buffer, in three functions.
        (30, &[(31, &["text?offset"])]),
        (40, &[(41, &["text?offset", "end?offset"])]),
        (50, &[(51, &["text?offset"])]),
        (60, &[(61, &["end?offset"])]),
    ];
    for (at, places) in cases {
        let function = name(&format!("f{at}"), at);
        let failing = places.iter().map(|(line, cause)| Alarm {
            class: Class::OutOfBounds,
            line: *line,
            function: function.name.clone(),
            evidence: serde_json::json!({ "roots": [], "cause": cause, "doubtful-below": 4.0 }),
            ..alarm(&function, Level::Unit, 5.0)
        });
        store.record(&record(function.clone(), vec![], failing.collect())).unwrap();
    }
    drop(store);
    let view = View::open(&directory).unwrap();
    let reported: Vec<u32> =
        view.alarms.iter().filter(|alarm| alarm.is_reported()).map(|alarm| alarm.line).collect();
    assert_eq!(reported, [11, 14, 21, 22, 23, 31, 61]);
}
