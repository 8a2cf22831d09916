//! Variable arguments: of functions that end in `...`, and behind a `va_list`. A driver gives a fixed number of them,
//! each an input: a number, or a pointer to what the unit takes from such a list. Which it is at a place only the
//! function knows, from a format or a count; so what fails for an argument may be the driver's guess.

use crate::drivers::Input;
use crate::text::{At, Block};
use crate::types::{Pointee, Rule, declaration};
use crate::values::Slot;
use crate::writer::{Shared, Writer};
use model::{Function, FunctionId, TypeId, TypeKind};

/// What their slots are called; those of numbers end in `.number`.
pub const ARGUMENTS: &str = "...";
/// Numbers and pointers, and numbers with a point, that are given.
const GENERAL: usize = 6;
const REAL: usize = 3;

/// How a parameter is an argument list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// `va_list`.
    Itself,
    /// `va_list *`.
    Pointer,
}

impl Writer<'_> {
    /// How a driver gives variable arguments: what to write before the call, and the arguments, if there are any.
    pub(crate) fn variable_arguments(
        &mut self,
        block: &mut Block,
        function: &Function,
        inputs: &[Input],
    ) -> Option<String> {
        if !function.variadic && inputs.iter().all(|input| input.list.is_none()) {
            return None;
        }
        let maker = self.argument_maker(function);
        block.declare(format!("unsigned long ctn_general[{GENERAL}];"));
        block.declare(format!("double ctn_real[{REAL}];"));
        let each = |array: &str, count: usize| {
            (0..count).map(|index| format!("{array}[{index}]")).collect::<Vec<_>>().join(", ")
        };
        let general = At::root(ARGUMENTS).index("ctn_i").text();
        block.repeat("ctn_i", &GENERAL.to_string(), |block| {
            block.line(format!("ctn_general[ctn_i] = {maker}({general});"));
        });
        let real = At::root(&format!("{ARGUMENTS}real")).index("ctn_i").text();
        block.repeat("ctn_i", &REAL.to_string(), |block| {
            block.line(format!("ctn_value(&ctn_real[ctn_i], sizeof ctn_real[ctn_i], {real});"));
        });
        Some(format!("{}, {}", each("ctn_general", GENERAL), each("ctn_real", REAL)))
    }

    /// The function that makes one argument for a function.
    fn argument_maker(&mut self, function: &Function) -> String {
        let at = self.local("at");
        let prototype = |name: &str| format!("static unsigned long {name}(const ctn_path *{at})");
        let wanted = format!("ctn_argument_of_{}", function.name);
        self.shared(Shared::Argument(function.id), &wanted, prototype, |writer, _| {
            writer.argument_body(function.id)
        })
    }

    fn argument_body(&mut self, function: FunctionId) -> String {
        let (pointers, numbers) = self.asked_for(self.function(function));
        let at = At::variable(&self.local("at"));
        let mut block = Block::new();
        let ways = pointers.len() + usize::from(numbers);
        if ways > 1 {
            block.line(format!("switch (ctn_choice({ways}, {})) {{", at.name("?as").text()));
        }
        for (index, ty) in pointers.iter().enumerate() {
            let (Rule::Pointer(to), Some(written)) = (self.types.rule(*ty), self.types.unqualified(*ty))
            else {
                continue;
            };
            let variable = self.local(&format!("pointer{index}"));
            block.declare(format!("{};", declaration(&written, &variable)));
            let (depth, count) = self.reach_of(*ty, self.options.slot_limit / 16);
            let slot = Slot {
                ty: *ty,
                place: variable.clone(),
                at: at.clone(),
                depth,
                targets: &[],
                nested: true,
                level: 0,
                unqualified: true,
                count,
            };
            let give = |writer: &mut Self, block: &mut Block| {
                let made = writer.make(&slot, to);
                block.line(format!("{variable} = {made};"));
                block.line(format!("return (unsigned long){variable};"));
            };
            match ways {
                1 => give(self, &mut block),
                _ if index + 1 == ways => block.nested("default:", |block| give(self, block)),
                _ => block.nested(format!("case {index}:"), |block| give(self, block)),
            }
        }
        if numbers {
            let number = self.local("number");
            block.declare(format!("unsigned long {number};"));
            let give = |block: &mut Block| {
                let path = at.name(".number").text();
                block.line(format!("ctn_value(&{number}, sizeof {number}, {path});"));
                block.line(format!("return {number};"));
            };
            if ways > 1 { block.nested("default:", give) } else { give(&mut block) }
        }
        if ways > 1 {
            block.line("}");
        }
        block.into_text()
    }

    /// The pointers that the unit takes from argument lists, and whether it takes numbers. Where nothing tells, as when
    /// the list goes to the C library: text and numbers.
    pub(crate) fn asked_for(&self, function: &Function) -> (Vec<TypeId>, bool) {
        let parts = self.unit_of(function);
        let asked =
            parts.iter().filter(|part| part.file == self.unit.id).flat_map(|part| &part.facts.arguments);
        let mut pointers: Vec<TypeId> = Vec::new();
        let mut others = 0;
        for ty in asked {
            match self.types.rule(*ty) {
                Rule::Pointer(to) => {
                    let known = |other: &TypeId| self.target(*other) == Some(self.types.kind(to));
                    let can_be = !matches!(self.types.pointee(to), Pointee::Null(_));
                    if can_be && self.types.unqualified(*ty).is_some() && !pointers.iter().any(known) {
                        pointers.push(*ty);
                    }
                }
                _ => others += 1,
            }
        }
        if pointers.is_empty() && others == 0 {
            let text = (0..).map(TypeId).zip(&self.unit.types).find(|(ty, _)| {
                matches!(self.types.rule(*ty), Rule::Pointer(to) if self.types.pointee(to) == Pointee::Text)
            });
            return (text.into_iter().map(|(ty, _)| ty).collect(), true);
        }
        (pointers, others > 0)
    }

    fn target(&self, pointer: TypeId) -> Option<&TypeKind> {
        match self.types.rule(pointer) {
            Rule::Pointer(to) => Some(self.types.kind(to)),
            _ => None,
        }
    }

    /// A function that takes argument lists is called from one with variable arguments.
    pub(crate) fn with_lists(
        &self,
        function: &Function,
        inputs: &[Input],
        call: &str,
    ) -> Result<Option<String>, String> {
        let lists: Vec<&Input> = inputs.iter().filter(|input| input.list.is_some()).collect();
        if lists.is_empty() {
            return Ok(None);
        }
        let mut parameters = String::new();
        for input in inputs.iter().filter(|input| input.list.is_none()) {
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
}
