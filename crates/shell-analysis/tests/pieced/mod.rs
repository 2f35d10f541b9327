//! Texts that are put together out of pieces: all of the short ones, and some of the longer ones.

use std::ops::RangeInclusive;

/// Every text of up to `length` of these pieces.
pub(crate) fn short(pieces: &[&str], length: u32) -> Vec<String> {
    let mut all = Vec::new();
    for length in 1..=length {
        for mut number in 0..pieces.len().pow(length) {
            let mut text = String::new();
            for _ in 0..length {
                text.push_str(pieces[number % pieces.len()]);
                number /= pieces.len();
            }
            all.push(text);
        }
    }
    all
}

/// So many texts of more of them, the same ones each time; `soak` of them where the searches are long.
pub(crate) fn longer(
    pieces: &[&str],
    lengths: RangeInclusive<usize>,
    count: usize,
    soak: usize,
) -> Vec<String> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let count = if std::env::var_os("PORTCULLIS_SOAK").is_some() { soak } else { count };
    let more = lengths.end() - lengths.start() + 1;
    (0..count)
        .map(|_| (0..lengths.start() + next(more)).map(|_| pieces[next(pieces.len())]).collect())
        .collect()
}
