//! Dominators, postdominators and control dependence of a control-flow graph given as successor lists.
//!
//! The iterative algorithm over reverse postorder of Cooper, Harvey and Kennedy. Block 0 is the entry.

/// Immediate dominators. `None`: the root itself, or not reachable from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    root: usize,
    immediate: Vec<Option<usize>>,
}

impl Dominators {
    /// From the entry, block 0.
    pub fn of(successors: &[Vec<u32>]) -> Dominators {
        Dominators::from_root(&edges(successors), 0)
    }

    /// Towards the exits. All blocks without successors are joined by a virtual exit whose number is
    /// `successors.len()`; so are loops that never end, at their first block, lest they have no
    /// postdominator at all.
    pub fn post(successors: &[Vec<u32>]) -> Dominators {
        let forward = with_exit(edges(successors));
        Dominators::from_root(&reversed(&forward), successors.len())
    }

    pub fn immediate(&self, block: usize) -> Option<usize> {
        self.immediate.get(block).copied().flatten()
    }

    pub fn reaches(&self, block: usize) -> bool {
        block == self.root || self.immediate(block).is_some()
    }

    /// Every path from the root to `block` goes through `dominator`; each block dominates itself.
    pub fn dominates(&self, dominator: usize, block: usize) -> bool {
        if !self.reaches(block) {
            return false;
        }
        let mut at = block;
        loop {
            if at == dominator {
                return true;
            }
            match self.immediate(at) {
                Some(up) => at = up,
                None => return false,
            }
        }
    }

    fn from_root(successors: &[Vec<usize>], root: usize) -> Dominators {
        let count = successors.len();
        if root >= count {
            return Dominators { root, immediate: vec![None; count] };
        }
        let order = reverse_postorder(successors, root);
        let mut rank = vec![usize::MAX; count];
        for (position, block) in order.iter().enumerate() {
            rank[*block] = position;
        }
        let predecessors = reversed(successors);
        let mut immediate: Vec<Option<usize>> = vec![None; count];
        immediate[root] = Some(root);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().skip(1) {
                let mut candidate: Option<usize> = None;
                for &before in predecessors[block].iter().filter(|p| immediate[**p].is_some()) {
                    candidate = Some(match candidate {
                        None => before,
                        Some(other) => intersect(&immediate, &rank, before, other),
                    });
                }
                if candidate.is_some() && immediate[block] != candidate {
                    immediate[block] = candidate;
                    changed = true;
                }
            }
        }
        immediate[root] = None;
        Dominators { root, immediate }
    }
}

/// For each block the branches (block, index of the successor taken) on which its execution depends
/// directly.
pub fn control_dependence(successors: &[Vec<u32>]) -> Vec<Vec<(usize, usize)>> {
    let post = Dominators::post(successors);
    let mut dependence = vec![Vec::new(); successors.len()];
    for (branch, targets) in edges(successors).iter().enumerate() {
        if targets.len() < 2 {
            continue;
        }
        for (choice, target) in targets.iter().enumerate() {
            let mut at = Some(*target);
            // Up the postdominator tree until what runs after the branch in any case.
            while let Some(block) = at.filter(|block| Some(*block) != post.immediate(branch)) {
                if let Some(list) = dependence.get_mut(block) {
                    list.push((branch, choice));
                }
                at = post.immediate(block);
            }
        }
    }
    dependence
}

/// Successors as indices; numbers beyond the graph are dropped.
fn edges(successors: &[Vec<u32>]) -> Vec<Vec<usize>> {
    let count = successors.len();
    successors.iter().map(|list| list.iter().map(|s| *s as usize).filter(|s| *s < count).collect()).collect()
}

fn reversed(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (block, targets) in successors.iter().enumerate() {
        for target in targets {
            predecessors[*target].push(block);
        }
    }
    predecessors
}

fn with_exit(mut successors: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let exit = successors.len();
    for list in &mut successors {
        if list.is_empty() {
            list.push(exit);
        }
    }
    successors.push(Vec::new());
    loop {
        let predecessors = reversed(&successors);
        let mut ends = vec![false; successors.len()];
        let mut work = vec![exit];
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut ends[block], true) {
                work.extend(&predecessors[block]);
            }
        }
        match ends.iter().position(|ends| !ends) {
            Some(endless) => successors[endless].push(exit),
            None => return successors,
        }
    }
}

fn reverse_postorder(successors: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((block, next)) = stack.last_mut() {
        match successors[*block].get(*next) {
            Some(&target) => {
                *next += 1;
                if !std::mem::replace(&mut seen[target], true) {
                    stack.push((target, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The nearest common dominator of two blocks that have one each already.
fn intersect(immediate: &[Option<usize>], rank: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        // The one later in reverse postorder goes up; the root is its own dominator while iterating.
        let (late, early) = if rank[a] > rank[b] { (a, b) } else { (b, a) };
        let up = immediate[late].unwrap_or(early);
        (a, b) = (up, early);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn immediate(dominators: &Dominators, count: usize) -> Vec<Option<usize>> {
        (0..count).map(|block| dominators.immediate(block)).collect()
    }

    /// if (..) 1 else 2; 3
    fn diamond() -> Vec<Vec<u32>> {
        vec![vec![1, 2], vec![3], vec![3], vec![]]
    }

    /// 0; while (1) { if (2) 3; 4 } 5
    fn a_loop() -> Vec<Vec<u32>> {
        vec![vec![1], vec![2, 5], vec![3, 4], vec![4], vec![1], vec![]]
    }

    #[test]
    fn dominators_of_a_diamond() {
        let dominators = Dominators::of(&diamond());
        assert_eq!(immediate(&dominators, 4), [None, Some(0), Some(0), Some(0)]);
        assert!(dominators.dominates(0, 3));
        assert!(dominators.dominates(3, 3));
        assert!(!dominators.dominates(1, 3));
    }

    #[test]
    fn dominators_of_a_loop() {
        let dominators = Dominators::of(&a_loop());
        assert_eq!(immediate(&dominators, 6), [None, Some(0), Some(1), Some(2), Some(2), Some(1)]);
    }

    #[test]
    fn dominators_of_an_irreducible_graph() {
        // Two blocks that jump at each other, both entered from outside.
        let graph = vec![vec![1, 2], vec![3], vec![4], vec![4], vec![3, 5], vec![]];
        let dominators = Dominators::of(&graph);
        assert_eq!(immediate(&dominators, 6), [None, Some(0), Some(0), Some(0), Some(0), Some(4)]);
    }

    #[test]
    fn unreachable_blocks_have_no_dominator() {
        let dominators = Dominators::of(&[vec![1], vec![], vec![1]]);
        assert!(!dominators.reaches(2));
        assert!(!dominators.dominates(0, 2));
        assert_eq!(dominators.immediate(1), Some(0));
    }

    #[test]
    fn postdominators_of_a_diamond() {
        let post = Dominators::post(&diamond());
        assert_eq!(immediate(&post, 4), [Some(3), Some(3), Some(3), Some(4)]);
    }

    #[test]
    fn postdominators_with_two_returns() {
        // if (0) return 1; 2
        let post = Dominators::post(&[vec![1, 2], vec![], vec![]]);
        assert_eq!(immediate(&post, 3), [Some(3), Some(3), Some(3)]);
    }

    #[test]
    fn postdominators_of_an_endless_loop() {
        let post = Dominators::post(&[vec![1], vec![2], vec![1]]);
        assert!((0..3).all(|block| post.reaches(block)));
    }

    #[test]
    fn control_dependence_of_a_loop() {
        let dependence = control_dependence(&a_loop());
        assert_eq!(dependence[0], []);
        assert_eq!(dependence[1], [(1, 0)]);
        assert_eq!(dependence[2], [(1, 0)]);
        assert_eq!(dependence[3], [(2, 0)]);
        assert_eq!(dependence[4], [(1, 0)]);
        assert_eq!(dependence[5], []);
    }

    #[test]
    fn control_dependence_of_an_early_return() {
        // if (0) { 1: return } 2: if (..) 3; 4
        let dependence = control_dependence(&[vec![1, 2], vec![], vec![3, 4], vec![4], vec![]]);
        assert_eq!(dependence, [vec![], vec![(0, 0)], vec![(0, 1)], vec![(2, 0)], vec![(0, 1)]]);
    }

    #[test]
    fn empty_and_broken_graphs() {
        assert_eq!(Dominators::of(&[]).immediate(0), None);
        assert_eq!(control_dependence(&[]), Vec::<Vec<(usize, usize)>>::new());
        assert_eq!(Dominators::of(&[vec![7]]).immediate(0), None);
    }
}
