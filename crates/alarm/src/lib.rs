//! Alarms: a claim that the code can fail at a place, with the evidence for it.
//!
//! Takes what exploration saw and what the native replay under the sanitizers said, and makes one alarm per
//! class and place. Does not run anything and does not print.

pub mod cause;
mod judge;
mod judged;
pub mod sanitizer;
mod score;
mod symbolize;

pub use judge::{Claim, Judgement, Level, TIMED_OUT, judge};
pub use judged::{Baseline, Comment, Known, comment};
pub use sanitizer::{Finding, Frame, Missed, findings};
pub use score::{Circumstances, Points, Rule, identifiers, is_word, repeated, score, sum};
pub use symbolize::Symbolizer;
