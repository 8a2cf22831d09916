//! Bitwuzla as a back end. Preprocessing is off: on path constraints, which are many and small, it costs more
//! than it saves. Constraints are passed as assumptions, so what was bit-blasted once serves later queries.

mod ffi;

use crate::encode::Encoder;
use crate::formula::{Format, Formulas, Operation, Rounding};
use crate::query::Reason;
use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr;
use std::time::Instant;
use term::{Pool, TermId, VarId};

/// A back end's answer, not yet checked.
pub(crate) enum Verdict {
    /// Values of the variables asked for, and whether the formula left something open.
    Sat {
        values: Vec<(VarId, u64)>,
        abstracted: bool,
    },
    /// The constraints, by index, that already contradict each other.
    Unsat {
        core: Vec<usize>,
    },
    Unknown(Reason),
}

/// One incremental instance. Its terms belong to one generation of one pool.
pub(crate) struct Bitwuzla {
    terms: Terms,
    solver: *mut ffi::Bitwuzla,
    /// Read by the library through the pointer it was given.
    deadline: Box<Deadline>,
    encoder: Encoder<ffi::Term>,
}

struct Deadline {
    at: Instant,
    passed: bool,
}

struct Terms {
    manager: *mut ffi::TermManager,
    sorts: Vec<Option<ffi::Sort>>,
    roundings: [Option<ffi::Term>; 5],
}

// SAFETY: the instance owns its manager, solver and terms, and the library keeps no thread-local state for them;
// every use takes `&mut self`.
unsafe impl Send for Bitwuzla {}

impl Bitwuzla {
    pub(crate) fn new(seed: u64) -> Bitwuzla {
        let mut deadline = Box::new(Deadline { at: Instant::now(), passed: false });
        // SAFETY: options outlive their use; the callback's state is boxed, so it stays in place as long as the
        // solver, which is deleted before it.
        unsafe {
            let manager = ffi::bitwuzla_term_manager_new();
            let options = ffi::bitwuzla_options_new();
            ffi::bitwuzla_set_option(options, ffi::OPT_PRODUCE_MODELS, 1);
            ffi::bitwuzla_set_option(options, ffi::OPT_PRODUCE_UNSAT_ASSUMPTIONS, 1);
            ffi::bitwuzla_set_option(options, ffi::OPT_PREPROCESS, 0);
            ffi::bitwuzla_set_option(options, ffi::OPT_SEED, seed & u64::from(u32::MAX));
            let solver = ffi::bitwuzla_new(manager, options);
            ffi::bitwuzla_options_delete(options);
            let state: *mut Deadline = &mut *deadline;
            ffi::bitwuzla_set_termination_callback(solver, is_over, state.cast());
            let terms = Terms { manager, sorts: Vec::new(), roundings: [None; 5] };
            Bitwuzla { terms, solver, deadline, encoder: Encoder::new() }
        }
    }

    /// How much has been built; a measure of memory and of how slow the instance has become.
    pub(crate) fn size(&self) -> usize {
        self.encoder.size()
    }

    pub(crate) fn check(
        &mut self,
        pool: &Pool,
        constraints: &[TermId],
        wanted: &[VarId],
        deadline: Instant,
    ) -> Verdict {
        *self.deadline = Deadline { at: deadline, passed: false };
        let Some(encoding) = self.encoder.encode_until(&mut self.terms, pool, constraints, deadline) else {
            return Verdict::Unknown(Reason::TimeLimit);
        };
        let mut assumptions = encoding.constraints.clone();
        assumptions.extend_from_slice(&encoding.definitions);
        let Ok(count) = u32::try_from(assumptions.len()) else { return Verdict::Unknown(Reason::BackEnd) };
        // SAFETY: the assumptions are live terms of sort Bool of this instance's manager.
        let result =
            unsafe { ffi::bitwuzla_check_sat_assuming(self.solver, count, assumptions.as_mut_ptr()) };
        match result {
            ffi::SAT => {
                let values = wanted.iter().filter_map(|var| Some((*var, self.value(*var)?))).collect();
                Verdict::Sat { values, abstracted: encoding.abstracted }
            }
            ffi::UNSAT => {
                // SAFETY: the last check said unsat and the terms were among its assumptions.
                let is_failed = |term| unsafe { ffi::bitwuzla_is_unsat_assumption(self.solver, term) };
                let failed = encoding.constraints.iter().enumerate().filter(|(_, term)| is_failed(**term));
                Verdict::Unsat { core: failed.map(|(index, _)| index).collect() }
            }
            _ if self.deadline.passed => Verdict::Unknown(Reason::TimeLimit),
            _ => Verdict::Unknown(Reason::BackEnd),
        }
    }

    /// The variable's value in the model of the last check.
    fn value(&mut self, var: VarId) -> Option<u64> {
        let term = self.encoder.variable(var)?;
        // SAFETY: the last check said sat; the string is read before the next call into the library.
        unsafe {
            let value = ffi::bitwuzla_get_value(self.solver, term);
            let text = CStr::from_ptr(ffi::bitwuzla_term_value_get_str_fmt(value, 16));
            let parsed = text.to_str().ok().and_then(|text| u64::from_str_radix(text, 16).ok());
            ffi::bitwuzla_term_release(value);
            parsed
        }
    }
}

impl Drop for Bitwuzla {
    fn drop(&mut self) {
        // SAFETY: both were made by `new` and are used nowhere else; terms go with their manager.
        unsafe {
            ffi::bitwuzla_delete(self.solver);
            ffi::bitwuzla_term_manager_delete(self.terms.manager);
        }
    }
}

unsafe extern "C" fn is_over(state: *mut c_void) -> i32 {
    // SAFETY: `state` is the boxed deadline of the instance that is solving; nothing else reads it meanwhile.
    let deadline = unsafe { &mut *state.cast::<Deadline>() };
    deadline.passed |= Instant::now() >= deadline.at;
    i32::from(deadline.passed)
}

impl Terms {
    fn sort(&mut self, bits: u16) -> ffi::Sort {
        let index = usize::from(bits);
        if self.sorts.len() <= index {
            self.sorts.resize(index + 1, None);
        }
        // SAFETY: the manager is live and the width is not zero.
        *self.sorts[index]
            .get_or_insert_with(|| unsafe { ffi::bitwuzla_mk_bv_sort(self.manager, u64::from(bits)) })
    }

    fn rounding(&mut self, rounding: Rounding) -> ffi::Term {
        let mode = match rounding {
            Rounding::NearestEven => ffi::RNE,
            Rounding::NearestAway => ffi::RNA,
            Rounding::Down => ffi::RTN,
            Rounding::Up => ffi::RTP,
            Rounding::Zero => ffi::RTZ,
        };
        // SAFETY: the manager is live and the mode is one of the library's.
        *self.roundings[mode as usize]
            .get_or_insert_with(|| unsafe { ffi::bitwuzla_mk_rm_value(self.manager, mode) })
    }

    fn make(&mut self, kind: c_int, operands: &mut [ffi::Term]) -> ffi::Term {
        // SAFETY: operands are live terms of this manager with the sorts the kind asks for.
        unsafe { ffi::bitwuzla_mk_term(self.manager, kind, operands.len() as u32, operands.as_mut_ptr()) }
    }

    fn make_indexed(&mut self, kind: c_int, operands: &mut [ffi::Term], indices: &[u64]) -> ffi::Term {
        let (count, operands) = (operands.len() as u32, operands.as_mut_ptr());
        // SAFETY: as above; the indices are within the operands' widths.
        unsafe {
            let index_count = indices.len() as u32;
            ffi::bitwuzla_mk_term_indexed(self.manager, kind, count, operands, index_count, indices.as_ptr())
        }
    }
}

impl Formulas for Terms {
    type Term = ffi::Term;

    fn truth(&mut self, value: bool) -> ffi::Term {
        // SAFETY: the manager is live.
        unsafe {
            if value { ffi::bitwuzla_mk_true(self.manager) } else { ffi::bitwuzla_mk_false(self.manager) }
        }
    }

    fn bits(&mut self, bits: u16, value: u128) -> ffi::Term {
        if bits > 64 {
            let high = self.bits(bits - 64, value >> 64);
            let low = self.bits(64, value & u128::from(u64::MAX));
            return self.make(ffi::BV_CONCAT, &mut [high, low]);
        }
        let sort = self.sort(bits);
        // SAFETY: the sort is a bit-vector's; the value fits it.
        unsafe { ffi::bitwuzla_mk_bv_value_uint64(self.manager, sort, value as u64) }
    }

    fn variable(&mut self, name: &str, bits: u16) -> ffi::Term {
        let sort = self.sort(bits);
        let name = CString::new(name).ok();
        let name = name.as_ref().map_or(ptr::null(), |name| name.as_ptr());
        // SAFETY: the name, if any, lives over the call, which copies it.
        unsafe { ffi::bitwuzla_mk_const(self.manager, sort, name) }
    }

    fn apply(&mut self, operation: Operation, operands: &[ffi::Term]) -> ffi::Term {
        use Operation::*;
        // Room for a rounding mode in front of at most three operands.
        let mut with_mode = [ptr::null_mut(); 4];
        let count = operands.len().min(3);
        with_mode[1..=count].copy_from_slice(&operands[..count]);
        let mut rounded = |terms: &mut Terms, kind: c_int, rounding: Rounding, indices: &[u64]| {
            with_mode[0] = terms.rounding(rounding);
            let operands = &mut with_mode[..=count];
            if indices.is_empty() {
                terms.make(kind, operands)
            } else {
                terms.make_indexed(kind, operands, indices)
            }
        };
        let sizes = |format: Format| [u64::from(format.exponent), u64::from(format.significand)];
        let nearest = Rounding::NearestEven;
        let mut plain = [ptr::null_mut(); 3];
        plain[..count].copy_from_slice(&operands[..count]);
        let plain = &mut plain[..count];

        let kind = match operation {
            FpAdd => return rounded(self, ffi::FP_ADD, nearest, &[]),
            FpSub => return rounded(self, ffi::FP_SUB, nearest, &[]),
            FpMul => return rounded(self, ffi::FP_MUL, nearest, &[]),
            FpDiv => return rounded(self, ffi::FP_DIV, nearest, &[]),
            FpFma => return rounded(self, ffi::FP_FMA, nearest, &[]),
            FpSqrt => return rounded(self, ffi::FP_SQRT, nearest, &[]),
            FpRound(rounding) => return rounded(self, ffi::FP_RTI, rounding, &[]),
            FpFromSigned(format) => return rounded(self, ffi::FP_TO_FP_FROM_SBV, nearest, &sizes(format)),
            FpFromUnsigned(format) => return rounded(self, ffi::FP_TO_FP_FROM_UBV, nearest, &sizes(format)),
            FpFromFp(format) => return rounded(self, ffi::FP_TO_FP_FROM_FP, nearest, &sizes(format)),
            FpToSigned(bits) => return rounded(self, ffi::FP_TO_SBV, Rounding::Zero, &[u64::from(bits)]),
            FpFromBits(format) => return self.make_indexed(ffi::FP_TO_FP_FROM_BV, plain, &sizes(format)),
            Extract { high, low } => {
                return self.make_indexed(ffi::BV_EXTRACT, plain, &[u64::from(high), u64::from(low)]);
            }
            ZeroExtend(by) => return self.make_indexed(ffi::BV_ZERO_EXTEND, plain, &[u64::from(by)]),
            SignExtend(by) => return self.make_indexed(ffi::BV_SIGN_EXTEND, plain, &[u64::from(by)]),
            Not => ffi::NOT,
            And => ffi::AND,
            Or => ffi::OR,
            Xor => ffi::XOR,
            Equal => ffi::EQUAL,
            Ite => ffi::ITE,
            BvNot => ffi::BV_NOT,
            BvAdd => ffi::BV_ADD,
            BvSub => ffi::BV_SUB,
            BvMul => ffi::BV_MUL,
            BvUDiv => ffi::BV_UDIV,
            BvSDiv => ffi::BV_SDIV,
            BvURem => ffi::BV_UREM,
            BvSRem => ffi::BV_SREM,
            BvAnd => ffi::BV_AND,
            BvOr => ffi::BV_OR,
            BvXor => ffi::BV_XOR,
            BvShl => ffi::BV_SHL,
            BvLShr => ffi::BV_SHR,
            BvAShr => ffi::BV_ASHR,
            BvUlt => ffi::BV_ULT,
            BvSlt => ffi::BV_SLT,
            BvUMulO => ffi::BV_UMULO,
            BvSMulO => ffi::BV_SMULO,
            Concat => ffi::BV_CONCAT,
            FpEqual => ffi::FP_EQUAL,
            FpLess => ffi::FP_LT,
            FpLessEqual => ffi::FP_LEQ,
            FpIsNaN => ffi::FP_IS_NAN,
        };
        self.make(kind, plain)
    }
}
