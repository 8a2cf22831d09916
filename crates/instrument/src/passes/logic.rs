//! Every operand of `&&` and `||` is a branch of the source, but clang branches on the last one only where it
//! stands in an `if`. Elsewhere the outcomes meet in a phi: as the condition of a loop that phi is branched on, so
//! that the first operand would seem to cover the sides of the last; as a value it hides the last operand.
//!
//! Here each operand gets its branch, and outcomes that are known go straight to where the phi's branch leads.
//! Runs before mem2reg, when the phis of these operators are the only ones in their blocks.

use crate::builder::Builder;
use crate::ir::{Block, Ir, Opcode, Value};
use std::collections::HashSet;

/// A value and the block it comes from.
type Outcome = (Value, Block);

pub(crate) fn branch_on_operands(ir: Ir, b: &Builder, function: Value) {
    let mut gone = HashSet::new();
    // Operators inside operands come first in clang's order of blocks.
    for block in function.blocks() {
        if !gone.contains(&block)
            && let [phi] = block.phis()[..]
            && is_operator(phi)
        {
            gone.extend(Operator { ir, b, block }.expand(phi));
        }
    }
}

/// Of the types of C only the outcome of these operators has one bit in a phi, and one side of it is known.
fn is_operator(phi: Value) -> bool {
    phi.ty().int_bits() == 1 && phi.incoming().iter().any(is_known)
}

fn is_known((value, _): &Outcome) -> bool {
    value.const_int().is_some()
}

struct Operator<'b> {
    ir: Ir,
    b: &'b Builder,
    /// Where the outcomes meet.
    block: Block,
}

impl Operator<'_> {
    /// Gives the blocks that are no more.
    fn expand(&self, phi: Value) -> Vec<Block> {
        let location = consumer(phi);
        let mut outcomes = Vec::new();
        let mut gone = Vec::new();
        for (value, from) in phi.incoming() {
            if value.is_constant() {
                outcomes.push((value, from));
            } else if let Some(inner) = passed_on(from, value, phi) {
                for (known, origin) in inner.incoming() {
                    let holds = (known.const_int() == Some(1)) == (inner == value);
                    let known = self.ir.const_int(known.ty(), holds.into());
                    outcomes.push((known, self.redirect(origin, from, self.block)));
                }
                gone.push(from);
            } else {
                outcomes.extend(self.branch(value, from, location.unwrap_or(value)));
            }
        }
        match condition(self.block, phi).filter(|_| outcomes.iter().all(is_known)) {
            Some(negated) => {
                self.thread(&outcomes, negated);
                gone.push(self.block);
            }
            None => self.replace(phi, &outcomes),
        }
        for block in gone.iter().rev() {
            block.delete();
        }
        gone
    }

    /// Branches on an operand that was only handed on, and gives its two outcomes.
    fn branch(&self, operand: Value, from: Block, location: Value) -> Vec<Outcome> {
        let Some(jump) = from.terminator().filter(|t| t.successors().len() == 1) else {
            return vec![(operand, from)];
        };
        let [on_true, on_false] = ["operand.true", "operand.false"].map(|name| self.new_block(name, jump));
        jump.erase();
        self.b.at_end(from);
        self.b.location_of(location);
        self.b.cond_br(operand, on_true, on_false);
        let known = |side| self.ir.const_int(operand.ty(), side);
        vec![(known(1), on_true), (known(0), on_false)]
    }

    /// A block that jumps where the operator's outcomes meet.
    fn new_block(&self, name: &str, location: Value) -> Block {
        let block = self.ir.insert_block_before(self.block, name);
        self.b.at_end(block);
        self.b.location_of(location);
        self.b.br(self.block);
        block
    }

    /// What went from `origin` to `from` goes to `to` instead, through a block of its own; gives that block.
    fn redirect(&self, origin: Block, from: Block, to: Block) -> Block {
        let between = self.ir.insert_block_before(from, "outcome");
        self.b.at_end(between);
        self.b.no_location();
        if let Some(terminator) = origin.terminator() {
            self.b.location_of(terminator);
            for (index, successor) in terminator.successors().into_iter().enumerate() {
                if successor == from {
                    terminator.set_successor(index as u32, between);
                }
            }
        }
        self.b.br(to);
        between
    }

    /// Sends each outcome to the side that the branch at the end of the block takes for it.
    fn thread(&self, outcomes: &[Outcome], negated: bool) {
        let Some(terminator) = self.block.terminator() else { return };
        let sides = terminator.successors();
        let mut arrivals: Vec<Vec<Block>> = vec![Vec::new(); sides.len()];
        for (value, origin) in outcomes {
            let holds = (value.const_int() == Some(1)) != negated;
            let side = usize::from(!holds);
            arrivals[side].push(self.redirect(*origin, self.block, sides[side]));
        }
        for (side, arrivals) in sides.into_iter().zip(arrivals) {
            for phi in side.phis() {
                self.b.before(phi);
                let fresh = self.b.phi(phi.ty());
                for (value, from) in phi.incoming() {
                    let from = if from == self.block { arrivals.clone() } else { vec![from] };
                    from.into_iter().for_each(|from| fresh.add_incoming(value, from));
                }
                phi.replace_uses_with(fresh);
                phi.erase();
            }
        }
    }

    fn replace(&self, phi: Value, outcomes: &[Outcome]) {
        self.b.before(phi);
        let fresh = self.b.phi(phi.ty());
        for (value, from) in outcomes {
            fresh.add_incoming(*value, *from);
        }
        phi.replace_uses_with(fresh);
        phi.erase();
    }
}

/// The phi of an operator inside an operand, where its block does nothing but hand its outcome or the opposite of it
/// on to `phi`.
fn passed_on(block: Block, value: Value, phi: Value) -> Option<Value> {
    let inner = block.first().filter(|first| first.opcode() == Opcode::LLVMPHI)?;
    let jump = block.terminator().filter(|t| t.successors().len() == 1)?;
    let negated = is_not(value, inner);
    let instructions = if negated { vec![inner, value, jump] } else { vec![inner, jump] };
    let used_here = value.users() == [phi] && (!negated || inner.users() == [value]);
    let known = inner.incoming().iter().all(is_known);
    ((value == inner || negated) && block.instructions() == instructions && used_here && known)
        .then_some(inner)
}

/// Whether a block does nothing but branch on its phi; and then, whether on the opposite of it.
fn condition(block: Block, phi: Value) -> Option<bool> {
    let branch = block.terminator().filter(|t| t.is_conditional_branch())?;
    let condition = branch.operand(0);
    let negated = is_not(condition, phi);
    let used = |i: &Value| *i != phi && *i != branch && !(negated && *i == condition);
    // Clang leaves conversions behind that nothing uses.
    let idle = |i: Value| i.opcode() == Opcode::LLVMZExt && i.users().is_empty();
    let nothing_else = block.instructions().into_iter().filter(used).all(idle);
    let local = [phi, condition].iter().flat_map(|v| v.users()).all(|user| user.block() == block);
    let apart = matches!(branch.successors()[..], [a, b] if a != b && a != block && b != block);
    ((condition == phi || negated) && nothing_else && local && apart).then_some(negated)
}

fn is_not(value: Value, of: Value) -> bool {
    value.is_instruction()
        && value.opcode() == Opcode::LLVMXor
        && value.operand(0) == of
        && value.operand(1).const_int() == Some(1)
}

/// The branch that an outcome decides, itself or through the operators around it.
fn consumer(phi: Value) -> Option<Value> {
    let user = match phi.users()[..] {
        [user] => user,
        _ => return phi.users().into_iter().find(|user| user.is_conditional_branch()),
    };
    match user.opcode() {
        Opcode::LLVMBr => Some(user),
        Opcode::LLVMPHI | Opcode::LLVMXor => consumer(user),
        _ => None,
    }
}
