//! Objects read at a symbolic address: a snapshot of the object becomes a table of elements.
//!
//! A read of n bytes at offset `2^k * q + r` can only meet the elements that begin at `2^k * i + r`, so the
//! table holds just those, n bytes each, and the index is the offset without its k low bits. An array of
//! aligned words is then a table of words, and a field of an array of structs a table of that field.

use super::{ConvertError, Converter};
use crate::pool::{Pool, mask};
use crate::term::{Binary, Kind, TermId};
use wire::{MemLabel, Node};

/// A snapshot in the data region.
pub(super) struct Snapshot<'a> {
    bytes: &'a [u8],
    labels: Option<&'a [u8]>,
}

/// What a table holds: elements of `width` bytes at every `step` bytes from `start` on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Reading {
    snapshot: u64,
    width: u16,
    step: u32,
    start: u32,
}

const HEADER: usize = size_of::<wire::layout::Snapshot>();

impl<'a> Snapshot<'a> {
    pub(super) fn at(data: &'a [u8], offset: u64) -> Option<Snapshot<'a>> {
        let from_header = data.get(usize::try_from(offset).ok()?..)?;
        let (header, contents) = from_header.split_at_checked(HEADER)?;
        let word = |at: usize| Some(u32::from_ne_bytes(header.get(at..at + 4)?.try_into().ok()?));
        let size = word(std::mem::offset_of!(wire::layout::Snapshot, size))? as usize;
        let labelled = word(std::mem::offset_of!(wire::layout::Snapshot, labelled))?;
        let labels = match labelled {
            0 => None,
            _ => Some(contents.get(size.checked_next_multiple_of(4)?..)?.get(..size.checked_mul(4)?)?),
        };
        Some(Snapshot { bytes: contents.get(..size)?, labels })
    }

    fn label(&self, at: usize) -> Option<(u32, u32)> {
        let bytes = self.labels?.get(at * 4..at * 4 + 4)?;
        MemLabel(u32::from_ne_bytes(bytes.try_into().ok()?)).node()
    }

    /// The nodes that its labels name.
    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> {
        (0..self.labels.map_or(0, |_| self.bytes.len())).filter_map(|at| self.label(at)).map(|(node, _)| node)
    }
}

impl Converter<'_> {
    /// The value of a read node.
    pub(super) fn read(&mut self, pool: &mut Pool, index: u32, node: &Node) -> Result<TermId, ConvertError> {
        let address = self.operand(pool, index, node.a, 0, 64)?;
        if !node.bits.is_multiple_of(8) {
            return Err(ConvertError::Width { node: index });
        }
        let width = node.bits / 8;
        let base = pool.constant(64, u128::from(node.x));
        let offset = pool.sub(address, base);
        let (unit, start) = pool.stride(offset);
        let reading = Reading { snapshot: node.y, width, step: 1 << unit, start: start as u32 };
        let table = match self.tables.get(&reading) {
            Some(table) => *table,
            None => {
                let table = self.table(pool, index, reading)?;
                self.tables.insert(reading, table);
                table
            }
        };
        // An object too small for a single element: checks guard the range, so any value will do.
        let Some(table) = table else { return Ok(pool.constant(node.bits, 0)) };
        let position = pool.extract(offset, unit, 64 - unit);
        Ok(pool.select(table, position))
    }

    fn table(
        &self,
        pool: &mut Pool,
        index: u32,
        reading: Reading,
    ) -> Result<Option<crate::TableId>, ConvertError> {
        let snapshot =
            Snapshot::at(self.data, reading.snapshot).ok_or(ConvertError::Snapshot { node: index })?;
        let (size, width) = (snapshot.bytes.len(), usize::from(reading.width));
        let starts = (reading.start as usize..).step_by(reading.step as usize);
        let mut elements = Vec::new();
        for start in starts.take_while(|start| start + width <= size) {
            elements.push(self.element(pool, index, &snapshot, start, width)?);
        }
        Ok(pool.make_table(elements))
    }

    fn element(
        &self,
        pool: &mut Pool,
        index: u32,
        snapshot: &Snapshot<'_>,
        start: usize,
        width: usize,
    ) -> Result<TermId, ConvertError> {
        let mut element = None;
        for at in start..start + width {
            let byte = match snapshot.label(at) {
                None => pool.constant(8, u128::from(snapshot.bytes[at])),
                Some((node, byte)) => {
                    let term = self.term(node).ok_or(ConvertError::Label { label: node })?;
                    pool.byte(term, byte).ok_or(ConvertError::Width { node })?
                }
            };
            element = Some(match element {
                None => byte,
                Some(below) => pool.concat(byte, below),
            });
        }
        element.ok_or(ConvertError::Width { node: index })
    }
}

/// Steps beyond this make no table shorter that `read_limit` allows at all.
const LONGEST_STEP: u16 = 20;

impl Pool {
    /// Byte number `byte` of a term, from the low end; a last part of less than 8 bits is zero-extended, as in
    /// memory.
    fn byte(&mut self, term: TermId, byte: u32) -> Option<TermId> {
        let (bits, low) = (self.bits(term), u16::try_from(byte * 8).ok()?);
        let kept = bits.checked_sub(low)?.min(8);
        if kept == 0 {
            return None;
        }
        let part = self.extract(term, low, kept);
        Some(self.zext(part, 8))
    }

    /// k and r such that `offset` is `2^k * q + r` for some q, whatever the input.
    fn stride(&self, offset: TermId) -> (u16, u128) {
        let (varying, fixed) = match self.kind(offset) {
            Kind::Binary(Binary::Add | Binary::Or, x, c) => match self.as_const(c) {
                Some(c) => (x, c),
                None => (offset, 0),
            },
            _ => (offset, 0),
        };
        let unit = self.trailing_zeros(varying).min(LONGEST_STEP);
        // A sum of disjoint parts is a concat whose low part is the constant.
        let (unit, fixed) = match self.low_constant(varying) {
            Some((bits, value)) if fixed == 0 && bits > unit => (bits.min(LONGEST_STEP), value),
            _ => (unit, fixed),
        };
        (unit, fixed & mask(unit))
    }

    /// The constant that a concat, or the inside of a zero extension, ends with.
    fn low_constant(&self, mut id: TermId) -> Option<(u16, u128)> {
        loop {
            match self.kind(id) {
                Kind::ZExt(inner) => id = inner,
                Kind::Concat { low, .. } => id = low,
                Kind::Const(value) => return Some((self.bits(id), self.const_value(value))),
                _ => return None,
            }
        }
    }
}
