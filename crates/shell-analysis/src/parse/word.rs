//! Words: runs of parts up to an unquoted blank or operator.

use std::{borrow::Cow, sync::Arc};

use super::{
    arithmetic::PARENTHESES,
    cursor::{Parsed, Parser, is_break, is_name},
};
use crate::{
    Text,
    tree::{Few, Word, WordPart},
};

/// The bytes that are themselves in every word but patterns.
#[allow(clippy::indexing_slicing, reason = "worked out and checked by the compiler")]
const fn all_but(special: &[u8]) -> [bool; 256] {
    let mut plain = [true; 256];
    let mut at = 0;
    while at < special.len() {
        plain[special[at] as usize] = false;
        at += 1;
    }
    plain
}

static PLAIN: [bool; 256] = all_but(b" \t\n()<>;&|\\'\"`$");

/// The same where an assignment could stand.
static PLAIN_IN_NAMES: [bool; 256] = all_but(b" \t\n()<>;&|\\'\"`$[");

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Plain,
    /// The right side of `==` in `[[ ]]`: extended globs.
    Pattern,
    /// The right side of `=~`: `(` and `|` belong to the word.
    Regex,
    /// Where an assignment could stand: in `name[...]`, blanks and operators belong to the word.
    Program,
}

/// Parts under construction; neighbours of the same kind are merged.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    whole: &'a Arc<str>,
    done: Few<WordPart>,
    /// The text that is being collected, and whether it is quoted; borrowed while it is one piece.
    text: Option<(Cow<'a, str>, bool)>,
}

impl<'a> Parts<'a> {
    /// None yet, of a word in `whole`.
    pub(super) fn new(whole: &'a Arc<str>) -> Self {
        Self { whole, done: Few::default(), text: None }
    }

    pub(super) fn literal(&mut self, text: &'a str) {
        self.text(Cow::Borrowed(text), false);
    }

    pub(super) fn quoted(&mut self, text: impl Into<Cow<'a, str>>) {
        self.text(text.into(), true);
    }

    fn text(&mut self, text: Cow<'a, str>, quoted: bool) {
        match &mut self.text {
            Some((last, kind)) if *kind == quoted => match (&*last, &text) {
                (Cow::Borrowed(before), Cow::Borrowed(behind)) => match joined(self.whole, before, behind) {
                    Some(both) => *last = Cow::Borrowed(both),
                    None => *last += text,
                },
                _ => *last += text,
            },
            _ => {
                self.flush();
                self.text = Some((text, quoted));
            }
        }
    }

    fn flush(&mut self) {
        if let Some((text, quoted)) = self.text.take() {
            let text = match text {
                Cow::Borrowed(text) => Text::of(self.whole, text),
                Cow::Owned(text) => text.into(),
            };
            self.done.push(if quoted { WordPart::Quoted(text) } else { WordPart::Literal(text) });
        }
    }

    /// Parts that were read elsewhere.
    pub(super) fn all(&mut self, parts: impl IntoIterator<Item = WordPart>) {
        for part in parts {
            match part {
                WordPart::Literal(text) => self.text(Cow::Owned(text.to_string()), false),
                WordPart::Quoted(text) => self.quoted(text.to_string()),
                part => self.push(part),
            }
        }
    }

    /// What stands in `".."`; text alone is quoted like any other.
    pub(super) fn double_quoted(&mut self, inner: Parts<'a>) {
        match inner {
            Parts { done, text: None, .. } if done.is_empty() => self.quoted(""),
            Parts { done, text: Some((text, true)), .. } if done.is_empty() => self.quoted(text),
            inner => self.push(WordPart::DoubleQuoted(inner.finish().into_iter().collect())),
        }
    }

    /// All that there is, if that is unquoted text.
    fn only_literal(&self) -> Option<&str> {
        match &self.text {
            Some((text, false)) if self.done.is_empty() => Some(text),
            _ => None,
        }
    }

    /// A piece of an extended glob.
    pub(super) fn glob(&mut self, text: &'a str) {
        match self.done.last_mut() {
            Some(WordPart::ExtendedGlob(last)) if self.text.is_none() => last.push_str(text),
            _ => self.push(WordPart::ExtendedGlob(text.to_owned())),
        }
    }

    /// The part that stands right in front of what comes, unless that is text.
    fn last(&self) -> Option<&WordPart> {
        if self.text.is_none() { self.done.last() } else { None }
    }

    pub(super) fn push(&mut self, part: WordPart) {
        self.flush();
        self.done.push(part);
    }

    pub(super) fn finish(mut self) -> Few<WordPart> {
        self.flush();
        self.done
    }
}

/// Both texts as one, if the second stands right behind the first in `whole`.
fn joined<'a>(whole: &'a str, before: &str, behind: &str) -> Option<&'a str> {
    let start = (before.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
    let middle = start.checked_add(before.len()).filter(|middle| *middle <= whole.len())?;
    let end = middle.checked_add(behind.len()).filter(|end| *end <= whole.len())?;
    let adjacent = (behind.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize) == middle;
    if adjacent { whole.get(start..end) } else { None }
}

/// What quotes surround an expansion; it decides what quotes mean inside `${...}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// None.
    Bare,
    /// `".."`
    Double,
    /// A here-document or arithmetic: as in double quotes, but with exceptions that are not followed.
    Strict,
}

impl<'a> Parser<'a> {
    /// One word, at least one part long.
    pub(super) fn word(&mut self) -> Parsed<Word> {
        self.word_in(Mode::Plain)
    }

    pub(super) fn word_in(&mut self, mode: Mode) -> Parsed<Word> {
        if let Some(word) = self.plain_word_in(mode) {
            return Ok(word);
        }
        let word = self.word_or_empty(mode)?;
        if word.parts.is_empty() {
            return self.unexpected();
        }
        Ok(word)
    }

    /// A word that may be empty: the value of an assignment.
    pub(super) fn word_or_empty(&mut self, mode: Mode) -> Parsed<Word> {
        if let Some(word) = self.plain_word_in(mode) {
            return Ok(word);
        }
        let start = self.pos;
        let mut end = start;
        let mut parts = Parts::new(self.whole);
        while let Some(byte) = self.peek() {
            match byte {
                b'<' | b'>' if self.second().0 == Some(b'(') => {
                    let command = Box::new(self.process_substitution()?);
                    parts.push(WordPart::Process { output: byte == b'>', command });
                }
                b'(' if mode == Mode::Regex => {
                    self.pos += 1;
                    parts.literal("(");
                    self.pattern_group(Parts::literal, &mut parts)?;
                }
                b'[' if mode == Mode::Program && parts.only_literal().is_some_and(is_name) => {
                    self.pos += 1;
                    parts.literal("[");
                    self.enclosed((b'[', b']'), Parts::literal, &mut parts)?;
                }
                b'|' if mode == Mode::Regex => {
                    self.pos += 1;
                    parts.literal("|");
                }
                byte if is_break(byte) => break,
                b'?' | b'*' | b'+' | b'@' | b'!'
                    if mode == Mode::Pattern && self.second() == (Some(b'('), self.pos + 1) =>
                {
                    parts.glob(self.text.get(self.pos..self.pos + 2).unwrap_or_default());
                    self.pos += 2;
                    self.pattern_group(Parts::glob, &mut parts)?;
                }
                b'\\' | b'\'' | b'"' | b'`' | b'$' => self.quoted_part(byte, &mut parts)?,
                _ => {
                    let run = self.run(|byte| {
                        is_break(byte)
                            || matches!(byte, b'\\' | b'\'' | b'"' | b'`' | b'$')
                            || (mode == Mode::Pattern && matches!(byte, b'?' | b'*' | b'+' | b'@' | b'!'))
                            || (mode == Mode::Program && byte == b'[')
                    });
                    parts.literal(run);
                }
            }
            end = self.pos;
        }
        self.refuse_array_descriptor(start, end)?;
        Ok(Word { parts: parts.finish(), span: self.span(start, end) })
    }

    /// Adds an expansion.
    pub(super) fn add(&self, part: WordPart, parts: &mut Parts<'_>) {
        if !self.repeats(parts.last(), &part) {
            parts.push(part);
        }
    }

    /// The word that begins here, if nothing in it has a meaning.
    fn plain_word_in(&mut self, mode: Mode) -> Option<Word> {
        self.peek();
        let start = self.pos;
        let end = self.plain_end(mode)?;
        self.pos = end;
        let parts = Few::one(WordPart::Literal(self.text_of(start, end)));
        Some(Word { parts, span: self.span(start, end) })
    }

    /// Where the word ends that begins here, if nothing in it and right behind it has a meaning: most words.
    fn plain_end(&self, mode: Mode) -> Option<usize> {
        let plain = match mode {
            Mode::Plain => &PLAIN,
            Mode::Program => &PLAIN_IN_NAMES,
            Mode::Pattern | Mode::Regex => return None,
        };
        let rest = self.bytes.get(self.pos..)?;
        let special = |byte: &u8| plain.get(usize::from(*byte)) != Some(&true);
        let length = rest.iter().position(special).unwrap_or(rest.len());
        // A redirection behind a word, and what follows a continuation, may belong to it.
        let ends = rest.get(length).is_none_or(|byte| is_break(*byte) && !matches!(byte, b'<' | b'>'));
        (length > 0 && ends).then_some(self.pos + length)
    }

    /// A quote or an expansion, which begins with `byte`.
    fn quoted_part(&mut self, byte: u8, parts: &mut Parts<'a>) -> Parsed<()> {
        match byte {
            b'\\' => self.escaped(parts),
            b'\'' => {
                let text = self.single_quoted()?;
                parts.quoted(text);
            }
            b'"' => {
                let quoted = self.double_quoted()?;
                parts.double_quoted(quoted);
            }
            b'`' => {
                let command = self.backticks(Quoting::Bare)?;
                self.add(WordPart::Command(Box::new(command)), parts);
            }
            _ => self.dollar_in_word(parts)?,
        }
        Ok(())
    }

    /// Takes the next byte and what follows it up to one at which `stops`.
    pub(super) fn run(&mut self, stops: impl Fn(u8) -> bool) -> &'a str {
        let from = self.pos;
        let rest = self.bytes.get(from + 1..).unwrap_or_default();
        let length = 1 + rest.iter().position(|&byte| stops(byte)).unwrap_or(rest.len());
        self.pos = (from + length).min(self.bytes.len());
        self.text.get(from..self.pos).unwrap_or_default()
    }

    /// The character at `at`, as text.
    pub(super) fn character(&self, at: usize) -> &'a str {
        let rest = self.text.get(at..).unwrap_or_default();
        let length = rest.chars().next().map_or(0, char::len_utf8);
        rest.get(..length).unwrap_or_default()
    }

    /// A backslash outside quotes. At the end of the text it stands for itself.
    fn escaped(&mut self, parts: &mut Parts<'a>) {
        let text = self.character(self.pos + 1);
        let length = text.len();
        parts.quoted(if length == 0 { "\\" } else { text });
        self.pos += 1 + length;
    }

    /// `$` outside quotes.
    pub(super) fn dollar_in_word(&mut self, parts: &mut Parts<'a>) -> Parsed<()> {
        match self.second() {
            (Some(b'\''), at) => {
                self.pos = at;
                self.ansi_quoted(parts)?;
            }
            (Some(b'"'), at) => {
                self.pos = at;
                let quoted = self.double_quoted()?;
                parts.double_quoted(quoted);
            }
            _ => match self.dollar(Quoting::Bare)? {
                Some(part) => self.add(part, parts),
                None => parts.literal("$"),
            },
        }
        Ok(())
    }

    /// `{name[...]}` glued to an operator redirects (bash: `REDIR_WORD`); plain names were taken before.
    fn refuse_array_descriptor(&mut self, start: usize, end: usize) -> Parsed<()> {
        if !matches!(self.peek(), Some(b'<' | b'>')) || self.raw(start) != Some(b'{') {
            return Ok(());
        }
        let raw = self.text.get(start..end).unwrap_or_default();
        let inner = raw.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default();
        if inner.contains('[') || inner.contains("\\\n") || is_name(inner) {
            return self.unsupported("a redirection to an array element's descriptor", start);
        }
        Ok(())
    }

    /// A group of a pattern or regular expression, behind its parenthesis. Bash looks for its end without
    /// regard to expansions, and expands it later.
    fn pattern_group(&mut self, text: fn(&mut Parts<'a>, &'a str), parts: &mut Parts<'a>) -> Parsed<()> {
        let start = self.pos;
        let close = self.raw_close(start, PARENTHESES, false)?;
        self.lazily(|parser| parser.enclosed(PARENTHESES, text, parts))?;
        if self.pos != close + 1 {
            return self.unsupported("a pattern's parentheses whose end is unclear", start);
        }
        Ok(())
    }

    /// Text up to the closing delimiter, behind the opening one, in which blanks and operators stand for
    /// themselves (bash: `parse_matched_pair`).
    fn enclosed(
        &mut self,
        (open, close): (u8, u8),
        text: fn(&mut Parts<'a>, &'a str),
        parts: &mut Parts<'a>,
    ) -> Parsed<()> {
        let start = self.pos.saturating_sub(1);
        let mut depth = 1_usize;
        while let Some(byte) = self.peek() {
            let special = |byte| {
                byte == open
                    || byte == close
                    || matches!(byte, b'\\' | b'\'' | b'"' | b'`' | b'$' | b'<' | b'>')
            };
            match byte {
                b'<' | b'>' if self.second().0 == Some(b'(') => {
                    let command = Box::new(self.lazily(Self::process_substitution)?);
                    parts.push(WordPart::Process { output: byte == b'>', command });
                }
                byte if byte == open || byte == close => {
                    depth = if byte == open { depth + 1 } else { depth - 1 };
                    let at = self.pos;
                    self.pos += 1;
                    text(parts, self.text.get(at..self.pos).unwrap_or_default());
                    if depth == 0 {
                        return Ok(());
                    }
                }
                byte if special(byte) && !matches!(byte, b'<' | b'>') => self.quoted_part(byte, parts)?,
                _ => {
                    let run = self.run(special);
                    text(parts, run);
                }
            }
        }
        self.unterminated("the bracket", start)
    }
}
