//! A hash for the names of our own tables. They are constants, so that nobody can choose them to collide, and a hash
//! that defends against that would cost more than the rest of the look-up.

use std::hash::{BuildHasherDefault, Hasher};

/// Builds hashes of names.
pub(crate) type Names = BuildHasherDefault<NameHasher>;

/// FNV-1a over eight bytes at a time.
#[derive(Default)]
pub(crate) struct NameHasher(u64);

const PRIME: u64 = 0x0100_0000_01b3;

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut eight = [0; 8];
            if let Some(place) = eight.get_mut(..chunk.len()) {
                place.copy_from_slice(chunk);
            }
            self.0 = (self.0 ^ u64::from_le_bytes(eight)).wrapping_mul(PRIME).rotate_left(29);
        }
    }

    fn finish(&self) -> u64 {
        // Tables look at the lowest and the highest bits.
        (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
