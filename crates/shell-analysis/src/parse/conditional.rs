//! `[[ ]]` (bash manual 3.2.5.2, 6.4).

use super::{
    cursor::{Parsed, Parser, is_break},
    word::Mode,
};
use crate::{
    Text,
    tree::{CommandKind, Conditional},
};

/// The letters of the unary operators.
const UNARY: &str = "abcdefghknoprstuvwxzGLNORS";

const BINARY: &[(&str, Mode)] = &[
    ("=", Mode::Pattern),
    ("==", Mode::Pattern),
    ("!=", Mode::Pattern),
    ("=~", Mode::Regex),
    ("-eq", Mode::Plain),
    ("-ne", Mode::Plain),
    ("-lt", Mode::Plain),
    ("-le", Mode::Plain),
    ("-gt", Mode::Plain),
    ("-ge", Mode::Plain),
    ("-nt", Mode::Plain),
    ("-ot", Mode::Plain),
    ("-ef", Mode::Plain),
];

impl Parser<'_> {
    /// What stands behind `[[`, with the `]]`.
    pub(super) fn conditional(&mut self, start: usize) -> Parsed<CommandKind> {
        // Reserved words have no meaning in here.
        self.reserved_ok = false;
        let conditional = self.either(start)?;
        match self.plain_word() {
            Some(plain) if plain.is("]]") => {
                self.pos = plain.end;
                Ok(CommandKind::Conditional(Box::new(conditional)))
            }
            _ if self.peek().is_none() => self.unterminated("the `[[`", start),
            _ => self.unexpected(),
        }
    }

    fn either(&mut self, start: usize) -> Parsed<Conditional> {
        let left = self.both(start)?;
        if !self.eat_pair(b'|', b'|') {
            return Ok(left);
        }
        let right = self.nested(start, |parser| parser.either(start))?;
        Ok(Conditional::Or(Box::new(left), Box::new(right)))
    }

    fn both(&mut self, start: usize) -> Parsed<Conditional> {
        let left = self.term(start)?;
        if !self.eat_pair(b'&', b'&') {
            return Ok(left);
        }
        let right = self.nested(start, |parser| parser.both(start))?;
        Ok(Conditional::And(Box::new(left), Box::new(right)))
    }

    /// A term and the newlines behind it.
    fn term(&mut self, start: usize) -> Parsed<Conditional> {
        self.newlines()?;
        if self.peek() == Some(b'(') {
            if self.second().0 == Some(b'(') {
                return self.unsupported("`((` inside `[[`", self.pos);
            }
            self.pos += 1;
            let inner = self.nested(start, |parser| parser.either(start))?;
            if !self.eat(b')') {
                return self.unexpected();
            }
            self.newlines()?;
            return Ok(inner);
        }
        let plain = self.plain_word();
        if let Some(plain) = plain.filter(|plain| plain.is("!")) {
            self.pos = plain.end;
            let inner = self.nested(start, |parser| parser.term(start))?;
            return Ok(Conditional::Not(Box::new(inner)));
        }
        if let Some((operator, end)) = self.unary_operator() {
            self.pos = end;
            self.blanks()?;
            let word = self.operand(Mode::Plain)?;
            self.newlines()?;
            return Ok(Conditional::Unary(Some(operator), word));
        }
        let left = self.operand(Mode::Plain)?;
        // No newline here, though bash takes one behind a finished term.
        self.blanks()?;
        let Some((operator, mode)) = self.binary_operator() else {
            return match self.peek() {
                Some(b'&' | b'|' | b')') => Ok(Conditional::Unary(None, left)),
                _ if self.plain_word().is_some_and(|plain| plain.is("]]")) => {
                    Ok(Conditional::Unary(None, left))
                }
                _ => self.unexpected(),
            };
        };
        self.blanks()?;
        let right = self.operand(mode)?;
        self.newlines()?;
        Ok(Conditional::Binary(left, Text::from_static(operator), right))
    }

    fn operand(&mut self, mode: Mode) -> Parsed<crate::tree::Word> {
        if self.plain_word().is_some_and(|plain| plain.is("]]")) {
            return self.unexpected();
        }
        // Glued to `<` or `>`, these are redirections, which have no place here.
        if self.redirect_ahead() {
            return self.unexpected();
        }
        self.word_in(mode)
    }

    /// `-f` and its kin, and where it ends.
    fn unary_operator(&mut self) -> Option<(Text, usize)> {
        let plain = self.plain_word()?;
        match plain.bytes() {
            [b'-', letter] if UNARY.as_bytes().contains(letter) => {
                Some((format!("-{}", char::from(*letter)).into(), plain.end))
            }
            _ => None,
        }
    }

    /// Takes a binary operator.
    fn binary_operator(&mut self) -> Option<(&'static str, Mode)> {
        let (byte, (next, _)) = (self.peek(), self.second());
        if let Some(byte @ (b'<' | b'>')) = byte {
            if matches!(next, Some(b'<' | b'>' | b'&' | b'|' | b'(')) {
                return None;
            }
            self.pos += 1;
            return Some((if byte == b'<' { "<" } else { ">" }, Mode::Plain));
        }
        if byte.is_none_or(is_break) {
            return None;
        }
        let plain = self.plain_word()?;
        let found = BINARY.iter().find(|(text, _)| plain.is(text))?;
        self.pos = plain.end;
        Some(*found)
    }
}
