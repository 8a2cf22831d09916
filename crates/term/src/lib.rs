//! From an execution to its path condition: hash-consed bit-vector terms and the steps of a path.
//!
//! A [`Pool`] owns terms; its constructors simplify, so equal meanings mostly get equal [`TermId`]s.
//! [`Path::read`] turns the log and expression table of one execution into terms over input variables, and
//! [`Evaluator`] gives the exact value of a term under an [`Assignment`]. This crate knows nothing of SMT,
//! of the search, or of how tested code is run.

mod assignment;
mod build;
mod convert;
mod domain;
mod eval;
mod float;
mod looked;
pub mod number;
mod path;
mod pool;
mod print;
mod semantics;
mod support;
mod term;
mod verify;

pub use assignment::{Assignment, Values, Var};
pub use convert::ConvertError;
pub use domain::Domain;
pub use eval::{Evaluation, Evaluator, Varying, eval};
pub use float::{conversion_range as float_conversion_range, fraction_bits as float_fraction_bits};
pub use path::{InputUse, Path, PathError, Step, StepKind};
pub use pool::Pool;
pub use support::Support;
pub use term::{
    Binary, Compare, ConstId, FloatBinary, FloatCompare, FloatUnary, Kind, MAX_BITS, TableId, Term, TermId,
    Unary, VarId,
};
pub use verify::{Breach, verify};
pub use wire::digest::Mark;
