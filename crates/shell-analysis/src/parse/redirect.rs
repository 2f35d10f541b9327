//! Redirections (bash manual 3.6).

use super::{
    cursor::{Parsed, Parser, is_name, is_name_byte},
    heredoc::Pending,
};
use crate::{
    Span, Text,
    tree::{Few, Redirect, RedirectFd, RedirectOp, RedirectTarget, Word, WordPart},
};

impl Parser<'_> {
    /// The redirection that comes next, if one does.
    pub(super) fn redirect(&mut self) -> Parsed<Option<Redirect>> {
        // Asked in front of every word: with no other byte does one begin.
        match self.peek() {
            Some(byte @ (b'<' | b'>' | b'&' | b'{' | b'0'..=b'9')) => self.redirect_at(byte),
            _ => Ok(None),
        }
    }

    fn redirect_at(&mut self, byte: u8) -> Parsed<Option<Redirect>> {
        let start = self.pos;
        let (fd, at) = match byte {
            b'<' | b'>' if self.second().0 == Some(b'(') => return Ok(None),
            b'<' | b'>' => (RedirectFd::Default, start),
            b'&' if self.second().0 == Some(b'>') => (RedirectFd::Default, start),
            b'0'..=b'9' => match self.number_in_front() {
                Some(found) => found,
                None => return Ok(None),
            },
            b'{' => match self.variable_in_front() {
                Some(found) => found,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.pos = at;
        let (op, strips) = self.operator();
        let target =
            if op == RedirectOp::HereDoc { self.delimiter(strips, start)? } else { self.target(op)? };
        Ok(Some(Redirect { fd, op, target, span: self.since(start) }))
    }

    /// A redirection comes next.
    pub(super) fn redirect_ahead(&mut self) -> bool {
        match self.peek() {
            Some(b'<' | b'>') => self.second().0 != Some(b'('),
            Some(b'&') => self.second().0 == Some(b'>'),
            Some(b'0'..=b'9') => self.number_in_front().is_some(),
            Some(b'{') => self.variable_in_front().is_some(),
            _ => false,
        }
    }

    /// Digits glued to `<` or `>`. A number that is no descriptor (it does not fit an `int`) is a word.
    fn number_in_front(&self) -> Option<(RedirectFd, usize)> {
        let mut at = self.pos;
        let mut value: u32 = 0;
        while let Some(digit @ b'0'..=b'9') = self.raw(at) {
            value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            at = self.past_continuations(at + 1);
        }
        (i32::try_from(value).is_ok() && self.operator_at(at)).then_some((RedirectFd::Number(value), at))
    }

    /// `{name}` glued to `<` or `>`.
    fn variable_in_front(&self) -> Option<(RedirectFd, usize)> {
        let from = self.past_continuations(self.pos + 1);
        let mut at = from;
        while self.raw(at).is_some_and(is_name_byte) {
            at = self.past_continuations(at + 1);
        }
        if self.raw(at) != Some(b'}') {
            return None;
        }
        let name = self.without_continuations(from, at);
        let at = self.past_continuations(at + 1);
        (is_name(&name) && self.operator_at(at)).then_some((RedirectFd::Variable(name), at))
    }

    /// At `<` or `>` that begins no process substitution (`2>(x)` is a word).
    fn operator_at(&self, at: usize) -> bool {
        matches!(self.raw(at), Some(b'<' | b'>')) && self.raw(self.past_continuations(at + 1)) != Some(b'(')
    }

    /// The text of `from..to`.
    pub(super) fn without_continuations(&self, from: usize, to: usize) -> Text {
        let raw = self.text.get(from..to).unwrap_or_default();
        if raw.contains('\\') { raw.replace("\\\n", "").into() } else { Text::of(self.whole, raw) }
    }

    /// The text of `from..to`, as it stands.
    pub(super) fn text_of(&self, from: usize, to: usize) -> Text {
        Text::of(self.whole, self.text.get(from..to).unwrap_or_default())
    }

    /// Takes the operator; true for `<<-`.
    fn operator(&mut self) -> (RedirectOp, bool) {
        if self.eat(b'&') {
            self.eat(b'>');
            return (if self.eat(b'>') { RedirectOp::AppendBoth } else { RedirectOp::WriteBoth }, false);
        }
        let op = if self.eat(b'<') {
            if self.eat(b'<') {
                if self.eat(b'<') {
                    RedirectOp::HereString
                } else {
                    return (RedirectOp::HereDoc, self.eat(b'-'));
                }
            } else if self.eat(b'&') {
                RedirectOp::DupInput
            } else if self.eat(b'>') {
                RedirectOp::ReadWrite
            } else {
                RedirectOp::Read
            }
        } else {
            self.eat(b'>');
            if self.eat(b'>') {
                RedirectOp::Append
            } else if self.eat(b'&') {
                RedirectOp::DupOutput
            } else if self.eat(b'|') {
                RedirectOp::Clobber
            } else {
                RedirectOp::Write
            }
        };
        (op, false)
    }

    fn target(&mut self, op: RedirectOp) -> Parsed<RedirectTarget> {
        self.blanks()?;
        let duplicates = matches!(op, RedirectOp::DupInput | RedirectOp::DupOutput);
        if duplicates && self.eat(b'-') {
            // A token of its own: in `>&-ls` the next word is `ls`.
            let span = self.span(self.pos - 1, self.pos);
            return Ok(RedirectTarget::Word(Word {
                parts: Few::one(WordPart::Literal(Text::from_static("-"))),
                span,
            }));
        }
        self.peek();
        if !duplicates && self.number_in_front().is_some() {
            return self.unexpected();
        }
        Ok(RedirectTarget::Word(self.word()?))
    }

    /// The delimiter of a here-document. The body comes later: its number is left in the tree.
    fn delimiter(&mut self, strips: bool, start: usize) -> Parsed<RedirectTarget> {
        if start < self.plain_until {
            return self.unsupported("a here-document inside `((` that turns out to be a subshell", start);
        }
        self.blanks()?;
        self.peek();
        let from = self.pos;
        if self.number_in_front().is_some() {
            return self.unexpected();
        }
        let word = self.word()?;
        let raw = self.text.get(from..self.pos).unwrap_or_default();
        let Some((delimiter, quoted)) = spelled(&word, raw).filter(|(text, _)| !text.contains('\n')) else {
            return self.unsupported("the here-document's delimiter is not plain", from);
        };
        if self.in_substitution && !strips && raw.starts_with('-') {
            // Bash runs a substitution from the text that it prints of it, and prints `<< -x` as `<<-x`.
            return self.unsupported("a delimiter with a dash in a substitution", from);
        }
        let number = self.reserve_body();
        self.losing = 2;
        self.pending.push(Pending { number, delimiter, quoted, strips, start });
        let span = Span::new(super::cursor::offset(number), u32::MAX);
        Ok(RedirectTarget::HereDoc { body: Word { parts: Few::default(), span }, quoted })
    }
}

/// What a delimiter spells, and whether any of it is quoted. Expansions in it are text.
fn spelled(word: &Word, raw: &str) -> Option<(String, bool)> {
    let mut delimiter = String::new();
    let mut quoted = false;
    let plain = word.parts.iter().all(|part| match part {
        WordPart::Literal(text) => {
            delimiter.push_str(text);
            true
        }
        WordPart::Quoted(text) => {
            quoted = true;
            delimiter.push_str(text);
            true
        }
        WordPart::DoubleQuoted(parts) => {
            quoted = true;
            parts.iter().all(|part| match part {
                WordPart::Quoted(text) => {
                    delimiter.push_str(text);
                    true
                }
                _ => false,
            })
        }
        _ => false,
    });
    if plain && !raw.contains("$\"") {
        return Some((delimiter, quoted));
    }
    // Without quotes inside, the text itself. Bash prints `$(` and `<(` anew, which is not followed.
    let (inner, quoted) = match raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => (inner, true),
        None => (raw, false),
    };
    let special = ['\'', '"', '\\', '('];
    (!inner.contains(special)).then(|| (inner.to_owned(), quoted))
}
