//! Two versions of a function. Where nothing symbolic is in sight no label has to be carried: the concrete version
//! only looks at the shadow of what it reads and at the labels that calls leave. What it finds there takes it to the
//! same place of the labelled version, which goes on to the end of the function. Both are blocks of one function.
//!
//! Labels are none of the concrete version's values, so they are zero wherever it left; every other value of the
//! labelled version has a twin in it. Values that cross blocks go through slots that both versions write, and mem2reg
//! makes phis of those. Functions whose control flow or frame cannot be had twice have the labelled version only.

use super::edges::{Split, Splits};
use super::foresight::Foresight;
use super::{label_instruction, memory, reverse_postorder};
use crate::body::{Body, Labels};
use crate::builder::Builder;
use crate::ir::{Block, Opcode, Value};
use crate::unit::Unit;
use inkwell::llvm_sys::LLVMAttributeFunctionIndex as FUNCTION;
use std::collections::{HashMap, HashSet};

/// Above so many instructions code generation, which takes more than linear time, would take too long for two versions.
const LARGEST: usize = 2_000;
/// Up to so many instructions a function that only computes is inlined wherever nothing is symbolic: the call would
/// cost more. (A read whose result the caller does not use would be gone, and the fault with it.)
const TINY: usize = 30;

pub(crate) struct Versions {
    /// Where it is decided which version runs. Has the objects of the frame.
    entry: Block,
    labelled: Block,
    concrete: Block,
    /// Instructions of the labelled version to those of the concrete one.
    twins: HashMap<Value, Value>,
    /// For each instruction of the labelled version, what stood before its hooks and what after them was the last.
    around: HashMap<Value, (Option<Value>, Option<Value>)>,
    exits: Vec<Exit>,
    /// What the labelled version has for the results that exits bring.
    labels: HashMap<Value, Labels>,
}

/// A way from the concrete version to the labelled one.
struct Exit {
    /// Whether it is taken; the last instruction before it.
    test: Value,
    /// The instruction of the labelled version that it is about.
    of: Value,
    /// What the concrete version found, which the labelled one goes on with after that instruction. None: it begins
    /// with the instruction and finds it by itself.
    found: Option<Labels>,
}

/// Makes the concrete version, without any hook yet, of a function whose edges are split. Drivers and stubs have
/// none: they run once and are about symbolic values.
pub(crate) fn duplicate(body: &mut Body, splits: &mut Splits) -> Option<Versions> {
    let function = body.function;
    let originals = function.blocks();
    let size: usize = originals.iter().map(|block| block.instructions().len()).sum();
    if body.unit.is_of_harness(function) || size > LARGEST {
        body.calls_hooks = true;
        return None;
    }
    if !can_be_had_twice(&originals) {
        return None;
    }
    if size <= TINY && function.is_definitive() && only_computes(&originals) {
        function.add_function_attribute(body.unit.ir.enum_attribute("alwaysinline"));
        function.remove_function_attribute("noinline");
    }
    body.calls_hooks = true;
    let ir = body.unit.ir;
    let labelled = *originals.first()?;
    let entry = ir.insert_block_before(labelled, "version");
    body.b.at_end(entry);
    body.b.no_location();
    for i in labelled.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMAlloca) {
        body.b.take(i);
    }
    if let Some(located) = labelled.instructions().into_iter().find(|i| i.place().line != 0) {
        body.b.location_of(located);
    }
    body.b.br(labelled);

    let blocks: HashMap<Block, Block> =
        originals.iter().map(|block| (*block, ir.append_block(function, "concrete"))).collect();
    let mut twins = HashMap::new();
    for original in &originals {
        body.b.at_end(blocks[original]);
        body.b.no_location();
        for i in original.instructions() {
            let twin = if i.opcode() == Opcode::LLVMPHI { body.b.phi(i.ty()) } else { body.b.copy(i) };
            twins.insert(i, twin);
        }
        if let Some(number) = body.numbers.get(original).copied() {
            body.numbers.insert(blocks[original], number);
        }
    }
    let twin = |value: Value| twins.get(&value).copied().unwrap_or(value);
    for (original, copy) in &twins {
        if original.opcode() == Opcode::LLVMPHI {
            for (value, from) in original.incoming() {
                copy.add_incoming(twin(value), blocks[&from]);
            }
            continue;
        }
        for (index, operand) in original.operands().into_iter().enumerate() {
            if let Some(operand) = twins.get(&operand) {
                copy.set_operand(index as u32, *operand);
            }
        }
        for (index, successor) in original.successors().iter().enumerate() {
            copy.set_successor(index as u32, blocks[successor]);
        }
        let split = splits.get(original).map(|split| Split {
            edges: split.edges.iter().map(|edge| blocks[edge]).collect(),
            successors: split.successors.clone(),
        });
        if let Some(split) = split {
            splits.insert(*copy, split);
        }
    }
    keep_apart(body, &twins);
    body.twins = twins.iter().map(|(original, copy)| (*copy, *original)).collect();
    Some(Versions {
        entry,
        labelled,
        concrete: blocks[&labelled],
        twins,
        around: HashMap::new(),
        exits: Vec::new(),
        labels: HashMap::new(),
    })
}

/// Calls in the labelled version stay calls: what is gained by inlining is gained in the concrete one.
fn keep_apart(body: &Body, twins: &HashMap<Value, Value>) {
    for call in twins.keys().filter(|i| i.opcode() == Opcode::LLVMCall) {
        call.add_call_attribute(body.unit.ir.enum_attribute("noinline"));
    }
}

/// Frames that grow, and places that control comes back to by other ways than branches, exist once.
fn can_be_had_twice(blocks: &[Block]) -> bool {
    blocks.iter().enumerate().all(|(number, block)| {
        block.instructions().into_iter().all(|i| match i.opcode() {
            Opcode::LLVMAlloca => number == 0 && i.operand(0).const_int().is_some(),
            // Assembly may define labels.
            Opcode::LLVMCall => !i.called().is_inline_asm() && !returns_twice(i),
            Opcode::LLVMIndirectBr | Opcode::LLVMCallBr | Opcode::LLVMInvoke => false,
            _ => true,
        })
    })
}

fn only_computes(blocks: &[Block]) -> bool {
    use Opcode::{LLVMAtomicCmpXchg, LLVMAtomicRMW, LLVMCall, LLVMLoad, LLVMStore};
    let accesses =
        |i: Value| matches!(i.opcode(), LLVMLoad | LLVMStore | LLVMCall | LLVMAtomicRMW | LLVMAtomicCmpXchg);
    !blocks.iter().any(|block| block.instructions().into_iter().any(accesses))
}

fn returns_twice(call: Value) -> bool {
    let callee = call.called();
    call.call_attribute(FUNCTION, "returns_twice").is_some()
        || (callee.is_function() && callee.function_attribute(FUNCTION, "returns_twice").is_some())
}

impl Versions {
    /// Notes where the code of an instruction of the labelled version, which has just got its hooks, begins and ends.
    pub(crate) fn note(&mut self, i: Value, previous: Option<Value>, next: Option<Value>) {
        self.around.insert(i, (previous, next.and_then(Value::previous_instruction)));
    }

    /// Puts the hooks into the concrete version: those that it shares with the other one, and the tests.
    pub(crate) fn instrument_concrete(&mut self, body: &mut Body, splits: &Splits) {
        self.labels = body.forget_labels();
        let foresight = Foresight::plan(body, self.concrete);
        for block in reverse_postorder(self.concrete) {
            let instructions = block.instructions();
            for (number, i) in instructions.iter().enumerate() {
                let Some(of) = body.twins.get(i).copied() else { continue };
                if let Some(looks) = foresight.looks(*i) {
                    body.b.before(*i);
                    if let Some(test) = memory::test_places(body, looks) {
                        self.exits.push(Exit { test, of, found: None });
                    }
                }
                if foresight.is_seen(*i) {
                    memory::check_index(body, *i);
                    continue;
                }
                if let Some(test) = memory::test_copy(body, *i) {
                    self.exits.push(Exit { test, of, found: None });
                    continue;
                }
                label_instruction(body, *i, splits, &mut Vec::new());
                let found = body.labels.remove(i).unwrap_or_default();
                let Some(next) = instructions.get(number + 1) else { continue };
                body.b.before(*next);
                if let Some(any) = body.any(found.iter().copied()) {
                    let test = body.b.not_zero(any);
                    self.exits.push(Exit { test, of, found: Some(found) });
                }
            }
        }
    }

    /// The first instruction of the labelled version after an exit.
    fn arrival(&self, exit: &Exit) -> Option<Value> {
        let (previous, last) = *self.around.get(&exit.of)?;
        match (&exit.found, previous) {
            (Some(_), _) => last?.next_instruction(),
            (None, Some(previous)) if previous.opcode() != Opcode::LLVMPHI => previous.next_instruction(),
            (None, _) => exit.of.block().first_real(),
        }
    }

    /// Connects the two versions, when nothing more is emitted into either of them.
    pub(crate) fn join(self, unit: &Unit, function: Value) {
        let b = Builder::new(unit.ir);
        let params: Vec<Value> = function.params();
        let received = params.iter().filter_map(|p| self.labels.get(p)).flatten().copied().flatten();
        if let Some(jump) = self.entry.terminator() {
            b.before(jump);
            // Also where nothing is received: what is computed there has a twin to take its place.
            let any = received.reduce(|x, y| b.or(x, y)).unwrap_or_else(|| unit.ir.const32(0));
            let symbolic = b.not_zero(any);
            let branch = b.cond_br(symbolic, self.labelled, self.concrete);
            b.expect(branch, false);
            jump.erase();
        }
        let arrivals: Vec<(&Exit, Value)> =
            self.exits.iter().filter_map(|exit| Some((exit, self.arrival(exit)?))).collect();
        let mut exits = Vec::with_capacity(arrivals.len());
        for (exit, arrival) in &arrivals {
            let Some(after) = exit.test.next_instruction() else { continue };
            let block = unit.ir.append_block(function, "exit");
            let head = split_before(&b, after);
            b.at_end(head);
            b.location_of(exit.test);
            let branch = b.cond_br(exit.test, block, after.block());
            b.expect(branch, false);

            let head = split_before(&b, *arrival);
            b.at_end(head);
            b.no_location();
            b.br(arrival.block());
            exits.push((block, exit, arrival));
        }
        for (block, _, arrival) in &exits {
            b.at_end(*block);
            b.no_location();
            b.br(arrival.block());
        }
        let mut slots = Slots { b: &b, entry: self.entry, of: HashMap::new() };
        let labelled = self.entry.successors().first().copied();
        slots
            .make(exits.iter().map(|(_, _, arrival)| arrival.block()).chain(labelled).collect(), &self.twins);
        for (block, exit, _) in exits {
            let own = self.labels.get(&exit.of).into_iter().flatten();
            for (own, brought) in own.zip(exit.found.iter().flatten()) {
                if let (Some(own), Some(brought), Some(jump)) = (own, brought, block.terminator())
                    && let Some(slot) = slots.of.get(own)
                {
                    b.before(jump);
                    b.store(*brought, *slot);
                }
            }
        }
    }
}

/// What stands before the instruction goes to a new block, which everybody who came to the old one comes to; the
/// old one keeps its successors, whose phis name it. The new block has no terminator yet.
fn split_before(b: &Builder, first: Value) -> Block {
    let old = first.block();
    let head = b.ir.insert_block_before(old, "");
    let terminator = old.terminator();
    b.no_location();
    b.at_end(head);
    for i in old.instructions().into_iter().take_while(|i| *i != first) {
        b.take(i);
    }
    // Without its terminator the block has no successors whose phis would be renamed along.
    if let Some(terminator) = terminator {
        b.detach(terminator);
        old.replace_uses_with(head);
        b.at_end(old);
        b.insert(terminator);
    }
    head
}

/// Memory for the values of the labelled version that cross blocks.
struct Slots<'b> {
    b: &'b Builder,
    entry: Block,
    of: HashMap<Value, Value>,
}

impl Slots<'_> {
    /// For all that is reached from the blocks where the labelled version begins.
    fn make(&mut self, starts: Vec<Block>, twins: &HashMap<Value, Value>) {
        for block in reachable(starts) {
            for value in block.instructions() {
                let users = value.users();
                if users.iter().any(|user| user.opcode() == Opcode::LLVMPHI || user.block() != block) {
                    self.demote(value, users, twins.get(&value).copied());
                }
            }
        }
    }

    fn demote(&mut self, value: Value, users: Vec<Value>, twin: Option<Value>) {
        let b = self.b;
        let Some(first) = self.entry.first() else { return };
        b.before(first);
        b.no_location();
        let slot = b.alloca(value.ty());
        self.of.insert(value, slot);
        let mut loads: HashMap<Block, Value> = HashMap::new();
        let home = value.block();
        for user in users.into_iter().collect::<HashSet<_>>() {
            let places: Vec<Block> = if user.opcode() == Opcode::LLVMPHI {
                user.incoming().into_iter().map(|(_, from)| from).collect()
            } else {
                vec![user.block(); user.operand_count() as usize]
            };
            for (index, place) in places.into_iter().enumerate() {
                if place == home || user.operand(index as u32) != value {
                    continue;
                }
                let load = *loads.entry(place).or_insert_with(|| {
                    if let Some(first) = place.first_real() {
                        b.before(first);
                        b.no_location();
                    }
                    b.load(value.ty(), slot)
                });
                user.set_operand(index as u32, load);
            }
        }
        for definition in [Some(value), twin].into_iter().flatten() {
            let after = if definition.opcode() == Opcode::LLVMPHI {
                definition.block().first_real()
            } else {
                definition.next_instruction()
            };
            if let Some(after) = after {
                b.before(after);
                b.no_location();
                b.store(definition, slot);
            }
        }
        if twin.is_none()
            && let Some(jump) = self.entry.terminator()
        {
            b.before(jump);
            b.store(value.ty().null(), slot);
        }
    }
}

fn reachable(mut open: Vec<Block>) -> Vec<Block> {
    let mut seen: HashSet<Block> = HashSet::new();
    let mut all = Vec::new();
    while let Some(block) = open.pop() {
        if seen.insert(block) {
            all.push(block);
            open.extend(block.successors());
        }
    }
    all
}
