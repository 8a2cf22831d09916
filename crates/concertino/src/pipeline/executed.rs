//! Which lines an exploration executed, by the sides that it took: whatever stands in a block that such a side leads to,
//! or that nothing can leave on the way to.

use explore::Counter;
use model::sites::{SiteKind, SiteTable};
use std::collections::BTreeSet;
use wire::FunctionKey;

pub(super) struct Executed<'t> {
    tables: &'t [SiteTable],
    /// Table, function, block.
    blocks: BTreeSet<(u32, u32, u32)>,
}

impl<'t> Executed<'t> {
    /// `entered`: a function that was, even if it has no branch.
    pub(super) fn new(
        tables: &'t [SiteTable],
        covered: &[Counter],
        entered: Option<FunctionKey>,
    ) -> Executed<'t> {
        let covered: BTreeSet<Counter> = covered.iter().copied().collect();
        let mut found = Executed { tables, blocks: BTreeSet::new() };
        if let Some(FunctionKey { tu, function }) = entered {
            found.go_on(tu, function, 0);
        }
        for table in tables {
            for site in &table.sites {
                let (counter, successors) = match &site.kind {
                    SiteKind::Branch { counter, successors } => (*counter, successors.as_slice()),
                    SiteKind::Switch { counter, successors, .. } => (*counter, successors.as_slice()),
                    _ => continue,
                };
                for (side, block) in (0u32..).zip(successors) {
                    if covered.contains(&Counter { tu: table.tu, index: counter + side }) {
                        found.go_on(table.tu, site.function, *block);
                        found.go_on(table.tu, site.function, 0);
                    }
                }
            }
        }
        found
    }

    /// The block, and those that nothing but it decides about.
    fn go_on(&mut self, tu: u32, function: u32, block: u32) {
        let Some(table) = self.tables.iter().find(|table| table.tu == tu) else { return };
        let Some(code) = table.functions.get(function as usize) else { return };
        let mut next = Some(block);
        while let Some(block) = next.filter(|block| self.blocks.insert((tu, function, *block))) {
            next = match code.blocks.get(block as usize).map(Vec::as_slice) {
                Some([only]) => Some(*only),
                _ => None,
            };
        }
    }

    /// Something of a line, in a file as `shown` names it.
    pub(super) fn has_line(&self, shown: &dyn Fn(&str) -> String, file: &str, line: u32) -> bool {
        let sites = self.tables.iter().flat_map(|table| table.sites.iter().map(move |site| (table.tu, site)));
        let mut here = sites.filter(|(_, site)| site.line == line && shown(&site.file) == file);
        here.any(|(tu, site)| self.blocks.contains(&(tu, site.function, site.block)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::sites::{FunctionSites, Site};

    /// Block 0 asks; 1 goes on to 3, which asks again for 4 and 5; 2 ends.
    fn table() -> SiteTable {
        let function = FunctionSites {
            name: "f".into(),
            file: "a.c".into(),
            line: 1,
            of_program: true,
            blocks: vec![vec![1, 2], vec![3], vec![], vec![4, 5], vec![], vec![]],
            block_lines: vec![1; 6],
            calls: Vec::new(),
        };
        let site = |block: u32, kind: SiteKind| Site {
            function: 0,
            block,
            file: "a.c".into(),
            line: 10 + block,
            column: 1,
            condition: None,
            kind,
        };
        let branch = |counter: u32, successors: [u32; 2]| SiteKind::Branch { counter, successors };
        let mut sites = vec![site(0, branch(0, [1, 2])), site(3, branch(2, [4, 5]))];
        sites.extend((1..6).map(|block| site(block, SiteKind::Load)));
        SiteTable { functions: vec![function], sites, counters: 4, ..SiteTable::default() }
    }

    fn lines(covered: &[u32], entered: bool) -> Vec<u32> {
        let tables = [table()];
        let covered: Vec<Counter> = covered.iter().map(|index| Counter { tu: 0, index: *index }).collect();
        let entered = entered.then_some(FunctionKey { tu: 0, function: 0 });
        let executed = Executed::new(&tables, &covered, entered);
        (10..16).filter(|line| executed.has_line(&|file| file.to_owned(), "a.c", *line)).collect()
    }

    #[test]
    fn what_taken_sides_lead_to() {
        assert!(lines(&[], false).is_empty());
        assert_eq!(lines(&[], true), [10], "up to the first branch");
        assert_eq!(lines(&[0], false), [10, 11, 13], "and on to the next one");
        assert_eq!(lines(&[0, 3], false), [10, 11, 13, 15]);
        assert_eq!(lines(&[1], false), [10, 12]);
    }
}
