//! Kept tests as C that people can read, run and keep: one function per case, the values of its input written
//! out with the names of the source, its results recorded as checks.
//!
//! The same walk over types as in drivers decides which value goes where, so that a case sets exactly what the
//! driver set for that input. What a case cannot express is a reason, and the case is left out.

mod literal;
mod recorder;
mod results;
mod setting;
mod suite;

pub use suite::{Framework, Suite, SuiteFile, suite_files, support};

use crate::allocators::Allocator;
use crate::callbacks::{callback_name, extern_function};
use crate::options::Options;
use crate::text::Block;
use crate::writer::{self, Writer};
use model::{FunctionId, Global, GlobalScope, Image, Program, TypeId, UnitFileId};
use std::collections::{BTreeMap, BTreeSet};

/// A kept test that is to become a case.
#[derive(Clone, Debug)]
pub struct Kept {
    pub function: FunctionId,
    /// An identifier, different for each test of the file.
    pub name: String,
    /// Lines of the comment before it.
    pub comment: Vec<String>,
    /// Path, occurrence and bytes of each slot.
    pub slots: Vec<(String, u32, Vec<u8>)>,
}

/// One case, ready to be written.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub comment: Vec<String>,
    /// Statements that set the inputs, up to and with the calls.
    body: String,
    /// What can be looked at after the calls, in the order of the recording.
    leaves: Vec<Leaf>,
    /// Results of stubs, by the stub's name, in the order of the calls.
    stubs: BTreeMap<String, Vec<String>>,
    /// The functions that pointers lead to where the program has none for them.
    callbacks: BTreeSet<Callback>,
}

/// Something that holds a number, a truth value or a pointer after the call.
#[derive(Clone, Debug)]
struct Leaf {
    expression: String,
    kind: LeafKind,
    /// Its value before the calls matters: it is checked only if it changed.
    only_if_changed: bool,
    /// The pointers that lead to it, the outermost first. Where the function changed one, or freed what is behind it,
    /// there is nothing to be looked at.
    through: Vec<String>,
    /// It has no address.
    is_bit_field: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum LeafKind {
    Integer {
        bits: u32,
        signed: bool,
        names: Vec<(i64, String)>,
    },
    Real,
    /// Null or not: addresses differ from run to run.
    Pointer,
}

/// Cases of one source file.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    pub cases: Vec<Case>,
    /// Tests that are left out, and why.
    pub left_out: Vec<(String, String)>,
    /// Declarations of functions of other files that cases point to.
    externs: Vec<String>,
    /// Definitions of variables that the file uses, and of functions that cases point to, where what defines them is not
    /// part of the test.
    missing: Vec<String>,
    stubs: Vec<Stub>,
    path: String,
}

/// A function that is defined in the file of cases, in the place of one that is outside of the unit.
#[derive(Clone, Debug)]
struct Stub {
    name: String,
    /// Up to the body.
    head: String,
    result: Option<String>,
    is_pointer: bool,
    never_returns: bool,
    /// It does this, whatever a case says.
    body: Option<String>,
}

/// A function for pointers of a type, and what it does with memory.
type Callback = (TypeId, Option<Allocator>);

/// What executing the cases once gave: by case and leaf the bits before and after the calls.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    values: BTreeMap<(String, usize, bool), u64>,
    finished: BTreeSet<String>,
}

impl Recording {
    /// Adds what a recording program printed: lines `case leaf b|a bits`, and `case done`.
    pub fn add(&mut self, output: &str) {
        for line in output.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                [case, leaf, phase @ ("b" | "a"), bits] => {
                    if let (Ok(leaf), Ok(bits)) = (leaf.parse(), u64::from_str_radix(bits, 16)) {
                        self.values.insert((case.to_string(), leaf, *phase == "a"), bits);
                    }
                }
                [case, "done"] => drop(self.finished.insert(case.to_string())),
                _ => {}
            }
        }
    }

    /// The case is none that can be kept.
    pub fn forget(&mut self, case: &str) {
        self.finished.remove(case);
    }

    pub fn is_finished(&self, case: &str) -> bool {
        self.finished.contains(case)
    }
}

/// Turns kept tests of functions of one file into cases. `stubbed`: functions of other files are replaced.
pub fn cases(
    program: &Program,
    image: &Image,
    file: UnitFileId,
    options: &Options,
    kept: &[Kept],
    stubbed: bool,
) -> Cases {
    writer::with(program, image, file, options, |writer| {
        let mut cases = Cases { path: writer.unit.path.display().to_string(), ..Cases::default() };
        cases.stubs = writer.case_stubs(stubbed);
        let stubs: BTreeSet<String> = cases.stubs.iter().map(|stub| stub.name.clone()).collect();
        for test in kept {
            match writer.case(test, &stubs) {
                Ok(case) => {
                    let known = |stub: &Stub| cases.stubs.iter().any(|other| other.name == stub.name);
                    let own = case.callbacks.iter().filter_map(|callback| writer.callback_stub(*callback));
                    let own: Vec<Stub> = own.filter(|stub| !known(stub)).collect();
                    cases.stubs.extend(own);
                    cases.cases.push(case);
                }
                Err(reason) => cases.left_out.push((test.name.clone(), reason)),
            }
        }
        cases.externs = writer.externs.values().cloned().collect();
        cases.missing = writer.missing_definitions(stubbed);
        cases
    })
}

impl Cases {
    /// Keeps what two recordings have in common.
    pub fn keep_equal(&self, recording: &mut Recording, other: &Recording) {
        for case in &self.cases {
            let differing = |index: &usize| {
                let key = (case.name.clone(), *index, true);
                let both = recording.values.get(&key).zip(other.values.get(&key));
                both.is_some_and(|(one, another)| one != another)
            };
            let parts = (0..case.leaves.len()).filter(differing).flat_map(|index| case.same_word(index));
            for index in parts.collect::<BTreeSet<usize>>() {
                recording.values.remove(&(case.name.clone(), index, true));
            }
        }
        recording.values.retain(|leaf, bits| other.values.get(leaf) == Some(bits));
        recording.finished.retain(|case| other.finished.contains(case));
    }

    /// Leaves out cases that did not come to their end while they were recorded.
    pub fn keep_finished(&mut self, recording: &Recording, why: &dyn Fn(&str) -> String) {
        let left_out = &mut self.left_out;
        self.cases.retain(|case| {
            let finished = recording.is_finished(&case.name);
            if !finished {
                left_out.push((case.name.clone(), why(&case.name)));
            }
            finished
        });
    }

    /// Leaves out the cases that stand at these lines of the recorder's text, each with what is wrong there. False: there are none.
    pub fn leave_out_at(&mut self, recorder: &str, wrong: &[(usize, String)]) -> bool {
        let head = |line: &str| line.strip_prefix("static void ")?.strip_suffix("(void)").map(str::to_owned);
        let mut found = BTreeMap::new();
        for (number, reason) in wrong {
            let before: Vec<&str> = recorder.lines().take(*number).collect();
            if let Some(name) = before.iter().rev().find_map(|line| head(line)) {
                found.entry(name).or_insert_with(|| reason.clone());
            }
        }
        let known = self.cases.len();
        let left_out = &mut self.left_out;
        self.cases.retain(|case| match found.get(&case.name) {
            Some(reason) => {
                left_out.push((case.name.clone(), reason.clone()));
                false
            }
            None => true,
        });
        self.cases.len() < known
    }

    /// The file that records what the cases do; it runs the one that the variable CASE names.
    pub fn recorder(&self) -> String {
        let mut text = self.head(true);
        for case in &self.cases {
            text.push_str(&recorder::recorded(case));
        }
        text.push_str(
            "int main(void)\n{\n    const char *wanted = getenv(\"CASE\");\n    if (!wanted) return 2;\n",
        );
        for case in &self.cases {
            text.push_str(&format!(
                "    if (!strcmp(wanted, \"{0}\")) case_record(\"{0}\", {0});\n",
                case.name
            ));
        }
        text.push_str("    return 2;\n}\n");
        text
    }

    /// The file of cases with what was recorded as checks.
    pub fn text(&self, recording: &Recording, source: &str) -> String {
        let mut text = format!(
            "/* Tests of {source}: one function per case. Made by `concertino export`; what is checked was recorded\n \
             * from a run, so that a change of behaviour shows. Edit and keep it: an export does not overwrite a file\n \
             * that was changed. */\n"
        );
        text.push_str(&self.head(false));
        for case in &self.cases {
            text.push_str(&case.checked(recording));
        }
        text
    }

    fn head(&self, recording: bool) -> String {
        let mut text = String::from("#include \"cases.h\"\n");
        if recording {
            text.push_str("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
            text.push_str(&recorder::support(&self.cases));
        }
        text.push_str("#define main program_main\n");
        text.push_str(&format!("#include \"{}\"\n#undef main\n\n", self.path));
        for line in &self.externs {
            text.push_str(&format!("{line};\n"));
        }
        self.missing.iter().for_each(|definition| text.push_str(definition));
        let used = |stub: &&Stub| self.cases.iter().any(|case| case.stubs.contains_key(&stub.name));
        if !self.stubs.is_empty() {
            text.push_str("/* Stubs: each returns, call by call, what the case says; then zero. */\n");
        }
        for stub in &self.stubs {
            text.push_str(&stub.text(used(&stub)));
        }
        text.push('\n');
        text
    }
}

impl Stub {
    fn text(&self, used: bool) -> String {
        if let Some(body) = &self.body {
            return format!("{}\n{{\n{body}}}\n", self.head);
        }
        let Some(result) = self.result.as_ref().filter(|_| !self.never_returns) else {
            let body = if self.never_returns { "case_stop();" } else { "" };
            return format!("{}\n{{\n    {body}\n}}\n", self.head);
        };
        let zero = format!("    static {};\n", crate::types::declaration(result, "none"));
        let name = &self.name;
        if !used {
            return format!("{}\n{{\n{zero}    return none;\n}}\n", self.head);
        }
        let cast = if self.is_pointer { "(void *)" } else { "" };
        format!(
            "static {};\nstatic unsigned {name}_given, {name}_taken;\n{}\n{{\n{zero}    \
             return {name}_taken < {name}_given ? {cast}{name}_results[{name}_taken++] : none;\n}}\n",
            crate::types::declaration(result, &format!("{name}_results[64]")),
            self.head
        )
    }
}

impl Case {
    /// The elements of one array that may be parts of one address with this one: where a pointer was copied into bytes,
    /// some of them are the same in two runs of one build, and not in another build.
    fn same_word(&self, index: usize) -> impl Iterator<Item = usize> {
        let element = |index: usize| match &self.leaves[index] {
            Leaf { kind: LeafKind::Integer { bits, .. }, expression, is_bit_field: false, .. } => {
                Some((expression.rsplit_once('[')?.0, *bits))
            }
            _ => None,
        };
        let of = element(index);
        let reach = of.map_or(0, |(_, bits)| (ADDRESS_BITS / bits.max(1)).saturating_sub(1) as usize);
        let near = index.saturating_sub(reach)..(index + reach + 1).min(self.leaves.len());
        near.filter(move |near| *near == index || element(*near) == of)
    }

    fn comment(&self) -> String {
        let lines: Vec<String> = self.comment.iter().map(|line| line.replace("*/", "* /")).collect();
        if lines.is_empty() { String::new() } else { format!("/* {} */\n", lines.join("\n * ")) }
    }

    fn stub_results(&self) -> String {
        let mut text = String::new();
        for (name, results) in &self.stubs {
            for (index, result) in results.iter().take(64).enumerate() {
                text.push_str(&format!("    {name}_results[{index}] = {result};\n"));
            }
            let given = results.len().min(64);
            text.push_str(&format!("    {name}_given = {given}, {name}_taken = 0;\n"));
        }
        text
    }

    fn checked(&self, recording: &Recording) -> String {
        let mut checks = String::new();
        for (index, leaf) in self.leaves.iter().enumerate() {
            let value = |after| recording.values.get(&(self.name.clone(), index, after)).copied();
            let Some(after) = value(true) else { continue };
            if leaf.only_if_changed && value(false) == Some(after) {
                continue;
            }
            checks.push_str(&leaf.check(after));
        }
        let (setup, call) = self.body.split_once(CALLS).unwrap_or((&self.body, ""));
        let call = call.replace(CALL, "");
        format!(
            "{}void {}(void)\n{{\n{setup}{}{call}{checks}}}\n\n",
            self.comment(),
            self.name,
            self.stub_results()
        )
    }
}

const ADDRESS_BITS: u32 = 64;
/// Stands between the inputs and the calls in a case's body.
const CALLS: &str = "\u{1}";
/// Stands before each call.
const CALL: &str = "\u{2}";

impl Leaf {
    fn check(&self, bits: u64) -> String {
        let expression = &self.expression;
        match &self.kind {
            LeafKind::Integer { bits: width, signed, names } => {
                let value = literal::integer(bits, *width, *signed, names);
                format!("    CHECK_INTEGER({value}, {expression});\n")
            }
            LeafKind::Real => match f64::from_bits(bits) {
                value if value.is_finite() => {
                    format!("    CHECK_REAL({}, {expression});\n", literal::real(value))
                }
                _ => format!("    CHECK_BITS(0x{bits:016x}ull, {expression});\n"),
            },
            LeafKind::Pointer if bits == 0 => format!("    CHECK({expression} == 0);\n"),
            LeafKind::Pointer => format!("    CHECK({expression} != 0);\n"),
        }
    }
}

/// Its name in a file of cases.
fn case_callback((function, allocator): Callback) -> String {
    match allocator {
        Some(allocator) => format!("{}_{function}", allocator.name()),
        None => callback_name(function),
    }
}

impl Writer<'_> {
    /// A function for pointers of this type.
    fn callback_stub(&self, (function, allocator): Callback) -> Option<Stub> {
        let model::TypeKind::Function { result, params, variadic, unprototyped } = self.types.kind(function)
        else {
            return None;
        };
        let mut parameters = Vec::new();
        for (index, param) in params.iter().enumerate() {
            let name = format!("arg{}", index + 1);
            parameters.push((name.clone(), crate::types::declaration(self.types.written(*param)?, &name)));
        }
        let name = case_callback((function, allocator));
        let body = allocator.map(|allocator| {
            let mut block = Block::new();
            allocator.body(&mut block, "arg");
            block.into_text()
        });
        let list = crate::stubs::list(&parameters, *variadic && !*unprototyped, *unprototyped);
        let written = self.types.unqualified(*result)?;
        let returns = !matches!(self.types.kind(*result), model::TypeKind::Void);
        Some(Stub {
            head: format!("static {}", crate::types::declaration(&written, &format!("{name}({list})"))),
            name,
            result: returns.then_some(written),
            is_pointer: matches!(self.types.kind(*result), model::TypeKind::Pointer { .. }),
            never_returns: false,
            body,
        })
    }

    /// Variables of other files, all zero, and functions of other files that only pointers lead to, which return zero.
    fn missing_definitions(&self, stubbed: bool) -> Vec<String> {
        let outside =
            |global: &&Global| !global.defined && !global.is_static && global.scope == GlobalScope::File;
        let is_missing = |name: &str| {
            let defines = |global: &Global| global.defined && !global.is_static && global.name == name;
            let elsewhere =
                || self.image.files.iter().any(|file| self.program.file(*file).globals.iter().any(defines));
            self.image.undefined.iter().any(|(symbol, _)| symbol == name) || stubbed && elsewhere()
        };
        let variables = self.unit.globals.iter().filter(outside).filter(|global| is_missing(&global.name));
        let mut missing: Vec<String> =
            variables.filter_map(|global| self.undefined_variable(&global.name, global.ty).ok()).collect();
        missing.sort();
        missing.dedup();
        for name in self.externs.keys().filter(|_| stubbed) {
            let own = extern_function(name);
            if self.externs[name].contains(&own) {
                missing.push(format!(
                    "__attribute__((weak)) long {own}_zero(void) __asm__(\"{name}\");\n\
                     long {own}_zero(void) {{ return 0; }}\n"
                ));
            }
        }
        missing
    }

    /// The functions outside of the file that its functions call, where they have to be replaced.
    fn case_stubs(&self, stubbed: bool) -> Vec<Stub> {
        let undefined: BTreeSet<&str> =
            self.image.undefined.iter().map(|(symbol, _)| symbol.as_str()).collect();
        let elsewhere = |name: &str| {
            self.program.functions.iter().any(|f| {
                f.name == name && f.file != self.unit.id && !f.is_static && self.image.files.contains(&f.file)
            })
        };
        let mut stubs = Vec::new();
        for function in &self.unit.externs {
            let name = function.name.as_str();
            if !(undefined.contains(name) || stubbed && elsewhere(name)) {
                continue;
            }
            let parameters =
                if function.unprototyped { Ok(Vec::new()) } else { self.parameters(&function.params) };
            let (Ok(parameters), Some(result)) = (parameters, self.types.written(function.result)) else {
                continue;
            };
            let list = crate::stubs::list(&parameters, function.variadic, function.unprototyped);
            let returns = !matches!(self.types.kind(function.result), model::TypeKind::Void);
            stubs.push(Stub {
                name: name.to_owned(),
                head: crate::types::declaration(result, &format!("{name}({list})")),
                result: returns.then(|| self.types.unqualified(function.result)).flatten(),
                is_pointer: matches!(self.types.kind(function.result), model::TypeKind::Pointer { .. }),
                never_returns: function.is_noreturn,
                body: None,
            });
        }
        stubs
    }
}
