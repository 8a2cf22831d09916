//! The classes of faults that a check looks for; their names are part of the JSON contract.

use serde::{Deserialize, Serialize};

macro_rules! classes {
    ($($variant:ident = $code:literal, $name:literal;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[repr(u16)]
        pub enum Class { $($variant = $code,)* }

        impl Class {
            pub const ALL: &'static [Class] = &[$(Class::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $(Class::$variant => $name,)* }
            }

            pub fn from_code(code: u16) -> Option<Class> {
                match code { $($code => Some(Class::$variant),)* _ => None }
            }
        }
    };
}

classes! {
    OutOfBounds = 1, "out-of-bounds";
    NullDereference = 2, "null-dereference";
    DivisionByZero = 3, "division-by-zero";
    Assertion = 4, "assertion";
    UseAfterFree = 5, "use-after-free";
    DoubleFree = 6, "double-free";
    SignedOverflow = 7, "signed-overflow";
    InvalidShift = 8, "invalid-shift";
    StackOverflow = 9, "stack-overflow";
    NonTermination = 10, "non-termination";
    Other = 11, "other";
}
