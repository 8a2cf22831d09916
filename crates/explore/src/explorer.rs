//! The loop: choose a branch, solve, run.
//!
//! Everything that decides what is explored is here or in the strategy. The loop knows no terms, no solver and
//! no process: those are the [`Subject`]'s. Given a budget of executions, the same seed gives the same result.

use crate::decision::{Decision, Goal, Kind};
use crate::divergence::{self, Divergence, Prediction, Went};
use crate::exploration::{Exploration, Finished};
use crate::ledger::{Entry, Ledger};
use crate::options::{Event, Observer, Options, Progress};
use crate::pairs::Pairs;
use crate::policy;
use crate::recent::Recent;
use crate::side::{NodeId, Side, TestId};
use crate::sites::Sites;
use crate::strategy::{Candidate, News, Strategy, View};
use crate::subject::{Base, Failure, Observed, Question, Run, Solved, Subject, has_failed, is_cut};
use crate::tree::{Step, Trail, Tree, make_room};
use crate::way::{Way, Whence, Whole};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::{Duration, Instant};
use wire::{Class, End};

/// Explores until the budget is spent or nothing is left. The seeds are run first, in order.
pub fn explore<S: Subject>(
    subject: &mut S,
    sites: Sites<'_>,
    strategy: &mut dyn Strategy,
    seeds: &[S::Input],
    options: &Options,
    observer: &mut dyn Observer,
) -> Exploration<S::Input> {
    let conditions = sites.conditions();
    let now = Instant::now();
    let mut explorer = Explorer {
        subject,
        sites,
        strategy,
        observer,
        options,
        tree: Tree::new(options.tree),
        held: Vec::new(),
        tests: Vec::new(),
        recent: Recent::new(),
        ledger: Ledger::new(conditions),
        trail: Trail::default(),
        open: Vec::new(),
        steps: Vec::new(),
        pairs: Pairs::default(),
        started: now,
        now,
        weight: 1,
        stopped: false,
        admitting: false,
    };
    let finished = explorer.run(seeds).unwrap_or_else(|failure| Finished::Failed(failure.0));
    explorer.ledger.close(finished, &explorer.sites, &explorer.tree, explorer.started.elapsed())
}

struct Explorer<'a, 's, S: Subject> {
    subject: &'a mut S,
    sites: Sites<'s>,
    strategy: &'a mut dyn Strategy,
    observer: &'a mut dyn Observer,
    options: &'a Options,
    tree: Tree,
    /// By node: what inputs have to satisfy to get there, and what is decided. Nothing since the subject was reset, until a test is run again.
    held: Vec<Option<S::Held>>,
    tests: Vec<Known<S::Input>>,
    /// Paths that cannot be read off the tree.
    recent: Recent<S::Held>,
    ledger: Ledger<S::Input>,
    trail: Trail,
    /// Nodes of the trail with sides that are new and open.
    open: Vec<NodeId>,
    steps: Vec<Step>,
    pairs: Pairs,
    started: Instant,
    /// When something was measured last: as good as the time itself, which costs something to ask for.
    now: Instant,
    /// What the time until the next question counts for; see [`Explorer::weigh`].
    weight: u32,
    stopped: bool,
    /// Sides that were held back are on offer: nothing else was left at some time.
    admitting: bool,
}

/// A test that was executed.
struct Known<I> {
    /// Dropped when the tree needs the test no more.
    input: Option<I>,
    /// Its terms are not those that the tree holds for the same decisions: some values are neither inputs nor
    /// determined by them.
    apart: bool,
    /// It broke an assumption, so what it covered did not count.
    broke: bool,
}

/// The path that an input was solved for.
struct Solution<S: Subject> {
    candidate: Candidate,
    test: TestId,
    held: S::Held,
    /// The path, where it is not the tree's.
    whole: Option<Rc<Whole<S::Held>>>,
    seen: Vec<u64>,
}

/// An input, and what it was solved for.
type Found<S> = (<S as Subject>::Input, Solution<S>);

impl<S: Subject> Explorer<'_, '_, S> {
    fn run(&mut self, seeds: &[S::Input]) -> Result<Finished, Failure> {
        for seed in seeds {
            if let Some(why) = self.spent() {
                return Ok(why);
            }
            self.execute(seed.clone(), None)?;
        }
        loop {
            if let Some(why) = self.spent() {
                return Ok(why);
            }
            let Some(candidate) = self.choose() else { return Ok(self.exhausted()) };
            if let Some((input, solution)) = self.solve(candidate)? {
                self.execute(input, Some(&solution))?;
            }
            self.release();
        }
    }

    /// The time since this was last asked for.
    fn lap(&mut self) -> Duration {
        let before = std::mem::replace(&mut self.now, Instant::now());
        self.now - before
    }

    fn elapsed(&self) -> Duration {
        self.now - self.started
    }

    fn spent(&self) -> Option<Finished> {
        let (covered, total) = self.sites.coverage();
        if self.stopped {
            Some(Finished::Stopped)
        } else if self.options.executions.is_some_and(|limit| self.ledger.statistics.executions >= limit) {
            Some(Finished::Executions)
        } else if self.options.time.is_some_and(|limit| self.elapsed() >= limit) {
            Some(Finished::Time)
        } else if self.options.stop_when_covered && covered == total && !self.sites.has_unasked_checks() {
            Some(Finished::Covered)
        } else {
            None
        }
    }

    /// 0 to 1. Executions before time: their count is the same on every machine.
    fn part_spent(&self) -> f64 {
        match (self.options.executions, self.options.time) {
            (Some(limit), _) => self.ledger.statistics.executions as f64 / limit.max(1) as f64,
            (None, Some(limit)) => self.elapsed().as_secs_f64() / limit.as_secs_f64().max(1e-9),
            (None, None) => 0.0,
        }
    }

    fn exhausted(&self) -> Finished {
        let open = [Side::Unknown, Side::Beyond, Side::Diverged, Side::Skipped, Side::Cut, Side::Queued];
        match open.iter().all(|&state| self.tree.count(state) == 0) && self.ledger.is_precise() {
            true => Finished::AllPaths,
            false => Finished::AllSides,
        }
    }

    // --- choose a branch -------------------------------------------------------------------------------

    fn choose(&mut self) -> Option<Candidate> {
        loop {
            let spent = self.part_spent();
            let view = View { sites: &self.sites, executions: self.ledger.statistics.executions, spent };
            let selected = self
                .pairs
                .next(&self.tree, view.executions)
                .or_else(|| self.strategy.select(&self.tree, &view));
            let Some(candidate) = selected else {
                self.admitting = true;
                let mut nodes = self.tree.admit(ADMITTED_AT_ONCE);
                if nodes.is_empty() {
                    return None;
                }
                nodes.retain(|&node| self.tree.open_goal(node).is_some());
                let view = View { sites: &self.sites, executions: self.ledger.statistics.executions, spent };
                self.strategy.update(&self.tree, &view, &News::Admitted { nodes: &nodes });
                continue;
            };
            debug_assert!(self.tree.open_goals(candidate.node).contains(&candidate.goal));
            let site = self.tree.site(candidate.node);
            let kind = self.tree.kind(candidate.node);
            let mut verdict = None;
            self.sites.note(site, |state| {
                verdict = policy::objection(self.options, state, kind, candidate.goal, self.admitting);
            });
            match verdict {
                None => return Some(candidate),
                Some(verdict) => self.drop(candidate, verdict),
            }
        }
    }

    fn drop(&mut self, candidate: Candidate, verdict: Side) {
        self.tree.mark(candidate.node, candidate.goal, verdict);
        let spent = self.part_spent();
        let view = View { sites: &self.sites, executions: self.ledger.statistics.executions, spent };
        self.strategy.update(&self.tree, &view, &News::Dropped { candidate, verdict });
    }

    /// All since the time was last asked for was choosing: the clock is read once for the news of an execution or an
    /// answer and the choice after it, as it takes as long as some strategies.
    fn note_choosing(&mut self) {
        let took = self.lap();
        self.ledger.statistics.time.selecting += took * std::mem::replace(&mut self.weight, 1);
    }

    /// How much of the reading and of the choosing after an execution that of this one stands for. Only what was asked and
    /// what was executed is measured each time: reading the clock takes as long as some of what is measured.
    fn weigh(&self, took: Duration) -> u32 {
        match self.ledger.statistics.executions {
            number if number < MEASURED || took > SLOW => 1,
            number if number.is_multiple_of(SAMPLE) => SAMPLE as u32,
            _ => 0,
        }
    }

    // --- solve -----------------------------------------------------------------------------------------

    /// What is noted of an answer that is an input is noted when that was run: running begins where solving ends.
    fn solve(&mut self, candidate: Candidate) -> Result<Option<Found<S>>, Failure> {
        let Candidate { node, goal } = candidate;
        let test = self.tree.witness(node);
        // The input itself is seldom looked at: most questions are answered without it.
        if self.tests.get(test.index()).is_none_or(|test| test.input.is_none()) {
            self.drop(candidate, Side::Skipped);
            self.note_choosing();
            return Ok(None);
        }
        let at = self.tree.depth(node);
        let whole = match self.is_in_tree(test, node) {
            true => None,
            false => Some(self.path_of(test, node)?),
        };
        let held = match &whole {
            None => self.held[node.0 as usize],
            Some(path) => path.as_ref().and_then(|path| path.held.get(at).copied()),
        };
        let (Some(held), whole) = (held, whole.flatten()) else {
            self.drop(candidate, Side::Diverged);
            self.note_choosing();
            return Ok(None);
        };
        self.tree.mark(node, goal, Side::Queued);
        let seen = if goal == Goal::Other { self.tree.outcomes(node) } else { Vec::new() };
        self.note_choosing();
        let Some(input) = &self.tests[test.index()].input else { return Ok(None) };
        let question: Question<'_, S> = Question {
            input,
            at,
            decision: self.decision_at(candidate),
            held,
            before: match &whole {
                None => Way::to(&self.tree, &self.sites, &self.held, node),
                Some(whole) => Way::of(whole, at),
            },
            goal,
            avoid: &seen,
            time_limit: policy::time_limit(self.options, self.elapsed(), self.admitting),
            beyond_limits: self.options.beyond_limits,
        };
        let answer = self.subject.solve(&question);
        let took = self.lap();
        self.ledger.statistics.time.solving += took;
        let verdict = match answer? {
            Solved::Input(input) => {
                return Ok(Some((input, Solution { candidate, test, held, whole, seen })));
            }
            Solved::Infeasible => {
                self.ledger.statistics.unsat += 1;
                Side::Infeasible
            }
            Solved::Beyond => {
                self.ledger.statistics.unsat += 1;
                Side::Beyond
            }
            Solved::OutOfTime => {
                self.ledger.unknown("time-limit");
                // Asked again with more time when nothing better is left.
                if self.admitting { Side::Unknown } else { Side::Deferred }
            }
            Solved::Unknown(reason) => {
                self.ledger.unknown(&reason);
                Side::Unknown
            }
        };
        self.ledger.statistics.queries += 1;
        self.sites.note(self.tree.site(node), |state| state.answered(goal, Some(verdict)));
        self.drop(candidate, verdict);
        Ok(None)
    }

    /// The question was answered with an input.
    fn note_solved(&mut self, Candidate { node, goal }: Candidate) {
        self.ledger.statistics.queries += 1;
        self.ledger.statistics.sat += 1;
        self.sites.note(self.tree.site(node), |state| state.answered(goal, None));
    }

    /// The decision that was to change, as it came out before.
    fn decision_at(&self, Candidate { node, goal }: Candidate) -> Decision {
        let kind = self.tree.kind(node);
        let outcome = match goal {
            Goal::Take(outcome) if self.tree.is_two_way(node) => 1 - outcome.min(1),
            _ => self.tree.usual(node).unwrap_or_default(),
        };
        self.sites.decision(self.tree.site(node), kind, outcome)
    }

    /// Whether the tree holds what this test had to satisfy on its way to the node and there.
    fn is_in_tree(&self, test: TestId, node: NodeId) -> bool {
        let is_held = |node: &NodeId| self.held[node.0 as usize].is_some();
        let was_reset = self.ledger.statistics.resets > 0;
        !self.tests[test.index()].apart && (!was_reset || self.tree.way_to(node).iter().all(is_held))
    }

    /// The path of a test through a node: remembered, or run again. None if it does not go there this time.
    fn path_of(&mut self, test: TestId, node: NodeId) -> Result<Option<Rc<Whole<S::Held>>>, Failure> {
        if let Some(path) = self.recent.get(test) {
            return Ok(Some(path));
        }
        self.note_choosing();
        let Some(input) = &self.tests[test.index()].input else { return Ok(None) };
        let observed = self.subject.run(input, Run::default(), None);
        let took = self.lap();
        self.ledger.statistics.time.executing += took;
        self.ledger.statistics.reruns += 1;
        let observed = observed?;
        let left = self.left_tree(&observed.decisions, node);
        if let Some(at) = left {
            let expected = self.tree.site(self.tree.ancestor(node, at));
            let site = self.sites.key(expected);
            let diverged = divergence::unrepeatable(at, site, self.tree.depth(node), &went(&observed));
            self.ledger.diverged(diverged);
            self.sites.note(expected, |state| state.diverged += 1);
        } else {
            let way = self.tree.way_to(node);
            self.tests[test.index()].apart |= self.hold(&way, &observed.held);
        }
        let slow = observed.ending.end == End::Timeout;
        let Observed { decisions, held, .. } = *observed;
        let path = Rc::new(Whole { decisions, held });
        self.recent.put(test, path.clone(), slow);
        Ok(Some(path).filter(|_| left.is_none()))
    }

    /// Notes what an execution had to satisfy at nodes; whether that is something else than the tree holds for any.
    fn hold(&mut self, nodes: &[NodeId], held: &[S::Held]) -> bool {
        let mut apart = false;
        let known = self.held.len();
        let more = self.tree.len() - known;
        make_room(&mut self.held, more, self.options.tree.nodes);
        let mut both = nodes.iter().zip(held);
        // What is new comes last, and in order.
        for (node, held) in both.by_ref() {
            if node.0 as usize == self.held.len() {
                self.held.push(Some(*held));
                break;
            }
            apart |= self.held[node.0 as usize].get_or_insert(*held) != held;
        }
        self.held.extend(both.map(|(_, held)| Some(*held)));
        self.held.resize(self.tree.len(), None);
        apart
    }

    /// The first decision, if any, that is not the one on the way to `node`.
    fn left_tree(&mut self, decisions: &[Decision], node: NodeId) -> Option<usize> {
        let way = self.tree.way_to(node);
        for (at, &expected) in way.iter().enumerate() {
            let Some(found) = decisions.get(at) else { return Some(at) };
            let site = self.sites.place(found);
            let same = self.tree.site(expected) == site && self.tree.kind(expected) == found.kind;
            let onward =
                way.get(at + 1).is_none_or(|&next| self.tree.leads_to(expected, found.outcome, next));
            if !same || !onward {
                return Some(at);
            }
        }
        None
    }

    // --- run -------------------------------------------------------------------------------------------

    fn execute(&mut self, input: S::Input, solution: Option<&Solution<S>>) -> Result<(), Failure> {
        let number = self.ledger.statistics.executions;
        let how = Run {
            verify: number < self.options.verify_first
                || number.is_multiple_of(self.options.verify_every.max(1)),
            counts: true,
            full_coverage: self.ledger.has_tentative_coverage(),
            whole: false,
            // Solving has just ended, if anything was solved.
            began: solution.map(|_| self.now),
        };
        if solution.is_none() {
            self.lap();
        }
        // What broke an assumption was not looked at.
        let base = solution.filter(|solution| !self.tests[solution.test.index()].broke);
        let base = base.map(|solution| {
            let node = solution.candidate.node;
            let at = self.tree.depth(node);
            let before = match &solution.whole {
                None => Way::to(&self.tree, &self.sites, &self.held, node),
                Some(whole) => Way::of(whole, at),
            };
            Base { at, held: solution.held, before }
        });
        let observed = self.subject.run(&input, how, base);
        if let Some(solution) = solution {
            self.note_solved(solution.candidate);
        }
        let mut observed = observed?;
        let (took, weight) = (observed.took, self.weigh(observed.took));
        self.ledger.statistics.time.executing += took;
        if weight > 0 {
            let reading = self.lap().saturating_sub(took);
            self.ledger.statistics.time.executing += reading * weight;
        }

        let diverged = solution.and_then(|solution| self.compare(solution, &observed));
        let test = TestId(self.tests.len() as u32);
        self.note_faults(&observed);
        // Where it began to be read.
        let followed = solution.filter(|_| observed.begin > 0);
        let before = match followed {
            None => Whence::Begin,
            Some(Solution { whole: Some(whole), .. }) => Whence::Path(&whole.decisions[..observed.begin]),
            Some(solution) => Whence::Node(&self.tree, solution.candidate.node),
        };
        if followed.is_some_and(|solution| self.tree.is_behind_failure(solution.candidate.node)) {
            let failed = before.steps(&self.sites).map(|(_, decision)| decision).filter(has_failed);
            observed.failed.extend(failed.map(|decision| decision.site));
        }
        let record = self.ledger.executed(&input, &observed, before, how, &mut self.sites, self.options);
        let tiresome = self.is_tiresome(&observed, &record);
        self.grow_tree(&observed, test, tiresome, followed);
        self.pairs.add(&self.tree, &self.trail, record.offers);
        if let Some(solution) = solution {
            self.settle(solution, diverged);
        }
        // What is asked for next keeps the rest of an input that got somewhere, not of the first that passed.
        if record.new_coverage > 0 {
            self.tree.rely_on(test, &self.trail.whole(&self.tree));
        }
        let is_witness = self.tree.relies_on(test);
        let nodes = std::mem::take(&mut self.trail.nodes);
        let apart = self.hold(&nodes, &observed.held)
            || followed.is_some_and(|solution| self.tests[solution.test.index()].apart);
        self.trail.nodes = nodes;
        let broke = observed.ending.end == End::AssumptionFailed;
        make_room(&mut self.tests, 1, self.options.tree.nodes);
        self.tests.push(Known { input: is_witness.then_some(input), apart, broke });
        match is_witness && apart {
            true => self.remember(test, observed, followed),
            false => self.subject.take_back(observed),
        }
        if weight > 0 {
            self.lap();
        }
        self.weight = weight;
        self.open.clear();
        self.open.extend(self.trail.opened().filter(|&node| self.tree.open_goal(node).is_some()));
        let view = View { sites: &self.sites, executions: number + 1, spent: self.part_spent() };
        let news = News::Executed {
            trail: &self.trail,
            open: &self.open,
            asked: solution.map(|solution| solution.candidate),
            new_coverage: record.new_coverage,
            as_predicted: diverged.is_none(),
        };
        self.strategy.update(&self.tree, &view, &news);
        self.tell(record.alarm);
        Ok(())
    }

    /// Keeps the path of an execution that cannot be read off the tree.
    fn remember(&mut self, test: TestId, observed: Box<Observed<S::Held>>, followed: Option<&Solution<S>>) {
        let before = followed.map_or_else(Vec::new, |solution| match &solution.whole {
            Some(whole) => Way::of(whole, observed.begin).forwards(),
            None => Way::to(&self.tree, &self.sites, &self.held, solution.candidate.node).forwards(),
        });
        let (mut decisions, mut held): (Vec<_>, Vec<_>) = before.into_iter().unzip();
        decisions.extend(&observed.decisions);
        held.extend(&observed.held);
        let slow = observed.ending.end == End::Timeout;
        self.recent.put(test, Rc::new(Whole { decisions, held }), slow);
    }

    fn compare(&self, solution: &Solution<S>, observed: &Observed<S::Held>) -> Option<Divergence> {
        let Solution { candidate, whole, .. } = solution;
        let at = self.tree.depth(candidate.node);
        let before: Vec<Decision> = match whole {
            _ if observed.begin == at => Vec::new(),
            Some(whole) => whole.decisions[..at.min(whole.decisions.len())].to_vec(),
            None => {
                let steps = Whence::Node(&self.tree, candidate.node).steps(&self.sites);
                let mut before: Vec<Decision> = steps.map(|(_, decision)| decision).collect();
                before.reverse();
                before
            }
        };
        let was = whole.as_ref().and_then(|whole| whole.decisions.get(at).copied());
        let decision = was.unwrap_or_else(|| self.decision_at(*candidate));
        let (goal, seen) = (candidate.goal, solution.seen.as_slice());
        divergence::compare(&Prediction { before: &before, at, decision, goal, seen }, &went(observed))
    }

    /// A check that failed once needs no further question.
    fn note_faults(&mut self, observed: &Observed<S::Held>) {
        for decision in observed.own().all().filter(|own| has_failed(own)) {
            let site = self.sites.place(decision);
            self.sites.note(site, |state| state.violated = true);
        }
        let ending = &observed.ending;
        if let Some(site) = ending.site.filter(|_| ending.end == End::Violation) {
            let site = match ending.class {
                Some(Class::NullDereference) => self.sites.null_check(site),
                _ => self.sites.intern(site),
            };
            self.sites.note(site, |state| state.violated = true);
        }
    }

    /// Whether enough executions ended this way already.
    fn is_tiresome(&self, observed: &Observed<S::Held>, record: &Entry) -> bool {
        let timeouts = self.ledger.statistics.endings.get(&End::Timeout).copied().unwrap_or(0);
        record.hits > self.options.fault_patience
            || observed.ending.end == End::Timeout && timeouts > self.options.timeout_patience
    }

    fn grow_tree(
        &mut self,
        observed: &Observed<S::Held>,
        test: TestId,
        tiresome: bool,
        followed: Option<&Solution<S>>,
    ) {
        // The way to what was negated is in the tree already.
        let behind = followed.and_then(|solution| self.tree.came_by(solution.candidate.node));
        self.steps.clear();
        let last = observed.length().saturating_sub(1);
        for (at, decision) in (observed.begin..).zip(&observed.decisions) {
            let site = self.sites.place(decision);
            if decision.kind == Kind::Check {
                self.sites.meet_check(site);
            }
            let state = self.sites.state(site);
            let (defer, skip) = policy::on_arrival(self.options, state, decision.kind, decision.outcome);
            self.steps.push(Step {
                site,
                kind: decision.kind,
                outcome: decision.outcome,
                ways: self.sites.ways(decision.site, decision.kind),
                // What led to a fault that is known by now waits, unless it is what lies beside the fault or was
                // never taken.
                defer: defer || tiresome && at != last && !self.sites.has_untaken(site),
                skip,
            });
        }
        observed.settled.iter().for_each(|(_, decision)| self.sites.meet_settled(decision));
        let complete = !observed.truncated && !is_cut(observed.ending.end);
        tracing::trace!(decisions = observed.length(), complete, tiresome, "executed");
        self.tree.insert_behind(behind, &self.steps, test, complete, &mut self.trail);
    }

    /// Closes the side that was asked for, whatever the execution did.
    fn settle(&mut self, solution: &Solution<S>, diverged: Option<Divergence>) {
        let Candidate { node, goal } = solution.candidate;
        let site = self.tree.site(node);
        if let Some(divergence) = diverged {
            tracing::debug!(kind = %divergence.kind, at = divergence.at, goal = divergence.goal_at,
                site = ?divergence.site, found = ?divergence.found, "divergence");
            self.ledger.diverged(divergence);
            self.sites.note(site, |state| state.answered(goal, Some(Side::Diverged)));
        }
        let verdict = match self.tree.kind(node) {
            _ if diverged.is_some() => Side::Diverged,
            // The violation itself was not logged.
            Kind::Check => Side::Ended,
            _ => Side::Cut,
        };
        let pending = match goal {
            Goal::Take(outcome) => self.tree.side(node, outcome) == Side::Queued,
            Goal::Other => self.tree.rest(node) == Some(Side::Queued),
        };
        if pending {
            self.tree.mark(node, goal, verdict);
        }
    }

    fn release(&mut self) {
        for test in self.tree.take_released() {
            if let Some(known) = self.tests.get_mut(test.index()) {
                known.input = None;
            }
            self.recent.forget(test);
        }
        if self.subject.memory() > self.options.memory {
            self.recent.clear();
            self.held.fill(None);
            self.subject.reset();
            self.ledger.statistics.resets += 1;
        }
    }

    fn tell(&mut self, alarm: Option<(wire::Class, crate::exploration::Place)>) {
        let (covered, total) = self.sites.coverage();
        let progress = Progress {
            executions: self.ledger.statistics.executions,
            queries: self.ledger.statistics.queries,
            covered,
            total,
            alarms: self.ledger.alarms(),
            elapsed: self.elapsed(),
        };
        let alarm = alarm.map(|(class, place)| Event::Alarm { class, place });
        for event in [Some(Event::Executed(progress)), alarm].into_iter().flatten() {
            self.stopped |= matches!(self.observer.hear(event), ControlFlow::Break(()));
        }
    }
}

/// The first executions are measured in all their parts, and later on one in so many: a number that has no divisor in
/// common with how often conditions are verified.
const MEASURED: u64 = 1000;
const SAMPLE: u64 = 15;
/// Longer executions are no sample, and the budget has to hear of them.
const SLOW: Duration = Duration::from_millis(1);

/// Held-back sides are offered in small portions: what they bring may open better ones.
const ADMITTED_AT_ONCE: usize = 64;

fn went<H>(observed: &Observed<H>) -> Went<'_> {
    Went {
        begin: observed.begin,
        decisions: &observed.decisions,
        losses: &observed.losses,
        ending: &observed.ending,
        truncated: observed.truncated,
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod properties;
