//! Explores one function of a project that `concertino test` has built, and prints everything the loop knows
//! about the search: where divergences part, what was lost where, where the time went.
//!
//!     cargo run -p concertino-explore --example one -- PROJECT/.concertino/build UNIT FUNCTION [BUDGET [STRATEGY]]
//!
//! UNIT is a directory below `build/units`; BUDGET is seconds, or a number of executions with an `x` behind it.

use execute::{Input, Limits, Session, Target, UnitSetup, Way};
use explore::{Exploration, Options, Sites, Unit, explore, strategy};
use model::sites::SiteTable;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wire::{FunctionKey, SiteKey};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [build, unit, function, rest @ ..] = arguments.as_slice() else {
        return Err("usage: one BUILD UNIT FUNCTION [BUDGET [STRATEGY]]".into());
    };
    let build = Path::new(build);
    let budget = rest.first().map_or("10", String::as_str);
    let options = match budget.strip_suffix('x') {
        Some(executions) => Options { executions: Some(executions.parse()?), ..Options::default() },
        None => Options { time: Some(Duration::try_from_secs_f64(budget.parse()?)?), ..Options::default() },
    };
    let name = rest.get(1).map_or("coordinator", String::as_str);
    let mut strategy = strategy::by_name(name, 1).ok_or("no such strategy")?;

    let tables = tables(build)?;
    let unit = build.join("units").join(unit);
    let own: SiteTable = serde_json::from_slice(&fs::read(file_ending(&unit, "sites.json")?)?)?;
    let number = own.functions.iter().position(|f| f.name == *function).ok_or("no such function")?;
    let harness = fs::read_to_string(unit.join("harness.c"))?;
    let drivers = harness.split("ctn_drivers[] = {").nth(1).ok_or("the harness has no drivers")?;
    let row = format!("{{\"{function}\", ");
    let index =
        drivers.lines().filter(|line| line.contains("ctn_drive_")).position(|line| line.contains(&row));
    let driver = (own.tu, index.ok_or("no such driver")? as u32);

    let scratch = std::env::temp_dir().join(format!("concertino-one-{}", std::process::id()));
    let target = Target::new(file_ending(&build.join("images"), ".explore")?, &scratch);
    let mut session = Session::start(&target, &UnitSetup::new(driver), &Limits::default(), Way::Persistent)?;
    let mut unit = Unit::new(&mut session, &tables, solve::Solver::new(solve::Options::default()));
    let measured = [FunctionKey { tu: own.tu, function: number as u32 }];
    let sites = Sites::new(&tables, Some(&measured));
    let result = explore(&mut unit, sites, strategy.as_mut(), &[Input::new()], &options, &mut ());
    print(&result, &tables);
    fs::remove_dir_all(scratch)?;
    Ok(())
}

fn tables(build: &Path) -> Result<Vec<SiteTable>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut directories = vec![build.join("runtime"), build.join("units")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            match path.is_dir() {
                true => directories.push(path),
                false => files.extend(path.to_string_lossy().ends_with("sites.json").then_some(path)),
            }
        }
    }
    files.iter().map(|file| Ok(serde_json::from_slice(&fs::read(file)?)?)).collect()
}

fn file_ending(directory: &Path, with: &str) -> Result<PathBuf, Box<dyn Error>> {
    let entries = fs::read_dir(directory)?.filter_map(|entry| entry.ok()).map(|entry| entry.path());
    let found = entries.into_iter().find(|path| path.to_string_lossy().ends_with(with));
    found.ok_or_else(|| format!("{} has no file *{with}", directory.display()).into())
}

fn print(result: &Exploration<Input>, tables: &[SiteTable]) {
    let place = |key: SiteKey| {
        let table = tables.iter().find(|table| table.tu == key.tu);
        match table.and_then(|table| table.sites.get(key.site as usize)) {
            Some(site) => {
                let file = site.file.rsplit('/').next().unwrap_or_default();
                let (line, column) = site.shown_at();
                format!("{file}:{line}:{column} {:?}", site.kind)
            }
            None => format!("{key:?}"),
        }
    };
    let statistics = &result.statistics;
    println!("{}: {:?} sides, {} tests", result.finished, result.coverage, result.tests.len());
    println!(
        "{} executions, {} again, {} queries: {} sat, {} unsat, unknown {:?}; {} nodes, {} sides untried",
        statistics.executions,
        statistics.reruns,
        statistics.queries,
        statistics.sat,
        statistics.unsat,
        statistics.unknown,
        statistics.nodes,
        statistics.untried
    );
    let time = statistics.time;
    println!("executing {:?}, solving {:?}, own {:?}", time.executing, time.solving, time.own());
    println!("ended {:?}, truncated {}", statistics.endings, statistics.truncated);
    for (kind, (count, first)) in &statistics.divergences {
        println!("divergence {count} x {kind}: decision {} of {}", first.at, first.goal_at);
        println!("    expected {}", place(first.site));
        println!("    found    {}", first.found.map_or("the end".into(), |found| place(found.site)));
    }
    for (site, count) in &statistics.disagreements {
        println!("disagreement {count} x at {}", place(*site));
    }
    for ((kind, site), count) in &statistics.concretisations {
        println!("concretised {count} x {} at {}", kind.name(), place(*site));
    }
    println!("lost {:?}, unreadable {:?}", statistics.lost, statistics.unreadable);
    for alarm in &result.alarms {
        let at = alarm.ending.site.map_or(format!("{:x}", alarm.ending.pc), place);
        println!("alarm {} x {} at {at}", alarm.hits, alarm.class.name());
    }
    for side in &result.uncovered {
        println!(
            "uncovered {} side {}: {} infeasible, {} unknown, {} diverged, {} untried",
            place(side.site),
            side.outcome,
            side.infeasible,
            side.unknown,
            side.diverged,
            side.untried
        );
    }
}
