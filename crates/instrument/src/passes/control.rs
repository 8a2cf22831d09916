//! Branches and switches: coverage counters, and a record when the condition is symbolic.

use super::edges::SplitSwitch;
use crate::body::Body;
use crate::ir::Value;
use crate::unit::UNCOUNTED;
use model::sites::SiteKind;
use wire::log::Concretised;

pub(crate) fn branch(body: &mut Body, i: Value) {
    if !i.is_conditional_branch() {
        return;
    }
    let condition = i.operand(0);
    let successors = i.successors();
    let number = |body: &Body, index: usize| {
        successors.get(index).and_then(|s| body.numbers.get(s)).copied().unwrap_or(0)
    };
    // Successor 0 is the true side.
    let by_side = [number(body, 1), number(body, 0)];
    let counter = body.unit.add_counters(body.number, 2);
    let place = body.site(i, SiteKind::Branch { counter, successors: by_side });
    body.b.before(i);
    let label = body.operand_label(condition);
    let taken = body.b.zext(condition, body.unit.ir.i32);
    if counter == UNCOUNTED {
        body.hook("__ctn_branch_uncounted", &[taken, label, place]);
    } else {
        let covered = counter_address(body, counter);
        let counter = body.unit.ir.const32(counter);
        body.hook("__ctn_branch", &[taken, label, place, covered, counter]);
    }
}

pub(crate) fn switch(body: &mut Body, i: Value, splits: &[SplitSwitch]) {
    let Some(split) = splits.iter().find(|s| s.switch == i) else { return };
    let value = i.operand(0);
    // Operands: value, default, then pairs of case value and block.
    let cases: Vec<u64> =
        (1..split.edges.len() as u32).map(|n| i.operand(2 * n).const_int().unwrap_or(0)).collect();
    let counter = body.unit.add_counters(body.number, split.edges.len() as u32);
    let place = body.site(i, SiteKind::Switch { counter, cases, successors: split.successors.clone() });
    body.b.before(i);
    let label = body.operand_label(value);
    let word = body.b.word(value);
    for (index, edge) in split.edges.iter().enumerate() {
        let Some(jump) = edge.terminator() else { continue };
        body.b.before(jump);
        let successor = body.unit.ir.const32(index as u32);
        body.hook("__ctn_switch_edge", &[successor, label, word, place]);
        if counter != UNCOUNTED {
            let covered = counter_address(body, counter + index as u32);
            let (tu, counter) =
                (body.unit.ir.const32(body.unit.table.tu), body.unit.ir.const32(counter + index as u32));
            body.hook("__ctn_cover", &[covered, tu, counter]);
        }
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

fn counter_address(body: &Body, counter: u32) -> Value {
    body.unit.ir.const_offset(body.unit.covered, u64::from(counter))
}
