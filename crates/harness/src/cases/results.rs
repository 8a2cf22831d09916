//! What stubs return in a case, call by call: numbers as they are; objects and records made before the calls, the way
//! the stub made them.

use super::setting::{Spot, Walk};
use super::{Kept, LeafKind, literal};
use crate::types::{Rule, declaration};
use crate::writer::Writer;
use model::{TypeId, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// Results of one stub, at most.
const MOST_CALLS: u32 = 64;

/// Whether a file is there that the function opens (`models/descriptors.c`); without one it fails in a test as well.
const ASKED_FILE: &str = "open()";

impl Writer<'_> {
    /// The type of what a stub returns: a function of another file, or one that was made up for a pointer.
    fn result_of_stub(&self, name: &str, stubs: &BTreeSet<String>) -> Option<TypeId> {
        let made_up = || {
            let number = name.strip_prefix("callback_t")?.parse().ok()?;
            match &self.unit.types.get(TypeId(number).index())?.kind {
                TypeKind::Function { result, .. } => Some(*result),
                _ => None,
            }
        };
        let function = self.unit.externs.iter().find(|function| function.name == name);
        function.filter(|_| stubs.contains(name)).map(|function| function.result).or_else(made_up)
    }

    /// Objects and records that stubs return: each is made before the calls, as the stub made it.
    pub(super) fn made_results(
        &mut self,
        kept: &Kept,
        stubs: &BTreeSet<String>,
        walk: &mut Walk<'_>,
    ) -> Result<BTreeMap<String, Vec<String>>, String> {
        // How often a stub was called: each call asks for the same first slot.
        let mut calls: BTreeMap<&str, u32> = BTreeMap::new();
        for (path, occurrence, _) in &kept.slots {
            let Some((name, rest)) = path.split_once("()") else { continue };
            if rest == "?null" || rest.starts_with('.') {
                let known = calls.entry(name).or_default();
                *known = (*known).max(occurrence + 1);
            }
        }
        let mut results = BTreeMap::new();
        for (name, count) in calls {
            let Some(ty) = self.result_of_stub(name, stubs) else { continue };
            if count > MOST_CALLS {
                return Err(format!("`{name}` is called {count} times"));
            }
            let written = self.types.unqualified(ty).ok_or("a type that cannot be named")?;
            let zero = if matches!(self.types.rule(ty), Rule::Record(_)) { " = {0}" } else { " = 0" };
            let (depth, elements) = self.reach_of_result(name, ty);
            let mut variables = Vec::new();
            for call in 0..count {
                let variable = format!("{name}_{}", call + 1);
                walk.block.declare(format!("{}{zero};", declaration(&written, &variable)));
                let spot = Spot {
                    ty,
                    place: variable.clone(),
                    path: format!("{name}()"),
                    depth: i64::from(depth),
                    targets: &[],
                    nested: false,
                    count: elements,
                    fresh: true,
                    unqualified: true,
                    cast: false,
                };
                self.give(walk, &spot);
                variables.push(variable);
            }
            results.insert(name.to_owned(), variables);
        }
        Ok(results)
    }

    /// What the stubs return; other slots that the walk did not ask for belong to nothing a case can set.
    pub(super) fn stub_values(
        &self,
        kept: &Kept,
        stubs: &BTreeSet<String>,
        walk: &mut Walk<'_>,
    ) -> Result<BTreeMap<String, Vec<String>>, String> {
        let mut results: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (path, occurrence, bytes) in &kept.slots {
            let is_missing_file = path == ASKED_FILE && bytes.iter().all(|byte| *byte == 0);
            if is_missing_file || walk.used.contains(&(path.clone(), *occurrence)) {
                continue;
            }
            let stub =
                path.strip_suffix("()").and_then(|name| Some((name, self.result_of_stub(name, stubs)?)));
            let Some((name, ty)) = stub else {
                return Err(format!("its input `{path}` is not one that a test can set"));
            };
            let bits = bytes.iter().take(8).rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            let value = match self.leaf_kind(ty) {
                Some(LeafKind::Integer { bits: width, signed, names }) => {
                    literal::integer(bits, width, signed, &names)
                }
                Some(LeafKind::Real) => self.real(ty, bits),
                _ => return Err(format!("the result of `{name}` is no number")),
            };
            let values = results.entry(name.to_owned()).or_default();
            values.resize(values.len().max(*occurrence as usize + 1), "0".into());
            values[*occurrence as usize] = value;
        }
        Ok(results)
    }
}
