//! Builds the image of tests/c/units.c once: compiled, instrumented, linked with the runtime.

use instrument::{Mode, Request};
use model::sites::SiteTable;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use wire::FunctionKey;

const UNITS: &str = include_str!("../c/units.c");
const TU: u32 = 7;
const PREFIX: &str = "explore-units-";

pub(crate) struct Built {
    pub(crate) directory: PathBuf,
    pub(crate) image: PathBuf,
    pub(crate) tables: Vec<SiteTable>,
}

pub(crate) fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(build)
}

impl Built {
    /// Tag and index in the driver table.
    pub(crate) fn driver(&self, name: &str) -> (u32, u32) {
        let table = UNITS.split("ctn_driver drivers[] = {").nth(1).expect("the driver table");
        let names = table.split("DRIVER(").skip(1).filter_map(|rest| rest.split(')').next());
        let index = names.into_iter().position(|other| other == name).expect("a known driver");
        (TU, index as u32)
    }

    pub(crate) fn function(&self, name: &str) -> FunctionKey {
        let function = self.tables[0].functions.iter().position(|function| function.name == name);
        FunctionKey { tu: TU, function: function.expect("a known function") as u32 }
    }
}

fn clang(arguments: &[&str], paths: &[&Path], output: &Path) {
    let mut command = Command::new("clang-19");
    let status = command.args(arguments).args(paths).arg("-o").arg(output).status().expect("clang-19 runs");
    assert!(status.success(), "{command:?}");
}

/// A test run that is over leaves its directory behind; the next one clears it away.
fn clear_stale() {
    let Ok(entries) = std::fs::read_dir(env!("CARGO_TARGET_TMPDIR")) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        if !Path::new("/proc").join(pid).exists() {
            // Another run may be clearing the same one.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn build() -> Built {
    clear_stale();
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{PREFIX}{}", std::process::id()));
    let at = |name: &str| directory.join(name);
    let sources = at("c");
    runtime::write_sources(&sources).expect("the runtime's sources");
    let include = format!("-I{}", sources.display());

    let inline: Vec<&str> = runtime::inline_flags().iter().copied().chain([include.as_str()]).collect();
    clang(&inline, &[&sources.join(runtime::inline_source())], &at("inline.bc"));
    let flags: Vec<&str> = runtime::object_flags().iter().copied().chain([include.as_str()]).collect();
    let mut objects = Vec::new();
    for name in runtime::explore_sources() {
        let object = at(&name.replace('/', "-")).with_extension("o");
        clang(&flags, &[&sources.join(name)], &object);
        objects.push(object);
    }

    std::fs::write(at("units.c"), UNITS).expect("writable");
    let tag = format!("-DTU={TU}");
    let as_written = ["-c", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-fPIE"];
    let kept = ["-fno-omit-frame-pointer", "-fno-stack-protector", include.as_str(), tag.as_str()];
    clang(&[&as_written[..], &kept[..]].concat(), &[&at("units.c")], &at("units.bc"));
    let table = instrument::instrument(&Request {
        mode: Mode::Explore,
        tu: TU,
        input: at("units.bc"),
        inline: Some(at("inline.bc")),
        redirects: None,
        output: at("units.o"),
        sites: at("units.json"),
        emit_bitcode: None,
        optimise: 1,
    });
    let table = table.expect("instrumented");
    objects.push(at("units.o"));
    let image = at("units");
    let objects: Vec<&Path> = objects.iter().map(PathBuf::as_path).collect();
    clang(&["-fuse-ld=lld", "-pie", "-rdynamic", "-lm", "-lpthread"], &objects, &image);
    Built { directory, image, tables: vec![table] }
}
