//! What executions left behind: counters and bitmaps of functions, read from `llvm-profdata`'s text form.

use std::collections::HashMap;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) counters: Vec<u64>,
    pub(crate) bitmap: Vec<u8>,
}

impl Counts {
    /// Whether the bit with this number is set.
    pub(crate) fn bit(&self, number: usize) -> bool {
        self.bitmap.get(number / 8).is_some_and(|byte| byte >> (number % 8) & 1 == 1)
    }
}

/// Counts by the function's name in the profile and the hash of its shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    functions: HashMap<(String, u64), Counts>,
}

impl Profile {
    /// Reads the text form; None when it is not one.
    pub fn from_text(text: &str) -> Option<Profile> {
        let mut functions = HashMap::new();
        let mut lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with(':'))
            .peekable();
        while let Some(name) = lines.next() {
            let hash: u64 = lines.next()?.parse().ok()?;
            let length: usize = lines.next()?.parse().ok()?;
            let mut counts = Counts::default();
            for _ in 0..length {
                counts.counters.push(lines.next()?.parse().ok()?);
            }
            if let Some(length) = lines.peek().and_then(|line| line.strip_prefix('$')) {
                let length: usize = length.parse().ok()?;
                lines.next();
                for _ in 0..length {
                    let byte = lines.next()?.strip_prefix("0x")?;
                    counts.bitmap.push(u8::from_str_radix(byte, 16).ok()?);
                }
            }
            functions.insert((name.to_owned(), hash), counts);
        }
        Some(Profile { functions })
    }

    pub(crate) fn of(&self, name: &str, hash: u64) -> Option<&Counts> {
        self.functions.get(&(name.to_owned(), hash))
    }

    /// Adds the executions of another profile.
    pub(crate) fn add(&mut self, other: &Profile) {
        for (key, theirs) in &other.functions {
            let mine = self.functions.entry(key.clone()).or_default();
            mine.counters.resize(mine.counters.len().max(theirs.counters.len()), 0);
            mine.bitmap.resize(mine.bitmap.len().max(theirs.bitmap.len()), 0);
            for (mine, theirs) in mine.counters.iter_mut().zip(&theirs.counters) {
                *mine = mine.saturating_add(*theirs);
            }
            for (mine, theirs) in mine.bitmap.iter_mut().zip(&theirs.bitmap) {
                *mine |= theirs;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "f\n# Func Hash:\n12\n# Num Counters:\n2\n# Counter Values:\n3\n0\n\
                        # Num Bitmap Bytes:\n$2\n# Bitmap Byte Values:\n0x5\n0x80\n\n\nh.c:g\n# Func Hash:\n7\n\
                        # Num Counters:\n1\n# Counter Values:\n9\n\n";

    #[test]
    fn text_is_read() {
        let profile = Profile::from_text(TEXT).unwrap();
        let f = profile.of("f", 12).unwrap();
        assert_eq!(f.counters, [3, 0]);
        assert!(f.bit(0) && !f.bit(1) && f.bit(2) && f.bit(15) && !f.bit(16));
        assert_eq!(profile.of("h.c:g", 7).unwrap().counters, [9]);
        assert_eq!(profile.of("f", 13), None);
        assert_eq!(Profile::from_text("f\n12\n2\n3\n"), None);
    }

    #[test]
    fn profiles_add_up() {
        let mut sum = Profile::default();
        let one = Profile::from_text(TEXT).unwrap();
        sum.add(&one);
        sum.add(&one);
        assert_eq!(sum.of("f", 12), Some(&Counts { counters: vec![6, 0], bitmap: vec![5, 0x80] }));
    }
}
