//! Records that hold another one, a pointer to which the program converts to a pointer to the whole: objects with a
//! common head, `container_of`. What one file converts, all files of the program know.
//!
//! Told by the text of conversions: what goes through a variable of type `void *` is not seen.

use crate::clang::{Cursor, Type};
use crate::database::CompileCommand;
use crate::parse::{ParsedUnit, UnitBuilder};
use crate::program::{Derived, Record, RecordId, TypeId, TypeInfo, TypeKind};
use clang_sys::CXCursor_StructDecl;
use std::collections::{BTreeMap, BTreeSet};

/// Of one record, the program keeps no more apart.
const MOST: usize = 12;

impl<'tu> UnitBuilder<'_, 'tu> {
    /// A pointer to `base` becomes one to `derived`, `offset` bytes before it.
    pub(crate) fn derive(&mut self, base: Type<'tu>, derived: Type<'tu>, offset: u64) {
        let (base, derived) = (self.types.intern(base), self.types.intern(derived));
        if let TypeKind::Record(base) = self.types.info(base).kind {
            let conversion = (base, derived, offset);
            if !self.conversions.contains(&conversion) {
                self.conversions.push(conversion);
            }
        }
    }

    /// Records that begin with one of those that this file uses: others may convert to them.
    pub(crate) fn meet_heirs(&mut self, declarations: &[Cursor<'tu>]) {
        for declaration in declarations {
            if declaration.kind() != CXCursor_StructDecl
                || !declaration.is_definition()
                || declaration.in_system_header()
            {
                continue;
            }
            let first = declaration.ty().canonical().fields().into_iter().next().map(Cursor::ty);
            if first.is_some_and(|first| self.types.knows_record(first)) {
                self.types.intern(declaration.ty());
            }
        }
    }
}

/// The name of a record, and whether it is a union.
type Name = (String, bool);

/// Fills in [`Record::derived`] of all units by what each of them converts.
pub(crate) fn share(units: &mut [(CompileCommand, ParsedUnit)]) {
    let mut known: BTreeMap<Name, BTreeSet<(Name, u64)>> = BTreeMap::new();
    let mut sizes: BTreeMap<Name, u64> = BTreeMap::new();
    for (_, unit) in units.iter() {
        for (base, derived, offset) in &unit.conversions {
            let TypeKind::Record(record) = unit.types[derived.index()].kind else { continue };
            let (Some(base_name), Some(name)) = (name(&unit.records, *base), name(&unit.records, record))
            else {
                continue;
            };
            if holds(&unit.types, &unit.records, record, *base, *offset) {
                known.entry(base_name.clone()).or_default().insert((name, *offset));
                let size = unit.types[derived.index()].size.unwrap_or(0);
                let largest = sizes.entry(base_name).or_default();
                *largest = size.max(*largest);
            }
        }
    }
    for (_, unit) in units.iter_mut() {
        for base in (0..unit.records.len() as u32).map(RecordId) {
            let Some(base_name) = name(&unit.records, base).filter(|_| unit.records[base.index()].complete)
            else {
                continue;
            };
            let Some(derived) = known.get(&base_name) else { continue };
            let here: Vec<Derived> = derived
                .iter()
                .filter_map(|(wanted, offset)| {
                    let (ty, record) = find(unit, wanted)?;
                    holds(&unit.types, &unit.records, record, base, *offset)
                        .then_some(Derived { ty, offset: *offset })
                })
                .take(MOST)
                .collect();
            let record = &mut unit.records[base.index()];
            record.derived = here;
            record.derived_size = sizes.get(&base_name).copied();
        }
    }
}

fn name(records: &[Record], id: RecordId) -> Option<Name> {
    let record = &records[id.index()];
    record.name.clone().map(|name| (name, record.is_union))
}

/// The unqualified type of a record that a unit knows by this name.
fn find(unit: &ParsedUnit, wanted: &Name) -> Option<(TypeId, RecordId)> {
    (0..).map(TypeId).zip(&unit.types).find_map(|(ty, info)| match info.kind {
        TypeKind::Record(record) if !info.is_const && !info.is_volatile => {
            let is_it = info.size.is_some() && name(&unit.records, record).as_ref() == Some(wanted);
            is_it.then_some((ty, record))
        }
        _ => None,
    })
}

/// Whether `record` has `base` in it, so many bytes from its beginning.
fn holds(types: &[TypeInfo], records: &[Record], record: RecordId, base: RecordId, offset: u64) -> bool {
    records[record.index()].fields.iter().any(|field| {
        let Some(inside) = offset.checked_sub(field.offset_bits / 8) else { return false };
        match types[field.ty.index()].kind {
            TypeKind::Record(inner) if inner == base => inside == 0,
            TypeKind::Record(inner) => {
                types[field.ty.index()].size.is_some_and(|size| inside < size)
                    && holds(types, records, inner, base, inside)
            }
            _ => false,
        }
    })
}
