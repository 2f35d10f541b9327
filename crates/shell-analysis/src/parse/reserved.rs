//! Reserved words, recognised unquoted and only where bash recognises them (bash manual 3.2.1).

use super::cursor::{Parser, is_break};

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reserved {
    If,
    Then,
    Else,
    Elif,
    Fi,
    Case,
    Esac,
    For,
    Select,
    While,
    Until,
    Do,
    Done,
    In,
    Function,
    Time,
    OpenBrace,
    CloseBrace,
    Bang,
    OpenConditional,
    CloseConditional,
    Coproc,
}

const TABLE: &[(&str, Reserved)] = &[
    ("if", Reserved::If),
    ("then", Reserved::Then),
    ("else", Reserved::Else),
    ("elif", Reserved::Elif),
    ("fi", Reserved::Fi),
    ("case", Reserved::Case),
    ("esac", Reserved::Esac),
    ("for", Reserved::For),
    ("select", Reserved::Select),
    ("while", Reserved::While),
    ("until", Reserved::Until),
    ("do", Reserved::Do),
    ("done", Reserved::Done),
    ("in", Reserved::In),
    ("function", Reserved::Function),
    ("time", Reserved::Time),
    ("{", Reserved::OpenBrace),
    ("}", Reserved::CloseBrace),
    ("!", Reserved::Bang),
    ("[[", Reserved::OpenConditional),
    ("]]", Reserved::CloseConditional),
    ("coproc", Reserved::Coproc),
];

/// Whether this is a reserved word where bash looks for one.
pub(super) fn is_reserved(text: &str) -> bool {
    TABLE.iter().any(|(word, _)| *word == text)
}

const LONGEST: usize = 8;

/// The words of the table as numbers: each simple command is compared with all of them.
#[allow(clippy::indexing_slicing, reason = "worked out and checked by the compiler")]
static PACKED: [u64; TABLE.len()] = {
    let mut words = [0; TABLE.len()];
    let mut at = 0;
    while at < TABLE.len() {
        words[at] = pack(TABLE[at].0.as_bytes());
        at += 1;
    }
    words
};

/// The bytes that a word of the table begins with.
#[allow(clippy::indexing_slicing, reason = "worked out and checked by the compiler")]
static BEGINS: [bool; 256] = {
    let mut begins = [false; 256];
    let mut at = 0;
    while at < TABLE.len() {
        begins[TABLE[at].0.as_bytes()[0] as usize] = true;
        at += 1;
    }
    begins
};

/// At most [`LONGEST`] bytes as one number.
const fn pack(mut bytes: &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let [first, rest @ ..] = bytes {
        number |= (*first as u64) << shift;
        shift += 8;
        bytes = rest;
    }
    number
}

/// A short word without quotes and expansions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    bytes: [u8; LONGEST],
    length: usize,
    /// Behind its last byte.
    pub(super) end: usize,
}

impl Plain {
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.bytes() == text.as_bytes()
    }

    fn reserved(&self) -> Option<Reserved> {
        // No reserved word has a NUL byte, so that the bytes behind a shorter one tell it apart.
        let packed = u64::from_le_bytes(self.bytes);
        PACKED.iter().position(|word| *word == packed).and_then(|at| TABLE.get(at)).map(|&(_, word)| word)
    }
}

impl Parser<'_> {
    /// The next word, if it is at most eight plain bytes long.
    pub(super) fn plain_word(&mut self) -> Option<Plain> {
        self.peek();
        let mut plain = Plain { bytes: [0; LONGEST], length: 0, end: self.pos };
        loop {
            let at = self.past_continuations(plain.end);
            match self.raw(at) {
                // `if<(x)` is one word, with a process substitution at its end.
                Some(b'<' | b'>') if self.raw(self.past_continuations(at + 1)) == Some(b'(') => return None,
                Some(byte) if !is_break(byte) => {
                    if matches!(byte, b'\\' | b'\'' | b'"' | b'`' | b'$') {
                        return None;
                    }
                    *plain.bytes.get_mut(plain.length)? = byte;
                    plain.length += 1;
                    plain.end = at + 1;
                }
                _ => return (plain.length > 0).then_some(plain),
            }
        }
    }

    /// The reserved word that comes next, and where it ends.
    pub(super) fn reserved(&mut self) -> Option<(Reserved, usize)> {
        if !self.reserved_ok {
            return None;
        }
        // Most commands begin with no letter that a reserved word begins with.
        let first = self.peek()?;
        if BEGINS.get(usize::from(first)) != Some(&true) {
            return None;
        }
        let plain = self.plain_word()?;
        let word = plain.reserved()?;
        (word != Reserved::Time || !self.time_is_word).then_some((word, plain.end))
    }

    /// Passes blanks and takes `word` if it comes next.
    pub(super) fn eat_reserved(&mut self, word: Reserved) -> super::cursor::Parsed<bool> {
        self.blanks()?;
        match self.reserved() {
            Some((found, end)) if found == word => {
                self.pos = end;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Takes `word`, or fails.
    pub(super) fn expect_reserved(
        &mut self,
        word: Reserved,
        what: &str,
        start: usize,
    ) -> super::cursor::Parsed<()> {
        if self.eat_reserved(word)? {
            return Ok(());
        }
        if self.peek().is_none() {
            return self.unterminated(what, start);
        }
        self.unexpected()
    }
}
