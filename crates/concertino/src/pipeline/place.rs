//! Where in the program a fault belongs: its own line, the innermost frame of the program when it happened in
//! a model or the runtime, the loop that does not end, the call that recurs.

use crate::job::UnitJob;
use alarm::{Frame, Symbolizer};
use execute::Ending;
use explore::{CandidateAlarm, Place};
use model::dominators::Dominators;
use model::sites::{FunctionSites, Site, SiteKind, SiteTable};
use std::collections::{BTreeMap, BTreeSet};
use wire::{End, SiteKey};

pub(super) struct Places<'a> {
    job: &'a UnitJob,
    tables: &'a [SiteTable],
    image_base: u64,
    symbols: Option<Symbolizer>,
}

impl<'a> Places<'a> {
    pub(super) fn new(job: &'a UnitJob, tables: &'a [SiteTable], image_base: u64) -> Places<'a> {
        Places { job, tables, image_base, symbols: Symbolizer::open(&job.image) }
    }

    /// None: nothing but the function under test can be named.
    pub(super) fn of(&self, found: &CandidateAlarm<execute::Input>) -> Option<Frame> {
        let innermost = || self.frames(&found.ending).into_values().next();
        match found.place {
            Place::Site(key) => self.site(key).or_else(innermost),
            Place::Address(_) => innermost(),
            Place::Unit if found.ending.end == End::StackOverflow => {
                self.recursion(&found.ending).or_else(innermost)
            }
            Place::Unit => self.endless_loop(&found.ending),
        }
    }

    fn site(&self, key: SiteKey) -> Option<Frame> {
        let table = self.tables.iter().find(|table| table.tu == key.tu)?;
        let site = table.sites.get(key.site as usize)?;
        let function = table.functions.get(site.function as usize)?.name.clone();
        let frame = Frame { function, file: site.file.clone(), line: site.line, column: site.column };
        self.job.is_of_program(&frame.file).then_some(frame)
    }

    /// The program's frames by their depth, innermost first.
    fn frames(&self, ending: &Ending) -> BTreeMap<usize, Frame> {
        let Some(symbols) = &self.symbols else { return BTreeMap::new() };
        let places = ending.stack.iter().map(|address| symbols.place(address.checked_sub(self.image_base)?));
        let known = places.enumerate().filter_map(|(depth, place)| Some((depth, place?)));
        known.filter(|(_, place)| self.job.is_of_program(&place.file)).collect()
    }

    /// Where time ran out is chance; the loop around it is not, or less so. Functions without a loop are
    /// what the loop calls.
    fn endless_loop(&self, ending: &Ending) -> Option<Frame> {
        self.frames(ending).into_values().find_map(|frame| {
            let (function, sites) = self.function(&frame)?;
            let line = loop_at(function, &sites, frame.line)?;
            let column = if line == frame.line { frame.column } else { 0 };
            Some(Frame { line, column, ..frame })
        })
    }

    fn function(&self, frame: &Frame) -> Option<(&FunctionSites, Vec<&Site>)> {
        self.tables.iter().find_map(|table| {
            let is_it = |f: &FunctionSites| f.of_program && f.name == frame.function && f.file == frame.file;
            let number = table.functions.iter().position(is_it)?;
            let own = table.sites.iter().filter(|site| site.function as usize == number).collect();
            Some((&table.functions[number], own))
        })
    }

    /// Which call of a recursion is one too many is chance; of the calls that repeat, the first in the source
    /// is taken.
    fn recursion(&self, ending: &Ending) -> Option<Frame> {
        let repeats = |depth: &usize| {
            let address = ending.stack.get(*depth);
            ending.stack.iter().filter(|other| Some(*other) == address).count() > 1
        };
        self.frames(ending)
            .into_iter()
            .filter(|(depth, _)| repeats(depth))
            .map(|(_, frame)| frame)
            .min_by(|left, right| (&left.file, left.line).cmp(&(&right.file, right.line)))
    }
}

/// The line of the innermost loop around a line: where it can be left, else where it begins. None if the
/// function has no loop.
fn loop_at(function: &FunctionSites, sites: &[&Site], line: u32) -> Option<u32> {
    let mut best: Option<(u32, u32)> = None;
    let loops = natural_loops(&function.blocks);
    for body in &loops {
        let inside: Vec<&&Site> = sites.iter().filter(|site| body.contains(&site.block)).collect();
        let lines = || inside.iter().map(|site| site.line).filter(|line| *line > 0);
        let (Some(first), Some(last)) = (lines().min(), lines().max()) else { continue };
        if !(first..=last).contains(&line) {
            continue;
        }
        let exits = inside.iter().filter(|site| leaves(site, body)).map(|site| site.line);
        let candidate = (last - first, exits.min().unwrap_or(first));
        best = Some(best.map_or(candidate, |best| best.min(candidate)));
    }
    best.map(|(_, line)| line).or((!loops.is_empty()).then_some(line))
}

fn leaves(site: &Site, body: &BTreeSet<u32>) -> bool {
    match &site.kind {
        SiteKind::Branch { successors, .. } => successors.iter().any(|block| !body.contains(block)),
        SiteKind::Switch { successors, .. } => successors.iter().any(|block| !body.contains(block)),
        _ => false,
    }
}

/// The blocks of each loop: those from which a jump back is reached without passing its target.
fn natural_loops(successors: &[Vec<u32>]) -> Vec<BTreeSet<u32>> {
    let dominators = Dominators::of(successors);
    let mut loops: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for (from, targets) in (0..).zip(successors) {
        for &head in targets.iter().filter(|head| dominators.dominates(**head as usize, from as usize)) {
            let body = loops.entry(head).or_insert_with(|| BTreeSet::from([head]));
            let mut open = vec![from];
            while let Some(block) = open.pop() {
                if body.insert(block) {
                    let before = (0..).zip(successors).filter(|(_, after)| after.contains(&block));
                    open.extend(before.map(|(block, _)| block));
                }
            }
        }
    }
    loops.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(block: u32, line: u32, successors: [u32; 2]) -> Site {
        let kind = SiteKind::Branch { counter: 0, successors };
        Site { function: 0, block, file: "a.c".into(), line, column: 1, condition: None, kind }
    }

    fn function(blocks: &[&[u32]]) -> FunctionSites {
        FunctionSites {
            name: "f".into(),
            file: "a.c".into(),
            line: 1,
            of_program: true,
            blocks: blocks.iter().map(|block| block.to_vec()).collect(),
            block_lines: Vec::new(),
            calls: Vec::new(),
        }
    }

    #[test]
    fn the_loop_around_a_line() {
        // 0 -> 1 (outer head, line 3) -> 2 (inner head, line 4) -> 3 (body, line 5) -> 2; 2 -> 1; 1 -> 4
        let nested = function(&[&[1], &[2, 4], &[3, 1], &[2], &[]]);
        let body = Site { kind: SiteKind::Store, ..branch(3, 5, [0, 0]) };
        let sites = [branch(1, 3, [4, 2]), branch(2, 4, [1, 3]), body];
        let sites: Vec<&Site> = sites.iter().collect();
        assert_eq!(loop_at(&nested, &sites, 5), Some(4));
        assert_eq!(loop_at(&nested, &sites, 3), Some(3));
        assert_eq!(loop_at(&function(&[&[1], &[]]), &[], 2), None);
        assert_eq!(loop_at(&function(&[&[1], &[1]]), &[], 7), Some(7), "nothing is known about its lines");
    }
}
