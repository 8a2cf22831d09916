//! A simulated program for tests of the search: a Rust function that reports its decisions, and a solver that
//! tries every input of a small domain. The solver may believe in another program than the one that runs:
//! that makes divergences to order.

use crate::decision::{Decision, Goal, Kind};
use crate::sites::Counter;
use crate::subject::{
    Base, Blame, Failure, Loss, Observed, Question, Run, Solved, Subject, has_failed, is_cut,
};
use execute::Ending;
use model::sites::{FunctionSites, Site, SiteKind, SiteTable};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;
use wire::log::Concretised;
use wire::{Class, End, SiteKey};

pub(crate) type Program = Rc<dyn Fn(&[u8], &mut Trace)>;

pub(crate) const TU: u32 = 7;

pub(crate) fn key(site: u32) -> SiteKey {
    SiteKey { tu: TU, site }
}

pub(crate) fn ending(end: End) -> Ending {
    Ending {
        end,
        value: 0,
        class: end.class(),
        site: None,
        pc: 0,
        address: 0,
        stack: Vec::new(),
        text: String::new(),
    }
}

pub(crate) struct Trace {
    pub(crate) decisions: Vec<Decision>,
    pub(crate) covered: Vec<Counter>,
    pub(crate) losses: Vec<Loss>,
    pub(crate) ending: Ending,
    table: SiteTable,
}

impl Trace {
    fn decide(&mut self, site: u32, kind: Kind, outcome: u64) {
        if self.ending.end != End::Returned {
            return;
        }
        self.decisions.push(Decision { site: key(site), kind, null: false, outcome });
        let counter = match self.table.sites.get(site as usize).map(|site| &site.kind) {
            Some(SiteKind::Branch { counter, .. } | SiteKind::Switch { counter, .. }) => *counter,
            _ => return,
        };
        self.covered.push(Counter { tu: TU, index: counter + outcome as u32 });
    }

    pub(crate) fn branch(&mut self, site: u32, condition: bool) -> bool {
        self.decide(site, Kind::Branch, u64::from(condition));
        condition && self.ending.end == End::Returned
    }

    pub(crate) fn switch(&mut self, site: u32, successor: u64) -> u64 {
        self.decide(site, Kind::Switch, successor);
        successor
    }

    pub(crate) fn check(&mut self, site: u32, class: Class, violated: bool) {
        self.decide(site, Kind::Check, u64::from(violated));
        if violated {
            self.end(End::Violation, class as i32, Some(key(site)));
        }
    }

    pub(crate) fn assume(&mut self, site: u32, holds: bool) {
        self.decide(site, Kind::Assume, u64::from(holds));
        if !holds {
            self.end(End::AssumptionFailed, 0, None);
        }
    }

    pub(crate) fn concretise(&mut self, site: u32, value: u64) {
        self.decide(site, Kind::Concretised, value);
        self.lose(site, Concretised::LoadAddress, true);
    }

    pub(crate) fn lose(&mut self, site: u32, kind: Concretised, constrained: bool) {
        self.losses.push(Loss { at: self.decisions.len(), site: key(site), kind, constrained, count: 1 });
    }

    pub(crate) fn end(&mut self, end: End, value: i32, site: Option<SiteKey>) {
        if self.ending.end == End::Returned {
            let class = match end {
                End::Violation => u16::try_from(value).ok().and_then(Class::from_code),
                End::Segfault => Some(Class::NullDereference),
                end => end.class(),
            };
            self.ending = Ending { value, class, site, pc: 0x1000, ..ending(end) };
        }
    }
}

/// Sites 0..9 are branches, 10..19 are switches with cases 5, 6, 7; all of one function that counts.
pub(crate) fn table() -> SiteTable {
    let site = |number: u32| {
        let kind = match number {
            0..10 => SiteKind::Branch { counter: number * 4, successors: [0, 0] },
            10..20 => SiteKind::Switch { counter: number * 4, cases: vec![5, 6, 7], successors: vec![0; 4] },
            _ => SiteKind::Check { class: Class::OutOfBounds },
        };
        Site { function: 0, block: 0, file: "f.c".into(), line: number, column: 0, condition: None, kind }
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
    let sites = (0..30).map(site).collect();
    SiteTable { tu: TU, functions: vec![function], sites, counters: 80, ..SiteTable::default() }
}

/// The same sites with a control-flow graph: successors of the blocks of the function, and the sites that stand
/// at the end of a block, true side first.
pub(crate) fn shaped(blocks: &[&[u32]], deciding: &[(u32, u32)]) -> SiteTable {
    let mut table = table();
    table.functions[0].blocks = blocks.iter().map(|successors| successors.to_vec()).collect();
    table.functions[0].block_lines = vec![1; blocks.len()];
    for &(number, block) in deciding {
        let site = &mut table.sites[number as usize];
        site.block = block;
        let successors = blocks[block as usize];
        match &mut site.kind {
            SiteKind::Branch { successors: sides, .. } => *sides = [successors[1], successors[0]],
            SiteKind::Switch { successors: sides, .. } => *sides = successors.to_vec(),
            _ => {}
        }
    }
    table
}

pub(crate) struct Simulated {
    pub(crate) runs: Program,
    pub(crate) believed: Program,
    /// Every input has this length, and bytes below `radix`.
    pub(crate) length: usize,
    pub(crate) radix: u8,
    /// Outcomes of each execution in order, as digits; and every question as (site, goal).
    pub(crate) visited: Vec<String>,
    pub(crate) asked: Vec<(u32, Goal)>,
    /// The outcomes before each question, as digits.
    pub(crate) asked_behind: Vec<String>,
    /// Pretends to hold so many bytes after each run.
    pub(crate) bytes_a_run: usize,
    pub(crate) bytes: usize,
    /// Runs of an input after its first one behave like this.
    pub(crate) runs_again: Option<Program>,
    seen: BTreeSet<Vec<u8>>,
    /// What the terms of an execution depend on beside its decisions.
    pub(crate) noise: fn(&[u8]) -> u64,
    pub(crate) unknown_at: Option<u32>,
    /// Questions about this site need more than this time.
    pub(crate) slow_at: Option<(u32, Duration)>,
}

impl Simulated {
    pub(crate) fn new(program: impl Fn(&[u8], &mut Trace) + 'static, length: usize, radix: u8) -> Simulated {
        let program: Program = Rc::new(program);
        Simulated {
            runs: program.clone(),
            believed: program,
            length,
            radix,
            visited: Vec::new(),
            asked: Vec::new(),
            asked_behind: Vec::new(),
            bytes_a_run: 0,
            bytes: 0,
            runs_again: None,
            seen: BTreeSet::new(),
            noise: |_| 0,
            unknown_at: None,
            slow_at: None,
        }
    }
}

pub(crate) fn trace(program: &Program, input: &[u8]) -> Trace {
    let mut trace = Trace {
        decisions: Vec::new(),
        covered: Vec::new(),
        losses: Vec::new(),
        ending: ending(End::Returned),
        table: table(),
    };
    program(input, &mut trace);
    trace
}

impl Subject for Simulated {
    type Input = Vec<u8>;
    type Held = u64;

    fn run(
        &mut self,
        input: &Vec<u8>,
        _how: Run,
        base: Option<Base<'_, u64>>,
    ) -> Result<Box<Observed<u64>>, Failure> {
        let again = !self.seen.insert(input.clone());
        let program = self.runs_again.as_ref().filter(|_| again).unwrap_or(&self.runs);
        let trace = trace(program, input);
        self.bytes += self.bytes_a_run;
        let outcomes = trace.decisions.iter().map(|decision| decision.outcome.to_string());
        self.visited.push(outcomes.collect());
        let noise = (self.noise)(input);
        let followed = base.filter(|base| base.held == noise).filter(|base| {
            let before = base.before.forwards();
            let same = before.iter().map(|(decision, _)| decision).eq(trace.decisions.iter().take(base.at));
            same && before.len() == base.at
        });
        let begin = followed.map_or(0, |base| base.at);
        let decisions = trace.decisions[begin..].to_vec();
        let failed = decisions.iter().filter(|decision| has_failed(decision));
        Ok(Box::new(Observed {
            took: Duration::ZERO,
            begin,
            failed: failed.map(|decision| decision.site).collect(),
            truncated: is_cut(trace.ending.end),
            held: vec![noise; decisions.len()],
            settled: Vec::new(),
            decisions,
            ending: trace.ending,
            covered: trace.covered,
            losses: trace.losses,
            disagreements: Vec::new(),
            unreadable: None,
            blame: Blame::default(),
        }))
    }

    fn memory(&self) -> usize {
        self.bytes
    }

    fn reset(&mut self) {
        self.bytes = 0;
    }

    fn solve(&mut self, question: &Question<'_, Simulated>) -> Result<Solved<Vec<u8>>, Failure> {
        let target = question.decision;
        let before: Vec<Decision> = question.before.forwards().into_iter().map(|step| step.0).collect();
        // What is asked about an input is what was read of its own execution.
        let noise = (self.noise)(question.input);
        let mut held = vec![question.held];
        question.before.each_held(|before| held.push(before));
        assert_eq!(held, vec![noise; question.at + 1]);
        assert!(question.before.held().eq(held.into_iter().skip(1)));
        self.asked.push((target.site.site, question.goal));
        let outcomes = before.iter().map(|decision| decision.outcome.to_string());
        self.asked_behind.push(outcomes.collect());
        if self.unknown_at == Some(target.site.site) {
            return Ok(Solved::Unknown("hard".into()));
        }
        if self.slow_at.is_some_and(|(site, time)| site == target.site.site && time > question.time_limit) {
            return Ok(Solved::OutOfTime);
        }
        let mut input = vec![0; self.length];
        loop {
            let found = trace(&self.believed, &input).decisions;
            if found.iter().take(before.len()).eq(&before)
                && found.get(before.len()).is_some_and(|decision| {
                    decision.site == target.site && question.goal.met_by(decision.outcome, question.avoid)
                })
            {
                return Ok(Solved::Input(input));
            }
            // Count up, the last byte fastest.
            let carried = input.iter_mut().rev().all(|byte| {
                *byte = (*byte + 1) % self.radix;
                *byte == 0
            });
            if carried {
                return Ok(Solved::Infeasible);
            }
        }
    }
}
