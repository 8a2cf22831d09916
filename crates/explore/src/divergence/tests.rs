use super::*;
use crate::simulated::ending;

fn key(site: u32) -> SiteKey {
    SiteKey { tu: 1, site }
}

fn path(sites: &[(u32, u64)]) -> Vec<Decision> {
    sites
        .iter()
        .map(|&(site, outcome)| Decision {
            site: key(site),
            kind: DecisionKind::Branch,
            null: false,
            outcome,
        })
        .collect()
}

fn check(went: &[(u32, u64)], losses: &[Loss], ending: Ending, expected: Option<(&str, usize)>) {
    let decisions = path(&[(0, 1), (1, 1), (2, 0), (3, 0)]);
    let predicted =
        Prediction { before: &decisions[..2], at: 2, decision: decisions[2], goal: Goal::Take(1), seen: &[] };
    let went = path(went);
    let found =
        compare(&predicted, &Went { begin: 0, decisions: &went, losses, ending: &ending, truncated: false });
    let found = found.map(|divergence| (divergence.kind.to_string(), divergence.at));
    assert_eq!(found, expected.map(|(name, at)| (name.to_string(), at)));
}

#[test]
fn each_kind_has_its_name() {
    let returned = || ending(End::Returned);
    let ended = ending;
    let loss = |at, constrained| Loss { at, site: key(9), kind: Concretised::Length, constrained, count: 1 };

    check(&[(0, 1), (1, 1), (2, 1), (5, 0)], &[], returned(), None);
    check(&[(0, 1), (1, 1), (2, 1)], &[loss(0, false)], ended(End::Timeout), None);
    check(&[(0, 1), (1, 1), (2, 0)], &[], returned(), Some(("unchanged", 2)));
    check(&[(0, 1), (1, 1), (2, 7)], &[], returned(), Some(("other-outcome", 2)));
    check(&[(0, 1), (1, 0)], &[], returned(), Some(("earlier-outcome", 1)));
    check(&[(0, 1), (4, 1)], &[], returned(), Some(("other-site", 1)));
    check(&[(0, 1), (1, 1), (4, 1)], &[], returned(), Some(("other-site", 2)));
    check(&[(0, 1)], &[], returned(), Some(("shorter", 1)));
    check(&[(0, 1)], &[], ended(End::Timeout), Some(("shorter, stopped by timeout", 1)));
    check(&[(0, 1)], &[], ended(End::Aborted), Some(("shorter, ended by aborted", 1)));
    check(&[(0, 1), (1, 0)], &[loss(1, false)], returned(), Some(("earlier-outcome, lost length", 1)));
    check(&[(0, 1), (1, 0)], &[loss(2, false)], returned(), Some(("earlier-outcome", 1)));
    check(
        &[(0, 1), (1, 0)],
        &[loss(1, true)],
        returned(),
        Some(("earlier-outcome, after concretised length", 1)),
    );
}

#[test]
fn another_value_is_any_that_was_not_seen() {
    let decision = Decision { site: key(0), kind: DecisionKind::Concretised, null: false, outcome: 4 };
    let predicted = Prediction { before: &[], at: 0, decision, goal: Goal::Other, seen: &[4, 5] };
    let how = |outcome| {
        let went = [Decision { outcome, ..decision }];
        let went = Went {
            begin: 0,
            decisions: &went,
            losses: &[],
            ending: &ending(End::Returned),
            truncated: false,
        };
        compare(&predicted, &went).map(|divergence| divergence.kind.how)
    };
    assert_eq!(how(6), None);
    assert_eq!(how(4), Some(How::Unchanged));
    assert_eq!(how(5), Some(How::OtherOutcome));
}

#[test]
fn a_violation_needs_no_record() {
    let mut decisions = path(&[(0, 1), (1, 0)]);
    decisions[1].kind = DecisionKind::Check;
    let (before, decision) = (&decisions[..1], decisions[1]);
    let predicted = Prediction { before, at: 1, decision, goal: Goal::Take(1), seen: &[] };
    let diverges = |site, length: usize| {
        let ending = Ending { site: Some(key(site)), ..ending(End::Violation) };
        let went = &decisions[..length];
        compare(
            &predicted,
            &Went { begin: 0, decisions: went, losses: &[], ending: &ending, truncated: false },
        )
    };
    assert_eq!(diverges(1, 1), None);
    assert_eq!(diverges(2, 1).map(|divergence| divergence.kind.how), Some(How::Shorter));
    assert_eq!(diverges(1, 0).map(|divergence| divergence.kind.how), Some(How::Shorter));
}
