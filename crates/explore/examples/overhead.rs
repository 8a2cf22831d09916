//! What the loop itself costs: a subject that runs and solves in next to no time. Short paths and many
//! executions, then paths of thousands of decisions: a selection must not walk through the tree. With --paths, that
//! many paths of forty decisions, and the most memory that the process had: it must stay under 2 GiB for a million.
//!
//!     cargo run --release -p concertino-explore --example overhead -- [--paths N] [STRATEGY...]

use execute::Ending;
use explore::strategy::{by_name, names};
use explore::subject::{Base, Question, Run, Solved};
use explore::{Counter, Decision, Failure, Goal, Kind, Observed, Options, Sites, Subject, explore};
use model::sites::{FunctionSites, Site, SiteKind, SiteTable};
use std::time::Duration;
use wire::{End, SiteKey};

/// Decisions of a path, and executions.
const SHAPES: [(usize, u64); 2] = [(100, 20_000), (5_000, 1_000)];
const SITES: u32 = 10;

/// One branch per bit of the input.
struct Bits;

type Input = std::rc::Rc<[u8]>;

impl Subject for Bits {
    type Input = Input;
    type Held = ();

    fn run(
        &mut self,
        input: &Input,
        _how: Run,
        base: Option<Base<'_, ()>>,
    ) -> Result<Box<Observed<()>>, Failure> {
        let decision = |bit: usize| Decision {
            site: SiteKey { tu: 1, site: bit as u32 % SITES },
            kind: Kind::Branch,
            null: false,
            outcome: u64::from(input[bit]),
        };
        let ending = Ending {
            end: End::Returned,
            value: 0,
            class: None,
            site: None,
            pc: 0,
            address: 0,
            stack: Vec::new(),
            text: String::new(),
        };
        // Which it follows: what is kept of the input.
        let begin = base.map_or(0, |base| base.at);
        Ok(Box::new(Observed {
            took: Duration::ZERO,
            begin,
            decisions: (begin..input.len()).map(decision).collect(),
            held: vec![(); input.len() - begin],
            failed: Vec::new(),
            ending,
            covered: covered(input),
            losses: Vec::new(),
            settled: Vec::new(),
            truncated: false,
            disagreements: Vec::new(),
            unreadable: None,
            blame: Default::default(),
        }))
    }

    fn solve(&mut self, question: &Question<'_, Bits>) -> Result<Solved<Input>, Failure> {
        let Goal::Take(outcome) = question.goal else { return Ok(Solved::Infeasible) };
        // A third of the sides is infeasible, so that answers of both kinds are paid for.
        let at = question.at;
        if at % 3 == 2 {
            return Ok(Solved::Infeasible);
        }
        let mut input = question.input.to_vec();
        input[at..].fill(0);
        input[at] = outcome as u8;
        Ok(Solved::Input(input.into()))
    }
}

/// The last site's true side is never reached, so there is always something left to wish for.
fn covered(input: &[u8]) -> Vec<Counter> {
    let hit: Vec<u32> = (0..SITES * 2)
        .filter(|counter| *counter != SITES * 2 - 1)
        .filter(|counter| {
            let at = (counter / 2) as usize;
            input.iter().skip(at).step_by(SITES as usize).any(|bit| u32::from(*bit) == counter % 2)
        })
        .collect();
    hit.into_iter().map(|index| Counter { tu: 1, index }).collect()
}

fn table() -> SiteTable {
    let site = |number: u32| Site {
        function: 0,
        block: 0,
        file: "f.c".into(),
        line: number,
        column: 1,
        condition: None,
        kind: SiteKind::Branch { counter: number * 2, successors: [0, 0] },
    };
    let function = FunctionSites {
        name: "f".into(),
        file: "f.c".into(),
        line: 1,
        of_program: true,
        blocks: Vec::new(),
        block_lines: Vec::new(),
        calls: Vec::new(),
    };
    let sites = (0..SITES).map(site).collect();
    SiteTable { tu: 1, functions: vec![function], sites, counters: SITES * 2, ..SiteTable::default() }
}

fn main() {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut shapes = SHAPES.to_vec();
    if wanted.first().is_some_and(|first| first == "--paths") {
        let paths = wanted.get(1).and_then(|number| number.parse().ok()).unwrap_or(1_000_000);
        wanted.drain(..wanted.len().min(2));
        shapes = vec![(40, paths)];
    }
    for (bits, executions) in shapes {
        println!("paths of {bits} decisions:");
        for name in names().filter(|name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)) {
            measure(name, bits, executions);
        }
    }
    println!("most memory: {}", most_memory().unwrap_or_else(|| "unknown".into()));
}

fn measure(name: &str, bits: usize, executions: u64) {
    let Some(mut strategy) = by_name(name, 1) else { return };
    let options = Options { executions: Some(executions), ..Options::default() };
    let tables = [table()];
    let sites = Sites::new(&tables, None);
    let start = [Input::from(vec![0; bits])];
    let result = explore(&mut Bits, sites, strategy.as_mut(), &start, &options, &mut ());
    let statistics = &result.statistics;
    let each = |time: Duration| time.as_secs_f64() * 1e6 / statistics.executions as f64;
    println!(
        "{name:>20}: {:.2} us a run, {:.2} of them to select ({} runs, {} queries, {} nodes, {:.1} bytes each)",
        each(statistics.time.own()),
        each(statistics.time.selecting),
        statistics.executions,
        statistics.queries,
        statistics.nodes,
        statistics.tree_bytes as f64 / statistics.nodes.max(1) as f64,
    );
}

/// As the kernel tells it.
fn most_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().to_owned())
}
