//! Where the condition of each branch begins. Clang places the branch on the last condition of a decision where the
//! decision begins, those on the others at the operators behind them; what a condition is computed from is at its place.

use super::text::Sources;
use crate::ir::{Block, Opcode, Place, Value};
use std::collections::{HashMap, HashSet};

/// By branch: line and column, in the file of the branch.
pub(crate) type Conditions = HashMap<Value, (u32, u32)>;

/// Values that are looked at for one condition.
const MOST_VALUES: usize = 200;

/// The begin of a condition, and whether clang branches on the opposite of it. Runs before mem2reg: variables that are
/// read have their places, and what is computed before the condition goes through memory.
pub(crate) fn begin(branch: Value, sources: &mut Sources) -> Option<(Place, bool)> {
    let decision = branch.place();
    let text = sources.of(&decision.file);
    let is_before = |place: &Place| (place.line, place.column) < (decision.line, decision.column);
    let belongs = |place: &Place| {
        let known = place.line != 0 && place.column != 0 && place.file == decision.file;
        // Sizes of arrays are computed where these are declared.
        let elsewhere = is_before(place) && place.line != decision.line && text.are_apart(place, &decision);
        known && !elsewhere
    };
    let places = computed_from(tested(branch.operand(0))).into_iter().map(Value::place);
    let first = places.filter(belongs).min_by_key(|place| (place.line, place.column))?;
    Some(text.condition(&first, &decision))
}

/// What is compared with zero: where `&&` and `||` are values, clang places that comparison at the operator.
fn tested(condition: Value) -> Value {
    let compares =
        condition.is_instruction() && matches!(condition.opcode(), Opcode::LLVMICmp | Opcode::LLVMFCmp);
    if compares && condition.operand(1).is_null() { condition.operand(0) } else { condition }
}

fn computed_from(condition: Value) -> HashSet<Value> {
    let mut found = HashSet::new();
    let mut open = vec![condition];
    while let Some(value) = open.pop() {
        let is_step = value.is_instruction() && value.opcode() != Opcode::LLVMAlloca;
        if !is_step || found.len() == MOST_VALUES || !found.insert(value) {
            continue;
        }
        open.extend(value.operands());
        if value.opcode() == Opcode::LLVMPHI {
            open.extend(value.incoming().into_iter().filter_map(|(_, from)| decider(from)));
        }
    }
    found
}

/// What decides that a phi has the value of this block: the condition at its end, or the one that leads to it.
fn decider(block: Block) -> Option<Value> {
    let end = block.terminator().filter(|end| end.is_conditional_branch());
    let branch = end.or_else(|| match block.users()[..] {
        [before] if before.is_conditional_branch() => Some(before),
        _ => None,
    })?;
    Some(branch.operand(0))
}
