//! Progress as plain lines, for logs: what matters at once, the rest every few seconds.

use super::say;
use super::tally::Tally;
use crate::event::Event;
use std::time::{Duration, Instant};

pub(super) struct Lines {
    tally: Tally,
    last: Instant,
}

const EVERY: Duration = Duration::from_secs(5);

impl Lines {
    pub(super) fn new() -> Lines {
        Lines { tally: Tally::new(), last: Instant::now() }
    }

    pub(super) fn show(&mut self, event: &Event) {
        self.tally.count(event);
        if let Some(sentence) = self.tally.sentence(event) {
            say(&sentence);
        }
        match event {
            Event::Stage { name, total: 0 } => say(name),
            Event::Stage { name, total } => say(&format!("{name}: {total}")),
            Event::Campaign { total, unchanged, .. } => {
                say(&format!("explore: {total} functions, {unchanged} of them unchanged"));
                self.last = Instant::now();
            }
            Event::Started { .. } | Event::Progress { .. } | Event::Finished { .. } => {
                let over = self.tally.done == self.tally.total && matches!(event, Event::Finished { .. });
                if over || self.last.elapsed() >= EVERY {
                    self.last = Instant::now();
                    say(&format!(
                        "{}/{} functions, {}",
                        self.tally.done,
                        self.tally.total,
                        self.tally.line()
                    ));
                }
            }
            _ => {}
        }
    }
}
