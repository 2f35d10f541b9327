//! Units, lists, and-or lists and pipelines (bash manual 3.2.3, 3.2.4).

use super::{
    cursor::{Failure, Parsed, Parser},
    reserved::Reserved,
};
use crate::tree::{AndOr, Few, Item, List, Pipeline, Script};

impl Parser<'_> {
    /// The whole text. Bash reads one list up to its newline and runs it before it reads the next, so the
    /// lists before a failure are what it has run.
    pub(super) fn script(&mut self) -> (Script, Option<Failure>) {
        let mut script = Script::default();
        loop {
            let complete = script.list.items.len();
            match self.unit(&mut script.list.items) {
                Ok(true) => {}
                Ok(false) => return (script, None),
                Err(failure) => {
                    script.list.items.truncate(complete);
                    return (script, Some(*failure));
                }
            }
        }
    }

    /// One list with the newline that ends it; false at the end of the text.
    pub(super) fn unit(&mut self, items: &mut Vec<Item>) -> Parsed<bool> {
        self.newlines()?;
        if self.peek().is_none() {
            return Ok(false);
        }
        self.reserved_ok = true;
        loop {
            let reserved = self.reserve();
            let mut item = self.and_or()?;
            let separator = self.separator()?;
            item.background = separator == Some(b'&');
            let span = item.first.span;
            self.keep(reserved, items, item, span);
            self.blanks()?;
            match self.peek() {
                Some(b'\n') => {
                    self.newline()?;
                    return Ok(true);
                }
                None => {
                    // Without bodies, which is fine with bash.
                    self.here_documents()?;
                    return Ok(true);
                }
                Some(_) if separator.is_none() => return self.unexpected(),
                Some(_) => {}
            }
        }
    }

    /// A list inside a construct (bash: `compound_list`); stops at a closing token, which the caller takes.
    pub(super) fn list(&mut self) -> Parsed<List> {
        let mut list = List::default();
        self.newlines()?;
        loop {
            let reserved = self.reserve();
            let mut item = self.and_or()?;
            let separator = self.separator()?;
            item.background = separator == Some(b'&');
            let span = item.first.span;
            self.keep(reserved, &mut list.items, item, span);
            let newlines = self.newlines()?;
            if (separator.is_none() && newlines == 0) || self.at_list_end() {
                return Ok(list);
            }
            // Bash prints the commands of a substitution and reads that, and its printer takes the end of a
            // here-document for the next separator: `$(cat <<E | a; b` runs `a b` (5.2, print_cmd.c).
            match separator {
                Some(b';') => self.lost |= self.losing > 0,
                Some(_) => {}
                None => self.losing = self.losing.saturating_sub(1),
            }
        }
    }

    /// At something that can only close a construct.
    pub(super) fn at_list_end(&mut self) -> bool {
        match self.peek() {
            None | Some(b')' | b';') => true,
            Some(_) => matches!(
                self.reserved(),
                Some((
                    Reserved::Then
                        | Reserved::Else
                        | Reserved::Elif
                        | Reserved::Fi
                        | Reserved::Esac
                        | Reserved::Do
                        | Reserved::Done
                        | Reserved::CloseBrace,
                    _
                ))
            ),
        }
    }

    /// Takes `;` or `&` behind an and-or list. `;;` and its kin are left to `case`.
    fn separator(&mut self) -> Parsed<Option<u8>> {
        self.blanks()?;
        let Some(byte @ (b';' | b'&')) = self.peek() else { return Ok(None) };
        if byte == b';' && matches!(self.second().0, Some(b';' | b'&')) {
            return Ok(None);
        }
        self.pos += 1;
        self.reserved_ok = true;
        Ok(Some(byte))
    }

    fn and_or(&mut self) -> Parsed<Item> {
        let mut item = Item { first: self.pipeline()?, rest: Vec::new(), background: false };
        loop {
            self.blanks()?;
            let operator = if self.eat_pair(b'&', b'&') {
                AndOr::And
            } else if self.eat_pair(b'|', b'|') {
                AndOr::Or
            } else {
                return Ok(item);
            };
            self.reserved_ok = true;
            self.newlines()?;
            let reserved = self.reserve();
            let next = self.pipeline()?;
            let span = next.span;
            self.keep(reserved, &mut item.rest, (operator, next), span);
        }
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        self.blanks()?;
        self.peek();
        let start = self.pos;
        let mut pipeline = Pipeline {
            negated: false,
            timed: false,
            commands: Few::default(),
            pipes_stderr: Vec::new(),
            span: self.since(start),
        };
        let mut forgotten = self.forget_command();
        let prefixed = forgotten.is_none() && self.pipeline_prefix(&mut pipeline)?;
        if prefixed && self.at_terminator() {
            pipeline.span = self.since(start);
            return Ok(pipeline);
        }
        let mut whole = prefixed.then_some(pipeline.span);
        loop {
            let reserved = self.reserve();
            let span = match forgotten.take() {
                Some(span) => span,
                None => {
                    let command = self.command()?;
                    let span = command.span;
                    if reserved {
                        pipeline.commands.push(command);
                    } else {
                        self.drop_at(span);
                    }
                    span
                }
            };
            whole = Some(whole.map_or(span, |whole| whole.to(span)));
            self.blanks()?;
            let stderr = match (self.peek(), self.second()) {
                (Some(b'|'), (Some(b'|'), _)) => break,
                (Some(b'|'), (Some(b'&'), at)) => {
                    self.pos = at + 1;
                    true
                }
                (Some(b'|'), _) => {
                    self.pos += 1;
                    false
                }
                _ => break,
            };
            self.keep(reserved, &mut pipeline.pipes_stderr, stderr, span);
            self.reserved_ok = true;
            let newlines = self.newlines()?;
            // bash: `time_command_acceptable` looks at the last two tokens only.
            self.time_is_word = newlines == 0 || (newlines == 1 && !stderr);
            forgotten = self.forget_command();
        }
        pipeline.span = whole.unwrap_or_else(|| self.since(start));
        Ok(pipeline)
    }

    /// Takes `!` and `time` in front of a pipeline.
    fn pipeline_prefix(&mut self, pipeline: &mut Pipeline) -> Parsed<bool> {
        let mut prefixed = false;
        loop {
            match self.reserved() {
                Some((Reserved::Bang, end)) => {
                    self.pos = end;
                    pipeline.negated = !pipeline.negated;
                }
                Some((Reserved::Time, end)) => {
                    self.pos = end;
                    pipeline.timed = true;
                    for option in ["-p", "--"] {
                        self.blanks()?;
                        match self.plain_word() {
                            Some(plain) if plain.is(option) => self.pos = plain.end,
                            _ => {}
                        }
                    }
                }
                _ => return Ok(prefixed),
            }
            prefixed = true;
            self.blanks()?;
        }
    }

    /// At a newline, `;` or the end: what may follow a lone `!` or `time`.
    fn at_terminator(&mut self) -> bool {
        match self.peek() {
            None | Some(b'\n') => true,
            Some(b';') => !matches!(self.second().0, Some(b';' | b'&')),
            Some(_) => false,
        }
    }
}
