//! Text to tree: the grammar of bash 5.2 as `bash -c TEXT` reads it.
//!
//! A hand-written descent over bytes, in the files
//!
//! | file | what it reads |
//! |---|---|
//! | `cursor` | bytes, line continuations, blanks, comments, limits, spans |
//! | `list` | units (what bash reads and runs at a time), lists, pipelines |
//! | `reserved` | reserved words, where bash recognises them |
//! | `command` | one command, simple commands |
//! | `compound`, `clauses` | `if`, loops, groups, `case`, functions, `coproc` |
//! | `conditional` | `[[ ]]` |
//! | `arithmetic` | `(( ))`, `$(( ))`, and whether they are arithmetic at all |
//! | `assignment` | `name=value`, subscripts, arrays |
//! | `redirect`, `heredoc`, `fill` | redirections; bodies, read at the next newline; putting them in their place |
//! | `word`, `quote`, `parameter`, `substitution` | words and their parts |
//! | `forgotten` | what there is no room for |
//!
//! It never recovers: the first thing that bash would refuse, or that is not followed here, ends it.
//!
//! # Twice read
//!
//! Bash reads words twice: to find where they end, and when it expands them. Some things it reads only then,
//! and what is wrong there is no error of the text:
//!
//! | what | when bash reads it | here |
//! |---|---|---|
//! | backticks, `$((a) \| (b))` | when it runs them | a script of its own; [`Substitution::broken`] |
//! | bodies of here-documents | when it expands them | cut at what cannot be read, as [`ParameterOperator::Other`] |
//! | `${...}` | the brace at once, its form later | other forms are [`ParameterOperator::Other`] |
//! | `((..))`, `$((..))`, `$[..]` | quotes and `$(` at once, the rest later | both readings must end alike |
//!
//! So an error of the kinds `Syntax` and `Unterminated` has to be one in bash, too: what stands behind it
//! does not run. What is only not followed, or read otherwise by other versions of bash (`${ x; }`), is
//! [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported).
//!
//! [`Substitution::broken`]: crate::tree::Substitution::broken
//! [`ParameterOperator::Other`]: crate::tree::ParameterOperator::Other

mod arithmetic;
mod assignment;
mod clauses;
mod command;
mod compound;
mod conditional;
mod cursor;
mod fill;
mod forgotten;
mod heredoc;
mod list;
mod parameter;
mod quote;
mod redirect;
mod reserved;
mod substitution;
mod word;

use std::sync::Arc;

use crate::{
    ErrorKind, ParseError, Span, Text,
    tree::{List, Script},
};
use cursor::{Failure, Parser};

/// The longest text that is analysed, in bytes.
pub const MAX_LENGTH: usize = 1 << 20;

/// How deep constructs may nest.
pub const MAX_DEPTH: usize = 128;

/// Parses `text`. A tree comes back only when bash would accept the text.
///
/// # Errors
/// The first reason for refusing the text, with the complete commands before it.
///
/// ```
/// use portcullis_shell_analysis::{ErrorKind, parse};
///
/// assert_eq!(parse("ls -la | wc -l").unwrap().list.items.len(), 1);
///
/// let error = parse("echo a\n)").unwrap_err();
/// assert_eq!(error.kind, ErrorKind::Syntax);
/// assert_eq!(error.complete.list.items.len(), 1); // bash prints `a` before it stumbles
/// ```
pub fn parse(text: &str) -> Result<Script, ParseError> {
    check(text)?;
    read(text, &text.into(), usize::MAX)
}

/// [`parse`] for a text whose parts can be shared.
pub(crate) fn parse_shared(text: &Text) -> Result<Script, ParseError> {
    check(text)?;
    read(text, &text.whole(), usize::MAX)
}

fn read(text: &str, whole: &Arc<str>, room: usize) -> Result<Script, ParseError> {
    let mut parser = Parser::new(text, whole, room);
    let (mut script, failure) = parser.script();
    fill::fill(&mut script.list, parser.take_bodies());
    match failure {
        None => Ok(script),
        Some(Failure { kind, message, span }) => {
            Err(ParseError { kind, message: message.into_owned(), span, complete: script })
        }
    }
}

/// Parses `text` and hands out one unit after the other, as bash reads and runs them; the tree of a unit is
/// gone before the next one is read, so that long texts need little memory. No more than `room` commands are
/// kept, and none once `each` has said that it needs no more: what is beyond is read, so that an error in it is
/// found, and forgotten.
///
/// Returns where the first command stood that was forgotten, and the error as of [`parse`]; the units before it have
/// been handed out.
pub(crate) fn each_unit(
    text: &str,
    room: usize,
    mut each: impl FnMut(&List) -> bool,
) -> (Option<Span>, Option<ParseError>) {
    if let Err(error) = check(text) {
        return (None, Some(error));
    }
    let whole: Arc<str> = text.into();
    let text = &*whole;
    let mut parser = Parser::new(text, &whole, room);
    let mut list = List::default();
    loop {
        list.items.clear();
        match parser.unit(&mut list.items) {
            Ok(true) => {}
            Ok(false) => return (parser.dropped(), None),
            // The error carries all that was complete: rare enough to read it again.
            Err(failure) => {
                let Failure { kind, message, span } = *failure;
                let complete =
                    read(text, &whole, room).err().map_or_else(Script::default, |error| error.complete);
                let error = ParseError { kind, message: message.into_owned(), span, complete };
                return (parser.dropped(), Some(error));
            }
        }
        // A unit ends with its line, and so do its here-documents.
        fill::fill(&mut list, parser.take_bodies());
        if !each(&list) {
            parser.forget_the_rest();
        }
    }
}

/// Refuses what bash would not even look at.
fn check(text: &str) -> Result<(), ParseError> {
    let refuse = |kind, message: &str, start: usize| ParseError {
        kind,
        message: message.to_owned(),
        span: Span::new(cursor::offset(start), cursor::offset(text.len())),
        complete: Script::default(),
    };
    if text.len() > MAX_LENGTH {
        return Err(refuse(ErrorKind::TooLong, "the text is longer than 1 MiB", 0));
    }
    if !text.as_bytes().contains(&0) {
        return Ok(());
    }
    Err(refuse(ErrorKind::NulByte, "the text contains a NUL byte", text.find('\0').unwrap_or_default()))
}
