//! Logs, nodes and snapshots of random numbers, and tables in which most of it fits: an error or a path, never a
//! panic, and what is built is canonical.

use proptest::prelude::*;
use term::{Assignment, Evaluator, Path, Pool, verify};
use wire::digest::{self, NO_OPERAND, SHAPES, Shape};
use wire::{Node, Op, Record};

const NODES: u32 = 24;

fn any_node() -> impl Strategy<Value = Node> {
    let op = prop_oneof![9 => prop::sample::select(Op::ALL).prop_map(|op| op as u8), 1 => any::<u8>()];
    let usual = prop::sample::select(vec![1u16, 8, 16, 32, 64, 128]);
    let bits = prop_oneof![8 => usual, 1 => any::<u16>(), 1 => 0u16..130];
    let width = || prop::sample::select(vec![1u32, 8, 16, 32, 64]);
    let operand = move || prop_oneof![6 => 0..NODES, 1 => width(), 1 => any::<u32>()];
    let number = prop_oneof![4 => 0u64..70, 1 => any::<u64>()];
    let digest = prop_oneof![9 => Just(0), 1 => any::<u64>()];
    ((op, digest), 0u8..18, bits, operand(), operand(), operand(), number, 0u64..300)
        .prop_map(|((op, digest), sub, bits, a, b, c, x, y)| Node { op, sub, bits, a, b, c, x, y, digest })
}

fn any_record() -> impl Strategy<Value = Record> {
    (0u16..13, 0u16..70, any::<u32>(), 0u32..9, 0..NODES + 2, any::<u64>())
        .prop_map(|(kind, aux, tu, site, label, value)| Record { kind, aux, tu, site, label, value, mark: 0 })
}

/// Makes order and widths fit, so that conversion gets far.
fn mended(mut nodes: Vec<Node>) -> Vec<Node> {
    for index in 1..nodes.len() {
        let (before, from_here) = nodes.split_at_mut(index);
        let Some(node) = from_here.first_mut() else { continue };
        if matches!(Op::from_code(node.op), Some(Op::Input | Op::Const) | None) {
            continue;
        }
        node.a %= index as u32;
        let bits = before[node.a as usize].bits;
        // An operand of the same width, or the constant.
        let fits = |at: &usize| *at > 0 && before[*at].bits == bits;
        node.b = (0..index).rev().find(fits).map_or(0, |at| at as u32);
        match node.op {
            30..=35 | 50..=55 | 100 => (node.bits, node.c) = (1, u32::from(bits)),
            10..=22 | 60..=64 | 80..=95 => node.bits = bits,
            44 => (node.bits, node.c) = (bits, 0),
            101..=106 => node.c = u32::from(bits),
            _ => {}
        }
    }
    nodes
}

/// With digests as the runtime makes them, where operands are earlier nodes.
fn with_digests(mut nodes: Vec<Node>) -> Vec<Node> {
    for index in 0..nodes.len() {
        let (before, from_here) = nodes.split_at_mut(index);
        let Some(node) = from_here.first_mut() else { continue };
        let known =
            |label: u32| before.get(label as usize).map(|node| node.digest).filter(|digest| *digest != 0);
        let operands = [node.a, node.b, node.c];
        node.digest = match SHAPES[usize::from(node.op)] {
            _ if index == 0 => NO_OPERAND,
            Shape::Two if operands[..2].iter().any(|label| known(*label).is_none()) => 0,
            Shape::Three if operands.iter().any(|label| known(*label).is_none()) => 0,
            _ => digest::of(node, |label| known(label).unwrap_or(0)).unwrap_or(0),
        };
    }
    nodes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn garbage_is_refused_or_read_but_never_fatal(
        nodes in prop::collection::vec(any_node(), 1..NODES as usize),
        records in prop::collection::vec(any_record(), 1..12),
        data in prop::collection::vec(prop_oneof![3 => 0u8..4, 1 => any::<u8>()], 0..200),
        mend in any::<bool>(),
        signed in any::<bool>(),
        (at, other) in (1..NODES as usize, any_node()),
    ) {
        let nodes = if mend { mended(nodes) } else { nodes };
        let nodes = if signed { with_digests(nodes) } else { nodes };
        let mut pool = Pool::new();
        // One record at a time, so that one bad record does not hide the others.
        for record in &records {
            if let Ok(path) = Path::read(&mut pool, &[*record], &nodes, &data, None) {
                path.disagreement(&mut pool, &Assignment::new(), &mut Evaluator::new());
            }
        }
        // What an execution left changes nothing of what another is read as.
        if let Ok(path) = Path::read(&mut pool, &records, &nodes, &data, None) {
            let mut nodes = nodes;
            let at = at % nodes.len();
            nodes[at] = other;
            let whole = Path::read(&mut pool, &records, &nodes, &data, None);
            for mark in &path.marks {
                let rest = Path::read(&mut pool, &records, &nodes, &data, Some(*mark));
                let Ok(whole) = &whole else {
                    prop_assert_eq!(&rest, &whole);
                    continue;
                };
                let rest = rest.expect("what can be read whole can be read in part");
                let left_out = whole.steps.len() - rest.steps.len();
                prop_assert_eq!(&rest.steps, &whole.steps[left_out..]);
                prop_assert_eq!(&rest.marks, &whole.marks[left_out..]);
                prop_assert_eq!((&rest.covered, &rest.inputs), (&whole.covered, &whole.inputs));
                prop_assert!(left_out == 0 || rest.marks.first().is_none_or(|first| first == mark));
            }
        }
        let breaches = verify(&pool);
        prop_assert!(breaches.is_empty(), "{} : {}", breaches[0], pool.show(breaches[0].term, 4));
    }
}
