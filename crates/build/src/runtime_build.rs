//! The runtime, built once per campaign: its objects, the inline bitcode, the instrumented libc models.

use crate::stamp::{self, Stamp};
use crate::{BuildError, Tools, parallel, tools};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tag of the translation units that hold models of the C library: high, so that it does not look like a hash.
const MODEL_TAG: u32 = 0xff00_0000;

const STAMP: &str = "runtime.stamp";

/// A directory that projects share their built runtimes in.
const CACHE_VARIABLE: &str = "CONCERTINO_RUNTIME_CACHE";

#[derive(Clone, Debug)]
pub struct BuiltRuntime {
    /// Where `ctn.h` is.
    pub headers: PathBuf,
    /// Bitcode that the instrumenter links into every module.
    pub inline: PathBuf,
    /// Which external functions are replaced: `libc-name our-name` per line.
    pub redirects: PathBuf,
    /// The same for native replay: only what is an input.
    pub replay_redirects: PathBuf,
    /// Objects that every exploring image links.
    pub explore_objects: Vec<PathBuf>,
    /// Models of the C library: objects that an exploring image links if it needs them.
    pub model_objects: Vec<PathBuf>,
    /// Objects that every replay image links.
    pub replay_objects: Vec<PathBuf>,
    /// Objects that every coverage image links.
    pub coverage_objects: Vec<PathBuf>,
    pub model_sites: Vec<PathBuf>,
    /// Changes when anything of the runtime, the instrumenter or the redirects changes.
    pub identity: u64,
}

impl BuiltRuntime {
    /// `own` names the external symbols that the program defines itself: these are not redirected. With
    /// `CONCERTINO_RUNTIME_CACHE` set, projects share what is built there instead of building below `directory`.
    pub fn build(
        tools: &Tools,
        directory: &Path,
        own: &dyn Fn(&str) -> bool,
        jobs: usize,
    ) -> Result<BuiltRuntime, BuildError> {
        let redirects = redirect_text(runtime::redirects(), own);
        let replay_redirects = redirect_text(runtime::replay_redirects(), own);
        let identity = stamp::hash_of(&(
            runtime::fingerprint(),
            &redirects,
            &replay_redirects,
            stamp::hash_file(&tools.instrumenter),
            &tools.clang,
        ));
        let make = |directory: &Path| {
            let built = BuiltRuntime::at(directory, identity);
            runtime::write_sources(&built.headers).map_err(BuildError::io(&built.headers))?;
            write(&built.redirects, &redirects)?;
            write(&built.replay_redirects, &replay_redirects)?;
            built.compile(tools, directory, jobs)?;
            let stamp = directory.join(STAMP);
            Stamp::new(identity, []).write(&stamp).map_err(BuildError::io(&stamp))
        };
        let Some(cache) = std::env::var_os(CACHE_VARIABLE).map(PathBuf::from) else {
            let built = BuiltRuntime::at(directory, identity);
            if !built.is_current(directory) {
                make(directory)?;
            }
            return Ok(built);
        };
        let shared = cache.join(format!("{identity:016x}"));
        let built = BuiltRuntime::at(&shared, identity);
        if !built.is_current(&shared) {
            // Built aside and moved into place as a whole: whoever is second takes what the first one made.
            let aside = cache.join(format!("{identity:016x}-{}", std::process::id()));
            make(&aside)?;
            let moved = std::fs::rename(&aside, &shared);
            if moved.is_err() {
                let _ = std::fs::remove_dir_all(&aside);
            }
            if !built.is_current(&shared) {
                moved.map_err(BuildError::io(&shared))?;
            }
        }
        Ok(built)
    }

    /// The names of everything below the directory it is built in.
    fn at(directory: &Path, identity: u64) -> BuiltRuntime {
        BuiltRuntime {
            headers: directory.join("c"),
            inline: directory.join("inline.bc"),
            redirects: directory.join("redirects.txt"),
            replay_redirects: directory.join("replay-redirects.txt"),
            explore_objects: objects(directory, runtime::explore_sources()).collect(),
            model_objects: objects(directory, runtime::model_sources()).collect(),
            replay_objects: objects(directory, runtime::replay_sources()).collect(),
            coverage_objects: runtime::coverage_sources()
                .iter()
                .map(|source| with_extension(directory, source, "coverage.o"))
                .collect(),
            model_sites: runtime::model_sources()
                .iter()
                .map(|source| with_extension(directory, source, "sites.json"))
                .collect(),
            identity,
        }
    }

    fn is_current(&self, directory: &Path) -> bool {
        Stamp::is_current(&directory.join(STAMP), self.identity) && self.is_complete()
    }

    fn is_complete(&self) -> bool {
        self.inline.is_file()
            && [
                &self.explore_objects,
                &self.model_objects,
                &self.replay_objects,
                &self.coverage_objects,
                &self.model_sites,
            ]
            .into_iter()
            .flatten()
            .all(|file| file.is_file())
    }

    fn compile(&self, tools: &Tools, directory: &Path, jobs: usize) -> Result<(), BuildError> {
        let sources = &self.headers;
        let inline = sources.join(runtime::inline_source());
        tools::run(
            Command::new(&tools.clang).args(runtime::inline_flags()).arg(&inline).arg("-o").arg(&self.inline),
            &inline,
            "compiling the runtime",
        )?;
        enum Part {
            Plain(PathBuf, PathBuf, &'static [&'static str]),
            Model(u32, PathBuf, PathBuf, PathBuf),
        }
        let mut parts = Vec::new();
        let explore = runtime::explore_sources().iter().map(|source| (source, &[][..]));
        let replay = runtime::replay_sources().iter().map(|source| (source, runtime::replay_flags()));
        for (source, flags) in explore.chain(replay) {
            parts.push(Part::Plain(sources.join(source), with_extension(directory, source, "o"), flags));
        }
        for source in runtime::coverage_sources() {
            let object = with_extension(directory, source, "coverage.o");
            parts.push(Part::Plain(sources.join(source), object, &[]));
        }
        for (number, source) in runtime::model_sources().iter().enumerate() {
            parts.push(Part::Model(
                MODEL_TAG + number as u32,
                sources.join(source),
                with_extension(directory, source, "o"),
                with_extension(directory, source, "sites.json"),
            ));
        }
        parallel::for_each(jobs, &parts, |part| match part {
            Part::Plain(source, object, flags) => tools::run(
                Command::new(&tools.clang)
                    .args(runtime::object_flags())
                    .args(*flags)
                    .arg(source)
                    .arg("-o")
                    .arg(object),
                source,
                "compiling the runtime",
            ),
            Part::Model(tag, source, object, sites) => {
                let bitcode = object.with_extension("bc");
                tools::run(
                    Command::new(&tools.clang)
                        .args(runtime::model_flags())
                        .arg(source)
                        .arg("-o")
                        .arg(&bitcode),
                    source,
                    "compiling a model",
                )?;
                tools::run(
                    Command::new(&tools.instrumenter)
                        .args(["--mode", "explore", "--tu", &format!("{tag:08x}"), "--in"])
                        .arg(&bitcode)
                        .arg("--inline")
                        .arg(&self.inline)
                        .arg("--redirect")
                        .arg(&self.redirects)
                        .arg("--out")
                        .arg(object)
                        .arg("--sites")
                        .arg(sites),
                    source,
                    "instrumenting a model",
                )
            }
        })
        .into_iter()
        .collect()
    }
}

/// What the program defines itself stays its own.
fn redirect_text(redirects: Vec<(String, String)>, own: &dyn Fn(&str) -> bool) -> String {
    redirects.iter().filter(|(symbol, _)| !own(symbol)).map(|(from, to)| format!("{from} {to}\n")).collect()
}

fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    std::fs::write(path, text).map_err(BuildError::io(path))
}

fn objects<'a>(directory: &'a Path, names: &'a [&'static str]) -> impl Iterator<Item = PathBuf> + 'a {
    names.iter().map(move |name| with_extension(directory, name, "o"))
}

/// `models/string.c` becomes `models-string.o` in the build directory.
fn with_extension(directory: &Path, name: &str, extension: &str) -> PathBuf {
    directory.join(name.replace('/', "-")).with_extension(extension)
}
