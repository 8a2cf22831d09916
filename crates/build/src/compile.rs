//! Command lines: C to bitcode for exploration and for replay, bitcode to object.
//!
//! Both kinds see the project's own flags. Optimisation is ours: exploring needs the branches as the source
//! has them, so clang runs without it and the instrumenter optimises after its work is done.

use crate::{BuildError, Tools, tools};
use model::TranslationUnit;
use std::path::Path;
use std::process::Command;

/// The sanitizers that confirm an alarm. `alignment` and `object-size` are left out: the first reports what
/// real programs do on purpose, the second needs optimisation to say anything.
pub(crate) const SANITIZERS: &str =
    "address,bounds,integer-divide-by-zero,null,return,shift,signed-integer-overflow,unreachable,vla-bound";

/// For whom bitcode is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Explore,
    Replay,
    Coverage,
}

/// Clang's own branch and MC/DC coverage. Names stay readable: their readers need no decompression.
const COVERAGE: &[&str] = &[
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-fcoverage-mcdc",
    "-mllvm",
    "-enable-name-compression=false",
];

pub(crate) fn bitcode_arguments(purpose: Purpose) -> Vec<String> {
    let shared = [
        "-emit-llvm",
        "-c",
        "-g",
        "-gcolumn-info",
        "-w",
        "-O0",
        "-U_FORTIFY_SOURCE",
        "-fno-strict-aliasing",
        "-fno-omit-frame-pointer",
        "-fno-stack-protector",
        "-Wno-error",
        "-Wno-implicit-function-declaration",
        "-Wno-int-conversion",
        "-Wno-incompatible-function-pointer-types",
        "-fPIE",
        // Without these passes functions that are always inlined are there, in all builds alike: the mode of a function
        // is given by its number.
        "-Xclang",
        "-disable-llvm-passes",
        "-Xclang",
        "-disable-O0-optnone",
    ];
    let mut arguments: Vec<String> = shared.iter().map(|argument| argument.to_string()).collect();
    if purpose == Purpose::Replay {
        // Elsewhere the instrumenter wants to see what the program's own flags say, and nothing is optimised before that.
        arguments.push("-fno-delete-null-pointer-checks".to_owned());
    }
    match purpose {
        Purpose::Explore => {}
        Purpose::Replay => {
            arguments.push(format!("-fsanitize={SANITIZERS}"));
            // An array at the end of a struct may be longer than declared where it has at most one element, as in the
            // instrumenter's checks.
            arguments.push("-fstrict-flex-arrays=1".to_owned());
        }
        Purpose::Coverage => arguments.extend(COVERAGE.iter().map(|argument| argument.to_string())),
    }
    arguments
}

/// Compiles a harness (which includes the original source) to bitcode; the files read go to `dependencies`. Gives
/// back what the compiler said.
pub(crate) fn to_bitcode(
    tools: &Tools,
    unit: &TranslationUnit,
    headers: &Path,
    source: &Path,
    output: &Path,
    dependencies: &Path,
    purpose: Purpose,
) -> Result<String, BuildError> {
    let mut command = Command::new(&tools.clang);
    command
        .current_dir(&unit.directory)
        .args(&unit.flags)
        .args(bitcode_arguments(purpose))
        .arg("-I")
        .arg(headers)
        .arg("-MD")
        .arg("-MF")
        .arg(dependencies)
        .args(["-x", "c"])
        .arg(source)
        .arg("-o")
        .arg(output);
    tools::run_and_hear(&mut command, &unit.path, "compiling")
}

/// Compiles switched bitcode to an object for native runs, under the sanitizers or with coverage. Without
/// optimisation: a faulty access that has no effect otherwise must not be optimised away.
pub(crate) fn native_object(
    tools: &Tools,
    unit: &TranslationUnit,
    bitcode: &Path,
    object: &Path,
    purpose: Purpose,
) -> Result<(), BuildError> {
    let mut command = Command::new(&tools.clang);
    command.args(["-c", "-O0", "-g", "-w", "-fPIE", "-fno-omit-frame-pointer"]);
    match purpose {
        Purpose::Explore | Purpose::Replay => command.arg(format!("-fsanitize={SANITIZERS}")),
        Purpose::Coverage => {
            command.args(["-fprofile-instr-generate", "-mllvm", "-enable-name-compression=false"])
        }
    };
    command.args(["-x", "ir"]).arg(bitcode).arg("-o").arg(object);
    tools::run(&mut command, &unit.path, "compiling for replay")
}
