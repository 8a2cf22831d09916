//! From the log of one execution to its path: what was decided where, on which term.
//!
//! The log comes from memory that tested code may have written: a record that makes no sense is a typed error,
//! and only nodes that records reach are converted. Which branches to negate is not decided here.

use crate::assignment::Assignment;
use crate::convert::{ConvertError, Converter, Digests, Marker};
use crate::eval::Evaluator;
use crate::pool::Pool;
use crate::term::TermId;
use wire::digest::Mark;
use wire::log::{Assumed, Concretised, Kinds};
use wire::{Class, FunctionKey, Node, Record, RecordKind, SiteKey, SlotKey};

/// One decision of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub site: SiteKey,
    pub kind: StepKind,
    /// The condition or value that the step is about; for `Enter` and `Leave` the constant true.
    pub term: TermId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    Branch {
        taken: bool,
    },
    /// `successor` 0 is the default, i + 1 case i of the site table.
    Switch {
        value: u64,
        successor: u16,
    },
    /// The term is true when the check is violated.
    Check {
        class: Class,
        violated: bool,
    },
    Concretised {
        kind: Concretised,
        value: u64,
    },
    /// `limit`: of the driver, not of the program ([`wire::log::Assumed`]).
    Assume {
        held: bool,
        limit: bool,
    },
    Indirect {
        target: u64,
    },
    Enter {
        function: FunctionKey,
    },
    Leave {
        function: FunctionKey,
    },
}

/// Input that an execution asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputUse {
    pub slot: SlotKey,
    /// Bits per element.
    pub bits: u16,
    /// Number of elements.
    pub count: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    /// The record where reading began: those before are as in the execution that this one was solved from. Steps and
    /// what was lost are told from there on.
    pub begin: usize,
    pub steps: Vec<Step>,
    /// By step: where in the log it is.
    pub marks: Vec<Mark>,
    pub inputs: Vec<InputUse>,
    /// What was handled concretely without a constraint.
    pub lost: Vec<(SiteKey, Concretised)>,
    /// Coverage counters hit for the first time; `site` is the counter.
    pub covered: Vec<SiteKey>,
    /// Whether anything was made concrete or lost, before the beginning or behind it: mostly nothing is.
    pub has_losses: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PathError {
    #[error("record {at} has the unknown kind {kind}")]
    Kind { at: usize, kind: u16 },
    #[error("record {at} has the unknown argument {aux}")]
    Argument { at: usize, aux: u16 },
    #[error("record {at} is about a value of {bits} bits")]
    Width { at: usize, bits: u16 },
    #[error("record {at} has no label")]
    Unlabelled { at: usize },
    #[error("record {at}: {error}")]
    Node { at: usize, error: ConvertError },
}

impl Path {
    /// Reads one execution. `nodes` is the expression table, entry 0 unused; `data` the data region; `base` where this
    /// execution was to leave the path that it was solved from: if the two are the same up to there, only the rest is
    /// read.
    pub fn read(
        pool: &mut Pool,
        records: &[Record],
        nodes: &[Node],
        data: &[u8],
        base: Option<Mark>,
    ) -> Result<Path, PathError> {
        let mut path = Path::default();
        path.read_again(pool, records, nodes, data, base).map(|()| path)
    }

    /// The same in the memory of another path. After an error there is nothing in it that means anything.
    pub fn read_again(
        &mut self,
        pool: &mut Pool,
        records: &[Record],
        nodes: &[Node],
        data: &[u8],
        base: Option<Mark>,
    ) -> Result<(), PathError> {
        self.steps.clear();
        self.marks.clear();
        self.inputs.clear();
        self.lost.clear();
        self.covered.clear();
        self.has_losses = false;
        let mut digests = Digests::new(nodes, data, std::mem::take(&mut pool.scratch));
        let mut terms = std::mem::take(&mut pool.terms_of_log);
        terms.clear();
        let done = self.read_with(pool, records, nodes, data, base, (&mut digests, &mut terms));
        pool.scratch = digests.into_scratch();
        pool.terms_of_log = terms;
        done
    }

    fn read_with(
        &mut self,
        pool: &mut Pool,
        records: &[Record],
        nodes: &[Node],
        data: &[u8],
        base: Option<Mark>,
        (digests, terms): (&mut Digests<'_>, &mut Vec<(u64, Option<TermId>)>),
    ) -> Result<(), PathError> {
        let mut marker = Marker::new(records);
        let begin = base.and_then(|mark| marker.pass_all(records, mark, digests)).unwrap_or(0);
        let (common, own) = records.split_at(begin);
        // All that records are about is mostly known.
        let mut unknown = false;
        terms.extend(own.iter().map(|record| {
            let digest = if record.has_term() { digests.find(record.label) } else { return (0, None) };
            let term = pool.built.get(&digest).copied();
            unknown |= term.is_none();
            (digest, term)
        }));
        if unknown {
            let mut converter = Converter::new(nodes, data, digests);
            for (at, record) in (begin..).zip(own).filter(|(_, record)| record.has_term()) {
                converter.need(pool, record.label).map_err(|error| PathError::Node { at, error })?;
            }
            converter.convert(pool).map_err(|error| PathError::Node { at: records.len(), error })?;
            for ((digest, term), _) in terms.iter_mut().zip(own).filter(|(_, record)| record.has_term()) {
                *term = pool.built.get(digest).copied();
            }
        }

        self.begin = begin;
        for (at, record) in common.iter().enumerate() {
            if record.is_one_of(NOTED) {
                self.add(pool, None, marker.here(), at, record)?;
            }
            self.has_losses |= record.is_one_of(LOSSES);
        }
        for ((at, record), (digest, term)) in (begin..).zip(own).zip(terms) {
            self.add(pool, *term, marker.here(), at, record)?;
            marker.pass(record, *digest);
        }
        Ok(())
    }

    /// Takes up a record. `term`: what it is about; `mark`: where it is.
    #[inline]
    fn add(
        &mut self,
        pool: &mut Pool,
        term: Option<TermId>,
        mark: Mark,
        at: usize,
        record: &Record,
    ) -> Result<(), PathError> {
        let site = SiteKey { tu: record.tu, site: record.site };
        let function = FunctionKey { tu: record.tu, function: record.site };
        let kind = RecordKind::from_code(record.kind).ok_or(PathError::Kind { at, kind: record.kind })?;
        let concretised =
            || Concretised::from_code(record.aux).ok_or(PathError::Argument { at, aux: record.aux });
        let term = |pool: &Pool| {
            let term = term.ok_or(PathError::Unlabelled { at })?;
            Ok((term, pool.bits(term)))
        };
        let value = |pool: &Pool| match term(pool)? {
            (term, bits) if bits <= 64 => Ok(term),
            (_, bits) => Err(PathError::Width { at, bits }),
        };
        let condition = |pool: &Pool| match term(pool)? {
            (term, 1) => Ok(term),
            (_, bits) => Err(PathError::Width { at, bits }),
        };
        let truth_value = record.value & 1 == 1;

        let (kind, term) = match kind {
            RecordKind::Branch => (StepKind::Branch { taken: truth_value }, condition(pool)?),
            RecordKind::Switch => {
                (StepKind::Switch { value: record.value, successor: record.aux }, value(pool)?)
            }
            RecordKind::Check => {
                let class =
                    Class::from_code(record.aux).ok_or(PathError::Argument { at, aux: record.aux })?;
                let term = if record.label == 0 { pool.truth(truth_value) } else { condition(pool)? };
                (StepKind::Check { class, violated: truth_value }, term)
            }
            RecordKind::Concretised => {
                self.has_losses = true;
                (StepKind::Concretised { kind: concretised()?, value: record.value }, value(pool)?)
            }
            RecordKind::Assume => {
                let term = if record.label == 0 { pool.truth(truth_value) } else { condition(pool)? };
                (StepKind::Assume { held: truth_value, limit: record.aux == Assumed::Limit as u16 }, term)
            }
            RecordKind::Indirect => (StepKind::Indirect { target: record.value }, value(pool)?),
            RecordKind::Enter => (StepKind::Enter { function }, pool.truth(true)),
            RecordKind::Leave => (StepKind::Leave { function }, pool.truth(true)),
            RecordKind::Input => {
                if !matches!(record.aux, 8 | 16 | 32 | 64) {
                    return Err(PathError::Width { at, bits: record.aux });
                }
                let slot = SlotKey { hash: record.value, occurrence: record.tu };
                self.inputs.push(InputUse { slot, bits: record.aux, count: record.site });
                return Ok(());
            }
            RecordKind::Cover => {
                self.covered.push(site);
                return Ok(());
            }
            RecordKind::Lost => {
                self.has_losses = true;
                self.lost.push((site, concretised()?));
                return Ok(());
            }
        };
        self.steps.push(Step { site, kind, term });
        self.marks.push(mark);
        Ok(())
    }

    /// The values that this execution read, out of the bytes of each slot of its input.
    pub fn assignment<'a>(&self, bytes: impl Fn(SlotKey) -> Option<&'a [u8]>) -> Assignment {
        let mut assignment = Assignment::new();
        for input in &self.inputs {
            assignment.set_bytes(input.slot, input.bits, input.count, bytes(input.slot).unwrap_or(&[]));
        }
        assignment
    }

    /// The first step whose constraint does not hold under the input that made this path: there the terms
    /// and the native execution disagree.
    pub fn disagreement(
        &self,
        pool: &mut Pool,
        input: &Assignment,
        evaluator: &mut Evaluator,
    ) -> Option<usize> {
        let constraints: Vec<_> = self.steps.iter().map(|step| step.constraint(pool)).collect();
        let mut evaluation = evaluator.under(pool, input);
        constraints.iter().position(|constraint| constraint.is_some_and(|term| evaluation.value(term) != 1))
    }
}

/// What is taken up of the known part of a log, too.
const NOTED: Kinds = Kinds::of(&[RecordKind::Input, RecordKind::Cover]);
const LOSSES: Kinds = Kinds::of(&[RecordKind::Concretised, RecordKind::Lost]);

impl Step {
    /// The 1-bit term that held on this path, if the step constrains the input at all. A switch that took its
    /// default is held to its value here; [`Step::constraint_among`] is exact.
    #[inline]
    pub fn constraint(&self, pool: &mut Pool) -> Option<TermId> {
        let term = match self.kind {
            StepKind::Branch { taken: truth }
            | StepKind::Check { violated: truth, .. }
            | StepKind::Assume { held: truth, .. } => {
                if truth {
                    self.term
                } else {
                    pool.not(self.term)
                }
            }
            StepKind::Switch { value, .. }
            | StepKind::Concretised { value, .. }
            | StepKind::Indirect { target: value } => {
                let value = pool.constant(pool.bits(self.term), u128::from(value));
                pool.eq(self.term, value)
            }
            StepKind::Enter { .. } | StepKind::Leave { .. } => return None,
        };
        (pool.as_const(term) != Some(1)).then_some(term)
    }

    /// Like [`Step::constraint`], with the values of the site's cases: the default of a switch is then the
    /// negation of every case.
    #[inline]
    pub fn constraint_among(&self, pool: &mut Pool, cases: &[u64]) -> Option<TermId> {
        let StepKind::Switch { successor: 0, .. } = self.kind else { return self.constraint(pool) };
        let mut all = pool.truth(true);
        for case in cases {
            let case = pool.constant(pool.bits(self.term), u128::from(*case));
            let differs = pool.ne(self.term, case);
            all = pool.and(all, differs);
        }
        (pool.as_const(all) != Some(1)).then_some(all)
    }
}
