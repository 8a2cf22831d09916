//! Tags: numbers of translation units that survive adding and removing others.

use std::collections::HashSet;

/// Gives each unit its tag, in order; a tag that is taken already is bumped.
#[derive(Default)]
pub(crate) struct Tags {
    taken: HashSet<u32>,
}

impl Tags {
    pub(crate) fn tag(&mut self, relative_path: &str, flags: &[String]) -> u32 {
        let mut hash = Fnv::new();
        hash.add(relative_path);
        for flag in flags {
            hash.add(flag);
        }
        let mut tag = hash.0;
        // Zero means "no unit" to the runtime.
        while tag == 0 || !self.taken.insert(tag) {
            tag = tag.wrapping_add(1);
        }
        tag
    }
}

/// FNV-1a, 32 bits.
struct Fnv(u32);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0x811c_9dc5)
    }

    fn add(&mut self, text: &str) {
        // The end of each string counts, so that ("a", "b") and ("ab") differ.
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_units_get_different_tags() {
        let mut tags = Tags::default();
        let first = tags.tag("a.c", &[]);
        assert_eq!(tags.tag("a.c", &[]), first.wrapping_add(1));
    }

    #[test]
    fn a_tag_depends_on_path_and_flags_only() {
        let alone = Tags::default().tag("a.c", &["-DX".into()]);
        let mut tags = Tags::default();
        tags.tag("b.c", &[]);
        assert_eq!(tags.tag("a.c", &["-DX".into()]), alone);
        assert_ne!(Tags::default().tag("a.c", &["-DY".into()]), alone);
    }
}
