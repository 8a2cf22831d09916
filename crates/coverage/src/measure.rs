//! Mappings of objects and profiles of tests -> what was covered, by which test.

use crate::decision::{Criterion, Vector, Ways, independence, pairs};
use crate::mapping::{Counter, FunctionMapping, Link, Region, RegionKind, Span};
use crate::measured::{Branch, Condition, Decision, Measured, MeasuredFunction, RanTest, VERSION};
use crate::minimise::{Goals, Pair};
use crate::profile::{Counts, Profile};
use std::collections::{BTreeMap, BTreeSet};

/// Functions as they are measured, with the tests that were added so far.
pub struct Measurement {
    functions: Vec<Shape>,
    sum: Profile,
    tests: Vec<RanTest>,
}

/// One function of one translation unit.
struct Shape {
    mapping: FunctionMapping,
    decisions: Vec<DecisionShape>,
    /// Decisions that could not be taken apart.
    lost: Vec<Span>,
    /// Vectors of each decision, with the tests that show them.
    seen: Vec<BTreeMap<Vector, BTreeSet<usize>>>,
    /// The sides of each region that is a branch, with the tests that take them.
    taken: BTreeMap<(usize, bool), BTreeSet<usize>>,
}

struct DecisionShape {
    span: Span,
    links: Vec<Link>,
    /// By id, and their order in the source.
    conditions: Vec<ConditionShape>,
    ways: Ways,
    first_bit: usize,
}

#[derive(Clone, Copy)]
struct ConditionShape {
    span: Span,
    constant: bool,
}

impl Measurement {
    /// `is_measured` says which files' functions count, by the name in the mapping.
    pub fn new(
        mappings: impl IntoIterator<Item = FunctionMapping>,
        is_measured: impl Fn(&str) -> bool,
    ) -> Measurement {
        let functions = mappings
            .into_iter()
            .filter(|mapping| mapping.files.first().is_some_and(|file| is_measured(file)))
            .map(Shape::new)
            .collect();
        Measurement { functions, sum: Profile::default(), tests: Vec::new() }
    }

    pub fn add(&mut self, test: RanTest, profile: &Profile) {
        let number = self.tests.len();
        self.tests.push(test);
        self.sum.add(profile);
        for shape in &mut self.functions {
            if let Some(counts) = profile.of(&shape.mapping.name, shape.mapping.hash) {
                shape.see(counts, number);
            }
        }
    }

    /// `show` turns file names of the mapping into those that reports show.
    pub fn finish(self, show: impl Fn(&str) -> String) -> Measured {
        let none = Counts::default();
        let mut problems = Vec::new();
        let mut functions: BTreeMap<(String, u32, String), MeasuredFunction> = BTreeMap::new();
        for shape in &self.functions {
            let counts = self.sum.of(&shape.mapping.name, shape.mapping.hash).unwrap_or(&none);
            let function = shape.function(counts, &show);
            problems.extend(shape.lost.iter().map(|span| {
                format!(
                    "{}:{}: a decision whose test vectors cannot be told apart; it is left out of MC/DC",
                    function.file, span.line
                )
            }));
            let key = (function.file.clone(), function.line, function.name.clone());
            match functions.get_mut(&key) {
                Some(known) => merge(known, function),
                None => drop(functions.insert(key, function)),
            }
        }
        problems.sort();
        problems.dedup();
        let sufficient = self.goals().sufficient();
        Measured {
            version: VERSION,
            functions: functions.into_values().collect(),
            lines: BTreeMap::new(),
            tests: self.tests,
            sufficient,
            problems,
        }
    }

    /// What the tests were good for. A condition counts as llvm-cov counts it, or by masking where only that
    /// shows it.
    fn goals(&self) -> Goals {
        let mut goals = Goals::default();
        for shape in &self.functions {
            goals.sides.extend(shape.taken.values().cloned());
            for (decision, seen) in shape.decisions.iter().zip(&shape.seen) {
                let vectors: Vec<Vector> = seen.keys().cloned().collect();
                let tests: Vec<&BTreeSet<usize>> = seen.values().collect();
                for condition in 0..decision.links.len() {
                    let of = |criterion| pairs(&decision.links, condition, &vectors, criterion);
                    let mut shown = of(Criterion::UniqueCause);
                    if shown.is_empty() {
                        shown = of(Criterion::Masking);
                    }
                    if !shown.is_empty() {
                        let pair = |(one, other): &(usize, usize)| Pair {
                            one: tests[*one].clone(),
                            other: tests[*other].clone(),
                        };
                        goals.conditions.push(shown.iter().map(pair).collect());
                    }
                }
            }
        }
        goals
    }
}

impl Shape {
    fn new(mapping: FunctionMapping) -> Shape {
        let (decisions, lost) = decisions(&mapping);
        let seen = decisions.iter().map(|_| BTreeMap::new()).collect();
        Shape { mapping, decisions, lost, seen, taken: BTreeMap::new() }
    }

    fn see(&mut self, counts: &Counts, test: usize) {
        for (index, region) in self.mapping.regions.iter().enumerate() {
            if let RegionKind::Branch { when_true, when_false, .. } = region.kind {
                for (counter, other, side) in [(when_true, when_false, true), (when_false, when_true, false)]
                {
                    if self.mapping.count_side(counter, other, &counts.counters) > 0 {
                        self.taken.entry((index, side)).or_default().insert(test);
                    }
                }
            }
        }
        for (decision, seen) in self.decisions.iter().zip(&mut self.seen) {
            for vector in decision.ways.taken(|bit| counts.bit(decision.first_bit + bit)) {
                seen.entry(vector).or_default().insert(test);
            }
        }
    }

    fn function(&self, counts: &Counts, show: &dyn Fn(&str) -> String) -> MeasuredFunction {
        let mapping = &self.mapping;
        let count = |counter| mapping.count(counter, &counts.counters);
        let body = mapping.regions.iter().find(|region| region.file == 0);
        let span = body.map_or(Span { line: 0, column: 0, end_line: 0, end_column: 0 }, |body| body.span);
        let calls = match body.map(|body| &body.kind) {
            Some(RegionKind::Code(counter)) => count(*counter),
            _ => 0,
        };
        let branches = mapping.regions.iter().filter_map(|region| match &region.kind {
            RegionKind::Branch { when_true, when_false, .. } if !is_constant(*when_true, *when_false) => {
                let file = mapping.files.get(region.file).filter(|file| **file != mapping.files[0]);
                Some(Branch {
                    file: file.map(|file| show(file)),
                    place: region.span.into(),
                    when_true: mapping.count_side(*when_true, *when_false, &counts.counters),
                    when_false: mapping.count_side(*when_false, *when_true, &counts.counters),
                })
            }
            _ => None,
        });
        let by_subtraction = mapping.regions.iter().map(|region| match region.kind {
            RegionKind::Branch { when_true, when_false, .. } => {
                u64::from(count(when_true) > 0) + u64::from(count(when_false) > 0)
            }
            _ => 0,
        });
        // Functions of one file are named `file:function` in the profile.
        let name = mapping.name.rsplit_once(':').map_or(mapping.name.as_str(), |(_, name)| name);
        MeasuredFunction {
            name: name.to_owned(),
            file: show(&mapping.files[0]),
            line: span.line,
            end_line: span.end_line,
            calls,
            branches: branches.collect(),
            sides_by_subtraction: by_subtraction.sum(),
            decisions: self
                .decisions
                .iter()
                .zip(&self.seen)
                .map(|(decision, seen)| decision.measured(seen, &mapping.unseen))
                .collect(),
            refused: Vec::new(),
        }
    }
}

impl DecisionShape {
    fn measured(&self, seen: &BTreeMap<Vector, BTreeSet<usize>>, unseen: &BTreeSet<u32>) -> Decision {
        let order = self.order();
        let by_id: Vec<Vector> = seen.keys().cloned().collect();
        let unique_cause = independence(&self.links, &by_id, Criterion::UniqueCause);
        let masking = independence(&self.links, &by_id, Criterion::Masking);
        let infeasible = self.infeasible(&by_id, unseen);
        let conditions = order.iter().map(|id| Condition {
            place: self.conditions[*id].span.into(),
            constant: self.conditions[*id].constant,
            unique_cause: unique_cause[*id],
            masking: masking[*id],
            infeasible: infeasible.iter().filter(|(shown, _)| !shown[*id]).map(|(_, by)| *by).collect(),
        });
        let in_order = |vector: &Vector| Vector {
            values: order.iter().map(|id| vector.values[*id]).collect(),
            outcome: vector.outcome,
        };
        Decision {
            place: self.span.into(),
            conditions: conditions.collect(),
            vectors: by_id.iter().map(in_order).collect(),
            shown_by: seen.values().map(|tests| tests.iter().copied().collect()).collect(),
        }
    }

    /// Whether ways that may be taken can show each condition, by each criterion. Empty where nothing was proved.
    fn infeasible(&self, seen: &[Vector], unseen: &BTreeSet<u32>) -> Vec<(Vec<bool>, Criterion)> {
        let is_unseen =
            |bit: usize| u32::try_from(self.first_bit + bit).is_ok_and(|bit| unseen.contains(&bit));
        if !(0..self.ways.bits()).any(is_unseen) {
            return Vec::new();
        }
        // What was taken was taken, even if only undefined behaviour leads there.
        let mut possible = self.ways.taken(|bit| !is_unseen(bit));
        possible.extend(seen.iter().filter(|vector| !possible.contains(vector)).cloned().collect::<Vec<_>>());
        let shown = |criterion| {
            independence(&self.links, &possible, criterion).iter().map(Option::is_some).collect::<Vec<bool>>()
        };
        [Criterion::UniqueCause, Criterion::Masking].map(|criterion| (shown(criterion), criterion)).to_vec()
    }

    /// Ids of the conditions as the source has them.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.conditions.len()).collect();
        order.sort_by_key(|id| (self.conditions[*id].span, *id));
        order
    }
}

fn is_constant(when_true: Counter, when_false: Counter) -> bool {
    when_true == Counter::Zero && when_false == Counter::Zero
}

/// A decision's region, the end of its bits, and its conditions by id as far as they were met.
type FoundDecision<'a> = (&'a Region, usize, Vec<Option<(Link, ConditionShape)>>);

/// The decisions with their conditions. A condition belongs to the innermost decision around it, seen from
/// where its macro is used.
fn decisions(mapping: &FunctionMapping) -> (Vec<DecisionShape>, Vec<Span>) {
    let mut found: Vec<FoundDecision<'_>> = Vec::new();
    for region in &mapping.regions {
        if let RegionKind::Decision { bits_end, conditions } = region.kind {
            found.push((region, bits_end, vec![None; conditions]));
        }
    }
    let mut by_size: Vec<usize> = (0..found.len()).collect();
    by_size.sort_by_key(|index| {
        let span = &found[*index].0.span;
        (span.end_line - span.line, span.end_column.wrapping_sub(span.column))
    });
    for region in &mapping.regions {
        let RegionKind::Branch { when_true, when_false, link: Some(link) } = region.kind else { continue };
        let condition = ConditionShape { span: region.span, constant: is_constant(when_true, when_false) };
        let home = by_size.iter().copied().find(|index| {
            let (decision, _, conditions) = &found[*index];
            matches!(conditions.get(usize::from(link.id)), Some(None))
                && seen_from(mapping, region, decision.file).is_some_and(|span| decision.span.contains(&span))
        });
        if let Some(home) = home {
            found[home].2[usize::from(link.id)] = Some((link, condition));
        }
    }
    let mut decisions = Vec::new();
    let mut lost = Vec::new();
    for (region, bits_end, conditions) in found {
        let complete: Option<Vec<(Link, ConditionShape)>> = conditions.into_iter().collect();
        let shape = complete.and_then(|complete| {
            let (links, conditions): (Vec<Link>, Vec<ConditionShape>) = complete.into_iter().unzip();
            let ways = Ways::of(&links)?;
            let first_bit = bits_end.checked_sub(ways.bits())?;
            Some(DecisionShape { span: region.span, links, conditions, ways, first_bit })
        });
        match shape {
            Some(shape) => decisions.push(shape),
            None => lost.push(region.span),
        }
    }
    (decisions, lost)
}

/// The place of a region in `file`: its own, or that of the macro use that leads to it.
fn seen_from(mapping: &FunctionMapping, region: &Region, file: usize) -> Option<Span> {
    let (mut at, mut span) = (region.file, region.span);
    for _ in 0..mapping.files.len() {
        if at == file {
            return Some(span);
        }
        let use_of = |region: &&Region| region.kind == RegionKind::Expansion(at);
        let outer = mapping.regions.iter().find(use_of)?;
        (at, span) = (outer.file, outer.span);
    }
    None
}

/// The same function of a header, compiled in another file: what either of them covers is covered.
fn merge(known: &mut MeasuredFunction, other: MeasuredFunction) {
    known.calls += other.calls;
    known.sides_by_subtraction = known.sides_by_subtraction.max(other.sides_by_subtraction);
    if known.branches.len() == other.branches.len() {
        for (mine, theirs) in known.branches.iter_mut().zip(&other.branches) {
            mine.when_true += theirs.when_true;
            mine.when_false += theirs.when_false;
        }
    }
    if known.decisions.len() == other.decisions.len() {
        for (mine, theirs) in known.decisions.iter_mut().zip(other.decisions) {
            mine.take_better(theirs);
        }
    }
}

impl Decision {
    /// Pairs are found within one translation unit: the one that shows more speaks. What only one of them cannot do is
    /// not infeasible.
    fn take_better(&mut self, mut other: Decision) {
        let shown =
            |decision: &Decision| decision.conditions.iter().filter(|c| c.unique_cause.is_some()).count();
        if self.conditions.len() != other.conditions.len() {
            return;
        }
        for (mine, theirs) in self.conditions.iter_mut().zip(&mut other.conditions) {
            mine.infeasible.retain(|criterion| theirs.infeasible.contains(criterion));
            theirs.infeasible.clone_from(&mine.infeasible);
        }
        if shown(&other) > shown(self) {
            *self = other;
        }
    }
}
