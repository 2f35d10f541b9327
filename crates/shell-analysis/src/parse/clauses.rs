//! `case`, functions and `coproc` (bash manual 3.2.5.2, 3.2.6, 3.3).

use std::sync::Arc;

use super::{
    cursor::{Parsed, Parser, is_name},
    reserved::Reserved,
    word::Mode,
};
use crate::tree::{Command, CommandKind, List, Word};

impl Parser<'_> {
    pub(super) fn case_command(&mut self, start: usize) -> Parsed<CommandKind> {
        self.blanks()?;
        let subject = self.word()?;
        self.reserved_ok = true;
        self.newlines()?;
        self.expect_reserved(Reserved::In, "the `case`", start)?;
        let mut clauses = Vec::new();
        loop {
            self.newlines()?;
            if self.eat_reserved(Reserved::Esac)? {
                return Ok(CommandKind::Case { subject, clauses });
            }
            let (clause, last) = self.case_clause(start)?;
            clauses.push(clause);
            if last {
                self.expect_reserved(Reserved::Esac, "the `case`", start)?;
                return Ok(CommandKind::Case { subject, clauses });
            }
        }
    }

    /// Patterns and body; true when no `;;` follows, so that it was the last.
    fn case_clause(&mut self, start: usize) -> Parsed<((Vec<Word>, List), bool)> {
        if self.eat(b'(') {
            if self.peek() == Some(b'(') {
                return self.unexpected();
            }
            self.blanks()?;
        }
        let mut patterns = Vec::new();
        loop {
            self.blanks()?;
            patterns.push(self.word()?);
            self.blanks()?;
            if !self.eat(b'|') {
                break;
            }
        }
        self.close_parenthesis("the pattern", start)?;
        self.newlines()?;
        let body = if self.at_list_end() { List::default() } else { self.list()? };
        self.blanks()?;
        let last = if self.eat_pair(b';', b';') {
            self.eat(b'&');
            false
        } else {
            !self.eat_pair(b';', b'&')
        };
        self.reserved_ok = true;
        Ok(((patterns, body), last))
    }

    /// `()` behind a word, and the body.
    pub(super) fn function_parentheses(&mut self, name: &Word, start: usize) -> Parsed<Command> {
        let kind = self.nested(start, |parser| {
            parser.pos += 1;
            parser.blanks()?;
            if !parser.eat(b')') {
                return parser.unexpected();
            }
            parser.function_body(name)
        })?;
        Ok(Command { kind, redirects: Vec::new(), span: self.since(start) })
    }

    /// `function name [()] body`, behind the keyword.
    pub(super) fn function_keyword(&mut self, start: usize) -> Parsed<CommandKind> {
        self.nested(start, |parser| {
            parser.blanks()?;
            let name = parser.word()?;
            parser.blanks()?;
            if parser.peek() == Some(b'(') {
                // `()` or the subshell that is the body.
                let (_, at) = parser.second();
                let mut at = at;
                while matches!(parser.raw(at), Some(b' ' | b'\t')) {
                    at = parser.past_continuations(at + 1);
                }
                if parser.raw(at) == Some(b')') {
                    parser.pos = at + 1;
                }
            }
            parser.function_body(&name)
        })
    }

    fn function_body(&mut self, name: &Word) -> Parsed<CommandKind> {
        // Bash accepts any word here, and refuses some names when it runs the definition.
        let name = Self::plain_name(name).filter(|name| !name.contains('$')).cloned().unwrap_or_default();
        self.reserved_ok = true;
        self.newlines()?;
        match self.compound_command()? {
            Some(body) => Ok(CommandKind::Function { name, body: Arc::new(body) }),
            None => self.unexpected(),
        }
    }

    /// `coproc [NAME] command`, behind the keyword.
    pub(super) fn coproc(&mut self, start: usize) -> Parsed<CommandKind> {
        self.nested(start, |parser| {
            if let Some(body) = parser.compound_command()? {
                return Ok(CommandKind::Coproc { name: None, body: Box::new(body) });
            }
            if !matches!(parser.reserved(), None | Some((Reserved::Time, _))) {
                return parser.unexpected();
            }
            let at = parser.pos;
            let first = parser.coproc_word()?;
            if let Some(word) = &first {
                if let Some(body) = parser.compound_command()? {
                    let Some(name) = Self::plain_name(word).filter(|name| is_name(name)) else {
                        return parser.unsupported("a name of `coproc` that is not plain", at);
                    };
                    return Ok(CommandKind::Coproc { name: Some(name.clone()), body: Box::new(body) });
                }
                if !matches!(parser.reserved(), None | Some((Reserved::Time, _))) {
                    return parser.unexpected();
                }
            }
            let body = parser.simple_command_behind(at, first)?;
            match body.kind {
                // Bash runs a substitution from the text that it prints of it, and there prints `coproc COPROC a`
                // for `coproc a`, which runs a program of that name.
                CommandKind::Simple(_) if parser.in_substitution => {
                    parser.unsupported("a simple command as a coprocess in a substitution", start)
                }
                CommandKind::Simple(_) => Ok(CommandKind::Coproc { name: None, body: Box::new(body) }),
                _ => parser.unsupported("a function defined by `coproc`", start),
            }
        })
    }

    /// A word that comes next and is no assignment: behind it, bash looks for a reserved word once more.
    fn coproc_word(&mut self) -> Parsed<Option<Word>> {
        let at = self.pos;
        if self.redirect_ahead() || self.assignment(false)?.is_some() {
            self.spend(self.pos - at, at)?;
            self.pos = at;
            return Ok(None);
        }
        if matches!(self.peek(), None | Some(b'\n' | b';' | b'&' | b'|' | b'(' | b')')) {
            return Ok(None);
        }
        let word = self.word_in(Mode::Program)?;
        self.reserved_ok = true;
        Ok(Some(word))
    }
}
