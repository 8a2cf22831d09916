//! Whether a function can come back, told by its body: old code does not declare that `fatal` or `usage` ends the
//! program, and a stub of it that returned would go where nothing goes.
//!
//! Every way through the statements has to reach a call that does not come back. Loops and switches count as left,
//! conditions are not evaluated, calls through pointers return.

use crate::body::direct_callee;
use crate::tree::{NodeId, Tree};
use clang_sys::*;

/// Functions of the C library that do not come back, for code that uses them undeclared.
const LIBRARY: &[&str] = &[
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "longjmp",
    "siglongjmp",
    "__assert_fail",
    "err",
    "errx",
];

pub(crate) fn is_ending_of_library(name: &str) -> bool {
    LIBRARY.contains(&name) || matches!(name, "__builtin_unreachable" | "__builtin_trap" | "__builtin_abort")
}

/// What matters of a statement for where control goes behind it.
#[derive(Debug)]
pub(crate) enum Ending {
    GoesOn,
    Returns,
    /// Of the function with this name.
    Call(String),
    /// One after the other.
    Sequence(Vec<Ending>),
    Either(Box<[Ending; 2]>),
    /// Perhaps none of it is executed.
    Perhaps(Vec<Ending>),
    /// Control may come here from elsewhere.
    Label(Box<Ending>),
}

/// What may happen behind the beginning of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outcome {
    goes_on: bool,
    returns: bool,
}

impl Ending {
    pub(crate) fn of_body(tree: &Tree<'_>) -> Ending {
        Ending::of_statement(tree, Tree::ROOT)
    }

    pub(crate) fn of_statement(tree: &Tree<'_>, node: NodeId) -> Ending {
        let parts =
            |node| tree.children(node).map(|part| Ending::of_statement(tree, part)).collect::<Vec<_>>();
        let contains =
            |kinds: &[CXCursorKind]| tree.region(node).any(|n| kinds.contains(&tree.cursor(n).kind()));
        match tree.cursor(node).kind() {
            CXCursor_CompoundStmt => Ending::Sequence(parts(node)),
            CXCursor_IfStmt => {
                let mut parts = parts(node);
                match (parts.pop(), parts.pop()) {
                    (Some(no), Some(yes)) if parts.len() == 1 => Ending::Either(Box::new([yes, no])),
                    (last, other) => Ending::Perhaps(parts.into_iter().chain(other).chain(last).collect()),
                }
            }
            CXCursor_DoStmt if !contains(&[CXCursor_BreakStmt, CXCursor_ContinueStmt]) => {
                Ending::Sequence(parts(node))
            }
            CXCursor_DoStmt | CXCursor_WhileStmt | CXCursor_ForStmt | CXCursor_SwitchStmt => {
                Ending::Perhaps(parts(node))
            }
            CXCursor_CaseStmt | CXCursor_DefaultStmt => Ending::Perhaps(parts(node)),
            CXCursor_LabelStmt => Ending::Label(Box::new(Ending::Sequence(parts(node)))),
            // `return fatal();` does not return either.
            CXCursor_ReturnStmt => {
                Ending::Sequence(parts(node).into_iter().chain([Ending::Returns]).collect())
            }
            CXCursor_ParenExpr | CXCursor_UnexposedExpr | CXCursor_CStyleCastExpr => {
                Ending::Sequence(parts(node))
            }
            CXCursor_CallExpr => {
                let callee = tree.children(node).next().and_then(|callee| direct_callee(tree.cursor(callee)));
                callee.map_or(Ending::GoesOn, |callee| Ending::Call(callee.name()))
            }
            // A statement inside an expression.
            _ if contains(&[CXCursor_ReturnStmt]) => Ending::Perhaps(vec![Ending::Returns]),
            _ => Ending::GoesOn,
        }
    }

    /// Whether control cannot leave the body, given which calls do not come back.
    pub(crate) fn is_never(&self, ends: &dyn Fn(&str) -> bool) -> bool {
        self.outcome(ends) == Outcome { goes_on: false, returns: false }
    }

    /// Functions each of which, if it does not come back, keeps control from going on behind the statement.
    pub(crate) fn calls_that_end_it(&self) -> impl Iterator<Item = String> {
        let mut calls = Vec::new();
        self.calls(&mut calls);
        calls.retain(|call| !self.outcome(&|name| name == call).goes_on);
        calls.into_iter()
    }

    fn calls(&self, found: &mut Vec<String>) {
        match self {
            Ending::GoesOn | Ending::Returns => {}
            Ending::Call(name) => found.push(name.clone()),
            Ending::Sequence(parts) | Ending::Perhaps(parts) => {
                parts.iter().for_each(|part| part.calls(found))
            }
            Ending::Either(sides) => sides.iter().for_each(|side| side.calls(found)),
            Ending::Label(inner) => inner.calls(found),
        }
    }

    fn outcome(&self, ends: &dyn Fn(&str) -> bool) -> Outcome {
        let any_returns = |parts: &[Ending]| parts.iter().any(|part| part.outcome(ends).returns);
        match self {
            Ending::GoesOn => Outcome { goes_on: true, returns: false },
            Ending::Returns => Outcome { goes_on: false, returns: true },
            Ending::Call(name) => Outcome { goes_on: !ends(name), returns: false },
            Ending::Sequence(parts) => {
                let mut outcome = Outcome { goes_on: true, returns: false };
                for part in parts {
                    if outcome.goes_on || part.has_label() {
                        let next = part.outcome(ends);
                        outcome = Outcome { goes_on: next.goes_on, returns: outcome.returns || next.returns };
                    }
                }
                outcome
            }
            Ending::Either(sides) => Outcome {
                goes_on: sides.iter().any(|side| side.outcome(ends).goes_on),
                returns: any_returns(&sides[..]),
            },
            Ending::Perhaps(parts) => Outcome { goes_on: true, returns: any_returns(parts) },
            Ending::Label(inner) => inner.outcome(ends),
        }
    }

    fn has_label(&self) -> bool {
        match self {
            Ending::GoesOn | Ending::Returns | Ending::Call(_) => false,
            Ending::Sequence(parts) | Ending::Perhaps(parts) => parts.iter().any(Ending::has_label),
            Ending::Either(sides) => sides.iter().any(Ending::has_label),
            Ending::Label(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ending::{self, *};

    fn call(name: &str) -> Ending {
        Call(name.into())
    }

    #[test]
    fn every_way_has_to_end() {
        let never = |ending: Ending| ending.is_never(&|name| name == "exit");
        assert!(never(Sequence(vec![Perhaps(vec![call("unlink")]), call("exit")])));
        assert!(never(Sequence(vec![call("exit"), Returns])), "what follows is dead");
        assert!(never(Either(Box::new([call("exit"), Sequence(vec![GoesOn, call("exit")])]))));
        assert!(!never(Sequence(vec![Perhaps(vec![Returns]), call("exit")])));
        assert!(!never(Either(Box::new([call("exit"), GoesOn]))));
        assert!(!never(Perhaps(vec![call("exit")])));
        assert!(!never(call("puts")));
    }

    #[test]
    fn behind_a_label_is_alive() {
        let with = |behind| Sequence(vec![call("exit"), Label(Box::new(behind)), GoesOn]);
        assert!(!with(GoesOn).is_never(&|name| name == "exit"));
        assert!(with(call("exit")).is_never(&|name| name == "exit"));
    }
}
