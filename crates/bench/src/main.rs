//! Measures concertino on this machine and writes the figures down; `bench/run` calls it. Every figure that
//! depends on the machine is told as a ratio to something measured in the same run.

mod clock;
mod kernels;
mod memory;
mod project;
mod queries;
mod rates;
mod result;
mod search;
mod subject;

use anyhow::Context;
use clap::Parser;
use project::{Places, Units};
use result::Section;
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Parser)]
struct Arguments {
    /// The repository.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Where things are built; default: target/bench in the repository.
    #[arg(long)]
    work: Option<PathBuf>,
    /// Where to write results, without extension; default: nowhere.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Written down with the results.
    #[arg(long, default_value = "")]
    date: String,
    #[arg(long, default_value = "")]
    commit: String,
    /// Executions of each search, in place of its time: figures of processor time are then comparable.
    #[arg(long)]
    executions: Option<u64>,
    /// Search only these units.
    #[arg(long = "unit")]
    units: Vec<String>,
    /// Measure only these.
    #[arg(value_enum)]
    only: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Rates,
    Queries,
    Kernels,
    Functions,
    Build,
    Search,
    Memory,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let root = arguments.root.canonicalize().context("no such directory")?;
    let work = arguments.work.clone().unwrap_or_else(|| root.join("target/bench"));
    std::fs::create_dir_all(&work).with_context(|| work.display().to_string())?;
    let places = Places { root, work: work.canonicalize()? };
    let machine = machine();
    let head = format!(
        "# Benchmark\n\n- date: {}\n- commit: {}\n- machine: {machine}\n- load before: {}\n- command: `make bench`\n\n",
        arguments.date,
        arguments.commit,
        load()
    );
    print!("{head}");

    let mut sections = Vec::new();
    let wanted = |part| arguments.only.is_empty() || arguments.only.contains(&part);
    let mut add = |section: Section| {
        print!("{}", section.markdown());
        sections.push(section);
    };
    let units = Units::build(&places).context("bench/units cannot be built")?;
    if wanted(Part::Rates) {
        add(rates::measure(&places, &units)?);
    }
    if wanted(Part::Queries) {
        add(queries::measure(&places, &units)?);
    }
    if wanted(Part::Kernels) {
        add(kernels::measure(&places)?);
    }
    if wanted(Part::Functions) {
        add(subject::measure(&places)?);
    }
    if wanted(Part::Build) {
        add(subject::measure_build(&places)?);
    }
    if wanted(Part::Search) {
        add(search::measure(&units, &arguments.units, arguments.executions)?);
    }
    // Takes longer than all others together.
    if arguments.only.contains(&Part::Memory) {
        add(memory::measure(&units)?);
    }
    let targets = result::targets(&sections);
    print!("{targets}");
    if let Some(out) = &arguments.out {
        let text: String = sections.iter().map(Section::markdown).collect();
        write(&out.with_extension("md"), &format!("{head}{text}{targets}"))?;
        let document = json!({
            "date": arguments.date,
            "commit": arguments.commit,
            "machine": machine,
            "load_after": load(),
            "sections": sections.iter().map(Section::json).collect::<Vec<_>>(),
        });
        write(&out.with_extension("json"), &format!("{document:#}\n"))?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| path.display().to_string())?;
    eprintln!("written: {}", path.display());
    Ok(())
}

fn machine() -> String {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_once(':').map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let memory: u64 = field(&read("/proc/meminfo"), "MemTotal").trim_end_matches(" kB").parse().unwrap_or(0);
    format!(
        "{processors} x {}, {} GB, Linux {}",
        field(&read("/proc/cpuinfo"), "model name"),
        memory / 1_000_000,
        read("/proc/sys/kernel/osrelease").trim()
    )
}

/// How busy the machine is: the averages of the last 1, 5 and 15 minutes.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}
