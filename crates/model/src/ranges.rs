//! Value ranges of parameters, globals and members: intervals that hold whatever the program puts into its integer variables,
//! by what [`crate::flows`] found in all units together.
//!
//! A function that somebody else may call, or that is called through a pointer, can be given anything; so can a
//! global hold anything that others may write. Intervals grow until nothing changes; one that keeps growing becomes
//! that of its type, and is narrowed afterwards as far as what flows in allows. Members are told by the names of their
//! records: of two records with one name each may hold what both do. Where nothing has a `main`, others may set members,
//! but not those that the program itself goes on from (`ring->head = (ring->head + 1) % 8`): these it gets back as it left them.

mod members;

use crate::clang;
use crate::flows::{FILLERS, Flows, Relation, Value, Variable};
use crate::interval::{Interval, Operation};
use crate::program::{FunctionId, GlobalId, Program, Record, RecordId, UnitFileId};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// Times that a variable may grow freely.
const PATIENCE: u32 = 8;
/// Times that it then grows to the next number that the program names, as `n < 16` ends it, before that.
const STEPS: u32 = 24;
/// Rounds of narrowing; a loop in a loop needs one for each.
const NARROWINGS: usize = 3;

/// A variable of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Place {
    Argument(FunctionId, usize),
    Local(UnitFileId, usize),
    Static(UnitFileId, GlobalId),
    External(String),
    /// Of a record, by their names.
    Member(String, String),
    Result(FunctionId),
}

/// A [`Value`] over the variables of the program, by their numbers.
enum Inflow {
    Within(Interval),
    Read(Interval),
    Of(usize),
    Applied(Operation, Box<(Inflow, Inflow)>),
    Converted(Box<Inflow>, Interval),
    Either(Box<(Inflow, Inflow)>),
    Guarded(Box<(Inflow, Inflow)>, Relation),
}

/// The flows of all units.
#[derive(Default)]
pub(crate) struct Ranges {
    numbers: HashMap<Place, usize>,
    /// By variable: what its type holds, and whether it can be anything.
    held: Vec<Interval>,
    open: Vec<bool>,
    flows: Vec<(usize, Inflow)>,
    /// The fewest arguments that a call of the function has.
    called: HashMap<FunctionId, usize>,
    /// By unit and number: what records are called, those without a name by where they stand.
    names: HashMap<(UnitFileId, usize), String>,
    /// Records that a header shows to others.
    shown: HashSet<String>,
    /// Records of which any member can be anything.
    opened: HashSet<String>,
    /// Those that are read from a file as they are.
    filled: HashSet<String>,
}

/// How the names of one unit are understood.
pub(crate) struct Names<'a> {
    pub(crate) file: UnitFileId,
    pub(crate) function: &'a dyn Fn(&str) -> Option<FunctionId>,
    /// The symbol of a global that other units see too.
    pub(crate) symbol: &'a dyn Fn(GlobalId) -> Option<String>,
    pub(crate) records: &'a [Record],
    pub(crate) record_places: &'a [Option<clang::Place>],
}

impl Names<'_> {
    fn place(&self, variable: &Variable) -> Option<Place> {
        Some(match variable {
            Variable::Argument(name, index) => Place::Argument((self.function)(name)?, *index),
            Variable::Local(identity) => Place::Local(self.file, *identity),
            Variable::Global(id) => match (self.symbol)(*id) {
                Some(name) => Place::External(name),
                None => Place::Static(self.file, *id),
            },
            Variable::Member(record, index) => {
                let name = self.record(*record)?;
                let field = self.records[record.index()].fields.get(*index)?;
                Place::Member(name, field.name.clone()?)
            }
            Variable::Result(name) => Place::Result((self.function)(name)?),
        })
    }

    fn record(&self, id: RecordId) -> Option<String> {
        let place = || self.record_places.get(id.index())?.as_ref();
        let by_place = || place().map(|place| format!("{}:{}:{}", place.file, place.line, place.column));
        self.records.get(id.index())?.name.clone().or_else(by_place)
    }

    /// What others may include says what is in it.
    fn is_shown(&self, id: RecordId) -> bool {
        let place = self.record_places.get(id.index()).and_then(Option::as_ref);
        place.is_none_or(|place| !place.file.ends_with(".c"))
    }
}

impl Ranges {
    /// Takes in what records a unit has.
    pub(crate) fn add_records(&mut self, names: &Names<'_>) {
        for index in 0..names.records.len() {
            let id = RecordId(index as u32);
            let Some(name) = names.record(id) else { continue };
            if names.is_shown(id) {
                self.shown.insert(name.clone());
            }
            self.names.insert((names.file, index), name);
        }
    }

    /// Takes in what a part of a unit says.
    pub(crate) fn add(&mut self, names: &Names<'_>, flows: Flows) {
        for (variable, held) in flows.types {
            if let Some(place) = names.place(&variable) {
                let number = self.number(place);
                self.held[number] = held;
            }
        }
        for variable in flows.open {
            if let Some(place) = names.place(&variable) {
                let number = self.number(place);
                self.open[number] = true;
            }
        }
        self.opened.extend(flows.opened.into_iter().filter_map(|record| names.record(record)));
        let filled = flows.lent.iter().filter(|(name, _)| FILLERS.contains(&name.as_str()));
        self.filled.extend(filled.filter_map(|(_, record)| names.record(*record)));
        let foreign = flows.lent.iter().filter(|(name, _)| (names.function)(name).is_none());
        self.opened.extend(foreign.filter_map(|(_, record)| names.record(*record)));
        for (name, count) in flows.calls {
            if let Some(function) = (names.function)(&name) {
                let fewest = self.called.entry(function).or_insert(count);
                *fewest = count.min(*fewest);
            }
        }
        for (variable, value) in flows.flows {
            if let Some(place) = names.place(&variable) {
                let number = self.number(place);
                let inflow = self.inflow(names, value);
                self.flows.push((number, inflow));
            }
        }
    }

    fn number(&mut self, place: Place) -> usize {
        let next = self.numbers.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.held.push(Interval::ANY);
            self.open.push(false);
        }
        number
    }

    fn inflow(&mut self, names: &Names<'_>, value: Value) -> Inflow {
        let mut both = |values: Box<(Value, Value)>| {
            let (left, right) = *values;
            Box::new((self.inflow(names, left), self.inflow(names, right)))
        };
        match value {
            Value::Within(interval) => Inflow::Within(interval),
            Value::Read(interval) => Inflow::Read(interval),
            Value::Applied(operation, operands) => Inflow::Applied(operation, both(operands)),
            Value::Either(values) => Inflow::Either(both(values)),
            Value::Guarded(values, relation) => Inflow::Guarded(both(values), relation),
            Value::Converted(value, to) => Inflow::Converted(Box::new(self.inflow(names, *value)), to),
            Value::Of(variable) => match names.place(&variable) {
                Some(place) => Inflow::Of(self.number(place)),
                None => Inflow::Within(Interval::ANY),
            },
        }
    }

    /// Tells parameters and globals of the program what they can hold, where that is less than their type.
    /// `complete`: every unit of the program was read.
    pub(crate) fn settle(mut self, program: &mut Program, complete: bool) {
        self.add_members(program);
        self.open_to_others(program, complete);
        let ranges = self.solve();
        let read = self.read();
        let is_read = |place: &Place| {
            let is_filled = matches!(place, Place::Member(record, _) if self.filled.contains(record));
            is_filled || self.numbers.get(place).is_some_and(|number| read[*number])
        };
        let found = |place: &Place| {
            let number = *self.numbers.get(place)?;
            let range = ranges[number].filter(|range| *range != self.held[number])?;
            Some((i64::try_from(range.low).ok()?, i64::try_from(range.high).ok()?))
        };
        for function in &mut program.functions {
            for (index, param) in function.params.iter_mut().enumerate() {
                param.range = found(&Place::Argument(function.id, index));
            }
        }
        for file in &mut program.files {
            for (index, global) in file.globals.iter_mut().enumerate() {
                let place = match global.is_static {
                    true => Place::Static(file.id, GlobalId(index as u32)),
                    false => Place::External(global.name.clone()),
                };
                global.range = found(&place);
                global.is_read = is_read(&place);
            }
            for (index, record) in file.records.iter_mut().enumerate() {
                let name = self.names.get(&(file.id, index)).filter(|_| !record.is_union);
                for field in &mut record.fields {
                    let member = |field| Some(Place::Member(name?.clone(), field));
                    let place = field.name.clone().and_then(member);
                    field.is_read = place.as_ref().is_some_and(is_read);
                    // What is behind a switch that nothing turns on is to be tested, too.
                    field.range = place.and_then(|place| found(&place)).filter(|range| *range != (0, 0));
                }
            }
        }
    }

    /// What others may call or write can be anything.
    fn open_to_others(&mut self, program: &Program, complete: bool) {
        for function in &program.functions {
            let known = match self.called.get(&function.id) {
                Some(fewest) if program.has_known_callers(function, complete) => *fewest,
                _ => 0,
            };
            for index in known..function.params.len() {
                let number = self.number(Place::Argument(function.id, index));
                self.open[number] = true;
            }
        }
        let has_main = !program.images.is_empty() && program.images.iter().all(|image| image.main.is_some());
        let globals = program.files.iter().flat_map(|file| &file.globals);
        let defined: HashSet<&str> = globals
            .filter(|global| !global.is_static && global.defined)
            .map(|global| global.name.as_str())
            .collect();
        let sources = if has_main { HashMap::new() } else { self.sources() };
        let mut open = Vec::new();
        for (place, number) in &self.numbers {
            let is_open = match place {
                Place::External(name) => !(complete && has_main && defined.contains(name.as_str())),
                Place::Member(record, _) => {
                    let is_own = has_main || !self.shown.contains(record);
                    !complete || !is_own && !self.goes_on(*number, &sources)
                }
                _ => false,
            };
            open.extend(is_open.then_some(*number));
        }
        open.into_iter().for_each(|number| self.open[number] = true);
    }

    /// The numbers that what flows into a variable names, and into what that is made of, and those beside them, in order:
    /// where intervals mostly end. `sources`: the flows that lead to each variable.
    fn ends(&self, variable: usize, sources: &[Vec<usize>]) -> Vec<i128> {
        let mut near = BTreeSet::from([variable]);
        for flow in &sources[variable] {
            self.flows[*flow].1.each_variable(&mut |from| near.extend([from]));
        }
        let mut ends = BTreeSet::new();
        for flow in near.into_iter().flat_map(|variable| &sources[variable]) {
            self.flows[*flow].1.each_number(&mut |number| ends.extend([number - 1, number, number + 1]));
        }
        ends.into_iter().collect()
    }

    /// By variable: whether some of its values are read from data.
    fn read(&self) -> Vec<bool> {
        let mut read = vec![false; self.held.len()];
        loop {
            let before = read.iter().filter(|read| **read).count();
            for (to, inflow) in &self.flows {
                read[*to] = read[*to] || inflow.is_read(&read);
            }
            if read.iter().filter(|read| **read).count() == before {
                return read;
            }
        }
    }

    /// By variable; none where nothing ever flows.
    fn solve(&self) -> Vec<Option<Interval>> {
        let mut ranges: Vec<Option<Interval>> =
            self.open.iter().zip(&self.held).map(|(open, held)| open.then_some(*held)).collect();
        // Which flows a variable is part of, and which lead to it.
        let mut users: Vec<Vec<usize>> = ranges.iter().map(|_| Vec::new()).collect();
        let mut sources: Vec<Vec<usize>> = ranges.iter().map(|_| Vec::new()).collect();
        for (index, (to, inflow)) in self.flows.iter().enumerate() {
            inflow.each_variable(&mut |variable| users[variable].push(index));
            sources[*to].push(index);
        }
        // Of those few that grow and grow.
        let mut ends: HashMap<usize, Vec<i128>> = HashMap::new();
        let mut growths = vec![0u32; ranges.len()];
        let mut waiting: VecDeque<usize> = (0..self.flows.len()).collect();
        let mut is_waiting = vec![true; self.flows.len()];
        while let Some(index) = waiting.pop_front() {
            is_waiting[index] = false;
            let (to, inflow) = &self.flows[index];
            let Some(new) = inflow.range(&ranges) else { continue };
            let new = within(new, self.held[*to]);
            let joined = ranges[*to].map_or(new, |known| known.join(new));
            if self.open[*to] || ranges[*to] == Some(joined) {
                continue;
            }
            growths[*to] += 1;
            ranges[*to] = Some(match ranges[*to] {
                Some(known) if growths[*to] > PATIENCE + STEPS => widened(known, joined, self.held[*to], &[]),
                Some(known) if growths[*to] > PATIENCE => {
                    let ends = ends.entry(*to).or_insert_with(|| self.ends(*to, &sources));
                    widened(known, joined, self.held[*to], ends)
                }
                _ => joined,
            });
            for user in &users[*to] {
                if !std::mem::replace(&mut is_waiting[*user], true) {
                    waiting.push_back(*user);
                }
            }
        }
        for _ in 0..NARROWINGS {
            for (variable, sources) in
                sources.iter().enumerate().filter(|(variable, _)| !self.open[*variable])
            {
                let inflows = sources.iter().filter_map(|index| self.flows[*index].1.range(&ranges));
                let again = inflows.map(|range| within(range, self.held[variable])).reduce(Interval::join);
                if let (Some(known), Some(again)) = (ranges[variable], again) {
                    ranges[variable] = known.meet(again).or(Some(known));
                }
            }
        }
        ranges
    }
}

/// What grew goes on to the next of the ends, in their order, or to that of the type.
fn widened(known: Interval, grown: Interval, held: Interval, ends: &[i128]) -> Interval {
    let below = ends[..ends.partition_point(|end| *end <= grown.low)].last();
    let above = ends.get(ends.partition_point(|end| *end < grown.high));
    Interval::new(
        if grown.low < known.low { below.map_or(held.low, |end| held.low.max(*end)) } else { known.low },
        if grown.high > known.high { above.map_or(held.high, |end| held.high.min(*end)) } else { known.high },
    )
}

/// The value if it fits, else anything that does.
fn within(value: Interval, held: Interval) -> Interval {
    if held.contains(value) { value } else { held }
}

impl Inflow {
    fn each_variable(&self, call: &mut dyn FnMut(usize)) {
        match self {
            Inflow::Within(_) | Inflow::Read(_) => {}
            Inflow::Of(variable) => call(*variable),
            Inflow::Converted(value, _) => value.each_variable(call),
            Inflow::Applied(_, values) | Inflow::Either(values) | Inflow::Guarded(values, _) => {
                values.0.each_variable(call);
                values.1.each_variable(call);
            }
        }
    }

    fn each_number(&self, call: &mut dyn FnMut(i128)) {
        match self {
            Inflow::Within(interval) if interval.low == interval.high => call(interval.low),
            Inflow::Within(_) | Inflow::Read(_) | Inflow::Of(_) => {}
            Inflow::Converted(value, _) => value.each_number(call),
            Inflow::Applied(_, values) | Inflow::Either(values) | Inflow::Guarded(values, _) => {
                values.0.each_number(call);
                values.1.each_number(call);
            }
        }
    }

    fn is_read(&self, read: &[bool]) -> bool {
        match self {
            Inflow::Within(_) => false,
            Inflow::Read(_) => true,
            Inflow::Of(variable) => read[*variable],
            Inflow::Converted(value, _) => value.is_read(read),
            // Some of the bits, `acc & ((1 << n) - 1)`, are no more than the program takes.
            Inflow::Applied(Operation::And, values) => match &**values {
                (value, mask) | (mask, value) if mask.is_whole_byte() => value.is_read(read),
                _ => false,
            },
            Inflow::Applied(Operation::Remainder, _) => false,
            Inflow::Applied(_, values) | Inflow::Either(values) => {
                values.0.is_read(read) || values.1.is_read(read)
            }
            Inflow::Guarded(values, _) => values.0.is_read(read),
        }
    }

    /// A mask that leaves a byte, or several, as it is.
    fn is_whole_byte(&self) -> bool {
        match self {
            Inflow::Within(mask) => mask.low == mask.high && [0xff, 0xffff, 0xffff_ffff].contains(&mask.low),
            Inflow::Converted(value, _) => value.is_whole_byte(),
            _ => false,
        }
    }

    /// None: no value gets here.
    fn range(&self, ranges: &[Option<Interval>]) -> Option<Interval> {
        match self {
            Inflow::Within(interval) | Inflow::Read(interval) => Some(*interval),
            Inflow::Of(variable) => ranges[*variable],
            Inflow::Converted(value, to) => value.range(ranges).map(|value| within(value, *to)),
            Inflow::Applied(operation, operands) => {
                let (left, right) = (operands.0.range(ranges)?, operands.1.range(ranges)?);
                Some(left.apply(*operation, right).unwrap_or(Interval::ANY))
            }
            Inflow::Either(values) => match (values.0.range(ranges), values.1.range(ranges)) {
                (Some(one), Some(other)) => Some(one.join(other)),
                (one, other) => one.or(other),
            },
            Inflow::Guarded(values, relation) => {
                let (value, bound) = (values.0.range(ranges)?, values.1.range(ranges)?);
                let allowed = match relation {
                    Relation::Below => Interval::new(Interval::ANY.low, bound.high - 1),
                    Relation::AtMost => Interval::new(Interval::ANY.low, bound.high),
                    Relation::AtLeast => Interval::new(bound.low, Interval::ANY.high),
                    Relation::Above => Interval::new(bound.low + 1, Interval::ANY.high),
                    Relation::Other if bound.low == bound.high => return value.without(bound.low),
                    Relation::Other => Interval::ANY,
                };
                value.meet(allowed)
            }
        }
    }
}
