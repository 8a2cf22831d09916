//! LLVM's intrinsic functions: block moves, overflow arithmetic, bit counting, floating-point functions. Those
//! that say nothing about values are passed over; unknown ones lose their labels, with a record.

use super::values;
use crate::body::Body;
use crate::ir::Value;
use crate::leaf::{Scalar, scalar};
use model::sites::SiteKind;
use wire::Op;

pub(crate) fn call(body: &mut Body, i: Value, name: &str) {
    let family = name.strip_prefix("llvm.").unwrap_or(name);
    let is = |prefix: &str| {
        family == prefix || family.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
    };
    let arguments = i.call_arguments();
    body.b.before(i);
    if is("memcpy") || is("memmove") || is("memcpy.inline") {
        return copy(body, i, &arguments);
    }
    if is("memset") || is("memset.inline") {
        return fill(body, i, &arguments);
    }
    if is("ptrmask") {
        if let [pointer, mask] = arguments[..]
            && let Some(label) = body.node2(Op::And, 0, 64, 0, pointer, mask)
        {
            body.set_label(i, label);
        }
        return;
    }
    if is("expect")
        || is("expect.with.probability")
        || is("ssa.copy")
        || is("launder.invariant.group")
        || is("strip.invariant.group")
        || is("arithmetic.fence")
        || is("threadlocal.address")
    {
        if let Some(label) = arguments.first().and_then(|a| body.label(*a)) {
            body.set_label(i, label);
        }
        return;
    }
    if is("va_start") {
        if let (Some(list), Some(saved)) = (arguments.first().copied(), body.saved_va) {
            body.b.after(i);
            body.hook("__ctn_va_start", &[list, saved]);
        }
        return;
    }
    if is("va_copy") {
        if let [to, from] = arguments[..] {
            body.hook("__ctn_va_copy", &[to, from]);
        }
        return;
    }
    if is("is.fpclass") {
        return classify(body, i, &arguments);
    }
    if says_nothing(family) {
        return;
    }
    if !arguments.iter().any(|a| body.labels.contains_key(a)) {
        return;
    }
    let expressed = match (scalar(i.ty()), &arguments[..]) {
        (_, [a, b]) if family.contains(".with.overflow") => with_overflow(body, family, *a, *b),
        (Scalar::Int(bits), [a, ..]) if bits <= 64 => integer(body, family, bits, *a, &arguments),
        (Scalar::Float(bits), [a, ..]) if bits >= 32 => floating(body, family, bits, *a, &arguments),
        _ => None,
    };
    match expressed {
        Some(labels) => {
            body.labels.insert(i, labels);
        }
        None => values::unexpressed(body, i, name),
    }
}

/// Intrinsics without labelled effect.
fn says_nothing(family: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "dbg.",
        "lifetime.",
        "assume",
        "stacksave",
        "stackrestore",
        "va_end",
        "returnaddress",
        "frameaddress",
        "objectsize",
        "donothing",
        "trap",
        "debugtrap",
        "ubsantrap",
        "prefetch",
        "invariant.",
        "experimental.noalias",
        "is.constant",
        "eh.",
        "clear_cache",
        "readcyclecounter",
        "annotation",
        "var.annotation",
        "sideeffect",
        "pseudoprobe",
        "fake.use",
    ];
    PREFIXES.iter().any(|prefix| family.starts_with(prefix))
}

/// Most bytes that are looked at without a call.
const SHORT: u64 = 64;

/// What a block move of few bytes, their number known, reads and writes.
pub(crate) fn short_blocks(i: Value) -> Option<Vec<(Value, u64)>> {
    let name = i.called().intrinsic_name()?;
    let family = name.strip_prefix("llvm.")?;
    let blocks = match family.split('.').next()? {
        "memcpy" | "memmove" => 2,
        "memset" => 1,
        _ => return None,
    };
    let length = i.operand(2).const_int().filter(|n| (1..=SHORT).contains(n))?;
    Some((0..blocks).map(|n| (i.operand(n), length)).collect())
}

fn copy(body: &mut Body, i: Value, arguments: &[Value]) {
    let [to, from, length, ..] = arguments[..] else { return };
    let place = body.site(i, SiteKind::Store);
    let (lto, lfrom, ln) = (body.operand_label(to), body.operand_label(from), body.operand_label(length));
    body.hook("__ctn_memcpy", &[to, from, length, lto, lfrom, ln, place]);
}

fn fill(body: &mut Body, i: Value, arguments: &[Value]) {
    let [to, value, length, ..] = arguments[..] else { return };
    let place = body.site(i, SiteKind::Store);
    let (lto, lvalue, ln) = (body.operand_label(to), body.operand_label(value), body.operand_label(length));
    body.hook("__ctn_memset", &[to, length, lto, lvalue, ln, place]);
}

/// Which of the classes of numbers: a question about the bit pattern.
fn classify(body: &mut Body, i: Value, arguments: &[Value]) {
    let [a, mask] = arguments[..] else { return };
    let (Scalar::Float(bits), Some(_)) = (scalar(a.ty()), mask.const_int()) else {
        return values::unexpressed(body, i, "is.fpclass");
    };
    if let Some(label) = body.label(a) {
        let label = body.hook("__ctn_classify", &[body.unit.ir.const32(bits), label, mask]);
        body.set_label(i, label);
    }
}

type Labelled = Option<Vec<Option<Value>>>;

fn with_overflow(body: &mut Body, family: &str, a: Value, b: Value) -> Labelled {
    let (op, overflow) = match family.split('.').next()? {
        "sadd" => (Op::Add, Op::SAddO),
        "uadd" => (Op::Add, Op::UAddO),
        "ssub" => (Op::Sub, Op::SSubO),
        "usub" => (Op::Sub, Op::USubO),
        "smul" => (Op::Mul, Op::SMulO),
        "umul" => (Op::Mul, Op::UMulO),
        _ => return None,
    };
    let Scalar::Int(bits) = scalar(a.ty()) else { return None };
    let result = body.node2(op, 0, bits, 0, a, b);
    let flag = body.node2(overflow, 0, 1, bits, a, b);
    Some(vec![result, flag])
}

fn integer(body: &mut Body, family: &str, bits: u32, a: Value, arguments: &[Value]) -> Labelled {
    let label = body.label(a);
    let width = body.unit.ir.const32(bits);
    let unary = |body: &mut Body, op: Op| Some(vec![body.node1(op, bits, 0, label, 0)]);
    let stem = family.rsplit_once('.').map_or(family, |(stem, _)| stem);
    match (stem, arguments) {
        ("ctpop", _) => unary(body, Op::CtPop),
        ("ctlz", _) => unary(body, Op::Ctlz),
        ("cttz", _) => unary(body, Op::Cttz),
        ("bswap", _) => unary(body, Op::BSwap),
        ("bitreverse", _) => unary(body, Op::BitReverse),
        ("abs", _) => {
            let label = label?;
            Some(vec![Some(body.hook("__ctn_abs", &[width, label]))])
        }
        ("smin" | "smax" | "umin" | "umax", [a, b]) => {
            Some(vec![Some(extreme(body, stem.starts_with('s'), stem.ends_with("max"), bits, *a, *b))])
        }
        ("sadd.sat" | "uadd.sat" | "ssub.sat" | "usub.sat", [a, b]) => {
            let subtract = u32::from(stem.contains("sub"));
            let signed = if stem.starts_with('s') { 2 } else { 0 };
            let head = body.head(Op::Add, subtract | signed, bits);
            Some(vec![Some(two(body, "__ctn_saturate", head, *a, *b))])
        }
        ("fshl" | "fshr", [a, b, shift]) if bits.is_power_of_two() => {
            let left = body.unit.ir.const32(u32::from(stem == "fshl"));
            let labels = [*a, *b, *shift].map(|v| body.operand_label(v));
            let words = [*a, *b, *shift].map(|v| body.b.word(v));
            let all = [width, left, labels[0], labels[1], labels[2], words[0], words[1], words[2]];
            Some(vec![Some(body.hook("__ctn_funnel", &all))])
        }
        _ => None,
    }
}

/// The smaller or the larger of two.
pub(crate) fn extreme(body: &mut Body, signed: bool, max: bool, bits: u32, a: Value, b: Value) -> Value {
    let op = if signed { Op::Slt } else { Op::Ult };
    let head = body.head(op, u32::from(max), bits);
    two(body, "__ctn_choose", head, a, b)
}

fn two(body: &mut Body, hook: &str, head: Value, a: Value, b: Value) -> Value {
    let (la, lb) = (body.operand_label(a), body.operand_label(b));
    let (a, b) = (body.b.word(a), body.b.word(b));
    body.hook(hook, &[head, la, lb, a, b])
}

fn floating(body: &mut Body, family: &str, bits: u32, a: Value, arguments: &[Value]) -> Labelled {
    let label = body.label(a);
    let stem = family.split('.').next().unwrap_or(family);
    let op = match stem {
        "fabs" => Op::FAbs,
        "sqrt" => Op::FSqrt,
        "floor" => Op::FFloor,
        "ceil" => Op::FCeil,
        "trunc" => Op::FTrunc,
        "rint" | "nearbyint" | "roundeven" => Op::FRint,
        "round" => Op::FRound,
        "minnum" | "maxnum" | "copysign" => {
            let [a, b] = arguments else { return None };
            let op = match stem {
                "minnum" => Op::FMin,
                "maxnum" => Op::FMax,
                _ => Op::FCopySign,
            };
            return Some(vec![body.node2(op, 0, bits, 0, *a, *b)]);
        }
        "fma" => {
            let [a, b, c] = arguments else { return None };
            let labels = [*a, *b, *c].map(|v| body.operand_label(v));
            let words = [*a, *b, *c].map(|v| body.b.word(v));
            let all =
                [body.unit.ir.const32(bits), labels[0], labels[1], labels[2], words[0], words[1], words[2]];
            return Some(vec![Some(body.hook("__ctn_fma", &all))]);
        }
        // Whether it is one rounding or two is the target's choice; without FMA hardware it is two.
        "fmuladd" => {
            let [a, b, c] = arguments else { return None };
            let product = body.b.fmul(*a, *b);
            if let Some(label) = body.node2(Op::FMul, 0, bits, 0, *a, *b) {
                body.set_label(product, label);
            }
            return Some(vec![body.node2(Op::FAdd, 0, bits, 0, product, *c)]);
        }
        _ => return None,
    };
    Some(vec![body.node1(op, bits, 0, label, 0)])
}
