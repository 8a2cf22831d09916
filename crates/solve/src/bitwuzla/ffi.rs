//! The part of Bitwuzla's C interface that is used, by hand: `bitwuzla/c/bitwuzla.h` of version 0.9.1.
//! The numbers of kinds and options are checked against the library's own names in the tests below.

use std::ffi::{c_char, c_int, c_void};

macro_rules! opaque {
    ($($name:ident),*) => { $(#[repr(C)] pub(super) struct $name { _private: [u8; 0] })* };
}

opaque!(TermManager, Options, Bitwuzla, SortData, TermData);

pub(super) type Sort = *mut SortData;
pub(super) type Term = *mut TermData;

pub(super) const SAT: c_int = 10;
pub(super) const UNSAT: c_int = 20;

macro_rules! kinds {
    ($($name:ident = $number:literal;)*) => {
        $(pub(super) const $name: c_int = $number;)*
        #[cfg(test)]
        const KINDS: &[(&str, c_int)] = &[$((stringify!($name), $number)),*];
    };
}

kinds! {
    AND = 4; EQUAL = 6; NOT = 9; OR = 10; XOR = 11; ITE = 12;
    BV_ADD = 19; BV_AND = 20; BV_ASHR = 21; BV_CONCAT = 23; BV_MUL = 26; BV_NOT = 31; BV_OR = 32;
    BV_SDIV = 40; BV_SHL = 43; BV_SHR = 44; BV_SLT = 46; BV_SMULO = 48; BV_SREM = 49; BV_SUB = 51;
    BV_UDIV = 53; BV_ULT = 57; BV_UMULO = 58; BV_UREM = 59; BV_XOR = 62; BV_EXTRACT = 63;
    BV_SIGN_EXTEND = 67; BV_ZERO_EXTEND = 68;
    FP_ADD = 70; FP_DIV = 71; FP_EQUAL = 72; FP_FMA = 73; FP_IS_NAN = 78; FP_LEQ = 84; FP_LT = 85;
    FP_MUL = 88; FP_RTI = 91; FP_SQRT = 92; FP_SUB = 93;
    FP_TO_FP_FROM_BV = 94; FP_TO_FP_FROM_FP = 95; FP_TO_FP_FROM_SBV = 96; FP_TO_FP_FROM_UBV = 97;
    FP_TO_SBV = 98;
}

pub(super) const OPT_PRODUCE_MODELS: c_int = 1;
pub(super) const OPT_PRODUCE_UNSAT_ASSUMPTIONS: c_int = 3;
pub(super) const OPT_SEED: c_int = 5;
pub(super) const OPT_PREPROCESS: c_int = 44;

pub(super) const RNE: c_int = 0;
pub(super) const RNA: c_int = 1;
pub(super) const RTN: c_int = 2;
pub(super) const RTP: c_int = 3;
pub(super) const RTZ: c_int = 4;

unsafe extern "C" {
    pub(super) fn bitwuzla_term_manager_new() -> *mut TermManager;
    pub(super) fn bitwuzla_term_manager_delete(manager: *mut TermManager);
    pub(super) fn bitwuzla_options_new() -> *mut Options;
    pub(super) fn bitwuzla_options_delete(options: *mut Options);
    pub(super) fn bitwuzla_set_option(options: *mut Options, option: c_int, value: u64);
    pub(super) fn bitwuzla_new(manager: *mut TermManager, options: *const Options) -> *mut Bitwuzla;
    pub(super) fn bitwuzla_delete(bitwuzla: *mut Bitwuzla);
    pub(super) fn bitwuzla_set_termination_callback(
        bitwuzla: *mut Bitwuzla,
        callback: unsafe extern "C" fn(*mut c_void) -> i32,
        state: *mut c_void,
    );
    pub(super) fn bitwuzla_check_sat_assuming(
        bitwuzla: *mut Bitwuzla,
        count: u32,
        assumptions: *mut Term,
    ) -> c_int;
    pub(super) fn bitwuzla_is_unsat_assumption(bitwuzla: *mut Bitwuzla, term: Term) -> bool;
    pub(super) fn bitwuzla_get_value(bitwuzla: *mut Bitwuzla, term: Term) -> Term;
    pub(super) fn bitwuzla_term_value_get_str_fmt(term: Term, base: u8) -> *const c_char;
    pub(super) fn bitwuzla_term_release(term: Term);

    pub(super) fn bitwuzla_mk_bv_sort(manager: *mut TermManager, bits: u64) -> Sort;
    pub(super) fn bitwuzla_mk_true(manager: *mut TermManager) -> Term;
    pub(super) fn bitwuzla_mk_false(manager: *mut TermManager) -> Term;
    pub(super) fn bitwuzla_mk_rm_value(manager: *mut TermManager, rounding: c_int) -> Term;
    pub(super) fn bitwuzla_mk_bv_value_uint64(manager: *mut TermManager, sort: Sort, value: u64) -> Term;
    pub(super) fn bitwuzla_mk_const(manager: *mut TermManager, sort: Sort, symbol: *const c_char) -> Term;
    pub(super) fn bitwuzla_mk_term(
        manager: *mut TermManager,
        kind: c_int,
        count: u32,
        operands: *mut Term,
    ) -> Term;
    pub(super) fn bitwuzla_mk_term_indexed(
        manager: *mut TermManager,
        kind: c_int,
        count: u32,
        operands: *mut Term,
        index_count: u32,
        indices: *const u64,
    ) -> Term;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[repr(C)]
    struct OptionInfo {
        option: c_int,
        short: *const c_char,
        long: *const c_char,
        rest: [u64; 32],
    }

    unsafe extern "C" {
        fn bitwuzla_kind_to_string(kind: c_int) -> *const c_char;
        fn bitwuzla_get_option_info(options: *mut Options, option: c_int, info: *mut OptionInfo);
        fn bitwuzla_version() -> *const c_char;
    }

    fn text(text: *const c_char) -> String {
        // SAFETY: the library returns zero-terminated strings that it owns.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    #[test]
    fn kinds_have_the_numbers_of_the_library() {
        for (name, number) in KINDS {
            // SAFETY: `number` is a kind of the pinned version.
            let actual = text(unsafe { bitwuzla_kind_to_string(*number) });
            assert_eq!(actual, format!("BITWUZLA_KIND_{name}"));
        }
        // SAFETY: takes nothing.
        assert_eq!(text(unsafe { bitwuzla_version() }), "0.9.1");
    }

    #[test]
    fn options_have_the_numbers_of_the_library() {
        let expected = [
            (OPT_PRODUCE_MODELS, "produce-models"),
            (OPT_PRODUCE_UNSAT_ASSUMPTIONS, "produce-unsat-assumptions"),
            (OPT_SEED, "seed"),
            (OPT_PREPROCESS, "preprocess"),
        ];
        // SAFETY: `OptionInfo` begins like the library's struct and is larger than it.
        unsafe {
            let options = bitwuzla_options_new();
            for (number, name) in expected {
                let mut info = std::mem::zeroed::<OptionInfo>();
                bitwuzla_get_option_info(options, number, &mut info);
                assert_eq!(text(info.long), name);
            }
            bitwuzla_options_delete(options);
        }
    }
}
