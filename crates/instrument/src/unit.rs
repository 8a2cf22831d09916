//! What one run over a module shares between the passes: the module, the hooks, the site table, counters.

use crate::builder::Hooks;
use crate::ir::{Block, Ir, Value};
use crate::passes::chains::Before;
use crate::passes::conditions::Conditions;
use crate::passes::unreachable::Unreachable;
use model::sites::{FunctionSites, Site, SiteKind, SiteTable};
use std::collections::HashMap;

/// The counter of branches that are not the program's own.
pub(crate) const UNCOUNTED: u32 = u32::MAX;

pub(crate) struct Unit {
    pub(crate) ir: Ir,
    pub(crate) hooks: Hooks,
    pub(crate) table: SiteTable,
    /// Functions that get a number: everything defined in the translation unit.
    pub(crate) functions: Vec<Value>,
    /// One byte per coverage counter, set when the counter was hit; sized when all functions are done.
    pub(crate) covered: Value,
    /// Where the conditions of the program's branches begin.
    pub(crate) conditions: Conditions,
    /// Sides of branches that nothing leads to.
    pub(crate) unreachable: Unreachable,
    pub(crate) before: Before,
    /// Constructs that were left concrete because the pass does not know them, by name.
    pub(crate) unknown: HashMap<String, u32>,
}

/// Names of the harness, the models and the runtime, as opposed to those of the program.
pub(crate) fn is_own_name(name: &str) -> bool {
    (name.starts_with("ctn_") || name.starts_with("__ctn_")) && name != USER_MAIN
}

/// What the program's `main` is called in an image: the runtime has the real one.
pub(crate) const USER_MAIN: &str = "__ctn_user_main";

impl Unit {
    /// `tu << 32 | site`, as the hooks take it.
    pub(crate) fn where_(&self, site: u32) -> Value {
        self.ir.const64(u64::from(self.table.tu) << 32 | u64::from(site))
    }

    pub(crate) fn add_site(&mut self, function: u32, block: u32, at: Value, kind: SiteKind) -> u32 {
        let mut place = at.place();
        if place.line == 0
            && let Some(f) = self.table.functions.get(function as usize)
        {
            place.line = f.line;
            place.file.clone_from(&f.file);
        }
        let own = (place.line, place.column);
        let condition = self.conditions.get(&at).copied().filter(|begin| *begin != own);
        let (line, column) = own;
        self.table.sites.push(Site { function, block, file: place.file, line, column, condition, kind });
        self.table.sites.len() as u32 - 1
    }

    /// Whether a function was written by the harness. What registers drivers is a harness; models do not.
    pub(crate) fn is_of_harness(&self, function: Value) -> bool {
        is_own_name(&function.name()) && self.ir.function("ctn_register_drivers").is_some()
    }

    /// Reserves `count` coverage counters and gives the first, if the function is the program's.
    pub(crate) fn add_counters(&mut self, function: u32, count: u32) -> u32 {
        let counted = self.table.functions.get(function as usize).is_some_and(|f| f.of_program);
        if !counted {
            return UNCOUNTED;
        }
        let first = self.table.counters;
        self.table.counters += count;
        first
    }
}

/// Numbers of the blocks of a function before anything was inserted.
pub(crate) type BlockNumbers = HashMap<Block, u32>;

/// The entry of a function in the site table: name, place, control-flow graph, direct calls.
pub(crate) fn survey(function: Value) -> (FunctionSites, BlockNumbers) {
    let blocks = function.blocks();
    let numbers: BlockNumbers = blocks.iter().enumerate().map(|(i, b)| (*b, i as u32)).collect();
    let mut name = function.name();
    let of_program = !is_own_name(&name);
    if name == USER_MAIN {
        name = "main".to_string();
    }
    let place = function.place();
    let mut sites = FunctionSites {
        name,
        file: place.file,
        line: place.line,
        of_program,
        blocks: Vec::with_capacity(blocks.len()),
        block_lines: Vec::with_capacity(blocks.len()),
        calls: Vec::new(),
    };
    for (number, block) in blocks.iter().enumerate() {
        sites.blocks.push(block.successors().iter().filter_map(|s| numbers.get(s).copied()).collect());
        let instructions = block.instructions();
        let mut lines: Vec<u32> =
            instructions.iter().map(|i| i.place().line).filter(|line| *line > 0).collect();
        lines.sort_unstable();
        lines.dedup();
        sites.block_lines.push(lines.len() as u32);
        for call in instructions.iter().filter(|i| i.opcode() == crate::ir::Opcode::LLVMCall) {
            let callee = call.called();
            if callee.is_function() && callee.intrinsic_name().is_none() {
                sites.calls.push((number as u32, callee.name()));
            }
        }
    }
    (sites, numbers)
}
