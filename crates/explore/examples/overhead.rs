//! What the loop itself costs: a subject that runs and solves in next to no time. Short paths and many
//! executions, then paths of thousands of decisions: a selection must not walk through the tree.
//!
//!     cargo run --release -p concertino-explore --example overhead [STRATEGY...]

use execute::Ending;
use explore::strategy::{by_name, names};
use explore::subject::{Question, Run, Solved};
use explore::{Counter, Decision, Failure, Goal, Kind, Observed, Options, Sites, Subject, explore};
use model::sites::{FunctionSites, Site, SiteKind, SiteTable};
use wire::{End, SiteKey};

/// Decisions of a path, and executions.
const SHAPES: [(usize, u64); 2] = [(100, 20_000), (5_000, 1_000)];
const SITES: u32 = 10;

/// One branch per bit of the input.
struct Bits;

type Input = std::rc::Rc<[u8]>;

impl Subject for Bits {
    type Input = Input;
    type Path = ();

    fn run(&mut self, input: &Input, _how: Run) -> Result<Observed<()>, Failure> {
        let decision = |bit: usize| Decision {
            site: SiteKey { tu: 1, site: bit as u32 % SITES },
            kind: Kind::Branch,
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
        Ok(Observed {
            decisions: (0..input.len()).map(decision).collect(),
            ending,
            covered: covered(input),
            losses: Vec::new(),
            truncated: false,
            disagreements: Vec::new(),
            unreadable: None,
            path: (),
        })
    }

    fn solve(&mut self, question: &Question<'_, Bits>) -> Result<Solved<Input>, Failure> {
        let Goal::Take(outcome) = question.goal else { return Ok(Solved::Infeasible) };
        // A third of the sides is infeasible, so that answers of both kinds are paid for.
        if question.at % 3 == 2 {
            return Ok(Solved::Infeasible);
        }
        let mut input = question.input.to_vec();
        input[question.at..].fill(0);
        input[question.at] = outcome as u8;
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
    SiteTable { tu: 1, functions: vec![function], sites: (0..SITES).map(site).collect(), counters: SITES * 2 }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (bits, executions) in SHAPES {
        println!("paths of {bits} decisions:");
        for name in names().filter(|name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)) {
            let Some(mut strategy) = by_name(name, 1) else { continue };
            let options = Options { executions: Some(executions), ..Options::default() };
            let tables = [table()];
            let sites = Sites::new(&tables, None);
            let start = [Input::from(vec![0; bits])];
            let result = explore(&mut Bits, sites, strategy.as_mut(), &start, &options, &mut ());
            let statistics = &result.statistics;
            let each = |time: std::time::Duration| time.as_secs_f64() * 1e6 / statistics.executions as f64;
            println!(
                "{name:>20}: {:.2} us a run, {:.2} of them to select ({} queries, {} nodes, {:.1} bytes each)",
                each(statistics.time.own()),
                each(statistics.time.selecting),
                statistics.queries,
                statistics.nodes,
                statistics.tree_bytes as f64 / statistics.nodes.max(1) as f64,
            );
        }
    }
}
