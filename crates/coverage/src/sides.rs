//! The sides of the branches in site tables, and the counters that stand for them.

use model::sites::{SiteKind, SiteTable};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use wire::{FunctionKey, SiteKey};

/// One outcome of one branch of the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Side {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Which of several branches at this place (macros), in block order within the function.
    pub index: u32,
    /// 0 = false, 1 = true; of a switch 0 = default, i + 1 = case i.
    pub side: u32,
}

/// All sides of a set of translation units.
#[derive(Default)]
pub struct Sides {
    by_counter: HashMap<SiteKey, Side>,
    by_function: BTreeMap<FunctionKey, Vec<Side>>,
}

impl Sides {
    /// `name` turns the file names of the debug information into those that reports show.
    pub fn new<'a>(tables: impl IntoIterator<Item = &'a SiteTable>, name: impl Fn(&str) -> String) -> Sides {
        let mut sides = Sides::default();
        for table in tables {
            let mut seen: HashMap<(u32, String, u32, u32), u32> = HashMap::new();
            for site in &table.sites {
                let of_program =
                    table.functions.get(site.function as usize).is_some_and(|function| function.of_program);
                let (counter, outcomes) = match &site.kind {
                    SiteKind::Branch { counter, .. } => (*counter, 2),
                    SiteKind::Switch { counter, cases, .. } => (*counter, cases.len() as u32 + 1),
                    _ => continue,
                };
                if !of_program || counter == u32::MAX {
                    continue;
                }
                let file = name(&site.file);
                let (line, column) = site.shown_at();
                let index = seen.entry((site.function, file.clone(), line, column)).or_default();
                for side in 0..outcomes {
                    let place = Side { file: file.clone(), line, column, index: *index, side };
                    sides.by_counter.insert(SiteKey { tu: table.tu, site: counter + side }, place.clone());
                    sides.by_function.entry(table.function_key(site.function)).or_default().push(place);
                }
                *index += 1;
            }
        }
        sides
    }

    /// The side that a coverage counter stands for.
    pub fn of_counter(&self, counter: SiteKey) -> Option<&Side> {
        self.by_counter.get(&counter)
    }

    pub fn of_function(&self, function: FunctionKey) -> &[Side] {
        self.by_function.get(&function).map_or(&[], |sides| sides.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::sites::{FunctionSites, Site};

    fn function(of_program: bool) -> FunctionSites {
        FunctionSites {
            name: "f".into(),
            file: "/p/a.c".into(),
            line: 1,
            of_program,
            blocks: vec![],
            block_lines: vec![],
            calls: vec![],
        }
    }

    fn site(function: u32, line: u32, kind: SiteKind) -> Site {
        Site { function, block: 0, file: "/p/a.c".into(), line, column: 3, condition: None, kind }
    }

    #[test]
    fn branches_of_the_program_have_sides_and_nothing_else_has() {
        let table = SiteTable {
            tu: 9,
            functions: vec![function(true), function(false)],
            sites: vec![
                site(0, 4, SiteKind::Branch { counter: 0, successors: [1, 2] }),
                site(0, 4, SiteKind::Branch { counter: 2, successors: [1, 2] }),
                site(0, 5, SiteKind::Check { class: wire::Class::OutOfBounds }),
                site(0, 6, SiteKind::Switch { counter: 4, cases: vec![7, 8], successors: vec![1, 2, 3] }),
                site(1, 7, SiteKind::Branch { counter: 7, successors: [1, 2] }),
            ],
            counters: 9,
            ..SiteTable::default()
        };
        let sides = Sides::new([&table], |file| file.trim_start_matches("/p/").to_owned());
        let of_f = sides.of_function(table.function_key(0));
        assert_eq!(of_f.len(), 2 + 2 + 3);
        assert_eq!(sides.of_function(table.function_key(1)).len(), 0);
        let second = sides.of_counter(SiteKey { tu: 9, site: 3 }).unwrap();
        assert_eq!((second.file.as_str(), second.line, second.index, second.side), ("a.c", 4, 1, 1));
        assert!(sides.of_counter(SiteKey { tu: 9, site: 7 }).is_none());
    }

    #[test]
    fn sides_are_where_their_condition_is() {
        let branch = |counter, condition| Site {
            condition,
            ..site(0, 4, SiteKind::Branch { counter, successors: [1, 2] })
        };
        let table = SiteTable {
            functions: vec![function(true)],
            sites: vec![branch(0, Some((4, 3))), branch(2, Some((5, 9))), branch(4, None)],
            counters: 6,
            ..SiteTable::default()
        };
        let sides = Sides::new([&table], |file| file.to_owned());
        let place = |counter| {
            let side = sides.of_counter(SiteKey { tu: 0, site: counter }).unwrap();
            (side.line, side.column, side.index)
        };
        assert_eq!([place(1), place(3), place(5)], [(4, 3, 0), (5, 9, 0), (4, 3, 1)]);
    }
}
