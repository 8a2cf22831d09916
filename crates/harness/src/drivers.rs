//! Drivers: a function per function under test that sets its inputs and calls it.

use crate::arguments::List;
use crate::inputs::State;
use crate::made::TOLD;
use crate::preconditions::{Precondition, PreconditionKind, is_length};
use crate::text::{At, Block};
use crate::types::{Pointee, Rule, declaration};
use crate::values::{DRIVER_LEVEL, Slot};
use crate::writer::Writer;
use model::{Callee, Function, Global, GlobalScope, Param, TypeId, TypeKind};

/// A parameter as the driver sees it.
pub(crate) struct Input {
    pub(crate) variable: String,
    /// The slot path's first part.
    pub(crate) path: String,
    pub(crate) ty: TypeId,
    /// It is an argument list.
    pub(crate) list: Option<List>,
    /// Elements behind it, where that is not the usual number: a C expression.
    pub(crate) count: Option<String>,
    /// As many as the declaration asks callers for, or one, where nothing walks through it.
    pub(crate) elements: Option<u64>,
    /// Others that point into the same memory, not before it.
    pub(crate) before: Vec<String>,
    /// What a pointer to a function may lead to, see [`model::Global::targets`].
    pub(crate) targets: Vec<String>,
    /// The parameter points to the variable: `char **cursor`.
    pub(crate) by_address: bool,
}

/// Elements that a declaration may ask for, to be taken by its word.
const MOST_DECLARED: u64 = 1024;

impl Input {
    /// The argument of the call.
    pub(crate) fn given(&self) -> String {
        match self.list {
            Some(List::Pointer) => format!("&{}", self.variable),
            _ if self.by_address => format!("(void *)&{}", self.variable),
            _ => self.variable.clone(),
        }
    }
}

/// Something at an address that the source names.
pub(crate) struct Register {
    pub(crate) address: u64,
    pub(crate) ty: TypeId,
    /// C lvalue.
    pub(crate) place: String,
    pub(crate) path: String,
}

/// A driver as it stands in the file.
pub(crate) struct Driver {
    pub(crate) text: String,
    pub(crate) preconditions: Vec<Precondition>,
    /// Its buffers can be long.
    pub(crate) has_long: bool,
}

/// Among what a pointer to a function leads to: none of the program's functions, but one of whoever calls. No function
/// has such a name.
pub(crate) const OWN: &str = "?own";
/// The setting that makes buffers long, and the variable that holds their length.
pub const LONG: &str = "?long";
pub(crate) const BUFFER: &str = "ctn_buffer";
/// The most elements of a buffer, and how many more than an array holds.
const LONGEST: u64 = 4096 + BEYOND;
const BEYOND: u64 = 44;

impl Writer<'_> {
    /// The driver's text, or why there is none.
    pub(crate) fn driver(&mut self, function: &Function) -> Result<Driver, String> {
        if let Some(reason) = self.options.without.drivers.get(&function.id).or(function.undrivable.as_ref())
        {
            return Err(reason.clone());
        }
        if function.name == "main" && !function.is_static {
            let body = self.drive_program(function)?;
            let text = self.driver_text(function, &State::default(), &body);
            return Ok(Driver { text, preconditions: Vec::new(), has_long: false });
        }
        let mut inputs = self.inputs(function)?;
        let state = self.state(function);
        self.reads = self.reads_of(function);
        let table = format!("ctn_reads_{}", function.name);
        let said = self.said_reads(&table, function, &inputs, &state);
        let mut block = Block::new();
        block.line_if(said.clone());
        let limit = self.share(&inputs, &state);
        let (has_long, preconditions) = self.set_inputs(&mut block, function, &mut inputs, &state, limit)?;
        let more = self.variable_arguments(&mut block, function, &inputs);
        let call = self.call(function, &inputs, more.as_deref().filter(|_| function.variadic));
        let helper = self.with_lists(function, &inputs, &call)?;
        match &helper {
            None => block.line(call),
            Some(_) => {
                let fixed = inputs.iter().filter(|input| input.list.is_none());
                let given: String = fixed.map(|input| format!("{}, ", input.variable)).collect();
                let more = more.unwrap_or_default();
                block.line(format!("ctn_call_{}({given}0, {more});", function.name));
            }
        }
        let mut before = self.set_registers(function) + &self.set_statics(function, &state, limit);
        if let Some(said) = said.filter(|_| !before.is_empty()) {
            before.insert_str(0, &format!("    {said}\n"));
        }
        let body = self.long_setting(function, has_long) + &self.repeated(&state, before, block.into_text());
        for left in &state.left {
            self.notes.push(format!("{}: {left}", function.name));
        }
        let text = helper.unwrap_or_default() + &self.driver_text(function, &state, &body);
        Ok(Driver { text, preconditions, has_long })
    }

    /// Globals, parameters and what is assumed of them. Also gives whether buffers can be long.
    pub(crate) fn set_inputs(
        &mut self,
        block: &mut Block,
        function: &Function,
        inputs: &mut [Input],
        state: &State,
        limit: u64,
    ) -> Result<(bool, Vec<Precondition>), String> {
        let long = self.can_be_long(inputs, limit);
        for (input, long) in inputs.iter_mut().zip(&long) {
            let usual = self.reach_of(input.ty, limit).1;
            let told = input.elements.map(|elements| match elements {
                1 => "1".to_owned(),
                several => format!("{several} {TOLD}"),
            });
            input.count = usual.or(told).or_else(|| long.then(|| BUFFER.to_owned()));
        }
        self.set_globals(block, state, limit);
        self.set_parameters(block, function, inputs, state, limit)?;
        let mut preconditions = self.preconditions(function, inputs);
        preconditions.extend(self.global_ranges(state));
        preconditions.extend(self.global_sizes(state));
        preconditions.extend(self.global_indexes(function, state));
        for assumed in &preconditions {
            let call = if assumed.kind == PreconditionKind::Size { "ctn_limit" } else { "ctn_assume" };
            block.line(format!("{call}({}); /* {} */", assumed.condition, assumed.kind.name()));
            block.line_if(assumed.end.as_ref().map(|end| end.statement.clone()));
        }
        Ok((long.contains(&true), preconditions))
    }

    /// The statement that says what the unit reads, if that matters for what its driver makes.
    pub(crate) fn said_reads(
        &mut self,
        table: &str,
        function: &Function,
        inputs: &[Input],
        state: &State,
    ) -> Option<String> {
        let mut types: Vec<TypeId> = inputs.iter().map(|input| input.ty).collect();
        types.extend(state.globals.iter().chain(&state.statics).map(|id| self.unit.global(*id).ty));
        types.extend(self.registers(function).iter().map(|register| register.ty));
        if function.variadic || inputs.iter().any(|input| input.list.is_some()) {
            types.extend(self.asked_for(function).0);
        }
        self.say_reads(table, &types)
    }

    /// By parameter: it points to plain memory, or is a file, of as many elements as the driver's setting says.
    pub(crate) fn can_be_long(&self, inputs: &[Input], limit: u64) -> Vec<bool> {
        let ranges = self.parameter_ranges(inputs);
        let is_buffer = |input: &Input| match self.types.rule(input.ty) {
            Rule::Pointer(to) if input.list.is_none() && input.elements.is_none() => {
                matches!(
                    self.types.pointee(to),
                    Pointee::Text | Pointee::Numbers | Pointee::Bytes | Pointee::Stream
                )
            }
            _ => false,
        };
        let one = |(at, input): (usize, &Input)| {
            is_buffer(input)
                && !ranges.iter().any(|range| range.start == at || range.derives(at))
                && self.options.long_elements > self.options.elements
                && self.sizes.reach_within(input.ty, limit, &self.reads).1.is_none()
        };
        inputs.iter().enumerate().map(one).collect()
    }

    /// Not a choice of the search: paths with short and with long buffers are not in one tree.
    pub(crate) fn long_setting(&self, function: &Function, has_long: bool) -> String {
        if !has_long {
            return String::new();
        }
        let (long, short) = (self.long_elements(function), self.options.elements);
        format!("    unsigned long {BUFFER} = ctn_setting(CTN_ROOT(\"{LONG}\")) ? {long} : {short};\n")
    }

    /// More than the arrays hold that the function and what it calls fill, if that is not too much.
    pub(crate) fn long_elements(&self, function: &Function) -> u64 {
        let callees = function.calls.iter().filter_map(|callee| match callee {
            Callee::Defined(id) => Some(self.function(*id)),
            Callee::External(_) => None,
        });
        let overruns =
            std::iter::once(function).chain(callees).map(|one| one.facts.fills.saturating_add(BEYOND));
        let usual = u64::from(self.options.long_elements);
        overruns.filter(|elements| *elements <= LONGEST).fold(usual, u64::max)
    }

    fn driver_text(&self, function: &Function, state: &State, body: &str) -> String {
        let place = format!("{}:{}", function.location.file, function.location.line);
        let mut comment = format!("/* {place}");
        for left in &state.left {
            comment.push_str(&format!("\n * Not set: {}", left.replace("*/", "* /")));
        }
        let head = format!("static void ctn_drive_{}(void)", function.name);
        format!("{comment} */\n{head}\n{{\n{body}}}\n")
    }

    /// The parameters of a function.
    pub(crate) fn inputs(&self, function: &Function) -> Result<Vec<Input>, String> {
        let params = function.params.iter().enumerate();
        let mut inputs: Vec<Input> =
            params.map(|(index, param)| self.input(function, index, param)).collect::<Result<_, _>>()?;
        self.hand_over_cursor(function, &mut inputs);
        Ok(inputs)
    }

    fn input(&self, function: &Function, index: usize, param: &Param) -> Result<Input, String> {
        let named = if param.name.is_empty() { format!("arg{}", index + 1) } else { param.name.clone() };
        let variable = self.parameter_name(index, param);
        let list = self.types.argument_list(param.ty);
        if self.types.written(param.ty).is_none() {
            return Err(format!("the type of parameter `{named}` cannot be named outside of the function"));
        }
        if let Rule::Leave(reason) = self.types.rule(param.ty)
            && list.is_none()
            && self.unit.ty(param.ty).size.is_none()
        {
            return Err(format!("parameter `{named}`: {reason}"));
        }
        let ty = self.used_as(function, param);
        let targets = self.parameter_targets(function, param);
        let elements = self.elements(function, param, ty);
        let spans = function.facts.spans.iter().filter(|(first, _)| *first == param.name);
        let before = spans.map(|(_, last)| last.clone()).collect();
        let by_address = false;
        Ok(Input { variable, path: named, ty, list, count: None, elements, before, targets, by_address })
    }

    /// How many elements a parameter leads to, where the function says so.
    fn elements(&self, function: &Function, param: &Param, ty: TypeId) -> Option<u64> {
        let Rule::Pointer(to) = self.types.rule(ty) else { return None };
        let room = self.room(function, param, to);
        let is_value = match self.types.pointee(to) {
            Pointee::Numbers => true,
            Pointee::Elements => matches!(self.types.rule(to), Rule::Pointer(_) | Rule::Bool | Rule::Enum),
            Pointee::Text if param.declared_length.is_some() => false,
            // With the NUL at its end.
            Pointee::Text => return room.map(|room| room - 1),
            _ => return None,
        };
        let is_one =
            is_value && param.declared_length.is_none() && !function.facts.walked.contains(&param.name);
        let declared = param.declared_length.filter(|length| (1..=MOST_DECLARED).contains(length));
        declared.or(room).or(is_one.then_some(1))
    }

    /// How many elements there are in the least of the arrays that the program hands over, where nothing else is ever handed
    /// over to be filled, and no parameter says how much of it is there.
    fn room(&self, function: &Function, param: &Param, to: TypeId) -> Option<u64> {
        let is_filled = function.facts.stores.contains(&param.name) && !self.types.is_const(to);
        let is_told = function.facts.lengths.iter().any(|used| used.pointer == param.name)
            || function.params.iter().any(|other| {
                is_length(&other.name) && matches!(self.types.kind(other.ty), TypeKind::Int { .. })
            });
        let size = self.unit.ty(to).size.filter(|size| *size > 0)?;
        let room = param.room.filter(|_| is_filled && !is_told)? / size;
        (2..=MOST_DECLARED).contains(&room).then_some(room)
    }

    /// A function that is called unasked is there: callers know that. Those who call what nothing in the program calls
    /// have functions of their own.
    fn parameter_targets(&self, function: &Function, param: &Param) -> Vec<String> {
        let facts = &function.facts;
        let is_handed_on = facts.stores.contains(&param.name);
        let is_asked_for =
            facts.null_tests.contains(&param.name) || is_handed_on && self.is_null_tested(param.ty);
        let is_open = !function.is_static && !function.address_taken && !self.called.contains(&function.id);
        let known = if is_open { OWN } else { model::SOMETHING };
        let mut targets = vec![known.to_owned()];
        targets.extend(is_asked_for.then(|| model::NULL.to_owned()));
        targets
    }

    /// A `void *` is driven as what the function makes of it: a record rather than anything else.
    fn used_as(&self, function: &Function, param: &Param) -> TypeId {
        let casts = function.facts.casts.iter().filter(|(name, _)| *name == param.name).map(|(_, ty)| *ty);
        let mut usable: Vec<TypeId> = casts.filter(|ty| self.types.written(*ty).is_some()).collect();
        let is_record = |ty: &TypeId| match self.types.rule(*ty) {
            Rule::Pointer(to) => matches!(self.types.rule(to), Rule::Record(_)),
            _ => false,
        };
        usable.sort_by_key(|ty| !is_record(ty));
        usable.first().copied().unwrap_or(param.ty)
    }

    fn set_globals(&mut self, block: &mut Block, state: &State, limit: u64) {
        for id in &state.globals {
            let global = self.unit.global(*id);
            if let (true, Some(written)) = (global.in_bodies, self.types.written(global.ty)) {
                let declared = format!("extern {}", declaration(written, &global.name));
                self.externs.insert(global.name.clone(), declared);
            }
            let slot = self.global_slot(global, &global.name, At::root(&global.name), limit);
            self.set(block, &slot);
        }
        if !state.globals.is_empty() {
            block.blank();
        }
    }

    /// Registers at addresses that the unit names: memory is put there, with inputs in it.
    fn set_registers(&mut self, function: &Function) -> String {
        let registers = self.registers(function);
        if registers.is_empty() {
            return String::new();
        }
        let mut block = Block::new();
        // Pages are cleared, and registers share them: first all memory, then all values.
        for register in &registers {
            block.line(format!("ctn_device(0x{:x}ul, sizeof {});", register.address, register.place));
        }
        for register in &registers {
            let (depth, _) = self.reach_of(register.ty, self.options.slot_limit / 8);
            let slot = Slot {
                ty: register.ty,
                place: register.place.clone(),
                at: At::root(&register.path),
                depth,
                targets: &[],
                nested: true,
                level: DRIVER_LEVEL,
                unqualified: false,
                count: None,
            };
            self.set(&mut block, &slot);
        }
        format!("    /* Registers of devices. */\n    {{\n{}    }}\n", indented(&block.into_text()))
    }

    /// The registers that the functions of the unit name; where types differ, the largest.
    pub(crate) fn registers(&self, function: &Function) -> Vec<Register> {
        const MOST: usize = 16;
        let mut found: Vec<Register> = Vec::new();
        for part in self.unit_of(function).into_iter().filter(|part| part.file == self.unit.id) {
            for (address, ty) in &part.facts.registers {
                let Some(written) = self.types.written(*ty) else { continue };
                if matches!(self.types.rule(*ty), Rule::Leave(_)) {
                    continue;
                }
                let place = format!("(*({})0x{address:x}ul)", declaration(written, "*"));
                let register = Register { address: *address, ty: *ty, place, path: format!("0x{address:x}") };
                let size = |ty: TypeId| self.unit.ty(ty).size;
                match found.iter_mut().find(|known| known.address == *address) {
                    Some(known) if size(known.ty) < size(*ty) => *known = register,
                    Some(_) => {}
                    None => found.push(register),
                }
            }
        }
        found.sort_by_key(|register| register.address);
        found.truncate(MOST);
        found
    }

    /// Static locals, as earlier calls may have left them; or nothing, so that they are reached by calls.
    fn set_statics(&mut self, function: &Function, state: &State, limit: u64) -> String {
        if state.statics.is_empty() {
            return String::new();
        }
        let mut block = Block::new();
        for id in &state.statics {
            let global = self.unit.global(*id);
            let GlobalScope::Function(owner) = &global.scope else { continue };
            let variable = format!("ctn_static_{owner}_{}", global.name);
            let bytes = self.types.plain_bytes(global.ty);
            let declared = match (bytes, self.types.written(global.ty)) {
                (Some(size), _) => format!("unsigned char {variable}[{size}]"),
                (None, Some(written)) => declaration(written, &variable),
                (None, None) => continue,
            };
            let label = format!("ctn.static.{owner}.{}", global.name);
            self.externs.insert(variable.clone(), format!("extern {declared} __asm__(\"{label}\")"));
            let at = At::root(&format!("{owner}::{}", global.name));
            if let Some(size) = bytes {
                block.line(format!("ctn_array({variable}, 1, {size}, {});", at.text()));
                continue;
            }
            let slot = self.global_slot(global, &variable, at, limit);
            self.set(&mut block, &slot);
        }
        format!(
            "    /* Static locals, as earlier calls may have left them. */\n    \
             if (ctn_choice(2, CTN_ROOT(\"{}\"))) {{\n{}    }}\n",
            statics_path(function),
            indented(&block.into_text())
        )
    }

    /// The slots that each of the inputs may have that need many.
    pub(crate) fn share(&self, inputs: &[Input], state: &State) -> u64 {
        const FEW: u64 = 32;
        let globals = state.globals.iter().map(|id| self.unit.global(*id).ty);
        let sizes =
            inputs.iter().map(|input| input.ty).chain(globals).map(|ty| self.sizes.full(ty, &self.reads));
        self.options.slot_limit / (sizes.filter(|size| *size > FEW).count().max(1) as u64)
    }

    fn set_parameters(
        &mut self,
        block: &mut Block,
        function: &Function,
        inputs: &[Input],
        state: &State,
        limit: u64,
    ) -> Result<(), String> {
        let ranges = self.parameter_ranges(inputs);
        let slots: Vec<Option<Slot>> =
            inputs.iter().map(|input| Some(self.parameter_slot(input, limit))).collect();
        for (index, input) in inputs.iter().enumerate().filter(|(_, input)| input.list.is_none()) {
            let written = self.types.unqualified(input.ty).ok_or("a type that cannot be named")?;
            // Members that have no rule stay zero.
            let zero = match self.types.rule(input.ty) {
                Rule::Record(_) | Rule::Leave(_) => " = {0}",
                _ => "",
            };
            block.declare(format!("{}{zero};", declaration(&written, &input.variable)));
            if let Some(range) = ranges.iter().find(|range| range.start == index || range.derives(index)) {
                if range.start == index {
                    let count = self.options.elements.to_string();
                    self.set_range(block, range, &slots, &count);
                }
                continue;
            }
            let slot = self.parameter_slot(input, limit);
            let earlier = self.equals(function, inputs, index, state);
            self.set_parameter(block, &slot, &earlier);
        }
        Ok(())
    }

    fn parameter_slot<'s>(&self, input: &'s Input, limit: u64) -> Slot<'s> {
        Slot {
            ty: input.ty,
            place: input.variable.clone(),
            at: At::root(&input.path),
            depth: self.reach_of(input.ty, limit).0,
            targets: &input.targets,
            nested: false,
            level: DRIVER_LEVEL,
            unqualified: self.types.can_be_unqualified(input.ty),
            count: input.count.clone(),
        }
    }

    /// What a pointer parameter may equal: earlier parameters, and globals that were set before or what these hold. The
    /// second is how programs ask whether something is the current one, the first of a list, or in a table.
    pub(crate) fn equals(
        &self,
        function: &Function,
        inputs: &[Input],
        index: usize,
        state: &State,
    ) -> Vec<String> {
        const MOST_GLOBALS: usize = 3;
        let input = &inputs[index];
        // A string ends with its NUL, and nothing where a number or another pointer says.
        let is_text =
            matches!(self.types.rule(input.ty), Rule::Pointer(to) if self.types.pointee(to) == Pointee::Text);
        let ended = if is_text { self.ended(function, inputs) } else { vec![false; inputs.len()] };
        let others = inputs[..index].iter().enumerate().filter(|(at, _)| ended[*at] == ended[index]);
        let parameters = others.map(|(_, other)| other).filter(|other| self.may_alias(other.ty, input.ty));
        let globals = || state.globals.iter().map(|id| self.unit.global(*id));
        // Numbers and text are no objects that somebody keeps a second pointer to.
        let objects = match self.types.rule(input.ty) {
            Rule::Pointer(to) => matches!(self.types.rule(to), Rule::Record(_)),
            _ => false,
        };
        let pointers = globals().filter(|global| self.may_alias(global.ty, input.ty));
        let held = globals().flat_map(|global| self.held_by(global, input.ty));
        let globals = pointers.map(|global| global.name.clone()).chain(held).filter(|_| objects);
        parameters.map(|other| other.variable.clone()).chain(globals.take(MOST_GLOBALS)).collect()
    }

    /// By parameter: a number or another pointer says where what is behind it ends.
    fn ended(&self, function: &Function, inputs: &[Input]) -> Vec<bool> {
        let (ranges, assumed) = (self.parameter_ranges(inputs), self.preconditions(function, inputs));
        let is_ended = |(at, input): (usize, &Input)| {
            let mut ends = assumed.iter().filter_map(|assumed| assumed.end.as_ref());
            ranges.iter().any(|range| range.start == at || range.derives(at))
                || ends.any(|end| end.pointer == input.variable)
        };
        inputs.iter().enumerate().map(is_ended).collect()
    }

    /// The pointers of a type that are members of a global, or of the first element of a table, and that are read.
    fn held_by(&self, global: &Global, ty: TypeId) -> Vec<String> {
        let (record, place) = match self.types.rule(global.ty) {
            Rule::Record(record) => (record, global.name.clone()),
            Rule::Array { element, .. } => match self.types.rule(element) {
                Rule::Record(record) => (record, format!("{}[0]", global.name)),
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let fields = self.unit.record(record).fields.iter().filter_map(|field| {
            let name = field.name.as_deref().filter(|name| self.reads.is_read(record, name))?;
            self.may_alias(self.types.member(field), ty).then(|| format!("{place}.{name}"))
        });
        fields.collect()
    }

    /// A pointer may equal one of the earlier ones.
    fn set_parameter(&mut self, block: &mut Block, slot: &Slot, earlier: &[String]) {
        let path = slot.at.name("?alias").text();
        let equals = |other: &str| format!("{} = (void *){other};", slot.place);
        let told = self.told_candidates(&slot.place, (1..).zip(earlier.iter().map(String::as_str)));
        match earlier {
            [] => self.set(block, slot),
            [other] => {
                block.nested(format!("if ({told}ctn_choice(2, {path}))"), |block| block.line(equals(other)));
                block.nested("else", |block| self.set(block, slot));
            }
            several => {
                block.line(format!("switch ({told}ctn_choice({}, {path})) {{", several.len() + 1));
                for (index, other) in several.iter().enumerate() {
                    block.line(format!("case {}: {} break;", index + 1, equals(other)));
                }
                block.nested("default:", |block| self.set(block, slot));
                block.line("}");
            }
        }
    }

    /// Pointers to the same type of object.
    pub(crate) fn may_alias(&self, one: TypeId, other: TypeId) -> bool {
        let target = |ty: TypeId| match self.types.rule(ty) {
            Rule::Pointer(to) if !self.types.is_restrict(ty) => Some(to),
            _ => None,
        };
        let (Some(one), Some(other)) = (target(one), target(other)) else { return false };
        let objects = !matches!(self.types.pointee(one), Pointee::Null(_));
        self.options.alias_pointers && objects && self.types.kind(one) == self.types.kind(other)
    }

    fn call(&self, function: &Function, inputs: &[Input], more: Option<&str>) -> String {
        let given: Vec<String> = inputs.iter().map(Input::given).chain(more.map(str::to_owned)).collect();
        let result = if matches!(self.types.kind(function.result), TypeKind::Void) { "" } else { "(void)" };
        format!("{result}{}({});", function.name, given.join(", "))
    }

    /// A unit that remembers something is called several times.
    fn repeated(&self, state: &State, before: String, body: String) -> String {
        if !state.stateful || self.options.stateful_calls < 2 {
            return match before.is_empty() {
                true => body,
                false => format!("{before}    {{\n{}    }}\n", indented(&body)),
            };
        }
        format!(
            "    int ctn_call;\n{before}    /* Static locals keep state from call to call. */\n    \
             for (ctn_call = 0; ctn_call < {}; ctn_call++) {{\n{}    }}\n",
            self.options.stateful_calls,
            indented(&body)
        )
    }
}

fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    text.lines().map(line).collect()
}

/// The slot that says whether a driver sets the static locals of its unit.
pub(crate) fn statics_path(function: &Function) -> String {
    format!("{}?statics", function.name)
}
