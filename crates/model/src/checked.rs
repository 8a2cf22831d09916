//! What all callers of a function compare before they call it, of the whole program: a parameter that every call gives
//! checked, or a constant, or what the caller was itself given checked; a member into which nothing is put unchecked.

use crate::checks::{CONTENTS, Checks, Given, Value};
use crate::program::{Function, FunctionId, Kept, Param, Program, Rejected, UnitFileId};
use std::collections::{BTreeMap, HashMap};

/// By part: what each call keeps out.
type Parts = BTreeMap<String, Vec<Kept>>;

/// The calls of one function: who calls, and with what.
type Calls<'c> = HashMap<FunctionId, Vec<(FunctionId, &'c [Given])>>;

/// Tells the parameters of functions whose callers are known. `checks` is by function, `resolve` finds what a name means in
/// a file, `complete`: every unit of the program was read.
pub(crate) fn settle(
    program: &mut Program,
    checks: &[Checks],
    resolve: &dyn Fn(UnitFileId, &str) -> Option<FunctionId>,
    complete: bool,
) {
    let members = members(checks);
    let mut calls = Calls::new();
    for (caller, checks) in program.functions.iter().zip(checks) {
        for (name, given) in &checks.calls {
            if let Some(callee) = resolve(caller.file, name).filter(|callee| *callee != caller.id) {
                calls.entry(callee).or_default().push((caller.id, given));
            }
        }
    }
    let known: Vec<FunctionId> = program
        .functions
        .iter()
        .filter(|function| calls.contains_key(&function.id) && program.has_known_callers(function, complete))
        .map(|function| function.id)
        .collect();
    // What is handed on is known when that of the caller is: at most as many rounds as calls are nested.
    loop {
        let mut changed = false;
        for id in &known {
            let function = program.function(*id);
            let checked: Vec<Vec<(String, Vec<Kept>)>> = (0..function.params.len())
                .map(|index| parameter(program, function, index, &calls[id], &members))
                .collect();
            for (param, checked) in program.functions[id.index()].params.iter_mut().zip(checked) {
                // They only become more.
                if checked.len() > param.checked.len() {
                    param.checked = checked;
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Members into which something is put, and nothing unchecked.
fn members(checks: &[Checks]) -> BTreeMap<&str, Vec<Rejected>> {
    let mut known: BTreeMap<&str, Option<Vec<Rejected>>> = BTreeMap::new();
    for (name, value) in checks.iter().flat_map(|checks| &checks.stores) {
        let tests = known.entry(name).or_insert_with(|| Some(Vec::new()));
        match value {
            Value::Constant => {}
            Value::Checked(more, members) if members.is_empty() => {
                tests.iter_mut().for_each(|tests| tests.extend(more));
            }
            Value::Checked(..) | Value::Unknown => *tests = None,
        }
    }
    let all = known.into_iter().filter_map(|(name, tests)| Some((name, tests?)));
    all.filter(|(_, tests)| !tests.is_empty()).collect()
}

fn parameter(
    program: &Program,
    function: &Function,
    index: usize,
    calls: &[(FunctionId, &[Given])],
    members: &BTreeMap<&str, Vec<Rejected>>,
) -> Vec<(String, Vec<Kept>)> {
    let of_call = |(caller, given): &(FunctionId, &[Given])| -> Option<(Parts, bool)> {
        let given = given.get(index)?;
        let mut parts = Parts::new();
        let mut is_constant = false;
        for (part, value) in &given.parts {
            match value {
                Value::Constant => is_constant |= part.is_empty(),
                Value::Checked(tests, names) => {
                    let tests = names.iter().try_fold(tests.clone(), |mut tests, name| {
                        tests.extend(members.get(name.as_str())?);
                        Some(tests)
                    });
                    parts.extend(tests.map(|tests| (part.clone(), vec![tests])));
                }
                Value::Unknown => {}
            }
        }
        let handed: Option<&Param> = given.parameter.and_then(|at| program.function(*caller).params.get(at));
        parts.extend(handed.into_iter().flat_map(|param| param.checked.iter().cloned()));
        Some((parts, is_constant))
    };
    let mut common: Option<Parts> = None;
    for (caller, given) in calls.iter().filter(|(caller, _)| *caller != function.id) {
        let Some((parts, is_constant)) = of_call(&(*caller, given)) else { return Vec::new() };
        if is_constant {
            continue;
        }
        common = Some(match common {
            None => parts,
            Some(mut known) => {
                known.retain(|part, tests| match parts.get(part) {
                    Some(more) => {
                        tests.extend(more.iter().cloned());
                        true
                    }
                    None => false,
                });
                known
            }
        });
    }
    let mut checked: Vec<(String, Vec<Kept>)> = common.into_iter().flatten().collect();
    for (_, tests) in &mut checked {
        tests.iter_mut().for_each(|kept| {
            kept.sort_unstable();
            kept.dedup();
        });
        tests.sort_unstable();
        tests.dedup();
    }
    checked.retain(|(part, _)| part.is_empty() || part.starts_with('.') || part.starts_with(CONTENTS));
    checked
}
