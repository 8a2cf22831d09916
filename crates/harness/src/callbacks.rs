//! Pointers to functions: which functions they may point to, and one of our own where the program has none.

use crate::allocators::Allocator;
use crate::drivers::OWN;
use crate::text::Block;
use crate::types::declaration;
use crate::values::Slot;
use crate::writer::{Shared, Writer};
use model::{Function, FunctionId, Image, Program, TranslationUnit, TypeId, TypeKind};
use std::collections::{HashMap, HashSet};

/// The functions of an image whose address is taken, by type.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    taken: HashMap<String, Vec<String>>,
    /// Those of functions to which pointers are tested for null anywhere in the program.
    tested: HashSet<String>,
}

impl Signatures {
    pub(crate) fn new(program: &Program, image: &Image) -> Signatures {
        let mut taken: HashMap<String, Vec<String>> = HashMap::new();
        for function in &program.functions {
            if function.address_taken && image.files.contains(&function.file) {
                let signature = of_function(program, function);
                taken.entry(signature).or_default().push(function.name.clone());
            }
        }
        let tested = program.functions.iter().flat_map(|function| {
            let unit = program.file(function.file);
            function.facts.null_code.iter().filter_map(|ty| of_type(unit, *ty))
        });
        Signatures { taken, tested: tested.collect() }
    }

    fn is_tested(&self, unit: &TranslationUnit, function: TypeId) -> bool {
        of_type(unit, function).is_none_or(|signature| self.tested.contains(&signature))
    }

    pub(crate) fn taken(&self, signature: &str) -> &[String] {
        self.taken.get(signature).map_or(&[], Vec::as_slice)
    }
}

fn of_function(program: &Program, function: &Function) -> String {
    let unit = program.file(function.file);
    let params = function.params.iter().map(|param| param.ty);
    signature(unit, function.result, params, function.variadic)
}

fn of_type(unit: &TranslationUnit, function: TypeId) -> Option<String> {
    match &unit.ty(function).kind {
        TypeKind::Function { result, params, variadic, .. } => {
            Some(signature(unit, *result, params.iter().copied(), *variadic))
        }
        _ => None,
    }
}

fn signature(
    unit: &TranslationUnit,
    result: TypeId,
    params: impl Iterator<Item = TypeId>,
    variadic: bool,
) -> String {
    let params: Vec<String> = params.map(|param| shape(unit, param)).collect();
    let more = if variadic { "..." } else { "" };
    format!("{}({}{more})", shape(unit, result), params.join(","))
}

/// A type in a form that is equal for equal types of different files; qualifiers do not matter.
fn shape(unit: &TranslationUnit, ty: TypeId) -> String {
    match &unit.ty(ty).kind {
        TypeKind::Void => "void".into(),
        TypeKind::Bool => "bool".into(),
        TypeKind::Int { bits, signed, .. } => format!("{}{bits}", if *signed { "i" } else { "u" }),
        TypeKind::Enum { bits, signed, .. } => format!("{}{bits}", if *signed { "i" } else { "u" }),
        TypeKind::Float { bits } => format!("f{bits}"),
        TypeKind::Pointer { to } | TypeKind::Array { element: to, .. } => match &unit.ty(*to).kind {
            // Types may be recursive through records only, and records are known by name.
            TypeKind::Function { .. } => "code*".into(),
            _ => format!("{}*", shape(unit, *to)),
        },
        TypeKind::Record(record) => unit.record(*record).name.clone().unwrap_or_else(|| "record".into()),
        TypeKind::Function { .. } => "code*".into(),
        TypeKind::Complex => "complex".into(),
        TypeKind::Vector => "vector".into(),
        TypeKind::Builtin => unit.ty(ty).spelling.clone().unwrap_or_else(|| "builtin".into()),
    }
}

impl<'a> Writer<'a> {
    /// Functions of this file that the function may call through pointers.
    pub(crate) fn indirect_callees(&self, function: &Function) -> Vec<FunctionId> {
        let mut found = Vec::new();
        for ty in &function.indirect_calls {
            let ty = match self.types.kind(*ty) {
                TypeKind::Pointer { to } => *to,
                _ => *ty,
            };
            let TypeKind::Function { result, params, variadic, .. } = self.types.kind(ty) else { continue };
            let taken =
                self.signatures.taken(&signature(self.unit, *result, params.iter().copied(), *variadic));
            let here =
                |candidate: &&Function| candidate.file == self.unit.id && taken.contains(&candidate.name);
            found.extend(self.program.functions.iter().filter(here).map(|candidate| candidate.id));
        }
        found
    }
}

/// What a function of our own is called in slots: by its type, so that a stored test names the same one.
pub(crate) fn callback_name(function: TypeId) -> String {
    format!("callback_{function}")
}

/// A function that a pointer may be set to, as an expression of this file.
struct Target {
    expression: String,
    /// Of the pointer's own type, so that no cast is needed.
    exact: bool,
}

/// What a function of another file is called where only its address is needed.
pub(crate) fn extern_function(name: &str) -> String {
    format!("ctn_extern_{name}")
}

impl Writer<'_> {
    /// Sets a pointer to a function: one of the functions the program puts there, else one of that type whose
    /// address is taken, else one of our own.
    pub(crate) fn set_code(&mut self, block: &mut Block, slot: &Slot, function: TypeId) {
        let mut choices: Vec<String> = self
            .targets(function, slot.targets)
            .into_iter()
            .map(|target| self.code_value(slot, &target))
            .collect();
        if choices.is_empty() {
            let allocator = self.allocator(&slot.place, slot.targets, function);
            let callback =
                self.callback(function, allocator).map(|expression| Target { expression, exact: true });
            choices.extend(callback.map(|target| self.code_value(slot, &target)));
        }
        if !self.options.function_pointers {
            choices.clear();
        }
        if self.may_be_null_code(slot.targets) || choices.is_empty() {
            choices.push("0".into());
        }
        let place = match self.is_constant_code(slot) {
            true => format!("*(void (**)(void))&{}", slot.place),
            false => slot.place.clone(),
        };
        if let [only] = choices.as_slice() {
            block.line(format!("{place} = {only};"));
            return;
        }
        let told = self.told_candidates(&slot.place, choices.iter().map(String::as_str).enumerate());
        block.line(format!("switch ({told}ctn_choice({}, {})) {{", choices.len(), slot.at.text()));
        for (index, choice) in choices.iter().enumerate() {
            let case = if index + 1 == choices.len() { "default".into() } else { format!("case {index}") };
            block.line(format!("{case}: {place} = {choice}; break;"));
        }
        block.line("}");
    }

    /// Null is an input where the program puts it there or tests for it, and where it says nothing about the place.
    pub(crate) fn may_be_null_code(&self, assigned: &[String]) -> bool {
        let is_expected = assigned.is_empty() || assigned.iter().any(|name| name == model::NULL);
        self.options.null_pointers && (is_expected || !self.options.preconditions.functions)
    }

    /// Something in the program tests a pointer of this type, to a function, for null.
    pub(crate) fn is_null_tested(&self, pointer: TypeId) -> bool {
        match self.types.kind(pointer) {
            TypeKind::Pointer { to } => self.signatures.is_tested(self.unit, *to),
            _ => true,
        }
    }

    /// The functions of the program that a pointer is set to, as expressions, in the order of the choice.
    pub(crate) fn code_targets(&mut self, function: TypeId, assigned: &[String]) -> Vec<String> {
        self.targets(function, assigned).into_iter().map(|target| target.expression).collect()
    }

    fn is_constant_code(&self, slot: &Slot) -> bool {
        self.types.is_const(slot.ty) && !slot.unqualified
    }

    fn code_value(&self, slot: &Slot, target: &Target) -> String {
        if self.is_constant_code(slot) {
            format!("(void (*)(void)){}", target.expression)
        } else if target.exact {
            target.expression.clone()
        } else {
            format!("(__typeof__({})){}", slot.place, target.expression)
        }
    }

    fn targets(&mut self, function: TypeId, assigned: &[String]) -> Vec<Target> {
        let TypeKind::Function { result, params, variadic, .. } = self.types.kind(function) else {
            return Vec::new();
        };
        let wanted = signature(self.unit, *result, params.iter().copied(), *variadic);
        let mut found = self.nameable(assigned, &wanted);
        if found.is_empty() && !assigned.iter().any(|name| name == OWN) {
            let taken = self.signatures.taken(&wanted).to_vec();
            found = self.nameable(&taken, &wanted);
        }
        found
    }

    fn nameable(&mut self, names: &[String], wanted: &str) -> Vec<Target> {
        let mut found: Vec<Target> = Vec::new();
        for name in names {
            if found.len() >= self.options.targets as usize {
                break;
            }
            let target = self.nameable_function(name, wanted);
            found.extend(target);
        }
        found
    }

    /// A function as an expression of this file. Functions of other files are declared under a name of our
    /// own, because the program may declare them too, in whatever way.
    fn nameable_function(&mut self, name: &str, wanted: &str) -> Option<Target> {
        let defined: Vec<&Function> = self.program.functions.iter().filter(|f| f.name == name).collect();
        if let Some(here) = defined.iter().find(|function| function.file == self.unit.id) {
            let exact = of_function(self.program, here) == wanted && !here.is_knr;
            return Some(Target { expression: name.to_owned(), exact });
        }
        if self.unit.externs.iter().any(|function| function.name == name) {
            return Some(Target { expression: name.to_owned(), exact: false });
        }
        let linked = |function: &&Function| !function.is_static && self.image.files.contains(&function.file);
        let own = extern_function(name);
        let (declared, expression) = match (defined.iter().copied().find(linked), defined.as_slice()) {
            (Some(_), _) => (format!("extern void {own}(void) __asm__(\"{name}\")"), own),
            (None, [only]) => self.elsewhere(self.program.file(only.file), &own)?,
            (None, _) => return None,
        };
        self.externs.insert(name.to_owned(), declared);
        Some(Target { expression, exact: false })
    }

    /// A function of the given type that returns a fresh value, or memory as it is asked for.
    fn callback(&mut self, function: TypeId, allocator: Option<Allocator>) -> Option<String> {
        let TypeKind::Function { result, params, variadic, unprototyped } = self.types.kind(function) else {
            return None;
        };
        let result_written = self.types.unqualified(*result)?;
        let mut parameters = Vec::new();
        for (index, param) in params.iter().enumerate() {
            parameters.push(declaration(self.types.written(*param)?, &format!("ctn_arg{}", index + 1)));
        }
        if *variadic && !*unprototyped {
            parameters.push("...".into());
        }
        let list = match parameters.is_empty() {
            true if *unprototyped => String::new(),
            true => "void".into(),
            false => parameters.join(", "),
        };
        let prototype =
            |name: &str| format!("static {}", declaration(&result_written, &format!("{name}({list})")));
        let own = callback_name(function);
        let wanted = if allocator.is_some() { "ctn_memory".to_owned() } else { format!("ctn_{own}") };
        Some(self.shared(Shared::Callback(function, allocator), &wanted, prototype, |writer, _| {
            let mut block = Block::new();
            if let Some(allocator) = allocator {
                allocator.body(&mut block, "ctn_arg");
                return block.into_text();
            }
            writer.return_fresh(&mut block, *result, &own, false);
            block.into_text()
        }))
    }
}
