//! What the loop itself costs: a subject that runs and solves in next to no time, 100 decisions a path.
//!
//!     cargo run --release -p concertino-explore --example overhead

use execute::Ending;
use explore::strategy::{by_name, names};
use explore::subject::{Question, Run, Solved};
use explore::{Counter, Decision, Failure, Goal, Kind, Observed, Options, Sites, Subject, explore};
use model::sites::{FunctionSites, Site, SiteKind, SiteTable};
use wire::{End, SiteKey};

const BITS: usize = 100;
const SITES: u32 = 10;

/// One branch per bit of the input.
struct Bits;

impl Subject for Bits {
    type Input = u128;
    type Path = ();

    fn run(&mut self, input: &u128, _how: Run) -> Result<Observed<()>, Failure> {
        let decision = |bit: usize| Decision {
            site: SiteKey { tu: 1, site: bit as u32 % SITES },
            kind: Kind::Branch,
            outcome: (input >> bit & 1) as u64,
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
            decisions: (0..BITS).map(decision).collect(),
            ending,
            covered: covered(*input),
            losses: Vec::new(),
            truncated: false,
            disagreements: Vec::new(),
            unreadable: None,
            path: (),
        })
    }

    fn solve(&mut self, question: &Question<'_, Bits>) -> Result<Solved<u128>, Failure> {
        let Goal::Take(outcome) = question.goal else { return Ok(Solved::Infeasible) };
        // A third of the sides is infeasible, so that answers of both kinds are paid for.
        if question.at % 3 == 2 {
            return Ok(Solved::Infeasible);
        }
        let kept = question.input & ((1 << question.at) - 1);
        Ok(Solved::Input(kept | u128::from(outcome) << question.at))
    }
}

/// The last site's true side is never reached, so there is always something left to wish for.
fn covered(input: u128) -> Vec<Counter> {
    let mut hit: Vec<u32> = (0..BITS as u32)
        .map(|bit| bit % SITES * 2 + (input >> bit & 1) as u32)
        .filter(|counter| *counter != SITES * 2 - 1)
        .collect();
    hit.sort_unstable();
    hit.dedup();
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
    for name in names() {
        let Some(mut strategy) = by_name(name, 1) else { continue };
        let options = Options { executions: Some(50_000), ..Options::default() };
        let tables = [table()];
        let sites = Sites::new(&tables, None);
        let result = explore(&mut Bits, sites, strategy.as_mut(), &[0], &options, &mut ());
        let statistics = &result.statistics;
        println!(
            "{name}: {:.2} us a run ({} executions, {} again, {} queries, {} nodes)",
            statistics.time.own().as_secs_f64() * 1e6 / statistics.executions as f64,
            statistics.executions,
            statistics.reruns,
            statistics.queries,
            statistics.nodes,
        );
    }
}
