//! Records: a function per struct or union that sets its members.

use crate::names;
use crate::prelude::Piece;
use crate::text::{At, Block};
use crate::types::{Pointee, Rule, declaration};
use crate::values::Slot;
use crate::writer::{Shared, Writer};
use model::{Field, Record, RecordId, TypeId, TypeKind};

/// How a union without pointers is set.
pub(crate) enum UnionWay<'f> {
    /// As this member, an integer as large as the union.
    Member(&'f Field),
    /// As bytes, from the address of this member; the union's size.
    Bytes(&'f str, u64),
    /// Each member in turn.
    All,
}

/// What a member that nothing tests for null gets where the driver follows pointers no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// What it would get one pointer earlier: there is nothing in it to be followed.
    Made,
    /// Zeroed elements.
    Zeroed,
}

impl Writer<'_> {
    /// The function that sets the members of a record; None when its type cannot be written.
    pub(crate) fn setter(&mut self, record: RecordId) -> Option<String> {
        let written = self.types.record(record)?;
        let wanted = format!("ctn_set_{}", names::from_written(&written));
        let (p, at, depth) = (self.local("p"), self.local("at"), self.local("depth"));
        let depth_parameter =
            if self.types.record_holds_pointers(record) { format!(", int {depth}") } else { String::new() };
        let parameter = declaration(&written, &format!("*{p}"));
        let prototype =
            |name: &str| format!("static void {name}({parameter}{depth_parameter}, const ctn_path *{at})");
        Some(self.shared(Shared::Setter(record), &wanted, prototype, |writer, _| {
            let mut block = Block::new();
            let data = writer.unit.record(record);
            writer.with_owner(&mut block, record, |writer, block| {
                if data.is_union {
                    writer.set_union(block, record, data);
                } else {
                    writer.set_members(block, record);
                    writer.assume_tags(block, record);
                }
            });
            block.into_text()
        }))
    }

    fn set_members(&mut self, block: &mut Block, id: RecordId) {
        let record = self.unit.record(id);
        let ranges = self.member_ranges(record);
        let mut choices = Vec::new();
        for (at, field) in record.fields.iter().enumerate() {
            if let Some(range) = ranges.iter().find(|range| range.start == at) {
                let slots: Vec<Option<Slot>> = record
                    .fields
                    .iter()
                    .map(|field| Some(self.member_slot(id, field, field.name.as_ref()?)))
                    .collect();
                match self.elements_of(field.ty) {
                    Some(count) => {
                        self.set_member(block, id, field);
                        self.point_into(block, range, &slots, &count.to_string());
                    }
                    None => self.set_range(block, range, &slots, &self.options.elements.to_string()),
                }
            } else if !ranges.iter().any(|range| range.derives(at)) {
                self.set_member(block, id, field);
                choices.extend(self.keep_choice(block, id, at).map(|chosen| (at, chosen)));
            }
        }
        self.assume_lengths(block, record, &ranges);
        for (at, chosen) in choices {
            self.assume_tag(block, id, at, &chosen);
        }
    }

    /// How many elements a member leads to that are set one by one.
    pub(crate) fn elements_of(&self, member: TypeId) -> Option<u64> {
        match self.types.rule(member) {
            Rule::Pointer(to) if self.types.pointee(to) == Pointee::Elements => {
                Some(self.sizes.pointer_count(to, true))
            }
            _ => None,
        }
    }

    fn member_slot<'f>(&mut self, record: RecordId, field: &'f Field, name: &str) -> Slot<'f> {
        let depth = self.follow(record, field);
        Slot {
            ty: self.types.member(field),
            place: format!("{}->{name}", self.local("p")),
            at: At::variable(&self.local("at")).name(name),
            depth: if self.beyond(field) == Some(Beyond::Made) {
                self.piece(Piece::Always);
                format!("ctn_always({depth})")
            } else {
                depth
            },
            targets: &field.targets,
            nested: true,
            level: 0,
            unqualified: false,
            count: None,
        }
    }

    fn set_member(&mut self, block: &mut Block, record: RecordId, field: &Field) {
        let Some(name) = &field.name else {
            if let Some(inner) = self.types.anonymous(field) {
                let inner_record = self.unit.record(inner);
                if inner_record.is_union {
                    self.set_union(block, inner, inner_record);
                } else {
                    self.set_members(block, inner);
                }
            }
            return;
        };
        let slot = self.member_slot(record, field, name);
        match field.bit_width {
            Some(0) => {}
            Some(_) if self.types.is_const(field.ty) => {
                block.comment(format!("{}: constant bit-field", slot.place))
            }
            Some(_) if !self.options.bit_fields => block.line(format!("{} = 0;", slot.place)),
            Some(width) => {
                let told = self.told_number(&slot.place);
                block.line(format!("{told}{} = ctn_bits({width}, {});", slot.place, slot.at.text()));
                self.assume_enum(block, field.ty, &slot.place);
                self.assume_range(block, field, &slot.place);
            }
            None if matches!(self.types.kind(field.ty), TypeKind::Array { length: None | Some(0), .. }) => {
                block.comment(format!("{}: set where memory for it is allocated", slot.place));
            }
            None => {
                self.set_linked(block, record, field, &slot, |writer, block| {
                    if writer.beyond(field) == Some(Beyond::Zeroed) {
                        block.nested(format!("if ({} < 1)", slot.depth), |block| {
                            writer.set_zeroed(block, &slot)
                        });
                        block.nested("else", |block| writer.set(block, &slot));
                    } else {
                        writer.set(block, &slot);
                    }
                });
                self.assume_range(block, field, &slot.place);
            }
        }
    }

    /// What a member gets where pointers are followed no further, if not null.
    pub(crate) fn beyond(&self, field: &Field) -> Option<Beyond> {
        let Rule::Pointer(to) = self.types.rule(self.types.member(field)) else { return None };
        match self.types.pointee(to) {
            // A list or a tree ends somewhere.
            _ if !self.is_taken_for_granted(field) || self.is_linked(to) => None,
            Pointee::Null(_) => None,
            Pointee::Elements => Some(Beyond::Zeroed),
            Pointee::Bytes | Pointee::Text | Pointee::Numbers => Some(Beyond::Made),
            Pointee::Zeroed | Pointee::Hidden(_) | Pointee::Stream => Some(Beyond::Made),
        }
    }

    /// Points a member to as many zeroed elements as it would have others.
    fn set_zeroed(&mut self, block: &mut Block, slot: &Slot) {
        let memory =
            self.zeroed_elements(slot.ty).map(|(count, size)| format!("ctn_alloc({count}ul * {size})"));
        self.assign(block, slot, "void *", memory.unwrap_or_else(|| "0".to_owned()));
    }

    /// How many elements a pointer of this type leads to, and the size of one as it is written.
    pub(crate) fn zeroed_elements(&self, pointer: TypeId) -> Option<(u64, String)> {
        let Rule::Pointer(mut to) = self.types.rule(pointer) else { return None };
        while let TypeKind::Array { element, length: None } = self.types.kind(to) {
            to = *element;
        }
        // The member itself may be declared as a pointer to nothing known.
        let size = match self.room_for(to) {
            Some(size) => format!("{size}ul"),
            None => format!("sizeof({})", self.types.unqualified(to)?),
        };
        Some((self.sizes.pointer_count(to, true), size))
    }

    /// A union without pointers is set as a number of its size, or as bytes; otherwise one member is chosen.
    fn set_union(&mut self, block: &mut Block, id: RecordId, record: &Record) {
        let (p, at) = (self.local("p"), At::variable(&self.local("at")));
        let members: Vec<&Field> = record.fields.iter().filter(|field| self.is_member(field)).collect();
        if self.is_chosen(record) {
            block.line(format!("switch (ctn_choice({}, {})) {{", members.len(), at.name("?member").text()));
            for (index, field) in members.iter().enumerate() {
                let case =
                    if index + 1 == members.len() { "default:".into() } else { format!("case {index}:") };
                block.nested(case, |block| {
                    self.set_member(block, id, field);
                    self.say_choice(block, id, index);
                    block.line("break;");
                });
            }
            block.line("}");
            return;
        }
        match self.union_way(id, &members) {
            UnionWay::Member(field) => self.set_member(block, id, field),
            UnionWay::Bytes(name, _) => block.line(format!(
                "ctn_array((void *)&{p}->{name}, 1, sizeof {p}->{name}, {});",
                at.name(name).text()
            )),
            UnionWay::All => members.iter().for_each(|field| self.set_member(block, id, field)),
        }
    }

    /// A union of which one member is chosen: there are pointers among them.
    pub(crate) fn is_chosen(&self, union: &Record) -> bool {
        let mut members = union.fields.iter().filter(|field| self.is_member(field));
        members.any(|field| self.types.member_holds_pointers(field) || self.types.member_holds_code(field))
    }

    /// How a union without pointers is set.
    pub(crate) fn union_way<'f>(&self, id: RecordId, members: &[&'f Field]) -> UnionWay<'f> {
        let size = record_size(self.unit, id);
        let whole = |field: &&&Field| {
            let number = self.types.rule(field.ty) == Rule::Number;
            let integer = matches!(self.types.kind(field.ty), TypeKind::Int { .. });
            number && integer && field.name.is_some() && size.is_some() && self.unit.ty(field.ty).size == size
        };
        if let Some(field) = members.iter().find(whole) {
            return UnionWay::Member(field);
        }
        // An anonymous union has no name of its own: its first member that has one gives its address.
        let largest = members
            .iter()
            .filter(|field| field.bit_width.is_none())
            .max_by_key(|field| (self.unit.ty(field.ty).size, field.name.is_some()));
        match largest {
            Some(Field { name: Some(name), ty, .. }) if self.unit.ty(*ty).size == size => {
                UnionWay::Bytes(name, size.unwrap_or(0))
            }
            _ => UnionWay::All,
        }
    }

    pub(crate) fn is_member(&self, field: &Field) -> bool {
        field.bit_width != Some(0) && (field.name.is_some() || self.types.anonymous(field).is_some())
    }
}

fn record_size(unit: &model::TranslationUnit, record: RecordId) -> Option<u64> {
    unit.types.iter().find(|ty| ty.kind == TypeKind::Record(record)).and_then(|ty| ty.size)
}
