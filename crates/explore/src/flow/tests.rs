use super::*;
use crate::simulated::{TU, key, shaped};
use model::sites::SiteTable;

/// if (site 0) { if (site 1) 2; 3 } 4: if (site 2) 5; 6
fn nested() -> SiteTable {
    shaped(&[&[1, 4], &[2, 3], &[3], &[4], &[5, 6], &[6], &[]], &[(0, 0), (1, 1), (2, 4)])
}

fn counter(site: u32, outcome: u32) -> Counter {
    Counter { tu: TU, index: site * 4 + outcome }
}

#[test]
fn distances_count_branches() {
    let table = nested();
    let flow = Flow::new([&table].into_iter());
    let only = |wanted: Counter| flow.distances(move |counter| counter == wanted);
    let to_site_1 = only(counter(1, 1));
    assert_eq!(flow.distance_from(&to_site_1, key(0)), 2);
    assert_eq!(flow.distance(&to_site_1, key(0), 1), 1);
    assert_eq!(flow.distance(&to_site_1, key(0), 0), NEVER);
    let to_site_2 = only(counter(2, 0));
    assert_eq!(flow.distance(&to_site_2, key(0), 0), 1);
    assert_eq!(flow.distance(&to_site_2, key(0), 1), 2);
    assert_eq!(flow.distance(&to_site_2, key(1), 1), 1);
    assert_eq!(flow.distance(&to_site_2, key(2), 1), NEVER);
    // A site that no table knows.
    assert_eq!(flow.distance(&to_site_2, key(99), 1), NEVER);
}

#[test]
fn calls_lead_into_the_callee_and_back() {
    // f: if (site 0) 1: g(); 2: if (site 1) 3; 4
    let mut table = shaped(&[&[1, 2], &[2], &[3, 4], &[4], &[]], &[(0, 0), (1, 2)]);
    table.functions[0].calls = vec![(1, "g".into()), (3, "unknown".into())];
    // g: if (site 2) 1; 2
    let mut callee = table.functions[0].clone();
    callee.name = "g".into();
    callee.blocks = vec![vec![1, 2], vec![2], vec![]];
    callee.block_lines = vec![2, 3, 4];
    callee.calls = vec![(1, "g".into())];
    table.functions.push(callee);
    table.sites[2].function = 1;
    table.sites[2].kind = SiteKind::Branch { counter: 8, successors: [2, 1] };
    let flow = Flow::new([&table].into_iter());
    let into = flow.distances(|counted| counted == counter(2, 1));
    assert_eq!(flow.distance(&into, key(0), 1), 1);
    assert_eq!(flow.distance(&into, key(0), 0), NEVER);
    let back = flow.distances(|counted| counted == counter(1, 1));
    // Behind g's branch: the return, then the branch itself.
    assert_eq!(flow.distance(&back, key(2), 0), 2);
    // Block 1, with g and everything it calls, once.
    assert_eq!(flow.statements(key(0), 1), 1 + 2 + 3 + 4);
    assert_eq!(flow.statements(key(0), 0), 0);
}

#[test]
fn code_that_depends_on_a_side() {
    let mut table = nested();
    table.functions[0].block_lines = vec![1, 10, 100, 1000, 10_000, 100_000, 1_000_000];
    let flow = Flow::new([&table].into_iter());
    // Site 1 runs only because of site 0, so what depends on it counts there too.
    assert_eq!(flow.statements(key(0), 1), 1110);
    assert_eq!(flow.statements(key(1), 1), 100);
    assert_eq!(flow.statements(key(1), 0), 0);
    assert_eq!(flow.statements(key(2), 1), 100_000);
}

#[test]
fn sides_on_every_way() {
    let flow = Flow::new([&nested()].into_iter());
    assert!(flow.spans(key(0)).is_on_every_way(1, &flow.spans(key(1))));
    assert!(!flow.spans(key(0)).is_on_every_way(0, &flow.spans(key(1))));
    assert!(!flow.spans(key(0)).is_on_every_way(1, &flow.spans(key(2))));
    assert!(!flow.spans(key(0)).is_on_every_way(1, &flow.spans(key(0))));
    assert!(!flow.spans(key(99)).is_on_every_way(1, &flow.spans(key(1))));
}

#[test]
fn two_ways_of_a_switch_to_one_block_are_two_sides() {
    // switch (site 10) { default: 1; case 5: case 6: 2; case 7: 3 } 1: if (site 0) ..
    let table = shaped(&[&[1, 2, 2, 3], &[4, 5], &[5], &[5], &[5], &[]], &[(10, 0), (0, 1)]);
    let flow = Flow::new([&table].into_iter());
    assert!(flow.spans(key(10)).is_on_every_way(0, &flow.spans(key(0))));
    assert!(!flow.spans(key(10)).is_on_every_way(1, &flow.spans(key(0))));
    assert_eq!((flow.statements(key(10), 1), flow.statements(key(10), 3)), (1, 1));
}
