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
//!
//! It never recovers: the first thing that bash would refuse, or that is not followed here, ends it. Two
//! passes of bash can read the same bytes differently (`${x:-'}'}` in double quotes, a comment in
//! `((`); such texts are refused as [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported).

mod arithmetic;
mod assignment;
mod clauses;
mod command;
mod compound;
mod conditional;
mod cursor;
mod fill;
mod heredoc;
mod list;
mod parameter;
mod quote;
mod redirect;
mod reserved;
mod substitution;
mod word;

use crate::{ErrorKind, ParseError, Span, tree::Script};
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
    let refuse = |kind, message: &str, start: usize| ParseError {
        kind,
        message: message.to_owned(),
        span: Span::new(cursor::offset(start), cursor::offset(text.len())),
        complete: Script::default(),
    };
    if text.len() > MAX_LENGTH {
        return Err(refuse(ErrorKind::TooLong, "the text is longer than 1 MiB", 0));
    }
    if let Some(at) = text.bytes().position(|byte| byte == 0) {
        return Err(refuse(ErrorKind::NulByte, "the text contains a NUL byte", at));
    }
    let mut parser = Parser::new(text);
    let (mut script, failure) = parser.script();
    fill::fill(&mut script, parser.take_bodies());
    match failure {
        None => Ok(script),
        Some(Failure { kind, message, span }) => {
            Err(ParseError { kind, message: message.into_owned(), span, complete: script })
        }
    }
}
