//! Drivers: a function per function under test that sets its inputs and calls it.

use crate::inputs::State;
use crate::preconditions::{Precondition, PreconditionKind};
use crate::text::{At, Block};
use crate::types::{Pointee, Rule, declaration};
use crate::values::{DRIVER_LEVEL, Slot};
use crate::writer::Writer;
use model::{Function, Param, TypeId, TypeKind};

/// A parameter as the driver sees it.
pub(crate) struct Input {
    pub(crate) variable: String,
    /// The slot path's first part.
    pub(crate) path: String,
    pub(crate) ty: TypeId,
    /// It is a `va_list`.
    pub(crate) is_list: bool,
    /// Elements behind it, where that is not the usual number: a C expression.
    pub(crate) count: Option<String>,
}

/// A driver as it stands in the file.
pub(crate) struct Driver {
    pub(crate) text: String,
    pub(crate) preconditions: Vec<Precondition>,
    /// Its buffers can be long.
    pub(crate) has_long: bool,
}

/// The setting that makes buffers long, and the variable that holds their length.
pub const LONG: &str = "?long";
const BUFFER: &str = "ctn_buffer";

impl Writer<'_> {
    /// The driver's text, or why there is none.
    pub(crate) fn driver(&mut self, function: &Function) -> Result<Driver, String> {
        if let Some(reason) = self.options.without.get(&function.id).or(function.undrivable.as_ref()) {
            return Err(reason.clone());
        }
        if function.name == "main" && !function.is_static {
            let body = self.drive_program(function)?;
            let text = self.driver_text(function, &State::default(), &body);
            return Ok(Driver { text, preconditions: Vec::new(), has_long: false });
        }
        let mut inputs = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            inputs.push(self.input(function, index, param)?);
        }
        let state = self.state(function);
        let mut block = Block::new();
        let limit = self.share(&inputs, &state);
        let long = self.can_be_long(&inputs, limit);
        for (input, long) in inputs.iter_mut().zip(&long) {
            let usual = self.reach_of(input.ty, limit).1;
            input.count = usual.or_else(|| long.then(|| BUFFER.to_owned()));
        }
        let has_long = long.contains(&true);
        self.set_globals(&mut block, &state, limit);
        self.set_parameters(&mut block, &inputs, limit)?;
        let preconditions = self.preconditions(function, &inputs);
        for assumed in &preconditions {
            let call = if assumed.kind == PreconditionKind::Size { "ctn_limit" } else { "ctn_assume" };
            block.line(format!("{call}({}); /* {} */", assumed.condition, assumed.kind.name()));
            block.line_if(assumed.end.clone());
        }
        let call = self.call(function, &inputs);
        let helper = self.with_variable_arguments(function, &inputs, &call)?;
        match &helper {
            None => block.line(call),
            Some(_) => {
                let fixed = inputs.iter().filter(|input| !input.is_list);
                let given: String = fixed.map(|input| format!("{}, ", input.variable)).collect();
                block.line(format!("ctn_call_{}({given}0, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);", function.name));
            }
        }
        let body = self.long_setting(has_long) + &self.repeated(&state, block.into_text());
        for left in &state.left {
            self.notes.push(format!("{}: {left}", function.name));
        }
        let text = helper.unwrap_or_default() + &self.driver_text(function, &state, &body);
        Ok(Driver { text, preconditions, has_long })
    }

    /// By parameter: it points to plain memory, of as many elements as the driver's setting says.
    pub(crate) fn can_be_long(&self, inputs: &[Input], limit: u64) -> Vec<bool> {
        let ranges = self.parameter_ranges(inputs);
        let is_buffer = |input: &Input| match self.types.rule(input.ty) {
            Rule::Pointer(to) if !input.is_list => {
                matches!(self.types.pointee(to), Pointee::Text | Pointee::Numbers | Pointee::Bytes)
            }
            _ => false,
        };
        let one = |(at, input): (usize, &Input)| {
            is_buffer(input)
                && !ranges.iter().any(|range| range.start == at || range.derives(at))
                && self.options.long_elements > self.options.elements
                && self.sizes.reach_within(input.ty, limit).1.is_none()
        };
        inputs.iter().enumerate().map(one).collect()
    }

    /// Not a choice of the search: paths with short and with long buffers are not in one tree.
    fn long_setting(&self, has_long: bool) -> String {
        if !has_long {
            return String::new();
        }
        let (long, short) = (self.options.long_elements, self.options.elements);
        format!("    unsigned long {BUFFER} = ctn_setting(CTN_ROOT(\"{LONG}\")) ? {long} : {short};\n")
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

    pub(crate) fn input(&self, function: &Function, index: usize, param: &Param) -> Result<Input, String> {
        let named = if param.name.is_empty() { format!("arg{}", index + 1) } else { param.name.clone() };
        let variable = self.parameter_name(index, param);
        let is_list = self.types.is_argument_list(param.ty);
        if self.types.written(param.ty).is_none() {
            return Err(format!("the type of parameter `{named}` cannot be named outside of the function"));
        }
        if let Rule::Leave(reason) = self.types.rule(param.ty)
            && !is_list
            && self.unit.ty(param.ty).size.is_none()
        {
            return Err(format!("parameter `{named}`: {reason}"));
        }
        Ok(Input { variable, path: named, ty: self.used_as(function, param), is_list, count: None })
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
            let (depth, count) = self.reach_of(global.ty, limit);
            let slot = Slot {
                ty: global.ty,
                place: global.name.clone(),
                at: At::root(&global.name),
                depth,
                targets: &global.targets,
                nested: false,
                level: DRIVER_LEVEL,
                unqualified: false,
                count,
            };
            self.set(block, &slot);
        }
        if !block.is_empty() {
            block.blank();
        }
    }

    /// The slots that each of the inputs may have that need many.
    pub(crate) fn share(&self, inputs: &[Input], state: &State) -> u64 {
        const FEW: u64 = 32;
        let globals = state.globals.iter().map(|id| self.unit.global(*id).ty);
        let sizes = inputs.iter().map(|input| input.ty).chain(globals).map(|ty| self.sizes.full(ty));
        self.options.slot_limit / (sizes.filter(|size| *size > FEW).count().max(1) as u64)
    }

    fn set_parameters(&mut self, block: &mut Block, inputs: &[Input], limit: u64) -> Result<(), String> {
        let ranges = self.parameter_ranges(inputs);
        let slots: Vec<Option<Slot>> =
            inputs.iter().map(|input| Some(self.parameter_slot(input, limit))).collect();
        for (index, input) in inputs.iter().enumerate().filter(|(_, input)| !input.is_list) {
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
            let others = inputs[..index].iter().filter(|other| self.may_alias(other, input));
            let earlier: Vec<&str> = others.map(|other| other.variable.as_str()).collect();
            self.set_parameter(block, &slot, &earlier);
        }
        Ok(())
    }

    fn parameter_slot<'s>(&self, input: &Input, limit: u64) -> Slot<'s> {
        Slot {
            ty: input.ty,
            place: input.variable.clone(),
            at: At::root(&input.path),
            depth: self.reach_of(input.ty, limit).0,
            targets: &[],
            nested: false,
            level: DRIVER_LEVEL,
            unqualified: self.types.can_be_unqualified(input.ty),
            count: input.count.clone(),
        }
    }

    /// A pointer may equal one of the earlier ones.
    fn set_parameter(&mut self, block: &mut Block, slot: &Slot, earlier: &[&str]) {
        let path = slot.at.name("?alias").text();
        let equals = |other: &str| format!("{} = (void *){other};", slot.place);
        match earlier {
            [] => self.set(block, slot),
            [other] => {
                block.nested(format!("if (ctn_choice(2, {path}))"), |block| block.line(equals(other)));
                block.nested("else", |block| self.set(block, slot));
            }
            several => {
                block.line(format!("switch (ctn_choice({}, {path})) {{", several.len() + 1));
                for (index, other) in several.iter().enumerate() {
                    block.line(format!("case {}: {} break;", index + 1, equals(other)));
                }
                block.nested("default:", |block| self.set(block, slot));
                block.line("}");
            }
        }
    }

    /// Pointers to the same type of object.
    pub(crate) fn may_alias(&self, one: &Input, other: &Input) -> bool {
        let target = |input: &Input| match self.types.rule(input.ty) {
            Rule::Pointer(to) if !self.types.is_restrict(input.ty) => Some(to),
            _ => None,
        };
        let (Some(one), Some(other)) = (target(one), target(other)) else { return false };
        let objects = !matches!(self.types.pointee(one), Pointee::Null(_));
        self.options.alias_pointers && objects && self.types.kind(one) == self.types.kind(other)
    }

    fn call(&self, function: &Function, inputs: &[Input]) -> String {
        let given: Vec<&str> = inputs.iter().map(|input| input.variable.as_str()).collect();
        let result = if matches!(self.types.kind(function.result), TypeKind::Void) { "" } else { "(void)" };
        format!("{result}{}({});", function.name, given.join(", "))
    }

    /// A function that takes `va_list` is called from one with variable arguments, all zero.
    fn with_variable_arguments(
        &self,
        function: &Function,
        inputs: &[Input],
        call: &str,
    ) -> Result<Option<String>, String> {
        let lists: Vec<&Input> = inputs.iter().filter(|input| input.is_list).collect();
        if lists.is_empty() {
            return Ok(None);
        }
        let mut parameters = String::new();
        for input in inputs.iter().filter(|input| !input.is_list) {
            let written = self.types.written(input.ty).ok_or("a type that cannot be named")?;
            parameters.push_str(&format!("{}, ", declaration(written, &input.variable)));
        }
        let mut block = Block::new();
        for list in &lists {
            block.declare(format!("__builtin_va_list {};", list.variable));
            block.line(format!("__builtin_va_start({}, ctn_last);", list.variable));
        }
        block.line(call);
        for list in &lists {
            block.line(format!("__builtin_va_end({});", list.variable));
        }
        let head = format!("static void ctn_call_{}({parameters}int ctn_last, ...)", function.name);
        Ok(Some(format!("{head}\n{{\n{}}}\n\n", block.into_text())))
    }

    /// A unit that remembers something is called several times.
    fn repeated(&self, state: &State, body: String) -> String {
        if !state.stateful || self.options.stateful_calls < 2 {
            return body;
        }
        let indented: String = body
            .lines()
            .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") })
            .collect();
        format!(
            "    int ctn_call;\n    /* Static locals keep state from call to call. */\n    \
             for (ctn_call = 0; ctn_call < {}; ctn_call++) {{\n{indented}    }}\n",
            self.options.stateful_calls
        )
    }
}
