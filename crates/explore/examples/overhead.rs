//! What the loop itself costs: a subject that runs and solves in next to no time, 100 decisions a path.
//!
//!     cargo run --release -p concertino-explore --example overhead

use execute::Ending;
use explore::strategy::{NAMES, by_name};
use explore::subject::{Question, Run, Solved};
use explore::{Decision, Failure, Goal, Kind, Observed, Options, Sites, Subject, explore};
use wire::{End, SiteKey};

const BITS: usize = 100;

/// One branch per bit of the input.
struct Bits;

impl Subject for Bits {
    type Input = u128;
    type Path = ();

    fn run(&mut self, input: &u128, _how: Run) -> Result<Observed<()>, Failure> {
        let decision = |bit: usize| Decision {
            site: SiteKey { tu: 1, site: bit as u32 % 10 },
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
            covered: Vec::new(),
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

fn main() {
    for name in NAMES {
        let Some(mut strategy) = by_name(name, 1) else { continue };
        let options = Options { executions: Some(50_000), ..Options::default() };
        let sites = Sites::new(&[], None);
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
