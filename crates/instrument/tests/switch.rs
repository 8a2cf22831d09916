//! The build for native replay: nothing but the switch at the entry of each function.

#[allow(dead_code)]
mod support;

use std::path::Path;
use std::process::Command;
use support::{TU, UNOPTIMISED, bitcode, clang, kit, must, tests};

#[test]
fn a_function_in_stub_mode_runs_its_stub() {
    let kit = kit("switch");
    let source = tests().join("c/switch/stub.c");
    let input = bitcode(kit, &source, UNOPTIMISED);
    let switched = kit.directory.join("switched.bc");
    let request = instrument::Request {
        mode: instrument::Mode::Switch,
        tu: TU,
        input,
        inline: None,
        redirects: None,
        output: switched.clone(),
        sites: kit.directory.join("switched.json"),
        emit_bitcode: None,
        optimise: 0,
    };
    instrument::run(Path::new(env!("CARGO_BIN_EXE_concertino-instrument")), &request).unwrap();
    let program = kit.directory.join("switched");
    let host = tests().join("c/switch/host.c");
    must(
        clang().args(["-fsanitize=address,undefined", "-w"]).arg(&switched).arg(host).arg("-o").arg(&program),
    );
    let run = |mode: &str| Command::new(&program).arg(mode).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&run("0").stdout), "real 7 4.5 11\n");
    assert_eq!(String::from_utf8_lossy(&run("1").stdout), "real 100 0.5 55\n");
}
