//! How far a driver follows pointers: through members that the tested code reads as far as types go, through others
//! `pointer-depth` deep. What is read is told by member, not by object: of two lists of the same type, both are
//! followed. Where members lead back to where they come from, as in lists and trees, there are about `pointer-depth`
//! objects in a row.

use crate::names;
use crate::options::Options;
use crate::preconditions::{is_length, is_length_in_bytes};
use crate::ranges::common_part;
use crate::types::Rule;
use crate::writer::Writer;
use model::{Callee, Field, Function, FunctionId, Param, RecordId, TranslationUnit, TypeId, TypeKind};
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

/// Pointers in a row, at most, unless the user wants more.
const FARTHEST: u32 = 8;
/// The same for what stubs return: who reads that is not known when the stub is written.
const FARTHEST_OF_STUBS: u32 = 5;
/// Calls into other files that are followed to see what is read there: callees further away are rarely real.
const CALLS: usize = 3;
/// The table for stubs, and for objects that are made for other files.
pub(crate) const ANYBODY: &str = "ctn_reads_anybody";

/// Members that are pointers, and the records that lead from what they point to back to the record they are in; None
/// where nothing does.
type Ways<'a> = BTreeMap<(RecordId, &'a str), Option<u32>>;

/// The members that some code reads, and the records that it takes several of from one pointer.
#[derive(Debug, Default)]
pub(crate) struct Reads<'a> {
    members: Ways<'a>,
    several: BTreeSet<RecordId>,
    /// Pointers in a row that are followed.
    pub(crate) farthest: u32,
    /// What a round costs that leads back, and a step through a member that is not read.
    round: u32,
    unread: u32,
    /// Slots of a record by the pointers that are followed from it, once asked.
    pub(crate) slots: RefCell<HashMap<(RecordId, u32), u64>>,
}

impl<'a> Reads<'a> {
    fn new(members: Ways<'a>, several: BTreeSet<RecordId>, farthest: u32, options: &Options) -> Reads<'a> {
        let depth = options.depth;
        let all = if depth == 0 { 0 } else { FARTHEST.max(depth) };
        Reads {
            members,
            several,
            farthest: if depth == 0 { 0 } else { farthest.max(depth) },
            round: all.saturating_sub(1).checked_div(depth).unwrap_or(0),
            unread: all - depth,
            slots: RefCell::default(),
        }
    }

    /// What following a member costs beside the one step that every pointer costs.
    pub(crate) fn cost(&self, record: RecordId, member: &str) -> u32 {
        self.read(record, member).unwrap_or(self.unread)
    }

    /// The same where the member is read: a list of `depth` objects uses up what there is, and so do as many rounds
    /// through several records.
    fn read(&self, record: RecordId, member: &str) -> Option<u32> {
        let way = self.members.get(&(record, member))?;
        Some(way.map_or(0, |records| self.round / (records + 1)))
    }

    /// There may be more than one object of this type behind a pointer.
    pub(crate) fn are_several(&self, record: RecordId) -> bool {
        self.several.contains(&record)
    }

    pub(crate) fn is_read(&self, record: RecordId, member: &str) -> bool {
        self.members.contains_key(&(record, member))
    }
}

impl<'a> Writer<'a> {
    /// What the unit of a function reads, with the callees in other files that are likely to be real.
    pub(crate) fn reads_of(&self, entry: &Function) -> Rc<Reads<'a>> {
        let mut unit: BTreeSet<FunctionId> = self.unit_of(entry).iter().map(|part| part.id).collect();
        let mut border: Vec<FunctionId> = unit.iter().copied().collect();
        for _ in 0..CALLS {
            let callees = border.iter().flat_map(|id| &self.function(*id).calls);
            let defined = callees.filter_map(|callee| match callee {
                Callee::Defined(id) => Some(*id),
                Callee::External(_) => None,
            });
            border = defined.filter(|id| unit.insert(*id)).collect();
        }
        self.reads_by(unit.into_iter().map(|id| self.function(id)), FARTHEST)
    }

    /// What any function of the program reads.
    pub(crate) fn reads_of_anybody(&self) -> Rc<Reads<'a>> {
        self.reads_by(self.program.functions.iter(), FARTHEST_OF_STUBS)
    }

    fn reads_by(&self, functions: impl Iterator<Item = &'a Function>, farthest: u32) -> Rc<Reads<'a>> {
        let mut read: BTreeSet<(RecordId, &'a str)> = BTreeSet::new();
        let mut several = BTreeSet::new();
        for function in functions {
            let home = self.program.file(function.file);
            let counted = self.counted(home, function);
            several.extend(counted.into_iter().filter_map(|record| self.known_here(home, record)));
            for (record, member) in &function.pointer_reads {
                let field = home.record(*record).fields.get(*member as usize);
                let Some(name) = field.and_then(|field| field.name.as_deref()) else { continue };
                read.extend(self.known_here(home, *record).map(|here| (here, name)));
            }
        }
        let starts: Vec<_> = read.iter().filter_map(|read| self.start_behind(*read)).collect();
        read.extend(starts);
        Rc::new(Reads::new(self.ways_back(&read), several, farthest, self.options))
    }

    /// The record of another file, if it is known in this one too.
    fn known_here(&self, home: &TranslationUnit, record: RecordId) -> Option<RecordId> {
        match home.record(record).name.as_deref() {
            _ if home.id == self.unit.id => Some(record),
            name => self.named.get(name?).copied(),
        }
    }

    /// Records that a function steps through, or takes together with their number.
    fn counted(&self, home: &TranslationUnit, function: &Function) -> Vec<RecordId> {
        let mut counted = function.facts.stepped.clone();
        let target = |param: &Param| match home.ty(param.ty).kind {
            TypeKind::Pointer { to } => Some(&home.ty(to).kind),
            _ => None,
        };
        let behind = |param: &Param| match target(param) {
            Some(TypeKind::Record(record)) => Some(*record),
            _ => None,
        };
        // `(struct session *s, const uint8_t *buf, size_t len)`: the length is that of the memory before it.
        let has_memory = |at: usize| {
            let before = at.checked_sub(1).map(|before| &function.params[before]);
            before.and_then(target).is_some_and(|kind| matches!(kind, TypeKind::Void | TypeKind::Int { .. }))
        };
        let is_named_after = |name: &str| {
            let records = function.params.iter().filter(|param| behind(param).is_some());
            let mut names = records.map(|param| param.name.to_lowercase());
            names.any(|record| common_part(&name.to_lowercase(), &record) >= 3)
        };
        let is_number = |(at, param): (usize, &Param)| {
            let is_taken = has_memory(at) && is_length_in_bytes(&param.name) && !is_named_after(&param.name);
            is_length(&param.name) && !is_taken
        };
        if function.params.iter().enumerate().any(is_number) {
            counted.extend(function.params.iter().filter_map(behind));
        }
        counted
    }

    /// The member that has the memory into which another points: who reads that one reads what is there.
    fn start_behind(&self, (id, member): (RecordId, &str)) -> Option<(RecordId, &'a str)> {
        let record = self.unit.record(id);
        let at = record.fields.iter().position(|field| field.name.as_deref() == Some(member))?;
        let ranges = self.member_ranges(record);
        let range = ranges.iter().find(|range| range.derives(at))?;
        Some((id, record.fields[range.start].name.as_deref()?))
    }

    /// How the members lead back to where they come from, through members that are read.
    fn ways_back(&self, read: &BTreeSet<(RecordId, &'a str)>) -> Ways<'a> {
        let mut next: HashMap<RecordId, Vec<RecordId>> = HashMap::new();
        let mut reached: HashMap<RecordId, HashMap<RecordId, u32>> = HashMap::new();
        let mut found = Ways::new();
        for (record, name) in read {
            let fields = &self.unit.record(*record).fields;
            let Some(field) = fields.iter().find(|field| field.name.as_deref() == Some(name)) else {
                continue;
            };
            let mut targets = Vec::new();
            self.behind(self.types.member(field), &mut targets);
            let back = targets.into_iter().filter_map(|target| {
                let all = reached.entry(target).or_insert_with(|| self.all_behind(target, read, &mut next));
                all.get(record).copied()
            });
            found.insert((*record, *name), back.min());
        }
        found
    }

    /// The records that lie in or behind a record, and how many steps away.
    fn all_behind(
        &self,
        from: RecordId,
        read: &BTreeSet<(RecordId, &'a str)>,
        next: &mut HashMap<RecordId, Vec<RecordId>>,
    ) -> HashMap<RecordId, u32> {
        let mut seen = HashMap::from([(from, 0)]);
        let mut open = VecDeque::from([(from, 0)]);
        while let Some((record, steps)) = open.pop_front() {
            for inner in next.entry(record).or_insert_with(|| self.one_step(record, read)) {
                if let Entry::Vacant(place) = seen.entry(*inner) {
                    place.insert(steps + 1);
                    open.push_back((*inner, steps + 1));
                }
            }
        }
        seen
    }

    /// The records that lie in a record, or behind a member of it that is read.
    fn one_step(&self, record: RecordId, read: &BTreeSet<(RecordId, &'a str)>) -> Vec<RecordId> {
        let mut found = Vec::new();
        for field in &self.unit.record(record).fields {
            let ty = self.types.member(field);
            let is_read = field.name.as_deref().is_some_and(|name| read.contains(&(record, name)));
            if is_read || self.types.pointer_in(ty).is_none() {
                self.behind(ty, &mut found);
            }
        }
        found
    }

    /// The records that a value is, or that its pointers lead to.
    fn behind(&self, ty: TypeId, found: &mut Vec<RecordId>) {
        match self.types.rule(ty) {
            Rule::Record(record) => {
                found.push(record);
                for derived in &self.unit.record(record).derived {
                    if let Rule::Record(heir) = self.types.rule(derived.ty) {
                        found.push(heir);
                    }
                }
            }
            Rule::Pointer(to) => self.behind(to, found),
            Rule::Array { element, .. } => self.behind(element, found),
            _ => {}
        }
    }

    /// What following a member costs beside the step itself.
    pub(crate) fn cost(&self, record: RecordId, field: &Field) -> u32 {
        match (&field.name, self.types.pointer_in(self.types.member(field))) {
            (Some(name), Some(_)) => self.reads.cost(record, name),
            _ => 0,
        }
    }

    /// How far a member is followed, as a C expression, in the function that sets its record.
    pub(crate) fn follow(&mut self, record: RecordId, field: &Field) -> String {
        let depth = self.local("depth");
        let Some(name) =
            field.name.as_deref().filter(|_| self.types.pointer_in(self.types.member(field)).is_some())
        else {
            return depth;
        };
        format!("ctn_follow({depth}, {})", self.member_constant(record, name))
    }

    /// The constant of the harness that tells a member from others.
    pub(crate) fn member_constant(&mut self, record: RecordId, name: &str) -> String {
        let key = (record, name.to_owned());
        if let Some(known) = self.members.get(&key) {
            return known.clone();
        }
        let written = self.types.record(record).unwrap_or_default();
        let constant = self.names.fresh(&format!("ctn_m_{}_{name}", names::from_written(&written)));
        self.members.insert(key, constant.clone());
        constant
    }

    /// Writes what runs for code that is not known here: stubs, and objects for other files.
    pub(crate) fn for_anybody<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let reads = std::mem::replace(&mut self.reads, Rc::clone(&self.anybody));
        let written = write(self);
        self.reads = reads;
        written
    }

    /// The statement that says which members are read from here on, if that matters for values of these types.
    pub(crate) fn say_reads(&mut self, table: &str, types: &[TypeId]) -> Option<String> {
        if !types.iter().any(|ty| self.leads_to_members(*ty)) {
            return None;
        }
        if !self.tables.iter().any(|(known, _)| known == table) {
            self.tables.push((table.to_owned(), Rc::clone(&self.reads)));
        }
        Some(format!("ctn_reads = {table};"))
    }

    /// A value has, or leads to, a member that is a pointer.
    fn leads_to_members(&self, ty: TypeId) -> bool {
        match self.types.rule(ty) {
            Rule::Pointer(to) => self.leads_to_members(to),
            Rule::Array { element, .. } => self.leads_to_members(element),
            Rule::Record(record) => {
                self.types.record_holds_pointers(record) || !self.unit.record(record).derived.is_empty()
            }
            _ => false,
        }
    }

    /// The members of this file's records that are pointers, and who reads which.
    pub(crate) fn tables_of_reads(&self) -> String {
        if self.members.is_empty() {
            return String::new();
        }
        let constants: Vec<&str> = self.members.values().map(String::as_str).collect();
        let mut text = format!("enum {{\n    {},\n    ctn_members\n}};\n", constants.join(",\n    "));
        text.push_str(&format!(
            "/* By member: 0 where nobody reads it, else what following it costs, and one. */\n\
             static const char *ctn_reads;\n\
             /* How many pointers may still be followed through a member. */\n\
             static int ctn_follow(int depth, int member)\n{{\n    \
             return ctn_reads[member] ? depth - (ctn_reads[member] - 1) : depth - {};\n}}\n",
            self.reads.unread
        ));
        for (table, reads) in &self.tables {
            let entry = |((record, name), constant): (&(RecordId, String), &String)| {
                let value = reads.read(*record, name)? + 1;
                Some(format!("\n    [{constant}] = {value}"))
            };
            let entries: Vec<String> = self.members.iter().filter_map(entry).collect();
            let entries = if entries.is_empty() { "0".to_owned() } else { entries.join(",") + "\n" };
            text.push_str(&format!("static const char {table}[ctn_members] = {{{entries}}};\n"));
        }
        text.push('\n');
        text
    }
}
