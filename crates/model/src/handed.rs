//! What functions do with what they were given, through the functions that they hand it on to: a parameter that a
//! callee needs, an index that a callee takes, a pointer that it walks through.

use crate::clang::Cursor;
use crate::needed::Need;
use crate::program::{Facts, Function, FunctionId, IndexUse, LengthUse};

/// A variable that is an argument of a call as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handed {
    pub(crate) callee: String,
    pub(crate) argument: usize,
    pub(crate) variable: String,
    /// A `char` by its declaration.
    pub(crate) is_char: bool,
}

impl Handed {
    /// A parameter as it is handed on, of all variables that are: by the identity of their declaration, to whom, as which argument.
    pub(crate) fn of_param(param: Cursor<'_>, handed: &[(usize, String, usize)]) -> Vec<Handed> {
        let identity = param.identity();
        let its = handed.iter().filter(|(variable, _, _)| *variable == identity);
        let one = |(_, callee, argument): &(usize, String, usize)| Handed {
            callee: callee.clone(),
            argument: *argument,
            variable: param.name(),
            is_char: false,
        };
        its.map(one).collect()
    }
}

/// What a function hands on, as it was parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct HandedOn {
    pub(crate) needs: Vec<Need>,
    pub(crate) indexes: Vec<Handed>,
    pub(crate) walks: Vec<Handed>,
    pub(crate) texts: Vec<Handed>,
    pub(crate) spans: Vec<Handed>,
}

/// Adds to each function what follows from its callees, until nothing does. `handed` is by function; `resolve` finds the
/// callee that a name means in a function.
pub(crate) fn share(
    functions: &mut [Function],
    handed: &[HandedOn],
    resolve: impl Fn(&Function, &str) -> Option<FunctionId>,
) {
    loop {
        let mut news: Vec<(usize, New)> = Vec::new();
        for (at, (function, handed)) in functions.iter().zip(handed).enumerate() {
            let callee = |name: &str| resolve(function, name).map(|id| &functions[id.index()]);
            for need in &handed.needs {
                let Need::HandedOn(name, argument, variable) = need else { continue };
                let is_needed = callee(name).and_then(|callee| {
                    let param = callee.params.get(*argument)?;
                    Some(callee.facts.needed.contains(&param.name))
                });
                if is_needed == Some(true) && !function.facts.needed.contains(variable) {
                    news.push((at, New::Needed(variable.clone())));
                }
            }
            for index in &handed.indexes {
                let Some(callee) = callee(&index.callee).filter(|callee| callee.id != function.id) else {
                    continue;
                };
                let Some(param) = callee.params.get(index.argument) else { continue };
                let is_asked = callee.facts.compared.contains(&param.name);
                for used in uses(&callee.facts, &param.name) {
                    let used = IndexUse {
                        variable: index.variable.clone(),
                        is_char: index.is_char,
                        may_be_zero: used.may_be_zero || is_asked,
                        ..*used
                    };
                    if !function.facts.indexes.contains(&used) {
                        news.push((at, New::Index(used)));
                    }
                }
            }
            for walk in &handed.walks {
                let is_one = callee(&walk.callee).and_then(|callee| {
                    let param = callee.params.get(walk.argument)?;
                    Some(!callee.facts.walked.contains(&param.name))
                });
                if is_one != Some(true) && !function.facts.walked.contains(&walk.variable) {
                    news.push((at, New::Walked(walk.variable.clone())));
                }
            }
            for text in &handed.texts {
                let is_sought = callee(&text.callee).is_none_or(|callee| {
                    let param = callee.params.get(text.argument);
                    param.is_none_or(|param| callee.facts.ends_sought.contains(&param.name))
                });
                if is_sought && !function.facts.ends_sought.contains(&text.variable) {
                    news.push((at, New::Sought(text.variable.clone())));
                }
            }
            for room in rooms(function, handed, &callee) {
                if !function.facts.lengths.contains(&room) {
                    news.push((at, New::Room(room)));
                }
            }
            for (first, last) in spans(function, &handed.spans, &callee) {
                if !function.facts.spans.contains(&(first.clone(), last.clone())) {
                    news.push((at, New::Span(first, last)));
                }
            }
        }
        if news.is_empty() {
            return;
        }
        for (at, new) in news {
            let facts = &mut functions[at].facts;
            match new {
                New::Needed(name) if !facts.needed.contains(&name) => facts.needed.push(name),
                New::Index(used) if !facts.indexes.contains(&used) => facts.indexes.push(used),
                New::Walked(name) if !facts.walked.contains(&name) => facts.walked.push(name),
                New::Sought(name) if !facts.ends_sought.contains(&name) => facts.ends_sought.push(name),
                New::Span(first, last) if !facts.spans.contains(&(first.clone(), last.clone())) => {
                    facts.spans.push((first, last));
                }
                New::Room(room) if !facts.lengths.contains(&room) => facts.lengths.push(room),
                New::Needed(_)
                | New::Index(_)
                | New::Walked(_)
                | New::Sought(_)
                | New::Span(..)
                | New::Room(_) => {}
            }
        }
    }
}

enum New {
    Needed(String),
    Index(IndexUse),
    Walked(String),
    Sought(String),
    Span(String, String),
    Room(LengthUse),
}

/// The pointers, and how much room there is behind them, that go to a callee which knows them for that.
fn rooms<'f>(
    function: &'f Function,
    handed: &'f HandedOn,
    callee: &impl Fn(&str) -> Option<&'f Function>,
) -> Vec<LengthUse> {
    let mut found = Vec::new();
    for number in &handed.indexes {
        let Some(callee) = callee(&number.callee).filter(|callee| callee.id != function.id) else { continue };
        let is_named = |one: &Handed, name: &str| {
            one.callee == number.callee
                && callee.params.get(one.argument).is_some_and(|param| param.name == name)
        };
        for used in callee.facts.lengths.iter().filter(|used| used.is_room && is_named(number, &used.length))
        {
            let pointers = handed.spans.iter().filter(|pointer| is_named(pointer, &used.pointer));
            found.extend(pointers.map(|pointer| LengthUse {
                pointer: pointer.variable.clone(),
                length: number.variable.clone(),
                ..used.clone()
            }));
        }
    }
    found
}

/// What callees know to point into one piece of memory, of arguments that they get as they are.
fn spans<'f>(
    function: &'f Function,
    handed: &'f [Handed],
    callee: &impl Fn(&str) -> Option<&'f Function>,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for one in handed {
        let Some(callee) = callee(&one.callee).filter(|callee| callee.id != function.id) else { continue };
        let named = |handed: &Handed, name: &str| {
            handed.callee == one.callee
                && callee.params.get(handed.argument).is_some_and(|param| param.name == name)
        };
        for (_, last) in callee.facts.spans.iter().filter(|(first, _)| named(one, first)) {
            let others = handed.iter().filter(|other| named(other, last) && other.variable != one.variable);
            found.extend(others.map(|other| (one.variable.clone(), other.variable.clone())));
        }
    }
    found
}

/// Arrays that a parameter is an index into, in a function that takes it as it is.
fn uses<'f>(facts: &'f Facts, name: &'f str) -> impl Iterator<Item = &'f IndexUse> {
    let is_plain = !facts.bounded.iter().chain(&facts.written).any(|variable| variable == name);
    facts.indexes.iter().filter(move |used| is_plain && used.variable == name)
}
