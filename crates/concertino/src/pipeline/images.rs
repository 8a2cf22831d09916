//! Program -> harness files, instrumented objects, linked images; every step skipped that is still good.

use crate::config::Stubs;
use crate::event::Event;
use crate::options::{Options, Project};
use build::{BuiltRuntime, BuiltUnit, Tools, UnitBuilder};
use context::Technique;
use harness::Harness;
use model::sites::SiteTable;
use model::{Image, ImageId, Program, UnitFileId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// A translation unit that was built, with what its harness holds.
pub(super) struct File {
    pub(super) unit: BuiltUnit,
    pub(super) harness: Harness,
    pub(super) table: SiteTable,
    /// The image in which its functions are tested: the first that links it.
    pub(super) image: ImageId,
    /// Its object under the sanitizers, or why there is none.
    replay: Result<PathBuf, String>,
    /// Its object with clang's coverage, or why there is none.
    pub(super) coverage: Result<PathBuf, String>,
}

pub(super) struct Linked {
    pub(super) explore: PathBuf,
    pub(super) replay: Option<PathBuf>,
    pub(super) coverage: Option<PathBuf>,
}

#[derive(Default)]
pub(super) struct Built {
    pub(super) files: BTreeMap<UnitFileId, Result<File, String>>,
    pub(super) images: BTreeMap<ImageId, Result<Linked, String>>,
    pub(super) problems: Vec<model::Problem>,
}

pub(super) fn build(
    program: &Program,
    project: &Project,
    options: &Options,
    tell: &dyn Fn(Event),
) -> anyhow::Result<Built> {
    let tools = Tools::find()?;
    let place = project.campaign.join("build");
    tell(Event::Stage { name: "runtime", total: 0 });
    let defined: BTreeSet<&str> = program
        .functions
        .iter()
        .filter(|function| !function.is_static)
        .map(|function| function.name.as_str())
        .collect();
    let runtime = BuiltRuntime::build(
        &tools,
        &place.join("runtime"),
        &|symbol| defined.contains(symbol),
        options.jobs,
    )?;
    let mut built = Built::default();
    compile(
        program,
        options,
        tell,
        &UnitBuilder { tools: &tools, runtime: &runtime, directory: place.join("units") },
        &mut built,
    );
    link(program, options, tell, &tools, &runtime, &place.join("images"), &mut built);
    Ok(built)
}

/// Harness, bitcode, instrumentation and the sanitized object of every file, in parallel.
fn compile(
    program: &Program,
    options: &Options,
    tell: &dyn Fn(Event),
    builder: &UnitBuilder,
    built: &mut Built,
) {
    let mut work: BTreeMap<UnitFileId, Image> = BTreeMap::new();
    for image in &program.images {
        for file in &image.files {
            work.entry(*file)
                .and_modify(|first| first.undefined.extend(image.undefined.iter().cloned()))
                .or_insert_with(|| image.clone());
        }
    }
    let work: Vec<(UnitFileId, Image)> = work.into_iter().collect();
    tell(Event::Stage { name: "compile", total: work.len() as u64 });
    let done = AtomicU64::new(0);
    let (events, heard) = std::sync::mpsc::channel();
    let results = std::thread::scope(|scope| {
        let compiling = scope.spawn(|| {
            let events = events;
            build::for_each(options.jobs, &work, |(file, image)| {
                let result = compile_file(program, image, *file, options, builder);
                let item = program.file(*file).path.display().to_string();
                let _ = events.send(Event::Step { done: done.fetch_add(1, Ordering::Relaxed) + 1, item });
                (*file, result)
            })
        });
        for event in heard {
            tell(event);
        }
        compiling.join().unwrap_or_default()
    });
    for (file, result) in results {
        let messages: Vec<String> = match &result {
            Err(message) => vec![message.clone()],
            Ok(built) => {
                let refused = built.unit.refused.parts.iter();
                refused.map(|(part, reason)| format!("left out of its harness: {part}: {reason}")).collect()
            }
        };
        built.problems.extend(messages.into_iter().map(|message| model::Problem {
            location: Some(model::Location { file: relative(program, file), line: 0, column: 0 }),
            message,
        }));
        if let Ok(file) = &result {
            tell_foreign(program, &file.table, &mut built.problems);
        }
        built.files.insert(file, result);
    }
}

/// Assembly of a header is told once.
fn tell_foreign(program: &Program, table: &SiteTable, problems: &mut Vec<model::Problem>) {
    for foreign in &table.foreign_assembly {
        let file = super::units::shown_below(&program.root, &foreign.file);
        let problem = model::Problem {
            location: Some(model::Location { file, line: foreign.line, column: 0 }),
            message: format!(
                "`{}` is assembly for another machine: left out, and what it gives back is an input",
                foreign.text
            ),
        };
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
}

/// How drivers, stubs and cases of a file are written.
pub(super) fn harness_options(
    clang: &std::path::Path,
    program: &Program,
    unit: &model::TranslationUnit,
    options: &Options,
) -> harness::Options {
    harness::Options {
        macros: harness::macros_of(clang, unit).unwrap_or_default(),
        elements: options.array_bound,
        long_elements: options.long_bound,
        depth: options.pointer_depth,
        stubs: match options.stubs {
            Stubs::Plain => harness::StubEffects::Result,
            Stubs::Writes => harness::StubEffects::Writes,
        },
        set_statics: options.sets_statics(),
        bit_fields: options.bit_fields,
        function_pointers: options.function_pointers,
        world: crate::world::found_from(&program.root, &options.world),
        enum_values: options.assume.enums,
        preconditions: harness::Preconditions {
            sizes: options.assume.sizes,
            constants: options.assume.constants,
            ranges: options.assumes_ranges(),
            indexes: options.assume.indexes,
            functions: options.assume.functions,
            // Tests of these have the file alone.
            objects: options.assume.functions && !matches!(options.unit, Technique::Task | Technique::Sut),
            tags: options.assume.tags,
        },
        ..harness::Options::default()
    }
}

fn compile_file(
    program: &Program,
    image: &Image,
    file: UnitFileId,
    options: &Options,
    builder: &UnitBuilder,
) -> Result<File, String> {
    let unit = program.file(file);
    let settings = harness_options(&builder.tools.clang, program, unit, options);
    let write = |without: &harness::Refused| {
        let settings = harness::Options { without: without.clone(), ..settings.clone() };
        harness::write(program, image, file, &settings)
    };
    let (unit_built, harness) = builder.explore(unit, &write).map_err(|error| error.to_string())?;
    let table = unit_built.site_table().map_err(|error| error.to_string())?;
    let replay = if options.replay {
        builder.replay(unit).map_err(|error| error.to_string())
    } else {
        Err("replay is switched off".to_owned())
    };
    let coverage = if options.coverage {
        builder.coverage(unit).map_err(|error| error.to_string())
    } else {
        Err("coverage is not measured".to_owned())
    };
    Ok(File { unit: unit_built, harness, table, image: image.id, replay, coverage })
}

fn link(
    program: &Program,
    options: &Options,
    tell: &dyn Fn(Event),
    tools: &Tools,
    runtime: &BuiltRuntime,
    place: &std::path::Path,
    built: &mut Built,
) {
    tell(Event::Stage { name: "link", total: program.images.len() as u64 });
    for (number, image) in program.images.iter().enumerate() {
        let files: Vec<&File> =
            image.files.iter().filter_map(|file| built.files.get(file)?.as_ref().ok()).collect();
        let objects: Vec<PathBuf> = files.iter().map(|file| file.unit.object.clone()).collect();
        let one = |objects: &[PathBuf], kind| {
            build::link_image(tools, runtime, place, image, objects, &options.libraries, kind)
        };
        // The images for native runs; what is missing of them is a problem, and the exploration goes on.
        let native = |wanted: bool, objects: Vec<&Result<PathBuf, String>>, kind, lost: &str| {
            if !wanted {
                return Ok(None);
            }
            let objects: Result<Vec<PathBuf>, String> = objects.into_iter().cloned().collect();
            let objects = objects.map_err(|why| format!("{lost} {}: {why}", image.name))?;
            one(&objects, kind).map(|image| Some(image.path)).map_err(|error| error.to_string())
        };
        let linked = match one(&objects, build::ImageKind::Explore) {
            Ok(explore) => {
                let replay = native(
                    options.replay,
                    files.iter().map(|file| &file.replay).collect(),
                    build::ImageKind::Replay,
                    "alarms cannot be replayed in",
                );
                let coverage = native(
                    options.coverage,
                    files.iter().map(|file| &file.coverage).collect(),
                    build::ImageKind::Coverage,
                    "coverage cannot be measured in",
                );
                built.problems.extend(explore.problems);
                let mut keep = |image: Result<Option<PathBuf>, String>| {
                    image.unwrap_or_else(|message| {
                        built.problems.push(model::Problem { location: None, message });
                        None
                    })
                };
                Ok(Linked { explore: explore.path, replay: keep(replay), coverage: keep(coverage) })
            }
            Err(error) => {
                built.problems.push(model::Problem { location: None, message: error.to_string() });
                Err(error.to_string())
            }
        };
        built.images.insert(image.id, linked);
        tell(Event::Step { done: number as u64 + 1, item: image.name.clone() });
    }
}

fn relative(program: &Program, file: UnitFileId) -> String {
    let path = &program.file(file).path;
    path.strip_prefix(&program.root).unwrap_or(path).display().to_string()
}
