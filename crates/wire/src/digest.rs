//! Digests of nodes: what a node is, whatever its number. They are made of the operation, the constants and the digests of
//! the operands, so equal digests are equal terms in every execution. The runtime makes those of nodes as it appends them
//! (crates/runtime/c/digest.h, which a test compares with this file); whoever builds a term asks again. The same for the
//! records of the log: a mark says what an execution was up to there.

use crate::log::{Record, RecordKind};
use crate::node::{Node, Op};

/// What the fields of a node are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Leaf,
    Two,
    Three,
    /// Also of what it may meet in memory: the runtime does not know these.
    Read,
}

/// By operation.
pub const SHAPES: [Shape; 256] = {
    let mut shapes = [Shape::Leaf; 256];
    let mut at = 0;
    while at < Op::ALL.len() {
        shapes[Op::ALL[at] as usize] = match Op::ALL[at] {
            Op::Const | Op::Input => Shape::Leaf,
            Op::Ite | Op::FFma => Shape::Three,
            Op::Read => Shape::Read,
            _ => Shape::Two,
        };
        at += 1;
    }
    shapes
};

/// Stands for an operand that is a constant: that of node 0.
pub const NO_OPERAND: u64 = mixed(0, [0; 4]);

/// Digits of pi.
const KEYS: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];

/// The golden ratio: odd, with about as many ones as zeros.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// `digest`: that of an operand, by its number. None where memory has a part in it.
#[inline]
pub fn of(node: &Node, digest: impl Fn(u32) -> u64) -> Option<u64> {
    Some(match SHAPES[usize::from(node.op)] {
        Shape::Two => joined(head(node), digest(node.a), digest(node.b), node.x, node.y),
        Shape::Leaf => mixed(head(node), [u64::from(node.a), u64::from(node.b), node.x, node.y]),
        Shape::Three => {
            let both =
                mixed(head(node) & u64::from(u32::MAX), [digest(node.a), digest(node.b), node.x, node.y]);
            mixed(both, [digest(node.c), 0, 0, 0])
        }
        Shape::Read => return None,
    })
}

/// All of a node but its operands.
#[inline]
pub fn head(node: &Node) -> u64 {
    u64::from(node.op) | u64::from(node.sub) << 8 | u64::from(node.bits) << 16 | u64::from(node.c) << 32
}

#[inline]
const fn folded(left: u64, right: u64) -> u64 {
    let product = left as u128 * right as u128;
    product as u64 ^ (product >> 64) as u64
}

/// A digest of what is made of two others: these are any numbers already, and need no keys. The head is spread over all bits
/// first: next to a small constant, `w & 7` and `w >> 3` were one otherwise.
#[inline]
fn joined(head: u64, a: u64, b: u64, x: u64, y: u64) -> u64 {
    let plain = folded(x ^ KEYS[2], y ^ KEYS[3] ^ head.wrapping_mul(SPREAD));
    folded(a ^ plain.rotate_left(32), b) ^ plain
}

/// A digest of five words. The multiplications do not wait for each other.
#[inline]
pub const fn mixed(head: u64, [a, b, c, d]: [u64; 4]) -> u64 {
    // What is known late comes in late: `a` and `b` are digests of nodes right before.
    let plain = folded(c ^ KEYS[2], d ^ (KEYS[3] ^ head)).rotate_left(32);
    plain ^ folded(a ^ (KEYS[0] ^ head.rotate_left(23)), b ^ KEYS[1])
}

/// A place in the log: a digest of what lies before it and, in the low bits, how many records that are, without those of
/// coverage: the process reports a counter once. The digest is the sum over the records, each with its place: none waits for
/// the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark(pub u64);

const COUNT_BITS: u32 = 17;
const MOST: u64 = (1 << COUNT_BITS) - 1;

impl Mark {
    /// How many records lie before the mark, those of coverage not counted.
    #[inline]
    pub fn records(self) -> u64 {
        self.0 & MOST
    }

    /// The mark behind a record that lies here. `term`: the digest of what it is about, if that is a term.
    #[inline]
    #[must_use]
    pub fn behind(self, record: &Record, term: u64) -> Mark {
        if record.kind == RecordKind::Cover as u16 {
            return self;
        }
        // All values that lead to the default of a switch are one outcome.
        let is_default = record.kind == RecordKind::Switch as u16 && record.aux == 0;
        let value = if is_default { 0 } else { record.value };
        let kind = u64::from(record.kind) | u64::from(record.aux) << 16 | u64::from(record.tu) << 32;
        let count = self.records();
        let site = u64::from(record.site) | count << 32;
        let digest = mixed(site, [term, kind, value, 0]) << COUNT_BITS;
        Mark((self.0 & !MOST).wrapping_add(digest) | (count + 1).min(MOST))
    }
}
