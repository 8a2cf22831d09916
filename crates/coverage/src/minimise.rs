//! The tests that suffice: a small set that takes every side that all of them take, and shows every condition
//! that all of them show.
//!
//! Greedy, then everything that turned out to be redundant is dropped again: small, not smallest. The smallest
//! set is a set-cover problem, whose cost grows exponentially; alarms keep their inputs whatever is chosen.

use std::collections::{BTreeMap, BTreeSet};

/// What tests are kept for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goals {
    /// Each side of a branch, with the tests that take it.
    pub(crate) sides: Vec<BTreeSet<usize>>,
    /// Each condition that is shown, by the ways to show it.
    pub(crate) conditions: Vec<Vec<Pair>>,
}

/// Two vectors that show a condition: the tests that have one and those that have the other.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) one: BTreeSet<usize>,
    pub(crate) other: BTreeSet<usize>,
}

impl Pair {
    fn is_shown(&self, chosen: &BTreeSet<usize>) -> bool {
        !self.one.is_disjoint(chosen) && !self.other.is_disjoint(chosen)
    }

    /// The fewest tests that are missing for it.
    fn missing(&self, chosen: &BTreeSet<usize>) -> Vec<usize> {
        match (self.one.is_disjoint(chosen), self.other.is_disjoint(chosen)) {
            (false, false) => Vec::new(),
            (true, false) => self.one.first().copied().into_iter().collect(),
            (false, true) => self.other.first().copied().into_iter().collect(),
            (true, true) => match self.one.intersection(&self.other).next() {
                Some(both) => vec![*both],
                None => {
                    [&self.one, &self.other].into_iter().filter_map(|tests| tests.first()).copied().collect()
                }
            },
        }
    }
}

impl Goals {
    pub(crate) fn sufficient(&self) -> Vec<usize> {
        let mut chosen = BTreeSet::new();
        // What only one pair shows leaves no choice: it goes first.
        let mut conditions: Vec<&Vec<Pair>> = self.conditions.iter().collect();
        conditions.sort_by_key(|pairs| pairs.len());
        for pairs in conditions {
            if !pairs.iter().any(|pair| pair.is_shown(&chosen)) {
                let cheapest = pairs.iter().map(|pair| pair.missing(&chosen)).min_by_key(Vec::len);
                chosen.extend(cheapest.into_iter().flatten());
            }
        }
        self.add_sides(&mut chosen);
        self.drop_redundant(&mut chosen);
        chosen.into_iter().collect()
    }

    /// Again and again the test that takes most of what is missing.
    fn add_sides(&self, chosen: &mut BTreeSet<usize>) {
        let mut open: Vec<&BTreeSet<usize>> =
            self.sides.iter().filter(|tests| !tests.is_empty() && tests.is_disjoint(chosen)).collect();
        while !open.is_empty() {
            let mut gains: BTreeMap<usize, usize> = BTreeMap::new();
            for test in open.iter().copied().flatten() {
                *gains.entry(*test).or_default() += 1;
            }
            let best = gains.into_iter().max_by_key(|(test, gain)| (*gain, std::cmp::Reverse(*test)));
            let Some((best, _)) = best else { return };
            chosen.insert(best);
            open.retain(|tests| !tests.contains(&best));
        }
    }

    /// Later choices may have made earlier ones superfluous.
    fn drop_redundant(&self, chosen: &mut BTreeSet<usize>) {
        for test in chosen.clone() {
            chosen.remove(&test);
            let sides = self.sides.iter().filter(|tests| tests.contains(&test));
            let conditions = self.conditions.iter().filter(|pairs| {
                pairs.iter().any(|pair| pair.one.contains(&test) || pair.other.contains(&test))
            });
            let still_taken = |tests: &BTreeSet<usize>| !tests.is_disjoint(chosen);
            let still_shown = |pairs: &Vec<Pair>| pairs.iter().any(|pair| pair.is_shown(chosen));
            let needed = !sides.into_iter().all(still_taken) || !conditions.into_iter().all(still_shown);
            if needed {
                chosen.insert(test);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(tests: &[usize]) -> BTreeSet<usize> {
        tests.iter().copied().collect()
    }

    #[test]
    fn sides_need_as_few_tests_as_the_greedy_choice_finds() {
        let goals =
            Goals { sides: vec![set(&[0]), set(&[0, 1]), set(&[1, 2]), set(&[2])], conditions: vec![] };
        assert_eq!(goals.sufficient(), [0, 2]);
    }

    #[test]
    fn a_pair_needs_both_vectors() {
        let pair = Pair { one: set(&[1, 3]), other: set(&[2]) };
        let goals = Goals { sides: vec![set(&[1, 2]), set(&[])], conditions: vec![vec![pair]] };
        assert_eq!(goals.sufficient(), [1, 2]);
    }

    #[test]
    fn one_test_may_show_a_condition_alone() {
        let pairs =
            vec![Pair { one: set(&[0]), other: set(&[1]) }, Pair { one: set(&[2]), other: set(&[2, 3]) }];
        assert_eq!(Goals { sides: vec![], conditions: vec![pairs] }.sufficient(), [2]);
    }
}
