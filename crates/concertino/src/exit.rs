//! Exit codes: one table, read by the program and compared with the manual by a test.

use std::process::ExitCode;
use thiserror::Error;

macro_rules! exits {
    ($($variant:ident = $code:literal, $means:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Exit { $($variant = $code,)* }

        impl Exit {
            pub const ALL: &'static [Exit] = &[$(Exit::$variant,)*];

            pub fn means(self) -> &'static str { match self { $(Exit::$variant => $means,)* } }

            pub fn code(self) -> u8 { self as u8 }
        }
    };
}

exits! {
    Success = 0, "it ran; alarms may have been found";
    Alarms = 1, "alarms were found and `--fail-on-alarm` was given; `replay`: the input still fails";
    Usage = 2, "the command line, the configuration or the project is wrong; nothing was tested";
    Nothing = 3, "nothing could be tested: no function was found, or every one was skipped or failed";
    Internal = 4, "concertino itself failed, or a part of it (libclang, LLVM, the solver) is missing";
    Interrupted = 130, "stopped by Ctrl-C; what was finished is kept";
    Terminated = 143, "stopped by SIGTERM; what was finished is kept";
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// The user's input is wrong: says what, where, and what to do. Ends the program with [`Exit::Usage`].
#[derive(Debug, Error)]
#[error("{0}")]
pub struct BadInput(pub String);

/// Nothing could be tested: ends the program with [`Exit::Nothing`].
#[derive(Debug, Error)]
#[error("{0}")]
pub struct NothingToTest(pub String);

/// The exit code that an error asks for.
pub fn exit_of(error: &anyhow::Error) -> Exit {
    use campaign::CampaignError;
    use model::ModelError;
    for cause in error.chain() {
        if cause.is::<BadInput>() || cause.is::<crate::config::ConfigError>() {
            return Exit::Usage;
        }
        if cause.is::<NothingToTest>() {
            return Exit::Nothing;
        }
        if let Some(found) = cause.downcast_ref::<ModelError>() {
            return match found {
                ModelError::NothingParsed { .. } => Exit::Nothing,
                ModelError::LibclangMissing { .. } | ModelError::LibclangUnusable { .. } => Exit::Internal,
                _ => Exit::Usage,
            };
        }
        if let Some(found) = cause.downcast_ref::<CampaignError>() {
            return match found {
                CampaignError::Missing(_)
                | CampaignError::Busy { .. }
                | CampaignError::Version { .. }
                | CampaignError::DamagedInput(_)
                | CampaignError::NotAnInput { .. } => Exit::Usage,
                CampaignError::File { .. } | CampaignError::Database { .. } => Exit::Internal,
            };
        }
    }
    Exit::Internal
}
