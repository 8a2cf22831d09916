//! The books of an exploration: tests worth keeping, alarms by place, coverage and figures.

use crate::conclusion::conclude;
use crate::conditions::{Conditions, Offer};
use crate::divergence::Divergence;
use crate::exploration::{CandidateAlarm, Exploration, Finished, Place, Statistics, Test, Uncovered};
use crate::options::Options;
use crate::side::Side;
use crate::sites::{Counter, Sites};
use crate::subject::{Blame, Observed, Run};
use crate::tree::Tree;
use crate::way::Whence;
use execute::Ending;
use model::sites::SiteKind;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use wire::{Class, End, SiteKey};

/// Return addresses that tell apart the callers of a model or of the runtime.
const FRAMES: usize = 4;
/// Inputs of an alarm that are kept beside its first one.
const LATER_INPUTS: usize = 3;

pub(crate) struct Ledger<I> {
    pub(crate) statistics: Statistics,
    tests: Vec<Test<I>>,
    alarms: Vec<CandidateAlarm<I>>,
    by_place: BTreeMap<(Class, Place, [u64; FRAMES]), usize>,
    /// Counters hit only by inputs that broke an assumption. The process reports a counter once, so these
    /// have to be asked for again.
    tentative: FxHashSet<Counter>,
    conditions: Conditions<Test<I>>,
}

pub(crate) struct Entry {
    /// Measured sides that the execution covered first.
    pub(crate) new_coverage: usize,
    /// Set for the first of its kind.
    pub(crate) alarm: Option<(Class, Place)>,
    /// How many executions ended in the same fault so far, this one included; 0 without a fault.
    pub(crate) hits: u64,
    /// What to negate of it for pairs that MC/DC misses.
    pub(crate) offers: Vec<Offer>,
}

impl<I: Clone> Ledger<I> {
    pub(crate) fn new(conditions: Conditions<Test<I>>) -> Ledger<I> {
        Ledger {
            statistics: Statistics::default(),
            tests: Vec::new(),
            alarms: Vec::new(),
            by_place: BTreeMap::new(),
            tentative: FxHashSet::default(),
            conditions,
        }
    }

    pub(crate) fn has_tentative_coverage(&self) -> bool {
        !self.tentative.is_empty()
    }

    pub(crate) fn alarms(&self) -> usize {
        self.alarms.len()
    }

    /// No value was lost and no record is missing, so what the tree says holds for all inputs.
    pub(crate) fn is_precise(&self) -> bool {
        let statistics = &self.statistics;
        statistics.lost.is_empty() && statistics.truncated == 0 && statistics.disagreements.is_empty()
    }

    /// A question without an answer.
    pub(crate) fn unknown(&mut self, reason: &str) {
        *self.statistics.unknown.entry(reason.to_owned()).or_default() += 1;
    }

    pub(crate) fn diverged(&mut self, divergence: Divergence) {
        self.statistics.divergences.entry(divergence.kind).or_insert((0, divergence)).0 += 1;
    }

    pub(crate) fn executed<P>(
        &mut self,
        input: &I,
        observed: &Observed<P>,
        before: Whence<'_>,
        how: Run,
        sites: &mut Sites<'_>,
        options: &Options,
    ) -> Entry {
        self.count(observed, how);
        if observed.ending.end == End::AssumptionFailed {
            // Not an execution of the unit: what it touched does not count.
            self.tentative.extend(observed.covered.iter().filter(|counter| !sites.is_covered(**counter)));
            return Entry { new_coverage: 0, alarm: None, hits: 0, offers: Vec::new() };
        }
        let mut fresh: Vec<Counter> = Vec::new();
        for &counter in &observed.covered {
            if sites.cover(counter) {
                self.tentative.remove(&counter);
                fresh.push(counter);
            }
        }
        fresh.retain(|counter| sites.is_measured(*counter));
        let known = self.alarm(input, observed, sites).map(|index| &self.alarms[index]);
        let hits = known.map_or(0, |alarm| alarm.hits);
        let alarm = known.filter(|alarm| alarm.hits == 1).map(|alarm| (alarm.class, alarm.place));
        let alarm = self.passing_faults(input, observed, sites).or(alarm);
        let new_coverage = fresh.len();
        let execution = self.statistics.executions;
        let test = |new_coverage| Test {
            input: input.clone(),
            ending: observed.ending.clone(),
            new_coverage,
            execution,
        };
        let keep = options.keep_all || new_coverage > 0 || alarm.is_some();
        if keep {
            self.tests.push(test(fresh));
        }
        let (before, own) = (before.steps(sites), observed.own());
        let (worth, offers) = self.conditions.meet(before, own, keep, options.pairs, &|| test(Vec::new()));
        self.tests.extend(worth);
        Entry { new_coverage, alarm, hits, offers }
    }

    fn count<P>(&mut self, observed: &Observed<P>, how: Run) {
        let statistics = &mut self.statistics;
        statistics.executions += 1;
        statistics.longest_path = statistics.longest_path.max(observed.length() as u64);
        statistics.verified += u64::from(how.verify);
        statistics.truncated += u64::from(observed.truncated);
        *statistics.endings.entry(observed.ending.end).or_default() += 1;
        for loss in &observed.losses {
            match loss.constrained {
                true => *statistics.concretisations.entry((loss.kind, loss.site)).or_default() += loss.count,
                false => *statistics.lost.entry(loss.kind).or_default() += loss.count,
            }
        }
        for site in &observed.disagreements {
            *statistics.disagreements.entry(*site).or_default() += 1;
        }
        if let Some(reason) = &observed.unreadable {
            *statistics.unreadable.entry(reason.clone()).or_default() += 1;
        }
    }

    /// Notes the checks that failed without ending the execution: overflow and shifts, whose outcome the
    /// machine defines. Returns the first that is new.
    fn passing_faults<P>(
        &mut self,
        input: &I,
        observed: &Observed<P>,
        sites: &Sites<'_>,
    ) -> Option<(Class, Place)> {
        if observed.failed.is_empty() {
            return None;
        }
        let mut first = None;
        for site in observed.failed.iter().copied().collect::<BTreeSet<_>>() {
            let Some(SiteKind::Check { class }) = sites.site(site).map(|found| &found.kind) else { continue };
            if !matches!(class, Class::SignedOverflow | Class::InvalidShift)
                || observed.ending.class == Some(*class) && observed.ending.site == Some(site)
            {
                continue;
            }
            let passing = Ending { class: Some(*class), site: Some(site), ..observed.ending.clone() };
            let known =
                self.fault(input, *class, Place::Site(site), [0; FRAMES], &passing, &Blame::default());
            if self.alarms[known].hits == 1 {
                first = first.or(Some((*class, Place::Site(site))));
            }
        }
        first
    }

    /// Notes a fault, if the ending is one; returns the index of its alarm. A full log is a guess: a loop that
    /// asks the input in each round fills it before its time is over.
    fn alarm<P>(&mut self, input: &I, observed: &Observed<P>, sites: &Sites<'_>) -> Option<usize> {
        let ending = &observed.ending;
        let guess = (ending.end == End::LogFull).then_some(Class::NonTermination);
        let class = ending.class.or(guess)?;
        let place = match (ending.end, ending.site) {
            (End::Timeout | End::StackOverflow | End::LogFull, _) => Place::Unit,
            (_, Some(site)) => Place::Site(site),
            (_, None) => Place::Address(ending.pc),
        };
        // A fault inside a model of the C library belongs to whoever called it.
        let by_caller = match place {
            Place::Site(site) => !sites.is_of_program(site),
            Place::Address(_) => true,
            Place::Unit => false,
        };
        let mut frames = [0; FRAMES];
        frames[0] = u64::from(guess.is_some());
        if by_caller {
            frames.iter_mut().zip(&ending.stack).for_each(|(frame, address)| *frame = *address);
        }
        Some(self.fault(input, class, place, frames, ending, &observed.blame))
    }

    fn fault(
        &mut self,
        input: &I,
        class: Class,
        place: Place,
        frames: [u64; FRAMES],
        ending: &Ending,
        blame: &Blame,
    ) -> usize {
        let key = (class, place, frames);
        if let Some(&known) = self.by_place.get(&key) {
            let alarm = &mut self.alarms[known];
            alarm.hits += 1;
            // Ever further apart, as neighbours are much alike.
            if alarm.hits.is_power_of_two() && alarm.later.len() < LATER_INPUTS {
                alarm.later.push((input.clone(), blame.cause.clone()));
            }
            return known;
        }
        self.by_place.insert(key, self.alarms.len());
        self.alarms.push(CandidateAlarm {
            class,
            place,
            input: input.clone(),
            ending: ending.clone(),
            blame: blame.clone(),
            later: Vec::new(),
            hits: 1,
        });
        self.alarms.len() - 1
    }

    pub(crate) fn close(
        mut self,
        finished: Finished,
        sites: &Sites<'_>,
        tree: &Tree,
        total: Duration,
    ) -> Exploration<I> {
        self.statistics.time.total = total;
        self.statistics.nodes = tree.len() as u64;
        self.statistics.tree_bytes = tree.bytes() as u64;
        self.statistics.beyond_limits = tree.count(Side::Beyond);
        self.statistics.untried = tree.count(Side::Untried) + tree.count(Side::Deferred);
        let conclusion = conclude(&finished, sites, tree, self.is_precise());
        Exploration {
            tests: self.tests,
            covered: sites.covered(),
            coverage: sites.coverage(),
            alarms: self.alarms,
            uncovered: uncovered(sites, tree),
            statistics: self.statistics,
            finished,
            conclusion,
        }
    }
}

fn uncovered(sites: &Sites<'_>, tree: &Tree) -> Vec<Uncovered> {
    let mut sides: BTreeMap<(SiteKey, u64), Uncovered> = BTreeMap::new();
    for node in tree.nodes() {
        let id = tree.site(node);
        if !sites.has_uncovered(id) {
            continue;
        }
        let site = sites.key(id);
        for (outcome, side) in tree.sides(node) {
            if !sites.is_uncovered(id, outcome) {
                continue;
            }
            let entry = sides.entry((site, outcome)).or_insert_with(|| untouched(site, outcome));
            match side {
                Side::Infeasible => entry.infeasible += 1,
                Side::Unknown | Side::Beyond => entry.unknown += 1,
                Side::Diverged => entry.diverged += 1,
                Side::Untried | Side::Deferred | Side::Queued | Side::Skipped => entry.untried += 1,
                Side::Excluded | Side::Ended | Side::Cut | Side::Child(_) => {}
            }
        }
    }
    // Decisions that nothing could change are not in the tree.
    for id in sites.interned() {
        let (site, settled) = (sites.key(id), sites.state(id).settled);
        if settled == 0 || !sites.has_uncovered(id) {
            continue;
        }
        for outcome in (0..sites.ways_in_source(id)).filter(|outcome| sites.is_uncovered(id, *outcome)) {
            let entry = sides.entry((site, outcome)).or_insert_with(|| untouched(site, outcome));
            entry.infeasible = entry.infeasible.saturating_add(settled);
        }
    }
    sides.into_values().collect()
}

fn untouched(site: SiteKey, outcome: u64) -> Uncovered {
    Uncovered { site, outcome, infeasible: 0, unknown: 0, diverged: 0, untried: 0 }
}
