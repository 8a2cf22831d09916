//! Processes: none is left behind, and what cannot start says why.

mod image;

use execute::{ExecuteError, Input, Limits, SandboxPolicy, Session, Target, UnitSetup, Way};
use image::{driver, session, target};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wire::{End, FunctionKey, Mode};

fn exists(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A zombie whose parent has not looked yet is as good as gone.
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

fn children(pid: u32) -> Vec<u32> {
    let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

fn vanishes(pids: &[u32]) -> bool {
    let deadline = Instant::now() + Duration::from_secs(5);
    while pids.iter().any(|pid| exists(*pid)) {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

#[test]
fn dropping_a_session_ends_its_processes() {
    let mut session = session("nothing", Way::Persistent);
    session.run(&Input::new()).unwrap();
    let server = session.server_id();
    let workers = children(server);
    assert_eq!(workers.len(), 1);
    drop(session);
    assert!(!exists(server));
    assert!(vanishes(&workers));
}

/// Runs itself as an explorer that is killed while its unit loops.
#[test]
fn a_killed_explorer_leaves_nothing_running() {
    const MARK: &str = "CONCERTINO_TEST_EXPLORER";
    if std::env::var_os(MARK).is_some() {
        let limits = Limits { time_per_execution: Duration::from_secs(60), ..Limits::default() };
        let mut session = image::session_with("loops", Way::Persistent, &limits);
        println!("server {}", session.server_id());
        session.run(&Input::new()).unwrap();
        return;
    }
    let mut explorer = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_killed_explorer_leaves_nothing_running", "--nocapture"])
        .env(MARK, "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(explorer.stdout.take().unwrap()));
    let server: u32 = lines
        .find_map(|line| line.unwrap().split("server ").nth(1).and_then(|pid| pid.trim().parse().ok()))
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut tested = vec![server];
    while tested.len() < 2 && Instant::now() < deadline {
        tested = [server].into_iter().chain(children(server)).collect();
    }
    assert_eq!(tested.len(), 2, "no worker was started");
    explorer.kill().unwrap();
    explorer.wait().unwrap();
    assert!(vanishes(&tested), "{tested:?}");
}

#[test]
fn a_killed_worker_and_a_killed_server_are_replaced() {
    let mut session = session("nothing", Way::Persistent);
    session.run(&Input::new()).unwrap();
    let kill =
        |pid: u32| assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
    let worker = children(session.server_id())[0];
    kill(worker);
    assert!(vanishes(&[worker]), "the server does not wait for its worker");
    // One execution is lost if it is asked for before the server has looked.
    let first = session.run(&Input::new()).unwrap().ending().end;
    assert!([End::Returned, End::Killed].contains(&first), "{first:?}");
    assert_eq!(session.run(&Input::new()).unwrap().ending().end, End::Returned);
    let both = [session.server_id(), children(session.server_id())[0]];
    kill(both[0]);
    assert!(vanishes(&both), "the worker outlives its server");
    assert_eq!(session.run(&Input::new()).unwrap().ending().end, End::Killed);
    assert_eq!(session.run(&Input::new()).unwrap().ending().end, End::Returned);
    assert_eq!(session.statistics().servers_lost, 1);
}

#[test]
fn endings_that_the_runtime_decides_leave_the_worker_alive() {
    for name in [
        "nothing",
        "leaves_traces",
        "churns_large",
        "heap_churns",
        "recurses_a_little",
        "aborts",
        "jumps",
        "frees_twice",
    ] {
        let limits =
            Limits { heap: 8 << 20, time_per_execution: Duration::from_secs(20), ..Limits::default() };
        let mut session = image::session_with(name, Way::Persistent, &limits);
        session.run(&Input::new()).unwrap();
        let worker = children(session.server_id());
        session.run(&Input::new()).unwrap();
        session.run(&Input::new()).unwrap();
        assert_eq!(worker, children(session.server_id()), "{name}");
        assert_eq!(worker.len(), 1, "{name}");
    }
}

fn refused(target: &Target, unit: &UnitSetup) -> String {
    match Session::start(target, unit, &Limits::default(), Way::Fork) {
        Ok(_) => panic!("it started"),
        Err(error @ ExecuteError::NotReady { .. }) => error.to_string(),
        Err(error) => format!("{error}: {:?}", std::error::Error::source(&error).map(ToString::to_string)),
    }
}

#[test]
fn what_cannot_start_says_why() {
    let target = target("refused");
    let no_driver = refused(&target, &UnitSetup::new((1, 2)));
    assert!(no_driver.contains("no such driver"), "{no_driver}");
    let function = FunctionKey { tu: 1, function: 2 };
    let unit = UnitSetup { modes: vec![(function, Mode::Stub)], ..UnitSetup::new(driver("nothing")) };
    let no_function = refused(&target, &unit);
    assert!(no_function.contains("does not have"), "{no_function}");
    let other = Target { image: Path::new("/bin/true").to_owned(), ..target.clone() };
    let not_ours = refused(&other, &UnitSetup::new((1, 2)));
    assert!(not_ours.contains("exit status: 0"), "{not_ours}");
    let missing = Target { image: Path::new("/nonexistent/image").to_owned(), ..target };
    let missing = refused(&missing, &UnitSetup::new((1, 2)));
    assert!(missing.contains("No such file"), "{missing}");
}

#[test]
fn without_a_sandbox_only_when_told_to() {
    let target = Target { sandbox: SandboxPolicy::Off, ..target("bare") };
    let mut session =
        Session::start(&target, &UnitSetup::new(driver("opens_socket")), &Limits::default(), Way::Persistent)
            .unwrap();
    // The same unit is refused its socket in the sandbox; whether there is a network at all is not the point.
    assert_eq!(session.run(&Input::new()).unwrap().ending().end, End::Exited);
    assert_eq!(Target::new("a", "b").sandbox, SandboxPolicy::Require);
}

#[test]
fn output_is_kept_when_asked_for() {
    let target = Target { keep_output: true, ..target("output") };
    let unit = UnitSetup::new(driver("leaves_traces"));
    let mut session = Session::start(&target, &unit, &Limits::default(), Way::Fork).unwrap();
    session.run(&Input::new()).unwrap();
    assert_eq!(std::fs::read_to_string(target.scratch.join("output.txt")).unwrap(), "noise");
}
