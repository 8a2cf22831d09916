use super::*;
use crate::random::Random;

fn step(site: u32, kind: Kind, outcome: u64) -> Step {
    Step { site: SiteId(site), kind, outcome, ways: 4, defer: false, skip: false }
}

fn branches(outcomes: &[u64]) -> Vec<Step> {
    outcomes.iter().enumerate().map(|(site, &outcome)| step(site as u32, Kind::Branch, outcome)).collect()
}

fn insert(tree: &mut Tree, steps: &[Step], test: u32) -> Trail {
    let mut trail = Trail::default();
    tree.insert(steps, TestId(test), true, &mut trail);
    trail
}

#[test]
fn a_node_is_small() {
    assert_eq!(size_of::<Node>(), 24);
}

#[test]
fn paths_share_their_prefix() {
    let mut tree = Tree::new(Limits::default());
    let first = insert(&mut tree, &branches(&[0, 0, 0]), 0);
    assert_eq!((first.first_new, first.nodes.len()), (0, 3));
    let second = insert(&mut tree, &branches(&[0, 1, 1]), 1);
    assert_eq!((second.first_new, second.nodes.len()), (2, 3));
    assert_eq!(first.nodes[..2], second.nodes[..2]);
    assert_eq!(tree.len(), 4);
    assert_eq!(tree.side(first.nodes[0], 0), Side::Child(first.nodes[1]));
    assert_eq!(tree.side(first.nodes[0], 1), Side::Untried);
    assert_eq!(tree.side(first.nodes[2], 0), Side::Ended);
    assert_eq!(tree.count(Side::Untried), 3);
    assert_eq!(tree.witness(second.nodes[1]), TestId(0));
    assert_eq!(tree.witness(second.nodes[2]), TestId(1));
    assert_eq!(tree.way_to(second.nodes[2]), second.nodes);
}

#[test]
fn verdicts_close_sides_and_release_tests() {
    let mut tree = Tree::new(Limits::default());
    let trail = insert(&mut tree, &branches(&[0, 0]), 0);
    assert!(tree.relies_on(TestId(0)));
    tree.mark(trail.nodes[0], Goal::Take(1), Side::Infeasible);
    assert_eq!(tree.take_released(), []);
    tree.mark(trail.nodes[1], Goal::Take(1), Side::Unknown);
    assert_eq!(tree.take_released(), [TestId(0)]);
    assert_eq!(tree.take_released(), []);
    assert_eq!(tree.open_goal(trail.nodes[0]), None);
    assert_eq!((tree.count(Side::Infeasible), tree.count(Side::Unknown)), (1, 1));
    // An execution knows better than a solver.
    insert(&mut tree, &branches(&[1]), 1);
    tree.mark(trail.nodes[0], Goal::Take(1), Side::Infeasible);
    assert_eq!(tree.side(trail.nodes[0], 1), Side::Ended);
}

#[test]
fn a_later_test_takes_over_what_is_open() {
    let mut tree = Tree::new(Limits::default());
    let mut steps = branches(&[0, 0]);
    steps.push(step(2, Kind::Switch, 1));
    let trail = insert(&mut tree, &steps, 0);
    insert(&mut tree, &steps, 1);
    tree.mark(trail.nodes[1], Goal::Take(1), Side::Infeasible);
    tree.rely_on(TestId(1), &trail.nodes);
    let witnesses: Vec<u32> = trail.nodes.iter().map(|node| tree.witness(*node).0).collect();
    assert_eq!(witnesses, [1, 0, 1], "closed nodes need none");
    assert_eq!(tree.take_released(), [TestId(0)]);
    // One side of the first node and three ways of the switch.
    let mut open = 4;
    for node in [trail.nodes[0], trail.nodes[2]] {
        for goal in tree.open_goals(node) {
            assert!(tree.relies_on(TestId(1)));
            tree.mark(node, goal, Side::Infeasible);
            open -= 1;
        }
    }
    assert_eq!((open, tree.take_released()), (0, vec![TestId(1)]));
}

#[test]
fn a_switch_offers_every_way_once() {
    let mut tree = Tree::new(Limits::default());
    let node = insert(&mut tree, &[step(0, Kind::Switch, 2)], 0).nodes[0];
    assert_eq!(tree.count(Side::Untried), 3);
    let mut offered = Vec::new();
    while let Some(goal) = tree.open_goal(node) {
        assert_eq!(tree.open_goals(node)[0], goal);
        offered.push(goal);
        tree.mark(node, goal, Side::Queued);
    }
    assert_eq!(offered, [Goal::Take(0), Goal::Take(1), Goal::Take(3)]);
    assert_eq!((tree.count(Side::Untried), tree.count(Side::Queued), tree.count(Side::Ended)), (0, 3, 1));
}

#[test]
fn values_are_looked_for_up_to_the_limit() {
    let mut tree = Tree::new(Limits { values: 3, ..Limits::default() });
    let node = insert(&mut tree, &[step(0, Kind::Concretised, 100)], 0).nodes[0];
    for (test, value) in [(1, 50), (2, 70)] {
        assert_eq!(tree.open_goal(node), Some(Goal::Other));
        tree.mark(node, Goal::Other, Side::Queued);
        assert_eq!(tree.open_goal(node), None);
        let trail = insert(&mut tree, &[step(0, Kind::Concretised, value)], test);
        assert_eq!(trail.reopened.len(), usize::from(test == 1));
    }
    assert_eq!(tree.rest(node), Some(Side::Skipped));
    assert_eq!(tree.outcomes(node), [50, 70, 100]);
    assert_eq!(tree.witness(node), TestId(2));
}

#[test]
fn a_held_assumption_has_no_other_side() {
    let mut tree = Tree::new(Limits::default());
    let held = insert(&mut tree, &[step(0, Kind::Assume, 1)], 0).nodes[0];
    assert_eq!(tree.open_goal(held), None);
    let mut tree = Tree::new(Limits::default());
    let broken = insert(&mut tree, &[step(0, Kind::Assume, 0)], 0).nodes[0];
    assert_eq!(tree.open_goal(broken), Some(Goal::Take(1)));
}

#[test]
fn deferred_sides_wait_until_admitted() {
    let mut tree = Tree::new(Limits::default());
    let mut steps = branches(&[0, 0]);
    steps[1].defer = true;
    steps.push(Step { defer: true, ..step(2, Kind::Switch, 1) });
    let nodes = insert(&mut tree, &steps, 0).nodes;
    assert_eq!(tree.open_goal(nodes[1]), None);
    assert_eq!((tree.count(Side::Untried), tree.count(Side::Deferred)), (1, 4));
    assert_eq!(tree.admit(1), [nodes[1]]);
    assert_eq!(tree.open_goal(nodes[1]), Some(Goal::Take(1)));
    assert_eq!(tree.admit(10), [nodes[2]]);
    assert_eq!((tree.count(Side::Untried), tree.count(Side::Deferred)), (5, 0));
    assert_eq!(tree.admit(10), []);
}

#[test]
fn one_way_of_a_switch_can_wait() {
    let mut tree = Tree::new(Limits::default());
    let node = insert(&mut tree, &[step(0, Kind::Switch, 2)], 0).nodes[0];
    tree.mark(node, Goal::Take(0), Side::Deferred);
    assert_eq!(tree.open_goals(node), [Goal::Take(1), Goal::Take(3)]);
    tree.mark(node, Goal::Take(1), Side::Infeasible);
    assert_eq!(tree.admit(1), [node]);
    assert_eq!(tree.open_goals(node), [Goal::Take(0), Goal::Take(3)]);
    assert_eq!((tree.count(Side::Untried), tree.count(Side::Deferred)), (2, 0));
}

#[test]
fn another_site_at_the_same_place_becomes_a_twin() {
    let mut tree = Tree::new(Limits::default());
    let first = insert(&mut tree, &[step(0, Kind::Branch, 0), step(1, Kind::Branch, 0)], 0);
    let other = [step(0, Kind::Branch, 0), step(2, Kind::Branch, 1)];
    let twin = insert(&mut tree, &other, 1);
    assert_eq!(twin.first_new, 1);
    assert_ne!(first.nodes[1], twin.nodes[1]);
    assert!(tree.leads_to(first.nodes[0], 0, first.nodes[1]));
    assert!(tree.leads_to(first.nodes[0], 0, twin.nodes[1]));
    assert_eq!(insert(&mut tree, &other, 2).nodes, twin.nodes);
}

#[test]
fn growth_stops_at_the_limits() {
    let mut tree = Tree::new(Limits { nodes: 5, depth: 3, values: 8 });
    let trail = insert(&mut tree, &branches(&[0; 6]), 0);
    assert_eq!(trail.nodes.len(), 3);
    assert_eq!(tree.side(trail.nodes[2], 0), Side::Cut);
    let trail = insert(&mut tree, &branches(&[1; 6]), 1);
    assert_eq!((trail.nodes.len(), tree.len()), (3, 5));
    assert_eq!(insert(&mut tree, &branches(&[1, 0, 0]), 2).nodes.len(), 2);
}

/// Whatever is inserted and marked, the running counts equal a count over all sides.
#[test]
fn counts_agree_with_a_recount() {
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let mut tree = Tree::new(Limits { nodes: 300, depth: 12, values: 3 });
        for test in 0..60 {
            let steps: Vec<Step> = (0..random.below(14))
                .map(|depth| {
                    let kind = Kind::ALL[depth * 5 % Kind::ALL.len()];
                    let outcome = random.below(if kind.is_value() || kind == Kind::Switch { 4 } else { 2 });
                    let defer = depth % 4 == 1;
                    let skip = depth % 7 == 6;
                    Step { defer, skip, ..step((depth % 9) as u32, kind, outcome as u64) }
                })
                .collect();
            let mut trail = Trail::default();
            tree.insert(&steps, TestId(test), random.below(4) > 0, &mut trail);
            for node in tree.nodes().collect::<Vec<_>>() {
                if random.below(10) == 0
                    && let Some(goal) = tree.open_goal(node)
                {
                    let state =
                        [Side::Queued, Side::Infeasible, Side::Unknown, Side::Deferred][random.below(4)];
                    tree.mark(node, goal, state);
                }
            }
            if random.below(8) == 0 {
                tree.admit(3);
            }
        }
        recount(&tree, seed);
    }
}

fn recount(tree: &Tree, seed: u64) {
    let mut open_by_test = vec![0u32; tree.open_by_test.len()];
    for state in STATES {
        let mut count = 0;
        for node in tree.nodes() {
            let rest = tree.rest(node).into_iter();
            let sides = tree.sides(node).into_iter().map(|(_, side)| side).chain(rest);
            let here = sides.filter(|side| *side == state).count();
            count += here as u64;
            if matches!(state, Side::Untried | Side::Deferred) {
                open_by_test[tree.witness(node).index()] += here as u32;
            }
        }
        assert_eq!(tree.count(state), count, "seed {seed}, {state:?}");
    }
    assert_eq!(tree.open_by_test, open_by_test, "seed {seed}");
}
