//! What each layer was asked, what it answered, and how long it took.

use crate::query::{Answer, Reason};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub struct LayerStatistics {
    pub name: &'static str,
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub time: Duration,
}

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: BTreeMap<Reason, u64>,
    /// Models of the back end that did not satisfy what was asked.
    pub wrong_models: u64,
    pub time: Duration,
    /// In the order in which they are asked.
    pub layers: Vec<LayerStatistics>,
}

impl LayerStatistics {
    pub(crate) fn count(&mut self, answer: Option<&Answer>, time: Duration) {
        self.asked += 1;
        self.time += time;
        match answer {
            None => {}
            Some(Answer::Sat(_)) => self.sat += 1,
            Some(Answer::Unsat) => self.unsat += 1,
            Some(Answer::Unknown(_)) => self.unknown += 1,
        }
    }

    /// The share of queries that ended here.
    pub fn hit_rate(&self) -> f64 {
        if self.asked == 0 { 0.0 } else { (self.sat + self.unsat) as f64 / self.asked as f64 }
    }
}

impl Statistics {
    pub(crate) fn count(&mut self, answer: &Answer, time: Duration) {
        self.queries += 1;
        self.time += time;
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(reason) => *self.unknown.entry(*reason).or_default() += 1,
        }
        if *answer == Answer::Unknown(Reason::WrongModel) {
            self.wrong_models += 1;
        }
    }

    /// Adds another solver's numbers, layer by layer.
    pub fn merge(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.wrong_models += other.wrong_models;
        self.time += other.time;
        for (reason, count) in &other.unknown {
            *self.unknown.entry(*reason).or_default() += count;
        }
        for theirs in &other.layers {
            match self.layers.iter_mut().find(|ours| ours.name == theirs.name) {
                Some(ours) => {
                    ours.asked += theirs.asked;
                    ours.sat += theirs.sat;
                    ours.unsat += theirs.unsat;
                    ours.unknown += theirs.unknown;
                    ours.time += theirs.time;
                }
                None => self.layers.push(theirs.clone()),
            }
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unknown: u64 = self.unknown.values().sum();
        writeln!(
            f,
            "{} queries in {:.3} s: {} sat, {} unsat, {unknown} unknown",
            self.queries,
            self.time.as_secs_f64(),
            self.sat,
            self.unsat
        )?;
        for layer in &self.layers {
            writeln!(
                f,
                "  {:12} asked {:8}  sat {:8}  unsat {:8}  hit {:5.1}%  {:.3} s",
                layer.name,
                layer.asked,
                layer.sat,
                layer.unsat,
                layer.hit_rate() * 100.0,
                layer.time.as_secs_f64()
            )?;
        }
        Ok(())
    }
}
