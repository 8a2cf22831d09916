//! Decisions that clang does not measure by MC/DC, as its warnings name them: one with a decision inside an operand,
//! one of too many conditions. Their branches are counted; without this they would be missing from MC/DC in silence.

use crate::measured::Measured;
use serde::{Deserialize, Serialize};

/// A decision without test vectors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Refused {
    pub line: u32,
    pub column: u32,
    pub why: String,
}

const MARK: &str = ": warning: unsupported MC/DC boolean expression; ";

/// The decisions that a compiler's messages name, with their files as the compiler writes them.
pub fn refused_decisions(said: &str) -> Vec<(String, Refused)> {
    let mut found: Vec<(String, Refused)> = said.lines().filter_map(refused).collect();
    found.sort();
    found.dedup();
    found
}

fn refused(line: &str) -> Option<(String, Refused)> {
    let (place, said) = line.split_once(MARK)?;
    let (place, column) = place.rsplit_once(':')?;
    let (file, line) = place.rsplit_once(':')?;
    let why = match said {
        nested if nested.contains("nested boolean expression") => {
            "an operand holds a decision of its own".to_owned()
        }
        other => other.split(". Expression").next().unwrap_or(other).to_owned(),
    };
    Some((file.to_owned(), Refused { line: line.parse().ok()?, column: column.parse().ok()?, why }))
}

impl Measured {
    /// Notes a decision that is not measured with the function that holds it; `file` as reports show it.
    pub fn refuse(&mut self, file: &str, refused: &Refused) {
        let holds = |lines: (u32, u32)| (lines.0..=lines.1).contains(&refused.line);
        let home = self.functions.iter_mut().find(|f| f.file == file && holds((f.line, f.end_line)));
        match home {
            Some(function) if !function.refused.contains(refused) => function.refused.push(refused.clone()),
            Some(_) => {}
            None => self.problems.push(format!(
                "{file}:{}:{}: MC/DC is not measured: {}",
                refused.line, refused.column, refused.why
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_name_the_decisions() {
        let said = "/p/n.c:2:31: warning: unsupported MC/DC boolean expression; contains an operation with a nested \
                    boolean expression. Expression will not be covered\n    2 | if (a && g(b || c))\n      |     ^\n\
                    n.h:7:1: warning: unsupported MC/DC boolean expression; number of conditions (9) exceeds max (6). \
                    Expression will not be covered\n2 warnings generated.\n";
        let found = refused_decisions(said);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].0, "/p/n.c");
        assert_eq!((found[0].1.line, found[0].1.column), (2, 31));
        assert_eq!(found[0].1.why, "an operand holds a decision of its own");
        assert_eq!(found[1].1.why, "number of conditions (9) exceeds max (6)");
    }
}
