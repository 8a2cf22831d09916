//! Which blocks run only if a side of a branch is taken, directly or through further branches.

use model::dominators::control_dependence;
use rustc_hash::FxHashMap;

pub(super) struct Dependence {
    /// By block and choice: the blocks that depend on it directly.
    direct: FxHashMap<(u32, u32), Vec<u32>>,
    /// Number of successors by block.
    choices: Vec<u32>,
}

impl Dependence {
    pub(super) fn of(blocks: &[Vec<u32>]) -> Dependence {
        let mut direct: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        for (block, branches) in control_dependence(blocks).into_iter().enumerate() {
            for (branch, choice) in branches {
                direct.entry((branch as u32, choice as u32)).or_default().push(block as u32);
            }
        }
        Dependence { direct, choices: blocks.iter().map(|successors| successors.len() as u32).collect() }
    }

    /// The blocks that depend on this side, sorted.
    pub(super) fn transitive(&self, branch: u32, choice: u32) -> Vec<u32> {
        let mut found = vec![false; self.choices.len()];
        let mut work = vec![(branch, choice)];
        while let Some(side) = work.pop() {
            for &block in self.direct.get(&side).into_iter().flatten() {
                if !std::mem::replace(&mut found[block as usize], true) {
                    work.extend((0..self.choices[block as usize]).map(|choice| (block, choice)));
                }
            }
        }
        (0..self.choices.len() as u32).filter(|block| found[*block as usize]).collect()
    }
}
