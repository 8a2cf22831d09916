//! The statements of one case: the walk of the driver over the types of its inputs, with the values known.

use super::{CALL, CALLS, Callback, Case, Kept, Leaf, LeafKind, case_callback, literal};
use crate::derived::Heir;
use crate::drivers::{Input, LONG};
use crate::known::{self, is_elsewhere};
use crate::owners::OTHER;
use crate::ranges::Range;
use crate::records::Beyond;
use crate::text::Block;
use crate::types::{Pointee, Rule, declaration};
use crate::writer::Writer;
use model::{Field, Function, GlobalScope, Record, RecordId, TypeId, TypeKind};
use std::collections::{BTreeSet, HashMap};

/// Elements that are checked one by one.
const MOST_ELEMENTS: u64 = 64;
/// Elements that are set one by one; more of them are copied from a table.
const FEW: usize = 8;

/// A place that is set, and the path that names its slot.
#[derive(Clone)]
pub(super) struct Spot<'s> {
    pub(super) ty: TypeId,
    pub(super) place: String,
    pub(super) path: String,
    pub(super) depth: i64,
    pub(super) targets: &'s [String],
    pub(super) nested: bool,
    /// Elements behind it, where that is not the usual number.
    pub(super) count: Option<u64>,
    /// It holds zeros already, so that zeros need no statement.
    pub(super) fresh: bool,
    pub(super) unqualified: bool,
    /// A member that is declared as a pointer to something else than the program takes it for.
    pub(super) cast: bool,
}

pub(super) struct Walk<'v> {
    pub(super) values: &'v HashMap<(&'v str, u32), &'v [u8]>,
    pub(super) asked: HashMap<String, u32>,
    pub(super) used: BTreeSet<(String, u32)>,
    pub(super) block: Block,
    pub(super) leaves: Vec<Leaf>,
    /// Why the case cannot be written.
    pub(super) problem: Option<String>,
    /// Leaves are noted.
    pub(super) looking: bool,
    /// The pointers that lead to what is set now, the outermost first.
    through: Vec<String>,
    /// Types of functions that have to be made up.
    pub(super) callbacks: BTreeSet<Callback>,
    /// The object of which a member is being made, and which member, as drivers know it.
    owner: Option<Owner>,
    /// The same for the record that is set now, from when it began.
    came: Option<Owner>,
}

/// See [`crate::owners`].
struct Owner {
    record: RecordId,
    member: String,
    /// A pointer to it, in C.
    address: String,
}

impl Walk<'_> {
    /// The bytes of a slot, as often as it is asked for.
    fn take(&mut self, path: &str, bytes: usize) -> Vec<u8> {
        let occurrence = self.asked.entry(path.to_owned()).or_default();
        let key = (path, *occurrence);
        let mut value = self.values.get(&key).map(|value| value.to_vec()).unwrap_or_default();
        self.used.insert((path.to_owned(), *occurrence));
        *occurrence += 1;
        value.resize(bytes, 0);
        value
    }

    /// The first byte that a slot gets next.
    fn next(&self, path: &str) -> u8 {
        let occurrence = self.asked.get(path).copied().unwrap_or_default();
        self.values.get(&(path, occurrence)).and_then(|value| value.first().copied()).unwrap_or(0)
    }

    /// Whether the slot has a value the next time that it is asked for.
    fn has(&self, path: &str) -> bool {
        let occurrence = self.asked.get(path).copied().unwrap_or_default();
        self.values.contains_key(&(path, occurrence))
    }

    fn number(&mut self, path: &str, bytes: usize) -> u64 {
        let value = self.take(path, bytes.min(8));
        value.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// One of `count` ways; what is none of them is the first, as for the runtime.
    fn choice(&mut self, count: usize, path: &str) -> usize {
        let bytes = match count {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        usize::try_from(self.number(path, bytes)).ok().filter(|choice| *choice < count).unwrap_or(0)
    }

    fn refuse(&mut self, reason: impl Into<String>) {
        self.problem.get_or_insert_with(|| reason.into());
    }

    fn leaf(&mut self, expression: &str, kind: Option<LeafKind>) {
        self.leaf_or_field(expression, kind, false);
    }

    fn leaf_or_field(&mut self, expression: &str, kind: Option<LeafKind>, is_bit_field: bool) {
        if let Some(kind) = kind.filter(|_| self.looking) {
            let known = self.leaves.iter().any(|leaf| leaf.expression == expression);
            if !known {
                let (expression, through) = (expression.to_owned(), self.through.clone());
                self.leaves.push(Leaf { expression, kind, only_if_changed: true, through, is_bit_field });
            }
        }
    }
}

impl Writer<'_> {
    pub(super) fn case(&mut self, kept: &Kept, stubs: &BTreeSet<String>) -> Result<Case, String> {
        let function = self.function(kept.function);
        if function.name == "main" {
            return Err("main is the program itself".into());
        }
        if let Some(reason) = &function.undrivable {
            return Err(reason.clone());
        }
        let inputs = self.inputs(function)?;
        if inputs.iter().any(|input| input.list.is_some()) {
            return Err("it takes a va_list".into());
        }
        if function.variadic {
            return Err("it takes variable arguments".into());
        }
        let values: HashMap<(&str, u32), &[u8]> = kept
            .slots
            .iter()
            .map(|(path, occurrence, bytes)| ((path.as_str(), *occurrence), bytes.as_slice()))
            .collect();
        let mut walk = Walk {
            values: &values,
            asked: HashMap::new(),
            used: BTreeSet::new(),
            block: Block::new(),
            leaves: Vec::new(),
            problem: None,
            looking: true,
            through: Vec::new(),
            callbacks: BTreeSet::new(),
            owner: None,
            came: None,
        };
        self.reads = self.reads_of(function);
        let state = self.state(function);
        let calls = if state.stateful { self.options.stateful_calls.max(1) } else { 1 };
        let result = self.result_variable(function);
        let limit = self.share(&inputs, &state);
        let mut long = self.can_be_long(&inputs, limit);
        if long.contains(&true) && walk.number(LONG, 1) == 0 {
            long.fill(false);
        }
        let ranges = self.parameter_ranges(&inputs);
        if !state.statics.is_empty() && walk.choice(2, &crate::drivers::statics_path(function)) != 0 {
            return Err("it sets static locals, which have no name outside of their function".into());
        }
        for register in self.registers(function) {
            walk.block.line(format!("case_device(0x{:x}ul, sizeof {});", register.address, register.place));
            let (depth, _) = self.sizes.reach_within(register.ty, self.options.slot_limit / 8, &self.reads);
            let spot = Spot {
                ty: register.ty,
                place: register.place,
                path: register.path,
                depth: i64::from(depth),
                targets: &[],
                nested: true,
                count: None,
                fresh: true,
                unqualified: false,
                cast: false,
            };
            self.give(&mut walk, &spot);
        }
        let mut made = self.for_anybody(|writer| writer.made_results(kept, stubs, &mut walk))?;
        for call in 0..calls {
            for id in &state.globals {
                let global = self.unit.global(*id);
                let (depth, count) = self.sizes.reach_within(global.ty, limit, &self.reads);
                let spot = Spot {
                    ty: global.ty,
                    place: global.name.clone(),
                    path: global.name.clone(),
                    depth: i64::from(depth),
                    targets: &global.targets,
                    nested: false,
                    count,
                    fresh: false,
                    unqualified: false,
                    cast: false,
                };
                self.give(&mut walk, &spot);
            }
            let mut later: Vec<(&Range, Vec<Option<Spot>>)> = Vec::new();
            for (index, input) in inputs.iter().enumerate() {
                let written = self.types.unqualified(input.ty).ok_or("a type that cannot be named")?;
                if call == 0 {
                    let zero = match self.types.rule(input.ty) {
                        Rule::Record(_) | Rule::Leave(_) | Rule::Opaque | Rule::Array { .. } => " = {0}",
                        _ => " = 0",
                    };
                    walk.block.declare(format!("{}{zero};", declaration(&written, &input.variable)));
                }
                if let Some(range) = ranges.iter().find(|range| range.start == index || range.derives(index))
                {
                    if range.start == index {
                        let spots: Vec<Option<Spot>> = inputs
                            .iter()
                            .map(|input| {
                                let depth = self.sizes.reach_within(input.ty, limit, &self.reads).0;
                                Some(parameter_spot(input, depth, call == 0))
                            })
                            .collect();
                        later.push((range, spots));
                    }
                    continue;
                }
                let earlier = self.equals(function, &inputs, index, &state);
                if !earlier.is_empty() {
                    let choice = walk.choice(earlier.len() + 1, &format!("{}?alias", input.path));
                    if let Some(other) = choice.checked_sub(1).and_then(|index| earlier.get(index)) {
                        walk.block.line(format!("{} = (void *){other};", input.variable));
                        continue;
                    }
                }
                let (depth, count) = self.sizes.reach_within(input.ty, limit, &self.reads);
                let long = long[index].then(|| self.long_elements(function));
                let spot = Spot { count: count.or(long), ..parameter_spot(input, depth, call == 0) };
                // The variable itself is the driver's: what it points to is looked at.
                walk.looking = matches!(self.types.rule(input.ty), Rule::Pointer(_));
                self.give(&mut walk, &spot);
                walk.looking = true;
            }
            for (range, spots) in &later {
                self.give_range(&mut walk, range, spots);
            }
            if call == 0 {
                self.look_at_written(&mut walk, function);
                walk.block.line(CALLS);
            }
            walk.block.line(CALL);
            let given: Vec<String> = inputs.iter().map(|input| input.given()).collect();
            let assign = result.as_ref().map_or(String::new(), |_| "case_result = ".to_owned());
            walk.block.line(format!("{assign}{}({});", function.name, given.join(", ")));
        }
        let mut leaves = Vec::new();
        if let Some(written) = &result {
            walk.block.declare(format!("{};", declaration(written, "case_result")));
            self.look_at_result(&mut leaves, function.result, "case_result");
        }
        leaves.append(&mut walk.leaves);
        let mut stubs = self.stub_values(kept, stubs, &mut walk)?;
        stubs.append(&mut made);
        if let Some(problem) = walk.problem {
            return Err(problem);
        }
        Ok(Case {
            name: kept.name.clone(),
            comment: kept.comment.clone(),
            body: without_space(&walk.block.into_text()),
            leaves,
            stubs,
            callbacks: walk.callbacks,
        })
    }

    fn result_variable(&self, function: &Function) -> Option<String> {
        match self.types.kind(function.result) {
            TypeKind::Void => None,
            _ => self.types.unqualified(function.result),
        }
    }

    /// A number of this type by its bits; what is not finite is made of its bits.
    pub(super) fn real(&self, ty: TypeId, bits: u64) -> String {
        match self.types.kind(ty) {
            TypeKind::Float { bits: 32 } => match f32::from_bits(bits as u32) {
                value if value.is_finite() => {
                    let text = format!("{value:?}f");
                    if value.is_sign_negative() { format!("({text})") } else { text }
                }
                _ => format!("case_float(0x{:08x}u)", bits as u32),
            },
            _ => match f64::from_bits(bits) {
                value if value.is_finite() => literal::real(value),
                _ => format!("case_double(0x{bits:016x}ull)"),
            },
        }
    }

    pub(super) fn leaf_kind(&self, ty: TypeId) -> Option<LeafKind> {
        match self.types.kind(ty) {
            TypeKind::Bool => Some(LeafKind::Integer { bits: 1, signed: false, names: Vec::new() }),
            TypeKind::Int { bits, signed, .. } if *bits <= 64 => {
                Some(LeafKind::Integer { bits: *bits, signed: *signed, names: Vec::new() })
            }
            TypeKind::Enum { bits, signed, values } => {
                let nameable =
                    self.types.written(ty).is_some_and(|written| !written.starts_with("__typeof__"));
                let names = values.iter().filter(|_| nameable).map(|v| (v.value, v.name.clone())).collect();
                Some(LeafKind::Integer { bits: *bits, signed: *signed, names })
            }
            TypeKind::Float { bits: 32 | 64 } => Some(LeafKind::Real),
            TypeKind::Pointer { .. } => Some(LeafKind::Pointer),
            _ => None,
        }
    }

    /// Globals that the unit writes and that are no inputs.
    fn look_at_written(&self, walk: &mut Walk<'_>, entry: &Function) {
        for function in self.unit_of(entry).into_iter().filter(|function| function.file == self.unit.id) {
            for usage in function.globals.iter().filter(|usage| usage.writes) {
                let global = self.unit.global(usage.global);
                if global.scope == GlobalScope::File && !global.is_const && !global.is_thread_local {
                    self.look_at(walk, global.ty, &global.name, 2);
                }
            }
        }
    }

    fn look_at(&self, walk: &mut Walk<'_>, ty: TypeId, place: &str, depth: u32) {
        match self.types.rule(ty) {
            Rule::Number | Rule::Bool | Rule::Enum => walk.leaf(place, self.leaf_kind(ty)),
            Rule::Array { element, length } if length <= MOST_ELEMENTS && depth > 0 => {
                for index in 0..length {
                    self.look_at(walk, element, &format!("{place}[{index}]"), depth - 1);
                }
            }
            Rule::Record(record) if depth > 0 && !self.unit.record(record).is_union => {
                for field in &self.unit.record(record).fields {
                    if let (Some(name), None) = (&field.name, field.bit_width) {
                        self.look_at(walk, field.ty, &format!("{place}.{name}"), depth - 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn look_at_result(&self, leaves: &mut Vec<Leaf>, ty: TypeId, place: &str) {
        let mut push = |expression: &str, kind: Option<LeafKind>| {
            leaves.extend(kind.map(|kind| Leaf {
                expression: expression.to_owned(),
                kind,
                only_if_changed: false,
                through: Vec::new(),
                is_bit_field: false,
            }));
        };
        match self.types.rule(ty) {
            Rule::Record(record) if !self.unit.record(record).is_union => {
                for field in &self.unit.record(record).fields {
                    if let (Some(name), None) = (&field.name, field.bit_width)
                        && !matches!(self.leaf_kind(field.ty), Some(LeafKind::Pointer))
                    {
                        push(&format!("{place}.{name}"), self.leaf_kind(field.ty));
                    }
                }
            }
            _ => push(place, self.leaf_kind(ty)),
        }
    }

    pub(super) fn give(&mut self, walk: &mut Walk<'_>, spot: &Spot<'_>) {
        match self.types.rule(spot.ty) {
            Rule::Number | Rule::Enum => {
                let size = self.unit.ty(spot.ty).size.unwrap_or(0) as usize;
                if size > 8 {
                    let bytes = walk.take(&spot.path, size);
                    self.bytes(walk, spot, &bytes);
                    return;
                }
                let bits = walk.number(&spot.path, size);
                walk.leaf(&spot.place, self.leaf_kind(spot.ty));
                self.scalar(walk, spot, bits);
            }
            Rule::Bool => {
                let bits = walk.number(&spot.path, 8) & 1;
                walk.leaf(&spot.place, self.leaf_kind(spot.ty));
                self.scalar(walk, spot, bits);
            }
            Rule::LongDouble => {
                let value = f64::from_bits(walk.number(&spot.path, 8));
                if value != 0.0 || !spot.fresh {
                    let value = if value.is_finite() {
                        literal::real(value)
                    } else {
                        format!("case_double(0x{:016x}ull)", value.to_bits())
                    };
                    self.assign_value(walk, spot, value);
                }
            }
            Rule::Opaque => {
                let size = self.unit.ty(spot.ty).size.unwrap_or(0) as usize;
                let bytes = walk.take(&spot.path, size);
                self.bytes(walk, spot, &bytes);
            }
            Rule::Array { element, length } => self.give_array(walk, spot, element, length),
            Rule::Record(record) => {
                let path = format!("{}.", spot.path);
                self.give_record(walk, record, &format!("{}.", spot.place), &path, spot.depth, spot.fresh);
            }
            Rule::Pointer(to) => self.give_pointer(walk, spot, to),
            Rule::Code(function) => self.give_code(walk, spot, function),
            Rule::Leave(_) => {}
        }
    }

    fn scalar(&self, walk: &mut Walk<'_>, spot: &Spot<'_>, bits: u64) {
        if bits == 0 && spot.fresh {
            return;
        }
        let value = match self.leaf_kind(spot.ty) {
            Some(LeafKind::Integer { bits: width, signed, names }) => {
                literal::integer(bits, width, signed, &names)
            }
            _ => self.real(spot.ty, bits),
        };
        self.assign_value(walk, spot, value);
    }

    fn assign_value(&self, walk: &mut Walk<'_>, spot: &Spot<'_>, value: String) {
        if self.types.is_const(spot.ty) && !spot.unqualified {
            match self.types.unqualified(spot.ty) {
                Some(written) => {
                    walk.block.line(format!("*({})&{} = {value};", declaration(&written, "*"), spot.place));
                }
                None => walk.refuse(format!("`{}` is constant and its type has no name", spot.place)),
            }
        } else {
            walk.block.line(format!("{} = {value};", spot.place));
        }
    }

    fn bytes(&self, walk: &mut Walk<'_>, spot: &Spot<'_>, bytes: &[u8]) {
        if spot.fresh && bytes.iter().all(|byte| *byte == 0) {
            return;
        }
        walk.block.line(format!(
            "memcpy((void *)&{}, {}, {});",
            spot.place,
            literal::string(bytes),
            bytes.len()
        ));
    }

    fn give_array(&mut self, walk: &mut Walk<'_>, spot: &Spot<'_>, element: TypeId, length: u64) {
        if let Some((innermost, count, flat)) = self.innermost(element, length) {
            let place = if flat { spot.place.clone() } else { format!("((void *){})", spot.place) };
            self.give_numbers(walk, spot, &place, innermost, count, flat);
            return;
        }
        let count = self.sizes.array_count(element, length);
        self.give_elements(walk, spot, element, count);
    }

    /// The innermost elements of an array of numbers, how many are set, and whether it has one dimension.
    fn innermost(&self, element: TypeId, length: u64) -> Option<(TypeId, u64, bool)> {
        match self.types.rule(element) {
            Rule::Number => Some((element, self.sizes.array_count(element, length), true)),
            Rule::Array { element: inner, length: inner_length } => {
                let (innermost, count, _) = self.innermost(inner, length.saturating_mul(inner_length))?;
                Some((innermost, count, false))
            }
            _ => None,
        }
    }

    /// `count` numbers of one slot.
    fn give_numbers(
        &mut self,
        walk: &mut Walk<'_>,
        spot: &Spot<'_>,
        place: &str,
        element: TypeId,
        count: u64,
        indexable: bool,
    ) {
        let size = self.unit.ty(element).size.unwrap_or(1).max(1) as usize;
        let bytes = walk.take(&spot.path, size * count as usize);
        let numbers: Vec<u64> = bytes
            .chunks_exact(size)
            .map(|chunk| chunk.iter().take(8).rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
            .collect();
        if indexable && count <= MOST_ELEMENTS && !self.types.is_const(element) {
            for index in 0..count {
                walk.leaf(&format!("{place}[{index}]"), self.leaf_kind(element));
            }
        }
        let used = numbers.iter().filter(|number| **number != 0).count();
        if used == 0 && spot.fresh {
            return;
        }
        if indexable && used <= FEW && !self.types.is_const(element) {
            if !spot.fresh {
                walk.block.line(format!("memset((void *){place}, 0, {});", bytes.len()));
            }
            for (index, number) in numbers.iter().enumerate().filter(|(_, number)| **number != 0) {
                let value = self.element_value(element, *number);
                walk.block.line(format!("{place}[{index}] = {value};"));
            }
            return;
        }
        let last = numbers.iter().rposition(|number| *number != 0).map_or(0, |last| last + 1);
        if size == 1 {
            let text = literal::string(&bytes[..last]);
            walk.block.line(format!("memcpy((void *){place}, {text}, {});", last.max(1)));
        } else if let Some(written) = self.types.unqualified(element) {
            let values: Vec<String> =
                numbers[..last.max(1)].iter().map(|number| self.element_value(element, *number)).collect();
            walk.block.line(format!(
                "memcpy((void *){place}, ({written}[]){{{}}}, {});",
                values.join(", "),
                last.max(1) * size
            ));
        } else {
            walk.refuse(format!("the elements of `{}` have no name for their type", spot.place));
        }
        if !spot.fresh && last.max(1) * size < bytes.len() {
            let rest = bytes.len() - last.max(1) * size;
            walk.block.line(format!("memset((char *){place} + {}, 0, {rest});", last.max(1) * size));
        }
    }

    fn element_value(&self, element: TypeId, bits: u64) -> String {
        match self.types.kind(element) {
            TypeKind::Int { is_char: true, .. } if (b' '..=b'~').contains(&(bits as u8)) && bits < 128 => {
                match bits as u8 {
                    b'\'' => "'\\''".into(),
                    b'\\' => "'\\\\'".into(),
                    letter => format!("'{}'", char::from(letter)),
                }
            }
            _ => match self.leaf_kind(element) {
                Some(LeafKind::Integer { bits: width, signed, names }) => {
                    literal::integer(bits, width, signed, &names)
                }
                _ => self.real(element, bits),
            },
        }
    }

    fn give_elements(&mut self, walk: &mut Walk<'_>, spot: &Spot<'_>, element: TypeId, count: u64) {
        let mut starts = Vec::new();
        for index in 0..count {
            starts.push(walk.block.length());
            let depth = if self.types.holds_pointers(element) { rest(spot.depth, index) } else { spot.depth };
            let inner = Spot {
                ty: element,
                place: format!("{}[{index}]", spot.place),
                path: format!("{}[{index}]", spot.path),
                depth,
                nested: true,
                count: None,
                ..spot.clone()
            };
            self.give(walk, &inner);
        }
        walk.block.fold_elements(&spot.place, &starts);
    }

    /// `place` and `path` end where a member's name follows.
    fn give_record(
        &mut self,
        walk: &mut Walk<'_>,
        id: RecordId,
        place: &str,
        path: &str,
        depth: i64,
        fresh: bool,
    ) {
        let record = self.unit.record(id);
        let outer = self.leads_back(id).then(|| std::mem::replace(&mut walk.came, walk.owner.take()));
        if record.is_union {
            self.give_union(walk, id, record, place, path, depth, fresh);
        } else {
            let ranges = self.member_ranges(record);
            for (at, field) in record.fields.iter().enumerate() {
                if let Some(range) = ranges.iter().find(|range| range.start == at) {
                    let spots: Vec<Option<Spot>> = record
                        .fields
                        .iter()
                        .map(|field| self.member_spot(id, field, place, path, depth, fresh))
                        .collect();
                    match self.elements_of(field.ty) {
                        Some(count) => {
                            let null = self.is_null(walk, field, &spots[at]);
                            self.give_member(walk, id, field, place, path, depth, fresh);
                            self.give_places(walk, range, &spots, count, null);
                        }
                        None => self.give_range(walk, range, &spots),
                    }
                } else if !ranges.iter().any(|range| range.derives(at)) {
                    self.give_member(walk, id, field, place, path, depth, fresh);
                }
            }
        }
        if let Some(outer) = outer {
            walk.owner = std::mem::replace(&mut walk.came, outer);
        }
    }

    fn member_spot<'f>(
        &self,
        record: RecordId,
        field: &'f Field,
        place: &str,
        path: &str,
        depth: i64,
        fresh: bool,
    ) -> Option<Spot<'f>> {
        let name = field.name.as_deref()?;
        let depth = depth - i64::from(self.cost(record, field));
        Some(Spot {
            ty: self.types.member(field),
            place: format!("{place}{name}"),
            path: format!("{path}{name}"),
            depth: if self.beyond(field) == Some(Beyond::Made) { depth.max(1) } else { depth },
            targets: &field.targets,
            nested: true,
            count: None,
            fresh,
            unqualified: false,
            cast: self.types.member(field) != field.ty,
        })
    }

    /// One piece of memory and the pointers into it, as [`Writer::set_range`] sets them.
    fn give_range(&mut self, walk: &mut Walk<'_>, range: &Range, spots: &[Option<Spot<'_>>]) {
        let spot = |at: usize| spots.get(at).and_then(Option::as_ref);
        let Some(start) = spot(range.start) else { return };
        let count = u64::from(self.options.elements);
        let Rule::Pointer(to) = self.types.rule(start.ty) else { return };
        let null = start.depth < 1 || self.is_chosen_null(walk, start);
        if null {
            if start.depth > 0 {
                self.in_vain(walk, |writer, walk| writer.give_memory(walk, start, to, count));
            }
            if !start.fresh {
                self.assign_value(walk, start, "0".into());
            }
        } else {
            self.give_memory(walk, start, to, count);
        }
        self.give_places(walk, range, spots, count, null);
    }

    /// Elements of numbers that pointers of a range lead into.
    fn give_memory(&mut self, walk: &mut Walk<'_>, start: &Spot<'_>, to: TypeId, count: u64) {
        self.assign_value(walk, start, format!("case_memory({count}, sizeof *{})", start.place));
        let looking = std::mem::replace(&mut walk.looking, false);
        let place = match self.types.unqualified(to) {
            Some(written) if self.types.is_const(to) => format!("(({written} *){})", start.place),
            _ => start.place.clone(),
        };
        let inner = Spot { fresh: true, ..start.clone() };
        self.give_numbers(walk, &inner, &place, to, count, !self.types.is_const(to));
        walk.looking = looking;
    }

    /// Whether an input makes this pointer null, which leads to something else.
    fn is_chosen_null(&self, walk: &mut Walk<'_>, spot: &Spot<'_>) -> bool {
        self.options.null_pointers && walk.choice(2, &format!("{}?null", spot.path)) != 0
    }

    /// What a driver makes although the pointer to it is null: its slots are asked for, and nothing else is done.
    fn in_vain(&mut self, walk: &mut Walk<'_>, give: impl FnOnce(&mut Self, &mut Walk<'_>)) {
        let block = std::mem::replace(&mut walk.block, Block::new());
        let looking = std::mem::replace(&mut walk.looking, false);
        let (problem, callbacks) = (walk.problem.clone(), walk.callbacks.clone());
        give(self, walk);
        (walk.block, walk.looking, walk.problem, walk.callbacks) = (block, looking, problem, callbacks);
    }

    /// The other pointers of a range, as [`Writer::point_into`] sets them.
    fn give_places(
        &mut self,
        walk: &mut Walk<'_>,
        range: &Range,
        spots: &[Option<Spot<'_>>],
        count: u64,
        null: bool,
    ) {
        let spot = |at: usize| spots.get(at).and_then(Option::as_ref);
        let Some(start) = spot(range.start) else { return };
        let moved = range.start_moves().then_some(range.start);
        let mut values = Vec::new();
        values.extend(range.end.and_then(spot).map(|end| (end, format!("{} + {count}", start.place))));
        for at in range.cursors.iter().chain(&range.marks).copied().chain(moved) {
            let Some(inner) = spot(at) else { continue };
            let offset = walk.number(&format!("{}?offset", inner.path), 8);
            values.push((inner, format!("{} + {offset}", start.place)));
        }
        for (spot, value) in values {
            if !null {
                self.assign_value(walk, spot, value);
            } else if !spot.fresh {
                self.assign_value(walk, spot, "0".into());
            }
        }
    }

    /// Whether a member that leads to elements is null, before it is given.
    fn is_null(&self, walk: &Walk<'_>, field: &Field, spot: &Option<Spot<'_>>) -> bool {
        let Some(spot) = spot else { return true };
        match spot.depth < 1 {
            true => self.beyond(field) != Some(Beyond::Zeroed),
            false => self.options.null_pointers && walk.next(&format!("{}?null", spot.path)) != 0,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn give_member(
        &mut self,
        walk: &mut Walk<'_>,
        record: RecordId,
        field: &Field,
        place: &str,
        path: &str,
        depth: i64,
        fresh: bool,
    ) {
        let Some(mut spot) = self.member_spot(record, field, place, path, depth, fresh) else {
            if let Some(inner) = self.types.anonymous(field) {
                self.give_record(walk, inner, place, path, depth, fresh);
            }
            return;
        };
        // A stub is written in the file of its function, which may make nothing of the pointer: bytes have its own path.
        if spot.cast && walk.has(&spot.path) {
            spot = Spot { ty: field.ty, cast: false, depth: spot.depth.max(1), ..spot };
        }
        match field.bit_width {
            Some(0) => {}
            Some(_) if self.types.is_const(field.ty) => {}
            Some(_) if !self.options.bit_fields => walk.block.line(format!("{} = 0;", spot.place)),
            Some(width) => {
                let bits = walk.number(&spot.path, 8);
                let bits = if width < 64 { bits & ((1 << width) - 1) } else { bits };
                let kind = match self.leaf_kind(field.ty) {
                    Some(LeafKind::Integer { signed, names, .. }) => {
                        Some(LeafKind::Integer { bits: width, signed, names })
                    }
                    other => other,
                };
                walk.leaf_or_field(&spot.place, kind.clone(), true);
                if let Some(LeafKind::Integer { bits: width, signed, names }) = kind
                    && (bits != 0 || !fresh)
                {
                    let value = literal::integer(bits, width, signed, &names);
                    walk.block.line(format!("{} = {value};", spot.place));
                }
            }
            None if matches!(self.types.kind(field.ty), TypeKind::Array { length: None | Some(0), .. }) => {}
            None => self.give_linked(walk, record, field, place, &spot),
        }
    }

    /// A member that may lead back, or from what is behind which something may, as [`Writer::set_linked`] sets it.
    fn give_linked(
        &mut self,
        walk: &mut Walk<'_>,
        record: RecordId,
        field: &Field,
        place: &str,
        spot: &Spot<'_>,
    ) {
        let owns = self.is_led_back(record, field);
        if owns && let Some(member) = field.name.clone() {
            walk.owner = Some(Owner { record, member, address: address(place) });
        }
        let ways = self.ways_to(record, field);
        let leads = |came: &&Owner| ways.contains(&(came.record, came.member.as_str()));
        let above = walk.came.as_ref().filter(leads).map(|came| came.address.clone());
        let is_read = field.name.as_deref().is_some_and(|name| self.reads.is_read(record, name));
        let is_above = |walk: &mut Walk<'_>| walk.choice(2, &format!("{}{OTHER}", spot.path)) == 0;
        let above = above.filter(|_| !is_read || is_above(walk));
        match above {
            Some(above) => self.assign_value(walk, spot, above),
            None if spot.depth < 1 && self.beyond(field) == Some(Beyond::Zeroed) => {
                self.give_zeroed(walk, spot);
            }
            None => self.give(walk, spot),
        }
        if owns {
            walk.owner = None;
        }
    }

    /// Zeroed elements, where the driver follows pointers no further.
    fn give_zeroed(&mut self, walk: &mut Walk<'_>, spot: &Spot<'_>) {
        let memory =
            self.zeroed_elements(spot.ty).map(|(count, size)| format!("case_memory({count}, {size})"));
        self.assign_value(walk, spot, memory.unwrap_or_else(|| "0".to_owned()));
    }

    #[allow(clippy::too_many_arguments)]
    fn give_union(
        &mut self,
        walk: &mut Walk<'_>,
        id: RecordId,
        record: &Record,
        place: &str,
        path: &str,
        depth: i64,
        fresh: bool,
    ) {
        let members: Vec<&Field> = record.fields.iter().filter(|field| self.is_member(field)).collect();
        if self.is_chosen(record) {
            let choice = walk.choice(members.len(), &format!("{path}?member"));
            if let Some(field) = members.get(choice) {
                self.give_member(walk, id, field, place, path, depth, fresh);
            }
            return;
        }
        let looking = std::mem::replace(&mut walk.looking, false);
        match self.union_way(id, &members) {
            crate::records::UnionWay::Member(field) => {
                self.give_member(walk, id, field, place, path, depth, fresh);
            }
            crate::records::UnionWay::Bytes(name, size) => {
                let bytes = walk.take(&format!("{path}{name}"), size as usize);
                if !(fresh && bytes.iter().all(|byte| *byte == 0)) {
                    walk.block.line(format!(
                        "memcpy((void *)&{place}{name}, {}, {size});",
                        literal::string(&bytes)
                    ));
                }
            }
            crate::records::UnionWay::All => {
                for field in members {
                    self.give_member(walk, id, field, place, path, depth, false);
                }
            }
        }
        walk.looking = looking;
    }

    fn give_pointer(&mut self, walk: &mut Walk<'_>, spot: &Spot<'_>, to: TypeId) {
        if let Some(objects) = self.known_objects(spot.targets, to) {
            self.give_object(walk, spot, &objects);
            return;
        }
        let mut to = to;
        let mut target = format!("*{}", spot.place);
        while let TypeKind::Array { element, length: None } = self.types.kind(to) {
            (to, target) = (*element, format!("({target})[0]"));
        }
        let leads_nowhere = matches!(self.types.pointee(to), Pointee::Null(_)) || spot.depth < 1;
        if !leads_nowhere && !self.is_chosen_null(walk, spot) {
            self.give_target(walk, spot, to, &target);
            return;
        }
        if !leads_nowhere {
            self.in_vain(walk, |writer, walk| writer.give_target(walk, spot, to, &target));
        }
        if !spot.fresh {
            self.assign_value(walk, spot, "0".into());
        }
    }

    /// One of the objects that the program has for it.
    fn give_object(&mut self, walk: &mut Walk<'_>, spot: &Spot<'_>, objects: &[String]) {
        let path = format!("{}{}", spot.path, known::CHOICE);
        let choice = if objects.len() > 1 { walk.choice(objects.len(), &path) } else { 0 };
        let is_null = self.is_chosen_null(walk, spot);
        match objects.get(choice).filter(|_| !is_null) {
            // Another file is no part of the test.
            Some(object) if !object.starts_with('&') => {
                walk.refuse(format!("`{}` points to an object of another file", spot.place));
            }
            Some(object) => self.assign_value(walk, spot, format!("(void *){object}")),
            None if spot.fresh => {}
            None => self.assign_value(walk, spot, "0".into()),
        }
    }

    /// What a pointer leads to that is not null.
    fn give_target(&mut self, walk: &mut Walk<'_>, spot: &Spot<'_>, to: TypeId, target: &str) {
        let pointee = self.types.pointee(to);
        let elements = spot.count.unwrap_or_else(|| self.sizes.pointer_count(to, spot.nested));
        let looking = walk.looking;
        walk.looking &= !self.types.is_const(to);
        walk.through.push(spot.place.clone());
        match pointee {
            Pointee::Null(_) => {}
            Pointee::Stream => {
                let most = (self.options.stream_length as usize).max(spot.count.unwrap_or(0) as usize);
                let length = walk.number(&format!("{}.length", spot.path), 4);
                let length = usize::try_from(length).unwrap_or(most).min(most);
                let bytes = walk.take(&format!("{}[]", spot.path), most);
                let text = literal::string(&bytes[..length]);
                self.assign_value(walk, spot, format!("case_stream({text}, {length})"));
            }
            Pointee::Hidden(_) if walk.choice(2, &format!("{}?made", spot.path)) != 0 => {
                walk.refuse(format!("`{}` points to a type that another file defines", spot.place));
            }
            Pointee::Hidden(size) => self.assign_value(walk, spot, format!("case_memory(1, {size})")),
            Pointee::Zeroed => self.assign_value(walk, spot, format!("case_memory(1, sizeof {target})")),
            Pointee::Text => {
                let bytes = walk.take(&spot.path, elements as usize);
                let last = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                let text = literal::string(&bytes[..last]);
                self.assign_value(walk, spot, format!("case_text({text}, {last}, {})", elements + 1));
                for index in 0..elements.min(MOST_ELEMENTS) {
                    walk.leaf(&format!("{}[{index}]", spot.place), self.leaf_kind(to));
                }
            }
            Pointee::Bytes => {
                let size = elements.saturating_mul(8) as usize;
                let bytes = walk.take(&spot.path, size);
                let last = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                let text = literal::string(&bytes[..last]);
                self.assign_value(walk, spot, format!("case_text({text}, {last}, {size})"));
            }
            Pointee::Numbers => {
                self.assign_value(walk, spot, format!("case_memory({elements}, sizeof {target})"));
                let inner = Spot { fresh: true, ..spot.clone() };
                let indexable = !self.types.is_const(to);
                let place = match (indexable, self.types.unqualified(to)) {
                    (false, Some(written)) => format!("(({written} *){})", spot.place),
                    _ => spot.place.clone(),
                };
                self.give_numbers(walk, &inner, &place, to, elements, indexable);
            }
            Pointee::Elements => self.give_pointed(walk, spot, to, elements, target),
        }
        walk.through.pop();
        walk.looking = looking;
    }

    fn give_pointed(
        &mut self,
        walk: &mut Walk<'_>,
        spot: &Spot<'_>,
        to: TypeId,
        elements: u64,
        target: &str,
    ) {
        let depth = spot.depth - 1;
        let Rule::Record(record) = self.types.rule(to) else {
            self.assign_value(walk, spot, format!("case_memory({elements}, sizeof {target})"));
            let inner = Spot { depth, fresh: true, targets: &[], unqualified: false, ..spot.clone() };
            self.give_elements(walk, &inner, to, elements);
            return;
        };
        // Members of what a pointer to const points to are set through a pointer without it.
        let place = match (self.types.is_const(to) || spot.cast, self.types.record(record)) {
            (true, Some(written)) => format!("(({written} *){})", spot.place),
            (true, None) => {
                walk.refuse(format!(
                    "what `{}` points to cannot be written: its type has no name",
                    spot.place
                ));
                return;
            }
            _ => spot.place.clone(),
        };
        let target = if spot.cast { format!("*{place}") } else { target.to_owned() };
        let lineage = self.lineage(record);
        let ways = lineage.heirs.len() + usize::from(lineage.plain.is_some());
        if !lineage.heirs.is_empty() {
            let way = if ways > 1 { walk.choice(ways, &format!("{}?as", spot.path)) } else { 0 };
            if let Some(heir) = lineage.heirs.get(way) {
                let least = lineage.least.max(elements * self.unit.ty(to).size.unwrap_or(0));
                self.give_heir(walk, spot, heir, least);
                return;
            }
        }
        let flexible = self.types.flexible(record);
        let more = flexible.and_then(|field| field.name.as_deref()).map_or(String::new(), |name| {
            let place = if spot.cast { &place } else { &spot.place };
            format!(" + {} * sizeof {place}->{name}[0]", self.options.elements)
        });
        self.assign_value(walk, spot, format!("case_memory({elements}, sizeof {target}{more})"));
        let holds = self.types.record_holds_pointers(record);
        let mut starts = Vec::new();
        for index in 0..elements {
            starts.push(walk.block.length());
            let (place, path) = match index {
                0 => (format!("{place}->"), format!("{}->", spot.path)),
                _ => (format!("{place}[{index}]."), format!("{}[{index}].", spot.path)),
            };
            let depth = if holds { rest(depth, index) } else { depth };
            self.give_record(walk, record, &place, &path, depth, true);
        }
        walk.block.fold_elements(&place, &starts);
        if let Some(field) = flexible {
            self.give_flexible(walk, spot, field, &place, depth);
        }
    }

    /// An object that holds the one pointed to, of at least so many bytes.
    fn give_heir(&mut self, walk: &mut Walk<'_>, spot: &Spot<'_>, heir: &Heir, least: u64) {
        let Some(written) = self.types.record(heir.record) else {
            walk.refuse(format!("what `{}` points to has no name for its type", spot.place));
            return;
        };
        let size = format!("sizeof({written}) > {least}ul ? sizeof({written}) : {least}ul");
        let (memory, whole) = match heir.offset {
            0 => (format!("case_memory(1, {size})"), spot.place.clone()),
            offset => (
                format!("(void *)((char *)case_memory(1, {size}) + {offset})"),
                format!("((char *){} - {offset})", spot.place),
            ),
        };
        self.assign_value(walk, spot, memory);
        let place = format!("(({written} *){whole})->");
        self.give_record(walk, heir.record, &place, &format!("{}->", spot.path), spot.depth - 1, true);
    }

    /// The elements behind a record.
    fn give_flexible(
        &mut self,
        walk: &mut Walk<'_>,
        spot: &Spot<'_>,
        field: &Field,
        record: &str,
        depth: i64,
    ) {
        let (Some(name), TypeKind::Array { element, .. }) = (&field.name, self.types.kind(field.ty)) else {
            return;
        };
        let inner = Spot {
            ty: field.ty,
            place: format!("{record}->{name}"),
            path: format!("{}->{name}", spot.path),
            depth,
            targets: &field.targets,
            nested: true,
            count: None,
            fresh: true,
            unqualified: false,
            cast: false,
        };
        let elements = u64::from(self.options.elements);
        if self.types.rule(*element) == Rule::Number {
            self.give_numbers(walk, &inner, &inner.place, *element, elements, true);
        } else {
            self.give_elements(walk, &inner, *element, elements);
        }
    }

    fn give_code(&mut self, walk: &mut Walk<'_>, spot: &Spot<'_>, function: TypeId) {
        if !self.options.function_pointers {
            self.assign_value(walk, spot, "0".into());
            return;
        }
        let targets = self.code_targets(function, spot.targets);
        let own = usize::from(targets.is_empty());
        let choices = targets.len() + own + usize::from(self.may_be_null_code(spot.targets));
        let choice = if choices > 1 { walk.choice(choices, &spot.path) } else { 0 };
        match targets.get(choice) {
            Some(target) if is_elsewhere(target) => {
                walk.refuse(format!("`{}` points to a function that is static in another file", spot.place));
            }
            Some(target) => {
                let value = format!("(__typeof__({})){target}", spot.place);
                if self.types.is_const(spot.ty) && !spot.unqualified {
                    walk.block.line(format!("*(void (**)(void))&{} = (void (*)(void)){target};", spot.place));
                } else {
                    walk.block.line(format!("{} = {value};", spot.place));
                }
            }
            None if own == 1 && choice == 0 => {
                let callback = (function, self.allocator(&spot.place, spot.targets, function));
                walk.callbacks.insert(callback);
                let name = case_callback(callback);
                walk.block.line(format!("*(void (**)(void))&{} = (void (*)(void)){name};", spot.place));
            }
            None if spot.fresh => {}
            None => self.assign_value(walk, spot, "0".into()),
        }
    }
}

/// The marks stand at the beginning of their lines, and are all that is in these.
fn without_space(body: &str) -> String {
    [CALLS, CALL].iter().fold(body.to_owned(), |body, mark| body.replace(&format!("    {mark}\n"), mark))
}

/// A parameter's own variable.
fn parameter_spot(input: &Input, depth: u32, fresh: bool) -> Spot<'_> {
    Spot {
        ty: input.ty,
        place: input.variable.clone(),
        path: input.path.clone(),
        depth: i64::from(depth),
        targets: &input.targets,
        nested: false,
        count: None,
        fresh,
        unqualified: true,
        cast: false,
    }
}

/// The address of an object, by what stands before the names of its members: `p->`, `list[1].`
fn address(members: &str) -> String {
    match members.strip_suffix("->") {
        Some(pointer) => format!("(void *){pointer}"),
        None => format!("(void *)&{}", members.strip_suffix('.').unwrap_or(members)),
    }
}

/// Pointers of the first element are followed to the end, those of the other elements one step.
fn rest(depth: i64, index: u64) -> i64 {
    if index == 0 || depth < 1 { depth } else { 1 }
}
