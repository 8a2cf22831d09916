//! How a run looks while it goes on. Everything here goes to standard error; standard output is for results.

mod bar;
mod lines;
mod tally;

use crate::args::Progress;
use crate::event::Event;
use bar::Bar;
use lines::Lines;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;

/// Takes events from any thread.
pub struct Sink {
    kind: Mutex<Kind>,
}

enum Kind {
    Bar(Bar),
    Lines(Lines),
    Json,
    None,
}

impl Sink {
    pub fn new(wanted: Progress) -> Sink {
        let kind = match wanted {
            Progress::Auto if std::io::stderr().is_terminal() => Kind::Bar(Bar::new()),
            Progress::Auto | Progress::Lines => Kind::Lines(Lines::new()),
            Progress::Json => Kind::Json,
            Progress::None => Kind::None,
        };
        Sink { kind: Mutex::new(kind) }
    }

    pub fn emit(&self, event: Event) {
        // A panic of another thread while it printed does not make the display unusable.
        let mut kind = self.kind.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match &mut *kind {
            Kind::Bar(bar) => bar.show(&event),
            Kind::Lines(lines) => lines.show(&event),
            Kind::Json => {
                if let Ok(line) = serde_json::to_string(&event) {
                    say(&line);
                }
            }
            Kind::None => {}
        }
    }

    /// Takes the display away, so that results can be printed.
    pub fn close(&self) {
        if let Kind::Bar(bar) = &*self.kind.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            bar.close();
        }
    }
}

/// A line on standard error. A closed standard error is no reason to stop a campaign.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
