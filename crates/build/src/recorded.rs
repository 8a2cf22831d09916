//! Native builds of the program's executables that record their calls, and the library that puts them in the
//! place of the project's own. Plain sources with the project's flags, and where inputs are captured, a file of
//! captures around each; no instrumenter.

use crate::unit::{ATTEMPTS, refuse};
use crate::{BuildError, Tools, parallel, tools};
use harness::{Harness, Refused};
use model::{Image, Program, TranslationUnit, UnitFileId};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What every recording needs, built once per campaign.
#[derive(Clone, Debug)]
pub struct Recorder {
    objects: [PathBuf; 3],
    headers: PathBuf,
    /// To be preloaded into the commands of the user.
    pub preload: PathBuf,
    directory: PathBuf,
}

/// Writes a file with captures, without the given parts.
pub type WriteCaptures<'a> = &'a (dyn Fn(UnitFileId, &Refused) -> Harness + Sync);

/// An executable that records.
#[derive(Clone, Debug)]
pub struct Recording {
    pub path: PathBuf,
    /// Files in which nothing is captured, and why.
    pub without_captures: Vec<(UnitFileId, String)>,
}

impl Recorder {
    pub fn build(tools: &Tools, directory: &Path) -> Result<Recorder, BuildError> {
        let sources = directory.join("runtime");
        runtime::write_sources(&sources).map_err(BuildError::io(&sources))?;
        let built = Recorder {
            objects: ["record.o", "capture.o", "sample.o"].map(|name| directory.join(name)),
            headers: sources.clone(),
            preload: directory.join("exec.so"),
            directory: directory.to_owned(),
        };
        let compile = |source: &str, flags: &[&str], output: &Path| {
            let source = sources.join("profile").join(source);
            let mut command = Command::new(&tools.clang);
            command.args(["-O2", "-w"]).args(flags).arg(&source).arg("-o").arg(output);
            tools::run(&mut command, &source, "compiling")
        };
        let headers = sources.display().to_string();
        for (source, object) in ["record.c", "capture.c", "sample.c"].iter().zip(&built.objects) {
            compile(source, &["-c", "-fPIE", "-I", &headers], object)?;
        }
        compile("exec.c", &["-shared", "-fPIC", "-ldl"], &built.preload)?;
        Ok(built)
    }

    /// The executable of an image that has a `main`; with captures where someone writes them.
    pub fn executable(
        &self,
        tools: &Tools,
        program: &Program,
        image: &Image,
        captures: Option<WriteCaptures>,
        libraries: &[String],
        jobs: usize,
    ) -> Result<Recording, BuildError> {
        let place = self.directory.join(image.id.to_string());
        std::fs::create_dir_all(&place).map_err(BuildError::io(&place))?;
        let results = parallel::for_each(jobs, &image.files, |file| {
            let unit = program.file(*file);
            let object = place.join(format!("{:08x}.o", unit.tag));
            let why = match captures {
                Some(write) => {
                    self.with_captures(tools, unit, &object, &|without| write(*file, without)).err()
                }
                None => None,
            };
            if captures.is_none() || why.is_some() {
                compile(tools, unit, &unit.path, &[], &object)?;
            }
            Ok((object, why.map(|why| (*file, why.to_string()))))
        });
        let built = results.into_iter().collect::<Result<Vec<_>, BuildError>>()?;
        let (objects, without): (Vec<PathBuf>, Vec<_>) = built.into_iter().unzip();
        let output = place.join(&image.name);
        let mut command = Command::new(&tools.clang);
        command
            .args(["-fuse-ld=lld", "-pie", "-Wl,-z,muldefs", "-rdynamic"])
            .args(objects)
            .args(&self.objects);
        command.args(libraries.iter().map(|library| format!("-l{library}")));
        command.args(["-Wl,--as-needed", "-lm", "-lpthread", "-ldl", "-o"]).arg(&output);
        tools::run(&mut command, &output, "linking")?;
        Ok(Recording { path: output, without_captures: without.into_iter().flatten().collect() })
    }

    /// Written again without what does not compile, while that helps.
    fn with_captures(
        &self,
        tools: &Tools,
        unit: &TranslationUnit,
        object: &Path,
        write: &dyn Fn(&Refused) -> Harness,
    ) -> Result<(), BuildError> {
        let source = object.with_extension("c");
        let headers = self.headers.display().to_string();
        // The hook is called before anything else, when all arguments are where the caller put them.
        let flags = ["-pg", "-mfentry", "-I", &headers];
        let mut refused = Refused::default();
        for attempt in 1.. {
            let harness = write(&refused);
            std::fs::write(&source, &harness.text).map_err(BuildError::io(&source))?;
            match compile(tools, unit, &source, &flags, object) {
                Err(BuildError::Step { message, .. })
                    if attempt < ATTEMPTS && refuse(&mut refused, &message, &source, &harness) => {}
                result => return result,
            }
        }
        Ok(())
    }
}

/// Without inlining: a function that is part of its caller cannot be told from it on the stack.
fn compile(
    tools: &Tools,
    unit: &TranslationUnit,
    source: &Path,
    more: &[&str],
    object: &Path,
) -> Result<(), BuildError> {
    let mut command = Command::new(&tools.clang);
    command
        .current_dir(&unit.directory)
        .args(&unit.flags)
        .args(["-c", "-O1", "-g", "-w", "-fPIE", "-fno-inline", "-finstrument-functions", "-Wno-error"])
        .args(["-Wno-implicit-function-declaration", "-Wno-int-conversion"])
        .args(["-Wno-incompatible-function-pointer-types"])
        .args(more)
        .args(["-x", "c"])
        .arg(source)
        .arg("-o")
        .arg(object);
    tools::run(&mut command, &unit.path, "compiling")
}
