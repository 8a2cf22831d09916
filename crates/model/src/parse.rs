//! One translation unit: from the front end's tree to types, globals and functions.
//!
//! Names of functions are left unresolved here; which unit defines them is decided in `assemble.rs`.

use crate::body::Body;
use crate::checks::Checks;
use crate::clang::{Cursor, Libclang, ParseFailure, Place, Type, Unit};
use crate::database::CompileCommand;
use crate::declaration::{attribute_text, is_noreturn, is_old_style, is_prototype};
use crate::ending::Ending;
use crate::expression::{declared, is_null};
use crate::facts::{Arguments, ParsedFacts};
use crate::flows::Flows;
use crate::followed::followed;
use crate::handed::HandedOn;
use crate::never_null::Results;
use crate::paths::Root;
use crate::program::*;
use crate::risks::risks;
use crate::sought::Sought;
use crate::spans::Spans;
use crate::tagged;
use crate::tree::Tree;
use crate::types::TypeTable;
use crate::walked::Walked;
use clang_sys::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What a unit brings to the program.
pub(crate) struct ParsedUnit {
    pub(crate) types: Vec<TypeInfo>,
    pub(crate) records: Vec<Record>,
    pub(crate) record_places: Vec<Option<Place>>,
    pub(crate) globals: Vec<Global>,
    pub(crate) externs: Vec<ExternFunction>,
    pub(crate) functions: Vec<ParsedFunction>,
    /// Symbols that other units can link to; the value says whether the definition is weak.
    pub(crate) exports: BTreeMap<String, bool>,
    /// Symbols that are used here and defined elsewhere, in the order of their first use.
    pub(crate) imports: Vec<String>,
    /// Those that may stay undefined: their address is then null.
    pub(crate) weak_imports: BTreeSet<String>,
    pub(crate) address_taken: BTreeSet<String>,
    /// Records, the types that pointers to them are converted to, and the distance in bytes.
    pub(crate) conversions: Vec<(RecordId, TypeId, u64)>,
    /// Where integer variables get their values, of everything in the unit.
    pub(crate) flows: Vec<Flows>,
}

pub(crate) struct ParsedFunction {
    /// Ids and callees are filled in by `assemble.rs`.
    pub(crate) function: Function,
    pub(crate) ending: Ending,
    /// Where it returns pointers.
    pub(crate) results: Results,
    /// As in `Body`.
    pub(crate) passed: Vec<(GlobalId, String, usize)>,
    pub(crate) kept: Vec<String>,
    pub(crate) calls: Vec<String>,
    /// In source order, one entry per call.
    pub(crate) arguments: Vec<Arguments>,
    pub(crate) handed: HandedOn,
    pub(crate) checks: Checks,
    /// It stands in the unit's main file, not in something included.
    pub(crate) in_main_file: bool,
}

pub(crate) fn parse(
    libclang: &'static Libclang,
    command: &CompileCommand,
    root: &Root,
) -> Result<ParsedUnit, ParseFailure> {
    let mut flags = command.flags.clone();
    flags.push(format!("-working-directory={}", command.directory.display()));
    flags.push("-w".into());
    if let Some(directory) = &libclang.resource_dir {
        flags.push(format!("-resource-dir={}", directory.display()));
    }
    let unit = Unit::parse(libclang, &command.path, &flags)?;
    let mut builder = UnitBuilder::new(root);
    builder.gnu_inline = command.flags.iter().any(|f| {
        matches!(
            f.as_str(),
            "-fgnu89-inline" | "-ansi" | "-std=c89" | "-std=c90" | "-std=gnu89" | "-std=gnu90"
        )
    });
    let main_file = root.tidy(&command.path.to_string_lossy());
    Ok(builder.build(unit.root(), &main_file))
}

/// A global while the unit is being read.
struct GlobalEntry<'tu> {
    cursor: Cursor<'tu>,
    defined: bool,
}

/// A file-scope function while the unit is being read.
#[derive(Clone, Copy)]
struct FunctionEntry<'tu> {
    definition: Option<Cursor<'tu>>,
    /// Every declaration says `inline`, none says `extern`: no symbol comes of it (C99).
    all_inline: bool,
    some_extern: bool,
}

pub(crate) struct UnitBuilder<'a, 'tu> {
    pub(crate) types: TypeTable<'tu>,
    root: &'a Root,
    gnu_inline: bool,
    globals: Vec<Global>,
    global_ids: HashMap<usize, GlobalId>,
    file_globals: HashMap<usize, GlobalEntry<'tu>>,
    functions: HashMap<String, FunctionEntry<'tu>>,
    used_functions: Vec<(String, Cursor<'tu>)>,
    used_names: HashSet<String>,
    exports: BTreeMap<String, bool>,
    imports: Vec<String>,
    weak_imports: BTreeSet<String>,
    address_taken: BTreeSet<String>,
    pub(crate) conversions: Vec<(RecordId, TypeId, u64)>,
    flows: Vec<Flows>,
}

impl<'a, 'tu> UnitBuilder<'a, 'tu> {
    fn new(root: &'a Root) -> Self {
        UnitBuilder {
            types: TypeTable::default(),
            root,
            gnu_inline: false,
            globals: Vec::new(),
            global_ids: HashMap::new(),
            file_globals: HashMap::new(),
            functions: HashMap::new(),
            used_functions: Vec::new(),
            used_names: HashSet::new(),
            exports: BTreeMap::new(),
            imports: Vec::new(),
            weak_imports: BTreeSet::new(),
            address_taken: BTreeSet::new(),
            conversions: Vec::new(),
            flows: Vec::new(),
        }
    }

    fn build(mut self, unit: Cursor<'tu>, main_file: &str) -> ParsedUnit {
        let declarations = unit.children();
        for declaration in &declarations {
            self.declare(*declaration);
        }
        for declaration in &declarations {
            if declaration.kind() == CXCursor_VarDecl && !declaration.in_system_header() {
                self.define_global(*declaration);
            }
        }
        let mut functions = Vec::new();
        for declaration in &declarations {
            if declaration.kind() == CXCursor_FunctionDecl
                && declaration.is_definition()
                && !declaration.in_system_header()
            {
                functions.extend(self.function(*declaration, main_file));
            }
        }
        let externs = self.externs();
        self.meet_heirs(&declarations);
        ParsedUnit {
            types: self.types.types,
            records: self.types.records,
            record_places: self.types.record_places,
            globals: self.globals,
            externs,
            functions,
            exports: self.exports,
            imports: self.imports,
            weak_imports: self.weak_imports,
            address_taken: self.address_taken,
            conversions: self.conversions,
            flows: self.flows,
        }
    }

    fn declare(&mut self, declaration: Cursor<'tu>) {
        match declaration.kind() {
            CXCursor_VarDecl => {
                let defines =
                    declaration.storage_class() != CX_SC_Extern || declaration.initializer().is_some();
                let entry = self
                    .file_globals
                    .entry(declaration.identity())
                    .or_insert(GlobalEntry { cursor: declaration, defined: false });
                // The defining declaration has the complete type (`extern int a[]; int a[8];`).
                if defines || (!entry.defined && declaration.ty().size().is_some()) {
                    entry.cursor = declaration;
                }
                entry.defined |= defines;
            }
            CXCursor_FunctionDecl => {
                let entry = self.functions.entry(declaration.name()).or_insert(FunctionEntry {
                    definition: None,
                    all_inline: true,
                    some_extern: false,
                });
                entry.all_inline &= declaration.is_inline();
                entry.some_extern |= declaration.storage_class() == CX_SC_Extern;
                if declaration.is_definition() {
                    entry.definition = Some(declaration);
                }
            }
            _ => {}
        }
    }

    fn define_global(&mut self, declaration: Cursor<'tu>) {
        if self.file_globals.get(&declaration.identity()).is_none_or(|entry| !entry.defined) {
            return;
        }
        let Some(id) = self.global(declaration) else { return };
        let global = &self.globals[id.index()];
        if !global.is_static {
            let weak = attribute_text(declaration).contains("((weak");
            self.exports.insert(global.name.clone(), weak);
        }
        if let Some(initializer) = declaration.initializer() {
            self.initialize(Some(id), declaration.ty(), initializer);
            self.globals[id.index()].points_somewhere =
                declaration.ty().is_pointer() && !is_null(initializer);
            self.globals[id.index()].is_initialised = true;
            self.note_addresses(initializer, false);
        }
        let flows = Flows::of_global(self, id, declaration);
        self.flows.push(flows);
    }

    /// Finds the globals whose address an initialiser takes, `&x` or `&x.member`.
    fn note_addresses(&mut self, node: Cursor<'tu>, addressed: bool) {
        if addressed
            && let Some(variable) = declared(node)
            && let Some(id) = self.global(variable)
        {
            self.globals[id.index()].in_initialisers = true;
            return;
        }
        let addressed = addressed
            || node.kind() == CXCursor_UnaryOperator && node.unary_operator() == CXUnaryOperator_AddrOf;
        node.children().into_iter().for_each(|child| self.note_addresses(child, addressed));
    }

    /// The global that a variable declaration means; None for automatic variables.
    pub(crate) fn global(&mut self, variable: Cursor<'tu>) -> Option<GlobalId> {
        let identity = variable.identity();
        if let Some(id) = self.global_ids.get(&identity) {
            return Some(*id);
        }
        let (cursor, defined, in_bodies) = match self.file_globals.get(&identity) {
            Some(entry) => (entry.cursor, entry.defined, false),
            None if variable.storage_class() == CX_SC_Extern => (variable, false, true),
            None => return None,
        };
        let is_static = cursor.linkage() == CXLinkage_Internal;
        let id = self.add_global(cursor, GlobalScope::File, is_static, defined);
        self.globals[id.index()].in_bodies = in_bodies;
        Some(id)
    }

    pub(crate) fn name_at_file_scope(&self, global: GlobalId) -> Option<String> {
        let global = &self.globals[global.index()];
        (global.scope == GlobalScope::File).then(|| global.name.clone())
    }

    pub(crate) fn static_local(&mut self, variable: Cursor<'tu>, function: &str) -> GlobalId {
        self.add_global(variable, GlobalScope::Function(function.into()), true, true)
    }

    fn add_global(
        &mut self,
        cursor: Cursor<'tu>,
        scope: GlobalScope,
        is_static: bool,
        defined: bool,
    ) -> GlobalId {
        let id = GlobalId(self.globals.len() as u32);
        self.global_ids.insert(cursor.identity(), id);
        let name = cursor.name();
        if scope == GlobalScope::File {
            self.types.reach(cursor.ty(), &name);
        }
        if !defined && !is_static {
            self.import(&name, &attribute_text(cursor));
        }
        let ty = self.types.intern(cursor.ty());
        let is_const = self.types.info(ty).is_const;
        self.globals.push(Global {
            name,
            ty,
            scope,
            is_static,
            is_const,
            is_thread_local: cursor.is_thread_local(),
            defined,
            in_bodies: false,
            points_somewhere: false,
            is_initialised: false,
            in_initialisers: false,
            location: self.location(cursor),
            targets: Vec::new(),
            range: None,
            is_read: false,
        });
        id
    }

    pub(crate) fn global_info(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    pub(crate) fn add_global_target(&mut self, id: GlobalId, target: &str) {
        let targets = &mut self.globals[id.index()].targets;
        if !targets.iter().any(|t| t == target) {
            targets.push(target.into());
        }
    }

    fn import(&mut self, symbol: &str, attributes: &str) {
        if attributes.contains("((weak") {
            self.weak_imports.insert(symbol.into());
        }
        if !self.imports.iter().any(|s| s == symbol) {
            self.imports.push(symbol.into());
        }
    }

    /// A call of, or another reference to, a function.
    pub(crate) fn use_function(&mut self, function: Cursor<'tu>) -> String {
        let name = function.name();
        if self.used_names.insert(name.clone()) {
            self.used_functions.push((name.clone(), function));
        }
        name
    }

    pub(crate) fn take_address(&mut self, function: Cursor<'tu>) -> String {
        let name = self.use_function(function);
        self.address_taken.insert(name.clone());
        name
    }

    fn function(&mut self, definition: Cursor<'tu>, main_file: &str) -> Option<ParsedFunction> {
        let place = definition.place()?;
        let name = definition.name();
        let text = attribute_text(definition);
        let is_static = definition.linkage() == CXLinkage_Internal;
        if !is_static && self.makes_symbol(&name, &text) {
            self.exports.insert(name.clone(), text.contains("((weak"));
        }
        let ty = definition.ty();
        let params = definition
            .arguments()
            .into_iter()
            .map(|param| self.param(param.name(), param.ty()))
            .collect::<Vec<_>>();
        let result = self.types.intern(ty.result());
        let body = Body::read(self, definition, &name);
        let mut facts = ParsedFacts::read(self, definition);
        let is_body = |part: &Cursor<'_>| part.kind() == CXCursor_CompoundStmt;
        let tree = definition.children().into_iter().find(is_body).map(Tree::new);
        let mut tag_uses = Vec::new();
        let mut ending = Ending::GoesOn;
        let mut results = Results::default();
        let mut checks = Checks::default();
        if let Some(tree) = tree {
            checks = Checks::of_function(definition, &tree);
            let flows = Flows::of_function(self, definition, &tree);
            self.flows.push(flows);
            tag_uses = tagged::uses(self, &tree);
            ending = Ending::of_body(&tree);
            facts.facts.followed = followed(&tree);
            facts.facts.risks = risks(&tree);
            let walked = Walked::of_function(definition, &tree);
            facts.facts.walked = walked.names;
            facts.handed.walks = walked.handed;
            let sought = Sought::of_function(definition, &tree);
            facts.facts.ends_sought = sought.names;
            facts.handed.texts = sought.handed;
            let spans = Spans::of_function(definition, &tree);
            facts.facts.spans = spans.pairs;
            facts.handed.spans = spans.handed;
            if ty.result().canonical().is_pointer() {
                results = Results::of_body(&tree);
            }
        }
        let function = Function {
            id: FunctionId(0),
            file: UnitFileId(0),
            location: self.location(definition),
            end_line: definition.end_line().unwrap_or(place.line),
            is_static,
            is_inline: definition.is_inline(),
            variadic: ty.is_variadic() && is_prototype(ty),
            is_knr: is_old_style(definition),
            is_noreturn: is_noreturn(ty, &text),
            is_never_null: false,
            result,
            params,
            globals: body.globals,
            calls: Vec::new(),
            indirect_calls: body.indirect_calls,
            pointer_reads: body.pointer_reads,
            tag_uses,
            address_taken: false,
            complexity: body.complexity,
            undrivable: None,
            facts: Facts { member_arrays: body.member_arrays, buffers: body.buffers, ..facts.facts },
            name,
        };
        let in_main_file = self.root.tidy(&place.file) == main_file;
        Some(ParsedFunction {
            function,
            ending,
            results,
            passed: body.passed,
            kept: body.kept,
            calls: body.calls,
            arguments: facts.arguments,
            handed: facts.handed,
            checks,
            in_main_file,
        })
    }

    fn param(&mut self, name: String, ty: Type<'tu>) -> Param {
        let is_va_list = ty.spelling().contains("va_list");
        let declared_length = ty.canonical().array_length().filter(|_| ty.is_array() && !is_va_list);
        Param {
            name,
            ty: self.types.intern_param(ty),
            declared_length,
            room: None,
            constants: None,
            range: None,
            checked: Vec::new(),
        }
    }

    /// Whether a definition with external linkage emits a symbol: inline ones may not.
    fn makes_symbol(&self, name: &str, text: &str) -> bool {
        let Some(entry) = self.functions.get(name) else { return true };
        let is_inline = entry.definition.is_some_and(|definition| definition.is_inline());
        if !is_inline {
            return true;
        }
        if self.gnu_inline || text.contains("((gnu_inline") {
            return entry.definition.is_none_or(|d| d.storage_class() != CX_SC_Extern);
        }
        !entry.all_inline || entry.some_extern
    }

    fn externs(&mut self) -> Vec<ExternFunction> {
        let mut externs = Vec::new();
        for (name, cursor) in std::mem::take(&mut self.used_functions) {
            let defined = self.functions.get(&name).is_some_and(|entry| entry.definition.is_some());
            if is_compiler_builtin(&name) {
                continue;
            }
            if defined {
                // Its body is here, but an inline definition leaves the symbol to another unit.
                if cursor.linkage() != CXLinkage_Internal && !self.exports.contains_key(&name) {
                    self.import(&name, "");
                }
                continue;
            }
            let text = attribute_text(cursor);
            if text.contains("((alias(\"") {
                self.exports.insert(name, text.contains("((weak"));
                continue;
            }
            self.import(&name, &text);
            let ty = cursor.ty();
            let names: Vec<String> = cursor.arguments().into_iter().map(|p| p.name()).collect();
            let params = ty
                .arguments()
                .into_iter()
                .enumerate()
                .map(|(i, ty)| self.param(names.get(i).cloned().unwrap_or_default(), ty))
                .collect();
            externs.push(ExternFunction {
                name,
                result: self.types.intern(ty.result()),
                params,
                variadic: ty.is_variadic() && is_prototype(ty),
                unprototyped: !is_prototype(ty),
                is_noreturn: is_noreturn(ty, &text),
            });
        }
        externs
    }

    fn location(&self, cursor: Cursor<'_>) -> Location {
        match cursor.place() {
            Some(place) => self.root.location(&place),
            None => Location { file: String::new(), line: 0, column: 0 },
        }
    }
}

fn is_compiler_builtin(name: &str) -> bool {
    ["__builtin_", "__sync_", "__atomic_", "__c11_atomic_"].iter().any(|prefix| name.starts_with(prefix))
}
