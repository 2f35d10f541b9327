//! Quotes (bash manual 3.1.2) and text that is expanded as if quoted.

use super::{
    cursor::{Parsed, Parser},
    word::{Parts, Quoting},
};
use crate::tree::WordPart;

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
    pub(super) fn double_quoted(&mut self) -> Parsed<Vec<WordPart>> {
        let start = self.pos;
        self.nested(start, |parser| {
            parser.pos += 1;
            let parts = parser.quoted_parts(Quoting::Double)?;
            if !parser.eat(b'"') {
                return parser.unterminated("the double quote", start);
            }
            Ok(parts)
        })
    }

    /// The body of a here-document, all of this parser's text.
    pub(super) fn document_parts(&mut self) -> Parsed<Vec<WordPart>> {
        self.quoted_parts(Quoting::Strict)
    }

    /// Text that is expanded as in double quotes, up to `"` or (a here-document) the end.
    fn quoted_parts(&mut self, quoting: Quoting) -> Parsed<Vec<WordPart>> {
        let double = quoting == Quoting::Double;
        let mut parts = Parts::default();
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
                    let command = self.backticks(quoting)?;
                    parts.push(WordPart::Command(command));
                }
                b'$' => match self.dollar(quoting)? {
                    Some(part) => parts.push(part),
                    None => parts.quoted("$"),
                },
                _ => parts
                    .quoted(self.run(|byte| matches!(byte, b'\\' | b'`' | b'$') || (double && byte == b'"'))),
            }
        }
        Ok(parts.0)
    }

    /// `$'...'`, from its quote on, decoded (bash manual 3.1.2.4).
    pub(super) fn ansi_quoted(&mut self) -> Parsed<String> {
        let start = self.pos;
        let mut decoded = Vec::new();
        let mut ended = false;
        self.pos += 1;
        loop {
            let Some(byte) = self.raw(self.pos) else { return self.unterminated("the `$'` quote", start) };
            self.pos += 1;
            match byte {
                b'\'' => break,
                b'\\' => {
                    let at = self.pos;
                    match self.ansi_escape()? {
                        // A NUL ends the quoted text, but not the word around it.
                        Some(0) => ended = true,
                        Some(value) if !ended => decoded.push(value),
                        Some(_) => {}
                        // Not an escape: the backslash stays.
                        None => {
                            self.pos = at;
                            if !ended {
                                decoded.push(b'\\');
                            }
                            if self.raw(at).is_some_and(|byte| byte != b'\'') {
                                self.pos += 1;
                                if !ended {
                                    decoded.push(self.raw(at).unwrap_or_default());
                                }
                            }
                        }
                    }
                }
                byte if !ended => decoded.push(byte),
                _ => {}
            }
        }
        match String::from_utf8(decoded) {
            Ok(text) => Ok(text),
            Err(_) => self.unsupported("a `$'` quote that is not valid UTF-8", start),
        }
    }

    /// The byte that an escape stands for, behind its backslash.
    fn ansi_escape(&mut self) -> Parsed<Option<u8>> {
        let start = self.pos;
        let Some(byte) = self.raw(start) else { return Ok(None) };
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
            b'x' => match self.digits(16, 2) {
                (0, _) => return self.unsupported("an escape of `$'` without digits", start),
                (_, value) => value as u8,
            },
            b'u' | b'U' => match self.digits(16, if byte == b'u' { 4 } else { 8 }) {
                (1.., value @ 0..=0x7f) => value as u8,
                // What it becomes depends on the locale.
                _ => return self.unsupported("an escape of `$'` for a character outside ASCII", start),
            },
            b'c' => match self.raw(self.pos) {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.pos += 1;
                    letter & 0x1f
                }
                _ => return self.unsupported("a control escape of `$'`", start),
            },
            _ => return Ok(None),
        };
        Ok(Some(value))
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
