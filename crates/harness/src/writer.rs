//! The file as a whole: what has been generated so far, and the order in which it is put together.

use crate::allocators::Allocator;
use crate::callbacks::Signatures;
use crate::inputs;
use crate::names::{self, Names};
use crate::options::Options;
use crate::owners::Backs;
use crate::prelude::{Nulls, Piece};
use crate::reads::Reads;
use crate::size::Sizes;
use crate::tagged::Tagged;
use crate::types::Types;
use crate::{DriverInfo, Harness, StubInfo};
use model::{
    Callee, Field, Function, FunctionId, Image, Origin, Program, RecordId, TranslationUnit, TypeId, TypeKind,
    UnitFileId,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Functions of the harness that are written once and used in several places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shared {
    /// Sets the members of a record.
    Setter(RecordId),
    /// Makes what a pointer points to; by the type's spelling, because qualifiers do not matter.
    Maker(String),
    /// A function for pointers to functions of this type, and what it does with memory if that is its job.
    Callback(TypeId, Option<Allocator>),
    /// Makes a variable argument for this function.
    Argument(FunctionId),
}

struct SharedFunction {
    name: String,
    prototype: String,
    /// False while its body is being written: then a use needs a declaration before it.
    complete: bool,
}

pub(crate) struct Writer<'a> {
    pub(crate) program: &'a Program,
    pub(crate) image: &'a Image,
    pub(crate) unit: &'a TranslationUnit,
    pub(crate) options: &'a Options,
    pub(crate) types: &'a Types<'a>,
    pub(crate) sizes: &'a Sizes<'a>,
    pub(crate) signatures: Signatures,
    pub(crate) written_globals: BTreeSet<String>,
    /// Functions that others call by their names.
    pub(crate) called: HashSet<FunctionId>,
    /// Names of members that some function of the program tests for null.
    tested_members: BTreeSet<&'a str>,
    /// Names of members whose memory some function of the program gives back.
    pub(crate) freed_members: BTreeSet<&'a str>,
    /// The largest object that some function of the program makes of what another one returns.
    result_sizes: HashMap<&'a str, u64>,
    pub(crate) tagged: Tagged,
    pub(crate) backs: Backs<'a>,
    /// Records that have a name.
    pub(crate) named: HashMap<&'a str, RecordId>,
    /// What the code reads for which values are written now, and what any code reads.
    pub(crate) reads: Rc<Reads<'a>>,
    pub(crate) anybody: Rc<Reads<'a>>,
    /// What functions of the harness ask for by name, and the constants of the members that are told apart.
    pub(crate) tables: Vec<(String, Rc<Reads<'a>>)>,
    pub(crate) members: BTreeMap<(RecordId, String), String>,
    /// Words that mean something in the program.
    reserved: BTreeSet<String>,
    pub(crate) names: Names,
    pieces: BTreeSet<Piece>,
    shared: HashMap<Shared, SharedFunction>,
    /// Declarations of functions of other files, by name.
    pub(crate) externs: BTreeMap<String, String>,
    forward: BTreeSet<String>,
    definitions: Vec<String>,
    pub(crate) notes: Vec<String>,
}

/// Writes the harness of one translation unit.
pub(crate) fn write(program: &Program, image: &Image, file: UnitFileId, options: &Options) -> Harness {
    with(program, image, file, options, |writer| writer.write())
}

/// A writer for one translation unit, for what is to be written with it.
pub(crate) fn with<T>(
    program: &Program,
    image: &Image,
    file: UnitFileId,
    options: &Options,
    use_it: impl FnOnce(&mut Writer<'_>) -> T,
) -> T {
    let unit = program.file(file);
    let types = Types::new(unit);
    let functions = program.functions.iter().filter(|function| function.file == file);
    let sizes = Sizes::new(unit, functions, &types, options);
    let names_of_records = named(unit);
    let mut writer = Writer {
        program,
        image,
        unit,
        options,
        types: &types,
        sizes: &sizes,
        signatures: Signatures::new(program, image),
        written_globals: inputs::written_globals(program, image),
        called: called(program),
        tested_members: tested_members(program),
        freed_members: freed_members(program),
        result_sizes: result_sizes(program),
        backs: Backs::new(program),
        tagged: Tagged::new(program, unit, &names_of_records),
        named: names_of_records,
        reads: Rc::default(),
        anybody: Rc::default(),
        tables: Vec::new(),
        members: BTreeMap::new(),
        reserved: words_of(program, unit),
        names: Names::default(),
        pieces: BTreeSet::new(),
        shared: HashMap::new(),
        externs: BTreeMap::new(),
        forward: BTreeSet::new(),
        definitions: Vec::new(),
        notes: Vec::new(),
    };
    writer.anybody = writer.reads_of_anybody();
    writer.reads = Rc::clone(&writer.anybody);
    use_it(&mut writer)
}

fn result_sizes(program: &Program) -> HashMap<&str, u64> {
    let mut sizes: HashMap<&str, u64> = HashMap::new();
    for (name, size) in program.functions.iter().flat_map(|function| &function.facts.results) {
        let known = sizes.entry(name).or_default();
        *known = (*known).max(*size);
    }
    sizes
}

/// Complete ones before others of the same name, and structs before unions.
fn named(unit: &TranslationUnit) -> HashMap<&str, RecordId> {
    let mut found = HashMap::new();
    for wanted in [(true, false), (true, true)] {
        for (id, record) in (0..).map(RecordId).zip(&unit.records) {
            if let Some(name) =
                record.name.as_deref().filter(|_| (record.complete, record.is_union) == wanted)
            {
                found.entry(name).or_insert(id);
            }
        }
    }
    found
}

fn called(program: &Program) -> HashSet<FunctionId> {
    let calls = program.functions.iter().flat_map(|function| {
        let others = function.calls.iter().filter_map(|callee| match callee {
            Callee::Defined(id) => Some(*id),
            Callee::External(_) => None,
        });
        others.filter(|id| *id != function.id)
    });
    calls.collect()
}

fn tested_members(program: &Program) -> BTreeSet<&str> {
    let tests = program.functions.iter().flat_map(|function| &function.facts.null_tests);
    tests.filter_map(|test| test.strip_prefix('.')).collect()
}

/// By the names of the functions that they are handed to: `free`, `xfree`, `yaml_free`, `realloc`.
fn freed_members(program: &Program) -> BTreeSet<&str> {
    let gives_back = |callee: &str| {
        let lower = callee.to_lowercase();
        lower.contains("free") || lower.contains("realloc")
    };
    let handed = program.functions.iter().flat_map(|function| &function.facts.followed);
    let given =
        handed.filter(|pointer| pointer.handed.as_ref().is_some_and(|(callee, _)| gives_back(callee)));
    let members = given.filter_map(|pointer| match &pointer.origins[..] {
        [Origin::Held(name)] => name.strip_prefix('.').filter(|name| !name.ends_with(']')),
        _ => None,
    });
    members.collect()
}

impl<'a> Writer<'a> {
    /// The size of the largest object that callers make of what a function returns.
    pub(crate) fn result_size(&self, function: &str) -> Option<u64> {
        self.result_sizes.get(function).copied()
    }

    /// Nothing tests this member for null: where the driver follows pointers no further, null would be no end of
    /// anything but a fault of its own.
    pub(crate) fn is_taken_for_granted(&self, field: &Field) -> bool {
        field.name.as_deref().is_some_and(|name| !self.tested_members.contains(name))
    }

    fn write(&mut self) -> Harness {
        if self.options.capture {
            return self.write_captures();
        }
        let mut drivers = Vec::new();
        let mut driver_texts = Vec::new();
        let mut skipped = Vec::new();
        let mut stubs = Vec::new();
        let mut stub_texts = Vec::new();
        for function in self.functions() {
            match self.driver(function) {
                Ok(driver) => {
                    driver_texts.push(driver.text);
                    let index = drivers.len() as u32;
                    drivers.push(DriverInfo {
                        function: function.id,
                        index,
                        name: function.name.clone(),
                        preconditions: driver.preconditions,
                        has_long: driver.has_long,
                    });
                }
                Err(reason) => skipped.push((function.id, reason)),
            }
            if function.name != "main" {
                let stub = self.stub(function);
                let problem = stub.as_ref().err().cloned();
                stubs.push(StubInfo { symbol: function.name.clone(), replaces: Some(function.id), problem });
                stub_texts.extend(stub);
            }
        }
        for symbol in self.undefined() {
            let stub = self.definition_of_undefined(symbol);
            let problem = stub.as_ref().err().cloned();
            stubs.push(StubInfo { symbol: symbol.to_owned(), replaces: None, problem });
            stub_texts.extend(stub);
        }
        let made = self.made_for_others();
        let body = self.body(&made, &stub_texts, &driver_texts, &drivers);
        let text = format!("{}{}{body}", self.head(drivers.len()), self.undefine(&body));
        Harness { text, drivers, skipped, stubs, notes: std::mem::take(&mut self.notes) }
    }

    pub(crate) fn nulls(&self) -> Nulls {
        match (self.options.null_pointers, self.options.capture) {
            (false, _) => Nulls::Never,
            (true, true) => Nulls::First,
            (true, false) => Nulls::OrNull,
        }
    }

    /// The functions that are tested with this file.
    pub(crate) fn functions(&self) -> Vec<&'a Function> {
        self.program.functions.iter().filter(|function| function.file == self.unit.id).collect()
    }

    pub(crate) fn function(&self, id: FunctionId) -> &'a Function {
        self.program.function(id)
    }

    fn undefined(&self) -> Vec<&'a str> {
        let inlined = self.inlined();
        let here = |(symbol, file): &&(String, UnitFileId)| {
            *file == self.unit.id && !inlined.contains(&symbol.as_str())
        };
        self.image.undefined.iter().filter(here).map(|(symbol, _)| symbol.as_str()).collect()
    }

    /// Inline functions of this file: their definition makes a symbol only where a declaration asks for it.
    fn inlined(&self) -> Vec<&'a str> {
        let functions =
            self.functions().into_iter().filter(|function| function.is_inline && !function.is_static);
        functions.map(|function| function.name.as_str()).collect()
    }

    fn head(&self, drivers: usize) -> String {
        let path = self.unit.path.display();
        format!(
            "/* Harness of {path}: {drivers} drivers.\n \
             * ctn_drive_f sets the inputs of f (parameters and the globals that f and its callees of this file\n \
             * read) and calls it. __ctn_stub_f takes the place of f when f is outside of the unit under test. A\n \
             * string such as \"hdr->len\" names an input in reports and in stored tests. Generated by concertino;\n \
             * a driver may be edited and kept, ctn.h says what each call does. */\n\
             #include \"ctn.h\"\n#include \"{path}\"\n\n"
        )
    }

    /// Macros of the program that would change the text below.
    pub(crate) fn undefine(&self, body: &str) -> String {
        // `bool` is what the compiler itself calls `_Bool` when the program defines it.
        let kept = |word: &&str| *word != "bool" && !word.starts_with("CTN_");
        let used = names::words(body);
        let lines: String = used
            .into_iter()
            .filter(|word| self.options.macros.contains(*word))
            .filter(kept)
            .map(|word| format!("#undef {word}\n"))
            .collect();
        if lines.is_empty() {
            lines
        } else {
            format!("/* Macros that would change the text below. */\n{lines}\n")
        }
    }

    pub(crate) fn body(
        &self,
        made: &[String],
        stubs: &[String],
        drivers: &[String],
        table: &[DriverInfo],
    ) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            text.push_str(&self.told_piece(piece.text(self.nulls())));
            text.push('\n');
        }
        text.push_str(&self.tables_of_reads());
        for lines in [self.externs.values().collect::<Vec<_>>(), self.forward.iter().collect()] {
            for line in &lines {
                text.push_str(&format!("{line};\n"));
            }
            if !lines.is_empty() {
                text.push('\n');
            }
        }
        let weak = |name: &&str| format!("#pragma weak {name}\nextern __typeof__({name}) {name};\n");
        let inlined: String = self.inlined().iter().map(weak).collect();
        if !inlined.is_empty() {
            text.push_str(&format!(
                "/* Inline functions get a symbol here, unless another file gives them one. */\n{inlined}\n"
            ));
        }
        section(&mut text, "Values, by type.", &self.definitions);
        section(&mut text, "Objects for files that know no more than the name of their type.", made);
        section(&mut text, "What other files cannot name.", &self.handed_over());
        section(&mut text, "Stubs.", stubs);
        section(&mut text, "Drivers.", drivers);
        if !table.is_empty() {
            text.push_str(&self.table(table));
        }
        text
    }

    fn table(&self, drivers: &[DriverInfo]) -> String {
        if self.options.capture {
            return self.capture_table(drivers);
        }
        let entry = |driver: &DriverInfo| format!("    {{\"{0}\", ctn_drive_{0}}},\n", driver.name);
        self.registered("driver", drivers.iter().map(entry).collect())
    }

    /// A table of what the file has of a kind, and its registration.
    pub(crate) fn registered(&self, kind: &str, entries: Vec<String>) -> String {
        format!(
            "static const ctn_{kind} ctn_{kind}s[] = {{\n{}}};\n\n\
             __attribute__((constructor)) static void ctn_register(void)\n{{\n    \
             ctn_register_{kind}s(0x{:08x}u, ctn_{kind}s, {});\n}}\n",
            entries.concat(),
            self.unit.tag,
            entries.len()
        )
    }

    pub(crate) fn piece(&mut self, piece: Piece) {
        self.pieces.insert(piece);
    }

    /// A local variable's name: the plain one unless it means something in the program. The other one is none
    /// of the runtime's, of which no name ends so.
    pub(crate) fn local(&self, name: &str) -> String {
        if self.is_reserved(name) { format!("ctn_{name}_") } else { name.to_owned() }
    }

    pub(crate) fn is_reserved(&self, name: &str) -> bool {
        self.reserved.contains(name)
    }

    /// The name of a shared function, whose body `write` gives when it is asked for the first time.
    pub(crate) fn shared(
        &mut self,
        key: Shared,
        name: &str,
        prototype: impl FnOnce(&str) -> String,
        write: impl FnOnce(&mut Self, &str) -> String,
    ) -> String {
        if let Some(known) = self.shared.get(&key) {
            if !known.complete {
                self.forward.insert(known.prototype.clone());
            }
            return known.name.clone();
        }
        let name = self.names.fresh(name);
        let prototype = prototype(&name);
        let function = SharedFunction { name: name.clone(), prototype: prototype.clone(), complete: false };
        self.shared.insert(key.clone(), function);
        let body = match self.options.without.parts.get(&name) {
            None => write(self, &name),
            Some(reason) => {
                self.notes.push(format!("{name}: {reason}"));
                let nothing = if prototype.starts_with("static void ctn_") { "" } else { "    return 0;\n" };
                format!("    /* {} */\n{nothing}", reason.replace("*/", "* /"))
            }
        };
        self.definitions.push(format!("{prototype}\n{{\n{body}}}\n"));
        if let Some(function) = self.shared.get_mut(&key) {
            function.complete = true;
        }
        name
    }
}

fn section(text: &mut String, title: &str, parts: &[String]) {
    if parts.is_empty() {
        return;
    }
    text.push_str(&format!("/* {title} */\n\n"));
    for part in parts {
        text.push_str(part);
        text.push('\n');
    }
}

/// Every identifier that types, globals, functions and enums of the unit give a meaning to.
fn words_of(program: &Program, unit: &TranslationUnit) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for ty in &unit.types {
        if let Some(spelling) = &ty.spelling {
            words.extend(names::words(&names::without_tags(spelling)).into_iter().map(str::to_owned));
        }
        if let TypeKind::Enum { values, .. } = &ty.kind {
            words.extend(values.iter().map(|value| value.name.clone()));
        }
    }
    words.extend(unit.globals.iter().map(|global| global.name.clone()));
    words.extend(unit.externs.iter().map(|function| function.name.clone()));
    words.extend(program.functions.iter().map(|function| function.name.clone()));
    words
}
