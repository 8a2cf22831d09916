//! How much slower instrumented code is on purely concrete data: kernels and zlib, compared with clang -O1.
//!
//! Both builds run the same main with the same work, in turns, and must print the same. The instrumented one is
//! made by the product's own build, with a driver that calls main.

use crate::clock::{geometric_mean, median};
use crate::project::Places;
use crate::result::{Section, Target, number, text};
use crate::subject;
use anyhow::{Context, bail};
use build::{BuiltRuntime, Tools, UnitBuilder};
use execute::{Input, Limits, Session, UnitSetup, Way};
use harness::Harness;
use model::{Program, Source};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const KERNELS: [&str; 9] = [
    "can_decoder",
    "checksum",
    "hashing",
    "huffman",
    "matrix",
    "regex",
    "sorting",
    "state_machine",
    "tokenizer",
];
const TURNS: usize = 5;
const LONGEST: Duration = Duration::from_secs(120);

/// The sources of one program and how each is compiled; the first one has main.
struct Kernel {
    name: String,
    /// Entries of a compile database.
    commands: Vec<Value>,
}

/// What a run printed, and the processor time it took in seconds.
struct Run {
    output: String,
    seconds: f64,
}

pub(crate) fn measure(places: &Places) -> anyhow::Result<Section> {
    let mut section = Section::new(
        "Instrumented to native time on concrete data",
        &["program", "native -O1, ms", "instrumented, ms", "ratio"],
    );
    let mut kernels: Vec<Kernel> = KERNELS.iter().map(|name| own(places, name)).collect();
    match zlib(places) {
        Ok(zlib) => kernels.extend(zlib),
        Err(error) => section.note(format!("Without zlib: {error:#}.")),
    }
    let tools = Tools::find()?;
    let runtime = BuiltRuntime::build(&tools, &places.work.join("kernels/runtime"), &|_| false, 2)?;
    let mut ratios = Vec::new();
    for kernel in &kernels {
        let place = places.work.join("kernels").join(kernel.name.replace(' ', "-"));
        std::fs::create_dir_all(&place)?;
        let database = place.join("compile_commands.json");
        std::fs::write(&database, serde_json::to_string(&kernel.commands)?)?;
        let program = Program::load(&Source::Database(database), &model::Options::default())?;
        let native = native(places, &tools, &program, &place)?;
        let (image, driver) = instrumented(places, &tools, &runtime, &program, &place)?;
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            let expected = run_native(&native)?;
            let got = run_instrumented(&image, driver, &place)?;
            if got.output != expected.output {
                bail!("{}: native {:?}, instrumented {:?}", kernel.name, expected.output, got.output);
            }
            fast.push(expected.seconds);
            slow.push(got.seconds);
        }
        let ratio = median(slow.iter().zip(&fast).map(|(slow, fast)| slow / fast));
        ratios.push(ratio);
        section.row([
            text(&kernel.name),
            number(median(fast) * 1e3, 0),
            number(median(slow) * 1e3, 0),
            number(ratio, 2),
        ]);
    }
    let mean = geometric_mean(ratios);
    section.note(format!(
        "Processor time, medians of {TURNS} runs in turns; all outputs were equal. Geometric mean: {mean:.2}."
    ));
    section.figure("instrumented to native time, geometric mean", mean, Target::AtMost(2.2));
    Ok(section)
}

fn own(places: &Places, name: &str) -> Kernel {
    let directory = places.bench("kernels");
    let command = entry(&directory, &directory.join(name).with_extension("c"), &[]);
    Kernel { name: name.to_owned(), commands: vec![command] }
}

/// zlib's sources with a main of ours, once for each direction.
fn zlib(places: &Places) -> anyhow::Result<Vec<Kernel>> {
    let tree = subject::fetch(places, "k25")?;
    let text = std::fs::read_to_string(tree.join("compile_commands.json"))?;
    let library: Vec<Value> = serde_json::from_str(&text)?;
    let headers = library.iter().find_map(|entry| entry["directory"].as_str());
    let include = format!("-I{}", headers.context("an empty compile database")?);
    let directory = places.bench("kernels/zlib");
    let kernel = |direction: &str, flags: &[&str]| {
        let main = entry(&directory, &directory.join("zlib.c"), flags);
        let commands = std::iter::once(main).chain(library.iter().cloned()).collect();
        Kernel { name: format!("zlib {direction}"), commands }
    };
    Ok(vec![kernel("compress", &[&include]), kernel("uncompress", &[&include, "-DUNCOMPRESS"])])
}

fn entry(directory: &Path, file: &Path, flags: &[&str]) -> Value {
    let file = file.to_string_lossy();
    let arguments: Vec<&str> = [&["cc"], flags, &["-c", &*file]].concat();
    json!({ "directory": directory, "file": &*file, "arguments": arguments })
}

fn native(places: &Places, tools: &Tools, program: &Program, place: &Path) -> anyhow::Result<PathBuf> {
    let output = place.join("native");
    let mut objects = Vec::new();
    for (number, file) in program.files.iter().enumerate() {
        let object = place.join(format!("native-{number}.o"));
        let mut command = Command::new(&tools.clang);
        command.current_dir(&file.directory).args(&file.flags).args([
            "-w",
            "-O1",
            "-Dmain=kernel_main",
            "-c",
        ]);
        must(command.arg(&file.path).arg("-o").arg(&object))?;
        objects.push(object);
    }
    let mut command = Command::new(&tools.clang);
    command.args(["-O1", "-DNATIVE"]).arg(places.bench("kernels/clock.c")).args(&objects);
    must(command.args(["-lm", "-o"]).arg(&output))?;
    Ok(output)
}

/// The image, and translation unit and index of the driver that calls main.
fn instrumented(
    places: &Places,
    tools: &Tools,
    runtime: &BuiltRuntime,
    program: &Program,
    place: &Path,
) -> anyhow::Result<(PathBuf, (u32, u32))> {
    let clock = place.join("clock.o");
    let mut command = Command::new(&tools.clang);
    must(command.args(["-O1", "-fPIE", "-c"]).arg(places.bench("kernels/clock.c")).arg("-o").arg(&clock))?;
    let builder = UnitBuilder { tools, runtime, directory: place.join("units") };
    let main = program.functions.iter().find(|function| function.name == "main").context("no main")?;
    let mut objects = vec![clock];
    for file in &program.files {
        let text = harness_text(&file.path, (file.id == main.file).then_some(file.tag));
        let write = |_: &_| Harness {
            text: text.clone(),
            drivers: Vec::new(),
            skipped: Vec::new(),
            stubs: Vec::new(),
            notes: Vec::new(),
        };
        objects.push(builder.explore(file, &write)?.0.object);
    }
    let image = program.images.first().context("no image")?;
    let kind = build::ImageKind::Explore;
    let linked = build::link_image(tools, runtime, place, image, &objects, &[], kind)?;
    Ok((linked.path, (program.file(main.file).tag, 0)))
}

/// The source, and beside main a driver that calls it.
fn harness_text(source: &Path, tag: Option<u32>) -> String {
    let include = format!("#include \"{}\"\n", source.display());
    let Some(tag) = tag else { return include };
    format!(
        "{include}#include \"ctn.h\"\n\
         int bench_timed(int (*)(int, char **));\n\
         static void drive(void) {{ bench_timed(main); }}\n\
         static const ctn_driver drivers[] = {{{{\"main\", drive}}}};\n\
         __attribute__((constructor)) static void bench_register(void)\n\
         {{ ctn_register_drivers({tag:#x}u, drivers, 1); }}\n"
    )
}

fn run_native(program: &Path) -> anyhow::Result<Run> {
    let output = Command::new(program).output()?;
    read(&String::from_utf8_lossy(&output.stdout)).with_context(|| program.display().to_string())
}

fn run_instrumented(image: &Path, driver: (u32, u32), place: &Path) -> anyhow::Result<Run> {
    let scratch = place.join("scratch");
    let printed = scratch.join("output.txt");
    let _ = std::fs::remove_file(&printed);
    let target = execute::Target { keep_output: true, ..execute::Target::new(image, &scratch) };
    let limits = Limits { time_per_execution: LONGEST, ..Limits::default() };
    let mut session = Session::start(&target, &UnitSetup::new(driver), &limits, Way::Fork)?;
    let ending = session.run(&Input::new())?.ending().clone();
    drop(session);
    let output = std::fs::read_to_string(&printed).unwrap_or_default();
    read(&output).with_context(|| format!("{}: {ending:?}", image.display()))
}

/// The last line is the result of main and the nanoseconds it took.
fn read(output: &str) -> anyhow::Result<Run> {
    let trimmed = output.trim_end();
    let (kernel, last) = trimmed.rsplit_once('\n').context("too little was printed")?;
    let (result, time) = last.split_once(' ').context("no time was printed")?;
    if result != "0" {
        bail!("main returned {result}");
    }
    Ok(Run { output: kernel.to_owned(), seconds: time.parse::<f64>()? / 1e9 })
}

fn must(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output()?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}
