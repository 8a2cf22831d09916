//! Alarms: a claim that the code can fail at a place, with the evidence for it.
//!
//! Takes what exploration saw and what the native replay under the sanitizers said, and makes one alarm per
//! class and place. Does not run anything and does not print.

mod judge;
pub mod sanitizer;
mod symbolize;

pub use judge::{Claim, Judgement, Level, judge};
pub use sanitizer::{Finding, Frame, findings};
pub use symbolize::Symbolizer;
