//! A second opinion from the system's Z3, for tests: it reads the recorded text, so it checks the recorder and
//! the encoding at once. No model is asked for.

use crate::smtlib::smtlib;
use std::ffi::{CStr, CString, c_char};
use std::time::Duration;
use term::{Pool, TermId};

#[repr(C)]
struct Config {
    _private: [u8; 0],
}

#[repr(C)]
struct Context {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn Z3_mk_config() -> *mut Config;
    fn Z3_del_config(config: *mut Config);
    fn Z3_set_param_value(config: *mut Config, name: *const c_char, value: *const c_char);
    fn Z3_mk_context(config: *mut Config) -> *mut Context;
    fn Z3_del_context(context: *mut Context);
    fn Z3_eval_smtlib2_string(context: *mut Context, script: *const c_char) -> *const c_char;
}

/// Whether Z3 finds the constraints satisfiable; `Err` with its words when it says neither.
pub fn second_opinion(pool: &Pool, constraints: &[TermId], time_limit: Duration) -> Result<bool, String> {
    let script = CString::new(smtlib(pool, constraints)).map_err(|error| error.to_string())?;
    let limit = CString::new(time_limit.as_millis().to_string()).map_err(|error| error.to_string())?;
    // SAFETY: every string is zero-terminated and outlives its call; the reply is copied before its context goes.
    let reply = unsafe {
        let config = Z3_mk_config();
        Z3_set_param_value(config, c"timeout".as_ptr(), limit.as_ptr());
        let context = Z3_mk_context(config);
        Z3_del_config(config);
        let reply = CStr::from_ptr(Z3_eval_smtlib2_string(context, script.as_ptr()));
        let reply = reply.to_string_lossy().trim().to_owned();
        Z3_del_context(context);
        reply
    };
    match reply.as_str() {
        "sat" => Ok(true),
        "unsat" => Ok(false),
        _ => Err(reply),
    }
}
