//! The statements for members and parameters that belong together (see `ranges`): one piece of memory with pointers
//! into it, and lengths that fit the memory behind their pointer.

use crate::drivers::Input;
use crate::preconditions::{fits, is_length_in_bytes, or_less};
use crate::prelude::Piece;
use crate::ranges::{
    CAPACITY, Range, counted, ends_memory, is_end, is_room, leads_to_length, numbered, ranges, with_spans,
};
use crate::text::Block;
use crate::types::{Pointee, Rule};
use crate::values::Slot;
use crate::writer::Writer;
use model::{Field, Function, Record, TypeId, TypeKind};
use std::collections::BTreeMap;

impl Writer<'_> {
    /// Ranges among the members of a struct.
    pub(crate) fn member_ranges(&self, record: &Record) -> Vec<Range> {
        if !self.options.preconditions.sizes || record.is_union {
            return Vec::new();
        }
        let members = record.fields.iter().enumerate().filter(|(_, field)| field.bit_width.is_none());
        let mut pointers: Vec<(usize, &str, &TypeKind)> = members
            .filter_map(|(at, field)| Some((at, field.name.as_deref()?, self.elements_target(field.ty)?)))
            .collect();
        // Memory that is given back is a piece by itself: where there are several such, names mislead.
        let is_freed = |name: &str| self.freed_members.contains(name);
        if pointers.iter().filter(|(_, name, _)| is_freed(name)).count() > 1 {
            pointers.retain(|(_, name, _)| !is_freed(name));
        }
        let mut found = ranges(&pointers);
        // A few records behind pointers are a stack or a queue only if both ends of it are known.
        found.retain(|range| {
            range.end.is_some() || self.plain_target(record.fields[range.start].ty).is_some()
        });
        found
    }

    /// The type of the elements that a member points to, unless they are pieces of a list.
    fn elements_target(&self, ty: TypeId) -> Option<&TypeKind> {
        match self.types.rule(ty) {
            Rule::Pointer(to) if self.is_linked(to) => None,
            Rule::Pointer(to) if self.types.pointee(to) == Pointee::Elements => Some(self.types.kind(to)),
            _ => self.plain_target(ty),
        }
    }

    /// Ranges among parameters.
    pub(crate) fn parameter_ranges(&self, inputs: &[Input]) -> Vec<Range> {
        if !self.options.preconditions.sizes {
            return Vec::new();
        }
        let pointers: Vec<(usize, &str, &TypeKind)> = inputs
            .iter()
            .enumerate()
            .filter(|(_, input)| input.list.is_none() && input.elements.is_none())
            .filter_map(|(at, input)| Some((at, input.path.as_str(), self.plain_target(input.ty)?)))
            .collect();
        let before = |at: usize| inputs[at].before.as_slice();
        with_spans(&pointers, before)
    }

    /// `(char **cursor, char *end)`: where nothing else can be meant, the cursor runs over what ends there, and is a
    /// variable of the driver's.
    pub(crate) fn hand_over_cursor(&self, function: &Function, inputs: &mut [Input]) {
        if !self.options.preconditions.sizes || inputs.iter().any(|input| input.list.is_some()) {
            return;
        }
        let behind = |input: &Input| match self.types.rule(input.ty) {
            Rule::Pointer(to) if !self.types.is_const(to) && !is_end(&input.path) => {
                self.plain_target(to).map(|kind| (to, kind))
            }
            _ => None,
        };
        let mut cursors: Vec<(usize, TypeId, &TypeKind)> = inputs
            .iter()
            .enumerate()
            .filter_map(|(at, input)| behind(input).map(|(to, kind)| (at, to, kind)))
            .collect();
        // Beside one that is read, those that are only set tell where it came to.
        if cursors.len() > 1 {
            cursors.retain(|(at, ..)| function.facts.loaded.contains(&inputs[*at].path));
        }
        let [(at, to, kind)] = cursors[..] else { return };
        let mut alike = inputs.iter().filter(|input| self.plain_target(input.ty) == Some(kind)).peekable();
        if alike.peek().is_some() && alike.all(|input| is_end(&input.path)) {
            let input = &mut inputs[at];
            input.ty = to;
            input.path.push_str("[0]");
            input.by_address = true;
            input.elements = None;
        }
    }

    /// The type of the characters or numbers that a pointer points to.
    fn plain_target(&self, ty: TypeId) -> Option<&TypeKind> {
        match self.types.rule(ty) {
            Rule::Pointer(to) if matches!(self.types.pointee(to), Pointee::Text | Pointee::Numbers) => {
                match self.types.kind(to) {
                    TypeKind::Array { .. } => None,
                    kind => Some(kind),
                }
            }
            _ => None,
        }
    }

    /// Sets the start to memory of `count` characters or numbers and the others to places in it.
    pub(crate) fn set_range(
        &mut self,
        block: &mut Block,
        range: &Range,
        slots: &[Option<Slot>],
        count: &str,
    ) {
        let Some(start) = slots.get(range.start).and_then(Option::as_ref) else { return };
        self.piece(Piece::Array);
        let (place, at) = (&start.place, start.at.text());
        let made = format!("ctn_new_array(sizeof *{place}, {count}, {}, {at})", start.depth);
        let end = range.end.and_then(|end| slots.get(end)?.as_ref()).filter(|_| range.start_moves());
        let made = self.told_end(end.map(|end| end.place.as_str()), made);
        self.assign(block, start, "void *", made);
        self.point_into(block, range, slots, count);
    }

    /// Sets the other pointers of a range to places in the `count` elements behind its start.
    pub(crate) fn point_into(
        &mut self,
        block: &mut Block,
        range: &Range,
        slots: &[Option<Slot>],
        count: &str,
    ) {
        let slot = |at: usize| slots.get(at).and_then(Option::as_ref);
        let Some(start) = slot(range.start) else { return };
        let place = &start.place;
        if let Some(end) = range.end.and_then(slot) {
            self.assign(block, end, "void *", format!("{place} ? (void *)({place} + {count}) : 0"));
        }
        let moved = range.start_moves().then_some(range.start);
        let mut first: Option<String> = None;
        for (number, at) in range.cursors.iter().chain(&range.marks).copied().chain(moved).enumerate() {
            let Some(slot) = slot(at) else { continue };
            let offset = self.local(&format!("offset{}", range.start * 8 + number));
            block.declare(format!("unsigned long {offset};"));
            block.line_if(self.told_distance(&offset, &slot.place, place));
            block.line(format!("ctn_value(&{offset}, sizeof {offset}, {});", slot.at.name("?offset").text()));
            block.line(format!("ctn_limit({offset} <= {count});"));
            match &first {
                Some(first) if range.marks.contains(&at) => {
                    block.line(format!("ctn_assume({first} <= {offset});"));
                }
                _ => drop(first.get_or_insert(offset.clone())),
            }
            self.assign(block, slot, "void *", format!("{place} ? (void *)({place} + {offset}) : 0"));
        }
    }

    /// Numbers of a struct that count the elements behind one of its pointers are no larger than what is there.
    pub(crate) fn assume_lengths(&mut self, block: &mut Block, record: &Record, ranges: &[Range]) {
        if !self.options.preconditions.sizes || record.is_union {
            return;
        }
        let own =
            record.fields.iter().enumerate().filter(|(at, _)| !ranges.iter().any(|range| range.derives(*at)));
        let pointers: Vec<(&str, u64)> = own
            .filter(|(_, field)| self.length_behind(field).is_none())
            .filter_map(|(_, field)| Some((field.name.as_deref()?, self.elements_behind(field)?)))
            .collect();
        let names: Vec<&str> = pointers.iter().map(|(name, _)| *name).collect();
        let p = self.local("p");
        let mut ends: Vec<(&str, u32, &str, bool)> = Vec::new();
        for field in record.fields.iter().filter(|field| field.bit_width.is_none()) {
            let (Some(name), TypeKind::Int { is_char: false, signed, bits: 16.. }) =
                (&field.name, self.types.kind(field.ty))
            else {
                continue;
            };
            let by_name = counted(name, &names);
            let by_use = self.counted_by_use(record, name);
            let by_letter = numbered(name, &names).map(|pointer| (pointer, 1)).filter(|_| by_use.is_empty());
            for (pointer, each) in by_use.into_iter().chain(by_letter) {
                let Some((_, most)) = pointers.iter().find(|(name, _)| *name == pointer) else { continue };
                if by_name != Some(pointer) {
                    let (length, memory) = (format!("{p}->{name}"), format!("{p}->{pointer}"));
                    block.line(format!("ctn_limit({});", or_less(&length, most / each, &memory)));
                }
            }
            let Some(pointer) = by_name else { continue };
            let Some((_, most)) = pointers.iter().find(|(name, _)| *name == pointer) else { continue };
            let most =
                most * self.bytes_behind(record, pointer).filter(|_| is_length_in_bytes(name)).unwrap_or(1);
            let (length, memory) = (format!("{p}->{name}"), format!("{p}->{pointer}"));
            block.line(format!("ctn_limit({});", fits(&length, *signed, &most.to_string(), &memory)));
            ends.push((pointer, ends_memory(name), name, ranges.is_empty()));
        }
        // What is used of memory is no more than there is of it.
        let capacity = |pointer: &str| {
            let has_room = |end: &&(&str, u32, &str, bool)| end.1 >= CAPACITY || is_room(end.2);
            let mut all = ends.iter().filter(|end| end.0 == pointer).filter(has_room);
            all.next().filter(|_| all.next().is_none()).map(|end| end.2)
        };
        for (pointer, rank, name, _) in &ends {
            if let Some(capacity) = capacity(pointer).filter(|room| *rank < CAPACITY && room != name) {
                block.line(format!("ctn_assume({p}->{name} <= {p}->{capacity});"));
            }
        }
        // The same where the program keeps what is used elsewhere: `size_t *size_written`.
        for name in record.fields.iter().filter_map(|field| self.length_behind(field)) {
            let counted = counted(name, &names).or(if let [only] = names[..] { Some(only) } else { None });
            if let Some(capacity) = counted.and_then(capacity) {
                block.line(format!("if ({p}->{name})"));
                block.line(format!("    ctn_assume(*{p}->{name} <= {p}->{capacity});"));
            }
        }
        // Where several numbers could say it, only the surest does.
        for (number, (pointer, rank, name, alone)) in ends.iter().enumerate() {
            let rivals = ends.iter().enumerate().filter(|(other, end)| *other != number && end.0 == *pointer);
            let surest = *rank > 0 && rivals.clone().all(|(_, end)| end.1 < *rank);
            let field = record.fields.iter().find(|field| field.name.as_deref() == Some(pointer));
            if let Some(field) = field.filter(|_| surest && *alone) {
                let place = format!("{p}->{pointer}");
                let most = self.options.elements.to_string();
                block.line_if(self.end_of_memory(field.ty, &place, &most, &format!("{p}->{name}"), false));
            }
        }
    }

    /// The pointers that some loop of the program goes through up to this number, and how many elements each step takes.
    fn counted_by_use<'r>(&self, record: &'r Record, number: &str) -> Vec<(&'r str, u64)> {
        let Some(name) = &record.name else { return Vec::new() };
        let all = self.program.functions.iter().flat_map(|function| &function.facts.counts);
        let by_it = all.filter(|used| used.record == *name && used.number == number);
        let pairs = by_it.filter_map(|used| {
            let mut names = record.fields.iter().filter_map(|field| field.name.as_deref());
            Some((names.find(|name| *name == used.pointer)?, used.each.max(1)))
        });
        pairs.collect::<BTreeMap<_, _>>().into_iter().collect()
    }

    /// The statement that ends the memory behind a pointer after so many elements. A text may have its NUL there, but not
    /// beyond the room for it (`is_room`).
    pub(crate) fn end_of_memory(
        &self,
        pointer: TypeId,
        place: &str,
        most: &str,
        used: &str,
        is_room: bool,
    ) -> Option<String> {
        let Rule::Pointer(to) = self.types.rule(pointer) else { return None };
        match self.types.pointee(to) {
            Pointee::Text if self.is_text(to) && !is_room => None,
            Pointee::Text => Some(format!("ctn_end_at((void *){place}, {most} + 1ul, {used});")),
            Pointee::Numbers => Some(format!(
                "ctn_end_at((void *){place}, {most} * sizeof *{place}, {used} * sizeof *{place});"
            )),
            Pointee::Bytes => Some(format!("ctn_end_at((void *){place}, {most} * 8ul, {used});")),
            _ => None,
        }
    }

    /// Plain characters: other bytes are mostly data.
    pub(crate) fn is_text(&self, to: TypeId) -> bool {
        matches!(self.types.kind(to), TypeKind::Int { signed: true, is_char: true, .. })
            && self.types.pointee(to) == Pointee::Text
    }

    /// A record with a member that points to another of its kind.
    pub(crate) fn is_linked(&self, ty: TypeId) -> bool {
        let Rule::Record(record) = self.types.rule(ty) else { return false };
        self.unit.record(record).fields.iter().any(|field| match self.types.rule(field.ty) {
            Rule::Pointer(to) => self.types.rule(to) == Rule::Record(record),
            _ => false,
        })
    }

    /// What an element counts in a length in bytes, where the member says nothing of what it leads to and the file makes
    /// a pointer to records of it.
    fn bytes_behind(&self, record: &Record, pointer: &str) -> Option<u64> {
        let field = record.fields.iter().find(|field| field.name.as_deref() == Some(pointer))?;
        let made = self.types.member(field);
        match self.types.rule(made) {
            Rule::Pointer(to) if made != field.ty => self.unit.ty(to).size,
            _ => None,
        }
    }

    /// The name of a member that leads to a length.
    fn length_behind<'f>(&self, field: &'f Field) -> Option<&'f str> {
        let name = field.name.as_deref().filter(|name| leads_to_length(name))?;
        let Rule::Pointer(to) = self.types.rule(self.types.member(field)) else { return None };
        matches!(self.types.kind(to), TypeKind::Int { is_char: false, bits: 16.., .. }).then_some(name)
    }

    fn elements_behind(&self, field: &Field) -> Option<u64> {
        match self.types.rule(self.types.member(field)) {
            // A list or a tree is not as long as its first piece.
            Rule::Pointer(to) if self.is_linked(to) => None,
            Rule::Pointer(to) => match self.types.pointee(to) {
                Pointee::Text | Pointee::Numbers | Pointee::Bytes | Pointee::Elements => {
                    Some(self.sizes.pointer_count(to, true))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
