//! The last bytes of a stream.

use std::collections::VecDeque;

/// Keeps the last `limit` bytes that were pushed.
#[derive(Debug)]
pub(crate) struct Tail {
    bytes: VecDeque<u8>,
    limit: usize,
    dropped: u64,
}

impl Tail {
    pub(crate) fn new(limit: usize) -> Self {
        Self { bytes: VecDeque::new(), limit, dropped: 0 }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        let skip = chunk.len().saturating_sub(self.limit);
        let kept = chunk.get(skip..).unwrap_or_default();
        let excess = (self.bytes.len() + kept.len()).saturating_sub(self.limit);
        self.bytes.drain(..excess.min(self.bytes.len()));
        self.bytes.extend(kept);
        self.dropped = self.dropped.saturating_add((skip + excess) as u64);
    }

    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes.into()
    }
}

#[cfg(test)]
mod tests {
    use super::Tail;

    #[test]
    fn keeps_the_end_and_counts_the_rest() {
        for chunk in 1..9 {
            let all: Vec<u8> = (0..100).collect();
            let mut tail = Tail::new(7);
            for piece in all.chunks(chunk) {
                tail.push(piece);
            }
            assert_eq!(tail.dropped(), 93, "chunks of {chunk}");
            assert_eq!(tail.into_bytes(), &all[93..], "chunks of {chunk}");
        }
    }

    #[test]
    fn a_limit_of_zero_keeps_nothing() {
        let mut tail = Tail::new(0);
        tail.push(b"abc");
        assert_eq!(tail.dropped(), 3);
        assert!(tail.into_bytes().is_empty());
    }
}
