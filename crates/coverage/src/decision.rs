//! A decision as clang measures it: a graph of conditions in which each way from the first condition to an
//! outcome, a *test vector*, has a bit of its own. Conditions that a way does not evaluate have no value in it.
//!
//! The bits are numbered as LLVM numbers them; the measurement is compared with llvm-cov's own each time.

use crate::mapping::Link;
use serde::{Deserialize, Serialize};

/// Decisions with more ways than this are not taken apart.
const MOST_VECTORS: usize = 1 << 16;

/// One way through a decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Vector {
    /// By condition, in the order of the source; None: not evaluated.
    pub values: Vec<Option<bool>>,
    pub outcome: bool,
}

/// The ways through a decision; `bit` is what the instrumented code sets when a way was taken.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    ways: Vec<(usize, Vector)>,
    bits: usize,
}

impl Ways {
    /// `links` has one entry per condition, by id. None when the graph is none, or too large.
    pub(crate) fn of(links: &[Link]) -> Option<Ways> {
        if links.is_empty() || !links.iter().enumerate().all(|(id, link)| usize::from(link.id) == id) {
            return None;
        }
        let (offsets, bits) = numbers(links)?;
        if bits > MOST_VECTORS {
            return None;
        }
        let mut ways = Vec::new();
        let mut values = vec![None; links.len()];
        walk(links, &offsets, 0, 0, &mut values, &mut ways);
        Some(Ways { ways, bits })
    }

    /// How many bits it has.
    pub(crate) fn bits(&self) -> usize {
        self.bits
    }

    /// The ways whose bit is set.
    pub(crate) fn taken(&self, bit: impl Fn(usize) -> bool) -> Vec<Vector> {
        self.ways.iter().filter(|(number, _)| bit(*number)).map(|(_, vector)| vector.clone()).collect()
    }
}

/// What each side of each condition adds to the number of a way, and how many numbers there are. Sides that
/// make the decision are numbered last, those that most ways lead to first.
fn numbers(links: &[Link]) -> Option<(Vec<[usize; 2]>, usize)> {
    let mut waiting_for = vec![0_usize; links.len()];
    for next in links.iter().flat_map(|link| link.next).flatten() {
        *waiting_for.get_mut(usize::from(next))? += 1;
    }
    let mut widths = vec![0_usize; links.len()];
    let mut offsets = vec![[0; 2]; links.len()];
    let mut ends = Vec::new();
    let mut ready = vec![0_usize];
    widths[0] = 1;
    let mut at = 0;
    while let Some(id) = ready.get(at).copied() {
        at += 1;
        for (side, next) in links[id].next.into_iter().enumerate() {
            match next {
                None => ends.push((widths[id], ends.len(), id, side)),
                Some(next) => {
                    let next = usize::from(next);
                    offsets[id][side] = widths[next];
                    widths[next] = widths[next].checked_add(widths[id])?;
                    waiting_for[next] = waiting_for[next].checked_sub(1)?;
                    if waiting_for[next] == 0 {
                        ready.push(next);
                    }
                }
            }
        }
    }
    if at != links.len() {
        return None; // a cycle, or conditions that nothing leads to
    }
    ends.sort_by_key(|(width, order, ..)| (std::cmp::Reverse(*width), *order));
    let mut total = 0_usize;
    for (width, _, id, side) in ends {
        offsets[id][side] = total;
        total = total.checked_add(width)?;
    }
    Some((offsets, total))
}

fn walk(
    links: &[Link],
    offsets: &[[usize; 2]],
    id: usize,
    number: usize,
    values: &mut Vec<Option<bool>>,
    ways: &mut Vec<(usize, Vector)>,
) {
    for side in 0..2 {
        values[id] = Some(side == 1);
        let number = number + offsets[id][side];
        match links[id].next[side] {
            Some(next) => walk(links, offsets, usize::from(next), number, values, ways),
            None => ways.push((number, Vector { values: values.clone(), outcome: side == 1 })),
        }
    }
    values[id] = None;
}

/// How two vectors show that a condition decides on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// No other condition that both vectors evaluate differs. This is what llvm-cov counts.
    UniqueCause,
    /// Others may differ as long as they do not mask the condition: in both vectors the outcome would change
    /// with the condition alone.
    Masking,
}

/// The first two vectors (by index) that show the independent effect of each condition, or None.
pub(crate) fn independence(
    links: &[Link],
    vectors: &[Vector],
    criterion: Criterion,
) -> Vec<Option<(usize, usize)>> {
    (0..links.len())
        .map(|condition| {
            (0..vectors.len()).find_map(|first| {
                (first + 1..vectors.len())
                    .find(|second| shows(links, condition, &vectors[first], &vectors[*second], criterion))
                    .map(|second| (first, second))
            })
        })
        .collect()
}

/// All pairs of vectors that show a condition.
pub(crate) fn pairs(
    links: &[Link],
    condition: usize,
    vectors: &[Vector],
    criterion: Criterion,
) -> Vec<(usize, usize)> {
    let all =
        (0..vectors.len()).flat_map(|first| (first + 1..vectors.len()).map(move |second| (first, second)));
    all.filter(|(first, second)| shows(links, condition, &vectors[*first], &vectors[*second], criterion))
        .collect()
}

fn shows(links: &[Link], condition: usize, one: &Vector, other: &Vector, criterion: Criterion) -> bool {
    let (Some(here), Some(there)) = (one.values[condition], other.values[condition]) else { return false };
    if here == there || one.outcome == other.outcome {
        return false;
    }
    match criterion {
        Criterion::UniqueCause => one.values.iter().zip(&other.values).enumerate().all(|(index, pair)| {
            index == condition || !matches!(pair, (Some(left), Some(right)) if left != right)
        }),
        Criterion::Masking => decides(links, condition, one, other) && decides(links, condition, other, one),
    }
}

/// Whether turning the condition alone turns the outcome of `of`; what it does not evaluate is as in `else_in`.
fn decides(links: &[Link], condition: usize, of: &Vector, else_in: &Vector) -> bool {
    let mut at = 0;
    loop {
        let value = match of.values[at].or(else_in.values[at]) {
            Some(value) => value != (at == condition),
            None => return false,
        };
        match links[at].next[usize::from(value)] {
            Some(next) => at = usize::from(next),
            None => return value != of.outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(id: u16, on_false: Option<u16>, on_true: Option<u16>) -> Link {
        Link { id, next: [on_false, on_true] }
    }

    /// `a && b`
    fn and() -> Vec<Link> {
        vec![link(0, None, Some(1)), link(1, None, None)]
    }

    /// `(a && b) || (c && d)`
    fn or_of_ands() -> Vec<Link> {
        vec![link(0, Some(2), Some(1)), link(1, Some(2), None), link(2, None, Some(3)), link(3, None, None)]
    }

    fn vector(text: &str) -> Vector {
        let (values, outcome) = text.split_once('=').unwrap();
        let value = |c| match c {
            'T' => Some(true),
            'F' => Some(false),
            _ => None,
        };
        Vector { values: values.chars().map(value).collect(), outcome: outcome == "T" }
    }

    #[test]
    fn every_way_has_a_bit_of_its_own() {
        let ways = Ways::of(&or_of_ands()).unwrap();
        assert_eq!(ways.bits(), 7);
        let mut numbers: Vec<usize> = ways.ways.iter().map(|(number, _)| *number).collect();
        numbers.sort();
        assert_eq!(numbers, (0..7).collect::<Vec<_>>());
        assert_eq!(Ways::of(&and()).unwrap().taken(|_| true).len(), 3);
    }

    #[test]
    fn graphs_that_are_none_are_refused() {
        assert!(Ways::of(&[]).is_none());
        assert!(Ways::of(&[link(0, None, Some(0))]).is_none());
        assert!(Ways::of(&[link(0, None, Some(7))]).is_none());
    }

    #[test]
    fn a_pair_shows_a_condition() {
        let vectors = [vector("F-=F"), vector("TT=T")];
        assert_eq!(independence(&and(), &vectors, Criterion::UniqueCause), [Some((0, 1)), None]);
        let vectors = [vector("F-=F"), vector("TF=F"), vector("TT=T")];
        assert_eq!(independence(&and(), &vectors, Criterion::UniqueCause), [Some((0, 2)), Some((1, 2))]);
    }

    /// c differs and a differs too, but a does not matter as b masks it.
    #[test]
    fn masked_conditions_may_differ() {
        let vectors = [vector("TFTT=T"), vector("F-F-=F")];
        assert_eq!(independence(&or_of_ands(), &vectors, Criterion::UniqueCause)[2], None);
        assert_eq!(independence(&or_of_ands(), &vectors, Criterion::Masking)[2], Some((0, 1)));
        assert_eq!(independence(&or_of_ands(), &vectors, Criterion::Masking)[0], None);
    }
}
