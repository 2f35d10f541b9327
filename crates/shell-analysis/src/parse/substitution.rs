//! `$...`, command and process substitution (bash manual 3.5.3, 3.5.4, 3.5.6).

use std::borrow::Cow;

use super::{
    arithmetic::PARENTHESES,
    cursor::{Parsed, Parser, is_name_byte, is_name_start},
    word::Quoting,
};
use crate::{
    ErrorKind, Text,
    tree::{List, Parameter, Substitution, WordPart},
};

impl Parser<'_> {
    /// The expansion that begins at `$`; `None` (and the `$` taken) when it stands for itself.
    pub(super) fn dollar(&mut self, quoting: Quoting) -> Parsed<Option<WordPart>> {
        let start = self.pos;
        let (next, at) = self.second();
        self.pos = at;
        let part = match next {
            Some(b'(') => {
                self.pos += 1;
                if self.peek() == Some(b'(') {
                    // In a here-document, its end is looked for with other eyes.
                    match quoting {
                        Quoting::Strict => self.lazily(|parser| parser.double_parenthesis(start))?,
                        _ => self.double_parenthesis(start)?,
                    }
                } else {
                    WordPart::Command(Box::new(self.substitution(start)?))
                }
            }
            Some(b'{') => {
                self.pos += 1;
                WordPart::Parameter(Box::new(self.nested(start, |parser| parser.braced(start, quoting))?))
            }
            Some(b'[') => {
                self.pos += 1;
                WordPart::Arithmetic(Box::new(self.bracket_arithmetic(start)?))
            }
            Some(byte) if is_name_start(byte) => {
                let name = self.name();
                self.parameter(name, start)
            }
            Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.pos += 1;
                self.parameter(self.text_of(self.pos - 1, self.pos), start)
            }
            _ => {
                self.pos = start + 1;
                return Ok(None);
            }
        };
        Ok(Some(part))
    }

    /// Takes the name that comes next.
    pub(super) fn name(&mut self) -> Text {
        let from = self.pos;
        let mut end = from;
        let mut at = from;
        while self.raw(at).is_some_and(is_name_byte) {
            end = at + 1;
            at = self.past_continuations(end);
        }
        self.pos = end;
        self.without_continuations(from, end)
    }

    fn parameter(&self, name: Text, start: usize) -> WordPart {
        WordPart::Parameter(Box::new(Parameter {
            name,
            indirect: false,
            length: false,
            subscript: None,
            operator: None,
            span: self.since(start),
        }))
    }

    /// The commands up to `)`, behind `$(`, `<(` or `>(`.
    pub(super) fn substitution(&mut self, start: usize) -> Parsed<Substitution> {
        let (list, broken) = self.nested(start, |parser| {
            if parser.forget_substitution() {
                return Ok((List::default(), false));
            }
            let pending = std::mem::take(&mut parser.pending);
            let reserved_ok = std::mem::replace(&mut parser.reserved_ok, true);
            let time_is_word = std::mem::replace(&mut parser.time_is_word, false);
            let in_substitution = std::mem::replace(&mut parser.in_substitution, true);
            let losing = std::mem::take(&mut parser.losing);
            let lost = std::mem::take(&mut parser.lost);
            let list = parser.substituted(start);
            let broken = std::mem::replace(&mut parser.lost, lost);
            parser.losing = losing;
            parser.pending = pending;
            parser.reserved_ok = reserved_ok;
            parser.time_is_word = time_is_word;
            parser.in_substitution = in_substitution;
            list.map(|list| (list, broken))
        })?;
        Ok(Substitution { list, broken, span: self.since(start) })
    }

    fn substituted(&mut self, start: usize) -> Parsed<List> {
        if self.newlines()? == 0 {
            self.refuse_timed()?;
        }
        let list = if self.peek() == Some(b')') { List::default() } else { self.list()? };
        self.substituted_documents()?;
        self.close_parenthesis("the substitution", start)?;
        Ok(list)
    }

    /// `$(time {`: right behind the parenthesis bash first takes `time` for a word, later for the keyword.
    fn refuse_timed(&mut self) -> Parsed<()> {
        let start = self.pos;
        while let Some(plain) = self.plain_word() {
            if !["time", "-p", "--", "!"].iter().any(|word| plain.is(word)) {
                break;
            }
            self.pos = plain.end;
            self.blanks()?;
        }
        let timed = self.text.get(start..self.pos).is_some_and(|text| text.starts_with("time"));
        let odd = timed
            && (matches!(self.peek(), Some(b'(' | b')'))
                || self.reserved().is_some()
                || self.assignment(false)?.is_some());
        self.spend(self.pos - start, start)?;
        self.pos = start;
        if odd {
            return self.unsupported("`time` and no plain command in a substitution", start);
        }
        Ok(())
    }

    /// A substitution ends here. Bash takes the bodies from the lines behind this one and goes on here.
    fn substituted_documents(&mut self) -> Parsed<()> {
        let Some(pending) = self.pending.first() else { return Ok(()) };
        if self.bytes.get(self.pos..).unwrap_or_default().contains(&b'\n') {
            return self
                .unsupported("a substitution that ends before its here-document begins", pending.start);
        }
        let before = std::mem::replace(&mut self.pos, self.bytes.len());
        self.here_documents()?;
        self.pos = before;
        Ok(())
    }

    /// A substitution whose first command is a subshell, glued: bash looks for its end without knowing the
    /// grammar, and reads the inside when it runs it.
    pub(super) fn glued_substitution(&mut self, start: usize) -> Parsed<Substitution> {
        let (from, end) = (self.pos, self.raw_close(self.pos, PARENTHESES, true)?);
        self.refuse_comments(from, end)?;
        let inner = self.text.get(from..end).unwrap_or_default();
        if inner.contains("\\\n") && inner.contains("<<") {
            return self.unsupported("a here-document behind two parentheses", start);
        }
        self.pos = end + 1;
        self.script_within(inner, (from, end), start)
    }

    /// `<(...)` or `>(...)`.
    pub(super) fn process_substitution(&mut self) -> Parsed<Substitution> {
        let start = self.pos;
        self.pos = self.second().1 + 1;
        if self.peek() == Some(b'(') { self.glued_substitution(start) } else { self.substitution(start) }
    }

    /// `` `...` ``: the text without its escapes is a script of its own.
    pub(super) fn backticks(&mut self, quoting: Quoting) -> Parsed<Substitution> {
        let start = self.pos;
        let mut inner = Cow::Borrowed("");
        let mut at = start + 1;
        loop {
            let rest = self.text.get(at..).unwrap_or_default();
            let Some(length) = rest.find(['`', '\\']) else {
                return self.unterminated("the backtick", start);
            };
            // Without escapes the text between the backticks is the script.
            inner += rest.get(..length).unwrap_or_default();
            at += length;
            if self.raw(at) == Some(b'`') {
                break;
            }
            match self.raw(at + 1) {
                Some(b'\n') => {}
                Some(byte @ (b'`' | b'\\' | b'$')) => inner.to_mut().push(char::from(byte)),
                Some(b'"') if quoting == Quoting::Double => inner.to_mut().push('"'),
                Some(b'"') if quoting == Quoting::Strict => {
                    return self.unsupported("an escaped double quote in backticks here", at);
                }
                Some(_) => {
                    inner += "\\";
                    inner += self.character(at + 1);
                }
                None => return self.unterminated("the backtick", start),
            }
            at += 1 + self.character(at + 1).len();
        }
        self.pos = at + 1;
        self.script_within(&inner, (start + 1, at), start)
    }

    /// The script `inner` at `from..to`, which bash reads when it runs it: a syntax error there is none of the
    /// text around it, and the complete commands before it run.
    fn script_within(
        &mut self,
        inner: &str,
        (from, to): (usize, usize),
        start: usize,
    ) -> Parsed<Substitution> {
        let (list, broken) = self.nested(start, |parser| {
            if parser.forget_script(inner, (from, to))? {
                return Ok((List::default(), false));
            }
            parser.within(inner, (from, to), |inner| match inner.script() {
                (script, None) => Ok((script.list, false)),
                (script, Some(failure))
                    if matches!(failure.kind, ErrorKind::Syntax | ErrorKind::Unterminated) =>
                {
                    Ok((script.list, true))
                }
                (_, Some(failure)) => Err(Box::new(failure)),
            })
        })?;
        Ok(Substitution { list, broken, span: self.since(start) })
    }
}
