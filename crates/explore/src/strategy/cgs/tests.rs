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
    let mut entry = Examined::new(&tree, node);
    entry.read(&tree, &view, k, leave_out.then_some(&mut Dominators::default()));
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

/// Algorithm 2 as it stands, as the judge of ours: lists by depth taken from the tree, contexts written out, nothing
/// remembered but the contexts that were selected. Which of the new sides of a depth is taken is left to chance
/// there, so any of them is right.
struct Judge {
    ours: Cgs,
    k: usize,
    depth: usize,
    /// By depth, and those of them that this traversal has passed over.
    met: Vec<Vec<NodeId>>,
    passed: Vec<Vec<NodeId>>,
    cache: BTreeSet<(Context, usize, Goal)>,
    judged: usize,
}

type Context = Vec<(u32, u64)>;

impl Judge {
    fn context(&self, tree: &Tree, view: &View<'_>, node: NodeId) -> Context {
        let flow = view.sites.flow();
        let place = flow.spans(view.sites.key(tree.site(node)));
        let mut context = vec![(tree.site(node).0, u64::MAX)];
        let mut at = node;
        while let Some((before, outcome)) = tree.came_by(at).filter(|_| context.len() < self.k) {
            let spans = flow.spans(view.sites.key(tree.site(before)));
            if tree.kind(before) == Kind::Branch && !spans.is_on_every_way(outcome, &place) {
                context.push((tree.site(before).0, outcome));
            }
            at = before;
        }
        context
    }

    /// The sides of which one is to be taken next; none when contexts tell nothing apart any more.
    fn right_answers(&mut self, tree: &Tree, view: &View<'_>) -> Vec<Candidate> {
        while self.k < 40 {
            let Some(list) = self.met.get(self.depth) else {
                (self.depth, self.k) = (0, self.k + 1);
                self.met.iter_mut().zip(&mut self.passed).for_each(|(list, passed)| list.append(passed));
                continue;
            };
            let mut right = Vec::new();
            for node in list.clone() {
                let Some(goal) = tree.open_goal(node) else { continue };
                match self.cache.contains(&(self.context(tree, view, node), self.k, goal)) {
                    true => self.passed[self.depth].push(node),
                    false => right.push(Candidate { node, goal }),
                }
            }
            self.met[self.depth] = right.iter().map(|candidate| candidate.node).collect();
            if !right.is_empty() {
                return right;
            }
            self.depth += 1;
        }
        Vec::new()
    }
}

impl Strategy for Judge {
    fn name(&self) -> &'static str {
        "judge"
    }

    fn select(&mut self, tree: &Tree, view: &View<'_>) -> Option<Candidate> {
        let chosen = self.ours.select(tree, view);
        let right = self.right_answers(tree, view);
        // Ours also asks for what no context tells apart, at the end.
        if let (Some(Candidate { node, goal }), false) = (chosen, right.is_empty()) {
            assert!(right.contains(&Candidate { node, goal }), "k = {}: {node:?} not in {right:?}", self.k);
            self.cache.insert((self.context(tree, view, node), self.k, goal));
            self.judged += 1;
        }
        chosen
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        self.ours.update(tree, view, news);
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
        let mut judge = Judge {
            ours: Cgs::new(seed, Variant::Increasing),
            k: 1,
            depth: 0,
            met: Vec::new(),
            passed: Vec::new(),
            cache: BTreeSet::new(),
            judged: 0,
        };
        let mut subject = Simulated::new(program, 4, 3);
        run(&mut judge, &mut subject, &[1, 0, 0, 0], shaped(graph, &sites));
        assert!(judge.judged > 140, "seed {seed}: {}", judge.judged);
    }
}

#[test]
fn a_tree_of_many_portions_is_searched_to_its_end() {
    fn program(input: &[u8], trace: &mut Trace) {
        for byte in input {
            trace.branch(0, *byte > 0);
        }
    }
    let mut subject = Simulated::new(program, 7, 2);
    let tables = [table()];
    let mut cgs = Cgs { portion: 4, ..Cgs::new(1, Variant::Increasing) };
    let options = Options::default();
    let all = explore(&mut subject, Sites::new(&tables, None), &mut cgs, &[vec![0; 7]], &options, &mut ());
    assert_eq!(all.statistics.executions, 1 << 7);
}
