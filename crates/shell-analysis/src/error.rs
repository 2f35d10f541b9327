//! Why a text was refused, where, and what bash would have run before that place.

use crate::{Span, tree::Script};

/// The closed set of reasons for refusing a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// More than [`crate::MAX_LENGTH`] bytes.
    TooLong,
    /// Nested deeper than [`crate::MAX_DEPTH`].
    TooDeep,
    /// A NUL byte, which bash drops or ends a word at.
    NulByte,
    /// A quote, substitution, group or here-document without its end.
    Unterminated,
    /// Bash would call it a syntax error.
    Syntax,
    /// Bash may accept it; this parser does not follow it.
    Unsupported,
}

/// A text that was refused.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message} at byte {}", span.start)]
pub struct ParseError {
    /// The class of the reason.
    pub kind: ErrorKind,
    /// One sentence, lower case, without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// The complete commands before the error: bash runs those. Deny, ask and alwaysAsk judge them.
    pub complete: Script,
}
