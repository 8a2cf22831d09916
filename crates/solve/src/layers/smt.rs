//! The back end. Every model it gives is evaluated before it is believed.

use super::Layer;
use crate::bitwuzla::{Bitwuzla, Verdict};
use crate::problem::Problem;
use crate::query::{Answer, Reason};
use crate::smtlib::Recorder;
use std::time::Instant;

/// An instance that has built more than this is given up for a fresh one.
const LARGEST: usize = 300_000;
/// And so is one that has answered this often: what it learnt for old paths weighs on new ones.
const MOST_QUERIES: u32 = 4_000;

pub(crate) struct Smt {
    seed: u64,
    instance: Option<Bitwuzla>,
    queries: u32,
    recorder: Option<Recorder>,
}

impl Smt {
    pub(crate) fn new(seed: u64, recorder: Option<Recorder>) -> Smt {
        Smt { seed, instance: None, queries: 0, recorder }
    }

    fn instance(&mut self) -> &mut Bitwuzla {
        if self.queries >= MOST_QUERIES || self.instance.as_ref().is_some_and(|it| it.size() > LARGEST) {
            self.instance = None;
        }
        if self.instance.is_none() {
            self.queries = 0;
        }
        self.queries += 1;
        self.instance.get_or_insert_with(|| Bitwuzla::new(self.seed))
    }
}

impl Layer for Smt {
    fn name(&self) -> &'static str {
        "smt"
    }

    fn answer(&mut self, problem: &mut Problem<'_>) -> Option<Answer> {
        let simplified = problem.simplified.take();
        let constraints =
            simplified.as_ref().map_or(&problem.constraints, |simplified| &simplified.constraints);
        if let Some(recorder) = &mut self.recorder {
            recorder.record(problem.pool, constraints);
        }
        if Instant::now() >= problem.deadline {
            return Some(Answer::Unknown(Reason::TimeLimit));
        }
        let instance = self.instance();
        let verdict = instance.check(problem.pool, constraints, &problem.vars, problem.deadline);
        Some(match verdict {
            Verdict::Sat { values, abstracted } => {
                let mut model = problem.start();
                for (var, value) in values {
                    model.set(problem.pool.var_of(var), value);
                }
                if problem.holds(&model) {
                    Answer::Sat(model)
                } else if abstracted {
                    Answer::Unknown(Reason::Abstracted)
                } else {
                    tracing::warn!(constraints = ?problem.constraints, "a model does not satisfy its query");
                    Answer::Unknown(Reason::WrongModel)
                }
            }
            Verdict::Unsat { core } => {
                problem.core = match &simplified {
                    Some(simplified) => simplified.core(&core),
                    None => core.into_iter().map(|index| problem.constraints[index]).collect(),
                };
                Answer::Unsat
            }
            Verdict::Unknown(reason) => {
                // After an interrupt the instance may hold half of its work.
                self.instance = None;
                Answer::Unknown(reason)
            }
        })
    }
}
