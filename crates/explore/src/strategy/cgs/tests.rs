//! Context-guided search against figures 1 and 5 of its paper, and against its pseudo-code written down plainly.

use super::*;
use crate::explorer::explore;
use crate::options::Options;
use crate::side::{SiteId, TestId};
use crate::simulated::{Simulated, Trace, key, shaped, table};
use crate::sites::Sites;
use crate::tree::{Limits, Step, Trail};
use model::sites::SiteTable;
use std::collections::BTreeSet;

fn run(strategy: &mut dyn Strategy, subject: &mut Simulated, start: &[u8], table: SiteTable) {
    let tables = [table];
    let options = Options { executions: Some(150), ..Options::default() };
    explore(subject, Sites::new(&tables, None), strategy, &[start.to_vec()], &options, &mut ());
}

/// Figure 1: the third condition can hold only where the second does. `total` is counted in hundreds.
fn figure_1(input: &[u8], trace: &mut Trace) {
    trace.branch(0, input[0] == 1);
    trace.branch(1, input[1] >= 1);
    trace.branch(2, input[1] >= 2);
}

#[test]
fn figure_1_by_contexts() {
    let row: &[&[u32]] = &[&[1, 2], &[2], &[3, 4], &[4], &[5, 6], &[6], &[]];
    let mut tried_in_vain = 0;
    for seed in 0..40 {
        let mut subject = Simulated::new(figure_1, 2, 3);
        let mut cgs = Cgs::new(seed, Variant::Increasing);
        run(&mut cgs, &mut subject, &[1, 0], shaped(row, &[(0, 0), (1, 2), (2, 4)]));
        let sites: Vec<u32> = subject.asked.iter().map(|(site, _)| *site).collect();
        // k = 1: each branch once. k = 2: the second condition behind the other side of the first, the third
        // behind each side of the second. k = 3: what is left.
        assert_eq!(sites, [0, 1, 2, 1, 2, 2, 2], "seed {seed}");
        let behind: Vec<&str> = subject.asked_behind.iter().map(|path| &path[path.len().min(1)..]).collect();
        let mut second: Vec<&str> = behind[4..6].to_vec();
        second.sort_unstable();
        assert_eq!(second, ["0", "1"], "seed {seed}");
        tried_in_vain += u32::from(behind[2] == "0");
    }
    // Two of the three paths have the context in which the third condition cannot hold.
    assert!((15..39).contains(&tried_in_vain), "{tried_in_vain}");
}

/// Figure 5: a branch, then five conditions nested in one another, entered from either side.
fn figure_5() -> SiteTable {
    let nest: &[&[u32]] = &[&[1, 2], &[3], &[3], &[4, 9], &[5, 9], &[6, 9], &[7, 9], &[8, 9], &[9], &[]];
    shaped(nest, &[(0, 0), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7)])
}

/// The hash of the context of the innermost condition on the path that begins with `outcome`.
fn context(table: &SiteTable, outcome: u64, k: u32, leave_out: bool) -> u64 {
    let tables = [table.clone()];
    let mut sites = Sites::new(&tables, None);
    let steps: Vec<Step> = [outcome, 1, 1, 1, 1, 1]
        .into_iter()
        .zip(0..)
        .map(|(outcome, site)| {
            assert_eq!(sites.intern(key(site)), SiteId(site));
            Step { site: SiteId(site), kind: Kind::Branch, outcome, ways: 2, defer: false, skip: false }
        })
        .collect();
    let mut tree = Tree::new(Limits::default());
    let mut trail = Trail::default();
    tree.insert(&steps, TestId(0), true, &mut trail);
    let view = View { sites: &sites, executions: 0, spent: 0.0 };
    let node = trail.nodes[5];
    let mut entry =
        Examined { node, reached: node, length: 1, whole: false, hash: mix(0, u64::from(tree.site(node).0)) };
    entry.read(&tree, &view, k, leave_out);
    entry.hash
}

#[test]
fn figure_5_with_and_without_dominators() {
    let table = figure_5();
    for k in 1..=7 {
        let differ = |leave_out| context(&table, 0, k, leave_out) != context(&table, 1, k, leave_out);
        assert_eq!(differ(true), k >= 2, "k = {k}, dominators left out");
        assert_eq!(differ(false), k >= 6, "k = {k}, dominators kept");
    }
}

#[test]
fn an_endless_context_is_breadth_first() {
    let mut subject = Simulated::new(figure_1, 2, 3);
    run(&mut Cgs::new(1, Variant::Fixed(100)), &mut subject, &[1, 0], table());
    let sites: Vec<u32> = subject.asked.iter().map(|(site, _)| *site).collect();
    assert_eq!(sites, [0, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn a_fixed_context_of_one_takes_each_side_once_and_then_what_is_left() {
    let mut subject = Simulated::new(figure_1, 2, 3);
    run(&mut Cgs::new(1, Variant::Fixed(1)), &mut subject, &[1, 0], table());
    let sites: Vec<u32> = subject.asked.iter().map(|(site, _)| *site).collect();
    assert_eq!(sites, [0, 1, 2, 1, 2, 2, 2]);
}

/// Algorithm 2 as it stands: lists by depth taken from the tree, contexts written out, nothing remembered but
/// the contexts that were selected.
struct Plain {
    random: Random,
    k: usize,
    depth: usize,
    /// By depth, and those of them that this traversal has passed over.
    met: Vec<Vec<NodeId>>,
    passed: Vec<Vec<NodeId>>,
    cache: BTreeSet<(Context, usize, Goal)>,
}

type Context = Vec<(u32, u64)>;

impl Plain {
    fn context(&self, tree: &Tree, view: &View<'_>, node: NodeId) -> Context {
        let place = view.sites.key(tree.site(node));
        let mut context = vec![(tree.site(node).0, u64::MAX)];
        let mut at = node;
        while let Some((before, outcome)) = tree.came_by(at).filter(|_| context.len() < self.k) {
            let side = (view.sites.key(tree.site(before)), outcome);
            if tree.kind(before) == Kind::Branch && !view.sites.flow().is_on_every_way(side, place) {
                context.push((tree.site(before).0, outcome));
            }
            at = before;
        }
        context
    }
}

impl Strategy for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        while self.k < 40 {
            let Some(list) = self.met.get(self.depth) else {
                (self.depth, self.k) = (0, self.k + 1);
                self.met.iter_mut().zip(&mut self.passed).for_each(|(list, passed)| list.append(passed));
                continue;
            };
            if list.is_empty() {
                self.depth += 1;
                continue;
            }
            let index = self.random.below(list.len());
            let node = list[index];
            if let Some(goal) = tree.open_goal(node) {
                if self.cache.insert((self.context(tree, view, node), self.k, goal)) {
                    return Some(Candidate { node, goal });
                }
                self.passed[self.depth].push(node);
            }
            self.met[self.depth].swap_remove(index);
        }
        None
    }

    fn update(&mut self, tree: &Tree, _view: &View<'_>, news: &News<'_>) {
        for node in news.opened().filter(|&node| tree.open_goal(node).is_some()) {
            let depth = tree.depth(node);
            if self.met.len() <= depth {
                self.met.resize_with(depth + 1, Vec::new);
                self.passed.resize_with(depth + 1, Vec::new);
            }
            self.met[depth].push(node);
        }
    }
}

#[test]
fn the_same_questions_as_the_pseudo_code() {
    // A loop over the input with a state, so that contexts repeat and sides depend on one another.
    fn program(input: &[u8], trace: &mut Trace) {
        let mut sum = 0;
        for byte in input {
            if trace.branch(0, *byte > 0) {
                sum += byte;
                trace.branch(1, sum > 3);
            }
            if trace.branch(2, *byte == 2) {
                trace.branch(3, sum % 2 == 0);
            }
        }
        trace.branch(4, sum > 5);
    }
    // 1: while (..) { if (site 0) 2: if (site 1) 3; 4: if (site 2) 5: if (site 3) 6; 7 } 8: if (site 4) 9; 10
    let graph: &[&[u32]] =
        &[&[1], &[2, 4], &[3, 4], &[4], &[5, 7], &[6, 7], &[7], &[1, 8], &[9, 10], &[10], &[]];
    let sites = [(0, 1), (1, 2), (2, 4), (3, 5), (4, 8)];
    for seed in 0..4 {
        let asked = |strategy: &mut dyn Strategy| {
            let mut subject = Simulated::new(program, 4, 3);
            run(strategy, &mut subject, &[1, 0, 0, 0], shaped(graph, &sites));
            let questions: Vec<_> = subject.asked_behind.into_iter().zip(subject.asked).collect();
            questions
        };
        let plain = asked(&mut Plain {
            random: Random::new(seed),
            k: 1,
            depth: 0,
            passed: Vec::new(),
            met: Vec::new(),
            cache: Default::default(),
        });
        let ours = asked(&mut Cgs::new(seed, Variant::Increasing));
        // Ours also asks for what no context tells apart, at the end.
        assert!(plain.len() > 140, "seed {seed}");
        assert_eq!(plain[..], ours[..plain.len()], "seed {seed}");
    }
}
