//! `case`, functions and `coproc` (bash manual 3.2.5.2, 3.2.6, 3.3).

use super::{
    cursor::{Parsed, Parser, is_name},
    reserved::Reserved,
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
            parser.function_body(name, start)
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
            parser.function_body(&name, start)
        })
    }

    fn function_body(&mut self, name: &Word, start: usize) -> Parsed<CommandKind> {
        // Bash accepts any word here and refuses some names when it runs the definition.
        let Some(name) = Self::plain_name(name).map(str::to_owned) else {
            return self.unsupported("the function's name is not plain", start);
        };
        self.reserved_ok = true;
        self.newlines()?;
        match self.compound_command()? {
            Some(body) => Ok(CommandKind::Function { name, body: Box::new(body) }),
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
            if let Some((name, behind)) = parser.coproc_name()? {
                let before = std::mem::replace(&mut parser.pos, behind);
                if let Some(body) = parser.compound_command()? {
                    return Ok(CommandKind::Coproc { name: Some(name), body: Box::new(body) });
                }
                if parser.reserved().is_some() {
                    return parser.unexpected();
                }
                parser.pos = before;
            }
            let at = parser.pos;
            let body = parser.simple_command(at)?;
            match body.kind {
                CommandKind::Simple(_) => Ok(CommandKind::Coproc { name: None, body: Box::new(body) }),
                _ => parser.unsupported("a function defined by `coproc`", start),
            }
        })
    }

    /// A valid name that comes next, and where the blanks behind it end.
    fn coproc_name(&mut self) -> Parsed<Option<(String, usize)>> {
        let before = self.pos;
        let mut at = before;
        let mut name = String::new();
        while let Some(byte) = self.raw(at).filter(|&byte| super::cursor::is_name_byte(byte)) {
            name.push(char::from(byte));
            at = self.past_continuations(at + 1);
        }
        if !is_name(&name) || !matches!(self.raw(at), Some(b' ' | b'\t')) {
            return Ok(None);
        }
        self.pos = at;
        self.blanks()?;
        let behind = std::mem::replace(&mut self.pos, before);
        Ok(Some((name, behind)))
    }
}
