//! Bodies of here-documents (bash manual 3.6.6).

use super::cursor::{Parsed, Parser};
use crate::tree::{Few, Word, WordPart};

/// A here-document whose body has not been read yet.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) number: usize,
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    /// `<<-`
    pub(super) strips: bool,
    /// Where its operator stands.
    pub(super) start: usize,
}

impl Parser<'_> {
    /// Reads the bodies that begin at the current line.
    pub(super) fn here_documents(&mut self) -> Parsed<()> {
        let mut pending = std::mem::take(&mut self.pending).into_iter().peekable();
        while let Some(document) = pending.next() {
            let split = self.here_document(&document)?;
            if split && pending.peek().is_some() {
                return self.unsupported("a here-document that ends in the middle of a line", document.start);
            }
        }
        Ok(())
    }

    /// Reads one body; true when it ended at `EOF)`.
    fn here_document(&mut self, document: &Pending) -> Parsed<bool> {
        let from = self.pos;
        let mut body = String::new();
        let (to, split) = loop {
            let at = self.pos;
            let Some(line) = self.logical_line(!document.quoted) else {
                // The end of the text ends it, too; bash only warns.
                if !document.quoted && self.ends_with_escape() {
                    return self.unsupported("a here-document that ends with a backslash", document.start);
                }
                break (at, false);
            };
            // Bash compares before it strips, too.
            if line == document.delimiter {
                break (at, false);
            }
            let line = if document.strips { line.trim_start_matches('\t') } else { &line };
            if line == document.delimiter {
                break (at, false);
            }
            if self.in_substitution
                && let Some(rest) = line.strip_prefix(document.delimiter.as_str())
                && rest.contains(')')
            {
                // Inside `$(`, bash ends the body here and reads on behind the delimiter.
                let raw = self.text.get(at..self.pos).unwrap_or_default();
                let bare = if document.strips { raw.trim_start_matches('\t') } else { raw };
                let joined = raw.contains("\\\n") && raw.contains(['#', '\'']);
                let Some(behind) = bare
                    .strip_prefix(document.delimiter.as_str())
                    .filter(|_| !document.delimiter.is_empty() && !joined)
                else {
                    return self
                        .unsupported("a here-document that ends in the middle of a line", document.start);
                };
                self.pos = self.pos.saturating_sub(behind.len());
                break (at, true);
            }
            body.push_str(line);
            body.push('\n');
        };
        let span = self.span(from, to);
        let parts = if document.quoted {
            if body.is_empty() { Few::default() } else { Few::one(WordPart::Quoted(body.into())) }
        } else {
            self.nested(document.start, |parser| {
                parser.within(&body, (from, to), |inner: &mut Parser<'_>| inner.body_parts())
            })?
        };
        self.set_body(document.number, Word { parts, span });
        Ok(split)
    }

    /// The text ends in a backslash that quotes nothing.
    fn ends_with_escape(&self) -> bool {
        self.bytes.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
    }

    /// The next line without its newline; with `join`, lines that end in an unescaped backslash are joined.
    fn logical_line(&mut self, join: bool) -> Option<String> {
        if self.pos >= self.bytes.len() {
            return None;
        }
        let mut line = String::new();
        loop {
            let rest = self.text.get(self.pos..)?;
            let (part, ended) = match rest.split_once('\n') {
                Some((part, _)) => (part, true),
                None => (rest, false),
            };
            self.pos += part.len() + usize::from(ended);
            let escapes = part.bytes().rev().take_while(|&byte| byte == b'\\').count();
            if !join || !ended || escapes % 2 == 0 {
                line.push_str(part);
                return Some(line);
            }
            line.push_str(part.get(..part.len() - 1)?);
            if self.pos >= self.bytes.len() {
                return (!line.is_empty()).then_some(line);
            }
        }
    }
}
