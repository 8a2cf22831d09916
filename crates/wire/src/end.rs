//! One table of every way an execution can end. Reports, alarms and the manual read it.

use crate::Class;
use serde::{Deserialize, Serialize};

/// Faults below this address are null dereferences, of a member perhaps: nothing is mapped there.
pub const NULL_PAGE: u64 = 64 << 10;

macro_rules! ends {
    ($($variant:ident = $code:literal, $name:literal, $class:expr, $means:literal;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[repr(u32)]
        pub enum End { $($variant = $code,)* }

        impl End {
            pub const ALL: &'static [End] = &[$(End::$variant,)*];

            pub fn name(self) -> &'static str { match self { $(End::$variant => $name,)* } }

            /// The class of alarm that this ending raises by itself; `Violation` carries its own class.
            pub fn class(self) -> Option<Class> { match self { $(End::$variant => $class,)* } }

            /// One sentence for the manual.
            pub fn means(self) -> &'static str { match self { $(End::$variant => $means,)* } }

            pub fn from_code(code: u32) -> Option<End> {
                match code { $($code => Some(End::$variant),)* _ => None }
            }
        }
    };
}

ends! {
    Returned = 1, "returned", None, "the function under test returned to its driver";
    Exited = 2, "exited", None, "the code called exit, _exit or quick_exit";
    Aborted = 3, "aborted", Some(Class::Assertion), "the code called abort";
    AssertFailed = 4, "assert-failed", Some(Class::Assertion), "the program's own assert failed";
    Violation = 5, "violation", None, "an inserted check failed; the record names class and place";
    Segfault = 6, "segfault", Some(Class::Other), "SIGSEGV or SIGBUS; near address zero it is a null dereference";
    ArithmeticTrap = 7, "arithmetic-trap", Some(Class::DivisionByZero), "SIGFPE";
    StackOverflow = 8, "stack-overflow", Some(Class::StackOverflow), "the stack guard was hit";
    OtherSignal = 9, "other-signal", Some(Class::Other), "another signal ended the execution, SIGILL for example";
    RaisedSignal = 10, "raised-signal", None, "the code sent a signal to itself or asked for one to be sent";
    Timeout = 11, "timeout", Some(Class::NonTermination), "the time limit passed";
    OutOfMemory = 12, "out-of-memory", None, "the memory limit passed";
    LogFull = 13, "log-full", None, "the path grew beyond the log; its prefix is used";
    AssumptionFailed = 14, "assumption-failed", None, "the input violates an assumption of the driver";
    LongJump = 15, "long-jump", None, "longjmp to a buffer that no setjmp of this execution filled";
    Forbidden = 16, "forbidden", None, "a system call that the sandbox does not allow";
    Killed = 17, "killed", None, "killed from outside, or the process vanished";
    OutputLimit = 18, "output-limit", None, "more output than allowed";
}
