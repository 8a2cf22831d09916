//! A pool survives workers that crash, hang, talk nonsense or cannot be started at all.
//!
//! The workers are shell scripts: the pool knows nothing about what a unit is.

use campaign::{Happened, Pool, run_units};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Does what the request says; every answer carries the worker's process number.
const SCRIPT: &str = r#"
while read -r line; do
  case $line in
    *good*) echo '{"progress": 1}'; echo '{"result": "fine '$$'"}' ;;
    *crash*) echo 'lost my mind' >&2; kill -SEGV $$ ;;
    *hang*) sleep 60 ;;
    *nonsense*) echo 'garbage' ;;
    *leave*) exit 3 ;;
  esac
done
"#;

fn pool(logs: &Path, jobs: usize) -> Pool {
    Pool {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), SCRIPT.into()],
        jobs,
        logs: logs.to_owned(),
    }
}

fn run(pool: &Pool, requests: &[&str], limit: Duration) -> Vec<Result<String, String>> {
    let units: Vec<(&str, Duration)> = requests.iter().map(|request| (*request, limit)).collect();
    let mut results: Vec<Option<Result<String, String>>> = vec![None; requests.len()];
    run_units(pool, &units, &AtomicBool::new(false), |index, happened: Happened<u32, String>| {
        match happened {
            Happened::Finished(result) => results[index] = Some(Ok(result)),
            Happened::Lost { reason, .. } => results[index] = Some(Err(reason)),
            Happened::Started | Happened::Progress(_) => {}
        }
        ControlFlow::Continue(())
    });
    results.into_iter().map(|result| result.expect("every unit is reported")).collect()
}

#[test]
fn a_lost_worker_costs_one_unit() {
    let logs = tempfile::tempdir().unwrap();
    let requests = ["good", "crash", "good", "nonsense", "leave", "hang", "good", "good"];
    let results = run(&pool(logs.path(), 2), &requests, Duration::from_secs(3));
    let expected = [
        "fine",
        "the worker process was lost: it ended (signal 11): lost my mind",
        "fine",
        "the worker process was lost: it answered nonsense",
        "the worker process was lost: it ended (exit code 3)",
        "the worker process was lost: it gave no answer within 3s",
        "fine",
        "fine",
    ];
    for (result, expected) in results.iter().zip(expected) {
        let text = match result {
            Ok(text) | Err(text) => text,
        };
        assert!(text.starts_with(expected), "{text:?} is not {expected:?}");
    }
}

#[test]
fn a_worker_serves_many_units() {
    let logs = tempfile::tempdir().unwrap();
    let results = run(&pool(logs.path(), 1), &["good", "good", "good"], Duration::from_secs(20));
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{results:?}");
}

#[test]
fn no_worker_at_all_is_a_reason() {
    let logs = tempfile::tempdir().unwrap();
    let pool = Pool { program: "/nonexistent/worker".into(), ..pool(logs.path(), 2) };
    let results = run(&pool, &["good", "good"], Duration::from_secs(1));
    assert!(results.iter().all(|result| matches!(result, Err(why) if why.contains("could be started"))));
}

#[test]
fn a_stop_ends_running_units_soon() {
    let logs = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let begun = Instant::now();
    let units = [
        ("good", Duration::from_secs(60)),
        ("hang", Duration::from_secs(60)),
        ("good", Duration::from_secs(60)),
    ];
    let mut finished = 0;
    run_units(&pool(logs.path(), 1), &units, &stop, |index, happened: Happened<u32, String>| {
        match happened {
            Happened::Finished(_) => finished += 1,
            Happened::Started if index == 1 => stop.store(true, Ordering::Relaxed),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    assert_eq!(finished, 1);
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_caller_can_break_off() {
    let logs = tempfile::tempdir().unwrap();
    let units = vec![("good", Duration::from_secs(60)); 100];
    let mut seen = 0;
    run_units(
        &pool(logs.path(), 2),
        &units,
        &AtomicBool::new(false),
        |_, happened: Happened<u32, String>| match happened {
            Happened::Finished(_) => {
                seen += 1;
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        },
    );
    assert_eq!(seen, 1);
}
