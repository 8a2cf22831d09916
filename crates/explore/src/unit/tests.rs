use super::*;
use model::sites::Site;
use wire::{Class, End, Node, Op, SlotKey};

const TU: u32 = 3;
const SLOT: SlotKey = SlotKey { hash: 77, occurrence: 0 };

fn site(kind: SiteKind) -> Site {
    Site { function: 0, block: 0, file: "f.c".into(), line: 1, column: 1, condition: None, kind }
}

/// Site 0: a branch with counters 4 and 5; site 1: a switch over 10 and 20 with counters 6 to 8.
fn table() -> SiteTable {
    let branch = SiteKind::Branch { counter: 4, successors: [1, 2] };
    let switch = SiteKind::Switch { counter: 6, cases: vec![10, 20], successors: vec![3, 4, 5] };
    SiteTable { tu: TU, sites: vec![site(branch), site(switch)], counters: 9, ..SiteTable::default() }
}

fn record(kind: RecordKind, site: u32, label: u32, value: u64, aux: u16) -> Record {
    Record { kind: kind as u16, aux, tu: TU, site, label, value, mark: 0 }
}

/// Labels: 1 and 2 are bytes of the input, 3 is `byte 1 == 5`, 4 is `byte 1 == byte 1`, 5 is `byte 1 == 6`.
fn nodes() -> Vec<Node> {
    let input = |element| Node { op: Op::Input as u8, bits: 8, b: element, x: SLOT.hash, ..Node::default() };
    let equal = |b, y| Node { op: Op::Eq as u8, bits: 1, a: 1, b, c: 8, y, ..Node::default() };
    vec![Node::default(), input(0), input(1), equal(0, 5), equal(1, 0), equal(0, 6)]
}

fn ending() -> Ending {
    Ending {
        end: End::Returned,
        value: 0,
        class: None,
        site: None,
        pc: 0,
        address: 0,
        stack: Vec::new(),
        text: String::new(),
    }
}

fn observe<'a>(table: &'a SiteTable, log: &[Record]) -> (Terms<'a>, Box<Observed<Held>>) {
    let mut terms = Terms::new(std::slice::from_ref(table));
    let observed = terms.see(log, Run::default());
    (terms, observed)
}

impl Terms<'_> {
    fn see(&mut self, log: &[Record], how: Run) -> Box<Observed<Held>> {
        let path = Path::read(&mut self.pool, log, &nodes(), &[], None).expect("a readable log");
        self.observe(&path, log, ending(), false, None, how)
    }
}

#[test]
fn records_become_decisions() {
    use RecordKind::*;
    let check = Class::OutOfBounds as u16;
    let log = [
        Record { tu: 0, site: 2, aux: 8, ..record(Input, 0, 1, SLOT.hash, 0) },
        record(Cover, 4, 0, 0, 0),
        record(Branch, 0, 3, 0, 0),
        // Constant conditions are no decisions.
        record(Branch, 0, 4, 1, 0),
        record(Check, 7, 0, 0, check),
        record(Lost, 8, 0, 0, Concretised::InlineAssembly as u16),
        record(Lost, 8, 0, 0, Concretised::InlineAssembly as u16),
        record(Switch, 1, 2, 20, 2),
        record(Check, 7, 3, 0, check),
        record(Concretised, 9, 1, 6, Concretised::Length as u16),
        // A switch that no table knows.
        record(Switch, 30, 1, 6, 1),
        record(Assume, 10, 3, 0, 0),
    ];
    use wire::log::Concretised;
    let table = table();
    let (_, observed) = observe(&table, &log);
    let found: Vec<_> = observed.decisions.iter().map(|d| (d.kind, d.site.site, d.outcome)).collect();
    assert_eq!(
        found,
        [(Kind::Branch, 0, 0), (Kind::Switch, 1, 2), (Kind::Concretised, 9, 6), (Kind::Assume, 10, 0),]
    );
    // What was decided before is no decision either; an assumption is told apart all the same.
    let settled: Vec<_> = observed.settled.iter().map(|(at, d)| (*at, d.kind, d.site.site)).collect();
    assert_eq!(settled, [(2, Kind::Check, 7), (3, Kind::Concretised, 30)]);
    let losses: Vec<_> =
        observed.losses.iter().map(|l| (l.at, l.site.site, l.constrained, l.count)).collect();
    assert_eq!(losses, [(1, 8, false, 2), (2, 9, true, 1)]);
    let covered: Vec<u32> = observed.covered.iter().map(|counter| counter.index).collect();
    assert_eq!(covered, [4, 8]);
}

#[test]
fn what_was_decided_before_is_settled() {
    use RecordKind::*;
    let table = table();
    let limit = |label| record(Assume, 10, label, 1, wire::log::Assumed::Limit as u16);
    let log = |first| [first, record(Branch, 0, 3, 1, 0), record(Branch, 0, 3, 1, 0)];
    let (mut terms, observed) = observe(&table, &log(record(Branch, 0, 3, 1, 0)));
    let counts = |observed: &Observed<Held>| (observed.decisions.len(), observed.settled.len());
    assert_eq!(counts(&observed), (1, 2));
    assert_eq!(observed.covered, [Counter { tu: TU, index: 5 }], "a side that was taken is covered");
    // What the driver alone imposes leaves the program its choice.
    assert_eq!(counts(&terms.see(&log(limit(3)), Run::default())), (2, 1));
    // A byte that is five is not six; one that is not five may be.
    let then = |first| [record(Branch, 0, 3, first, 0), record(Branch, 0, 5, 0, 0)];
    assert_eq!(counts(&terms.see(&then(1), Run::default())), (1, 1));
    assert_eq!(counts(&terms.see(&then(0), Run::default())), (2, 0));
    // Of another execution nothing is left, nor where all decisions are asked for.
    assert_eq!(counts(&terms.see(&log(record(Branch, 0, 3, 1, 0)), Run::default())), (1, 2));
    let all = Run { whole: true, ..Run::default() };
    assert_eq!(counts(&terms.see(&log(record(Branch, 0, 3, 1, 0)), all)), (3, 0));
}

#[test]
fn own_decisions_come_in_the_order_of_the_execution() {
    let decision =
        |outcome| Decision { site: SiteKey { tu: TU, site: 0 }, kind: Kind::Branch, null: false, outcome };
    let (decisions, settled) = ([1, 2].map(decision), [(0, decision(0)), (2, decision(3)), (2, decision(4))]);
    let own = Own { decisions: &decisions, settled: &settled };
    let order: Vec<_> = own.in_order().map(|(at, decision)| (at, decision.outcome)).collect();
    assert_eq!(order, [(None, 0), (Some(0), 1), (Some(1), 2), (None, 3), (None, 4)]);
}

/// Which values of the byte fulfil the wish.
fn fulfilled(terms: &mut Terms<'_>, observed: &Observed<Held>, goal: Goal, avoid: &[u64]) -> Vec<u64> {
    let wish = terms.wish(&observed.decisions[0], observed.held[0].term(), goal, avoid);
    let wish = wish.expect("a wish");
    let var = |element| term::Var { slot: SLOT, element, bits: 8 };
    let holds = |value: &u64| {
        let values = Assignment::from_iter([(var(0), *value), (var(1), *value)]);
        term::eval(&terms.pool, wish, &values) == 1
    };
    (0..256).filter(holds).collect()
}

#[test]
fn wishes_mean_what_they_say() {
    use RecordKind::*;
    let table = table();
    let (mut terms, path) = observe(&table, &[record(Branch, 0, 3, 0, 0)]);
    assert_eq!(fulfilled(&mut terms, &path, Goal::Take(1), &[]), [5]);
    assert_eq!(fulfilled(&mut terms, &path, Goal::Take(0), &[]).len(), 255);

    let (mut terms, path) = observe(&table, &[record(Switch, 1, 1, 99, 0)]);
    assert_eq!(fulfilled(&mut terms, &path, Goal::Take(1), &[]), [10]);
    assert_eq!(fulfilled(&mut terms, &path, Goal::Take(2), &[]), [20]);
    assert_eq!(fulfilled(&mut terms, &path, Goal::Take(0), &[]).len(), 254);
    let nowhere = terms.wish(&path.decisions[0], path.held[0].term(), Goal::Take(3), &[]);
    assert_eq!(nowhere, None);

    let length = wire::log::Concretised::Length as u16;
    let (mut terms, path) = observe(&table, &[record(Concretised, 9, 1, 6, length)]);
    assert_eq!(fulfilled(&mut terms, &path, Goal::Other, &[6, 7]).len(), 254);
}

#[test]
fn solved_values_go_into_the_input() {
    let mut input = execute::Input::new();
    input.set(SLOT, &[1, 2, 3]);
    let word = term::Var { slot: SLOT, element: 1, bits: 16 };
    let changed = changed(&input, &Assignment::from_iter([(word, 0xabcd)]));
    assert_eq!(changed.get(SLOT), Some(&[1, 2, 0xcd, 0xab][..]));
}

#[test]
fn the_rest_of_a_long_log_still_covers() {
    let mut log = vec![record(RecordKind::Branch, 0, 3, 0, 0); RECORDS + 5];
    log[RECORDS + 2] = record(RecordKind::Cover, 11, 0, 0, 0);
    let (first, rest) = split(&log);
    assert_eq!((first.len(), rest.len()), (RECORDS, 5));
    assert_eq!(hits(rest).collect::<Vec<_>>(), [Counter { tu: TU, index: 11 }]);
    assert!(split(&log[..7]).1.is_empty());
}
