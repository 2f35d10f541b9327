//! Hashes of contents.

use sha2::{Digest as _, Sha256};

/// Builds a hash over parts that cannot run into one another.
pub(crate) struct Hasher(Sha256);

impl Hasher {
    /// `domain` keeps hashes of different things apart.
    pub(crate) fn new(domain: &str) -> Self {
        let mut hasher = Self(Sha256::new());
        hasher.part(domain.as_bytes());
        hasher
    }

    /// Adds a part, its length first.
    pub(crate) fn part(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// The SHA-256 of bytes as they are, in lower-case hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Hasher, sha256};

    #[test]
    fn the_hash_is_the_well_known_one() {
        // FIPS 180-4, the example of one block.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn parts_do_not_run_into_one_another() {
        let of = |domain: &str, parts: &[&str]| {
            let mut hasher = Hasher::new(domain);
            parts.iter().for_each(|part| hasher.part(part.as_bytes()));
            hasher.finish()
        };
        assert_ne!(of("d", &["ab", "c"]), of("d", &["a", "bc"]));
        assert_ne!(of("d", &["a"]), of("e", &["a"]));
        assert_ne!(of("d", &[]), of("d", &[""]));
    }
}
