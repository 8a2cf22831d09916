//! The display on a terminal: one bar, sentences above it.

use super::tally::Tally;
use crate::event::Event;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

pub(super) struct Bar {
    bar: ProgressBar,
    tally: Tally,
}

const WAITING: &str = "{prefix:>12} {spinner} {wide_msg}";
const TICK: Duration = Duration::from_millis(200);

impl Bar {
    pub(super) fn new() -> Bar {
        let bar = ProgressBar::new(0).with_style(style(WAITING));
        bar.enable_steady_tick(TICK);
        Bar { bar, tally: Tally::new() }
    }

    pub(super) fn show(&mut self, event: &Event) {
        self.tally.count(event);
        if let Some(sentence) = self.tally.sentence(event) {
            self.bar.println(sentence);
        }
        match event {
            Event::Stage { name, total } => {
                // A stage that cannot say how much there is to do only shows that it lives.
                let template = match total {
                    0 => WAITING,
                    _ => "{prefix:>12} [{bar:24}] {pos}/{len} {wide_msg}",
                };
                self.bar.set_style(style(template));
                self.bar.set_prefix(*name);
                self.bar.set_message("");
                self.bar.set_length(*total);
                self.bar.set_position(0);
            }
            Event::Step { done, item } => {
                self.bar.set_position(*done);
                self.bar.set_message(item.clone());
            }
            Event::Campaign { total, .. } => {
                self.bar.set_style(style("[{bar:10}] {pos}/{len} functions, {wide_msg}"));
                self.bar.set_length(*total);
            }
            _ => {}
        }
        if self.tally.total > 0 {
            self.bar.set_position(self.tally.done);
            self.bar.set_message(self.tally.line());
        }
    }

    pub(super) fn close(&self) {
        self.bar.finish_and_clear();
    }
}

/// The templates above are constants; one that indicatif refuses shows the plain bar.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .map(|style| style.progress_chars("=> "))
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
