//! Edges of which one leads to the next without anything in between that could end the execution, as in `a && b`: that
//! the earlier one was taken is noted with the later ones, and where all of them are covered one test is left.
//!
//! Runs on optimised code, where the accesses that were repeated are gone. That nothing else leads to the later edge is
//! known from before: a copy of code for one of several ways must not be taken for the only way.

use crate::builder::Builder;
use crate::ir::{Block, Ir, Opcode, TypeKind, Value};
use std::collections::HashMap;

const COVER_COLD: &str = "__ctn_cover_cold";
/// Edges that are noted together, at most.
const LONGEST: usize = 4;

/// For the counter of an edge, that of the edge which everybody took who comes to it.
pub(crate) type Before = HashMap<u32, u32>;

/// The test whether an edge is covered, at the end of a block.
struct Probe {
    branch: Value,
    /// Whether the edge is noted where the condition holds.
    noted_if: bool,
    /// The calls that note it, and what was left to it.
    notes: Vec<Value>,
    next: Block,
}

pub(crate) fn join(ir: Ir, before: &Before) {
    let Some(cold) = ir.function(COVER_COLD) else { return };
    let b = Builder::new(ir);
    for function in ir.functions() {
        for block in function.blocks() {
            let Some(probe) = probe(block, cold) else { continue };
            if let Some(later) = later(&probe, cold, before) {
                leave_to(ir, &b, &probe, &later);
            }
        }
    }
}

fn probe(block: Block, cold: Value) -> Option<Probe> {
    let branch = block.terminator().filter(|t| t.is_conditional_branch())?;
    let condition = branch.operand(0);
    let asks_byte = condition.is_instruction()
        && condition.opcode() == Opcode::LLVMICmp
        && condition.operand(1).is_null()
        && condition.operand(1).ty().kind() == TypeKind::LLVMIntegerTypeKind
        && condition.operand(1).ty().int_bits() == 8;
    if !asks_byte {
        return None;
    }
    let [on_true, on_false] = branch.successors()[..] else { return None };
    [(on_true, on_false, true), (on_false, on_true, false)].into_iter().find_map(|(side, next, noted_if)| {
        let notes = notes(side, cold)?;
        let only_from_here = side.users() == [branch] && side.successors() == [next];
        only_from_here.then_some(Probe { branch, noted_if, notes, next })
    })
}

/// The calls of a block that does nothing but note edges.
fn notes(block: Block, cold: Value) -> Option<Vec<Value>> {
    let mut calls = block.instructions();
    let jump = calls.pop()?;
    let note = |i: &Value| i.opcode() == Opcode::LLVMCall && i.called() == cold;
    (jump.opcode() == Opcode::LLVMBr && !calls.is_empty() && calls.iter().all(note)).then_some(calls)
}

/// The tests that everybody comes to who took the edge, one of them each time.
fn later(probe: &Probe, cold: Value, before: &Before) -> Option<Vec<Probe>> {
    let middle = probe.next;
    if middle.users().len() != 2 || !is_quiet(middle) {
        return None;
    }
    let own = probe.notes.iter().map(|note| counter(*note)).collect::<Option<Vec<u32>>>()?;
    let sides = middle.successors();
    let mut all = Vec::with_capacity(sides.len());
    for side in sides {
        let found = self::probe(side, cold)?;
        let counters = found.notes.iter().map(|note| counter(*note)).collect::<Option<Vec<u32>>>()?;
        // The edge's own counter is the last.
        let asked = *counters.last()?;
        let implied = own.iter().all(|own| comes_after(asked, *own, before));
        let fits = own.len() + counters.len() <= LONGEST;
        if side.users().len() != 1 || !is_quiet(side) || !implied || !fits {
            return None;
        }
        all.push(found);
    }
    (all.len() > 1).then_some(all)
}

fn counter(note: Value) -> Option<u32> {
    u32::try_from(note.operand(2).const_int()?).ok()
}

fn comes_after(mut counter: u32, other: u32, before: &Before) -> bool {
    while let Some(earlier) = before.get(&counter) {
        if *earlier == other {
            return true;
        }
        counter = *earlier;
    }
    false
}

/// Whether nothing in a block can end the execution or go elsewhere.
fn is_quiet(block: Block) -> bool {
    use Opcode::*;
    block.instructions().into_iter().all(|i| match i.opcode() {
        // Variables are where they are.
        LLVMLoad => i.operand(0).is_constant(),
        LLVMStore | LLVMCall | LLVMInvoke | LLVMCallBr | LLVMAtomicRMW | LLVMAtomicCmpXchg | LLVMFence
        | LLVMVAArg | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMRet | LLVMIndirectBr
        | LLVMUnreachable => false,
        _ => true,
    })
}

fn leave_to(ir: Ir, b: &Builder, probe: &Probe, later: &[Probe]) {
    for other in later {
        let Some(first) = other.notes.first() else { continue };
        for note in &probe.notes {
            b.before(*first);
            b.copy(*note);
        }
    }
    let never = ir.const_int(ir.int(1), u64::from(!probe.noted_if));
    probe.branch.set_operand(0, never);
}
