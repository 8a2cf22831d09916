//! Counters for the sides that clang's coverage computes by subtraction: what is counted after a choice less what is
//! counted before it. An execution that ends in between, by a fault or by `exit`, would count as the side that has no
//! counter. Every edge of a choice with a counted side gets a counter of its own, behind those that clang knows.

use super::edges;
use crate::builder::Builder;
use crate::ir::{Block, Ir, Opcode, Value};
use crate::unit::survey;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// By the name of a function in profiles: for a counter of clang's the counters of the edges beside it. Their sum is
/// how often the choice was made otherwise.
pub(crate) type OtherSides = BTreeMap<String, BTreeMap<u32, Vec<u32>>>;

const COUNT: &str = "llvm.instrprof.increment";
const COUNT_BY: &str = "llvm.instrprof.increment.step";

pub(crate) fn count_edges(ir: Ir) -> OtherSides {
    let functions = ir.functions().into_iter().filter(|function| !function.is_declaration());
    let found =
        functions.filter_map(|function| Some((profile_name(function)?, count_edges_of(ir, function))));
    found.filter(|(_, others)| !others.is_empty()).collect()
}

fn counts(function: Value) -> impl Iterator<Item = Value> {
    let instructions = function.blocks().into_iter().flat_map(Block::instructions);
    instructions.filter(|i| counter(*i).is_some())
}

/// The counter that a call increments.
fn counter(i: Value) -> Option<u32> {
    if calls(i, COUNT) || calls(i, COUNT_BY) { i.operand(3).const_int()?.try_into().ok() } else { None }
}

fn calls(i: Value, name: &str) -> bool {
    i.opcode() == Opcode::LLVMCall && i.called().intrinsic_name().is_some_and(|called| called == name)
}

fn profile_name(function: Value) -> Option<String> {
    counts(function).next()?.operand(0).initial_text()
}

fn count_edges_of(ir: Ir, function: Value) -> BTreeMap<u32, Vec<u32>> {
    let mut others = BTreeMap::new();
    let all: Vec<Value> = counts(function).collect();
    let Some(mut next) = all.first().and_then(|i| u32::try_from(i.operand(2).const_int()?).ok()) else {
        return others;
    };
    let is_choice = |t: &Value| t.opcode() == Opcode::LLVMSwitch || t.is_conditional_branch();
    let heads = heads(function);
    let choices: Vec<(Value, Vec<Option<Value>>)> = function
        .blocks()
        .into_iter()
        .filter_map(Block::terminator)
        .filter(is_choice)
        .map(|choice| {
            let counted = |block| heads.get(&block).filter(|(_, from)| *from == choice.block());
            let of_side = |block| counted(block).map(|(count, _)| *count);
            (choice, choice.successors().into_iter().map(of_side).collect::<Vec<_>>())
        })
        .filter(|(_, sides)| sides.iter().any(Option::is_some))
        .collect();
    let b = Builder::new(ir);
    let splits = edges::split_choices(ir, function, &mut survey(function).1);
    let mut added = Vec::new();
    for (choice, sides) in &choices {
        let Some(split) = splits.get(choice) else { continue };
        let Some(like) = sides.iter().flatten().next() else { continue };
        let first = next;
        for edge in &split.edges {
            let Some(end) = edge.terminator() else { continue };
            b.before(end);
            added.push(count_as(&b, *like, next));
            next += 1;
        }
        for counted in sides.iter().flatten() {
            let beside = (first..).zip(sides).filter(|(_, side)| **side != Some(*counted));
            others.extend(counter(*counted).map(|known| (known, beside.map(|(edge, _)| edge).collect())));
        }
    }
    for step in all.iter().filter(|i| calls(**i, COUNT_BY)) {
        // `c ? 1 : 2` without a branch adds c; the other side adds what is left of one.
        b.before(*step);
        let rest = b.sub(ir.const64(1), step.operand(4));
        let count = count_as(&b, *step, next);
        count.set_operand(4, rest);
        added.push(count);
        others.extend(counter(*step).map(|known| (known, vec![next])));
        next += 1;
    }
    for count in all.iter().chain(&added) {
        count.set_operand(2, ir.const32(next));
    }
    others
}

/// Increments another counter where the builder stands.
fn count_as(b: &Builder, like: Value, counter: u32) -> Value {
    let count = b.copy(like);
    count.set_operand(3, b.ir.const32(counter));
    count
}

/// Blocks that begin by counting, and the one block that leads there. Counters that stand at several places are none.
fn heads(function: Value) -> HashMap<Block, (Value, Block)> {
    let mut leading: HashMap<Block, BTreeSet<Block>> = HashMap::new();
    for block in function.blocks() {
        for next in block.successors() {
            leading.entry(next).or_default().insert(block);
        }
    }
    let mut often: HashMap<u32, u32> = HashMap::new();
    counts(function).filter_map(counter).for_each(|counter| *often.entry(counter).or_default() += 1);
    let head = |block: Block| {
        let first = block.first_real().filter(|i| calls(*i, COUNT))?;
        counter(first).filter(|known| often.get(known) == Some(&1))?;
        let from = leading.get(&block).filter(|from| from.len() == 1)?.first()?;
        Some((block, (first, *from)))
    };
    function.blocks().into_iter().filter_map(head).collect()
}
