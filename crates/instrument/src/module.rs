//! One module from file to file: read, run the passes, verify, optimise, write.

use crate::builder::{FAR_PREFIX, Hooks};
use crate::ir::{Ir, Value};
use crate::passes::conditions::Conditions;
use crate::passes::unreachable::{Unreachable, unreachable_sides};
use crate::passes::vectors::unseen_vectors;
use crate::passes::{
    self, aliasing, assembly, chains, constructors, edge_counts, entry, globals, prepare, source, statics,
    tables,
};
use crate::unit::{Unit, survey};
use crate::{Error, Mode, Request};
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMLinkage::{LLVMInternalLinkage, LLVMLinkOnceODRLinkage};
use inkwell::llvm_sys::LLVMThreadLocalMode::LLVMLocalExecTLSModel;
use inkwell::llvm_sys::LLVMVisibility::LLVMHiddenVisibility;
use inkwell::llvm_sys::core::{LLVMIsThreadLocal, LLVMSetLinkage, LLVMSetThreadLocalMode, LLVMSetVisibility};
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine};
use inkwell::{OptimizationLevel, memory_buffer::MemoryBuffer};
use model::sites::SiteTable;
use std::collections::HashMap;
use std::path::Path;

/// Hooks that the passes call; their absence is found before anything is changed.
const HOOKS: &[&str] = &[
    "__ctn_op1",
    "__ctn_op2",
    "__ctn_op2_checked",
    "__ctn_op2_wide",
    "__ctn_select",
    "__ctn_select_wide",
    "__ctn_fma",
    "__ctn_address",
    "__ctn_index",
    "__ctn_choose",
    "__ctn_abs",
    "__ctn_saturate",
    "__ctn_funnel",
    "__ctn_classify",
    "__ctn_any",
    "__ctn_quad",
    "__ctn_any_of",
    "__ctn_load",
    "__ctn_store",
    "__ctn_load_opaque",
    "__ctn_store_opaque",
    "__ctn_memcpy",
    "__ctn_memset",
    "__ctn_lend",
    "__ctn_take_back",
    "__ctn_branch",
    "__ctn_switch_edge",
    "__ctn_cover",
    "__ctn_indirect",
    "__ctn_lost",
    "__ctn_concretise",
    "__ctn_result",
    "__ctn_check_divisor",
    "__ctn_check_divide_overflow",
    "__ctn_check_shift",
    "__ctn_check_index",
    "__ctn_check_size",
    "__ctn_stuck",
    "__ctn_frame_enter",
    "__ctn_redzone",
    "__ctn_redzone_clear",
    "__ctn_clear",
    "__ctn_poison_dynamic",
    "__ctn_clear_stack",
    "__ctn_argument",
    "__ctn_pass",
    "__ctn_returned",
    "__ctn_return",
    "__ctn_pass_byval",
    "__ctn_byval_enter",
    "__ctn_capture",
    "__ctn_assembly",
    "__ctn_va_pass_general",
    "__ctn_va_pass_floating",
    "__ctn_va_pass_memory",
    "__ctn_va_pass_bytes",
    "__ctn_va_pass",
    "__ctn_va_save",
    "__ctn_va_start",
    "__ctn_va_copy",
];

/// Hooks ask the same question of the same bytes again and again: what was loaded before, on whatever way, is not
/// loaded again. Level 1 sees that only where one place dominates the other.
const REPEATED_TESTS: &str = "function(gvn,simplifycfg)";

/// Instructions in one function above which code generation does not optimise.
const PLAIN_CODE_ABOVE: usize = 30_000;

/// Does what the request says and gives the site table, which is also written.
pub fn instrument(request: &Request) -> Result<SiteTable, Error> {
    let context = Context::create();
    let module = read(&context, &request.input)?;
    let redirects = match &request.redirects {
        Some(path) => read_redirects(path)?,
        None => Vec::new(),
    };
    let machine = target_machine(&module, request.optimise)?;
    let ir = Ir::new(module.as_mut_ptr());
    prepare::rename_main(ir);
    prepare::redirect(ir, &redirects);
    statics::bind(ir);
    let foreign_assembly = assembly::replace_foreign(&context, &module, &machine);
    let mut before = chains::Before::new();
    let mut table = match request.mode {
        Mode::Explore => {
            let conditions = source::restore(ir);
            run_passes(&module, &machine, "function(mem2reg)")?;
            prepare::settle_uninitialised(ir);
            prepare::narrow_switches(ir);
            // The proofs may rely on what the language promises, the executions may not.
            let unreachable = unreachable_sides(&module, &machine)?;
            prepare::withdraw_promises(ir);
            explore(&context, &module, request, conditions, unreachable, &mut before)?
        }
        Mode::Switch => {
            let unseen_vectors = unseen_vectors(&module, &machine)?;
            prepare::withdraw_alignment(ir);
            let other_sides = edge_counts::count_edges(ir);
            SiteTable { unseen_vectors, other_sides, ..switch_only(ir, request.tu) }
        }
    };
    table.foreign_assembly = foreign_assembly;
    verify(&module, "after instrumenting")?;
    if request.mode == Mode::Explore {
        allow_vector_tests(ir);
        let level = request.optimise.min(3);
        run_passes(&module, &machine, "function(mem2reg),always-inline")?;
        aliasing::separate(ir);
        run_passes(&module, &machine, &format!("default<O{level}>"))?;
        if level > 0 {
            run_passes(&module, &machine, REPEATED_TESTS)?;
            chains::join(ir, &before);
            run_passes(&module, &machine, "function(simplifycfg)")?;
        }
        verify(&module, "after optimising")?;
    }
    if let Some(path) = &request.emit_bitcode {
        write_bitcode(&module, path)?;
    }
    match request.mode {
        Mode::Explore => {
            constructors::to_init_array(ir);
            code_generator(&module, machine, ir, request.optimise)?
                .write_to_file(&module, FileType::Object, &request.output)
                .map_err(|e| Error::Write { path: request.output.clone(), message: e.to_string() })?
        }
        Mode::Switch => write_bitcode(&module, &request.output)?,
    }
    write_sites(&table, &request.sites)?;
    Ok(table)
}

fn explore<'c>(
    context: &'c Context,
    module: &Module<'c>,
    request: &Request,
    conditions: Conditions,
    unreachable: Unreachable,
    before: &mut chains::Before,
) -> Result<SiteTable, Error> {
    let ir = Ir::new(module.as_mut_ptr());
    let functions: Vec<Value> = ir.functions().into_iter().filter(|f| !f.is_declaration()).collect();
    let globals = globals::pad_globals(ir);
    let hooks = link_hooks(context, module, request.inline.as_deref(), &functions)?;
    let covered = tables::placeholder(ir, "__ctn_covered_placeholder");
    let mut unit = Unit {
        ir,
        hooks,
        table: SiteTable { tu: request.tu, ..SiteTable::default() },
        functions,
        covered,
        conditions,
        unreachable,
        before: chains::Before::new(),
        unknown: HashMap::new(),
    };
    let modes = tables::add_modes(&unit);
    passes::instrument_functions(&mut unit);
    tables::add_unit_table(&unit, modes, &globals);
    for (what, count) in &unit.unknown {
        tracing::debug!("left concrete: {what} ({count} times)");
    }
    *before = unit.before;
    Ok(unit.table)
}

/// Only the entry switch and the tables that it needs.
fn switch_only(ir: Ir, tu: u32) -> SiteTable {
    let functions: Vec<Value> = ir.functions().into_iter().filter(|f| !f.is_declaration()).collect();
    let mut unit = Unit {
        ir,
        hooks: Hooks::default(),
        table: SiteTable { tu, ..SiteTable::default() },
        functions: functions.clone(),
        covered: tables::placeholder(ir, "__ctn_covered_placeholder"),
        conditions: Conditions::new(),
        unreachable: Unreachable::new(),
        before: chains::Before::new(),
        unknown: HashMap::new(),
    };
    unit.table.functions = functions.iter().map(|f| survey(*f).0).collect();
    let modes = tables::add_modes(&unit);
    for (number, function) in functions.iter().enumerate() {
        if passes::is_switched(&unit, *function, number) {
            entry::add_mode_switch(&unit, *function, number as u32);
        }
    }
    tables::add_unit_table(&unit, modes, &[]);
    unit.table
}

/// An instruction that asks whether a vector is zero, which the shadow of eight bytes needs: every processor of the last
/// ten years has it. It changes neither results nor how arguments are passed.
fn allow_vector_tests(ir: Ir) {
    const FEATURES: &str = "target-features";
    if !std::is_x86_feature_detected!("sse4.1") {
        return;
    }
    for function in ir.functions().into_iter().filter(|f| !f.is_declaration()) {
        let features = match function.text_attribute(FEATURES) {
            Some(known) if known.contains("sse4.1") => continue,
            Some(known) if !known.is_empty() => format!("{known},+sse4.1"),
            _ => "+sse4.1".to_owned(),
        };
        function.set_text_attribute(ir, FEATURES, &features);
    }
}

/// Links the inline functions in as private ones, so that every unit may have its own copy.
fn link_hooks<'c>(
    context: &'c Context,
    module: &Module<'c>,
    path: Option<&Path>,
    own: &[Value],
) -> Result<Hooks, Error> {
    let Some(path) = path else {
        return Err(Error::MissingHooks("everything: no inline bitcode was named".into()));
    };
    let inline = read(context, path)?;
    // The hooks are no part of the program: a stack trace should not show them.
    inline.strip_debug_info();
    // Its words on target and producer would only clash with the unit's.
    inline.set_triple(&module.get_triple());
    inline.set_data_layout(&module.get_data_layout());
    module
        .link_in_module(inline)
        .map_err(|e| Error::Llvm { stage: "linking the hooks", message: e.to_string() })?;
    let ir = Ir::new(module.as_mut_ptr());
    let linked: Vec<Value> =
        ir.functions().into_iter().filter(|f| !f.is_declaration() && !own.contains(f)).collect();
    for function in &linked {
        // What is called keeps its shape, and units share it.
        let shared = function.name().starts_with(FAR_PREFIX);
        // SAFETY: a defined function of the module.
        unsafe {
            LLVMSetLinkage(function.0, if shared { LLVMLinkOnceODRLinkage } else { LLVMInternalLinkage });
            if shared {
                LLVMSetVisibility(function.0, LLVMHiddenVisibility);
            }
        }
        aliasing::mark_shadow(ir, *function);
    }
    for global in ir.globals().into_iter().filter(|g| g.name().starts_with("__ctn_")) {
        // SAFETY: a global variable of the module.
        unsafe {
            if LLVMIsThreadLocal(global.0) != 0 {
                LLVMSetThreadLocalMode(global.0, LLVMLocalExecTLSModel);
            }
        }
    }
    let hooks = Hooks::new(linked);
    let missing = hooks.missing(HOOKS);
    if missing.is_empty() {
        Ok(hooks)
    } else {
        Err(Error::MissingHooks(missing.into_iter().collect::<Vec<_>>().join(", ")))
    }
}

fn read<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, Error> {
    let error = |message: String| Error::Read { path: path.to_path_buf(), message };
    let buffer = MemoryBuffer::create_from_file(path).map_err(|e| error(e.to_string()))?;
    if path.extension().is_some_and(|e| e == "ll") {
        return context.create_module_from_ir(buffer).map_err(|e| error(e.to_string()));
    }
    Module::parse_bitcode_from_buffer(&buffer, context).map_err(|e| error(e.to_string()))
}

fn read_redirects(path: &Path) -> Result<Vec<(String, String)>, Error> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Error::Read { path: path.to_path_buf(), message: e.to_string() })?;
    parse_redirects(&text).map_err(|line| Error::Redirect { path: path.to_path_buf(), line })
}

/// Pairs of names, one to a line; blank lines and lines that begin with `#` are passed over.
fn parse_redirects(text: &str) -> Result<Vec<(String, String)>, usize> {
    let mut pairs = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [from, to] => pairs.push((from.to_string(), to.to_string())),
            _ => return Err(number + 1),
        }
    }
    Ok(pairs)
}

fn target_machine(module: &Module, optimise: u8) -> Result<TargetMachine, Error> {
    let error = |message: String| Error::Llvm { stage: "finding the target", message };
    Target::initialize_x86(&InitializationConfig::default());
    let triple = module.get_triple();
    let target = Target::from_triple(&triple).map_err(|e| error(e.to_string()))?;
    let level = match optimise {
        0 => OptimizationLevel::None,
        1 => OptimizationLevel::Less,
        2 => OptimizationLevel::Default,
        _ => OptimizationLevel::Aggressive,
    };
    target
        .create_target_machine(&triple, "x86-64", "", level, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| error(format!("LLVM has no machine for {triple}")))
}

/// Code generation takes more than linear time in the size of a function: the loop of an interpreter, once
/// instrumented, would take longer than all the rest of its program. Such a unit gets plain code.
fn code_generator(
    module: &Module,
    machine: TargetMachine,
    ir: Ir,
    optimise: u8,
) -> Result<TargetMachine, Error> {
    let size = |function: Value| function.blocks().into_iter().map(|b| b.instructions().len()).sum::<usize>();
    let largest = ir.functions().into_iter().map(size).max().unwrap_or(0);
    if largest <= PLAIN_CODE_ABOVE || optimise == 0 { Ok(machine) } else { target_machine(module, 0) }
}

pub(crate) fn run_passes(module: &Module, machine: &TargetMachine, pipeline: &str) -> Result<(), Error> {
    module
        .run_passes(pipeline, machine, PassBuilderOptions::create())
        .map_err(|e| Error::Llvm { stage: "running passes", message: format!("{pipeline}: {e}") })
}

fn verify(module: &Module, stage: &'static str) -> Result<(), Error> {
    module.verify().map_err(|e| {
        let ir = Ir::new(module.as_mut_ptr());
        Error::Invalid { stage, message: format!("{e} (in: {})", invalid_functions(ir).join(", ")) }
    })
}

fn invalid_functions(ir: Ir) -> Vec<String> {
    use inkwell::llvm_sys::analysis::{
        LLVMVerifierFailureAction::LLVMReturnStatusAction, LLVMVerifyFunction,
    };
    ir.functions()
        .into_iter()
        // SAFETY: verifying reads only.
        .filter(|f| !f.is_declaration() && unsafe { LLVMVerifyFunction(f.0, LLVMReturnStatusAction) } != 0)
        .map(|f| f.name())
        .collect()
}

fn write_bitcode(module: &Module, path: &Path) -> Result<(), Error> {
    if module.write_bitcode_to_path(path) {
        Ok(())
    } else {
        Err(Error::Write { path: path.to_path_buf(), message: "LLVM could not write it".to_string() })
    }
}

fn write_sites(table: &SiteTable, path: &Path) -> Result<(), Error> {
    let error = |message: String| Error::Write { path: path.to_path_buf(), message };
    let text = serde_json::to_string(table).map_err(|e| error(e.to_string()))?;
    std::fs::write(path, text).map_err(|e| error(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::parse_redirects;

    #[test]
    fn redirects_are_pairs() {
        let pairs = parse_redirects("# models\nstrlen ctn_model_strlen\n\n free  ctn_free \n");
        let expected = [("strlen", "ctn_model_strlen"), ("free", "ctn_free")];
        assert_eq!(pairs, Ok(expected.map(|(a, b)| (a.to_string(), b.to_string())).to_vec()));
    }

    #[test]
    fn a_lone_name_is_refused_with_its_line() {
        assert_eq!(parse_redirects("a b\nstrlen\n"), Err(2));
    }
}
