//! Builds the image of the hand-written units once per test run.
#![allow(dead_code, reason = "each test file uses a part of this")]

use execute::{Input, Limits, Session, Target, UnitSetup, Way, slot_hash};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use wire::SlotKey;

const UNITS: &str = include_str!("../c/units.c");

/// The tag that units.c registers its drivers under.
pub(crate) const TU: u32 = 7;

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("units-{}", std::process::id()))
}

/// Test runs that are over leave their directories behind; the next one clears them away.
fn clear_stale() {
    let Ok(entries) = std::fs::read_dir(env!("CARGO_TARGET_TMPDIR")) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.strip_prefix("units-")) else { continue };
        if !Path::new("/proc").join(pid).exists() {
            // Another run may be clearing the same one.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn compile(source: &Path, include: &Path, object: &Path) {
    let status = Command::new("clang-19")
        .args(runtime::object_flags())
        .arg("-w")
        .arg("-I")
        .args([include, source])
        .arg("-o")
        .arg(object)
        .status()
        .unwrap();
    assert!(status.success(), "{}", source.display());
}

pub(crate) fn image() -> &'static Path {
    static IMAGE: OnceLock<PathBuf> = OnceLock::new();
    IMAGE.get_or_init(|| {
        clear_stale();
        let directory = directory();
        let sources = directory.join("c");
        runtime::write_sources(&sources).unwrap();
        let mut objects = Vec::new();
        for name in runtime::explore_sources() {
            let object = directory.join(name).with_extension("o");
            compile(&sources.join(name), &sources, &object);
            objects.push(object);
        }
        let units = directory.join("units.c");
        std::fs::write(&units, UNITS).unwrap();
        compile(&units, &sources, &directory.join("units.o"));
        objects.push(directory.join("units.o"));
        let image = directory.join("units");
        let status = Command::new("clang-19")
            .args(["-fuse-ld=lld", "-pie", "-rdynamic"])
            .args(&objects)
            .args(["-lm", "-lpthread", "-o"])
            .arg(&image)
            .status()
            .unwrap();
        assert!(status.success());
        image
    })
}

/// Index in the driver table, by name, in the order of the table in units.c.
pub(crate) fn driver(name: &str) -> (u32, u32) {
    let table = UNITS.split("ctn_driver drivers[] = {").nth(1).unwrap();
    let names = table.split("DRIVER(").skip(1).map(|rest| rest.split(')').next().unwrap());
    let index =
        names.into_iter().position(|other| other == name).unwrap_or_else(|| panic!("no driver {name}"));
    (TU, index as u32)
}

pub(crate) fn target(name: &str) -> Target {
    Target::new(image(), directory().join("scratch").join(name))
}

pub(crate) fn session(name: &str, way: Way) -> Session {
    session_with(name, way, &Limits::default())
}

pub(crate) fn session_with(name: &str, way: Way, limits: &Limits) -> Session {
    let target = target(&format!("{name}-{way:?}"));
    Session::start(&target, &UnitSetup::new(driver(name)), limits, way).unwrap()
}

pub(crate) fn slot(path: &str, occurrence: u32) -> SlotKey {
    SlotKey { hash: slot_hash(path), occurrence }
}

pub(crate) fn input(slots: &[(&str, u32, &[u8])]) -> Input {
    slots.iter().map(|(path, occurrence, bytes)| (slot(path, *occurrence), bytes.to_vec())).collect()
}
