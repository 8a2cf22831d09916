//! Ctrl-C and SIGTERM: the first one stops cleanly, the second one at once.
//!
//! Before there is anything to keep (while the project is compiled) the first one already stops at once.

use crate::exit::Exit;
use anyhow::Result;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone)]
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    terminated: Arc<AtomicBool>,
    at_once: Arc<AtomicBool>,
}

impl Interrupt {
    pub fn watch() -> Result<Interrupt> {
        let interrupt = Interrupt {
            stop: Arc::default(),
            terminated: Arc::default(),
            at_once: Arc::new(AtomicBool::new(true)),
        };
        for (signal, exit) in [(SIGINT, Exit::Interrupted), (SIGTERM, Exit::Terminated)] {
            // Handlers run in this order: the second signal finds `at_once` set by the first.
            flag::register_conditional_shutdown(
                signal,
                i32::from(exit.code()),
                Arc::clone(&interrupt.at_once),
            )?;
            flag::register(signal, Arc::clone(&interrupt.at_once))?;
            flag::register(signal, Arc::clone(&interrupt.stop))?;
        }
        flag::register(SIGTERM, Arc::clone(&interrupt.terminated))?;
        Ok(interrupt)
    }

    /// From here on there are results to finish writing.
    pub fn be_careful(&self) {
        self.at_once.store(false, Ordering::SeqCst);
    }

    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// The exit code, if a signal came.
    pub fn exit(&self) -> Option<Exit> {
        if self.terminated.load(Ordering::SeqCst) {
            Some(Exit::Terminated)
        } else {
            self.stop.load(Ordering::SeqCst).then_some(Exit::Interrupted)
        }
    }
}
