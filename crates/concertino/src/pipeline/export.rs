//! Kept tests -> C that people can keep: cases are written, run once under the sanitizers to record what they
//! do, and written again with that as checks. A case that does not come to its end is left out, with the reason.

use super::images;
use super::units;
use crate::event::Event;
use crate::job::{Exported, KeptTests, Work};
use crate::options::{Options, Project};
use anyhow::Context;
use campaign::FunctionName;
use execute::SandboxPolicy;
use harness::cases::{self, Cases, Framework, Kept, Recording, Suite};
use model::{Image, Program, TranslationUnit, UnitFileId};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use wire::Mode;

/// Exported tests have to pass under these, whatever the program's own flags are.
const SANITIZERS: &str = "-fsanitize=address,undefined";
const TIME: Duration = Duration::from_secs(10);
/// The file that records what cases do.
const RECORDER: &str = "recorder.c";
/// Bytes of a block that the allocator fills, so that nothing depends on what memory held before.
const MOST_FILLED: u32 = 1 << 20;

pub fn export(
    project: &Project,
    options: &Options,
    tests: &[KeptTests],
    frameworks: &[Framework],
    tell: &dyn Fn(Event),
) -> anyhow::Result<Exported> {
    let program = super::load(project, options, tell)?;
    let options = Options { replay: false, ..options.clone() };
    let built = images::build(&program, project, &options, tell)?;
    let homes: HashMap<UnitFileId, model::ImageId> =
        built.files.iter().filter_map(|(id, file)| Some((*id, file.as_ref().ok()?.image))).collect();
    let prepared = units::prepare(program.clone(), built, project, &options)?;
    let stubbed = prepared.units.iter().any(|unit| match &unit.work {
        Work::Explore(job) => job.default_mode == Mode::Stub,
        _ => false,
    });
    let tools = build::Tools::find()?;
    let scratch = project.campaign.join("scratch").join(format!("export-{}", std::process::id()));
    let recorder = Recorder { tools: &tools, options: &options, scratch: &scratch, stubbed };

    let mut exported = Exported::default();
    let mut suites = Vec::new();
    let by_file = group(&program, tests, &mut exported);
    tell(Event::Stage { name: "export", total: by_file.len() as u64 });
    for (number, (file, kept)) in by_file.into_iter().enumerate() {
        let unit = program.file(file);
        let Some(image) = homes.get(&file).map(|image| &program.images[image.index()]) else { continue };
        let result = recorder.suite(&program, image, unit, &kept, &mut suites, &mut exported);
        if let Err(error) = result {
            let names = kept.iter().map(|test| test.name.clone());
            exported.left_out.extend(names.map(|name| (name, format!("{error:#}"))));
        }
        tell(Event::Step { done: number as u64 + 1, item: unit.path.display().to_string() });
    }
    let _ = std::fs::remove_dir_all(&scratch);
    for framework in frameworks {
        let files = cases::suite_files(&suites, *framework);
        exported.files.push((*framework, files.into_iter().map(|file| (file.name, file.text)).collect()));
    }
    exported.cases = suites.iter().map(|suite| suite.case_names.len()).sum();
    Ok(exported)
}

/// The tests of each file, named by function and number.
fn group(program: &Program, tests: &[KeptTests], exported: &mut Exported) -> BTreeMap<UnitFileId, Vec<Kept>> {
    let functions: HashMap<FunctionName, &model::Function> =
        program.functions.iter().map(|function| (units::name(function), function)).collect();
    let mut by_file: BTreeMap<UnitFileId, Vec<Kept>> = BTreeMap::new();
    for tests in tests {
        let Some(function) = functions.get(&tests.function) else {
            exported
                .left_out
                .push((tests.function.to_string(), "not a function of this program (any more)".into()));
            continue;
        };
        for (index, (input, stored)) in tests.inputs.iter().enumerate() {
            if stored.function != tests.function {
                let name = format!("{}_{}", function.name, index + 1);
                exported.left_out.push((name, format!("it starts at {}", stored.function)));
                continue;
            }
            let mut comment = vec![format!("{}, case {}", tests.function, index + 1)];
            comment.extend(tests.purposes.get(input).cloned().unwrap_or_default());
            by_file.entry(function.file).or_default().push(Kept {
                function: function.id,
                name: format!("{}_{}", function.name, index + 1),
                comment,
                slots: stored
                    .slots
                    .iter()
                    .map(|slot| (slot.path.clone(), slot.occurrence, slot.bytes.clone()))
                    .collect(),
            });
        }
    }
    by_file
}

struct Recorder<'a> {
    tools: &'a build::Tools,
    options: &'a Options,
    scratch: &'a Path,
    /// Functions of other files are stubs; else the other files of the image are linked.
    stubbed: bool,
}

impl Recorder<'_> {
    fn suite(
        &self,
        program: &Program,
        image: &Image,
        unit: &TranslationUnit,
        kept: &[Kept],
        suites: &mut Vec<Suite>,
        exported: &mut Exported,
    ) -> anyhow::Result<()> {
        let settings = images::harness_options(&self.tools.clang, program, unit, self.options);
        let mut cases = cases::cases(program, image, unit.id, &settings, kept, self.stubbed);
        let others: Vec<&TranslationUnit> = match self.stubbed {
            true => Vec::new(),
            false => {
                image.files.iter().filter(|file| **file != unit.id).map(|file| program.file(*file)).collect()
            }
        };
        let (recording, why) = self.record(&mut cases, unit, &others)?;
        cases.keep_finished(&recording, &|case| {
            why.get(case).cloned().unwrap_or_else(|| "it did not come to its end".into())
        });
        exported.left_out.append(&mut cases.left_out);
        if cases.cases.is_empty() {
            return Ok(());
        }
        let source = units::shown_below(&program.root, &unit.path.display().to_string());
        suites.push(Suite {
            name: unique(&source, suites),
            cases: cases.text(&recording, &source),
            case_names: cases.cases.iter().map(|case| case.name.clone()).collect(),
            source,
            flags: self.flags(unit),
            others: others
                .iter()
                .map(|other| (other.path.display().to_string(), self.flags(other)))
                .collect(),
        });
        Ok(())
    }

    /// The unit's flags as they work from any directory and with any compiler: its warnings are nobody's here,
    /// and their names differ from compiler to compiler.
    fn flags(&self, unit: &TranslationUnit) -> Vec<String> {
        let mut flags = Vec::new();
        let mut rest = unit.flags.iter().filter(|flag| !flag.starts_with("-W") || flag.starts_with("-Wp,"));
        while let Some(flag) = rest.next() {
            let option = ["-I", "-isystem", "-iquote", "-include", "-idirafter"]
                .into_iter()
                .find(|option| flag.starts_with(option));
            match option {
                Some(option) if flag == option => {
                    flags.push(flag.clone());
                    flags.extend(rest.next().map(|path| unit.directory.join(path).display().to_string()));
                }
                Some(option) => {
                    let path = unit.directory.join(&flag[option.len()..]);
                    flags.push(format!("{option}{}", path.display()));
                }
                None => flags.push(flag.clone()),
            }
        }
        flags
    }

    /// Builds the recording program and runs each case in it, in the sandbox.
    fn record(
        &self,
        cases: &mut Cases,
        unit: &TranslationUnit,
        others: &[&TranslationUnit],
    ) -> anyhow::Result<(Recording, HashMap<String, String>)> {
        std::fs::create_dir_all(self.scratch)
            .with_context(|| format!("cannot make {}", self.scratch.display()))?;
        let scratch = self.scratch.canonicalize()?;
        for (name, text) in cases::support() {
            std::fs::write(scratch.join(name), text)?;
        }
        let image = self.build(cases, unit, others, &scratch, "zero")?;
        let other_image = self.build(cases, unit, others, &scratch, "pattern")?;

        // What differs with what fresh memory and fresh variables hold, and with where they are, is no behaviour to keep.
        let mut why = HashMap::new();
        let mut recording =
            self.run_cases(cases, &image, &scratch, Memory { filled: 0, apart: 16 }, &mut why)?;
        let again =
            self.run_cases(cases, &other_image, &scratch, Memory { filled: 0xa5, apart: 128 }, &mut why)?;
        cases.keep_equal(&mut recording, &again);
        self.forget_wild(cases, &other_image, &scratch, &mut recording, &mut why)?;
        Ok((recording, why))
    }

    /// The recording program, with these values in variables that nothing has set.
    fn build(
        &self,
        cases: &mut Cases,
        unit: &TranslationUnit,
        others: &[&TranslationUnit],
        scratch: &Path,
        unset: &str,
    ) -> anyhow::Result<PathBuf> {
        let unset_flag = format!("-ftrivial-auto-var-init={unset}");
        let with = |flags: &[String]| [flags, std::slice::from_ref(&unset_flag)].concat();
        let mut objects = vec![
            self.compile_recorder(cases, &with(&self.flags(unit)), scratch)?,
            self.compile(&scratch.join("cases.c"), &["-DCASE_RECORDING".to_owned()], scratch)?,
        ];
        for other in others {
            objects.push(self.compile(&other.path, &with(&self.flags(other)), scratch)?);
        }
        let image = scratch.join(format!("recorder-{unset}"));
        let mut link = Command::new(&self.tools.clang);
        link.arg(SANITIZERS)
            .args(&objects)
            .args(self.options.libraries.iter().map(|library| format!("-l{library}")));
        run(link.args(["-lm", "-lpthread", "-o"]).arg(&image))?;
        Ok(image)
    }

    /// The cases without those that the compiler does not take.
    fn compile_recorder(
        &self,
        cases: &mut Cases,
        flags: &[String],
        scratch: &Path,
    ) -> anyhow::Result<PathBuf> {
        let source = scratch.join(RECORDER);
        loop {
            let text = cases.recorder();
            std::fs::write(&source, &text)?;
            let error = match self.compile(&source, flags, scratch) {
                Ok(object) => return Ok(object),
                Err(error) => error,
            };
            let said = error.downcast_ref::<Refused>().map(|refused| refused.0.as_str()).unwrap_or_default();
            let wrong = wrong_lines(said);
            if !cases.leave_out_at(&text, &wrong) {
                return Err(error);
            }
        }
    }

    /// What goes far beyond memory may find something there in one build, and nothing in another: with nothing around the
    /// memory of cases it shows. What else differs then, as memory that is freed, is nothing wrong.
    fn forget_wild(
        &self,
        cases: &Cases,
        image: &Path,
        scratch: &Path,
        recording: &mut Recording,
        why: &mut HashMap<String, String>,
    ) -> anyhow::Result<()> {
        for case in cases.cases.iter().filter(|case| recording.is_finished(&case.name)).collect::<Vec<_>>() {
            let memory = Memory { filled: 0, apart: 16 };
            let seen = self.observe(&case.name, image, scratch, memory, &["CASE_FENCES=1"])?;
            if seen.errors.contains("AddressSanitizer: SEGV") {
                recording.forget(&case.name);
                why.insert(case.name.clone(), "it goes far beyond its memory".to_owned());
            }
        }
        Ok(())
    }

    /// Runs each case once.
    fn run_cases(
        &self,
        cases: &Cases,
        image: &Path,
        scratch: &Path,
        memory: Memory,
        why: &mut HashMap<String, String>,
    ) -> anyhow::Result<Recording> {
        let mut recording = Recording::default();
        for case in &cases.cases {
            let seen = self.observe(&case.name, image, scratch, memory, &[])?;
            if seen.succeeded && seen.errors.is_empty() {
                recording.add(&seen.output);
            } else {
                why.insert(case.name.clone(), what_is_wrong(&seen.errors).to_owned());
            }
        }
        Ok(recording)
    }

    fn observe(
        &self,
        case: &str,
        image: &Path,
        scratch: &Path,
        memory: Memory,
        more: &[&str],
    ) -> anyhow::Result<execute::Observed> {
        let Memory { filled, apart } = memory;
        let sandbox = if self.options.sandbox { SandboxPolicy::Require } else { SandboxPolicy::Off };
        let mut variables = vec![
            format!("CASE={case}"),
            // The sandbox refuses changes of limits, which the sanitizers would make.
            format!(
                "ASAN_OPTIONS=detect_leaks=0:symbolize=0:disable_coredump=0:malloc_fill_byte={filled}:\
                 max_malloc_fill_size={MOST_FILLED}:redzone={apart}"
            ),
            "UBSAN_OPTIONS=symbolize=0:disable_coredump=0".to_owned(),
        ];
        variables.extend(more.iter().map(|variable| (*variable).to_owned()));
        Ok(execute::observe(image, scratch, sandbox, &variables, TIME)?)
    }

    fn compile(&self, source: &Path, flags: &[String], scratch: &Path) -> anyhow::Result<PathBuf> {
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let object = scratch.join(format!("{name}-{:x}.o", campaign_hash(source)));
        let mut command = Command::new(&self.tools.clang);
        // Without -g: reports name places of the source by themselves, and cases are many lines.
        command.args(["-c", "-g0", "-w", "-O0", "-fno-omit-frame-pointer", SANITIZERS]).args(flags);
        command.arg("-I").arg(scratch);
        if name != RECORDER {
            command.arg("-Dmain=program_main");
        }
        run(command.arg(source).arg("-o").arg(&object))?;
        Ok(object)
    }
}

/// How the allocator of a recording hands memory out.
#[derive(Clone, Copy)]
struct Memory {
    /// With this byte in it.
    filled: u8,
    /// At least so many bytes after what comes before.
    apart: u32,
}

fn campaign_hash(path: &Path) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output().context("cannot start the compiler")?;
    if output.status.success() {
        return Ok(());
    }
    Err(Refused(String::from_utf8_lossy(&output.stderr).into_owned()).into())
}

/// All that the compiler or the linker said.
#[derive(Debug)]
struct Refused(String);

impl std::error::Error for Refused {}

impl std::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let said = |word: &str| self.0.lines().find(|line| line.contains(word));
        let first = said("undefined").or_else(|| said("error")).unwrap_or("the compiler failed");
        formatter.write_str(first.trim())
    }
}

/// The lines of the recorder that the compiler does not take, each with what it says.
fn wrong_lines(said: &str) -> Vec<(usize, String)> {
    let wrong = said.lines().filter_map(|line| {
        let (_, place) = line.split_once(RECORDER)?;
        let (place, message) = place.split_once(" error: ")?;
        let number = place.trim_matches(':').split(':').next()?.parse().ok()?;
        Some((number, format!("it does not compile: {message}")))
    });
    wrong.collect()
}

/// The line of a sanitizer's report that says what happened.
fn what_is_wrong(errors: &str) -> &str {
    let mut lines = errors.lines().filter(|line| !line.trim_matches('=').trim().is_empty());
    let said = |word: &str| errors.lines().find(|line| line.contains(word));
    let said = said("runtime error: ").or_else(|| said("ERROR: ")).or_else(|| lines.next());
    said.unwrap_or("it does not return").trim()
}

/// An identifier for the file, different from those of the suites before it.
fn unique(source: &str, suites: &[Suite]) -> String {
    let stem = source.strip_suffix(".c").unwrap_or(source);
    let word = |text: &str| -> String {
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    };
    let short = format!("test_{}", word(stem.rsplit('/').next().unwrap_or(stem)));
    let taken = |name: &str| suites.iter().any(|suite| suite.name == name);
    if taken(&short) { format!("test_{}", word(stem)) } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read() {
        let said = "In file included from a.h:1:\n/x/recorder.c:12:5: error: no member named 'q'\n/x/recorder.c:12:9: note: n\n\
                    /x/b.h:3:1: error: other\n";
        assert_eq!(wrong_lines(said), [(12, "it does not compile: no member named 'q'".to_owned())]);
        let report = "=====\n==7==ERROR: AddressSanitizer: too large\n==7==HINT: if you don't care about these errors\n";
        assert_eq!(what_is_wrong(report), "==7==ERROR: AddressSanitizer: too large");
        assert_eq!(what_is_wrong("===\n"), "it does not return");
    }
}
