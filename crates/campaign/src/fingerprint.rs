//! Hashes of contents: names of stored inputs, and the test for "nothing changed".

use sha2::{Digest, Sha256};

/// A hash of the parts in order, as 32 hexadecimal digits. Parts are kept apart by their lengths.
pub fn fingerprint<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        let bytes = part.as_ref();
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn parts_are_kept_apart() {
        assert_ne!(fingerprint(["ab", "c"]), fingerprint(["a", "bc"]));
        assert_eq!(fingerprint(["ab", "c"]), fingerprint(["ab", "c"]));
        assert_eq!(fingerprint(["x"]).len(), 32);
    }
}
