//! Gives the program's branches back the shape they have in the source. Clang makes a select of `c ? 1 : 2`,
//! which is a branch for whoever counts them, and drops the `!` of `if (!c)` by exchanging the sides, which
//! would swap what is told about them. What it makes of `&&` and `||` is in `logic`.

use super::conditions::{self, Conditions};
use super::logic;
use super::text::Sources;
use crate::builder::Builder;
use crate::ir::{Block, Ir, Opcode, TypeKind, Value};
use crate::unit::is_own_name;

/// Gives the places of the conditions.
pub(crate) fn restore(ir: Ir) -> Conditions {
    let b = Builder::new(ir);
    let mut conditions = Conditions::new();
    let mut sources = Sources::default();
    for function in ir.functions() {
        if function.is_declaration() || is_own_name(&function.name()) {
            continue;
        }
        for block in function.blocks() {
            for i in block.instructions().into_iter().filter(|i| is_conditional(*i)) {
                make_branch(ir, &b, i);
            }
        }
        logic::branch_on_operands(ir, &b, function);
        let ends = function.blocks().into_iter().filter_map(Block::terminator);
        for branch in ends.filter(|end| end.is_conditional_branch()) {
            let Some((begin, negated)) = conditions::begin(branch, &mut sources) else { continue };
            conditions.insert(branch, (begin.line, begin.column));
            if negated {
                negate(ir, &b, branch);
            }
        }
    }
    conditions
}

/// A choice between two values of the source, as opposed to one that a builtin is made of.
fn is_conditional(i: Value) -> bool {
    i.opcode() == Opcode::LLVMSelect
        && i.operand(0).ty().kind() == TypeKind::LLVMIntegerTypeKind
        && i.operand(1).is_constant()
        && i.operand(2).is_constant()
        && i.place().line != 0
}

/// What stands before the select goes to a new block, so that the old one keeps its successors: phis there
/// name it.
fn make_branch(ir: Ir, b: &Builder, select: Value) {
    let old = select.block();
    let Some(terminator) = old.terminator() else { return };
    let head = ir.insert_block_before(old, "conditional");
    let [then, otherwise] = ["then", "otherwise"].map(|name| ir.insert_block_before(old, name));
    // What is moved keeps its own place.
    b.no_location();
    b.at_end(head);
    for i in old.instructions().into_iter().take_while(|i| *i != select) {
        b.take(i);
    }
    // Without its terminator the block has no successors whose phis would be renamed along.
    b.take(terminator);
    old.replace_uses_with(head);
    b.at_end(old);
    b.take(terminator);

    b.at_end(head);
    b.location_of(select);
    b.cond_br(select.operand(0), then, otherwise);
    for side in [then, otherwise] {
        b.at_end(side);
        b.location_of(select);
        b.br(old);
    }
    let chosen = b.phi_before(select, select.ty());
    chosen.add_incoming(select.operand(1), then);
    chosen.add_incoming(select.operand(2), otherwise);
    select.replace_uses_with(chosen);
    select.erase();
}

fn negate(ir: Ir, b: &Builder, branch: Value) {
    let condition = branch.operand(0);
    // Where the value of the condition was wanted, its `!` is there.
    if condition.is_instruction() && condition.opcode() == Opcode::LLVMXor {
        return;
    }
    let [on_true, on_false] = branch.successors()[..] else { return };
    b.before(branch);
    b.location_of(branch);
    let not = b.xor(condition, ir.const_int(condition.ty(), 1));
    branch.set_operand(0, not);
    branch.set_successor(0, on_false);
    branch.set_successor(1, on_true);
}
