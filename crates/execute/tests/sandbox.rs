//! Tested code that would do harm, and proof that it cannot.

mod image;

use execute::{Ending, Input, Limits, Way};
use image::{input, session, session_with};
use std::path::PathBuf;
use wire::End;

/// A file beside the scratch directories, which no unit may touch.
fn victim(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("victims");
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join(name);
    std::fs::write(&file, "precious").unwrap();
    file
}

fn run(name: &str, input: &Input) -> Ending {
    let mut endings = Vec::new();
    for way in [Way::Persistent, Way::Fork] {
        let mut session = session(name, way);
        for _ in 0..2 {
            endings.push(session.run(input).unwrap().ending().clone());
        }
    }
    assert!(endings.iter().all(|ending| ending.end == endings[0].end && ending.value == endings[0].value));
    endings.remove(0)
}

fn was_refused(name: &str, input: &Input) {
    let ending = run(name, input);
    assert_eq!((ending.end, ending.value), (End::Exited, 0), "{name}: {ending:?}");
}

#[test]
fn files_outside_the_scratch_directory_stay_as_they_are() {
    for name in ["unlinks", "overwrites", "changes_mode"] {
        let file = victim(name);
        let path = file.to_str().unwrap().as_bytes();
        was_refused(name, &input(&[("path", 0, path)]));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
    }
}

#[test]
fn the_scratch_directory_can_be_written() {
    let ending = run("creates_in_scratch", &Input::new());
    assert_eq!((ending.end, ending.value), (End::Exited, 1));
}

#[test]
fn no_network_no_processes_no_programs() {
    for name in ["opens_socket", "forks", "executes", "leaves_group"] {
        was_refused(name, &Input::new());
    }
}

#[test]
fn no_signals_to_others() {
    for name in ["signals_parent", "signals_all"] {
        assert_eq!(run(name, &Input::new()).end, End::Forbidden, "{name}");
    }
}

#[test]
fn files_stay_small() {
    let limits = Limits { file_size: 1 << 20, ..Limits::default() };
    let mut session = session_with("writes_without_end", Way::Persistent, &limits);
    let ending = session.run(&Input::new()).unwrap().ending().clone();
    assert_eq!(ending.end, End::OutputLimit);
    let file = session.target().scratch.join("big");
    assert!(std::fs::metadata(file).unwrap().len() <= 1 << 20);
}
