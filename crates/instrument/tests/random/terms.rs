//! What an execution left, read as the explorer reads it: under the execution's own input every constraint of its
//! path must hold, as the term crate evaluates it.

use term::{Assignment, Evaluator, Path, Pool, Var};
use wire::{Node, Record, SlotKey};

/// Why the dump of an execution does not agree with its terms.
pub(crate) fn disagreement(dump: &[u8]) -> Option<String> {
    let mut rest = dump;
    let Some([inputs, nodes, records, data]) = numbers(&mut rest) else {
        return Some("nothing was dumped".to_string());
    };
    let inputs: Vec<u64> = (0..inputs).filter_map(|_| number(&mut rest)).collect();
    let nodes: Vec<Node> = (0..nodes).filter_map(|_| node(&mut rest)).collect();
    let records: Vec<Record> = (0..records).filter_map(|_| record(&mut rest)).collect();
    if rest.len() as u64 != data {
        return Some(format!("{} bytes of data instead of {data}", rest.len()));
    }
    let mut pool = Pool::new();
    let path = match Path::read(&mut pool, &records, &nodes, rest, None) {
        Ok(path) => path,
        Err(error) => return Some(error.to_string()),
    };
    let slot = SlotKey { hash: 0, occurrence: 0 };
    let mut assignment = Assignment::new();
    for node in nodes.iter().filter(|node| node.op == wire::Op::Input as u8) {
        let value = inputs.get(node.b as usize).copied().unwrap_or(0);
        assignment.set(Var { slot, element: node.b, bits: node.bits }, value);
    }
    let at = path.disagreement(&mut pool, &assignment, &mut Evaluator::new())?;
    let step = path.steps[at];
    Some(format!("step {at} of {}: {:?} {}", path.steps.len(), step.kind, pool.show(step.term, 6)))
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<u64> {
    take(rest, 8)?.try_into().ok().map(u64::from_le_bytes)
}

fn word(rest: &mut &[u8]) -> Option<u32> {
    take(rest, 4)?.try_into().ok().map(u32::from_le_bytes)
}

fn half(rest: &mut &[u8]) -> Option<u16> {
    take(rest, 2)?.try_into().ok().map(u16::from_le_bytes)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    take(rest, 1).map(|bytes| bytes[0])
}

fn numbers(rest: &mut &[u8]) -> Option<[u64; 4]> {
    Some([number(rest)?, number(rest)?, number(rest)?, number(rest)?])
}

fn node(rest: &mut &[u8]) -> Option<Node> {
    Some(Node {
        op: byte(rest)?,
        sub: byte(rest)?,
        bits: half(rest)?,
        a: word(rest)?,
        b: word(rest)?,
        c: word(rest)?,
        x: number(rest)?,
        y: number(rest)?,
        digest: number(rest)?,
    })
}

fn record(rest: &mut &[u8]) -> Option<Record> {
    Some(Record {
        kind: half(rest)?,
        aux: half(rest)?,
        tu: word(rest)?,
        site: word(rest)?,
        label: word(rest)?,
        value: number(rest)?,
        mark: number(rest)?,
    })
}
