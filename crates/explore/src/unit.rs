//! A unit of the tested program as the loop's subject: a running session, its terms, and a solver.
//!
//! The only part of this crate that knows processes, terms and queries. Steps whose condition is constant are
//! no decisions: nothing can change them.

mod asked;
mod beside;
mod blame;
mod held;
mod losses;
mod settled;

use asked::Asked;
pub use beside::{Beside, Condition, Wanted};
use held::Constraint;
pub use held::Held;
use losses::Losses;
use settled::Settled;

use crate::decision::{Decision, Goal, Kind};
use crate::sites::Counter;
use crate::subject::{Base, Blame, Failure, Observed, Own, Question, Run, Solved, Subject, has_failed};
use execute::{Ending, Input, Session};
use model::sites::{SiteKind, SiteTable};
use rustc_hash::FxHashMap;
use solve::{Answer, Query, Reason, Solver};
use std::error::Error;
use std::time::{Duration, Instant};
use term::{Assignment, Evaluator, Path, PathError, Pool, Step, StepKind, TermId, Values, Var};
use wire::{Class, End, Record, RecordKind, SiteKey};

pub struct Unit<'a> {
    session: &'a mut Session,
    terms: Terms<'a>,
    /// That of the last execution.
    path: Path,
    solver: Solver,
    in_session: Duration,
}

/// What the steps of a path mean.
struct Terms<'a> {
    tables: FxHashMap<u32, Table<'a>>,
    pool: Pool,
    evaluator: Evaluator,
    settled: Settled,
    asked: Asked,
    /// What the last execution decided on its own, what was settled included, where it failed: somebody asks why.
    told: Vec<(Decision, Held)>,
    /// What held at the last decision of the last execution.
    last: Option<Constraint>,
    /// Executions read so far.
    read: u32,
    /// One that was looked at: its memory is used again.
    spare: Option<Box<Observed<Held>>>,
}

struct Table<'a> {
    of: &'a SiteTable,
    /// By site: the counter of its first side, and how many sides have one.
    sides: Vec<(u32, u32)>,
    /// By counter: the last execution that decided for this side, by its number, or [`COUNTED`].
    decided: Vec<u32>,
}

/// An execution that counts decided for the side: whoever asked for it heard of the counter.
const COUNTED: u32 = u32::MAX;

impl<'a> Unit<'a> {
    pub fn new(session: &'a mut Session, tables: &'a [SiteTable], solver: Solver) -> Unit<'a> {
        let (terms, path) = (Terms::new(tables), Path::default());
        Unit { session, terms, path, solver, in_session: Duration::ZERO }
    }

    pub fn session(&self) -> &Session {
        self.session
    }

    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// How long executions took, without the reading of what they left.
    pub fn time_in_session(&self) -> Duration {
        self.in_session
    }
}

impl<'a> Terms<'a> {
    fn new(tables: &'a [SiteTable]) -> Terms<'a> {
        let table = |of: &'a SiteTable| {
            let sides = of.sites.iter().map(|site| sides(&site.kind)).collect();
            Table { of, sides, decided: vec![0; of.counters as usize] }
        };
        let tables = tables.iter().map(|of| (of.tu, table(of))).collect();
        let (pool, evaluator, settled) = (Pool::new(), Evaluator::new(), Settled::default());
        Terms {
            tables,
            pool,
            evaluator,
            settled,
            asked: Asked::default(),
            told: Vec::new(),
            last: None,
            read: 0,
            spare: None,
        }
    }

    fn cases(&self, site: SiteKey) -> Option<&'a [u64]> {
        match &self.tables.get(&site.tu)?.of.sites.get(site.site as usize)?.kind {
            SiteKind::Switch { cases, .. } => Some(cases),
            _ => None,
        }
    }

    /// Adds the counters of the sides that were taken, each once; not those that one that counts was told of.
    fn add_decided(&mut self, own: Own<'_>, counts: bool, covered: &mut Vec<Counter>) {
        // A number that wrapped around makes a counter appear twice, which is no harm.
        self.read = (self.read + 1) % COUNTED;
        let number = if counts { COUNTED } else { self.read };
        // Mostly all of one translation unit.
        let mut found: Option<(u32, &mut Table)> = None;
        for decision in own.all().filter(|d| matches!(d.kind, Kind::Branch | Kind::Switch)) {
            let tu = decision.site.tu;
            if found.as_ref().is_none_or(|(of, _)| *of != tu) {
                found = self.tables.get_mut(&tu).map(|table| (tu, table));
            }
            let Some((_, table)) = &mut found else { continue };
            let Some(index) = table.counter(decision) else { continue };
            let Some(last) = table.decided.get_mut(index as usize) else { continue };
            if *last != COUNTED && std::mem::replace(last, number) != self.read {
                covered.push(Counter { tu, index });
            }
        }
    }

    /// The decision that a step is, and the constraint that held.
    fn decision(&mut self, step: &Step) -> Option<(Decision, TermId)> {
        if self.pool.as_const(step.term).is_some() {
            return None;
        }
        let cases = match step.kind {
            StepKind::Switch { .. } => self.cases(step.site),
            _ => None,
        };
        let (kind, outcome) = match step.kind {
            StepKind::Branch { taken } => (Kind::Branch, u64::from(taken)),
            // Without the case values only the value itself can be told apart from others.
            StepKind::Switch { value, .. } if cases.is_none() => (Kind::Concretised, value),
            StepKind::Switch { successor, .. } => (Kind::Switch, u64::from(successor)),
            StepKind::Check { violated, .. } => (Kind::Check, u64::from(violated)),
            StepKind::Assume { held, .. } => (Kind::Assume, u64::from(held)),
            StepKind::Indirect { target } => (Kind::Indirect, target),
            StepKind::Concretised { value, .. } => (Kind::Concretised, value),
            StepKind::Enter { .. } | StepKind::Leave { .. } => return None,
        };
        let null = matches!(step.kind, StepKind::Check { class: Class::NullDereference, .. });
        let decision = Decision { site: step.site, kind, null, outcome };
        let held = step.constraint_among(&mut self.pool, cases.unwrap_or(&[]))?;
        Some((decision, held))
    }

    /// What an execution was. `base`: the way that it was to follow; it did where
    /// its path does not begin at the beginning of the log.
    fn observe(
        &mut self,
        path: &Path,
        log: &[Record],
        ending: Ending,
        truncated: bool,
        base: Option<Base<'_, Held>>,
        how: Run,
    ) -> Box<Observed<Held>> {
        let mut observed = match self.spare.take() {
            Some(mut spare) => {
                spare.ending = ending;
                spare
            }
            None => Box::new(Observed::nothing(ending)),
        };
        let (common, own) = log.split_at(path.begin);
        let base = base.filter(|_| !common.is_empty());
        let begin = base.map_or(0, |base| base.at);
        let mut losses = Losses::of(if path.has_losses { common } else { &[] }, begin);
        self.settled.begin(&self.pool, base.map_or(&[], |base| self.asked.before(base.held, base.before)));
        let Observed { decisions, held, settled, covered, failed, ending, .. } = &mut *observed;
        self.told.clear();
        let mut last = base.and_then(|base| base.held.before());
        let mut records = if path.has_losses { own } else { &[] }.iter();
        for (step, mark) in path.steps.iter().zip(&path.marks) {
            losses.add_to_step(begin + decisions.len(), &mut records);
            let Some((decision, term)) = self.decision(step) else { continue };
            if has_failed(&decision) {
                failed.push(decision.site);
            }
            let side = Held::new(step.term, *mark, last);
            if ending.class.is_some() {
                self.told.push((decision, side));
            }
            // Assumptions are told apart from what the program decides, even if they say the same.
            if !how.whole && decision.kind != Kind::Assume && self.settled.has(&self.pool, term) {
                settled.push((decisions.len(), decision));
                continue;
            }
            decisions.push(decision);
            held.push(side);
            let limit = matches!(step.kind, StepKind::Assume { limit: true, .. });
            let now = Constraint { term, limit };
            self.settled.add(&self.pool, now);
            last = Some(now);
        }
        records.for_each(|record| losses.add(begin + decisions.len(), record));
        // A branch that was decided counts as covered even if the process had reported its counter before,
        // for an input that broke an assumption for instance.
        covered.extend(path.covered.iter().map(|hit| Counter { tu: hit.tu, index: hit.site }));
        let counts = how.counts && ending.end != End::AssumptionFailed;
        self.add_decided(Own { decisions, settled }, counts, covered);
        covered.sort_unstable();
        covered.dedup();
        self.last = last;
        observed.begin = begin;
        observed.losses = losses.0;
        observed.truncated = truncated;
        observed
    }

    /// The term that is true when the decision comes out as wanted.
    fn wish(&mut self, decision: &Decision, term: TermId, goal: Goal, avoid: &[u64]) -> Option<TermId> {
        let bits = self.pool.bits(term);
        let none_of = |pool: &mut Pool, values: &[u64]| {
            let mut all = pool.truth(true);
            for value in values {
                let value = pool.constant(bits, u128::from(*value));
                let differs = pool.ne(term, value);
                all = pool.and(all, differs);
            }
            all
        };
        Some(match (decision.kind, goal) {
            (Kind::Branch | Kind::Check | Kind::Assume, Goal::Take(0)) => self.pool.not(term),
            (Kind::Branch | Kind::Check | Kind::Assume, Goal::Take(_)) => term,
            (Kind::Switch, Goal::Take(0)) => {
                let cases = self.cases(decision.site)?;
                none_of(&mut self.pool, cases)
            }
            (Kind::Switch, Goal::Take(successor)) => {
                let case = *self.cases(decision.site)?.get(usize::try_from(successor).ok()? - 1)?;
                let case = self.pool.constant(bits, u128::from(case));
                self.pool.eq(term, case)
            }
            (Kind::Indirect | Kind::Concretised, Goal::Other) => none_of(&mut self.pool, avoid),
            (Kind::Indirect | Kind::Concretised, Goal::Take(value)) => {
                let value = self.pool.constant(bits, u128::from(value));
                self.pool.eq(term, value)
            }
            (_, Goal::Other) => return None,
        })
    }
}

/// What a condition that a bound is exceeded is to hold beside: the bound is exceeded by little, or, where there is no
/// such input, the value is a little below zero. What fails right behind an object fails in every build, sanitizers see
/// it, and people understand it.
impl Terms<'_> {
    fn near(&mut self, exceeded: TermId) -> Vec<TermId> {
        let pool = &mut self.pool;
        // `bound < value`; with a constant bound it is written `!(value < bound + 1)`.
        let (value, bound) = match pool.kind(exceeded) {
            term::Kind::Compare(term::Compare::Ult, bound, value) => (value, bound),
            term::Kind::Unary(term::Unary::Not, within) => match pool.kind(within) {
                term::Kind::Compare(term::Compare::Ult, value, end) => (value, end),
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let bits = pool.bits(value);
        if bits < 8 {
            return Vec::new();
        }
        let little = pool.constant(bits, NEAR);
        let beyond = pool.sub(value, bound);
        let above = pool.ule(beyond, little);
        let negative = pool.neg(little);
        let below = pool.ule(negative, value);
        vec![above, below]
    }
}

/// Bytes or elements beyond the end that are near it.
const NEAR: u128 = 16;

impl Unit<'_> {
    /// What the solver says to these conditions and the wish.
    fn answer(
        &mut self,
        question: &Question<'_, Self>,
        mut constraints: Vec<TermId>,
        wish: TermId,
    ) -> Answer {
        let pool = &mut self.terms.pool;
        let never = pool.not(wish);
        if pool.as_const(wish) == Some(0) || constraints.contains(&never) {
            return Answer::Unsat;
        }
        constraints.push(wish);
        let hint = Read(question.input);
        let query = Query { constraints: &constraints, hint: &hint, time_limit: question.time_limit };
        self.solver.solve(pool, &query)
    }
}

impl Unit<'_> {
    /// Runs an input and looks at what it did.
    fn observe(
        &mut self,
        input: &Input,
        how: Run,
        base: Option<Base<'_, Held>>,
    ) -> Result<Box<Observed<Held>>, Failure> {
        let began = how.began.unwrap_or_else(Instant::now);
        let execution = self.session.run(input).map_err(|error| failure(&error))?;
        let took = began.elapsed();
        self.in_session += took;
        let ending = execution.ending().clone();
        let (log, rest) = split(execution.log());
        // What failed is read from the beginning: what decided it may be anywhere, and settled there.
        let base = base.filter(|_| ending.class.is_none());
        let known = base.map(|base| base.held.mark);
        let pool = &mut self.terms.pool;
        if let Err(error) = self.path.read_again(pool, log, execution.nodes(), execution.data(), known) {
            tracing::debug!(%error, "the log of an execution cannot be read");
            self.path = Path::default();
            let mut observed = self.terms.observe(&self.path, &[], ending, true, None, Run::default());
            observed.took = took;
            observed.unreadable = Some(name(error).to_owned());
            return Ok(observed);
        }
        let path = &self.path;
        let mut disagreements = Vec::new();
        if how.verify {
            let values = path.assignment(|slot| input.get(slot));
            let Terms { pool, evaluator, .. } = &mut self.terms;
            let begun = base.filter(|_| path.begin > 0);
            let common = begun.and_then(|base| first_broken(pool, evaluator, base, &values));
            let mut own =
                || path.disagreement(pool, &values, evaluator).and_then(|step| path.steps.get(step));
            disagreements.extend(common.or_else(|| own().map(|step| step.site)));
        }
        let truncated = execution.is_truncated() || !rest.is_empty();
        let mut observed = self.terms.observe(path, log, ending, truncated, base, how);
        if let Some(class) = observed.ending.class {
            let values = path.assignment(|slot| input.get(slot));
            observed.blame = self.terms.blame(&observed, class, &values);
        }
        observed.took = took;
        observed.disagreements = disagreements;
        observed.covered.extend(hits(rest));
        Ok(observed)
    }
}

impl Subject for Unit<'_> {
    type Input = Input;
    type Held = Held;

    fn run(
        &mut self,
        input: &Input,
        how: Run,
        base: Option<Base<'_, Held>>,
    ) -> Result<Box<Observed<Held>>, Failure> {
        self.observe(input, how, base)
    }

    fn solve(&mut self, question: &Question<'_, Self>) -> Result<Solved<Input>, Failure> {
        let (decision, term) = (&question.decision, question.held.term());
        let Some(wish) = self.terms.wish(decision, term, question.goal, question.avoid) else {
            return Ok(Solved::Unknown("no-case-values".to_owned()));
        };
        let held = self.terms.asked.before(question.held, question.before);
        let has_limits = held.iter().any(|held| held.limit);
        let prefix: Vec<TermId> = with_room(held.iter());
        let is_check = decision.kind == Kind::Check && question.goal == Goal::Take(1);
        let nearby = if is_check { prefix.clone() } else { Vec::new() };
        let mut answer = self.answer(question, prefix, wish);
        if is_check && matches!(answer, Answer::Sat(_)) {
            for near in self.terms.near(wish) {
                let mut nearby = nearby.clone();
                nearby.push(near);
                let nearer = self.answer(question, nearby, wish);
                if matches!(nearer, Answer::Sat(_)) {
                    answer = nearer;
                    break;
                }
            }
        }
        if !question.beyond_limits || answer != Answer::Unsat || !has_limits {
            return Ok(match answer {
                Answer::Sat(values) => Solved::Input(changed(question.input, &values)),
                Answer::Unsat => Solved::Infeasible,
                Answer::Unknown(Reason::TimeLimit) => Solved::OutOfTime,
                Answer::Unknown(reason) => Solved::Unknown(reason.name().to_owned()),
            });
        }
        let held = self.terms.asked.before(question.held, question.before);
        let free = held.iter().filter(|held| !held.limit).map(|held| held.term).collect();
        Ok(match self.answer(question, free, wish) {
            Answer::Unsat => Solved::Infeasible,
            Answer::Sat(_) | Answer::Unknown(_) => Solved::Beyond,
        })
    }

    fn take_back(&mut self, mut observed: Box<Observed<Held>>) {
        let Observed { decisions, held, settled, failed, covered, disagreements, .. } = &mut *observed;
        decisions.clear();
        held.clear();
        settled.clear();
        failed.clear();
        covered.clear();
        disagreements.clear();
        if observed.unreadable.is_some() || observed.ending.class.is_some() {
            observed.unreadable = None;
            observed.blame = Blame::default();
        }
        self.terms.spare = Some(observed);
    }

    fn memory(&self) -> usize {
        self.terms.pool.memory()
    }

    fn reset(&mut self) {
        self.terms.pool.clear();
        self.terms.settled.clear();
        self.terms.asked = Asked::default();
    }
}

/// The terms, with room for one more and what may be asked for beside it.
fn with_room<'a>(held: impl ExactSizeIterator<Item = &'a Constraint>) -> Vec<TermId> {
    let mut terms = Vec::with_capacity(held.len() + 2);
    terms.extend(held.map(|held| held.term));
    terms
}

/// The part of a log that is turned into terms, and the rest. Decisions that deep in a path are never changed,
/// and an endless loop logs a million of them.
fn split(log: &[Record]) -> (&[Record], &[Record]) {
    log.split_at(log.len().min(RECORDS))
}

const RECORDS: usize = 1 << 16;

/// Where a condition of the common part does not hold for another input.
fn first_broken(
    pool: &Pool,
    evaluator: &mut Evaluator,
    base: Base<'_, Held>,
    values: &Assignment,
) -> Option<SiteKey> {
    let mut evaluation = evaluator.under(pool, values);
    let (decisions, held): (Vec<Decision>, Vec<Held>) = base.before.forwards().into_iter().unzip();
    let after = held.iter().skip(1).chain([&base.held]).map(|held| held.before());
    let broken = |(_, held): &(&Decision, Option<Constraint>)| {
        held.is_some_and(|held| evaluation.value(held.term) != 1)
    };
    decisions.iter().zip(after).find(broken).map(|(decision, _)| decision.site)
}

/// The number of the first of a site's counters, and how many it has.
fn sides(site: &SiteKind) -> (u32, u32) {
    match site {
        SiteKind::Branch { counter, .. } => (*counter, 2),
        SiteKind::Switch { counter, cases, .. } => {
            (*counter, u32::try_from(cases.len() + 1).unwrap_or(u32::MAX))
        }
        _ => (0, 0),
    }
}

impl Table<'_> {
    /// The number of the counter of the side that was taken.
    fn counter(&self, decision: &Decision) -> Option<u32> {
        let (first, ways) = *self.sides.get(decision.site.site as usize)?;
        first.checked_add(u32::try_from(decision.outcome).ok().filter(|outcome| *outcome < ways)?)
    }
}

/// Coverage counters that a log reports.
fn hits(log: &[Record]) -> impl Iterator<Item = Counter> + '_ {
    log.iter()
        .filter(|record| record.kind == RecordKind::Cover as u16)
        .map(|record| Counter { tu: record.tu, index: record.site })
}

/// What an execution reads out of its input.
struct Read<'a>(&'a Input);

impl Values for Read<'_> {
    fn value(&self, var: Var) -> u64 {
        let width = bytes_of(var);
        let bytes = self.0.get(var.slot).unwrap_or_default();
        let bytes = bytes.get(var.element as usize * width..).unwrap_or_default();
        let mut value = [0; 8];
        value.iter_mut().zip(&bytes[..bytes.len().min(width)]).for_each(|(to, from)| *to = *from);
        u64::from_le_bytes(value) & (u64::MAX >> (64 - var.bits.clamp(1, 64)))
    }
}

/// How many bytes of its slot an element takes.
fn bytes_of(var: Var) -> usize {
    usize::from(var.bits / 8).clamp(1, 8)
}

/// The input with these values in place of its own.
fn changed(input: &Input, values: &Assignment) -> Input {
    let mut input = input.clone();
    for (var, value) in values.iter() {
        input.set_element(var.slot, var.element as usize, &value.to_le_bytes()[..bytes_of(var)]);
    }
    input
}

fn failure(error: &dyn Error) -> Failure {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    Failure(text)
}

fn name(error: PathError) -> &'static str {
    match error {
        PathError::Kind { .. } => "unknown-record",
        PathError::Argument { .. } => "unknown-argument",
        PathError::Width { .. } => "wrong-width",
        PathError::Unlabelled { .. } => "missing-label",
        PathError::Node { .. } => "bad-node",
    }
}

#[cfg(test)]
mod tests;
