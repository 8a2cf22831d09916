//! Places of the program as the search sees them: dense numbers for site keys, with what the site tables say
//! about each, and what happened there so far.

use crate::by_site::BySite;
use crate::conditions::Conditions;
use crate::decision::{Decision, Goal, Kind};
use crate::flow::Flow;
use crate::side::{Side, SiteId};
use model::sites::{Site, SiteKind, SiteTable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, OnceCell};
use wire::{FunctionKey, SiteKey};

/// A coverage counter: one side of a branch of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Counter {
    pub tu: u32,
    pub index: u32,
}

/// What happened at a site.
#[derive(Clone, Debug, Default)]
pub struct SiteState {
    /// A check that was violated needs no further question.
    pub violated: bool,
    pub asked: u32,
    /// A check that was met with a symbolic condition and neither asked for nor violated yet.
    waiting: bool,
    pub infeasible: u32,
    pub unknown: u32,
    pub diverged: u32,
    /// How often it came out as it had to, while not all its sides were taken.
    pub(crate) settled: u32,
    /// Other values looked for at decisions by value.
    pub values: u32,
    /// A switch has few outcomes; linear search is right.
    sides: Vec<SideState>,
}

#[derive(Clone, Copy, Debug, Default)]
struct SideState {
    outcome: u64,
    /// Questions that led to no execution which took the side, and that led to an input.
    failures: u32,
    solved: u32,
    /// Candidates passed over since the last question.
    passed: u32,
}

impl SiteState {
    pub fn failures(&self, outcome: u64) -> u32 {
        self.side(outcome).map_or(0, |side| side.failures)
    }

    /// Questions that gave no input.
    pub fn fruitless(&self) -> u32 {
        self.infeasible + self.unknown
    }

    /// At least `times` divergences, and more of them than executions that went as predicted.
    pub fn keeps_diverging(&self, times: u32) -> bool {
        let solved = self.asked.saturating_sub(self.fruitless());
        self.diverged >= times && self.diverged > solved / 2
    }

    /// At least `times` questions without an answer, and no fewer than with one.
    pub fn is_hard(&self, times: u32) -> bool {
        self.unknown >= times && self.unknown >= self.asked / 2
    }

    /// A side was asked for; `verdict` is why no execution took it.
    pub(crate) fn answered(&mut self, goal: Goal, verdict: Option<Side>) {
        match verdict {
            Some(Side::Diverged) => self.diverged += 1,
            answer => {
                self.asked += 1;
                self.values += u32::from(goal == Goal::Other);
                self.infeasible += u32::from(matches!(answer, Some(Side::Infeasible | Side::Beyond)));
                self.unknown += u32::from(matches!(answer, Some(Side::Unknown | Side::Deferred)));
            }
        }
        let Goal::Take(outcome) = goal else { return };
        let index = self.sides.iter().position(|side| side.outcome == outcome).unwrap_or_else(|| {
            self.sides.push(SideState { outcome, ..SideState::default() });
            self.sides.len() - 1
        });
        match verdict {
            Some(_) => self.sides[index].failures += 1,
            None => self.sides[index].solved += 1,
        }
    }

    /// Whether to pass over a candidate of this side: the longer the row of failures, the more are. One in
    /// `failures / patience` is asked for, fewer failures counting for sides that gave inputs.
    pub(crate) fn passes_over(&mut self, outcome: u64, patience: u32) -> bool {
        let Some(side) = self.sides.iter_mut().find(|side| side.outcome == outcome) else { return false };
        let pause = side.failures / patience.saturating_mul(side.solved.saturating_add(1)).max(1);
        let passes = side.passed < pause;
        side.passed = if passes { side.passed + 1 } else { 0 };
        passes
    }

    fn side(&self, outcome: u64) -> Option<&SideState> {
        self.sides.iter().find(|side| side.outcome == outcome)
    }
}

/// Whose code a site is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Code {
    /// The function under test.
    Target,
    /// Another function of the program.
    Called,
    /// A driver, a stub, a model of the C library.
    Foreign,
}

/// The site tables of an image, numbered on demand. Sites without a table (models of the runtime) are legal:
/// they are explored but never counted.
pub struct Sites<'a> {
    tables: FxHashMap<u32, &'a SiteTable>,
    /// One more than the number, and than that of the check for null, which is apart from what else is checked there.
    ids: BySite<[u32; 2]>,
    keys: Vec<SiteKey>,
    codes: Vec<Code>,
    /// Whether it is a check for null.
    nulls: Vec<bool>,
    /// Whether all its sides were taken, if it has any: once and for all.
    done: Vec<Cell<bool>>,
    states: Vec<SiteState>,
    /// The functions under test; every function of the program when `None`.
    targets: Option<FxHashSet<FunctionKey>>,
    flow: OnceCell<Flow>,
    /// Counters that the unit is measured by, and those of them that were hit.
    goals: FxHashSet<Counter>,
    covered: FxHashSet<Counter>,
    goals_covered: usize,
    waiting_checks: usize,
}

impl<'a> Sites<'a> {
    /// `measured`: the functions under test, whose branches count; all functions of the program when `None`.
    pub fn new(tables: &'a [SiteTable], measured: Option<&[FunctionKey]>) -> Sites<'a> {
        let mut goals = FxHashSet::default();
        for table in tables {
            for site in &table.sites {
                let function = FunctionKey { tu: table.tu, function: site.function };
                let counts = match measured {
                    Some(functions) => functions.contains(&function),
                    None => table.functions.get(site.function as usize).is_some_and(|f| f.of_program),
                };
                if counts {
                    goals.extend(counters(site).map(|index| Counter { tu: table.tu, index }));
                }
            }
        }
        Sites {
            tables: tables.iter().map(|table| (table.tu, table)).collect(),
            ids: BySite::new(tables),
            keys: Vec::new(),
            codes: Vec::new(),
            nulls: Vec::new(),
            done: Vec::new(),
            states: Vec::new(),
            targets: measured.map(|functions| functions.iter().copied().collect()),
            flow: OnceCell::new(),
            goals,
            covered: FxHashSet::default(),
            goals_covered: 0,
            waiting_checks: 0,
        }
    }

    /// The same places and the same count, with other functions under test: a search for all branches of the
    /// program that starts in one function. To be called before any site is interned.
    pub fn aimed_at(mut self, targets: &[FunctionKey]) -> Sites<'a> {
        self.targets = Some(targets.iter().copied().collect());
        self
    }

    /// The decisions of several conditions in the functions under test.
    pub(crate) fn conditions<I>(&self) -> Conditions<I> {
        let mut tables: Vec<&SiteTable> = self.tables.values().copied().collect();
        tables.sort_unstable_by_key(|table| table.tu);
        let mut targets: Vec<FunctionKey> = self.targets.iter().flatten().copied().collect();
        targets.sort_unstable_by_key(|target| (target.tu, target.function));
        Conditions::new(&tables, &targets)
    }

    /// The static shape of the program; computed when it is first asked for.
    pub fn flow(&self) -> &Flow {
        self.flow.get_or_init(|| Flow::new(self.tables.values().copied()))
    }

    pub fn intern(&mut self, key: SiteKey) -> SiteId {
        self.numbered(key, false)
    }

    /// The place of a decision: that of its site, or of the check for null there.
    pub fn place(&mut self, decision: &Decision) -> SiteId {
        self.numbered(decision.site, decision.null)
    }

    /// A decision at a place.
    pub fn decision(&self, site: SiteId, kind: Kind, outcome: u64) -> Decision {
        Decision { site: self.key(site), kind, null: self.nulls[site.index()], outcome }
    }

    pub(crate) fn null_check(&mut self, key: SiteKey) -> SiteId {
        self.numbered(key, true)
    }

    fn numbered(&mut self, key: SiteKey, null: bool) -> SiteId {
        if let Some(id) = self.ids.get(key)[usize::from(null)].checked_sub(1) {
            return SiteId(id);
        }
        let id = SiteId(self.keys.len() as u32);
        self.codes.push(self.code_of(key));
        self.keys.push(key);
        self.nulls.push(null);
        self.done.push(Cell::new(false));
        self.states.push(SiteState::default());
        self.ids.get_mut(key)[usize::from(null)] = id.0 + 1;
        id
    }

    fn code_of(&self, key: SiteKey) -> Code {
        let function = self.site(key).map(|site| FunctionKey { tu: key.tu, function: site.function });
        match (&self.targets, function) {
            (_, _) if !self.is_of_program(key) => Code::Foreign,
            (Some(targets), Some(function)) if !targets.contains(&function) => Code::Called,
            _ => Code::Target,
        }
    }

    pub fn code(&self, site: SiteId) -> Code {
        self.codes[site.index()]
    }

    pub fn key(&self, site: SiteId) -> SiteKey {
        self.keys[site.index()]
    }

    pub fn state(&self, site: SiteId) -> &SiteState {
        &self.states[site.index()]
    }

    /// A check with a symbolic condition was met.
    pub(crate) fn meet_check(&mut self, site: SiteId) {
        let state = &mut self.states[site.index()];
        if state.asked == 0 && !state.violated && !state.waiting {
            state.waiting = true;
            self.waiting_checks += 1;
        }
    }

    /// A side of the site was asked for, or the check there was violated.
    pub(crate) fn note(&mut self, site: SiteId, change: impl FnOnce(&mut SiteState)) {
        let state = &mut self.states[site.index()];
        change(state);
        if state.waiting && (state.asked > 0 || state.violated) {
            state.waiting = false;
            self.waiting_checks -= 1;
        }
    }

    /// A decision came out as it had to after those before it: of interest where a side is missing.
    pub(crate) fn meet_settled(&mut self, decision: &Decision) {
        let site = self.place(decision);
        if !self.is_done(site) {
            let settled = &mut self.states[site.index()].settled;
            *settled = settled.saturating_add(1);
        }
    }

    /// All places that have a number.
    pub(crate) fn interned(&self) -> impl Iterator<Item = SiteId> + use<> {
        (0..self.keys.len() as u32).map(SiteId)
    }

    pub fn has_unasked_checks(&self) -> bool {
        self.waiting_checks > 0
    }

    pub fn site(&self, key: SiteKey) -> Option<&'a Site> {
        self.tables.get(&key.tu).and_then(|table| table.sites.get(key.site as usize))
    }

    pub fn table(&self, tu: u32) -> Option<&'a SiteTable> {
        self.tables.get(&tu).copied()
    }

    pub fn function(&self, site: SiteId) -> Option<FunctionKey> {
        let key = self.key(site);
        self.site(key).map(|site| FunctionKey { tu: key.tu, function: site.function })
    }

    /// False for sites in drivers, stubs and models, and for unknown ones.
    pub fn is_of_program(&self, key: SiteKey) -> bool {
        let function = self.site(key).and_then(|site| {
            self.tables.get(&key.tu).and_then(|table| table.functions.get(site.function as usize))
        });
        function.is_some_and(|function| function.of_program)
    }

    /// The case values of a switch, when its table is known.
    pub fn cases(&self, key: SiteKey) -> Option<&'a [u64]> {
        match &self.site(key)?.kind {
            SiteKind::Switch { cases, .. } => Some(cases),
            _ => None,
        }
    }

    /// Number of outcomes of a decision of this kind.
    pub fn ways(&self, key: SiteKey, kind: Kind) -> u32 {
        match kind {
            Kind::Switch => self.cases(key).map_or(0, |cases| cases.len() as u32 + 1),
            _ => 2,
        }
    }

    /// The counter of one side, if that side is part of the coverage of the unit.
    pub fn counter(&self, site: SiteId, outcome: u64) -> Option<Counter> {
        self.any_counter(site, outcome).filter(|counter| self.goals.contains(counter))
    }

    fn any_counter(&self, site: SiteId, outcome: u64) -> Option<Counter> {
        let key = self.key(site);
        let index = counters(self.site(key)?).nth(usize::try_from(outcome).ok()?)?;
        Some(Counter { tu: key.tu, index })
    }

    /// True for a side that counts and that no execution took.
    pub fn is_uncovered(&self, site: SiteId, outcome: u64) -> bool {
        !self.is_done(site)
            && self.counter(site, outcome).is_some_and(|counter| !self.covered.contains(&counter))
    }

    /// True for a side of the source that no execution took, whether it counts or not: code that is called has
    /// to be got through as well.
    pub fn is_untaken(&self, site: SiteId, outcome: u64) -> bool {
        !self.is_done(site)
            && self.any_counter(site, outcome).is_some_and(|counter| !self.covered.contains(&counter))
    }

    /// Whether any side of the source at the site was not taken, whether it counts or not.
    pub fn has_untaken(&self, site: SiteId) -> bool {
        !self.is_done(site)
    }

    /// Most sites soon are, and are asked about all the time.
    #[inline]
    fn is_done(&self, site: SiteId) -> bool {
        self.done[site.index()].get() || self.find_done(site)
    }

    #[inline(never)]
    fn find_done(&self, site: SiteId) -> bool {
        let key = self.key(site);
        let mut counters = self.site(key).map_or(0..0, counters);
        let done = counters.all(|index| self.covered.contains(&Counter { tu: key.tu, index }));
        self.done[site.index()].set(done);
        done
    }

    /// Notes a hit; true if it is the first.
    pub(crate) fn cover(&mut self, counter: Counter) -> bool {
        let new = self.covered.insert(counter);
        if new && self.goals.contains(&counter) {
            self.goals_covered += 1;
        }
        new
    }

    pub fn is_covered(&self, counter: Counter) -> bool {
        self.covered.contains(&counter)
    }

    /// Whether any side of the site counts and was not taken.
    pub fn has_uncovered(&self, site: SiteId) -> bool {
        if self.is_done(site) {
            return false;
        }
        (0..self.ways_in_source(site)).any(|outcome| self.is_uncovered(site, outcome))
    }

    /// Number of sides that the source has there.
    pub(crate) fn ways_in_source(&self, site: SiteId) -> u64 {
        self.site(self.key(site)).map_or(0, |found| counters(found).len() as u64)
    }

    pub fn is_measured(&self, counter: Counter) -> bool {
        self.goals.contains(&counter)
    }

    /// Sides covered and sides in total, of the measured functions.
    pub fn coverage(&self) -> (usize, usize) {
        (self.goals_covered, self.goals.len())
    }

    /// Every measured counter that was not hit, sorted.
    pub fn uncovered(&self) -> Vec<Counter> {
        let mut uncovered: Vec<Counter> =
            self.goals.iter().filter(|counter| !self.covered.contains(counter)).copied().collect();
        uncovered.sort_unstable();
        uncovered
    }

    /// Every counter that was hit, sorted.
    pub fn covered(&self) -> Vec<Counter> {
        let mut covered: Vec<Counter> = self.covered.iter().copied().collect();
        covered.sort_unstable();
        covered
    }
}

/// Coverage counters of a site, by outcome.
pub(crate) fn counters(site: &Site) -> std::ops::Range<u32> {
    match &site.kind {
        SiteKind::Branch { counter, .. } => *counter..counter.saturating_add(2),
        SiteKind::Switch { counter, cases, .. } => *counter..counter.saturating_add(cases.len() as u32 + 1),
        SiteKind::Choice
        | SiteKind::Check { .. }
        | SiteKind::Load
        | SiteKind::Store
        | SiteKind::Call { .. } => 0..0,
    }
}
