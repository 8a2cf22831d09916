//! The site table that instrumenting a translation unit leaves beside its object file.
//!
//! It gives every number in the path log its place in the source, and each function its control-flow
//! graph. Written by `instrument`, read by everything after it.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use wire::{Class, FunctionKey, SiteKey};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SiteTable {
    pub tu: u32,
    /// Index = function number.
    pub functions: Vec<FunctionSites>,
    /// Index = site number.
    pub sites: Vec<Site>,
    /// Number of coverage counters.
    pub counters: u32,
    /// Coverage counters of sides that nothing in their function leads to, whatever its inputs and callees do.
    #[serde(default)]
    pub unreachable: BTreeSet<u32>,
    /// In the build that measures, by the name of a function in profiles: bits of its MC/DC bitmap whose test vectors
    /// no execution shows, whatever inputs and callees do.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unseen_vectors: BTreeMap<String, BTreeSet<u32>>,
    /// There too: for a counter of a side the counters whose sum is how often the choice was made otherwise.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_sides: BTreeMap<String, BTreeMap<u32, Vec<u32>>>,
    /// Assembly that is left out because this machine's assembler does not take it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign_assembly: Vec<Foreign>,
}

/// Assembly for another machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Foreign {
    pub file: String,
    pub line: u32,
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionSites {
    /// Name in the source.
    pub name: String,
    pub file: String,
    pub line: u32,
    /// False for drivers, stubs and models.
    pub of_program: bool,
    /// Successors of each basic block; block 0 is the entry.
    pub blocks: Vec<Vec<u32>>,
    /// Statements (source lines with code) per block, for strategies that weigh by code size.
    pub block_lines: Vec<u32>,
    /// Direct callees by block: (block, symbol).
    pub calls: Vec<(u32, String)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Site {
    /// Function number.
    pub function: u32,
    /// Basic block it stands in.
    pub block: u32,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Of a branch: line and column where its condition begins. None: at its own place, which clang chooses by the
    /// decision that the condition is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<(u32, u32)>,
    pub kind: SiteKind,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum SiteKind {
    /// A two-way branch of the source. Coverage counters `counter` (false side) and `counter + 1` (true side).
    /// `successors`: block reached on false, on true.
    Branch {
        counter: u32,
        successors: [u32; 2],
    },
    /// A switch. Counter `counter + i` belongs to successor i; successor 0 is the default.
    Switch {
        counter: u32,
        cases: Vec<u64>,
        successors: Vec<u32>,
    },
    /// A select or other two-way choice without control flow: never counted, never logged as a branch.
    Choice,
    Check {
        class: Class,
    },
    Load,
    Store,
    Call {
        symbol: Option<String>,
    },
}

impl Site {
    /// Line and column to show: of a branch those of its condition.
    pub fn shown_at(&self) -> (u32, u32) {
        self.condition.unwrap_or((self.line, self.column))
    }
}

impl SiteTable {
    pub fn site_key(&self, site: u32) -> SiteKey {
        SiteKey { tu: self.tu, site }
    }

    pub fn function_key(&self, function: u32) -> FunctionKey {
        FunctionKey { tu: self.tu, function }
    }
}
