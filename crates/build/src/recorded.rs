//! Native builds of the program's executables that record their calls, and the library that puts them in the
//! place of the project's own. Plain sources with the project's flags: no harness, no instrumenter.

use crate::{BuildError, Tools, parallel, tools};
use model::{Image, Program, TranslationUnit};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What every recording needs, built once per campaign.
#[derive(Clone, Debug)]
pub struct Recorder {
    object: PathBuf,
    /// To be preloaded into the commands of the user.
    pub preload: PathBuf,
    directory: PathBuf,
}

impl Recorder {
    pub fn build(tools: &Tools, directory: &Path) -> Result<Recorder, BuildError> {
        let sources = directory.join("runtime");
        runtime::write_sources(&sources).map_err(BuildError::io(&sources))?;
        let built = Recorder {
            object: directory.join("record.o"),
            preload: directory.join("exec.so"),
            directory: directory.to_owned(),
        };
        let compile = |source: &str, flags: &[&str], output: &Path| {
            let source = sources.join("profile").join(source);
            let mut command = Command::new(&tools.clang);
            command.args(["-O2", "-w"]).args(flags).arg(&source).arg("-o").arg(output);
            tools::run(&mut command, &source, "compiling")
        };
        compile("record.c", &["-c", "-fPIE"], &built.object)?;
        compile("exec.c", &["-shared", "-fPIC", "-ldl"], &built.preload)?;
        Ok(built)
    }

    /// The executable of an image that has a `main`.
    pub fn executable(
        &self,
        tools: &Tools,
        program: &Program,
        image: &Image,
        libraries: &[String],
        jobs: usize,
    ) -> Result<PathBuf, BuildError> {
        let place = self.directory.join(image.id.to_string());
        std::fs::create_dir_all(&place).map_err(BuildError::io(&place))?;
        let results = parallel::for_each(jobs, &image.files, |file| {
            let unit = program.file(*file);
            let object = place.join(format!("{:08x}.o", unit.tag));
            compile(tools, unit, &object).map(|()| object)
        });
        let objects = results.into_iter().collect::<Result<Vec<PathBuf>, BuildError>>()?;
        let output = place.join(&image.name);
        let mut command = Command::new(&tools.clang);
        command.args(["-fuse-ld=lld", "-pie", "-Wl,-z,muldefs", "-rdynamic"]).args(objects).arg(&self.object);
        command.args(libraries.iter().map(|library| format!("-l{library}")));
        command.args(["-Wl,--as-needed", "-lm", "-lpthread", "-ldl", "-o"]).arg(&output);
        tools::run(&mut command, &output, "linking")?;
        Ok(output)
    }
}

/// Without inlining: a function that is part of its caller cannot be told from it on the stack.
fn compile(tools: &Tools, unit: &TranslationUnit, object: &Path) -> Result<(), BuildError> {
    let mut command = Command::new(&tools.clang);
    command
        .current_dir(&unit.directory)
        .args(&unit.flags)
        .args(["-c", "-O1", "-g", "-w", "-fPIE", "-fno-inline", "-finstrument-functions", "-Wno-error"])
        .args(["-Wno-implicit-function-declaration", "-Wno-int-conversion"])
        .args(["-Wno-incompatible-function-pointer-types", "-x", "c"])
        .arg(&unit.path)
        .arg("-o")
        .arg(object);
    tools::run(&mut command, &unit.path, "compiling")
}
