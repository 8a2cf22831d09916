//! Decisions of several conditions, as the control flow shows them, and the pairs of ways through each that
//! show a condition's independent effect: an input that completes a pair is worth keeping although every side
//! was taken before, and where a pair is missing, the conditions of the ways seen are worth negating.
//!
//! A group is a tree of two-way branches whose inner ones are reached from the group alone: `a && (b || c)`, and
//! also ifs within ifs. Where places in the source say that a decision ends within a group, it is a group of its own
//! too: what an inner if decides afterwards may lead both outcomes to the same place. Conditions that are not symbolic are not
//! in the log: where only one way leads past them to the next one that is, they have the values of that way; other
//! ways are not judged. What counts in the end is measured natively.

mod course;

use course::{BEGINNING, Course, To};

use crate::by_site::BySite;
use crate::decision::{Decision, Kind};
use crate::subject::Own;
use crate::way::Steps;
use model::sites::{SiteKind, SiteTable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use wire::{FunctionKey, SiteKey};

/// Ways that are remembered for one group, and conditions that a group may have.
const MOST_WAYS: usize = 256;
/// Executions by which one condition of one way is offered: on another path its other side may be feasible.
const MOST_OFFERS: u32 = 8;
/// Up to one more is found at once.
const MOST_CONDITIONS: usize = 64;

/// Where a side of a condition leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Onward {
    /// To another condition of the group.
    Condition(usize),
    /// Out of it, to this block.
    Out(u32),
}

#[derive(Debug)]
struct Group {
    /// In block order; the first one is where evaluation begins.
    sites: Vec<SiteKey>,
    onward: Vec<[Onward; 2]>,
    /// From each condition to each: what the conditions between them are, if only one way leads from the one to the other.
    between: Vec<Option<Values>>,
    /// By condition: from which others it can be reached, a bit each.
    before: Vec<u128>,
}

impl Group {
    fn new(sites: Vec<SiteKey>, onward: Vec<[Onward; 2]>) -> Group {
        let mut group = Group { sites, onward, between: Vec::new(), before: Vec::new() };
        for to in 0..group.sites.len() {
            let mut ways: Vec<Option<u32>> = vec![None; group.sites.len()];
            let mut reaches = |from: usize| from != to && group.count_ways(from, to, &mut ways) > 0;
            let before = (0..group.sites.len()).filter_map(|from| reaches(from).then_some(1 << from));
            let before = before.fold(0, |all, one: u128| all | one);
            let only =
                (0..group.sites.len()).map(|from| group.only_way(from, to, &mut ways)).collect::<Vec<_>>();
            group.before.push(before);
            group.between.extend(only);
        }
        group
    }

    /// What the conditions between two of the group are, if only one way leads from the one to the other.
    fn between(&self, from: usize, to: usize) -> Option<&Values> {
        self.between[to * self.sites.len() + from].as_ref()
    }

    fn only_way(&self, from: usize, to: usize, ways: &mut Vec<Option<u32>>) -> Option<Values> {
        let mut passed = Values::default();
        let mut at = from;
        while at != to {
            if self.count_ways(at, to, ways) != 1 {
                return None;
            }
            let mut onward =
                [false, true].into_iter().filter_map(|side| match self.onward[at][usize::from(side)] {
                    Onward::Condition(next) if self.count_ways(next, to, ways) > 0 => Some((side, next)),
                    _ => None,
                });
            let (side, next) = onward.next()?;
            passed.set(at, side);
            at = next;
        }
        Some(passed)
    }

    /// How many ways lead from each condition after `from` to `to`; groups have no cycles.
    fn count_ways(&self, from: usize, to: usize, ways: &mut Vec<Option<u32>>) -> u32 {
        if let Some(known) = ways[from] {
            return known;
        }
        let onward = self.onward[from].into_iter().map(|onward| match onward {
            Onward::Condition(next) if from != to => self.count_ways(next, to, ways),
            _ => 0,
        });
        let count = if from == to { 1 } else { onward.fold(0, u32::saturating_add) };
        ways[from] = Some(count);
        count
    }
}

/// One way through a group: the values of its conditions, where it left, and the execution that took it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Way {
    values: Values,
    out: u32,
}

/// By condition a bit: whether it was evaluated, and to what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Values {
    evaluated: u128,
    truth: u128,
}

impl Values {
    fn set(&mut self, condition: usize, truth: bool) {
        self.evaluated |= 1 << condition;
        self.truth |= u128::from(truth) << condition;
    }

    fn add(&mut self, more: &Values) {
        self.evaluated |= more.evaluated;
        self.truth |= more.truth;
    }
}

/// `I` is whatever stands for an input.
pub(crate) struct Conditions<I> {
    groups: Vec<Group>,
    /// One more than the number in `members`, of sites that are in groups.
    of_site: BySite<u32>,
    /// Groups of a site, and its condition in each.
    members: Vec<Vec<(usize, usize)>>,
    /// By group: the ways seen, each with its first input until that is kept.
    seen: Vec<Vec<(Way, Option<I>)>>,
    /// Group and way: the same ways again, to be found among many.
    known: FxHashSet<(usize, Way)>,
    /// Group and condition: shown already.
    shown: FxHashSet<(usize, usize)>,
    /// By group: conditions that are not shown yet.
    missing: Vec<usize>,
    /// Here between executions.
    passage: Option<Box<Passage>>,
    /// Group and values of a way: how often each of its conditions was offered.
    offered: FxHashMap<(usize, Values), Vec<u32>>,
}

/// A decision of an execution whose other side may complete a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Offer {
    /// Its place in the execution.
    pub(crate) at: usize,
    pub(crate) outcome: u64,
    /// The condition's own effect is not shown yet; else that of another one of the same decision.
    pub(crate) own: bool,
}

/// One evaluation of a group.
#[derive(Clone, Copy)]
struct Evaluation {
    group: usize,
    /// Its number among those of the group.
    way: u32,
    /// The last condition that was evaluated, among the steps.
    last: Option<usize>,
}

/// The evaluation of a group that is not over.
#[derive(Clone, Copy, Default)]
struct Open {
    /// The execution that this is of.
    number: u64,
    /// Where it stands, by its number.
    state: u32,
    /// As in [`Evaluation`].
    last: Option<usize>,
}

/// A condition that was evaluated, where in the execution, and what was evaluated before it.
#[derive(Clone, Copy)]
struct Step {
    condition: usize,
    /// None where nothing could change it.
    at: Option<usize>,
    side: bool,
    before: Option<usize>,
}

/// How an execution went through groups; the memory is used again for the next one.
#[derive(Default)]
struct Passage {
    complete: Vec<Evaluation>,
    /// Only where offers are wanted.
    steps: Vec<Step>,
    /// By group.
    courses: Vec<Course>,
    open: Vec<Open>,
    /// By group: the execution for which all was found that matters of the part that is known.
    settled: Vec<u64>,
    /// Conditions of the known part that may matter, the last one first.
    known: Vec<Known>,
    /// By group: the conditions that any execution evaluated, a bit each.
    ever: Vec<u128>,
    number: u64,
    /// Also ways that are known are of interest.
    wants_offers: bool,
}

/// A condition of the part that is known: its group and number there, where it is, and its value.
#[derive(Clone, Copy)]
struct Known {
    group: usize,
    index: usize,
    at: usize,
    side: bool,
}

impl Passage {
    fn begin(&mut self, groups: usize) {
        self.complete.clear();
        self.steps.clear();
        self.known.clear();
        if self.courses.len() != groups {
            self.courses.resize_with(groups, Course::default);
            self.open.resize(groups, Open::default());
            self.settled.resize(groups, 0);
            self.ever.resize(groups, 0);
        }
        self.courses.iter_mut().for_each(Course::begin);
        self.number += 1;
    }

    /// One more condition of a group was evaluated; the number of the way, if the evaluation is over with it.
    #[inline]
    fn evaluate(
        &mut self,
        of: &Group,
        group: usize,
        condition: usize,
        at: Option<usize>,
        side: bool,
    ) -> Option<u32> {
        let open = &mut self.open[group];
        let next = self.courses[group].next(of, open.state, condition, side);
        let begins = next.anew || open.state == BEGINNING;
        open.state = if let To::State(state) = next.to { state } else { BEGINNING };
        if self.wants_offers {
            let before = if begins { None } else { open.last };
            open.last = Some(self.steps.len());
            self.steps.push(Step { condition, at, side, before });
        }
        if let To::Way(way) = next.to { Some(way) } else { None }
    }

    /// The conditions of an evaluation and where they are, the last one first.
    fn steps_back(&self, evaluation: &Evaluation) -> impl Iterator<Item = Step> {
        let last = evaluation.last.map(|last| self.steps[last]);
        std::iter::successors(last, |step| step.before.map(|before| self.steps[before]))
    }

    /// The same in order.
    fn steps_of(&self, evaluation: &Evaluation) -> Vec<Step> {
        let mut steps: Vec<Step> = self.steps_back(evaluation).collect();
        steps.reverse();
        steps
    }
}

impl<I> Conditions<I> {
    /// The groups of the given functions.
    pub(crate) fn new(tables: &[&SiteTable], functions: &[FunctionKey]) -> Conditions<I> {
        let mut groups = Vec::new();
        for table in tables {
            for function in functions.iter().filter(|function| function.tu == table.tu) {
                groups.extend(groups_of(table, function.function));
            }
        }
        let mut of_site: BySite<u32> = BySite::new(tables.iter().copied());
        let mut members: Vec<Vec<(usize, usize)>> = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            for (index, site) in group.sites.iter().enumerate() {
                let of = of_site.get_mut(*site);
                if *of == 0 {
                    members.push(Vec::new());
                    *of = members.len() as u32;
                }
                members[*of as usize - 1].push((number, index));
            }
        }
        let seen = groups.iter().map(|_| Vec::new()).collect();
        let missing = groups.iter().map(|group: &Group| group.sites.len()).collect();
        Conditions {
            groups,
            of_site,
            members,
            seen,
            known: FxHashSet::default(),
            shown: FxHashSet::default(),
            missing,
            passage: None,
            offered: FxHashMap::default(),
        }
    }

    /// Looks at an execution; returns the inputs that are worth keeping because of it, and, if anybody asks for
    /// them, what to negate of it for the pairs that are missing. `before`: the decisions before these, which were looked
    /// at with another execution. `kept`: this one is kept already, otherwise `input` gives it.
    pub(crate) fn meet(
        &mut self,
        before: Steps<'_>,
        own: Own<'_>,
        kept: bool,
        wants_offers: bool,
        input: &dyn Fn() -> I,
    ) -> (Vec<I>, Vec<Offer>) {
        let mut passage = self.passage.take().unwrap_or_default();
        passage.wants_offers = wants_offers;
        self.evaluations(before, own, &mut passage);
        let (mut worth, mut offers) = (Vec::new(), Vec::new());
        // Hardly any execution takes a way that is new.
        if !passage.complete.is_empty() {
            worth = self.pair(&passage, kept, input);
            if wants_offers {
                offers = self.offers(&passage);
            }
            self.note_dull(&mut passage);
        }
        self.passage = Some(passage);
        (worth, offers)
    }

    fn pair(&mut self, passage: &Passage, kept: bool, input: &dyn Fn() -> I) -> Vec<I> {
        let mut worth = Vec::new();
        let mut own = kept;
        for &Evaluation { group, way, .. } in &passage.complete {
            let way = passage.courses[group].way(way);
            let seen = &mut self.seen[group];
            if seen.len() >= MOST_WAYS || !self.known.insert((group, way)) {
                continue;
            }
            seen.push((way, (!own).then(input)));
            let last = seen.len() - 1;
            for other in 0..last {
                let Some(condition) = difference(&seen[last].0, &seen[other].0) else { continue };
                if !self.shown.insert((group, condition)) {
                    continue;
                }
                self.missing[group] -= 1;
                worth.extend(seen[other].1.take());
                own |= seen[last].1.take().map(|input| worth.push(input)).is_some();
            }
        }
        worth
    }

    fn offers(&mut self, passage: &Passage) -> Vec<Offer> {
        let mut offers = Vec::new();
        for evaluation in &passage.complete {
            let group = evaluation.group;
            if self.missing[group] == 0 {
                continue;
            }
            let values = passage.courses[group].way(evaluation.way).values;
            let often = self.offered.entry((group, values)).or_default();
            often.resize(self.groups[group].sites.len(), 0);
            // Most ways were offered as often as they may be.
            let is_left = |step: &Step| step.at.is_some() && often[step.condition] < MOST_OFFERS;
            if !passage.steps_back(evaluation).any(|step| is_left(&step)) {
                continue;
            }
            for Step { condition, at, side, .. } in passage.steps_of(evaluation) {
                let (Some(at), often) = (at, &mut often[condition]) else { continue };
                if *often >= MOST_OFFERS {
                    continue;
                }
                *often += 1;
                let own = !self.shown.contains(&(group, condition));
                offers.push(Offer { at, outcome: u64::from(!side), own });
            }
        }
        offers
    }

    /// Ways that were remembered, and offered as often as they may be, need not be told again.
    fn note_dull(&self, passage: &mut Passage) {
        for &Evaluation { group, way, .. } in &passage.complete {
            let values = passage.courses[group].way(way).values;
            let is_offered = |often: &Vec<u32>| {
                let mut evaluated =
                    often.iter().enumerate().filter(|(at, _)| values.evaluated >> at & 1 == 1);
                evaluated.all(|(_, often)| *often >= MOST_OFFERS)
            };
            if !passage.wants_offers || self.offered.get(&(group, values)).is_some_and(is_offered) {
                passage.courses[group].set_dull(way);
            }
        }
    }

    /// The ways that an execution took through groups with something missing, as far as they are complete; not those
    /// that ended before.
    fn evaluations(&self, mut before: Steps<'_>, own: Own<'_>, passage: &mut Passage) {
        passage.begin(self.groups.len());
        if (0..self.groups.len()).all(|group| self.is_done(group, passage.wants_offers)) {
            return;
        }
        // Where the steps are is asked for offers.
        let begin = match passage.wants_offers {
            true => { before }.next().map_or(0, |(last, _)| last + 1),
            false => 0,
        };
        for (at, decision) in own.in_order().filter(|(_, of)| of.kind == Kind::Branch) {
            let at = at.map(|at| begin + at);
            for &(group, index) in self.members_of(decision.site) {
                if self.is_done(group, passage.wants_offers) {
                    continue;
                }
                if passage.open[group].number != passage.number {
                    passage.open[group] = Open { number: passage.number, ..Open::default() };
                    // What is open began with a condition that leads here. None leads to the first, which begins another
                    // evaluation; and often those before this one are not symbolic.
                    if self.groups[group].before[index] & passage.ever[group] != 0 {
                        self.find_open(group, &mut before, passage);
                    }
                }
                passage.ever[group] |= 1 << index;
                let over = passage.evaluate(&self.groups[group], group, index, at, decision.outcome == 1);
                if let Some(way) = over.filter(|way| !passage.courses[group].is_dull(*way)) {
                    passage.complete.push(Evaluation { group, way, last: passage.open[group].last });
                }
            }
        }
    }

    /// Nothing is to be learned of the group any more: all is shown, or as many ways are known as are remembered.
    fn is_done(&self, group: usize, wants_offers: bool) -> bool {
        self.missing[group] == 0 || !wants_offers && self.seen[group].len() >= MOST_WAYS
    }

    /// The groups that the condition at a site is in, and its number there.
    fn members_of(&self, site: SiteKey) -> &[(usize, usize)] {
        match self.of_site.get(site) {
            0 => &[],
            of => &self.members[of as usize - 1],
        }
    }

    /// The evaluation of a group that is not over after the known part. `before`: the rest of it, the last first; what is
    /// passed on the way to what matters of this group is noted for the others, so that nothing is looked at twice.
    fn find_open(&self, group: usize, before: &mut Steps<'_>, passage: &mut Passage) {
        let Passage { settled, known, number, wants_offers, .. } = &mut *passage;
        while settled[group] != *number
            && let Some((at, Decision { site, kind, outcome, .. })) = before.next()
        {
            let side = outcome == 1;
            let members = if kind == Kind::Branch { self.members_of(site) } else { &[] };
            for &(group, index) in members.iter().filter(|(group, _)| !self.is_done(*group, *wants_offers)) {
                if settled[group] == *number {
                    continue;
                }
                // Nothing is open after a condition that leads out. Nor does anything before the first condition
                // matter: it begins another evaluation.
                let leads_out = matches!(self.groups[group].onward[index][usize::from(side)], Onward::Out(_));
                if !leads_out {
                    known.push(Known { group, index, at, side });
                }
                if leads_out || index == 0 {
                    settled[group] = *number;
                }
            }
        }
        for number in (0..passage.known.len()).rev() {
            let Known { group: of, index, at, side } = passage.known[number];
            if of == group {
                passage.evaluate(&self.groups[group], group, index, Some(at), side);
            }
        }
    }
}

/// The one condition that both evaluate differently, when they leave to different places.
fn difference(one: &Way, other: &Way) -> Option<usize> {
    if one.out == other.out {
        return None;
    }
    let both = one.values.evaluated & other.values.evaluated;
    let differing = both & (one.values.truth ^ other.values.truth);
    (differing.count_ones() == 1).then(|| differing.trailing_zeros() as usize)
}

/// Branches of a function, chained while an inner one is reached from the chain alone.
fn groups_of(table: &SiteTable, function: u32) -> Vec<Group> {
    // The last branch of a block is the one that ends it.
    let mut by_block: FxHashMap<u32, Branch> = FxHashMap::default();
    for (number, site) in table.sites.iter().enumerate().filter(|(_, site)| site.function == function) {
        if let SiteKind::Branch { successors, .. } = site.kind {
            let key = SiteKey { tu: table.tu, site: number as u32 };
            by_block.insert(site.block, Branch { key, successors, place: (site.line, site.column) });
        }
    }
    let Some(flow) = table.functions.get(function as usize) else { return Vec::new() };
    let mut predecessors: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (block, successors) in flow.blocks.iter().enumerate() {
        for successor in successors {
            predecessors.entry(*successor).or_default().push(block as u32);
        }
    }
    let mut heads: Vec<u32> = by_block.keys().copied().collect();
    heads.sort_unstable();
    let mut taken: FxHashSet<u32> = FxHashSet::default();
    let mut groups = Vec::new();
    for head in heads {
        if taken.contains(&head) {
            continue;
        }
        let mut members = vec![head];
        let mut at = 0;
        while at < members.len() && members.len() < MOST_CONDITIONS {
            for next in by_block[&members[at]].successors {
                let own = |from: &u32| members.contains(from);
                let inside = predecessors.get(&next).is_some_and(|from| from.iter().all(own));
                // Blocks are numbered in the order of the source: going back is a loop.
                if inside
                    && next > head
                    && by_block.contains_key(&next)
                    && !members.contains(&next)
                    && !taken.contains(&next)
                {
                    members.push(next);
                }
            }
            at += 1;
        }
        if members.len() < 2 {
            continue;
        }
        taken.extend(&members);
        groups.push(group_of(&members, &by_block));
        let parts = decisions_within(&members, &by_block);
        if parts.len() > 1 {
            groups.extend(parts.iter().filter(|part| part.len() > 1).map(|part| group_of(part, &by_block)));
        }
    }
    groups
}

/// A two-way branch that ends a block.
struct Branch {
    key: SiteKey,
    successors: [u32; 2],
    place: (u32, u32),
}

/// The first member is where evaluation begins.
fn group_of(members: &[u32], by_block: &FxHashMap<u32, Branch>) -> Group {
    let onward = |block: &u32| {
        by_block[block].successors.map(|next| match members.iter().position(|member| *member == next) {
            Some(index) if index > 0 => Onward::Condition(index),
            _ => Onward::Out(next),
        })
    };
    let sites = members.iter().map(|block| by_block[block].key).collect();
    Group::new(sites, members.iter().map(onward).collect())
}

/// Members by decision. Clang places the last condition of a decision where the decision begins, the others at the
/// operators behind them: what comes after the one that stands first in the source is another decision.
fn decisions_within(members: &[u32], by_block: &FxHashMap<u32, Branch>) -> Vec<Vec<u32>> {
    let mut rest: Vec<u32> = members.to_vec();
    rest.sort_unstable();
    let mut parts = Vec::new();
    while let Some(last) = rest.iter().copied().min_by_key(|block| (by_block[block].place, Reverse(*block))) {
        let after = rest.iter().position(|block| *block > last).unwrap_or(rest.len());
        let later = rest.split_off(after);
        parts.push(std::mem::replace(&mut rest, later));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::sites::{FunctionSites, Site};

    /// `if (a && b || c) then else`: blocks 0, 1, 2 are conditions, 3 and 4 the exits. Successors are written
    /// false side first.
    fn table() -> SiteTable {
        table_of([[2, 1], [2, 3], [4, 3]], [(1, 1); 3])
    }

    fn table_of(successors: [[u32; 2]; 3], places: [(u32, u32); 3]) -> SiteTable {
        let site = |block: usize| Site {
            function: 0,
            block: block as u32,
            file: "a.c".into(),
            line: places[block].0,
            column: places[block].1,
            condition: None,
            kind: SiteKind::Branch { counter: 2 * block as u32, successors: successors[block] },
        };
        let mut blocks: Vec<Vec<u32>> = successors.iter().map(|next| next.to_vec()).collect();
        blocks.extend([vec![5], vec![5], vec![]]);
        SiteTable {
            tu: 1,
            functions: vec![FunctionSites {
                name: "f".into(),
                file: "a.c".into(),
                line: 1,
                of_program: true,
                blocks,
                block_lines: vec![],
                calls: vec![],
            }],
            sites: (0..3).map(site).collect(),
            counters: 6,
            ..SiteTable::default()
        }
    }

    /// The evaluations that are over: their ways, and their conditions with where they are.
    fn over(
        conditions: &Conditions<u32>,
        path: &[Decision],
        known: usize,
    ) -> Vec<(Way, Vec<(usize, usize)>)> {
        let mut passage = Passage { wants_offers: true, ..Passage::default() };
        let (before, own) = path.split_at(known);
        // Another execution went there.
        conditions.evaluations(Steps::from(&[][..]), before.into(), &mut passage);
        conditions.evaluations(before.into(), own.into(), &mut passage);
        let places = |evaluation: &Evaluation| -> Vec<(usize, usize)> {
            passage.steps_of(evaluation).iter().filter_map(|step| Some((step.condition, step.at?))).collect()
        };
        let way = |evaluation: &Evaluation| passage.courses[evaluation.group].way(evaluation.way);
        passage.complete.iter().map(|evaluation| (way(evaluation), places(evaluation))).collect()
    }

    fn path(outcomes: &[(u32, u64)]) -> Vec<Decision> {
        let decision = |&(site, outcome)| Decision {
            site: SiteKey { tu: 1, site },
            kind: Kind::Branch,
            null: false,
            outcome,
        };
        outcomes.iter().map(decision).collect()
    }

    #[test]
    fn inputs_that_complete_a_pair_are_kept() {
        let table = table();
        let mut conditions: Conditions<u32> =
            Conditions::new(&[&table], &[FunctionKey { tu: 1, function: 0 }]);
        assert_eq!(conditions.groups.len(), 1);
        // a true, b true: out through 3. Nothing to compare with.
        assert!(
            conditions
                .meet(Steps::from(&[][..]), path(&[(0, 1), (1, 1)]).as_slice().into(), false, true, &|| 1)
                .0
                .is_empty()
        );
        // a false, c true: out through 3 as well.
        assert!(
            conditions
                .meet(Steps::from(&[][..]), path(&[(0, 0), (2, 1)]).as_slice().into(), false, true, &|| 2)
                .0
                .is_empty()
        );
        // a false, c false: shows a against the first, c against the second.
        let (mut kept, _) = conditions.meet(
            Steps::from(&[][..]),
            path(&[(0, 0), (2, 0)]).as_slice().into(),
            false,
            true,
            &|| 3,
        );
        kept.sort();
        assert_eq!(kept, [1, 2, 3]);
        // b is shown by the first, which is kept already.
        assert_eq!(
            conditions
                .meet(
                    Steps::from(&[][..]),
                    path(&[(0, 1), (1, 0), (2, 0)]).as_slice().into(),
                    false,
                    true,
                    &|| 4
                )
                .0,
            [4]
        );
        // Seen before.
        assert!(
            conditions
                .meet(Steps::from(&[][..]), path(&[(0, 0), (2, 0)]).as_slice().into(), false, true, &|| 5)
                .0
                .is_empty()
        );
    }

    /// `if (a && b) { if (c) then }`, where c is not in the log: both sides of it may lead to the end.
    #[test]
    fn a_decision_does_not_wait_for_an_if_within() {
        let table = table_of([[4, 1], [4, 2], [4, 3]], [(1, 9), (1, 7), (2, 9)]);
        let mut conditions: Conditions<u32> =
            Conditions::new(&[&table], &[FunctionKey { tu: 1, function: 0 }]);
        assert_eq!(conditions.groups.iter().map(|group| group.sites.len()).collect::<Vec<_>>(), [3, 2]);
        assert!(
            conditions
                .meet(Steps::from(&[][..]), path(&[(0, 1), (1, 1)]).as_slice().into(), false, true, &|| 1)
                .0
                .is_empty()
        );
        assert_eq!(
            conditions.meet(Steps::from(&[][..]), path(&[(0, 0)]).as_slice().into(), false, true, &|| 2).0,
            [1, 2]
        );
        assert_eq!(
            conditions
                .meet(Steps::from(&[][..]), path(&[(0, 1), (1, 0)]).as_slice().into(), false, true, &|| 3)
                .0,
            [3]
        );
    }

    #[test]
    fn ways_with_a_missing_condition_are_not_judged() {
        let table = table();
        let conditions: Conditions<u32> = Conditions::new(&[&table], &[FunctionKey { tu: 1, function: 0 }]);
        // a may have been false, or true and b false.
        assert!(over(&conditions, &path(&[(2, 1)]), 0).is_empty());
        assert_eq!(over(&conditions, &path(&[(2, 1), (0, 1), (1, 1)]), 0).len(), 1);
    }

    #[test]
    fn of_the_known_part_only_the_last_evaluation_goes_on() {
        let table = table();
        let conditions: Conditions<u32> = Conditions::new(&[&table], &[FunctionKey { tu: 1, function: 0 }]);
        let path = path(&[(0, 1), (1, 1), (0, 1), (1, 1), (0, 0), (2, 1)]);
        let from = |known| -> Vec<usize> {
            over(&conditions, &path, known).iter().map(|(_, steps)| steps[0].1).collect()
        };
        assert_eq!((from(0), from(3), from(5)), (vec![0, 2, 4], vec![2, 4], vec![4]));
    }

    #[test]
    fn what_began_in_the_known_part_is_taken_up() {
        let table = table();
        let conditions: Conditions<u32> = Conditions::new(&[&table], &[FunctionKey { tu: 1, function: 0 }]);
        for seed in 0..200 {
            let mut random = crate::random::Random::new(seed);
            let outcomes: Vec<(u32, u64)> =
                (0..12).map(|_| (random.below(4) as u32, random.below(2) as u64)).collect();
            let path = path(&outcomes);
            let all = over(&conditions, &path, 0);
            for known in 0..=outcomes.len() {
                let is_own = |steps: &[(usize, usize)]| steps.last().is_some_and(|last| last.1 >= known);
                let expected: Vec<_> = all.iter().filter(|(_, steps)| is_own(steps)).cloned().collect();
                assert_eq!(over(&conditions, &path, known), expected, "{outcomes:?}");
            }
        }
    }

    /// As if each execution were the first that is followed.
    #[test]
    fn ways_that_are_known_are_passed_over_and_nothing_else_is() {
        let table = table();
        for seed in 0..100 {
            let mut random = crate::random::Random::new(seed);
            let conditions =
                || -> Conditions<u32> { Conditions::new(&[&table], &[FunctionKey { tu: 1, function: 0 }]) };
            let mut both = [conditions(), conditions()];
            let forget = |mut passage: Box<Passage>| {
                passage.courses.iter_mut().for_each(|course| *course = Course::default());
                passage
            };
            for number in 0..40 {
                let outcomes: Vec<(u32, u64)> =
                    (0..random.below(9)).map(|_| (random.below(4) as u32, random.below(2) as u64)).collect();
                let path = path(&outcomes);
                let (before, own) = path.split_at(random.below(path.len() + 1));
                let [one, other] = both.each_mut().map(|conditions| {
                    conditions.meet(before.into(), own.into(), false, seed % 2 == 0, &|| number)
                });
                assert_eq!(one, other, "{outcomes:?}");
                both[1].passage = both[1].passage.take().map(forget);
            }
        }
    }

    #[test]
    fn a_missing_condition_has_the_value_that_leads_on() {
        let table = table();
        let conditions: Conditions<u32> = Conditions::new(&[&table], &[FunctionKey { tu: 1, function: 0 }]);
        let values = |outcomes: &[(u32, u64)]| -> Vec<Vec<Option<bool>>> {
            let ways = over(&conditions, &path(outcomes), 0).into_iter();
            let decoded = |Values { evaluated, truth }: Values| {
                (0..3).map(|at| (evaluated >> at & 1 == 1).then_some(truth >> at & 1 == 1)).collect()
            };
            ways.map(|(way, _)| decoded(way.values)).collect()
        };
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(values(&[(1, 1)]), [[yes, yes, None]]);
        assert_eq!(values(&[(0, 1), (2, 0)]), [[yes, no, no]]);
        // Two evaluations: b goes on to c in the first.
        assert_eq!(values(&[(1, 0), (2, 0), (1, 1)]), [[yes, no, no], [yes, yes, None]]);
    }

    #[test]
    fn while_a_pair_is_missing_the_conditions_of_ways_are_offered() {
        let table = table();
        let mut conditions: Conditions<u32> =
            Conditions::new(&[&table], &[FunctionKey { tu: 1, function: 0 }]);
        let offers = |conditions: &mut Conditions<u32>, ways: &[(u32, u64)]| {
            conditions.meet(Steps::from(&[][..]), path(ways).as_slice().into(), true, true, &|| 0).1
        };
        let offer = |at, outcome, own| Offer { at, outcome, own };
        assert_eq!(offers(&mut conditions, &[(0, 1), (1, 1)]), [offer(0, 0, true), offer(1, 0, true)]);
        // a is shown now; b and c are not.
        assert_eq!(offers(&mut conditions, &[(0, 0), (2, 0)]), [offer(0, 1, false), offer(1, 1, true)]);
        offers(&mut conditions, &[(0, 1), (1, 0), (2, 0)]);
        assert!(offers(&mut conditions, &[(0, 0), (2, 1)]).is_empty(), "all are shown");
    }
}
