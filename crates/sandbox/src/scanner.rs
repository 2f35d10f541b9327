//! The lines of standard error that can tell a denial, picked out while the stream passes: the whole stream
//! is searched, however little of it is kept.

use crate::{BackendName, Finished};

/// A line longer than this is looked at up to here.
const LINE: usize = 4096;
/// So many telling lines are kept.
const LINES: usize = 64;

#[derive(Debug)]
pub(crate) struct Scanner {
    backend: BackendName,
    line: Vec<u8>,
    found: String,
    count: usize,
}

impl Scanner {
    pub(crate) fn new(backend: BackendName) -> Self {
        Self { backend, line: Vec::new(), found: String::new(), count: 0 }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        let mut pieces = chunk.split(|byte| *byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            let room = LINE.saturating_sub(self.line.len());
            self.line.extend(piece.get(..room).unwrap_or(piece));
            if pieces.peek().is_some() {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line);
        if self.count < LINES && Finished::is_telling(self.backend, &line) {
            self.found.push_str(&line);
            self.found.push('\n');
            self.count += 1;
        }
        self.line.clear();
    }

    /// The telling lines, each ended.
    pub(crate) fn finish(mut self) -> String {
        self.end_line();
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_however_they_are_cut() {
        let text = "noise\na: Permission denied\nmore noise\nb: permission denied";
        for size in 1..text.len() {
            let mut scanner = Scanner::new(BackendName::Landlock);
            text.as_bytes().chunks(size).for_each(|chunk| scanner.push(chunk));
            assert_eq!(scanner.finish(), "a: Permission denied\nb: permission denied\n", "{size}");
        }
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut scanner = Scanner::new(BackendName::Landlock);
        for _ in 0..1000 {
            scanner.push(&[b'x'; 5000]);
            scanner.push(b"\npermission denied\n");
        }
        assert!(scanner.finish().len() < LINES * LINE);
    }
}
