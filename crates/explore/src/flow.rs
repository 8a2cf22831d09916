//! The static shape of the program, as far as strategies ask for it: how near a side is to code that nobody ran,
//! which sides lie on every way to a place, how much code depends on a side.
//!
//! Read off the site tables: control-flow graphs and direct calls. Calls through pointers are not known here, so
//! what is said about nearness is advice, never proof.

use crate::sites::{Counter, counters};
use model::sites::{FunctionSites, Site, SiteKind, SiteTable};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::VecDeque;
use wire::{FunctionKey, SiteKey};

mod dependence;
mod dominance;
mod library;

use dependence::Dependence;
use dominance::Dominance;
pub use dominance::Spans;

/// No way leads from here to what is wanted.
pub const NEVER: u32 = u32::MAX;
/// A return may lead to any caller, so it counts like a branch that has to be taken.
const RETURN: u32 = 1;

/// A basic block, numbered through all functions.
type Block = usize;

pub struct Flow {
    /// By translation unit and number.
    places: FxHashMap<u32, Vec<Place>>,
    bodies: Vec<Body>,
    /// For each block the blocks before it, and the number of branches that the step takes.
    before: Vec<Vec<(u32, u32)>>,
    /// Blocks that end in a branch of the source, with its counters.
    deciding: Vec<(Block, u32, std::ops::Range<u32>)>,
    /// Blocks with a call that may lead anywhere: through a pointer, or of a function without a body.
    opaque: Vec<Block>,
}

/// Where a site is.
struct Place {
    body: usize,
    block: u32,
    /// Of a branch or a switch, by outcome: which of the block's successors, and its number.
    sides: Vec<(u32, u32)>,
}

/// A function.
struct Body {
    /// The number of its block 0.
    first: Block,
    blocks: Vec<Vec<u32>>,
    /// Lines of code by block.
    lines: Vec<u32>,
    /// By block: the body that is called.
    calls: Vec<(u32, usize)>,
    dominance: OnceCell<Dominance>,
    dependence: OnceCell<Dependence>,
}

impl Flow {
    pub fn new<'a>(tables: impl Iterator<Item = &'a SiteTable>) -> Flow {
        let mut tables: Vec<&SiteTable> = tables.collect();
        tables.sort_by_key(|table| table.tu);
        let mut flow = Flow {
            places: FxHashMap::default(),
            bodies: Vec::new(),
            before: Vec::new(),
            deciding: Vec::new(),
            opaque: Vec::new(),
        };
        let mut body_of = FxHashMap::default();
        for table in &tables {
            for (number, function) in table.functions.iter().enumerate() {
                body_of.insert(table.function_key(number as u32), flow.add_body(function));
            }
        }
        let anywhere: FxHashMap<&str, FunctionKey> = tables.iter().flat_map(|table| named(table)).collect();
        for table in &tables {
            flow.add_calls(table, &anywhere, &body_of);
        }
        flow.connect();
        for table in &tables {
            flow.add_places(table, &body_of);
        }
        flow
    }

    /// For each block the fewest branches to take until a wanted side is taken. A call leads into the callee and
    /// back to any caller.
    pub fn distances(&self, is_wanted: impl Fn(Counter) -> bool) -> Distances {
        self.distances_to(self.wanted(is_wanted).collect())
    }

    /// The same if any call that may lead anywhere leads to what is wanted: `NEVER` is proof then.
    pub fn possible_distances(&self, is_wanted: impl Fn(Counter) -> bool) -> Distances {
        self.distances_to(self.wanted(is_wanted).chain(self.opaque.iter().copied()).collect())
    }

    fn wanted(&self, is_wanted: impl Fn(Counter) -> bool) -> impl Iterator<Item = Block> {
        self.deciding.iter().filter_map(move |(block, tu, counters)| {
            counters.clone().any(|index| is_wanted(Counter { tu: *tu, index })).then_some(*block)
        })
    }

    fn distances_to(&self, targets: Vec<Block>) -> Distances {
        let mut distances = vec![NEVER; self.before.len()];
        let mut work = VecDeque::new();
        for block in targets {
            distances[block] = 1;
            work.push_back((block, 1));
        }
        while let Some((block, distance)) = work.pop_front() {
            if distances[block] < distance {
                continue;
            }
            for &(before, weight) in &self.before[block] {
                let before = before as Block;
                let farther = distance.saturating_add(weight);
                if farther < distances[before] {
                    distances[before] = farther;
                    match weight {
                        0 => work.push_front((before, farther)),
                        _ => work.push_back((before, farther)),
                    }
                }
            }
        }
        Distances(distances)
    }

    /// The fewest further branches to take after this side until a wanted one is taken.
    pub fn distance(&self, distances: &Distances, site: SiteKey, outcome: u64) -> u32 {
        self.side(site, outcome).map_or(NEVER, |(place, (_, target))| {
            distances.0[self.bodies[place.body].first + target as usize]
        })
    }

    /// The same from the place itself, whatever is decided there.
    pub fn distance_from(&self, distances: &Distances, site: SiteKey) -> u32 {
        self.place(site)
            .map_or(NEVER, |place| distances.0[self.bodies[place.body].first + place.block as usize])
    }

    /// Whether the site is in a graph, and whether this side of it is.
    pub fn has(&self, site: SiteKey) -> bool {
        self.place(site).is_some()
    }

    pub fn has_side(&self, site: SiteKey, outcome: u64) -> bool {
        self.side(site, outcome).is_some()
    }

    /// For questions about which sides lie on every way to a place; to be kept by whoever asks often.
    pub fn spans(&self, site: SiteKey) -> Spans {
        let Some(place) = self.place(site) else { return Spans::default() };
        let body = &self.bodies[place.body];
        let dominance = body.dominance.get_or_init(|| Dominance::of(&body.blocks));
        dominance.spans(place.body as u32, place.block, place.sides.iter().map(|side| side.0))
    }

    /// Lines of code that run only if this side is taken, or a branch that runs only if it is, and so on;
    /// functions called from there with all that they call.
    pub fn statements(&self, site: SiteKey, outcome: u64) -> u32 {
        let Some((place, (choice, _))) = self.side(site, outcome) else { return 0 };
        let body = &self.bodies[place.body];
        let dependence = body.dependence.get_or_init(|| Dependence::of(&body.blocks));
        let mut lines = 0u32;
        let mut called = Vec::new();
        for block in dependence.transitive(place.block, choice) {
            lines = lines.saturating_add(body.lines.get(block as usize).copied().unwrap_or(0));
            called.extend(body.calls.iter().filter(|call| call.0 == block).map(|call| call.1));
        }
        let mut seen = vec![false; self.bodies.len()];
        while let Some(callee) = called.pop() {
            if !std::mem::replace(&mut seen[callee], true) {
                let callee = &self.bodies[callee];
                lines = callee.lines.iter().fold(lines, |sum, n| sum.saturating_add(*n));
                called.extend(callee.calls.iter().map(|call| call.1));
            }
        }
        lines
    }

    fn place(&self, key: SiteKey) -> Option<&Place> {
        self.places.get(&key.tu)?.get(key.site as usize).filter(|place| place.body != usize::MAX)
    }

    fn side(&self, key: SiteKey, outcome: u64) -> Option<(&Place, (u32, u32))> {
        let place = self.place(key)?;
        Some((place, *place.sides.get(usize::try_from(outcome).ok()?)?))
    }

    fn add_body(&mut self, function: &FunctionSites) -> usize {
        let first = self.before.len();
        self.before.resize_with(first + function.blocks.len(), Vec::new);
        self.bodies.push(Body {
            first,
            blocks: function.blocks.clone(),
            lines: function.block_lines.clone(),
            calls: Vec::new(),
            dominance: OnceCell::new(),
            dependence: OnceCell::new(),
        });
        self.bodies.len() - 1
    }

    /// A name means the function of the same file before one of another file.
    fn add_calls(
        &mut self,
        table: &SiteTable,
        anywhere: &FxHashMap<&str, FunctionKey>,
        body_of: &FxHashMap<FunctionKey, usize>,
    ) {
        let here: FxHashMap<&str, FunctionKey> = named(table).collect();
        for (number, function) in table.functions.iter().enumerate() {
            let Some(&caller) = body_of.get(&table.function_key(number as u32)) else { continue };
            for (block, name) in
                function.calls.iter().filter(|call| (call.0 as usize) < function.blocks.len())
            {
                let callee = here.get(name.as_str()).or_else(|| anywhere.get(name.as_str()));
                let callee = callee.and_then(|callee| body_of.get(callee));
                match callee {
                    Some(&callee) => self.bodies[caller].calls.push((*block, callee)),
                    None if library::returns_plainly(name) => {}
                    None => self.opaque.push(self.bodies[caller].first + *block as usize),
                }
            }
        }
    }

    fn connect(&mut self) {
        for body in &self.bodies {
            for (block, successors) in body.blocks.iter().enumerate() {
                let weight = u32::from(successors.len() > 1);
                for successor in successors.iter().filter(|s| (**s as usize) < body.blocks.len()) {
                    self.before[body.first + *successor as usize].push(((body.first + block) as u32, weight));
                }
            }
            for &(block, callee) in &body.calls {
                let callee = &self.bodies[callee];
                if callee.blocks.is_empty() {
                    continue;
                }
                let call = body.first + block as usize;
                self.before[callee.first].push((call as u32, 0));
                for (end, _) in callee.blocks.iter().enumerate().filter(|(_, to)| to.is_empty()) {
                    self.before[call].push(((callee.first + end) as u32, RETURN));
                }
            }
        }
    }

    fn add_places(&mut self, table: &SiteTable, body_of: &FxHashMap<FunctionKey, usize>) {
        let places = table.sites.iter().map(|site| {
            let body = body_of.get(&table.function_key(site.function)).copied();
            let body = body.filter(|body| (site.block as usize) < self.bodies[*body].blocks.len());
            let Some(body) = body else { return Place { body: usize::MAX, block: 0, sides: Vec::new() } };
            let block = self.bodies[body].first + site.block as usize;
            if matches!(site.kind, SiteKind::Call { symbol: None }) {
                self.opaque.push(block);
            }
            if !counters(site).is_empty() {
                self.deciding.push((block, table.tu, counters(site)));
            }
            Place { body, block: site.block, sides: sides(site, &self.bodies[body].blocks) }
        });
        let places = places.collect();
        self.places.insert(table.tu, places);
    }
}

/// The functions of a file by name.
fn named(table: &SiteTable) -> impl Iterator<Item = (&str, FunctionKey)> {
    table
        .functions
        .iter()
        .zip(0..)
        .map(|(function, number)| (function.name.as_str(), table.function_key(number)))
}

/// By outcome: which of the block's successors, and its number. Empty where table and graph do not agree.
fn sides(site: &Site, blocks: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let targets: Vec<u32> = match &site.kind {
        SiteKind::Branch { successors, .. } => successors.to_vec(),
        SiteKind::Switch { successors, .. } => successors.clone(),
        _ => return Vec::new(),
    };
    let successors = &blocks[site.block as usize];
    let sides = targets.iter().enumerate().map(|(outcome, &target)| {
        // The graph lists the true side of a branch first, the site its false side.
        let listed = if let SiteKind::Branch { .. } = site.kind { 1 - outcome } else { outcome };
        let choice = match successors.get(listed) == Some(&target) {
            true => listed,
            false => successors.iter().position(|successor| *successor == target)?,
        };
        ((target as usize) < blocks.len()).then_some((choice as u32, target))
    });
    sides.collect::<Option<_>>().unwrap_or_default()
}

/// By block; see [`Flow::distances`].
pub struct Distances(Vec<u32>);

#[cfg(test)]
mod tests;
