//! Each strategy on trees small enough to know in which order it has to go through them.

use super::*;
use crate::decision::Kind;
use crate::exploration::Exploration;
use crate::explorer::explore;
use crate::options::Options;
use crate::side::{SiteId, TestId};
use crate::simulated::{Simulated, TU, Trace, shaped, table};
use crate::tree::{Limits, Step};
use model::sites::SiteTable;
use wire::FunctionKey;

/// Three independent bits: eight paths.
fn three_bits(input: &[u8], trace: &mut Trace) {
    for (site, byte) in input.iter().enumerate() {
        trace.branch(site as u32, *byte == 1);
    }
}

fn run(
    strategy: &str,
    subject: &mut Simulated,
    start: &[u8],
    table: SiteTable,
    executions: u64,
) -> Exploration<Vec<u8>> {
    let mut strategy = by_name(strategy, 1).expect("a known strategy");
    run_with(strategy.as_mut(), subject, start, table, executions)
}

fn run_with(
    strategy: &mut dyn Strategy,
    subject: &mut Simulated,
    start: &[u8],
    table: SiteTable,
    executions: u64,
) -> Exploration<Vec<u8>> {
    let tables = [table];
    let sites = Sites::new(&tables, Some(&[FunctionKey { tu: TU, function: 0 }]));
    let options = Options { executions: Some(executions), ..Options::default() };
    explore(subject, sites, strategy, &[start.to_vec()], &options, &mut ())
}

#[test]
fn the_order_on_three_bits() {
    for (strategy, expected) in [
        ("dfs", "000 001 010 011 100 101 110 111"),
        ("reverse-dfs", "000 100 110 111 101 010 011 001"),
        ("bfs", "000 100 010 110 001 101 011 111"),
        ("generational", "000 100 010 001 110 101 011 111"),
        ("bounded-dfs:2", "000 010 100 110 111 101 011 001"),
        ("bounded-dfs:1", "000 100 110 010 011 111 101 001"),
        ("bounded-dfs:9", "000 001 010 011 100 101 110 111"),
    ] {
        let mut subject = Simulated::new(three_bits, 3, 2);
        run(strategy, &mut subject, &[0; 3], table(), 100);
        assert_eq!(subject.visited.join(" "), expected, "{strategy}");
    }
}

#[test]
fn the_order_with_infeasible_sides() {
    // The second branch is decided by the first; the third is reached on one side only.
    fn program(input: &[u8], trace: &mut Trace) {
        let low = trace.branch(0, input[0] < 2);
        trace.branch(1, input[0] < 3);
        if !low {
            trace.branch(2, input[1] == 2);
        }
    }
    for (strategy, visited, asked) in [
        ("dfs", "11 010 011 000 001", "1 0 2 1 2"),
        ("reverse-dfs", "11 010 000 001 011", "0 1 2 2 1"),
        ("bfs", "11 010 000 011 001", "0 1 1 2 2"),
        ("generational", "11 010 000 011 001", "0 1 1 2 2"),
    ] {
        let mut subject = Simulated::new(program, 2, 4);
        run(strategy, &mut subject, &[0; 2], table(), 100);
        assert_eq!(subject.visited.join(" "), visited, "{strategy}");
        let sites: Vec<String> = subject.asked.iter().map(|(site, _)| site.to_string()).collect();
        assert_eq!(sites.join(" "), asked, "{strategy}");
    }
}

#[test]
fn the_target_comes_first() {
    // The third bit is decided in a function that is called.
    let mut table = table();
    let callee = table.functions[0].clone();
    table.functions.push(callee);
    table.sites[2].function = 1;
    let mut subject = Simulated::new(three_bits, 3, 2);
    run("target-dfs", &mut subject, &[0; 3], table, 100);
    assert_eq!(subject.visited.join(" "), "000 010 100 110 111 101 011 001");
}

#[test]
fn every_way_of_a_switch_is_taken_in_order() {
    fn program(input: &[u8], trace: &mut Trace) {
        trace.switch(10, u64::from(input[0]));
        trace.branch(0, input[1] == 1);
    }
    for (strategy, expected) in [
        ("dfs", "00 01 10 11 20 21 30 31"),
        ("reverse-dfs", "00 10 11 20 21 30 31 01"),
        ("bfs", "00 10 20 30 01 11 21 31"),
        ("generational", "00 10 20 30 01 11 21 31"),
    ] {
        let mut subject = Simulated::new(program, 2, 4);
        run(strategy, &mut subject, &[0; 2], table(), 100);
        assert_eq!(subject.visited.join(" "), expected, "{strategy}");
    }
}

#[test]
fn generations_follow_the_path_that_covered_most() {
    // Behind the second branch there are two more, so its path covers most.
    fn program(input: &[u8], trace: &mut Trace) {
        trace.branch(0, input[0] == 1);
        if trace.branch(1, input[1] == 1) {
            trace.branch(2, input[2] == 1);
            trace.branch(3, input[3] == 1);
        }
    }
    let mut subject = Simulated::new(program, 4, 2);
    run("generational", &mut subject, &[0; 4], table(), 100);
    // All children of 00; those of 0100, which covered three sides; then of 10, and of the rest as they came.
    let expected = "00 10 0100 0110 0101 1100 0111 1110 1101 1111";
    assert_eq!(subject.visited.join(" "), expected);
}

/// if (site 0) 1; 2: if (site 1) 3; 4: if (site 2) 5; 6
fn in_a_row() -> SiteTable {
    shaped(&[&[1, 2], &[2], &[3, 4], &[4], &[5, 6], &[6], &[]], &[(0, 0), (1, 2), (2, 4)])
}

#[test]
fn carfast_takes_the_most_code_first() {
    let mut table = in_a_row();
    table.functions[0].block_lines = vec![1, 1, 1, 10, 1, 5, 1];
    let mut subject = Simulated::new(three_bits, 3, 2);
    run("carfast", &mut subject, &[0; 3], table, 4);
    assert_eq!(subject.visited.join(" "), "000 010 001 100");
}

#[test]
fn cfg_directed_takes_the_nearest_first() {
    // Site 3 is reached behind the true side of site 2 only, and is decided by the first two bits.
    fn program(input: &[u8], trace: &mut Trace) {
        trace.branch(0, input[0] == 1);
        trace.branch(1, input[1] == 1);
        if trace.branch(2, input[2] == 1) {
            trace.branch(3, input[0] == 1 && input[1] == 1);
        }
    }
    // 0 and 1 in a row; 4: if (site 2) 5: if (site 3) 6; 7
    let graph: &[&[u32]] = &[&[1, 2], &[2], &[3, 4], &[4], &[5, 7], &[6, 7], &[7], &[]];
    let table = shaped(graph, &[(0, 0), (1, 2), (2, 4), (3, 5)]);
    let mut subject = Simulated::new(program, 3, 2);
    let result = run("cfg", &mut subject, &[0; 3], table, 100);
    // The new sides in the order of the path; site 3 is infeasible at first. Its true side is one branch behind
    // site 2, two behind site 1. Each was asked for once: site 2 comes next, on its last path. Now both stand
    // at three: site 1, which was met first, then site 2 on its first path.
    let expected: Vec<&str> = "000 100 010 0010 0110 110 1010 1111".split(' ').collect();
    assert_eq!(subject.visited, expected);
    assert_eq!(result.coverage.0, 8);
}

#[test]
fn maist_goes_through_its_order() {
    let mut subject = Simulated::new(three_bits, 3, 2);
    run("maist", &mut subject, &[0; 3], table(), 8);
    // Two of dfs, two of reverse-dfs, one of random negation on the last path; the rest is what is left.
    assert_eq!(subject.visited[..5], ["000", "001", "100", "110", "111"]);
    subject.visited.sort();
    assert_eq!(subject.visited, ["000", "001", "010", "011", "100", "101", "110", "111"]);
}

#[test]
fn random_negation_stays_on_the_last_path() {
    for strategy in ["random-negation", "weighted-random"] {
        let mut subject = Simulated::new(three_bits, 6, 2);
        run(strategy, &mut subject, &[0; 6], table(), 20);
        for index in 1..subject.visited.len() {
            let (seen, next) = subject.visited.split_at(index);
            let last = &seen[index - 1];
            let behind = &subject.asked_behind[index - 1];
            let left = |at: usize| {
                let other = if &last[at..=at] == "0" { "1" } else { "0" };
                seen.iter().any(|path| path.starts_with(&format!("{}{other}", &last[..at])))
            };
            let is_spent = (0..last.len()).all(left);
            assert!(last.starts_with(behind) || is_spent, "{strategy}: {last}, then {}", next[0]);
        }
    }
}

#[test]
fn fruitful_asks_beside_paths_that_covered_something() {
    // Only the first decision counts as coverage: 000 and 100 cover something, 010 and 001 do not.
    fn program(input: &[u8], trace: &mut Trace) {
        trace.branch(0, input[0] == 1);
        trace.branch(90, input[1] == 1);
        trace.branch(91, input[2] == 1);
    }
    for seed in 0..8 {
        let mut subject = Simulated::new(program, 3, 2);
        run_with(&mut fruitful::Fruitful::new(seed), &mut subject, &[0; 3], table(), 100);
        subject.visited.sort();
        assert_eq!(subject.visited.join(" "), "000 001 010 100 101 110", "seed {seed}");
    }
}

#[test]
fn rarest_gives_a_loop_no_more_turns_than_a_branch() {
    fn program(input: &[u8], trace: &mut Trace) {
        for byte in &input[..6] {
            trace.branch(0, *byte == 1);
        }
        trace.branch(1, input[6] == 1);
        trace.branch(2, input[7] == 1);
    }
    for seed in 0..8 {
        let mut subject = Simulated::new(program, 8, 2);
        run_with(&mut rarest::Rarest::new(seed), &mut subject, &[0; 8], table(), 30);
        let asked = |site| subject.asked.iter().filter(|(of, _)| *of == site).count();
        // Two outcomes each; those of one side are met a little later than the others.
        let counts = [asked(0), asked(1), asked(2)];
        assert!(counts.iter().all(|count| (8..=12).contains(count)), "seed {seed}: {counts:?}");
    }
}

fn straight(tree: &mut Tree, outcomes: &[u64], test: u32) -> Trail {
    let steps: Vec<Step> = outcomes
        .iter()
        .zip(0..)
        .map(|(&outcome, site)| Step {
            site: SiteId(site),
            kind: Kind::Branch,
            outcome,
            ways: 2,
            defer: false,
            skip: false,
        })
        .collect();
    let mut trail = Trail::default();
    tree.insert(&steps, TestId(test), true, &mut trail);
    trail
}

/// How often, of 4000, each depth of one path with four decisions is chosen first.
fn first_choices(strategy: &str) -> [u32; 4] {
    let tables = [table()];
    let mut sites = Sites::new(&tables, None);
    (0..4).for_each(|site| assert_eq!(sites.intern(crate::simulated::key(site)), SiteId(site)));
    let view = View { sites: &sites, executions: 1, spent: 0.0 };
    let mut tree = Tree::new(Limits::default());
    let trail = straight(&mut tree, &[0; 4], 0);
    let mut chosen = [0; 4];
    for seed in 0..4000 {
        let mut strategy = by_name(strategy, seed).expect("a known strategy");
        let open: Vec<NodeId> = trail.opened().filter(|&node| tree.open_goal(node).is_some()).collect();
        let news =
            News::Executed { trail: &trail, open: &open, asked: None, new_coverage: 0, as_predicted: true };
        strategy.update(&tree, &view, &news);
        let candidate = strategy.select(&tree, &view).expect("all is open");
        chosen[tree.depth(candidate.node)] += 1;
    }
    chosen
}

#[test]
fn chance_is_fair() {
    let even = [1000; 4];
    // Half of the walks leave at the first decision, half of the rest at the next.
    let walk = [2000, 1000, 500, 500];
    for (strategy, expected) in [
        ("random-negation", even),
        ("weighted-random", even),
        ("uniform-random", walk),
        ("random-path", walk),
    ] {
        let chosen = first_choices(strategy);
        // Five standard deviations.
        let close = |(found, wanted): (u32, i32)| (found as i32 - wanted).abs() < 160;
        assert!(chosen.into_iter().zip(expected).all(close), "{strategy} {chosen:?}");
    }
}

#[test]
fn a_uniform_walk_goes_on_behind_its_last_choice() {
    let mut subject = Simulated::new(three_bits, 8, 2);
    run("uniform-random", &mut subject, &[0; 8], table(), 60);
    // Within one walk the questions go down; a walk that begins anew is above the end of the last.
    let depths: Vec<usize> = subject.asked_behind.iter().map(String::len).collect();
    let falls = depths.windows(2).filter(|pair| pair[1] <= pair[0]).count();
    let rises = depths.windows(2).filter(|pair| pair[1] > pair[0]).count();
    assert!(rises > falls, "{depths:?}");
    for (index, pair) in depths.windows(2).enumerate().filter(|(_, pair)| pair[1] > pair[0]) {
        let (path, next) = (&subject.visited[index + 1], &subject.asked_behind[index + 1]);
        let is_same_walk = path.starts_with(next);
        // Later the tree is full at the top, and a new walk may get deeper than the last one ended.
        assert!(is_same_walk || index > 8, "{pair:?} {path} {next}");
    }
}

#[test]
fn names_and_numbers() {
    assert!(names().all(|name| by_name(name, 1).is_some_and(|strategy| strategy.name() == name)));
    for wrong in ["", "nothing", "dfs:3", "cgs-fixed:", "cgs-fixed:x", "bounded-dfs:-1"] {
        assert!(by_name(wrong, 1).is_none(), "{wrong}");
    }
    assert!(KNOWN.iter().all(|known| !known.rule.is_empty()));
}
