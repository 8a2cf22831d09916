//! One value: the statements that set it, by the rule of its type.

use crate::prelude::Piece;
use crate::text::{At, Block};
use crate::types::{Pointee, Rule, declaration};
use crate::writer::Writer;
use model::{EnumValue, Global, TypeId, TypeKind};

/// A place to be set.
#[derive(Clone, Debug)]
pub(crate) struct Slot<'s> {
    pub(crate) ty: TypeId,
    /// C lvalue.
    pub(crate) place: String,
    pub(crate) at: At,
    /// C expression: how many pointers may still be followed.
    pub(crate) depth: String,
    /// Functions that the program puts here.
    pub(crate) targets: &'s [String],
    /// It lies in a record or behind a pointer.
    pub(crate) nested: bool,
    /// Loops around it.
    pub(crate) level: usize,
    /// A variable of the harness, declared without the qualifiers of its type.
    pub(crate) unqualified: bool,
    /// Elements behind it, where that is not the usual number: a C expression.
    pub(crate) count: Option<String>,
}

/// Loops in drivers begin at this level, where variables have names that no parameter has.
pub(crate) const DRIVER_LEVEL: usize = 4;

fn loop_variable(level: usize) -> String {
    let letter = ["i", "j", "k", "l"][level % 4];
    if level < DRIVER_LEVEL { letter.to_owned() } else { format!("ctn_{letter}") }
}

impl Slot<'_> {
    /// An element of this slot, within one more loop.
    fn element(&self, ty: TypeId, index: &str, depth: String) -> Slot<'_> {
        Slot {
            ty,
            place: format!("{}[{index}]", self.place),
            at: self.at.index(index),
            depth,
            targets: self.targets,
            nested: true,
            level: self.level + 1,
            unqualified: self.unqualified,
            count: None,
        }
    }
}

impl Writer<'_> {
    /// A global or static local, as drivers set it.
    pub(crate) fn global_slot<'g>(&self, global: &'g Global, place: &str, at: At, limit: u64) -> Slot<'g> {
        let (depth, count) = self.reach_of(global.ty, limit);
        Slot {
            ty: global.ty,
            place: place.to_owned(),
            at,
            depth,
            targets: &global.targets,
            nested: false,
            level: DRIVER_LEVEL,
            unqualified: false,
            count,
        }
    }

    pub(crate) fn set(&mut self, block: &mut Block, slot: &Slot) {
        let Slot { ty, place, at, depth, .. } = slot;
        match self.types.rule(*ty) {
            Rule::Number | Rule::Opaque => {
                block.line(format!("ctn_value({}, sizeof {place}, {});", self.address(slot), at.text()));
            }
            Rule::Enum => {
                block.line(format!("ctn_value({}, sizeof {place}, {});", self.address(slot), at.text()));
                self.assume_enum(block, *ty, place);
            }
            Rule::Bool => self.assign(block, slot, "_Bool", format!("ctn_bits(1, {})", at.text())),
            Rule::LongDouble if self.options.capture => block.comment(format!("{place}: not captured")),
            Rule::LongDouble => {
                self.piece(Piece::Double);
                let written = self.types.unqualified(*ty).unwrap_or_else(|| "long double".into());
                self.assign(block, slot, &written, format!("ctn_double({})", at.text()));
            }
            Rule::Array { element, length } => self.set_array(block, slot, element, length),
            Rule::Record(record) => match self.setter(record) {
                Some(setter) => {
                    let depth = if self.types.record_holds_pointers(record) {
                        format!(" {depth},")
                    } else {
                        "".into()
                    };
                    block.line(format!("{setter}({},{depth} {});", self.address(slot), at.name(".").text()));
                }
                None => block.comment(format!("{place}: its type cannot be named")),
            },
            Rule::Pointer(to) => self.set_pointer(block, slot, to),
            Rule::Code(function) => self.set_code(block, slot, function),
            Rule::Leave(reason) => block.comment(format!("{place}: {reason}")),
        }
    }

    /// `&place`, without qualifiers.
    fn address(&self, slot: &Slot) -> String {
        let cast = if self.is_qualified(slot) { "(void *)" } else { "" };
        format!("{cast}&{}", slot.place)
    }

    fn is_qualified(&self, slot: &Slot) -> bool {
        self.types.is_qualified(slot.ty) && !slot.unqualified
    }

    /// An assignment that works for constant places too; `written` is the type without qualifiers.
    pub(crate) fn assign(&self, block: &mut Block, slot: &Slot, written: &str, value: String) {
        self.assign_with(block, slot, written, value, "");
    }

    fn assign_with(&self, block: &mut Block, slot: &Slot, written: &str, value: String, remark: &str) {
        let told = self.told(written, &slot.place);
        if self.types.is_const(slot.ty) && !slot.unqualified {
            block.line(format!("{told}*({})&{} = {value};{remark}", declaration(written, "*"), slot.place));
        } else {
            block.line(format!("{told}{} = {value};{remark}", slot.place));
        }
    }

    fn set_pointer(&mut self, block: &mut Block, slot: &Slot, to: TypeId) {
        if let Pointee::Null(reason) = self.types.pointee(to) {
            self.assign_with(block, slot, "void *", "0".into(), &format!(" /* {reason} */"));
            return;
        }
        if let Some(objects) = self.known_objects(slot.targets, to) {
            self.choose_object(block, slot, &objects);
            return;
        }
        let made = self.make(slot, to);
        self.assign(block, slot, "void *", made);
    }

    fn set_array(&mut self, block: &mut Block, slot: &Slot, element: TypeId, length: u64) {
        if let Some((size, count)) = self.numbers(&slot.place, element, length) {
            let cast = if self.is_qualified(slot) { "(void *)" } else { "" };
            block.line(format!(
                "ctn_array({cast}{}, sizeof {size}, {count}, {});",
                slot.place,
                slot.at.text()
            ));
            return;
        }
        let count = self.sizes.array_count(element, length);
        self.set_elements(block, slot, element, &count.to_string());
    }

    /// Sets `slot.place[0 .. count]` in a loop.
    pub(crate) fn set_elements(&mut self, block: &mut Block, slot: &Slot, element: TypeId, count: &str) {
        let index = loop_variable(slot.level);
        let index = self.local(&index);
        let depth = if self.types.holds_pointers(element) {
            self.piece(Piece::Rest);
            format!("ctn_rest({}, {index})", slot.depth)
        } else {
            slot.depth.clone()
        };
        let inner = slot.element(element, &index, depth);
        block.repeat(&index, count, |block| self.set(block, &inner));
    }

    /// For an array of numbers, of however many dimensions: an expression of the innermost element, and how
    /// many of them to set.
    fn numbers(&self, place: &str, element: TypeId, length: u64) -> Option<(String, u64)> {
        let place = format!("{place}[0]");
        match self.types.rule(element) {
            Rule::Number => Some((place, self.sizes.array_count(element, length))),
            Rule::Array { element: inner, length: inner_length } => {
                self.numbers(&place, inner, length.saturating_mul(inner_length))
            }
            _ => None,
        }
    }

    pub(crate) fn assume_enum(&mut self, block: &mut Block, ty: TypeId, place: &str) {
        let TypeKind::Enum { values, .. } = self.types.kind(ty) else { return };
        let nameable = self.types.written(ty).is_some_and(|written| !written.starts_with("__typeof__"));
        if let Some(condition) = enum_condition(place, values, nameable).filter(|_| self.options.enum_values)
        {
            block.line(format!("ctn_assume({condition});"));
        }
    }
}

/// What a place of an enum type satisfies; without branches, so that the search has none to decide.
fn enum_condition(place: &str, values: &[EnumValue], nameable: bool) -> Option<String> {
    let mut distinct: Vec<&EnumValue> = values.iter().collect();
    distinct.sort_by_key(|value| value.value);
    distinct.dedup_by_key(|value| value.value);
    let (first, last) = (*distinct.first()?, *distinct.last()?);
    let write = |value: &EnumValue| if nameable { value.name.clone() } else { value.value.to_string() };
    let set: Vec<i64> = distinct.iter().map(|value| value.value).filter(|value| *value != 0).collect();
    if set.len() >= 3 && first.value >= 0 && set.iter().all(|value| value.count_ones() == 1) {
        let mask = set.iter().fold(0, |mask, value| mask | value);
        return Some(format!("({place} & ~0x{mask:x}ll) == 0"));
    }
    if first.value == last.value {
        return Some(format!("{place} == {}", write(first)));
    }
    if last.value.checked_sub(first.value) == Some(distinct.len() as i64 - 1) {
        return Some(format!("({place} >= {}) & ({place} <= {})", write(first), write(last)));
    }
    let each = distinct.iter().map(|value| format!("({place} == {})", write(value)));
    Some(each.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enum_conditions_take_the_shortest_form() {
        let of = |values: &[i64]| {
            let values: Vec<EnumValue> =
                values.iter().map(|value| EnumValue { name: format!("V{value}"), value: *value }).collect();
            enum_condition("e", &values, true)
        };
        assert_eq!(of(&[0, 1, 2, 3, 3]).as_deref(), Some("(e >= V0) & (e <= V3)"));
        assert_eq!(of(&[7]).as_deref(), Some("e == V7"));
        assert_eq!(of(&[0, 5, 9]).as_deref(), Some("(e == V0) | (e == V5) | (e == V9)"));
        assert_eq!(of(&[0, 1, 2, 4]).as_deref(), Some("(e & ~0x7ll) == 0"));
        assert_eq!(of(&[]), None);
    }
}
