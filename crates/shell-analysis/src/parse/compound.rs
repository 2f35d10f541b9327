//! `( )`, `{ }`, `if`, loops and `select` (bash manual 3.2.5).

use super::{
    cursor::{Parsed, Parser, is_name},
    reserved::Reserved,
};
use crate::tree::{CommandKind, List, Word};

impl Parser<'_> {
    /// The compound command that `word` begins; `None` when it begins none.
    pub(super) fn compound(
        &mut self,
        word: Reserved,
        start: usize,
        end: usize,
    ) -> Parsed<Option<CommandKind>> {
        let starts = matches!(
            word,
            Reserved::If
                | Reserved::While
                | Reserved::Until
                | Reserved::For
                | Reserved::Select
                | Reserved::Case
                | Reserved::OpenBrace
                | Reserved::OpenConditional
        );
        if !starts {
            return Ok(None);
        }
        self.pos = end;
        let kind = self.nested(start, |parser| match word {
            Reserved::If => parser.if_command(start),
            Reserved::While | Reserved::Until => parser.loop_command(word == Reserved::Until, start),
            Reserved::For | Reserved::Select => parser.for_command(word == Reserved::Select, start),
            Reserved::Case => parser.case_command(start),
            Reserved::OpenConditional => parser.conditional(start),
            _ => parser.group(start),
        })?;
        // The closing word lets another reserved word follow.
        self.reserved_ok = true;
        Ok(Some(kind))
    }

    fn group(&mut self, start: usize) -> Parsed<CommandKind> {
        let list = self.list()?;
        self.expect_reserved(Reserved::CloseBrace, "the group", start)?;
        Ok(CommandKind::Group(list))
    }

    /// `( list )`, from its parenthesis on.
    pub(super) fn subshell(&mut self, start: usize) -> Parsed<CommandKind> {
        self.pos += 1;
        self.reserved_ok = true;
        let list = self.nested(start, Self::list)?;
        self.close_parenthesis("the subshell", start)?;
        Ok(CommandKind::Subshell(list))
    }

    /// Takes `)`.
    pub(super) fn close_parenthesis(&mut self, what: &str, start: usize) -> Parsed<()> {
        if self.eat(b')') {
            self.reserved_ok = true;
            return Ok(());
        }
        if self.peek().is_none() {
            return self.unterminated(what, start);
        }
        self.unexpected()
    }

    fn if_command(&mut self, start: usize) -> Parsed<CommandKind> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.list()?;
            self.expect_reserved(Reserved::Then, "the `if`", start)?;
            branches.push((condition, self.list()?));
            if self.eat_reserved(Reserved::Elif)? {
                continue;
            }
            if self.eat_reserved(Reserved::Else)? {
                otherwise = Some(self.list()?);
            }
            self.expect_reserved(Reserved::Fi, "the `if`", start)?;
            return Ok(CommandKind::If { branches, otherwise });
        }
    }

    fn loop_command(&mut self, until: bool, start: usize) -> Parsed<CommandKind> {
        let condition = self.list()?;
        self.expect_reserved(Reserved::Do, "the loop", start)?;
        let body = self.list()?;
        self.expect_reserved(Reserved::Done, "the loop", start)?;
        Ok(CommandKind::Loop { until, condition, body })
    }

    fn for_command(&mut self, select: bool, start: usize) -> Parsed<CommandKind> {
        self.blanks()?;
        if !select && self.peek() == Some(b'(') {
            return self.arithmetic_for(start);
        }
        self.peek();
        let at = self.pos;
        let word = self.word()?;
        // Bash refuses a name that is not valid when it runs the loop.
        let name = match Self::plain_name(&word).filter(|name| is_name(name)) {
            Some(name) => name.clone(),
            None => self.text_of(at, self.pos),
        };
        let words = self.for_words()?;
        let body = self.loop_body(start)?;
        Ok(CommandKind::For { name, words, body, select })
    }

    /// What stands between the variable and the body: nothing, `;`, or `in words` and a separator.
    fn for_words(&mut self) -> Parsed<Option<Vec<Word>>> {
        self.reserved_ok = true;
        self.blanks()?;
        if self.peek() == Some(b';') {
            self.pos += 1;
            self.newlines()?;
            return Ok(None);
        }
        let newlines = self.newlines()?;
        if !self.eat_reserved(Reserved::In)? {
            // Only `do` may follow on the same line.
            if newlines == 0 && matches!(self.reserved(), Some((Reserved::OpenBrace, _))) {
                return self.unexpected();
            }
            return Ok(None);
        }
        let mut words = Vec::new();
        loop {
            self.blanks()?;
            match self.peek() {
                Some(b';') => {
                    self.pos += 1;
                    break;
                }
                Some(b'\n') => break,
                _ => words.push(self.word()?),
            }
        }
        self.reserved_ok = true;
        self.newlines()?;
        Ok(Some(words))
    }

    /// `do list done` or `{ list }`.
    pub(super) fn loop_body(&mut self, start: usize) -> Parsed<List> {
        if self.eat_reserved(Reserved::OpenBrace)? {
            let body = self.list()?;
            self.expect_reserved(Reserved::CloseBrace, "the loop", start)?;
            return Ok(body);
        }
        self.expect_reserved(Reserved::Do, "the loop", start)?;
        let body = self.list()?;
        self.expect_reserved(Reserved::Done, "the loop", start)?;
        Ok(body)
    }
}
