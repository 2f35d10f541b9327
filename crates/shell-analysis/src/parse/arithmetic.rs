//! Arithmetic (bash manual 6.5), and the question whether `((` and `$((` begin it at all.
//!
//! Bash looks for the matching parenthesis without knowing the grammar. If another `)` follows, it is
//! arithmetic, otherwise the same bytes are read again as a subshell. Here the matching parenthesis is
//! found by the same plain rules first, and the reading that was chosen has to end at the same place.

use super::cursor::{Parsed, Parser};
use super::word::{Parts, Quoting};
use crate::tree::{Arithmetic, CommandKind, WordPart};

pub(super) const PARENTHESES: (u8, u8) = (b'(', b')');

/// Where an expression ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// `)`, which is left.
    Parenthesis,
    /// `]`, which is taken.
    Bracket,
    /// `;` or `)`, which are left: a part of `for ((`.
    Part,
    /// `]` or, where that is missing, `}`, which are left: `${x[...]}`.
    ParameterBracket,
    /// `:` or `}`, which are left: `${x:offset:length}`.
    Substring,
    /// `}`, which is left.
    Brace,
}

impl<'a> Parser<'a> {
    /// The byte that closes what was opened just in front of `at`, as bash looks for it in text that it does
    /// not know the grammar of: quotes, escapes and, with `grammar`, command substitutions are passed.
    pub(super) fn raw_close(&mut self, at: usize, (open, close): (u8, u8), grammar: bool) -> Parsed<usize> {
        let start = at;
        let mut at = at;
        let mut depth = 0_usize;
        loop {
            match self.raw(at) {
                None => return self.unterminated("the parenthesis", start.saturating_sub(1)),
                Some(b'\\') => at += 1,
                Some(byte) if byte == open => depth += 1,
                Some(byte) if byte == close => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break,
                },
                Some(b'\'') => {
                    let escapes = at > start && self.raw(at - 1) == Some(b'$');
                    at = self.raw_quote(at, b'\'', escapes)?;
                }
                Some(b'`') => at = self.raw_quote(at, b'`', true)?,
                Some(b'"') => {
                    let before = std::mem::replace(&mut self.pos, at);
                    self.double_quoted()?;
                    at = std::mem::replace(&mut self.pos, before) - 1;
                }
                Some(b'$') if grammar && self.raw(at + 1) == Some(b'(') && self.raw(at + 2) != Some(b'(') => {
                    let before = std::mem::replace(&mut self.pos, at + 2);
                    self.substitution(at)?;
                    at = std::mem::replace(&mut self.pos, before) - 1;
                }
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
        let close = self.raw_close(at + 1, PARENTHESES, true)?;
        if self.raw(close + 1) != Some(b')') {
            let plain_until = self.plain_until;
            self.plain_until = plain_until.max(close + 1);
            let kind = self.subshell(start)?;
            self.plain_until = plain_until;
            // Bash reads again what it has looked through, and stumbles over a newline behind that.
            if self.text.get(close..self.pos).unwrap_or_default().contains('\n') {
                return self.unsupported("lines inside `((` that turns out to be a subshell", start);
            }
            return Ok(kind);
        }
        self.pos = at + 1;
        // Of what is in there, bash has read the command substitutions and nothing else.
        let arithmetic =
            self.lazily(|parser| parser.nested(start, |parser| parser.arithmetic(Stop::Parenthesis, start)))?;
        self.arithmetic_end(close, close + 2, start)?;
        self.reserved_ok = true;
        Ok(CommandKind::Arithmetic(arithmetic))
    }

    /// `$((`, from its second parenthesis on.
    pub(super) fn double_parenthesis(&mut self, start: usize) -> Parsed<WordPart> {
        let close = self.raw_close(self.pos + 1, PARENTHESES, true)?;
        let last = self.past_continuations(close + 1);
        if self.raw(last) != Some(b')') {
            return Ok(WordPart::Command(Box::new(self.glued_substitution(start)?)));
        }
        self.refuse_comments(self.pos, close)?;
        if !self.balanced(self.pos + 1, close)? {
            return self.unsupported("arithmetic with quotes or parentheses that are not in pairs", start);
        }
        self.pos += 1;
        // Of what is in there, bash has read the command substitutions and nothing else.
        let arithmetic =
            self.lazily(|parser| parser.nested(start, |parser| parser.arithmetic(Stop::Parenthesis, start)))?;
        self.arithmetic_end(close, last + 1, start)?;
        Ok(WordPart::Arithmetic(Box::new(arithmetic)))
    }

    /// When it expands `$((`, bash counts the parentheses again, now without knowing of substitutions and what
    /// they hold: if quotes or parentheses are not in pairs, it runs the text as a subshell.
    fn balanced(&mut self, from: usize, to: usize) -> Parsed<bool> {
        let mut depth = 0_usize;
        let mut at = from;
        while at < to {
            match self.raw(at) {
                Some(b'\\') => at += 1,
                Some(b'(') => depth += 1,
                Some(b')') => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return Ok(false),
                },
                Some(b'\'') => match self.raw_quote(at, b'\'', false) {
                    Ok(end) if end < to => at = end,
                    _ => return Ok(false),
                },
                Some(b'"') => {
                    let before = std::mem::replace(&mut self.pos, at);
                    let read = self.double_quoted();
                    at = std::mem::replace(&mut self.pos, before) - 1;
                    if read.is_err() || at >= to {
                        return Ok(false);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.spend(to - from, from)?;
        Ok(depth == 0)
    }

    /// When it expands `$((`, bash looks for the end once more, now with comments.
    pub(super) fn refuse_comments(&self, from: usize, to: usize) -> Parsed<()> {
        let text = self.text.get(from..to).unwrap_or_default();
        for (at, _) in text.match_indices('#') {
            let before = text.as_bytes().get(at.wrapping_sub(1));
            if !matches!(before, Some(b' ' | b'\t' | b'\n')) {
                continue;
            }
            let comment = text.get(at..).and_then(|rest| rest.split_once('\n'));
            let special = ['(', ')', '{', '}', '\'', '"', '`', '$', '\\'];
            if comment.is_none_or(|(comment, _)| comment.contains(special)) {
                return self.unsupported("a `#` that may begin a comment behind two parentheses", from + at);
            }
        }
        Ok(())
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
        let close = self.raw_close(self.pos, (b'[', b']'), true)?;
        let arithmetic =
            self.lazily(|parser| parser.nested(start, |parser| parser.arithmetic(Stop::Bracket, start)))?;
        self.arithmetic_end(close + 1, close + 1, start)?;
        Ok(arithmetic)
    }

    /// `for ((a; b; c))`, from its parentheses on.
    pub(super) fn arithmetic_for(&mut self, start: usize) -> Parsed<CommandKind> {
        let (next, at) = self.second();
        if next != Some(b'(') {
            return self.unexpected();
        }
        let close = self.raw_close(at + 1, PARENTHESES, true)?;
        if self.raw(close + 1) != Some(b')') {
            return self.unsupported("`for ((` without `))`", start);
        }
        self.pos = at + 1;
        let mut parts: [Arithmetic; 3] = Default::default();
        for (index, part) in parts.iter_mut().enumerate() {
            *part = self.lazily(|parser| parser.arithmetic(Stop::Part, start))?;
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
        let mut parts = Parts::new(self.whole);
        let mut depth = 0_usize;
        let bracket = matches!(stop, Stop::Bracket | Stop::ParameterBracket);
        let (open, close) = if bracket { (b'[', b']') } else { (b'(', b')') };
        // Behind a `?`, a `:` may belong to it. Where the length begins changes nothing that runs.
        let mut splits = stop == Stop::Substring;
        let braced = matches!(stop, Stop::ParameterBracket | Stop::Substring | Stop::Brace);
        loop {
            let Some(byte) = self.peek() else {
                return self.unterminated("the arithmetic expression", start);
            };
            match byte {
                b';' if stop == Stop::Part && depth == 0 => break,
                b';' if stop == Stop::Part => {
                    return self.unsupported("a `;` in the parentheses of `for ((`", self.pos);
                }
                b':' if splits && depth == 0 => break,
                // Bash finds the brace before anything else.
                b'}' if braced => break,
                b'?' if splits => {
                    splits = false;
                    self.pos += 1;
                    parts.quoted("?");
                }
                byte if byte == open => {
                    depth += 1;
                    self.pos += 1;
                    parts.quoted(if open == b'(' { "(" } else { "[" });
                }
                byte if byte == close => {
                    match depth.checked_sub(1) {
                        // Unbalanced, which bash notices when it evaluates it.
                        None if matches!(stop, Stop::Substring | Stop::Brace) => {}
                        None => break,
                        Some(less) => depth = less,
                    }
                    self.pos += 1;
                    parts.quoted(if close == b')' { ")" } else { "]" });
                }
                _ => self.arithmetic_part(byte, stop, &mut parts)?,
            }
        }
        let span = self.since(from);
        if stop == Stop::Bracket {
            self.pos += 1;
        }
        Ok(Arithmetic { parts: parts.finish(), span })
    }

    fn arithmetic_part(&mut self, byte: u8, stop: Stop, parts: &mut Parts<'a>) -> Parsed<()> {
        let at = self.pos;
        match byte {
            b'$' => match self.second().0 {
                Some(b'\'') => {
                    // Bash puts the decoded text between single quotes, which are text here.
                    parts.quoted("'");
                    self.inert_ansi(parts)?;
                    parts.quoted("'");
                }
                Some(b'"') => return self.unsupported("`$` and a quote in arithmetic", at),
                _ => match self.dollar(Quoting::Strict)? {
                    Some(part) => parts.push(part),
                    None => parts.quoted("$"),
                },
            },
            b'`' => {
                let command = self.backticks(Quoting::Strict)?;
                parts.push(WordPart::Command(Box::new(command)));
            }
            b'"' => {
                let inner = self.double_quoted()?;
                parts.all(inner.finish());
            }
            b'\'' => {
                // Quotes do not keep expansions out of arithmetic.
                self.single_quoted()?;
                self.requoted(at, parts)?;
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
            b'<' | b'>'
                if !matches!(stop, Stop::Parenthesis | Stop::Part) && self.second().0 == Some(b'(') =>
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
