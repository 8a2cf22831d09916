//! Pointers into which the program puts nothing but the addresses of certain variables, such as the operations of a
//! back end: drivers choose among these instead of making an object up. Functions and variables that are static in
//! another file are handed over by the harness of that file.

use crate::callbacks::extern_function;
use crate::prelude::Piece;
use crate::text::Block;
use crate::types::Rule;
use crate::values::Slot;
use crate::writer::Writer;
use model::{Global, GlobalScope, TranslationUnit, TypeId};
use std::collections::BTreeSet;

/// What a choice among known objects is called, after the pointer's own path.
pub(crate) const CHOICE: &str = "?object";

/// How an expression begins that is about what another file hands over.
const ELSEWHERE: &str = "(&";

/// Only a harness can name it.
pub(crate) fn is_elsewhere(expression: &str) -> bool {
    expression.starts_with(ELSEWHERE)
}

impl Writer<'_> {
    /// Expressions for the objects that a pointer may lead to; None: any object. Only where their contents are those that
    /// the program gives them: constants, and tables of functions.
    pub(crate) fn known_objects(&mut self, targets: &[String], to: TypeId) -> Option<Vec<String>> {
        let is_asked = self.options.function_pointers && self.options.preconditions.objects;
        if !is_asked || targets.is_empty() || targets.len() > self.options.targets as usize {
            return None;
        }
        let Rule::Record(_) = self.types.rule(to) else { return None };
        let is_fixed = self.types.is_const(to) || self.types.holds_code(to);
        let mut expressions = Vec::new();
        for name in targets {
            let (unit, global) = self.only_definition(name)?;
            if !is_fixed && !global.is_const {
                return None;
            }
            let is_named = |global: &Global| {
                global.name == *name && global.scope == GlobalScope::File && !global.in_bodies
            };
            if self.unit.globals.iter().any(is_named) {
                expressions.push(format!("&{name}"));
                continue;
            }
            let expression = extern_function(name);
            let (declared, expression) = match global.is_static {
                true => self.elsewhere(unit, &expression)?,
                false => (format!("extern char {expression}[] __asm__(\"{name}\")"), expression),
            };
            self.externs.insert(name.clone(), declared);
            expressions.push(expression);
        }
        Some(expressions)
    }

    /// The variable of this name, if the program has one.
    fn only_definition(&self, name: &str) -> Option<(&TranslationUnit, &Global)> {
        let is_defined =
            |global: &&Global| global.name == name && global.defined && global.scope == GlobalScope::File;
        let mut found = self
            .program
            .files
            .iter()
            .flat_map(|unit| unit.globals.iter().filter(is_defined).map(move |global| (unit, global)));
        found.next().filter(|(unit, _)| found.next().is_none() && self.image.files.contains(&unit.id))
    }

    /// How what another file hands over is declared here, and an expression for it. Weak: that file may not compile.
    pub(crate) fn elsewhere(&self, unit: &TranslationUnit, name: &str) -> Option<(String, String)> {
        let is_linked = self.options.preconditions.objects && self.image.files.contains(&unit.id);
        let declared = format!("extern void *const {name} __attribute__((weak))");
        is_linked.then(|| (declared, format!("{ELSEWHERE}{name} ? {name} : 0)")))
    }

    /// Statics of this file that pointers of the program lead to, for other files.
    pub(crate) fn handed_over(&self) -> Vec<String> {
        if !self.options.preconditions.objects || self.image.files.len() < 2 {
            return Vec::new();
        }
        let fields = |unit: &TranslationUnit| -> Vec<String> {
            let fields =
                unit.records.iter().flat_map(|record| &record.fields).flat_map(|field| &field.targets);
            fields.chain(unit.globals.iter().flat_map(|global| &global.targets)).cloned().collect()
        };
        let led_to: BTreeSet<String> = self.program.files.iter().flat_map(fields).collect();
        let globals = self.unit.globals.iter().filter(|global| {
            global.is_static
                && global.defined
                && global.scope == GlobalScope::File
                && led_to.contains(&global.name)
        });
        let globals = globals
            .filter(|global| self.only_definition(&global.name).is_some())
            .map(|global| (global.name.as_str(), "&"));
        let functions = self.program.functions.iter().filter(|function| {
            function.file == self.unit.id && function.is_static && led_to.contains(&function.name)
        });
        let functions = functions
            .filter(|function| self.is_only_function(&function.name))
            .map(|function| (function.name.as_str(), ""));
        let hand_over = |(name, address): (&str, &str)| {
            let expression = extern_function(name);
            format!("extern void *const {expression};\nvoid *const {expression} = (void *){address}{name};\n")
        };
        globals.chain(functions).map(hand_over).collect()
    }

    pub(crate) fn is_only_function(&self, name: &str) -> bool {
        self.program.functions.iter().filter(|function| function.name == name).count() == 1
    }

    /// Sets a pointer to one of these.
    pub(crate) fn choose_object(&mut self, block: &mut Block, slot: &Slot, objects: &[String]) {
        self.piece(Piece::Known);
        let at = slot.at.text();
        let value = |object: &String| format!("ctn_known((void *){object}, {at})");
        if let [only] = objects {
            self.assign(block, slot, "void *", value(only));
            return;
        }
        let choices = objects.iter().map(String::as_str).enumerate();
        let told = self.told_candidates(&slot.place, choices);
        let choice = slot.at.name(CHOICE).text();
        block.line(format!("switch ({told}ctn_choice({}, {choice})) {{", objects.len()));
        for (index, object) in objects.iter().enumerate() {
            let case = if index + 1 == objects.len() { "default".into() } else { format!("case {index}") };
            block.line(format!("{case}:"));
            self.assign(block, slot, "void *", value(object));
            block.line("break;");
        }
        block.line("}");
    }
}
