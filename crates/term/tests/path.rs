//! Paths from logs written by hand: what each record becomes, how objects are read, what is refused.

use term::{Assignment, ConvertError, Evaluator, Path, PathError, Pool, Step, StepKind, Var, eval, verify};
use wire::log::Concretised;
use wire::{Class, MemLabel, Node, Op, Record, RecordKind, SiteKey, SlotKey};

const SLOT: SlotKey = SlotKey { hash: 0xabc, occurrence: 2 };

fn record(kind: RecordKind, aux: u16, label: u32, value: u64) -> Record {
    Record { kind: kind as u16, aux, tu: 7, site: 9, label, value, mark: 0 }
}

fn node(op: Op, bits: u16, [a, b, c]: [u32; 3], [x, y]: [u64; 2]) -> Node {
    Node { op: op as u8, sub: 0, bits, a, b, c, x, y, digest: 0 }
}

fn input(element: u32, bits: u16) -> Node {
    node(Op::Input, bits, [SLOT.occurrence, element, 0], [SLOT.hash, 0])
}

fn var(element: u32, bits: u16) -> Var {
    Var { slot: SLOT, element, bits }
}

/// A table that begins with the unused node 0.
fn table(nodes: impl IntoIterator<Item = Node>) -> Vec<Node> {
    std::iter::once(Node::default()).chain(nodes).collect()
}

/// A snapshot of `bytes` at the start of the data region, with labels if there are any.
fn snapshot(bytes: &[u8], labels: &[u32]) -> Vec<u8> {
    let mut data = Vec::new();
    data.extend(0x1000u64.to_ne_bytes());
    data.extend((bytes.len() as u32).to_ne_bytes());
    data.extend(u32::from(!labels.is_empty()).to_ne_bytes());
    data.extend(bytes);
    data.resize(data.len().next_multiple_of(4), 0);
    data.extend(labels.iter().flat_map(|label| label.to_ne_bytes()));
    data
}

#[test]
fn records_become_steps_in_their_order() {
    let nodes = table([input(0, 8), node(Op::Ult, 1, [1, 0, 8], [0, 10])]);
    let log = [
        Record { kind: RecordKind::Input as u16, aux: 8, tu: 2, site: 3, label: 1, value: 0xabc, mark: 0 },
        record(RecordKind::Cover, 0, 0, 0),
        record(RecordKind::Assume, 0, 2, 1),
        record(RecordKind::Assume, 1, 2, 1),
        record(RecordKind::Enter, 0, 0, 0),
        record(RecordKind::Branch, 0, 2, 0),
        record(RecordKind::Switch, 3, 1, 65),
        record(RecordKind::Check, Class::OutOfBounds as u16, 2, 1),
        record(RecordKind::Check, Class::NullDereference as u16, 0, 0),
        record(RecordKind::Concretised, Concretised::Length as u16, 1, 4),
        record(RecordKind::Lost, Concretised::InlineAssembly as u16, 0, 0),
        record(RecordKind::Indirect, 0, 1, 5),
        record(RecordKind::Leave, 0, 0, 0),
    ];
    let mut pool = Pool::new();
    let path = Path::read(&mut pool, &log, &nodes, &[], None).expect("a good log");
    let kinds: Vec<StepKind> = path.steps.iter().map(|step| step.kind).collect();
    let function = wire::FunctionKey { tu: 7, function: 9 };
    let expected = [
        StepKind::Assume { held: true, limit: false },
        StepKind::Assume { held: true, limit: true },
        StepKind::Enter { function },
        StepKind::Branch { taken: false },
        StepKind::Switch { value: 65, successor: 3 },
        StepKind::Check { class: Class::OutOfBounds, violated: true },
        StepKind::Check { class: Class::NullDereference, violated: false },
        StepKind::Concretised { kind: Concretised::Length, value: 4 },
        StepKind::Indirect { target: 5 },
        StepKind::Leave { function },
    ];
    assert_eq!(kinds, expected);
    let site = SiteKey { tu: 7, site: 9 };
    assert!(path.steps.iter().all(|step| step.site == site));
    assert_eq!(path.covered, [site]);
    assert_eq!(path.lost, [(site, Concretised::InlineAssembly)]);
    assert_eq!((path.inputs[0].slot, path.inputs[0].bits, path.inputs[0].count), (SLOT, 8, 3));

    let constraint =
        |pool: &mut Pool, at: usize| path.steps[at].constraint(pool).map(|term| pool.show(term, 9));
    let less = "(ult v0 0xa:8)";
    assert_eq!(constraint(&mut pool, 0).as_deref(), Some(less));
    assert_eq!(constraint(&mut pool, 1).as_deref(), Some(less));
    assert_eq!(constraint(&mut pool, 2), None);
    assert_eq!(constraint(&mut pool, 3), Some(format!("(not {less})")));
    assert_eq!(constraint(&mut pool, 4).as_deref(), Some("(eq v0 0x41:8)"));
    assert_eq!(constraint(&mut pool, 6), None, "a concrete check that holds says nothing");
    assert_eq!(constraint(&mut pool, 7).as_deref(), Some("(eq v0 0x4:8)"));
    assert!(verify(&pool).is_empty());
}

#[test]
fn the_default_of_a_switch_is_none_of_its_cases() {
    let mut pool = Pool::new();
    let term = pool.var(var(0, 8));
    let kind = StepKind::Switch { value: 9, successor: 0 };
    let step = Step { site: SiteKey { tu: 0, site: 0 }, kind, term };
    let exact = step.constraint_among(&mut pool, &[1, 2]).expect("a constraint");
    let holds = |value| eval(&pool, exact, &Assignment::from_iter([(var(0, 8), value)]));
    assert_eq!([0, 1, 2, 3, 9].map(holds), [1, 0, 0, 1, 1]);
    let case = Step { kind: StepKind::Switch { value: 2, successor: 2 }, ..step };
    let exact = case.constraint_among(&mut pool, &[1, 2]).expect("a constraint");
    assert_eq!(pool.show(exact, 2), "(eq v0 0x2:8)");
}

#[test]
fn a_path_says_where_terms_and_execution_disagree() {
    let nodes = table([input(0, 8), node(Op::Ult, 1, [1, 0, 8], [0, 10])]);
    let log = [record(RecordKind::Branch, 0, 2, 1), record(RecordKind::Concretised, 1, 1, 4)];
    let mut pool = Pool::new();
    let path = Path::read(&mut pool, &log, &nodes, &[], None).expect("a good log");
    let under = |value| Assignment::from_iter([(var(0, 8), value)]);
    assert_eq!(path.disagreement(&mut pool, &under(4), &mut Evaluator::new()), None);
    assert_eq!(path.disagreement(&mut pool, &under(5), &mut Evaluator::new()), Some(1));
    assert_eq!(path.disagreement(&mut pool, &under(12), &mut Evaluator::new()), Some(0));
}

#[test]
fn input_bytes_become_the_values_that_were_read() {
    let log =
        [Record { kind: RecordKind::Input as u16, aux: 16, tu: 2, site: 2, label: 1, value: 0xabc, mark: 0 }];
    let path = Path::read(&mut Pool::new(), &log, &[], &[], None).expect("a good log");
    let values = path.assignment(|slot| (slot == SLOT).then_some(&[1u8, 2, 3, 4][..]));
    assert_eq!((values.value(var(0, 16)), values.value(var(1, 16))), (0x0201, 0x0403));
}

/// Reads `bits` at `0x1000 + scale * index + offset`, the index being one input byte.
fn reading(scale: u64, offset: u64, bits: u16) -> Vec<Node> {
    table([
        input(0, 8),
        node(Op::ZExt, 64, [1, 0, 0], [0, 0]),
        node(Op::Mul, 64, [2, 0, 0], [0, scale]),
        node(Op::Add, 64, [3, 0, 0], [0, 0x1000 + offset]),
        node(Op::Read, bits, [4, 0, 0], [0x1000, 0]),
    ])
}

#[test]
fn aligned_reads_become_tables_of_elements() {
    let bytes: Vec<u8> = (0..48).collect();
    // Scale, offset and bits of the read, and the number of elements that the table should have.
    let cases = [
        (1, 0, 8, 48),
        (4, 0, 32, 12),
        (1, 0, 32, 45),
        (16, 4, 32, 3),
        (12, 0, 32, 12),
        (12, 4, 32, 12),
        (8, 6, 16, 6),
    ];
    for (scale, offset, bits, elements) in cases {
        let mut pool = Pool::new();
        let log = [record(RecordKind::Switch, 0, 5, 0)];
        let nodes = reading(scale, offset, bits);
        let path = Path::read(&mut pool, &log, &nodes, &snapshot(&bytes, &[]), None).expect("a read");
        let term = path.steps[0].term;
        let shown = pool.show(term, 3);
        assert!(shown.contains(&format!("*{elements}]")), "{scale} {offset} {bits}: {shown}");
        for index in 0..48u64 {
            let at = (scale * index + offset) as usize;
            let Some(read) = bytes.get(at..at + usize::from(bits / 8)) else { continue };
            let expected = read.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte));
            let value = eval(&pool, term, &Assignment::from_iter([(var(0, 8), index)]));
            assert_eq!(value, expected, "{scale} {offset} {bits} at {index}");
        }
    }
}

#[test]
fn symbolic_bytes_in_an_object_are_read_as_what_they_are() {
    // Bytes 4..8 are a 32-bit input; byte 1 is poison and keeps its contents.
    let mut nodes = reading(4, 0, 32);
    nodes.insert(1, input(7, 32));
    for node in nodes[2..].iter_mut().filter(|node| node.op != Op::Input as u8) {
        node.a += 1;
    }
    let mut labels = [0; 8];
    labels[1] = MemLabel::HEAP_REDZONE;
    for (byte, label) in (0..).zip(&mut labels[4..]) {
        *label = 1 << 3 | byte;
    }
    let mut pool = Pool::new();
    let log = [record(RecordKind::Switch, 0, 6, 0)];
    let data = snapshot(&[1, 2, 3, 4, 5, 6, 7, 8], &labels);
    let path = Path::read(&mut pool, &log, &nodes, &data, None).expect("a read");
    let term = path.steps[0].term;
    let input = |index| Assignment::from_iter([(var(0, 8), index), (var(7, 32), 0xdead_beef)]);
    assert_eq!([0, 1, 2].map(|index| eval(&pool, term, &input(index))), [0x0403_0201, 0xdead_beef, 0]);
    assert_eq!(pool.support(term).len(), 2);
}

#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    let branch = |label| [record(RecordKind::Branch, 0, label, 1)];
    let bad = |error| PathError::Node { at: 1, error };
    let eq = |a, c| node(Op::Eq, 1, [a, 0, c], [0, 0]);
    let unknown = Node { op: 250, bits: 1, ..Node::default() };
    let of_nothing = node(Op::ZExt, 8, [0, 0, 0], [0, 0]);
    let overwritten = Node { digest: 7, ..input(0, 1) };
    let refused = [
        (table([]), branch(0), PathError::Unlabelled { at: 0 }),
        (table([]), branch(5), PathError::Node { at: 0, error: ConvertError::Label { label: 5 } }),
        (table([input(0, 8)]), branch(1), PathError::Width { at: 0, bits: 8 }),
        (table([eq(1, 8)]), branch(1), bad(ConvertError::Order { node: 1, operand: 1 })),
        (table([eq(2, 8), input(0, 8)]), branch(1), bad(ConvertError::Order { node: 1, operand: 2 })),
        (table([input(0, 8), eq(1, 16)]), branch(2), bad(ConvertError::Width { node: 2 })),
        (table([input(0, 8), eq(1, 0)]), branch(2), bad(ConvertError::Width { node: 2 })),
        (table([input(0, 0)]), branch(1), bad(ConvertError::Width { node: 1 })),
        (table([input(0, 65)]), branch(1), bad(ConvertError::Width { node: 1 })),
        (table([unknown]), branch(1), bad(ConvertError::Operation { node: 1, op: 250 })),
        (table([of_nothing]), branch(1), bad(ConvertError::Operand { node: 1 })),
        (table([overwritten]), branch(1), bad(ConvertError::Digest { node: 1 })),
        (reading(1, 0, 8), branch(5), bad(ConvertError::Snapshot { node: 5 })),
        (table([]), [Record { kind: 99, ..Record::default() }], PathError::Kind { at: 0, kind: 99 }),
        (table([]), [record(RecordKind::Lost, 77, 0, 0)], PathError::Argument { at: 0, aux: 77 }),
        (table([input(0, 8)]), [record(RecordKind::Check, 77, 1, 0)], PathError::Argument { at: 0, aux: 77 }),
        (table([]), [record(RecordKind::Input, 24, 0, 0)], PathError::Width { at: 0, bits: 24 }),
    ];
    for (nodes, log, error) in refused {
        assert_eq!(Path::read(&mut Pool::new(), &log, &nodes, &[], None), Err(error));
    }
}

#[test]
fn a_chain_of_a_hundred_thousand_operations_is_read_and_evaluated() {
    let count = 100_000;
    let step = |index| {
        let op = if index % 2 == 0 { Op::Mul } else { Op::Xor };
        node(op, 32, [index, 0, 0], [0, 0x9e37_79b1])
    };
    let chain = std::iter::once(input(0, 32)).chain((1..=count).map(step));
    let compare = node(Op::Ult, 1, [count + 1, 0, 32], [0, 1 << 31]);
    let nodes = table(chain.chain([compare]));
    let mut pool = Pool::new();
    let log = [record(RecordKind::Branch, 0, count + 2, 0)];
    let path = Path::read(&mut pool, &log, &nodes, &[], None).expect("a deep term");
    let native = (1..=count).fold(3u32, |value, index| {
        if index % 2 == 0 { value.wrapping_mul(0x9e37_79b1) } else { value ^ 0x9e37_79b1 }
    });
    let value = eval(&pool, path.steps[0].term, &Assignment::from_iter([(var(0, 32), 3)]));
    assert_eq!(value, u128::from(native < 1 << 31));
    assert!(pool.listing(path.steps[0].term).lines().count() > count as usize);
}

#[test]
fn a_cleared_pool_is_another_generation() {
    let mut pool = Pool::new();
    pool.var(var(0, 8));
    let (generation, memory) = (pool.generation(), pool.memory());
    pool.clear();
    assert!(pool.is_empty() && pool.generation() != generation && pool.memory() < memory);
}

#[test]
fn supports_of_many_variables_are_found_too() {
    let mut pool = Pool::new();
    let mut sum = pool.constant(32, 0);
    for element in 0..200 {
        let next = pool.var(var(element, 32));
        sum = pool.add(sum, next);
    }
    assert_eq!(pool.support(sum).len(), 200);
    let doubled = pool.mul(sum, sum);
    assert_eq!(pool.support(doubled), pool.support(sum));
    let one = pool.var(var(3, 32));
    assert_eq!(*pool.support(one), [pool.var_id(var(3, 32)).expect("a variable")]);
}

/// A pointer that goes on by the length that it reads: each read depends on all reads before.
#[test]
fn supports_of_reads_in_reads_are_found_once() {
    let mut pool = Pool::new();
    let bytes: Vec<_> = (0..400).map(|byte| pool.var(var(byte, 16))).collect();
    let table = pool.make_table(bytes).expect("elements");
    let mut at = pool.var(var(1000, 16));
    for _ in 0..5000 {
        let length = pool.select(table, at);
        at = pool.add(at, length);
        assert_eq!(pool.support(at).len(), 401);
    }
}
