//! Executions per second, for a person: `cargo test --release -p concertino-execute --test rates -- --ignored
//! --nocapture`. On a loaded machine the CPU time counts, so that is printed too.

mod image;

use execute::{Input, Way};
use std::time::{Duration, Instant};

/// User and system time of this process and of the children it waited for, or of one other process.
fn cpu_time(pids: &[u32]) -> Duration {
    let ticks: u64 = pids
        .iter()
        .map(|pid| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let fields: Vec<u64> = stat
                .rsplit(')')
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .map(|field| field.parse().unwrap_or(0))
                .collect();
            fields.get(11..15).map_or(0, |times| times.iter().sum())
        })
        .sum();
    Duration::from_millis(ticks * 10)
}

fn children(pid: u32) -> Vec<u32> {
    let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

fn report(what: &str, runs: u32, wall: Duration, cpu: Duration) {
    println!(
        "{what:<28} {:>9.0} /s  {:>9.0} /cpu-s",
        f64::from(runs) / wall.as_secs_f64(),
        f64::from(runs) / cpu.as_secs_f64().max(0.001)
    );
}

fn measure(name: &str, way: Way, runs: u32) {
    let mut session = image::session(name, way);
    let input = Input::new();
    session.run(&input).unwrap();
    let server = session.server_id();
    let everyone: Vec<u32> = [std::process::id(), server].into_iter().chain(children(server)).collect();
    let (start, before) = (Instant::now(), cpu_time(&everyone));
    for _ in 0..runs {
        session.run(&input).unwrap();
    }
    report(&format!("{name}, {way:?}"), runs, start.elapsed(), cpu_time(&everyone) - before);
}

fn bare_fork(runs: u32) {
    let (start, before) = (Instant::now(), cpu_time(&[std::process::id()]));
    for _ in 0..runs {
        // SAFETY: the child ends at once.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::_exit(0);
            }
            libc::waitpid(child, std::ptr::null_mut(), 0);
        }
    }
    report("bare fork and wait", runs, start.elapsed(), cpu_time(&[std::process::id()]) - before);
}

#[test]
#[ignore = "a measurement"]
fn rates() {
    bare_fork(3_000);
    for name in ["nothing", "sum_of_bytes", "leaves_traces", "aborts", "reads_null"] {
        measure(name, Way::Fork, 2_000);
        measure(name, Way::Persistent, if name == "reads_null" { 50 } else { 100_000 });
    }
}
