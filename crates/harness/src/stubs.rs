//! Stubs: functions that take the place of others and return a fresh value of the result's type. On demand they also
//! write what the function may write, as far as its own code tells; what a library function writes is guessed by
//! its prototype.

use crate::arguments::List;
use crate::made::ONE;
use crate::options::StubEffects;
use crate::reads::ANYBODY;
use crate::text::{At, Block};
use crate::types::{Pointee, Rule, declaration};
use crate::values::Slot;
use crate::writer::Writer;
use model::{ExternFunction, Function, GlobalId, GlobalScope, Param, TypeId, TypeKind};

impl Writer<'_> {
    /// `__ctn_stub_f`, with the signature of `f`.
    pub(crate) fn stub(&mut self, function: &Function) -> Result<String, String> {
        let name = format!("__ctn_stub_{}", function.name);
        if let Some(reason) = self.options.without.parts.get(&name) {
            return Err(reason.clone());
        }
        let parameters = self.parameters(&function.params)?;
        let declarator = if function.is_knr && !parameters.is_empty() {
            // An old-style definition promotes its arguments; the stub must take them in the same way.
            let names: Vec<String> = parameters.iter().map(|(name, _)| name.clone()).collect();
            let types: String = parameters.iter().map(|(_, declared)| format!("    {declared};\n")).collect();
            format!("{name}({})\n{}", names.join(", "), types.trim_end())
        } else {
            format!("{name}({})", list(&parameters, function.variadic, function.is_knr))
        };
        let result = self.result(function.result)?;
        let mut block = Block::new();
        if self.options.stubs == StubEffects::Writes && !function.is_noreturn {
            let stored = |param: &Param| function.facts.stores.contains(&param.name);
            self.for_anybody(|writer| {
                writer.write_through(&mut block, &function.name, &function.params, &stored);
                writer.write_globals(&mut block, function);
            });
        }
        self.return_of(&mut block, function);
        let head = declaration(&result, &declarator);
        Ok(format!("__attribute__((used)) static {head}\n{{\n{}}}\n", block.into_text()))
    }

    /// A weak definition of a symbol that nothing defines.
    pub(crate) fn definition_of_undefined(&mut self, symbol: &str) -> Result<String, String> {
        if let Some(reason) = self.options.without.parts.get(symbol) {
            return Err(reason.clone());
        }
        let unit = self.unit;
        if let Some(function) = unit.externs.iter().find(|function| function.name == symbol) {
            return self.undefined_function(function);
        }
        match unit.globals.iter().find(|global| global.name == symbol && !global.defined) {
            Some(global) => self.undefined_variable(symbol, global.ty),
            None => Err("this file does not declare it".into()),
        }
    }

    fn undefined_function(&mut self, function: &ExternFunction) -> Result<String, String> {
        let parameters = if function.unprototyped { Vec::new() } else { self.parameters(&function.params)? };
        let result = self.result(function.result)?;
        let list = list(&parameters, function.variadic, function.unprototyped);
        let head = declaration(&result, &format!("{}({list})", function.name));
        let mut block = Block::new();
        if self.options.stubs == StubEffects::Writes && !function.is_noreturn && !function.unprototyped {
            self.for_anybody(|writer| {
                writer.write_through(&mut block, &function.name, &function.params, &|_| true);
            });
        }
        self.return_fresh(&mut block, function.result, &function.name, function.is_noreturn);
        Ok(format!("__attribute__((weak)) {head}\n{{\n{}}}\n", block.into_text()))
    }

    pub(crate) fn undefined_variable(&self, symbol: &str, ty: TypeId) -> Result<String, String> {
        if let TypeKind::Array { element, length: None } = self.types.kind(ty) {
            let element = self.types.written(*element).ok_or("its type cannot be named")?;
            let length = self.options.array_elements;
            return Ok(format!(
                "__attribute__((weak)) {};\n",
                declaration(element, &format!("{symbol}[{length}]"))
            ));
        }
        let written = self.types.written(ty).ok_or("its type cannot be named")?;
        if self.unit.ty(ty).size.is_none() {
            return Err("its type is incomplete".into());
        }
        Ok(format!("__attribute__((weak)) {};\n", declaration(written, symbol)))
    }

    /// Names and declarations of parameters.
    pub(crate) fn parameters(&self, params: &[Param]) -> Result<Vec<(String, String)>, String> {
        let mut written = Vec::new();
        for (index, param) in params.iter().enumerate() {
            let name = self.parameter_name(index, param);
            let list = Some("__builtin_va_list")
                .filter(|_| self.types.argument_list(param.ty) == Some(List::Itself));
            let ty = list.or(self.types.written(param.ty));
            let ty = ty.ok_or_else(|| format!("the type of parameter {} cannot be named", index + 1))?;
            written.push((name.clone(), declaration(ty, &name)));
        }
        Ok(written)
    }

    /// A parameter as a variable: its own name where that has no other meaning here.
    pub(crate) fn parameter_name(&self, index: usize, param: &Param) -> String {
        if param.name.is_empty() { format!("ctn_arg{}", index + 1) } else { self.local(&param.name) }
    }

    /// The result's type, such that the declarator can follow it.
    fn result(&self, result: TypeId) -> Result<String, String> {
        self.types
            .written(result)
            .map(str::to_owned)
            .ok_or_else(|| "the type of its result cannot be named".into())
    }

    /// Returns a fresh value. What a real callee would write beyond its result belongs before this.
    pub(crate) fn return_fresh(&mut self, block: &mut Block, result: TypeId, name: &str, is_noreturn: bool) {
        if is_noreturn {
            block.line("ctn_stop();");
            return;
        }
        self.for_anybody(|writer| writer.return_value(block, result, name, false));
    }

    /// As `return_fresh`, of a function whose body is known.
    fn return_of(&mut self, block: &mut Block, function: &Function) {
        if function.is_noreturn {
            block.line("ctn_stop();");
            return;
        }
        self.for_anybody(|writer| {
            writer.return_value(block, function.result, &function.name, function.is_never_null)
        });
    }

    fn return_value(&mut self, block: &mut Block, result: TypeId, name: &str, never_null: bool) {
        let at = At::root(&format!("{name}()"));
        let Some(written) = self.types.unqualified(result) else { return };
        block.line_if(self.say_reads(ANYBODY, &[result]));
        let place = "ctn_result".to_owned();
        let (depth, count) = self.reach_of_result(name, result);
        let count = count.map(|count| count.to_string());
        let unqualified = self.types.can_be_unqualified(result);
        let slot = Slot {
            ty: result,
            place,
            at,
            depth: depth.to_string(),
            targets: &[],
            nested: false,
            level: 0,
            unqualified,
            count,
        };
        let start = match self.types.rule(result) {
            _ if matches!(self.types.kind(result), TypeKind::Void) => return,
            Rule::Pointer(to) => {
                let can_be_made = depth > 0 && !matches!(self.types.pointee(to), Pointee::Null(_));
                let never_null = never_null && can_be_made;
                let slot = self.handed_out(block, slot, to, never_null);
                let made = self.make(&slot, to);
                block.line(format!("{} = {made};", declaration(&written, "ctn_result")));
                if never_null && self.options.null_pointers {
                    block.line("ctn_assume(ctn_result != 0); /* its body never returns null */");
                }
                block.line("return ctn_result;");
                return;
            }
            Rule::Record(_) | Rule::Opaque | Rule::Leave(_) => " = {0}",
            _ => "",
        };
        block.line(format!("{}{start};", declaration(&written, "ctn_result")));
        self.set(block, &slot);
        block.line("return ctn_result;");
    }

    /// After so many objects a stub gives null: a loop over what it returns (`while ((node = next(node)) != 0)`) ends,
    /// also where no input says so. What never gives null gives small objects instead.
    fn handed_out<'s>(
        &mut self,
        block: &mut Block,
        slot: Slot<'s>,
        to: TypeId,
        never_null: bool,
    ) -> Slot<'s> {
        if !self.options.null_pointers || matches!(self.types.pointee(to), Pointee::Null(_)) {
            return slot;
        }
        block.declare("static long ctn_calls;");
        let last = i32::from(never_null);
        let depth = format!("ctn_calls++ < {} ? {} : {last}", self.options.elements, slot.depth);
        Slot { depth, ..slot }
    }

    /// Fresh values behind pointers that the function may write through. One element each: how many there are is
    /// not known here, and an out-parameter has one.
    fn write_through(
        &mut self,
        block: &mut Block,
        name: &str,
        params: &[Param],
        stored: &dyn Fn(&Param) -> bool,
    ) {
        for (index, param) in params.iter().enumerate().filter(|(_, param)| stored(param)) {
            let Rule::Pointer(to) = self.types.rule(param.ty) else { continue };
            let known =
                matches!(self.types.pointee(to), Pointee::Numbers | Pointee::Elements | Pointee::Text);
            if !known || self.types.is_const(to) || self.types.argument_list(param.ty).is_some() {
                continue;
            }
            let variable = self.parameter_name(index, param);
            let (depth, _) = self.reach_of(to, self.options.slot_limit / 16);
            let slot = Slot {
                ty: to,
                place: format!("(*{variable})"),
                at: At::root(&format!("{name}()->{variable}")),
                depth,
                targets: &[],
                nested: true,
                level: 0,
                unqualified: false,
                count: None,
            };
            block.line_if(self.say_reads(ANYBODY, &[to]));
            block.line(format!("if ({variable}) {{"));
            self.set(block, &slot);
            block.line("}");
        }
    }

    /// Fresh values in the globals that the function, or what it calls in its file, writes.
    fn write_globals(&mut self, block: &mut Block, function: &Function) {
        let mut written: Vec<GlobalId> = Vec::new();
        for part in self.unit_of(function).into_iter().filter(|part| part.file == self.unit.id) {
            let uses = part.globals.iter().filter(|usage| usage.writes).map(|usage| usage.global);
            written.extend(uses.filter(|id| self.unit.global(*id).scope == GlobalScope::File));
        }
        written.sort();
        written.dedup();
        for id in written {
            let global = self.unit.global(id);
            if global.is_const || self.types.is_const(global.ty) || self.why_left(global).is_some() {
                continue;
            }
            block.line_if(self.say_reads(ANYBODY, &[global.ty]));
            let at = At::root(&format!("{}()::{}", function.name, global.name));
            let slot = self.global_slot(global, &global.name, at, self.options.slot_limit / 16);
            self.set(block, &Slot { nested: true, level: 0, ..slot });
        }
    }

    /// The same for what a stub returns. Memory of no type has room for what the callers make of it.
    pub(crate) fn reach_of_result(&self, name: &str, result: TypeId) -> (u32, Option<u64>) {
        let (depth, count) = self.sizes.reach_within(result, self.options.slot_limit / 4, &self.reads);
        let of_no_type =
            matches!(self.types.rule(result), Rule::Pointer(to) if self.types.pointee(to) == Pointee::Bytes);
        let words = self.result_size(name).filter(|_| of_no_type).map(|size| size.div_ceil(8));
        (depth, words.filter(|words| *words > u64::from(self.options.elements)).or(count))
    }

    /// How deep the pointers of an input are followed, as a C expression, and how many elements are behind the
    /// first one where that is not the usual number.
    pub(crate) fn reach_of(&self, ty: TypeId, limit: u64) -> (String, Option<String>) {
        let (depth, count) = self.sizes.reach_within(ty, limit, &self.reads);
        let one = self.sizes.is_single(ty, &self.reads).then(|| ONE.to_owned());
        (depth.to_string(), one.or(count.map(|count| count.to_string())))
    }
}

pub(crate) fn list(parameters: &[(String, String)], variadic: bool, unprototyped: bool) -> String {
    let mut list: Vec<&str> = parameters.iter().map(|(_, declared)| declared.as_str()).collect();
    if variadic {
        list.push("...");
    }
    match list.is_empty() {
        true if unprototyped => String::new(),
        true => "void".into(),
        false => list.join(", "),
    }
}
