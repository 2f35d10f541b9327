//! Quotes (bash manual 3.1.2) and text that is expanded as if quoted.

use super::{
    cursor::{Parsed, Parser},
    word::{Parts, Quoting},
};
use crate::{
    ErrorKind, Span, Text,
    tree::{Few, Parameter, ParameterOperator, Word, WordPart},
};

/// What a backslash in `$'...'` and the bytes behind it stand for.
enum Escape {
    Byte(u8),
    /// What it becomes depends on the locale.
    Character(char),
    /// Nothing: the backslash stays, and the byte behind it.
    None(u8),
}

impl<'a> Parser<'a> {
    /// `'...'`, from its first quote on.
    pub(super) fn single_quoted(&mut self) -> Parsed<&'a str> {
        let start = self.pos;
        let rest = self.text.get(start + 1..).unwrap_or_default();
        let Some(length) = rest.find('\'') else { return self.unterminated("the single quote", start) };
        self.pos = start + 1 + length + 1;
        Ok(rest.get(..length).unwrap_or_default())
    }

    /// `"..."`, from its first quote on.
    pub(super) fn double_quoted(&mut self) -> Parsed<Parts<'a>> {
        let start = self.pos;
        self.nested(start, |parser| {
            parser.pos += 1;
            let mut parts = Parts::new(parser.whole);
            parser.quoted_parts(Quoting::Double, &mut parts)?;
            if !parser.eat(b'"') {
                return parser.unterminated("the double quote", start);
            }
            Ok(parts)
        })
    }

    /// All of this parser's text, as in a here-document.
    pub(super) fn document_parts(&mut self) -> Parsed<Few<WordPart>> {
        let mut parts = Parts::new(self.whole);
        self.quoted_parts(Quoting::Strict, &mut parts)?;
        Ok(parts.finish())
    }

    /// The body of a here-document. Bash reads it when it runs the command, and gives up at the first
    /// expansion that it cannot read; nothing behind that is expanded.
    pub(super) fn body_parts(&mut self) -> Parsed<Few<WordPart>> {
        let mut parts = Parts::new(self.whole);
        match self.quoted_parts(Quoting::Strict, &mut parts) {
            Ok(()) => {}
            Err(failure) if matches!(failure.kind, ErrorKind::Syntax | ErrorKind::Unterminated) => {
                parts.push(unreadable(failure.span));
            }
            Err(failure) => return Err(failure),
        }
        Ok(parts.finish())
    }

    /// Text that is expanded as in double quotes, up to `"` or (a here-document) the end.
    fn quoted_parts(&mut self, quoting: Quoting, parts: &mut Parts<'a>) -> Parsed<()> {
        let double = quoting == Quoting::Double;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' if double => break,
                b'\\' => match self.raw(self.pos + 1) {
                    Some(next @ (b'$' | b'`' | b'\\' | b'"')) if double || next != b'"' => {
                        parts.quoted(self.character(self.pos + 1));
                        self.pos += 2;
                    }
                    _ => {
                        parts.quoted("\\");
                        self.pos += 1;
                    }
                },
                b'`' => {
                    let start = self.pos;
                    let command = self.backticks(quoting)?;
                    self.add(WordPart::Command(Box::new(command)), parts);
                    self.quoted_again(start, quoting, parts);
                }
                b'$' => {
                    let start = self.pos;
                    match self.dollar(quoting)? {
                        Some(part) => {
                            let command = matches!(part, WordPart::Command(_));
                            self.add(part, parts);
                            if !command {
                                self.quoted_again(start, quoting, parts);
                            }
                        }
                        None => parts.quoted("$"),
                    }
                }
                _ => parts
                    .quoted(self.run(|byte| matches!(byte, b'\\' | b'`' | b'$') || (double && byte == b'"'))),
            }
        }
        Ok(())
    }

    /// Braces are expanded first, as text, and a quote inside backticks or `${...}` ends the one around them there:
    /// `"${x-"{a,b}"}"` is two words (bash manual 3.5.1; seen in bash 5.2). What stands behind `start` is such.
    fn quoted_again(&self, start: usize, quoting: Quoting, parts: &mut Parts<'a>) {
        let raw = self.text.get(start..self.pos).unwrap_or_default();
        if quoting == Quoting::Double && raw.contains('"') && holds_braces(raw) {
            parts.push(unreadable(self.since(start)));
        }
    }

    /// `$'...'` where bash may expand once more what it decodes to.
    pub(super) fn inert_ansi(&mut self, parts: &mut Parts<'a>) -> Parsed<()> {
        let at = self.pos;
        self.pos = self.second().1;
        let mut decoded = Parts::new(self.whole);
        self.ansi_quoted(&mut decoded)?;
        let raw = self.text.get(at..self.pos).unwrap_or_default();
        let decoded = decoded.finish();
        let inert = decoded.iter().all(|part| match part {
            WordPart::Quoted(text) => !text.contains(['$', '`', '\\', '"', '\'', '{', '}']),
            _ => false,
        });
        if !inert || raw.contains("\\'") {
            return self.unsupported("`$` and a quote inside an expansion", at);
        }
        parts.all(decoded);
        Ok(())
    }

    /// `$'...'`, from its quote on, decoded (bash manual 3.1.2.4).
    pub(super) fn ansi_quoted(&mut self, parts: &mut Parts<'_>) -> Parsed<()> {
        let start = self.pos;
        let mut decoded = Vec::new();
        let mut ended = false;
        // An empty quote is an empty word.
        parts.quoted("");
        self.pos += 1;
        loop {
            let Some(byte) = self.raw(self.pos) else { return self.unterminated("the `$'` quote", start) };
            self.pos += 1;
            let escape = match byte {
                b'\'' => break,
                b'\\' => self.ansi_escape()?,
                byte => Escape::Byte(byte),
            };
            match escape {
                // A NUL ends the quoted text, but not the word around it.
                Escape::Byte(0) => ended = true,
                _ if ended => {}
                Escape::Byte(byte) => decoded.push(byte),
                Escape::None(byte) => decoded.extend([b'\\', byte]),
                Escape::Character(character) => {
                    self.decoded(&mut decoded, start, parts)?;
                    parts.push(WordPart::Locale(character.to_string().into()));
                }
            }
        }
        self.decoded(&mut decoded, start, parts)
    }

    fn decoded(&self, bytes: &mut Vec<u8>, start: usize, parts: &mut Parts<'_>) -> Parsed<()> {
        match String::from_utf8(std::mem::take(bytes)) {
            Ok(text) if text.is_empty() => Ok(()),
            Ok(text) => {
                parts.quoted(text);
                Ok(())
            }
            Err(_) => self.unsupported("a `$'` quote that is not valid UTF-8", start),
        }
    }

    /// What an escape stands for, behind its backslash.
    fn ansi_escape(&mut self) -> Parsed<Escape> {
        let start = self.pos;
        // The caller finds that the quote has no end.
        let Some(byte) = self.raw(start) else { return Ok(Escape::Byte(b'\\')) };
        self.pos += 1;
        let value = match byte {
            b'a' => 0x07,
            b'b' => 0x08,
            b'e' | b'E' => 0x1b,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'\\' | b'\'' | b'"' | b'?' => byte,
            b'0'..=b'7' => {
                self.pos = start;
                self.digits(8, 3).1 as u8
            }
            b'x' if self.raw(self.pos) == Some(b'{') => {
                self.pos += 1;
                let value = self.digits(16, usize::MAX).1 as u8;
                if self.raw(self.pos) == Some(b'}') {
                    self.pos += 1;
                }
                value
            }
            b'x' => match self.digits(16, 2) {
                (0, _) => return Ok(Escape::None(byte)),
                (_, value) => value as u8,
            },
            b'u' | b'U' => match self.digits(16, if byte == b'u' { 4 } else { 8 }) {
                (0, _) => return Ok(Escape::None(byte)),
                (_, value @ 0..=0x7f) => value as u8,
                (_, value) => match char::from_u32(value) {
                    Some(character) => return Ok(Escape::Character(character)),
                    None => return self.unsupported("an escape of `$'` for no character", start),
                },
            },
            b'c' => match (self.raw(self.pos), self.raw(self.pos + 1)) {
                (Some(b'\''), _) => return Ok(Escape::None(byte)),
                (Some(b'\\'), Some(b'\\')) => {
                    self.pos += 2;
                    0x1c
                }
                (Some(b'?'), _) => {
                    self.pos += 1;
                    0x7f
                }
                (Some(letter), _) if letter.is_ascii() && letter != b'\\' => {
                    self.pos += 1;
                    letter.to_ascii_uppercase() & 0x1f
                }
                _ => return self.unsupported("a control escape of `$'`", start),
            },
            // Not an escape: the backslash stays.
            _ => return Ok(Escape::None(byte)),
        };
        Ok(Escape::Byte(value))
    }

    /// At most `most` digits: how many, and their value.
    fn digits(&mut self, base: u32, most: usize) -> (usize, u32) {
        let (mut count, mut value) = (0, 0_u32);
        while count < most
            && let Some(digit) = self.raw(self.pos).and_then(|byte| char::from(byte).to_digit(base))
        {
            value = value.wrapping_mul(base).wrapping_add(digit);
            self.pos += 1;
            count += 1;
        }
        (count, value)
    }
}

/// Stands for an expansion that is not read.
fn unreadable(span: Span) -> WordPart {
    WordPart::Parameter(Box::new(Parameter {
        name: Text::default(),
        indirect: false,
        length: false,
        subscript: None,
        operator: Some(ParameterOperator::Other(Word::default())),
        span,
    }))
}

/// Whether a quote and braces that expand stand in it, none of them escaped.
fn holds_braces(raw: &str) -> bool {
    let (mut quote, mut brace, mut before) = (false, false, 0);
    for byte in raw.bytes() {
        match byte {
            _ if before == b'\\' => {}
            b'"' => quote = true,
            b'{' if before != b'$' => brace = true,
            _ => {}
        }
        // An escaped backslash escapes nothing.
        before = if before == b'\\' && byte == b'\\' { 0 } else { byte };
    }
    quote && brace && (raw.contains(',') || raw.contains(".."))
}
