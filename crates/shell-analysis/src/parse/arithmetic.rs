//! Arithmetic (bash manual 6.5), and the question whether `((` and `$((` begin it at all.
//!
//! Bash looks for the matching parenthesis without knowing the grammar. If another `)` follows, it is
//! arithmetic, otherwise the same bytes are read again as a subshell. Here the matching parenthesis is
//! found by the same plain rules first, and the reading that was chosen has to end at the same place.

use super::cursor::{Parsed, Parser};
use super::word::{Parts, Quoting};
use crate::tree::{Arithmetic, CommandKind, WordPart};

/// Where an expression ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// `)`, which is left.
    Parenthesis,
    /// `]`, which is taken.
    Bracket,
    /// `;` or `)`, which are left: a part of `for ((`.
    Part,
    /// `:` or `}`, which are left: `${x:offset:length}`.
    Substring,
}

impl Parser<'_> {
    /// The `)` that matches a parenthesis just in front of `at`; only quotes are told apart.
    pub(super) fn raw_close(&mut self, at: usize) -> Parsed<usize> {
        let start = at;
        let mut at = at;
        let mut depth = 0_usize;
        loop {
            match self.raw(at) {
                None => return self.unterminated("the parenthesis", start.saturating_sub(1)),
                Some(b'\\') => at += 1,
                Some(b'(') => depth += 1,
                Some(b')') => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break,
                },
                Some(b'\'') => {
                    let escapes = at > start && self.raw(at - 1) == Some(b'$');
                    at = self.raw_quote(at, b'\'', escapes)?;
                }
                Some(b'"') => at = self.raw_quote(at, b'"', true)?,
                Some(_) => {}
            }
            at += 1;
        }
        self.spend(at - start, start)?;
        Ok(at)
    }

    /// The quote that closes the one at `open`.
    fn raw_quote(&mut self, open: usize, quote: u8, escapes: bool) -> Parsed<usize> {
        let mut at = open + 1;
        loop {
            match self.raw(at) {
                None => return self.unterminated("the quote", open),
                Some(b'\\') if escapes => at += 1,
                Some(byte) if byte == quote => return Ok(at),
                Some(_) => {}
            }
            at += 1;
        }
    }

    /// `(`: a subshell or `((`.
    pub(super) fn parenthesis(&mut self, start: usize) -> Parsed<CommandKind> {
        let (next, at) = self.second();
        if next != Some(b'(') {
            return self.subshell(start);
        }
        let close = self.raw_close(at + 1)?;
        if self.raw(close + 1) != Some(b')') {
            let plain_until = self.plain_until;
            self.plain_until = plain_until.max(close + 1);
            let kind = self.subshell(start)?;
            self.plain_until = plain_until;
            return Ok(kind);
        }
        self.pos = at + 1;
        let arithmetic = self.nested(start, |parser| parser.arithmetic(Stop::Parenthesis, start))?;
        self.arithmetic_end(close, close + 2, start)?;
        self.reserved_ok = true;
        Ok(CommandKind::Arithmetic(arithmetic))
    }

    /// `$((`, from its second parenthesis on.
    pub(super) fn double_parenthesis(&mut self, start: usize) -> Parsed<WordPart> {
        let close = self.raw_close(self.pos + 1)?;
        let last = self.past_continuations(close + 1);
        if self.raw(last) != Some(b')') {
            return Ok(WordPart::Command(self.glued_substitution(start)?));
        }
        self.pos += 1;
        let arithmetic = self.nested(start, |parser| parser.arithmetic(Stop::Parenthesis, start))?;
        self.arithmetic_end(close, last + 1, start)?;
        Ok(WordPart::Arithmetic(arithmetic))
    }

    fn arithmetic_end(&mut self, close: usize, behind: usize, start: usize) -> Parsed<()> {
        if self.pos != close {
            return self.unsupported("arithmetic whose end is unclear", start);
        }
        self.pos = behind;
        Ok(())
    }

    /// `$[...]`, behind its bracket.
    pub(super) fn bracket_arithmetic(&mut self, start: usize) -> Parsed<Arithmetic> {
        self.nested(start, |parser| parser.arithmetic(Stop::Bracket, start))
    }

    /// `for ((a; b; c))`, from its parentheses on.
    pub(super) fn arithmetic_for(&mut self, start: usize) -> Parsed<CommandKind> {
        let (next, at) = self.second();
        if next != Some(b'(') {
            return self.unexpected();
        }
        let close = self.raw_close(at + 1)?;
        if self.raw(close + 1) != Some(b')') {
            return self.unsupported("`for ((` without `))`", start);
        }
        self.pos = at + 1;
        let mut parts: [Arithmetic; 3] = Default::default();
        for (index, part) in parts.iter_mut().enumerate() {
            *part = self.arithmetic(Stop::Part, start)?;
            if index < 2 && !self.eat(b';') {
                return self.unexpected();
            }
        }
        self.arithmetic_end(close, close + 2, start)?;
        self.reserved_ok = true;
        self.blanks()?;
        if self.eat(b';') {
            self.blanks()?;
        }
        self.newlines()?;
        let body = self.loop_body(start)?;
        Ok(CommandKind::ArithmeticFor { parts: Box::new(parts), body })
    }

    /// An expression, up to `stop`: text that is expanded as in double quotes.
    pub(super) fn arithmetic(&mut self, stop: Stop, start: usize) -> Parsed<Arithmetic> {
        let from = self.pos;
        let mut parts = Parts::default();
        let mut depth = 0_usize;
        let (open, close) = if stop == Stop::Bracket { (b'[', b']') } else { (b'(', b')') };
        loop {
            let Some(byte) = self.peek() else {
                return self.unterminated("the arithmetic expression", start);
            };
            match byte {
                b';' if stop == Stop::Part && depth == 0 => break,
                b':' if stop == Stop::Substring && depth == 0 => break,
                b'}' if stop == Stop::Substring => {
                    if depth > 0 {
                        return self.unsupported("an unbalanced parenthesis in arithmetic", start);
                    }
                    break;
                }
                b'?' if stop == Stop::Substring => {
                    return self.unsupported("a conditional expression in `${x:...}`", start);
                }
                byte if byte == open => {
                    depth += 1;
                    self.pos += 1;
                    parts.quoted(if open == b'(' { "(" } else { "[" });
                }
                byte if byte == close => {
                    match depth.checked_sub(1) {
                        None if stop == Stop::Substring => {
                            return self.unsupported("an unbalanced parenthesis in arithmetic", start);
                        }
                        None => break,
                        Some(less) => depth = less,
                    }
                    self.pos += 1;
                    parts.quoted(if close == b')' { ")" } else { "]" });
                }
                _ => self.arithmetic_part(byte, stop, from, &mut parts)?,
            }
        }
        let span = self.since(from);
        if stop == Stop::Bracket {
            self.pos += 1;
        }
        Ok(Arithmetic { parts: parts.0, span })
    }

    fn arithmetic_part(&mut self, byte: u8, stop: Stop, from: usize, parts: &mut Parts) -> Parsed<()> {
        let at = self.pos;
        match byte {
            b'$' => match self.second().0 {
                Some(b'\'' | b'"') => return self.unsupported("`$` and a quote in arithmetic", at),
                _ => match self.dollar(Quoting::Strict)? {
                    Some(part) => parts.push(part),
                    None => parts.quoted("$"),
                },
            },
            b'`' => {
                let command = self.backticks(Quoting::Strict)?;
                parts.push(WordPart::Command(command));
            }
            b'"' => {
                for part in self.double_quoted()? {
                    match part {
                        WordPart::Quoted(text) => parts.quoted(&text),
                        part => parts.push(part),
                    }
                }
            }
            b'\'' => {
                // Quotes do not keep expansions out of arithmetic.
                let text = self.single_quoted()?;
                if text.contains(['$', '`', '\\', '"']) {
                    return self.unsupported("an expansion in single quotes in arithmetic", at);
                }
                parts.quoted(self.text.get(at..self.pos).unwrap_or_default());
            }
            b'\\' => {
                let next = self.character(at + 1);
                if matches!(next, "$" | "`" | "\"" | "\\" | "") {
                    return self.unsupported("an escape in arithmetic", at);
                }
                self.pos += 1 + next.len();
                parts.quoted("\\");
                parts.quoted(next);
            }
            b'#' if at == from || matches!(self.raw(at - 1), Some(b' ' | b'\t' | b'\n')) => {
                return self.unsupported("a `#` that may begin a comment in arithmetic", at);
            }
            b'<' | b'>'
                if matches!(stop, Stop::Bracket | Stop::Substring) && self.second().0 == Some(b'(') =>
            {
                return self.unsupported("a process substitution in a subscript", at);
            }
            _ => {
                let run = self.run(|byte| {
                    matches!(
                        byte,
                        b'$' | b'`'
                            | b'"'
                            | b'\''
                            | b'\\'
                            | b'#'
                            | b'<'
                            | b'>'
                            | b'('
                            | b')'
                            | b'['
                            | b']'
                            | b';'
                            | b':'
                            | b'?'
                            | b'}'
                    )
                });
                parts.quoted(run);
            }
        }
        Ok(())
    }
}
