use super::*;
use crate::explorer::explore;
use crate::options::Options;
use crate::simulated::{Simulated, Trace, shaped};
use crate::strategy::by_name;
use model::sites::{SiteKind, SiteTable};
use wire::log::Concretised;

/// The first condition is never true; then a loop that goes on as long as bytes are 1.
fn program(input: &[u8], trace: &mut Trace) {
    trace.branch(0, input[0] > 200);
    for byte in &input[1..] {
        if !trace.branch(1, *byte == 1) {
            break;
        }
    }
}

/// 0: if (site 0) 1; 2: while (site 1) 3; 4
fn table() -> SiteTable {
    let mut table = shaped(&[&[1, 2], &[2], &[3, 4], &[2], &[]], &[(0, 0), (1, 2)]);
    table.sites.truncate(2);
    table
}

fn concluded(subject: &mut Simulated, table: SiteTable, executions: u64) -> Conclusion {
    let tables = [table];
    let mut strategy = by_name("bfs", 1).expect("a known strategy");
    let options = Options { executions: Some(executions), ..Options::default() };
    let sites = Sites::new(&tables, None);
    let start = [vec![0; subject.length]];
    explore(subject, sites, strategy.as_mut(), &start, &options, &mut ()).conclusion
}

#[test]
fn every_path_or_every_branch_or_neither() {
    let mut subject = Simulated::new(program, 6, 2);
    let infeasible = vec![Counter { tu: crate::simulated::TU, index: 1 }];
    // One execution: the loop was not entered.
    assert_eq!(concluded(&mut subject, table(), 1).reach, Reach::Open);
    // Two: all is covered but the first condition, and no way leads back to it.
    let two = concluded(&mut subject, table(), 2);
    assert_eq!(two, Conclusion { reach: Reach::AllBranches, infeasible: infeasible.clone() });
    let all = concluded(&mut subject, table(), 100);
    assert_eq!(all, Conclusion { reach: Reach::AllPaths, infeasible });
}

#[test]
fn what_forbids_the_proof() {
    // A call in the loop that may lead anywhere: through a pointer, or of a function that may call back.
    let mut table_with_pointer = table();
    let mut call = table_with_pointer.sites[0].clone();
    (call.block, call.kind) = (3, SiteKind::Call { symbol: None });
    table_with_pointer.sites.push(call);
    assert_eq!(concluded(&mut Simulated::new(program, 6, 2), table_with_pointer, 2).reach, Reach::Open);
    for (symbol, reach) in [("qsort", Reach::Open), ("strlen", Reach::AllBranches), ("f", Reach::Open)] {
        let mut table = table();
        table.functions[0].calls = vec![(3, symbol.into())];
        assert_eq!(concluded(&mut Simulated::new(program, 6, 2), table, 2).reach, reach, "{symbol}");
    }
    // A value that was lost.
    let losing = |input: &[u8], trace: &mut Trace| {
        trace.lose(0, Concretised::InlineAssembly, false);
        program(input, trace);
    };
    assert_eq!(concluded(&mut Simulated::new(losing, 6, 2), table(), 2).reach, Reach::Open);
    // No control-flow graph.
    let mut shapeless = table();
    shapeless.functions[0].blocks.clear();
    assert_eq!(concluded(&mut Simulated::new(program, 6, 2), shapeless, 2).reach, Reach::Open);
}
