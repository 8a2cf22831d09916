//! Which translation units are linked together.
//!
//! The database does not say, so it is found as a linker would find it: from each `main`, the units that
//! define what is still undefined. Of several definitions the nearest by path is taken; one that would
//! bring a second definition of something (another `main` above all) is never taken. Units that no
//! `main` reaches form libraries.

use crate::database::CompileCommand;
use crate::library::Library;
use crate::parse::ParsedUnit;
use crate::paths::shared_prefix;
use crate::program::{FunctionId, Image, ImageId, Program, UnitFileId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;

/// What each unit defines for, and wants from, the others.
pub(crate) struct Symbols {
    units: Vec<UnitSymbols>,
    definers: HashMap<String, Vec<UnitFileId>>,
}

struct UnitSymbols {
    path: PathBuf,
    exports: BTreeMap<String, bool>,
    imports: Vec<String>,
    weak_imports: BTreeSet<String>,
    common: bool,
}

pub(crate) fn symbols(units: &[(CompileCommand, ParsedUnit)]) -> Symbols {
    let mut definers: HashMap<String, Vec<UnitFileId>> = HashMap::new();
    let mut all = Vec::new();
    for (index, (command, unit)) in units.iter().enumerate() {
        for name in unit.exports.keys() {
            definers.entry(name.clone()).or_default().push(UnitFileId(index as u32));
        }
        all.push(UnitSymbols {
            path: command.path.clone(),
            exports: unit.exports.clone(),
            imports: unit.imports.clone(),
            weak_imports: unit.weak_imports.clone(),
            common: command.flags.iter().any(|flag| flag == "-fcommon"),
        });
    }
    Symbols { units: all, definers }
}

impl Symbols {
    fn unit(&self, id: UnitFileId) -> &UnitSymbols {
        &self.units[id.index()]
    }

    fn has_main(&self, id: UnitFileId) -> bool {
        self.unit(id).exports.contains_key("main")
    }

    fn definers(&self, name: &str) -> &[UnitFileId] {
        self.definers.get(name).map_or(&[], Vec::as_slice)
    }

    /// The definition that `from` most likely means: strong, in the same directory, on the longest common
    /// path with it, and then with `home` (where the program's `main` is), in a unit without a `main`,
    /// first in the database.
    fn best(
        &self,
        candidates: &[UnitFileId],
        name: &str,
        from: UnitFileId,
        home: UnitFileId,
    ) -> Option<UnitFileId> {
        let here = &self.unit(from).path;
        let home = &self.unit(home).path;
        candidates.iter().copied().min_by_key(|id| {
            let unit = self.unit(*id);
            let weak = unit.exports.get(name).copied().unwrap_or(false);
            let elsewhere = unit.path.parent() != here.parent();
            let near = |path| Reverse(shared_prefix(&unit.path, path));
            (weak, elsewhere, near(here), near(home), self.has_main(*id), *id)
        })
    }

    /// For the call graph, where no image is known.
    pub(crate) fn nearest_definition(&self, from: UnitFileId, name: &str) -> Option<UnitFileId> {
        let all = self.definers(name);
        let without_main: Vec<UnitFileId> = all.iter().copied().filter(|id| !self.has_main(*id)).collect();
        self.best(&without_main, name, from, from).or_else(|| self.best(all, name, from, from))
    }
}

/// An image while it grows.
struct Link<'a> {
    symbols: &'a Symbols,
    files: BTreeSet<UnitFileId>,
    /// Strong definitions so far.
    defined: HashSet<&'a str>,
    weak: HashSet<&'a str>,
}

impl<'a> Link<'a> {
    fn new(symbols: &'a Symbols) -> Self {
        Link { symbols, files: BTreeSet::new(), defined: HashSet::new(), weak: HashSet::new() }
    }

    fn conflicts(&self, id: UnitFileId) -> bool {
        let unit = self.symbols.unit(id);
        !unit.common && unit.exports.iter().any(|(name, weak)| !weak && self.defined.contains(name.as_str()))
    }

    fn add(&mut self, id: UnitFileId) {
        self.files.insert(id);
        for (name, weak) in &self.symbols.unit(id).exports {
            if *weak {
                self.weak.insert(name)
            } else {
                self.defined.insert(name)
            };
        }
    }

    fn defines(&self, name: &str) -> bool {
        self.defined.contains(name) || self.weak.contains(name)
    }

    /// Adds units until nothing more can be resolved. What has one definition comes first, because that may
    /// settle what has several.
    fn close(&mut self, home: UnitFileId) {
        let symbols = self.symbols;
        let wants = |id: UnitFileId| symbols.unit(id).imports.iter().map(move |name| (id, name.as_str()));
        let mut open: VecDeque<(UnitFileId, &str)> = self.files.iter().flat_map(|id| wants(*id)).collect();
        let mut ambiguous: VecDeque<(UnitFileId, &str)> = VecDeque::new();
        loop {
            let (from, name, decide) = match (open.pop_front(), ambiguous.front()) {
                (Some((from, name)), _) => (from, name, false),
                (None, Some(&(from, name))) => (from, name, true),
                (None, None) => return,
            };
            let candidates: Vec<UnitFileId> = if self.defines(name) {
                Vec::new()
            } else {
                let fits = |id: &UnitFileId| !symbols.has_main(*id) && !self.conflicts(*id);
                symbols.definers(name).iter().copied().filter(fits).collect()
            };
            if candidates.len() > 1 && !decide {
                ambiguous.push_back((from, name));
                continue;
            }
            if decide {
                ambiguous.pop_front();
            }
            if let Some(found) = symbols.best(&candidates, name, from, home) {
                self.add(found);
                open.extend(wants(found));
            }
        }
    }
}

pub(crate) fn group(program: &Program, symbols: &Symbols, library: &Library) -> Vec<Image> {
    let ids: Vec<UnitFileId> = program.files.iter().map(|file| file.id).collect();
    let mut links: Vec<(Option<UnitFileId>, Link<'_>)> = Vec::new();
    let mut reached: BTreeSet<UnitFileId> = BTreeSet::new();
    for main in ids.iter().copied().filter(|id| symbols.has_main(*id)) {
        let mut link = Link::new(symbols);
        link.add(main);
        link.close(main);
        reached.extend(&link.files);
        links.push((Some(main), link));
    }
    let mut libraries: Vec<Link<'_>> = Vec::new();
    for id in ids.iter().copied().filter(|id| !reached.contains(id)) {
        let place = libraries.iter().position(|link| !link.conflicts(id)).unwrap_or_else(|| {
            libraries.push(Link::new(symbols));
            libraries.len() - 1
        });
        libraries[place].add(id);
    }
    for link in &mut libraries {
        if let Some(home) = link.files.first().copied() {
            link.close(home);
        }
    }
    links.extend(libraries.into_iter().map(|link| (None, link)));

    let mut names = Names::default();
    links
        .into_iter()
        .enumerate()
        .map(|(index, (main, link))| Image {
            id: ImageId(index as u32),
            name: names.unique(main.map(|id| stem(program, id)).unwrap_or_else(|| "library".into())),
            main: main.and_then(|file| main_function(program, file)),
            undefined: undefined(&link, library),
            files: link.files.into_iter().collect(),
        })
        .collect()
}

fn stem(program: &Program, id: UnitFileId) -> String {
    let path = &program.file(id).path;
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_else(|| "program".into())
}

fn main_function(program: &Program, file: UnitFileId) -> Option<FunctionId> {
    program.functions.iter().find(|f| f.file == file && f.name == "main").map(|f| f.id)
}

fn undefined(link: &Link<'_>, library: &Library) -> Vec<(String, UnitFileId)> {
    let mut seen = HashSet::new();
    let mut undefined = Vec::new();
    for file in &link.files {
        let unit = link.symbols.unit(*file);
        for name in unit.imports.iter().filter(|name| !unit.weak_imports.contains(*name)) {
            if !link.defines(name) && !library.defines(name) && seen.insert(name) {
                undefined.push((name.clone(), *file));
            }
        }
    }
    undefined
}

/// Several programs may call their main file `main.c`.
#[derive(Default)]
struct Names {
    used: HashSet<String>,
}

impl Names {
    fn unique(&mut self, name: String) -> String {
        let mut candidate = name.clone();
        let mut number = 2;
        while !self.used.insert(candidate.clone()) {
            candidate = format!("{name}-{number}");
            number += 1;
        }
        candidate
    }
}
