//! One translation unit: harness text to bitcode to instrumented object and site table.

use crate::compile::{self, Purpose};
use crate::stamp::{self, Stamp};
use crate::{BuildError, BuiltRuntime, Tools, tools};
use harness::{Harness, Refused};
use model::TranslationUnit;
use model::sites::SiteTable;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often a harness is written, each time without what did not compile before.
pub(crate) const ATTEMPTS: usize = 6;

#[derive(Clone, Debug)]
pub struct BuiltUnit {
    pub tag: u32,
    pub object: PathBuf,
    pub sites: PathBuf,
    /// The harness as it compiled.
    pub harness: PathBuf,
    /// Drivers, stubs and functions for values that the compiler refused, with its message.
    pub refused: Refused,
    /// False when an earlier build was still good.
    pub rebuilt: bool,
}

impl BuiltUnit {
    pub fn site_table(&self) -> Result<SiteTable, BuildError> {
        let text = std::fs::read_to_string(&self.sites).map_err(BuildError::io(&self.sites))?;
        serde_json::from_str(&text)
            .map_err(|error| BuildError::SiteTable { path: self.sites.clone(), message: error.to_string() })
    }
}

pub struct UnitBuilder<'a> {
    pub tools: &'a Tools,
    pub runtime: &'a BuiltRuntime,
    /// `.concertino/build/units`
    pub directory: PathBuf,
}

/// Writes a harness without the given parts.
pub type WriteHarness<'a> = &'a dyn Fn(&Refused) -> Harness;

impl UnitBuilder<'_> {
    /// Builds for exploration. `write` is asked again, without the parts that did not compile, while that
    /// helps; what remains wrong then is wrong in the source itself.
    pub fn explore(
        &self,
        unit: &TranslationUnit,
        write: WriteHarness,
    ) -> Result<(BuiltUnit, Harness), BuildError> {
        let place = self.place(unit)?;
        let mut refused = Refused::default();
        let mut attempt = 0;
        loop {
            let text = write(&refused);
            let built = self.explore_text(unit, &place, &text);
            attempt += 1;
            match built {
                Ok(mut built) => {
                    built.refused = refused;
                    return Ok((built, text));
                }
                Err(BuildError::Step { message, file, step }) if attempt < ATTEMPTS => {
                    if !refuse(&mut refused, &message, &place.join("harness.c"), &text) {
                        return Err(BuildError::Step { file, step, message });
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn explore_text(
        &self,
        unit: &TranslationUnit,
        place: &Path,
        text: &Harness,
    ) -> Result<BuiltUnit, BuildError> {
        let source = place.join("harness.c");
        let object = place.join("explore.o");
        let sites = place.join("sites.json");
        let stamp_file = place.join("explore.stamp");
        let recipe = stamp::hash_of(&(
            &text.text,
            &unit.flags,
            &unit.directory,
            self.runtime.identity,
            compile::bitcode_arguments(Purpose::Explore),
            &self.tools.clang,
        ));
        let built = |rebuilt| BuiltUnit {
            tag: unit.tag,
            object: object.clone(),
            sites: sites.clone(),
            harness: source.clone(),
            refused: Refused::default(),
            rebuilt,
        };
        if Stamp::is_current(&stamp_file, recipe) && object.is_file() && sites.is_file() {
            return Ok(built(false));
        }
        Stamp::withdraw(&stamp_file).map_err(BuildError::io(&stamp_file))?;
        let bitcode = place.join("explore.bc");
        let dependencies = place.join("explore.d");
        std::fs::write(&source, &text.text).map_err(BuildError::io(&source))?;
        compile::to_bitcode(
            self.tools,
            unit,
            &self.runtime.headers,
            &source,
            &bitcode,
            &dependencies,
            Purpose::Explore,
        )?;
        self.instrument("explore", unit.tag, &unit.path, &bitcode, &object, &sites)?;
        let read = stamp::dependencies(&dependencies).into_iter().map(|file| unit.directory.join(file));
        Stamp::new(recipe, read).write(&stamp_file).map_err(BuildError::io(&stamp_file))?;
        Ok(built(true))
    }

    /// Builds the object for native replay under the sanitizers from the harness that `explore` wrote.
    pub fn replay(&self, unit: &TranslationUnit) -> Result<PathBuf, BuildError> {
        self.native(unit, Purpose::Replay, "replay")
    }

    /// The same with clang's coverage instead of the sanitizers; what the compiler said is beside the object, in a
    /// file that ends in `said`.
    pub fn coverage(&self, unit: &TranslationUnit) -> Result<PathBuf, BuildError> {
        self.native(unit, Purpose::Coverage, "coverage")
    }

    fn native(&self, unit: &TranslationUnit, purpose: Purpose, name: &str) -> Result<PathBuf, BuildError> {
        let place = self.place(unit)?;
        let file = |ending: &str| place.join(format!("{name}.{ending}"));
        let source = place.join("harness.c");
        let object = file("o");
        let stamp_file = file("stamp");
        let text = std::fs::read(&source).map_err(BuildError::io(&source))?;
        let recipe = stamp::hash_of(&(
            text,
            &unit.flags,
            &unit.directory,
            self.runtime.identity,
            compile::bitcode_arguments(purpose),
        ));
        if Stamp::is_current(&stamp_file, recipe) && object.is_file() {
            return Ok(object);
        }
        Stamp::withdraw(&stamp_file).map_err(BuildError::io(&stamp_file))?;
        let bitcode = file("bc");
        let switched = file("switched.bc");
        let dependencies = file("d");
        let headers = &self.runtime.headers;
        let said = compile::to_bitcode(self.tools, unit, headers, &source, &bitcode, &dependencies, purpose)?;
        if purpose == Purpose::Coverage {
            // Which decisions the compiler does not measure is said there and nowhere else.
            let kept = file("said");
            std::fs::write(&kept, said).map_err(BuildError::io(&kept))?;
        }
        self.instrument("switch", unit.tag, &unit.path, &bitcode, &switched, &file("sites.json"))?;
        compile::native_object(self.tools, unit, &switched, &object, purpose)?;
        let read = stamp::dependencies(&dependencies).into_iter().map(|file| unit.directory.join(file));
        Stamp::new(recipe, read).write(&stamp_file).map_err(BuildError::io(&stamp_file))?;
        Ok(object)
    }

    fn instrument(
        &self,
        mode: &str,
        tag: u32,
        file: &Path,
        bitcode: &Path,
        output: &Path,
        sites: &Path,
    ) -> Result<(), BuildError> {
        let mut command = Command::new(&self.tools.instrumenter);
        command
            .args(["--mode", mode, "--tu", &format!("{tag:08x}"), "--in"])
            .arg(bitcode)
            .arg("--inline")
            .arg(&self.runtime.inline)
            .arg("--redirect")
            .arg(if mode == "switch" { &self.runtime.replay_redirects } else { &self.runtime.redirects })
            .arg("--sites")
            .arg(sites)
            .arg("--out")
            .arg(output);
        tools::run(&mut command, file, "instrumenting")
    }

    /// The unit's own directory, named so that a person finds it: file name and tag.
    fn place(&self, unit: &TranslationUnit) -> Result<PathBuf, BuildError> {
        let name = unit.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let place = self.directory.join(format!("{name}-{:08x}", unit.tag));
        std::fs::create_dir_all(&place).map_err(BuildError::io(&place))?;
        Ok(place)
    }
}

/// Adds the parts of a harness in which the compiler found errors, by the lines it names. False where there are no more
/// than before.
pub(crate) fn refuse(refused: &mut Refused, message: &str, harness_path: &Path, text: &Harness) -> bool {
    let prefix = format!("{}:", harness_path.display());
    let mut more = false;
    for error in message.lines().filter(|line| line.contains("error:")) {
        let Some(rest) = error.strip_prefix(&prefix) else { continue };
        let Some(line) = rest.split(':').next().and_then(|number| number.parse().ok()) else { continue };
        let reason = error.split("error:").nth(1).unwrap_or("").trim();
        more |= refused.add(text, line, reason);
    }
    more
}
