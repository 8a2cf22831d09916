//! Terms as text: one line per term for a whole term's graph, or one nested expression for small ones.

use crate::pool::Pool;
use crate::term::{Kind, TermId};
use std::fmt::Write;

impl Pool {
    /// One line: the term's operation over the ids of its operands, as in `t7:32 = add t3 t5`.
    pub fn line(&self, id: TermId) -> String {
        let term = self.term(id);
        let mut text = format!("{id}:{} = {}", term.bits, self.operation(id));
        for operand in term.kind.operands() {
            let _ = write!(text, " {operand}");
        }
        text
    }

    /// The whole term as one nested expression; where it is deeper than `depth`, ids stand for subterms.
    pub fn show(&self, id: TermId, depth: u32) -> String {
        let kind = self.kind(id);
        let mut operands = kind.operands().peekable();
        if operands.peek().is_none() {
            return self.operation(id);
        }
        if depth == 0 {
            return id.to_string();
        }
        let mut text = format!("({}", self.operation(id));
        for operand in operands {
            text.push(' ');
            text.push_str(&self.show(operand, depth - 1));
        }
        text.push(')');
        text
    }

    /// Every term that `id` is made of, operands first.
    pub fn listing(&self, id: TermId) -> String {
        let mut wanted = std::collections::BTreeSet::from([id]);
        let mut lines = Vec::new();
        while let Some(id) = wanted.pop_last() {
            lines.push(self.line(id));
            wanted.extend(self.kind(id).operands());
        }
        lines.reverse();
        lines.join("\n")
    }

    fn operation(&self, id: TermId) -> String {
        let term = self.term(id);
        let bits = term.bits;
        let lower = |name: &dyn std::fmt::Debug| format!("{name:?}").to_lowercase();
        match term.kind {
            Kind::Const(value) => format!("{:#x}:{bits}", self.const_value(value)),
            Kind::Var(var) => var.to_string(),
            Kind::Unary(op, _) => lower(&op),
            Kind::Binary(op, ..) => lower(&op),
            Kind::Compare(op, ..) => lower(&op),
            Kind::Extract { low, .. } => format!("extract[{low}+{bits}]"),
            Kind::Concat { .. } => "concat".into(),
            Kind::ZExt(_) => format!("zext{bits}"),
            Kind::SExt(_) => format!("sext{bits}"),
            Kind::Ite { .. } => "ite".into(),
            Kind::Select { table, .. } => format!("select[{table}*{}]", self.table(table).len()),
            Kind::FloatUnary(op, _) => format!("f{}", lower(&op)),
            Kind::FloatBinary(op, ..) => format!("f{}", lower(&op)),
            Kind::FloatFma(..) => "ffma".into(),
            Kind::FloatCompare(op, ..) => format!("f{}", lower(&op)),
            Kind::FloatToSigned(_) => format!("fptosi{bits}"),
            Kind::FloatToUnsigned(_) => format!("fptoui{bits}"),
            Kind::SignedToFloat(_) => format!("sitofp{bits}"),
            Kind::UnsignedToFloat(_) => format!("uitofp{bits}"),
            Kind::FloatConvert(_) => format!("fpconvert{bits}"),
        }
    }
}
