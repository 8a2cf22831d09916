//! The labels of one function while it is being instrumented: which values may be symbolic at all, the label
//! of each, and short ways to call hooks with them. What each instruction means is in `passes`.

use crate::builder::Builder;
use crate::ir::{Block, Opcode, Type, Value};
use crate::leaf::{Leaf, Scalar, leaves, scalar};
use crate::unit::{BlockNumbers, Unit};
use model::sites::SiteKind;
use std::collections::{HashMap, HashSet};
use wire::log::Concretised;
use wire::{Class, Op};

/// A label per leaf; None where the leaf is never symbolic.
pub(crate) type Labels = Vec<Option<Value>>;

pub(crate) struct Body<'u> {
    pub(crate) unit: &'u mut Unit,
    pub(crate) b: Builder,
    pub(crate) function: Value,
    pub(crate) number: u32,
    pub(crate) numbers: BlockNumbers,
    pub(crate) labels: HashMap<Value, Labels>,
    may: HashSet<Value>,
    /// Instructions of the concrete version to those that they are copies of.
    pub(crate) twins: HashMap<Value, Value>,
    /// Sites and counters of each instruction: those of its copy are the same.
    sites: HashMap<(Value, Sort), Vec<u32>>,
    counters: HashMap<Value, u32>,
    /// The counter of each edge that has one.
    pub(crate) edges: HashMap<Block, u32>,
    /// Code that seldom runs calls its hooks: the time to build it counts for more.
    pub(crate) calls_hooks: bool,
    /// Copy of the labels of variable arguments, taken on entry.
    pub(crate) saved_va: Option<Value>,
}

impl<'u> Body<'u> {
    pub(crate) fn new(unit: &'u mut Unit, function: Value, number: u32, numbers: BlockNumbers) -> Body<'u> {
        let b = Builder::new(unit.ir);
        let may = may_be_symbolic(unit, function);
        Body {
            unit,
            b,
            function,
            number,
            numbers,
            labels: HashMap::new(),
            may,
            twins: HashMap::new(),
            sites: HashMap::new(),
            counters: HashMap::new(),
            edges: HashMap::new(),
            calls_hooks: false,
            saved_va: None,
        }
    }

    pub(crate) fn may(&self, value: Value) -> bool {
        self.may.contains(&value)
    }

    pub(crate) fn leaves(&self, ty: Type) -> Vec<Leaf> {
        leaves(self.unit.ir, ty)
    }

    /// The label of a scalar, None if it is never symbolic.
    pub(crate) fn label(&self, value: Value) -> Option<Value> {
        self.labels.get(&value).and_then(|all| all.first().copied().flatten())
    }

    pub(crate) fn labels_of(&self, value: Value) -> Labels {
        match self.labels.get(&value) {
            Some(all) => all.clone(),
            None => vec![None; self.leaves(value.ty()).len()],
        }
    }

    /// The label as an operand for a hook.
    pub(crate) fn label_or_zero(&self, label: Option<Value>) -> Value {
        label.unwrap_or_else(|| self.unit.ir.const32(0))
    }

    pub(crate) fn operand_label(&self, value: Value) -> Value {
        self.label_or_zero(self.label(value))
    }

    pub(crate) fn set_label(&mut self, value: Value, label: Value) {
        self.labels.insert(value, vec![Some(label)]);
    }

    pub(crate) fn hook(&self, name: &str, arguments: &[Value]) -> Value {
        let hooks = &self.unit.hooks;
        let far = if self.calls_hooks { hooks.far(name, arguments) } else { None };
        match far.or_else(|| hooks.get(name)) {
            Some(function) => self.b.call(function, arguments),
            // The names were compared with the inline bitcode before the first pass ran.
            None => self.unit.ir.const32(0),
        }
    }

    pub(crate) fn site(&mut self, at: Value, kind: SiteKind) -> Value {
        let block = self.numbers.get(&at.block()).copied().unwrap_or(0);
        let sort = sort(&kind);
        // The copy asks for its sites in the order in which the original got them.
        if let Some(original) = self.twins.get(&at)
            && let Some(known) = self.sites.get_mut(&(*original, sort))
            && !known.is_empty()
        {
            let site = known.remove(0);
            return self.unit.where_(site);
        }
        let site = self.unit.add_site(self.number, block, at, kind);
        self.sites.entry((at, sort)).or_default().push(site);
        self.unit.where_(site)
    }

    /// Coverage counters of a branch or switch: the first of `count`.
    pub(crate) fn counters(&mut self, at: Value, count: u32) -> u32 {
        if let Some(known) = self.twins.get(&at).and_then(|original| self.counters.get(original)) {
            return *known;
        }
        let first = self.unit.add_counters(self.number, count);
        self.counters.insert(at, first);
        first
    }

    /// Notes that nothing leads to a side of a branch, if that is known: the successor in LLVM's order, and its counter.
    pub(crate) fn note_unreachable(&mut self, branch: Value, successor: u32, counter: u32) {
        let Some(block) = self.numbers.get(&branch.block()) else { return };
        if self.unit.unreachable.contains(&(self.number, *block, successor)) {
            self.unit.table.unreachable.insert(counter);
        }
    }

    /// From now on nothing is symbolic. Gives the labels so far.
    pub(crate) fn forget_labels(&mut self) -> HashMap<Value, Labels> {
        self.may.clear();
        self.calls_hooks = false;
        std::mem::take(&mut self.labels)
    }

    pub(crate) fn head(&self, op: Op, sub: u32, bits: u32) -> Value {
        self.unit.ir.const32(op as u32 | sub << 8 | bits << 16)
    }

    /// A node with two operands, or None if neither can be symbolic. `width` is what `Node::c` holds.
    pub(crate) fn node2(
        &mut self,
        op: Op,
        sub: u32,
        bits: u32,
        width: u32,
        a: Value,
        b: Value,
    ) -> Option<Value> {
        let (la, lb) = (self.label(a), self.label(b));
        if la.is_none() && lb.is_none() {
            return None;
        }
        let (la, lb) = (self.label_or_zero(la), self.label_or_zero(lb));
        let (head, c) = (self.head(op, sub, bits), self.unit.ir.const32(width));
        let operand_bits = scalar(a.ty()).bits().unwrap_or(0);
        Some(if operand_bits > 64 {
            let (a_low, a_high) = (self.b.word(a), self.b.high_word(a));
            let (b_low, b_high) = (self.b.word(b), self.b.high_word(b));
            self.hook("__ctn_op2_wide", &[head, c, la, lb, a_low, a_high, b_low, b_high])
        } else {
            let (a, b) = (self.b.word(a), self.b.word(b));
            self.hook("__ctn_op2", &[head, c, la, lb, a, b])
        })
    }

    /// A node with one operand.
    pub(crate) fn node1(
        &mut self,
        op: Op,
        bits: u32,
        width: u32,
        label: Option<Value>,
        x: u64,
    ) -> Option<Value> {
        let label = label?;
        let (head, c, x) = (self.head(op, 0, bits), self.unit.ir.const32(width), self.unit.ir.const64(x));
        Some(self.hook("__ctn_op1", &[head, c, label, x]))
    }

    /// All labels in one: not zero if any is.
    pub(crate) fn any(&self, labels: impl IntoIterator<Item = Option<Value>>) -> Option<Value> {
        labels.into_iter().flatten().reduce(|a, b| self.b.or(a, b))
    }

    /// Symbolic operands of something that is not expressed: the result is concrete, and that is said.
    pub(crate) fn lose(&mut self, at: Value, operands: &[Value], why: Concretised) {
        let all: Vec<Option<Value>> = operands.iter().flat_map(|v| self.labels_of(*v)).collect();
        if let Some(any) = self.any(all) {
            let place = self.site(at, SiteKind::Choice);
            let kind = self.unit.ir.const32(why as u32);
            self.hook("__ctn_lost", &[any, kind, place]);
        }
    }

    /// The scalar at a leaf's path inside an aggregate value.
    pub(crate) fn leaf_value(&self, value: Value, leaf: &Leaf) -> Value {
        leaf.path.iter().fold(value, |v, index| {
            if v.ty().kind() == crate::ir::TypeKind::LLVMVectorTypeKind {
                self.b.extract_element(v, *index)
            } else {
                self.b.extract(v, *index)
            }
        })
    }
}

/// What tells apart the sites of one instruction.
type Sort = (std::mem::Discriminant<SiteKind>, Option<Class>);

fn sort(kind: &SiteKind) -> Sort {
    let class = if let SiteKind::Check { class } = kind { Some(*class) } else { None };
    (std::mem::discriminant(kind), class)
}

/// The values that can carry a label: what comes from memory, callers and callees, and what is computed
/// from it. Everything else needs no code.
fn may_be_symbolic(unit: &Unit, function: Value) -> HashSet<Value> {
    let expressed = |ty: Type| leaves(unit.ir, ty).iter().any(|leaf| leaf.scalar != Scalar::Opaque);
    let mut may: HashSet<Value> = function.params().into_iter().filter(|p| expressed(p.ty())).collect();
    let instructions: Vec<Value> = function
        .blocks()
        .into_iter()
        .flat_map(Block::instructions)
        .filter(|i| !i.ty().is_void() && expressed(i.ty()) && i.opcode() != Opcode::LLVMAlloca)
        .collect();
    loop {
        let before = may.len();
        for instruction in &instructions {
            if may.contains(instruction) {
                continue;
            }
            let source = match instruction.opcode() {
                Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMVAArg => {
                    true
                }
                Opcode::LLVMCall => instruction.called().intrinsic_name().is_none(),
                _ => false,
            };
            if source || instruction.operands().iter().any(|o| may.contains(o)) {
                may.insert(*instruction);
            }
        }
        if may.len() == before {
            return may;
        }
    }
}
