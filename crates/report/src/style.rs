//! Colours, or none. The caller knows whether there is a terminal; see `Style::for_terminal`.

use std::fmt::Display;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    colour: bool,
}

impl Style {
    pub const PLAIN: Style = Style { colour: false };
    pub const COLOUR: Style = Style { colour: true };

    /// Colours only on a terminal, and not when the user set NO_COLOR (to anything but nothing).
    pub fn for_terminal(is_terminal: bool) -> Style {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Style { colour: is_terminal && !refused && !dumb }
    }

    fn paint(self, code: &str, text: impl Display) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    pub fn strong(self, text: impl Display) -> String {
        self.paint("1", text)
    }

    pub fn faint(self, text: impl Display) -> String {
        self.paint("2", text)
    }

    pub fn bad(self, text: impl Display) -> String {
        self.paint("1;31", text)
    }

    pub fn good(self, text: impl Display) -> String {
        self.paint("32", text)
    }

    pub fn middling(self, text: impl Display) -> String {
        self.paint("33", text)
    }
}
