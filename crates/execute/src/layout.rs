//! Where the regions of the shared memory stand, from the limits. Kept on this side: the copy in the header
//! can be overwritten by the tested code.

use crate::{Limits, UnitSetup, Way};
use std::ops::Range;
use wire::layout::{ModeEntry, flags};
use wire::{Header, Node, Record};

const PAGE: u64 = 4096;

#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) modes: Range<usize>,
    pub(crate) input: Range<usize>,
    pub(crate) log: Range<usize>,
    pub(crate) nodes: Range<usize>,
    pub(crate) data: Range<usize>,
    pub(crate) names: Range<usize>,
    pub(crate) size: usize,
}

impl Layout {
    pub(crate) fn new(limits: &Limits, modes: usize) -> Layout {
        let mut next = PAGE;
        let mut region = |bytes: u64| {
            let from = next;
            next += bytes.max(1).next_multiple_of(PAGE);
            from as usize..next as usize
        };
        let modes = region((modes * size_of::<ModeEntry>()) as u64);
        let input = region(limits.input);
        let log = region(u64::from(limits.log) * size_of::<Record>() as u64);
        let nodes = region(u64::from(limits.nodes) * size_of::<Node>() as u64);
        let data = region(limits.data);
        let names = region(limits.names);
        Layout { size: names.end, modes, input, log, nodes, data, names }
    }

    /// The explorer's half of the header.
    pub(crate) fn header(&self, unit: &UnitSetup, limits: &Limits, way: Way) -> Header {
        let mut set = 0;
        if way == Way::Fork {
            set |= flags::FORK;
        }
        if unit.full_coverage {
            set |= flags::FULL_COVERAGE;
        }
        if unit.quiet_checks {
            set |= flags::NO_CHECKS;
        }
        Header {
            magic: wire::layout::MAGIC,
            flags: set,
            driver_tu: unit.driver.0,
            driver_index: unit.driver.1,
            default_mode: unit.default_mode as u32,
            mode_count: unit.modes.len() as u32,
            modes_offset: self.modes.start as u64,
            modes_size: self.modes.len() as u64,
            input_offset: self.input.start as u64,
            input_size: self.input.len() as u64,
            log_offset: self.log.start as u64,
            log_size: self.log.len() as u64,
            nodes_offset: self.nodes.start as u64,
            nodes_size: self.nodes.len() as u64,
            data_offset: self.data.start as u64,
            data_size: self.data.len() as u64,
            names_offset: self.names.start as u64,
            names_size: self.names.len() as u64,
            read_limit: limits.read,
            write_limit: limits.write,
            heap_limit: limits.heap,
            site_limit: limits.site,
            check_mask: unit.checks.iter().fold(0, |mask, class| mask | 1 << (*class as u16)),
            ..Header::default()
        }
    }
}
