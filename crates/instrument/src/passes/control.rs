//! Branches and switches: coverage counters, and a record when the condition is symbolic.

use super::edges::{Split, Splits};
use crate::body::Body;
use crate::ir::{Block, Opcode, Value};
use crate::unit::UNCOUNTED;
use model::sites::SiteKind;
use wire::Class;
use wire::log::Concretised;

/// Blocks of a loop that does nothing: clang makes one or two of it.
const LONGEST_IDLE_LOOP: usize = 4;

pub(crate) fn branch(body: &mut Body, i: Value, splits: &Splits) {
    if is_stuck(i) {
        let place = body.site(i, SiteKind::Check { class: Class::NonTermination });
        body.b.before(i);
        body.hook("__ctn_stuck", &[place]);
    }
    let Some(Split { edges, successors }) = splits.get(&i) else { return };
    let [on_true, on_false] = successors[..] else { return };
    let condition = i.operand(0);
    let made_by_compiler = asks_for_register(condition) || asks_for_exchange(condition);
    let counter = if made_by_compiler { UNCOUNTED } else { body.counters(i, 2) };
    let place = body.site(i, SiteKind::Branch { counter, successors: [on_false, on_true] });
    body.b.before(i);
    if let Some(label) = body.label(condition) {
        let taken = body.b.zext(condition, body.unit.ir.i32);
        body.hook("__ctn_branch", &[taken, label, place]);
    }
    let earlier = only_way(body, i.block());
    // Counters are ordered false, true; LLVM has the true side first.
    for (successor, side) in [(0, 1), (1, 0)] {
        cover(body, counter, side, edges[successor as usize], earlier);
        note_unreachable(body, i, successor, counter, side);
    }
}

/// A jump of a loop that is nothing but jumps: `while (1);`.
fn is_stuck(jump: Value) -> bool {
    let mut block = jump.block();
    for _ in 0..LONGEST_IDLE_LOOP {
        let [only] = block.instructions()[..] else { return false };
        let [next] = only.successors()[..] else { return false };
        if next == jump.block() {
            return true;
        }
        block = next;
    }
    false
}

/// The branch that clang makes of `va_arg`: is the next argument in a register or on the stack? It is not
/// one of the source's.
fn asks_for_register(condition: Value) -> bool {
    let is = |v: Value, opcode: Opcode| v.is_instruction() && v.opcode() == opcode;
    if !is(condition, Opcode::LLVMICmp) || !is(condition.operand(0), Opcode::LLVMLoad) {
        return false;
    }
    let address = condition.operand(0).operand(0);
    is(address, Opcode::LLVMGetElementPtr) && address.gep_source().struct_name() == "struct.__va_list_tag"
}

/// The branch that clang makes of an atomic operation: again, or write the expected value back? A condition of the
/// source goes through a variable first.
fn asks_for_exchange(condition: Value) -> bool {
    condition.is_instruction()
        && condition.opcode() == Opcode::LLVMExtractValue
        && condition.operand(0).is_instruction()
        && condition.operand(0).opcode() == Opcode::LLVMAtomicCmpXchg
}

pub(crate) fn switch(body: &mut Body, i: Value, splits: &Splits) {
    let Some(Split { edges, successors }) = splits.get(&i) else { return };
    let value = i.operand(0);
    // Operands: value, default, then pairs of case value and block.
    let cases: Vec<u64> =
        (1..edges.len() as u32).map(|n| i.operand(2 * n).const_int().unwrap_or(0)).collect();
    let counter = body.counters(i, edges.len() as u32);
    let place = body.site(i, SiteKind::Switch { counter, cases, successors: successors.clone() });
    body.b.before(i);
    let earlier = only_way(body, i.block());
    let labelled = body.label(value).map(|label| (label, body.b.word(value)));
    for (index, edge) in edges.iter().enumerate() {
        if let (Some((label, word)), Some(jump)) = (labelled, edge.terminator()) {
            body.b.before(jump);
            let successor = body.unit.ir.const32(index as u32);
            body.hook("__ctn_switch_edge", &[successor, label, word, place]);
        }
        cover(body, counter, index as u32, *edge, earlier);
        note_unreachable(body, i, index as u32, counter, index as u32);
    }
}

/// The counter of the edge by which everybody comes to a block.
fn only_way(body: &Body, mut block: Block) -> Option<u32> {
    loop {
        let [jump] = block.users()[..] else { return None };
        // Or the address of a label.
        if !jump.is_instruction() || jump.successors().len() != 1 {
            return None;
        }
        block = jump.block();
        if let Some(counter) = body.edges.get(&block) {
            return Some(*counter);
        }
    }
}

/// Counts an edge of the program's own code.
fn cover(body: &mut Body, first: u32, index: u32, edge: Block, earlier: Option<u32>) {
    let Some(jump) = edge.terminator() else { return };
    if first == UNCOUNTED {
        return;
    }
    body.edges.insert(edge, first + index);
    if let Some(earlier) = earlier {
        body.unit.before.insert(first + index, earlier);
    }
    let ir = body.unit.ir;
    let covered = ir.const_offset(body.unit.covered, u64::from(first + index));
    body.b.before(jump);
    body.hook("__ctn_cover", &[covered, ir.const32(body.unit.table.tu), ir.const32(first + index)]);
}

fn note_unreachable(body: &mut Body, branch: Value, successor: u32, first: u32, side: u32) {
    if first != UNCOUNTED {
        body.note_unreachable(branch, successor, first + side);
    }
}

/// `goto *p`: the target is recorded as a value that had to be concrete.
pub(crate) fn computed_goto(body: &mut Body, i: Value) {
    let target = i.operand(0);
    let Some(label) = body.label(target) else { return };
    let place = body.site(i, SiteKind::Choice);
    body.b.before(i);
    let (kind, word) = (body.unit.ir.const32(Concretised::FunctionPointer as u32), body.b.word(target));
    body.hook("__ctn_concretise", &[label, kind, word, place]);
}
