//! Bytes and where they are: line continuations, blanks, comments, limits and spans.

use std::{borrow::Cow, sync::Arc};

use super::{MAX_DEPTH, heredoc::Pending};
use crate::{ErrorKind, Span, tree::Word};

/// Why parsing stopped.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) kind: ErrorKind,
    pub(super) message: Cow<'static, str>,
    pub(super) span: Span,
}

/// Boxed, so that the happy path moves little.
pub(super) type Parsed<T> = Result<T, Box<Failure>>;

/// How positions in the parser's own text map to the analysed text.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// The text is a slice of the analysed text from here on.
    Slice(usize),
    /// The text was made by removing escapes: everything in it is reported as this.
    Made(Span),
}

/// What all nested readings of one text share.
#[derive(Debug)]
struct Shared {
    /// Constructs around the current position.
    depth: usize,
    /// Bytes that may still be read a second time (bodies, backticks, the look ahead at `((`).
    rereads: usize,
    /// Bodies of here-documents by number.
    bodies: Vec<Word>,
    /// Commands and lists of them that may still be kept in a tree; those beyond are read and dropped.
    room: usize,
    /// The first command that was dropped.
    dropped: Option<Span>,
}

/// A position in a text and the state that bash's own reader keeps.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    /// What `text` is a slice of: words in the tree are parts of it.
    pub(super) whole: &'a Arc<str>,
    pub(super) bytes: &'a [u8],
    pub(super) pos: usize,
    /// Whether a reserved word is recognised at the next token (bash: `reserved_word_acceptable`).
    pub(super) reserved_ok: bool,
    /// Right after `|` or `coproc`: `time` is a program there (bash: `time_command_acceptable`).
    pub(super) time_is_word: bool,
    /// Here-documents whose bodies begin after the next newline.
    pub(super) pending: Vec<Pending>,
    /// Directly in a `$(`: a here-document may then end at `EOF)`.
    pub(super) in_substitution: bool,
    /// How many newlines must still stand between commands before bash prints a `;` again, in a substitution
    /// behind a here-document, and whether it has lost one ([`super::list`]).
    pub(super) losing: u8,
    pub(super) lost: bool,
    /// Until here bash reads the text twice with different eyes: no comments and here-documents.
    pub(super) plain_until: usize,
    origin: Origin,
    shared: Shared,
}

/// A length as the tree keeps it; texts are at most 1 MiB long.
pub(super) fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Adds to a list that mostly stays at one element; a vector's own first step is four.
#[inline]
pub(super) fn push<T>(list: &mut Vec<T>, element: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(element);
}

/// Bytes that end an unquoted word.
pub(super) fn is_break(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'(' | b')' | b'<' | b'>' | b';' | b'&' | b'|')
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A valid variable name.
pub(super) fn is_name(text: &str) -> bool {
    text.bytes().next().is_some_and(is_name_start) && text.bytes().all(is_name_byte)
}

impl<'a> Parser<'a> {
    /// A parser that keeps no more than `room` commands.
    pub(super) fn new(text: &'a str, whole: &'a Arc<str>, room: usize) -> Self {
        let rereads = text.len().saturating_mul(8) + 4096;
        let shared = Shared { depth: 0, rereads, bodies: Vec::new(), room, dropped: None };
        Self::with(text, whole, Origin::Slice(0), shared)
    }

    /// Takes room for a command before it is read, so that what stands first in the text is what is kept, whatever
    /// is inside it.
    pub(super) fn reserve(&mut self) -> bool {
        let left = self.shared.room.checked_sub(1);
        self.shared.room = left.unwrap_or_default();
        left.is_some()
    }

    /// Adds `element` to a tree if room was taken for it. Reading goes on as before when it was not: only what is
    /// read is forgotten, so that texts of very many commands need neither memory nor the time to fill it.
    #[inline]
    pub(super) fn keep<T>(&mut self, reserved: bool, list: &mut Vec<T>, element: T, span: Span) {
        if reserved {
            push(list, element);
        } else {
            self.shared.dropped.get_or_insert(span);
        }
    }

    /// Keeps nothing of what comes.
    pub(super) fn forget_the_rest(&mut self) {
        self.shared.room = 0;
    }

    /// Whether there is room for anything that comes.
    pub(super) fn keeps(&self) -> bool {
        self.shared.room > 0
    }

    /// Whether nothing may be nested here.
    pub(super) fn is_deepest(&self) -> bool {
        self.shared.depth >= MAX_DEPTH
    }

    /// Notes that what is at `span` is not kept.
    pub(super) fn drop_at(&mut self, span: Span) {
        self.shared.dropped.get_or_insert(span);
    }

    /// The first command that there was no room for.
    pub(super) fn dropped(&self) -> Option<Span> {
        self.shared.dropped
    }

    fn with(text: &'a str, whole: &'a Arc<str>, origin: Origin, shared: Shared) -> Self {
        Self {
            text,
            whole,
            bytes: text.as_bytes(),
            pos: 0,
            reserved_ok: true,
            time_is_word: false,
            pending: Vec::new(),
            in_substitution: false,
            losing: 0,
            lost: false,
            plain_until: 0,
            origin,
            shared,
        }
    }

    /// The bodies read so far, by number.
    pub(super) fn take_bodies(&mut self) -> Vec<Word> {
        std::mem::take(&mut self.shared.bodies)
    }

    /// Reserves a place for a body; the number goes into the tree and [`super::fill`] swaps it.
    pub(super) fn reserve_body(&mut self) -> usize {
        self.shared.bodies.push(Word::default());
        self.shared.bodies.len() - 1
    }

    pub(super) fn set_body(&mut self, number: usize, body: Word) {
        if let Some(place) = self.shared.bodies.get_mut(number) {
            *place = body;
        }
    }

    /// Reads `inner`, which stands at `from..to` of this text, with a parser of its own. `inner` differs
    /// from that slice where escapes were removed.
    pub(super) fn within<T>(
        &mut self,
        inner: &str,
        (from, to): (usize, usize),
        read: impl FnOnce(&mut Parser<'_>) -> Parsed<T>,
    ) -> Parsed<T> {
        self.spend(inner.len(), from)?;
        let origin = match self.origin {
            Origin::Slice(base) if self.text.get(from..to) == Some(inner) => Origin::Slice(base + from),
            _ => Origin::Made(self.span(from, to)),
        };
        let shared = Shared { bodies: self.take_bodies(), ..self.shared };
        let made;
        let (inner, whole) = match origin {
            Origin::Slice(_) => (self.text.get(from..to).unwrap_or_default(), self.whole),
            Origin::Made(_) => {
                made = Arc::from(inner);
                (&*made, &made)
            }
        };
        let mut parser = Parser::with(inner, whole, origin, shared);
        let result = read(&mut parser);
        self.shared = Shared { depth: self.shared.depth, ..parser.shared };
        result
    }

    /// Accounts for reading `length` bytes again, so that the whole stays linear.
    pub(super) fn spend(&mut self, length: usize, at: usize) -> Parsed<()> {
        match self.shared.rereads.checked_sub(length) {
            Some(left) => {
                self.shared.rereads = left;
                Ok(())
            }
            None => self.fail(ErrorKind::TooDeep, "too much nested text would have to be read again", at),
        }
    }

    /// Runs `read` one level deeper.
    pub(super) fn nested<T>(&mut self, at: usize, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.shared.depth >= MAX_DEPTH {
            return self.fail(ErrorKind::TooDeep, "constructs are nested deeper than 128 levels", at);
        }
        self.shared.depth += 1;
        let result = read(self);
        self.shared.depth -= 1;
        result
    }

    /// The span of `start..end` in the analysed text.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        match self.origin {
            Origin::Slice(base) => Span::new(offset(base + start), offset(base + end)),
            Origin::Made(span) => span,
        }
    }

    /// From `start` to the current position.
    pub(super) fn since(&self, start: usize) -> Span {
        self.span(start, self.pos.max(start))
    }

    pub(super) fn fail<T>(
        &self,
        kind: ErrorKind,
        message: impl Into<Cow<'static, str>>,
        start: usize,
    ) -> Parsed<T> {
        let end = self.pos.max(start).min(self.bytes.len());
        Err(Box::new(Failure { kind, message: message.into(), span: self.span(start.min(end), end) }))
    }

    pub(super) fn unsupported<T>(&self, message: &'static str, start: usize) -> Parsed<T> {
        self.fail(ErrorKind::Unsupported, message, start)
    }

    /// Reads what bash reads only when it runs the command: what is wrong there is no error of the text.
    pub(super) fn lazily<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        read(self).map_err(|mut failure| {
            if matches!(failure.kind, ErrorKind::Syntax | ErrorKind::Unterminated) {
                failure.kind = ErrorKind::Unsupported;
            }
            failure
        })
    }

    /// A syntax error at the next token.
    pub(super) fn unexpected<T>(&mut self) -> Parsed<T> {
        let start = self.pos;
        let Some(byte) = self.peek() else {
            return self.fail(ErrorKind::Unterminated, "the text ends where more is needed", start);
        };
        if byte == b'\n' {
            return self.fail(ErrorKind::Syntax, "unexpected end of line", start);
        }
        let token: String = match self.text.get(start..).unwrap_or_default() {
            rest if is_break(byte) => rest.chars().take(1).collect(),
            rest => rest.chars().take_while(|c| !c.is_ascii() || !is_break(*c as u8)).take(40).collect(),
        };
        self.pos = (start + token.len().max(1)).min(self.bytes.len());
        self.fail(ErrorKind::Syntax, format!("unexpected `{token}`"), start)
    }

    pub(super) fn unterminated<T>(&self, what: &str, start: usize) -> Parsed<T> {
        self.fail(ErrorKind::Unterminated, format!("{what} has no end"), start)
    }

    /// The byte at `at`, without regard to continuations.
    pub(super) fn raw(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// `at` moved past line continuations (bash manual 3.1.2.1).
    pub(super) fn past_continuations(&self, mut at: usize) -> usize {
        while self.raw(at) == Some(b'\\') && self.raw(at + 1) == Some(b'\n') {
            at += 2;
        }
        at
    }

    /// The next byte; line continuations in front of it are passed.
    pub(super) fn peek(&mut self) -> Option<u8> {
        if self.raw(self.pos) == Some(b'\\') {
            self.pos = self.past_continuations(self.pos);
        }
        self.raw(self.pos)
    }

    /// The byte behind the next one, continuations removed, and its position.
    pub(super) fn second(&mut self) -> (Option<u8>, usize) {
        self.peek();
        let at = self.past_continuations(self.pos + 1);
        (self.raw(at), at)
    }

    /// Takes `byte` if it is next.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.pos += 1;
        }
        found
    }

    /// Takes both bytes if they are next, continuations between them removed.
    pub(super) fn eat_pair(&mut self, first: u8, then: u8) -> bool {
        if self.peek() != Some(first) {
            return false;
        }
        let (second, at) = self.second();
        if second == Some(then) {
            self.pos = at + 1;
        }
        second == Some(then)
    }

    /// Passes blanks and, since a token starts here, a comment up to its newline.
    pub(super) fn blanks(&mut self) -> Parsed<()> {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' => self.pos += 1,
                b'#' => return self.comment(),
                _ => break,
            }
        }
        Ok(())
    }

    /// Passes a comment.
    fn comment(&mut self) -> Parsed<()> {
        if self.pos < self.plain_until {
            return self.unsupported("a comment inside `((` that turns out to be a subshell", self.pos);
        }
        // No continuation in a comment: a backslash at its end does not reach the next line.
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        self.pos += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        Ok(())
    }

    /// Takes a newline token: here-documents begin behind it.
    pub(super) fn newline(&mut self) -> Parsed<()> {
        self.pos += 1;
        self.reserved_ok = true;
        if !self.pending.is_empty() {
            self.here_documents()?;
        }
        Ok(())
    }

    /// Passes blanks, comments and newlines.
    pub(super) fn newlines(&mut self) -> Parsed<u32> {
        let mut count = 0;
        loop {
            self.blanks()?;
            if self.peek() != Some(b'\n') {
                return Ok(count);
            }
            self.newline()?;
            count += 1;
        }
    }
}
