//! The stack of layers, the cheap ones first. Each either answers, or narrows the problem for the next.

use crate::layers::{Cache, Constants, Cores, Domains, Independence, Layer, Models, Narrow, Search, Smt};
use crate::problem::Problem;
use crate::query::{Answer, Query, Reason};
use crate::smtlib::Recorder;
use crate::statistics::{LayerStatistics, Statistics};
use std::path::PathBuf;
use std::time::Instant;
use term::{Evaluator, Pool};

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Makes the back end's choices differ; the same seed gives the same answers.
    pub seed: u64,
}

/// Answers queries over the terms of one pool at a time; what it remembers it forgets when the pool changes
/// or is cleared.
pub struct Solver {
    options: Options,
    /// Answer by SMT alone.
    smt_only: bool,
    record: Option<PathBuf>,
    generation: u64,
    layers: Vec<Box<dyn Layer + Send>>,
    evaluator: Evaluator,
    statistics: Statistics,
}

/// The order and its reasons: folding costs nothing; independence makes every later layer's work smaller and its
/// memory more often right; an exact hit is one lookup, a known core or the domain of a byte a few; a known model
/// costs an evaluation, a search many, what bytes decide about each other often more; SMT costs the rest.
fn layers(options: &Options, smt_only: bool, record: Option<&PathBuf>) -> Vec<Box<dyn Layer + Send>> {
    let smt = Smt::new(options.seed, record.cloned().map(Recorder::new));
    if smt_only {
        return vec![Box::new(Constants), Box::new(Independence::new()), Box::new(smt)];
    }
    vec![
        Box::new(Constants),
        Box::new(Independence::new()),
        Box::new(Cache::new()),
        Box::new(Cores::new()),
        Box::new(Domains::default()),
        Box::new(Models::new()),
        Box::new(Search),
        Box::new(Narrow::default()),
        Box::new(smt),
    ]
}

impl Solver {
    pub fn new(options: Options) -> Solver {
        Solver::with(options, false)
    }

    /// A solver that asks SMT at once, to check or measure the other layers.
    pub fn smt_only(options: Options) -> Solver {
        Solver::with(options, true)
    }

    fn with(options: Options, smt_only: bool) -> Solver {
        let layers = layers(&options, smt_only, None);
        let named = layers.iter().map(|layer| LayerStatistics { name: layer.name(), ..Default::default() });
        let statistics = Statistics { layers: named.collect(), ..Default::default() };
        let evaluator = Evaluator::new();
        Solver { options, smt_only, record: None, generation: 0, layers, evaluator, statistics }
    }

    /// From now on writes every query that reaches SMT to this directory, as SMT-LIB 2.
    pub fn record_to(&mut self, directory: PathBuf) {
        self.record = Some(directory);
        self.forget();
    }

    fn forget(&mut self) {
        self.layers = layers(&self.options, self.smt_only, self.record.as_ref());
    }

    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    pub fn solve(&mut self, pool: &mut Pool, query: &Query<'_>) -> Answer {
        if self.generation != pool.generation() {
            self.generation = pool.generation();
            self.forget();
        }
        let start = Instant::now();
        let answer = match Problem::new(pool, query, &mut self.evaluator, start) {
            Some(mut problem) => ask(&mut self.layers, &mut self.statistics, &mut problem, start),
            None => Answer::Sat(Default::default()),
        };
        self.statistics.count(&answer, start.elapsed());
        answer
    }
}

fn ask(
    layers: &mut [Box<dyn Layer + Send>],
    statistics: &mut Statistics,
    problem: &mut Problem<'_>,
    start: Instant,
) -> Answer {
    let mut answer = None;
    // The clock takes as long as a cheap layer: where one ends, the next begins.
    let mut before = start;
    for (layer, statistics) in layers.iter_mut().zip(&mut statistics.layers) {
        answer = layer.answer(problem);
        let now = Instant::now();
        statistics.count(answer.as_ref(), now - std::mem::replace(&mut before, now));
        if answer.is_some() {
            break;
        }
    }
    let answer = answer.unwrap_or(Answer::Unknown(Reason::BackEnd));
    for layer in layers {
        layer.learn(problem, &answer);
    }
    answer
}
