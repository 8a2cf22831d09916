//! Objects read at a symbolic address: a snapshot of the object becomes a table of elements.
//!
//! A read of n bytes at offset `2^k * q + r` can only meet the elements that begin at `2^k * i + r`, so the
//! table holds just those, n bytes each, and the index is the offset without its k low bits. An array of
//! aligned words is then a table of words, and a field of an array of structs a table of that field.

use super::{ConvertError, Converter};
use crate::number::mask;
use crate::pool::Pool;
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

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    fn label(&self, at: usize) -> Option<(u32, u32)> {
        let bytes = self.labels?.get(at * 4..at * 4 + 4)?;
        MemLabel(u32::from_ne_bytes(bytes.try_into().ok()?)).node()
    }

    /// Its labels: which byte has it, and the node and the byte of that node which it names.
    pub(super) fn labels(&self) -> impl Iterator<Item = (usize, u32, u32)> {
        let labelled = 0..self.labels.map_or(0, |_| self.bytes.len());
        labelled.filter_map(|at| self.label(at).map(|(node, byte)| (at, node, byte)))
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
        let (varying, fixed) = pool.apart(offset);
        let unit = pool.trailing_zeros(varying).min(LONGEST_STEP);
        let start = (fixed & mask(unit)) as u32;
        let reading = Reading { snapshot: node.y, width, step: 1 << unit, start };
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
        // The low bits of the varying part are zero, so nothing carries out of them.
        let varying = pool.extract(varying, unit, 64 - unit);
        let fixed = pool.constant(64 - unit, fixed >> unit);
        let position = pool.add(varying, fixed);
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
        // Most tables are constant, and large.
        if let (None, 1..=16) = (snapshot.labels, width) {
            let bytes = snapshot.bytes[start..start + width].iter().rev();
            let value = bytes.fold(0, |value, byte| value << 8 | u128::from(*byte));
            return Ok(pool.constant(width as u16 * 8, value));
        }
        let mut element = None;
        for at in start..start + width {
            let byte = match snapshot.label(at) {
                None => pool.constant(8, u128::from(snapshot.bytes[at])),
                Some((node, byte)) => {
                    let term = self.term(pool, node).ok_or(ConvertError::Label { label: node })?;
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

/// Steps beyond this make no table shorter that is expressed at all.
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

    /// A sum as its varying and its constant part.
    fn apart(&self, sum: TermId) -> (TermId, u128) {
        match self.kind(sum) {
            Kind::Binary(Binary::Add, x, c) => self.as_const(c).map_or((sum, 0), |c| (x, c)),
            _ => (sum, 0),
        }
    }
}
