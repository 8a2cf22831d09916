//! Which sides lie on every way from the entry of a function to a block: dominators of a graph in which each
//! side of a branch is a node of its own. A node dominates those that a walk through the dominator tree enters
//! and leaves within it.

use model::dominators::Dominators;

pub(super) struct Dominance {
    /// By block: the node of its first side; those of the others follow.
    first_side: Vec<u32>,
    /// By node: when the walk entered and left it; `(0, 0)` for nodes that no way reaches.
    spans: Vec<(u32, u32)>,
}

impl Dominance {
    pub(super) fn of(blocks: &[Vec<u32>]) -> Dominance {
        let mut graph: Vec<Vec<u32>> = blocks.to_vec();
        let mut first_side = Vec::with_capacity(blocks.len());
        for (block, successors) in blocks.iter().enumerate() {
            first_side.push(graph.len() as u32);
            if successors.len() > 1 {
                let sides: Vec<u32> = (0..successors.len()).map(|side| (graph.len() + side) as u32).collect();
                graph.extend(successors.iter().map(|successor| vec![*successor]));
                graph[block] = sides;
            }
        }
        Dominance { first_side, spans: spans(&Dominators::of(&graph), graph.len()) }
    }

    /// A place in this block, and the sides of its branch, given as numbers of successors.
    pub(super) fn spans(&self, body: u32, block: u32, choices: impl Iterator<Item = u32>) -> Spans {
        let span = |node: usize| self.spans.get(node).copied().unwrap_or((0, 0));
        let first = self.first_side.get(block as usize).copied();
        let side = |choice: u32| first.map_or((0, 0), |first| span((first + choice) as usize));
        Spans { body, entered: span(block as usize).0, sides: choices.map(side).collect() }
    }
}

/// A place as dominance sees it: asking takes two comparisons, so it can be asked at every step of a path.
#[derive(Clone, Default)]
pub struct Spans {
    body: u32,
    /// 0 where nothing is known.
    entered: u32,
    sides: Box<[(u32, u32)]>,
}

impl Spans {
    /// Every way from the entry of its function to `to` takes this side of the branch here.
    pub fn is_on_every_way(&self, outcome: u64, to: &Spans) -> bool {
        let side = usize::try_from(outcome).ok().and_then(|outcome| self.sides.get(outcome));
        self.body == to.body
            && to.entered > 0
            && side.is_some_and(|&(from, until)| from < to.entered && to.entered < until)
    }
}

fn spans(dominators: &Dominators, count: usize) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); count];
    for node in 0..count {
        if let Some(above) = dominators.immediate(node) {
            children[above].push(node);
        }
    }
    let mut spans = vec![(0, 0); count];
    if count == 0 {
        return spans;
    }
    let mut clock = 1;
    let mut stack = vec![(0, 0)];
    spans[0].0 = clock;
    while let Some((node, next)) = stack.last_mut() {
        clock += 1;
        match children[*node].get(*next) {
            Some(&child) => {
                *next += 1;
                spans[child].0 = clock;
                stack.push((child, 0));
            }
            None => {
                spans[*node].1 = clock;
                stack.pop();
            }
        }
    }
    spans
}
