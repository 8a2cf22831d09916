//! The layers, one file each, all behind one small interface.

mod cache;
mod constants;
mod cores;
pub(crate) mod domains;
mod independence;
mod models;
mod narrow;
mod search;
mod smt;

pub(crate) use cache::Cache;
pub(crate) use constants::Constants;
pub(crate) use cores::Cores;
pub(crate) use domains::Domains;
pub(crate) use independence::Independence;
pub(crate) use models::Models;
pub(crate) use narrow::Narrow;
pub(crate) use search::Search;
pub(crate) use smt::Smt;

use crate::problem::Problem;
use crate::query::Answer;

pub(crate) trait Layer {
    fn name(&self) -> &'static str;

    /// The answer, if this layer has it; else the problem, perhaps narrowed, goes on to the next.
    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer>;

    /// Sees every answer, whoever gave it.
    fn learn(&mut self, _problem: &Problem<'_>, _answer: &Answer) {}
}
