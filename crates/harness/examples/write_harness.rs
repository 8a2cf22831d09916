//! Writes the harness of every file of a project into a directory, compiles it and prints a summary:
//! `cargo run -p concertino-harness --example write_harness -- PROJECT OUTPUT`

use harness::Options;
use model::{Program, Source};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [project, output] = arguments.as_slice() else {
        eprintln!("usage: write_harness PROJECT OUTPUT");
        return ExitCode::from(2);
    };
    match write_all(project, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write_all(project: &Path, output: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let program = Program::load(&Source::Find(project.to_owned()), &model::Options::default())?;
    for problem in &program.problems {
        println!("problem {problem:?}");
    }
    std::fs::create_dir_all(output)?;
    let (mut driven, mut skipped, mut broken) = (0, 0, 0);
    for unit in &program.files {
        let Some(image) = program.images.iter().find(|image| image.files.contains(&unit.id)) else {
            continue;
        };
        let macros = harness::macros_of(Path::new("clang-19"), unit)?;
        let harness = harness::write(&program, image, unit.id, &Options { macros, ..Options::default() });
        let name = unit.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let file = output.join(format!("{name}-{:08x}.c", unit.tag));
        std::fs::write(&file, &harness.text)?;
        driven += harness.drivers.len();
        skipped += harness.skipped.len();
        for (function, reason) in &harness.skipped {
            println!("skipped {}: {reason}", program.function(*function).name);
        }
        for stub in &harness.stubs {
            if let Some(problem) = &stub.problem {
                println!("no stub for {}: {problem}", stub.symbol);
            }
        }
        for compiler in ["clang-19", "gcc"] {
            let compiled = Command::new(compiler)
                .current_dir(&unit.directory)
                .args(unit.flags.iter().filter(|flag| compiler != "gcc" || !flag.starts_with("-W")))
                .args(["-c", "-o", "/dev/null", "-g", "-w", "-I"])
                .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/c"))
                .arg(&file)
                .output()?;
            if !compiled.status.success() {
                broken += 1;
                println!("{compiler} {}: {}", file.display(), String::from_utf8_lossy(&compiled.stderr));
            }
        }
    }
    println!(
        "{} files, {driven} drivers, {skipped} skipped, {broken} failed compilations",
        program.files.len()
    );
    Ok(())
}
